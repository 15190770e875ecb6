"""Regular expressions find what Python's engine finds, and none takes longer than its pattern times its text."""

import re
import sys
from random import Random

import pytest

from pinebench import regular_expressions
from pinebench.errors import UnavailableError
from pinebench.regular_expressions import Pattern
from tests.runtime.running import runtime_of, values

_PARTS = ["a", "b", "c", ".", "[ab]", "[^a]", r"\d", r"\w", r"\W", r"\b", r"\B", "^", "$", "[a-c1]", "1", " ", r"\Z"]
_AGAIN = ["*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{0,2}?", "*+", "++"]
_AROUND = ["(?=", "(?!", "(?<=a", "(?<!b", "(?>", "(?i:"]


def made(random: Random, depth: int) -> str:
    """A pattern at random."""
    kind = random.random()
    if depth <= 0 or kind < 0.35:
        return random.choice(_PARTS)
    inner = made(random, depth - 1)
    if kind < 0.55:
        return inner + made(random, depth - 1)
    if kind < 0.7:
        return f"({random.choice(['', '?:'])}{inner}|{made(random, depth - 1)})"
    if kind < 0.9:
        return f"(?:{inner}){random.choice(_AGAIN)}"
    around = random.choice(_AROUND)
    return f"{around}{'' if around.startswith('(?<') else inner})"


def _agrees(random: Random) -> bool:
    """Whether a pattern was one that has steps; what they find is what Python's engine finds."""
    pattern = made(random, random.randint(1, 4))
    text = "".join(random.choice("aabBc1 \n") for _ in range(random.randint(0, 8)))
    try:
        found = re.compile(pattern, re.ASCII).search(text)
        program = Pattern(pattern).program
    except (re.error, UnavailableError, SystemError):
        return False  # SystemError is a fault of Python's own engine
    assert program.first(text) == (found[0] if found else ""), (pattern, text)
    assert Pattern(pattern).first(text) == program.first(text)
    return True


def test_steps_find_what_pythons_engine_finds() -> None:
    random = Random("steps")
    assert sum(_agrees(random) for _ in range(1500)) > 1000


@pytest.mark.soak
def test_steps_find_what_pythons_engine_finds_of_many_patterns() -> None:
    random = Random("many steps")
    assert sum(_agrees(random) for _ in range(200_000)) > 100_000


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("(a+)+$", "a" * 5000 + "b", ""),
        ("(a|a)*b", "a" * 5000, ""),
        ("(a|aa)+$", "a" * 5000, "a" * 5000),
        ("(.*)(.*)(.*)(.*)x", "a" * 3000, ""),
        ("(x+x+)+y", "x" * 3000, ""),
        ("^(([a-z])+.)+[A-Z]([a-z])+$", "a" * 3000, ""),
        ("(?:(?=(a+))a)+b", "a" * 60, ""),
    ],
)
def test_what_would_go_back_without_end_takes_few_steps(pattern: str, text: str, expected: str) -> None:
    steps = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal steps
        steps += event == "c_call"

    sys.setprofile(count)
    try:
        found = Pattern(pattern).first(text)
    finally:
        sys.setprofile(None)
    assert found == expected
    assert steps < 60 * len(pattern) * len(text)


def test_a_script_gets_the_match_of_a_pattern_that_would_go_back_without_end() -> None:
    call = 'str.match(str.repeat("a", 4000) + "b", "(a+)+$")'
    assert values(f"plot(str.length({call}))", [1.0]) == [0]
    assert values(f"plot(str.length({call.replace('$', '')}))", [1.0]) == [4000]


def test_a_pattern_of_20_000_groups_has_an_answer() -> None:
    assert values('plot(str.length(str.match("aaa", str.repeat("(a)", 20000))))', [1.0]) == [0]
    deep = 'plot(str.length(str.match("a", str.repeat("(", 20000) + "a" + str.repeat(")", 20000))))'
    with pytest.raises(UnavailableError):
        runtime_of(deep, [1.0]).run()


def test_a_back_reference_is_found_in_a_short_text_and_refused_in_one_that_takes_long() -> None:
    assert Pattern(r"(\w)\1").first("abccd") == "cc"
    with pytest.raises(UnavailableError, match="back-reference"):
        Pattern(r"(a*)*\1b").first("a" * 5000)


def test_what_may_be_empty_by_choice_is_refused_in_a_long_text() -> None:
    assert Pattern("(?:a*?|b)*c").first("abc") == "abc"
    with pytest.raises(UnavailableError, match="can be empty"):
        Pattern("(?:a*?|b)*c").first("ab" * 100)


def test_groups_are_those_of_pythons_engine() -> None:
    random, seen = Random("groups"), 0
    while seen < 600:
        pattern = made(random, random.randint(1, 4))
        text = "".join(random.choice("aabBc1 ") for _ in range(random.randint(0, 8)))
        try:
            parsed, theirs = Pattern(pattern), re.compile(pattern, re.ASCII)
            expected = [(each.start(), each.end(), each.groups()) for each in theirs.finditer(text)]
            steps = parsed.program
        except (re.error, UnavailableError, SystemError):
            continue  # SystemError is a fault of Python's own engine
        seen += 1
        found = list(steps.matches(text, theirs.groups))
        assert [each[:2] for each in found] == [each[:2] for each in expected], (pattern, text)
        # A look-around keeps its groups to itself here, and so does an atomic group.
        if not any(mark in pattern for mark in ("(?=", "(?!", "(?<", "(?>", "*+", "++")):
            assert found == expected, (pattern, text)


def test_a_search_by_line_finds_what_pythons_engine_finds_in_each_line() -> None:
    text = "a = 1\r\nbb = 22 // a\n\nÄa=3\rend"
    pattern = Pattern(r"(\w+)\s*=\s*(?P<value>\d+)", re.IGNORECASE)
    found = list(pattern.by_line(text))
    assert [text[each.start : each.end] for each in found] == ["a = 1", "bb = 22", "Äa=3"]
    assert [each.groups for each in found] == [("a = 1", "a", "1"), ("bb = 22", "bb", "22"), ("Äa=3", "Äa", "3")]
    assert found[0].expand(r"\2\\\g<value>-\n\q\9\g<0>") == "1\\1-\n\\q\\9a = 1"
    assert [each.groups[0] for each in Pattern("^.*$", 0).by_line("x\ny\n")] == ["x", "y", ""]


def test_a_search_that_would_go_back_without_end_is_over_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "a" * 4_000 + "b"
    assert list(Pattern("(a+)+$", 0).by_line(line)) == []
    found = list(Pattern("(a+)+b", 0).by_line(f"{line}\n{line}"))
    assert [each.end - each.start for each in found] == [4_001, 4_001]
    monkeypatch.setattr(regular_expressions, "_MOST_TRIED", 50_000)
    with pytest.raises(UnavailableError, match="takes too long"):
        list(Pattern("(?:(a|b)*c)|a", 0).by_line("a" * 100_000))
