"""Reads the user's TOML files, with a size limit and clear errors."""

from __future__ import annotations

import os
from typing import Any

from pinebench.errors import UsageError
from pinebench.files.regular_files import LIMIT, read_named


def read_toml(path: str | os.PathLike[str], limit: int = LIMIT, hint: str | None = None) -> dict[str, Any]:
    """Return the table in the TOML file at `path`, of at most `limit` bytes.

    Raises UsageError if it is not TOML. `hint` says what was expected.
    """
    import tomllib  # imported here, because most commands read no TOML

    try:
        # TOML has no byte order mark, but editors on Windows write one
        return tomllib.loads(read_named(path, limit).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{path} is not UTF-8 text: byte {error.object[error.start]:#04x} at offset {error.start}"
        ) from None
    except ValueError as error:  # also for a number with more digits than Python reads
        raise UsageError(f"{path} is not TOML: {error}", hint) from None
    except RecursionError:
        raise UsageError(f"{path} is not TOML: it is nested too deeply", hint) from None
