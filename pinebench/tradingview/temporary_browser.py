"""A browser and a profile for one run only. Both are removed when the run ends, even if the run is killed."""

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
from pinebench.files.locks import Lock, LockHeld

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
    """Two pipes between this process and a browser. The browser ends by itself when they close.

    The operating system closes the pipes if this process is killed. A leash needs POSIX file descriptors.
    """

    def __init__(self) -> None:
        there, self._ours = os.pipe()
        self._theirs, here = os.pipe()
        self.passed = (there, here)

    def command(self, command: tuple[str, ...]) -> tuple[str, ...]:
        """Return the command that starts the browser's `command` with the pipes at the descriptors where it expects
        them."""
        program, *arguments = command
        numbers = [str(number) for number in self.passed]
        return (sys.executable, "-ISc", _ON_A_LEASH, *numbers, program, "--remote-debugging-pipe", *arguments)

    def handed_over(self) -> None:
        """Close the browser's ends of the pipes in this process, after the browser has received them."""
        for number in self.passed:
            os.close(number)
        self.passed = ()

    def close(self) -> None:
        """Close the pipes, so that the browser exits."""
        for number in (*self.passed, self._ours, self._theirs):
            with contextlib.suppress(OSError):
                os.close(number)


@contextlib.contextmanager
def run_profile(parent: Path) -> Generator[str]:
    """Create a profile folder below `parent` for the body, yield its path, and remove it afterwards. Profiles that
    killed runs left behind are removed first. Raises UnavailableError if `parent` cannot be created."""
    try:
        parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise UnavailableError(f"the browser cannot have a profile folder: {error}", f"check {parent}") from None
    sweep(parent)
    folder = parent / f"{_PREFIX}{uuid.uuid4().hex[:8]}"
    # The lock is held from before the folder exists until after it is removed. So a folder whose lock is free has no
    # owner.
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
        with contextlib.suppress(LockHeld, OSError), Lock(_lock_of(folder)):
            _end_user_of(folder)
            shutil.rmtree(folder, ignore_errors=True)


def _lock_of(folder: Path) -> str:
    return f"{folder}.lock"


def _end_user_of(profile: Path) -> None:
    """End the browser that uses `profile`, if there is one. The process must have the folder in its command line."""
    with contextlib.suppress(OSError, ValueError):
        pid = int(os.readlink(profile / "SingletonLock").rpartition("-")[2])
        command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        if f"--user-data-dir={profile}".encode() in command and os.getpgid(pid) == pid:
            os.killpg(pid, signal.SIGKILL)
