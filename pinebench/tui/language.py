"""Runs requests to `services` about open scripts in one background thread, in the order of their arrival."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from pinebench import config
from pinebench.errors import UsageError

if TYPE_CHECKING:
    from pinebench.services import ScriptView
    from pinebench.syntax import Snapshot
    from pinebench.tui.libraries import LibraryFinder

Answer = TypeVar("Answer")


class ScriptMoment(NamedTuple):
    """An open script at one time: its key, its text, its file (None if it has none), the path whose configuration
    applies to it, and its name."""

    key: str
    snapshot: Snapshot
    path: str | None
    place: str
    name: str


class Language:
    """Analyses the open scripts; a key identifies each script. `tabs` returns all open scripts."""

    def __init__(self, tabs: Callable[[], list[ScriptMoment]]) -> None:
        self._tabs = tabs
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="pinebench-language")
        self._views: dict[str, ScriptView] = {}

    async def ask(self, key: str, snapshot: Snapshot, place: str, question: Callable[[ScriptView], Answer]) -> Answer:
        """Return `question(view)` for the script `key` in the state `snapshot`.

        `place` is the path whose configuration is used. The script may have changed when the result comes: callers
        compare the snapshots. An error that `question` raises is raised here.
        """
        texts = self.texts()
        return await self.run(lambda: question(self.view(key, snapshot, place, texts)))

    async def run(self, work: Callable[[], Answer]) -> Answer:
        """Run `work` in the background thread, after all earlier requests, and return its result."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    def forget(self, key: str) -> None:
        """Forget a script, because it is closed or has another file."""
        self._pool.submit(self._views.pop, key, None)

    def texts(self) -> dict[str, Snapshot]:
        """Return the texts of the open tabs by the real paths of their files."""
        return {os.path.realpath(tab.path): tab.snapshot for tab in self._tabs() if tab.path is not None}

    def outdated(self, texts: dict[str, Snapshot]) -> set[str]:
        """Return the keys of the scripts that import a library which has changed since their last request. This method
        reads files, and may run in any thread. `texts` are the texts of the open tabs."""
        return {key for key, view in list(self._views.items()) if not _is_current(view, texts)}

    @property
    def has_libraries(self) -> bool:
        """Whether any open script imports a library."""
        return any(_uses_libraries(view) for view in list(self._views.values()))

    def close(self) -> None:
        """Cancel the requests that are still waiting, and accept no more."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def view(self, key: str, snapshot: Snapshot, place: str, texts: dict[str, Snapshot]) -> ScriptView:
        """Return the analysis of a script. It reuses the script's previous analysis, unless a library has changed
        since.

        `place` is as in `ask`. `texts` are the texts of the open tabs by the real paths of their files. Only the
        background thread may call this.
        """
        from pinebench.services import ScriptView

        last = self._views.get(key)
        if last is not None and _is_current(last, texts):
            if last.snapshot is snapshot:
                return last
            found = last.after(snapshot)
        else:
            found = ScriptView(snapshot, shelf_for(place, texts), None)
        self._views[key] = found
        return found


def _is_current(view: ScriptView, texts: dict[str, Snapshot]) -> bool:
    from pinebench.tui.libraries import LibraryFinder

    return not isinstance(view.sources, LibraryFinder) or view.sources.is_current(texts)


def _uses_libraries(view: ScriptView) -> bool:
    from pinebench.tui.libraries import LibraryFinder

    return isinstance(view.sources, LibraryFinder) and view.sources.is_used


def shelf_for(place: str, texts: dict[str, Snapshot]) -> LibraryFinder | None:
    """Return the libraries that the script at `place` can import; None if its configuration is invalid. The findings
    report an invalid configuration."""
    from pinebench.tui.libraries import LibraryFinder

    try:
        return LibraryFinder(config.library_folders(place), texts, place)
    except UsageError:
        return None
