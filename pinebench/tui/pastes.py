"""Makes a paste a single text: none of its bytes acts as a key, and all of them arrive in order.

Textual's parser also looks for key sequences inside a paste. After an escape character, as in a program's coloured
output, it reads the rest of the paste as keys. A control character would then run a command, and text after it would be
inserted before the text that came first.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any
from weakref import WeakSet

from textual import events
from textual._time import get_time
from textual._xterm_parser import BRACKETED_PASTE_END as END
from textual._xterm_parser import BRACKETED_PASTE_START as START
from textual._xterm_parser import XTermParser
from textual.message import Message

PATIENCE = 5.0
"""Seconds without any byte after which a paste ends, even if its end mark did not come. Without this limit, no key
would work any more."""
_DRIVERS = ("win32",) if sys.platform == "win32" else ("linux_driver", "linux_inline_driver")


_parsers: WeakSet[PasteParser] = WeakSet()


class PasteParser(XTermParser):
    """Textual's parser for terminal input, which only gets the start and end marks of a paste, not its text."""

    def __init__(self, debug: bool = False) -> None:
        self._before = ""
        """The last characters, which may be the beginning of a mark."""
        self._pasted: list[str] | None = None
        """The parts of the paste that is coming; None if there is none."""
        self._last = 0.0
        _parsers.add(self)
        super().__init__(debug)

    def feed(self, data: str) -> Iterable[Message]:
        """Yield the keys, mouse events and pastes in `data`."""
        if not data:  # the end of the input
            yield from self._ended()
            yield from super().feed(data)
        self._last = get_time()
        while data:
            if self._pasted is None:
                rest = self._after(START, data)
                yield from super().feed(data if rest is None else data[: len(data) - len(rest)])
                if rest is None:
                    return
                self._pasted, data = [], rest
            else:
                rest = self._after(END, data)
                self._pasted.append(data if rest is None else data[: len(data) - len(rest)])
                if rest is None:
                    return
                yield from self._ended()
                data = rest

    def tick(self) -> Iterable[Message]:
        """End a paste whose end mark does not arrive, and yield the complete keys."""
        if self._pasted is not None and get_time() - self._last > PATIENCE:
            yield from self._ended()
        yield from super().tick()

    def _after(self, mark: str, data: str) -> str | None:
        """The data after the first `mark`, which may have begun in the data before; None if there is no mark."""
        known = self._before + data
        place = known.find(mark)
        if place < 0:
            self._before = known[-len(mark) + 1 :]
            return None
        self._before = ""
        return known[place + len(mark) :]

    def take_unfinished(self) -> str:
        """Remove and return the text of a paste whose end mark has not arrived yet; empty if there is none."""
        text = "".join(self._pasted or ())
        if self._pasted is not None:
            self._pasted = []
        return text

    def _ended(self) -> Iterator[Message]:
        """Yield the paste, and tell Textual's parser that it is over."""
        if self._pasted is None:
            return
        text, self._pasted, self._before = "".join(self._pasted).removesuffix(END), None, ""
        yield from (event for event in super().feed(END) if not isinstance(event, events.Paste))
        yield events.Paste(text)


def take_unfinished() -> str:
    """Return the text of a paste that is incomplete when the program ends."""
    return "".join(each.take_unfinished() for each in _parsers)


def know() -> None:
    """Make Textual's drivers parse terminal input with PasteParser."""
    for name in _DRIVERS:
        driver: Any = import_module(f"textual.drivers.{name}")
        driver.XTermParser = PasteParser
