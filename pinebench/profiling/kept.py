"""Keeps the last profile of each script in the cache, so that editors can show it beside the lines."""

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


def keep(source: str, told: Profile) -> None:
    """Keep the costs of the lines of a script. If the cache cannot be written, nothing is kept."""
    lines = [{"line": one.line, "ms": 1000 * one.seconds, "runs": one.runs} for one in told.lines]
    document = json.dumps({"whole_ms": 1000 * told.whole, "lines": lines}).encode()
    with contextlib.suppress(OSError, UsageError):
        os.makedirs(_folder(), exist_ok=True)
        files.write_atomically(_file(source), document, private=True, durable=False)
        _forget_oldest()


def kept(source: str) -> dict[str, Any] | None:
    """The costs that were kept for exactly this text: `whole_ms`, and `lines` with `line`, `ms` and `runs`."""
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
