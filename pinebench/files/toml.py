"""The one reader of TOML that others wrote."""

from __future__ import annotations

import os
from typing import Any

from pinebench.errors import UsageError
from pinebench.files.reading import LIMIT, read_bytes


def read_toml(path: str | os.PathLike[str], limit: int = LIMIT, hint: str | None = None) -> dict[str, Any]:
    """The table that the TOML file at `path`, of at most `limit` bytes, holds. Raises UsageError for what is none, with
    `hint` on what was expected."""
    import tomllib  # here, because most commands read none

    try:
        # TOML knows no byte order mark, but editors on Windows write one.
        return tomllib.loads(read_bytes(path, limit).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: is not UTF-8 text: byte {error.object[error.start]:#04x} at {error.start}") from None
    except ValueError as error:  # also for a number of more digits than Python reads
        raise UsageError(f"{path}: is not TOML: {error}", hint) from None
    except RecursionError:
        raise UsageError(f"{path}: is not TOML: it nests too deep", hint) from None
