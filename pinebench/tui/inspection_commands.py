"""Commands that inspect a run: its bars, the changes of a name, the stops, and "why"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pinebench.calendars.dates import bar_of
from pinebench.errors import UsageError
from pinebench.tui.dialogs import Prompt
from pinebench.tui.inspection import ShowsRun
from pinebench.tui.results import moment
from pinebench.tui.script_tab import ScriptTab

if TYPE_CHECKING:
    from pinebench.tui.app import Workbench


async def inspect(bench: Workbench) -> None:
    """Show the inspector, and run the active script on the bars that the inspector names."""
    panel = await bench.show_panel("inspector", focus=False)
    assert isinstance(panel, ShowsRun)
    panel.start()


async def previous_bar(bench: Workbench) -> None:
    """Show the previous bar."""
    bench.inspection.needed()
    await bench.inspection.go(bench.inspection.aim - 1)


async def next_bar(bench: Workbench) -> None:
    """Show the next bar."""
    bench.inspection.needed()
    await bench.inspection.go(bench.inspection.aim + 1)


async def first_bar(bench: Workbench) -> None:
    """Show the first bar whose values are recorded."""
    await bench.inspection.go(0)


async def last_bar(bench: Workbench) -> None:
    """Show the last bar."""
    await bench.inspection.go(1 << 62)


async def go_to_bar(bench: Workbench) -> None:
    """Ask for a bar, and show it."""
    overview = bench.inspection.needed()
    last = overview.bars - 1
    hint = f"0 to {last}, -1 is the last; or a time (UTC) such as {moment(overview.times[last // 2] / 1000)}"

    def wrong(value: str) -> str:
        try:
            bar_of("the bar", value, overview.times[: overview.bars])
        except UsageError as error:
            return f"{error.message}: {hint}"
        return ""

    value = await bench.push_screen_wait(Prompt("Go to a bar", "", hint, wrong))
    if value is not None:
        await bench.inspection.go(bar_of("the bar", value, overview.times[: overview.bars]))


async def next_change(bench: Workbench) -> None:
    """Go to the next bar on which the name at the cursor changes."""
    await _change(bench, 1)


async def previous_change(bench: Workbench) -> None:
    """Go to the previous bar on which the name at the cursor changed."""
    await _change(bench, -1)


async def _change(bench: Workbench, step: int) -> None:
    inspection, panel = bench.inspection, bench.inspection.panel
    inspection.needed()
    number = panel.chosen if panel is not None and panel.has_focus_within else None
    if number is None:
        number = await _number_here(bench)
    if number is None:
        bench.say("there is no name or call with values at the cursor")
        return
    await inspection.go_to_change(number, step)


async def _number_here(bench: Workbench) -> int | None:
    """The number of the name or call at the cursor."""
    opened, inspection = bench.front, bench.inspection
    if opened is None or opened is not inspection.opened:
        return None
    expression = await expression_here(bench, opened)
    return inspection.number_of(expression)


async def next_stop(bench: Workbench) -> None:
    """Go to the next stop of the run at a breakpoint."""
    await bench.inspection.go_to_stop(1)


async def previous_stop(bench: Workbench) -> None:
    """Go to the previous stop of the run at a breakpoint."""
    await bench.inspection.go_to_stop(-1)


async def why(bench: Workbench) -> None:
    """Explain the value of the expression at the cursor on the bar. Raises UsageError if another script was run."""
    opened, inspection = bench.front, bench.inspection
    inspection.needed()
    if opened is None or opened is not inspection.opened:
        raise UsageError("another script ran in the inspector", "shift+F9 runs the script in front")
    line = opened.editor.cursor_location[0] + 1
    expression = await expression_here(bench, opened)
    if not expression:
        bench.say("there is no expression at the cursor")
        return
    await inspection.why(expression, line)
    panel = await bench.show_panel("inspector", focus=False)
    assert isinstance(panel, ShowsRun)
    panel.show_part("why")


async def expression_here(bench: Workbench, opened: ScriptTab) -> str:
    """Return the selected text, or the expression at the cursor: a name, a call, or an operation with its operands."""
    selected = opened.editor.selected_text.strip()
    if selected:
        return " ".join(selected.split())
    offset, snapshot = opened.editor.offset_here, opened.editor.snapshot

    def ask(view: Any) -> str:
        from pinebench.services.expressions import expression_at

        return expression_at(view, offset)

    found = await bench.language.ask(opened.key, snapshot, opened.buffer.place, ask)
    return found if opened.editor.snapshot is snapshot else ""
