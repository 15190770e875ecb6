"""Screenshots of the chart: a tool takes them, and a dialog shows them on the whole screen."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, ClassVar, cast

from rich.text import Text
from textual import events
from textual.app import ComposeResult, SuspendNotSupported
from textual.binding import Binding
from textual.containers import Container
from textual.widgets import Static

from pinebench.printable import printable
from pinebench.tui import graphics
from pinebench.tui.dialogs import Dialog
from pinebench.tui.graphics import Graphics

if TYPE_CHECKING:
    from PIL.Image import Image

    from pinebench.context import Context
    from pinebench.tools.tool_calls import ToolOutcome
    from pinebench.tui.app import Workbench

_KINDS = {"kitty": "kitty's graphics", "iterm": "iTerm2's graphics", "sixel": "sixel", "blocks": "half blocks"}


async def take(bench: Workbench) -> None:
    """Take a picture of the chart and show it."""
    from pinebench.tools import tool_calls

    chart_browser = bench.chart_browser

    def work(context: Context) -> ToolOutcome:
        return tool_calls.answer(chart_browser, "capture_screenshot", {"region": "chart"}, context)

    outcome = await bench.lengthy("taking a picture", work)
    if outcome.error is not None:
        hint = outcome.result.get("hint")
        bench.say(f"no picture: {outcome.result['error']}{f' ({hint})' if hint else ''}", "error")
        return
    await show(bench, outcome.images[0].data, f"saved as {outcome.result['file_path']}")


async def show(bench: Workbench, data: bytes, about: str) -> None:
    """Show the picture `data`, with the text `about` in the line below it."""
    image = await asyncio.to_thread(graphics.opened, data)
    if bench.graphics is None:
        bench.graphics = _asked(bench)
    await bench.push_screen(Picture(data, image, about, bench.graphics))


def _asked(bench: Workbench) -> Graphics:
    """Ask the terminal how it can draw pictures. The workbench does not read from the terminal meanwhile."""
    if bench.is_headless or not graphics.may_be_asked():
        return graphics.BLOCKS
    with contextlib.suppress(SuspendNotSupported, OSError, ValueError), bench.suspend():
        return graphics.ask()
    return graphics.BLOCKS


class Picture(Dialog):
    """A picture that covers the whole screen; escape goes back."""

    BINDINGS: ClassVar = [Binding("enter,q,space", "dismiss_none", "Back", show=False)]

    def __init__(self, data: bytes, image: Image, caption: str, kind: Graphics) -> None:
        super().__init__()
        self._data, self._image, self._about, self._kind = data, image, caption, kind
        self._turn = 0

    def compose(self) -> ComposeResult:
        """Yield the picture and a line about it."""
        with Container(id="picture-room"):
            yield Static(id="picture-cells")
        yield Static(id="picture-about")

    def on_mount(self) -> None:
        """Show the picture's size, its kind and the text about it."""
        size = f"{self._image.width}×{self._image.height} pixels"
        kind = "shades of grey" if self.app.no_color and self._kind.kind == "blocks" else _KINDS[self._kind.kind]
        words = f"escape goes back   {size}, {kind}   {self._about}"
        self.query_one("#picture-about", Static).update(Text(printable(words), no_wrap=True, overflow="ellipsis"))

    def on_resize(self, _: events.Resize) -> None:
        """Draw the picture in the new size."""
        self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        self._turn += 1
        cast("Workbench", self.app).work(self._drawn(self._turn), group="picture-draw")

    async def _drawn(self, turn: int) -> None:
        """Draw the picture. If the size changes meanwhile, the drawing for the old size is dropped."""
        room = self.query_one("#picture-room").size
        if room.width < 2 or room.height < 1:
            return
        kind, image = self._kind, self._image
        columns, rows = graphics.fitting(image, room.width, room.height, kind.cell)
        cells = self.query_one("#picture-cells", Static)
        # Half blocks are below the terminal's own graphics, too: they are seen if the terminal draws nothing.
        cells_of = graphics.shades if self.app.no_color else graphics.half_blocks
        blocks = await asyncio.to_thread(cells_of, image, columns, rows)
        if turn != self._turn:
            return
        cells.update(blocks)
        cells.styles.width, cells.styles.height = columns, rows
        drawn = await asyncio.to_thread(graphics.sequence, kind, self._data, image, columns, rows)
        if drawn and turn == self._turn:
            self.call_after_refresh(self._overlay, drawn)

    def _overlay(self, drawn: str) -> None:
        """Let the terminal draw its own graphics over the cells."""
        if not self.is_current:
            return
        place = self.query_one("#picture-cells").region
        self._write(graphics.REMOVED if self._kind.kind == "kitty" else "")
        self._write(f"\x1b7\x1b[{place.y + 1};{place.x + 1}H{drawn}\x1b8")

    def _write(self, sequence: str) -> None:
        driver = self.app._driver
        if driver is not None:
            driver.write(sequence)

    def on_unmount(self) -> None:
        """Remove the terminal's own picture."""
        if self._kind.kind == "kitty":
            self._write(graphics.REMOVED)
        elif self._kind.kind != "blocks":
            self.app.refresh(layout=True)
