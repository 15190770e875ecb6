"""Waits until a burst of saves is over, so that a file is compiled only once."""

from __future__ import annotations

QUIET = 0.1
"""A file counts as saved when it was not touched for this number of seconds."""

LONGEST = 1.0
"""A file that is touched again and again counts as saved after this number of seconds."""


class Debounce:
    """The files that may have changed, and the times at which they count as saved, in seconds of any monotonic clock.

    A file that is touched after `take` returned it is returned again, so that its last state is never missed.
    """

    def __init__(self, quiet: float = QUIET, longest: float = LONGEST) -> None:
        self._quiet = quiet
        self._longest = longest
        self._touched: dict[str, tuple[float, float]] = {}

    def touch(self, path: str, now: float) -> None:
        """Record that the file `path` was touched at the time `now`."""
        first, _ = self._touched.get(path, (now, now))
        self._touched[path] = (first, now)

    def take(self, now: float) -> list[str]:
        """Remove and return the files that count as saved at the time `now`, the most recently touched file first."""
        due = [path for path in self._touched if self._due(path) <= now]
        due.sort(key=lambda path: self._touched[path][1], reverse=True)
        for path in due:
            del self._touched[path]
        return due

    def wait(self, now: float) -> float | None:
        """Return the seconds until the next file counts as saved: 0 if one already does, None if there is none."""
        if not self._touched:
            return None
        return max(0.0, min(map(self._due, self._touched)) - now)

    def _due(self, path: str) -> float:
        first, last = self._touched[path]
        return min(last + self._quiet, first + self._longest)
