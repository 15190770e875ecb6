"""Keeps what a file held before guesses replace it, so that a person can go back to it."""

from __future__ import annotations

import hashlib
import os

from pinebench import config, files

_FOLDER = "replaced"


def keep(path: str, data: bytes) -> str:
    """Keep `data`, what the file at `path` holds, as a file of its own in the state folder; returns that file's path.

    The same content is kept once. Raises UsageError when it cannot be written.
    """
    folder = config.private_state_folder(_FOLDER)
    stem, ending = os.path.splitext(os.path.basename(path))
    kept = os.path.join(folder, f"{stem[:100]}-{hashlib.sha256(data).hexdigest()[:12]}{ending}")
    if not os.path.exists(kept):
        files.write_atomically(kept, data)
    return kept
