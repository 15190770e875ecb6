"""Opens, saves and closes files without losing any text, on disk or in the editor."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pinebench import files
from pinebench.amounts import counted
from pinebench.errors import UsageError
from pinebench.files import ChangedFile, originals
from pinebench.tui import draft_commands
from pinebench.tui.buffer import Buffer
from pinebench.tui.dialogs import Ask, Choice, DialogChoice, Diff, Pick, Prompt
from pinebench.tui.script_tab import ScriptTab, lines_changed

if TYPE_CHECKING:
    from pinebench.tui.base_workbench import BaseWorkbench


async def new(bench: BaseWorkbench) -> None:
    """Open a new script in a tab."""
    await bench.add(
        Buffer(name=bench.untitled()), '//@version=6\nindicator("My script", overlay = true)\n\nplot(close)\n'
    )


async def open_file(bench: BaseWorkbench) -> None:
    """Let the person pick a file of the folder or a recent one, or type a path, and open it."""
    from pinebench.linter.project import FileProblem, discover

    folder = bench.folder or os.getcwd()
    problems: list[FileProblem] = []
    found = await asyncio.to_thread(discover, [folder], lambda _: False, problems)
    paths = list(dict.fromkeys([*bench.remembered.recent, *map(os.path.abspath, found)]))
    items = [Choice(path, os.path.basename(path), _short(path)) for path in paths if os.path.exists(path)]
    chosen = await bench.push_screen_wait(Pick("Open", items, hint="a name, or a path", free=True))
    if chosen is not None:
        await bench.open(os.path.expanduser(chosen))


def _short(path: str) -> str:
    folder, home = os.path.dirname(path), os.path.expanduser("~")
    return f"~{folder[len(home) :]}" if folder.startswith(home + os.sep) else folder


# saving


async def save(bench: BaseWorkbench) -> None:
    """Save the active script."""
    if bench.front is not None:
        await save_one(bench, bench.front)


async def save_all(bench: BaseWorkbench) -> None:
    """Save every script that is not safe on disk, one after another. Stop at the first one that cannot be saved."""
    await _saves_ended(bench)
    await look(bench, list(bench.opened))
    unsaved = [each for each in bench.opened if each.is_dirty]
    front = bench.front
    if not unsaved:
        bench.say("every script is already saved")
        return
    for opened in unsaved:
        bench.bring(opened)
        if not await save_one(bench, opened):
            return
    if front is not None and front in bench.opened:
        bench.bring(front)
    bench.say(f"saved {counted(len(unsaved), 'script')}", "good")


async def save_as(bench: BaseWorkbench) -> None:
    """Save the active script under another name."""
    if bench.front is not None:
        opened = bench.front
        async with bench.saving:
            await _save_as(bench, opened)


async def save_one(bench: BaseWorkbench, opened: ScriptTab) -> bool:
    """Save a script; return whether it was saved.

    If another program has changed the file, it is only replaced if the person agrees, and a copy of it is saved.
    """
    async with bench.saving:
        buffer = opened.buffer
        if buffer.path is None:
            return await _save_as(bench, opened)
        while True:
            opened.outside = await asyncio.to_thread(buffer.outside)
            before = None if opened.outside == "gone" else buffer.held
            if opened.outside == "changed":
                before = await _may_replace(bench, opened)
                if before is None:
                    bench.refresh_words()
                    return False
            word = "saved again: the file was gone" if opened.outside == "gone" else "saved"
            try:
                return await _written(bench, opened, word, lambda text, before=before: buffer.save(text, before))
            except ChangedFile:  # it was written in this moment, so the question comes (again)
                buffer.doubt()


async def _written(bench: BaseWorkbench, opened: ScriptTab, word: str, write: Callable[[str], str | None]) -> bool:
    """Write the text with `write`, and show a message about it; return whether it was written.

    Raises ChangedFile if the file is not the one that may be replaced.
    """
    buffer, text = opened.buffer, opened.editor.text
    try:
        said = await asyncio.to_thread(write, text)
    except ChangedFile:
        raise
    except (UsageError, OSError, UnicodeError) as error:
        why = _told_of(error)
        bench.say(f"not saved; the text is still here: {why}", "error")
        bench.notify(why, title="Not saved", severity="error", markup=False)
        return False
    opened.outside = "same"
    opened.editor.read_only = False
    if said:
        bench.say(f"{word}: {buffer.name}; {said.removeprefix(f'{buffer.path}: ')}", "warning")
        bench.notify(said, title="Saved", severity="warning", markup=False)
    else:
        bench.say(f"{word}: {buffer.name}", "good")
    draft_commands.keep(bench)
    return True


def _told_of(error: Exception) -> str:
    """The words about an error, with what to do."""
    return error.with_hint if isinstance(error, UsageError) else str(error)


async def _may_replace(bench: BaseWorkbench, opened: ScriptTab) -> bytes | None:
    """Ask what to do with a file that another program changed; return its content if it may be written over.

    Before that, a copy of this content is kept. None means that nothing may be written.
    """
    buffer = opened.buffer
    assert buffer.path is not None
    while True:
        answer = await bench.push_screen_wait(
            Ask(
                f"{buffer.name} was changed on disk",
                "The file changed on disk after you opened it. A copy of its present content is kept if "
                "you overwrite it.",
                [
                    DialogChoice("stop", "Do not save", "n"),
                    DialogChoice("show", "Show the difference", "d"),
                    DialogChoice("theirs", "Load theirs", "l"),
                    DialogChoice("mine", "Overwrite with mine", "w"),
                ],
            )
        )
        if answer == "show":
            await _compared(bench, opened)
            continue
        if answer == "theirs":
            await _load_over(bench, opened)
            return None
        if answer != "mine":
            return None
        try:
            theirs = files.read_bytes(buffer.path)
            kept = originals.keep(buffer.path, theirs)
        except UsageError as error:
            bench.say(f"not saved, because a copy of the text on disk could not be stored: {error.message}", "error")
            return None
        bench.notify(f"The previous content of the file is kept as {kept}", markup=False)
        return theirs


def _wrong_name(value: str) -> str:
    """Why a script cannot be saved under a name; empty if it can."""
    path = os.path.abspath(os.path.expanduser(value))
    if not value.strip() or os.path.isdir(path):
        return "write the name of a file"
    if not os.path.isdir(os.path.dirname(path)):
        return f"there is no folder {os.path.dirname(path)}"
    return ""


async def _save_as(bench: BaseWorkbench, opened: ScriptTab) -> bool:
    """Ask for a name and save under it; return whether that was done."""
    buffer = opened.buffer
    start = buffer.path or os.path.join(bench.folder or os.getcwd(), buffer.name)
    name = await bench.push_screen_wait(Prompt("Save as", start, "enter saves, escape goes back", _wrong_name))
    if name is None:
        return False
    path = os.path.abspath(os.path.expanduser(name))
    if not path.lower().endswith((*files.ENDINGS, ".txt")):
        path += ".pine"
    before = None
    if os.path.lexists(path):
        choices = [DialogChoice("stop", "Do not save", "n"), DialogChoice("yes", "Overwrite it", "w")]
        text = f"{path}\nA copy of its present content is kept among the originals."
        if await bench.push_screen_wait(Ask("The file already exists", text, choices)) != "yes":
            return False
        try:
            before = files.read_bytes(path)
            originals.keep(path, before)
        except UsageError as error:
            bench.say(f"not saved; the text is still here: {error.message}", "error")
            return False
    try:
        done = await _written(bench, opened, "saved", lambda text: buffer.save_as(path, text, before))
    except ChangedFile as error:
        bench.say(f"not saved; the text is still here: {error.message}", "error")
        return False
    if done:
        bench.remembered.opened(path)
        bench.language.forget(opened.key)
        bench.check_soon(opened, 0.0)
    return done


# closing


async def close(bench: BaseWorkbench) -> None:
    """Close the active tab. If its text is not saved, ask first."""
    if bench.front is not None:
        await close_one(bench, bench.front)


async def close_one(bench: BaseWorkbench, opened: ScriptTab) -> bool:
    """Close a tab; return whether it was closed."""
    await _saves_ended(bench)
    await look(bench, [opened])
    if opened.is_dirty:
        choices = [
            DialogChoice("save", "Save", "s"),
            DialogChoice("stay", "Stay", "y"),
            DialogChoice("drop", "Close without saving", "w"),
        ]
        answer = await bench.push_screen_wait(Ask(f"{opened.buffer.name} is not saved", _how_much(opened), choices))
        if answer == "save" and not await save_one(bench, opened):
            return False
        if answer not in ("save", "drop"):
            return False
        text = opened.editor.text
        if answer == "drop" and not await _give_up(bench, opened):
            return False
        if opened.is_dirty if answer == "save" else opened.editor.text != text:
            bench.say(f"{opened.buffer.name} was changed in the meantime, so it stays open", "warning")
            return False
    await bench.remove(opened)
    return True


async def _saves_ended(bench: BaseWorkbench) -> None:
    """Wait for a save that is going on: until its end, the file is neither the one that was read nor the one that was
    written."""
    async with bench.saving:
        return


async def look(bench: BaseWorkbench, scripts: Sequence[ScriptTab]) -> None:
    """Check whether another program has changed or removed the files of these scripts, and show the result."""
    for opened in scripts:
        opened.outside = await asyncio.to_thread(opened.buffer.outside)
    bench.refresh_words()


async def _give_up(bench: BaseWorkbench, opened: ScriptTab) -> bool:
    """Keep the unsaved text of a tab among the dropped drafts, because the person closes the tab or replaces the text.

    Return whether to go on: the text is kept, or it cannot be kept and the person agrees to lose it.
    """
    buffer, text = opened.buffer, opened.editor.text
    if not text.strip():
        return True
    try:
        if bench.drafts is None:
            raise UsageError(bench.draft_trouble)
        await asyncio.to_thread(bench.drafts.give_up, opened.key, buffer.path, buffer.name, text, buffer.saved)
    except (UsageError, OSError) as error:
        why = _told_of(error)
        choices = [DialogChoice("stay", "Stay", "y"), DialogChoice("drop", "Close, and lose the text", "l")]
        told = f"The text of {buffer.name} cannot be stored as a draft: {why}"
        return await bench.push_screen_wait(Ask("The text would be lost", told, choices)) == "drop"
    return True


async def quit(bench: BaseWorkbench) -> None:
    """End the workbench. If there are unsaved texts, ask first."""
    await _saves_ended(bench)
    await look(bench, list(bench.opened))
    unsaved = [each for each in bench.opened if each.is_dirty]
    if unsaved:
        names = "\n".join(f"{each.buffer.name}: {_how_much(each)}" for each in unsaved)
        choices = [
            DialogChoice("save", "Save all", "s"),
            DialogChoice("stay", "Stay", "y"),
            DialogChoice("drop", "Quit without saving", "w"),
        ]
        answer = await bench.push_screen_wait(Ask(f"{counted(len(unsaved), 'script')} not saved", names, choices))
        if answer == "save":
            for opened in unsaved:
                bench.bring(opened)
                if not await save_one(bench, opened):
                    return
        elif answer != "drop":
            return
        if any(each.is_dirty for each in bench.opened if each not in unsaved or answer == "save"):
            return
        for opened in unsaved:
            if opened.is_dirty and not await _give_up(bench, opened):
                if bench.drafts is not None:
                    bench.drafts.take_back()  # all texts stay, also those that were given up before
                return
    bench.exit(0)


def _how_much(opened: ScriptTab) -> str:
    """How much of a text is not saved, in words."""
    if not opened.buffer.path:
        return "it has no file yet"
    if opened.outside == "gone":
        return "its file is gone from disk"
    changed = lines_changed(opened.buffer.saved, opened.editor.text)
    if not changed:
        return "its file was changed on disk" if not opened.is_changed else "only its line ends differ from the file"
    return f"{counted(changed, 'line')} {'differs' if changed == 1 else 'differ'} from the file"


# the file on disk


async def look_outside(bench: BaseWorkbench) -> None:
    """Find changes that other programs made to open files.

    A text without unsaved changes is loaded again. A text with unsaved changes stays, and a message says so.
    """
    for opened in list(bench.opened):
        if bench.saving.locked():
            return  # the file is being written here
        before, held = opened.outside, opened.buffer.held
        found = await asyncio.to_thread(opened.buffer.outside)
        if found == before or opened not in bench.opened or opened.buffer.held is not held:
            continue
        if bench.saving.locked():
            return
        opened.outside = found
        if found == "changed" and not opened.is_changed:
            await _follow(bench, opened)
        elif found == "changed":
            bench.say(
                f"{opened.buffer.name} was changed on disk; your text stays, and saving will ask first", "warning"
            )
        elif found == "gone":
            bench.say(f"{opened.buffer.name} is gone from disk; its text is still here, unsaved", "warning")
        bench.refresh_words()


async def _follow(bench: BaseWorkbench, opened: ScriptTab) -> None:
    """Load the new content of a file whose text was not changed here. The earlier text can still be restored, also
    after quitting: a program that empties or cuts a file often fails while it writes."""
    buffer, text = opened.buffer, opened.editor.text
    try:
        if text.strip():
            if bench.drafts is None:
                raise UsageError(bench.draft_trouble)
            await asyncio.to_thread(bench.drafts.keep_replaced, opened.key, buffer.path, buffer.name, text)
    except (UsageError, OSError) as error:
        bench.say(f"{buffer.name} was changed on disk, but cannot be loaded: {_told_of(error)}", "warning")
        return
    if opened.editor.text != text:
        bench.say(f"{buffer.name} was changed on disk; your text stays, and saving will ask first", "warning")
        return
    _load(bench, opened)


async def reload(bench: BaseWorkbench) -> None:
    """Load the active file from disk, in one step that can be undone. Unsaved text is kept as a draft that can be
    restored."""
    if bench.front is not None and bench.front.buffer.path is not None:
        await _load_over(bench, bench.front)


async def _load_over(bench: BaseWorkbench, opened: ScriptTab) -> None:
    """Load the file because the person asked for it. A text that is not on disk any more can still be restored, also
    after quitting."""
    await look(bench, [opened])
    if not opened.is_dirty or await _give_up(bench, opened):
        _load(bench, opened)
        if bench.drafts is not None:
            bench.drafts.take_back()


def _load(bench: BaseWorkbench, opened: ScriptTab) -> None:
    try:
        theirs = opened.buffer.theirs()
    except UsageError as error:
        bench.say_error(error)
        return
    row, column = opened.editor.cursor_location
    opened.editor.read_only = False
    opened.editor.put(theirs.text.text, exact=True)
    opened.editor.move_cursor((row, column))
    opened.editor.read_only = theirs.is_guessed
    opened.buffer.take(theirs)
    opened.outside = "same"
    bench.say(f"{opened.buffer.name}: loaded from disk; ctrl+z brings the earlier text back", "note")


async def compare(bench: BaseWorkbench) -> None:
    """Show the differences between the active text and its file."""
    if bench.front is not None and bench.front.buffer.path is not None:
        await _compared(bench, bench.front)


async def _compared(bench: BaseWorkbench, opened: ScriptTab) -> None:
    theirs = opened.buffer.theirs().text.text
    if theirs == opened.editor.text:
        bench.say("the text is the same as in the file")
        return
    shown = Diff(f"{opened.buffer.name}: the file (-) and your text (+)", theirs, opened.editor.text, "Back", "Back")
    await bench.push_screen_wait(shown)


# tabs


def next_tab(bench: BaseWorkbench) -> None:
    """Show the next script."""
    _turn(bench, 1)


def previous_tab(bench: BaseWorkbench) -> None:
    """Show the previous script."""
    _turn(bench, -1)


def _turn(bench: BaseWorkbench, step: int) -> None:
    if bench.front is not None:
        bench.bring(bench.opened[(bench.opened.index(bench.front) + step) % len(bench.opened)])
