"""The table of all exit codes. The help is generated from it, and tests compare it with `docs/commands.md`."""

from __future__ import annotations

from pinebench.errors import PinebenchError, UnavailableError, UsageError

FINE = 0
FINDINGS = PinebenchError.exit_code
USAGE = UsageError.exit_code
NOT_DONE = UnavailableError.exit_code
INTERRUPTED = 130

MEANINGS: dict[int, str] = {
    FINE: "fine",
    FINDINGS: "findings, a script that does not compile, a test or a tool that failed",
    USAGE: "wrong usage, a file that cannot be read, a mistake in the configuration or in arguments",
    NOT_DONE: "not possible: there is no page, browser, network, key or extra",
    INTERRUPTED: "interrupted by Ctrl+C",
}
"""The meaning of each code, for all commands."""

_FILE = "wrong usage, or a file that cannot be read"
_BARS = "wrong usage, or a script or bars that cannot be read"
_RESULT = "the result could not be written"
_PAGE = "no browser, chart or extra"
_SERVICE = {FINE: "ended by you", USAGE: "wrong usage"}

_OWN: dict[str, dict[int, str]] = {
    "lint": {
        FINE: "no finding at or above --fail-on",
        FINDINGS: "findings",
        USAGE: _FILE,
        NOT_DONE: "the checker itself failed on a script",
    },
    "format": {
        FINDINGS: "something would change (--check, --diff), or a script has syntax errors",
        USAGE: _FILE,
        NOT_DONE: _RESULT,
    },
    "lsp": {
        FINE: "ended by the editor or by you",
        FINDINGS: "the editor disconnected without a shutdown request",
        USAGE: "wrong usage",
        NOT_DONE: "the port is taken, or the extra is missing",
    },
    "parse": {FINDINGS: "syntax errors, which are listed on stderr", USAGE: _FILE, NOT_DONE: _RESULT},
    "config": {USAGE: "wrong usage, no such file, or a mistake in the configuration", NOT_DONE: _RESULT},
    "explain": {USAGE: "an unknown code or name", NOT_DONE: _RESULT},
    "compile": {
        FINE: "it compiles, or passes pinebench's check",
        FINDINGS: "it does not",
        USAGE: _FILE,
        NOT_DONE: "the compiler cannot be reached, or cannot judge this version of Pine",
    },
    "compare": {
        FINE: "no difference",
        FINDINGS: "differences",
        USAGE: _FILE,
        NOT_DONE: "a script could not be compared",
    },
    "doc": {
        FINDINGS: "it does not compile, or with --against something breaks",
        USAGE: _FILE,
        NOT_DONE: "the library is of an older version",
    },
    "new": {USAGE: "the folder contains files, or the name cannot be used", NOT_DONE: _RESULT},
    "bundle": {
        FINDINGS: "it cannot be bundled, does not compile, or --check finds a difference",
        USAGE: _FILE,
        NOT_DONE: "the script is of an older version, or the bars of --check cannot be reached",
    },
    "edit": {**_SERVICE, NOT_DONE: "the extra is missing"},
    "write": {
        FINE: "it compiles, and meets its goals on the bars",
        FINDINGS: "it does not",
        USAGE: _FILE,
        NOT_DONE: "no key, network, extra or compiler",
    },
    "fix": {
        FINE: "it compiles, or passes pinebench's check",
        FINDINGS: "errors are left",
        USAGE: _FILE,
        NOT_DONE: "the compiler or the author cannot be reached",
    },
    "chat": {
        FINE: "ended by you",
        USAGE: "wrong usage, or no conversation to resume",
        NOT_DONE: "no key, network or extra",
    },
    "ask": {
        FINE: "answered",
        FINDINGS: "the answer was cut, declined, or ended at a limit",
        USAGE: "wrong usage",
        NOT_DONE: "no key, network or extra",
    },
    "migrate": {FINDINGS: "a script was not changed, or has errors as v6", USAGE: _FILE, NOT_DONE: _RESULT},
    "eval": {
        FINE: "all chosen tasks have a verdict, or all of our solutions pass (--check)",
        FINDINGS: "one of our own solutions fails (--check)",
        USAGE: "wrong usage, no such task, or a folder that cannot be used",
        NOT_DONE: "no key, network or extra, or the budget is used up; finished tasks are kept",
    },
    "template": {
        FINDINGS: "no template matches the words",
        USAGE: "wrong usage, or no such template",
        NOT_DONE: _RESULT,
    },
    "watch": {**_SERVICE, NOT_DONE: "the scripts cannot be watched"},
    "run": {
        FINDINGS: "the script does not compile, stops with an error, or is not as expected",
        USAGE: _BARS,
        NOT_DONE: "the script needs something that pinebench does not compute, or an extra is missing",
    },
    "why": {
        FINDINGS: "the script or the expression does not compile, or the script stopped with an error",
        USAGE: "wrong usage, no such bar, or a script or bars that cannot be read",
        NOT_DONE: "needs something that is not computed or not installed",
    },
    "profile": {
        FINDINGS: "the script does not compile, or stops with an error",
        USAGE: _BARS,
        NOT_DONE: "needs something that is not computed or not installed",
    },
    "debug": {**_SERVICE, NOT_DONE: "the port cannot be used"},
    "inspect": {
        FINDINGS: "the script does not compile, or stopped with an error; the values until then are shown",
        USAGE: "wrong usage, no such bar or name, or a script or bars that cannot be read",
        NOT_DONE: "needs something that is not computed or not installed",
    },
    "backtest": {
        FINDINGS: "the script does not compile, stops with an error, or is not as expected",
        USAGE: _BARS,
        NOT_DONE: "the script needs something that pinebench does not compute, or an extra is missing",
    },
    "chart": {
        FINDINGS: "a script does not compile or stops with an error",
        USAGE: "wrong usage, no such indicator, or bars that cannot be read",
        NOT_DONE: "bars cannot be fetched, or an extra is missing",
    },
    "optimize": {
        FINDINGS: "no combination has a result, or the script does not compile",
        USAGE: _BARS,
        NOT_DONE: "the script needs something that pinebench does not compute, or an extra or a cluster is missing",
    },
    "montecarlo": {
        FINDINGS: "the script does not compile or stops with an error",
        USAGE: f"{_BARS}, or too few trades",
        NOT_DONE: "the script needs something that pinebench does not compute",
    },
    "portfolio": {
        FINDINGS: "a script does not compile or stops with an error",
        USAGE: f"{_BARS}, or strategies that do not fit together",
        NOT_DONE: "a script needs something that pinebench does not compute, or bars cannot be fetched",
    },
    "screen": {
        FINE: "at least one symbol matches",
        FINDINGS: "no symbol matches, or the script does not compile",
        USAGE: f"{_BARS}, or no symbol has values",
        NOT_DONE: "the script needs something that pinebench does not compute",
    },
    "import-trades": {
        FINE: "the lists are the same",
        FINDINGS: "they differ, have no closed trade to compare, or the script does not compile or stops with an error",
        USAGE: _BARS,
        NOT_DONE: "the script needs something that pinebench does not compute",
    },
    "test": {
        FINE: "all tests passed",
        FINDINGS: "a test failed",
        USAGE: "wrong usage, or a test file, script or bars that cannot be read",
        NOT_DONE: "a script needs something that pinebench does not compute",
    },
    "verify": {
        FINE: "every plot and all trades that were compared are equal",
        FINDINGS: "something differs",
        USAGE: "wrong usage, a folder that cannot be read, or personal data in the files to save",
        NOT_DONE: "a plot or the trades could not be compared, or there is no page or script",
    },
    "push": {FINE: "the editor has the script", FINDINGS: "the editor refused it", USAGE: _FILE, NOT_DONE: _PAGE},
    "pull": {USAGE: "wrong usage, or a file that pinebench did not write", NOT_DONE: _PAGE},
    "sync": {
        FINE: "done, and no script needs a decision",
        FINDINGS: "a script needs your decision, or failed; diff: something differs",
        USAGE: "wrong usage, a folder that is missing, or a damaged lock file",
        NOT_DONE: _PAGE,
    },
    "launch": {FINE: "the port answers", USAGE: "wrong usage", NOT_DONE: "no browser could be started"},
    "doctor": {FINE: "nothing failed", FINDINGS: "something on the page failed", USAGE: "wrong usage", NOT_DONE: _PAGE},
    "tools": {USAGE: "no such tool or group", NOT_DONE: _RESULT},
    "call": {FINDINGS: "the tool failed", USAGE: "no such tool, or wrong arguments", NOT_DONE: _PAGE},
    "tv": {
        FINE: "success; a stream that you ended",
        FINDINGS: "the tool failed",
        USAGE: "no such command, or wrong arguments",
        NOT_DONE: _PAGE,
    },
    "mcp": {
        FINE: "ended by you or by the client",
        USAGE: "wrong usage, or a client's configuration that cannot be read",
        NOT_DONE: "the port is taken, or the extra is missing",
    },
    "skills": {
        FINDINGS: "a skill that you changed was not replaced",
        USAGE: "wrong usage, no such skill, or a file that cannot be written",
        NOT_DONE: _RESULT,
    },
    "engine": {
        USAGE: "wrong usage, no state of an engine, or a copy or script that cannot be used",
        NOT_DONE: f"{_RESULT}, or the broker does not answer",
    },
    "studio": {**_SERVICE, NOT_DONE: "no page, browser or free port"},
    "demo": {FINDINGS: "a step failed", USAGE: "wrong usage", NOT_DONE: _RESULT},
    "completion": {USAGE: "wrong usage", NOT_DONE: _RESULT},
}

SERVICES = frozenset({"lsp", "debug", "watch", "mcp", "studio"})
"""Commands that run until they are stopped: SIGINT and SIGTERM end them with exit code 0."""


def exits_of(command: str) -> dict[int, str]:
    """Return the exit codes of `command`, each with its meaning for this command, in ascending order."""
    found = {FINE: MEANINGS[FINE], **_OWN[command]}
    if command not in SERVICES:
        found[INTERRUPTED] = "interrupted"
    return dict(sorted(found.items()))


def help_of(command: str) -> str:
    """Return the last lines of `pinebench COMMAND --help`, which explain the exit codes."""
    rows = [f"  {code:<5}{words}" for code, words in exits_of(command).items()]
    return "\n".join(["exit codes:", *rows, ""])
