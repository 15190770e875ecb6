"""`pinebench test`: run the tests in the files beside scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.cli import run_options
from pinebench.cli.console import note, print_report
from pinebench.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence
    from datetime import date
    from pathlib import Path

    from pinebench.cli.table import Subparsers
    from pinebench.execution.testing import Outcome

_EPILOG = """\
examples:
  pinebench test                                every *.test.toml in this folder and below
  pinebench test rsi.test.toml                  one file
  pinebench test --format junit -o report.xml   for CI
  pinebench test --update                       write snapshots that differ, and say which

A test file names a script, bars and the expected results; docs/testing-scripts.md explains it:

  script = "rsi.pine"
  bars = "BTCUSDT"           # a CSV file, or a symbol of the sample market
  timeframe = "60"
  expect = ["alerts>=1", "na(RSI)<0.1"]
  no-repaint = true
"""


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command's arguments."""
    parser = subparsers.add_parser(
        "test",
        usage="pinebench test [PATH]... [OPTION]...",
        description="Run tests of scripts on bars: values, figures, errors, snapshots, and that nothing repaints.",
        epilog=_EPILOG,
    )
    add = parser.add_argument
    add("paths", nargs="*", metavar="PATH", help="test files, or folders that contain some (default: this folder)")
    add("--update", action="store_true", help="write snapshots that are missing or differ")
    add("--format", choices=("text", "json", "junit"), default="text", help="the output format (default: text)")
    run_options.add_output_arguments(add, "write the report into this file")
    run_options.add_as_of_argument(add)


def run(args: argparse.Namespace) -> int:
    """Run the tests, report their results, and return the exit code."""
    from pinebench import outputs

    if args.output is not None:
        outputs.check(args.output, force=args.force)
    day = run_options.as_of(args)
    outcomes: list[Outcome] = []
    for file in _files(args.paths or ["."]):
        for outcome in _of_file(file, args.update, day):
            outcomes.append(outcome)
            for words in outcome.notes:
                note(words)
    _write(args, outcomes)
    return _exit_code(outcomes)


def _of_file(file: Path, update: bool, as_of: date | None) -> Iterator[Outcome]:
    from pinebench.errors import PinebenchError
    from pinebench.execution.testfile import read_cases
    from pinebench.execution.testing import Outcome, run_case
    from pinebench.linter.repainting import look_for_repainting

    try:
        cases = read_cases(file)
    except PinebenchError as error:
        yield Outcome(file, file.name, problem=error)
        return
    for case in cases:
        yield run_case(case, look_for_repainting, update=update, as_of=as_of)


def _files(paths: Sequence[str]) -> list[Path]:
    """The named test files, and the test files in named folders, each once. Raises UsageError for a folder without
    any."""
    from pathlib import Path

    from pinebench.execution.testfile import ENDING, discover
    from pinebench.files import matching

    found: dict[Path, Path] = {}
    for given in map(Path, matching(paths)):
        inside = discover(given) if given.is_dir() else [given]
        if not inside:
            raise UsageError(f"{given}: there are no tests", f"test files end in {ENDING}; see `pinebench test --help`")
        for file in inside:
            found.setdefault(file.resolve(), file)
    return list(found.values())


def _write(args: argparse.Namespace, outcomes: list[Outcome]) -> None:
    text = _rendered(args.format, outcomes)
    if args.output is None:
        print_report(text)
        return
    from pinebench import outputs

    said = outputs.put(args.output, text.encode(), force=args.force)
    if said is not None:
        note(said)
    note(f"{args.output}: written; {_sum(outcomes)}")


def _rendered(form: str, outcomes: list[Outcome]) -> str:
    if form == "junit":
        from pinebench.execution import junit

        return junit.render(outcomes)
    if form == "json":
        from pinebench.printable import json_text

        return json_text(_as_json(outcomes), indent=2) + "\n"
    from pinebench.printable import printable

    return "".join(f"{printable(line)}\n" for line in _lines(outcomes))


def _as_json(outcomes: list[Outcome]) -> dict[str, object]:
    return {
        "tests": [
            {
                "file": each.file.as_posix(),
                "name": each.name,
                "passed": each.passed,
                "failures": each.failures,
                "data": None if each.data is None else each.data.facts,
                "error": None if each.problem is None else each.problem.message,
                "hint": None if each.problem is None else each.problem.hint,
            }
            for each in outcomes
        ],
        "passed": sum(1 for each in outcomes if each.passed),
        "failed": sum(1 for each in outcomes if each.failures),
        "errors": sum(1 for each in outcomes if each.problem is not None),
    }


def _lines(outcomes: list[Outcome]) -> Iterator[str]:
    from pinebench.market import MADE_UP

    for each in outcomes:
        word = "ok   " if each.passed else "FAIL " if each.failures else "ERROR"
        made_up = each.data is not None and each.data.symbol.is_made_up
        yield f"{word} {each.file.as_posix()}: {each.name}{MADE_UP if made_up else ''}"
        yield from (f"      {words}" for words in each.failures)
        if each.data is not None and not each.passed:
            yield f"      bars: {each.data.line}"
        if each.problem is not None:
            yield f"      {each.problem.message}"
            if each.problem.hint:
                yield f"      {each.problem.hint}"
    yield _sum(outcomes)


def _sum(outcomes: list[Outcome]) -> str:
    failed = sum(1 for each in outcomes if each.failures)
    errors = sum(1 for each in outcomes if each.problem is not None)
    parts = [f"{len(outcomes) - failed - errors} passed"]
    parts += [f"{failed} failed"] if failed else []
    parts += [f"{errors} could not be run"] if errors else []
    return f"{len(outcomes)} test{'s' if len(outcomes) != 1 else ''}: {', '.join(parts)}"


def _exit_code(outcomes: list[Outcome]) -> int:
    """Return 2 if a file cannot be read, else 1 if a test failed, else 3 if something is not computed, else 0."""
    codes = {each.problem.exit_code for each in outcomes if each.problem is not None}
    if 2 in codes:
        return 2
    if 1 in codes or any(each.failures for each in outcomes):
        return 1
    return max(codes, default=0)
