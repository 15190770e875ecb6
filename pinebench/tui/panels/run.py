"""Run: runs the active script on bars, and shows its plots as lines, its trades as marks, and the tester's figures."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any, ClassVar

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Input, Label, Static

from pinebench import config
from pinebench.amounts import counted
from pinebench.context import Context
from pinebench.errors import UsageError, words_of
from pinebench.printable import printable
from pinebench.tui import worker_run
from pinebench.tui.inputs import LineField
from pinebench.tui.libraries import unsaved
from pinebench.tui.panels.workbench_panel import WorkbenchPanel
from pinebench.tui.picture import Arrow, PictureBar, PictureLine, axis, draw, number, sparkline
from pinebench.tui.script_tab import ScriptTab

_INDENT = "  "
"""The beginning of the further rows of a sentence."""
_COLORS = ("primary", "warning", "accent", "secondary")
_LOWEST = 3
"""The smallest number of rows of the picture."""
_TITLE = 20
"""The width of a plot's title in columns."""
_LISTED = 4
"""The largest number of plots that make the picture lower, so that what was read is seen below them."""


class RunPanel(WorkbenchPanel):
    """The panel that runs the active script on bars."""

    ABOUT = """\
Runs the script as it is in its tab, on this computer. The line takes a file of bars (CSV or Parquet, such as a chart's
export from TradingView), or made-up bars: `sample:AAPL`, `sample:BTCUSDT@60x1000` (symbol, timeframe, how many). The
second line takes inputs by their titles: `Length=20; Mode=SMA`.

* **enter** or **F9**: run
* **alt+q**: stop
* **page up**, **page down**: scroll

The panel shows the result of the text that ran. If you change the text after that, the panel says so.
"""
    BINDINGS: ClassVar = [
        Binding("escape", "leave", "Editor", show=False),
        Binding("pageup", "by(-8)", show=False),
        Binding("pagedown", "by(8)", show=False),
    ]

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._result: dict[str, Any] | None = None
        self._text = self._inputs = self._bars = ""
        self._said = "enter runs the script in front on these bars"
        self._front: ScriptTab | None = None

    def compose(self) -> ComposeResult:
        """Yield the input fields for the bars and the inputs, and the result of the run."""
        with Horizontal(classes="row"):
            yield Label("Bars")
            yield LineField(str(self.bench.remembered.bars.get("name", "sample:AAPL")), id="run-bars")
            yield Label("", id="run-count", markup=False)
        with Horizontal(classes="row"):
            yield Label("Inputs")
            yield LineField("", placeholder="the script's own, or: Length=20; Mode=SMA", id="run-inputs")
        with VerticalScroll(can_focus=False):
            yield Static(id="run-picture")

    def enter(self) -> None:
        """Give the focus to the input field for the bars."""
        self.query_one("#run-bars", Input).focus()

    def take(self, inputs: str, bars: str) -> None:
        """Run the active script on these bars with inputs such as `Length=20; Mode=SMA`."""
        self.query_one("#run-inputs", Input).value = inputs
        self.query_one("#run-bars", Input).value = bars
        self.start()

    def script_changed(self, opened: ScriptTab | None) -> None:
        """Show whether the result belongs to the active text."""
        self._front = opened
        if self.is_mounted:
            self._show()

    def on_mount(self) -> None:
        """Show that nothing has run yet."""
        self._show()

    def on_resize(self, _: events.Resize) -> None:
        """Draw the result again."""
        self._show()

    def on_input_changed(self, _: Input.Changed) -> None:
        """Show whether the result belongs to the typed bars and inputs."""
        if self._result is not None:
            self._show()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Run the active script."""
        event.stop()
        self.start()

    def start(self) -> None:
        """Run the active script."""
        self.bench.work(self._run(), group="run", exclusive=True)

    async def _run(self) -> None:
        opened = self.bench.front
        if opened is None:
            return
        name, text = self.query_one("#run-bars", Input).value.strip(), opened.editor.text
        written = self.query_one("#run-inputs", Input).value
        inputs = inputs_of(written)
        self.bench.remembered.bars["name"] = name
        folders = config.library_folders(opened.buffer.place)
        path = (
            name
            if name.startswith(worker_run.SAMPLE)
            else os.path.join(self.bench.folder or "", os.path.expanduser(name))
        )

        changed = self.bench.changed_beside(opened)

        def work(context: Context) -> dict[str, Any]:
            told = worker_run.ask(text, folders, path, context, inputs)
            return {**told, "read": [*told["read"], *unsaved(text, folders, changed)]}

        self._said, self._result = "running…", None
        self._show()
        try:
            self._result = await self.bench.lengthy("running the script", work)
            self._text, self._inputs, self._bars, self._said = text, written, name, ""
        except Exception as error:
            self._said = f"not run: {words_of(error)}"
        self._show()

    def _show(self) -> None:
        picture = self.query_one("#run-picture", Static)
        count = self.query_one("#run-count", Label)
        result = self._result
        if result is None:
            count.update("")
            picture.update(Text("\n".join(wrapped([self._said], self._width))))
            return
        is_past = self._front is None or self._front.editor.text != self._text
        is_other = self.query_one("#run-inputs", Input).value != self._inputs
        is_elsewhere = self.query_one("#run-bars", Input).value.strip() != self._bars
        bars = f"{result['symbol']} {result['timeframe']}, {counted(len(result['candles']), 'bar')}".strip()
        count.update(
            f"{bars}, {result['seconds']:.2f} s"
            + (", of an earlier text" if is_past else "")
            + (f", of the bars {self._bars}" if is_elsewhere else "")
            + (", of other inputs" if is_other and not is_past else "")
        )
        picture.update(self._words(result))

    @property
    def _width(self) -> int:
        """The cells of a line."""
        return max(30, self.size.width - 2)

    def _words(self, result: dict[str, Any]) -> Text:
        from pinebench.runtime import shown

        colors = self.app.theme_variables
        width = self._width
        candles = [PictureBar(*each) for each in result["candles"]]
        lines = [
            PictureLine(title, _numbers(plot["values"]), colors[_COLORS[place % len(_COLORS)]])
            for place, (title, plot) in enumerate(zip(shown.titles(result), result["plots"], strict=True))
        ]
        text = Text(no_wrap=True)
        place = _place_of(result["error"])
        wrong = wrapped([f"{place} {result['error']['message']}"], width) if place else []
        text.append("".join(f"{row}\n" for row in wrong)).stylize(colors["error"], 0, len(place))
        read = wrapped(result["read"], width)
        left = result["earlier_logs"]
        earlier = [f"log: {counted(left, 'earlier line')} not shown"] if left else []
        notes = wrapped([*result["notes"], *earlier, *(f"log: {each}" for each in result["logs"])], width)
        below = 1 + len(lines) + len(read) + result["figures"].count("\n") + len(notes)
        rows = self.size.height - 2  # below the two lines at the top
        seen = len(wrong) + 1 + min(len(lines), _LISTED) + len(read)
        height = max(_LOWEST, min(rows - seen, max(5, rows - min(below + 1, rows // 3))))
        room = (colors["success"], colors["error"], colors["bench-muted"])
        arrows, is_plain = _arrows(result["trades"], colors), self.app.no_color
        text.append_text(draw(candles, lines, arrows, width, height, room, is_plain=is_plain))
        if candles:
            text.append("\n").append(axis(candles, width), style=colors["bench-muted"])
        for line in lines:
            text.append(f"\n{_plot_row(line, width)}", style=line.color)
        for row in read:
            text.append(f"\n{row}", style=colors["bench-muted"])
        if result["figures"]:
            text.append("\n\n" + result["figures"].rstrip())
        for row in notes:
            text.append(f"\n{row}", style=colors["bench-muted"])
        return text

    def action_by(self, lines: int) -> None:
        """Scroll the result by `lines`."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)


def inputs_of(written: str) -> dict[str, str]:
    """Return inputs by title from text such as `Length=20; Mode=SMA`. Raises UsageError for a part without a value."""
    found: dict[str, str] = {}
    for part in filter(None, (each.strip() for each in written.split(";"))):
        title, mark, value = part.partition("=")
        if not mark:
            raise UsageError(f"{part} has no value", "expected, for example, Length=20; Mode=SMA")
        found[title.strip()] = value.strip()
    return found


def wrapped(sentences: Sequence[str], width: int) -> list[str]:
    """Return printable sentences, wrapped to at most `width` columns; the further rows of a sentence are indented."""
    return [row for each in sentences for row in _rows_of(printable(each), width)]


def _rows_of(sentence: str, width: int) -> list[str]:
    """One sentence in rows. A word that is longer than a row is broken; a letter may be two columns wide."""
    rows, row = [], ""
    for space, word in re.findall(r"(\s*)(\S+)", sentence):
        if row and cell_len(row + space + word) > width:
            rows.append(row)
            row = _INDENT
        else:
            row += space
        for letter in word:
            if cell_len(row + letter) > width:
                rows.append(row)
                row = _INDENT
            row += letter
    return [*rows, row]


def _place_of(error: dict[str, Any] | None) -> str:
    """Where a script stopped; empty if it did not stop."""
    if error is None:
        return ""
    bar = f"at bar {error['bar']}," if error["bar"] is not None else "in"
    return f"stopped {bar} line {error['line'] or 1}:"


def _plot_row(line: PictureLine, width: int) -> str:
    """The title of a plot, its last value and its course."""
    title = Text(printable(line.title))
    title.truncate(_TITLE, overflow="ellipsis", pad=True)
    last = number(line.values[-1] if line.values else None)
    return f"• {title} {last:>12}  {sparkline(line.values, max(0, width - 40))}"


def _numbers(values: list[Any]) -> list[float | None]:
    return [value if isinstance(value, int | float) else None for value in values]


def _arrows(trades: list[dict[str, Any]], colors: dict[str, str]) -> list[Arrow]:
    """The marks of entries and exits: up for a purchase, down for a sale."""
    found: list[Arrow] = []
    for trade in trades:
        is_long = trade["side"] > 0
        found.append(Arrow(trade["entry_bar"], not is_long, "▲" if is_long else "▼", colors["primary"]))
        found.append(Arrow(trade["exit_bar"], is_long, "▼" if is_long else "▲", colors["warning"]))
    return found
