"""Where pinebench keeps what is the user's and no project's: what can be made again, and work in progress."""

from __future__ import annotations

import os


def cache_folder() -> str:
    """Where what can be made again is kept: the user's cache folder for pinebench; it may not exist yet."""
    import platformdirs

    return os.environ.get("PINEBENCH_CACHE_DIR") or platformdirs.user_cache_dir("pinebench", appauthor=False)


def state_folder() -> str:
    """Where a user's work in progress is kept, such as journals; it may not exist yet."""
    import platformdirs

    return os.environ.get("PINEBENCH_STATE_DIR") or platformdirs.user_state_dir("pinebench", appauthor=False)


_EARLIER = ("runs", "screenshots", "replaced", "bindings.json", "studio.sqlite3", "studio.sqlite3-wal")
"""What earlier versions left in the state folder, readable by all; what came later was made private from the start."""

_corrected: set[str] = set()
"""State folders in which this process has seen to that."""


def private_state_folder(name: str = "") -> str:
    """The folder `name` in the state folder (empty: that folder itself), made where it is missing; it and all in it are
    the user's alone.

    What earlier versions left beside it becomes so too, and the state folder itself, unless other things have their
    place in it, as in `/tmp` or in a home folder. Raises UsageError when it cannot be made.
    """
    from pinebench import files

    state = state_folder()
    inner = os.path.join(state, name) if name else state
    if name or not os.path.isdir(state):
        files.private_folder(inner)
    if state not in _corrected:
        _corrected.add(state)
        for earlier in _EARLIER:
            files.make_private(os.path.join(state, earlier))
    if not _is_shared(state):
        files.restrict(state)
    return inner


def _is_shared(folder: str) -> bool:
    """Whether `folder` is no folder of ours: one for everybody, or one that the home or the working folder is in."""
    found = os.path.realpath(folder)
    inside = (os.path.realpath(os.path.expanduser("~")), os.getcwd())
    return bool(os.stat(found).st_mode & 0o1000) or any(os.path.commonpath([found, path]) == found for path in inside)
