"""The error for scripts that need something that this runtime does not compute; no value is invented instead."""

from __future__ import annotations

from pinebench.errors import UnavailableError


class NotComputed(UnavailableError):
    """The error for a script that needs something that this runtime does not compute. `name` is the built-in or
    construct, and `line` is its line."""

    def __init__(self, name: str, line: int | None = None, hint: str | None = None) -> None:
        where = f" (line {line})" if line is not None else ""
        super().__init__(f"{name} is not computed by pinebench{where}", hint)
        self.name = name
        self.line = line

    def __reduce__(self) -> tuple[type[NotComputed], tuple[str, int | None, str | None]]:
        return NotComputed, (self.name, self.line, self.hint)
