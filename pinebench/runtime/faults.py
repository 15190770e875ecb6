"""Errors that stop a running script, with TradingView's messages."""

from __future__ import annotations

from typing import NamedTuple

from pinebench.codes.runtime_errors import STOPS, stop_message


class StackFrame(NamedTuple):
    """One line of a stack: the running function (`#main` for the global code), and the line that it had reached.

    The line belongs to the script, or to the imported library `library` (its path).
    """

    function: str
    line: int
    library: str | None = None


class RuntimeFault(Exception):
    """A run-time error of the script: TradingView's code or our own, with the values for its message.

    The code that raises it does not know the bar and the line. The runtime adds `bar` and `stack`, the innermost call
    first.
    """

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code = code
        self.values = {name: _plain(value) for name, value in values.items()}
        self.bar: int | None = None
        self.stack: list[StackFrame] = []

    @property
    def message(self) -> str:
        """The message as TradingView shows it, with `Error on bar N: ` before it if TradingView adds that."""
        words = stop_message(self.code, self.values)
        return f"Error on bar {self.bar}: {words}" if self.bar is not None and STOPS[self.code].on_bar else words

    @property
    def line(self) -> int | None:
        """The running line of the script (from 1), or None before the first bar. Code of a library runs on the line
        that calls it."""
        return next((call.line for call in self.stack if call.library is None), None)

    def place(self, path: str) -> str:
        """Return `path` with the line that was running, such as `my.pine:3`, or only `path` if the line is not known.

        An error in the code of a library names the library and its line too: `my.pine:3 (me/Tools/1:12)`.
        """
        place = f"{path}:{self.line}" if self.line else path
        inside = self.stack[0] if self.stack else None
        return place if inside is None or inside.library is None else f"{place} ({inside.library}:{inside.line})"

    def __str__(self) -> str:
        return self.message


def _plain(value: object) -> object:
    """Convert whole numbers that are floats to int, so that they are shown without a decimal part."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
