"""Records a person's approval of a folder's skills, and of its settings that have an effect outside the folder.

An approval covers exactly the texts that the person saw, and ends when one of them changes. The files of a cloned
folder come from other people, so they have no effect outside the folder without an approval.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pinebench import files
from pinebench.config.folders import private_state_folder, state_folder
from pinebench.errors import UsageError

Kind = Literal["skills", "settings"]
"""The things that are approved; each kind has a record of its own in the state folder."""
_RECORD = "approved.json"
_LIMIT = 1_000_000
_MOST = 1_000
"""The largest number of folders and files that are remembered; the oldest ones need a new approval."""


def is_approved(kind: Kind, place: str | Path, texts: Mapping[str, str]) -> bool:
    """Check whether a person has approved exactly these `texts` (text by name) for the folder or file `place`."""
    return _approved(kind).get(os.path.realpath(place)) == _digest(texts)


def approve(kind: Kind, place: str | Path, texts: Mapping[str, str]) -> None:
    """Record that a person has approved `texts` (text by name) for the folder or file `place`. Raises UsageError if the
    record cannot be written."""
    real = os.path.realpath(place)

    def changed(data: bytes | None) -> bytes:
        found = _parsed(data)
        found.pop(real, None)
        found[real] = _digest(texts)
        return json.dumps(dict(list(found.items())[-_MOST:]), indent=1).encode()

    files.change(os.path.join(private_state_folder(kind), _RECORD), changed, private=True)


def _digest(texts: Mapping[str, str]) -> str:
    return hashlib.sha256(json.dumps(sorted(texts.items())).encode()).hexdigest()


def _approved(kind: Kind) -> dict[str, str]:
    """The approved digests by place; empty if the record is missing or malformed."""
    try:
        return _parsed(files.read_bytes(os.path.join(state_folder(), kind, _RECORD), _LIMIT))
    except UsageError:
        return {}


def _parsed(data: bytes | None) -> dict[str, str]:
    try:
        found = json.loads(data or b"")
    except (ValueError, RecursionError):
        return {}
    items = found.items() if isinstance(found, dict) else ()
    return {place: digest for place, digest in items if isinstance(digest, str)}
