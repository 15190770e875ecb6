"""Each export of our own versions of published libraries against a formula in Python, on several kinds of bars."""

import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

import pytest

from pinebench.checker import open_program, own_version_names
from pinebench.compiled import NotCompilable, compile_script
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.runtime import RequestSource
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

TA = (Path(__file__).parent / "published_ta.pine").read_text(encoding="utf-8")
NEWER = (Path(__file__).parent / "published_ta_newer.pine").read_text(encoding="utf-8")
KERNELS = """
import jdehorty/KernelFunctions/2 as k
plot(k.rationalQuadratic(close, 8, 3.0, 25), "rationalQuadratic")
plot(k.gaussian(close, 8, 25), "gaussian")
plot(k.periodic(close, 8, 5, 25), "periodic")
plot(k.locallyPeriodic(close, 8, 5, 25), "locallyPeriodic")
"""
ML = (Path(__file__).parent / "published_ml.pine").read_text(encoding="utf-8")
RATING = """
import TradingView/TechnicalRating/3 as t
[all, other, averages] = t.calcRatingAll()
plot(all, "total")
plot(other, "other")
plot(averages, "averages")
plot(t.countRising(math.round(close) % 3), "rising")
"""
RELATIVE = (Path(__file__).parent / "published_relative.pine").read_text(encoding="utf-8")
SIMPLE = (Path(__file__).parent / "published_simple.pine").read_text(encoding="utf-8")
LIBRARIES: Mapping[str, tuple[str, Callable[[Prices], dict[str, Series]]]] = {
    "TradingView/ta": (TA, formulas.ta_values),
    "TradingView/ta from 11": (NEWER, formulas.newer_values),
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


def test_the_special_k_is_its_formula() -> None:
    """It has its first value on bar 724, so it needs more bars than the other exports."""
    bars = bars_of(wandering(1_000, 8, 1.0), 9)
    text = "import TradingView/ta/11 as t\n[line, signal] = t.specialK(close, 100, 100)\n"
    result = run(script(f'{text}plot(line, "line")\nplot(signal, "signal")\n'), bars, timeframe="60")
    for title, expected in zip(("line", "signal"), formulas.special_k(list(bars.close)), strict=True):
        found = result.plot(title)
        assert [value == value for value in found] == [value == value for value in expected]
        known = [place for place, value in enumerate(expected) if value == value]
        assert [found[place] for place in known] == pytest.approx([expected[place] for place in known])
    assert next(place for place, value in enumerate(result.plot("line")) if value == value) == 724


VOLUMES = """
import TradingView/ta/8 as t
[up, down, delta] = t.requestUpAndDownVolume("15")
[first, most, least, last] = t.requestVolumeDelta("15", "240")
[zero, _, _, alone] = t.requestVolumeDelta("15")
plot(up, "up")
plot(down, "down")
plot(delta, "delta")
plot(first, "first")
plot(most, "most")
plot(least, "least")
plot(last, "last")
plot(zero, "zero")
plot(alone, "alone")
"""
"""The functions that need shorter bars."""


def test_volume_of_shorter_bars_is_split_by_their_direction() -> None:
    """Four bars of 15 minutes are in an hour; the running sum begins again every four hours."""
    chance, shorter = Random(11), Bars()
    price = 100.0
    for number in range(4 * 40):
        begin, price = price, price + chance.choice((-1.0, 0.0, 0.0, 1.0))
        if chance.random() < 0.2:
            begin = price  # it neither rises nor falls: its close against the close before counts
        high, low = max(begin, price), min(begin, price)
        shorter.append(START + number * 15 * MINUTE, begin, high, low, price, float(chance.randrange(1, 99)))
    hours = Bars()
    expected: dict[str, list[float]] = {name: [] for name in re.findall(r"plot\((\w+),", VOLUMES)}
    rises, sum_ = True, 0.0
    for hour in range(40):
        inner = range(4 * hour, 4 * hour + 4)
        bought, sold, differences = 0.0, 0.0, [0.0]
        for k in inner:
            close, open_ = shorter.close[k], shorter.open[k]
            before = shorter.close[k - 1] if k else close
            direction = (close - open_) or (close - before)
            rises = direction > 0 if direction else rises
            bought, sold = bought + shorter.volume[k] * rises, sold - shorter.volume[k] * (not rises)
            differences.append(bought + sold)
        begin = 0.0 if hour % 4 == 0 else sum_
        sum_ = begin + bought + sold
        values = (bought, sold, bought + sold, begin, begin + max(differences), begin + min(differences), sum_)
        for name, value in zip(expected, (*values, 0.0, bought + sold), strict=True):
            expected[name].append(value)
        prices = [shorter.high[k] for k in inner], [shorter.low[k] for k in inner]
        ends = shorter.open[inner[0]], max(prices[0]), min(prices[1]), shorter.close[inner[-1]]
        hours.append(START + hour * HOUR, *ends, math.fsum(shorter.volume[k] for k in inner))
    result = run(
        script(VOLUMES), hours, timeframe="60", others={"SAMPLE": RequestSource(shorter, SymbolInfo(timeframe="15"))}
    )
    assert {output.title for output in result.plots} == set(expected)
    for name, values in expected.items():
        assert result.plot(name) == values, name


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
