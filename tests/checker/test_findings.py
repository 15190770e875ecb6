"""What is found in short scripts, and the types and hints that they give: each file has the cases of one subject."""

from __future__ import annotations

from pathlib import Path

from pinebench.checker import check
from pinebench.diagnostics import Diagnostic
from pinebench.syntax import parse
from tests.checker.support import HEAD, findings, type_of
from tests.script_files import ScriptCase, script_cases
from tests.tables import each

CASES = [case for path in sorted((Path(__file__).parent / "findings").glob("*.txt")) for case in script_cases(path)]
"""A script with what is found in it. A script that is not `whole` gets a version and an `indicator` statement, and its
lack of output is not in its list. Below it stand what is reported, with the text that it underlines or with its
message, the types of variables, and the first hint."""


def _found(case: ScriptCase) -> tuple[str, list[Diagnostic]]:
    if "whole" in case.fields:
        return case.script, check(parse(f"{case.script}\n")).diagnostics
    return HEAD + case.script, findings(case.script)


@each("case", CASES)
def test_what_is_found(case: ScriptCase) -> None:
    text, found = _found(case)
    reports = [f"{one.code} {text[one.span.start : one.span.end]}".rstrip() for one in found]
    if "messages" in case.below:
        assert "\n".join(f"{one.code} {one.message}" for one in found) == case.below["messages"], case.fields[0]
    else:
        assert "\n".join(reports) == case.below.get("reports", ""), case.fields[0]
    for line in case.below.get("types", "").splitlines():
        name, _, expected = line.partition(": ")
        assert type_of(case.script, name) == expected
    if "hint" in case.below:
        assert found[0].hint == case.below["hint"]


def test_nothing_but_these_stands_below_a_script() -> None:
    assert {title for case in CASES for title in case.below} == {"reports", "messages", "types", "hint", "why"}
