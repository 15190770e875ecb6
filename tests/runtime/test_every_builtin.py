"""Whatever a script hands to a built-in function, it runs, stops with an error of Pine, or is refused by name."""

import json
from random import Random

import pytest

from pinebench.checker import Program, open_program
from pinebench.diagnostics import Severity
from pinebench.errors import UnavailableError
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.reference import functions
from pinebench.runtime import Result
from pinebench.runtime.report import report
from pinebench.workers.jobs import request_of, run_observed
from tests.runtime import calls
from tests.runtime.running import START, bars_of, runtime_of, values
from tests.tables import each

_MINUTES_15 = 900_000
_GROUPS = sorted({name.partition(".")[0] for name in functions()})


def _compiles(program: Program) -> bool:
    return all(finding.severity is not Severity.ERROR for finding in program.diagnostics)


def _run(program: Program, bars: Bars, symbol: SymbolInfo) -> Result:
    return run_observed(program, request_of(program, bars, symbol)).result


def answers(source: str, bars: Bars, mintick: float = 0.01) -> bool:
    """Whether a script compiles; one that does is run, and anything but an answer to it fails the test."""
    program = open_program(source)
    if not _compiles(program):
        return False
    try:
        result = _run(program, bars, SymbolInfo(timeframe="15", mintick=mintick))
    except UnavailableError:
        return True
    except BaseException as error:
        raise AssertionError(source) from error
    json.dumps(report(result), allow_nan=False)
    return True


def _try(name: str, seed: str) -> bool:
    return _answers_at_all(calls.script(Random(f"{seed} {name}"), name))


def _answers_at_all(source: str) -> bool:
    # A result that cannot be written as text is run without that.
    return answers(source, bars_of([1.0, 2.0, 2.0, 3.0])) or answers(source.rpartition("log.info")[0], bars_of([1.0]))


@pytest.mark.parametrize("group", _GROUPS)
def test_extreme_and_missing_arguments_get_an_answer(group: str) -> None:
    names = [name for name in functions() if name.partition(".")[0] == group]
    compiled = [_try(name, "short") for name in names]
    assert len(names) < 8 or sum(compiled) > len(names) / 2


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(60))
def test_many_extreme_and_missing_arguments_get_an_answer(seed: int) -> None:
    for name in functions():
        _try(name, str(seed))


def _try_positions(name: str, extremes: int) -> int:
    """How many of the calls with na or an extreme value in one position compile."""
    return sum(map(_answers_at_all, calls.positions(Random(f"positions {name}"), name, extremes)))


@pytest.mark.parametrize("name", ["ta.sma", "str.substring", "array.slice", "matrix.swap_rows", "box.new"])
def test_na_in_every_position_gets_an_answer(name: str) -> None:
    assert _try_positions(name, 0) > 0


def test_na_seconds_and_na_properties_are_refused_by_name() -> None:
    with pytest.raises(UnavailableError, match=r"timeframe.from_seconds\(\) of na"):
        runtime_of("plot(str.length(timeframe.from_seconds(int(na))))", [1.0]).run()
    program = open_program('//@version=6\nstrategy("x", pyramiding = na)\nplot(close)\n')
    with pytest.raises(UnavailableError, match=r"strategy\(pyramiding = na\)"):
        _run(program, bars_of([1.0]), SymbolInfo(timeframe="15"))


@pytest.mark.parametrize(
    "line",
    [
        'plot(str.length(str.match("9", "9{" + str.repeat("9", 5000) + "}")))',
        'plot(request.security(syminfo.tickerid, str.repeat("9", 5000), close))',
        'plot(timeframe.in_seconds(str.repeat("9", 5000)))',
        'alertcondition(true, "a", "{{plot_' + 5000 * "9" + '}}")\nplot(close)',
        'alertcondition(true, "a", "{{plot_٣}}")\nplot(close)',
    ],
)
def test_thousands_of_digits_get_an_answer(line: str) -> None:
    assert answers(f'//@version=6\nindicator("x")\n{line}\n', bars_of([1.0, 2.0, 2.0, 3.0]))


@pytest.mark.parametrize("rule", ["max_cons_loss_days", "max_intraday_filled_orders", "max_position_size"])
def test_a_rule_with_na_does_not_apply(rule: str) -> None:
    source = f"""//@version=6
strategy("x")
strategy.risk.{rule}(na)
if bar_index == 1
    strategy.entry("Long", strategy.long)
plot(strategy.position_size)
"""
    result = _run(open_program(source), bars_of([1.0, 2.0, 2.0, 3.0]), SymbolInfo(timeframe="15"))
    assert result.error is None and result.plots[0].values[-1] > 0


@pytest.mark.soak
@pytest.mark.parametrize("group", _GROUPS)
def test_na_and_extreme_values_in_every_position_get_an_answer(group: str) -> None:
    for name in functions():
        if name.partition(".")[0] == group:
            _try_positions(name, 3)


# bars that no market has


def _odd_bars(kind: str, random: Random) -> Bars:
    prices = {
        "zero": [0.0],
        "negative": [-5.0, -1.0],
        "mixed": [0.0, 1.0, -1.0],
        "huge": [1e307, 1e308, 1.7e308],
        "tiny": [5e-324, 1e-300, 0.0],
        "flat": [3.0],
    }[kind]
    pairs = [(random.choice(prices), random.choice(prices)) for _ in range(40)]
    return Bars(
        [START + number * _MINUTES_15 for number in range(40)],
        [open for open, _ in pairs],
        [max(pair) for pair in pairs],
        [min(pair) for pair in pairs],
        [close for _, close in pairs],
        [random.choice([0.0, float("nan"), 1e308, 5.0]) for _ in range(40)],
    )


_TRADES = """\
strategy("x", default_qty_type = strategy.{quantity}, commission_type = strategy.commission.{fee}, \
commission_value = 0.1, slippage = 2, pyramiding = 3{more})
if bar_index % 3 == 0
    strategy.entry("a", bar_index % 2 == 0 ? strategy.long : strategy.short, qty = bar_index % 4 == 0 ? na : 2)
if bar_index % 5 == 0
    strategy.exit("b", "a", profit = bar_index, loss = 5, trail_points = 3, trail_offset = 1)
if bar_index % 7 == 0
    strategy.order("c", strategy.short, 1, limit = close * 1e10, stop = -close)
"""


def _strategy(random: Random, name: str) -> str:
    head = _TRADES.format(
        quantity=random.choice(["fixed", "cash", "percent_of_equity"]),
        fee=random.choice(["percent", "cash_per_contract", "cash_per_order"]),
        more=random.choice(["", ", margin_long = 0", ", initial_capital = 1", ", process_orders_on_close = true"]),
    )
    return calls.script(random, name).replace('strategy("x")\n', head)


@each("kind", ["zero", "negative", "mixed", "huge", "tiny", "flat"])
def test_orders_on_prices_that_no_market_has_get_an_answer(kind: str) -> None:
    random = Random(f"orders {kind}")
    names = random.sample([name for name in functions() if name.startswith("strategy.")], 15)
    sources = [_strategy(random, name) for name in names]
    assert sum(answers(source, _odd_bars(kind, random), random.choice([0.01, 1, 1e-8])) for source in sources) > 7


@each("kind", ["zero", "negative", "mixed", "huge", "tiny", "flat"])
def test_kernels_on_prices_that_no_market_has_get_an_answer(kind: str) -> None:
    random = Random(f"kernels {kind}")
    for name in random.sample([name for name in functions() if name.startswith("ta.")], 20):
        overload = random.choice(calls.known_function(name).overloads)
        head = calls.PRELUDE.format(declaration='indicator("x")')
        answers(f"{head}plot(close)\n{calls.call(random, name, overload)}\n", _odd_bars(kind, random))


# the cases by name


def test_a_time_in_microseconds_is_a_year_far_away() -> None:
    micro = "timestamp(2024, 3, 1, 10, 20, 30) * 1000"
    assert values(f"plot(year({micro}))\n", [1.0]) == [1970 + 1_709_288_430_000 // 31_556_952]
    months = f"plot(month({micro}) * 10000 + dayofmonth({micro}) * 100 + hour({micro}))"
    assert values(months, [1.0])[0] is not None
    words = f'plot(str.length(str.format_time({micro}, "yyyy-MM-dd")))'
    assert values(words, [1.0]) == [11]
    assert values(f"plot(na(year({micro} * 1000000000)) ? 1 : 0)", [1.0]) == [1]


def test_a_timestamp_beyond_the_year_9999_is_that_year() -> None:
    assert values('plot(year(timestamp("UTC", 99999, 7, 4, 5, 6)))', [1.0]) == [99999]
    assert values('plot(dayofweek(timestamp("UTC", 99999, 7, 4)))', [1.0]) == values(
        'plot(dayofweek(timestamp("UTC", 99999 - 400 * 240, 7, 4)))', [1.0]
    )
    assert values('plot(timestamp("UTC", 10000, 1, 1) - timestamp("UTC", 9999, 12, 31))', [1.0]) == [86_400_000]
    assert values('plot(timestamp("UTC", 1970, 1, 1 + 3652425))', [1.0]) == [3_652_425 * 86_400_000]
    assert values('plot(na(timestamp("UTC", 400000000, 1, 1)) ? 1 : 0)', [1.0]) == [1]


@pytest.mark.parametrize("decimals", [341, 400, 4000])
def test_a_mask_writes_at_most_340_decimals(decimals: int) -> None:
    sizes = [
        values(f'plot(str.length(str.tostring(close / 3, "{mask}")))', [1.0])
        for mask in ("#." + "#" * decimals, "0." + "0" * decimals)
    ]
    assert sizes[0][0] < 30 and sizes[1] == [342]
    java = f'plot(str.length(str.format("{{0,number,0.{"0" * decimals}}}", close * 1e300)))'
    assert values(java, [1.0]) == [301 + 1 + 340]


@pytest.mark.parametrize("digits", [11, 5000])
def test_an_index_that_java_cannot_read_stops_the_script(digits: int) -> None:
    result = runtime_of(f'plot(str.length(str.format("{{" + str.repeat("9", {digits}) + "}}", close)))', [1.0]).run()
    assert result.error is not None
    assert result.error.message == f"Error on bar 0: can't parse argument number: {'9' * digits}"
    assert values('plot(str.length(str.format("{2147483647}", close)))', [1.0]) == [12]


@pytest.mark.parametrize(
    "call", ["m.swap_rows(nothing, 0)", "m.swap_columns(0, nothing)", "x = m.pow(nothing)", "m.reshape(nothing, 1)"]
)
def test_na_where_a_matrix_wants_a_number_is_refused_by_name(call: str) -> None:
    source = f"int nothing = na\nm = matrix.new<float>(2, 2, 1)\n{call}\nplot(1)"
    with pytest.raises(UnavailableError, match="na as"):
        runtime_of(source, [1.0]).run()


@each(
    ("call", "words"),
    [
        (
            'str.length(str.repeat("a", 2000000000))',
            "pinebench stopped the script: it makes a text of more than 1,000,000 characters",
        ),
        (
            'str.length(str.replace_all(str.repeat("a", 1000000), "a", "bb"))',
            "pinebench stopped the script: it makes a text of more than 1,000,000 characters",
        ),
        (
            'str.length(array.join(array.new<string>(2000, str.repeat("a", 1000)), ""))',
            "pinebench stopped the script: it makes a text of more than 1,000,000 characters",
        ),
        ('str.split(str.repeat("a,", 200000), ",").size()', "Array is too large. Maximum size is 100000"),
        ("matrix.new<float>(1000000000, 0).rows()", "Matrix is too large. Maximum size of the matrix is 100,000"),
        (
            "matrix.mult(matrix.new<float>(50000, 1, 1.0), matrix.new<float>(1, 50000, 1.0)).rows()",
            "Matrix is too large. Maximum size of the matrix is 100,000",
        ),
        (
            "matrix.kron(matrix.new<float>(300, 300, 1.0), matrix.new<float>(300, 300, 1.0)).rows()",
            "Matrix is too large. Maximum size of the matrix is 100,000",
        ),
        ("ta.wma(close, 2000000000)", "The 'wma' function references too many historical candles (2000000000)"),
        ("ta.linreg(close, 15001, 0)", "The 'linreg' function references too many historical candles (15001)"),
    ],
)
def test_a_size_is_judged_before_it_is_made(call: str, words: str) -> None:
    result = runtime_of(f"plot({call})", [1.0, 2.0]).run()
    assert result.error is not None
    assert words in result.error.message


def test_an_average_longer_than_any_chart_is_na() -> None:
    assert values("plot(ta.ema(close, 2147483647))") == [None] * 5
    assert values("plot(math.sum(close, 2000000000))") == [None] * 5


def test_weights_that_vanish_give_na() -> None:
    assert values("plot(ta.alma(close, 3, -1e300, 1e-300))") == [None] * 5
    assert values("plot(ta.alma(close, 2, 1e308 * 10, 6, true))") == [None] * 5
