"""The second book of recorded laws: which test holds each of them, and those that no other file holds.

`HELD` has the laws by their headings. A law's own figures stand in its tests, and a case beside them that was reasoned.
"""

from __future__ import annotations

import importlib

import pytest

from pinebench.checker import open_program
from pinebench.market.bars import SymbolInfo
from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.requests import RequestSource
from tests.runtime.library.drive import na, run, same
from tests.runtime.running import bars_of, values
from tests.runtime.running import run as run_script
from tests.tables import each

_SECOND = "tests.runtime.library.test_second_laws"
_HOLES = "tests.runtime.library.test_holes"
_COMPILED = "tests.checker.test_recorded_compile_laws"
_DRAWN = "tests.runtime.test_drawings"
_OWN = "tests.runtime.test_second_book"
HELD = {
    "ta.percentile_linear_interpolation": (
        _SECOND,
        "test_ta_percentile_linear_interpolation_reads_both_neighbours_in_this_form",
    ),
    "percentiles keep a sorted window": (_SECOND, "test_both_percentiles_keep_a_sorted_window_with_holes"),
    "percentiles with any holes": (
        _SECOND,
        "test_percentiles_of_any_holes_are_those_of_a_window_scanned_from_the_left",
    ),
    "ta.percentrank of an na": (_SECOND, "test_ta_percentrank_of_an_na_is_0"),
    "ta.percentrank of ties": (_OWN, "test_ta_percentrank_counts_ties_as_below"),
    "ta.range": (_SECOND, "test_ta_range_skips_na_as_ta_median_does"),
    "ta.cog": (_SECOND, "test_ta_cog_does_not_skip_na"),
    "ta.linreg of one bar": (_SECOND, "test_ta_linreg_of_one_bar_is_na"),
    "ta.linreg of a changing length": (_OWN, "test_ta_linreg_reads_as_many_bars_as_its_length_says_now"),
    "ta.swma": (_SECOND, "test_ta_swma_adds_the_newest_first_and_divides_once"),
    "ta.supertrend": (_SECOND, "test_ta_supertrend_takes_its_factor_from_the_first_bar"),
    "ta.correlation": (_HOLES, "test_correlation_sums_each_source_over_its_own_present_values"),
    "ta.rci": (_HOLES, "test_rci_reads_the_ring_and_repeats_itself_on_a_hole"),
    "ta.pivothigh and pivotlow": (_HOLES, "test_pivots_do_not_count_missing_neighbours"),
    "ta.pivothigh beside a hole": (_OWN, "test_a_candidate_counts_whose_right_neighbour_is_missing"),
    "ta.pivothigh of no bars": (_OWN, "test_ta_pivothigh_of_no_neighbours_is_the_source"),
    "ta.stoch": (_HOLES, "test_stoch_repeats_itself_where_an_argument_is_missing_or_the_range_is_nothing"),
    "ta.highest and lowest": (_HOLES, "test_a_source_with_holes"),
    "ta.highestbars on an na": (_HOLES, "test_k3_highestbars_of_a_missing_value_is_zero"),
    "ta.highestbars of equal extremes": (_HOLES, "test_a1_the_older_of_equal_extremes_wins"),
    "ta.falling and rising": (_OWN, "test_ta_falling_and_rising_are_false_where_a_step_touches_a_hole"),
    "ta.cum": (_HOLES, "test_k10_cum_of_a_hole_is_na_and_goes_on_behind_it"),
    "ta.valuewhen and fixnan": (_HOLES, "test_a_valuewhen_with_a_missing_source_is_an_occurrence"),
    "ta.kc": (_OWN, "test_the_bands_of_ta_kc_by_true_range_begin_a_bar_after_its_basis"),
    "ta.vwap without a multiplier on a bar": (_OWN, "test_ta_vwap_lacks_its_bands_only_where_the_multiplier_is_na"),
    "without volume": ("tests.runtime.test_laws", "test_law_f_without_volume_what_weighs_by_it_is_na"),
    "ta.pivot_point_levels": (_SECOND, "test_ta_pivot_point_levels_subtracts_in_the_bracket_first"),
    "averages on an na": (_OWN, "test_on_a_hole_ta_sma_and_bbw_hold_their_value_and_others_have_none"),
    "ta.tsi, bbw and cmo of a constant": (_OWN, "test_what_would_be_divided_by_nothing_is_na"),
    "ta.stdev of tiny steps": (_OWN, "test_ta_stdev_of_tiny_steps_comes_from_the_moments"),
    "g[k] in a function": (
        "tests.runtime.test_histories",
        "test_one_slot_for_each_bar_of_the_chart_holds_the_last_call",
    ),
    "g[k] at each call site": ("tests.runtime.test_histories", "test_each_call_site_has_a_history_of_its_own"),
    "g[k] in nested calls": ("tests.runtime.test_histories", "test_a_nested_call_has_a_history_of_its_own"),
    "g[k] that the body skips": ("tests.runtime.test_histories", "test_a_call_that_skips_the_read_is_recorded"),
    "prices in a function": ("tests.runtime.test_histories", "test_a_function_reads_the_chart_s_prices"),
    "strategy() of version 6 without arguments": (
        "tests.backtesting.test_defaults",
        "test_what_an_order_buys_depends_on_the_day_where_the_script_leaves_it_out",
    ),
    "all of the equity at a higher open": (
        "tests.backtesting.test_defaults",
        "test_what_takes_all_of_the_equity_is_not_bought_where_the_open_is_higher",
    ),
    "the bar magnifier": (
        "tests.broker.test_magnified",
        "test_a_shorter_bar_belongs_to_the_bar_that_holds_its_last_minute",
    ),
    "gaps_on": ("tests.runtime.test_requests", "test_with_gaps_it_is_seen_once"),
    "gaps_on of every type": (_OWN, "test_between_the_values_of_a_request_with_gaps_nothing_is_na_false_or_empty"),
    "timestamp() in a request": (_OWN, "test_in_a_request_a_timestamp_is_in_the_zone_of_the_requested_symbol"),
    "a request across the grid of the chart": (
        _OWN,
        "test_five_minutes_on_a_chart_of_two_are_there_on_the_bar_in_which_they_end",
    ),
    "margin calls at the open after a close": (
        "tests.broker.test_margin",
        "test_the_close_of_a_short_decides_what_is_called_at_the_next_open",
    ),
    "margin calls of entries of one moment": (
        "tests.broker.test_margin",
        "test_entries_of_one_close_are_called_together",
    ),
    "exits of cancelled entries": (
        "tests.broker.test_exits",
        "test_an_exit_waits_for_its_entry_though_the_order_is_cancelled",
    ),
    "stocks with extended hours": ("tests.runtime.library.test_times", "test_where_a_bar_is_in_its_session"),
    "overloads by qualifier": (_COMPILED, "test_of_overloads_that_differ_by_qualifier_the_closest_is_meant"),
    "arms with commas": (_COMPILED, "test_an_arm_may_hold_statements_with_commas"),
    "max_*_count": (_DRAWN, "test_five_more_than_the_limit_live_and_then_they_are_trimmed_to_it"),
    "deleted and trimmed drawings": (_DRAWN, "test_getters_of_a_trimmed_drawing_are_na_and_setters_change_nothing"),
    "var holds its drawing": (_DRAWN, "test_variables_hold_their_drawings_and_nothing_else_does"),
    "coordinates in bars": (_OWN, "test_a_drawing_cuts_the_fraction_of_a_bar_off"),
    "linefills are never trimmed": (_DRAWN, "test_fills_and_tables_are_never_trimmed"),
    "matrix.eigenvalues": (_SECOND, "test_matrix_eigenvalues_and_vectors_are_those_of_commons_math"),
    "matrix.eigenvalues of a symmetric matrix": (_SECOND, "test_matrix_eigenvalues_of_a_symmetric_matrix_go_down"),
    "matrix.pinv": (_SECOND, "test_matrix_pinv_drops_singular_values_that_are_negligible_beside_the_largest"),
    "matrix.is_stochastic": (_SECOND, "test_matrix_is_stochastic_looks_at_rows_only"),
    "matrix.det": (_SECOND, "test_matrix_inv_and_pinv_of_a_regular_matrix_are_an_lu_solution"),
    "matrix.sum": (_OWN, "test_the_sum_of_a_matrix_of_whole_numbers_and_a_float_is_typed_as_the_matrix"),
    "matrix predicates": (_SECOND, "test_matrix_predicates_tolerate_1e_10"),
    "matrix.is_binary": (_SECOND, "test_matrix_is_binary_tolerates_1e_10"),
    "matrix.inv": (_SECOND, "test_matrix_inv_and_pinv_of_a_regular_matrix_are_an_lu_solution"),
    "math.log10": (_SECOND, "test_math_log10_is_correctly_rounded"),
    "math.round and round_to_mintick": (_OWN, "test_numbers_are_rounded_away_from_zero"),
    "math.rphi": (_SECOND, "test_math_rphi_is_as_recorded"),
    "constants at run time": (_OWN, "test_a_constant_with_pi_loses_digits_like_any_other"),
    "literals and logarithms": (_OWN, "test_literals_are_subtracted_in_full_and_handed_over_short"),
    "remainders": ("tests.runtime.test_execution", "test_a_remainder_has_the_sign_of_the_dividend"),
    "math.random": (_OWN, "test_math_random_is_javas"),
    "== of floats": (_OWN, "test_floats_are_equal_within_1e_10"),
    "math.exp": (_OWN, "test_math_exp_of_710_is_na"),
    "values from 1e100 on": (_SECOND, "test_a_plot_from_1e100_on_shows_nothing_though_it_is_not_na"),
    "keys of maps": (_OWN, "test_a_map_has_one_key_for_na_and_one_for_infinity"),
    "array.*": (_OWN, "test_what_arrays_give"),
    "timestamp": (_OWN, "test_timestamp_reads_offsets_and_months_by_name"),
    "array.fill and slice": (_OWN, "test_array_fill_outside_stops_and_backwards_does_nothing"),
    "colors": (_OWN, "test_colors_as_recorded"),
    "refusals and stops": ("tests.runtime.test_laws", "test_a_recorded_law_holds"),
    "array.sort_indices": (_COMPILED, "test_a_sort_field_is_known_when_the_script_is_compiled"),
    "nouns of CE10123": (_COMPILED, "test_a_misfit_names_the_recorded_type"),
    "CE10124": (_COMPILED, "test_a_field_of_an_enum_is_not_printed"),
    "CE10122 of a matrix": (_COMPILED, "test_a_matrix_is_not_printed"),
    "a second error of a log": (_COMPILED, "test_a_log_of_what_was_refused_is_refused_too"),
}


@each("law", HELD)
def test_a_law_has_its_test(law: str) -> None:
    module, name = HELD[law]
    assert callable(getattr(importlib.import_module(module), name))


# ta.*


def test_ta_percentrank_counts_ties_as_below() -> None:
    assert run("ta.percentrank", [1.0, 1, 2, 2, 2, 2, 4, 4], 4)[4:] == [100, 100, 100, 100]
    assert run("ta.percentrank", [4.0, 1, 2, 3, 0, 2], 4)[4:] == [0, 75]


def test_ta_linreg_reads_as_many_bars_as_its_length_says_now() -> None:
    """Lengths 2, 3 and 4 in turn: through 2 and 4 at 4, through 2, 4 and 7 at 6.83, and so on."""
    found = values("plot(ta.linreg(close, bar_index % 3 + 2, 0))", [1.0, 2.0, 4.0, 7.0, 9.0, 8.0])
    assert found == [None, None, None, 7.0, 9.166666666666668, 9.1]
    assert same(run("ta.linreg", [1.0, 2.0, na, 4.0, 5.0], 2, 0), [na, 2.0, na, na, 5.0])


def test_a_candidate_counts_whose_right_neighbour_is_missing() -> None:
    assert same(run("ta.pivothigh#1", [3.0, 5.0, 9.0, na], 2, 1), [na, na, na, 9.0])
    assert same(run("ta.pivothigh#1", [3.0, na, 9.0, 4.0], 2, 1), [na, na, na, 9.0])
    assert same(run("ta.pivothigh#1", [3.0, 5.0, na, 4.0], 2, 1), [na] * 4)


def test_ta_pivothigh_of_no_neighbours_is_the_source() -> None:
    assert run("ta.pivothigh#1", [1.0, 5.0, 2.0], 0, 0) == [1, 5, 2]


@pytest.mark.parametrize(("name", "sign"), [("ta.rising", 1), ("ta.falling", -1)])
def test_ta_falling_and_rising_are_false_where_a_step_touches_a_hole(name: str, sign: int) -> None:
    source = [sign * value for value in (1.0, 2.0, 3.0, na, 4.0, 5.0, 6.0)]
    assert run(name, source, 2) == [False, False, True, False, False, False, True]
    assert run(name, source, 1) == [False, True, True, False, False, True, True]


def test_the_bands_of_ta_kc_by_true_range_begin_a_bar_after_its_basis() -> None:
    def bands(by: str) -> list[list[float]]:
        source = f"[m, u, l] = ta.kc(close, 3, 2{by})\nplot(m)\nplot(u)\nplot(l)"
        return [plot.values for plot in run_script(source, [1.0, 2.0, 4.0, 8.0, 16.0]).plots]

    def first(column: list[float]) -> int:
        return next(i for i, value in enumerate(column) if value == value)

    assert [first(column) for column in bands("")] == [2, 3, 3]
    assert [first(column) for column in bands(", true")] == [2, 3, 3]
    assert [first(column) for column in bands(", false")] == [2, 2, 2]


def test_ta_vwap_lacks_its_bands_only_where_the_multiplier_is_na() -> None:
    source = "[m, u, l] = ta.vwap(close, bar_index == 0, bar_index == 2 ? na : 1)\nplot(m)\nplot(u)\nplot(l)"
    middle, upper, lower = (plot.values for plot in run_script(source, [1.0, 2.0, 4.0, 8.0]).plots)
    assert all(value == value for value in middle)
    for band in (upper, lower):
        assert [i for i, value in enumerate(band) if value != value] == [2]


@each(
    ("call", "held"),
    [
        ("ta.sma(x, 2)", True),
        ("ta.bbw(x, 2, 2)", True),
        *((f"ta.{call}", False) for call in ("rma(x, 2)", "rsi(x, 1)", "wma(x, 2)", "ema(x, 2)", "tsi(x, 1, 1)")),
    ],
)
def test_on_a_hole_ta_sma_and_bbw_hold_their_value_and_others_have_none(call: str, held: bool) -> None:
    found = values(f"x = bar_index == 3 ? na : close\nplot({call})", [1.0, 2.0, 4.0, 8.0, 16.0])
    assert found[2] is not None
    assert found[3] == (found[2] if held else None)


@pytest.mark.parametrize("call", ["ta.tsi(5.0, 1, 2)", "ta.bbw(0.0, 2, 2)", "ta.cmo(5.0, 2)"])
def test_what_would_be_divided_by_nothing_is_na(call: str) -> None:
    assert values(f"plot({call})") == [None] * 5


def test_ta_stdev_of_tiny_steps_comes_from_the_moments() -> None:
    """Squares of about 10,000 leave 12 digits of the mean's square, of which 4 are the variance's."""
    x = [100 + k * 0.00001 for k in range(5)]
    moments = sum(value * value for value in x) / 5 - (sum(x) / 5) ** 2
    assert run("ta.stdev", x, 5)[4] == pytest.approx(max(moments, 0) ** 0.5, rel=0.02)
    assert run("ta.stdev", x, 5)[4] != pytest.approx(2**0.5 * 1e-5, rel=1e-4)


# requests


def test_between_the_values_of_a_request_with_gaps_nothing_is_na_false_or_empty() -> None:
    ask = 'request.security("", "60", {}, gaps = barmerge.gaps_on)'
    source = f"a = {ask.format('close > 0')}\nb = {ask.format('close')}\nc = {ask.format('syminfo.ticker')}\n"
    found = run_script(source + "plot(a ? 1 : 0)\nplot(b)\nplot(na(c) ? 1 : 0)\nplot(str.length(c))", [1.0] * 8)
    columns = [[None if value != value else value for value in plot.values] for plot in found.plots]
    assert columns[0] == [0, 0, 0, 1, 0, 0, 0, 1]
    assert columns[1] == [None, None, None, 1, None, None, None, 1]
    assert columns[2] == [1, 1, 1, 0, 1, 1, 1, 0]
    assert [bool(value) for value in columns[3]] == [False, False, False, True] * 2


def test_five_minutes_on_a_chart_of_two_are_there_on_the_bar_in_which_they_end() -> None:
    bars = bars_of([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 2)
    assert values('plot(request.security("", "5", close))', bars, timeframe="2") == [None, None, 3, 3, 5, 5]


def test_in_a_request_a_timestamp_is_in_the_zone_of_the_requested_symbol() -> None:
    """Numbers are read in the exchange's zone, a date without a zone in UTC; on the chart both are in UTC."""
    source = """
own() => timestamp(syminfo.timezone, 2024, 1, 2, 3, 4, 5)
all() => [timestamp(2024, 1, 2, 3, 4, 5), own(), timestamp("02 Jan 2024 03:04:05")]
[a, b, c] = request.security("NASDAQ:MSFT", "15", all())
plot(a)
plot(b)
plot(c)
plot(timestamp(2024, 1, 2, 3, 4, 5))
plot(request.security("NASDAQ:MSFT", "15", timestamp(year, month, dayofmonth, 0, 0)))
"""
    bars = bars_of([1.0, 2.0, 3.0])
    other = RequestSource(bars, SymbolInfo(symbol="MSFT", timeframe="15", timezone="America/New_York"))
    plots = run_script(source, bars, others={"NASDAQ:MSFT": other}).plots
    new_york, utc = 1704182645000, 1704164645000
    assert [plot.values[-1] for plot in plots[:4]] == [new_york, new_york, utc, utc]
    # 2024-01-01 00:30 UTC is the evening before in New York.
    assert plots[4].values[-1] == 1703912400000 + 86_400_000


# matrices, numbers, collections


def test_a_drawing_cuts_the_fraction_of_a_bar_off() -> None:
    """Recorded for a box of 2 to 4.67; other drawings have coordinates of the same type."""
    source = """
split = bar_index + 2 + 4 * 2 / 3
b = box.new(bar_index + 2, high, split, low)
l = line.new(bar_index - 5 / 2, high, split, low)
p = label.new(chart.point.from_index(split, high))
plot(split)
plot(box.get_left(b))
plot(box.get_right(b))
plot(line.get_x1(l))
plot(line.get_x2(l))
plot(label.get_x(p))
b.set_right(split + 1)
plot(box.get_right(b))
"""
    found = [plot.values[0] for plot in run_script(source).plots]
    assert found == [4.666666666666666, 2, 4, -2, 4, 4, 5]


def test_a_constant_with_pi_loses_digits_like_any_other() -> None:
    """`math.pi / 180` reaches the run as 0.0174532925199433; `math.toradians` has all digits."""
    source = """
z = bar_index * 0.0
angle = 1.5 + z
made = 0.0261799387799149 + z + 13.0 * math.pow(2.0 + z, -58.0)
plot((angle * (math.pi / 180.0) - made) * 1e11)
plot((angle * math.pi / 180.0 - made) * 1e11)
plot((math.toradians(angle) - made) * 1e11)
plot((math.toradians(angle) - 0.026179938779914945) * 1e11)
"""
    step = 3.469446951953614e-7
    assert [plot.values[0] for plot in run_script(source).plots] == [step, -step, -step, 0.000004163336342344337]
    assert values("plot(math.pi / 90)") == [0.0349065850398866] * 5
    assert values("k = math.e / 30\nplot(k)") == [0.0906093942819682] * 5


def test_literals_are_subtracted_in_full_and_handed_over_short() -> None:
    source = """
log = 0.24303804868629442
plot(log)
plot((math.log10(1.75 + bar_index * 0.0) - log) * 1e11)
plot((log - 0.2430380486862944) * 1e18)
plot((0.12345678901234567 - 0.1234567890123456) * 1e18)
plot(0.00000000000000017 * 1e18)
plot((math.log(3.0 + bar_index * 0.0) - 1.0986122886681096) * 1e11)
"""
    recorded = [0.2430380486862944, 0.000005551115123125783, 27.755575615628914, 69.38893903907228, 170]
    assert [plot.values[0] for plot in run_script(source).plots] == [*recorded, 0.00002220446049250313]


def test_the_sum_of_a_matrix_of_whole_numbers_and_a_float_is_typed_as_the_matrix() -> None:
    head = "//@version=6\nindicator('')\nm = matrix.new<int>(1, 1, 1)\n"
    program = open_program(f"{head}matrix<float> s = matrix.sum(m, 0.5)\nplot(s.get(0, 0))\n")
    assert [one.code for one in program.diagnostics] == ["CE10173"]
    assert values("m = matrix.new<int>(1, 1, 1)\nplot(matrix.sum(m, 0.5).get(0, 0))")[0] == 1.5


def test_numbers_are_rounded_away_from_zero() -> None:
    cases = {"0.5": 1, "-0.5": -1, "1.5": 2, "-1.5": -2}
    for text, rounded in cases.items():
        assert values(f"plot(math.round({text}))")[0] == rounded
    ticks = {"99.985": 99.99, "99.995": 100, "100.005": 100.01, "9.655": 9.66, "9.245": 9.25, "99.984": 99.98}
    for text, rounded in ticks.items():
        assert values(f"plot(math.round_to_mintick({text}))")[0] == rounded


def test_math_random_is_javas() -> None:
    """One stream for each call in the text."""
    assert values("plot(math.random(0, 1, 42))")[:2] == [0.7275636800328681, 0.6832234717598454]
    assert values("plot(math.random(0, 1, 7))")[:2] == [0.7306990420600421, 0.7491696031336331]
    assert values("plot(math.random(0, 1, 8))")[0] == 0.7302511331990172
    assert values("x = math.random(0, 1, 42)\nplot(math.random(0, 10, 42))")[0] == 7.275636800328681


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("79511.45999999996", "79511.45999999999", 1),
        ("77958.37685714281", "77958.37685714288", 1),
        ("1.0", "1.000000001", 0),
    ],
)
def test_floats_are_equal_within_1e_10(one: str, other: str, equal: int) -> None:
    assert values(f"plot({one} == {other} ? 1 : 0)")[0] == equal


def test_math_exp_of_710_is_na() -> None:
    assert values("plot(na(math.exp(709)) ? 1 : 0)")[0] == 0
    assert values("plot(na(math.exp(710)) ? 1 : 0)")[0] == 1
    assert values("plot(math.exp(-1000))")[0] == 0


@pytest.mark.parametrize("key", ["float(na)", "1.0 / 0.0", "0.0", "-0.0"])
def test_a_map_has_one_key_for_na_and_one_for_infinity(key: str) -> None:
    puts = f"m = map.new<float, int>()\nfor i = 1 to 5\n    m.put({key}, i)\n"
    assert values(f"{puts}plot(m.size())")[0] == 1
    assert values(f"{puts}plot(m.get({key}))")[0] == 5


ARRAYS = {
    "array.from(4, 7, 9).percentrank(int(na))": 0,
    "array.get(array.from(4, 7, 9), int(na))": None,
    "array.binary_search(array.from(1, 2, 2, 2, 5), 2)": 2,
    "array.min(array.new<float>())": None,
    "array.min(array.from(float(na), float(na)))": None,
    "array.standardize(array.from(1.0, na, 5.0)).size()": 3,
    "array.abs(array.from(-1, 2)).get(0)": 1,
    "array.avg(array.from(1, 2))": 1.5,
    "-5 % 3": -2,
    "5 % -3": 2,
    "close[int(na)] - close": 0,
}


@each("expression", ARRAYS)
def test_what_arrays_give(expression: str) -> None:
    assert values(f"plot({expression})")[0] == ARRAYS[expression]


def test_array_insert_counts_from_the_end() -> None:
    assert values("a = array.from(3, 1)\na.insert(-1, 9)\nplot(a.get(1))")[0] == 9


def test_timestamp_reads_offsets_and_months_by_name() -> None:
    for text in ("2026-01-01T00:00:00+00:00", "01 Jan 2026 00:00:00 +0000"):
        assert values(f'plot(timestamp("{text}"))')[0] == 1767225600000
    assert values('plot(timestamp("2026-01-01T00:00:00+02:00"))')[0] == 1767225600000 - 7_200_000


def test_array_fill_outside_stops_and_backwards_does_nothing() -> None:
    head = "a = array.from(1.0, 2.0, 3.0)\n"
    assert values(f"{head}array.fill(a, 9, 2, 1)\nplot(a.sum())")[0] == 6
    assert values(f"{head}plot(a.slice(1, 1).size())")[0] == 0
    with pytest.raises(RuntimeFault, match=r"In 'array\.fill\(\)' function\."):
        values(f"{head}array.fill(a, 9, 0, 5)\nplot(a.sum())")


def test_colors_as_recorded() -> None:
    gradient = "color.from_gradient(2, 1, 1, color.new(#112b5b, 20), color.new(#d39543, 80))"
    for value, parts in ((gradient, [0, 0, 0, 100]), ("color.red", [242, 54, 69, 0])):
        found = run_script(f"c = {value}\n" + "".join(f"plot(color.{part}(c))\n" for part in "rgbt"))
        assert [plot.values[0] for plot in found.plots] == parts
