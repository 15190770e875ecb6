"""The table of commands: which module runs each one, so that starting up imports only the chosen command.

To add a command, write `pinebench/cli/commands/<name>.py` and name it here:

    '''`pinebench name`: what it does; the help shows this as a sentence.'''

    EPILOG = "examples: ..."                            # below the arguments in the help; it may be left out
    USAGE = "FILE [OPTION]..."                          # only if the usage line made from the arguments is unclear

    def add_arguments(parser: argparse.ArgumentParser) -> None:     # nothing heavy is imported here
        parser.add_argument(...)

    def run(args: argparse.Namespace) -> int:           # returns the exit code; put heavy imports in here
        ...

The module may import `pinebench.errors` and `pinebench.cli.console` at the top. `run` prints results to stdout and
messages for people to stderr (`console.note`). It raises `UsageError` (exit 2) or `UnavailableError` (exit 3) with a
hint, and never calls `sys.exit`. `pinebench.cli.main` handles broken pipes, Ctrl-C and PinebenchError.
"""

from __future__ import annotations

from pinebench.records import NamedTuple


class CommandRow(NamedTuple):
    """A row of the table: the module under `pinebench.cli.commands`, its heading in the help, and its one-line help."""

    module: str
    group: str
    help: str


CHECK = "Check scripts (offline)"
WRITE = "Write and repair scripts"
CHART = "Work with a chart"
RUN = "Run scripts on bars (offline)"
ABOUT = "Get started"

COMMANDS: dict[str, CommandRow] = {
    "lint": CommandRow("lint", CHECK, "report errors and warnings in scripts, as TradingView's compiler would"),
    "format": CommandRow("format", CHECK, "format scripts by Pine's style guide; only white space changes"),
    "lsp": CommandRow(
        "lsp", CHECK, "answer editors by the Language Server Protocol: errors, completion, rename, and more"
    ),
    "parse": CommandRow("parse", CHECK, "show a script's syntax tree"),
    "config": CommandRow("config", CHECK, "show the settings for a script, and the origin of each value"),
    "explain": CommandRow("explain", CHECK, "explain a code such as CE10156, or a name such as ta.sma or varip"),
    "compile": CommandRow(
        "compile", CHECK, "compile one script: offline, by TradingView's check, or in the open chart"
    ),
    "compare": CommandRow("compare", CHECK, "show where pinebench and TradingView judge scripts differently"),
    "new": CommandRow("new", WRITE, "create a project: a script, a library, a test, a CI workflow"),
    "bundle": CommandRow("bundle", WRITE, "write a script and its local libraries as one script for TradingView"),
    "doc": CommandRow("doc", WRITE, "write the description of a library, and show what a new version breaks"),
    "edit": CommandRow("edit", WRITE, "the workbench in the terminal: an editor with the other features around it"),
    "write": CommandRow("write", WRITE, "write a script from a description, with Claude, until it compiles"),
    "fix": CommandRow("fix", WRITE, "repair a script: compile, fix, compile again"),
    "chat": CommandRow("chat", WRITE, "talk with Claude about the chart and about scripts; it uses the tools"),
    "ask": CommandRow("ask", WRITE, "ask Claude one question about the chart or about scripts"),
    "migrate": CommandRow("migrate", WRITE, "convert scripts of Pine v3, v4 and v5 to v6, and report the differences"),
    "eval": CommandRow(
        "eval", WRITE, "let a model solve 300 tasks with hidden behaviour, and judge and score its answers"
    ),
    "template": CommandRow("template", WRITE, "list, read and copy the scripts that come with pinebench"),
    "watch": CommandRow("watch", WRITE, "compile scripts whenever they are saved, and show what the compiler says"),
    "run": CommandRow("run", RUN, "run a script on bars and show what it plots, alerts and logs"),
    "backtest": CommandRow("backtest", RUN, "run a strategy on bars, and report its trades and figures"),
    "optimize": CommandRow("optimize", RUN, "run a strategy with many inputs, and judge the best on held-back bars"),
    "montecarlo": CommandRow(
        "montecarlo", RUN, "change the trades of a back-test at random: drawdowns, chance of ruin"
    ),
    "portfolio": CommandRow("portfolio", RUN, "run several strategies on several symbols in one account"),
    "screen": CommandRow("screen", RUN, "run a script on many symbols, and list the symbols that meet a condition"),
    "why": CommandRow("why", RUN, "show why an expression has its value on a bar, or what happened to an order"),
    "profile": CommandRow("profile", RUN, "show what each line and function of a script costs"),
    "inspect": CommandRow("inspect", RUN, "show the values of a script's names on any bar, and when they changed"),
    "debug": CommandRow(
        "debug", RUN, "run a script step by step in an editor, forward and back (Debug Adapter Protocol)"
    ),
    "chart": CommandRow("chart", RUN, "draw bars with indicators and scripts, as a picture or a page"),
    "import-trades": CommandRow(
        "import_trades", RUN, "compare pinebench's list of trades with a list that TradingView exported"
    ),
    "test": CommandRow("test", RUN, "run the tests beside scripts: values, figures, snapshots, nothing repaints"),
    "verify": CommandRow("verify", CHART, "compare a script on the open chart with pinebench's run: plots and trades"),
    "push": CommandRow("push", CHART, "put a script into the Pine editor of the open chart"),
    "pull": CommandRow("pull", CHART, "fetch the script that is in the Pine editor"),
    "sync": CommandRow("sync", CHART, "synchronize a folder with the scripts saved in a TradingView account"),
    "launch": CommandRow("launch", CHART, "start a browser or TradingView Desktop so that its chart can be reached"),
    "doctor": CommandRow("doctor", CHART, "examine the browser, the chart page, the editor and the log-in"),
    "tools": CommandRow("tools", CHART, "list the chart tools"),
    "call": CommandRow("call", CHART, "call one chart tool and print its result as JSON"),
    "tv": CommandRow("tv", CHART, "use the chart tools with short commands, and stream changes"),
    "mcp": CommandRow("mcp", CHART, "offer the tools to models by the Model Context Protocol"),
    "skills": CommandRow("skills", CHART, "list, read and install instructions for models, also as a plugin"),
    "engine": CommandRow("engine", CHART, "watch and control the trading engine: its state, kill switch, backups"),
    "studio": CommandRow("studio", CHART, "open a chart and a Pine editor like TradingView's, on this computer"),
    "demo": CommandRow("demo", ABOUT, "see in a minute what pinebench does"),
    "completion": CommandRow("completion", ABOUT, "print a completion script for bash, zsh or fish"),
}
"""Every command by name, in the order in which help lists them."""
