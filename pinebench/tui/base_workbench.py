"""The interface of the workbench for its parts. The workbench itself is in `app`, which knows its parts."""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from textual.app import App

if TYPE_CHECKING:
    import asyncio

    from textual.worker import Worker

    from pinebench.context import Context
    from pinebench.errors import PinebenchError
    from pinebench.tools.chart_browser import ChartBrowser
    from pinebench.tui.buffer import Buffer
    from pinebench.tui.drafts import Drafts
    from pinebench.tui.editor import Editor
    from pinebench.tui.language import Language
    from pinebench.tui.lines import StyledWords
    from pinebench.tui.panels import Panel
    from pinebench.tui.popup import Popup
    from pinebench.tui.script_tab import ScriptTab
    from pinebench.tui.settings import WorkbenchSettings

Result = TypeVar("Result")

PAUSE = 0.15
"""Seconds without a keystroke after which a script is checked."""


class BaseWorkbench(App[int]):
    """The interface of the workbench for its parts: the open scripts, work in the background, and the lines for
    messages."""

    folder: str | None
    """The folder whose files are offered and searched."""
    language: Language
    remembered: WorkbenchSettings
    opened: list[ScriptTab]
    front: ScriptTab | None
    trail: list[tuple[str, int]]
    """The places to go back to, the newest last: the key of a script, and an offset in it."""
    drafts: Drafts | None
    draft_trouble: str
    """Why unsaved texts cannot be kept as drafts now; empty if they can."""
    saving: asyncio.Lock
    popup: Popup

    @functools.cached_property
    def chart_browser(self) -> ChartBrowser:
        """The browser with its pages that tools use. It connects when the first tool needs it."""
        from pinebench.tools.chart_browser import ChartBrowser

        return ChartBrowser()

    @property
    def editor(self) -> Editor | None:
        """The editor in front."""
        return self.front.editor if self.front is not None else None

    @property
    def panel(self) -> Panel | None:
        """The panel that is shown; None if the dock is hidden, or was removed because the workbench ends."""
        raise NotImplementedError

    @property
    def has_heard_keys(self) -> bool:
        """Whether any key or paste came since the start."""
        raise NotImplementedError

    # scripts

    async def open(self, path: str, *, offset: int | None = None) -> ScriptTab | None:
        """Bring the file at `path` to the front, and open it if it is not open yet.

        The cursor goes to `offset`, if it is given. If the file cannot be read, show the error and return None.
        """
        raise NotImplementedError

    async def add(self, buffer: Buffer, text: str | None = None) -> ScriptTab:
        """Add a tab for `buffer` and show it. If `text` is given, it is the tab's unsaved text."""
        raise NotImplementedError

    def untitled(self) -> str:
        """An unused name for a script without a file."""
        raise NotImplementedError

    def bring(self, opened: ScriptTab, *, focus: bool = True) -> None:
        """Show a script."""
        raise NotImplementedError

    async def remove(self, opened: ScriptTab) -> None:
        """Remove a tab. The caller has already decided whether its text is saved."""
        raise NotImplementedError

    def check_soon(self, opened: ScriptTab, pause: float = PAUSE) -> None:
        """Check a script when nobody has typed for `pause` seconds."""
        raise NotImplementedError

    def findings_changed(self, opened: ScriptTab) -> None:
        """Show the new findings of a script."""
        raise NotImplementedError

    def look_at_libraries(self) -> None:
        """Check the scripts again that import a library which has changed, on disk or in its tab."""
        raise NotImplementedError

    def keep_drafts(self) -> None:
        """Save unsaved texts as drafts, in the background."""
        raise NotImplementedError

    def keep_breakpoints(self, opened: ScriptTab) -> None:
        """Store the breakpoints of a file, so that they survive any end of the workbench."""
        raise NotImplementedError

    # what is said

    def say(self, text: str, kind: str = "note") -> None:
        """Show a message in the line below the editor until the text or the cursor changes."""
        raise NotImplementedError

    def say_error(self, error: PinebenchError) -> None:
        """Say what went wrong and what to do."""
        self.say(f"{error.message}{f' ({error.hint})' if error.hint else ''}", "error")

    def refresh_words(self) -> None:
        """Update the tabs, the message line and the status line."""
        raise NotImplementedError

    def link_parts(self) -> list[StyledWords]:
        """The parts of the status line about the work that is running and about the chart."""
        raise NotImplementedError

    # work

    def work(
        self, job: Coroutine[Any, Any, Any], *, group: str = "work", exclusive: bool = False
    ) -> Worker[Any] | None:
        """Run `job` in the background, and show a message if it fails. An `exclusive` job first cancels the other jobs
        of its group."""
        raise NotImplementedError

    async def lengthy(self, what: str, work: Callable[[Context], Result]) -> Result:
        """Run `work` in a thread and return its result.

        Meanwhile the status line says that `what` is being done, and a person can stop it.
        """
        raise NotImplementedError

    def give_up_question(self) -> None:
        """Stop the command whose question does not appear. Everything that was typed for the question is dropped."""
        raise NotImplementedError
