"""A person's approval of a project's skills. It is for the texts that the person looked at, and ends when one changes.

Instructions in the folder of a clone are other people's: without an approval they reach no model.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path

from pinebench import config, files
from pinebench.errors import UsageError

_RECORD = "approved.json"
_LIMIT = 1_000_000
_MOST = 1_000
"""The largest number of folders that are remembered; the oldest ones are asked about again."""


def is_approved(project: Path, texts: Mapping[str, str]) -> bool:
    """Whether a person has approved exactly these texts of skills, by name, in the folder `project`."""
    return _approved().get(os.path.realpath(project)) == _digest(texts)


def approve(project: Path, texts: Mapping[str, str]) -> None:
    """Remember that a person has approved these texts in this folder. Raises UsageError if it cannot be kept."""
    place = os.path.realpath(project)

    def changed(data: bytes | None) -> bytes:
        found = _parsed(data)
        found.pop(place, None)
        found[place] = _digest(texts)
        return json.dumps(dict(list(found.items())[-_MOST:]), indent=1).encode()

    files.change(os.path.join(config.private_state_folder("skills"), _RECORD), changed, private=True)


def _digest(texts: Mapping[str, str]) -> str:
    return hashlib.sha256(json.dumps(sorted(texts.items())).encode()).hexdigest()


def _approved() -> dict[str, str]:
    """The digests of approved skills by folder; empty if the record is missing or malformed."""
    try:
        return _parsed(files.read_bytes(os.path.join(config.state_folder(), "skills", _RECORD), _LIMIT))
    except UsageError:
        return {}


def _parsed(data: bytes | None) -> dict[str, str]:
    try:
        found = json.loads(data or b"")
    except (ValueError, RecursionError):
        return {}
    items = found.items() if isinstance(found, dict) else ()
    return {place: digest for place, digest in items if isinstance(digest, str)}
