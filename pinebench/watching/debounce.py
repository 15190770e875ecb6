"""Waiting until a burst of saves is over: many touches of a file become one look at it."""

from __future__ import annotations

QUIET = 0.1
"""Seconds without a further touch after which a file counts as saved."""

LONGEST = 1.0
"""Seconds after which a file that is touched without end is looked at all the same."""


class Debounce:
    """The files that were touched, and when each of them is due. Times are in seconds on any steady clock.

    A touch after a file was taken makes it due again, so the last state is always looked at.
    """

    def __init__(self, quiet: float = QUIET, longest: float = LONGEST) -> None:
        self._quiet = quiet
        self._longest = longest
        self._touched: dict[str, tuple[float, float]] = {}

    def touch(self, path: str, now: float) -> None:
        """Note that `path` was touched at `now`."""
        first, _ = self._touched.get(path, (now, now))
        self._touched[path] = (first, now)

    def take(self, now: float) -> list[str]:
        """The files that are due at `now`, the one touched last first; they are forgotten."""
        due = [path for path in self._touched if self._due(path) <= now]
        due.sort(key=lambda path: self._touched[path][1], reverse=True)
        for path in due:
            del self._touched[path]
        return due

    def wait(self, now: float) -> float | None:
        """Seconds until the next file is due, 0 when one is; None when none was touched."""
        if not self._touched:
            return None
        return max(0.0, min(map(self._due, self._touched)) - now)

    def _due(self, path: str) -> float:
        first, last = self._touched[path]
        return min(last + self._quiet, first + self._longest)
