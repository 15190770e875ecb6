"""Builds edits of several files in a form that the editor supports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lsprotocol import types

from pinebench.diagnostics import Edit
from pinebench.lsp import convert
from pinebench.lsp.documents import Documents, EditorDocument, uri_of
from pinebench.lsp.library_paths import ConfigurationFile
from pinebench.lsp.positions import Positions

_CLOSED = "closed"
"""The identifier of the annotation for edits of files that are not open."""
_ASKED = {_CLOSED: types.ChangeAnnotation("Files that are not open", needs_confirmation=True)}


class Wishes(NamedTuple):
    """The editor's capabilities and its user's settings.

    - `snippets`: completions may contain snippets.
    - `resolves_edits`: the edit of an action may be computed when the action is chosen.
    - `versioned_edits`: edits may name the version of their text.
    - `asked_edits`: the editor can ask its user before it applies an edit.
    - `made_files`: an edit may create a file.
    - `related_places`: findings may refer to related places.
    - `parameter_hints` and `type_hints`: the inlay hints to show.
    - `data`: the file with the bars for runs (None: the sample market).
    """

    snippets: bool = False
    resolves_edits: bool = False
    versioned_edits: bool = False
    asked_edits: bool = False
    made_files: bool = False
    related_places: bool = False
    parameter_hints: bool = True
    type_hints: bool = True
    data: str | None = None


class WorkspaceEdits:
    """Builds edits of scripts and of configuration files."""

    def __init__(self, documents: Documents, wishes: Wishes) -> None:
        self._documents = documents
        self._wishes = wishes
        self.unseen: list[str] = []
        """The files that the last edits change although they are not open, and for which the editor does not ask its
        user."""

    def of_scripts(self, changes: Sequence[tuple[EditorDocument, Sequence[types.TextEdit]]]) -> types.WorkspaceEdit:
        """Return edits of scripts, with the versions of their texts if the editor can check them. A script that is not
        open has no version, and the user does not see its change. Therefore the editor asks the user first, if it can.
        If it cannot, `unseen` names the file."""
        closed = [opened for opened, _ in changes if self._documents.get(opened.uri) is not opened]
        if not (self._wishes.versioned_edits and self._wishes.asked_edits):
            self.unseen += [opened.path or opened.uri for opened in closed]
        if not self._wishes.versioned_edits:
            return types.WorkspaceEdit(changes={opened.uri: list(edits) for opened, edits in changes})
        made = [
            types.TextDocumentEdit(
                types.OptionalVersionedTextDocumentIdentifier(
                    opened.uri, opened.version if self._documents.get(opened.uri) is opened else None
                ),
                _asked(edits) if self._wishes.asked_edits and opened in closed else list(edits),
            )
            for opened, edits in changes
        ]
        annotations = _ASKED if closed and self._wishes.asked_edits else None
        return types.WorkspaceEdit(document_changes=made, change_annotations=annotations)

    def of_configuration(self, file: ConfigurationFile, edit: Edit) -> types.WorkspaceEdit:
        """Return the edit of a configuration file, which creates the file if it is missing. The editor asks its user if
        it can."""
        uri, edits = uri_of(file.path), convert.text_edits([edit], Positions(file, self._documents.encoding))
        if not self._wishes.versioned_edits:
            return types.WorkspaceEdit(changes={uri: list(edits)})
        is_asked = self._wishes.asked_edits
        changed = types.TextDocumentEdit(
            types.OptionalVersionedTextDocumentIdentifier(uri, None), _asked(edits) if is_asked else list(edits)
        )
        made = [] if file.is_there else [types.CreateFile(uri)]
        return types.WorkspaceEdit(document_changes=[*made, changed], change_annotations=_ASKED if is_asked else None)


def _asked(edits: Sequence[types.TextEdit]) -> list[types.AnnotatedTextEdit]:
    return [types.AnnotatedTextEdit(_CLOSED, each.range, each.new_text) for each in edits]
