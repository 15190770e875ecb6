"""One open file: how it was read, what of it is saved, and whether somebody else has changed it meanwhile."""

from __future__ import annotations

import os
from typing import Literal

from pinebench import files
from pinebench.errors import UsageError

Outside = Literal["same", "changed", "gone"]
"""What became of a file since it was read or written here."""


class Buffer:
    """A file, or a text that has none yet. `file` is what was read or written last, `path` is absolute."""

    def __init__(self, path: str | None = None, file: files.Text | None = None, name: str = "") -> None:
        self.path = path
        self.file = file or files.Text("")
        self.is_new = file is None
        """Whether there is no such file yet."""
        self._name = name
        self._stamp = self._look()
        self._distrusted = False

    @classmethod
    def open(cls, path: str) -> Buffer:
        """The file at `path`; one that is not there yet is empty. Raises UsageError where it cannot be read."""
        path = os.path.abspath(path)
        try:
            return cls(path, files.read(path))
        except files.MissingFile:
            return cls(path)

    @property
    def name(self) -> str:
        """What the file is called on a tab."""
        return os.path.basename(self.path) if self.path else self._name

    @property
    def saved(self) -> str:
        """The text that the file holds, as far as is known here."""
        return self.file.text

    @property
    def place(self) -> str:
        """The path whose configuration counts."""
        return self.path or os.path.join(os.getcwd(), "untitled.pine")

    def is_changed(self, text: str) -> bool:
        """Whether `text` is another than what is saved."""
        return text != self.saved

    def outside(self) -> Outside:
        """What became of the file since it was read or written here."""
        if self.path is None:
            return "same"
        stamp = self._look()
        if stamp == self._stamp and not self._distrusted:
            return "same"
        if stamp is None:
            return "gone"
        if self._distrusted:
            return "changed"
        try:
            if not self.is_new and files.read_bytes(self.path) == self.file.encode(self.file.text):
                self._stamp = stamp  # only touched
                return "same"
        except UsageError:
            pass
        return "changed"

    def distrust(self) -> None:
        """Count the file as changed by somebody else until it is read or written again, since the text here did not
        begin from what it holds."""
        self._distrusted = True

    def theirs(self) -> files.Text:
        """The file as it is on disk now. Raises UsageError where it cannot be read."""
        assert self.path is not None
        return files.read(self.path)

    def take(self, file: files.Text) -> None:
        """Count `file`, as it is on disk, for what is saved."""
        self.file = file
        self.is_new = False
        self._distrusted = False
        self._stamp = self._look()

    def save(self, text: str) -> str | None:
        """Write `text` to the file, in the encoding that it has; answers what a person should be told, or None.

        Raises UsageError, and changes nothing, where it cannot be written.
        """
        assert self.path is not None
        said = files.write_atomically(self.path, self.file.encode(text))
        self.take(self.file._replace(text=text))
        return said

    def save_as(self, path: str, text: str, *, replace: bool) -> str | None:
        """Write `text` to the file `path` and go on with that; one that is there is only written over with `replace`.

        Raises UsageError, and changes nothing, where that cannot be done.
        """
        path = os.path.abspath(path)
        data = self.file.encode(text)
        said = files.write_atomically(path, data) if replace else files.create(path, data)
        self.path = path
        self.take(self.file._replace(text=text))
        return said

    def _look(self) -> tuple[int, int, int] | None:
        """What changes when a file is written; None where there is none."""
        if self.path is None:
            return None
        try:
            found = os.stat(self.path)
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino
