"""The tools with many runs: the same numbers as the other faces, progress, and a cancellation that loses nothing."""

from __future__ import annotations

from typing import Any

import pytest

from pinebench.context import Context
from pinebench.tools.calling import call
from pinebench.tools.chart_browser import ChartBrowser
from tests.sweeps.support import CROSS

BARS = "sample:BTCUSDT@1Dx200"
RANGES = ["Fast=4:8:4", "Mode=EMA,SMA", "Slow=20"]


def use(name: str, context: Context | None = None, /, **arguments: Any) -> dict[str, Any]:
    return call(ChartBrowser(port=9), name, {"source": CROSS, **arguments}, context or Context())


def test_optimizing_gives_the_best_with_its_held_back_bars_and_a_verdict() -> None:
    seen: list[tuple[str, float | None]] = []
    context = Context(progress=lambda text, share: seen.append((text, share)))
    told = use("pine_optimize", context, ranges=RANGES, data=BARS)
    assert told["success"], told
    assert (told["combinations"], told["failed"], told["data"]) == (4, 0, "sample")
    assert told["judgement"]["verdict"] == "luck"
    best = told["best"][0]
    tested = use("pine_backtest", inputs=best["inputs"], data=BARS, to="2026-08-17")
    assert best["seen"].keys() <= tested["report"].keys()
    assert best["held_back"]["net_profit"] is not None
    whole = use("pine_optimize", ranges=RANGES, data=BARS, holdout=0)["best"][0]
    report = use("pine_backtest", inputs=whole["inputs"], data=BARS)["report"]
    assert whole["seen"] == {name: report[name] for name in whole["seen"]}
    assert whole["held_back"] is None
    assert seen[-1][1] == 1.0
    assert "runs" in seen[-1][0]


def test_a_cancelled_call_keeps_what_is_done() -> None:
    done: list[float | None] = []
    context = Context(cancelled=lambda: len(done) > 1, progress=lambda _, share: done.append(share))
    told = use("pine_optimize", context, ranges=["Fast=2:40:1", "Slow=20:60:5"], data=BARS)
    assert told["success"] is False
    assert "cancelled" in told["error"]
    first: list[float | None] = []
    context = Context(cancelled=lambda: len(first) > 0, progress=lambda _, share: first.append(share))
    use("pine_optimize", context, ranges=["Fast=2:40:1", "Slow=20:60:5"], data=BARS, resume=True)
    assert first[0] is not None and first[0] > 0


def test_walking_forward_gives_windows_and_stability() -> None:
    told = use("pine_walk_forward", ranges=RANGES, windows="train=3M test=1M", data=BARS)
    assert told["success"], told
    assert len(told["windows"]) == 4
    assert told["windows"][0]["inputs"]["Slow"] == 20
    assert told["stability"]["Fast"]["chosen"]


def test_screening_gives_the_symbols_that_fit() -> None:
    rsi = '//@version=6\nindicator("RSI")\nplot(ta.rsi(close, 14), "RSI")'
    told = use("pine_screen", source=rsi, where="last(RSI) > 0", symbols="AAPL,BTC*", rank="last(RSI)", bars=100)
    assert told["success"], told
    assert (told["symbols"], told["matches"], told["failed"]) == (3, 3, 0)
    ranks = [row["rank"] for row in told["rows"]]
    assert ranks == sorted(ranks, reverse=True)


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("pine_optimize", {"ranges": ["Fast=9:1:1"]}, "is not a range that rises"),
        ("pine_optimize", {"source": "//@version=6\nindicator()"}, "does not compile"),
        ("pine_walk_forward", {"windows": "six months"}, "is not a part of them"),
        ("pine_screen", {"where": "last(RSI"}, "is not an expression"),
        ("pine_screen", {"where": "last(RSI) > 1", "folder": "gone"}, "is not a folder"),
    ],
)
def test_a_wrong_call_says_why(name: str, arguments: dict[str, Any], words: str) -> None:
    told = use(name, **{"ranges": RANGES, **arguments} if name != "pine_screen" else arguments)
    assert told["success"] is False
    assert words in told["error"]
