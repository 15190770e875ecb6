"""Polls the chart in the background: reads its content, and notes the time of its last answer."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from pinebench.context import CancelledError, Context
from pinebench.errors import PinebenchError
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tui.picture import PictureBar

PAUSE = 0.5
"""Seconds between two readings."""
CALM_PAUSE = 1.0
"""Seconds between two readings of a chart that has not changed for a while, because a reading costs processor time."""
CALM_READINGS = 20
"""The number of readings without a change after which a chart is calm."""
AGAIN = 2.0
"""Seconds after which a chart that does not answer is tried again."""
MOST = 300
"""The largest number of bars that are shown."""
_WHOLE = 60.0
"""Seconds after which all bars are read again, even if only the last one changed."""
_REST = 2.5
"""Seconds after which the quote, the values of studies and the replay are read again if the last bar did not change. A
reading of all of it costs three times as much."""


class ChartStudy(NamedTuple):
    """A study on the chart with its values at the last bar, as the data window shows them."""

    name: str
    values: tuple[tuple[str, str], ...]


class ChartContent(NamedTuple):
    """The content of the chart at one time. `origin` is `studio` or `tradingview`, and `is_replay` tells whether a
    replay shows the past."""

    origin: str
    symbol: str
    timeframe: str
    kind: str
    name: str
    exchange: str
    candles: tuple[PictureBar, ...]
    volume: float | None
    bid: float | None
    ask: float | None
    studies: tuple[ChartStudy, ...]
    is_replay: bool = False


class Trouble(NamedTuple):
    """The reason why the chart cannot be shown now, and advice."""

    message: str
    hint: str


class ChartMoved(PinebenchError):
    """The chart changed between two requests, so that their results do not belong together."""


class ChartFeed(threading.Thread):
    """A thread that reads the chart until it is stopped. It calls `tell` when the content changes or a problem occurs,
    with the new content or the problem and the value of `time.monotonic()` before the chart was read."""

    def __init__(self, chart_browser: ChartBrowser, tell: Callable[[ChartContent | Trouble, float], object]) -> None:
        super().__init__(name="chart feed", daemon=True)
        self.seen: float | None = None
        """The value of `time.monotonic()` at the last answer; None before the first one."""
        self._chart_browser, self._tell = chart_browser, tell
        self._ended, self._is_asked, self._woken = threading.Event(), threading.Event(), threading.Event()
        self._context = Context(cancelled=self._ended.is_set)
        self._whole_at = self._rest_at = 0.0

    def stop(self) -> None:
        """Stop reading the chart."""
        self._ended.set()
        self._woken.set()

    def tell_again(self) -> None:
        """Read the chart again, and call `tell` with the content even if it has not changed."""
        self._is_asked.set()
        self._woken.set()

    def run(self) -> None:
        """Poll the chart until the thread is stopped."""
        before: ChartContent | None = None
        told: ChartContent | Trouble | None = None
        calm = 0
        while not self._ended.is_set():
            pause, began = PAUSE if calm < CALM_READINGS else CALM_PAUSE, time.monotonic()
            self._woken.clear()
            if self._is_asked.is_set():
                self._is_asked.clear()
                told = None
            try:
                before = self._look(before)
                self.seen = time.monotonic()
                found: ChartContent | Trouble | None = before
            except (ChartMoved, CancelledError):
                found, before = told, None  # that was told already
            except PinebenchError as error:
                found, before, pause = Trouble(error.message, error.hint or ""), None, AGAIN
            except Exception as error:  # after any error, the next reading may find a chart
                found, before, pause = Trouble(f"{type(error).__name__}: {error}", ""), None, AGAIN
            calm += 1
            if found is not None and found != told and not self._ended.is_set():
                calm = 0
                told = found
                with contextlib.suppress(RuntimeError):  # the screen has ended meanwhile
                    self._tell(found, began)
            if not self._ended.is_set():
                self._woken.wait(pause)

    def _look(self, before: ChartContent | None) -> ChartContent:
        """Read what the chart shows now. Parts that hardly change are taken from `before` for some seconds."""
        state = self._ask("chart_get_state")
        last = self._ask("data_get_ohlcv", count=1)
        place = (state["symbol"], state["resolution"])
        if (last["symbol"], last["resolution"]) != place:
            raise ChartMoved("the chart is changing")
        now = time.monotonic()
        candles, is_whole = self._candles(before, state, last, now)
        volume = last["bars"][0]["volume"]
        if (
            before is not None
            and not is_whole
            and candles is before.candles
            and [study["name"] for study in state["studies"]] == [each.name for each in before.studies]
            and now - self._rest_at <= _REST
        ):
            return before._replace(volume=volume)
        quote = self._ask("quote_get")
        if quote["symbol"] != place[0]:
            raise ChartMoved("the chart is changing")
        studies = self._studies(state)
        self._rest_at = now
        origin = before.origin if before is not None else self._chart_browser.connection().origin(self._context)
        return ChartContent(
            origin,
            *place,
            state["chart_type"],
            quote.get("description", ""),
            quote.get("exchange", ""),
            candles,
            volume,
            quote.get("bid"),
            quote.get("ask"),
            studies,
            bool(quote.get("replay")),
        )

    def _candles(
        self, before: ChartContent | None, state: dict[str, Any], last: dict[str, Any], now: float
    ) -> tuple[tuple[PictureBar, ...], bool]:
        """The bars, and whether all of them were read again."""
        newest = _candle(last["bars"][0])
        place = (state["symbol"], state["resolution"], state["chart_type"])
        if (
            before is not None
            and newest is not None
            and before.candles
            and place == (before.symbol, before.timeframe, before.kind)
            # A bar that is still open keeps its time and its open; if these differ, all bars may differ.
            and before.candles[-1][:2] == newest[:2]
            and now - self._whole_at < _WHOLE
        ):
            same = before.candles[-1] == newest
            return (before.candles if same else (*before.candles[:-1], newest)), False
        found = self._ask("data_get_ohlcv", count=MOST)
        if (found["symbol"], found["resolution"]) != place[:2]:
            raise ChartMoved("the chart is changing")
        self._whole_at = now
        candles = tuple(candle for bar in found["bars"] if (candle := _candle(bar)) is not None)
        return (before.candles if before is not None and before.candles == candles else candles), True

    def _studies(self, state: dict[str, Any]) -> tuple[ChartStudy, ...]:
        found = self._perhaps("data_get_study_values")
        if found.get("symbol", state["symbol"]) != state["symbol"]:
            raise ChartMoved("the chart is changing")
        values = {each["id"]: each["values"] for each in found.get("studies", ())}
        return tuple(ChartStudy(each["name"], tuple(values.get(each["id"], {}).items())) for each in state["studies"])

    def _perhaps(self, name: str) -> dict[str, Any]:
        """Like `_ask`, but return an empty dictionary if the page cannot answer: the bars are shown anyway."""
        try:
            return self._ask(name)
        except CancelledError:
            raise
        except PinebenchError:
            return {}

    def _ask(self, name: str, **arguments: object) -> dict[str, Any]:
        from pinebench.tools import registry
        from pinebench.tools.tool_calls import perform

        return perform(self._chart_browser, registry.find(name), arguments, self._context)


def _candle(bar: dict[str, Any]) -> PictureBar | None:
    """The candle of a bar; None if the bar has no prices."""
    prices = [bar[part] for part in ("open", "high", "low", "close")]
    return None if None in prices else PictureBar(bar["time"] * 1000, *prices)
