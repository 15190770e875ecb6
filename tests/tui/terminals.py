"""Runs the real command in a terminal of its own, and does there what a person does."""

import codecs
import contextlib
import fcntl
import json
import os
import pty
import re
import resource
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

_PATIENCE = 120.0
"""Seconds after which a condition counts as never met, also on a machine under load."""
_SEQUENCE = re.compile(r"\x1b(?:\[[0-9;?<>=]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()].|[=>78cM])")
_BEGUN = re.compile(r"\x1b(?:\[[0-9;?<>=]*[ -/]*|\][^\x07\x1b]*|[()])?\Z")
"""A sequence whose rest was not read yet."""
_NAMED = {
    "enter": "\r", "tab": "\t", "shift+tab": "\x1b[Z", "escape": "\x1b[27u", "up": "\x1b[A", "down": "\x1b[B",
    "right": "\x1b[C", "left": "\x1b[D", "home": "\x1b[H", "end": "\x1b[F", "backspace": "\x7f", "f2": "\x1bOQ",
    "f3": "\x1bOR", "ctrl+home": "\x1b[1;5H", "ctrl+end": "\x1b[1;5F", "ctrl+pageup": "\x1b[5;5~", "f11": "\x1b[23~",
    "alt+down": "\x1b[1;3B",
}  # fmt: skip


def bytes_of(key: str) -> bytes:
    """What a terminal sends for a key: a name such as `ctrl+s`, or a character."""
    if key in _NAMED:
        return _NAMED[key].encode()
    if key.startswith("ctrl+"):
        return bytes([ord(key[5:]) & 31])
    return b"\x1b" + key[4:].encode() if key.startswith("alt+") else key.encode()


def everywhere(*folders: Path) -> set[str]:
    """Every text in a file of `folders`, and in what the workbench keeps there."""
    found: set[str] = set()
    for path in (path for folder in folders for path in folder.rglob("*")):
        with contextlib.suppress(FileNotFoundError):
            if path.is_file() and not path.is_symlink():
                text = path.read_bytes().decode("utf-8", "replace")
                found.add(json.loads(text)["text"] if path.name.endswith(".draft.json") else text)
    return found


def as_from_a_shell() -> None:
    """Heed the signals that whoever started the tests may ignore, and write no image of the process."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


class Terminal:
    """A workbench in a terminal. `seen` is what it drew, as text, since the last key."""

    def __init__(self, *paths: Path, state: Path, size: tuple[int, int] = (100, 30)) -> None:
        self.state = state
        self.seen = ""
        self._begun, self._decoder = "", codecs.getincrementaldecoder("utf-8")("replace")
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        environment = {
            **os.environ, "TERM": "xterm-256color", "PINEBENCH_STATE_DIR": str(state), "PINEBENCH_CDP_PORT": "1",
        }  # fmt: skip
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pinebench", "edit", *map(str, paths)],
            stdin=theirs, stdout=theirs, stderr=theirs, env=environment, cwd=paths[0].parent, start_new_session=True,
            preexec_fn=as_from_a_shell,
        )  # fmt: skip
        os.close(theirs)

    def press(self, *keys: str) -> None:
        """Press keys, all at once."""
        self.send(b"".join(map(bytes_of, keys)))

    def send(self, data: bytes) -> None:
        """Send bytes as the terminal does."""
        self.read(0.0)
        self.seen = ""
        while data:
            written = os.write(self._ours, data[:512])
            data = data[written:]
            self.read(0.0)

    def paste(self, text: bytes) -> None:
        """Paste as a terminal does that marks pastes."""
        self.send(b"\x1b[200~" + text + b"\x1b[201~")

    def read(self, seconds: float) -> None:
        """Read what is drawn."""
        while self._ours >= 0 and select.select([self._ours], [], [], seconds)[0]:
            try:
                data = os.read(self._ours, 65536)
            except OSError:
                return
            if not data:
                return
            drawn = self._begun + self._decoder.decode(data)
            begun = _BEGUN.search(drawn)
            self._begun = begun.group() if begun else ""
            self.seen += _SEQUENCE.sub("", drawn[: begun.start()] if begun else drawn)
            seconds = 0.0

    def until(self, true: Callable[[], object], what: str = "") -> None:
        """Wait for a condition."""
        end = time.monotonic() + _PATIENCE
        while not true():
            assert time.monotonic() < end, f"never: {what}: {self.seen[-3000:]}"
            if self._ours < 0 or self.process.poll() is not None:
                time.sleep(0.02)
            self.read(0.05)

    def sees(self, *words: str) -> None:
        """Wait until the words were drawn since the last key."""
        self.until(lambda: all(each in self.seen for each in words), f"to see {words}")

    def keeps(self, text: str) -> None:
        """Wait until a draft has the text."""
        self.until(lambda: text in everywhere(self.state), f"kept: {text!r}")

    def hang_up(self) -> None:
        """Close the terminal."""
        os.close(self._ours)
        self._ours = -1

    def kill(self, name: str) -> int:
        """End the workbench by a signal, or by closing its terminal; return its exit code."""
        if name == "closed":
            self.hang_up()
        else:
            self.process.send_signal(getattr(signal, name))
        return self.ended()

    def stops(self, name: str = "SIGTSTP") -> None:
        """Stop the workbench as ctrl+z in a shell does, or by another signal."""
        self.process.send_signal(getattr(signal, name))
        status = Path(f"/proc/{self.process.pid}/stat")
        self.until(lambda: status.read_text().rpartition(")")[2].split()[0] == "T", "stopped")

    def goes_on(self) -> None:
        """Let a stopped workbench go on, as `fg` does."""
        self.read(0.0)
        self.seen = ""
        self.process.send_signal(signal.SIGCONT)

    def ended(self) -> int:
        """Wait until the workbench has ended; return its exit code."""
        self.until(lambda: self.process.poll() is not None, "the end")
        self.read(0.05)
        return self.process.returncode

    def close(self) -> None:
        """End everything."""
        self.process.kill()
        self.process.wait()
        if self._ours >= 0:
            self.hang_up()


@contextlib.contextmanager
def terminal(*paths: Path, state: Path, size: tuple[int, int] = (100, 30)) -> Iterator[Terminal]:
    """A workbench in a terminal, which shows the last of `paths`."""
    found = Terminal(*paths, state=state, size=size)
    try:
        found.sees("F1 Help")
        yield found
    finally:
        found.close()
