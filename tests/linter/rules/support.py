"""What the tests of rules share: a script from a few lines, and what one rule marks in it."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

from pinebench.checker import open_program
from pinebench.diagnostics import Severity
from pinebench.linter.rules import Options, opinions_on

INDICATOR = '//@version=6\nindicator("x")\n'
STRATEGY = '//@version=6\nstrategy("x")\n'
LIBRARY = '//@version=6\nlibrary("x")\n'


def marked(code: str, body: str, head: str = INDICATOR, options: Options | None = None) -> list[str]:
    """The texts that the rule `code` marks in `body`, which must have no error; a body with a version line is whole."""
    text = body if body.startswith("//@version") else f"{head}{body}\n"
    program = open_program(text)
    errors = [finding.message for finding in program.diagnostics if finding.severity is Severity.ERROR]
    assert not errors, (errors, text)
    found = sorted(opinions_on(program, [code], options), key=lambda finding: finding.span)
    return [text[finding.span.start : finding.span.end] for finding in found]


class RuleCase(NamedTuple):
    """A script, and the texts that a rule marks in it; none if the rule leaves it alone."""

    text: str
    expected: list[str]


@cache
def rule_cases() -> dict[str, list[RuleCase]]:
    """The scripts of the files `cases/CODE.txt`, by code.

    `== reported: TEXT || TEXT` or `== left alone` begins a script; `\\n` in a text is the end of a line. A script
    without a version line gets the declaration of a strategy, if the rule is about strategies, or else of an indicator.
    """
    return {path.stem: _cases(path) for path in sorted((Path(__file__).parent / "cases").glob("*.txt"))}


def _cases(path: Path) -> list[RuleCase]:
    cases: list[RuleCase] = []
    for part in path.read_text(encoding="utf-8").removeprefix("== ").split("\n== "):
        head, _, body = part.partition("\n")
        _, _, texts = head.partition("reported: ")
        expected = texts.replace("\\n", "\n").split(" || ") if texts else []
        cases.append(RuleCase(whole(path.stem, body), expected))
    return cases


def whole(code: str, body: str) -> str:
    """A script for the rule `code` from its body, which may be whole."""
    if body.startswith("//@version"):
        return body
    return f"{STRATEGY if code.startswith('PB3') else INDICATOR}{body}\n"
