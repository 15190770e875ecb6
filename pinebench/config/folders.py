"""The user's own folders: the cache, and the state with work in progress."""

from __future__ import annotations

import os


def cache_folder() -> str:
    """Return the user's cache folder for pinebench, for data that can be recreated. It may not exist yet."""
    import platformdirs

    return os.environ.get("PINEBENCH_CACHE_DIR") or platformdirs.user_cache_dir("pinebench", appauthor=False)


def state_folder() -> str:
    """Return the user's state folder for pinebench, for work in progress such as journals. It may not exist yet."""
    import platformdirs

    return os.environ.get("PINEBENCH_STATE_DIR") or platformdirs.user_state_dir("pinebench", appauthor=False)


_EARLIER = ("runs", "screenshots", "replaced", "bindings.json", "studio.sqlite3", "studio.sqlite3-wal")
"""The entries that earlier versions left in the state folder, readable by all. Later ones were made private from the
start."""

_corrected: set[str] = set()
"""The state folders that this process has corrected already."""


def private_state_folder(name: str = "") -> str:
    """Return the folder `name` in the state folder, or the state folder itself if `name` is empty. The folder is
    created if missing, and everything in it is made private to the user.

    Entries of earlier versions next to it become private too, and so does the state folder itself, unless it is a
    shared folder such as `/tmp` or a home folder. Raises UsageError if it cannot be created.
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
    """Whether `folder` is shared: open to everybody, or an ancestor of the home folder or the working folder."""
    found = os.path.realpath(folder)
    inside = (os.path.realpath(os.path.expanduser("~")), os.getcwd())
    return bool(os.stat(found).st_mode & 0o1000) or any(os.path.commonpath([found, path]) == found for path in inside)
