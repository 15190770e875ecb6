"""Every rule that the parser decides: what it accepts, and the one error that it reports of what it refuses."""

from pathlib import Path

import pytest

from pinebench.diagnostics import Severity
from pinebench.syntax import parse
from tests.rule_scripts import Place, RuleScript, reported, rule_scripts
from tests.tables import each

SCRIPTS = rule_scripts(Path(__file__).parent / "rules")


def errors(text: str) -> list[Place]:
    document = parse(text)
    return reported([found for found in document.diagnostics if found.severity is Severity.ERROR], document)


@each("script", SCRIPTS)
def test_rule(script: RuleScript) -> None:
    assert errors(script.text) == script.expected, script.text


@pytest.mark.parametrize("body", ["a = 1\r\nb = 2\r\n", "a = 1\rb = 2\r", "a = 1\n\r\nb = a\r", "a = 1 // why\n// end"])
def test_line_ends_and_a_missing_one(body: str) -> None:
    assert errors('//@version=6\nindicator("t")\n' + body) == []


def test_a_byte_order_mark_is_no_text() -> None:
    assert errors("\ufeff//@version=6\nindicator('a')\n") == []


@pytest.mark.parametrize("text", ["//@version=6\n", "//@version=6\n// nothing\n\n"])
def test_a_script_of_nothing(text: str) -> None:
    assert errors(text) == [("CE10250", 1, 1)]
