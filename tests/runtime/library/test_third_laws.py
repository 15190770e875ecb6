"""Values of built-ins that TradingView gave and that were recorded after the second book of laws."""

import math
from typing import Any

import pytest

from pinebench.market.bars import SymbolInfo
from pinebench.runtime.chart import Chart, fixed
from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.library import FUNCTIONS, KERNELS
from pinebench.runtime.library.collections import Array, Matrix
from pinebench.runtime.library.numerals import ticks
from pinebench.runtime.library.times import hour, timestamp_in
from tests.runtime.library.drive import na, run, same
from tests.runtime.running import bars_of


def array(name: str, items: list[float], *more: float) -> Any:
    return FUNCTIONS[f"array.{name}"](Array(items), *more)


def matrix(name: str, rows: list[list[float]]) -> Any:
    return FUNCTIONS[f"matrix.{name}"](Matrix(rows))


def test_ta_cross_compares_exactly() -> None:
    # Equal sources keep the side, and 5e-11 below is below.
    source = [1.0, 1.0, 2.0, 1.0, 1 - 5e-11, 2.0, 0.5, 1.0, 1.0, 2.0, na, 0.0]
    crossed = [0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1]
    assert list(map(int, run("ta.cross", source, 1.0))) == crossed


def test_ta_vwap_is_na_from_an_na_source_to_the_next_anchor() -> None:
    anchors = [False, True, False, False, False, True]
    found = run("ta.vwap#0", [5.0, 10.0, 20.0, na, 20.0, 8.0], anchors, read={"volume": [1.0, 1, 3, 1, 1, 2]})
    assert same(found, [na, 10.0, 17.5, na, na, 8.0])


@pytest.mark.parametrize(
    ("rows", "determinant"),
    [
        ([[1e-11, 0, 0], [0, 1e-11, 0], [0, 0, 1e-11]], 9.999999999999999e-34),
        ([[1, 1], [1, 1 + 1e-12]], 0),
        ([[1, 2, 3], [4, 5, 6], [7, 8, 9]], 0),
        ([[1e-12]], 0),
        ([[0.1, 0.2], [0.3, 0.4]], -0.019999999999999993),
        ([[0.1, 0.7, 0.3], [0.9, 0.2, 0.5], [0.4, 0.8, 0.6]], -0.07399999999999997),
    ],
)
def test_a_matrix_with_a_pivot_below_1e_11_is_singular(rows: list[list[float]], determinant: float) -> None:
    assert matrix("det", rows) == determinant
    inverse = matrix("inv", rows).rows
    assert all(same(value, na) for row in inverse for value in row) == (determinant == 0)


def test_array_percentrank_compares_exactly() -> None:
    assert array("percentrank", [1, 1 + 5e-11], 0) == 0
    assert array("percentrank", [1 + 5e-11, 1], 0) == 100


def test_a_rank_outside_an_array_stops_array_max_and_array_min() -> None:
    assert array("max", [3, 1, 4, 1, 5, na, 9], 6) == 1
    assert same(array("max", [], 0), na)
    for name, rank in (("max", -1), ("min", 4)):
        words = rf"'array.{name}\(\)' function. Index {rank} is out of bounds, array size is 4"
        with pytest.raises(RuntimeFault, match=words):
            array(name, [30, na, 10, na], rank)


_INFINITE = [1.0, 2.0, 3.0, 4.0, math.inf, -math.inf, 7.0, 8.0]


@pytest.mark.parametrize("at_once", [False, True])
def test_an_infinite_value_is_skipped_as_na_is(at_once: bool) -> None:
    def values(name: str, source: list[float], *more: Any) -> list[Any]:
        return KERNELS[name](False).column(8, [source, 3, *more]) if at_once else run(name, source, 3, *more)

    assert same(values("math.sum", _INFINITE), [na, na, 6.0, 9.0, 9.0, 9.0, 14.0, 19.0])
    missing = [value if math.isfinite(value) else na for value in _INFINITE]
    for name, *more in (("ta.sma",), ("ta.variance", True), ("ta.stdev", True), ("ta.ema",), ("ta.rma",)):
        assert same(values(name, _INFINITE, *more), values(name, missing, *more)), name
        assert values(name, missing, *more)[-1] > 0


def test_an_na_bar_moves_the_sum_to_its_length() -> None:
    # Daily closes of BTCUSD with an na bar every 9 bars; the length is 3 on the na bars, and 6 on the others.
    closes = [10.9, 11.69, 11.7, 11.7, na, 10.5, 10, 8, 8.22, 8.88, 8.89, 8, 8.5, na, 5.97, 5.53, 5.13, 4.85, 4.87]
    found = run("math.sum", closes, [3 if i % 9 == 4 else 6 for i in range(19)], series_length=True)
    expected = [na, na, na, na, 35.089999999999996, na, 66.49, 63.589999999999996, 60.12, 57.3, 54.49]
    expected += [51.989999999999995, 50.489999999999995, 25.389999999999993, 48.459999999999994, 45.76999999999999]
    assert same(found, [*expected, 42.019999999999996, 37.97999999999999, 34.84999999999999])


@pytest.mark.parametrize(
    ("zone", "wall", "utc"),
    [
        ("America/New_York", (2024, 11, 3, 1, 30), (2024, 11, 3, 6, 30)),
        ("Europe/Paris", (2024, 10, 27, 2, 30), (2024, 10, 27, 1, 30)),
        ("Australia/Sydney", (2024, 4, 7, 2, 30), (2024, 4, 6, 16, 30)),
        ("America/New_York", (2024, 11, 3, 0, 59), (2024, 11, 3, 4, 59)),
        ("America/New_York", (2024, 3, 10, 2, 30), (2024, 3, 10, 7, 30)),
        ("Europe/Paris", (2024, 3, 31, 2, 30), (2024, 3, 31, 1, 30)),
    ],
)
def test_a_repeated_time_is_the_later_one_and_a_missing_one_is_after_the_gap(
    zone: str, wall: tuple[int, ...], utc: tuple[int, ...]
) -> None:
    assert timestamp_in(zone, *wall) == timestamp_in("UTC", *utc)


def test_zones_are_read_as_recorded() -> None:
    moment = timestamp_in("UTC", 2024, 1, 2, 14, 30)
    hours = {"UTC+15": 5, "GMT-18": 20, "US/Eastern": 9, "EST5EDT": 9, "GMT+05:30:00": 20, "GMT+530": 20}
    assert {zone: hour(moment, zone) for zone in hours} == hours
    for zone in ("GMT+18:01", "UTC+5:75", "UTC+5:30:15", "UTC+5:3", "utc+2", "EST", "MST", "HST"):
        with pytest.raises(RuntimeFault, match="Invalid time zone"):
            hour(moment, zone)


_HOLES = [1.0, 2, 7, 4, na, 9, 3, 2, 8, na, 9, 6, 1, na, 0, 3, 6, na, 4, 3, 2, na, na, 6, 8, 7, 2, 1, 10, na, 9, 5]
_PIVOTS = {
    ("high", 2): {0: 9, 4: 7, 7: 9, 10: 8, 12: 9, 18: 6, 20: 4, 26: 8, 30: 10},
    ("low", 2): {2: 1, 9: 2, 14: 1, 16: 0, 22: 2, 25: 6, 29: 1},
    ("high", 1): {3: 7, 6: 9, 9: 8, 11: 9, 17: 6, 19: 4, 25: 8, 29: 10, 31: 9},
    ("high", 3): {1: 9, 5: 7, 8: 9, 13: 9, 19: 6, 21: 4, 27: 8, 31: 10},
    ("low", 3): {3: 1, 10: 2, 15: 1, 17: 0, 23: 2, 30: 1},
}
"""A series of 32 bars that repeats, and the pivots in it by the bar on which they are known."""


@pytest.mark.parametrize(("side", "reach"), _PIVOTS)
@pytest.mark.parametrize("at_once", [False, True])
def test_pivots_stop_at_an_na_value(side: str, reach: int, at_once: bool) -> None:
    source, name = _HOLES * 3, f"ta.pivot{side}#0"
    found = (KERNELS[name](False).column(96, [source, reach, reach]) if at_once else run(name, source, reach, reach))[
        64:
    ]
    assert {k: value for k, value in enumerate(found) if value == value} == _PIVOTS[side, reach]


_TEXTS = {
    0.02: {0.005: "0.02", 0.01: "0.02", -0.01: "0.00", -0.03: "-0.02", 0.025: "0.04", 0.145: "0.14"},
    0.05: {0.075: "0.10", -0.075: "-0.10"},
    0.00005: {0.000225: "0.00020"},
    0.25: {0.125: "0.25", -0.125: "-0.25"},
    0.5: {0.25: "0.5"},
    0.01: {140.355: "140.35", 33.635: "33.63", 280.905: "280.90", 1.125: "1.13", -1.125: "-1.13"},
    1.0: {6.5: "7"},
    1 / 32: {0.046875: "0.1", 0.0390625: "0.0", 25.25: "25.2", 25.265625: "25.3", -0.015625: "-0.0", 16.0: "16.0"},
}
"""The texts of numbers in `format.mintick`, by tick."""


@pytest.mark.parametrize("tick", _TEXTS)
def test_a_text_in_ticks_rounds_to_the_price_scale_first(tick: float) -> None:
    assert {value: ticks(value, tick) for value in _TEXTS[tick]} == _TEXTS[tick]


@pytest.mark.parametrize(
    ("tick", "ratio"),
    [(0.05, (5, 100)), (1 / 32, (1, 32)), (1 / 256, (1, 256)), (0.25, (25, 100)), (1e-10, (1, 10**10))],
)
def test_the_price_scale_of_a_tick(tick: float, ratio: tuple[int, int]) -> None:
    chart = Chart(bars_of([1.0]), SymbolInfo("A", mintick=tick))
    assert (fixed(chart, "syminfo.minmove"), fixed(chart, "syminfo.pricescale")) == ratio


def test_cum_passes_over_an_infinite_value() -> None:
    assert same(run("ta.cum", [1.0, math.inf, 2.0]), [1.0, na, 3.0])


_TINY = [5e-11, 2e-10, 1.2e-10, 5e-11]
_CANCELLING = [
    *(0.36699729486023464, 0.44995491433723744, 0.09467989179440549, -0.38773669972948793, -0.355275022542832),
    *(-3.2110009017132635, -3.019837691614077, 0.2863663425282791, 0.24568366739432423, 0.19626910101210535),
    *(0.1543957134352049, -0.22603691208573165, 0.02520341337566942, 0.0930740226235364, 0.36753883892068684),
    *(0.4569364949577542, 0.4418097574270917, 0.8167151547209731, 0.8394604601957156, 0.7892092039143084),
    0.41507798960138753,
]
"""The third partial sum of weighted values is 1.55, and the fourth value takes 1.55 from it."""


@pytest.mark.parametrize(
    ("source", "length", "expected"),
    [
        (_CANCELLING, 21, [*[na] * 20, 0.17483288638087427]),
        ([1, -0.4999999999001], 2, [na, 0]),
        ([1, -0.4999999999], 2, [na, 6.66666721826914e-11]),
        (_TINY, 1, [0, 2e-10, 1.2e-10, 0]),
        (_TINY, 2, [na, 1.3333333333333334e-10, 1.4666666666666668e-10, 7.333333333333334e-11]),
    ],
)
@pytest.mark.parametrize("at_once", [False, True])
def test_what_is_left_of_a_cancelled_partial_sum_of_ta_wma_is_0(
    source: list[float], length: int, expected: list[float], at_once: bool
) -> None:
    if at_once:
        pytest.importorskip("numpy")
    kernel = KERNELS["ta.wma"](False)
    found = kernel.column(len(source), [source, length]) if at_once else run("ta.wma", source, length)
    assert same(found, expected)


def test_the_correlation_with_a_constant_is_0() -> None:
    closes = [10.9, 11.69, 11.7, 11.7, 11.7, 10.5, 10, 8, 8.22, 8.88, 8.89, 8]
    for sources in (([3.0] * 12, closes), (closes, [3.0] * 12)):
        assert same(run("ta.correlation", *sources, 5), [na] * 4 + [0.0] * 8)
    found = run("ta.correlation", closes, list(map(float, range(12))), 5)
    expected = [0.7137040886636794, -0.7026551693464506, -0.8939203854869304, -0.9432204431993946]
    expected += [-0.9551599687176915, -0.724514214163929, -0.2717834693207106, 0.2335643468140462]
    assert same(found, [na] * 4 + expected)
