"""What must never happen to a script: its conditions, its comments, its newer version."""

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinebench.checker import open_program
from pinebench.diagnostics import Severity
from pinebench.migration import migrate
from pinebench.syntax import nodes, parse
from pinebench.syntax.walk import walk
from tests.migration.rewrites import ORDERS, REWRITES
from tests.tables import each

CHECKOUT = Path(__file__).resolve().parents[2]
NEW = sorted([*(CHECKOUT / "pine" / "samples").rglob("*.pine"), *(CHECKOUT / "pine" / "templates").glob("*.pine")])
OLD = sorted((Path(__file__).parent / "scripts").glob("*.v[345].pine"))
BODIES = [rewrite.old for subject, them in REWRITES.items() if subject != "inputs" for rewrite in them]
BODIES += [rewrite.old for rewrite in ORDERS]


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.name)
def test_whole_scripts(path: Path) -> None:
    """Beside each old script stand the new one and the report."""
    done = migrate(path.read_text())
    stem = path.with_suffix("").with_suffix("")
    assert done.text == stem.with_suffix(".v6.pine").read_text()
    report = "".join(f"{remark.line} {remark.was} {remark.kind.value}: {remark.text}\n" for remark in done.remarks)
    assert report == stem.with_suffix(".report").read_text()
    assert done.errors == ()


CALLS = (
    'strategy.entry("L", strategy.long, {})',
    'strategy.order("L", strategy.long, qty = 1, {})',
    'strategy.exit("X", "L", stop = low, {})',
    'strategy.close("L", {})',
    'strategy.close("L", {}, comment = "out")',
    "strategy.close_all({})",
    'strategy.cancel("L", {})',
    "strategy.cancel_all({})",
    'strategy.entry("L", strategy.long, qty = round(ema(close, 3)), {})',
)
CONDITIONS = ("up", "volume", "nope", "up and close > 1", "na", "true", '"text"', "crossover(close, open)", "f(up)")
PLACES = (
    "{}",
    "if close > 1\n    {}\n    x = 1",
    "if close > 1\n    x = 1\nelse\n    {}",
    "g() =>\n    {}\ng()",
    "g() => {}\ng()",
    "switch\n    close > 1 => {}\n    => alert('x')",
    "x = 1, {}",
    "{}, x = 1",
    "for i = 0 to 2\n    {}",
    "y = {}",
)


def conditional(text: str) -> bool:
    """Whether every order stands below the condition that it had, or still has it as `when`, which v6 refuses."""
    program = open_program(text)
    parents = {child: node for chunk in program.document.chunks for node in walk(chunk.body) for child in _below(node)}
    for chunk in program.document.chunks:
        for node in walk(chunk.body):
            if not isinstance(node, nodes.Call) or not text[chunk.start + node.start :].startswith("strategy."):
                continue
            if any(isinstance(item, nodes.NamedArgument) and item.name == "when" for item in node.arguments):
                continue
            outer = parents.get(parents[node]) if node in parents else None
            if not isinstance(outer, nodes.If) or parents[node] not in outer.body or len(outer.body) != 1:
                return False
    return True


def _below(node: nodes.Node) -> list[nodes.Node]:
    from pinebench.syntax.walk import children

    return children(node)


@pytest.mark.parametrize("version", [4, 5])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("call", CALLS)
def test_no_condition_of_an_order_is_dropped(version: int, call: str, place: str) -> None:
    for condition in CONDITIONS:
        order = call.format(f"when = {condition}")
        body = f"f(x) => x\nup = close > open\n{place.format(order)}\n"
        done = migrate(f'//@version={version}\nstrategy("x")\n{body}')
        assert done.refused or conditional(done.text), done.text
        assert done.refused or "when" in done.text or _has(done.text, condition), done.text
        if "when = " in done.text and not done.refused:
            assert done.errors


def _has(text: str, condition: str) -> bool:
    """Whether an `if` has what is left of a condition."""
    meant = {"na": "false", "crossover(close, open)": "ta.crossover(close, open)", "volume": "bool(volume)"}
    return f"if {meant.get(condition, condition)}" in text or f"if bool({condition})" in text


@each("path", NEW)
def test_a_script_of_v6_is_left_alone(path: Path) -> None:
    text = path.read_bytes().decode()
    done = migrate(text)
    assert (done.text, done.remarks, done.errors, done.refused) == (text, (), (), None)


@each("body", BODIES)
def test_comments_survive(body: str) -> None:
    lines = body.splitlines()
    marked = "\n".join(f"{line} // c{number}" for number, line in enumerate(lines))
    for version in (3, 4, 5):
        done = migrate(f'//@version={version}\n// top\nstudy("x") // declared\n{marked}\n// end')
        kept = [done.text[start:end] for start, end in parse(done.text).comments]
        for comment in ("// top", "// declared", "// end", *(f"// c{number}" for number in range(len(lines)))):
            assert comment in kept, done.text


def test_comments_in_calls_survive() -> None:
    old = (
        '//@version=4\nstrategy("x", // title\n  overlay = true) // over\n'
        'strategy.entry("L", // id\n  strategy.long, // way\n  when = close > open // why\n  ) // done\n'
        "x = iff(close > open, // first\n  highest(3), // second\n  lowest(3)) // third\n"
        "plot(close, // what\n  transp = 40, // how\n  color = color.red) // red\n"
        "y = input(3, // three\n  type = input.integer, // kind\n  minval = 1) // least\n"
    )
    done = migrate(old)
    assert not done.refused
    assert sorted(re.findall(r"// \w+", old)) == sorted(re.findall(r"// \w+", done.text))


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_ends_stay(newline: str) -> None:
    old = (
        '//@version=4\nstrategy("x")\nstrategy.close("L", when = close > open)\nx = iff(close > open, ema(close, 2), 1)'
    )
    done = migrate(old.replace("\n", newline))
    assert done.text.replace(newline, "\n") == migrate(old).text
    assert newline == "\n" or "\n" not in done.text.replace(newline, "")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('indicator("x")\nplot(close)\n', "no //@version= line"),
        ("x = sma(close, 3)\nplot(x)\n", "no //@version= line"),
        ('//@version=2\nstudy("x")\nplot(close)\n', "Pine v2"),
        ('//@version=4\nstudy("x"\nplot(close)\nx = (\n', "syntax error of its own"),
    ],
)
def test_what_cannot_be_migrated_is_left_alone_and_said(text: str, why: str) -> None:
    done = migrate(text)
    assert done.text == text
    assert done.refused is not None
    assert why in done.refused


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("old", ['study("x")\r\nplot(close)\r\n', 'strategy("x")\r\nplot(sma(close, 3))\r\n'])
def test_a_script_with_the_names_of_v4_and_no_version_line_is_read_as_one(old: str, mark: str) -> None:
    done = migrate(mark + old)
    assert done.text == mark + "//@version=6\r\n" + migrate("//@version=4\r\n" + old).text.partition("\r\n")[2]
    assert any("without a //@version= line" in remark.text for remark in done.remarks)
    assert migrate(done.text).text == done.text


@pytest.mark.parametrize(
    "text", ["", "\n", "//@version=5", "//@version=4\n", "\ufeff//@version=5\nindicator('x')\nplot(1)"]
)
def test_odd_texts_are_answered(text: str) -> None:
    migrate(text)


def test_the_byte_order_mark_and_the_form_of_the_version_stay() -> None:
    done = migrate("\ufeff// @version = 5 \nindicator('x')\nplot(1)")
    assert done.text == "\ufeff// @version = 6 \nindicator('x')\nplot(1)"


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**9))
def test_broken_old_scripts_never_raise(seed: int) -> None:
    chance = random.Random(seed)
    text = f'//@version={chance.choice((3, 4, 5))}\nstudy("x")\n' + "\n".join(chance.sample(BODIES, 3)) + "\n"
    for _ in range(chance.randrange(4)):
        at = chance.randrange(20, len(text))
        text = (
            text[:at]
            + chance.choice(("", "(", ")", ",", "\n", "x", " ", "=", '"', "when = x"))
            + text[at + chance.randrange(3) :]
        )
    done = migrate(text)
    assert done.refused is None or done.text == text
    again = migrate(done.text)
    assert done.refused or again.text == done.text
    if not done.refused:
        left = [found for found in open_program(done.text).diagnostics if found.severity is Severity.ERROR]
        assert len(left) == len(done.errors)
        lines = {remark.line for remark in done.remarks}
        assert {done.text.count("\n", 0, error.span.start) + 1 for error in left} <= lines


def test_names_that_are_made_for_moved_calls_are_all_different() -> None:
    """The second name for `shade1` is not the eleventh or the twelfth one for `shade`."""
    calls = " and ".join(f"shade(close[{n}]) == 1" for n in range(14))
    others = " and ".join(f"shade1(close[{n}]) == 1" for n in range(4))
    made = migrate(
        '//@version=4\nstudy("x")\nshade(x) =>\n    ema(x, 3) > x ? 1 : 0\nshade1(x) =>\n    ema(x, 5) > x ? 1 : 0\n'
        f"a = {calls}\nb = {others}\nplot(a or b ? 1 : 0)\n"
    )
    assert [each.code for each in open_program(made.text).diagnostics if each.severity is Severity.ERROR] == []
