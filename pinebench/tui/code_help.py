"""Commands about the position of the cursor, answered by `services`: completions, help, definitions, and fixes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from rich.text import Text

from pinebench import config
from pinebench.amounts import counted
from pinebench.diagnostics import Edit as TextEdit
from pinebench.diagnostics import Severity, Span
from pinebench.errors import UsageError
from pinebench.printable import printable
from pinebench.tui.dialogs import Choice as Row
from pinebench.tui.dialogs import Diff, Pick, TextDialog
from pinebench.tui.editor import Editor
from pinebench.tui.script_tab import ScriptTab

if TYPE_CHECKING:
    from pinebench.services import ScriptView
    from pinebench.services.completion import Completion
    from pinebench.services.hover import Help
    from pinebench.tui.base_workbench import BaseWorkbench

Answer = TypeVar("Answer")

_PAUSE = 0.05
"""Seconds after a key until completions are requested, so that fast typing is not interrupted."""
_LEAST = 2
"""The smallest number of letters in a word for which completions appear by themselves."""
_MOST = 200
_MOST_ALLOWED = 12
"""The largest number of allowed values of a parameter that are listed."""


async def _ask(bench: BaseWorkbench, opened: ScriptTab, question: Callable[[ScriptView], Answer]) -> Answer | None:
    """Return the answer about the current text; None if the text has changed meanwhile."""
    snapshot = opened.editor.snapshot
    answer = await bench.language.ask(opened.key, snapshot, opened.buffer.place, question)
    return answer if opened.editor.snapshot is snapshot else None


# while typing


def typed(bench: BaseWorkbench, opened: ScriptTab, text: str) -> None:
    """Show or hide help after a change. `text` is the text that was typed; it is empty if text was removed."""
    if text == "." or (len(text) == 1 and (text.isalnum() or text == "_")):
        word = opened.editor.word_at(opened.editor.offset_here)
        is_member = opened.editor.text[word.start - 1 : word.start] == "."
        if text == "." or is_member or opened.editor.offset_here - word.start >= _LEAST or bench.popup.is_list:
            _later(bench, opened, _complete(bench, opened, asked=False))
    elif text in ("(", ","):
        bench.popup.close()
        _later(bench, opened, _signature(bench, opened, asked=False))
    elif text in (")", "\n") or not text:
        bench.popup.close()


def _later(bench: BaseWorkbench, opened: ScriptTab, job: Coroutine[Any, Any, Any]) -> None:
    """Run `job` after a pause, unless the text or the cursor has changed by then."""
    editor = opened.editor
    snapshot, offset = editor.snapshot, editor.offset_here

    async def wait() -> None:
        try:
            await asyncio.sleep(_PAUSE)
        except asyncio.CancelledError:
            job.close()
            raise
        if editor.snapshot is snapshot and editor.offset_here == offset:
            await job
        else:
            job.close()

    bench.work(wait(), group="typing", exclusive=True)


async def complete(bench: BaseWorkbench) -> None:
    """Offer completions at the cursor."""
    if bench.front is not None:
        await _complete(bench, bench.front, asked=True)


async def _complete(bench: BaseWorkbench, opened: ScriptTab, *, asked: bool) -> None:
    editor = opened.editor
    offset = editor.offset_here

    def ask(view: ScriptView) -> list[Completion]:
        from pinebench.services.completion import completions

        return completions(view, offset)

    found = await _ask(bench, opened, ask)
    if found is None or not _is_at(bench, opened, offset):
        return
    written = editor.text[found[0].span.start : offset] if found else ""
    if not asked and len(found) == 1 and found[0].label == written:
        found = []
    if asked and not found:
        bench.say("nothing to complete here")
    bench.popup.offer(editor, found[:_MOST], _take, asked=asked)


def _take(editor: Editor, item: Completion, start: int) -> None:
    """Replace the word that begins at `start` by a completion.

    A call has no places to fill in here: tab also takes what is offered, and the signature shows the parameters.
    """
    if editor.read_only:
        return
    here = editor.offset_here
    is_call = item.kind in ("function", "method")
    if item.snippet is not None and not is_call:
        editor.fill_in(item.snippet, Span(start, max(here, start)))
        return
    text, place = item.label, len(item.label)
    if is_call and editor.text[here : here + 1] != "(":
        text, place = f"{item.label}()", len(item.label) + 1
    editor.apply([TextEdit(Span(start, max(here, start)), text)])
    editor.move_cursor(editor.source.location(start + place))


def _is_at(bench: BaseWorkbench, opened: ScriptTab, offset: int) -> bool:
    """Whether the cursor is still at the place about which the services have answered."""
    return opened is bench.front and opened.editor.has_focus and opened.editor.offset_here == offset


async def signature(bench: BaseWorkbench) -> None:
    """Show the parameters of the call around the cursor."""
    if bench.front is not None:
        await _signature(bench, bench.front, asked=True)


async def _signature(bench: BaseWorkbench, opened: ScriptTab, *, asked: bool) -> None:
    editor = opened.editor
    offset = editor.offset_here

    def ask(view: ScriptView) -> Help | None:
        from pinebench.services.hover import signature_help

        return signature_help(view, offset)

    found = await _ask(bench, opened, ask)
    if not _is_at(bench, opened, offset):
        return
    if found is not None:
        bench.popup.tell(editor, _signature_lines(bench, found))
    elif asked:
        bench.say("the cursor is not inside a call")


def _signature_lines(bench: BaseWorkbench, found: Help) -> list[Text]:
    """The signature that fits best, with the parameter that is being written highlighted."""
    hot = bench.theme_variables["warning"]
    signature = found.signatures[found.active]
    line = Text(no_wrap=True)
    line.append(f"{signature.name}(")
    for number, parameter in enumerate(signature.shown):
        line.append(", " if number else "")
        line.append(printable(parameter.name), style=f"bold underline {hot}" if number == found.parameter else "")
    line.append(f") → {signature.returns}" if signature.returns else ")")
    lines = [line]
    if 0 <= found.parameter < len(signature.shown):
        parameter = signature.shown[found.parameter]
        lines.append(Text(printable(parameter.label), style=hot))
        if about := found.notes[found.active][found.parameter]:
            lines.append(Text(printable(about), style=bench.theme_variables["bench-muted"]))
        if parameter.allowed:
            left = len(parameter.allowed) - _MOST_ALLOWED
            words = ", ".join(parameter.allowed[:_MOST_ALLOWED]) + (f" and {left} more" if left > 0 else "")
            lines.append(Text("one of: " + words, style=bench.theme_variables["bench-muted"]))
    if len(found.signatures) > 1:
        number = f"overload {found.active + 1} of {len(found.signatures)}"
        lines.append(Text(number, style=bench.theme_variables["bench-muted"]))
    return lines


async def hover(bench: BaseWorkbench) -> None:
    """Show the description of the name at the cursor."""
    opened = bench.front
    if opened is None:
        return
    offset = opened.editor.offset_here

    def ask(view: ScriptView):
        from pinebench.services.hover import hover as at

        return at(view, offset) or at(view, max(offset - 1, 0))

    found = await _ask(bench, opened, ask)
    if found is None:
        bench.say("there is no information about the text at the cursor")
        return
    name = opened.editor.text[found.span.start : found.span.end].partition("\n")[0]
    await bench.push_screen_wait(TextDialog(name, found.text))


# names


async def definition(bench: BaseWorkbench) -> None:
    """Go to the declaration of the name at the cursor, even if it is in the file of a library."""
    opened = bench.front
    if opened is None:
        return
    offset = opened.editor.offset_here

    def ask(view: ScriptView):
        from pinebench.services.navigation import definition as declared

        return declared(view, offset)

    target = await _ask(bench, opened, ask)
    if target is None:
        bench.say("no declaration found: this is a built-in, or it is not a name")
        return
    if target.library is None:
        jump(bench, opened, target.span)
        return
    from pinebench.files.libraries import locate_library

    found = locate_library(config.library_folders(opened.buffer.place), target.library)
    if found is None:
        bench.say(f"the source of {target.library} cannot be found")
        return
    remember(bench)
    await bench.open(str(found[0]), offset=target.span.start)


def jump(bench: BaseWorkbench, opened: ScriptTab, span: Span) -> None:
    """Go to a span of a script. The command `back` returns to the current position."""
    remember(bench)
    if opened is not bench.front:
        bench.bring(opened)
    opened.editor.go_to(span.start)
    opened.editor.focus()


def remember(bench: BaseWorkbench) -> None:
    """Store the position of the cursor, to which the command `back` returns."""
    if bench.front is not None:
        bench.trail = [*bench.trail[-99:], (bench.front.key, bench.front.editor.offset_here)]


def back(bench: BaseWorkbench) -> None:
    """Go back to the last stored position."""
    while bench.trail:
        key, offset = bench.trail.pop()
        opened = next((each for each in bench.opened if each.key == key), None)
        if opened is not None:
            bench.bring(opened)
            opened.editor.go_to(offset)
            return
    bench.say("there is no earlier position to go back to")


async def symbols(bench: BaseWorkbench) -> None:
    """Let the person pick a declaration of the script, and go there."""
    opened = bench.front
    if opened is None:
        return

    def ask(view: ScriptView):
        from pinebench.services.outline import outline

        return outline(view)

    found = await _ask(bench, opened, ask)
    if not found:
        bench.say("the script has no declarations")
        return
    rows = []
    for entry, owner in (pair for each in found for pair in ((each, ""), *((c, each.name) for c in each.children))):
        words = f"{entry.kind} {entry.detail}".strip()
        rows.append(Row(entry.span, f"{owner}.{entry.name}" if owner else entry.name, words))
    chosen = await bench.push_screen_wait(Pick("Go to", rows))
    if chosen is not None:
        jump(bench, opened, chosen)


# mending


async def actions(bench: BaseWorkbench) -> None:
    """Let the person pick an action at the cursor: fix, hide or explain a finding, or name an expression."""
    opened = bench.front
    if opened is None:
        return
    editor = opened.editor
    span = editor.selected_span
    if span.start == span.end:
        row = editor.cursor_location[0]
        under = editor.finding_here()
        start = editor.source.offset((row, 0))
        span = under.span if under is not None else Span(start, start)
    await offer_actions(bench, opened, span)


async def offer_actions(bench: BaseWorkbench, opened: ScriptTab, span: Span) -> None:
    """Let the person pick an action for a span, and do it."""
    if not opened.is_checked:
        bench.say("the script is being checked; try again in a moment")
        return
    snapshot, shown = opened.editor.snapshot, list(opened.findings)

    def ask(view: ScriptView):
        from pinebench.services.actions import actions as found

        return found(view, span, shown)

    found = await _ask(bench, opened, ask)
    if not found:
        bench.say("there are no actions at the cursor")
        return
    rows = [Row(number, action.title, "recommended" if action.preferred else "") for number, action in enumerate(found)]
    number = await bench.push_screen_wait(Pick("Choose an action", rows))
    if number is None:
        return
    action = found[number]
    if action.code:
        await explain_code(bench, action.code)
    elif opened.editor.snapshot is snapshot:
        opened.editor.apply(action.edits)
        bench.say(f"{action.title}; ctrl+z undoes it", "good")


async def fix_all(bench: BaseWorkbench) -> None:
    """Apply every safe fix after the person has seen the changes."""
    opened = bench.front
    if opened is None:
        return
    before = opened.editor.text

    def ask(view: ScriptView) -> tuple[str, str]:
        from pinebench.services.findings import safely_fixed

        try:
            return safely_fixed(view, opened.buffer.place), "there is no safe fix to apply"
        except UsageError as error:
            return view.text, f"nothing was fixed: {error.with_hint}"

    answer = await _ask(bench, opened, ask)
    text, told = answer or (before, "the text has changed in the meantime")
    if text == before:
        bench.say(told)
        return
    wanted = await bench.push_screen_wait(Diff("Every safe fix", before, text, "Apply", "Do not apply"))
    if wanted and opened.editor.text == before:
        opened.editor.put(text)
        bench.say("fixed; ctrl+z undoes it", "good")


async def lay_out(bench: BaseWorkbench) -> None:
    """Format the script, or the selected lines, according to Pine's style guide."""
    opened = bench.front
    if opened is None:
        return
    editor = opened.editor
    span = None if editor.selection.is_empty else editor.selected_span

    def ask(view: ScriptView) -> tuple[list[TextEdit], str]:
        from pinebench.formatting import FormatStyle
        from pinebench.services.format_edits import layout, why_unchanged

        try:
            wanted = config.resolved("format", opened.buffer.place)
            style = FormatStyle(wanted["width"].value, wanted["align"].value)
        except UsageError as error:
            return [], error.with_hint
        edits = layout(view, style, span)
        return edits, "" if edits else why_unchanged(view, style, span)

    answer = await _ask(bench, opened, ask)
    if answer is None:
        bench.say("the text has changed in the meantime; nothing was formatted", "warning")
        return
    edits, reason = answer
    if not edits and reason:
        bench.say(f"not formatted: {reason}", "warning")
    elif not edits:
        what = "the script is" if span is None else "these lines are"
        bench.say(f"nothing to format: {what} already formatted")
    else:
        editor.apply(edits)
        bench.say(f"formatted, {counted(len(edits), 'change')}; ctrl+z undoes it", "good")


async def explain(bench: BaseWorkbench) -> None:
    """Explain the finding at the cursor."""
    finding = bench.editor.finding_here() if bench.editor is not None else None
    if finding is None:
        bench.say("there is no finding on this line")
    else:
        await explain_code(bench, finding.code)


async def explain_code(bench: BaseWorkbench, code: str) -> None:
    """Show the meaning of a code."""
    from pinebench.services.explained import explained

    await bench.push_screen_wait(TextDialog(code, explained(code)))


def next_problem(bench: BaseWorkbench) -> None:
    """Go to the next finding."""
    _to_problem(bench, 1)


def previous_problem(bench: BaseWorkbench) -> None:
    """Go to the previous finding."""
    _to_problem(bench, -1)


def _to_problem(bench: BaseWorkbench, step: int) -> None:
    opened = bench.front
    if opened is None:
        return
    if not opened.is_checked:
        bench.say("the script is being checked; try again in a moment")
        return
    worst = min((finding.severity for finding in opened.findings), default=Severity.HINT)
    wanted = [each for each in opened.findings if each.severity <= max(worst, Severity.WARNING)]
    places = sorted({each.span.start for each in wanted})
    if not places:
        bench.say("pinebench's check has no findings")
        return
    here = opened.editor.offset_here
    if step > 0:
        place = next((each for each in places if each > here), places[0])
    else:
        place = next((each for each in reversed(places) if each < here), places[-1])
    opened.editor.go_to(place)
    opened.editor.focus()
