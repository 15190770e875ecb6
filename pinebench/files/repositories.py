"""Which git repository a folder is of, and where that keeps what it leaves out for itself; git is not asked.

A second work tree and a submodule have a file `.git` that names their git folder, as gitrepository-layout(5) says.
"""

from __future__ import annotations

import os

from pinebench import files
from pinebench.errors import UsageError

_MARK = ".git"


def root_of(folder: str) -> str | None:
    """The nearest folder from `folder` upwards that is a repository, be it a part of another; None where none is."""
    while not is_root(folder):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def is_root(folder: str) -> bool:
    """Whether `folder` is a repository, be it a part of another."""
    return os.path.lexists(os.path.join(folder, _MARK))


def outermost(folder: str) -> str | None:
    """The repository that `folder` is of, and where that is a submodule, the one that it is a part of; None where there
    is none."""
    root = root_of(folder)
    if root is None or not is_submodule(root):
        return root
    return outermost(os.path.dirname(root)) or root


def is_submodule(root: str) -> bool:
    """Whether the repository at `root` is a part of another one, which keeps its git folder."""
    if not os.path.isfile(os.path.join(root, _MARK)):
        return False
    folder = _git_folder(root)
    if os.path.basename(os.path.dirname(folder)) == "worktrees" and (
        _common(folder) != folder or not os.path.isdir(folder)
    ):  # a second work tree, of a submodule perhaps
        return False
    names = folder.split(os.sep)
    above = (os.sep.join(names[:place]) for place, name in enumerate(names) if name == "modules")
    return any(map(_is_git_folder, above))


def exclude_file(root: str) -> str:
    """The file with what the repository at `root` leaves out for itself alone; it may not exist."""
    return os.path.join(_common(_git_folder(root)), "info", "exclude")


def _git_folder(root: str) -> str:
    """Where git keeps what it knows of the work tree at `root`."""
    mark = os.path.join(root, _MARK)
    named = _line(mark).removeprefix("gitdir:").strip() if os.path.isfile(mark) else ""
    return os.path.normpath(os.path.join(root, named)) if named else mark


def _common(folder: str) -> str:
    """What all work trees of the repository share with the git folder of one."""
    named = _line(os.path.join(folder, "commondir"))
    return os.path.normpath(os.path.join(folder, named)) if named else folder


def _is_git_folder(folder: str) -> bool:
    return folder.endswith(_MARK) or os.path.isfile(os.path.join(folder, "HEAD"))


def _line(file: str) -> str:
    """What the file says in its one line; empty where it cannot be read, or says nothing that could be a path."""
    try:
        said = os.fsdecode(files.read_bytes(file)).strip()
    except UsageError:
        return ""
    return "" if "\0" in said else said
