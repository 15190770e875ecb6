"""The tools with many runs: the same numbers as the other faces, progress, and a cancellation that loses nothing."""

from typing import Any

import pytest

import pinebench as pb
from pinebench.context import Context
from pinebench.tools import registry
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.tool_calls import call
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
    assert sum(each["runs"] for each in told["tiers"]) == 4
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


def test_a_search_without_a_result_says_why() -> None:
    told = use("pine_optimize", ranges=RANGES, data=BARS, constraints=["trades > 100000"])
    assert told["best"] == [] and "no combination has a result" in told["remarks"]


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
    assert {each["name"] for each in told["tiers"]} <= {"python", "compiled"}
    assert all(each["reason"] for each in told["tiers"])


@pytest.mark.parametrize("name", ["pine_optimize", "pine_walk_forward", "pine_screen"])
def test_a_tier_can_be_asked_for(name: str) -> None:
    """Both tiers give the same values, so only the tier that is told shows which one ran."""
    given = {"where": "last(close) > 0", "symbols": "AAPL", "bars": 100}
    if name != "pine_screen":
        given = {"ranges": RANGES, "data": BARS} | ({"windows": "train=3M test=1M"} if "walk" in name else {})
    told = use(name, tier="python", **given)
    assert told["success"], told
    ran = [row["tier"] for row in told["rows"]] if name == "pine_screen" else [each["name"] for each in told["tiers"]]
    assert set(ran) == {"python"}


def test_screening_gives_the_symbols_that_fit() -> None:
    rsi = '//@version=6\nindicator("RSI")\nplot(ta.rsi(close, 14), "RSI")'
    told = use("pine_screen", source=rsi, where="last(RSI) > 0", symbols="AAPL,BTC*", rank="last(RSI)", bars=100)
    assert told["success"], told
    assert (told["symbols"], told["matches"], told["failed"]) == (3, 3, 0)
    ranks = [row["rank"] for row in told["rows"]]
    assert ranks == sorted(ranks, reverse=True)


def test_the_condition_in_the_words_of_the_tool_is_one() -> None:
    where = registry.find("pine_screen").summary.split(": ")[1].rstrip(".")
    script = '//@version=6\nindicator("A")\nplot(ta.rsi(close, 14), "RSI")\nplot(ta.sma(close, 20), "SMA")'
    told = use("pine_screen", source=script, where=where, symbols="AAPL", bars=100)
    assert told["success"], told
    assert told["symbols"] == 1


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("pine_optimize", {"ranges": ["Fast=9:1:1"]}, "is not a range from a smaller number to a larger one"),
        ("pine_optimize", {"source": "//@version=6\nindicator()"}, "does not compile"),
        ("pine_walk_forward", {"windows": "six months"}, "is not valid in the windows"),
        ("pine_screen", {"where": "last(RSI"}, "is not an expression"),
        ("pine_screen", {"where": "last(RSI) > 1", "folder": "gone"}, "is not a folder"),
    ],
)
def test_a_wrong_call_says_why(name: str, arguments: dict[str, Any], words: str) -> None:
    told = use(name, **{"ranges": RANGES, **arguments} if name != "pine_screen" else arguments)
    assert told["success"] is False
    assert words in told["error"]


PAIR = ["sample:AAPL@1Dx150", {"data": "sample:BTCUSDT@240x300", "name": "coin", "inputs": {"Fast": 5}}]


def test_a_portfolio_has_the_numbers_of_the_other_faces() -> None:
    seen: list[tuple[str, float | None]] = []
    context = Context(progress=lambda text, share: seen.append((text, share)))
    more = {"commission_value": 0.1}
    told = use("pine_portfolio", context, members=PAIR, properties=more, last=3)
    assert told["success"], told
    members = [(CROSS, PAIR[0]), pb.Member(CROSS, "sample:BTCUSDT@240x300", "coin", inputs={"Fast": 5})]
    found = pb.portfolio(members, properties=more)
    assert (told["report"], told["correlation"]) == (found.report, found.correlation)
    assert told["strategies"] == found.strategies
    assert (told["trade_count"], told["trades"]) == (len(found.trades), found.trades[-3:])
    assert told["remarks"][-len(found.notes) :] == found.notes
    assert told["tier"] == found.tier and told["tier"]["name"] == "python" and told["tier"]["reason"]
    assert (told["shared"], told["stopped"], told["data"]) == (True, None, "sample")
    bars = ["the bars sample:AAPL@1Dx150", "the bars sample:BTCUSDT@240x300"]
    assert [text for text, _ in seen] == [*bars, "2 strategies run", "done"]
    assert seen[-1][1] == 1.0


def test_a_portfolio_is_cancelled_and_tells_the_strategy_that_stopped() -> None:
    slow = CROSS + "for i = 0 to 400000\n    i\n"
    seen: list[str] = []
    asked: list[int] = []

    def cancelled() -> bool:
        """True at the third question while the strategies run."""
        if "2 strategies run" in seen:
            asked.append(1)
        return len(asked) > 2

    told = use(
        "pine_portfolio",
        Context(cancelled=cancelled, progress=lambda text, _: seen.append(text)),
        members=PAIR,
        source=slow,
    )
    assert told["success"] is False, told
    assert "cancelled" in told["error"]
    bad = CROSS + 'if bar_index == 9\n    runtime.error("no more")\n'
    told = use("pine_portfolio", members=[PAIR[0], {"data": PAIR[0], "source": bad, "name": "bad"}])
    assert told["success"], told
    assert (told["stopped"]["strategy"], told["stopped"]["bar"], told["report"]) == ("bad", 9, {})


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"members": PAIR, "source": None}, "members[0]: there is no script"),
        ({"members": [{"data": "gone.csv", "name": "lost"}]}, "lost: gone.csv"),
        ({"members": [{"name": "lost"}]}, "members[0].data is missing"),
        ({"members": [{"data": BARS, "wieght": 1}]}, "members[0] has no field 'wieght'"),
        ({"members": [{"data": BARS, "weight": 0.7}] * 2}, "0.7, 0.7 cannot share"),
        ({"members": [{"data": BARS, "source": "//@version=6\nindicator()", "name": "x"}]}, "x: "),
        ({"members": []}, "members"),
    ],
)
def test_a_wrong_portfolio_says_why(arguments: dict[str, Any], words: str) -> None:
    told = use("pine_portfolio", **arguments)
    assert told["success"] is False
    assert words in told["error"]


def test_an_answer_says_how_many_entries_of_its_lists_are_left_out() -> None:
    said = '//@version=6\nindicator("x")\nalert("a")\nlog.info("b")\nlabel.new(bar_index, close, "c")\nplot(close)\n'
    told = use("pine_run", source=said, bars=60)
    left = {f"10 earlier {name} are not shown" for name in ("alerts", "logs")}
    assert left < set(told["remarks"]) and any("earlier labels are not shown" in each for each in told["remarks"])
    lines = '//@version=6\nindicator("x")\n' + "".join(f"x{n} = ta.sma(close, {n + 2})\n" for n in range(60))
    told = use("pine_profile", source=lines + "plot(x0)\n", bars=40)
    assert len(told["lines"]) == 50 and any("cheaper lines are not shown" in each for each in told["remarks"])
