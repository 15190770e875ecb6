"""Templates for new scripts: a person searches for one, looks at it, and opens a copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.tui.buffer import Buffer
from pinebench.tui.dialogs import Ask, Choice, DialogChoice, Pick

if TYPE_CHECKING:
    from pinebench.tui.app import Workbench


async def pick(bench: Workbench) -> None:
    """Let the person pick a template, and open a copy of it in a new tab."""
    from pinebench.authoring import catalogue

    items = [Choice(each, f"{each.title} ({each.kind})", each.purpose) for each in catalogue.templates()]
    chosen = await bench.push_screen_wait(Pick("Templates", items))
    if chosen is None:
        return
    told = f"{chosen.purpose}\n\nFails when: {chosen.fails_when}"
    choices = [DialogChoice("open", "Open a copy", "o"), DialogChoice("no", "Back", "b")]
    if await bench.push_screen_wait(Ask(chosen.title, told, choices)) == "open":
        opened = await bench.add(Buffer(name=bench.untitled()), chosen.source)
        opened.editor.move_cursor((0, 0))
