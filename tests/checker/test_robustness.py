"""No text makes the checker raise, every finding has its place in the text, and work grows as scripts do."""

import functools
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinebench.checker import check
from pinebench.codes import all_codes
from pinebench.diagnostics import Diagnostic
from pinebench.syntax import parse
from tests.call_counts import Calls
from tests.checker.growth import SHAPES
from tests.tables import each

CHECKOUT = Path(__file__).resolve().parents[2]
_HEAD = '//@version=6\nindicator("x")\n'
_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")


def findings(text: str) -> list[Diagnostic]:
    """What the checker says of `text`; fails when a finding has no place in it or a code that is in no catalogue."""
    found = check(parse(text)).diagnostics
    for finding in found:
        assert 0 <= finding.span.start <= finding.span.end <= len(text), finding
        assert finding.code in all_codes()
        assert "{" not in finding.message or "{" in text, finding
    assert [finding.span.start for finding in found] == sorted(finding.span.start for finding in found)
    return found


@functools.cache
def scripts() -> list[str]:
    """Scripts of this repository that use much of the language."""
    folders = ("pine/samples", "tests/checker/valid", "tests/checker/invalid")
    paths = [path for folder in folders for path in sorted((CHECKOUT / folder).glob("*.pine"))]
    return [path.read_text(encoding="utf-8") for path in paths]


@functools.cache
def words() -> list[str]:
    """Every token that occurs in them."""
    return sorted({token for script in scripts() for token in _TOKEN.findall(script)})


@given(st.text(max_size=200))
@settings(max_examples=150, deadline=None)
def test_any_text_is_checked(text: str) -> None:
    findings(text)
    findings(_HEAD + text)


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_any_sequence_of_words_is_checked(data: st.DataObject) -> None:
    tokens = data.draw(st.lists(st.sampled_from(words()), max_size=60))
    findings(_HEAD + "".join(tokens))


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_a_script_with_lines_taken_away_moved_or_doubled_is_checked(data: st.DataObject) -> None:
    lines = data.draw(st.sampled_from(scripts())).splitlines(keepends=True)
    for _ in range(data.draw(st.integers(1, 6))):
        source = data.draw(st.integers(0, len(lines) - 1))
        target = data.draw(st.integers(0, len(lines) - 1))
        action = data.draw(st.sampled_from(("take", "move", "double", "indent", "dedent")))
        line = lines[source]
        if action == "double":
            lines.insert(target, line)
        elif action == "indent":
            lines[source] = "    " + line
        elif action == "dedent":
            lines[source] = line[1:]
        elif len(lines) > 1:
            del lines[source]
            if action == "move":
                lines.insert(target, line)
    findings("".join(lines))


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_a_script_with_words_changed_is_checked(data: st.DataObject) -> None:
    tokens = _TOKEN.findall(data.draw(st.sampled_from(scripts())))
    for _ in range(data.draw(st.integers(1, 5))):
        place = data.draw(st.integers(0, len(tokens) - 1))
        tokens[place] = data.draw(st.sampled_from(["", *words()]))
    findings("".join(tokens))


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_a_script_cut_off_anywhere_is_checked(data: st.DataObject) -> None:
    script = data.draw(st.sampled_from(scripts()))
    findings(script[: data.draw(st.integers(0, len(script)))])


DEEP: dict[str, Callable[[int], str]] = {
    "parentheses": lambda size: f"x = {'(' * size}1{')' * size}",
    "calls": lambda size: f"x = {'math.abs(' * size}1{')' * size}",
    "history": lambda size: f"x = {'close[' * size}1{']' * size}",
    "signs": lambda size: f"x = {'-' * size}1",
    "nots": lambda size: f"x = {'not ' * size}true",
    "ternaries": lambda size: f"x = {'true ? ' * size}1{' : 0' * size}",
    "templates": lambda size: f"{'array<' * size}int{'>' * size} x = na",
    "members": lambda size: f"x = a{'.b' * size}",
    "open parentheses": lambda size: f"x = {'(' * size}",
    "open brackets": lambda size: f"x = {'[' * size}",
    "closing parentheses": lambda size: f"x = {')' * size}",
    "ifs": lambda size: "".join(f"{'    ' * n}if close > {n}\n" for n in range(size // 10)),
    "loops": lambda size: "".join(f"{'    ' * n}for i = 0 to {n}\n" for n in range(size // 10)),
    "else ifs": lambda size: "if true\n    x = 1\n" + "else if true\n    x = 1\n" * size,
    "long number": lambda size: f"x = {'9' * size}\ny = 1e{'9' * size}",
    "long name": lambda size: f"x = {'a' * size}",
    "long string": lambda size: f'x = "{"a" * size}"',
    "names in a tuple": lambda size: f"[{', '.join(f'a{n}' for n in range(size))}] = f()",
    "types of types": lambda size: "".join(f"type T{n}\n    T{max(0, n - 1)} f\n" for n in range(size)),
}


@each("shape", DEEP)
def test_the_deepest_script_is_checked(shape: str) -> None:
    findings(_HEAD + DEEP[shape](4000))


CHAINS: dict[str, Callable[[int], str]] = {
    "statement": lambda size: "if close > 0\n    x = 1\n" + "else if close > 1\n    x = 1\n" * size,
    "value": lambda size: "x = if close > 0\n    1\n" + "else if close > 1\n    2\n" * size,
    "function": lambda size: (
        "f(y) =>\n    if y > 0\n        1\n" + "    else if y > 1\n        2\n" * size + "plot(f(0))"
    ),
    "errors": lambda size: "if clos > 0\n    x = 1\n" + "else if close > 1\n    x = 1\n" * size,
}


@pytest.mark.parametrize("shape", CHAINS)
def test_a_chain_of_else_ifs_is_walked_in_a_loop(shape: str) -> None:
    # More links than Python allows calls within each other.
    findings(_HEAD + CHAINS[shape](8000))


def work(text: str) -> int:
    """How many calls, of Python and of C, one parse and check makes: a clock that no other process can disturb."""
    with Calls() as calls:
        check(parse(text))
    return calls.count


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_work_grows_with_the_size_of_a_script(shape: Callable[[int], str]) -> None:
    check(parse(shape(10)))
    small, large = work(shape(100)), work(shape(400))
    assert large < 4 * small * 1.2


def test_deep_call_chains_of_untyped_functions_take_linear_work() -> None:
    from tests.checker.growth import call_chain, call_tree

    for shape in (call_chain, call_tree):
        check(parse(shape(10)))
        for_one = [work(shape(size)) / size for size in (50, 100, 200, 400)]
        assert max(for_one) < 1.2 * for_one[0], for_one
