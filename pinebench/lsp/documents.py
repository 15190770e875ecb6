"""The scripts that are open in an editor, and the libraries that they import. Open libraries take precedence."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from lsprotocol import types

from pinebench import config, files
from pinebench.checker import LibraryFolders
from pinebench.errors import UsageError
from pinebench.files.libraries import candidates, find_library, locate_library
from pinebench.lsp.positions import UTF16, Positions
from pinebench.services import OpenScript, ScriptView
from pinebench.syntax import Snapshot

if TYPE_CHECKING:
    from pinebench.migration import Conversion

_DRIVE = re.compile(r"/?([A-Za-z]):(/.*)")
_LIBRARY = re.compile(r"(?m)^library\s*\((?:\s*|[^\"')]*\btitle\s*=\s*)[\"']([^\"'\r\n]+)[\"']")


def path_of(uri: str) -> str | None:
    """Return the path of the file that a URI names, percent-encoded or not. Return None if it does not name a file
    (`untitled:…`)."""
    parts = urlsplit(uri)
    if parts.scheme != "file":
        return None
    path = unquote(parts.path)
    drive = _DRIVE.fullmatch(path)
    if drive is not None:
        path = f"{drive[1].lower()}:{drive[2]}"
    elif parts.netloc and parts.netloc != "localhost":
        path = f"//{unquote(parts.netloc)}{path}"
    return path.replace("/", "\\") if os.name == "nt" else path


def uri_of(path: str) -> str:
    """Return the URI of a file."""
    from pathlib import Path

    return Path(os.path.abspath(path)).as_uri()


def key_of(uri: str) -> str:
    """Return a key that is the same for all spellings of a URI, because editors percent-encode different characters."""
    path = path_of(uri)
    return unquote(uri) if path is None else f"file:{os.path.normpath(path)}"


class EditorDocument:
    """A script that is open, or that was read for a search: its text, the editor's version number, and the editor's
    URI."""

    def __init__(self, item: types.TextDocumentItem) -> None:
        self.uri = item.uri
        self.path = path_of(item.uri)
        self.version = item.version
        self.script = OpenScript(item.text)
        self.converted: tuple[ScriptView, Conversion] | None = None
        """The last state that was converted to v6, and its conversion."""
        self.tokens: types.SemanticTokens | None = None
        """The last answer with all semantic tokens, so that the next answer can be a difference."""
        self.seconds = 0.0
        """The seconds that the last diagnostics took."""
        self.was_library = False
        """Whether the text declared a library before its last change."""
        self._answers = 0

    @classmethod
    def unread(cls, file: str) -> EditorDocument:
        """Return the script of a file without its text: enough to find the libraries that it can import."""
        return cls(types.TextDocumentItem(uri_of(file), "pine", 0, ""))

    def number_tokens(self, tokens: types.SemanticTokens) -> types.SemanticTokens:
        """Assign an identifier to an answer with all tokens, store the answer, and return it."""
        self._answers += 1
        tokens.result_id = str(self._answers)
        self.tokens = tokens
        return tokens

    @property
    def view(self) -> ScriptView:
        """The current state of the script."""
        return self.script.view

    @property
    def title(self) -> str | None:
        """The name that a library declares, or None for a script that is not a library."""
        found = _LIBRARY.search(self.view.text)
        return found[1] if found is not None else None


class Shelf:
    """The libraries that the open script `importer` can import. Each library is looked up once."""

    def __init__(self, folders: tuple[str, ...], documents: Documents, importer: EditorDocument) -> None:
        self.folders = folders
        self._documents = documents
        self._own = importer
        self._disk = LibraryFolders(folders)

    def read(self, path: str) -> Snapshot | None:
        """Return the library `path` from another tab, or else from disk."""
        tab = self.tab(path)
        return tab.view.snapshot if tab is not None else self._disk.read(path)

    def tab(self, path: str) -> EditorDocument | None:
        """Return the open document that is the library `path`: its file is where the library would be found, or it has
        no file yet and declares the library's name."""
        files = {key_of(uri_of(file)) for file in candidates(self.folders, path)}
        name = path.split("/")[1] if path.count("/") == 2 else ""
        others = [each for each in self._documents.all() if each is not self._own]
        at_file = next((each for each in others if key_of(each.uri) in files), None)
        unsaved = (each for each in others if each.path is None and each.title == name)
        return at_file or next(unsaved, None)

    def unsaved(self, paths: Iterable[str]) -> list[str]:
        """Return the libraries among `paths` whose tab has another text than the file that would be found."""
        tabs = {path: self.tab(path) for path in paths}
        return [path for path, tab in tabs.items() if tab and find_library(self.folders, path) != tab.view.text]

    def uri(self, path: str) -> str | None:
        """Return the URI where the library `path` can be opened, or None."""
        tab = self.tab(path)
        if tab is not None:
            return tab.uri
        try:
            found = locate_library(self.folders, path)
        except UsageError:
            return None
        return uri_of(found[0]) if found is not None else None


class Documents:
    """The open scripts by URI."""

    def __init__(self) -> None:
        self.encoding = UTF16
        self.folders: list[str] = []
        """The paths of the workspace's folders."""
        self.library_paths: list[str] = []
        """Library folders from the editor's settings, besides the ones of the configuration."""
        self._open: dict[str, EditorDocument] = {}

    def all(self) -> list[EditorDocument]:
        """Return every open script."""
        return list(self._open.values())

    def get(self, uri: str) -> EditorDocument | None:
        """Return the open script with this URI."""
        return self._open.get(key_of(uri))

    def open(self, item: types.TextDocumentItem) -> EditorDocument:
        """Add a script. A script that is already open is replaced."""
        found = self._open[key_of(item.uri)] = EditorDocument(item)
        found.script.refresh(self.shelf(found))
        return found

    def change(self, params: types.DidChangeTextDocumentParams) -> EditorDocument | None:
        """Apply an editor's changes in order."""
        found = self.get(params.text_document.uri)
        if found is None:
            return None
        found.was_library = found.title is not None
        for change in params.content_changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                span = self.positions(found).span(change.range)
                found.script.edit(span.start, span.end, change.text)
            else:
                found.script.replace(change.text)
        found.version = params.text_document.version
        return found

    def close(self, uri: str) -> EditorDocument | None:
        """Remove a script that the editor has closed, and return it, or None if it was not open."""
        return self._open.pop(key_of(uri), None)

    def reach(self, uri: str) -> EditorDocument | None:
        """Return the script with this URI, open or read from its file. Return None if neither is possible."""
        found, path = self.get(uri), path_of(uri)
        if found is not None or path is None:
            return found
        try:
            text = files.read(path).text
        except UsageError:
            return None
        made = EditorDocument(types.TextDocumentItem(uri, "pine", 0, text))
        made.script.refresh(self.shelf(made))
        return made

    def around(self, library: EditorDocument) -> tuple[str, ...]:
        """Return the folders with the scripts that may import a library: the workspace's folders, or else the library's
        own folder."""
        return tuple(self.folders) or ((os.path.dirname(library.path),) if library.path else ())

    def names_of(self, library: EditorDocument, each: EditorDocument, paths: Iterable[str]) -> frozenset[str]:
        """Return the `paths` under which the script `each` imports a library."""
        if key_of(each.uri) == key_of(library.uri):
            return frozenset()
        shelf = self.shelf(each)
        uris = {path: shelf.uri(path) for path in paths}
        return frozenset(path for path, uri in uris.items() if uri and key_of(uri) == key_of(library.uri))

    def may_be_imported(self, opened: EditorDocument) -> bool:
        """Return whether open scripts may import a script: it declares a library, did so before its last change, or has
        a file where an import would find it."""
        if opened.was_library or opened.title is not None:
            return True
        importers = (each for each in self._open.values() if each is not opened and each.view.known.imports)
        return any(
            shelf.tab(path) is opened
            for each in importers
            for shelf in (self.shelf(each),)
            for path in each.view.program.libraries_read
        )

    def refresh(self) -> None:
        """Look up all imported libraries again."""
        for each in self._open.values():
            each.script.refresh(self.shelf(each))

    def positions(self, opened: EditorDocument) -> Positions:
        """Return the converter for positions in the current state of a script."""
        return Positions(opened.view.snapshot, self.encoding)

    def place_of(self, opened: EditorDocument) -> str:
        """Return a path whose configuration applies to a script: its own path, or a path in the first folder of the
        workspace."""
        return opened.path or os.path.join(self.folders[0] if self.folders else os.getcwd(), "untitled.pine")

    def shelf(self, opened: EditorDocument) -> Shelf:
        """Return the libraries that a script can import."""
        try:
            configured = config.library_folders(self.place_of(opened))
        except UsageError:  # errors in the configuration are reported with the findings
            configured = ()
        base = self.folders[0] if self.folders else os.getcwd()
        named = [os.path.join(base, folder) for folder in self.library_paths]
        return Shelf((*configured, *named), self, opened)

    def left_out(self, opened: EditorDocument) -> str:
        """Return a sentence about library folders in a script's configuration that are ignored because nobody has
        approved them. It is empty if there are none."""
        try:
            found = config.file_for(self.place_of(opened))
            folders = config.unapproved(found) if found is not None else ()
        except UsageError:  # errors in the configuration are reported with the findings
            return ""
        return f"{found}: its library-paths {', '.join(folders)} are ignored: {config.ADVICE}" if folders else ""
