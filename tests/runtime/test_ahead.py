"""What is computed for all bars before the first is what the bars would have computed one by one."""

import functools
import math
from pathlib import Path
from random import Random

import pytest

from pinebench.checker import open_program
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.runtime import execution
from pinebench.runtime.emit import generate
from pinebench.runtime.lower import lower
from pinebench.runtime.report import report
from pinebench.runtime.runtime import Runtime
from tests.runtime.running import HEAD, MINUTE, START, bars_of, run, runtime_of
from tests.tables import each

TEMPLATES = sorted(Path(__file__).parents[2].joinpath("pine", "templates").glob("*.pine"))
WANDERING = (Path(__file__).parent / "wandering.pine").read_text(encoding="utf-8")


def wandering(count: int) -> Bars:
    wander = Random(5)
    bars, price = Bars(), 100.0
    for number in range(count):
        first, price = price, round(price + wander.gauss(0, 1), 2)
        reach = round(abs(wander.gauss(0, 1)), 2)
        high, low = max(first, price) + reach, min(first, price) - reach
        bars.append(START + number * 15 * MINUTE, first, high, low, price, float(wander.randrange(100, 120)))
    return bars


def told(runtime: Runtime) -> str:
    return repr(report(runtime.result()))


def both(source: str, bars: int, monkeypatch: pytest.MonkeyPatch, live: int = 0) -> tuple[str, str]:
    """What a script leaves with and without computing ahead, after `live` bars of three updates each."""
    found: list[str] = []
    whole = wandering(bars + live)
    for patched in (False, True):
        with monkeypatch.context() as patch:
            if patched:
                patch.setattr(execution, "generate", functools.partial(generate, ahead=False))
            given = Bars(*([*column[:bars]] for column in whole.columns()))  # type: ignore[arg-type]
            runtime = runtime_of(source, given)
            runtime.run()
            for number in range(bars, bars + live):
                row = [column[number] for column in whole.columns()[1:]]
                for close in (row[3] + 1, row[3] - 1, row[3]):
                    bar = (row[0], row[1] + 5, row[2] - 5, close, row[4])
                    runtime.update(whole.time[number], bar, closed=close == row[3])
        found.append(told(runtime))
    return found[0], found[1]


def test_columns_are_what_bars_give_on_history_and_live(monkeypatch: pytest.MonkeyPatch) -> None:
    ahead, single = both(WANDERING, 300, monkeypatch, live=8)
    assert ahead == single


@pytest.mark.parametrize("bars", [1, 2, 3])
def test_few_bars_are_the_same_too(bars: int, monkeypatch: pytest.MonkeyPatch) -> None:
    ahead, single = both(WANDERING, bars, monkeypatch, live=2)
    assert ahead == single


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_templates_show_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = path.read_text(encoding="utf8")
    found: list[str] = []
    for patched in (False, True):
        with monkeypatch.context() as patch:
            if patched:
                patch.setattr(execution, "generate", functools.partial(generate, ahead=False))
            runtime = Runtime(open_program(text), wandering(120), SymbolInfo(timeframe="15"))
            try:
                runtime.run()
            except Exception as error:
                found.append(repr(error))
                continue
        found.append(told(runtime))
    assert found[0] == found[1]


def test_a_script_stops_where_it_would_have(monkeypatch: pytest.MonkeyPatch) -> None:
    source = (
        'if close < 0\n    runtime.error("first")\nn = input.int(0)\nplot(ta.sma(close, n))\nplot(ta.ema(close, 3))'
    )
    ahead, single = both(source, 5, monkeypatch)
    assert ahead == single and "'sma'" in ahead


def test_a_request_that_is_never_made_is_not_made_ahead() -> None:
    result = runtime_of('plot(close > 0 ? 1 : request.security("NYSE:NONE", "", close))', wandering(5)).run()
    assert result.plots[0].values == [1] * 5


def made_ahead(source: str) -> int:
    return generate(lower(open_program(HEAD + source)).module).source.count("R.ahead(")


@each(
    ("source", "count"),
    [
        ("plot(ta.sma(close, 3))", 1),
        ("x = ta.ema(ta.sma(high - low, 3), 4)\nplot(x)", 2),
        ("plot(close > open ? ta.sma(close, 3) : 0)", 0),
        ("plot(close > open and ta.rising(close, 3) ? 1 : 0)", 0),
        ("if close > open\n    log.info(str.tostring(ta.sma(close, 3)))\nplot(1)", 0),
        ("var x = 1.0\nx += close\nplot(ta.sma(x, 3))", 0),
        ("x = close\nif open > 3\n    x := 1\nplot(ta.sma(x, 3))", 0),
        ("plot(ta.sma(close, bar_index + 1))", 0),
        ("plot(ta.sma(close[1], 3))", 1),
        ("f() => ta.sma(close, 3)\nplot(f())", 1),
        ("f(x) => ta.sma(x, 3)\nplot(f(close) + f(f(open)))", 3),
        ("f(x) => x > 1 ? ta.sma(x, 3) : 0\nplot(f(close))", 0),
        ("f(x) => x > 1 and ta.rising(x, 3)\nplot(f(close) ? 1 : 0)", 0),
        ("g(x) => ta.sma(x, 3)\nf(x) => x > 1 ? g(x) : 0\nplot(f(close))", 0),
        ("f(x) =>\n    y = 0.0\n    if x > 1\n        y := ta.sma(x, 3)\n    y\nplot(f(close))", 0),
        ("f(x) =>\n    var y = 0.0\n    y += ta.sma(x, 3)\nplot(f(close))", 0),
        ("plot(ta.sma(close > open ? nz(volume) : -math.abs(low), 3))", 1),
        ("n = 3\nplot(n > 2 ? ta.sma(close, n) : ta.ema(close, n))", 1),
        ("x = 0.0\nif input.bool(true)\n    x := ta.sma(close, 3)\nplot(ta.ema(x, 3))", 2),
    ],
)
def test_only_what_the_chart_alone_decides_and_every_bar_asks_for_is_made_ahead(source: str, count: int) -> None:
    assert made_ahead(source) == count


def test_the_greatest_of_a_falling_series_costs_in_step_with_its_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    from pinebench.runtime.library import extremes

    looked: list[int] = []

    def count(kernel: extremes.Highest, i: int, n: int) -> list[float]:
        looked.append(n)
        return window(kernel, i, n)

    window = extremes.Highest._window
    monkeypatch.setattr(extremes.Highest, "_window", count)
    kernel = extremes.Highest()
    values = [kernel(i, float(-i), 1000) for i in range(5000)]
    assert values[999:] == [float(-i) for i in range(4001)]
    assert looked and sum(looked) <= 2000


@pytest.mark.parametrize("length", [5, 200, 201, 250])
def test_extremes_of_the_bars_are_those_of_their_highs_and_lows_in_long_windows_too(length: int) -> None:
    bars = bars_of([100 + 10 * math.sin(number / 7) + number % 13 for number in range(300)])
    for short, whole in (("ta.highest({})", "ta.highest(high, {})"), ("ta.lowest({})", "ta.lowest(low, {})")):
        result = run(f"plot({short.format(length)})\nplot({whole.format(length)})\n", bars)
        [found, wanted] = (plot.values for plot in result.plots)
        assert repr(found) == repr(wanted)


def test_the_history_of_what_is_the_same_on_all_bars_is_no_column() -> None:
    source = "is_on = input.bool(true)\nplot((not is_on)[2] ? 1 : 0)\nplot(ta.ema((is_on ? 2 : 3.5)[1], 2))"
    result = run(source, wandering(6))
    assert result.outputs[0].columns["series"] == [0.0] * 6
