"""`pinebench test`: run tests of scripts on bars. They check values, figures, errors, snapshots, and repainting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.cli import run_options
from pinebench.cli.console import InputPath, note, print_report
from pinebench.errors import PinebenchError, UsageError
from pinebench.printable import printable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence
    from datetime import date
    from pathlib import Path

    from pinebench.testing.script_tests import TestOutcome
    from pinebench.testing.testfile import TestCase

EPILOG = """\
examples:
  pinebench test                                every *.test.toml in this folder and below
  pinebench test rsi.test.toml                  one file
  pinebench test --format junit -o report.xml   for CI
  pinebench test --update                       write snapshots that differ, and say which
  pinebench test --list                         the tests by name, with their lines; nothing runs
  pinebench test rsi.test.toml --only slow      one test of a file

A test file names a script, bars and the expected results; docs/testing-scripts.md explains it:

  script = "rsi.pine"
  bars = "BTCUSDT"           # a CSV file, or a symbol of the sample market
  timeframe = "60"
  expect = ["alerts>=1", "na(RSI)<0.1"]
  no-repaint = true
"""

USAGE = "[PATH]... [OPTION]..."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add(
        "paths",
        type=InputPath,
        nargs="*",
        metavar="PATH",
        help="test files, or folders that contain some (default: this folder)",
    )
    add("--update", action="store_true", help="write snapshots that are missing or differ")
    add("--only", action="append", metavar="NAME", help="run only the tests with this name (may be repeated)")
    add("--list", action="store_true", dest="lists", help="list the tests and do not run them")
    add("--format", choices=("text", "json", "junit"), default="text", help="the output format (default: text)")
    run_options.add_output_arguments(add, "write the report into this file")
    run_options.add_as_of_argument(add)


def run(args: argparse.Namespace) -> int:
    """Run the tests, report their results, and return the exit code."""
    from pinebench.files import outputs
    from pinebench.testing.script_tests import TestOutcome

    if args.output is not None:
        outputs.check(args.output, force=args.force)
    if args.lists and args.update:
        raise UsageError("--list runs no test, so --update has no effect with it", "leave one of them out")
    day = run_options.as_of(args)
    found = _chosen(_files(args.paths or ["."]), args.only)
    if args.output is not None:
        cases = [each for each in found if not isinstance(each, TestOutcome)]
        read = [each.folder / name for each in cases for name in (each.script, each.bars, *each.others.values())]
        outputs.refuse_to_replace(
            args.output, [*(each.file for each in found), *read, *(each.snapshot for each in cases)]
        )
    if args.lists:
        return _list(args, found)
    outcomes: list[TestOutcome] = []
    for each in found:
        outcome = _outcome(each, args.update, day)
        outcomes.append(outcome)
        for words in outcome.notes:
            note(words)
    _write(args, _rendered(args.format, outcomes), _sum(outcomes))
    return _exit_code(outcomes)


def _chosen(files: Sequence[Path], only: Sequence[str] | None) -> list[TestCase | TestOutcome]:
    """The tests of the files with a name in `only`, and the outcome of each file that cannot be read.

    Raises UsageError for a name that no test has, if every file could be read.
    """
    from pinebench.testing.script_tests import TestOutcome

    found = [each for file in files for each in _of_file(file)]
    if not only:
        return found
    names = [each.name for each in found]
    is_readable = not any(isinstance(each, TestOutcome) for each in found)
    unknown = next((name for name in only if name not in names), None)
    if unknown is not None and is_readable:
        raise UsageError(f"no test is called '{unknown}'", f"the tests are {', '.join(dict.fromkeys(names))}")
    return [each for each in found if isinstance(each, TestOutcome) or each.name in only]


def _of_file(file: Path) -> Iterator[TestCase | TestOutcome]:
    from pinebench.testing.script_tests import TestOutcome
    from pinebench.testing.testfile import read_cases

    try:
        yield from read_cases(file)
    except PinebenchError as error:
        yield TestOutcome(file, file.name, problem=error)


def _outcome(found: TestCase | TestOutcome, update: bool, as_of: date | None) -> TestOutcome:
    """Run a test. The outcome of a file that cannot be read is known already."""
    from pinebench.linter.repainting import look_for_repainting
    from pinebench.testing.script_tests import TestOutcome, run_case

    if isinstance(found, TestOutcome):
        return found
    return run_case(found, look_for_repainting, update=update, as_of=as_of)


def _list(args: argparse.Namespace, found: Sequence[TestCase | TestOutcome]) -> int:
    """Write the tests, and return the exit code: 2 if a file cannot be read."""
    from pinebench.amounts import counted
    from pinebench.testing.script_tests import TestOutcome

    if args.format == "junit":
        raise UsageError("--list does not work with --format junit", "use --format text or json")
    problems = [each for each in found if isinstance(each, TestOutcome)]
    if args.format == "json":
        from pinebench.printable import json_text

        text = json_text({"tests": [_listed(each) for each in found]}, indent=2) + "\n"
    else:
        from pinebench.printable import printable

        text = "".join(f"{printable(line)}\n" for each in found for line in _named(each))
    _write(args, text, counted(len(found) - len(problems), "test"))
    return max((each.problem.exit_code for each in problems if each.problem is not None), default=0)


def _listed(found: TestCase | TestOutcome) -> dict[str, object]:
    """A test in the list for programs; `error` says why a file has no tests."""
    from pinebench.testing.script_tests import TestOutcome

    if isinstance(found, TestOutcome):
        problem = found.problem
        about = (None, problem.message, problem.hint) if problem is not None else (None, None, None)
        return dict(zip(_LISTED, (found.file.as_posix(), found.name, 1, *about), strict=True))
    script = (found.folder / found.script).as_posix()
    return dict(zip(_LISTED, (found.file.as_posix(), found.name, found.line, script, None, None), strict=True))


_LISTED = ("file", "name", "line", "script", "error", "hint")


def _named(found: TestCase | TestOutcome) -> Iterator[str]:
    """Yield the lines about a test in the list for people."""
    told = _listed(found)
    if told["error"] is None:
        yield f"{told['file']}:{told['line']}: {told['name']}"
        return
    yield f"ERROR {told['file']}: {told['error']}"
    if told["hint"]:
        yield f"      {told['hint']}"


def _files(paths: Sequence[str]) -> list[Path]:
    """The named test files, and the test files in named folders, each once. Raises UsageError for a folder without
    any."""
    from pathlib import Path

    from pinebench.files import matching
    from pinebench.testing.testfile import ENDING, discover

    found: dict[Path, Path] = {}
    for given in map(Path, matching(paths)):
        inside = discover(given) if given.is_dir() else [given]
        if not inside:
            raise UsageError(f"{given}: there are no tests", f"test files end in {ENDING}; see `pinebench test --help`")
        for file in inside:
            found.setdefault(file.resolve(), file)
    return list(found.values())


def _write(args: argparse.Namespace, text: str, summary: str) -> None:
    if args.output is None:
        print_report(text)
        return
    from pinebench.files import outputs

    said = outputs.put(args.output, text.encode(), force=args.force)
    if said is not None:
        note(said)
    note(f"{args.output}: written; {summary}")


def _rendered(form: str, outcomes: list[TestOutcome]) -> str:
    if form == "junit":
        from pinebench.testing import junit

        return junit.render(outcomes)
    if form == "json":
        from pinebench.printable import json_text

        return json_text(_as_json(outcomes), indent=2) + "\n"
    return "".join(f"{printable(line)}\n" for line in _lines(outcomes))


def _as_json(outcomes: list[TestOutcome]) -> dict[str, object]:
    return {
        "tests": [
            {
                "file": each.file.as_posix(),
                "name": each.name,
                "passed": each.passed,
                "failures": each.failures,
                "notes": each.notes,
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


def _lines(outcomes: list[TestOutcome]) -> Iterator[str]:
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


def _sum(outcomes: list[TestOutcome]) -> str:
    from pinebench.amounts import counted

    failed = sum(1 for each in outcomes if each.failures)
    errors = sum(1 for each in outcomes if each.problem is not None)
    parts = [f"{len(outcomes) - failed - errors} passed"]
    parts += [f"{failed} failed"] if failed else []
    parts += [f"{errors} could not be run"] if errors else []
    return f"{counted(len(outcomes), 'test')}: {', '.join(parts)}"


def _exit_code(outcomes: list[TestOutcome]) -> int:
    """Return 2 if a file cannot be read, else 1 if a test failed, else 3 if something is not computed, else 0."""
    codes = {each.problem.exit_code for each in outcomes if each.problem is not None}
    if 2 in codes:
        return 2
    if 1 in codes or any(each.failures for each in outcomes):
        return 1
    return max(codes, default=0)
