"""The reasons why a script cannot be bundled, each with its file and position."""

from __future__ import annotations

from collections.abc import Sequence

from pinebench.diagnostics import TextPosition
from pinebench.errors import UsageError
from pinebench.records import NamedTuple

_MOST = 5
"""The largest number of reasons in one message."""


class Refusal(NamedTuple):
    """A reason why a script cannot be bundled, with its file and position."""

    file: str
    position: TextPosition
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.position.line}:{self.position.column}: {self.message}"


class NotBundled(UsageError):
    """The error for a script that cannot be bundled. `refusals` has at least one reason."""

    exit_code = 1

    def __init__(self, refusals: Sequence[Refusal]) -> None:
        self.refusals = tuple(dict.fromkeys(sorted(refusals)))
        words = "; ".join(map(str, self.refusals[:_MOST]))
        more = f"; and {len(self.refusals) - _MOST} more" if len(self.refusals) > _MOST else ""
        super().__init__(
            f"the script cannot be bundled with its libraries: {words}{more}", "correct the script at these positions"
        )


class Refusals:
    """The reasons why a script cannot be bundled, collected so that all of them are reported together."""

    def __init__(self) -> None:
        self._found: list[Refusal] = []

    def add(self, file: str, position: TextPosition, message: str) -> None:
        """Add one reason."""
        self._found.append(Refusal(file, position, message))

    def check(self) -> None:
        """Raise NotBundled if there are reasons."""
        if self._found:
            raise NotBundled(self._found)
