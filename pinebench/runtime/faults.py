"""What stops a running script, in TradingView's words."""

from __future__ import annotations

from typing import NamedTuple

from pinebench.codes.runtime_errors import STOPS, stop_message


class StackFrame(NamedTuple):
    """One line of a stack: the function that was running (`#main` for the global code) and the line it had reached."""

    function: str
    line: int


class RuntimeFault(Exception):
    """A run-time error of the script: TradingView's code or our name for it, with the values of its message.

    What raises it knows neither bar nor line: the runtime adds `bar` and the `stack`, innermost call first.
    """

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code = code
        self.values = {name: _plain(value) for name, value in values.items()}
        self.bar: int | None = None
        self.stack: list[StackFrame] = []

    @property
    def message(self) -> str:
        """The words as TradingView shows them, `Error on bar N: ` included where it puts that before them."""
        words = stop_message(self.code, self.values)
        return f"Error on bar {self.bar}: {words}" if self.bar is not None and STOPS[self.code].on_bar else words

    @property
    def line(self) -> int | None:
        """The 1-based line that was running, None before the first bar."""
        return self.stack[0].line if self.stack else None

    def __str__(self) -> str:
        return self.message


def _plain(value: object) -> object:
    """Integers are shown without a decimal part, also where they came as floats."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
