"""`pinebench write`: write a script with Claude, which drafts it and repairs it until it compiles."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from typing import TYPE_CHECKING

from pinebench import config, files
from pinebench.cli import behaviour
from pinebench.cli.compiler_option import add_compiler_arguments, compiler_of
from pinebench.cli.console import InputPath, amount, note, positive, print_script, read_script, result_place
from pinebench.cli.option_needs import refuse_idle_page
from pinebench.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.authoring.author import Author, AuthorBudget
    from pinebench.authoring.events import Event, StartedEvent
    from pinebench.authoring.goals import Trial
    from pinebench.compilers import Compiler
    from pinebench.context import Context

EPILOG = f"""\
examples:
  pinebench write "RSI with divergence alerts" -o rsi.pine
  pinebench write "add a trailing stop" --from mine.pine -o mine.pine
  pinebench write "breakout of the first half hour" --template none --max-dollars 0.5
  pinebench write "RSI signals" --data bars.csv --no-repaint --expect 'alerts>=5' -o rsi.pine
  pinebench write --resume -o rsi.pine            continue an interrupted run

It needs ANTHROPIC_API_KEY, in the environment or in the project's .env. The request, the script and the compiler's
findings are sent to Anthropic. With -o, FILE always has the best script so far; without it, the script is printed to
standard output.

With --data, a script that compiles is run on bars. With --from it is compared there with the given script, plot by
plot and order by order, and differences are reported; --expect same forbids them, --expect unchanged allows new
outputs only. A script of an earlier version is converted first, as `pinebench migrate` does. --expect and
--no-repaint set goals. If a goal is not met, the result, with figures and dates of the bars, is sent to the author in
a separate round, until all goals are met.

{behaviour.HELP}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add("request", nargs="?", metavar="REQUEST", help="what the script should do, in your words")
    add(
        "--from",
        dest="base",
        type=InputPath,
        metavar="FILE",
        help="change this script instead of writing a new one; - reads standard input",
    )
    add("--template", metavar="NAME", help="start from this template, or from 'none' (default: the nearest one)")
    add("--model", metavar="M", help="Claude's model (default: PINEBENCH_MODEL)")
    add("--max-rounds", type=positive, metavar="N", help="the largest number of requests for a script (default: 8)")
    add("--max-seconds", type=amount, metavar="S", help="the time limit for the whole run (default: 600)")
    add("--max-tokens", type=positive, metavar="N", help="the largest number of tokens of all kinds (default: 300000)")
    add("--max-dollars", type=amount, metavar="D", help="the largest estimated cost (default: 2)")
    add("-o", "--output", metavar="FILE", type=result_place, help="the file for the script")
    add(
        "--data",
        type=InputPath,
        action="append",
        default=[],
        metavar="[SYMBOL=]BARS",
        help="run scripts that compile on these bars, to test the goals below; SYMBOL=BARS adds another symbol's bars",
    )
    behaviour.add_behaviour_arguments(add)
    add("--robust", action="store_true", help="the strategy's best inputs must be more than luck on unseen bars")
    add(
        "--events",
        choices=("text", "jsonl"),
        default="text",
        help="the format of progress messages (default: text, on stderr)",
    )
    add("--resume", action="store_true", help="continue the last run for FILE, or for this folder without -o")
    add_compiler_arguments(parser, default=None)


def run(args: argparse.Namespace) -> int:
    """Write a script, report each step, print or save the script, and return the exit code."""
    from pinebench.cli.story import exit_code, follow

    begun: list[Event] = []
    try:
        _, finished = follow(_noted(_events(args), begun), args.events)
    except KeyboardInterrupt:
        note(*_interruption(args.output, begun=bool(begun)))
        raise
    if finished.source is not None and args.output is None and args.events == "text":
        print_script(finished.source)
    return exit_code(finished)


def _noted(events: Iterator[Event], begun: list[Event]) -> Iterator[Event]:
    """Yield `events`, and add the first one to `begun`. After it, --resume can continue the run."""
    for event in events:
        if not begun:
            begun.append(event)
        yield event


def _interruption(output: str | None, *, begun: bool) -> tuple[str, str | None]:
    """The message and the hint for an interrupted run."""
    from pinebench.authoring import session

    if not begun:
        return "interrupted before the run began", None
    if output is None:
        kept = "nothing is lost"
    else:
        kept = f"the best script so far is in {output}" if session.holds_best(output) else "there is no script yet"
    return f"interrupted; {kept}", "the same command with --resume continues"


def _check_request(request: str | None) -> None:
    if request is None:
        raise UsageError("the REQUEST is missing", "say what the script should do, or use --resume")
    if not request.strip():
        raise UsageError("the REQUEST is empty", "say what the script should do")


def _events(args: argparse.Namespace) -> Iterator[Event]:
    from pinebench.authoring import catalogue, session
    from pinebench.authoring.author import AuthorBudget
    from pinebench.authoring.claude import Claude
    from pinebench.authoring.older import in_v6
    from pinebench.cli.story import progress_line
    from pinebench.context import Context
    from pinebench.migration import migrate_draft

    context = Context(progress=progress_line())
    if args.resume:
        return _resumed(args, context)
    _check_request(args.request)
    goals, (data, others) = _goals(args), _data(args.data)
    # Check the files first: a mistake in their names must be reported even if there is no key.
    base, text = (None, read_script("-")[1].text) if args.base == "-" else (args.base, None)
    session.check_files(args.output, base)
    if args.template not in (None, session.FROM_NOTHING):
        catalogue.template(args.template)
    given = files.read(base).text if base is not None else text
    trial = behaviour.trial(goals, args.data, in_v6(given, migrate_draft))
    author = Claude(args.model, libraries=config.library_folders(args.output or base or "."))
    return session.write(
        args.request,
        author,
        compiler_of(args, path=args.output or base),
        _budget(args, AuthorBudget()),
        context,
        base=base,
        text=text,
        template=args.template or (session.FROM_NOTHING if args.base else session.NEAREST),
        output=args.output,
        model=author.model,
        key_from=author.key_from,
        model_from=_model_from(args, author.model_from),
        goals=goals,
        data=data,
        others=others,
        trial=trial,
        migrate=migrate_draft,
    )


def _resumed(args: argparse.Namespace, context: Context) -> Iterator[Event]:
    from pinebench.authoring import session
    from pinebench.migration import migrate_draft

    if args.base or args.template:
        raise UsageError("--resume continues the earlier script", "leave --from and --template out")
    _check_expectations(args)
    return session.resume(
        args.output, lambda started: _going_on(args, started), context, _trial_of, migrate=migrate_draft
    )


def _goals(args: argparse.Namespace) -> tuple[str, ...]:
    """The goals of the run, as texts. Raises UsageError for an invalid expectation, for goals without bars, and for
    goals about a script that was not given."""
    from pinebench.authoring.goals import NO_REPAINT, OF_BASE, ROBUST

    _check_expectations(args)
    goals = (*args.expect, *([NO_REPAINT] if args.no_repaint else []), *([ROBUST] if args.robust else []))
    if goals and not args.data:
        raise UsageError("goals need bars to run the script on", "give bars with --data BARS")
    of_base = next((goal for goal in goals if goal in OF_BASE), None)
    if of_base is not None and not args.base:
        raise UsageError(f"the goal '{of_base}' needs a script to compare with", "give the script with --from FILE")
    return goals


def _check_expectations(args: argparse.Namespace) -> None:
    """Raise UsageError for an expectation that is neither a name of a goal nor about a figure."""
    from pinebench.authoring.goals import NAMED
    from pinebench.testing.goals import goals

    goals([each for each in args.expect if each not in NAMED], no_repaint=args.no_repaint)


def _data(given: list[str]) -> tuple[str | None, tuple[str, ...]]:
    """The names of the chart's bars and of other symbols' bars. Files get absolute paths, because the run may continue
    in another folder."""
    from pinebench.market import bar_choice

    def whole(name: str) -> str:
        return os.path.abspath(name) if bar_choice.is_file(name) else name

    if not given:
        return None, ()
    named = bar_choice.names(given)
    return whole(named.chart), tuple(f"{symbol}={whole(name)}" for symbol, name in named.others.items())


def _trial_of(started: StartedEvent) -> Trial | None:
    from pinebench.authoring.older import in_v6
    from pinebench.migration import migrate_draft

    task = started.task
    base = task.base if task.template is None else None
    data = [started.data, *started.others] if started.data else []
    return behaviour.trial(started.goals, data, in_v6(base, migrate_draft))


def _going_on(args: argparse.Namespace, started: StartedEvent) -> tuple[StartedEvent, Author, Compiler]:
    """The settings, the author and the compiler of a resumed run: as it began, except for changed options."""
    from pinebench.authoring.claude import Claude

    if args.request is not None and args.request != started.task.request:
        raise UsageError("the last run had another request", f'resume it without one, or with "{started.task.request}"')
    refuse_idle_page(args, args.compiler or started.compiler)
    author = Claude(args.model or started.model, libraries=config.library_folders(started.output or "."))
    compiler = compiler_of(args, args.compiler or started.compiler, path=started.output)
    budget = _budget(args, started.budget)
    model_from = _model_from(args, author.model_from) if args.model or not started.model else "the run"
    if args.data or args.expect or args.no_repaint or args.robust:
        raise UsageError("--resume keeps the goals of the run", "leave --data, --expect, --no-repaint and --robust out")
    going_on = replace(
        started,
        budget=budget,
        compiler=compiler.name,
        model=author.model,
        key_from=author.key_from,
        model_from=model_from,
    )
    return going_on, author, compiler


def _model_from(args: argparse.Namespace, otherwise: str) -> str:
    return "--model" if args.model else otherwise


def _budget(args: argparse.Namespace, budget: AuthorBudget) -> AuthorBudget:
    given = {
        "rounds": args.max_rounds,
        "seconds": args.max_seconds,
        "tokens": args.max_tokens,
        "dollars": args.max_dollars,
    }
    return replace(budget, **{name: value for name, value in given.items() if value is not None})
