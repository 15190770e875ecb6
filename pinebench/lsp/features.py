"""Registers the handler of each request."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from pinebench.errors import PinebenchError
from pinebench.lsp.convert import LEGEND, text_edits
from pinebench.lsp.documents import path_of
from pinebench.lsp.handlers import ACTION_KINDS, RequestHandlers
from pinebench.lsp.server import CONTENT_MODIFIED, PineLanguageServer, answering, refusal, searching

_ABOUT_ONE_SCRIPT: dict[str, Any] = {
    types.TEXT_DOCUMENT_HOVER: lambda answers, p: answers.hover(p.position),
    types.TEXT_DOCUMENT_DEFINITION: lambda answers, p: answers.definition(p.position),
    types.TEXT_DOCUMENT_DECLARATION: lambda answers, p: answers.definition(p.position),
    types.TEXT_DOCUMENT_TYPE_DEFINITION: lambda answers, p: answers.type_definition(p.position),
    types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: lambda answers, p: answers.highlights(p.position),
    types.TEXT_DOCUMENT_PREPARE_RENAME: lambda answers, p: answers.prepare_rename(p.position),
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: lambda answers, _: answers.symbols(),
    types.TEXT_DOCUMENT_FOLDING_RANGE: lambda answers, _: answers.folds(),
    types.TEXT_DOCUMENT_SELECTION_RANGE: lambda answers, p: answers.selections(list(p.positions)),
    types.TEXT_DOCUMENT_INLINE_VALUE: lambda answers, p: answers.values(p.range),
    types.TEXT_DOCUMENT_INLAY_HINT: lambda answers, p: answers.hints(p.range),
    types.TEXT_DOCUMENT_CODE_LENS: lambda answers, _: answers.lenses(),
    types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY: lambda answers, p: answers.prepare_calls(p.position),
    types.CALL_HIERARCHY_INCOMING_CALLS: lambda answers, p: answers.incoming(p.item),
    types.CALL_HIERARCHY_OUTGOING_CALLS: lambda answers, p: answers.outgoing(p.item),
    types.TEXT_DOCUMENT_DOCUMENT_LINK: lambda answers, _: answers.links(),
    types.TEXT_DOCUMENT_DOCUMENT_COLOR: lambda answers, _: answers.colors(),
    types.TEXT_DOCUMENT_COLOR_PRESENTATION: lambda answers, p: answers.presentations(p.color, p.range),
    types.TEXT_DOCUMENT_FORMATTING: lambda answers, _: answers.layout(),
    types.TEXT_DOCUMENT_RANGE_FORMATTING: lambda answers, p: answers.layout(p.range),
}


def register(server: PineLanguageServer) -> None:
    """Register all handlers of `server`."""
    feature = server.feature
    for method, answer in _ABOUT_ONE_SCRIPT.items():
        feature(method)(_bound(server, answer))

    def references(answers: RequestHandlers, params: types.ReferenceParams) -> list[types.Location]:
        return answers.references(params.position, declaration=params.context.include_declaration)

    feature(types.TEXT_DOCUMENT_REFERENCES)(_bound(server, references, searching))

    def rename(answers: RequestHandlers, params: types.RenameParams) -> types.WorkspaceEdit:
        edit = answers.rename(params.position, params.new_name)
        server.tell_unseen(answers.edits.unseen)
        return edit

    feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))(_bound(server, rename, searching))

    def completion(answers: RequestHandlers, params: types.CompletionParams) -> types.CompletionList:
        made, items = answers.completion(params.position)
        server.offer(answers.opened.uri, items)
        return made

    triggers = [".", "@", "#", '"', "'", "/"]
    feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(triggers, resolve_provider=True))(
        _bound(server, completion)
    )
    feature(types.TEXT_DOCUMENT_SIGNATURE_HELP, types.SignatureHelpOptions(["(", ","]))(
        _bound(server, lambda answers, p: answers.signature_help(p.position))
    )
    feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)(_bound(server, lambda answers, _: answers.all_tokens()))
    feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA, LEGEND)(
        _bound(server, lambda answers, p: answers.token_changes(p.previous_result_id))
    )
    feature(types.TEXT_DOCUMENT_ON_TYPE_FORMATTING, types.DocumentOnTypeFormattingOptions("\n"))(
        _bound(server, lambda answers, p: answers.layout_typed(p.position))
    )
    feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, LEGEND)(
        _bound(server, lambda answers, p: answers.tokens(p.range))
    )
    kinds = [*dict.fromkeys(ACTION_KINDS.values()), types.CodeActionKind.SourceFixAll]
    feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(kinds, resolve_provider=True))(
        _bound(server, lambda answers, p: answers.actions(p.range, p.context.only))
    )
    _register_life(server)
    _register_resolving(server)
    _register_workspace(server)
    _register_diagnostics(server)
    _register_run_commands(server)
    _register_text_commands(server)


def _bound(server: PineLanguageServer, answer: Any, way: Callable[[Any], Any] = answering) -> Any:
    handler = way(answer)

    async def bound(params: Any) -> Any:
        return await handler(server, params)

    return bound


def _register_life(server: PineLanguageServer) -> None:
    """Register the handlers for the editor's start and for opened, changed and closed documents."""

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.begin(params)

    @server.feature(types.INITIALIZED)
    def initialized(_: types.InitializedParams) -> None:
        server.in_background(server.ask_for_more())

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        opened = server.documents.open(params.text_document)
        server.generation += 1  # results of a script that was open earlier under this name are not about this text
        server.changed(opened)
        server.tell_soon(opened, 0.0)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        opened = server.documents.change(params)
        if opened is not None:
            server.changed(opened)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(params: types.DidSaveTextDocumentParams) -> None:
        opened = server.documents.get(params.text_document.uri)
        if opened is not None:
            server.tell_soon(opened, 0.0)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        opened = server.documents.get(params.text_document.uri)
        if opened is None:
            return
        is_library = server.documents.may_be_imported(opened)
        server.documents.close(opened.uri)
        server.forget(opened)
        if is_library:
            server.start_over()


def _register_resolving(server: PineLanguageServer) -> None:
    """Register the handlers that add the parts which an earlier answer left out."""

    @server.feature(types.COMPLETION_ITEM_RESOLVE)
    def resolve(item: types.CompletionItem) -> types.CompletionItem:
        known = server.offered(item.data)
        opened = server.documents.get(item.data["uri"]) if known is not None and item.data else None
        if known is not None and opened is not None:
            item.documentation = server.answers(opened).documentation(known)
        return item

    @server.feature(types.CODE_ACTION_RESOLVE)
    def resolve_action(action: types.CodeAction) -> types.CodeAction:
        data = action.data
        if not isinstance(data, dict):
            return action
        opened = server.documents.get(str(data.get("uri", "")))
        if opened is None or opened.version != data.get("version"):
            raise JsonRpcException("the text has changed", CONTENT_MODIFIED)
        answers = server.answers(opened)
        try:
            made = answers.resolved(action)
        except PinebenchError as error:
            raise refusal(error) from None
        server.tell_unseen(answers.edits.unseen)
        return made


def _register_workspace(server: PineLanguageServer) -> None:
    """Register the handlers for changes of the workspace."""

    @server.feature(types.WORKSPACE_SYMBOL)
    async def symbols(params: types.WorkspaceSymbolParams) -> list[types.SymbolInformation]:
        return await server.symbols_like(params.query)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(_: types.DidChangeWatchedFilesParams) -> None:
        server.start_over()

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def settings_changed(params: types.DidChangeConfigurationParams) -> None:
        server.configure(params.settings)
        server.start_over()
        await server.fetch_settings()

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders_changed(params: types.DidChangeWorkspaceFoldersParams) -> None:
        gone = {path_of(folder.uri) for folder in params.event.removed}
        new = [path for folder in params.event.added if (path := path_of(folder.uri))]
        kept = [folder for folder in server.documents.folders if folder not in gone]
        server.documents.folders = [*kept, *new]
        server.start_over()


def _register_diagnostics(server: PineLanguageServer) -> None:
    """Register the handler for editors that request diagnostics."""
    options = types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier="pinebench")

    @server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)
    async def diagnostic(params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        opened = server.documents.get(params.text_document.uri)
        if opened is None:
            return types.RelatedFullDocumentDiagnosticReport([])
        async with server.turn(opened):
            number = f"{server.generation}:{opened.view.snapshot.revision}:{opened.version}"
            if params.previous_result_id == number:
                return types.RelatedUnchangedDocumentDiagnosticReport(number)
            return types.RelatedFullDocumentDiagnosticReport(server.diagnostics(opened), result_id=number)


def _register_run_commands(server: PineLanguageServer) -> None:
    """Register the commands that compile, run and back-test a script."""

    @server.command("pinebench.compile")
    async def compile_(*arguments: Any) -> dict[str, Any]:
        wanted = _arguments(arguments, "uri", "with")
        try:
            return await server.compiled(wanted["uri"], wanted.get("with") or "local")
        except PinebenchError as error:
            raise refusal(error) from None

    async def tried(arguments: tuple[Any, ...], *, trade: bool) -> dict[str, Any]:
        wanted = _arguments(arguments, "uri", "data", "symbol", "timeframe", "bars")
        market = {name: value for name, value in wanted.items() if name != "uri" and value is not None}
        try:
            return await server.tried(wanted["uri"], trade, market)
        except PinebenchError as error:
            raise refusal(error) from None

    @server.command("pinebench.run")
    async def run(*arguments: Any) -> dict[str, Any]:
        return await tried(arguments, trade=False)

    @server.command("pinebench.backtest")
    async def backtest(*arguments: Any) -> dict[str, Any]:
        return await tried(arguments, trade=True)


def _register_text_commands(server: PineLanguageServer) -> None:
    """Register the commands that explain, convert and search texts."""

    @server.command("pinebench.explain")
    def explain(*arguments: Any) -> str:
        from pinebench.services.explained import explained

        try:
            text = explained(_arguments(arguments, "code")["code"])
        except PinebenchError as error:
            raise refusal(error) from None
        server.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))
        return text

    @server.command("pinebench.migrate")
    async def migrate(*arguments: Any) -> bool:
        from pinebench.migration import TITLE

        answers = _about(server, arguments)
        opened, version = answers.opened, answers.opened.version
        made = await asyncio.to_thread(answers.conversion)
        if not made.edits:
            server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, made.summary))
            return False
        document = types.OptionalVersionedTextDocumentIdentifier(opened.uri, version)
        edit = types.TextDocumentEdit(document, text_edits(made.edits, answers.positions))
        params = types.ApplyWorkspaceEditParams(types.WorkspaceEdit(document_changes=[edit]), label=TITLE)
        applied = bool((await server.workspace_apply_edit_async(params)).applied)
        if applied:
            server.window_show_message(types.ShowMessageParams(types.MessageType.Info, made.summary))
        return applied

    @server.command("pinebench.unusedExports")
    async def unused_exports(*arguments: Any) -> list[dict[str, Any]]:
        answers = _about(server, arguments)
        opened = answers.opened
        importing = await server.importing(opened) if answers.is_library else []
        try:
            found = server.answers(opened, importing).unused_exports()
        except PinebenchError as error:
            raise refusal(error) from None
        names = ", ".join(f"{each['name']} (line {each['line']})" for each in found)
        told = f"No script of this workspace uses {names}. Scripts elsewhere may." if found else "Every export is used."
        server.window_show_message(types.ShowMessageParams(types.MessageType.Info, told))
        return found

    @server.command("pinebench.report")
    def report(*arguments: Any) -> list[str]:
        converted = _about(server, arguments).opened.converted
        if converted is None:
            return []
        made = converted[1]
        kind = types.MessageType.Warning if made.migration.refused else types.MessageType.Info
        server.window_show_message(types.ShowMessageParams(kind, made.summary))
        return made.report


def _about(server: PineLanguageServer, arguments: tuple[Any, ...]) -> RequestHandlers:
    """Return the request handlers for the script whose URI is an argument of a command."""
    uri = _arguments(arguments, "uri")["uri"]
    opened = server.documents.get(uri)
    if opened is None:
        raise JsonRpcInvalidParams(f"{uri} is not open")
    return server.answers(opened)


def _arguments(given: tuple[Any, ...], *names: str) -> dict[str, Any]:
    """Return the arguments of a command by name. An editor may pass one object, or one value after the other."""
    while len(given) == 1 and isinstance(given[0], list | tuple):
        given = tuple(given[0])
    first = given[0] if given else None
    if not isinstance(first, str) and first is not None:
        plain = first if isinstance(first, dict) else vars(first) if hasattr(first, "__dict__") else first._asdict()
        return {name: plain.get(name) for name in names}
    if first is None:
        others = f"; it also takes {', '.join(names[1:])}" if names[1:] else ""
        raise JsonRpcInvalidParams(f"the command needs '{names[0]}'{others}")
    return dict(zip(names, given, strict=False))
