"""What the tests of rules share: a script from a few lines, and what one rule marks in it."""

from __future__ import annotations

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
