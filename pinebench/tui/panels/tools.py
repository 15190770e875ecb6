"""Tools: every tool of the registry by its group. A person searches for a tool, and calls it with a form."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.widgets import Input, Label, OptionList
from textual.widgets.option_list import Option

from pinebench.amounts import counted
from pinebench.printable import printable
from pinebench.tui.forms import Form
from pinebench.tui.inputs import LineField
from pinebench.tui.panels.workbench_panel import WorkbenchPanel
from pinebench.tui.toolform import ToolForm

if TYPE_CHECKING:
    from pinebench.tools.registry import Tool

_NAME = 28


class ToolsPanel(WorkbenchPanel):
    """The panel with all tools that pinebench has."""

    ABOUT = """\
Everything that pinebench can do with a chart, a script or the browser, one tool each, by their groups. `pinebench call`
and models have the same tools.

* type words: only the tools that have all of them are shown
* **up**, **down**, then **enter** (or a click): the form of a tool
* ● changes something; ✖ cannot be undone, and asks first

A form keeps what you wrote in it until pinebench ends.
"""
    BINDINGS: ClassVar = [
        Binding("escape", "leave", "Editor", show=False),
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "move(-8)", show=False),
        Binding("pagedown", "move(8)", show=False),
    ]

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._tools: list[Tool] = []
        self._words = ""
        self._abouts: dict[str, str] = {}
        self._forms: dict[str, Form] = {}

    def compose(self) -> ComposeResult:
        """Yield the input field for the search, and the list."""
        with Horizontal(classes="row"):
            yield Label("Tools")
            yield LineField(id="tools-wanted", placeholder="words of a tool; enter opens its form")
            yield Label("", id="tools-count", markup=False)
        yield OptionList(markup=False)

    def on_mount(self) -> None:
        """Load the tools in the background, because their modules take a moment to load."""
        self.query_one(OptionList).can_focus = False
        self.bench.work(self._find(), group="tools")

    async def _find(self) -> None:
        from pinebench.tools import registry

        self._tools = list((await asyncio.to_thread(registry.tools)).values())
        self._abouts = {group.name: group.about for group in registry.GROUPS}
        self._narrow()

    def enter(self) -> None:
        """Give the focus to the input field for the search."""
        self.query_one(Input).focus()

    def on_resize(self, _: events.Resize) -> None:
        """Cut the rows to the new width."""
        self._narrow()

    def colors_changed(self) -> None:
        """Show the list in the colours of the new theme."""
        self._narrow()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show the tools that match the search."""
        event.stop()
        self._narrow()

    def _narrow(self) -> None:
        """Show the tools that have all of the words, below the names of their groups."""
        options, words = self.query_one(OptionList), self.query_one(Input).value
        # Other words ask for another tool, so that the best one is highlighted.
        same = words == self._words and options.highlighted_option is not None
        before = options.highlighted_option.id if same and options.highlighted_option is not None else None
        self._words = words
        found = sorted((tool for tool in self._tools if _fits(tool, words)), key=lambda tool: _rank(tool, words))
        rows: list[Option] = []
        group = ""
        for tool in found:
            if tool.group != group:
                group = tool.group
                rows.append(Option(self._heading(group), disabled=True))
            rows.append(Option(self._row(tool), id=tool.name))
        options.clear_options()
        options.add_options(rows)
        names = [row.id for row in rows]
        options.highlighted = names.index(before) if before and before in names else (1 if rows else None)
        count = counted(len(found), "tool") if self._tools else "looking…"
        self.query_one("#tools-count", Label).update(count if found or not self._tools else "no tool matches")

    def _heading(self, group: str) -> Text:
        colors = self.app.theme_variables
        text = Text(f" {group}", style=f"bold {colors['foreground']}", no_wrap=True, overflow="ellipsis")
        return text.append(f"  {self._abouts.get(group, '')}", style=f"not bold {colors['bench-muted']}")

    def _row(self, tool: Tool) -> Text:
        colors = self.app.theme_variables
        sign, color = ("✖", "error") if tool.destroys else ("●", "warning") if tool.changes else (" ", "bench-muted")
        text = Text(no_wrap=True, overflow="ellipsis")
        text.append(f" {sign} ", style=colors[color])
        text.append(f"{tool.name:<{_NAME}} ", style=colors["primary"])
        text.append(printable(tool.summary), style=colors["foreground"])
        return text

    def action_move(self, step: int) -> None:
        """Move the highlight by `step` tools, skipping the names of groups."""
        options = self.query_one(OptionList)
        places = [place for place, option in enumerate(options.options) if not option.disabled]
        if not places:
            return
        here = options.highlighted
        at = places.index(here) if here in places else 0
        options.highlighted = places[min(max(at + step, 0), len(places) - 1)]

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Open the form of the highlighted tool."""
        event.stop()
        option = self.query_one(OptionList).highlighted_option
        if option is not None and option.id is not None:
            self.open(option.id)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open the form of the tool that was clicked."""
        event.stop()
        if event.option_id is not None:
            self.open(event.option_id)

    def open(self, name: str) -> None:
        """Open the form of a tool, with the values that a person wrote in it before."""
        tool = next(each for each in self._tools if each.name == name)
        self.bench.push_screen(ToolForm(self._forms.setdefault(name, Form(tool))))


def _rank(tool: Tool, words: str) -> int:
    """The place of a tool among those that fit: first those whose name begins with the words, then those whose name
    has them, then those whose description has them."""
    name, wanted = tool.name.lower().replace("_", " "), words.lower().replace("_", " ").split()
    if not wanted:
        return 0
    if name.startswith(" ".join(wanted)):
        return 0
    return 1 if all(word in name for word in wanted) else 2


def _fits(tool: Tool, words: str) -> bool:
    said = f"{tool.name} {tool.name.replace('_', ' ')} {tool.group} {tool.summary}".lower()
    return all(word in said for word in words.lower().split())
