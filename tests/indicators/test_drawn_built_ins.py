"""Built-in indicators of TradingView that draw, compare periods, or need other bars, worked out again here."""

import math
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest

from pinebench.indicators import IndicatorRequest, asked, compute, compute_all, load
from pinebench.indicators.channels import Across, Between, channels
from pinebench.indicators.sources import SourceBars
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.market.random_bars import random_walk
from pinebench.runtime.requests import RequestSource
from tests.indicators.sample import HOUR, bars, line, run, sample, shown

DAY_MS, HOUR_MS = 86_400_000, 3_600_000
MIDNIGHT = 1_704_067_200_000
"""The first of January 2024, which was a Monday."""
DAILY = SymbolInfo(symbol="TEST", prefix="X", timeframe="1D", mintick=0.01)


def flat(*prices: float, step: int = HOUR_MS, volume: float = 1, begin: int = MIDNIGHT) -> Bars:
    """Bars whose prices are all the same, one after the other."""
    return bars(*((price, price, price, price, volume) for price in prices), begin=begin, step=step)


def constant(like: Bars, *values: float) -> RequestSource:
    """Bars of another symbol at the same times, whose closes are `values`."""
    column = list(values)
    return RequestSource(Bars(like.time, column, column, column, column, column), HOUR)


# breadth


def test_breadth_of_an_exchange() -> None:
    given = flat(1, 2, 3)
    rising, falling = constant(given, 30, 10, 20), constant(given, 10, 40, 5)
    others = {"USI:ADVN.NY": rising, "USI:DECL.NY": falling, "USI:UVOL.NY": rising, "USI:DVOL.NY": falling}
    assert line(shown("adl", given, others=others), "ADL") == [20, -10, 5]
    assert line(shown("advance_decline_ratio", given, others=others), "Ratio") == [3, 0.25, 4]
    assert line(shown("cvi", given, others=others), "CVI") == [20, -10, 5]


def test_correlation_with_another_symbol() -> None:
    given = flat(1, 2, 4, 3)
    others = {"AMEX:SPY": constant(given, 2, 1, 3, 5)}
    found = line(shown({"name": "correlation_coefficient", "period": 3}, given, others=others), "Correlation")
    # deviations of the last three bars: (-1, 1, 0) and (-2, 0, 2); of the ones before: (-4/3, -1/3, 5/3) and (0, -1, 1)
    assert found[:2] == [None, None]
    assert found[2] == pytest.approx(2 / math.sqrt((16 + 1 + 25) / 9 * 2))
    assert found[3] == pytest.approx(2 / math.sqrt(2 * 8))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("adl", "needs bars of USI:ADVN.NY and USI:DECL.NY, which are not available"),
        ("advance_decline_ratio", "needs bars of USI:ADVN.NY and USI:DECL.NY"),
        ("cvi", "needs bars of USI:UVOL.NY and USI:DVOL.NY"),
        ("correlation", "needs bars of AMEX:SPY"),
        ("volume_delta", "needs bars of the timeframe 1, which are not available"),
        ("up_down_volume", "needs bars of the timeframe 1"),
    ],
)
def test_what_is_not_there_is_said_and_no_number_is_made_up(name: str, words: str) -> None:
    loaded = load(None, "4h", 50)
    answered = compute_all(asked([name]), loaded)
    found = channels(answered.computed[0])
    assert all(value is None for each in (*found.lines, *found.histograms) for value in each.values)
    assert [remark for remark in answered.remarks if words in remark] == answered.remarks != []
    table = answered.computed[0].result.drawings["table"][0]
    assert words in str(table.cells[0, 0]["text"])  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "symbol", "words"),
    [
        ("volume_24h", SymbolInfo(timeframe="1W"), "needs bars of a day or shorter ones"),
        ("trading_sessions", DAILY, "need bars that are shorter than a day"),
        ({"name": "mtpc", "timeframe": "60"}, HOUR, "is not longer than that of the chart"),
        ("seasonality", HOUR, "no whole month on these bars"),
    ],
)
def test_bars_that_do_not_fit_are_said(name: Any, symbol: SymbolInfo, words: str) -> None:
    logs = run(name, sample(5), symbol=symbol).result.logs
    assert len(logs) == 1 and words in logs[0].message


def test_a_warning_of_a_script_is_a_remark() -> None:
    loaded = load(None, "4h", 5)
    pine = '//@version=6\nindicator("x")\nlog.warning("bar {0}", bar_index)\nplot(syminfo.employees)\n'
    answered = compute_all(asked([{"pine": pine, "id": "own"}]), loaded)
    assert answered.remarks[0] == "own: bar 4"


# shorter bars


def shorter() -> dict[str, RequestSource]:
    """Quarters of the first two hours: up 10, down 4, up 3, unchanged 2; then down 5, unchanged 6, up 1, down 7."""
    rows = [(5, 6, 10), (6, 5, 4), (5, 7, 3), (8, 8, 2), (8, 7, 5), (7, 7, 6), (7, 9, 1), (9, 8, 7)]
    quarters = bars(*((a, max(a, b), min(a, b), b, float(v)) for a, b, v in rows), begin=MIDNIGHT, step=HOUR_MS // 4)
    return {"X:TEST": RequestSource(quarters, SymbolInfo(symbol="TEST", prefix="X", timeframe="15"))}


def test_volume_of_shorter_bars() -> None:
    given = flat(1, 2, 3)
    ask = {"timeframe": "15"}
    found = shown({"name": "up_down_volume", **ask}, given, others=shorter())
    # the unchanged bar closes above the one before, and the later one, at the same price, keeps the side of the last
    assert line(found, "Up Volume") == [15, 1, None] and line(found, "Down Volume") == [-4, -18, None]
    assert line(found, "Delta") == [11, -17, None]
    found = shown({"name": "volume_delta", **ask}, given, others=shorter())
    assert line(found, "Delta close") == [11, -17, None] and line(found, "Delta open") == [0, 0, None]
    assert line(found, "Delta high") == [11, 0, None] and line(found, "Delta low") == [0, -17, None]


# volume and periods


def test_volume_of_the_last_24_hours() -> None:
    given = bars(*((2, 3, 1, 2, float(x + 1)) for x in range(30)), begin=MIDNIGHT)
    units = line(shown("24-hour Volume", given), "24H Volume")
    assert units[:23] == [None] * 23 and units[23] == 24 * 25 / 2
    assert units[29] == math.fsum(range(7, 31))
    money = line(shown({"name": "volume_24h", "unit": "Currency"}, given), "24H Volume")
    assert money[29] == 2 * math.fsum(range(7, 31))


def test_volume_beside_that_of_earlier_days() -> None:
    six = SymbolInfo(symbol="TEST", prefix="X", timeframe="360", mintick=0.01)
    volumes = [9, 9, 9, 9, 1, 2, 3, 4, 3, 2, 1, 2, 6, 0, 4, 1]
    given = bars(*((1, 1, 1, 1, float(v)) for v in volumes), begin=MIDNIGHT, step=6 * HOUR_MS)
    entry = {"name": "relative_volume_at_time", "period": 2}
    sums = line(shown(entry, given, symbol=six), "Relative Volume")
    assert sums[:12] == [None] * 12, "the first day may not be whole, and there are not two whole ones before"
    assert sums[12:] == pytest.approx([6 / 2, 6 / 4, 10 / 6, 11 / 9])
    alone = line(shown(entry | {"mode": "Regular"}, given, symbol=six), "Relative Volume")
    assert alone[12:] == pytest.approx([6 / 2, 0, 4 / 2, 1 / 3])


def test_change_since_earlier_days() -> None:
    count = 500
    given = flat(*(100 + x for x in range(count)), step=DAY_MS)
    found = shown("performance", given, symbol=DAILY)
    day = {datetime.fromtimestamp((MIDNIGHT + x * DAY_MS) / 1000, UTC).date(): 100 + x for x in range(count)}
    last = max(day)
    assert str(last) == "2025-05-14"  # it closes on the 15th at midnight
    earlier = {"1W": "2025-05-07", "1M": "2025-04-14", "3M": "2025-02-14", "6M": "2024-11-14", "1Y": "2024-05-14"}
    for label, date in (earlier | {"YTD": "2024-12-31"}).items():
        base = day[datetime.fromisoformat(date).date()]
        assert line(found, label)[-1] == pytest.approx(100 * (day[last] / base - 1)), label
    assert line(found, "1Y")[364] is None and line(found, "1Y")[366] is not None


def test_a_month_before_the_end_of_a_long_one_is_the_end_of_the_short_one() -> None:
    given = flat(*(100 + x for x in range(90)), step=DAY_MS)  # the last bar closes on the 31st of March
    base = 100 + 31 + 28  # the bar of the 29th of February closes on the first of March, the one before on the 29th
    assert line(shown("performance", given, symbol=DAILY), "1M")[-1] == pytest.approx(100 * (189 / (base - 1) - 1))


def test_months_of_the_year() -> None:
    given = flat(*(100 + x for x in range(800)), step=DAY_MS)
    found = run("seasonality", given, symbol=DAILY)
    ends: dict[tuple[int, int], float] = {}
    for time, close in zip(given.time, given.close, strict=True):
        date = datetime.fromtimestamp(time / 1000, UTC)
        ends[date.year, date.month] = close
    months = sorted(ends)
    changes = {after: 100 * (ends[after] / ends[before] - 1) for before, after in pairwise(months)}
    assert months[-1] == (2026, 3)
    march = [changes[2024, 3], changes[2025, 3]]
    told = channels(found)
    assert line(told, "Mean of this month")[-1] == pytest.approx(math.fsum(march) / 2)
    assert line(told, "This month")[-1] == pytest.approx(changes[2026, 3])
    cells: Any = found.result.drawings["table"][0].cells  # type: ignore[attr-defined]
    assert [cells[0, row]["text"] for row in range(1, 5)] == ["2026", "2025", "2024", "Mean"]
    assert cells[3, 2]["text"] == f"{changes[2025, 3]:.1f}" and cells[1, 3]["text"] == "–", "the first has no base"


# zones and ratings


def test_the_slope_of_the_chop_zone() -> None:
    given = sample(120)
    before = average = math.fsum(given.close[:34]) / 34
    for close in given.close[34:]:
        before, average = average, average + 2 / 35 * (close - average)
    top, bottom = max(given.high[-30:]), min(given.low[-30:])
    mean = (given.high[-1] + given.low[-1] + given.close[-1]) / 3
    slope = (average - before) / mean * 25 / (top - bottom) * bottom
    found = shown("chop_zone", given)
    assert line(found, "Angle")[-1] == math.copysign(round(math.degrees(math.acos(1 / math.hypot(1, slope)))), slope)
    assert line(found, "Zone")[-1] == 1 and line(found, "Zone")[30] is None


def test_averages_in_a_steady_rise() -> None:
    """All averages are below the price, but Hull's, which is the price, and the cloud is below its lines."""
    found = shown("technical_ratings", flat(*(100 + x for x in range(250))))
    assert line(found, "MAs")[-1] == pytest.approx(14 / 15)


def test_ratings_are_means_of_votes() -> None:
    """The votes by the rules of TradingView's manual, on the values of the other indicators."""
    given = sample(300)
    found = shown("technical_ratings", given)
    close = given.close
    own = {name: series(name, given) for name in _ASKED}
    closes = Bars(given.time, close, close, close, close, given.volume)
    own["cci"] = series("cci", closes)  # the rating uses closes, the indicator the means of high, low and close
    plus, minus, strength = (series("adx", given, label) for label in ("+DI", "-DI", "ADX"))
    macd, signal = series("macd", given), series("macd", given, "Signal")
    k, d = series("stoch", given), series("stoch", given, "%D")
    fast, slow = series("stochastic_rsi", given), series("stochastic_rsi", given, "D")
    trend, base = (series({"name": "moving_average_exponential", "period": n}, given) for n in (50, 13))
    averages = _averages(given)
    for x in range(250, 300):
        votes = [(each[x] < close[x]) - (each[x] > close[x]) for each in averages]
        assert line(found, "MAs")[x] == pytest.approx((sum(votes) + _cloud(given, x)) / 15)
        up, down = close[x] > trend[x], close[x] < trend[x]
        rsi, cci, ao, wpr, uo, mom = (own[name] for name in _ASKED)
        bull, bear = ([price[y] - base[y] for y in (x - 1, x)] for price in (given.high, given.low))
        pairs = [
            (rsi[x] < 30 and rsi[x] > rsi[x - 1], rsi[x] > 70 and rsi[x] < rsi[x - 1]),
            (k[x] < 20 and _crosses(k, d, x), k[x] > 80 and _crosses(d, k, x)),
            (cci[x] < -100 and cci[x] > cci[x - 1], cci[x] > 100 and cci[x] < cci[x - 1]),
            (strength[x] > 20 and _crosses(plus, minus, x), strength[x] > 20 and _crosses(minus, plus, x)),
            (_saucer(ao, x), _saucer([-each for each in ao], x)),
            (mom[x] > mom[x - 1], mom[x] < mom[x - 1]),
            (macd[x] > signal[x], macd[x] < signal[x]),
            (
                down and fast[x] < 20 and slow[x] < 20 and _crosses(fast, slow, x),
                up and fast[x] > 80 and slow[x] > 80 and _crosses(slow, fast, x),
            ),
            (wpr[x] < -80 and wpr[x] > wpr[x - 1], wpr[x] > -20 and wpr[x] < wpr[x - 1]),
            (up and bear[1] < 0 and bear[1] > bear[0], down and bull[1] > 0 and bull[1] < bull[0]),
            (uo[x] > 70, uo[x] < 30),
        ]
        rating = sum(buys - sells for buys, sells in pairs) / 11
        assert line(found, "Oscillators")[x] == pytest.approx(rating), x
        assert line(found, "All")[x] == pytest.approx(((sum(votes) + _cloud(given, x)) / 15 + rating) / 2)


_ASKED = ("rsi", "cci", "awesome_oscillator", "williams_r", "ultimate_oscillator", "momentum")


def series(entry: Any, given: Bars, label: str | None = None) -> list[float]:
    """The values of a line or a histogram, by default the first; nan where there is none."""
    found = shown(entry, given)
    values = line(found, label) if label else (*found.lines, *found.histograms)[0].values
    return [math.nan if value is None else value for value in values]


def _averages(given: Bars) -> list[list[float]]:
    kinds = [(name, n) for name in ("sma", "moving_average_exponential") for n in (10, 20, 30, 50, 100, 200)]
    return [series({"name": name, "period": n}, given) for name, n in (*kinds, ("hma", 9), ("vwma", 20))]


def _cloud(given: Bars, x: int) -> int:
    def middle(count: int, at: int) -> float:
        return (max(given.high[at - count + 1 : at + 1]) + min(given.low[at - count + 1 : at + 1])) / 2

    conversion, base, then = middle(9, x), middle(26, x), x - 25
    lead, other = (middle(9, then) + middle(26, then)) / 2, middle(52, then)
    order = (lead - other, base - lead, conversion - base, given.close[x] - conversion)
    return 1 if all(each > 0 for each in order) else -1 if all(each < 0 for each in order) else 0


def _crosses(one: list[float], other: list[float], x: int) -> bool:
    return one[x] > other[x] and one[x - 1] <= other[x - 1]


def _saucer(values: list[float], x: int) -> bool:
    first, before, now = values[x - 2 : x + 1]
    return (now > 0 and before <= 0) or (now > 0 and before > 0 and now > before and first > before)


def test_divergences_of_the_strength() -> None:
    given = sample(400)
    found = shown({"name": "rsi_divergence", "left": 3, "right": 3, "min_bars": 1, "max_bars": 400}, given)
    values = line(found, "RSI")
    strengths = [math.nan if value is None else value for value in values]
    kinds = {"rsi_bull_div": (-1, given.low), "rsi_bear_div": (1, given.high)}
    for label, (side, prices) in kinds.items():
        turns = [
            x
            for x in range(14, 397)
            if not any(side * strengths[x] <= side * strengths[y] for y in range(x - 3, x + 4) if y != x)
        ]
        wanted = [
            now
            for last, now in pairwise(turns)
            if side * prices[now] > side * prices[last] and side * strengths[now] < side * strengths[last]
        ]
        assert wanted and [each.x for each in found.signals if each.label == label] == wanted
    assert len(found.divlines) == len(found.signals)


# what is drawn on the prices


def test_gaps_are_narrowed_and_closed() -> None:
    rows = [(10, 11, 9, 10, 1)] * 15 + [
        *((14, 15, 13, 14, 1), (14, 14.5, 12, 14, 1), (14, 15, 13.5, 14, 1), (9, 9.5, 8, 9, 1))
    ]
    open_gap = shown("gaps", bars(*rows[:18]))
    assert open_gap.hbars == [Across(11.5, 1, 3 / 18, 14 / 18, True)], "from 11 to 13, then only to 12"
    both = shown("gaps", bars(*rows))
    assert both.hbars == [*(Across(11.5, 1, 4 / 19, 14 / 19, True), Across(11.5, 4, 1 / 19, 17 / 19, True))], (
        "the fall from 13.5 to 9.5 closes the first gap, and leaves another"
    )
    assert len(shown({"name": "gaps", "deviation": 1000}, bars(*rows)).hbars) == 0


MOONS = {
    True: ("2024-01-11 11:57", "2024-02-09 22:59", "2024-03-10 09:00", "2024-04-08 18:21", "2024-05-08 03:22"),
    False: ("2024-01-25 17:54", "2024-02-24 12:30", "2024-03-25 07:00", "2024-04-23 23:49", "2024-05-23 13:53"),
}
"""New and full moons of an almanac, in UTC."""


def test_moons_of_an_almanac() -> None:
    quarter = SymbolInfo(symbol="TEST", prefix="X", timeframe="15", mintick=0.01)
    begin = int(datetime(2024, 1, 5, tzinfo=UTC).timestamp() * 1000)
    given = random_walk(150 * 96, begin, 900_000)
    outputs = run("moon_phases", given, symbol=quarter).result.outputs
    for is_new, title in ((True, "New Moon"), (False, "Full Moon")):
        marks = next(each.values for each in outputs if each.title == title)
        found = [given.time[x] for x, mark in enumerate(marks) if mark]
        wanted = [datetime.fromisoformat(f"{each}+00:00").timestamp() * 1000 for each in MOONS[is_new]]
        assert len(found) == len(wanted)
        assert all(abs(one + 450_000 - other) <= 900_000 for one, other in zip(found, wanted, strict=True))


def test_a_moon_in_a_hole_is_at_the_next_bar() -> None:
    given = sample(24 * 40)
    found = shown("moon_phases", given).dots
    places = [x for x, time in enumerate(given.time) if time // DAY_MS % 7 in (0, 1, 2)]
    assert found >= 2 and shown("moon_phases", given.at(places)).dots == found


def test_boxes_of_a_longer_timeframe() -> None:
    six = SymbolInfo(symbol="TEST", prefix="X", timeframe="360", mintick=0.01)
    rows = [(5, 7, 4, 6, 1), (6, 9, 6, 8, 1), (8, 8, 3, 4, 1), (4, 5, 4, 4.5, 1), (5, 6, 5, 6, 1), (6, 8, 5, 7, 1)]
    found = shown("mtpc", bars(*rows, begin=MIDNIGHT, step=6 * HOUR_MS), symbol=six)
    one, other = 3 / 6, 1 / 6
    assert found.hbars == [
        *(Across(6, 6, one, 0, True), Across(4.75, 0.5, one, 0, True)),
        *(Across(6.5, 3, other, 4 / 6, True), Across(6, 2, other, 4 / 6, True)),
    ]


def test_boxes_of_sessions() -> None:
    given = random_walk(48, MIDNIGHT, HOUR_MS)
    found = shown({"name": "sessions", "tokyo": False, "london": False}, given).hbars
    # 9:30 to 16:00 in New York is 14:30 to 21:00 UTC in winter: the bars of 15:00 to 20:00
    wanted = [range(day * 24 + 15, day * 24 + 21) for day in (0, 1)]
    tops = [max(given.high[x] for x in each) for each in wanted]
    bottoms = [min(given.low[x] for x in each) for each in wanted]
    assert [(each.offset, each.width) for each in found] == [(15 / 48, 5 / 48), (39 / 48, 5 / 48)]
    assert [each.height for each in found] == pytest.approx([a - b for a, b in zip(tops, bottoms, strict=True)])


def test_the_mean_price_of_the_bars_that_are_shown() -> None:
    given = sample(60)
    told = line(channels(compute(asked(["vap"])[0], given, HOUR, 20)), "Visible average")
    assert told == pytest.approx([math.fsum(given.close[-20:]) / 20] * 20)
    assert line(shown("vap", given), "Visible average")[-1] == pytest.approx(math.fsum(given.close) / 60)


def test_an_average_since_the_last_period_or_extreme() -> None:
    given = random_walk(100, MIDNIGHT, HOUR_MS)
    begins = {
        "Auto": 96,
        "Highest High": max(range(80, 100), key=lambda x: given.high[x]),
        "Lowest Low": min(range(80, 100), key=lambda x: given.low[x]),
        "Highest Volume": max(range(80, 100), key=lambda x: given.volume[x]),
        "Century": 0,
    }
    mean, prices, amounts = 0.0, [0.0], [0.0]
    for anchor, begin in begins.items():
        values = line(shown({"name": "vwap_auto_anchored", "anchor": anchor}, given), "VWAP")
        amounts = given.volume[begin:]
        prices = [(given.high[x] + given.low[x] + given.close[x]) / 3 for x in range(begin, 100)]
        mean = math.fsum(p * v for p, v in zip(prices, amounts, strict=True)) / math.fsum(amounts)
        assert values[-1] == pytest.approx(mean), anchor
        assert values[:begin] == [None] * begin and values[begin] == pytest.approx(prices[0])
    bands = shown({"name": "vwap_auto_anchored", "anchor": "Century", "bands": True, "std_dev": 2}, given)
    squares = math.fsum(v * (p - mean) ** 2 for p, v in zip(prices, amounts, strict=True)) / math.fsum(amounts)
    assert line(bands, "Upper")[-1] == pytest.approx(mean + 2 * math.sqrt(squares))
    assert line(bands, "Lower")[-1] == pytest.approx(mean - 2 * math.sqrt(squares))


ZIGZAG = (10, 9, 8, 9, 11, 12, 11.9, 11.8, 13, 12, 9, 9.1, 10, 12, 14, 13)
"""Turns at depth 2: low 8, high 12 (moved to 13, as 11.8 is no turn of 5 per cent), low 9, high 14."""


def test_turns_of_the_price() -> None:
    found = shown({"name": "zigzag", "deviation": 5, "depth": 2}, flat(*ZIGZAG)).divlines
    assert found == [
        *(Between(2, 8, 8, 13, False), Between(8, 13, 10, 9, False), Between(10, 9, 14, 14, False)),
        Between(14, 14, 15, 13, True),
    ]


def test_levels_of_the_last_move() -> None:
    given = flat(*ZIGZAG)
    found = shown({"name": "auto_fib_retracement", "deviation": 0.5, "depth": 2}, given)
    parts = (0, 0.236, 0.382, 0.5, 0.618, 0.786, 1, 1.618)
    for part in parts:
        assert (
            line(found, f"{part:g}")[10:] == pytest.approx([14 - 5 * part] * 6) and line(found, f"{part:g}")[9] is None
        )
    found = shown({"name": "auto_fib_retracement", "deviation": 0.5, "depth": 2, "reverse": True}, given)
    assert line(found, "0.236")[-1] == pytest.approx(9 + 5 * 0.236)
    found = shown({"name": "auto_fib_extension", "deviation": 0.5, "depth": 2}, given)
    for part in parts:
        assert line(found, f"{part:g}")[14:] == pytest.approx([14 + part * (9 - 13)] * 2)
    assert not found.signals, "what the labels say is in the lines"


def test_a_fork_through_the_last_three_turns() -> None:
    """Turns at (8, 13), (10, 9) and (14, 14): the middle of the last two is (12, 11.5)."""
    entry = {"name": "auto_pitchfork", "deviation": 0.5, "depth": 2}
    slopes = {"Original": (13, -1.5 / 4), "Schiff": (11, 0.5 / 4), "Modified Schiff": (11 - 0.5 / 3, 0.5 / 3)}
    for kind, (begin, slope) in slopes.items():
        first = 9 if kind == "Modified Schiff" else 8
        begin = begin + (0.5 / 3 if kind == "Modified Schiff" else 0)
        lines = shown(entry | {"type": kind}, flat(*ZIGZAG)).divlines[:3]
        wanted = [(first, begin), (10, 9), (14, 14)]
        assert [one for each in lines for one in (each.x1, each.y1)] == pytest.approx([*sum(wanted, ())]), kind
        assert [(each.y2 - each.y1) / (each.x2 - each.x1) for each in lines] == pytest.approx([slope] * 3), kind


def test_trendlines_through_lower_highs_and_higher_lows() -> None:
    prices = (10, 15, 10, 5, 10, 13, 9, 6, 9, 11, 10)
    found = shown({"name": "auto_trendlines", "left": 1, "right": 1}, flat(*prices)).divlines
    assert found == [Between(5, 13, 10, 10.5, False), Between(3, 5, 10, 6.75, False)]


def test_the_bars_that_are_visible_move_on() -> None:
    pine = (
        '//@version=6\nindicator("x")\nplot(chart.left_visible_bar_time, "Left")\n'
        'plot(chart.right_visible_bar_time, "Right")\n'
    )
    one: IndicatorRequest = asked([{"pine": pine, "id": "own"}])[0]
    given = sample(30)
    found = channels(compute(one, given, HOUR, 12))
    assert line(found, "Left")[-1] == given.time[-12] and line(found, "Right")[-1] == given.time[-1]
    few = channels(compute(one, given, HOUR, 100))
    assert line(few, "Left")[-1] == given.time[0]
    assert isinstance(load(None, None, 3), SourceBars)
