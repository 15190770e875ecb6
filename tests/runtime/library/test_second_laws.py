"""What the second book of recorded laws says of `ta.*`, of matrices and of numbers, with its own figures."""

import decimal
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinebench.market.bars import Bars
from pinebench.runtime.library import FUNCTIONS
from pinebench.runtime.library.collections import Matrix
from pinebench.runtime.library.trend import pivot_levels
from pinebench.runtime.report import report
from tests.runtime import slowly
from tests.runtime.library.drive import na, run, same
from tests.runtime.running import run as run_script

_HOLED = st.lists(st.one_of(st.integers(-9, 9).map(float), st.just(na)), min_size=1, max_size=30)


def matrix(name: str, rows: list[list[float]], *more: Any) -> Any:
    return FUNCTIONS[f"matrix.{name}"](Matrix([list(row) for row in rows]), *more)


# ta.percentile_linear_interpolation


def test_ta_percentile_linear_interpolation_reads_both_neighbours_in_this_form() -> None:
    assert run("ta.percentile_linear_interpolation", [na, -3.0, 5.0], 3, 60)[2] == -0.5999999999999994
    assert run("ta.percentile_linear_interpolation", [-3.0, 5.0, 11.0], 3, 60)[2] == 6.800000000000001
    # 4 · 37.5 / 100 - 0.5 is exactly 1: the second value, which is na where its neighbour is.
    assert run("ta.percentile_linear_interpolation", [1.0, 2.0, 3.0, 4.0], 4, 37.5)[3] == 2
    assert same(run("ta.percentile_linear_interpolation", [1.0, 2.0, na, na], 4, 37.5)[3], na)


def test_both_percentiles_keep_a_sorted_window_with_holes() -> None:
    source = [na, na, na, -3.0, 5.0, 11.0, 1.0, 7.0, 2.0, 9.0, na, -3.0, 5.0, 11.0]
    nearest = [na, na, na, na, -3.0, 5.0, 5.0, 7.0, 2.0, 7.0, 9.0, 9.0, 5.0, 5.0]
    assert same(run("ta.percentile_nearest_rank", source, 3, 60), nearest)
    linear = [6.800000000000001, 6.800000000000001, 8.2, 3.5000000000000004, 7.6, na, na, na, 6.800000000000001]
    assert same(run("ta.percentile_linear_interpolation", source, 3, 60)[5:], linear)
    # 4 comes behind the hole of [1 2 3 na], which is then read in [2 3 na 4]; in [2 3 9 na] it stops before the 9.
    assert same(run("ta.percentile_nearest_rank", [1.0, 2.0, 3.0, na, 4.0], 4, 75), [na, na, na, 3.0, na])
    assert same(run("ta.percentile_nearest_rank", [9.0, 2.0, 3.0, na, 4.0], 4, 75), [na, na, na, 9.0, 4.0])


@pytest.mark.parametrize("name", ["ta.percentile_linear_interpolation", "ta.percentile_nearest_rank"])
@given(source=_HOLED, length=st.integers(1, 6), percentage=st.sampled_from([0, 10, 37.5, 50, 75, 99, 100]))
def test_percentiles_of_any_holes_are_those_of_a_window_scanned_from_the_left(
    name: str, source: list[float], length: int, percentage: float
) -> None:
    slow = slowly.KERNELS[name](False)
    expected = [slow(i, value, length, percentage) for i, value in enumerate(source)]
    assert same(run(name, source, length, percentage), expected)


# the other kernels


def test_ta_vwap_without_an_anchor_begins_with_the_chart_and_with_each_day() -> None:
    closes = [85928.01, 85766.87, 85902.01, 85668.92, 85537.93, 85540.01, 84391.56, 83868.41, 84150.39]
    volumes = [467.3231, 363.74482, 560.80792, 452.9328, 331.14617, 264.81787, 1034.4057, 2203.47934, 616.12594]
    hours = [22, 23, 24, 25, 26, 48, 49, 50, 51]  # since the midnight of UTC before the first bar
    times = [1791158400000 + hour * 3_600_000 for hour in hours]
    bars = Bars(times, closes, closes, closes, closes, volumes)
    source = 'plot(ta.vwap(close))\nplot(nz(ta.vwap(close, timeframe.change("1D")), -1))'
    omitted, explicit = (plot.values for plot in run_script(source, bars, timeframe="60").plots)
    first_day = [85902.01, 85797.86689489515, 85733.86366322842]
    second_day = [85540.01, 84625.64602631917, 84149.28420450026, 84149.44961785356]
    assert omitted == [85928.01, 85857.4816606378, *first_day, *second_day]
    assert explicit == [-1, -1, *first_day, *second_day]


def test_ta_percentrank_of_an_na_is_0() -> None:
    assert same(run("ta.percentrank", [1.0, 2.0, na, 3.0, na], 2), [na, na, 0.0, 50.0, 0.0])


def test_ta_range_skips_na_as_ta_median_does() -> None:
    assert same(run("ta.range", [3.0, 9.0, na, 4.0, na, na, 5.0], 3), [na, na, na, 6.0, 6.0, 6.0, 5.0])
    assert run("ta.range", [7.0, na, 2.0], 1) == [0.0, 0.0, 0.0]


def test_ta_cog_does_not_skip_na() -> None:
    values = run("ta.cog", [float(k + 1) for k in range(4)] + [na] + [float(k + 1) for k in range(7)], 5)
    assert [i for i, value in enumerate(values) if value == value] == [9, 10, 11]
    assert values[9] == -(5 + 2 * 4 + 3 * 3 + 4 * 2 + 5 * 1) / 15
    two = run("ta.cog", [2.0, na, na, 4.0, 6.0], 2)
    assert same(two, [na, na, na, na, -(6 + 2 * 4) / 10])


@pytest.mark.parametrize("series_length", [False, True])
def test_ta_linreg_of_one_bar_is_na(series_length: bool) -> None:
    assert same(run("ta.linreg", [5.0, 6.0, 7.0], 1, 0, series_length=series_length), [na] * 3)
    assert run("ta.linreg", [5.0, 6.0, 8.0], 2, 0, series_length=series_length)[1:] == [6.0, 8.0]
    assert run_script("plot(nz(ta.linreg(close, 1, 0), -1))").plots[0].values == [-1] * 5


def test_ta_swma_adds_the_newest_first_and_divides_once() -> None:
    a, b, c, d = 79511.46, 78788.29, 78304.92, 77958.37
    value = run("ta.swma", [a, b, c, d])[3]
    assert value == (d + 2 * c + 2 * b + a) / 6
    assert value != a * 1 / 6 + b * 2 / 6 + c * 2 / 6 + d * 1 / 6
    assert same(run("ta.swma", [1.0, na, 1.0, 1.0, 1.0, 1.0]), [na, na, na, na, na, 1.0])


def test_ta_supertrend_takes_its_factor_from_the_first_bar() -> None:
    closes = [100 + 7 * math.sin(k) + k % 5 for k in range(50)]
    bars = {"high": [x + 2 for x in closes], "low": [x - 2 for x in closes], "close": closes, "close[1]": [na, *closes]}
    bars["close[1]"].pop()
    alternating = run("ta.supertrend", [float(2 + k % 2) for k in range(50)], 3, read=bars)
    assert same(alternating, run("ta.supertrend", 2.0, 3, read=bars))
    other = run("ta.supertrend", [float(3 - k % 2) for k in range(50)], 3, read=bars)
    assert same(other, run("ta.supertrend", 3.0, 3, read=bars))
    assert not same(alternating, other)


def test_ta_pivot_point_levels_subtracts_in_the_bracket_first() -> None:
    high, low, close = 78304.92, 77650.13, 77958.37
    levels = pivot_levels("Traditional", 77700.0, high, low, close, 77960.0)
    pivot = (high + low + close) / 3
    assert levels[5] == 2 * pivot + (high - 2 * low)
    assert levels[7] == 3 * pivot + (high - 3 * low)
    assert levels[9] == 4 * pivot + (high - 4 * low)
    assert levels[8] == 3 * pivot - (3 * high - low)


# matrices


def test_matrix_eigenvalues_and_vectors_are_those_of_commons_math() -> None:
    assert matrix("eigenvalues", [[2, 4], [6, 8]]).items == [-0.7445626465380285, 10.744562646538029]
    assert matrix("eigenvectors", [[2, 4], [6, 8]]).rows == [
        [-0.8245648401323937, -0.42222915041526043],
        [0.5657674649689923, -0.9230523142501933],
    ]
    assert matrix("eigenvectors", [[1, 2, 0], [2, 1, 0], [0, 0, 2]]).rows == [
        [0.7071067811865476, 0.0, 0.7071067811865474],
        [0.7071067811865474, 0.0, -0.7071067811865476],
        [0.0, 1.0, 0.0],
    ]
    assert matrix("eigenvectors", [[5]]).rows == [[1]]


def test_matrix_eigenvalues_of_a_symmetric_matrix_go_down() -> None:
    n = 16
    rows = [[float(abs(i - j) == 1) for j in range(n)] for i in range(n)]
    for i in range(n):
        rows[i][i] = abs(2 * i - n + 1) + 1.0
    values = matrix("eigenvalues", rows).items
    total = 0.0
    for value in values:
        total += value
    assert (values[0], values[-1], total) == (16.450870974313027, 0.6801849878457795, 144.00000000000003)
    assert values == sorted(values, reverse=True)
    assert matrix("eigenvalues", [[1e-12, 0], [0, 2e-12]]).items == [2e-12, 1e-12]


def test_matrix_eigenvalues_of_another_matrix_are_in_schurs_order_and_complex_ones_give_their_real_part() -> None:
    assert matrix("eigenvalues", [[1, 2, 3], [0, 3, 4], [0, 0, 5]]).items == [1, 3, 5]
    assert matrix("eigenvalues", [[1, 1, 0], [0, 1, 1], [0, 0, 1]]).items == [1, 1, 1]
    assert matrix("eigenvalues", [[0, -1, 0], [1, 0, 0], [0, 0, 1]]).items == [0, 0, 1]
    assert matrix("eigenvalues", [[3, -2], [2, 3]]).items == [3, 3]


_SQUARE = st.integers(1, 6).flatmap(
    lambda n: st.lists(st.lists(st.integers(-9, 9).map(float), min_size=n, max_size=n), min_size=n, max_size=n)
)


@given(_SQUARE)
def test_matrix_eigenvalues_of_any_matrix_add_up_to_its_trace(rows: list[list[float]]) -> None:
    values = matrix("eigenvalues", rows).items
    assert math.isclose(math.fsum(values), sum(row[i] for i, row in enumerate(rows)), abs_tol=1e-6)
    squares = math.fsum(row[k] * rows[k][i] for i, row in enumerate(rows) for k in range(len(rows)))
    # The squares of complex pairs are below the square of their real part, so the sum is at least the trace.
    assert math.fsum(value * value for value in values) >= squares - 1e-5


def test_matrix_pinv_drops_singular_values_that_are_negligible_beside_the_largest() -> None:
    assert matrix("pinv", [[1, 0], [0, 1e-15]]).rows[1][1] == 999999999999999.9
    assert matrix("pinv", [[1, 0], [0, 1e-16]]).rows[1][1] == 0
    assert matrix("pinv", [[1e6, 0], [0, 1e-9]]).rows[1][1] == pytest.approx(1e9)
    assert matrix("pinv", [[1e6, 0], [0, 1e-10]]).rows[1][1] == 0
    halves = matrix("pinv", [[1, 2], [2, 4]]).rows
    assert [round(value, 15) for row in halves for value in row] == [0.04, 0.08, 0.08, 0.16]


def test_matrix_inv_and_pinv_of_a_regular_matrix_are_an_lu_solution() -> None:
    for rows, first in (([[6.0, 1.0], [1.0, 2.0]], 2 / 11), ([[7.0, 1.0], [3.0, 2.0]], 2 / 11)):
        (a, b), (c, d) = rows
        factor = c / a
        second = -factor / (d - factor * b)
        for name in ("inv", "pinv"):
            assert matrix(name, rows).rows[0][0] == (0 - b * second + 1) / a
            assert matrix(name, rows).rows[0][0] == pytest.approx(first)
    assert matrix("inv", [[0, 2], [4, 0]]).rows == [[0, 0.25], [0.5, 0]]
    assert matrix("det", [[0, 2, 3], [4, 5, 6], [7, 8, 10]]) == -4.999999999999995


def test_matrix_is_stochastic_looks_at_rows_only() -> None:
    assert matrix("is_stochastic", [[0.2, 0.8], [0.4, 0.6]])
    assert not matrix("is_stochastic", [[0.2, 0.4], [0.8, 0.6]])
    assert matrix("is_stochastic", [[0.5, 0.5]]) and not matrix("is_stochastic", [[0.5], [0.5]])


@pytest.mark.parametrize("small", [0.0, 1e-15, 9.999999999999999e-11, 1e-10])
def test_matrix_predicates_tolerate_1e_10(small: float) -> None:
    assert matrix("is_zero", [[small, -small]])
    assert matrix("is_identity", [[1, small], [0, 1]]) and matrix("is_diagonal", [[1, small], [0, 1]])
    assert matrix("is_symmetric", [[1, small], [0, 1]]) and matrix("is_antidiagonal", [[small, 1], [1, 0]])
    assert matrix("is_triangular", [[1, small], [5, 1]]) and not matrix("is_antisymmetric", [[small, 1], [1, 0]])


@pytest.mark.parametrize("more", [1.0000000000000002e-10, 1e-9])
def test_matrix_predicates_tolerate_no_more(more: float) -> None:
    assert not matrix("is_zero", [[more]])
    assert not matrix("is_identity", [[1, more], [0, 1]]) and not matrix("is_diagonal", [[1, more], [0, 1]])
    assert not matrix("is_symmetric", [[1, more], [0, 1]]) and not matrix("is_antidiagonal", [[more, 1], [1, 0]])


def test_matrix_is_binary_tolerates_1e_10() -> None:
    assert matrix("is_binary", [[1 + 1e-15, 1 - 1e-15, 1e-10, 0]])
    assert not matrix("is_binary", [[1.0000000001]]) and not matrix("is_binary", [[0.9999999998]])
    assert not matrix("is_binary", [[0.5]])


# numbers


def test_math_log10_is_correctly_rounded() -> None:
    assert FUNCTIONS["math.log10"](1.75) == 0.24303804868629444
    assert [FUNCTIONS["math.log10"](10.0**k) for k in range(-5, 23)] == list(range(-5, 23))
    assert run_script("plot(math.log10(close + 0.75))", [1.0]).plots[0].values == [0.24303804868629444]


@given(st.one_of(st.floats(5e-324, 1e308), st.floats(0.9, 1.1), st.integers(1, 10**6).map(float)))
def test_math_log10_of_anything_is_the_nearest_double(number: float) -> None:
    with decimal.localcontext(decimal.Context(prec=80)):
        assert FUNCTIONS["math.log10"](number) == float(decimal.Decimal(number).log10())


def test_a_plot_from_1e100_on_shows_nothing_though_it_is_not_na() -> None:
    source = (
        "x = math.pow(10, 98 + bar_index)\nplot(x)\nplot(-x)\nplot(9.999999e99 * close)\nplot(na(x) ? 1 : 0)\n"
        "plot(math.exp(709 + bar_index))\nplot(math.exp(-1000 * close))"
    )
    told = report(run_script(source, [1.0, 1.0, 1.0]))["plots"]
    great = math.pow(10, 99)
    assert [plot["values"] for plot in told] == [
        [1e98, great, None],
        [-1e98, -great, None],
        [9.999999e99] * 3,
        [0, 0, 0],
        [None] * 3,
        [0] * 3,
    ]


def test_math_rphi_is_as_recorded() -> None:
    assert run_script("plot(math.rphi)", [1.0]).plots[0].values == [0.6180339887498948]
