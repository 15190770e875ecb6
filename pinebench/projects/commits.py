"""Commits scripts that were pulled from the account to the git repository of their folder."""

from __future__ import annotations

import os
import subprocess

from pinebench.errors import UnavailableError, UsageError
from pinebench.files import repositories

_SECONDS = 60


def check(folder: str) -> None:
    """Raise UsageError if `folder` is not in a git repository."""
    if repositories.outermost(os.path.abspath(folder)) is None:
        raise UsageError(f"{folder} is not in a git repository", "run 'git init' there, or leave out --git")


def commit(folder: str, names: list[str], message: str) -> bool:
    """Commit the files `names` of `folder`, and no other changed or staged files. Return whether there was a change.

    A missing file that git knows is committed as removed. Raises UnavailableError with git's own message if git
    refuses.
    """
    names = [each for each in names if os.path.lexists(os.path.join(folder, each)) or _is_tracked(folder, each)]
    _git(folder, "add", "--", *names)
    if not _git(folder, "status", "--porcelain", "--", *names).strip():
        return False
    _git(folder, "commit", "--quiet", "--message", message, "--only", "--", *names)
    return True


def _is_tracked(folder: str, name: str) -> bool:
    return bool(_git(folder, "ls-files", "--", name))


def _git(folder: str, *arguments: str) -> str:
    try:
        done = subprocess.run(
            ["git", "--literal-pathspecs", "-C", folder, *arguments],
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UnavailableError(f"git cannot be run: {error}", "install git, or leave out --git") from None
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise UnavailableError(
            f"git {arguments[0]} failed: {said[0] if said else 'it gave no reason'}", "commit the file yourself"
        )
    return done.stdout
