"""Reads the script that a caller passes: a string, or a file."""

from __future__ import annotations

import os
from typing import NamedTuple

from pinebench import config, files

Source = str | os.PathLike[str]
"""A script: its source, or a file's path. A `str` is a path if it is one line that ends in `.pine` or `.pinescript`."""


class ScriptSource(NamedTuple):
    """A script: its text, its path, and the folders that may hold the libraries that it imports."""

    text: str
    path: str | None
    libraries: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name of the script in messages."""
        return self.path or "<text>"


def read(source: Source, libraries: tuple[str, ...] | None = None) -> ScriptSource:
    """Read the script from a string or a file. Without `libraries`, the configuration of the file supplies the folders.

    Raises UsageError if the file cannot be read.
    """
    if isinstance(source, str) and not is_file(source):
        return ScriptSource(source, None, libraries or ())
    path = os.fspath(source)
    config.forget()  # a notebook lives long, and its configuration may have been edited since
    config.hear(_warn)
    folders = config.library_folders(path) if libraries is None else libraries
    return ScriptSource(files.read(path).text, path, folders)


def _warn(said: str, advice: str) -> None:
    """Warn a program of Python of settings that do not count."""
    import warnings

    warnings.warn(f"{said} ({advice})", UserWarning, stacklevel=2)


def is_file(source: str) -> bool:
    """Return whether `source` is a file name: a single line that ends in `.pine` or `.pinescript`."""
    return "\n" not in source and source.lower().endswith(files.ENDINGS)
