"""The terminal itself: whether it is still there, and output that does not fail when it is gone."""

from __future__ import annotations

import contextlib
import select
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from textual.driver import Driver


def is_hung_up(stream: TextIO | None) -> bool:
    """Whether the terminal of `stream` is gone; False if the system cannot tell."""
    if stream is None or not hasattr(select, "poll"):
        return False
    try:
        looked = select.poll()
        looked.register(stream.fileno(), 0)
        gone = select.POLLHUP | select.POLLERR | select.POLLNVAL
        return any(event & gone for _, event in looked.poll(0))
    except (OSError, ValueError):
        return True


class ForgivingFile:
    """A file whose writes do nothing once the terminal behind it is gone.

    Textual writes in a thread. An error would end that thread, and the program would never end.
    """

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> int:
        """Write `text` if that is possible; return its length."""
        with contextlib.suppress(OSError, ValueError):
            self._file.write(text)
        return len(text)

    def flush(self) -> None:
        """Write what is still held back if that is possible."""
        with contextlib.suppress(OSError, ValueError):
            self._file.flush()

    def __getattr__(self, name: str) -> Any:
        """Everything else is the file's own."""
        return getattr(self._file, name)


def forgiving(driver: type[Driver]) -> type[Driver]:
    """A driver like `driver` of Textual whose output does not fail when the terminal is gone."""

    class PatientDriver(driver):
        def __init__(self, *given: Any, **options: Any) -> None:
            super().__init__(*given, **options)
            file = getattr(self, "_file", None)
            if file is not None:
                self._file = ForgivingFile(file)

    return PatientDriver
