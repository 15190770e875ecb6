"""What the chart panel shows is what the chart shows; a chart that is gone makes one panel old, and it says how old."""

import contextlib
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Button, Input, OptionList, Static

from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.tool_calls import ToolRefused, call
from pinebench.tradingview import browser
from pinebench.tui import chart_feed as feeds
from pinebench.tui import view_commands
from pinebench.tui.chart_feed import ChartContent, ChartFeed, ChartMoved, ChartStudy, Trouble
from pinebench.tui.panels.chart import ChartPanel, ChartView
from pinebench.tui.panels.tools import ToolsPanel
from pinebench.tui.picture import PictureBar, axis, digits, draw, price
from pinebench.tui.screenshots import Picture
from pinebench.tui.toolform import ToolForm
from tests.studio.support import BARS, CHART, Driver, Tabs, studio_session
from tests.tradingview.support import patience
from tests.tui.charts import CANDLES, VIEW
from tests.tui.support import SCRIPT, Bench, bench, run, write


def panel(it: Bench) -> ChartPanel:
    """The panel."""
    return it.app.query_one("#panel-chart", ChartPanel)


def stand(it: Bench) -> str:
    """What the panel says about how things stand."""
    return str(it.app.query_one("#chart-stand", Static).content)


def content(it: Bench, name: str) -> str:
    """What a part of the panel shows."""
    return str(it.app.query_one(f"#chart-{name}", Static).content)


def value(it: Bench, name: str) -> str:
    """What is written in a line of the panel."""
    return it.app.query_one(f"#chart-{name}", Input).value


async def shown(it: Bench) -> None:
    """Show the panel, and wait until it reads the chart."""
    await it.press("alt+h")
    await it.until(lambda: isinstance(it.app.focused, ChartView) and panel(it)._feed is not None)


# without a browser


async def test_without_a_chart_one_panel_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeds, "AGAIN", 0.02)
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script) as it:
        await shown(it)
        await it.until(lambda: stand(it).startswith("✖"))
        assert "old" not in stand(it)
        # What is asked of it is refused in the tool's words, what was written stays, and the editor knows nothing.
        await it.press("s")
        await it.type("NASDAQ")
        await it.press("enter")
        await it.until(lambda: content(it, "wrong").startswith("✖"))
        assert value(it, "symbol") == "NASDAQ"
        await it.press("p")
        await it.press("escape", "left_square_bracket")
        title, help_ = view_commands._help_of(it.app.focused)
        assert title == "Chart" and "another timeframe" in help_
        await it.press("escape", "x")
        await it.checked()
        assert it.text == "x" + SCRIPT and "error" in it.status
        feed = panel(it)._feed
        assert feed is not None and feed.is_alive()
        await it.press("ctrl+backslash")
        await it.until(lambda: not feed.is_alive(), "nobody looks for a chart that is not shown")


async def test_what_is_shown_is_as_exact_as_it_came_and_says_how_old_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ChartFeed, "run", lambda self: None)
    async with bench(size=(120, 40)) as it:
        await shown(it)
        assert "looking" in stand(it)
        panel(it).show(VIEW)
        await it.pilot.pause()
        assert value(it, "symbol") == "FX:EURUSD" and value(it, "timeframe") == "1D"
        assert "studio  1.0844  +0.0001" in stand(it)
        assert "1.0843 / 1.0844" in stand(it)
        assert "1.23M" in stand(it) and "1970-02-09 UTC" in stand(it)
        assert "1970-02-09" in content(it, "picture") and "█" in content(it, "picture")
        for word in ("RSI", "61.20", "Average", "58.11", "Volume"):
            assert word in content(it, "studies")
        assert "\x1b" not in content(it, "name") and "Candles" in content(it, "name")
        # Who writes is not disturbed.
        await it.press("s")
        await it.type("AB")
        panel(it).show(VIEW._replace(symbol="FX:USDJPY"))
        assert value(it, "symbol") == "AB"
        await it.press("escape")
        assert value(it, "symbol") == "FX:USDJPY"
        feed = panel(it)._feed
        assert feed is not None
        for age, words in ((1, "● studio"), (7, "no answer for 7 s"), (120, "2 min"), (7200, "2.0 h")):
            feed.seen = time.monotonic() - age
            panel(it)._tell_stand()
            assert words in stand(it)
            assert it.app.query_one("#chart-side").has_class("-old") == (age > 5)
        panel(it).post_message(ChartPanel.Looked(feed, Trouble("the page is gone", "open it"), time.monotonic()))
        await it.until(lambda: "the page is gone" in stand(it))
        assert "open it" in stand(it) and "2.0 h old" in stand(it)
        # What one who was stopped still tells is not shown.
        other = ChartFeed(ChartBrowser(port=1), print)
        panel(it).post_message(ChartPanel.Looked(other, VIEW._replace(symbol="FX:OLD"), time.monotonic()))
        await it.pilot.pause()
        assert value(it, "symbol") == "FX:USDJPY"
        feed.seen = time.monotonic()
        panel(it).post_message(ChartPanel.Looked(feed, VIEW, time.monotonic()))
        await it.until(lambda: "● studio" in stand(it) and value(it, "symbol") == "FX:EURUSD")


async def test_a_step_begins_at_what_the_chart_was_switched_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """And not at what was read before the switch and is told after it."""
    monkeypatch.setattr(ChartFeed, "run", lambda self: None)
    asked: list[str] = []

    def switched(_: object, tool: object, arguments: dict[str, str], context: object) -> dict[str, str]:
        asked.append(arguments["timeframe"])
        return {"symbol": VIEW.symbol, "resolution": asked[-1]}

    monkeypatch.setattr("pinebench.tools.tool_calls.perform", switched)
    async with bench(size=(120, 40)) as it:
        await shown(it)
        panel(it).show(VIEW)
        feed, before = panel(it)._feed, time.monotonic()
        assert feed is not None
        await it.press("left_square_bracket")
        await it.until(lambda: asked == ["240"] and not panel(it)._is_switching)
        panel(it).post_message(ChartPanel.Looked(feed, VIEW, before))
        await it.pilot.pause()
        assert value(it, "timeframe") == "240"
        await it.press("left_square_bracket")
        await it.until(lambda: asked == ["240", "60"] and not panel(it)._is_switching)
        # Somebody else has switched it back: that is told, although it is the view that was told last.
        assert feed._is_asked.is_set()
        panel(it).post_message(ChartPanel.Looked(feed, VIEW, time.monotonic()))
        await it.until(lambda: value(it, "timeframe") == "1D")


def test_a_view_is_told_again_if_one_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[object, float]] = []
    counts: list[int] = []
    looks = iter([VIEW, VIEW, VIEW, ChartMoved("the chart is changing"), VIEW, VIEW])

    def look(self: ChartFeed, before: object) -> ChartContent:
        counts.append(len(told))
        if len(counts) == 3:
            self.tell_again()  # in the middle of a reading, which may be of the chart before
        if len(counts) == 6:
            self.stop()
        found = next(looks)
        if isinstance(found, ChartMoved):
            raise found
        return found

    monkeypatch.setattr(ChartFeed, "_look", look)
    monkeypatch.setattr(feeds, "PAUSE", 0)
    feed = ChartFeed(ChartBrowser(port=1), lambda found, began: told.append((found, began)))
    feed.run()
    assert counts == [0, 1, 1, 1, 1, 2]
    assert [found for found, _ in told] == [VIEW, VIEW]
    assert told[0][1] <= told[1][1]


def test_a_chart_that_does_not_change_is_read_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = VIEW._replace(volume=2.0)
    looks = [VIEW, VIEW, VIEW, VIEW, changed, changed]
    pauses: list[float] = []

    def look(self: ChartFeed, before: object) -> ChartContent:
        if len(looks) == 1:
            self.stop()
        return looks.pop(0)

    monkeypatch.setattr(ChartFeed, "_look", look)
    monkeypatch.setattr(feeds, "CALM_READINGS", 2)
    feed = ChartFeed(ChartBrowser(port=1), lambda *_: None)
    monkeypatch.setattr(feed, "_woken", Woken(pauses))
    feed.run()
    assert pauses == [feeds.PAUSE] * 3 + [feeds.CALM_PAUSE] * 2


class Woken:
    """An event that notes how long it is waited for, and is never waited for."""

    def __init__(self, pauses: list[float]) -> None:
        self._pauses = pauses
        self.set = self.clear = lambda: None

    def wait(self, seconds: float) -> None:
        """Note the pause."""
        self._pauses.append(seconds)


STUDIES = [{"id": "1", "name": "RSI"}, {"id": "2", "name": "Volume"}]


class ScriptedFeed(ChartFeed):
    """A feed whose chart is a list of what it says, one state after the other."""

    def __init__(self, states: list[Any]) -> None:
        self.told: list[ChartContent | Trouble] = []
        self.states = states
        self.state: dict[str, Any] = {}
        self.asked: list[str] = []
        super().__init__(ChartBrowser(port=1), lambda found, _: self.told.append(found))

    def _look(self, before: ChartContent | None) -> ChartContent:
        if not self.states:
            self.stop()
            raise ToolRefused("over")
        self.state = self.states.pop(0)
        return super()._look(before)

    def _ask(self, name: str, **arguments: object) -> dict[str, Any]:
        state = self.state
        if name in state.get("unknown", ()):
            raise ToolRefused("the page has no such thing")
        if "error" in state:
            raise ToolRefused(state["error"])
        self.asked.append(f"{name} {arguments.get('count', '')}".strip())
        if name == "quote_get":
            return {"symbol": state.get("quoted", state["symbol"])} | ({"replay": True} if "replay" in state else {})
        if name == "data_get_study_values":
            return {"symbol": state["symbol"], "studies": [{"id": "1", "name": "RSI", "values": {"RSI": "50"}}]}
        if name == "chart_get_state":
            return {**state, "resolution": "1D", "chart_type": state.get("kind", "Candles"), "studies": STUDIES}
        bars = [
            {"time": 86_400 * n, "open": float(n), "high": n + 2.0, "low": n - 1.0, "close": n + 1.0, "volume": 1}
            for n in range(5)
        ]
        bars[-1] |= state.get("last", {})
        return {"symbol": state["symbol"], "resolution": "1D", "bars": bars[-int(str(arguments["count"])) :]}


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks follow each other at once, at a chart whose origin is known."""

    class Here:
        def origin(self, context: object) -> str:
            return "studio"

    monkeypatch.setattr(feeds, "PAUSE", 0.0)
    monkeypatch.setattr(feeds, "AGAIN", 0.0)
    monkeypatch.setattr(ChartBrowser, "connection", lambda self: Here())


def test_answers_that_do_not_belong_together_are_dropped(quick: None) -> None:
    other = {"symbol": "A", "quoted": "B", "last": {"close": 9.0}}
    feed = ScriptedFeed([{"symbol": "A"}, other, {"symbol": "B"}, {"symbol": "B"}])
    feed.run()
    assert [told.symbol for told in feed.told if isinstance(told, ChartContent)] == ["A", "B"]


def test_bars_are_read_anew_where_they_may_all_be_others(quick: None) -> None:
    whole = f"data_get_ohlcv {feeds.MOST}"
    first = {"symbol": "A"}
    feed = ScriptedFeed([first, first, {**first, "last": {"close": 9.0}}, {**first, "last": {"open": 7.0}}])
    feed.run()
    views = [told for told in feed.told if isinstance(told, ChartContent)]
    assert [view.candles[-1].close for view in views] == [5.0, 9.0, 5.0]
    assert feed.asked.count(whole) == 2  # at first, and for another open: not for another close
    feed = ScriptedFeed([first, {**first, "kind": "Heikin Ashi"}, {**first, "symbol": "B"}])
    feed.run()
    assert feed.asked.count(whole) == 3


def test_of_a_quiet_chart_only_the_bar_is_asked_for(quick: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest is asked for again after some seconds, and at once when the bar changes."""
    moved = {"symbol": "A", "last": {"close": 9.0}}
    feed = ScriptedFeed([{"symbol": "A"}] * 5 + [moved] * 3)
    feed.run()
    assert [feed.asked.count(name) for name in ("chart_get_state", "quote_get", "data_get_study_values")] == [8, 2, 2]
    monkeypatch.setattr(feeds, "_REST", -1.0)
    feed = ScriptedFeed([{"symbol": "A"}] * 5)
    feed.run()
    assert feed.asked.count("quote_get") == 5 and len(feed.told) == 1


def test_trouble_is_told_once_and_the_chart_again_when_it_is_back(quick: None) -> None:
    good, bad = {"symbol": "A"}, {"error": "no page"}
    feed = ScriptedFeed([bad, bad, good, good, bad, good])
    feed.run()
    assert [getattr(told, "symbol", None) or told[0] for told in feed.told] == ["no page", "A", "no page", "A"]
    assert feed.seen is not None


def test_what_a_page_cannot_say_takes_no_bars_away(quick: None) -> None:
    feed = ScriptedFeed([{"symbol": "A", "replay": True}, {"symbol": "B", "unknown": ("data_get_study_values",)}])
    feed.run()
    full, bare = [told for told in feed.told if isinstance(told, ChartContent)]
    assert full.is_replay and full.studies == (ChartStudy("RSI", (("RSI", "50"),)), ChartStudy("Volume", ()))
    assert (
        not bare.is_replay
        and bare.studies == (ChartStudy("RSI", ()), ChartStudy("Volume", ()))
        and len(bare.candles) == 5
    )


def test_prices_keep_their_decimals() -> None:
    assert digits(CANDLES) == 4 and digits(()) == 2 and digits([PictureBar(0, 1, 2, 3, 4)]) == 2
    assert price(1234.5, 2) == "1,234.50" and price(-0.000012, 6) == "-0.000012"
    drawn = draw(CANDLES, (), (), 60, 8, ("", "", "")).plain.split("\n")
    assert drawn[0].endswith("1.0851") and all(len(row) <= 60 for row in drawn)
    big = [PictureBar(0, 123456.78, 123460.12, 123450.99, 123455.5)]
    assert draw(big, (), (), 40, 4, ("", "", "")).plain.split("\n")[0].endswith(" 123,460.1")
    for width in (20, 30, 60, 200):
        line = axis(CANDLES, width)
        assert line.rstrip().endswith("1970-02-09") and len(line) <= max(width, 10)


# with a studio


@pytest.fixture(scope="module")
def tabs(chromium: browser.RunningBrowser) -> Iterator[Tabs]:
    """Opens a studio's page in a tab of the browser."""
    with patience(), studio_session() as session:
        made = Tabs(chromium.port, session)
        yield made
        with contextlib.suppress(OSError):
            made.close()


@pytest.fixture
def driver(chromium: browser.RunningBrowser, tabs: Tabs, monkeypatch: pytest.MonkeyPatch) -> Driver:
    """The page, where the workbench finds it."""
    monkeypatch.setenv("PINEBENCH_CDP_PORT", str(chromium.port))
    monkeypatch.setattr(feeds, "PAUSE", 0.2)
    monkeypatch.setattr(feeds, "AGAIN", 0.2)
    monkeypatch.setattr(feeds, "_REST", 0.2)
    return tabs()


def _left_behind() -> list[str]:
    """The feeds that do not end after their workbench; one that still reads ends with its answer."""
    feeds_left = [thread for thread in threading.enumerate() if thread.name == "chart feed"]
    for thread in feeds_left:
        thread.join(60)
    return [thread.name for thread in feeds_left if thread.is_alive()]


@pytest.mark.live
def test_the_panel_follows_a_chart_and_switches_it(tmp_path: Path, driver: Driver) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)

    async def story() -> None:
        async with bench(script, size=(120, 40)) as it:
            await shown(it)
            await it.until(lambda: "● studio" in stand(it), "live")
            view = panel(it)._view
            assert view is not None
            last = driver.js(f"{BARS}.valueAt({BARS}.lastIndex())")
            assert [view.candles[-1].time / 1000, *view.candles[-1][1:]] == last[:5]
            assert len(view.candles) == min(feeds.MOST, driver.js(f"{BARS}.size()"))
            assert view.symbol == "NASDAQ:AAPL" == value(it, "symbol")
            # From the panel, by keys.
            await it.press("s")
            it.app.query_one("#chart-symbol", Input).value = "NASDAQ:MSFT"
            await it.press("enter")
            await it.until(lambda: "Microsoft" in content(it, "name"))
            assert driver.js(f"{CHART}.symbol()") == "NASDAQ:MSFT"
            await it.until(lambda: isinstance(it.app.focused, ChartView))
            await it.press("left_square_bracket", "left_square_bracket", "right_square_bracket")
            await it.until(lambda: getattr(panel(it)._view, "timeframe", "") == "240")
            assert driver.js(f"{CHART}.resolution()") == "240"
            await it.press("right_square_bracket")
            await it.until(lambda: getattr(panel(it)._view, "timeframe", "") == "1D")
            assert driver.js(f"{CHART}.resolution()") == "1D" == value(it, "timeframe")
            await it.press("t")
            it.app.query_one("#chart-timeframe", Input).value = "nonsense"
            await it.press("enter")
            await it.until(lambda: "timeframe" in content(it, "wrong"))
            assert value(it, "timeframe") == "nonsense" and panel(it).query_one("#chart-wrong").display
            await it.press("escape")
            assert value(it, "timeframe") == "1D" and not panel(it).query_one("#chart-wrong").display
            # On the page: by others.
            driver.js(f"{CHART}.setSymbol('NASDAQ:AAPL', {{}})")
            await it.until(lambda: value(it, "symbol") == "NASDAQ:AAPL" and "Apple" in content(it, "name"))
            given = {"action": "add", "indicator": "Relative Strength Index"}
            assert call(it.app.chart_browser, "chart_manage_indicator", given)["success"]
            await it.until(lambda: "RSI" in content(it, "studies"))
            said = call(it.app.chart_browser, "data_get_study_values", {})["studies"][0]["values"]
            for name, number in said.items():
                assert name in content(it, "studies") and number in content(it, "studies")
            # Bars of the past are said to be that.
            assert "replay" not in stand(it)
            assert call(it.app.chart_browser, "replay_start", {})["success"]
            await it.until(lambda: "replay" in stand(it))
            assert call(it.app.chart_browser, "replay_stop", {})["success"]
            await it.until(lambda: "replay" not in stand(it))
            # A picture of it.
            for take in (lambda: it.press("p"), lambda: it.pilot.click(panel(it).query_one(Button))):
                await take()
                assert isinstance(await it.asked(), Picture)
                await it.until(lambda: "▀" in str(it.app.screen.query_one("#picture-cells", Static).content))
                assert "half blocks" in str(it.app.screen.query_one("#picture-about", Static).content)
                await it.press("escape")
                await it.calm()
            # One that a tool took.
            await it.press("alt+t")
            tools = it.app.query_one("#panel-tools", ToolsPanel)
            await it.until(lambda: tools.query_one(OptionList).option_count > 50)
            tools.open("capture_screenshot")
            await it.asked()
            await it.press("ctrl+r")
            await it.until(lambda: "F7 shows" in str(it.app.screen.query_one("#tool-said", Static).content))
            await it.press("f7")
            await it.until(lambda: isinstance(it.app.screen, Picture))
            await it.asked()
            await it.press("escape")
            await it.until(lambda: isinstance(it.app.screen, ToolForm))
            await it.press("escape")
            await it.calm()
            await shown(it)
            await it.until(lambda: panel(it)._feed is not None)
            # Nobody looks while it is not shown; then it goes on.
            feed = panel(it)._feed
            assert feed is not None
            await it.press("alt+w")
            await it.until(lambda: not feed.is_alive())
            await shown(it)
            await it.until(lambda: panel(it)._feed not in (None, feed) and "● studio" in stand(it))

    run(story())
    assert not _left_behind()


@pytest.mark.live
async def test_a_chart_that_goes_makes_one_panel_old_and_it_resumes(tmp_path: Path, tabs: Tabs, driver: Driver) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script) as it:
        await shown(it)
        await it.until(lambda: "● studio" in stand(it), "live")
        tabs.close()
        tabs._opened.clear()
        await it.until(lambda: stand(it).startswith("✖") and "old" in stand(it), "gone")
        assert it.app.query_one("#chart-side").has_class("-old") and "█" in content(it, "picture")
        await it.press("p")
        await it.until(lambda: "no picture" in it.message)
        await it.press("escape", "x")
        await it.checked()
        assert it.text == "x" + SCRIPT
        tabs()
        await it.until(lambda: "● studio" in stand(it), "back")
        assert not it.app.query_one("#chart-side").has_class("-old")
