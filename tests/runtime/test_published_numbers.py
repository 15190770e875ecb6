"""Each export of our own versions of published libraries against a formula in Python, on several kinds of bars."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from random import Random

import pytest

from pinebench.checker import open_program, own_version_names
from pinebench.compiled import NotCompilable, compile_script
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.workers.jobs import perform, request_of
from tests.runtime import published_formulas as formulas
from tests.runtime.published_formulas import Prices, Series
from tests.runtime.running import MINUTE, START, run

HOUR = 60 * MINUTE


def bars_of(prices: list[float], seed: int, reach: float = 1.0) -> Bars:
    """Hourly bars through `prices`; gaps between them, and a reach above and below, come from the seed."""
    chance, bars = Random(seed), Bars()
    for number, price in enumerate(prices):
        first = prices[max(number - 1, 0)] + chance.choice((0.0, 0.0, 0.4, -0.4)) * reach
        high = max(first, price) + abs(chance.gauss(0, reach))
        low = min(first, price) - abs(chance.gauss(0, reach))
        bars.append(START + number * HOUR, first, high, low, price, float(chance.randrange(50, 200)))
    return bars


def wandering(count: int, seed: int, step: float) -> list[float]:
    chance, found = Random(seed), [100.0]
    for _ in range(count - 1):
        found.append(max(found[-1] + chance.gauss(0, step), 5.0))
    return found


KINDS: dict[str, Bars] = {
    "wandering": bars_of(wandering(420, 1, 1.0), 2),
    "trending": bars_of([50 + 0.3 * number + math.sin(number / 5) for number in range(420)], 3, 0.2),
    "resting": bars_of([price for price in wandering(60, 4, 3.0) for _ in range(7)], 5, 0.5),
    "few": bars_of(wandering(12, 6, 1.0), 7),
}
"""Bars by what is special about them. Many closes of the resting ones equal the closes before."""

TA = """
import TradingView/ta/9 as t
[up, down] = t.aroon(14)
[top, bottom, middle] = t.donchian(20)
[tenkan, kijun, senkou1, senkou2, chikou] = t.ichimoku()
[kvo, trigger] = t.kvo(6, 13, 5)
[rwiHigh, rwiLow] = t.rwi(8)
[k, d] = t.stochFull(14, 3, 3)
[kRsi, dRsi] = t.stochRsi(14, 14, 3, 3)
[trend, direction] = t.supertrend(3.0, 10)
[trend2, direction2] = t.supertrend2(3.0, 10.0, true)
[trix, signal, histogram] = t.trix(close, 5, 4)
[_, simple_, _] = t.trix(close, 5, 4, false)
[plus, minus] = t.vi(14)
[stop, rises] = t.vStop(close, 10, 2)
[stop2, rises2] = t.vStop2(close, 10.0, 2)
[fractalUp, fractalDown] = t.williamsFractal(2)
resets = bar_index % 25 == 0
var int begin = time
var float price = close
plot(t.ao(), "ao")
plot(up, "aroon up")
plot(down, "aroon down")
plot(t.atr2(10), "atr2")
plot(t.cagr(begin, price, time, close), "cagr")
plot(t.changePercent(close, close[1]), "changePercent")
plot(t.coppock(close, 14, 11, 10), "coppock")
plot(t.dema(close, 9), "dema")
plot(t.dema2(close, 9), "dema2")
plot(t.dm(9), "dm")
plot(top, "donchian high")
plot(bottom, "donchian low")
plot(middle, "donchian middle")
plot(t.ema2(close, 9), "ema2")
plot(t.eom(14), "eom")
plot(t.frama(close, 16), "frama")
plot(t.ft(hl2, 9), "ft")
plot(t.highestSince(resets), "highestSince")
plot(t.ht(close), "ht")
plot(tenkan, "tenkan")
plot(kijun, "kijun")
plot(senkou1, "senkou 1")
plot(senkou2, "senkou 2")
plot(chikou, "chikou")
plot(t.ift(ta.change(close)), "ift")
plot(kvo, "kvo")
plot(trigger, "kvo trigger")
plot(t.lowestSince(resets), "lowestSince")
plot(t.pzo(14), "pzo")
plot(t.rma2(close, 9), "rma2")
plot(t.rms(close, 9), "rms")
plot(rwiHigh, "rwi high")
plot(rwiLow, "rwi low")
plot(t.stc(close, 6, 13, 5, 3, 3), "stc")
plot(k, "stoch k")
plot(d, "stoch d")
plot(kRsi, "stoch rsi k")
plot(dRsi, "stoch rsi d")
plot(trend, "supertrend")
plot(direction, "direction")
plot(trend2, "supertrend2")
plot(direction2, "direction2")
plot(t.szo(close, 7), "szo")
plot(t.t3(close, 5), "t3")
plot(t.t3Alt(close, 5), "t3Alt")
plot(t.tema(close, 9), "tema")
plot(t.tema2(close, 9), "tema2")
plot(t.trima(close, 9), "trima")
plot(t.trima(close, 7), "trima odd")
plot(trix, "trix")
plot(signal, "trix signal")
plot(histogram, "trix histogram")
plot(simple_, "trix simple")
plot(t.uo(7, 14, 28), "uo")
plot(t.vhf(close, 14), "vhf")
plot(plus, "vi plus")
plot(minus, "vi minus")
plot(stop, "vStop")
plot(rises ? 1 : 0, "vStop rises")
plot(stop2, "vStop2")
plot(rises2 ? 1 : 0, "vStop2 rises")
plot(t.vzo(14), "vzo")
plot((fractalUp ? 1 : 0) + (fractalDown ? 2 : 0), "fractals")
plot(t.wpo(6), "wpo")
"""
KERNELS = """
import jdehorty/KernelFunctions/2 as k
plot(k.rationalQuadratic(close, 8, 3.0, 25), "rationalQuadratic")
plot(k.gaussian(close, 8, 25), "gaussian")
plot(k.periodic(close, 8, 5, 25), "periodic")
plot(k.locallyPeriodic(close, 8, 5, 25), "locallyPeriodic")
"""
ML = """
import jdehorty/MLExtensions/2 as ml
plot(ml.normalizeDeriv(close, 10), "normalizeDeriv")
plot(ml.normalize(close, 0, 1), "normalize")
plot(ml.rescale(close, 50, 150, 1, 5), "rescale")
plot(ml.tanh(ta.change(close)), "tanh")
plot(ml.n_rsi(close, 14, 2), "n_rsi")
plot(ml.n_cci(close, 20, 3), "n_cci")
plot(ml.n_wt(hlc3), "n_wt")
plot(ml.n_adx(high, low, close, 14), "n_adx")
plot(ml.regime_filter(ohlc4, -0.1, true) ? 1 : 0, "regime")
plot(ml.regime_filter(ohlc4, -0.1, false) ? 1 : 0, "regime off")
plot(ml.filter_adx(close, 14, 20, true) ? 1 : 0, "adx")
plot(ml.filter_volatility(1, 10, true) ? 1 : 0, "volatility")
"""
RATING = """
import TradingView/TechnicalRating/3 as t
[all, other, averages] = t.calcRatingAll()
plot(all, "total")
plot(other, "other")
plot(averages, "averages")
plot(t.countRising(math.round(close) % 3), "rising")
"""
RELATIVE = """
import TradingView/ta/9 as t
import TradingView/RelativeValue/3 as r
[current, past, ratio] = t.relativeVolume(3)
begins = timeframe.change("D")
plot(r.averageAtTime(volume, 3, "D"), "summed past")
plot(r.averageAtTime(volume, 3, "D", false), "plain past")
plot(r.calcCumulativeSeries(volume, begins), "summed")
plot(current, "volume")
plot(past, "volume past")
plot(ratio, "ratio")
"""
SIMPLE = """
import PineCoders/AllTimeHighLow/1 as all
import PineCoders/ConditionalAverages/2 as c
import PineCoders/VisibleChart/4 as v
plot(all.hi(), "hi")
plot(all.lo(), "lo")
plot(all.hi(close), "hi of close")
plot(c.avgWhen(volume, close > open), "avgWhen")
plot(v.barIsVisible() ? 1 : 0, "visible")
plot(v.isFirstVisibleBar() ? 1 : 0, "first")
plot(v.isLastVisibleBar() ? 1 : 0, "last")
[first, _, _, latest, sum] = v.ohlcv()
plot(first, "open")
plot(latest, "close")
plot(sum, "volume")
plot(v.bars(), "bars")
plot(v.leftBarIndex(), "left")
plot(v.rightBarIndex(), "right")
plot(v.high(), "visible high")
plot(v.low(), "visible low")
plot(v.highBarIndex(), "high bar")
plot(v.highBarTime(), "high time")
plot(v.lowBarIndex(), "low bar")
plot(v.lowBarTime(), "low time")
plot(v.chartYPct(25), "level")
plot(v.chartXTimePct(33.3), "time")
plot(v.chartXIndexPct(-50), "index")
plot(v.whenVisible(volume, close > open, 3).sum(), "last three")
plot(v.whenVisible(volume).size(), "all")
plot(v.avg(), "average")
plot(v.avg(open), "average open")
plot(v.median(), "median")
plot(v.vVwap(), "vwap")
"""
LIBRARIES: Mapping[str, tuple[str, Callable[[Prices], dict[str, Series]]]] = {
    "TradingView/ta": (TA, formulas.ta_values),
    "jdehorty/KernelFunctions": (KERNELS, formulas.kernel_values),
    "jdehorty/MLExtensions": (ML, formulas.ml_values),
    "TradingView/TechnicalRating": (RATING, formulas.rating_values),
    "TradingView/RelativeValue": (RELATIVE, formulas.relative_values),
    "PineCoders": (SIMPLE, formulas.simple_values),
}

ROUNDED = {("TradingView/TechnicalRating", "resting")}
"""Votes compare values with the bar before, which are equal but for rounding while prices rest."""


def script(text: str) -> str:
    return f'//@version=6\nindicator("Test", max_bars_back = 500)\n{text}'


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_export_is_its_formula(library: str) -> None:
    text, expected_of = LIBRARIES[library]
    for kind, bars in KINDS.items():
        if (library, kind) in ROUNDED:
            continue
        result = run(script(text), bars, timeframe="60")
        expected = expected_of(Prices(bars))
        assert {output.title for output in result.plots} == set(expected)
        for title, values in expected.items():
            found = result.plot(title)
            for place, (ours, theirs) in enumerate(zip(found, values, strict=True)):
                same = ours != ours if theirs != theirs else math.isclose(ours, theirs, rel_tol=1e-8, abs_tol=1e-8)
                assert same, f"{title} on {kind} bars, bar {place}: {ours}, expected {theirs}"
        known = {title for title, values in expected.items() if any(value == value for value in values)}
        assert kind != "wandering" or known == set(expected), "an expected value is na on every bar"


def test_every_library_has_its_formulas() -> None:
    imported = {name for name in own_version_names() for text, _ in LIBRARIES.values() if f"import {name}/" in text}
    assert imported == set(own_version_names())


@pytest.mark.soak
def test_machine_code_computes_the_same_bits() -> None:
    pytest.importorskip("llvmlite")
    compiled: list[str] = []
    for library, (text, _) in LIBRARIES.items():
        given = request_of(open_program(script(text)), KINDS["wandering"], SymbolInfo(timeframe="60"))
        made = compile_script(open_program(given.source), given)
        if isinstance(made, NotCompilable):
            continue
        ran, python = made.run_whole(given.bars, {}), perform(given)
        assert ran is not None and ran.result.notes == python.result.notes != []
        for ours, theirs in zip(ran.result.plots, python.result.plots, strict=True):
            same = [
                one == other or (one != one and other != other)
                for one, other in zip(ours.values, theirs.values, strict=True)
            ]
            assert all(same), f"{library}: {ours.title}"
        compiled.append(library)
    assert {"TradingView/ta", "jdehorty/KernelFunctions", "jdehorty/MLExtensions"} <= set(compiled), compiled
