"""The names of files in reports for other programs: their paths in the repository, whatever the current folder is."""

from __future__ import annotations

import os
from functools import cache

from pinebench.files import repositories
from pinebench.linter.findings import may_have_file

_CHECKOUTS = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")
"""The variables in which GitHub and GitLab give the folder of the repository."""


def in_repository(path: str) -> str | None:
    """Return the path, relative to the repository, of the file that a report calls `path`, or None for a file outside
    it.

    The repository is the one around the current folder or, if there is none, around the file. If one repository is
    inside another, the outer one is used. If there is no repository at all, the path is returned unchanged. A source
    without a file, such as standard input, is outside.
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
    """Return the name of a file outside the repository for formats that require one: its absolute path."""
    return os.path.abspath(path).replace(os.sep, "/") if may_have_file(path) else path


@cache
def _root_for(folder: str) -> str | None:
    return repositories.outermost(folder) or _checkout_around(folder)


def _checkout_around(folder: str) -> str | None:
    """The folder with the repository that a CI service names, if it contains `folder`; some checkouts lack `.git`."""
    named = (os.environ.get(name) for name in _CHECKOUTS)
    roots = (os.path.realpath(root) for root in named if root)
    return next((root for root in roots if os.path.join(folder, "").startswith(os.path.join(root, ""))), None)
