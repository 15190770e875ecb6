"""Output after the terminal is gone neither fails nor blocks."""

import asyncio
import os
import pty
import signal
import threading

import pytest
from textual.drivers._writer_thread import MAX_QUEUED_WRITES, WriterThread
from textual.drivers.linux_driver import LinuxDriver

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


@pytest.mark.parametrize("name", ["SIGTSTP", "SIGCONT"])
async def test_a_stop_waits_until_the_running_task_has_put_its_output(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A signal comes at any place, also where the main thread holds the lock of the queue for output."""
    number = getattr(signal, name)
    before = {each: signal.getsignal(each) for each in (signal.SIGTSTP, signal.SIGCONT)}
    steps: list[str] = []
    for step in ("_sigtstp_application", "_sigcont_application"):
        monkeypatch.setattr(LinuxDriver, step, lambda *_given, step=step: steps.append(step))
    app = Workbench([])
    app.driver_class(app)
    try:
        signal.raise_signal(number)
        assert not steps
        await asyncio.sleep(0)
        assert steps == [f"_{name.lower()}_application"]
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
