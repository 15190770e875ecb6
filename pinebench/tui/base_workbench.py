"""The workbench without its window: the open scripts, the messages, and the work in the background.

The parts of the workbench use this class. The window itself is in `app`, which imports the parts.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import inspect
import itertools
import os
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from textual import events, on
from textual.app import App
from textual.css.query import NoMatches
from textual.driver import Driver
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import ContentSwitcher
from textual.worker import Worker

from pinebench.context import Context
from pinebench.errors import PinebenchError, UsageError
from pinebench.tui import settings, status_line
from pinebench.tui.bottom_lines import SplitLine, StyledWords
from pinebench.tui.buffer import Buffer
from pinebench.tui.drafts import Drafts
from pinebench.tui.editor import Editor
from pinebench.tui.language import Language, ScriptMoment
from pinebench.tui.panels import Panel
from pinebench.tui.popup import Popup
from pinebench.tui.script_tab import ScriptTab, tab_names
from pinebench.tui.strip import Title, TitleStrip

if TYPE_CHECKING:
    from pinebench.tools.chart_browser import ChartBrowser

Result = TypeVar("Result")

PAUSE = 0.15
"""Seconds without a keystroke after which a script is checked."""
_TROUBLE = ("warning", "error")
"""Kinds of messages that a person must have seen before good news replace them."""
_messages_seen: ContextVar[int | None] = ContextVar("messages_seen", default=None)
"""The number of messages that the workbench had shown when the current job began, or last said something."""


class BaseWorkbench(App[int]):
    """The base class of the workbench: the open scripts, the messages, and the work in the background."""

    folder: str | None
    """The folder whose files are offered and searched."""
    check_script: Callable[[ScriptTab], Coroutine[Any, Any, None]]
    """Checks a script now."""

    def __init__(self, driver_class: type[Driver] | None = None) -> None:
        """Begin without scripts."""
        super().__init__(driver_class=driver_class)
        self.language = Language(self.tabs)
        self.remembered = settings.load()
        self.opened: list[ScriptTab] = []
        self.front: ScriptTab | None = None
        self.trail: list[tuple[str, int]] = []
        """The places to go back to, the newest last: the key of a script, and an offset in it."""
        self.drafts: Drafts | None = None
        self.draft_trouble = ""
        """The reason why unsaved texts cannot be kept as drafts now; empty if they can."""
        self.saving = asyncio.Lock()
        self.popup = Popup()
        self.link = StyledWords("no chart", "quiet")
        """The part of the status line about the chart."""
        self.has_heard_keys = False
        """Whether any key or paste came since the start."""
        self._numbers = itertools.count(1)
        self._pauses: dict[str, Timer] = {}
        self._notice: StyledWords | None = None
        self._said_at: object = None
        self._messages = 0
        """The number of messages shown so far."""
        self._busy: dict[int, str] = {}
        self._stops: dict[int, Callable[[], None]] = {}
        self._jobs: dict[Worker[Any], Coroutine[Any, Any, Any]] = {}

    @functools.cached_property
    def chart_browser(self) -> ChartBrowser:
        """The browser whose chart page the tools use. It connects when the first tool needs it."""
        from pinebench.tools.chart_browser import ChartBrowser

        return ChartBrowser()

    @property
    def editor(self) -> Editor | None:
        """The editor of the active tab; None if no script is open."""
        return self.front.editor if self.front is not None else None

    @property
    def panel(self) -> Panel | None:
        """The panel that is shown; None if the dock is hidden, or if the workbench is ending and has removed it."""
        try:
            switcher, dock = self.query_one("#shown", ContentSwitcher), self.query_one("#dock")
        except NoMatches:
            return None
        found = switcher.visible_content if dock.has_class("-open") else None
        return found if isinstance(found, Panel) else None

    def tell_panel(self) -> None:
        """Tell the shown panel which script is active now."""
        panel = self.panel
        if panel is not None and panel.is_mounted:
            panel.script_changed(self.front)

    def take_key(self, event: events.Key) -> bool:
        """Offer a key to the popup before the editor; return whether the popup handled it. Escape also cancels a popup
        that is about to open."""
        if event.key == "escape":
            self.workers.cancel_group(self, "typing")
        return self.popup.key(event)

    # scripts

    def tabs(self) -> list[ScriptMoment]:
        """Return the open scripts with their current texts."""
        return [
            ScriptMoment(each.key, each.editor.snapshot, each.buffer.path, each.buffer.place, each.buffer.name)
            for each in self.opened
        ]

    def changed_beside(self, opened: ScriptTab) -> dict[str, str]:
        """Return the names of the other files with unsaved changes, by the real paths of the files."""
        others = (each for each in self.opened if each is not opened and each.is_changed)
        return {os.path.realpath(each.buffer.path): each.buffer.name for each in others if each.buffer.path is not None}

    async def open(self, path: str, *, offset: int | None = None) -> ScriptTab | None:
        """Show the file at `path` in its tab, and open it if it is not open yet.

        The cursor goes to `offset`, if it is given. If the file cannot be read, show the error and return None.
        """
        try:
            buffer = Buffer.open(path)
        except UsageError as error:
            self.say_error(error)
            return None
        found = next((each for each in self.opened if each.buffer.path == buffer.path), None)
        if found is None:
            found = await self.add(buffer)
            place = self.remembered.places.get(buffer.path or "")
            if place:
                found.editor.move_cursor((place[0], place[1]), center=True)
        else:
            self.bring(found)
        if offset is not None:
            found.editor.go_to(offset)
        if buffer.path is not None:
            self.remembered.opened(buffer.path)
        return found

    async def add(self, buffer: Buffer, text: str | None = None) -> ScriptTab:
        """Add a tab for `buffer` and show it. If `text` is given, it is the tab's unsaved text."""
        key = f"script-{next(self._numbers)}"
        editor = Editor(buffer.saved, id=key)
        editor.read_only = buffer.is_guessed
        editor.before_key = self.take_key
        opened = ScriptTab(key, buffer, editor)
        self.opened.append(opened)
        switcher = self.query_one("#editors", ContentSwitcher)
        await switcher.mount(editor)
        if text is not None:
            editor.put(text)
        if buffer.path is not None:
            editor.breakpoints.restore(settings.breakpoints_of(buffer.path), editor.document.lines)
        self.bring(opened)
        self.check_soon(opened)  # once it is painted
        return opened

    def untitled(self) -> str:
        """Return an unused name for a script without a file."""
        taken = {each.buffer.name for each in self.opened}
        return next(name for n in itertools.count(1) if (name := f"untitled-{n}.pine") not in taken)

    def bring(self, opened: ScriptTab, *, focus: bool = True) -> None:
        """Show a script's tab, and with `focus` give its editor the focus."""
        self.popup.close()
        self.front = opened
        self.query_one("#editors", ContentSwitcher).current = opened.key
        if focus:
            opened.editor.focus()
        self.refresh_words()
        self.tell_panel()

    async def remove(self, opened: ScriptTab) -> None:
        """Remove a tab. The caller has already decided whether its text is saved."""
        self.popup.close()
        if opened.buffer.path is not None:
            self.remembered.places[opened.buffer.path] = list(opened.editor.cursor_location)
        self.keep_breakpoints(opened)
        place = self.opened.index(opened)
        self.opened.remove(opened)
        self._stop_timer(opened.key)
        self.language.forget(opened.key)
        if self.drafts is not None:
            self.drafts.end(opened.key)
        if self.opened:
            if self.front is opened:
                self.bring(self.opened[min(place, len(self.opened) - 1)])
        else:
            self.front = None
            self.query_one("#editors", ContentSwitcher).current = "nothing"
            self.refresh_words()
            self.tell_panel()
        await opened.editor.remove()
        self.refresh_words()

    def of(self, editor: Editor) -> ScriptTab | None:
        """Return the open script whose editor is `editor`; None if it is no longer open."""
        return next((each for each in self.opened if each.editor is editor), None)

    def check_soon(self, opened: ScriptTab, pause: float = PAUSE) -> None:
        """Check a script after `pause` seconds without typing."""
        self._stop_timer(opened.key)

        def start() -> None:
            self._pauses.pop(opened.key, None)
            self.work(self.check_script(opened), group=f"check-{opened.key}")

        self._pauses[opened.key] = self.set_timer(max(pause, 0.001), start)

    def _stop_timer(self, key: str) -> None:
        timer = self._pauses.pop(key, None)
        if timer is not None:
            timer.stop()

    def findings_changed(self, opened: ScriptTab) -> None:
        """Show the new findings of a script."""
        self.refresh_words()
        if opened is self.front:
            self.tell_panel()

    def keep_breakpoints(self, opened: ScriptTab) -> None:
        """Store the breakpoints of a file immediately, so that they survive any end of the workbench."""
        if opened.buffer.path is not None:
            with contextlib.suppress(UsageError, OSError):
                settings.keep_breakpoints(opened.buffer.path, opened.editor.breakpoints.kept())

    # what is said

    def say(self, text: str, kind: str = "note") -> None:
        """Show a message below the editor until the text or the cursor changes; `kind` is one of SIGNS.

        The success message of a background job does not replace the error message of a later command.
        """
        seen = _messages_seen.get()
        is_late = seen is not None and self._messages > seen
        if is_late and self._notice is not None and self._notice.kind in _TROUBLE and kind not in _TROUBLE:
            return
        self._messages += 1
        if seen is not None:
            _messages_seen.set(self._messages)
        self._notice, self._said_at = StyledWords(text, kind), self._here
        self.refresh_words()

    def say_error(self, error: PinebenchError) -> None:
        """Show an error and its hint in the line below the editor."""
        self.say(error.with_hint, "error")

    @property
    def _here(self) -> object:
        """The text in front and the place of the cursor in it."""
        return self.front and (self.front.key, self.front.editor.snapshot, self.front.editor.cursor_location)

    def forget_notice(self) -> None:
        """Remove the last message if the text or the cursor has changed since it was shown."""
        if self._here != self._said_at:
            self._notice = None

    def refresh_words(self) -> None:
        """Update the tabs, the message line and the status line."""
        if not self.is_running or not self.screen_stack:
            return
        base: Screen[Any] = self.screen_stack[0]
        strips = base.query("#files")
        if not strips:
            return
        marks = {each.key: _mark(each) for each in self.opened}
        names = tab_names([each.buffer for each in self.opened])
        titles = [Title(each.key, name, marks[each.key]) for each, name in zip(self.opened, names, strict=True)]
        base.query_one("#files", TitleStrip).show(titles, self.front.key if self.front is not None else "")
        base.query_one("#message", SplitLine).show([self._notice] if self._notice else status_line.message(self.front))
        base.query_one("#status", SplitLine).show(
            *status_line.status(self.front, self.link_parts(), self.draft_trouble)
        )

    # work

    def work(
        self, job: Coroutine[Any, Any, Any], *, group: str = "work", exclusive: bool = False
    ) -> Worker[Any] | None:
        """Run `job` in the background, and show a message if it fails. An `exclusive` job first cancels the other jobs
        of its group."""
        if not self.is_running:
            job.close()
            return None
        worker = self.run_worker(partial(self._guarded, job), group=group, exclusive=exclusive, exit_on_error=False)
        self._jobs[worker] = job
        return worker

    @on(Worker.StateChanged)
    def _job_ended(self, event: Worker.StateChanged) -> None:
        if event.worker.is_finished and (job := self._jobs.pop(event.worker, None)) is not None:
            job.close()  # a job that was cancelled before it started

    async def _guarded(self, job: Awaitable[Any]) -> None:
        _messages_seen.set(self._messages)
        try:
            await job
        except PinebenchError as error:
            self.say_error(error)
        except Exception as error:  # after any error the text stays, and the person can go on
            self.log.error(error)
            self.say(f"the command failed: {type(error).__name__}: {error}", "error")

    async def lengthy(self, what: str, work: Callable[[Context], Result]) -> Result:
        """Run `work` in a thread and return its result. Meanwhile the status line shows `what`, the name of the work,
        and a person can stop it."""
        stop = threading.Event()
        with self.doing(what, stop.set) as number:

            def report(text: str, fraction: float | None) -> None:
                self.call_from_thread(self._report, number, text if fraction is None else f"{text} {fraction:.0%}")

            try:
                return await asyncio.to_thread(work, Context(cancelled=stop.is_set, progress=report))
            finally:
                stop.set()

    @contextlib.contextmanager
    def doing(self, what: str, stop: Callable[[], None]) -> Iterator[int]:
        """Show `what`, the name of the work that the `with` block does, in the status line. Yield the number of the
        work. `stop` is called if a person stops the work."""
        number = next(self._numbers)
        self._busy[number], self._stops[number] = what, stop
        self.refresh_words()
        try:
            yield number
        finally:
            self._busy.pop(number, None)
            self._stops.pop(number, None)
            self.refresh_words()

    def _report(self, number: int, text: str) -> None:
        if number in self._busy:
            self._busy[number] = text
            self.refresh_words()

    def stop(self) -> None:
        """Stop all work that is running."""
        if not self._stops:
            self.say("nothing is running")
        for stop in list(self._stops.values()):
            stop()

    def link_parts(self) -> list[StyledWords]:
        """Return the parts of the status line about the running work and about the chart."""
        busy = [StyledWords(f"{words}… (alt+q stops it)", "warning") for words in self._busy.values()]
        return [*busy, self.link]

    def end_work(self) -> None:
        """Stop all work, because the workbench ends."""
        for stop in list(self._stops.values()):
            stop()
        for job in self._jobs.values():
            if inspect.getcoroutinestate(job) == inspect.CORO_CREATED:
                job.close()


def _mark(opened: ScriptTab) -> str:
    return ("●" if opened.is_dirty else "") + ("≠" if opened.outside != "same" else "")
