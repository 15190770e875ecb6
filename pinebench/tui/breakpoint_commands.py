"""Commands that set and remove the breakpoints of the active script."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.amounts import counted
from pinebench.tui.dialogs import Prompt

if TYPE_CHECKING:
    from pinebench.tui.base_workbench import BaseWorkbench


def toggle_breakpoint(bench: BaseWorkbench) -> None:
    """Set or remove the breakpoint on the line of the cursor."""
    if bench.editor is not None:
        toggle_at(bench, bench.editor.cursor_location[0])


def toggle_at(bench: BaseWorkbench, row: int) -> None:
    """Set or remove the breakpoint on the row `row`, from 0, of the active script."""
    editor = bench.editor
    if editor is None:
        return
    is_set = editor.toggle_breakpoint(row)
    _keep(bench)
    count = counted(len(editor.breakpoints), "breakpoint")
    bench.say(f"{'breakpoint on' if is_set else 'no breakpoint on'} line {row + 1}; {count} in the script")


def _keep(bench: BaseWorkbench) -> None:
    if bench.front is not None:
        bench.keep_breakpoints(bench.front)


async def set_condition(bench: BaseWorkbench) -> None:
    """Ask for the condition of the breakpoint on the line of the cursor."""
    if bench.editor is not None:
        await set_condition_at(bench, bench.editor.cursor_location[0])


async def set_condition_at(bench: BaseWorkbench, row: int) -> None:
    """Ask for the condition of the breakpoint on the row `row`, from 0, of the active script."""
    editor = bench.editor
    if editor is None:
        return
    snapshot, one = editor.snapshot, editor.breakpoints.at(row)
    hint = "an expression that is valid on this line, for example rsi > 70; empty: always"
    title = f"Breakpoint on line {row + 1}, if"
    value = await bench.push_screen_wait(Prompt(title, one.condition if one is not None else "", hint))
    if value is None:
        return
    if editor.snapshot is not snapshot:
        bench.say("the text has changed in the meantime, so no breakpoint was set", "warning")
        return
    editor.set_breakpoint(row, value)
    _keep(bench)
    bench.say(f"breakpoint on line {row + 1}{f' if {value.strip()}' if value.strip() else ''}")


def clear_breakpoints(bench: BaseWorkbench) -> None:
    """Remove all breakpoints of the active script."""
    if bench.editor is not None:
        bench.editor.clear_breakpoints()
        _keep(bench)
        bench.say("no breakpoints are left in the script")
