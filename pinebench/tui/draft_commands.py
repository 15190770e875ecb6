"""Saves unsaved texts as drafts, and offers drafts that an earlier workbench left behind."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING

from pinebench.amounts import counted
from pinebench.errors import PinebenchError, UsageError
from pinebench.tui.buffer import Buffer
from pinebench.tui.dialogs import Ask, Choice, DialogChoice, Diff, Pick
from pinebench.tui.drafts import KEPT_DAYS, Draft, Drafts
from pinebench.tui.script_tab import ScriptTab, lines_changed

if TYPE_CHECKING:
    from pinebench.tui.base_workbench import BaseWorkbench


def open_drafts(bench: BaseWorkbench) -> None:
    """Open the folder of the drafts. If that fails, show the reason. The next draft that is saved tries it again."""
    try:
        bench.drafts = Drafts()
    except (PinebenchError, OSError) as error:
        why = getattr(error, "message", str(error))
        if not bench.draft_trouble:
            bench.notify(why, title="Unsaved texts cannot be stored as drafts", severity="warning", markup=False)
        bench.draft_trouble = why


def keep(bench: BaseWorkbench) -> None:
    """Save unsaved texts as drafts, in the background."""
    if bench.drafts is None or any(each.is_dirty or bench.drafts.has(each.key) for each in bench.opened):
        bench.work(_keep_all(bench), group="drafts")


async def _keep_all(bench: BaseWorkbench) -> None:
    if bench.drafts is None:
        open_drafts(bench)
        if bench.drafts is None:
            bench.refresh_words()
            return
        offer_soon(bench)  # those that could not be looked for at the start
    trouble = ""
    for opened in list(bench.opened):
        try:
            await asyncio.to_thread(_keep_one, bench, opened)
        except (PinebenchError, OSError) as error:
            trouble = getattr(error, "message", str(error))
    if trouble != bench.draft_trouble:
        bench.draft_trouble = trouble
        bench.refresh_words()


def keep_now(bench: BaseWorkbench) -> None:
    """Save unsaved texts as drafts now, before anything else happens."""
    for opened in bench.opened:
        with contextlib.suppress(Exception):
            _keep_one(bench, opened)


def kept_names(bench: BaseWorkbench) -> list[str]:
    """Return the names of the scripts whose unsaved texts are saved as drafts."""
    drafts = bench.drafts
    if drafts is None:
        return []
    return [each.buffer.name for each in bench.opened if drafts.holds(each.key, each.editor.text)]


def _keep_one(bench: BaseWorkbench, opened: ScriptTab) -> None:
    drafts = bench.drafts
    if drafts is None:
        return
    if opened.is_dirty:
        buffer = opened.buffer
        drafts.keep(opened.key, buffer.path, buffer.name, opened.editor.text, buffer.saved)
    elif drafts.has(opened.key):
        drafts.forget(opened.key)


# offering


def offer_soon(bench: BaseWorkbench) -> None:
    """Offer, in the background, the unsaved texts that an earlier workbench left behind."""
    bench.work(offer_at_start(bench), group="drafts-left")


async def offer_drafts(bench: BaseWorkbench) -> None:
    """Offer the unsaved texts of an earlier workbench that ended without saving them."""
    drafts = bench.drafts
    if drafts is None:
        return
    found = await asyncio.to_thread(drafts.left)
    if not found:
        bench.say("there are no unsaved texts of an earlier session")
    await _offer(bench, found, unasked=False)


async def offer_at_start(bench: BaseWorkbench) -> None:
    """Offer the unsaved texts of an earlier workbench, unless the person is already typing. A key that is meant for the
    script must not answer the question."""
    drafts = bench.drafts
    if drafts is None:
        return
    for path in await asyncio.to_thread(drafts.damaged):
        bench.notify(
            f"A draft is damaged and cannot be restored. It is kept as {path}", title="Damaged draft", markup=False
        )
    found = [draft for draft in await asyncio.to_thread(drafts.left) if not await _is_saved(bench, draft)]
    if not found:
        return
    if bench.has_heard_keys or await _offer(bench, found, unasked=True) == "typed":
        bench.notify(
            f"{counted(len(found), 'unsaved text')} of an earlier session: ctrl+p, Restore unsaved texts", markup=False
        )


async def _is_saved(bench: BaseWorkbench, draft: Draft) -> bool:
    """Whether the file of a draft has the draft's text. Then there is nothing to ask, and the draft is dropped."""
    saved, _ = await asyncio.to_thread(_saved, draft)
    if saved != draft.text or bench.drafts is None:
        return False
    bench.drafts.drop(draft)
    return True


async def _offer(bench: BaseWorkbench, found: list[Draft], *, unasked: bool) -> str | None:
    """Ask about one draft after the other. Return "typed" if the person typed before the question could be seen."""
    for number, draft in enumerate(found):
        answer = await _asked(bench, draft, unasked and number == 0)
        if answer == "typed":
            return answer
        if answer == "take":
            await _restore(bench, draft)
        elif answer == "drop" and bench.drafts is not None:
            bench.drafts.drop(draft)
            bench.say(f"dropped; it can be restored for {KEPT_DAYS} days: ctrl+p, Restore a dropped text")
    return None


async def offer_dropped(bench: BaseWorkbench) -> None:
    """Let the person pick one of the texts that were closed or deleted without saving, and restore it."""
    found = await asyncio.to_thread(bench.drafts.dropped) if bench.drafts is not None else []
    if not found:
        bench.say("there is no dropped text that can be restored")
        return
    rows = [Choice(draft, draft.name, f"{_when(draft.time)}  {_first_line(draft.text)}") for draft in found]
    draft = await bench.push_screen_wait(Pick("Restore a dropped text", rows))
    if draft is not None:
        await _restore(bench, draft)


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip() and not line.startswith("//@")), "")


def _when(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


async def _asked(bench: BaseWorkbench, draft: Draft, unasked: bool) -> str | None:
    saved, written = await asyncio.to_thread(_saved, draft)
    choices = [
        DialogChoice("take", "Restore", "r"),
        DialogChoice("show", "Show", "s"),
        DialogChoice("later", "Later", "l"),
        DialogChoice("drop", "Drop it", "d"),
    ]
    while True:
        question = Ask(f"Unsaved text of {draft.name}", _told(draft, saved, written), choices, unasked=unasked)
        answer = await bench.push_screen_wait(question)
        if answer != "show":
            return answer
        unasked = False
        await bench.push_screen_wait(
            Diff(f"{draft.name}: the file (-) and the draft (+)", saved or "", draft.text, "Back", "Back")
        )


def _told(draft: Draft, saved: str | None, written: float) -> str:
    """Say what a draft is, and which is newer: the draft or its file."""
    size = f"{counted(draft.text.count(chr(10)) + 1, 'line')}, kept {_when(draft.time)}."
    if draft.path is None:
        return f"a script without a file\n{size}"
    if saved is None:
        return f"{draft.path}\n{size}\nThe file cannot be read now."
    changed = lines_changed(saved, draft.text)
    differ = f"{counted(changed, 'line')} {'differs' if changed == 1 else 'differ'}"
    if not draft.file_changed(saved, written):
        return f"{draft.path}\n{size} The file has not changed since; {differ} from it."
    newer = "The file is newer" if written > draft.time else "The content of the file has changed"
    return (
        f"{draft.path}\n{size}\n{newer}: it was written {_when(written)}. {differ}. Saving the draft asks "
        "first, and keeps a copy of the file."
    )


def _saved(draft: Draft) -> tuple[str | None, float]:
    """The text in a draft's file now, and when the file was written, in seconds since 1970.

    The text is None if the file cannot be read or does not exist.
    """
    if draft.path is None:
        return None, 0.0
    try:
        buffer = Buffer.open(draft.path)
    except UsageError:
        return None, 0.0
    return (None if buffer.is_new else buffer.saved), buffer.written


async def _restore(bench: BaseWorkbench, draft: Draft) -> None:
    """Put a draft into its file's tab, unsaved. Its own file is removed once this workbench keeps the text itself."""
    saved, written = await asyncio.to_thread(_saved, draft)
    at_hand = next((each for each in bench.opened if draft.path and each.buffer.path == draft.path), None)
    if at_hand is not None and at_hand.is_dirty:
        # The tab has unsaved text of its own: the draft must not replace it.
        opened = await bench.add(Buffer(name=draft.name))
    else:
        opened = await bench.open(draft.path) if draft.path else await bench.add(Buffer(name=bench.untitled()))
    if opened is None:  # the file cannot be read any more: the text comes without it
        opened = await bench.add(Buffer(name=draft.name))
    opened.editor.put(draft.text, exact=True)
    if saved is not None and opened.buffer.path == draft.path and draft.file_changed(saved, written):
        opened.buffer.distrust()
        opened.outside = "changed"
    bench.refresh_words()
    if bench.drafts is not None:
        buffer, text = opened.buffer, opened.editor.text
        await asyncio.to_thread(bench.drafts.keep, opened.key, buffer.path, buffer.name, text, buffer.saved)
        bench.drafts.taken_over(draft)
