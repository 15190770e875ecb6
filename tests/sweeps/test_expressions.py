"""Expressions of metrics and conditions: what they compute, and that nothing else can be done with them."""

import pytest

from pinebench.errors import UsageError
from pinebench.sweeps.expressions import Expression, FunctionCall

NAMES = frozenset({"net_profit", "trades", "max_drawdown"})
FUNCTIONS = {"last": range(1, 2), "highest": range(2, 3)}


def made(text: str) -> Expression:
    return Expression(text, NAMES, FUNCTIONS, {"NET": "net_profit"})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("net_profit", 120.0),
        ("NET", 120.0),
        ("net_profit / max_drawdown", 3.0),
        ("-net_profit + 2 * trades ** 2", 80.0),
        ("net_profit % 50", 20.0),
        ("max(trades, 3) + min(1, 2) - abs(-4)", 7.0),
        ("sqrt(max_drawdown - 4)", 6.0),
        ("trades > 9", 1.0),
        ("5 < trades <= 10 and net_profit != 0", 1.0),
        ("trades > 10 or not net_profit", 0.0),
        ("net_profit / 0", None),
        ("log(0 - trades)", None),
        ("9 ** 999", None),
        ("net_profit / 0 > 1 or trades > 9", 1.0),
        ("not (0 - 8) ** 0.5 > 3", None),
        ("2.5 ** trades ** trades", None),
        ("True + 1", 2.0),
        ("min(trades) + max(net_profit)", 130.0),
    ],
)
def test_the_value_of_an_expression(text: str, value: float | None) -> None:
    assert made(text).value({"net_profit": 120.0, "max_drawdown": 40.0, "trades": 10}) == value


def test_a_number_that_is_not_known_makes_the_value_unknown_unless_it_does_not_matter() -> None:
    numbers = {"net_profit": None, "trades": 3.0}
    assert made("net_profit + 1").value(numbers) is None
    assert made("net_profit > 0").holds(numbers) is False
    assert made("net_profit > 0 or trades > 2").holds(numbers) is True
    assert made("net_profit > 0 and trades > 5").value(numbers) == 0.0
    assert made("not net_profit > 0").value(numbers) is None


def test_calls_are_the_callers() -> None:
    condition = made("last('My RSI') < 30 and last(close) > highest(high, 20)")
    assert condition.calls == {
        FunctionCall("last", ("My RSI",)),
        FunctionCall("last", ("close",)),
        FunctionCall("highest", ("high", 20)),
    }
    values = {
        FunctionCall("last", ("My RSI",)): 20.0,
        FunctionCall("last", ("close",)): 5.0,
        FunctionCall("highest", ("high", 20)): 4.0,
    }
    assert condition.holds({}, values.get)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "net_profit +",
        "__import__('os').system('true')",
        "().__class__",
        "net_profit.real",
        "[1, 2]",
        "'text'",
        "lambda: 1",
        "trades if trades else 0",
        "(x := 3)",
        "last(close)[0]",
        "last(last)(close)",
        "last(1)",
        "last(*close)",
        "last(x=close)",
        "highest(close, -1)",
        "highest(close, 1.5)",
        "f'{trades}'",
        "trades in (1, 2)",
        "abs(1, 2)",
        "1 << 2",
        "trades is 3",
        "10j",
        "-" * 300 + "1",
        "not " * 100 + "1",
        "1+" * 400 + "1",
        "netprofit",
        "tredes > 3",
        "open('x')",
        "eval('1')",
        "\0",
        "trades; 1",
    ],
)
def test_nothing_else_is_an_expression(text: str) -> None:
    with pytest.raises(UsageError):
        made(text)


def test_a_name_that_is_nearly_right_is_suggested() -> None:
    with pytest.raises(UsageError) as raised:
        made("tredes > 30")
    assert raised.value.hint == "did you mean trades?"
