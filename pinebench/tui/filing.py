"""Opening, saving and closing files, so that no text is ever lost: not theirs on disk, and not yours."""

from __future__ import annotations

import asyncio
import os
import time
from difflib import unified_diff
from typing import TYPE_CHECKING

from pinebench import originals
from pinebench.errors import UsageError
from pinebench.tui.buffer import Buffer
from pinebench.tui.dialogs import Ask, Choice, Diff, Item, Pick, Prompt
from pinebench.tui.drafts import Draft
from pinebench.tui.opened import Opened, counted

if TYPE_CHECKING:
    from pinebench.tui.app import Workbench


async def new(bench: Workbench) -> None:
    """A new script."""
    await bench.add(
        Buffer(name=bench.untitled()), '//@version=6\nindicator("My script", overlay = true)\n\nplot(close)\n'
    )


async def open_file(bench: Workbench) -> None:
    """Pick a file of the folder or of the recent ones, or name one."""
    from pinebench.lint.project import Problem, discover

    folder = bench.folder or os.getcwd()
    problems: list[Problem] = []
    found = await asyncio.to_thread(discover, [folder], lambda _: False, problems)
    paths = list(dict.fromkeys([*bench.remembered.recent, *map(os.path.abspath, found)]))
    items = [Item(path, os.path.basename(path), _short(path)) for path in paths if os.path.exists(path)]
    chosen = await bench.push_screen_wait(Pick("Open", items, hint="a name, or a path", free=True))
    if chosen is not None:
        await bench.open(os.path.expanduser(chosen))


def _short(path: str) -> str:
    folder, home = os.path.dirname(path), os.path.expanduser("~")
    return f"~{folder[len(home) :]}" if folder.startswith(home + os.sep) else folder


# saving


async def save(bench: Workbench) -> None:
    """Save the script in front."""
    if bench.front is not None:
        await save_one(bench, bench.front)


async def save_as(bench: Workbench) -> None:
    """Save the script in front under another name."""
    if bench.front is not None:
        await _save_as(bench, bench.front)


async def save_one(bench: Workbench, opened: Opened) -> bool:
    """Save a script; whether that was done. A file that somebody else changed is only replaced when a person wants it,
    and is then kept."""
    async with bench.saving:
        buffer = opened.buffer
        if buffer.path is None:
            return await _save_as(bench, opened)
        opened.outside = buffer.outside()
        if opened.outside == "changed" and not await _may_replace(bench, opened):
            bench.refresh_words()
            return False
        text = opened.editor.text
        was_gone = opened.outside == "gone"
        return await _written(bench, opened, text, "saved again: the file was gone" if was_gone else "saved")


async def _written(
    bench: Workbench, opened: Opened, text: str, word: str, path: str = "", replace: bool = False
) -> bool:
    """Write, and say how it went."""
    buffer = opened.buffer
    try:
        if path:
            said = await asyncio.to_thread(buffer.save_as, path, text, replace=replace)
        else:
            said = await asyncio.to_thread(buffer.save, text)
    except (UsageError, OSError, UnicodeError) as error:
        why = error.message if isinstance(error, UsageError) else str(error)
        bench.say(f"not saved, the text is still here: {why}", "error")
        bench.notify(why, title="Not saved", severity="error", markup=False)
        return False
    opened.outside = "same"
    bench.say(said or f"{word}: {buffer.name}", "warning" if said else "good")
    bench.keep_drafts()
    return True


async def _may_replace(bench: Workbench, opened: Opened) -> bool:
    """Ask what to do with a file that somebody else changed; whether to write over it, which keeps a copy."""
    buffer = opened.buffer
    assert buffer.path is not None
    while True:
        answer = await bench.push_screen_wait(
            Ask(
                f"{buffer.name} was changed on disk",
                "Somebody else has written the file since it was opened here.",
                [
                    Choice("stop", "Do not save", "n"),
                    Choice("show", "Show what differs", "d"),
                    Choice("theirs", "Load theirs", "l"),
                    Choice("mine", "Write mine over it", "w"),
                ],
            )
        )
        if answer == "show":
            await compare(bench)
            continue
        if answer == "theirs":
            _load(bench, opened)
            return False
        if answer != "mine":
            return False
        try:
            theirs = buffer.theirs()
            kept = originals.keep(buffer.path, theirs.encode(theirs.text))
        except UsageError as error:
            bench.say(f"not saved: their text could not be kept: {error.message}", "error")
            return False
        bench.notify(f"What was in the file is kept as {kept}", markup=False)
        return True


async def _save_as(bench: Workbench, opened: Opened) -> bool:
    """Ask for a name and save under it."""
    buffer = opened.buffer
    start = buffer.path or os.path.join(bench.folder or os.getcwd(), buffer.name)

    def wrong(value: str) -> str:
        path = os.path.abspath(os.path.expanduser(value))
        if not value.strip() or os.path.isdir(path):
            return "write the name of a file"
        if not os.path.isdir(os.path.dirname(path)):
            return f"there is no folder {os.path.dirname(path)}"
        return ""

    name = await bench.push_screen_wait(Prompt("Save as", start, "enter saves, escape goes back", wrong))
    if name is None:
        return False
    path = os.path.abspath(os.path.expanduser(name))
    if not os.path.splitext(path)[1]:
        path += ".pine"
    replace = False
    if os.path.lexists(path):
        choices = [Choice("stop", "Do not save", "n"), Choice("yes", "Write over it", "w")]
        text = f"{path}\nWhat is in it now is kept among the originals."
        if await bench.push_screen_wait(Ask("There is such a file already", text, choices)) != "yes":
            return False
        try:
            found = Buffer.open(path).file
            originals.keep(path, found.encode(found.text))
        except UsageError as error:
            bench.say(f"not saved, the text is still here: {error.message}", "error")
            return False
        replace = True
    done = await _written(bench, opened, opened.editor.text, "saved", path, replace)
    if done:
        bench.remembered.opened(path)
        bench.language.forget(opened.key)
        bench.check_soon(opened, 0.0)
    return done


# closing


async def close(bench: Workbench) -> None:
    """Close the tab in front; unsaved text is asked about."""
    if bench.front is not None:
        await close_one(bench, bench.front)


async def close_one(bench: Workbench, opened: Opened) -> bool:
    """Close a tab; whether that was done."""
    if opened.is_dirty:
        choices = [
            Choice("save", "Save", "s"),
            Choice("stay", "Stay", "y"),
            Choice("drop", "Close without saving", "w"),
        ]
        answer = await bench.push_screen_wait(Ask(f"{opened.buffer.name} is not saved", _how_much(opened), choices))
        if answer == "save" and not await save_one(bench, opened):
            return False
        if answer not in ("save", "drop"):
            return False
    await bench.remove(opened)
    return True


async def quit(bench: Workbench) -> None:
    """End the workbench; unsaved texts are asked about."""
    unsaved = [each for each in bench.opened if each.is_dirty]
    if unsaved:
        names = "\n".join(f"{each.buffer.name}: {_how_much(each)}" for each in unsaved)
        choices = [
            Choice("save", "Save all", "s"),
            Choice("stay", "Stay", "y"),
            Choice("drop", "Quit without saving", "w"),
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
            if bench.drafts is not None:
                bench.drafts.forget(opened.key)
    bench.exit(0)


def _how_much(opened: Opened) -> str:
    """How much of a text is not saved."""
    lines = unified_diff(opened.buffer.saved.splitlines(), opened.editor.text.splitlines(), n=0, lineterm="")
    changed = sum(line[:1] in "+-" and line[:3] not in ("+++", "---") for line in lines)
    if not opened.buffer.path:
        return "it has no file yet"
    return f"{counted(changed, 'line')} {'differs' if changed == 1 else 'differ'} from the file"


# the file on disk


async def look_outside(bench: Workbench) -> None:
    """Notice what somebody else did to files: an unchanged text follows, a changed one is kept and the person told."""
    for opened in list(bench.opened):
        before = opened.outside
        found = await asyncio.to_thread(opened.buffer.outside)
        if found == before or opened not in bench.opened:
            continue
        opened.outside = found
        if found == "changed" and not opened.is_dirty:
            _load(bench, opened)
        elif found == "changed":
            bench.say(f"{opened.buffer.name} was changed on disk; your text stays, saving will ask", "warning")
        elif found == "gone":
            bench.say(f"{opened.buffer.name} is gone from disk; its text is still here", "warning")
        bench.refresh_words()


def reload(bench: Workbench) -> None:
    """Take over the file as it is on disk, as a step that can be taken back."""
    if bench.front is not None and bench.front.buffer.path is not None:
        _load(bench, bench.front)


def _load(bench: Workbench, opened: Opened) -> None:
    try:
        theirs = opened.buffer.theirs()
    except UsageError as error:
        bench.say_error(error)
        return
    row, column = opened.editor.cursor_location
    opened.editor.put(theirs.text, exact=True)
    opened.editor.move_cursor((row, column))
    opened.buffer.take(theirs)
    opened.outside = "same"
    bench.say(f"{opened.buffer.name}: loaded from disk; ctrl+z brings the earlier text back", "note")


async def compare(bench: Workbench) -> None:
    """Show how the text in front differs from its file."""
    opened = bench.front
    if opened is None or opened.buffer.path is None:
        return
    theirs = opened.buffer.theirs().text
    if theirs == opened.editor.text:
        bench.say("the text is what the file holds")
        return
    shown = Diff(f"{opened.buffer.name}: the file (-) and your text (+)", theirs, opened.editor.text, "Back", "Back")
    await bench.push_screen_wait(shown)


# tabs


def next_tab(bench: Workbench) -> None:
    """Show the next script."""
    _turn(bench, 1)


def previous_tab(bench: Workbench) -> None:
    """Show the script before."""
    _turn(bench, -1)


def _turn(bench: Workbench, step: int) -> None:
    if bench.front is not None:
        bench.bring(bench.opened[(bench.opened.index(bench.front) + step) % len(bench.opened)])


# drafts


async def offer_drafts(bench: Workbench) -> None:
    """Offer the unsaved texts of a workbench that ended without saving them."""
    drafts = bench.drafts
    if drafts is None:
        return
    for draft in await asyncio.to_thread(drafts.left):
        answer = await _asked(bench, draft)
        if answer == "take":
            await _restore(bench, draft)
        elif answer == "drop":
            drafts.drop(draft)


async def _asked(bench: Workbench, draft: Draft) -> str | None:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(draft.time))
    where = draft.path or "a script without a file"
    choices = [
        Choice("take", "Restore", "r"),
        Choice("show", "Show", "s"),
        Choice("later", "Later", "l"),
        Choice("drop", "Delete it", "d"),
    ]
    while True:
        text = f"{where}\n{counted(draft.text.count(chr(10)) + 1, 'line')}, kept {when}."
        answer = await bench.push_screen_wait(Ask(f"Unsaved text of {draft.name}", text, choices))
        if answer != "show":
            return answer
        await bench.push_screen_wait(
            Diff(f"{draft.name}: the file (-) and the draft (+)", _saved(draft), draft.text, "Back", "Back")
        )


def _saved(draft: Draft) -> str:
    try:
        return Buffer.open(draft.path).saved if draft.path else ""
    except UsageError:
        return ""


async def _restore(bench: Workbench, draft: Draft) -> None:
    """Put a draft into its file's tab, unsaved; it is removed once this workbench keeps the text itself."""
    opened = await bench.open(draft.path) if draft.path else await bench.add(Buffer(name=bench.untitled()))
    if opened is None:  # the file cannot be read any more: the text comes without it
        opened = await bench.add(Buffer(name=draft.name))
    opened.editor.put(draft.text, exact=True)
    bench.refresh_words()
    if bench.drafts is not None:
        await asyncio.to_thread(
            bench.drafts.keep, opened.key, opened.buffer.path, opened.buffer.name, opened.editor.text
        )
        opened.kept = opened.editor.text
        bench.drafts.drop(draft)
