"""What this runtime does not compute: it is refused by name, and no number is made up in its place."""

from __future__ import annotations

from pinebench.errors import UnavailableError


class NotComputed(UnavailableError):
    """A script asks for something that is not computed here; `name` is the built-in or construct, `line` its place."""

    def __init__(self, name: str, line: int | None = None, hint: str | None = None) -> None:
        where = f" (line {line})" if line is not None else ""
        super().__init__(f"{name} is not computed here{where}", hint)
        self.name = name
        self.line = line
