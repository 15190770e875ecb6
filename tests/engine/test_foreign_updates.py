"""A feed is foreign: whatever stands in a field of a message, it changes nothing that it may not change."""

import json
import math
from pathlib import Path
from typing import Any

from pinebench.engine.feed import parsed
from pinebench.engine.series import is_plausible
from tests.engine.markets import BEGIN, KEY, MINUTE, Clock, closed, closes, engine_of, play

YEAR = 365 * 86_400_000
ODD: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        "",
        "x",
        [],
        {},
        -1,
        0,
        1,
        1e308,
        -1e308,
        1e13,
        "1e999",
        "NaN",
        "-inf",
        "0x10",
        "1_0",
        10**400,
    ),
    *(BEGIN * 1000, BEGIN // 1000, BEGIN + 31 * YEAR, BEGIN - 31 * YEAR, BEGIN + 2 * MINUTE + 3_600_000, "9" * 5_000),
)


def message(at: int = 1) -> dict[str, Any]:
    """A message of the stream about the bar `at`, which closed."""
    bar = {"t": BEGIN + at * MINUTE, "T": BEGIN + (at + 1) * MINUTE - 1, "s": KEY[0], "i": KEY[1], "x": True}
    prices = {"o": "101", "h": "102", "l": "100", "c": "101", "v": "5"}
    return {"e": "kline", "E": BEGIN + (at + 1) * MINUTE, "s": KEY[0], "k": {**bar, **prices}}


def test_no_value_of_a_field_brings_the_market_out_of_step(tmp_path: Path) -> None:
    """After each odd message an order is filled, an alert fires, and the account is a number, as without it."""
    fields = [("", name) for name in message()] + [("k", name) for name in message()["k"]]
    odd = [(place, name, value) for place, name in fields for value in ODD]
    count = len(odd) + 2
    bars = closes(*(100 + at % 2 for at in range(count)))
    engine = engine_of(str(tmp_path), bars.at([0]), clock=Clock(BEGIN + MINUTE))
    for at, (place, name, value) in enumerate(odd, 1):
        told = message(at)
        (told[place] if place else told)[name] = value
        found = parsed(json.dumps(told))
        if found is not None:
            assert is_plausible(found)
            engine.process([found])
        id = engine.place_order("anna", "BTCUSDT", "buy" if at % 2 else "sell", 1)
        engine.set_alert("anna", "BTCUSDT", {"price_above": 1})
        play(engine, bars, at, at + 1)
        play(engine, bars, at + 1, at + 2)
        order = next(each for each in engine.orders("anna") if each["id"] == id)
        assert order["state"] == "Filled", (name, value)
        assert engine.notifications("anna"), (name, value)
        assert all(math.isfinite(each) for each in engine.balance("anna").values() if isinstance(each, float))
    engine.close()


def test_a_message_that_is_moved_as_a_whole_is_counted_and_changes_nothing(tmp_path: Path) -> None:
    bars = closes(100, 101, 102, 103)
    engine = engine_of(str(tmp_path), bars.at([0]))
    for years in (1, 31):
        ahead = closed(bars, 1)._replace(time=BEGIN + years * YEAR, end=BEGIN + years * YEAR + MINUTE)
        ahead = ahead._replace(event=ahead.end)
        assert is_plausible(ahead)
        engine.process(engine.missed(KEY, bars.at([]), [], BEGIN + MINUTE))
        engine.process([ahead])
        engine.process([ahead._replace(closed=False)])
    assert engine.health()["feed"]["ignored"] == 4
    assert engine.now("BTCUSDT") < BEGIN + YEAR
    engine.place_order("anna", "BTCUSDT", "buy", 1)
    play(engine, bars, 1)
    assert [each["state"] for each in engine.orders("anna")] == ["Filled"]
    engine.close()


WRONG: tuple[dict[str, Any], ...] = (
    *({"event": BEGIN + 31 * YEAR}, {"event": BEGIN * 1000}, {"event": BEGIN - 3_600_000}, {"event": BEGIN // 1000}),
    *({"event": 0}, {"event": -BEGIN}, {"event": 1 << 63}, {"event": BEGIN + 30 * 86_400_000}),
    *(
        {"end": BEGIN + 3 * MINUTE},
        {"end": BEGIN},
        {"end": BEGIN + 31 * YEAR},
        {"time": BEGIN - 31 * YEAR},
        {"time": 0},
    ),
    *({"interval": "1x"}, {"interval": ""}, {"interval": "0m"}, {"interval": "9" * 50 + "m"}),
    *({"high": 1e308}, {"high": math.inf}, {"high": math.nan}, {"high": 100.0}, {"low": 102.0}, {"low": -1e308}),
    *({"close": math.nan}, {"close": 0.0}, {"close": -101.0}, {"close": 1e308}, {"open": 1e308}, {"open": math.nan}),
    *({"open": 1e300, "high": 1e300, "low": 1e300, "close": 1e300}, {"open": -0.0}, {"low": 0.0}),
    *({"volume": math.inf}, {"volume": -1.0}, {"volume": 1e308}, {"volume": -math.inf}, {"volume": 1e300}),
)
"""What cannot be a part of a bar of a minute that opens a minute after `BEGIN`, at 101."""


def test_an_update_is_bounded_by_its_bar() -> None:
    fine = closed(closes(100, 101), 1)
    assert is_plausible(fine) and is_plausible(fine._replace(event=fine.event + 1_000))
    assert is_plausible(fine._replace(event=fine.time - 1_000))
    assert [each for each in WRONG if is_plausible(fine._replace(**each))] == []
