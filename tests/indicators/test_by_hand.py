"""What can be worked out by hand about indicators in their usual form."""

import math

from pinebench.indicators import sources
from pinebench.indicators.extra_series import compute_all
from pinebench.indicators.indicator_requests import asked
from pinebench.market.bars import Bars
from pinebench.runtime.requests import RequestSource
from tests.indicators.sample import HOUR, bars, line, near, sample, shown

FEW = bars((10, 14, 8, 12, 100), (12, 16, 10, 14, 300), (14, 15, 9, 10, 200))


def test_heikin_ashi_candles() -> None:
    found = shown("ha", FEW)
    assert line(found, "HA close") == [11, 13, 12]
    assert line(found, "HA open") == [11, 11, 12]
    assert line(found, "HA high") == [14, 16, 15] and line(found, "HA low") == [8, 10, 9]


def test_money_flow_and_volume_at_the_close() -> None:
    shares = [2 / 6, 2 / 6, -4 / 6]
    sums = [100 * shares[0], 100 * shares[0] + 300 * shares[1], 100 * shares[0] + 300 * shares[1] + 200 * shares[2]]
    for name, label in (("ad", "A/D"), ("cvd", "CVD")):
        assert all(near(*pair) for pair in zip(line(shown(name, FEW), label), sums, strict=True)), name
    flow = line(shown({"name": "cmf", "period": 3}, FEW), "CMF")
    assert flow[:2] == [None, None] and near(flow[2], sums[2] / 600)


def test_volume_delta_counts_the_takers_where_the_feed_has_them() -> None:
    bought = Bars(FEW.time, FEW.open, FEW.high, FEW.low, FEW.close, [70.0, 100.0, 150.0])
    others = {"X:TEST_TAKER": RequestSource(bought, HOUR)}
    assert line(shown("cvd", FEW, others=others), "CVD") == [40, -60, 40]


def test_the_cloud_is_moved_ahead_and_the_close_back() -> None:
    given = sample(120)
    here = shown({"name": "ichimoku", "displacement": 1}, given)
    moved = shown("ichimoku", given)
    cloud, ahead = line(here, "Senkou A"), next(each for each in moved.lines if each.label == "Senkou A")
    assert ahead.values[25:] == cloud[:-25] and list(ahead.ahead) == cloud[-25:]
    assert line(moved, "Chikou")[:95] == given.close[25:] and line(moved, "Chikou")[95:] == [None] * 25
    assert line(moved, "Tenkan") == line(here, "Tenkan")


def test_an_anchored_average_begins_at_its_date() -> None:
    given = sample(100)
    date = given.time[40]
    values = line(shown({"name": "vwap", "anchor": "Date", "begin": date}, given), "VWAP")
    assert values[:40] == [None] * 40
    mean = [(high + low + close) / 3 for high, low, close in zip(given.high, given.low, given.close, strict=True)]
    total = math.fsum(price * volume for price, volume in zip(mean[40:], given.volume[40:], strict=True))
    assert near(values[-1], total / math.fsum(given.volume[40:]))


def test_an_average_whose_anchor_is_before_the_bars_says_so() -> None:
    loaded = sources.load("sample:AAPL", "1h", 50, warm_up=100)
    since = "the average is since the first bar."
    for name, anchor, words in (
        ("vwap", "Date", f"The bars begin after the anchor date: {since}"),
        ("vwap_bands", "Date", f"The bars begin after the anchor date: {since}"),
        ("vwap", "Year", "The anchor is not on these bars: there is no average."),
        ("vwap_auto_anchored", "Decade", f"The bars begin within the decade: {since}"),
        *((each, "Session", "") for each in ("vwap", "vwap_bands", "vwap_auto_anchored")),
        ("vwap_auto_anchored", "Highest High", ""),
        ("vwap", "First bar", ""),
    ):
        told = compute_all(asked([{"name": name, "anchor": anchor}]), loaded).remarks
        assert told == ([f"{name}: {words}"] if words else []), (name, anchor)


def test_pivots_of_a_week_come_from_the_week_before() -> None:
    given = sample(400)
    values = line(shown({"name": "pivot", "period": "Week"}, given), "Pivot")
    changes = [x for x in range(1, 400) if values[x] != values[x - 1]]
    monday = [x for x, time in enumerate(given.time) if (time // 86_400_000 - 4) % 7 == 0]
    begins = [x for x in monday if x - 1 not in monday]
    assert changes == begins
    first, last = begins[0], begins[1] - 1
    week = (max(given.high[first : last + 1]), min(given.low[first : last + 1]), given.close[last])
    assert near(values[begins[1]], sum(week) / 3)


def test_the_trend_of_wilders_average_not_of_the_other_dialect() -> None:
    given = sample(200)
    ours, theirs = line(shown("rsi", given), "RSI"), line(shown("rsi", given, "chartgen"), "RSI")
    assert ours[13] is None and ours[14] is not None and theirs[0] == 50
    assert near(ours[-1], 45.78762234659524)
