"""A browser for one run only: it ends when the run does, however that ends, and so does its profile."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import uuid
from collections.abc import Generator
from pathlib import Path

from pinebench.errors import UnavailableError
from pinebench.locks import Lock, Locked

_PREFIX = "run-profile-"

_ON_A_LEASH = """
import fcntl, os, sys
ours = [fcntl.fcntl(int(number), fcntl.F_DUPFD, 10) for number in sys.argv[1:3]]
for number, place in zip(ours, (3, 4)):
    os.dup2(number, place, inheritable=True)
    os.close(number)
os.execv(sys.argv[3], sys.argv[3:])
"""


class Leash:
    """Two pipes between this process and a browser, which ends by itself when they close; the system closes them when
    this process is killed. Only where there are POSIX descriptors.
    """

    def __init__(self) -> None:
        there, self._ours = os.pipe()
        self._theirs, here = os.pipe()
        self.passed = (there, here)

    def command(self, command: tuple[str, ...]) -> tuple[str, ...]:
        """`command` of a browser, with the pipes where it expects them."""
        program, *arguments = command
        numbers = [str(number) for number in self.passed]
        return (sys.executable, "-ISc", _ON_A_LEASH, *numbers, program, "--remote-debugging-pipe", *arguments)

    def handed_over(self) -> None:
        """Close the browser's ends here, once it has them."""
        for number in self.passed:
            os.close(number)
        self.passed = ()

    def close(self) -> None:
        """Let go: the browser ends."""
        for number in (*self.passed, self._ours, self._theirs):
            with contextlib.suppress(OSError):
                os.close(number)


@contextlib.contextmanager
def run_profile(parent: Path) -> Generator[str]:
    """A profile folder below `parent` that is removed afterwards; what killed runs left there is removed first.

    Raises UnavailableError when it cannot be made.
    """
    try:
        parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise UnavailableError(f"the browser cannot have a profile folder: {error}", f"see to {parent}") from None
    sweep(parent)
    folder = parent / f"{_PREFIX}{uuid.uuid4().hex[:8]}"
    # Taken before the folder is there and given back after it has gone: a folder whose lock is free has no owner.
    with Lock(_lock_of(folder)):
        try:
            folder.mkdir(mode=0o700)
            yield str(folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def sweep(parent: Path) -> None:
    """Remove the profiles of runs that were killed, and end browsers that still use them."""
    for folder in parent.glob(f"{_PREFIX}*"):
        if folder.suffix or folder.is_symlink() or not folder.is_dir():
            continue
        with contextlib.suppress(Locked, OSError), Lock(_lock_of(folder)):
            _end_user_of(folder)
            shutil.rmtree(folder, ignore_errors=True)


def _lock_of(folder: Path) -> str:
    return f"{folder}.lock"


def _end_user_of(profile: Path) -> None:
    """End the browser that uses `profile`, if there is one and it surely is that: its command names the folder."""
    with contextlib.suppress(OSError, ValueError):
        pid = int(os.readlink(profile / "SingletonLock").rpartition("-")[2])
        command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        if f"--user-data-dir={profile}".encode() in command and os.getpgid(pid) == pid:
            os.killpg(pid, signal.SIGKILL)
