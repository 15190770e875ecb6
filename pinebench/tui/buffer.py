"""An open file: its encoding, its saved text, and a check for changes by other programs."""

from __future__ import annotations

import os
from typing import NamedTuple

from pinebench import files
from pinebench.errors import UsageError
from pinebench.files import FileState, Outside

GUESSED = "windows-1252", "latin-1"
"""Encodings that are tried for a file that is neither UTF-8 nor UTF-16. The last one fits any bytes."""


class FileContent(NamedTuple):
    """The content of a file: its text, its state on disk, and whether its encoding is only guessed."""

    text: files.DecodedText
    state: FileState
    is_guessed: bool = False


class Buffer:
    """A file, or a text that has no file yet.

    `file` is the text that was read or written last; `path` is absolute, or None.
    """

    def __init__(self, path: str | None = None, content: FileContent | None = None, name: str = "") -> None:
        self.path = path
        self.file = content.text if content else files.DecodedText("")
        self.is_new = content is None
        """Whether there is no such file yet."""
        self.is_guessed = content is not None and content.is_guessed
        """Whether the encoding of the file is only guessed. Then the file is never written."""
        self._name = name
        self._state = content.state if content else None
        self._distrusted = False

    @classmethod
    def open(cls, path: str) -> Buffer:
        """Open the file at `path`; a file that does not exist yet has an empty text. Raises UsageError if it cannot be
        read."""
        path = os.path.abspath(path)
        try:
            return cls(path, _content(path))
        except files.MissingFile:
            return cls(path)

    @property
    def name(self) -> str:
        """The name of the file, for its tab."""
        return os.path.basename(self.path) if self.path else self._name

    @property
    def saved(self) -> str:
        """The text that was read from the file or written to it last."""
        return self.file.text

    @property
    def held(self) -> bytes | None:
        """The content that was read from the file or written to it last; None if there was no file."""
        return self._state.data if self._state is not None else None

    @property
    def written(self) -> float:
        """The file's modification time when it was read, in seconds since 1970; 0 if it is unknown."""
        return self._state.modified if self._state is not None else 0.0

    @property
    def place(self) -> str:
        """The path whose configuration applies to the text: the file's path, or a path in the working folder."""
        return self.path or os.path.join(os.getcwd(), "untitled.pine")

    def is_changed(self, text: str) -> bool:
        """Return whether `text` differs from the saved text."""
        return text != self.saved

    def outside(self) -> Outside:
        """Return the state of the file since it was read or written here: the same, changed or gone."""
        if self.path is None:
            return "same"
        held = self._state
        found, newer = files.compare(self.path, held)
        if self._state is not held:
            return "same"  # it was read or written in this moment
        self._state = newer
        return "changed" if found == "same" and self._distrusted else found

    def distrust(self) -> None:
        """Treat the file as changed by another program until it is read or written again. This is needed if the text in
        the editor is not based on the file's current content."""
        self._distrusted = True

    def doubt(self) -> None:
        """Compare the file's content at the next check, even if its modification time is the same."""
        if self._state is not None:
            self._state = FileState(self._state.data)

    def theirs(self) -> FileContent:
        """Read the file as it is on disk now. Raises UsageError if it cannot be read."""
        assert self.path is not None
        return _content(self.path)

    def take(self, content: FileContent) -> None:
        """Make `content`, which was read from the file or written to it, the saved content."""
        self.file, self._state, self.is_guessed = content
        self.is_new = False
        self._distrusted = False

    def save(self, text: str, before: bytes | None) -> str | None:
        """Write `text` to the file, in the file's encoding. Return a message for the person, or None.

        The file is only replaced if its content is still `before`; None means that there is no file. Raises ChangedFile
        if the file has different content, and UsageError if the file cannot be written. Neither changes anything.
        """
        assert self.path is not None
        if self.is_guessed:
            raise UsageError(
                f"{self.path} is not UTF-8, and its encoding is only guessed", "save it under another name (alt+s)"
            )
        return self._write(self.path, self.file, text, before)

    def save_as(self, path: str, text: str, before: bytes | None) -> str | None:
        """Write `text` to the file `path`, and make it this buffer's file. See `save` for `before`, the result and the
        errors.

        A text whose encoding was guessed is written as UTF-8.
        """
        form = files.DecodedText(self.file.text) if self.is_guessed else self.file
        said = self._write(os.path.abspath(path), form, text, before)
        self.path = os.path.abspath(path)
        return said

    def _write(self, path: str, form: files.DecodedText, text: str, before: bytes | None) -> str | None:
        data = form.encode(text)
        said = files.replace(path, data, before, hint="")
        # The file has no stamp yet: the next look reads it, so that no later change is taken for this content.
        self.take(FileContent(form._replace(text=text), FileState(data)))
        return said


def _content(path: str) -> FileContent:
    state = files.read_state(path)
    try:
        return FileContent(files.decode(state.data, path), state)
    except UsageError:
        guessed = _guessed(state.data)
        if guessed is None:
            raise
        return FileContent(guessed, state, is_guessed=True)


def _guessed(data: bytes) -> files.DecodedText | None:
    """The text in bytes that are not UTF-8, in the first encoding that fits; None if they do not hold text."""
    if b"\0" in data:
        return None
    for encoding in GUESSED:
        try:
            return files.DecodedText(data.decode(encoding), encoding)
        except UnicodeDecodeError:
            continue
    return None
