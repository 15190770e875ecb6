"""Asks the services about open scripts, in one background thread and in the order of the questions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from pinebench import config
from pinebench.errors import UsageError

if TYPE_CHECKING:
    from pinebench.services import View
    from pinebench.syntax import Snapshot

Answer = TypeVar("Answer")


class Language:
    """The services' knowledge of the open scripts. Each script has a key."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="pinebench-language")
        self._views: dict[str, View] = {}

    async def ask(self, key: str, snapshot: Snapshot, place: str, question: Callable[[View], Answer]) -> Answer:
        """Return the answer of `question` about the script `key` in the state `snapshot`.

        `place` is the path that decides which configuration is used. The script may have changed when the answer comes:
        callers compare the snapshots. An error that `question` raises is raised here.
        """
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, self._answer, key, snapshot, place, question)

    def forget(self, key: str) -> None:
        """Forget a script, because it is closed, or because libraries or the configuration have changed."""
        self._pool.submit(self._views.pop, key, None)

    def close(self) -> None:
        """Cancel the questions that wait, and take no more."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _answer(self, key: str, snapshot: Snapshot, place: str, question: Callable[[View], Answer]) -> Answer:
        return question(self._view(key, snapshot, place))

    def _view(self, key: str, snapshot: Snapshot, place: str) -> View:
        """The view of a script, which uses what is known of its earlier states."""
        from pinebench.services import View

        last = self._views.get(key)
        if last is not None and last.snapshot is snapshot:
            return last
        found = last.after(snapshot) if last is not None else View(snapshot, _libraries(place), None)
        self._views[key] = found
        return found


def _libraries(place: str):
    """The libraries that a script can import; None if its configuration is wrong, which the findings report."""
    from pinebench.checker import LibraryFolders

    try:
        return LibraryFolders(config.library_folders(place))
    except UsageError:
        return None
