"""Finds the git repository of a folder, and the file with its private exclusions, without calling git.

A linked work tree and a submodule have a file `.git` that names their git folder; see gitrepository-layout(5).
"""

from __future__ import annotations

import os

from pinebench import files
from pinebench.errors import UsageError

_MARK = ".git"


def root_of(folder: str) -> str | None:
    """Return the root of the nearest repository or submodule from `folder` upwards, or None if there is none."""
    while not is_root(folder):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def is_root(folder: str) -> bool:
    """Return whether `folder` is the root of a repository or of a submodule."""
    return os.path.lexists(os.path.join(folder, _MARK))


def outermost(folder: str) -> str | None:
    """Return the root of the nearest repository around `folder` that is not a submodule, or None if there is no
    repository. A submodule's own root is returned if no other repository is around it."""
    root = root_of(folder)
    if root is None or not is_submodule(root):
        return root
    return outermost(os.path.dirname(root)) or root


def is_submodule(root: str) -> bool:
    """Return whether the repository at `root` is a submodule of another one, which holds its git folder."""
    if not os.path.isfile(os.path.join(root, _MARK)):
        return False
    folder = _git_folder(root)
    if os.path.basename(os.path.dirname(folder)) == "worktrees" and (
        _common(folder) != folder or not os.path.isdir(folder)
    ):  # a linked work tree, perhaps of a submodule
        return False
    names = folder.split(os.sep)
    above = (os.sep.join(names[:place]) for place, name in enumerate(names) if name == "modules")
    return any(map(_is_git_folder, above))


def exclude_file(root: str) -> str:
    """Return the path of git's `info/exclude` for the repository at `root`. The file may not exist."""
    return os.path.join(_common(_git_folder(root)), "info", "exclude")


def _git_folder(root: str) -> str:
    """The git folder of the work tree at `root`."""
    mark = os.path.join(root, _MARK)
    named = _line(mark).removeprefix("gitdir:").strip() if os.path.isfile(mark) else ""
    return os.path.normpath(os.path.join(root, named)) if named else mark


def _common(folder: str) -> str:
    """The part of the git folder that all work trees of the repository share."""
    named = _line(os.path.join(folder, "commondir"))
    return os.path.normpath(os.path.join(folder, named)) if named else folder


def _is_git_folder(folder: str) -> bool:
    return folder.endswith(_MARK) or os.path.isfile(os.path.join(folder, "HEAD"))


def _line(file: str) -> str:
    """The single line of a file. Empty if it cannot be read, or contains a NUL byte."""
    try:
        said = os.fsdecode(files.read_bytes(file)).strip()
    except UsageError:
        return ""
    return "" if "\0" in said else said
