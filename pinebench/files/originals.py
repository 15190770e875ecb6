"""Saves the content of a file before pinebench replaces it, so that a person can restore it."""

from __future__ import annotations

import os

from pinebench import config, files

_FOLDER = "replaced"


def keep(path: str, data: bytes) -> str:
    """Save `data`, the content of the file at `path`, in the state folder, and return the path of the copy.

    The same content is saved only once. Raises UsageError if the copy cannot be written.
    """
    import hashlib  # imported here, because loading it takes as long as checking a short script

    folder = config.private_state_folder(_FOLDER)
    stem, ending = os.path.splitext(os.path.basename(path))
    stem = f"{os.fsencode(stem)[:200].decode('utf-8', 'ignore')}-{hashlib.sha256(data).hexdigest()[:12]}"
    number = 1
    while True:
        kept = os.path.join(folder, f"{stem}{f'-{number}' if number > 1 else ''}{ending}")
        try:
            if files.read_bytes(kept) == data:
                return kept
        except files.MissingFile:
            files.write_atomically(kept, data, private=True)
            return kept
        number += 1  # a person may have worked on in a copy
