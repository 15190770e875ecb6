"""What is written: constants once and for all, and lines that lead back to the script."""

import itertools
import math

import pytest

from pinebench.runtime import ir
from pinebench.runtime.emit.expressions import INLINED, Writer
from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.library.collections import Array
from pinebench.runtime.library.implementations import FUNCTIONS
from tests.runtime.running import HEAD, run, runtime_of, values
from tests.tables import each


def generated(source: str) -> str:
    return runtime_of(source, [1.0]).code.generated.source


def test_what_is_the_same_on_all_bars_is_computed_once() -> None:
    source = "n = 3\nc = color.new(color.red, 20)\nplot(ta.sma(close, n) / n, color = c)\nbgcolor(color.new(c, 50))"
    bar = generated(source).partition("def bar")[2]
    assert "color_new" not in bar.partition("R.configure")[0]
    assert "/ 3" in bar


@each("operator", ["+", "-", "*", "/", "%", "<", ">", "<=", ">=", "==", "!="])
def test_constants_come_to_what_they_come_to_on_bars(operator: str) -> None:
    """A `var` is nothing that is known before the first bar."""
    numbers = ("0", "-3", "2.5", "2.50000000001", "0.0", "float(na)", "1e300")
    pairs = [(left, right) for left in numbers for right in numbers]
    shown = "plot({0})" if operator in "+-*/%" else "plot({0} ? 1 : 0)"
    fixed = "".join(shown.format(f"({left}) {operator} ({right})") + "\n" for left, right in pairs)
    moving = "".join(
        f"var a{k} = {left}\nvar b{k} = {right}\n" + shown.format(f"a{k} {operator} b{k}") + "\n"
        for k, (left, right) in enumerate(pairs)
    )
    told = [[repr(each.values) for each in run(source, [1.0]).plots] for source in (fixed, moving)]
    assert told[0] == told[1]


def test_texts_are_compared_before_the_first_bar_and_put_together_on_it() -> None:
    written = generated('kind = "a"\nx = 1.0\nif kind == "b"\n    x := ta.cum(close)\nplot(x)')
    assert "o0_series([1.0] * (stop - first))" in written
    doubled = "".join(f"s{k} = s{k - 1} + s{k - 1}\n" for k in range(1, 40))
    written = generated(f's0 = "ab"\n{doubled}plot(str.length(s39))')
    assert len(written) < 10_000


def test_whole_numbers_that_grow_are_left_to_the_run() -> None:
    doubled = "".join(f"n{k} = n{k - 1} + n{k - 1}\n" for k in range(1, 1200))
    result = runtime_of(f"n0 = 3\n{doubled}plot(n1199 * 0.5)", [1.0]).run()
    assert result.error is not None


def test_a_variable_that_is_assigned_again_is_no_constant() -> None:
    assert values("n = 3\nif close > 2\n    n := 4\nplot(n)") == [3, 3, 4, 4, 4]
    assert values("var n = 1\nn += 1\nplot(n)") == [2, 3, 4, 5, 6]


def test_history_of_a_constant_is_empty_before_the_first_bar() -> None:
    assert values("n = 3\nplot(n[2])") == [None, None, 3, 3, 3]


@pytest.mark.parametrize(
    ("first", "second", "greater", "smaller"),
    [("close", "2", 2, 1), ("na", "close", None, None), ("close", "na", None, None), ("close", "close", 1, 1)],
)
def test_extremes_of_two(first: str, second: str, greater: float, smaller: float) -> None:
    source = f"float a = bar_index < 0 ? 0 : {first}\nfloat b = bar_index < 0 ? 0 : {second}\n"
    assert values(source + "plot(math.max(a, b))", [1.0]) == [greater]
    assert values(source + "plot(math.min(a, b))", [1.0]) == [smaller]


def test_a_fault_in_a_long_script_has_its_line() -> None:
    filler = "".join(f"x{number} = close + {number}\n" for number in range(50))
    with pytest.raises(RuntimeFault) as caught:
        run(f"{filler}a = array.new<float>(2)\nif bar_index == 1\n    plus = 1\n    a.get(5)\n")
    assert caught.value.message.endswith("In 'array.get()' function. Index 5 is out of bounds, array size is 2.")
    assert (caught.value.bar, caught.value.line) == (1, HEAD.count("\n") + 54)


def test_a_fault_in_a_function_has_the_lines_of_all_its_calls() -> None:
    source = """
inner(x) =>
    if x > 2
        runtime.error("no")
    x
outer(x) => inner(x) + 1
plot(outer(close))
"""
    with pytest.raises(RuntimeFault) as caught:
        run(source)
    assert [(call.function, call.line) for call in caught.value.stack] == [("inner", 6), ("outer", 8), ("#main", 9)]


STRATEGY = '//@version=6\nstrategy("S")\n'


def test_a_text_of_an_order_is_put_together_later_only_if_it_is_the_same_then() -> None:
    call = "strategy.entry('L', strategy.long, alert_message = {})\n"
    later = ("'at ' + str.tostring(close)", "str.tostring(close, format.mintick)", "close > 1 ? 'up' : 'down'")
    now = (
        "close > 1 ? 'up' : ''",  # an empty text is not the same as one that is given
        "str.tostring(close, format.price)",  # stops the script
        "'a' + (close > 1 ? str.tostring(close[int(volume)]) : 'b')",  # may stop it
        "str.format('{0}', close)",
        "'L'",
    )
    assert all("DeferredText(" in generated(STRATEGY + call.format(text)) for text in later)
    assert not any("DeferredText(" in generated(STRATEGY + call.format(text)) for text in now)


def test_a_rule_that_is_the_same_on_all_bars_is_set_on_the_first() -> None:
    rule = "strategy.risk.max_intraday_loss({}, strategy.cash)\n"
    assert "if not i: S_risk" in generated(STRATEGY + rule.format(3))
    assert "if not i: S_risk" not in generated(STRATEGY + rule.format(3) + rule.format(4))


def test_a_value_is_computed_when_it_is_read_if_no_read_is_certain() -> None:
    function = "size(float price) => strategy.equity / price\namount = size({})\n"
    read = "if close > 2\n    strategy.entry('L', strategy.long, qty = amount)\n"

    def is_late(source: str) -> bool:
        return "_amount = UNSET" in generated(STRATEGY + source)

    assert is_late(function.format("close") + read)
    assert is_late(function.format("close") + read + "plot(close > 2 ? amount : na)\n")
    assert not is_late(function.format("close") + read + "plot(amount)\n")
    assert not is_late(function.format("close") + read + "plot(close > 2 ? amount[1] : na)\n")
    assert not is_late(function.format("close[int(volume)]") + read)  # may stop the script
    assert not is_late("var price = 1.0\n" + function.format("price") + "price := close\n" + read)
    closes = "leave() =>\n    strategy.close_all(immediately = true)\n"
    assert not is_late(closes + function.format("close") + read + "if close > 3\n    leave()\n")


NUMBERS = (0, -0.0, 0.0, 1, -1, 1.0, -2.5, 2**53, -(2**60), 1e-320, 1e300, math.inf, -math.inf, math.nan, True, False)


@pytest.mark.parametrize("name", INLINED)
def test_what_is_written_inline_is_what_the_function_of_the_library_returns(name: str) -> None:
    arguments: list[ir.Expression] = [ir.Now("float", each) for each in "ab"[: 1 + name.startswith("math.m")]]
    writer = Writer(ir.Module(ir.Unit("global")), ahead=False)
    writer.names = {id(each): letter for each, letter in zip(arguments, "ab", strict=False)}
    written = INLINED[name](writer, ir.CallBuiltin("float", name, arguments))
    assert written is not None
    given = [Array([1.0] * count) for count in (0, 1, 7)] if name.startswith("array.") else NUMBERS
    for values_ in itertools.product(given, repeat=len(arguments)):
        found = eval(written[0], dict(zip("ab", values_, strict=False)))
        expected = FUNCTIONS[name](*values_)
        assert (repr(found), type(found)) == (repr(expected), type(expected)), values_
