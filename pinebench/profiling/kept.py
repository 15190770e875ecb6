"""Stores the last profile of each script in the cache, so that editors can show it beside the lines."""

from __future__ import annotations

import contextlib
import json
import os
from hashlib import blake2b
from typing import Any

from pinebench import config, decoding, files
from pinebench.errors import UsageError
from pinebench.profiling.measurement import Profile

_MOST = 200
"""The number of profiles to keep; older ones are deleted."""
_SHAPE: dict[str, Any] = {"whole_ms": float, "lines": [{"line": int, "ms": float, "runs": int}]}


def keep(source: str, profile: Profile) -> None:
    """Store the costs of the lines of the script `source` from its profile. If the cache cannot be written, do
    nothing."""
    lines = [{"line": one.line, "ms": 1000 * one.seconds, "runs": one.runs} for one in profile.lines]
    document = json.dumps({"whole_ms": 1000 * profile.whole, "lines": lines}).encode()
    with contextlib.suppress(OSError, UsageError):
        os.makedirs(_folder(), exist_ok=True)
        files.write_atomically(_file(source), document, private=True, durable=False)
        _forget_oldest()


def kept(source: str) -> dict[str, Any] | None:
    """Return the stored costs of exactly this source: `whole_ms`, and `lines` with `line`, `ms` and `runs`. Return None
    if none are stored."""
    try:
        return decoding.loads(files.read_bytes(_file(source)), _SHAPE)
    except (UsageError, KeyError, TypeError, ValueError):
        return None


def _folder() -> str:
    return os.path.join(config.cache_folder(), "profiles")


def _file(source: str) -> str:
    return os.path.join(
        _folder(), blake2b(source.encode("utf-8", "surrogatepass"), digest_size=20).hexdigest() + ".json"
    )


def _forget_oldest() -> None:
    entries = sorted(os.scandir(_folder()), key=lambda entry: entry.stat().st_mtime)
    for entry in entries[: max(0, len(entries) - _MOST)]:
        os.unlink(entry.path)
