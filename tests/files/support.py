"""Files of every kind that may stand where a script is expected."""

import os
import socket
import stat
from pathlib import Path

SOMEBODY = 65_534 if os.geteuid() == 0 else os.geteuid()
"""Another user where tests run as root, who may give files away; otherwise ourselves."""


def make(kind: str, path: Path) -> Path:
    """Make a thing of the named kind at `path`."""
    match kind:
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case "socket":
            with socket.socket(socket.AF_UNIX) as listener:
                listener.bind(os.path.relpath(path))
        case "device":
            _device(path)
        case "link to a pipe":
            os.mkfifo(path.with_name("pipe"))
            path.symlink_to(path.with_name("pipe"))
        case "link to a device":
            _device(path.with_name("device"))
            path.symlink_to(path.with_name("device"))
        case "link to a folder":
            path.with_name("folder").mkdir()
            path.symlink_to(path.with_name("folder"))
        case "link to nothing":
            path.symlink_to("nowhere.pine")
        case "link to itself":
            path.symlink_to(path)
        case _:
            raise AssertionError(kind)
    return path


def listing(folder: Path) -> dict[str, tuple[int, int]]:
    """Every name below `folder` with what it is and when it was made: changes when anything is replaced."""
    return {str(path.relative_to(folder)): _identity(path) for path in sorted(folder.rglob("*"))}


def _identity(path: Path) -> tuple[int, int]:
    found = path.lstat()
    return found.st_mode, found.st_ino


def _device(path: Path) -> None:
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 5))
    except PermissionError:  # whoever may not make a device cannot harm the real one either
        path.symlink_to("/dev/zero")
