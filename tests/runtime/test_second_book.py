"""Laws of the second book of recorded probes that no other module of tests has: their figures, and reasoned cases."""

import importlib
from pathlib import Path

import pytest

from pinebench.checker import open_program
from pinebench.market.bars import SymbolInfo
from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.requests import RequestSource
from tests.runtime.library.drive import na, run, same
from tests.runtime.running import bars_of, values
from tests.runtime.running import run as run_script
from tests.tables import each

LAWS = Path(__file__).with_name("second_book.txt").read_text(encoding="utf-8").splitlines()[1:]
"""The headings of the laws, each with the module and the name of its test, or the file and the heading of its cases."""
ROOT = Path(__file__).parents[2]


def _is_there(place: str, name: str) -> bool:
    if place.endswith(".txt"):
        return f"== {name}" in (ROOT / place).read_text(encoding="utf-8").splitlines()
    return callable(getattr(importlib.import_module(place), name, None))


def test_each_law_has_its_test() -> None:
    held = [line.split(" || ") for line in LAWS]
    lost = [law for law, place, name in held if not _is_there(place, name)]
    assert lost == [] and len({law for law, *_ in held}) == 83


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
