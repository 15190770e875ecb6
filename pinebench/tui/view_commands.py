"""Commands for the screen: panels, palette, colours, and help."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from textual.widget import Widget

from pinebench.tui import commands, draft_commands, themes
from pinebench.tui.dialogs import Choice, Pick, TextDialog
from pinebench.tui.editor import Editor
from pinebench.tui.panels import PANELS, Panel


@runtime_checkable
class Startable(Protocol):
    """A panel whose work can be started."""

    def start(self) -> None:
        """Start the panel's work."""
        ...


@runtime_checkable
class ViewingPanel(Protocol):
    """A panel that has something to show on request."""

    async def look(self) -> None:
        """Show the panel's content."""
        ...


if TYPE_CHECKING:
    from pinebench.tui.app import Workbench


async def show_panel(bench: Workbench, key: str) -> None:
    """Show the panel called `key`, and give it the focus."""
    await bench.show_panel(key)


def toggle_dock(bench: Workbench) -> None:
    """Show or hide the panels."""
    bench.show_dock(not bench.query_one("#dock").has_class("-open"))


async def run(bench: Workbench) -> None:
    """Run the active script on the bars that the run panel names."""
    panel = await bench.show_panel("run", focus=False)
    assert isinstance(panel, Startable)
    panel.start()


async def proposal(bench: Workbench) -> None:
    """Show the assistant's proposal."""
    panel = await bench.show_panel("assistant", focus=False)
    assert isinstance(panel, ViewingPanel)
    await panel.look()


def stop(bench: Workbench) -> None:
    """Stop the work that is running."""
    bench.stop()


def to_editor(bench: Workbench) -> None:
    """Give the focus to the editor."""
    if bench.editor is not None:
        bench.editor.focus()


async def palette(bench: Workbench) -> None:
    """Let the person pick a command by words in its title, and run it."""
    items = [
        Choice(command.name, f"{command.group}: {command.title}", command.key)
        for command in commands.COMMANDS
        if command.name != "palette"
    ]
    chosen = await bench.push_screen_wait(Pick("All commands", items))
    if chosen is not None:
        bench.do(chosen)


_HERE = ("complete", "hover", "definition", "references", "rename", "actions", "why", "breakpoint", "format", "find")
_TAB = ("save", "save-as", "close", "reload", "compare-disk")


async def menu(bench: Workbench) -> None:
    """Let the person pick an action at the cursor, like a right click."""
    editor = bench.editor
    if editor is None:
        return
    own = {"Copy": editor.action_copy, "Cut": editor.action_cut, "Paste": editor.action_paste}
    items = [*(Choice(name, name) for name in own), *_items(_HERE)]
    chosen = await bench.push_screen_wait(Pick("Here", items))
    if chosen in own:
        own[chosen]()
    elif chosen is not None:
        bench.do(chosen)


async def tab_menu(bench: Workbench) -> None:
    """Let the person pick an action for the active tab."""
    chosen = await bench.push_screen_wait(Pick("This tab", _items(_TAB)))
    if chosen is not None:
        bench.do(chosen)


def _items(names: Sequence[str]) -> list[Choice]:
    found = [commands.BY_NAME[name] for name in names]
    return [Choice(command.name, command.title, command.key) for command in found]


def suspend(bench: Workbench) -> None:
    """Save unsaved texts as drafts, and go back to the shell until the person types `fg`."""
    draft_commands.keep_now(bench)
    bench.action_suspend_process()


def enlarge(bench: Workbench) -> None:
    """Give the part with the focus the whole screen, or restore the division."""
    bench.room.enlarge()


def larger(bench: Workbench) -> None:
    """Make the dock larger."""
    bench.room.change(1)


def smaller(bench: Workbench) -> None:
    """Make the dock smaller."""
    bench.room.change(-1)


def usual(bench: Workbench) -> None:
    """Give the dock the size that its panel needs."""
    bench.remembered.dock_rows = bench.remembered.dock_columns = 0
    bench.room.enlarged = ""
    bench.room.fit()


async def theme(bench: Workbench) -> None:
    """Let the person pick the colour theme."""
    chosen = await bench.push_screen_wait(Pick("Colours", [Choice(name, name) for name in themes.names()]))
    if chosen is not None:
        bench.theme = bench.remembered.theme = chosen


_EDITOR = """\
The script is checked as you type: errors are underlined, and the line below the editor shows the one at the cursor.
**F4** fixes it, **alt+x** explains it, **F8** goes to the next one.

Completions come by themselves; **tab** takes the first one, **up** and **down** choose, **escape** closes the list.

* **tab**, **shift+tab**: indent the selected lines more, or less; in a snippet, to its next place or the one before
* **ctrl+/** (or **alt+c**): turn the lines into comments, and back
* **alt+up**, **alt+down**: move the lines
* **ctrl+z**, **ctrl+y**: undo, redo
* **ctrl+c**, **ctrl+x**, **ctrl+v**: copy, cut, paste; what you copy goes to the terminal's clipboard, too
"""


async def help_here(bench: Workbench) -> None:
    """Show help for the widget that has the focus, and then all keys."""
    title, text = _help_of(bench.focused)
    rows = [f"| **{command.key}** | {command.title} |" for command in commands.COMMANDS if command.keys]
    keys = "\n".join(["| Key | |", "|:--|:--|", *rows])
    await bench.push_screen_wait(TextDialog(title, f"{text}\n\n## Keys everywhere\n\n{keys}"))


def _help_of(focused: Widget | None) -> tuple[str, str]:
    while focused is not None:
        if isinstance(focused, Editor):
            return "The editor", _EDITOR
        if isinstance(focused, Panel):
            known = next((panel for panel in PANELS if f"panel-{panel.key}" == focused.id), None)
            return known.title if known else "Panel", focused.ABOUT
        parent = focused.parent
        focused = parent if isinstance(parent, Widget) else None
    return "The workbench", "Open a script with **ctrl+o**, or begin one with **ctrl+n**."
