"""The client of pygls, which others wrote, speaks with a server in a process of its own: each message that the server
sends must be one of the protocol, word for word, and must make sense for the text that is open."""

import asyncio
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Union

import attrs
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.client import LanguageClient
from pygls.protocol import LanguageServerProtocol, default_converter

SECONDS = 120
CANCELLED, INVALID = -32800, -32600
TEXT = """//@version=6
indicator("Two \N{ROCKET} means", overlay = true)
import me/Box/1 as box
//@type A level.
//@field price Its price.
type Level
    float price = 0.0
halved(float x) => x / 2
// Mixes two values.
mixed(float one, float two) =>
    halved(one + two)
var level = Level.new(close)
rocket = "\N{ROCKET}"
fast=ta.sma(close, 9)
both = mixed(fast, level.price)
if both > close
    alert(rocket)
unused = 3
plot(both, color = #ff0000)
plot(valve)
"""
ENDLESS = '//@version=6\nindicator("x")\ns = 0\nwhile close > 0\n    s += 1\nplot(s)\n'
LIBRARY = '//@version=6\nlibrary("Box")\nexport twice(float x) =>\n    x * 2\n'
OPTIONS = types.FormattingOptions(4, True)
ON = types.ClientCodeActionResolveOptions(["edit"])
LITERALS = types.ClientCodeActionLiteralOptions(
    types.ClientCodeActionKindOptions([types.CodeActionKind.QuickFix, types.CodeActionKind.Refactor])
)
ABILITIES = types.ClientCapabilities(
    workspace=types.WorkspaceClientCapabilities(
        apply_edit=True,
        configuration=True,
        workspace_folders=True,
        workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True),
        did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True),
    ),
    text_document=types.TextDocumentClientCapabilities(
        completion=types.CompletionClientCapabilities(
            completion_item=types.ClientCompletionItemOptions(snippet_support=True)
        ),
        code_action=types.CodeActionClientCapabilities(code_action_literal_support=LITERALS, resolve_support=ON),
        document_symbol=types.DocumentSymbolClientCapabilities(hierarchical_document_symbol_support=True),
        publish_diagnostics=types.PublishDiagnosticsClientCapabilities(related_information=True, data_support=True),
    ),
    window=types.WindowClientCapabilities(work_done_progress=True),
)
"""What a full editor says that it can do."""
NO_REQUESTS = {
    "position_encoding": "how columns are counted",
    "text_document_sync": "notifications",
    "workspace": "folders of the workspace",
}
"""The capabilities that are no requests, and what they are."""


def converter() -> Any:
    """The converter of pygls. lsprotocol takes an action with a command for a bare command; here it does not."""
    made = default_converter()

    def action(found: Any, _: Any) -> types.Command | types.CodeAction:
        kind = types.Command if isinstance(found.get("command"), str) else types.CodeAction
        return made.structure(found, kind)

    made.register_structure_hook(types.Command | types.CodeAction, action)
    made.register_structure_hook(Union[types.Command, types.CodeAction], action)  # noqa: UP007 - the name in lsprotocol
    return made


class Heard(LanguageServerProtocol):
    """The protocol of the client, which keeps each message as it came and as the protocol's types have it."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.pairs: list[tuple[dict[str, Any], Any]] = []

    def structure_message(self, data: dict[str, Any]) -> Any:
        message = super().structure_message(data)
        self.pairs.append((data, message))
        return message


class Editor:
    """A client with a folder of scripts, which asks the server about one of them."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.text, self.version = folder, TEXT, 1
        self.client = LanguageClient("conformance", "1", protocol_cls=Heard, converter_factory=converter)
        self.found: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.applied: list[types.WorkspaceEdit] = []
        self.able: Any = None
        self.asked: set[str] = set()
        self.uri = (folder / "script.pine").as_uri()
        self.document = types.TextDocumentIdentifier(self.uri)
        feature = self.client.feature
        feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: self.found.put_nowait(params))
        feature(types.WORKSPACE_CONFIGURATION)(lambda params: [None for _ in params.items])
        feature(types.CLIENT_REGISTER_CAPABILITY)(lambda _: None)
        feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)(lambda _: None)
        feature(types.WORKSPACE_APPLY_EDIT)(lambda params: self._apply(params))
        for name in (types.WINDOW_SHOW_MESSAGE, types.PROGRESS):
            feature(name)(lambda _: None)

    def _apply(self, params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
        self.applied.append(params.edit)
        return types.ApplyWorkspaceEditResult(applied=True)

    @property
    def protocol(self) -> Heard:
        protocol = self.client.protocol
        assert isinstance(protocol, Heard)
        return protocol

    @property
    def server(self) -> asyncio.subprocess.Process:
        """The process of the server."""
        server = self.client._server  # pyright: ignore[reportPrivateUsage]  # the client gives no other way to its end
        assert server is not None
        return server

    async def start(self) -> None:
        """Start the server and open the script."""
        (self.folder / "Box.pine").write_text(LIBRARY, encoding="utf-8")
        (self.folder / "pinebench.toml").write_text('[check]\nlibrary-paths = ["."]\n', encoding="utf-8")
        await self.client.start_io(sys.executable, "-m", "pinebench", "lsp", cwd=str(self.folder))
        workspace = [types.WorkspaceFolder(self.folder.as_uri(), "scripts")]
        asked = types.InitializeParams(ABILITIES, None, root_uri=self.folder.as_uri(), workspace_folders=workspace)
        self.able = (await self.client.initialize_async(asked)).capabilities
        self.client.initialized(types.InitializedParams())
        item = types.TextDocumentItem(self.uri, "pine", 1, self.text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    async def ask(self, method: str, params: Any) -> Any:
        """The result of a request, all ranges of which lie in the text of the script."""
        self.asked.add(method)
        result = await self.protocol.send_request_async(method, params)
        for each in ranges_in(result):
            self.hold(each)
        return result

    def hold(self, each: types.Range) -> None:
        """Assert that a range is in the text."""
        lines = self.text.split("\n")
        ends = [(place.line, place.character) for place in (each.start, each.end)]
        assert ends == sorted(ends), each
        for line, character in ends:
            assert line < len(lines) and character <= utf16(lines[line]), each

    def change(self, place: types.Range, text: str) -> None:
        """Replace a part of one line."""
        lines = self.text.split("\n")
        line = lines[place.start.line]
        lines[place.start.line] = line[: place.start.character] + text + line[place.end.character :]
        self.text, self.version = "\n".join(lines), self.version + 1
        document = types.VersionedTextDocumentIdentifier(self.version, self.uri)
        change = types.TextDocumentContentChangePartial(range=place, text=text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))

    async def findings(self, version: int) -> list[types.Diagnostic]:
        """The findings that are pushed for a version of the text."""
        while True:
            params = await self.found.get()
            if (params.uri, params.version) == (self.uri, version):
                for each in ranges_in(params):
                    self.hold(each)
                return list(params.diagnostics)

    def at(self, word: str, inside: int = 1) -> types.Position:
        """The position in the last `word` of the text."""
        before = self.text[: self.text.rindex(word) + inside]
        return types.Position(before.count("\n"), utf16(before.rpartition("\n")[2]))

    def whole(self) -> types.Range:
        """The range of the whole text."""
        lines = self.text.split("\n")
        return types.Range(types.Position(0, 0), types.Position(len(lines) - 1, utf16(lines[-1])))


def utf16(text: str) -> int:
    """The number of units of UTF-16 in a text."""
    return len(text.encode("utf-16-le")) // 2


def ranges_in(value: Any) -> Iterator[types.Range]:
    """Yield every range in an object of the protocol, but not those of other documents."""
    if isinstance(value, types.Range):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from ranges_in(each)
    elif attrs.has(type(value)) and not str(getattr(value, "uri", "")).endswith("Box.pine"):
        for field in attrs.fields(type(value)):
            yield from ranges_in(getattr(value, field.name))


def without_nulls(value: Any) -> Any:
    """JSON without members that are null, which mean the same as members that are missing."""
    if isinstance(value, dict):
        return {key: without_nulls(each) for key, each in value.items() if each is not None}
    return [without_nulls(each) for each in value] if isinstance(value, list | tuple) else value


async def questions(editor: Editor) -> dict[str, Any]:
    """The results of all requests about places of the script."""
    params = partial(types.TextDocumentPositionParams, editor.document)
    place, whole = editor.at("mixed"), editor.whole()
    at_place: dict[str, Any] = {
        types.TEXT_DOCUMENT_HOVER: types.HoverParams,
        types.TEXT_DOCUMENT_DEFINITION: types.DefinitionParams,
        types.TEXT_DOCUMENT_DECLARATION: types.DeclarationParams,
        types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: types.DocumentHighlightParams,
        types.TEXT_DOCUMENT_PREPARE_RENAME: types.PrepareRenameParams,
        types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY: types.CallHierarchyPrepareParams,
    }
    of_script: dict[str, Any] = {
        types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: types.DocumentSymbolParams,
        types.TEXT_DOCUMENT_FOLDING_RANGE: types.FoldingRangeParams,
        types.TEXT_DOCUMENT_CODE_LENS: types.CodeLensParams,
        types.TEXT_DOCUMENT_DOCUMENT_LINK: types.DocumentLinkParams,
        types.TEXT_DOCUMENT_DOCUMENT_COLOR: types.DocumentColorParams,
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: types.SemanticTokensParams,
        types.TEXT_DOCUMENT_DIAGNOSTIC: types.DocumentDiagnosticParams,
    }
    stopped = types.InlineValueContext(1, whole)
    color = types.Color(1.0, 0.0, 0.0, 1.0)
    asked: dict[str, Any] = {
        **{method: kind(editor.document, place) for method, kind in at_place.items()},
        **{method: kind(editor.document) for method, kind in of_script.items()},
        types.TEXT_DOCUMENT_TYPE_DEFINITION: types.TypeDefinitionParams(editor.document, editor.at("level.price")),
        types.TEXT_DOCUMENT_SIGNATURE_HELP: types.SignatureHelpParams(editor.document, editor.at("fast, level")),
        types.TEXT_DOCUMENT_COMPLETION: types.CompletionParams(editor.document, editor.at("ta.sma", 4)),
        types.TEXT_DOCUMENT_REFERENCES: types.ReferenceParams(types.ReferenceContext(True), editor.document, place),
        types.TEXT_DOCUMENT_RENAME: types.RenameParams(editor.document, place, "blended"),
        types.TEXT_DOCUMENT_SELECTION_RANGE: types.SelectionRangeParams(editor.document, [place]),
        types.TEXT_DOCUMENT_INLAY_HINT: types.InlayHintParams(editor.document, whole),
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: types.SemanticTokensRangeParams(editor.document, whole),
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA: types.SemanticTokensDeltaParams(editor.document, "0"),
        types.TEXT_DOCUMENT_INLINE_VALUE: types.InlineValueParams(editor.document, whole, stopped),
        types.TEXT_DOCUMENT_COLOR_PRESENTATION: types.ColorPresentationParams(
            editor.document, color, types.Range(editor.at("#ff0000", 0), editor.at("#ff0000", 7))
        ),
        types.TEXT_DOCUMENT_FORMATTING: types.DocumentFormattingParams(editor.document, OPTIONS),
        types.TEXT_DOCUMENT_RANGE_FORMATTING: types.DocumentRangeFormattingParams(editor.document, whole, OPTIONS),
        types.TEXT_DOCUMENT_ON_TYPE_FORMATTING: types.DocumentOnTypeFormattingParams(
            editor.document, editor.at("both = mixed", 0), "\n", OPTIONS
        ),
        types.TEXT_DOCUMENT_CODE_ACTION: types.CodeActionParams(editor.document, whole, types.CodeActionContext([])),
        types.WORKSPACE_SYMBOL: types.WorkspaceSymbolParams("twi"),
    }
    assert params(place).position == place
    found = {method: await editor.ask(method, each) for method, each in asked.items()}
    [item] = found[types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY]
    incoming, outgoing = types.CallHierarchyIncomingCallsParams(item), types.CallHierarchyOutgoingCallsParams(item)
    found[types.CALL_HIERARCHY_INCOMING_CALLS] = await editor.ask(types.CALL_HIERARCHY_INCOMING_CALLS, incoming)
    found[types.CALL_HIERARCHY_OUTGOING_CALLS] = await editor.ask(types.CALL_HIERARCHY_OUTGOING_CALLS, outgoing)
    items = found[types.TEXT_DOCUMENT_COMPLETION].items
    found[types.COMPLETION_ITEM_RESOLVE] = await editor.ask(types.COMPLETION_ITEM_RESOLVE, items[0])
    return found


def hold_completions(editor: Editor, found: types.CompletionList) -> None:
    """Each completion replaces text of one line, which the place is in; their order is in `sortText`."""
    place = editor.at("ta.sma", 4)
    assert found.items[0].label == "sma"
    assert [each.sort_text for each in found.items] == sorted(
        {each.sort_text for each in found.items if each.sort_text}
    )
    for each in found.items:
        assert isinstance(each.text_edit, types.TextEdit)
        range_ = each.text_edit.range
        assert range_.start.line == range_.end.line == place.line
        assert range_.start.character <= place.character <= range_.end.character


def hold_tokens(editor: Editor, found: types.SemanticTokens) -> None:
    """The semantic tokens use the legend, are in the text, and do not overlap."""
    legend = editor.able.semantic_tokens_provider.legend
    lines = editor.text.split("\n")
    line = end = start = 0
    assert found.data and len(found.data) % 5 == 0
    for place in range(0, len(found.data), 5):
        down, across, length, kind, flags = found.data[place : place + 5]
        line, start, end = (line + down, across, 0) if down else (line, start + across, end)
        assert start >= end and length > 0 and kind < len(legend.token_types)
        assert flags < 1 << len(legend.token_modifiers)
        end = start + length
        assert end <= utf16(lines[line])


def hold_shape(editor: Editor, found: dict[str, Any]) -> None:
    """What the protocol demands beyond its types."""
    hold_completions(editor, found[types.TEXT_DOCUMENT_COMPLETION])
    hold_tokens(editor, found[types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL])
    for symbol in found[types.TEXT_DOCUMENT_DOCUMENT_SYMBOL]:
        inner, outer = symbol.selection_range, symbol.range
        assert (outer.start.line, outer.start.character) <= (inner.start.line, inner.start.character)
        assert (inner.end.line, inner.end.character) <= (outer.end.line, outer.end.character)
    kinds = [getattr(each, "value", each) for each in editor.able.code_action_provider.code_action_kinds]
    actions = found[types.TEXT_DOCUMENT_CODE_ACTION]
    assert actions and all(getattr(each.kind, "value", each.kind) in kinds for each in actions)
    commands = editor.able.execute_command_provider.commands
    used = [each.command.command for each in [*actions, *found[types.TEXT_DOCUMENT_CODE_LENS]] if each.command]
    assert used and set(used) <= set(commands)
    [change] = found[types.TEXT_DOCUMENT_RENAME].document_changes
    assert change.text_document.version == 1 and len(change.edits) == 2
    assert found[types.TEXT_DOCUMENT_SIGNATURE_HELP].active_parameter == 0
    assert found[types.WORKSPACE_SYMBOL][0].location.uri.endswith("Box.pine")
    assert found[types.COMPLETION_ITEM_RESOLVE].documentation
    empty = {name for name, each in found.items() if not each}
    assert empty == set(), empty


async def a_day(editor: Editor) -> None:
    """Open, ask, change, call off, run commands, shut down, end."""
    await editor.start()
    opened = await editor.findings(1)
    assert [each.code for each in opened if each.severity == types.DiagnosticSeverity.Error] == ["CE10272"]
    hold_shape(editor, await questions(editor))
    editor.change(types.Range(editor.at("valve", 0), editor.at("valve", 5)), "close")
    assert not [each for each in await editor.findings(2) if each.severity == types.DiagnosticSeverity.Error]
    command = types.ExecuteCommandParams("pinebench.run", [{"uri": editor.uri, "bars": 5}])
    ran = await editor.ask(types.WORKSPACE_EXECUTE_COMMAND, command)
    assert ran is not None
    hog = types.TextDocumentItem("untitled:hog", "pine", 1, ENDLESS)
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(hog))
    run = types.ExecuteCommandParams("pinebench.run", [{"uri": hog.uri}])
    late = editor.protocol.send_request_async(types.WORKSPACE_EXECUTE_COMMAND, run, msg_id="late")
    editor.client.cancel_request(types.CancelParams("late"))
    assert await code_of(late) == CANCELLED
    able = {name for name in attrs.asdict(editor.able, recurse=False) if getattr(editor.able, name) is not None}
    asked = {request_of(name) for name in able - NO_REQUESTS.keys()}
    assert asked <= editor.asked and len(asked) > 20, asked - editor.asked
    await editor.client.shutdown_async(None)
    assert (
        await code_of(editor.client.text_document_hover_async(types.HoverParams(editor.document, editor.at("fast"))))
        == INVALID
    )
    editor.client.exit(None)
    assert await editor.server.wait() == 0


OTHER_NAMES = {
    "call_hierarchy": types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY,
    "color": types.TEXT_DOCUMENT_DOCUMENT_COLOR,
    "document_formatting": types.TEXT_DOCUMENT_FORMATTING,
    "document_range_formatting": types.TEXT_DOCUMENT_RANGE_FORMATTING,
    "document_on_type_formatting": types.TEXT_DOCUMENT_ON_TYPE_FORMATTING,
    "execute_command": types.WORKSPACE_EXECUTE_COMMAND,
    "semantic_tokens": types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
    "workspace_symbol": types.WORKSPACE_SYMBOL,
}
"""The requests that have another name than their capability."""


def request_of(capability: str) -> str:
    """The request that a capability announces."""
    name = capability.removesuffix("_provider")
    first, *others = name.split("_")
    return OTHER_NAMES.get(name, f"textDocument/{first}{''.join(each.title() for each in others)}")


async def code_of(answer: Any) -> int:
    """The code of the error that a request ends with; 0 if it has a result."""
    try:
        await answer
    except JsonRpcException as error:
        return error.code
    return 0


def test_every_message_is_one_of_the_protocol(tmp_path: Path) -> None:
    async def played() -> Editor:
        editor = Editor(tmp_path)
        try:
            await asyncio.wait_for(a_day(editor), SECONDS)
        finally:
            if editor.server.returncode is None:
                editor.server.kill()
            await editor.client.stop()
        return editor

    editor = asyncio.run(played())
    reader = editor.protocol._converter  # pyright: ignore[reportPrivateUsage]  # the one that read the messages
    assert len(editor.protocol.pairs) > 40
    for data, message in editor.protocol.pairs:
        again = reader.unstructure(message)
        assert without_nulls(again) == without_nulls(data), data
