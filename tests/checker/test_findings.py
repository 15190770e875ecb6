"""What is found in short scripts, and the types, values and hints that they give: each file has the cases of a subject.

A line is a script, with `\\n` for its line ends, and behind ` || ` each finding, as its code and the text that it
underlines. What begins with a word of `_ASKED` is asked of the script, too. A line `== ...` says what the cases below
it show, and a line `-- ...` how it is known. A script that is not `(whole)` gets a version and an `indicator`
statement.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from pinebench.checker import check
from pinebench.diagnostics import Severity
from pinebench.syntax import parse
from tests.checker.support import HEAD, converted, empties, findings, type_of, value
from tests.tables import each


def _cases() -> Iterator[tuple[str, str, list[str]]]:
    """What each case shows, its script, and what is expected of it."""
    for path in sorted((Path(__file__).parent / "findings").glob("*.txt")):
        first, *lines = path.read_text(encoding="utf-8").splitlines()
        shown, count = "", 0
        for line in lines:
            if line.startswith("== "):
                shown = line.removeprefix("== ")
            elif line and not line.startswith("-- "):
                script, *expected = (re.sub(r"\\(.)", _meant, part) for part in line.split(" || "))
                count += 1
                yield shown, script, expected
        assert first.endswith(f" {count} cases."), f"{path.name}: it has {count} cases"


def _meant(escaped: re.Match[str]) -> str:
    return "\n" if escaped[1] == "n" else escaped[1]


def _reported(script: str, *, is_whole: bool) -> list[str]:
    text = script if is_whole else HEAD + script
    found = check(parse(f"{script}\n")).diagnostics if is_whole else findings(script)
    return [f"{one.code} {text[one.span.start : one.span.end]}".rstrip() for one in found]


def _first_error(script: str) -> list[str]:
    """The line and column at which TradingView shows the first error, of syntax if there is one, or warning."""
    document = parse(f"{HEAD}{script}\n")
    found = [*document.diagnostics, *findings(script)]
    first = min(found, key=lambda one: one.severity is not Severity.ERROR)
    place = first.tv_position or document.lines.position(first.span.start)
    return [f"{place.line}:{place.column}"]


def _told(script: str, kind: str, words: list[str]) -> list[str]:
    """What a script gives of a kind: the types of the variables that `words` name, or all that there is."""
    if kind == "type":
        return [f"{name}: {type_of(script, name)}" for name in (each.partition(":")[0] for each in words)]
    return _ASKED[kind](script)


_ASKED: dict[str, Callable[[str], list[str]]] = {
    "says": lambda script: [f"{one.code} {one.message}" for one in findings(script)],
    "na": empties,
    "becomes": lambda script: [f"{text}: {type_}" for text, type_ in converted(script)] or ["nothing"],
    "value": lambda script: [repr(value(script)[1]) if value(script)[0] else "unknown"],
    "at": _first_error,
    "hint": lambda script: [findings(script)[0].hint or ""],
    "type": lambda script: [],
}
"""What may be asked of a script: messages, the types of each `na`, what becomes another type, the value of the last
declaration; and, beside its findings, the place and the hint of the first and the types of variables."""


@each(("shown", "script", "expected"), list(_cases()))
def test_what_is_found(shown: str, script: str, expected: list[str]) -> None:
    asked: dict[str, list[str]] = {}
    for part in expected:
        kind, _, words = part.partition(" ")
        asked.setdefault(kind if kind in _ASKED else "", []).append(words if kind in _ASKED else part)
    for kind in asked.keys() - {""}:
        assert _told(script, kind, asked[kind]) == asked[kind], shown
    if asked.keys() <= {"", "at", "hint", "type"}:
        assert _reported(script, is_whole=shown.endswith("(whole)")) == asked.get("", []), shown
