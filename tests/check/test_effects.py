"""What code reads, writes and keeps from bar to bar."""

from __future__ import annotations

import pytest

from tests.check.support import checked


@pytest.mark.parametrize(
    ("statement", "reads", "writes", "stateful", "pure"),
    [
        ("x = a + 1", {"a"}, {"x"}, False, True),
        ("x = ta.sma(a, 3)", {"a"}, {"x"}, True, False),
        ("x = a[1]", {"a"}, {"x"}, True, False),
        ("var x = 1", set(), {"x"}, True, False),
        ("b += a", {"a", "b"}, {"b"}, False, True),
        ("x = math.abs(a)", {"a"}, {"x"}, False, True),
        ("x = math.random()", set(), {"x"}, True, False),
        ("label.new(bar_index, a)", {"a"}, set(), False, False),
        ("x = array.new<float>()", set(), {"x"}, False, True),
        ("x = l.copy()", {"l"}, {"x"}, False, True),
        ("l.push(1)", {"l"}, set(), False, False),
        ("x = l.size()", {"l"}, {"x"}, False, True),
        ('alert("a")', set(), set(), False, False),
        ("plot(a)", {"a"}, set(), False, False),
        ("x = pure(a)", {"a"}, {"x"}, False, True),
        ("x = keeps(a)", {"a"}, {"x"}, True, False),
        ("x = uses()", {"a"}, {"x"}, False, True),
        ('x = request.security("A", "D", a)', {"a"}, {"x"}, True, False),
        ("o.f := a", {"o", "a"}, set(), False, False),
        ("once\n    b := a", {"a"}, {"b"}, True, False),
    ],
)
def test_effects(statement: str, reads: set[str], writes: set[str], stateful: bool, pure: bool) -> None:
    program = checked(
        "type O\n    float f\na = close\nb = close\nl = array.from(1)\no = O.new()\n"
        f"pure(v) => v + 1\nkeeps(v) => ta.ema(v, 3)\nuses() => a\n{statement}"
    )
    effects = program.effects(program.document.chunks[-1].body[-1])
    assert {symbol.name for symbol in effects.reads} == reads
    assert {symbol.name for symbol in effects.writes} == writes
    assert (effects.stateful, effects.pure) == (stateful, pure)
