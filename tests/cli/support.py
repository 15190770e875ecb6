"""Runs the command line as a user would: another process, its own folder, no colours, no cache of the machine."""

import os
import select
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests import forked

CHECKOUT = Path(__file__).resolve().parents[2]
SAMPLES = CHECKOUT / "pine" / "samples"

CLEAN = '//@version=6\nindicator("Clean")\nplot(close)\n'
UNCLOSED = '//@version=6\nindicator("Unclosed")\nplot(close\n'


class Outcome(NamedTuple):
    """What a command left: its exit code, its results, and its words for people."""

    code: int
    out: str
    err: str


def pinebench(*arguments: str, folder: Path, stdin: bytes = b"", environment: dict[str, str] | None = None) -> Outcome:
    """Run `pinebench ARGUMENTS` in `folder` and wait for it."""
    settings = surroundings(folder, **(environment or {}))
    code, out, err = forked.run(arguments, folder=folder, environment=settings, stdin=stdin, seconds=120)
    return Outcome(code, out.decode(), err.decode())


def surroundings(folder: Path, **environment: str) -> dict[str, str]:
    """The environment of a command: what it keeps goes to `folder`, and nothing set here changes a report."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PINEBENCH_")}
    ours = {
        "PYTHONPATH": str(CHECKOUT),
        "PYTHONIOENCODING": "utf-8",
        "PINEBENCH_CACHE_DIR": str(folder / ".cache"),
        "PINEBENCH_STATE_DIR": str(folder / ".state"),
        "COLUMNS": "80",
    }
    return {**kept, **ours, **environment}


def in_terminal(*arguments: str, folder: Path, columns: int = 80, environment: dict[str, str] | None = None) -> Outcome:
    """Run `pinebench ARGUMENTS` in `folder` as a person does, on a terminal `columns` wide; `out` is all it showed."""
    import pty
    import termios

    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, columns))
    settings = surroundings(folder, **{"TERM": "xterm", "NO_COLOR": "", **(environment or {})})
    del settings["COLUMNS"]
    running = forked.start(arguments, folder=folder, environment=settings, streams=(slave, slave, slave))
    os.close(slave)
    shown = b"".join(_all_of(master))
    os.close(master)
    return Outcome(running.wait(300), shown.decode().replace("\r\n", "\n"), "")


def _all_of(terminal: int) -> Iterator[bytes]:
    """What is written to the terminal until nobody holds it any more."""
    while True:
        assert select.select([terminal], [], [], 200)[0], "it neither writes nor ends"
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # how Linux says that the other side is closed
            return
        if not piece:
            return
        yield piece
