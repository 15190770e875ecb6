"""Checks whether the terminal still exists, and writes output that does not fail after it has closed."""

from __future__ import annotations

import contextlib
import select
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from textual.driver import Driver


def is_hung_up(stream: TextIO | None) -> bool:
    """Return whether the terminal of `stream` is gone; False if the system cannot tell."""
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
        """Write `text` if possible; return its length."""
        with contextlib.suppress(OSError, ValueError):
            self._file.write(text)
        return len(text)

    def flush(self) -> None:
        """Write the buffered text if possible."""
        with contextlib.suppress(OSError, ValueError):
            self._file.flush()

    def __getattr__(self, name: str) -> Any:
        """Return the file's own attribute."""
        return getattr(self._file, name)


def forgiving(driver: type[Driver], before_stop: Callable[[], None]) -> type[Driver]:
    """Return a subclass of Textual's `driver` whose output does not fail when the terminal is gone.

    When the shell suspends or resumes the program, `before_stop` and Textual's own steps run between two tasks of the
    event loop. Textual itself would interrupt the main thread for them. If the main thread holds the lock of the output
    queue at that time, the program deadlocks.
    """

    class PatientDriver(driver):
        def __init__(self, *given: Any, **options: Any) -> None:
            super().__init__(*given, **options)
            file = getattr(self, "_file", None)
            if file is not None:
                self._file = ForgivingFile(file)

        def _sigtstp_application(self, *_: Any) -> None:
            self._soon(self._stop)

        def _soon(self, step: Callable[[], None]) -> None:
            with contextlib.suppress(RuntimeError):  # the workbench has ended
                self._loop.call_soon_threadsafe(step)

        def _stop(self) -> None:
            before_stop()
            super()._sigtstp_application()  # pyright: ignore[reportAttributeAccessIssue] - of Textual's driver for Linux

        def _sigcont_application(self, *_: Any) -> None:
            self._soon(self._go_on)

        def _go_on(self) -> None:
            writer = getattr(self, "_writer_thread", None)
            if writer is not None and writer.is_alive():  # No signal told of the stop.
                self.suspend_application_mode()
                self._must_signal_resume = True
            super()._sigcont_application()  # pyright: ignore[reportAttributeAccessIssue] - of Textual's driver for Linux

    return PatientDriver
