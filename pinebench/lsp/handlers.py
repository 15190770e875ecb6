"""Answers the protocol's requests about one open script."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from lsprotocol import types

from pinebench import config
from pinebench.diagnostics import Diagnostic, Span
from pinebench.errors import UsageError
from pinebench.formatting import FormatStyle
from pinebench.lsp import convert
from pinebench.lsp.closed_scripts import has_letters
from pinebench.lsp.documents import Documents, EditorDocument, Shelf
from pinebench.lsp.findings import SOURCE, as_protocol
from pinebench.lsp.library_paths import adding, configuration_of, folders_of
from pinebench.lsp.positions import Positions
from pinebench.lsp.workspace_edits import Wishes, WorkspaceEdits
from pinebench.profiling.kept import kept
from pinebench.services import ScriptView
from pinebench.services.across import Importer, declared_at, rename_across, unused_exports, uses_in
from pinebench.services.actions import Action, actions
from pinebench.services.colors import Color, colors, written
from pinebench.services.completion import Completion, completions
from pinebench.services.describe import describe, describe_builtin
from pinebench.services.findings import configuration_trouble, findings, related, safely_fixed
from pinebench.services.format_edits import layout, layout_finished_line
from pinebench.services.function_move import function_to_move, moved
from pinebench.services.hover import hover, signature_help
from pinebench.services.importers import scripts_in
from pinebench.services.inlay import hints
from pinebench.services.navigation import (
    NavigationTarget,
    definition,
    function_at,
    imports,
    incoming,
    outgoing,
    references,
    target_of,
    type_definition,
)
from pinebench.services.outline import folds, outline, selections
from pinebench.services.rename import renamable
from pinebench.services.tokens import tokens
from pinebench.services.values import known_values

if TYPE_CHECKING:
    from pinebench.migration import Conversion

ACTION_KINDS = {
    "fix": types.CodeActionKind.QuickFix,
    "suppress": types.CodeActionKind.QuickFix,
    "explain": types.CodeActionKind.QuickFix,
    "extract": types.CodeActionKind.RefactorExtract,
    "inline": types.CodeActionKind.RefactorInline,
    "move": types.CodeActionKind.RefactorMove,
    "rewrite": types.CodeActionKind.RefactorRewrite,
}
_OF_OLD_SCRIPTS = ("PB0001", "version-missing")
"""The diagnostics about the version of a script that is not v6."""
_NOT_READ = (
    "No library folder has the source of {path} as readable Pine v6, so its calls are not checked or completed. If you "
    "have the source, add its folder to library-paths in pinebench.toml."
)
_COSTLY = 0.02
"""The smallest share of a run's time for which a line shows its cost."""
_LENSES = (("Check", "local"), ("Compile online", "online"), ("Compile on the chart", "chart"))
_FOLDS = {
    "comment": types.FoldingRangeKind.Comment,
    "imports": types.FoldingRangeKind.Imports,
    "region": types.FoldingRangeKind.Region,
}


class ImportingScript(NamedTuple):
    """A script that imports a library, and the paths by which it imports the library."""

    script: EditorDocument
    paths: frozenset[str]


class RequestHandlers:
    """Answers requests about the current state of one open script."""

    def __init__(
        self, documents: Documents, opened: EditorDocument, wishes: Wishes, importing: Sequence[ImportingScript] = ()
    ) -> None:
        self.documents = documents
        self.importing = importing
        """The scripts that import the library of the request: this script, or the library that declares the name."""
        self.opened = opened
        self.wishes = wishes
        self.view: ScriptView = opened.view
        self.positions: Positions = documents.positions(opened)
        self.edits = WorkspaceEdits(documents, wishes)

    def _at(self, position: types.Position) -> int:
        return self.positions.offset(position)

    def _location(self, target: NavigationTarget) -> types.Location | None:
        """The location of a target. None for a library that is neither open nor in a file."""
        if target.library is None:
            return types.Location(self.opened.uri, self.positions.range(target.span))
        sources = self.view.sources
        uri = sources.uri(target.library) if isinstance(sources, Shelf) else None
        library = self.view.program.libraries.get(target.library)
        if uri is None or library is None:
            return None
        return types.Location(uri, Positions(library.document, self.documents.encoding).range(target.span))

    # while typing

    def completion(self, position: types.Position) -> tuple[types.CompletionList, list[Completion]]:
        """Return the completions for the protocol, and the items from which they were made."""
        items = completions(self.view, self._at(position))
        if not self.wishes.snippets:
            items = [item for item in items if item.kind != "snippet"]
        made = convert.completion_list(items, self.positions, snippets=self.wishes.snippets, uri=self.opened.uri)
        return made, items

    def documentation(self, item: Completion) -> types.MarkupContent | None:
        """Return the description of a completion."""
        symbol = item.symbol
        if symbol is None:
            text = describe_builtin(item.label) if item.kind == "keyword" else item.detail
        else:
            text = describe(self.view.known, symbol)
        return types.MarkupContent(types.MarkupKind.Markdown, text) if text else None

    def signature_help(self, position: types.Position) -> types.SignatureHelp | None:
        """Return the signatures of the call at a position."""
        found = signature_help(self.view, self._at(position))
        return convert.signature_help(found) if found is not None else None

    def hover(self, position: types.Position) -> types.Hover | None:
        """Return the hover text for a position."""
        found = hover(self.view, self._at(position))
        if found is None:
            return None
        text = types.MarkupContent(types.MarkupKind.Markdown, found.text)
        return types.Hover(text, self.positions.range(found.span))

    # names

    def definition(self, position: types.Position) -> types.Location | None:
        """Return the declaration of the name at a position."""
        target = definition(self.view, self._at(position))
        return self._location(target) if target is not None else None

    def type_definition(self, position: types.Position) -> types.Location | None:
        """Return the declaration of the type of the expression at a position."""
        target = type_definition(self.view, self._at(position))
        return self._location(target) if target is not None else None

    def references(self, position: types.Position, *, declaration: bool) -> list[types.Location]:
        """Return the references to the name at a position, with its declaration if `declaration` is set.

        For a library's export they include the scripts in the workspace that import the library.
        """
        home, offset = self._home(self._at(position))
        target = definition(home.view, offset)
        own = target.span if target is not None and target.library is None else None
        found = [use.span for use in references(home.view, offset)]
        places = [home.place(span) for span in found if declaration or span != own]
        declared = declared_at(home.view, offset)
        for other, importer in self.importers():
            places += [other.place(use.span) for use in uses_in(importer, declared)]
        return places

    def place(self, span: Span) -> types.Location:
        """Return the location of a span in this script."""
        return types.Location(self.opened.uri, self.positions.range(span))

    def _home(self, offset: int) -> tuple[RequestHandlers, int]:
        """Return the script that declares the symbol at `offset`, with the offset there: a readable library, or this
        script."""
        target = definition(self.view, offset)
        sources = self.view.sources
        if target is None or target.library is None or target.span.start == target.span.end:
            return self, offset
        uri = sources.uri(target.library) if isinstance(sources, Shelf) else None
        library = self.documents.reach(uri) if uri is not None else None
        if library is None:
            return self, offset
        return RequestHandlers(self.documents, library, self.wishes), target.span.start

    def library_at(self, position: types.Position) -> EditorDocument | None:
        """Return the library that declares the name at a position. Return None if a script or the language declares
        it."""
        home, _ = self._home(self._at(position))
        return home.opened if home is not self or home.is_library else None

    @property
    def is_library(self) -> bool:
        """Whether the script declares a library."""
        declaration = self.view.program.declaration
        return self.opened.title is not None or (declaration is not None and declaration.name == "library")

    def importers(self) -> list[tuple[RequestHandlers, Importer]]:
        """Return the scripts that import the library of this request."""
        return [
            (RequestHandlers(self.documents, each, self.wishes), Importer(each.path or each.uri, each.view, paths))
            for each, paths in self.importing
        ]

    def highlights(self, position: types.Position) -> list[types.DocumentHighlight]:
        """Return the uses of the name at a position, each marked as a read or a write."""
        kinds = types.DocumentHighlightKind
        return [
            types.DocumentHighlight(self.positions.range(use.span), kinds.Write if use.writes else kinds.Read)
            for use in references(self.view, self._at(position))
        ]

    def prepare_rename(self, position: types.Position) -> types.Range:
        """Return the range of the name that can be renamed. Raises UsageError if it cannot be renamed."""
        offset = self._at(position)
        home, _ = self._home(offset)
        return self.positions.range(renamable(self.view, offset, abroad=home is not self))

    def rename(self, position: types.Position, name: str) -> types.WorkspaceEdit:
        """Return the edits that rename the name at a position, also in importing scripts of the workspace.

        Raises UsageError if the renaming is refused.
        """
        home, offset = self._home(self._at(position))
        others = self.importers()
        found = rename_across(home.view, offset, name, [importer for _, importer in others])
        scripts = [home, *(each for each, _ in others)]
        changes = [
            (each.opened, convert.text_edits(edits, each.positions))
            for each, edits in zip(scripts, found, strict=True)
            if edits
        ]
        return self.edits.of_scripts(changes)

    def _own_edit(self, edits: Sequence[types.TextEdit]) -> types.WorkspaceEdit:
        return self.edits.of_scripts([(self.opened, edits)])

    # calls

    def prepare_calls(self, position: types.Position) -> list[types.CallHierarchyItem]:
        """Return the function at a position."""
        function = function_at(self.view, self._at(position))
        item = self._call_item(function) if function is not None else None
        return [item] if item is not None else []

    def _call_item(self, function: Any) -> types.CallHierarchyItem | None:
        target = target_of(self.view.program, function)
        location = self._location(target) if target is not None else None
        if target is None or location is None:
            return None
        kind = types.SymbolKind.Method if function.is_method else types.SymbolKind.Function
        whole = self.positions.range(target.whole) if target.library is None else location.range
        return types.CallHierarchyItem(
            name=function.name, kind=kind, uri=location.uri, range=whole, selection_range=location.range
        )

    def incoming(self, item: types.CallHierarchyItem) -> list[types.CallHierarchyIncomingCall]:
        """Return the callers of a function. Calls in the global code appear as calls by the script."""
        function = function_at(self.view, self._at(item.selection_range.start))
        found: list[types.CallHierarchyIncomingCall] = []
        for caller in incoming(self.view, function) if function is not None else ():
            made = self._call_item(caller.function) if caller.function is not None else self._script_item()
            if made is not None:
                ranges = [self.positions.range(span) for span in caller.calls]
                found.append(types.CallHierarchyIncomingCall(made, ranges))
        return found

    def _script_item(self) -> types.CallHierarchyItem:
        whole = self.positions.range(Span(0, len(self.view.text)))
        start = self.positions.range(Span(0, 0))
        name = self.opened.uri.rpartition("/")[2]
        return types.CallHierarchyItem(name, types.SymbolKind.File, self.opened.uri, whole, start)

    def outgoing(self, item: types.CallHierarchyItem) -> list[types.CallHierarchyOutgoingCall]:
        """Return the functions that a function calls."""
        function = function_at(self.view, self._at(item.selection_range.start))
        found: list[types.CallHierarchyOutgoingCall] = []
        for called, spans in outgoing(self.view, function) if function is not None else ():
            made = self._call_item(called)
            if made is not None:
                found.append(types.CallHierarchyOutgoingCall(made, [self.positions.range(span) for span in spans]))
        return found

    # shape

    def symbols(self) -> list[types.DocumentSymbol]:
        """Return the outline of the script."""
        return [convert.document_symbol(entry, self.positions) for entry in outline(self.view)]

    def named_like(self, query: str) -> list[types.SymbolInformation]:
        """Return the declarations of the script whose name contains the letters of `query` in this order."""
        found: list[types.SymbolInformation] = []
        for entry in outline(self.view):
            for each, owner in ((entry, None), *((child, entry.name) for child in entry.children)):
                if has_letters(each.name, query):
                    location = types.Location(self.opened.uri, self.positions.range(each.span))
                    kind = convert.SYMBOLS[each.kind]
                    found.append(types.SymbolInformation(location, each.name, kind, container_name=owner))
        return found

    def folds(self) -> list[types.FoldingRange]:
        """Return the folding ranges."""
        return [
            types.FoldingRange(fold.first - 1, fold.last - 1, kind=_FOLDS.get(fold.kind)) for fold in folds(self.view)
        ]

    def selections(self, positions: list[types.Position]) -> list[types.SelectionRange]:
        """Return the selection ranges for each position, the innermost first."""
        found: list[types.SelectionRange] = []
        for position in positions:
            outer: types.SelectionRange | None = None
            for span in reversed(selections(self.view, self._at(position))):
                outer = types.SelectionRange(self.positions.range(span), outer)
            assert outer is not None
            found.append(outer)
        return found

    def all_tokens(self) -> types.SemanticTokens:
        """Return all semantic tokens, with an identifier so that the next answer can send only the changes."""
        made = self.tokens()
        return self.opened.number_tokens(made)

    def token_changes(self, previous: str) -> types.SemanticTokens | types.SemanticTokensDelta:
        """Return the difference from the answer with the id `previous`, or all tokens if that answer is unknown."""
        known = self.opened.tokens
        made = self.opened.number_tokens(self.tokens())
        if known is None or known.result_id != previous:
            return made
        return types.SemanticTokensDelta(convert.token_edits(known.data, made.data), made.result_id)

    def tokens(self, range_: types.Range | None = None) -> types.SemanticTokens:
        """Return the semantic tokens of the script, or of a range."""
        found = tokens(self.view)
        if range_ is not None:
            span = self.positions.span(range_)
            found = [each for each in found if span.start <= each.start < span.end]
        return convert.semantic_tokens(found, self.positions)

    def hints(self, range_: types.Range) -> list[types.InlayHint]:
        """Return the inlay hints of a range."""
        kinds = {"parameter": types.InlayHintKind.Parameter, "type": types.InlayHintKind.Type}
        found = hints(
            self.view, self.positions.span(range_), parameters=self.wishes.parameter_hints, types=self.wishes.type_hints
        )
        return [
            types.InlayHint(self.positions.position(hint.offset), hint.text, kinds[hint.kind], padding_right=True)
            for hint in found
        ]

    def links(self) -> list[types.DocumentLink]:
        """Return links to the imported libraries that can be opened."""
        sources = self.view.sources
        found: list[types.DocumentLink] = []
        for link in imports(self.view):
            uri = sources.uri(link.path) if isinstance(sources, Shelf) else None
            if uri is not None:
                found.append(types.DocumentLink(self.positions.range(link.span), uri, tooltip=link.path))
        return found

    def lenses(self) -> list[types.CodeLens]:
        """Return the buttons above the declaration statement: check, compile, run, and back-test. Slow lines show their
        run time, if this exact text was profiled."""
        declaration = self.view.program.declaration
        if declaration is None:
            return self._costs()
        place = self.positions.range(self.view.program.span(declaration.node.callee))
        uri = {"uri": self.opened.uri}
        found = [_command(title, "pinebench.compile", {**uri, "with": who}) for title, who in _LENSES]
        if declaration.name != "library":
            found.append(_command("Run", "pinebench.run", uri))
        if declaration.name == "strategy":
            found.append(_command("Back-test", "pinebench.backtest", uri))
        return [*(types.CodeLens(place, command) for command in found), *self._costs()]

    def _costs(self) -> list[types.CodeLens]:
        """Return the run times of slow lines, from the last profile of this text."""
        found: list[types.CodeLens] = []
        told = kept(self.view.program.document.text)
        whole = told["whole_ms"] if told is not None else 0
        for one in told["lines"] if told is not None and whole > 0 else ():
            share = one["ms"] / whole
            if share >= _COSTLY and one["line"] > 0:
                place = types.Position(one["line"] - 1, 0)
                words = f"{one['ms']:.1f} ms ({100 * share:.0f} %), {one['runs']:,} runs"
                found.append(types.CodeLens(types.Range(place, place), types.Command(words, "")))
        return found

    # colours and layout

    def colors(self) -> list[types.ColorInformation]:
        """Return the colours in the script."""
        return [
            types.ColorInformation(
                self.positions.range(each.span),
                types.Color(each.red / 255, each.green / 255, each.blue / 255, each.alpha / 255),
            )
            for each in colors(self.view)
        ]

    def presentations(self, color: types.Color, range_: types.Range) -> list[types.ColorPresentation]:
        """Return the text for a colour from the colour picker."""
        parts = (round(255 * each) for each in (color.red, color.green, color.blue, color.alpha))
        edit = written(Color(self.positions.span(range_), *parts))
        return [types.ColorPresentation(edit.text, types.TextEdit(range_, edit.text))]

    def layout(self, range_: types.Range | None = None) -> list[types.TextEdit]:
        """Return the edits that format the script, or some of its lines, as its configuration says. Raises UsageError
        if the configuration cannot be used."""
        span = self.positions.span(range_) if range_ is not None else None
        return convert.text_edits(layout(self.view, self._style(), span), self.positions)

    def layout_typed(self, position: types.Position) -> list[types.TextEdit]:
        """Return the edits that format the line that Enter has just ended."""
        try:
            style = self._style()
        except UsageError:  # told with the findings, and not after each line
            return []
        return convert.text_edits(layout_finished_line(self.view, style, self._at(position)), self.positions)

    def _style(self) -> FormatStyle:
        settings = config.resolved("format", self.documents.place_of(self.opened))
        return FormatStyle(settings["width"].value, settings["align"].value)

    def values(self, range_: types.Range) -> list[types.InlineValueText]:
        """Return the constant values of the names in a range."""
        return [
            types.InlineValueText(self.positions.range(each.span), each.text)
            for each in known_values(self.view, self.positions.span(range_))
        ]

    # findings

    def diagnostics(self) -> list[types.Diagnostic]:
        """Return the diagnostics to show, each with its known fixes."""
        found, _ = self.findings()
        made = as_protocol(found, self.positions, self.view, self.opened.version)
        for finding, told in zip(found, made, strict=True):
            told.related_information = self._related(finding) or None
        return [*made, *self._unread_libraries()]

    def trouble(self) -> str:
        """Return the problem with the configuration, or an empty string if there is none.

        Settings that were ignored because nobody approved them count as a problem.
        """
        return configuration_trouble(self.documents.place_of(self.opened)) or self.documents.left_out(self.opened)

    def _related(self, finding: Diagnostic) -> list[types.DiagnosticRelatedInformation]:
        """Return the other spans that concern a finding, if the editor shows such spans."""
        if not self.wishes.related_places:
            return []
        return [
            types.DiagnosticRelatedInformation(self.place(each.span), each.text) for each in related(self.view, finding)
        ]

    def _unread_libraries(self) -> list[types.Diagnostic]:
        """Return a hint at each import whose library is neither open nor in a library folder, so that its calls are not
        checked."""
        found: list[types.Diagnostic] = []
        for path, span in self._not_read():
            hint = types.Diagnostic(self.positions.range(span), _NOT_READ.format(path=path))
            hint.severity, hint.code, hint.source = types.DiagnosticSeverity.Hint, "library-not-read", SOURCE
            found.append(hint)
        return found

    def _not_read(self) -> Iterator[tuple[str, Span]]:
        """Yield the path and the span of each import whose library is neither open nor in a library folder."""
        for symbol in self.view.program.imports.values():
            if symbol.source is None:
                yield symbol.path, Span(symbol.offset + symbol.node.start, symbol.offset + symbol.node.end)

    def findings(self) -> tuple[list[Diagnostic], str]:
        """Return the findings to show, and the problem with the configuration, if any."""
        return findings(self.view, self.documents.place_of(self.opened))

    def actions(self, range_: types.Range, only: list[str] | None) -> list[types.CodeAction]:
        """Return the code actions for a range, of the kinds in `only`."""
        found, _ = self.findings()
        made = [
            self._action(each)
            for each in actions(self.view, self.positions.span(range_), found)
            if _wanted(ACTION_KINDS[each.kind], only)
        ]
        made += self._conversions(found, range_, only)
        made += self._moves(range_, only)
        if _wanted(types.CodeActionKind.QuickFix, only):
            made += self._library_paths(self.positions.span(range_))
        if only and any(_wanted(types.CodeActionKind.SourceFixAll, [each]) for each in only):
            made += self._fix_all()
        return made

    def _action(self, action: Action) -> types.CodeAction:
        made = types.CodeAction(action.title, ACTION_KINDS[action.kind])
        if action.code:
            made.command = _command(action.title, "pinebench.explain", {"code": action.code})
            return made
        made.edit = self._own_edit(convert.text_edits(action.edits, self.positions))
        if action.finding is not None:
            made.diagnostics = as_protocol([action.finding], self.positions)
        made.is_preferred = action.preferred or None
        return made

    # the folders of libraries

    def _library_paths(self, span: Span) -> list[types.CodeAction]:
        """The actions that add the folder of an imported library below the pinebench.toml to its `library-paths`."""
        paths = [path for path, place in self._not_read() if place.start <= span.end and place.end >= span.start]
        file = configuration_of(self.opened.path, self.documents.folders) if paths else None
        if file is None or not (file.is_there or (self.wishes.made_files and self.wishes.versioned_edits)):
            return []
        kind, scripts = types.CodeActionKind.QuickFix, scripts_in([file.folder]).files
        found: list[types.CodeAction] = []
        for folder in dict.fromkeys(each for path in paths for each in folders_of(path, scripts, file.folder)):
            edit = adding(file.text, folder)
            if edit is not None:
                title = f"Add '{folder}' to library-paths in pinebench.toml"
                found.append(types.CodeAction(title, kind, edit=self.edits.of_configuration(file, edit)))
        return found

    def _conversions(
        self, found: list[Diagnostic], range_: types.Range, only: list[str] | None
    ) -> list[types.CodeAction]:
        """Return the action that converts an old script to v6. It is offered everywhere in the script, and as a quick
        fix at the diagnostic about the old version. The edit is made at once, or when the action is chosen if the
        editor supports that."""
        from pinebench.migration import TITLE, is_old

        if not is_old(self.view.snapshot):
            return []
        span = self.positions.span(range_)
        about = [each for each in found if each.code in _OF_OLD_SCRIPTS and each.span.end >= span.start]
        about = [each for each in about if each.span.start <= span.end]
        kinds = [types.CodeActionKind.QuickFix] if about else []
        kind = next((kind for kind in (*kinds, types.CodeActionKind.RefactorRewrite) if _wanted(kind, only)), None)
        if kind is None:
            return []
        made = types.CodeAction(TITLE, kind, diagnostics=as_protocol(about, self.positions) or None)
        made.command = _command("Show the report", "pinebench.report", {"uri": self.opened.uri})
        made.data = {"uri": self.opened.uri, "version": self.opened.version}
        return [made if self.wishes.resolves_edits else self.resolved(made)]

    def resolved(self, action: types.CodeAction) -> types.CodeAction:
        """Return `action`, a move or a conversion, with its edit. A conversion gets no edit if the script cannot be
        converted. Raises UsageError if a function cannot be moved."""
        if isinstance(action.data, dict) and "alias" in action.data:
            action.edit = self._moved(action.data)
            return action
        made = self.conversion()
        action.data = {**(action.data or {}), "report": made.report}
        if made.edits:
            action.edit = self._own_edit(convert.text_edits(made.edits, self.positions))
        return action

    # moving a function

    def _moves(self, range_: types.Range, only: list[str] | None) -> list[types.CodeAction]:
        """Return the actions that move the function whose name is in a range to an imported library. The edit is made
        when the action is chosen, if the editor supports that; otherwise only possible moves are offered."""
        sources = self.view.sources
        if not _wanted(ACTION_KINDS["move"], only) or not isinstance(sources, Shelf):
            return []
        offset = self._at(range_.start)
        if function_to_move(self.view, offset) is None:
            return []
        found: list[types.CodeAction] = []
        for symbol in self.view.program.imports.values():
            if symbol.source is None or sources.uri(symbol.path) is None:
                continue
            data = {"uri": self.opened.uri, "version": self.opened.version, "alias": symbol.alias, "offset": offset}
            title = f"Move the function to the library {symbol.path} (publish the library again afterwards)"
            made = types.CodeAction(title, ACTION_KINDS["move"], data=data)
            if not self.wishes.resolves_edits:
                with suppress(UsageError):
                    found.append(self.resolved(made))
            else:
                found.append(made)
        return found

    def _moved(self, data: dict[str, Any]) -> types.WorkspaceEdit:
        """The edits of a script and a library that move a function. Raises UsageError if it cannot be moved."""
        function = function_to_move(self.view, data["offset"])
        symbol = self.view.program.imports.get(data["alias"])
        sources = self.view.sources
        uri = sources.uri(symbol.path) if isinstance(sources, Shelf) and symbol is not None else None
        library = self.documents.reach(uri) if uri is not None else None
        if function is None or symbol is None or library is None:
            raise UsageError("the library or the function no longer exists", "open the list of actions again")
        move = moved(self.view, function, symbol, library.view.snapshot)
        added = convert.text_edits(move.library, self.documents.positions(library))
        return self.edits.of_scripts([(self.opened, convert.text_edits(move.script, self.positions)), (library, added)])

    def unused_exports(self) -> list[dict[str, Any]]:
        """Return the exports of this library that no script of the workspace uses, each with its name and its line.

        Raises UsageError if the script is not a library.
        """
        if not self.is_library:
            raise UsageError("this script is not a library", "open the library to count the uses of its exports")
        importers = [importer for _, importer in self.importers()]
        return [
            {"name": name, "line": self.positions.position(offset).line + 1}
            for name, offset in unused_exports(self.view, importers)
        ]

    def conversion(self) -> Conversion:
        """Return the conversion of the script to v6, cached for each state of it."""
        from pinebench.migration import conversion

        if self.opened.converted is None or self.opened.converted[0] is not self.view:
            self.opened.converted = self.view, conversion(self.view.text, self.documents.shelf(self.opened).folders)
        return self.opened.converted[1]

    def _fix_all(self) -> list[types.CodeAction]:
        try:
            text = safely_fixed(self.view, self.documents.place_of(self.opened))
        except UsageError:  # told with the findings
            return []
        if text == self.view.text:
            return []
        whole = types.TextEdit(self.positions.range(Span(0, len(self.view.text))), text)
        edit = self._own_edit([whole])
        return [types.CodeAction("Apply every safe fix", types.CodeActionKind.SourceFixAll, edit=edit)]


def _command(title: str, name: str, argument: dict[str, str]) -> types.Command:
    return types.Command(title, name, arguments=[argument])


def _wanted(kind: str, only: list[str] | None) -> bool:
    """Return whether actions of `kind` are requested. A kind in `only` includes the kinds whose names continue it."""
    kind = getattr(kind, "value", kind)
    kinds = [getattr(each, "value", each) for each in only or ()]
    return not kinds or any(kind == each or kind.startswith(f"{each}.") for each in kinds)
