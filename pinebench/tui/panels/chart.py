"""Chart: follows the chart in the browser with its bars, last price and studies, and changes its symbol and
timeframe."""

from __future__ import annotations

import time
from typing import Any, ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.message import Message
from textual.widgets import Button, Input, Label, Static

from pinebench.context import Context
from pinebench.errors import PinebenchError
from pinebench.printable import printable
from pinebench.tui.chart_feed import ChartContent, ChartFeed, Trouble
from pinebench.tui.inputs import LineField
from pinebench.tui.panels.workbench_panel import WorkbenchPanel
from pinebench.tui.picture import Arrow, axis, digits, draw, price

FRESH = 5.0
"""Seconds for which a chart that answered counts as live."""
TIMEFRAMES = ("1", "5", "15", "30", "60", "240", "1D", "1W", "1M")
"""The timeframes that the keys for a shorter and a longer timeframe step through."""
_ROOMY = 90
"""The smallest number of columns for which bid, ask and volume have room in one line."""
_SIDE = (26, 40)
"""The smallest and the largest number of columns that the studies take beside the picture."""


class ChartView(VerticalScroll, can_focus=True):
    """The picture with the studies. It handles the keys for the chart."""

    BINDINGS: ClassVar = [
        Binding("s", "edit('symbol')", "Symbol"),
        Binding("t", "edit('timeframe')", "Timeframe"),
        Binding("left_square_bracket", "step(-1)", "Shorter", key_display="["),
        Binding("right_square_bracket", "step(1)", "Longer", key_display="]"),
        Binding("p", "picture", "Picture"),
        Binding("left", "move(-1)", show=False),
        Binding("right", "move(1)", show=False),
        Binding("c", "no_crosshair", show=False),
    ]

    @property
    def _panel(self) -> ChartPanel:
        return next(each for each in self.ancestors if isinstance(each, ChartPanel))

    def on_resize(self, _: events.Resize) -> None:
        """Draw the chart again."""
        self._panel.draw_view()

    def action_edit(self, name: str) -> None:
        """Give the focus to the input field for the symbol or the timeframe."""
        self._panel.query_one(f"#chart-{name}", Input).focus()

    def action_step(self, step: int) -> None:
        """Show the next longer (1) or shorter (-1) timeframe."""
        self._panel.step(step)

    def action_picture(self) -> None:
        """Take a picture of the chart."""
        self._panel.picture()

    def action_move(self, step: int) -> None:
        """Move the crosshair to the previous (-1) or the next (1) bar."""
        self._panel.move_crosshair(step)

    def action_no_crosshair(self) -> None:
        """Remove the crosshair."""
        self._panel.remove_crosshair()


class ChartPanel(WorkbenchPanel):
    """The panel with the chart in the browser. It reads the chart only while it is shown."""

    ABOUT = """\
The chart that is open in the browser, TradingView's or the studio's: its bars, its last price and its studies with
their values, as they change. `●` says that the chart answers; otherwise the line says how old the picture is.

* **s**, **t**: another symbol, another timeframe; **enter** shows it, **escape** leaves it as it is
* **[**, **]**: a shorter, a longer timeframe
* **left**, **right**: move the crosshair; a run in the inspector shows its values on this bar; **c** removes it
* **p** (or *Picture*): a picture of the chart, as it is in the browser
* **up**, **down**, **page up**, **page down**: scroll
* **escape**: to the editor

The chart is read only while this panel is shown. *studio* means sample data, *replay* bars of the past.
"""
    BINDINGS: ClassVar = [Binding("escape", "leave", "Editor", show=False)]

    class Looked(Message):
        """The chart shows something new, or does not answer. `began` is `time.monotonic()` before it was read."""

        def __init__(self, feed: ChartFeed, content: ChartContent | Trouble, began: float) -> None:
            super().__init__()
            self.feed, self.found, self.began = feed, content, began

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._feed: ChartFeed | None = None
        self._view: ChartContent | None = None
        self._trouble: Trouble | None = None
        self._seen: float | None = None
        self._drawn: tuple[object, ...] = ()
        self._crosshair: int | None = None
        """The time of the bar at the crosshair, in milliseconds UTC; None without a crosshair."""
        self._wanted: dict[str, str] = {}
        """The changes that the chart must still make: `symbol` or `timeframe`, with the new value."""
        self._is_switching = False
        self._switched_at = 0.0
        """The value of `time.monotonic()` when the chart was last switched."""

    def compose(self) -> ComposeResult:
        """Yield the input fields for symbol and timeframe, the line for the state, and the picture."""
        with Horizontal(classes="row"):
            yield Label("Symbol")
            yield LineField(id="chart-symbol", select_on_focus=True)
            yield Label("Timeframe")
            yield LineField(id="chart-timeframe", select_on_focus=True)
            yield Button("Picture", id="chart-button", compact=True)
            yield Static(id="chart-name")
        yield Static(id="chart-wrong")
        yield Static(id="chart-stand")
        with ChartView(), Horizontal(id="chart-side"):
            yield Static(id="chart-picture")
            yield Static(id="chart-studies")

    def enter(self) -> None:
        """Give the focus to the picture."""
        self.query_one(ChartView).focus()

    # looking

    def on_mount(self) -> None:
        """Check every second how old the picture is."""
        self.query_one("#chart-wrong").display = False
        self.set_interval(1.0, self._grow_old)
        self._tell_stand()

    def on_show(self, _: events.Show) -> None:
        """Start to read the chart."""
        if self._feed is None:
            self._feed = feed = ChartFeed(
                self.bench.chart_browser, lambda found, began: self.post_message(self.Looked(feed, found, began))
            )
            feed.start()

    def on_hide(self, _: events.Hide) -> None:
        """Stop reading the chart."""
        self._end()

    def on_unmount(self) -> None:
        """Stop reading the chart."""
        self._end()

    def _end(self) -> None:
        if self._feed is not None:
            self._seen = self._feed.seen or self._seen
            self._feed.stop()
            self._feed = None

    @on(Looked)
    def _looked(self, event: Looked) -> None:
        event.stop()
        # A view that was read before a switch may be of the chart before it, and the next step would begin there.
        if event.feed is not self._feed or event.began < self._switched_at:
            return
        if isinstance(event.found, Trouble):
            self._trouble = event.found
        else:
            self.show(event.found)
        self._tell_stand()

    # showing

    def show(self, view: ChartContent) -> None:
        """Show the new state of the chart."""
        self._view, self._trouble = view, None
        self._follow()
        self.draw_view()
        self._tell_stand()

    def _follow(self) -> None:
        """Write the chart's symbol and timeframe into their lines, unless the person writes there or switches the
        chart."""
        is_refused = self.query_one("#chart-wrong").display
        if not (is_refused or self._is_switching or isinstance(self.app.focused, Input)):
            self._write()

    def _write(self) -> None:
        """Write the chart's symbol and timeframe into their lines."""
        if self._view is not None:
            self.query_one("#chart-symbol", Input).value = self._view.symbol
            self.query_one("#chart-timeframe", Input).value = self._view.timeframe

    @property
    def age(self) -> float | None:
        """The seconds since the chart answered last; None if it never answered."""
        seen = (self._feed.seen if self._feed is not None else None) or self._seen
        return None if seen is None else time.monotonic() - seen

    def _grow_old(self) -> None:
        if self._feed is not None:  # while the panel is shown
            self._tell_stand()

    def _tell_stand(self) -> None:
        """Update the line for the state, if the state has changed."""
        view, trouble, age = self._view, self._trouble, self.age
        is_live = view is not None and trouble is None and (age is None or age < FRESH)
        old = "" if is_live or age is None else _ago(age)
        drawn = (view, trouble, is_live, old, self._crosshair)
        if drawn == self._drawn:
            return
        self._drawn = drawn
        self.query_one("#chart-stand", Static).update(self._stand(is_live, old))
        side = self.query_one("#chart-side")
        if side.has_class("-old") == is_live:
            side.set_class(not is_live, "-old")
            self.draw_view()
        name = "" if view is None else f"{printable(view.name or view.exchange)}  {view.kind}"
        self.query_one("#chart-name", Static).update(Text(name))

    def _stand(self, is_live: bool, old: str) -> Text:
        colors, view, trouble = self.app.theme_variables, self._view, self._trouble
        if trouble is not None:
            text = Text("✖ ", style=colors["error"])
            if view is not None:
                text.append(f"the picture is {old or 'some moments'} old: ", style=colors["warning"])
            text.append(printable(trouble.message), style=colors["error"])
            if trouble.hint:
                text.append(f" ({printable(trouble.hint)})", style=colors["bench-muted"])
            return text
        if view is None:
            return Text("looking for the chart…", style=colors["bench-muted"])
        if not is_live:
            return Text(f"▲ no answer for {old}; the picture is from then", style=colors["warning"])
        text = Text("● ", style=colors["success"])
        at = self._crosshair_bar
        if at is None:
            return text.append_text(self._price(view))
        candle, places = view.candles[at], digits(view.candles)
        text.append(f"┊ {_when(candle.time)} UTC", style=f"bold {colors['warning']}")
        for name, value in zip("OHLC", candle[1:], strict=True):
            text.append(f"  {name} ", style=colors["bench-muted"]).append(price(value, places))
        return text

    def _price(self, view: ChartContent) -> Text:
        """The last price, its change since the bar before, bid and ask, the volume, and the time when the bar began."""
        colors = self.app.theme_variables
        text = Text(view.origin, style=colors["warning" if view.origin == "studio" else "success"])
        if view.is_replay:
            text.append("  replay", style=f"bold {colors['warning']}")
        if not view.candles:
            return text.append("  no bars", style=colors["bench-muted"])
        last, places = view.candles[-1], digits(view.candles)
        text.append(f"  {price(last.close, places)}", style=f"bold {colors['foreground']}")
        if len(view.candles) > 1 and view.candles[-2].close:
            change = last.close - view.candles[-2].close
            color = colors["success"] if change >= 0 else colors["error"]
            text.append(f"  {'+' if change >= 0 else '−'}{price(abs(change), places)}", style=color)
            text.append(f" ({change / abs(view.candles[-2].close):+.2%})".replace("-", "−"), style=color)
        quiet = colors["bench-muted"]
        bid, ask = view.bid, view.ask
        if bid is not None and ask is not None:
            text.append(f"  {price(bid, places)} / {price(ask, places)}", style=colors["foreground"])
        if view.volume is not None and (bid is None or self.size.width >= _ROOMY):
            text.append(f"  vol {_amount(view.volume)}", style=quiet)
        return text.append(f"  bar of {_when(last.time)} UTC", style=quiet)

    def draw_view(self) -> None:
        """Draw the bars and list the studies."""
        view, room = self._view, self.query_one(ChartView).size
        if view is None or room.width < 10:
            return
        colors = dict(self.app.theme_variables)
        if self.query_one("#chart-side").has_class("-old"):  # grey, and as easy to read
            colors = dict.fromkeys(colors, colors["bench-muted"])
        is_beside = room.width >= 70 and bool(view.studies)
        side = min(max(room.width // 4, _SIDE[0]), _SIDE[1])
        width = room.width - (side if is_beside else 0)
        listed = 0 if is_beside else sum(1 + len(study.values) for study in view.studies)
        height = max(4, room.height - 1 - min(listed, room.height // 3))
        looks = (colors["success"], colors["error"], colors["bench-muted"])
        at = self._crosshair_bar
        marks = (
            () if at is None else (Arrow(at, True, "▼", colors["warning"]), Arrow(at, False, "▲", colors["warning"]))
        )
        picture = draw(view.candles, (), marks, width, height, looks, is_plain=self.app.no_color)
        if view.candles:
            picture.append("\n").append(axis(view.candles, width), style=colors["bench-muted"])
        self.query_one("#chart-picture", Static).update(picture)
        self.query_one("#chart-picture").styles.width = width
        self.query_one("#chart-studies").display = bool(view.studies)
        self.query_one("#chart-studies", Static).update(self._listed(view, side - 2 if is_beside else width, colors))
        self.query_one("#chart-side").set_class(is_beside, "-beside")

    def _listed(self, view: ChartContent, width: int, colors: dict[str, str]) -> Text:
        """The studies with their values."""
        text = Text(no_wrap=True, overflow="ellipsis")
        for study in view.studies:
            text.append("\n" if len(text) else "")
            text.append(printable(study.name)[:width], style=colors["primary"])
            for name, value in study.values:
                room = max(4, width - 4 - len(value))
                text.append(f"\n  {printable(name)[:room]:<{room}}", style=colors["bench-muted"])
                text.append(f" {printable(value)}", style=colors["foreground"])
        return text

    # the crosshair

    @property
    def _crosshair_bar(self) -> int | None:
        """The number of the bar at the crosshair; None without a crosshair, or if its bar is not there any more."""
        if self._view is None or self._crosshair is None:
            return None
        return next((n for n, each in enumerate(self._view.candles) if each.time == self._crosshair), None)

    def move_crosshair(self, step: int) -> None:
        """Move the crosshair by `step` bars; the first move goes to the last bar. A run in the inspector shows the same
        bar."""
        candles = self._view.candles if self._view is not None else ()
        if not candles:
            return
        at = self._crosshair_bar
        place = len(candles) - 1 if at is None else min(max(at + step, 0), len(candles) - 1)
        self._crosshair = candles[place].time
        self._tell_stand()
        self.draw_view()
        self.bench.work(self.bench.inspection.go_to_time(self._crosshair), group="crosshair")

    def remove_crosshair(self) -> None:
        """Remove the crosshair."""
        self._crosshair = None
        self._tell_stand()
        self.draw_view()

    def colors_changed(self) -> None:
        """Show the chart in the colours of the new theme."""
        self._drawn = ()
        self._tell_stand()
        self.draw_view()

    # switching

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Switch the chart to the typed symbol or timeframe."""
        event.stop()
        name = (event.input.id or "").removeprefix("chart-")
        self._switch(name, event.value.strip())

    def step(self, step: int) -> None:
        """Show the next longer (1) or shorter (-1) timeframe of TIMEFRAMES."""
        line = self.query_one("#chart-timeframe", Input)
        if self._view is None:
            return
        # Begin at the timeframe that was asked for last, even if the chart does not show it yet.
        here = TIMEFRAMES.index(line.value) if line.value in TIMEFRAMES else TIMEFRAMES.index("1D")
        wanted = TIMEFRAMES[min(max(here + step, 0), len(TIMEFRAMES) - 1)]
        if wanted != line.value:
            line.value = wanted
            self._switch("timeframe", wanted)

    def _switch(self, name: str, value: str) -> None:
        """Make the chart show another symbol or timeframe, after the switch that is running. Only the last value
        counts."""
        self._wanted[name] = value
        if not self._is_switching:
            self._is_switching = True
            self.bench.work(self._switched(), group="chart")

    async def _switched(self) -> None:
        try:
            while self._wanted:
                name = next(iter(self._wanted))
                await self._switched_to(name, self._wanted.pop(name))
        finally:
            self._is_switching = False

    async def _switched_to(self, name: str, value: str) -> None:
        """Make the chart show another symbol or timeframe. An error of the tool is shown below the line."""
        from pinebench.tools import registry
        from pinebench.tools.tool_calls import perform

        tool, chart_browser = registry.find(f"chart_set_{name}"), self.bench.chart_browser

        def work(context: Context) -> dict[str, Any]:
            return perform(chart_browser, tool, {name: value}, context)

        self._say("")
        try:
            done = await self.bench.lengthy(f"showing {value}", work)
        except PinebenchError as error:
            self._wanted.clear()
            self._say(f"✖ {error.with_hint}")
            return
        self._switched_at = time.monotonic()
        if self._feed is not None:
            self._feed.tell_again()
        if self._wanted:
            return
        self.query_one("#chart-symbol", Input).value = done["symbol"]
        self.query_one("#chart-timeframe", Input).value = done["resolution"]
        if isinstance(self.app.focused, Input) and self in self.app.focused.ancestors:
            self.query_one(ChartView).focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Remove the error of the last value when a person types."""
        event.stop()
        if event.input.has_focus:
            self._say("")

    def _say(self, words: str) -> None:
        wrong = self.query_one("#chart-wrong", Static)
        wrong.update(Text(printable(words)))
        wrong.display = bool(words)

    # pictures

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Take a picture."""
        event.stop()
        self.picture()

    def picture(self) -> None:
        """Take a picture of the chart and show it."""
        from pinebench.tui import screenshots

        self.bench.work(screenshots.take(self.bench), group="picture", exclusive=True)

    def action_leave(self) -> None:
        """Move the focus from an input field to the picture, and from the picture to the editor."""
        if isinstance(self.app.focused, Input):
            self._say("")
            self._write()
            self.query_one(ChartView).focus()
        elif self.bench.editor is not None:
            self.bench.editor.focus()


def _amount(value: float) -> str:
    """An amount in few characters."""
    for size, unit in ((1e9, "B"), (1e6, "M"), (1e3, "K")):
        if value >= size:
            return f"{value / size:.2f}{unit}"
    return f"{value:g}"


def _ago(seconds: float) -> str:
    """A number of seconds in few words."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"


def _when(milliseconds: int) -> str:
    from pinebench.tui.results import moment

    return moment(milliseconds / 1000)
