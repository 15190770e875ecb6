"""What the kernels give on sources with missing values and on bars that the call skips, against plain definitions."""

import math
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.runtime.library.drive import na, on, run, same

_HOLED = st.lists(st.one_of(st.integers(-9, 9).map(float), st.just(na)), min_size=1, max_size=25)
_LENGTH = st.integers(1, 5)


def _present(values: list[float]) -> list[float]:
    return [value for value in values if value == value]


def _last_present(source: list[float], i: int, n: int) -> list[float] | None:
    window = _present(source[: i + 1])[-n:]
    return window if len(window) == n else None


def _held(f: Callable[[list[float]], float]) -> Callable[[list[float], int, int], float]:
    """A value of the last `n` present values, also on a bar that has none."""

    def at(source: list[float], i: int, n: int) -> float:
        window = _last_present(source, i, n)
        return na if window is None else f(window)

    return at


def _highest(source: list[float], i: int, n: int) -> float:
    """The extreme since the last missing value, within the window, once there are `n` bars."""
    if i < n - 1 or source[i] != source[i]:
        return na
    best = source[i]
    for k in range(i - 1, i - n, -1):
        if source[k] != source[k]:
            break
        best = max(best, source[k])
    return best


def _wma(source: list[float], i: int, n: int) -> float:
    """Missing values repeat the one before; na until there are `n` present ones, and on a missing one."""
    if source[i] != source[i] or len(_present(source[: i + 1])) < n:
        return na
    filled: list[float] = []
    for value in source[: i + 1]:
        filled.append(value if value == value or not filled else filled[-1])
    return sum((k + 1) * value for k, value in enumerate(filled[-n:])) / (n * (n + 1) / 2)


def _bar_counted(f: Callable[[list[float]], float]) -> Callable[[list[float], int, int], float]:
    def at(source: list[float], i: int, n: int) -> float:
        window = source[i - n + 1 : i + 1] if i >= n - 1 else [na]
        return na if any(value != value for value in window) else f(window)

    return at


def _line(window: list[float]) -> float:
    n = len(window)
    if n == 1:
        return na
    mean_x, mean_y = (n - 1) / 2, sum(window) / n
    slope = sum((k - mean_x) * (y - mean_y) for k, y in enumerate(window)) / sum((k - mean_x) ** 2 for k in range(n))
    return mean_y + slope * (n - 1 - mean_x)


def _change(source: list[float], i: int, n: int) -> float:
    return source[i] - source[i - n] if i >= n else na


def _median(window: list[float]) -> float:
    order = sorted(window)
    n = len(order)
    return (order[(n - 1) // 2] + order[n // 2]) / 2


def _percent_rank(source: list[float], i: int, n: int) -> float:
    if i < n:
        return na
    return 100 * sum(value <= source[i] for value in source[i - n : i]) / n


DEFINITIONS: dict[str, Callable[[list[float], int, int], float]] = {
    "A1-sum": _held(sum),
    "E29-sma": _held(lambda window: sum(window) / len(window)),
    "A1-median": _held(_median),
    "A1-mode": _held(lambda window: min(set(window), key=lambda x: (-window.count(x), x))),
    "K3-highest": _highest,
    "K3-lowest": lambda source, i, n: -_highest([-value for value in source], i, n),
    "A1-wma": _wma,
    "range": _held(lambda window: max(window) - min(window)),
    "cog": _bar_counted(lambda w: -sum((k + 1) * x for k, x in enumerate(w[::-1])) / sum(w) if sum(w) else na),
    "A1-linreg": _bar_counted(_line),
    "A1-change": _change,
    "E33-percentrank": _percent_rank,
}
NAMES = {
    "A1-sum": ("math.sum", ()),
    "E29-sma": ("ta.sma", ()),
    "A1-median": ("ta.median", ()),
    "A1-mode": ("ta.mode", ()),
    "K3-highest": ("ta.highest#1", ()),
    "K3-lowest": ("ta.lowest#1", ()),
    "A1-wma": ("ta.wma", ()),
    "range": ("ta.range", ()),
    "cog": ("ta.cog", ()),
    "A1-linreg": ("ta.linreg", (0,)),
    "A1-change": ("ta.change#1", ()),
    "E33-percentrank": ("ta.percentrank", ()),
}


def _close(left: float, right: float) -> bool:
    return same(left, right) or math.isclose(left, right, rel_tol=1e-9, abs_tol=1e-9)


@pytest.mark.parametrize("law", list(DEFINITIONS))
@pytest.mark.parametrize("series_length", [False, True], ids=["known-length", "series-length"])
@settings(max_examples=25)
@given(source=_HOLED, length=_LENGTH)
def test_a_source_with_holes(law: str, series_length: bool, source: list[float], length: int) -> None:
    name, more = NAMES[law]
    values = run(name, source, length, *more, series_length=series_length)
    expected = [DEFINITIONS[law](source, i, length) for i in range(len(source))]
    assert all(map(_close, values, expected)), (values, expected)


@pytest.mark.parametrize("law", ["A1-sum", "A1-median", "A1-mode", "K3-highest", "K3-lowest", "A1-linreg", "A1-change"])
@settings(max_examples=40)
@given(
    rows=st.lists(st.tuples(st.one_of(st.integers(-9, 9).map(float), st.just(na)), _LENGTH), min_size=1, max_size=25)
)
def test_a_length_that_changes(law: str, rows: list[tuple[float, int]]) -> None:
    source, lengths = [row[0] for row in rows], [row[1] for row in rows]
    name, more = NAMES[law]
    values = run(name, source, lengths, *more, series_length=True)
    expected = [DEFINITIONS[law](source, i, lengths[i]) for i in range(len(source))]
    assert all(map(_close, values, expected)), (values, expected)


def test_a1_ema_and_rma_leave_a_missing_value_out() -> None:
    assert same(run("ta.ema", [na, 2.0, 4.0, na, 9.0], 2), [na, na, 3.0, na, 7.0])
    assert same(run("ta.rma", [na, 2.0, 4.0, na, 9.0], 2), [na, na, 3.0, na, 6.0])


def test_a1_a_known_length_reads_the_ring_that_skipped_bars_left() -> None:
    rising = [1000.0 + i for i in range(130)]
    length = 5
    bars = [i for i in range(130) if i not in (100, 106)]
    low = dict(zip(bars, on("ta.lowest#1", bars, rising, length), strict=True))
    stale = 1000.0 + 100 - (length + 1)
    assert [low[i] for i in range(101, 105)] == [stale] * 4  # what bar 94 left in the slot of bar 100
    assert low[105] == 1101.0
    assert [low[i] for i in range(107, 111)] == [stale] * 4  # and again one round later
    assert low[111] == 1107.0


def test_a1_a_slot_that_was_never_written_holds_zero() -> None:
    rising = [50.0 + i for i in range(12)]
    assert on("ta.lowest#1", [3, 4, 7], rising, 4) == [53.0, 53.0, 0.0]
    assert on("ta.linreg", [3], [5.0] * 4, 4, 0)[0] == pytest.approx(_line([0.0, 0.0, 0.0, 5.0]))


def test_a1_a_length_that_may_change_repeats_the_value_before_a_skipped_bar() -> None:
    source = [9.0, 1.0, 5.0, 6.0, 7.0, 8.0]
    bars = [0, 1, 4, 5]
    assert same(on("ta.lowest#1", bars, source, 3, series_length=True), [na, na, 1.0, 1.0])
    assert on("ta.linreg", [0, 1, 4], source, 3, 0, series_length=True)[-1] == pytest.approx(_line([1.0, 1.0, 7.0]))


def test_k3_highestbars_of_a_missing_value_is_zero() -> None:
    assert same(run("ta.highestbars#1", [3.0, 2.0, na, 1.0, 1.0], 2), [na, -1, 0, 0, -1])


def test_a1_the_older_of_equal_extremes_wins() -> None:
    assert run("ta.highestbars#1", [1.0, 7.0, 7.0, 3.0], 3)[2:] == [-1, -2]


def test_k8_percentiles_keep_early_holes_in_front_and_later_ones_behind() -> None:
    source = [na, na, na, -3.0, 5.0, 11.0, 2.0, na, 4.0, 6.0]
    nearest = run("ta.percentile_nearest_rank", source, 3, 60)  # the second of three
    assert same(nearest, [na, na, na, na, -3.0, 5.0, 5.0, 11.0, 4.0, na])
    linear = run("ta.percentile_linear_interpolation", source, 3, 60)
    assert linear[4] == -0.5999999999999994
    assert same(linear[7:10], [na, na, na])


def test_rci_reads_the_ring_and_repeats_itself_on_a_hole() -> None:
    values = run("ta.rci", [na, na, na, 2.0, 8.0, na], 4)
    assert same(values[:4], [na] * 4)
    assert values[4] == pytest.approx(100 * 4.5 / math.sqrt(22.5))  # the window is 0, 0, 2, 8
    assert values[5] == values[4]


def test_stoch_repeats_itself_where_an_argument_is_missing_or_the_range_is_nothing() -> None:
    assert same(run("ta.stoch", [10.0, 12.0, 10.0], [10.0, 18.0, 10.0], [10.0] * 3, 1), [na, 25.0, 25.0])
    high = [20.0, 21.0, 22.0, na, 20.0, 21.0]
    values = run("ta.stoch", [11.0, 12.0, 13.0, 14.0, 12.0, 13.0], high, [1.0] * 6, 3)
    assert values[3] == values[2] == 100 * 12 / 21
    assert values[4:] == [100 * 11 / 19, 100 * 12 / 20]  # the highest since the hole


def test_tsi_takes_the_change_from_the_bar_before() -> None:
    source = [7.0, na, 11.0, na, 18.0, 9.0, 10.0, 14.0, 7.0]
    values = run("ta.tsi", source, 2, 3)
    change, size = [-9.0, 1.0, 4.0, -7.0], [9.0, 1.0, 4.0, 7.0]

    def twice(steps: list[float]) -> float:
        first = sum(steps[:3]) / 3
        return (first + first + (steps[3] - first) / 2) / 2

    assert same(values[:8], [na] * 8)
    assert values[8] == pytest.approx(twice(change) / twice(size))


def test_correlation_sums_each_source_over_its_own_present_values() -> None:
    left, right = [3.0, na, 1.0, 8.0, na, 7.0, 4.0], [10.0, 2.0, na, -3.0, 8.0, na, 15.0]
    x, y, both = [8.0, 7.0, 4.0], [-3.0, 8.0, 15.0], [30.0, -24.0, 60.0]

    def mean(values: list[float]) -> float:
        return sum(values) / 3

    spread = [mean([v * v for v in values]) - mean(values) ** 2 for values in (x, y)]
    expected = (mean(both) - mean(x) * mean(y)) / math.sqrt(spread[0] * spread[1])
    assert run("ta.correlation", left, right, 3)[6] == pytest.approx(expected)
    assert expected < -1


def test_pivots_do_not_count_missing_neighbours() -> None:
    assert same(run("ta.pivothigh#1", [1.0, 2.0, na, 4.0, 1.0], 1, 1), [na, na, 2.0, na, 4.0])
    assert same(run("ta.pivothigh#1", [1.0, 9.0, 9.0, 4.0], 1, 1), [na, na, na, 9.0])
    assert same(run("ta.pivotlow#1", [3.0, 1.0, 1.0, 4.0], 1, 1), [na, na, na, 1.0])


def test_k10_cum_of_a_hole_is_na_and_goes_on_behind_it() -> None:
    assert same(run("ta.cum", [2.0, -3.0, na, 5.0]), [2.0, -1.0, na, 4.0])


def test_k4_the_first_change_counts_as_inflow_and_outflow() -> None:
    assert run("ta.mfi", [10.0, 11.0], 2, read={"volume": [2.0, 3.0]})[1] == 100 - 100 / (1 + 53 / 20)


def test_k5_wad_begins_with_zero() -> None:
    columns = {"high": [2.0, 3.0], "low": [1.0, 1.5], "close": [1.5, 2.5]}
    assert run("ta.wad", read=columns) == [0.0, 1.0]


def test_a_valuewhen_with_a_missing_source_is_an_occurrence() -> None:
    condition, source = [True, False, True, False], [na, 1.0, 5.0, 6.0]
    assert same(run("ta.valuewhen#2", condition, source, 0), [na, na, 5.0, 5.0])
    assert same(run("ta.valuewhen#2", condition, source, 1), [na, na, na, na])
    assert run("ta.valuewhen#3", [False, True], [True, True], 0) == [False, True]
    assert run("ta.valuewhen#0", [False, True], [1, 2], 0) == [None, 2]


def test_f_volume_that_is_missing_on_every_bar_gives_na() -> None:
    flat = [5.0, 6.0, 7.0]
    columns = dict.fromkeys(("open", "high", "low", "close"), flat) | {"volume": [na] * 3}
    for name in ("ta.obv", "ta.pvt", "ta.accdist", "ta.iii", "ta.wvad"):
        assert same(run(name, read=columns), [na] * 3), name


def test_f_a_bar_without_range_gives_na_for_iii_and_wvad_only_there() -> None:
    columns = {"open": [1.0, 1.0], "high": [1.0, 3.0], "low": [1.0, 1.0], "close": [1.0, 3.0], "volume": [5.0, 5.0]}
    assert same(run("ta.iii", read=columns), [na, 0.2])
    assert same(run("ta.wvad", read=columns), [na, 5.0])


def test_sar_called_on_some_bars_only_never_begins() -> None:
    high, low = [float(i % 7 + i) for i in range(30)], [float(i % 7 + i - 3) for i in range(30)]
    skipping = [i for i in range(30) if i != 0]
    assert all(value != value for value in on("ta.sar", skipping, 0.02, 0.02, 0.2, high, low))
    assert all(value == value for value in on("ta.sar", list(range(30)), 0.02, 0.02, 0.2, high, low)[1:])
