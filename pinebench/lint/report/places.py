"""What reports that others read call a file: its path in the repository, from whichever folder the run was started."""

from __future__ import annotations

import os
from functools import cache


def in_repository(path: str) -> str | None:
    """The path, from the root of the repository, of the file that is called `path` in a report; None for one outside.

    The repository is that of the folder the run was started in, or where that is in none, the file's. Where there is no
    repository at all, a path is as it was given. What has no file, as standard input, is outside.
    """
    if path.startswith("<"):
        return None
    absolute = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
    root = _repository(os.getcwd()) or _repository(os.path.dirname(absolute))
    if root is None:
        return path.replace(os.sep, "/")
    inside = absolute.startswith(os.path.join(root, ""))
    return os.path.relpath(absolute, root).replace(os.sep, "/") if inside else None


def outside(path: str) -> str:
    """What a file outside the repository is called where it must have a name: nothing that a file in it could have."""
    return path if path.startswith("<") else os.path.abspath(path).replace(os.sep, "/")


@cache
def _repository(folder: str) -> str | None:
    """The nearest folder from `folder` upwards that is a repository; one that is a part of another is none."""
    marker = os.path.join(folder, ".git")
    if os.path.exists(marker) and not _is_submodule(marker):
        return folder
    parent = os.path.dirname(folder)
    return None if parent == folder else _repository(parent)


def _is_submodule(marker: str) -> bool:
    if not os.path.isfile(marker):
        return False
    from pinebench import files
    from pinebench.errors import UsageError

    try:
        return b"/.git/modules/" in files.read_bytes(marker)
    except UsageError:
        return False
