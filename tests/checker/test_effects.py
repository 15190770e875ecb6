"""What code reads, writes and keeps from bar to bar."""

from tests.checker.support import checked
from tests.tables import each


@each(
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
        ("x = ta.obv", set(), {"x"}, True, False),
        ("x = strategy.closedtrades.profit(0)", set(), {"x"}, False, True),
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


@each(
    ("statement", "mutates", "shows"),
    [
        ("o.f := 1", {"o"}, False),
        ("o.items.push(1)", {"o"}, False),
        ("array.push(l, 1)", {"l"}, False),
        ("l.size()", set(), False),
        ("x = l.copy()", set(), False),
        ("keep(l)", {"l"}, False),
        ("twice(l, o)", {"l", "o"}, False),
        ("touch()", {"l"}, False),
        ("d.set_x1(1)", {"d"}, True),
        ("line.new(1, 2, 3, 4)", set(), True),
        ("draw(close)", set(), True),
        ("keeps(close)", set(), False),
        ('log.info("a")', set(), True),
        ("x = strategy.closedtrades.profit(0)", set(), False),
        ("x = strategy.opentrades.entry_price(0)", set(), False),
        ("x = strategy.closedtrades.size(0) + strategy.position_size", set(), False),
        ("x = strategy.default_entry_qty(close)", set(), False),
    ],
)
def test_objects_changed_in_place(statement: str, mutates: set[str], shows: bool) -> None:
    program = checked(
        "type O\n    float f\n    array<float> items\nl = array.from(1.0)\no = O.new()\nd = line.new(1, 2, 3, 4)\n"
        "keep(array<float> a) =>\n    a.push(1)\n    own = array.new<float>()\n    own.push(2)\n    a\n"
        "twice(array<float> a, O b) =>\n    keep(a)\n    b.f := 3\n    0\n"
        "touch() =>\n    l.push(1)\n    0\n"
        "draw(v) =>\n    label.new(bar_index, v)\n    ta.ema(v, 3)\nkeeps(v) => ta.ema(v, 3)\n"
        f"{statement}"
    )
    effects = program.effects(program.document.chunks[-1].body[-1])
    assert {symbol.name for symbol in effects.mutates} == mutates
    assert effects.shows == shows


def test_chains_of_calls_take_linear_time() -> None:
    chain = "".join(f"f{n}(v) => f{n - 1}(v) + f{n - 1}(v + 1)\n" for n in range(1, 40))
    program = checked(f"f0(v) => ta.ema(v, 3)\n{chain}x = f39(close)")
    assert program.effects(program.document.chunks[-1].body[-1]).stateful


def test_what_builtins_use_and_change_is_told() -> None:
    program = checked("order() =>\n    strategy.entry('a', strategy.long)\nx = year(time)\ny = input.int(1)\norder()")
    ordering, reading, asking = (program.effects(program.document.chunks[place].body[-1]) for place in (-1, -3, -2))
    assert ordering.changes == {"orders"} and ordering.uses == {"orders"}
    assert reading.uses == {"bars", "chart"} and not reading.changes and reading.pure
    assert asking.uses == {"inputs"}


def test_a_library_that_cannot_be_seen_may_do_anything() -> None:
    program = checked("import Nobody/Nothing/1 as lib\nx = lib.f(1)")
    effects = program.effects(program.document.chunks[-1].body[-1])
    assert effects.shows and effects.stateful and not effects.pure
