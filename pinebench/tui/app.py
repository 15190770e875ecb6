"""The main window of the workbench: tabs, editors, the dock with its panels, the bottom lines, and background work."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from rich.text import Text
from textual import events, on
from textual._context import active_message_pump
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.css.query import NoMatches
from textual.dom import DOMNode
from textual.filter import Monochrome, NoColor
from textual.widgets import ContentSwitcher, Static
from textual.worker import Worker

from pinebench import config
from pinebench.errors import PinebenchError, UsageError
from pinebench.printable import printable
from pinebench.tui import (
    background_checks,
    breakpoint_commands,
    chart_link,
    commands,
    draft_commands,
    letters,
    memory,
    pastes,
    settings,
    themes,
)
from pinebench.tui.base_workbench import BaseWorkbench
from pinebench.tui.bottom_lines import SplitLine
from pinebench.tui.editor import MIDDLE, Editor
from pinebench.tui.footer import KeyHints
from pinebench.tui.inputs import LineField, TextField
from pinebench.tui.inspection import InspectedRun
from pinebench.tui.key_queue import Turns
from pinebench.tui.panels import PANELS, Panel, PanelEntry, known
from pinebench.tui.room import WIDE, Room
from pinebench.tui.strip import Title, TitleStrip
from pinebench.tui.terminal import forgiving, is_hung_up
from pinebench.tui.text_search import FindBar

if TYPE_CHECKING:
    from pinebench.services.importers import Importers
    from pinebench.tui.graphics import Graphics

Result = TypeVar("Result")

LOOK_SECONDS = 2.0
"""Seconds between two checks whether another program changed an open file."""
KEEP_SECONDS = 1.0
"""Seconds between two saves of the unsaved texts as drafts. A text that did not change is not written again."""

_WELCOME = """\
pinebench

^O  open a file        ^N  new script
^P  all commands       F1  help
"""


class Workbench(BaseWorkbench):
    """The workbench: its window, with tabs, editors, panels and the status lines at the bottom."""

    TITLE = "pinebench"
    CSS_PATH = "workbench.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = commands.bindings()
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (40, "-high")]

    def __init__(self, paths: Sequence[str] = (), folder: str | None = None, trouble: str = "") -> None:
        """Open the files `paths` at the start, and show the message `trouble` if it is not empty. The file list and the
        search use `folder`."""
        super().__init__(driver_class=forgiving(self.get_driver_class(), partial(draft_commands.keep_now, self)))
        letters.know()
        pastes.know()
        self.no_color = bool(os.environ.get("NO_COLOR"))
        # Textual's filter would turn the colours into greys, but a terminal counts greys as colours, too.
        self._filters = [each for each in self._filters if not isinstance(each, Monochrome)]
        self._filters += [NoColor()] if self.no_color else []
        self.folder = folder
        self.check_script = partial(background_checks.check, self)
        for theme in themes.THEMES:
            self.register_theme(theme)
        chosen = self.remembered.theme
        self.theme = chosen if chosen in themes.names() else themes.DEFAULT
        self.stylesheet.set_variables(self.get_css_variables())
        self._showing = asyncio.Lock()
        self._paths, self._trouble = tuple(paths), trouble
        self._turns = Turns(self, super().on_event, self._is_calm, self._asks, self._give_up_question)
        self._begun: Worker[Any] | None = None
        """The worker of the command that was started last, if it asks a question: the next keys are meant for the
        question."""
        self.inspection = InspectedRun(self)
        """The run that is inspected."""
        self.may_send = False
        """Whether scripts may go to TradingView's check; the person is asked once."""
        self.room = Room(self)
        """The division of the screen between the text and the dock."""
        self.graphics: Graphics | None = None
        """The way in which the terminal can draw pictures; None until the terminal was asked."""

    @functools.cached_property
    def importers(self) -> Importers:
        """An index of the folder's scripts by their imported libraries. It may be incomplete while a search runs."""
        from pinebench.services.importers import Importers

        return Importers()

    # the screen

    def compose(self) -> ComposeResult:
        """Yield the permanent widgets."""
        yield TitleStrip(id="files")
        with Container(id="main"):
            with Vertical(id="work"):
                with ContentSwitcher(id="editors"), Container(id="nothing"):
                    yield Static(_WELCOME)
                yield FindBar(id="find")
            with Vertical(id="dock"):
                yield TitleStrip(id="panels", can_drag=True)
                yield ContentSwitcher(id="shown")
        yield SplitLine(id="message")
        yield SplitLine(id="status")
        yield KeyHints()
        yield self.popup

    async def on_mount(self) -> None:
        """Open the files of the command line, and start the timers."""
        self.query_one("#editors", ContentSwitcher).current = "nothing"
        self._hear_signals()
        self.theme_changed_signal.subscribe(self, self._other_colors)
        self.app_resume_signal.subscribe(self, self._draw_again)
        draft_commands.open_drafts(self)
        config.hear(self._tell_left_out)
        for path in self._paths:
            await self.open(path)
        if self._trouble:
            self.say(self._trouble, "warning")
        self.set_interval(LOOK_SECONDS, self._look_outside)
        self.set_interval(LOOK_SECONDS, self._search_garbage)
        if not self.is_headless:
            self.set_interval(LOOK_SECONDS, self._look_at_terminal)
        self.set_timer(1.0, self._look_at_chart)
        self.set_interval(chart_link.EVERY, self._look_at_chart)
        self.set_interval(KEEP_SECONDS, partial(draft_commands.keep, self))
        # The rest can wait until after the first paint.
        self.set_timer(0.02, self._show_dock_at_start)
        self.set_timer(0.1, partial(draft_commands.offer_soon, self))

    def _hear_signals(self) -> None:
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP"):
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError, AttributeError):
                loop.add_signal_handler(getattr(signal, name), self._told_to_end)

    def _look_at_terminal(self) -> None:
        """End if the terminal is gone without a signal, which happens if it was not the controlling terminal."""
        if is_hung_up(sys.__stdin__):
            self._told_to_end()

    def _told_to_end(self) -> None:
        if isinstance(self.focused, Editor):
            self.focused.paste(pastes.take_unfinished())
        draft_commands.keep_now(self)
        self.exit(143)

    def take_key(self, event: events.Key) -> bool:
        """Offer a key to the popup and the find bar before the editor; return whether one of them handled it."""
        if super().take_key(event):
            return True
        find = self.query_one("#find", FindBar)
        if event.key == "escape" and find.has_class("-open"):
            find.close()
            return True
        return False

    # scripts

    def _look_at_chart(self) -> None:
        self.work(self._looked_at_chart(), group="link", exclusive=True)

    async def _looked_at_chart(self) -> None:
        found = await asyncio.to_thread(chart_link.look)
        if found != self.link:
            self.link = found
            self.refresh_words()

    def copy_to_clipboard(self, text: str) -> None:
        """Copy `text` to the workbench's clipboard and, with the escape sequence OSC 52, to the terminal's. The
        terminal gets a `?` for each lone surrogate."""
        super().copy_to_clipboard(text.encode("utf-8", "replace").decode())
        self._clipboard = text

    def _tell_left_out(self, said: str, advice: str) -> None:
        """Show that settings of a folder do not count; called from any thread."""
        self.call_later(self.notify, f"{said} ({advice})", title="Left out", severity="warning", markup=False)

    def say_from_thread(self, text: str) -> None:
        """Show a message; called from a thread."""
        self.call_from_thread(self.say, text)

    @on(Editor.Edited)
    def _edited(self, event: Editor.Edited) -> None:
        opened = self.of(event.editor)
        if opened is None:
            return
        self.forget_notice()
        self.refresh_words()
        self.check_soon(opened)
        if opened is self.inspection.opened:
            self.inspection.tell()
        if opened is self.front:
            self.tell_panel()
            from pinebench.tui import code_help

            code_help.typed(self, opened, event.typed)

    @on(Editor.Moved)
    def _moved(self, event: Editor.Moved) -> None:
        opened = self.of(event.editor)
        if opened is None or opened is not self.front:
            return
        self.forget_notice()
        self.popup.follow(opened.editor)
        self.refresh_words()
        panel = self.panel
        if panel is not None:
            panel.cursor_moved(opened)

    @on(Editor.Gutter)
    def _gutter_pressed(self, event: Editor.Gutter) -> None:
        if self.editor is not event.editor:
            return
        if event.wants_condition:
            self.work(breakpoint_commands.set_condition_at(self, event.row))
        else:
            breakpoint_commands.toggle_at(self, event.row)

    # panels

    def show_dock(self, wanted: bool) -> None:
        """Show the dock, or hide it if `wanted` is false. Do nothing if the ending workbench has removed it."""
        self.remembered.dock = wanted
        self.room.enlarged = ""
        self._show_remembered_dock(focus=True)
        if not wanted and self.editor is not None:
            self.editor.focus()

    def _show_dock_at_start(self) -> None:
        """Show the dock as it was left. The focus stays, and so does a part that has the whole screen."""
        self._show_remembered_dock(focus=False)

    def _show_remembered_dock(self, *, focus: bool) -> None:
        dock = self.query("#dock")
        if not dock:
            return
        dock.set_class(self.remembered.dock, "-open")
        self.room.fit()
        if self.remembered.dock:
            self.work(self._show_remembered_panel(focus))

    async def _show_remembered_panel(self, focus: bool) -> None:
        """Show the panel that was chosen last, unless the dock was hidden before this work began."""
        if self.remembered.dock:
            await self.show_panel(self.remembered.panel, focus=focus)

    async def show_panel(self, key: str, *, focus: bool = True) -> Panel:
        """Show the panel called `key`, and create it if it does not exist yet. With `focus`, it gets the focus.

        If a person hides the dock while the panel is created, the dock stays hidden.
        """
        wanted = known(key)
        self.remembered.panel, self.remembered.dock = wanted.key, True
        # A panel takes time to make. A panel that is asked for meanwhile comes after it, so the last one stays.
        async with self._showing:
            return await self._shown(wanted, focus)

    async def _shown(self, wanted: PanelEntry, focus: bool) -> Panel:
        switcher = self.query_one("#shown", ContentSwitcher)
        identity = f"panel-{wanted.key}"
        found = next((child for child in switcher.children if child.id == identity), None)
        if found is None:
            found = wanted.make()
            await switcher.mount(found)
        assert isinstance(found, Panel)
        is_wanted = self.remembered.dock
        self.query_one("#dock").set_class(is_wanted, "-open")
        switcher.current = identity
        titles = [Title(panel.key, panel.title) for panel in PANELS]
        self.query_one("#panels", TitleStrip).show(titles, wanted.key)
        found.is_fitted = False
        found.script_changed(self.front)
        if focus and is_wanted:
            found.enter()
        self.room.fit()
        return found

    def on_resize(self) -> None:
        """Divide the screen between the text and the dock for the new size."""
        self.call_after_refresh(self.room.fit)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Show the part of the screen that gets the focus."""
        self.room.focus_went_to(event.widget)

    @on(TitleStrip.Dragged, "#panels")
    def _dock_dragged(self, event: TitleStrip.Dragged) -> None:
        main = self.query_one("#main").region
        self.room.choose(main.right - event.x if self.room.is_wide else main.bottom - event.y)

    @on(TitleStrip.Chosen, "#panels")
    def _panel_chosen(self, event: TitleStrip.Chosen) -> None:
        self.work(self.show_panel(event.key))

    @on(TitleStrip.Chosen, "#files")
    def _file_chosen(self, event: TitleStrip.Chosen) -> None:
        self.bring(next(each for each in self.opened if each.key == event.key))

    @on(TitleStrip.Pressed, "#files")
    def _file_pressed(self, event: TitleStrip.Pressed) -> None:
        self.bring(next(each for each in self.opened if each.key == event.key))
        if event.button == MIDDLE:
            self.do("close")
        else:
            self.do("tab-menu")

    @on(Editor.Menu)
    def _menu_wanted(self, _: Editor.Menu) -> None:
        self.do("menu")

    def _draw_again(self, _: object) -> None:
        """Draw the whole screen, because another program had the terminal meanwhile."""
        for part in self.screen.walk_children(with_self=True):
            part.refresh()

    def refresh_css(self, animate: bool = True) -> None:
        """Apply the colours of the theme. The style sheet is only parsed if the colours have changed since it was last
        parsed."""
        if self.stylesheet._variables != self.get_css_variables():
            super().refresh_css(animate)
            return
        self.stylesheet.update(self, animate=animate)
        for screen in self.screen_stack[:-1]:
            self.stylesheet.update(screen, animate=animate)
        for screen in self.screen_stack:
            screen._css_update_count = self._css_update_count

    def _other_colors(self, _: object) -> None:
        """Show everything in the colours of the new theme."""
        for opened in self.opened:
            opened.editor.take_colors()
        for panel in self.screen_stack[0].query(Panel):
            panel.colors_changed()

    # work

    async def on_event(self, event: events.Event) -> None:
        """Handle an event. Keys and pastes wait until earlier ones have taken effect."""
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            before = self._notice
            await self._turns.take(event)
            if before is not None and self._notice is before and isinstance(event, events.Key):
                self._notice = None  # a message stays until the next key, in whatever part
                self.refresh_words()
        else:
            await super().on_event(event)

    async def _check_bindings(self, key: str, priority: bool = False) -> bool:
        """Handle a key by a binding. The editing keys of a field come to the field before all commands."""
        field = self.focused
        if priority and isinstance(field, LineField | TextField) and field.takes_key(key):
            return False
        return await super()._check_bindings(key, priority)

    def _is_calm(self) -> bool:
        """Whether the command that was started last is done, or asks a question that can be answered now."""
        if self.is_running and any(bar.is_searching for bar in self.query(FindBar)):
            return self._turns.next_writes  # a longer expression is searched instead
        if not self.is_running or self._begun is None or self._begun.is_finished or self._busy:
            return True
        top = self.screen
        return len(self.screen_stack) > 1 and top.is_mounted and (top.focused is not None or not top.focus_chain)

    def _asks(self) -> bool:
        """Whether the command that was started last makes its question or panel, and a person does not see it yet."""
        is_begun = self._begun is not None and not self._begun.is_finished
        return self.is_running and is_begun and not self._is_calm()

    def _give_up_question(self) -> None:
        """Stop the command whose question does not appear. Everything that was typed for the question is dropped."""
        if self._begun is not None:
            self._begun.cancel()
        self.say("cancelled; what you typed in the meantime was dropped", "warning")

    def action_do(self, name: str) -> None:
        """Run the command called `name`."""
        self.do(name)

    def do(self, name: str) -> None:
        """Run the command called `name`, in the background if it takes time."""
        self.popup.close()
        command = commands.BY_NAME[name]
        try:
            job = command.run(self)
        except PinebenchError as error:
            self.say_error(error)
            return
        if asyncio.iscoroutine(job):
            worker = self.work(job, group=f"command-{name}")
            self._begun = worker if command.is_question else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether an action may run now. Commands do not run while a dialog is open."""
        if action == "do" and len(self.screen_stack) > 1:
            return False
        return super().check_action(action, parameters)

    # what must not be lost

    def _search_garbage(self) -> None:
        if self._turns.quiet_seconds > memory.QUIET_SECONDS:
            memory.search()

    def _look_outside(self) -> None:
        from pinebench.tui import file_commands

        self.work(file_commands.look_outside(self), group="outside", exclusive=True)
        background_checks.look_at_libraries(self)

    def _handle_exception(self, error: Exception) -> None:
        part = active_message_pump.get(self)
        is_ended = self._exit or not self.is_running
        is_removed = part._closing or (isinstance(part, DOMNode) and part._pruning)
        if (is_ended or is_removed) and isinstance(error, NoMatches):
            return  # nothing is mounted any more, so a part does not find its children
        draft_commands.keep_now(self)
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """End after an exception that nobody handled, and print where it was.

        Textual would print the values of all variables there, too: an API key among them.
        """
        self.bell()
        self.panic(Text(_crash_words()))

    async def on_unmount(self) -> None:
        """Stop all work, and store the settings and the cursor positions."""
        self.end_work()
        self.language.close()
        self.inspection.close()
        for each in self.opened:
            if each.buffer.path is not None:
                self.remembered.places[each.buffer.path] = list(each.editor.cursor_location)
            self.keep_breakpoints(each)
        with contextlib.suppress(UsageError, OSError):
            settings.store(self.remembered)
        if self.drafts is not None:
            self.drafts.close()
        if "chart_browser" in self.__dict__:
            self.chart_browser.close()


def _crash_words() -> str:
    """The traceback of the exception that is handled, without values, without keys, and safe to print."""
    from pinebench.authoring.environment import API_KEY, setting
    from pinebench.authoring.foreign import Foreign

    key = setting(API_KEY)
    words = "".join(traceback.format_exception(sys.exception()))
    return printable(Foreign(key.value if key is not None else "").script(words), keep="\n")
