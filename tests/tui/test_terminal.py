"""Output after the terminal is gone neither fails nor blocks."""

from __future__ import annotations

import os
import pty
import threading

from textual.drivers._writer_thread import MAX_QUEUED_WRITES, WriterThread

from pinebench.tui.app import Workbench
from pinebench.tui.terminal import ForgivingFile, is_hung_up


def test_output_goes_on_without_a_terminal() -> None:
    ours, theirs = pty.openpty()
    with open(theirs, "w", encoding="utf-8") as file:
        writer = WriterThread(ForgivingFile(file))  # pyright: ignore[reportArgumentType] - all that the thread uses is there
        writer.start()
        writer.write("seen")
        assert os.read(ours, 100) == b"seen"
        os.close(ours)
        assert is_hung_up(file)

        def go_on() -> None:
            for _ in range(3 * MAX_QUEUED_WRITES):
                writer.write("x" * 1000)
            writer.stop()

        going = threading.Thread(target=go_on, daemon=True)
        going.start()
        going.join(120)
        assert not going.is_alive()


async def test_the_workbench_writes_to_its_terminal_in_that_way() -> None:
    app = Workbench([])
    driver = app.driver_class(app)
    assert isinstance(getattr(driver, "_file", None), ForgivingFile)
