"""What reports that others read call a file: its path in the repository, from whichever folder the run was started."""

from __future__ import annotations

import os
from functools import cache

from pinebench.files import repositories
from pinebench.linter.findings import may_have_file

_CHECKOUTS = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")
"""Where GitHub and GitLab say that the repository lies."""


def in_repository(path: str) -> str | None:
    """The path, from the root of the repository, of the file that is called `path` in a report; None for one outside.

    The repository is that of the folder the run was started in, or where that is in none, the file's; the outermost
    where one is a part of another. Where there is none at all, a path is as it was given. What has no file, as standard
    input, is outside.
    """
    if not may_have_file(path):
        return None
    absolute = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
    root = _root_for(os.getcwd()) or _root_for(os.path.dirname(absolute))
    if root is None:
        return path.replace(os.sep, "/")
    inside = absolute.startswith(os.path.join(root, ""))
    return os.path.relpath(absolute, root).replace(os.sep, "/") if inside else None


def outside(path: str) -> str:
    """What a file outside the repository is called where it must have a name: nothing that a file in it could have."""
    return os.path.abspath(path).replace(os.sep, "/") if may_have_file(path) else path


@cache
def _root_for(folder: str) -> str | None:
    return repositories.outermost(folder) or _checkout_around(folder)


def _checkout_around(folder: str) -> str | None:
    """The folder into which a CI service laid the repository, where it holds `folder`: some come without `.git`."""
    named = (os.environ.get(name) for name in _CHECKOUTS)
    roots = (os.path.realpath(root) for root in named if root)
    return next((root for root in roots if os.path.join(folder, "").startswith(os.path.join(root, ""))), None)
