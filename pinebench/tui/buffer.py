"""An open file: how it was read, its saved text, and whether another program has changed it since."""

from __future__ import annotations

import os
from typing import Literal

from pinebench import files
from pinebench.errors import UsageError

Outside = Literal["same", "changed", "gone"]
"""Whether a file is the same, changed or gone since it was read or written here."""


class Buffer:
    """A file, or a text that has no file yet.

    `file` is the content that was read or written last; `path` is absolute, or None.
    """

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
        """Open the file at `path`. A file that does not exist yet is empty. Raises UsageError if the file cannot be
        read."""
        path = os.path.abspath(path)
        try:
            return cls(path, files.read(path))
        except files.MissingFile:
            return cls(path)

    @property
    def name(self) -> str:
        """The name of the file on a tab."""
        return os.path.basename(self.path) if self.path else self._name

    @property
    def saved(self) -> str:
        """The text that was read from the file or written to it last."""
        return self.file.text

    @property
    def place(self) -> str:
        """The path that decides which configuration is used."""
        return self.path or os.path.join(os.getcwd(), "untitled.pine")

    def is_changed(self, text: str) -> bool:
        """Whether `text` differs from the saved text."""
        return text != self.saved

    def outside(self) -> Outside:
        """Return whether the file is the same, changed or gone since it was read or written here."""
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
                self._stamp = stamp  # only its time changed
                return "same"
        except UsageError:
            pass
        return "changed"

    def distrust(self) -> None:
        """Treat the file as changed by another program until it is read or written again.

        This is needed if the text here did not begin from the file's present content.
        """
        self._distrusted = True

    def theirs(self) -> files.Text:
        """Read the file as it is on disk now. Raises UsageError if it cannot be read."""
        assert self.path is not None
        return files.read(self.path)

    def take(self, file: files.Text) -> None:
        """Take `file`, which is on disk now, as the saved content."""
        self.file = file
        self.is_new = False
        self._distrusted = False
        self._stamp = self._look()

    def save(self, text: str) -> str | None:
        """Write `text` to the file, in the file's encoding. Return a message for the person, or None.

        Raises UsageError, and changes nothing, if the file cannot be written.
        """
        assert self.path is not None
        said = files.write_atomically(self.path, self.file.encode(text))
        self.take(self.file._replace(text=text))
        return said

    def save_as(self, path: str, text: str, *, replace: bool) -> str | None:
        """Write `text` to the file `path`, which becomes this buffer's file. Return a message for the person, or None.

        An existing file is only overwritten with `replace`. Raises UsageError, and changes nothing, if the file cannot
        be written.
        """
        path = os.path.abspath(path)
        data = self.file.encode(text)
        said = files.write_atomically(path, data) if replace else files.create(path, data)
        self.path = path
        self.take(self.file._replace(text=text))
        return said

    def _look(self) -> tuple[int, int, int] | None:
        """The file's time of change, size and inode, which change when it is written; None if there is no file."""
        if self.path is None:
            return None
        try:
            found = os.stat(self.path)
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino
