"""Alerts: when they fire and for whom. Never: an old signal, twice for a bar, another user's alert."""

import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pinebench.engine import scripts, strategies
from pinebench.engine.engine import TradingEngine
from pinebench.engine.moments import rfc3339
from pinebench.engine.risk import RiskLimits
from pinebench.errors import UsageError
from tests.engine.markets import BEGIN, KEY, MINUTE, Clock, bars_of, closed, closes, engine_of, play, walk

ANNA, BEN = "anna", "ben"
ABOVE = {"price_above": 105}
BOTH = """//@version=6
indicator("both")
alertcondition(close > 105, "High", "{{ticker}} is at {{close}}")
alertcondition(close > 106, "Higher", "higher")
if close > 105
    alert("one at " + str.tostring(close), alert.freq_all)
    alert("two", alert.freq_all)
"""


def fire(
    folder: Path, condition: object, prices: Sequence[float], history: Sequence[float] | None = None, **more: Any
) -> list:
    """The values and messages of the firings of one alert, when bars with these closes follow."""
    bars = closes(*(history or [100.0]), *prices)
    count = len(history or [100.0])
    engine = engine_of(str(folder), bars.at(range(count)))
    engine.set_alert(ANNA, "btcusdt", condition, **more)
    play(engine, bars, count)
    found = engine.alerts.history(ANNA)[::-1]
    engine.close()
    return [(each["value"], each["message"]) if "message" in each else each["value"] for each in found]


def test_a_level_is_tested_on_closed_bars_only(tmp_path: Path) -> None:
    bars = bars_of([(100, 100, 100, 100), (100, 110, 100, 104), (104, 105, 104, 105), (105, 120, 105, 120)])
    engine = engine_of(str(tmp_path), bars.at([0]))
    engine.set_alert(ANNA, "BTCUSDT", ABOVE)
    play(engine, bars, 1, 2)
    assert engine.notifications(ANNA) == []  # 110 was only reached inside the bar
    play(engine, bars, 2)
    (told,) = engine.notifications(ANNA)
    assert told["symbol"] == "BTCUSDT"
    assert told["condition"] == ABOVE
    assert told["value"] == 105
    assert told["triggered_at"] == "2024-01-01T00:03:00Z"
    assert engine.notifications(ANNA) == []
    assert engine.alerts.listing(ANNA) == []
    engine.close()


@pytest.mark.parametrize(
    ("condition", "prices", "expected"),
    [
        ({"price_below": 95}, [96, 95, 90], [95]),
        ({"crossing": {"level": 102}}, [101, 103, 104], [103]),
        ({"crossing": {"level": 102, "direction": "down"}}, [101, 103, 102, 101], [101]),
        ({"percent": {"change": 5, "bars": 2}}, [102, 104.9, 107.1, 110], [pytest.approx(5.0)]),
        ({"percent": {"change": -5}}, [96, 91.1], [pytest.approx(-5.104, abs=0.001)]),
        ({"percent": {"change": 5}}, [-100, -90], [pytest.approx(10.0)]),  # a spread may be below zero
        ({"percent": {"change": 5}}, [0, 3, 4], [pytest.approx(100 / 3)]),  # there is no percentage of 0
        ({"pine": "close > close[1] and close > 102"}, [101, 103, 104], [103]),
    ],
)
def test_each_kind_of_condition_fires_once(
    tmp_path: Path, condition: object, prices: list[float], expected: list[float]
) -> None:
    assert fire(tmp_path, condition, prices) == expected


def test_a_script_may_need_bars_of_a_timeframe_that_is_between_the_one_of_the_alert_and_an_hour(tmp_path: Path) -> None:
    """It is tried on bars of the alert's own timeframe, so that it is refused only if it cannot run there."""
    body = 'alertcondition(close > 100, "Up", "{{close}}")'
    source = f'//@version=6\nindicator("own", timeframe = "5", timeframe_gaps = true)\n{body}\n'
    found = fire(tmp_path, {"script": {"pine": source}}, range(101, 112), frequency="once_per_bar")
    assert [message for _, message in found] == ["104", "109"]
    asked = """//@version=6
indicator("asked")
alertcondition(request.security(syminfo.tickerid, "15", close) > 0, "Up", "up")
"""
    assert fire(tmp_path / "asked", {"script": {"pine": asked}}, [101, 102], frequency="once_per_bar")


def test_the_frequency_decides_how_often_an_alert_fires(tmp_path: Path) -> None:
    prices = [106, 107, 104, 108]
    assert fire(tmp_path / "a", ABOVE, prices) == [106]
    assert fire(tmp_path / "b", ABOVE, prices, frequency="once_per_bar") == [106, 107, 108]
    assert fire(tmp_path / "c", ABOVE, prices, rearm=True) == [106, 108]


def test_a_bar_without_its_scripts_does_not_arm_an_alert_again(tmp_path: Path) -> None:
    """It is unknown whether the condition was met on it."""
    bars = closes(100, 106, 107, 108)
    engine = engine_of(str(tmp_path), bars.at([0]))
    engine.set_alert(ANNA, "BTCUSDT", {"pine": "close > 105"}, rearm=True)
    engine.scripts_wait = True
    for at, runs in ((1, True), (2, False), (3, True)):
        play(engine, bars, at, at + 1)
        (engine.run_scripts if runs else engine.leave_out_scripts)()
    assert [each["value"] for each in engine.alerts.history(ANNA)] == [106]
    engine.close()


def test_a_script_fires_by_its_own_alerts(tmp_path: Path) -> None:
    script = {"script": {"pine": BOTH}}
    every = ["one at 106", "two", "BTCUSDT is at 106"]
    assert [said for _, said in fire(tmp_path / "a", script, [104, 106], frequency="all")] == every
    assert [said for _, said in fire(tmp_path / "b", script, [104, 106], frequency="once_per_bar")] == every[:1]
    titled = {"script": {"pine": BOTH, "title": "Higher"}}
    assert fire(tmp_path / "c", titled, [106, 107], frequency="once_per_bar") == [(107, "higher")]
    on_one_line = {"script": {"pine": BOTH.replace('close}}")\n', 'close}}"), '), "title": "High"}}
    assert fire(tmp_path / "d", on_one_line, [106, 107]) == [(106, "BTCUSDT is at 106")]


def test_what_comes_from_a_script_with_an_own_version_of_a_library_says_so_everywhere(tmp_path: Path) -> None:
    """The alert, its firing, the notification, the letter of its webhook, and a strategy."""
    library = "import TradingView/ta/9 as tv\n"
    source = f"//@version=6\nindicator('own')\n{library}alertcondition(tv.changePercent(close, open) >= 0, 'up')\n"
    strategy = f"//@version=6\nstrategy('own')\n{library}plot(tv.changePercent(close, open))\n"
    bars = closes(100.0, 104.0, 106.0)
    engine = engine_of(str(tmp_path), bars.at(range(1)))
    hook = {"url": "https://example.com/hook", "secret": "0123456789abcdef"}
    engine.set_alert(ANNA, "btcusdt", {"script": {"pine": source}}, frequency="once_per_bar", webhook=hook)
    engine.set_alert(ANNA, "btcusdt", ABOVE, frequency="once_per_bar")
    engine.trade(ANNA, "BTCUSDT", None, strategy, {})
    listed = engine.alerts.listing(ANNA)
    play(engine, bars, 1)
    pushed = [json.loads(each["body"]) for each in engine.store.rows("select body from outbox")]
    for told in (listed, engine.alerts.history(ANNA), engine.notifications(ANNA)):
        noted = [each["notes"] for each in told if "notes" in each]
        plain = [each for each in told if "notes" not in each]
        assert noted and plain and all("TradingView/ta/9 is pinebench's own version" in each[0] for each in noted)
    assert pushed and all("own version" in each["notes"][0] for each in pushed)
    (traded,) = strategies.listing(engine.store, ANNA)
    assert "own version" in traded["notes"][0]
    engine.close()


def test_a_message_is_a_template(tmp_path: Path) -> None:
    told = fire(tmp_path, ABOVE, [106.5], message="{{ticker}} {{interval}}: {{close}} at {{time}}, {{unknown}}")
    assert told == [(106.5, "BTCUSDT 1m: 106.5 at 2024-01-01T00:01:00Z, {{unknown}}")]


def test_a_missing_volume_is_written_like_in_a_script(tmp_path: Path) -> None:
    bars = closes(100, 106)
    bars.volume[1] = float("nan")
    engine = engine_of(str(tmp_path), bars.at([0]))
    engine.set_alert(ANNA, "BTCUSDT", ABOVE, message="{{close}} {{volume}}")
    play(engine, bars, 1)
    assert engine.notifications(ANNA)[0]["message"] == "106 NaN"
    engine.close()


def test_an_alert_that_expired_does_not_fire(tmp_path: Path) -> None:
    assert fire(tmp_path, ABOVE, [104, 106], expires_at="2024-01-01T00:02:30Z") == []


def test_an_alert_does_not_fire_on_a_bar_that_closed_before_it_was_made(tmp_path: Path) -> None:
    bars = closes(100, 106, 100)
    engine = engine_of(str(tmp_path), bars.at([0]))
    assert isinstance(engine.clock, Clock)
    engine.clock.time = BEGIN + 2 * MINUTE + 10_000  # bar 1 has closed, but the feed tells it only later
    engine.set_alert(ANNA, "BTCUSDT", ABOVE)
    engine.process([closed(bars, 1), closed(bars, 2)])
    assert engine.alerts.history(ANNA) == []
    engine.close()


def _signals(engine: TradingEngine, label: str) -> list[str]:
    return [each["bar_time"] for each in engine.alerts.history(ANNA)[::-1] if each["condition"] == _signal(label)]


def _signal(label: str) -> dict[str, Any]:
    return {"indicator_signal": {"indicator": "supertrend", "signal": label}}


def test_an_old_signal_never_fires_and_a_new_one_does(tmp_path: Path) -> None:
    from pinebench.engine.moments import rfc3339
    from pinebench.indicators import asked, compute
    from pinebench.indicators.channels import channels
    from tests.engine.markets import info

    bars = walk(500)
    flips = channels(compute(asked(["supertrend"])[0], bars, info())).signals
    marked = [each.x for each in flips if each.label == "flip_up"]
    first = next(x for x in marked if x > 300) + 1  # the alert is made right after a signal
    engine = engine_of(str(tmp_path), bars.at(range(first)))
    engine.set_alert(ANNA, "BTCUSDT", _signal("flip_up"), frequency="once_per_bar")
    engine.process([closed(bars, at) for at in range(first, len(bars))])
    assert _signals(engine, "flip_up") == [rfc3339(bars.time[x]) for x in marked if x >= first] != []
    engine.close()


def test_a_user_sees_and_cancels_only_its_own_alerts(tmp_path: Path) -> None:
    bars = closes(100, 106)
    engine = engine_of(str(tmp_path), bars.at([0]))
    id = engine.set_alert(ANNA, "BTCUSDT", ABOVE)
    engine.pushing.subscribe(BEN)
    assert engine.alerts.listing(BEN) == []
    with pytest.raises(UsageError, match=f"alert not found: {id}"):
        engine.alerts.cancel(BEN, id)
    play(engine, bars, 1)
    assert engine.notifications(BEN) == []
    assert engine.pushing.listing(BEN)["offline_queue_size"] == 0
    assert engine.alerts.history(BEN) == engine.alerts.endings(BEN) == []
    assert len(engine.notifications(ANNA)) == 1
    engine.close()


def test_alerts_are_listed_in_their_wire_form_and_survive_a_restart(tmp_path: Path) -> None:
    engine = engine_of(str(tmp_path))
    hook = {"url": "https://example.com/hook", "secret": "0123456789abcdef"}
    id = engine.set_alert(ANNA, "BTCUSDT", ABOVE, message="up", webhook=hook)
    told = engine.alerts.listing(ANNA)
    assert told[0]["id"] == id
    assert told[0]["condition"] == ABOVE
    assert told[0]["created_at"].endswith("Z")
    assert hook["secret"] not in str(told)
    engine.close()
    again = engine_of(str(tmp_path))
    assert again.alerts.listing(ANNA) == told
    again.alerts.cancel(ANNA, id)
    with pytest.raises(UsageError, match="alert not found"):
        again.alerts.cancel(ANNA, id)
    assert [each["reason"] for each in again.alerts.endings(ANNA)] == ["cancelled"]
    again.close()


@pytest.mark.parametrize(
    ("given", "words", "hint"),
    [
        (None, "condition is required", "price_above"),
        ({"price_abov": 1}, "one known key", "did you mean price_above"),
        ({"price_above": "x"}, "price_above must be a finite number", ""),
        (
            {"indicator_signal": {"indicator": "supertrnd", "signal": "flip_up"}},
            "unknown indicator 'supertrnd'",
            "supertrend",
        ),
        ({"indicator_signal": {"indicator": "supertrend", "signal": "flip_upp"}}, "no signal 'flip_upp'", "flip_up"),
        ({"indicator_signal": {"indicator": "supertrend"}}, "signal is required", ""),
        ({"indicator_value": {"indicator": "rsi", "above": 70, "line": "RSY"}}, "no line 'RSY'", "RSI"),
        (
            {"indicator_value": {"indicator": "rsi", "above": 70, "settings": {"pine": "/root/secret.pine"}}},
            "rsi has no setting 'pine'",
            "length",
        ),
        ({"pine": "ta.rsi(close, 14"}, "the expression does not compile", ""),
        ({"pine": "close\nplot(close)"}, "one line", ""),
        ({"script": {"pine": '//@version=6\nstrategy("a")\nplot(close)'}}, "the script is a strategy", ""),
        ({"script": {"pine": BOTH, "title": "Hihg"}}, "no alertcondition 'Hihg'", "High"),
        ({"percent": {"change": 0}}, "change must not be 0", ""),
        ({"crossing": {"level": 1, "direction": "upp"}}, "direction must be one of", ""),
    ],
)
def test_a_wrong_condition_is_refused_when_the_alert_is_made(
    tmp_path: Path, given: object, words: str, hint: str
) -> None:
    engine = engine_of(str(tmp_path))
    with pytest.raises(UsageError, match=words) as caught:
        engine.set_alert(ANNA, "BTCUSDT", given)
    assert hint in (caught.value.hint or "")
    assert engine.alerts.listing(ANNA) == []
    engine.close()


def test_a_symbol_that_is_not_followed_is_refused(tmp_path: Path) -> None:
    engine = engine_of(str(tmp_path))
    with pytest.raises(UsageError, match="does not follow ETHUSDT") as caught:
        engine.set_alert(ANNA, "ETHUSDT", ABOVE)
    assert caught.value.hint == "it follows BTCUSDT 1m"
    with pytest.raises(UsageError, match="there is no notifier 'phone'"):
        engine.set_alert(ANNA, "BTCUSDT", ABOVE, notify=["phone"])
    engine.close()


def test_a_script_that_fails_ends_only_its_own_alert(tmp_path: Path) -> None:
    bad = '//@version=6\nindicator("bad")\nif bar_index > 310\n    runtime.error("no more")\nalert("x")'
    bars = closes(*[100.0 + number % 3 for number in range(320)])
    engine = engine_of(str(tmp_path), bars.at(range(308)))
    engine.set_alert(ANNA, "BTCUSDT", {"script": {"pine": bad}}, frequency="once_per_bar")
    engine.set_alert(ANNA, "BTCUSDT", {"pine": "close > 101"}, frequency="once_per_bar")
    engine.process([closed(bars, at) for at in range(308, 320)])
    assert [each["reason"] for each in engine.alerts.endings(ANNA)] == ["the script stopped: Error on bar 311: no more"]
    assert len(engine.alerts.listing(ANNA)) == 1
    assert len(engine.alerts.history(ANNA)) == 3 + 4
    engine.close()


def test_a_user_is_told_that_an_alert_has_ended_because_its_script_stopped(tmp_path: Path) -> None:
    """Otherwise the user waits for an alert that no longer exists."""
    bad = '//@version=6\nindicator("bad")\nif bar_index > 310\n    runtime.error("no more")'
    bars = closes(*[100.0] * 320)
    engine = engine_of(str(tmp_path), bars.at(range(308)))
    engine.pushing.subscribe(ANNA, types=["script"])
    id = engine.set_alert(ANNA, "BTCUSDT", {"script": {"pine": bad}}, webhook={"url": "https://8.8.8.8/", "secret": ""})
    engine.process([closed(bars, at) for at in range(308, 320)])
    (told,) = engine.notifications(ANNA)
    assert told["alert_id"] == id
    assert told["condition"] == {"alert_ended": {"script": {"pine": bad}}}
    assert told["value"] is None
    assert told["message"] == (
        "the alert has ended and will not fire any more: the script stopped: Error on bar 311: no more"
    )
    assert engine.pushing.listing(ANNA)["offline_queue_size"] == 1
    assert engine.store.count("outbox") == 0  # the receiver of a webhook may place an order for it
    engine.close()


def test_the_window_is_the_closed_bars(tmp_path: Path) -> None:
    bars = closes(100, 101, 102)
    engine = engine_of(str(tmp_path), bars.at([0]))
    play(engine, bars, 1, 2)
    window = engine.window("btcusdt", "1m")
    assert window is not None
    assert window.close == [100, 101]
    assert engine.window("BTCUSDT", "1") == window
    assert engine.window("BTCUSDT", "5m") is engine.window("BTCUSDT", "nothing") is None
    assert engine.key_of("btcusdt", None) == KEY
    engine.close()


def test_an_alert_on_an_indicator_that_is_gone_ends_with_the_reason(tmp_path: Path) -> None:
    engine = engine_of(str(tmp_path))
    engine.set_alert(ANNA, "BTCUSDT", _signal("flip_up"))
    kept = engine.set_alert(ANNA, "BTCUSDT", ABOVE)
    with engine.store.transaction() as db:
        db.execute("update alert set condition = replace(condition, 'supertrend', 'gone')")
    engine.close()
    again = engine_of(str(tmp_path))
    assert [each["id"] for each in again.alerts.listing(ANNA)] == [kept]
    assert [each["reason"] for each in again.alerts.endings(ANNA)] == ["unknown indicator 'gone'"]
    (told,) = again.notifications(ANNA)
    assert told["message"] == "the alert has ended and will not fire any more: unknown indicator 'gone'"
    again.close()


def test_an_alert_that_is_set_again_knows_the_bars_that_closed_without_it(tmp_path: Path) -> None:
    bars = closes(100.0, 160.0, 220.0, 221.0)
    engine = engine_of(str(tmp_path), bars.at([0]))
    jump = {"pine": "close > close[1] + 50"}
    engine.set_alert(ANNA, "BTCUSDT", jump)
    play(engine, bars, 1, 2)
    assert [each["value"] for each in engine.alerts.history(ANNA)] == [160.0]
    play(engine, bars, 2, 3)
    engine.set_alert(ANNA, "BTCUSDT", jump)
    play(engine, bars, 3)
    assert [each["value"] for each in engine.alerts.history(ANNA)] == [160.0]
    engine.close()


def test_the_history_shows_firings_of_an_indicator_that_is_gone(tmp_path: Path) -> None:
    engine = engine_of(str(tmp_path), closes(100.0))
    engine.set_alert(ANNA, "BTCUSDT", {"indicator_value": {"indicator": "rsi", "above": 70}})
    engine.set_alert(ANNA, "BTCUSDT", ABOVE)
    play(engine, closes(*[100.0 + 10 * at for at in range(20)]), 1)
    before = engine.alerts.history(ANNA)
    assert len(before) == 2
    with engine.store.transaction() as db:
        db.execute("update firing set condition = replace(condition, 'rsi', 'gone')")
    assert [each["id"] for each in engine.alerts.history(ANNA)] == [each["id"] for each in before]
    engine.close()


LONG_MESSAGES = (
    *("{{" + " " * 3_990, "{{" * 2_000, "{{ " + "a " * 1_900, "{{}" * 1_300),
    *("{{" + "\t\xa0" * 1_990, "{{" + "\n" * 3_990, "{" * 4_000, "}}" + "{{ close" * 490, "{{" + "x" * 3_990 + "}"),
    *("{{\u2003}" * 990, "{{ " * 1_330 + "}}", "{{ close }" + " " * 3_980, "{{plot_" + "0" * 3_980 + "}}"),
    '{{plot("' + '"' * 3_980 + ")}}",
)
"""Messages that would take long if each blank could be read in several ways. The first took three minutes."""


@pytest.mark.timeout(60)
def test_no_message_takes_long_to_fill_in(tmp_path: Path) -> None:
    bars = closes(100, 106, 107)
    engine = engine_of(str(tmp_path), bars.at([0]))
    for message in LONG_MESSAGES:
        engine.set_alert("anna", "BTCUSDT", {"price_above": 105}, message=message, frequency="once_per_bar")
    play(engine, bars, 1)
    found: list[str] = []
    while taken := engine.notifications("anna"):
        found += [each["message"] for each in taken]
    assert sorted(found) == sorted([*LONG_MESSAGES] * 2)
    engine.close()


def test_placeholders_may_have_blanks_and_unknown_ones_stay(tmp_path: Path) -> None:
    bars = closes(100, 106)
    engine = engine_of(str(tmp_path), bars.at([0]))
    engine.set_alert("anna", "BTCUSDT", {"price_above": 105}, message="{{ close }} {{close}} {{ nothing }} {{}}")
    play(engine, bars, 1)
    assert engine.notifications("anna")[0]["message"] == "106 106 {{ nothing }} {{}}"
    engine.close()


HOG = """//@version=6
indicator("hog NUMBER")
float sum = 0
for i = 0 to 40000
    sum += i
alertcondition(sum > 0, "Always", "hog")
plot(sum)
"""
HONEST = '//@version=6\nindicator("honest")\nalertcondition(close > 0, "Always", "honest")\nplot(close)'


def test_scripts_of_one_user_cost_others_nothing_and_end_beyond_their_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scripts, "USER_SECONDS", 0.003)
    monkeypatch.setattr(scripts, "_EXCESS", 1)
    bars = closes(*(100 + at for at in range(8)))
    engine = engine_of(str(tmp_path), bars.at([0]))
    for number in range(6):  # five run together, and the sixth not at all once those have taken too much
        condition = {"script": {"pine": HOG.replace("NUMBER", str(number))}}
        engine.set_alert("mallory", "BTCUSDT", condition, frequency="once_per_bar")
    engine.set_alert(BEN, "BTCUSDT", {"script": {"pine": HONEST}}, frequency="once_per_bar")
    engine.set_alert(ANNA, "BTCUSDT", {"price_above": 1}, frequency="once_per_bar")
    order = engine.place_order(ANNA, "BTCUSDT", "buy", 1)
    seen: list[tuple[int, str]] = []
    run = engine._scripts.advance

    def looked(asked: Sequence[Any]) -> Any:
        seen.append((len(engine.alerts.history(ANNA)), engine.order_state(ANNA, order)))
        return run(asked)

    monkeypatch.setattr(engine._scripts, "advance", looked)
    play(engine, bars, 1)
    # When the scripts of a bar run, the alerts on its price have fired and its orders are filled.
    assert seen == [(count, "Filled") for count in range(1, 8)]
    assert len(engine.alerts.history(BEN)) == 7
    ended = engine.alerts.endings("mallory")
    assert ended and {each["reason"] for each in ended} == {
        "the script stopped: your scripts together need more than 3 s on a bar, which is the limit"
    }
    assert engine.alerts.endings(BEN) == engine.alerts.endings(ANNA) == []
    engine.close()


def test_a_kill_between_prices_and_scripts_repeats_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bar is worked on again: its orders and alerts on prices happen once, its scripts are not forgotten."""
    bars = bars_of([(100, 100, 100, 100), (101, 104, 96, 103), (103, 103, 103, 103)])
    engine = engine_of(str(tmp_path), bars.at([0]))
    engine.set_alert(BEN, "BTCUSDT", {"script": {"pine": HONEST}}, frequency="once_per_bar")
    engine.set_alert(ANNA, "BTCUSDT", {"price_above": 1}, frequency="once_per_bar")
    engine.place_order(ANNA, "BTCUSDT", "buy", 1, take_profit=103.5, stop_loss=90)

    def killed(_asked: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(engine._scripts, "advance", killed)
    with pytest.raises(KeyboardInterrupt):
        engine.process([closed(bars, 1)])
    before = [(each["type"], each["state"]) for each in engine.orders(ANNA)]
    engine.close()
    again = engine_of(str(tmp_path), bars.at(range(2)))
    assert [(each["type"], each["state"]) for each in again.orders(ANNA)] == before
    assert len(again.alerts.history(ANNA)) == len(again.notifications(ANNA)) == 1
    assert len(again.alerts.history(BEN)) == 1
    again.close()


def test_prices_of_later_bars_do_not_wait_for_scripts_of_earlier_ones(tmp_path: Path) -> None:
    """While a script runs, the next bars fire alerts, fill orders and touch stops; its own alerts come in order."""
    bars = bars_of([(100, 100, 100, 100), (101, 101, 101, 101), (102, 104, 96, 103), (103, 103, 80, 103)])
    engine = engine_of(str(tmp_path), bars.at([0]))
    engine.set_alert(BEN, "BTCUSDT", {"script": {"pine": HONEST}}, frequency="once_per_bar")
    engine.set_alert(ANNA, "BTCUSDT", {"price_above": 1}, frequency="once_per_bar", rearm=False)
    engine.place_order(ANNA, "BTCUSDT", "buy", 1, stop_loss=90)
    begun, go = threading.Event(), threading.Event()
    run = engine._scripts.advance

    def held(asked: Sequence[Any]) -> Any:
        begun.set()
        assert go.wait(200)
        return run(asked)

    engine._scripts.advance = held  # type: ignore[method-assign]
    engine.scripts_wait = True
    engine.process([closed(bars, 1)])
    thread = threading.Thread(target=engine.run_scripts)
    thread.start()
    assert begun.wait(200)
    play(engine, bars, 2)
    assert len(engine.alerts.history(ANNA)) == 3 and engine.alerts.history(BEN) == []
    assert {each["type"]: each["state"] for each in engine.orders(ANNA)} == {"market": "Filled", "stop@90": "Filled"}
    assert engine.last(KEY) == bars.time[0] and engine.newest(KEY) == bars.time[3], "the bars are not done yet"
    assert engine.health()["scripts"]["waiting"] == 3
    go.set()
    thread.join(200)
    assert [each["bar_time"] for each in engine.alerts.history(BEN)][::-1] == [rfc3339(time) for time in bars.time[1:]]
    assert engine.last(KEY) == bars.time[3] and engine.health()["scripts"] == {"waiting": 0, "oldest_seconds": None}
    engine.close()


def test_a_kill_while_several_bars_wait_for_scripts_repeats_and_loses_nothing(tmp_path: Path) -> None:
    bars = bars_of([(100, 100, 100, 100), (101, 104, 96, 103), (103, 106, 103, 103), (103, 103, 103, 103)])
    engine = engine_of(str(tmp_path), bars.at([0]))
    engine.set_alert(BEN, "BTCUSDT", {"script": {"pine": HONEST}}, frequency="once_per_bar")
    engine.set_alert(ANNA, "BTCUSDT", {"price_above": 102}, frequency="once_per_bar", rearm=True)
    for _ in range(3):
        engine.place_order(ANNA, "BTCUSDT", "buy", 1, take_profit=103.5, stop_loss=90)
    engine.scripts_wait = True
    play(engine, bars, 1, 3)
    before = [(each["type"], each["state"]) for each in engine.orders(ANNA)]
    fired = engine.alerts.history(ANNA)
    assert engine.last(KEY) == bars.time[0]
    engine.close()
    again = engine_of(str(tmp_path), bars.at(range(3)))
    assert [(each["type"], each["state"]) for each in again.orders(ANNA)] == before
    assert again.alerts.history(ANNA) == fired and len(again.notifications(ANNA)) == len(fired)
    assert len(again.alerts.history(BEN)) == 2
    assert again.last(KEY) == bars.time[2]
    again.close()


def test_a_bar_that_comes_again_is_not_judged_by_the_account_of_later(tmp_path: Path) -> None:
    """The limit of losses: the price of an old bar says nothing about a position that was opened after it."""
    bars = closes(100, 60, 100, 100)
    engine = engine_of(str(tmp_path), bars.at([0]), limits=RiskLimits(orders_a_minute=None, day_loss=10))
    engine.set_alert(BEN, "BTCUSDT", {"script": {"pine": HONEST}}, frequency="once_per_bar")
    engine.scripts_wait = True
    play(engine, bars, 1, 2)
    engine.place_order(ANNA, "BTCUSDT", "buy", 400)
    play(engine, bars, 2, 3)
    waiting = engine.place_order(ANNA, "BTCUSDT", "buy", 1, "limit", 50)
    play(engine, bars, 3, 4)
    assert engine.order_state(ANNA, waiting) == "Open" and engine.last(KEY) == bars.time[0]
    engine.close()
    again = engine_of(str(tmp_path), bars, limits=RiskLimits(orders_a_minute=None, day_loss=10))
    assert again.order_state(ANNA, waiting) == "Open"
    again.close()
