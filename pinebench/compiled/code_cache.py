"""Stores machine code on disk, in a folder that only its owner can write to.

Machine code runs without further checks. So it is loaded only if the folder and the file belong to this user and no
other user can write to them. A file is named by a hash of everything that its machine code depends on: the code of the
script, the code of the compiled tier, LLVM and the processor. Pickles are never read.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections.abc import Callable
from pathlib import Path

from pinebench.compiled import machine
from pinebench.errors import UsageError
from pinebench.files import private_folder, write_atomically

_MAGIC = b"pinebench machine code 1\n"
_DIGEST = 32
_MOST_FILES = 500


class CodeCache:
    """Compiles modules, and stores their machine code in a private folder."""

    def __init__(self, folder: Path | None) -> None:
        """Use `folder`, and make it if it is missing; None stores nothing. Raises UsageError if other users can write
        to the folder or replace it."""
        self._folder = folder
        if folder is not None and os.name != "nt":
            if not folder.exists():
                private_folder(str(folder))
            check_folder(folder)
        elif folder is not None:
            self._folder = None  # the permissions of a folder are not known here

    def machine_code(self, key: str, text: Callable[[], str], speed: int = 2) -> bytes:
        """Return the machine code of a module, from the cache if it is stored there. `key` identifies everything that
        the code depends on, except LLVM and the processor. `text` returns the module as LLVM IR. `speed` is LLVM's
        optimization level."""
        name = self.path(key)
        found = _read(name) if name is not None else None
        if found is None:
            found = machine.compiled(text(), speed)
            if name is not None:
                self._write(name, found)
        return found

    def path(self, key: str) -> Path | None:
        """Return the file for a key; None if machine code is not stored on disk."""
        if self._folder is None:
            return None
        name = hashlib.sha256("\n".join((machine.identity(), key)).encode()).hexdigest()
        return self._folder / f"{name}.o"

    def _write(self, path: Path, code: bytes) -> None:
        """Write a file in one step. If the folder is full or read-only, the code is only compiled again next time. A
        worker writes no files."""
        assert self._folder is not None
        with contextlib.suppress(OSError, UsageError):
            files = sorted(self._folder.glob("*.o"), key=lambda one: one.stat().st_mtime)
            for old in files[: max(0, len(files) - _MOST_FILES + 1)]:
                old.unlink(missing_ok=True)
            write_atomically(path, _MAGIC + _digest(path, code) + code, private=True, durable=False)


def check_folder(folder: Path) -> None:
    """Raise UsageError if another user can access a folder, or replace it or one of its parents."""
    path = folder.absolute()
    own = os.lstat(path)
    if not stat.S_ISDIR(own.st_mode):
        raise UsageError(f"{folder} is not a folder, so no machine code can be stored there", "remove it")
    if own.st_uid != os.geteuid() or own.st_mode & 0o077:
        raise UsageError(
            f"others can use the folder {folder}, so no machine code is loaded from it",
            f"make it private: chmod 700 {folder}",
        )
    for above in path.parents:
        found = os.stat(above)
        others_write = found.st_mode & 0o022 and not found.st_mode & stat.S_ISVTX
        if others_write or found.st_uid not in (0, os.geteuid()):
            raise UsageError(
                f"others can replace the folder {folder}, because they can write to {above}",
                "choose another folder for machine code",
            )


def _read(path: Path) -> bytes | None:
    """Return the machine code in a file. Return None if the file is missing, damaged or renamed, or if other users can
    change it."""
    try:
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return None
    with os.fdopen(number, "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o022:
            return None
        data = file.read()
    head = len(_MAGIC) + _DIGEST
    code = data[head:]
    if not data.startswith(_MAGIC) or _digest(path, code) != data[len(_MAGIC) : head]:
        return None
    return code


def _digest(path: Path, code: bytes) -> bytes:
    """Return a hash of machine code and of its file's name, so that a renamed file is not loaded."""
    return hashlib.sha256(path.name.encode() + code).digest()
