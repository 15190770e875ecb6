"""Commands that change or find a name in all scripts of a project.

Nothing is written to a file: the changed texts stay unsaved in their tabs. If one of the texts has changed since the
changes were computed, nothing is changed.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from pinebench.amounts import counted
from pinebench.tui import file_commands
from pinebench.tui.code_help import jump, remember
from pinebench.tui.dialogs import ChangedText, Diff, Pick, Prompt
from pinebench.tui.dialogs import Choice as Row
from pinebench.tui.script_tab import ScriptTab

if TYPE_CHECKING:
    from pinebench.services import ScriptView
    from pinebench.services.actions import Action
    from pinebench.tui.app import Workbench
    from pinebench.tui.language import ScriptMoment
    from pinebench.tui.project import OpenScripts, ProjectScript, ScriptChange, ScriptUse

Answer = TypeVar("Answer")


async def _ask(bench: Workbench, question: Callable[[OpenScripts, ProjectScript], Answer]) -> Answer:
    """Return the answer of `question` about the script in front and the project around it."""
    from pinebench.tui.project import OpenScripts

    tabs, texts = bench.tabs(), bench.language.texts()
    front = _front(bench, tabs)

    def ask() -> Answer:
        project = OpenScripts(bench.language, tabs, texts)
        return question(project, project.of_tab(front))

    return await bench.language.run(ask)


def _front(bench: Workbench, tabs: Sequence[ScriptMoment]) -> ScriptMoment:
    assert bench.front is not None
    return next(tab for tab in tabs if tab.key == bench.front.key)


async def _importing(bench: Workbench, library: str | None) -> list[str]:
    """The files that may import the library in the file `library`; none without such a file.

    If the command is stopped, the search ends, and nobody gets a part of its result.
    """
    if library is None:
        return []
    from pinebench.tui.project import folders_around

    folders, stop = folders_around(library, bench.folder or os.getcwd()), threading.Event()
    try:
        return list(await asyncio.to_thread(bench.importers.importing, folders, is_cancelled=stop.is_set))
    finally:
        stop.set()


def _is_library(view: ScriptView) -> bool:
    declaration = view.program.declaration
    return declaration is not None and declaration.name == "library"


# finding


async def references(bench: Workbench) -> None:
    """Let the person pick one of the uses of the name at the cursor, in all scripts, and go there."""
    opened = bench.front
    if opened is None:
        return
    offset = opened.editor.offset_here
    library = await _ask(bench, lambda project, script: _library_of(project, script, offset))
    closed = await _importing(bench, library)
    left_out = bench.importers.remark if library is not None else ""
    found = await _ask(bench, lambda project, script: project.uses(script, offset, closed))
    if not found:
        bench.say("there is no information about the text at the cursor")
        return
    name = found[0].script.view.text[found[0].use.span.start : found[0].use.span.end]
    scripts = len({each.script.path or each.script.key for each in found})
    where = f" in {scripts} scripts" if scripts > 1 else ""
    rows = [_row(each, with_name=scripts > 1) for each in found]
    title = "; ".join(filter(None, (f"{name}: {counted(len(found), 'use')}{where}", left_out)))
    chosen = await bench.push_screen_wait(Pick(title, rows))
    if chosen is not None:
        await _go(bench, chosen)


def _library_of(project: OpenScripts, script: ProjectScript, offset: int) -> str | None:
    """The file of the library that declares the name at `offset`; None for a name of a script or of the language."""
    home, _ = project.home(script, offset)
    return home.path if _is_library(home.view) else None


def _row(place: ScriptUse, *, with_name: bool) -> Row:
    lines, span = place.script.view.snapshot.lines, place.use.span
    line = lines.position(span.start).line
    name = f"{place.script.name}:" if with_name else ""
    return Row(place, f"{name}{line:>5}  {lines.line_text(line).strip()}", "written" if place.use.writes else "")


async def _go(bench: Workbench, place: ScriptUse) -> None:
    script, span = place.script, place.use.span
    opened = _tab_of(bench, script)
    if opened is None and script.path is not None:
        remember(bench)
        await bench.open(script.path, offset=span.start)
    elif opened is not None:
        jump(bench, opened, span)


def _tab_of(bench: Workbench, script: ProjectScript) -> ScriptTab | None:
    """The tab of a script, also one that was opened meanwhile."""
    if script.path is None:
        return next((each for each in bench.opened if each.key == script.key), None)
    real = os.path.realpath(script.path)
    files = ((each, each.buffer.path) for each in bench.opened)
    return next((each for each, path in files if path is not None and os.path.realpath(path) == real), None)


async def unused_exports(bench: Workbench) -> None:
    """Let the person pick an unused export of the active library, and go there."""
    opened = bench.front
    if opened is None:
        return
    if not await _ask(bench, lambda _, script: _is_library(script.view)):
        bench.say("this script is not a library, so it exports nothing")
        return
    closed = await _importing(bench, opened.buffer.path)
    snapshot = opened.editor.snapshot
    found = await _ask(bench, lambda project, script: project.unused(script, closed))
    unread = bench.importers.unread
    told = [f"{counted(len(unread), 'script')} cannot be read"] if unread else []
    left_out = "; ".join(filter(None, (bench.importers.remark, *told)))
    if not found:
        bench.say("a script of the folder uses every export", "good")
        return
    rows = [Row(at, f"{snapshot.lines.position(at).line:>5}  {name}") for name, at in found]
    title = f"{counted(len(found), 'export')} that no script of the folder uses; {left_out or 'scripts elsewhere may'}"
    offset = await bench.push_screen_wait(Pick(title, rows))
    if offset is not None and opened in bench.opened:
        remember(bench)
        bench.bring(opened)
        opened.editor.go_to(offset)


# changing


async def rename(bench: Workbench) -> None:
    """Ask for a new name for the name at the cursor, and write it everywhere, including the scripts that import it."""
    opened = bench.front
    if opened is None:
        return
    await file_commands.look_outside(bench)
    offset, snapshot = opened.editor.offset_here, opened.editor.snapshot

    def where(project: OpenScripts, script: ProjectScript) -> tuple[str, str | None]:
        home, _ = project.home(script, offset)
        return project.can_rename(script, home, offset), home.path if _is_library(home.view) else None

    old, library = await _ask(bench, where)
    name = await bench.push_screen_wait(Prompt(f"Rename {old}", old, "enter renames, escape goes back"))
    if name is None or name == old:
        return
    closed = await _importing(bench, library)
    unread = _unseen(bench) if library is not None else []
    if opened is not bench.front or opened.editor.snapshot is not snapshot:
        bench.say("the text has changed in the meantime; nothing was renamed", "warning")
        return
    changes = await _ask(bench, lambda project, script: project.renamed(script, offset, name, closed))
    await _apply(bench, f"Rename {old} to {name}", "renamed", changes, unread)


def _unseen(bench: Workbench) -> list[str]:
    """A sentence for each script that the last search could not read, and one about the scripts that it left out."""
    unread = [f"{_short(bench, each)} cannot be read, so it is not changed" for each in bench.importers.unread]
    remark = bench.importers.remark
    return [*unread, f"{remark}; the other scripts are not changed"] if remark else unread


async def move(bench: Workbench) -> None:
    """Move the function at the cursor to a library that the script imports."""
    opened = bench.front
    if opened is None:
        return
    await file_commands.look_outside(bench)
    offset, snapshot = opened.editor.offset_here, opened.editor.snapshot
    aliases = await _ask(bench, lambda project, script: project.targets(script, offset))
    rows = [Row(alias, alias, "the library must then be published again") for alias in aliases]
    alias = await bench.push_screen_wait(Pick("Move the function to", rows))
    if alias is None:
        return
    if opened is not bench.front or opened.editor.snapshot is not snapshot:
        bench.say("the text has changed in the meantime; nothing was moved", "warning")
        return
    changes = await _ask(bench, lambda project, script: project.moved(script, offset, alias))
    await _apply(bench, f"Move the function to {alias}", "moved", changes)


async def extract(bench: Workbench, what: str) -> None:
    """Extract the selected expression into a new variable or function (`what`), and put the cursor on its name."""
    opened = bench.front
    if opened is None:
        return
    editor = opened.editor
    span, snapshot = editor.selected_span, editor.snapshot

    def ask(_: OpenScripts, script: ProjectScript) -> Action | None:
        from pinebench.services.actions import TO_FUNCTION, TO_VARIABLE, extractions

        wanted = TO_VARIABLE if what == "variable" else TO_FUNCTION
        return next((each for each in extractions(script.view, span) if each.title == wanted), None)

    action = await _ask(bench, ask)
    if editor.snapshot is not snapshot:
        bench.say("the text has changed in the meantime; nothing was extracted", "warning")
    elif action is None:
        why = "select an expression" if editor.selection.is_empty else "its result might change"
        bench.say(f"the selection cannot be extracted into a {what}: {why}", "warning")
    else:
        (start, end), name = action.edits[-1]
        editor.apply(action.edits)
        declared = len(editor.text) - len(snapshot.text) - len(name) + end - start
        editor.go_to(start + declared)
        bench.say(f"extracted into a {what}; F2 renames it, ctrl+z undoes it", "good")


async def inline(bench: Workbench) -> None:
    """Replace the variable at the cursor by its value wherever it is used, and remove the variable."""
    opened = bench.front
    if opened is None:
        return
    editor = opened.editor
    offset, snapshot = editor.offset_here, editor.snapshot

    def ask(_: OpenScripts, script: ProjectScript):
        from pinebench.services.inlining import inlined

        return inlined(script.view, offset)

    found = await _ask(bench, ask)
    if editor.snapshot is not snapshot:
        bench.say("the text has changed in the meantime; nothing was inlined", "warning")
    elif found is None:
        bench.say(
            "the cursor is not on a variable that can be inlined: its value might differ where it is used", "warning"
        )
    else:
        editor.apply(found[1])
        bench.say(f"{found[0]} is inlined; ctrl+z undoes it", "good")


# several texts at once


async def _apply(
    bench: Workbench, title: str, done: str, changes: Sequence[ScriptChange], unread: Sequence[str] = ()
) -> None:
    """Change texts: the one in front at once; if others change too, after the person has seen all changes.

    Either all texts are changed, or none. They are left unsaved. `unread` says which scripts were not read, although
    they may need a change, too.
    """
    front = bench.front
    if not changes:
        bench.say("there is nothing to change")
        return
    is_front = front is not None and _tab_of(bench, changes[0].script) is front
    is_only_here = len(changes) == 1 and is_front and not unread
    if not is_only_here:
        if not await bench.push_screen_wait(_preview(bench, title, changes, unread)):
            return
        await file_commands.look_outside(bench)
    tabs = await _opened(bench, changes)
    if front is not None and front in bench.opened:
        bench.bring(front)
    wrong = [change.script.name for change, tab in zip(changes, tabs, strict=True) if not _can_take(tab, change)]
    if wrong:
        bench.say(f"{', '.join(wrong)} cannot be changed, or changed in the meantime. No text was changed", "warning")
        return
    for change, tab in zip(changes, tabs, strict=True):
        assert tab is not None
        tab.editor.apply(change.edits)
    places = counted(sum(len(change.edits) for change in changes), "place")
    if is_only_here:
        bench.say(f"{done} in {places}; ctrl+z undoes it", "good")
        return
    said = f"{done}: {places} in {counted(len(changes), 'script')}, all still unsaved"
    bench.say(f"{said} (ctrl+p, Save all scripts)", "good")


async def _opened(bench: Workbench, changes: Sequence[ScriptChange]) -> list[ScriptTab | None]:
    """The tabs of the changed scripts. A file that is not open is opened; None if that is not possible."""
    tabs: list[ScriptTab | None] = []
    for change in changes:
        tab = _tab_of(bench, change.script)
        if tab is None and change.script.path is not None:
            tab = await bench.open(change.script.path)
        tabs.append(tab)
    return tabs


def _can_take(tab: ScriptTab | None, change: ScriptChange) -> bool:
    """Whether a tab has the text that a change was made for, and may be written."""
    return tab is not None and not tab.editor.read_only and tab.editor.text == change.before


def _preview(bench: Workbench, title: str, changes: Sequence[ScriptChange], unread: Sequence[str]) -> Diff:
    texts = [ChangedText(each, "", "") for each in unread]
    texts += (ChangedText(_heading(bench, change), change.before, _after(change)) for change in changes)
    places = sum(len(change.edits) for change in changes)
    told = f"{title}: {counted(places, 'place')} in {counted(len(changes), 'script')}. Nothing is saved"
    return Diff.of_many(told, texts, "Change them all, unsaved", "Leave them")


def _heading(bench: Workbench, change: ScriptChange) -> str:
    """The name of a script, and whether its text is safe on disk."""
    tab = _tab_of(bench, change.script)
    path = change.script.path
    name = _short(bench, path) if path is not None else change.script.name
    if tab is None:
        return f"{name} (not open; it is opened)"
    if tab.outside != "same":
        return f"{name} ({'changed' if tab.outside == 'changed' else 'gone'} on disk; saving asks)"
    return f"{name} (has unsaved changes)" if tab.is_changed else name


def _short(bench: Workbench, path: str) -> str:
    """The path of a file as seen from the folder of the workbench."""
    try:
        return os.path.relpath(path, bench.folder or os.getcwd())
    except ValueError:  # on another drive
        return path


def _after(change: ScriptChange) -> str:
    text, parts, place = change.before, list[str](), 0
    for span, written in sorted(change.edits):
        parts += [text[place : span.start], written]
        place = span.end
    return "".join([*parts, text[place:]])
