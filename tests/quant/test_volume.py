"""Relative volume, VWAP and the volume profile, against values worked by hand and the indicators of the catalogue."""

import math

import pytest

from pinebench.indicators import asked, compute_all, load, summary
from pinebench.market import Bars
from pinebench.quant import volume

NAN = math.nan


def bars_of(*rows: tuple[float, float, float, float]) -> Bars:
    """Bars with these highs, lows, closes and volumes."""
    found = Bars()
    for at, (high, low, close, amount) in enumerate(rows):
        found.append(at * 60_000, close, high, low, close, amount)
    return found


def test_relative_volume_by_hand() -> None:
    assert volume.relative_volume([1, 10, 20, 30], 2).value == pytest.approx(2)
    assert volume.volume_z([1, 10, 20, 30], 2).value == pytest.approx(15 / math.sqrt(50))
    assert volume.relative_volume([1, 0, 0, 30], 2).why == "the earlier bars have no volume"
    assert volume.volume_z([1, 5, 5, 30], 2).why == "all earlier volumes are the same"
    assert volume.relative_volume([NAN, 5, NAN, 30], 2).why == "a volume is na"
    assert volume.relative_volume([5, 30], 2).why == "needs 3 bars, and there are 2"


def test_vwap_by_hand() -> None:
    found = volume.vwap(bars_of((9, 9, 9, 50), (10, 10, 10, 1), (20, 20, 20, 3)), 1)
    assert found.price.value == pytest.approx(17.5)
    assert found.deviation.value == pytest.approx(math.sqrt((1 * 7.5**2 + 3 * 2.5**2) / 4))
    assert found.distance.value == pytest.approx(2.5 / math.sqrt(18.75))
    without = volume.vwap(bars_of((10, 10, 10, NAN), (20, 20, 20, 0)))
    assert without.price.why == without.distance.why == "the bars have no volume"
    one = volume.vwap(bars_of((10, 10, 10, 5)))
    assert one.price.value == 10 and one.distance.why == "all prices are the same"


def test_profile_by_hand() -> None:
    # Four rows of 1 from 0 to 4: the first bar gives each row 10, the second all of its volume to the third row.
    found = volume.profile(bars_of((4, 0, 2, 40), (2.5, 2.5, 2.5, 60), (4, 3, 4, 8)), 4)
    assert found.rows == pytest.approx([10, 10, 70, 18])
    assert found.point_of_control.value == pytest.approx(2.5)
    # 70 per cent of 108 is 75.6: the rows with 70 and 18.
    assert (found.value_low.value, found.value_high.value) == (2, 4)
    assert found.high_nodes == [2.5]


def test_without_volume_or_range_there_is_no_profile() -> None:
    empty = volume.profile(bars_of((4, 0, 2, NAN)))
    assert empty.point_of_control.why == "the bars have no volume" and empty.rows == []
    assert volume.profile(bars_of((4, 4, 4, 5))).value_low.why == "all prices are the same"
    assert volume.profile(Bars()).value_high.value is None


def test_the_indicators_of_the_catalogue_say_the_same() -> None:
    loaded = load("sample:NASDAQ:AAPL@60x150", None, 150, ())
    wanted = asked(
        [
            "volume_profile",
            {"name": "hvn_lvn", "bins": 24},
            {"pine": '//@version=6\nindicator("V")\n[v, u, l] = ta.vwap(hlc3, bar_index == 0, 1)\nplot(v)\nplot(u)'},
        ]
    )
    answered = compute_all(wanted, loaded)
    told = summary(loaded.priced, answered.runs)["indicators"]
    bars = loaded.priced.bars
    found, own = volume.profile(bars), volume.vwap(bars)
    levels = [found.point_of_control.value, found.value_high.value, found.value_low.value]
    assert [line["y"] for line in told["volume_profile"]["hlines"]] == pytest.approx(levels)
    assert [line["y"] for line in told["hvn_lvn"]["hlines"]] == pytest.approx([*found.high_nodes, *found.low_nodes])
    assert own.price.value is not None and own.deviation.value is not None
    expected = [own.price.value, own.price.value + own.deviation.value]
    assert [line["last_value"] for line in told["V"]["lines"]] == pytest.approx(expected)
