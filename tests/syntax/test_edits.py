"""Edits on the tree change what was asked for, keep comments and layout, fit together, and refuse what does not."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pinebench.syntax import nodes, parse
from pinebench.syntax.edits import EditError, TreeEdits, apply_edits, inverse
from pinebench.syntax.nodes import Node
from pinebench.syntax.walk import walk
from tests.syntax import edit_batches

CHECKOUT = Path(__file__).resolve().parents[2]
OWN = sorted([*(CHECKOUT / "pine" / "samples").glob("*.pine"), *(CHECKOUT / "pine" / "templates").glob("*.pine")])


class Script:
    """A script, its nodes by their text, and edits on it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.document = parse(text)
        self.edits = TreeEdits(self.document.snapshot)

    def __getitem__(self, text: str) -> Node:
        """The outermost node whose source is `text`, or begins with it where it has several lines."""
        for chunk in self.document.chunks:
            for node in walk(chunk.body):
                start, end = self.edits.span(node)
                source = self.text[start:end]
                if source == text or ("\n" in source and source.startswith(text)):
                    return node
        raise AssertionError(f"no node is {text!r}")

    @property
    def call(self) -> Node:
        """The first call, which may have the text of its statement."""
        return next(node for chunk in self.document.chunks for node in walk(chunk.body) if isinstance(node, nodes.Call))

    def after(self) -> str:
        edits = self.edits.edits()
        after = apply_edits(self.text, edits)
        assert apply_edits(after, inverse(self.text, edits)) == self.text
        return after


Ask = Callable[[Script], None]


def all_of(*asks: Ask) -> Ask:
    """One after the other."""

    def ask(script: Script) -> None:
        for each in asks:
            each(script)

    return ask


CASES: list[tuple[str, Ask, str]] = [
    ("x = a * b\n", lambda s: s.edits.replace(s["a"], "c + d"), "x = (c + d) * b\n"),
    ("x = a * b\n", lambda s: s.edits.replace(s["a * b"], "c + d"), "x = c + d\n"),
    ("x = close[1]\n", lambda s: s.edits.replace(s["close"], "5"), "x = (5)[1]\n"),
    ("x = a - b\n", lambda s: s.edits.replace(s["b"], "c - d"), "x = a - (c - d)\n"),
    ("x = a - b\n", lambda s: s.edits.replace(s["a"], "c - d"), "x = c - d - b\n"),
    ("x = a - b\n", lambda s: s.edits.replace(s["b"], "c * d"), "x = a - c * d\n"),
    ("x = a ? b : c\n", lambda s: s.edits.replace(s["a"], "not d"), "x = not d ? b : c\n"),
    ("x = a ? b : c\n", lambda s: s.edits.replace(s["a"], "d ? e : f"), "x = (d ? e : f) ? b : c\n"),
    ("x = a ? b : c\n", lambda s: s.edits.replace(s["c"], "d ? e : f"), "x = a ? b : d ? e : f\n"),
    ("x = -a\n", lambda s: s.edits.replace(s["a"], "b + c"), "x = -(b + c)\n"),
    ("x = a and b\n", lambda s: s.edits.replace(s["a"], "not na(c)"), "x = not na(c) and b\n"),
    ("once a\n    b = 1\n", lambda s: s.edits.replace(s["a"], "-1"), "once (-1)\n    b = 1\n"),
    ("x = not(a)\n", lambda s: s.edits.replace(s["(a)"], "b"), "x = not b\n"),
    ("x = a and(b)or c\n", lambda s: s.edits.replace(s["(b)"], "d"), "x = a and d or c\n"),
    ("f(a, // one\n  b) // two\n", lambda s: s.edits.remove(s["a"]), "// one\nf(b) // two\n"),
    ("f(a, // one\n  b) // two\n", lambda s: s.edits.remove(s["b"]), "// one\nf(a) // two\n"),
    ("f(a, b, c)\n", all_of(lambda s: s.edits.remove(s["b"]), lambda s: s.edits.remove(s["c"])), "f(a)\n"),
    ("f(a, b, c)\n", all_of(lambda s: s.edits.remove(s["c"]), lambda s: s.edits.remove(s["a"])), "f(b)\n"),
    ("f(a)\n", lambda s: s.edits.remove(s["a"]), "f()\n"),
    ("f(a, b)\n", all_of(lambda s: s.edits.remove(s["b"]), lambda s: s.edits.remove(s["a"])), "f()\n"),
    ("a = 1, b = 2, c = 3\n", lambda s: s.edits.remove(s["a = 1"]), "b = 2, c = 3\n"),
    ("a = 1, b = 2, c = 3\n", lambda s: s.edits.remove(s["c = 3"]), "a = 1, b = 2\n"),
    ("a = 1 // why\nb = 2\n", lambda s: s.edits.remove(s["a = 1"]), "// why\nb = 2\n"),
    (
        "if x\n    a = f(1, // in\n      2) // out\n    b = 2\n",
        lambda s: s.edits.remove(s["a = f("]),
        "if x\n    // in\n    // out\n    b = 2\n",
    ),
    ("a = 1", lambda s: s.edits.insert_after(s["a = 1"], "b = 2"), "a = 1\nb = 2"),
    ("a = 1 // why\r\n", lambda s: s.edits.insert_after(s["a = 1"], "b = 2"), "a = 1 // why\r\nb = 2\r\n"),
    (
        "if x\n    a = 1\n",
        lambda s: s.edits.insert_before(s["a = 1"], "if y\n    b = 2"),
        "if x\n    if y\n        b = 2\n    a = 1\n",
    ),
    (
        "x = f(a)\n",
        all_of(lambda s: s.edits.wrap(s["a"], "g(", ")"), lambda s: s.edits.wrap(s["a"], "h(", ")")),
        "x = f(h(g(a)))\n",
    ),
    (
        "x = a + b\n",
        all_of(lambda s: s.edits.wrap(s["a"], "g(", ")"), lambda s: s.edits.wrap(s["a + b"], "h(", ")")),
        "x = h(g(a) + b)\n",
    ),
    (
        "buy(a, // one\n  when = b)\nc = 1\n",
        all_of(lambda s: s.edits.wrap_in_block(s["buy("], "if b"), lambda s: s.edits.remove(s["when = b"])),
        "// one\nif b\n    buy(a)\nc = 1\n",
    ),
    (
        "x = f(\n  (a +\n b),\n  c)\n",
        all_of(lambda s: s.edits.wrap_in_block(s["x = f("], "if y"), lambda s: s.edits.replace(s["(a +"], "d")),
        "if y\n    x = f(\n      d,\n      c)\n",
    ),
    (
        "f(a)",
        all_of(lambda s: s.edits.insert_after(s["f(a)"], "b = 2"), lambda s: s.edits.wrap(s.call, "g(", ")")),
        "g(f(a))\nb = 2",
    ),
    ('m = """a\n b"""\n', lambda s: s.edits.wrap_in_block(s["m = "], "if x"), 'if x\n    m = """a\n b"""\n'),
    (
        "if x\n    a = 1\n    b = 2\n",
        all_of(
            lambda s: s.edits.wrap_in_block(s["if x"], "if y"),
            lambda s: s.edits.remove(s["a = 1"]),
            lambda s: s.edits.insert_after(s["b = 2"], "c = 3"),
        ),
        "if y\n    if x\n        b = 2\n        c = 3\n",
    ),
]


@pytest.mark.parametrize(("text", "ask", "expected"), CASES)
def test_an_edit(text: str, ask: Ask, expected: str) -> None:
    script = Script(text)
    ask(script)
    assert script.after() == expected
    assert not [fault for fault in parse(expected).diagnostics if fault.severity == 0]


TAKEN: list[tuple[Ask, Ask]] = [
    (lambda s: s.edits.replace(s["a"], "b"), lambda s: s.edits.replace(s["a"], "c")),
    (lambda s: s.edits.replace(s["f(a)"], "b"), lambda s: s.edits.replace(s["a"], "c")),
    (lambda s: s.edits.replace(s["a"], "b"), lambda s: s.edits.remove(s["x = f(a) + 1"])),
    (lambda s: s.edits.remove(s["x = f(a) + 1"]), lambda s: s.edits.wrap(s["a"], "g(", ")")),
    (lambda s: s.edits.remove(s["x = f(a) + 1"]), lambda s: s.edits.wrap_in_block(s["x = f(a) + 1"], "if b")),
]


@pytest.mark.parametrize(("first", "second"), [*TAKEN, *((second, first) for first, second in TAKEN)])
def test_what_overlaps_is_refused_and_changes_nothing(first: Ask, second: Ask) -> None:
    script = Script("x = f(a) + 1\n")
    first(script)
    before = script.after()
    with pytest.raises(EditError):
        second(script)
    assert script.after() == before


@pytest.mark.parametrize(
    ("text", "ask"),
    [
        ("if x\n    a = 1\n", lambda s: s.edits.remove(s["a = 1"])),
        ("array<int> x = na\n", lambda s: s.edits.remove(s["int"])),
        ("x = switch\n    a => b\n", lambda s: s.edits.remove(s["a => b"])),
        ("enum E\n    a\n", lambda s: s.edits.remove(s["a"])),
    ],
)
def test_nothing_is_left_empty(text: str, ask: Ask) -> None:
    script = Script(text)
    ask(script)
    with pytest.raises(EditError):
        script.edits.edits()


@pytest.mark.parametrize(
    "ask",
    [
        lambda s: s.edits.remove(s["1"]),
        lambda s: s.edits.insert_before(s["f = 1"], "x = 1"),
        lambda s: s.edits.wrap_in_block(s["f = 1"], "if x"),
        lambda s: s.edits.insert_after(s["a = 1"], "x = 1"),
        lambda s: s.edits.wrap_in_block(s["a = 1"], "if x"),
        lambda s: s.edits.insert_before(s["y + 1"], "x = 1"),
        lambda s: s.edits.remove(s["if q"]),
        lambda s: s.edits.replace(s["if q"], "z = 1"),
    ],
)
def test_what_has_no_place_is_refused(ask: Ask) -> None:
    script = Script("a = 1, b = 2\nif p\n    c = 1\nelse if q\n    d = 1\ne = 1,\n  f = 1\ng(y) =>\n  y + 1\n")
    with pytest.raises(EditError):
        ask(script)
    assert script.after() == script.text


def test_edits_on_one_text_are_merged_whole_or_not_at_all() -> None:
    script = Script("a = 1\nb = 2\nc = 3\n")
    other = TreeEdits(script.document.snapshot)
    script.edits.replace(script["1"], "10")
    other.remove(script["b = 2"])
    other.replace(script["3"], "30")
    script.edits.merge(other)
    assert script.after() == "a = 10\nc = 30\n"
    third = TreeEdits(script.document.snapshot)
    third.insert_after(script["c = 3"], "d = 4")
    third.replace(script["a = 1"], "e = 5")
    with pytest.raises(EditError):
        script.edits.merge(third)
    assert script.after() == "a = 10\nc = 30\n"
    with pytest.raises(EditError):
        script.edits.merge(Script("a = 1\n").edits)
    with pytest.raises(KeyError):
        script.edits.replace(Script("a = 1\n")["1"], "2")


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_random_batches_lead_to_the_tree_expected(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for seed in range(3):
        assert edit_batches.check(text, seed) > 0
