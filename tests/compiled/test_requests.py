"""`request.security` on both tiers: the requested bars, what is merged, what is missing, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pinebench.calendars.timeframes import timeframe
from pinebench.compiled.request_columns import RequestColumns
from pinebench.market import sample_bars
from pinebench.runtime import RequestSource
from pinebench.workers.jobs import perform
from tests.compiled.random_requests import request_script
from tests.compiled.random_strategies import requesting_script
from tests.compiled.same import SYMBOL, both, compare, compiled, refusal, request

OTHERS = {"NASDAQ:AAPL": RequestSource(sample_bars(SYMBOL, timeframe("15"), 1600), SYMBOL.info("15"))}
"""The chart's own symbol in a shorter timeframe."""


@pytest.mark.parametrize(
    "values",
    [
        'plot(request.security(syminfo.tickerid, "240", close))',
        'plot(request.security("", "D", ta.ema(close, 5), barmerge.gaps_on, barmerge.lookahead_on))',
        'plotshape(request.security("", "D", close > open)[1])',
        'plot(request.security("", "D", close > open ? color.red : color.blue) == color.red ? 1 : 0)',
        'plot(request.security("", "D", timeframe.period) == "1D" ? 1 : 0)',
        '[a, b] = request.security("", "D", [high[1], close > open])\nplot(b ? a : na)',
        'f(x) => [ta.sma(x, 3), x]\n[a, b] = request.security("", "D", f(close))\nplot(a - b)',
        'x = request.security("", "240", close + request.security("", "D", open))\nplot(x)',
        'plot(request.security("", "15", close))\nplot(request.security("", "15", hour))',
        'plot(request.security("NASDAQ:MSFT", "", volume))',
        'plot(request.security("NASDAQ:MSFT/NASDAQ:AAPL", "D", close))',
        'plot(request.security(ticker.heikinashi(syminfo.tickerid), "240", open))',
        'plot(request.security("", "D", close, calc_bars_count = 7))',
        'plot(request.security("", "D", close, currency = "EUR"))',
        'c = bar_index % 3 == 1 ? "EUR" : na\nplot(request.security("", "D", close, currency = c))',
        'plot(request.security("NO:SUCH", "D", close, ignore_invalid_symbol = true))',
        'x = 0.0\nfor k = 0 to 2\n    x += nz(request.security("", "D", close)) * k\nplot(x)',
        'x = 0.0\nif bar_index == 50\n    x := request.security("", "D", close)\nplot(x)',
        'tf = close > open ? "D" : "W"\nplot(request.security("", tf, close, gaps = barmerge.gaps_on))',
        'for s in array.from("NASDAQ:AAPL", "NASDAQ:MSFT")\n    log.info(str.tostring(request.security(s, "D", low)))',
        '[a, b] = request.security("", close > open ? "D" : "240", [str.tostring(low), open])\nplot(str.length(a))',
        'x = request.security_lower_tf("", "15", close)\nplot(x.size() > 0 ? x.last() : na)\nplot(x.sum())',
        '[a, b] = request.security_lower_tf("", "30", [str.tostring(high), close > open])\nplot(a.size())\n'
        "label.new(bar_index, high, a.join())\nplot(b.size() > 0 and b.last() ? 1 : 0)",
        'plot(request.security_lower_tf("", "240", close, ignore_invalid_timeframe = true).size())',
        'plot(request.security_lower_tf("NO:SUCH", "5", close, ignore_invalid_symbol = true).size())',
        'plot(nz(request.financial("X", "Y", "FY"), 3))\nif bar_index > 5\n    request.earnings("X")\nplot(timenow)',
        "f = request.footprint(10, 70)\nif not na(f)\n    log.info(str.tostring(f.delta() + f.rows().size()))",
        'if bar_index > 9999\n    request.security("NO:BARS", "D", close, ignore_invalid_symbol = true)\nplot(close)',
    ],
)
def test_a_request_is_the_same_on_both_tiers(values: str) -> None:
    both('indicator("")\n' + values, others=OTHERS, samples=True)


def test_a_text_of_a_request_may_be_put_together_and_chosen() -> None:
    source = """indicator("")
days = input.int(2, "Days")
string symbol = "NASDAQ:"
if timeframe.isintraday
    symbol += "MSFT"
string longer = switch timeframe.period
    "60" => "240"
    => "D"
of(symbol, tf) => request.security(symbol, tf, close)
plot(of(symbol, longer))
plot(of(symbol, str.tostring(days) + "D"))
"""
    both(source, {"Days": 1}, {"Days": 3}, samples=True)


def test_a_request_that_is_never_made_needs_no_arguments() -> None:
    source = """indicator("")
on = input.bool(false, "On")
f(string s) =>
    request.security(s, "D", close)
x = 0.0
if on
    x := f("AAPL")
plot(x + close)
"""
    both(source, {}, {"On": True})


def test_a_sweep_computes_a_request_again_only_if_its_inputs_change(monkeypatch: pytest.MonkeyPatch) -> None:
    given = request("""strategy("S")
n = input.int(3, "N")
k = input.int(1, "K")
if close > request.security("", "240", ta.ema(close, n)) * (1 + k / 1000)
    strategy.entry("L", strategy.long)
else
    strategy.close("L")
""")
    computed: list[int] = []
    fill = RequestColumns._fill
    monkeypatch.setattr(RequestColumns, "_fill", lambda self, k, *rest: (computed.append(k), fill(self, k, *rest)))
    found: list[str] = []
    combinations = [{"N": n, "K": k} for n in (3, 8) for k in (1, 2)]
    for inputs, outcome in zip(combinations, compiled(given).sweep(given.bars, combinations), strict=True):
        assert outcome.tier == "compiled"
        tested = perform(replace(given, inputs=inputs)).tested
        assert tested is not None
        found.append(repr(outcome.trades))
        assert found[-1] == repr(tested.trades)
    assert len(set(found)) == 4 and computed == [0, 0]


@pytest.mark.parametrize(
    "value",
    [
        "close[length]",
        "ta.sma(close, 5)[length]",
        "(close + open)[length > 4 ? length : 1]",
        "ta.ema(close, int(math.max(length, 2)))",
        "time[length] / 3600000 % 11",
        'hour(time[2], length > 4 ? syminfo.timezone : "UTC") > 12 ? 3 : 0',
        'not na(time(timeframe.period, length > 4 ? "0900-1200" : "1200-1500")) ? 3 : 0',
    ],
)
def test_a_sweep_over_an_input_inside_a_request_is_the_same_as_single_runs(value: str) -> None:
    given = request(f"""strategy("S")
length = input.int(3, "Length")
asked = request.security("", "240", {value})
if int(nz(asked) * 100) % 7 < 3
    strategy.entry("L", strategy.long)
else
    strategy.close("L")
""")
    found = []
    combinations = [{"Length": length} for length in (3, 8, 1, 3)]
    for inputs, outcome in zip(combinations, compiled(given).sweep(given.bars, combinations), strict=True):
        assert outcome.tier == "compiled"
        tested = perform(replace(given, inputs=inputs)).tested
        assert tested is not None
        found.append(repr(outcome.trades))
        assert found[-1] == repr(tested.trades)
    assert len(set(found)) > 1 and found[0] == found[-1]


def test_a_run_of_a_sweep_that_stops_leaves_the_next_one_its_texts() -> None:
    """The column of a request was used again, but the texts whose numbers it has were forgotten."""
    given = request("""strategy("S")
a = input.int(1, "a")
b = input.int(240, "b")
var seen = ""
if str.tostring(b) == seen
    strategy.close_all()
first = request.security(syminfo.tickerid, "120", close > open ? "k" + str.tostring(a) : "no")
second = request.security(syminfo.tickerid, str.tostring(b), close)
if first == "k" + str.tostring(a) and second > 0
    strategy.entry("L", strategy.long)
if first == "no"
    strategy.close("L")
seen := str.tostring(b + 1)
""")
    combinations = [{"a": 1, "b": 240}, {"a": 2, "b": -5}, {"a": 2, "b": 240}, {"a": 3, "b": -5}, {"a": 3, "b": 240}]
    for inputs, outcome in zip(combinations, compiled(given).sweep(given.bars, combinations), strict=True):
        ran = perform(replace(given, inputs=inputs))
        assert (outcome.error is None) == (ran.result.error is None) == (inputs["b"] > 0)
        if inputs["b"] > 0:
            assert ran.tested is not None and ran.tested.trades
            assert (outcome.tier, repr(outcome.trades)) == ("compiled", repr(ran.tested.trades))


def test_orders_follow_a_request() -> None:
    source = """strategy("S")
slow = request.security("", "240", ta.ema(close, 5), lookahead = barmerge.lookahead_on)
if ta.crossover(close, slow)
    strategy.entry("L", strategy.long)
if ta.crossunder(close, slow)
    strategy.close("L")
"""
    ran = both(source)
    assert ran.tested is not None and len(ran.tested.trades) > 3


def test_a_request_without_bars_is_left_to_python() -> None:
    given = request('indicator("")\nplot(bar_index > 9999 ? request.security("NO:BARS", "D", close) : close)')
    made = compiled(given)
    assert made.run_whole(given.bars, {}) is None
    compare(made.run(given.bars, {}), perform(given))


def test_a_request_for_longer_bars_as_shorter_ones_stops_the_script() -> None:
    given = request('indicator("")\nplot(request.security_lower_tf("", "D", close).size())')
    made = compiled(given)
    assert made.run_whole(given.bars, {}) is None
    assert made.run(given.bars, {}).result.error is not None


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (
            'a = request.security("", "D", array.from(close, open))\nplot(a.first())',
            "request.security() of an object or a collection is not compiled",
        ),
        (
            "".join(f'plot(request.security("", "{k}", close))\n' for k in range(60, 101)),
            "a script with more than 40 requests is not compiled",
        ),
    ],
)
def test_what_is_not_computed_is_refused(values: str, reason: str) -> None:
    assert refusal('indicator("")\n' + values).reason == reason


def test_an_argument_that_is_not_known_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from pinebench.compiled import module_writer

    monkeypatch.setattr(module_writer, "ARGUMENTS", module_writer.ARGUMENTS - {"currency"})
    refused = refusal('indicator("")\nplot(request.security("", "D", close))')
    assert refused.reason == "currency of request.security() is not compiled"


@pytest.mark.parametrize("seed", range(6))
def test_random_requests_are_the_same_on_both_tiers(seed: int) -> None:
    random_request(seed)


def random_request(seed: int) -> None:
    """Compare a random script with requests on both tiers, for some inputs."""
    given = request(request_script(seed), samples=True, others=OTHERS if seed % 2 else {})
    made = compiled(given)
    for inputs in ({}, {"N": 5, "Long": False, "Asked": "D"}):
        expected = perform(replace(given, inputs=inputs))
        ran = made.run_whole(given.bars, inputs)
        assert ran is not None, made.stopped
        compare(ran, expected)


@pytest.mark.parametrize("seed", (0, 1, 5))
def test_random_strategies_with_requests_are_the_same_on_both_tiers(seed: int) -> None:
    requesting_strategy(seed)


def requesting_strategy(seed: int) -> bool:
    """Compare a random strategy with requests on both tiers, and return whether it trades."""
    given = request(requesting_script(seed), samples=True, others=OTHERS if seed % 2 else {})
    made = compiled(given)
    expected = perform(given)
    ran = made.run_whole(given.bars, {})
    assert ran is not None, made.stopped
    compare(ran, expected)
    return expected.tested is not None and len(expected.tested.trades) > 0


def test_a_block_of_a_function_with_a_history_is_searched_once() -> None:
    both("""indicator("History")
f(float x) =>
    result = 0.0
    if close > open
        y = x * 2
        result := nz(y[2])
    result
plot(f(close))
""")


def test_too_many_different_requests_stop_the_script_in_a_sweep_too() -> None:
    timeframe_of_bar = 'str.tostring(1 + bar_index % 60) + "D"'
    given = request(f'strategy("")\nx = request.security(syminfo.tickerid, {timeframe_of_bar}, close)\nplot(x)')
    error = perform(given).result.error
    assert error is not None and error.code == "RE10137"
    assert compiled(given).run_whole(given.bars, {}) is None


@pytest.mark.parametrize("value", ["x", 'request.security("", "D", x)'])
def test_an_input_of_minus_zero_is_not_zero(value: str) -> None:
    both(f'indicator("")\nx = input.float(1.0, "X")\nplot({value})', {"X": 0.0}, {"X": -0.0}, {"X": 0.0})


def test_a_sweep_that_ends_early_requests_the_symbols_of_single_runs() -> None:
    error = "array.new<int>(n).get(bar_index < 5 or n > 3 ? 0 : n)"  # some runs are repeated by the Python tier
    source = 'indicator("")\nn = input.int(3, "N")\nplot(request.security("NASDAQ:MSFT", "D", close))\nplot('
    given = request(f"{source}{error})", samples=True)
    given = replace(given, last=given.bars.time[200])
    combinations = [{"N": 3}, {"N": 4}]
    for inputs, outcome in zip(combinations, compiled(given).sweep(given.bars, combinations), strict=True):
        compare(outcome.ran, perform(replace(given, inputs=inputs)))
