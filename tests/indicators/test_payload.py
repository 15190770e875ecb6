"""Answers about indicators have the agreed shape, on any number of bars, and no number that JSON cannot hold."""

import json
import math
from typing import Any

import jsonschema
import pytest

from pinebench.errors import UsageError
from pinebench.indicators import ALL, IndicatorRun, PayloadBars, asked, compute, find, series, summary
from pinebench.market.bars import Bars
from tests.indicators.sample import HOUR, bars, run, sample
from tests.indicators.schemas import SERIES, SUMMARY, lists

NAMES = [one.name for one in ALL if len(one.name) % 4 == 0 or one.signals or one.kind == "external"]
"""A sample of the indicators; tests/soak has all of them."""
FEED = tuple(one.name for one in ALL if one.kind == "external" and one.name != "cvd")
SUMMARIES, ALL_SERIES = jsonschema.Draft202012Validator(SUMMARY), jsonschema.Draft202012Validator(SERIES)


def answers(entries: list[Any], given: Bars, compat: str | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
    """Summary and series, as they are after JSON."""
    runs = [compute(one, given, HOUR) for one in asked(entries, compat)]
    priced = PayloadBars("X:TEST", "60", given)
    found = (json.loads(json.dumps(each(priced, runs), allow_nan=False)) for each in (summary, series))
    first, second = found
    SUMMARIES.validate(first)
    ALL_SERIES.validate(second)
    return first, second


@pytest.mark.parametrize("name", NAMES)
def test_the_shape_of_an_answer(name: str) -> None:
    """Both dialects and more numbers of bars are in tests/soak."""
    for count in (1, 200):
        _, told = answers([name], sample(count))
        assert len(told["bars"]) == count
        assert all(len(values) == count for values in lists(told["indicators"][name]))
        signals = told["indicators"][name].get("signals", ())
        assert all(0 <= each["x"] < count for each in signals)
        assert {each["label"] for each in signals} <= set(find(name).signals)
        if count == 200:
            assert set(told["indicators"][name]) > {"label", "is_overlay"} or name in (*FEED, "gaps")


def test_without_bars() -> None:
    told, values = answers(NAMES[:9], Bars())
    assert told["price"] == {"bars": 0} and values["bars"] == []
    assert list(told["indicators"]) == NAMES[:9]
    assert all(set(one) <= {"label", "is_overlay", "y_range"} for one in told["indicators"].values())


def test_five_thousand_bars() -> None:
    """Without the schema, which takes a minute to look at so many values."""
    given = sample(5000)
    runs = [compute(one, given, HOUR) for one in asked(["cipher_b", "session_vp", "vpvr"])]
    told = series(PayloadBars("X:TEST", "60", given), runs)
    json.dumps([told, summary(PayloadBars("X:TEST", "60", given), runs)], allow_nan=False)
    assert all(len(values) == 5000 for one in told["indicators"].values() for values in lists(one))


def test_a_line_has_no_value_before_it_is_warm() -> None:
    _, told = answers(["rsi"], sample(60))
    values = told["indicators"]["rsi"]["lines"][0]["values"]
    assert values[:14] == [None] * 14 and None not in values[14:]


def test_bars_before_the_ones_that_are_shown_warm_an_indicator_up() -> None:
    given = sample(300)
    one = run("rsi", given, shown=10)
    told = series(PayloadBars(None, "60", given.last(10)), [one])["indicators"]["rsi"]["lines"][0]["values"]
    whole = series(PayloadBars(None, "60", given), [run("rsi", given)])["indicators"]["rsi"]["lines"][0]["values"]
    assert told == whole[-10:]


def test_a_long_average_on_few_bars_is_that_of_the_long_run() -> None:
    given = sample(6000)
    whole = series(PayloadBars(None, "60", given), [run("ema", given)])["indicators"]["ema"]["lines"]
    few = run("ema", given.last(200 + run("ema", given, shown=200).asked.warm_up), shown=200)
    told = series(PayloadBars(None, "60", given.last(200)), [few])["indicators"]["ema"]["lines"]
    for long, short in zip(whole, told, strict=True):
        assert short["values"] == pytest.approx(long["values"][-200:], rel=1e-9)


def test_how_many_bars_warm_an_indicator_up() -> None:
    entries = [
        "rsi",
        "ema",
        {"name": "sma", "period": 100},
        {"name": "ema_stack"},
        "vpvr",
        {"name": "sma", "period": 900},
    ]
    assert [one.warm_up for one in asked(entries)] == [500, 500, 1500, 3000, 0, 3000]
    assert [one.warm_up for one in asked(["ema"], "chartgen")] == [0]


@pytest.mark.parametrize(
    ("script", "inputs"),
    [
        ('n = input.int(5, "Length")\nplot(ta.ema(close, n))', {"n": 100}),
        ('n = input.int(5, "Length")\nplot(ta.ema(close, n))', {"Length": 100}),
        ('n = input.int(5, "Length")\nplot(ta.ema(close, n))', {"Length": "100"}),
        ("plot(ta.ema(close, 100))", {}),
    ],
)
def test_a_script_of_the_user_is_warmed_up_by_its_lengths(script: str, inputs: dict[str, Any]) -> None:
    """With the input under its title, an average of 400 bars was 1.5 % wrong."""
    [one] = asked([{"pine": f'//@version=6\nindicator("E")\n{script}\n', "inputs": inputs}])
    assert one.warm_up == 1500


def test_empty_channels_are_left_out() -> None:
    told, _ = answers(["atr"], sample(30))
    assert set(told["indicators"]["atr"]) == {"label", "is_overlay", "lines"}


def test_a_summary_to_the_letter() -> None:
    """The answer that chartgen gives for its strength index on 30 sample bars."""
    given = sample(30)
    run_ = compute(asked(["rsi"], "chartgen")[0], given, HOUR)
    told = summary(PayloadBars(None, "4h", given, dated=False), [run_])
    price = told["price"]
    assert price["first"]["date"] == "D0" and price["last"]["date"] == "D29"
    assert price["last"]["close"] == pytest.approx(12.26504742425388, abs=1e-12)
    assert price["range"] == pytest.approx({"high": 31.411537794820998, "low": 12.021505031374705})
    assert price["total_volume"] == pytest.approx(1187302.6046205591, rel=1e-12)
    assert price["change_pct"] == pytest.approx(-58.83503806178783)
    line = {"index": 0, "label": "RSI", "last_value": pytest.approx(22.254133175107835, abs=1e-9)}
    one = told["indicators"]["rsi"]
    assert one.pop("lines") == [line]
    assert told["indicators"] == {
        "rsi": {
            "label": "RSI(14)",
            "is_overlay": False,
            "y_range": [0, 100],
            "hlines": [{"y": 70}, {"y": 30}, {"y": 50}],
        }
    }


def test_signals_say_when_they_are() -> None:
    given = sample(200)
    first, second = answers(["wt"], given, "chartgen")
    signals = second["indicators"]["wt"]["signals"]
    assert signals[0] == {"x": 4, "t": given.time[4] // 1000, "y": pytest.approx(71.691473), "label": "cross_down_ob"}
    assert [{k: v for k, v in each.items() if k != "t"} for each in signals] == first["indicators"]["wt"]["signals"]
    undated = series(PayloadBars(None, "4h", given, dated=False), [run("wt", given, "chartgen")])
    assert undated["bars"][0]["t"] is None and undated["indicators"]["wt"]["signals"][0]["t"] is None


def test_an_indicator_without_its_feed_says_so_and_shows_nothing() -> None:
    first, second = answers([*FEED], sample(20))
    for told in (first, second):
        assert all(each["label"].endswith("(no data)") and len(each) == 2 for each in told["indicators"].values())


def test_five_summaries_are_short() -> None:
    told, _ = answers(["ema_stack", "bbands", "macd", "rsi", "atr"], sample(200))
    assert len(json.dumps(told["indicators"])) <= 2048


def test_numbers_that_json_cannot_hold_become_null() -> None:
    pine = '//@version=6\nindicator("x")\nplot(close / 0, "Endless")\nplot(na, "None")\nplot(1e308 * 10, "Huge")\n'
    _, told = answers([{"pine": pine, "id": "odd"}], sample(3))
    assert [each["values"] for each in told["indicators"]["odd"]["lines"]] == [[None] * 3] * 3


def test_drawings_of_a_script_are_in_the_channels() -> None:
    pine = (
        '//@version=6\nindicator("x", overlay = true)\nif barstate.islast\n'
        '    label.new(bar_index, high, "Peak")\n    line.new(0, low, bar_index, high, style = line.style_dashed)\n'
        "    line.new(0, 7, 1, 7, extend = extend.both)\n    box.new(1, 12, 3, 10)\n"
    )
    given = bars((1, 2, 1, 2, 1), (2, 3, 2, 3, 1), (3, 4, 3, 4, 1), (4, 5, 4, 5, 1))
    _, told = answers([{"pine": pine, "id": "own"}], given)
    one = told["indicators"]["own"]
    assert one["signals"] == [{"x": 3, "t": given.time[3] // 1000, "y": 5, "label": "Peak"}]
    assert one["hlines"] == [{"y": 7}]
    assert one["hbars"] == [{"y": 11, "height": 2, "width": 0.5, "offset": 0.25, "left": True}]
    assert [(line["x1"], line["y1"], line["x2"], line["y2"], line["dashed"]) for line in one["divlines"]] == [
        (0, 4, 3, 5, True)
    ]
    assert one["is_overlay"]


def test_a_polyline_has_all_its_pieces() -> None:
    pine = (
        '//@version=6\nindicator("x", overlay = true)\nvar points = array.new<chart.point>()\n'
        "for k = 0 to 399\n    points.push(chart.point.from_index(bar_index, low + k))\n"
        "if barstate.islast\n    polyline.new(points)\n"
    )
    _, told = answers([{"pine": pine, "id": "own"}], sample(3))
    assert len(told["indicators"]["own"]["divlines"]) == 1199


def test_a_run_is_what_its_bars_say() -> None:
    one: IndicatorRun = run("rsi", sample(20))
    assert len(one.result.times) == 20 and one.first == 0


def test_labels_of_scripts_cannot_turn_or_steer_text() -> None:
    source = '//@version=6\nindicator("x")\nplot(close, "A\u202eB")\nplotshape(true, "C\u202eD", text = "E\u2066F")\n'
    found = json.dumps(answers([{"pine": source}], sample(5)), ensure_ascii=False)
    assert "A\\\\u202eB" in found
    assert not any(mark in found for mark in "\u202e\u2066")


def test_a_length_has_one_meaning_under_all_its_names() -> None:
    for name in ("ema", "double_ema", "rsi", "sma"):
        inputs = [asked([{"name": name, setting: 33}])[0].inputs for setting in ("length", "period", "window")]
        assert inputs == [{"length": 33}] * 3, name
    with pytest.raises(UsageError, match="has no setting 'length'"):
        asked([{"name": "ema_cross", "length": 9}])


def test_bars_without_volumes_have_no_total() -> None:
    bars = Bars()
    for number, close in enumerate((-10.0, -5.0)):
        bars.append(number * 60_000, close, close, close, close, math.nan)
    told = summary(PayloadBars("X:TEST", "1", bars), [])["price"]
    assert told["total_volume"] is None
    assert told["change_pct"] == 50
