"""The server: its settings, its diagnostics, its long-running work, and its end."""

from __future__ import annotations

import asyncio
import os
import re
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, NamedTuple, TypeVar

from cattrs import ClassValidationError, transform_error
from cattrs.v import format_exception
from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams, JsonRpcInvalidRequest, JsonRpcParseError
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from pinebench import __version__, config
from pinebench.context import CancelledError, Context
from pinebench.errors import PinebenchError, UsageError
from pinebench.lsp.closed_scripts import ClosedScripts
from pinebench.lsp.documents import Documents, EditorDocument, key_of, path_of, uri_of
from pinebench.lsp.handlers import ImportingScript, RequestHandlers
from pinebench.lsp.workspace_edits import Wishes
from pinebench.services.completion import Completion
from pinebench.services.importers import Importers, imported
from pinebench.syntax import Snapshot

SHORTEST_PAUSE, LONGEST_PAUSE = 0.02, 0.3
"""The seconds without a keystroke before diagnostics are sent: half the time that the last ones of the script took, but
not less and not more than these. The completions that an editor requests with the keystroke come first."""
QUIET = 0.003
"""The seconds without a message after which a request is answered: the messages that the editor sent together are read
first, so that nothing is computed for a request that the editor cancelled, or whose text it changed."""
MOST_WAITS = 10
"""The largest number of times that a request waits for further messages."""
FIXES_AFTER = 0.4
"""The seconds without a keystroke before fixes are computed."""
ALIVE_EVERY = 3.0
"""The seconds between checks whether the editor that started the server still runs."""
REQUEST_FAILED, CONTENT_MODIFIED = -32803, -32801
"""The protocol's codes for a request that failed, and for one whose text has changed."""
_WATCHED = ("**/*.pine", "**/*.pinescript", "**/pinebench.toml", "**/pyproject.toml")
_SETTINGS = "pinebench"

Answer = TypeVar("Answer")


class _MalformedMessage(NamedTuple):
    """A message that breaks the protocol: the identifier of its request, or None, and the error."""

    id: int | str | None
    is_request: bool
    error: JsonRpcException


class _Protocol(LanguageServerProtocol):
    """The protocol with two changes: `Documents` keeps the texts, and every malformed request gets an error."""

    handled = 0
    """The number of messages that were handled so far."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Parse a message. One that breaks the protocol becomes a `_MalformedMessage`."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            return _malformed(data, error)

    def handle_message(self, message: Any) -> None:
        """Handle a message, so that every request gets a result or an error."""
        self.handled += 1
        if not isinstance(message, _MalformedMessage) and getattr(message, "jsonrpc", None) != "2.0":
            plain: dict[str, Any] = message if isinstance(message, dict) else {}
            wrong = JsonRpcInvalidRequest('a message is an object with "jsonrpc": "2.0"')
            message = _malformed(plain, wrong, is_request=not plain or "method" in plain)
        if not isinstance(message, _MalformedMessage):
            if self._shutdown and getattr(message, "id", None) is not None and hasattr(message, "method"):
                message = _MalformedMessage(message.id, True, JsonRpcInvalidRequest("the server was shut down"))
            else:
                super().handle_message(message)
                return
        if message.is_request:
            self._send_response(message.id, error=message.error.to_response_error())  # pyright: ignore[reportArgumentType]  # null where no number is known, as JSON-RPC says

    def _execute_handler(
        self,
        msg_id: Any,
        handler: Any,
        callback: Callable[[Any], Any],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        """Call a handler, and drop its future when it is done. pygls would keep the results of commands and the futures
        of notifications forever."""

        def done(future: Any) -> None:
            self._request_futures.pop(msg_id, None)
            callback(future)
            if not future.cancelled():
                # pygls ignores the error of a command that was cancelled, and asyncio would print it on stderr.
                future.exception()

        super()._execute_handler(msg_id, handler, done, args, kwargs)

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Any:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Any:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Any:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE], (params,), None


def _malformed(data: dict[str, Any], error: JsonRpcException, *, is_request: bool | None = None) -> _MalformedMessage:
    number = data.get("id")
    asks = ("id" in data and "method" in data) if is_request is None else is_request
    cause = error.__cause__
    if isinstance(cause, ClassValidationError):
        said = "; ".join(transform_error(cause, format_exception=_said))
        error = JsonRpcInvalidParams(f"{error.message}: {_camel(said)}")
    return _MalformedMessage(number if isinstance(number, int | str) else None, asks, error)


def _said(error: BaseException, kind: type | None) -> str:
    """Describe what is wrong with a value. The protocol's own types name the field and its range."""
    return str(error) if type(error) is ValueError and str(error) else format_exception(error, kind)


def _camel(text: str) -> str:
    """Write names as in the protocol: `triggerKind` for `trigger_kind`."""
    return re.sub(r"(?<=[a-z])_([a-z])", lambda found: found[1].upper(), text)


class PineLanguageServer(LanguageServer):
    """A language server for Pine Script."""

    def __init__(self) -> None:
        super().__init__("pinebench", __version__, protocol_cls=_Protocol)
        self.documents = Documents()
        self._closed = ClosedScripts()
        self._importers = Importers()
        self._told: set[str] = set()
        """The remarks about searches for symbols that were already shown."""
        self._troubles: dict[str, str] = {}
        """The problem with the configuration of each script that has one, by URI."""
        self.wishes = Wishes()
        self.generation = 0
        """A number that increases when something outside of the scripts changes: libraries, configuration, settings."""
        self._turns = asyncio.Lock()
        self._offered: tuple[str, list[Completion]] = ("", [])
        self._waiting: dict[str, asyncio.TimerHandle] = {}
        self._mending: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._bars = 0

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Answer a message that is not valid JSON, as JSON-RPC demands. Other messages have already been answered."""
        if isinstance(error, ValueError | RecursionError) and source is JsonRpcException:
            wrong = JsonRpcParseError(f"the message is not JSON: {error}")
            self.protocol.handle_message(_MalformedMessage(None, True, wrong))  # pyright: ignore[reportArgumentType]

    @property
    def messages(self) -> int:
        """The number of editor messages handled so far."""
        assert isinstance(self.protocol, _Protocol)
        return self.protocol.handled

    @property
    def was_told_to_end(self) -> bool:
        """Whether the editor asked the server to shut down."""
        return self.protocol._shutdown  # pyright: ignore[reportPrivateUsage]  # pygls has no other name for it

    # what the editor can do

    def begin(self, params: types.InitializeParams) -> None:
        """Store the editor's capabilities and folders."""
        folders = [path_of(folder.uri) for folder in params.workspace_folders or ()]
        if not folders and params.root_uri:
            folders = [path_of(params.root_uri)]
        self.documents.folders = [folder for folder in folders if folder]
        self.configure(params.initialization_options)
        encoding = ServerCapabilitiesBuilder.choose_position_encoding(params.capabilities)
        self.documents.encoding = str(getattr(encoding, "value", encoding))
        item = _find(params.capabilities, "text_document", "completion", "completion_item")
        resolving = _find(params.capabilities, "text_document", "code_action", "resolve_support", "properties")
        self.wishes = self.wishes._replace(
            snippets=bool(getattr(item, "snippet_support", False)),
            resolves_edits="edit" in (resolving or ()),
            made_files="create"
            in (_find(params.capabilities, "workspace", "workspace_edit", "resource_operations") or ()),
            related_places=bool(
                _find(params.capabilities, "text_document", "publish_diagnostics", "related_information")
            ),
            versioned_edits=bool(_find(params.capabilities, "workspace", "workspace_edit", "document_changes")),
            asked_edits=_find(params.capabilities, "workspace", "workspace_edit", "change_annotation_support")
            is not None,
        )
        if params.process_id:
            self.in_background(self._end_with(params.process_id))

    def configure(self, settings: Any) -> None:
        """Apply settings: `libraryPaths`, `inlayHints.parameterNames`, `inlayHints.types`, and `data`."""
        settings = settings.get(_SETTINGS, settings) if isinstance(settings, dict) else {}
        if not isinstance(settings, dict):
            return
        paths = settings.get("libraryPaths")
        if isinstance(paths, list):
            self.documents.library_paths = [path for path in paths if isinstance(path, str)]
        data = settings.get("data")
        if isinstance(data, str):
            self.wishes = self.wishes._replace(data=data or None)
        hints = settings.get("inlayHints")
        if isinstance(hints, dict):
            self.wishes = self.wishes._replace(
                parameter_hints=hints.get("parameterNames", True) is not False,
                type_hints=hints.get("types", True) is not False,
            )

    def pulls(self) -> bool:
        """Return whether the editor requests diagnostics itself. If so, they are not pushed, because the editor would
        show them twice."""
        return _find(self.client_capabilities, "text_document", "diagnostic") is not None

    def in_background(self, work: Coroutine[Any, Any, None]) -> None:
        """Run `work` in the background."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _end_with(self, process: int) -> None:
        """End the process when the editor that started this server no longer runs."""
        while _is_alive(process):
            await asyncio.sleep(ALIVE_EVERY)
        os._exit(1)

    async def ask_for_more(self) -> None:
        """Ask the editor to report changed files and settings, if it supports that."""
        workspace = self.client_capabilities.workspace
        watching = _find(workspace, "did_change_watched_files")
        if getattr(watching, "dynamic_registration", False):
            watchers = [types.FileSystemWatcher(pattern) for pattern in _WATCHED]
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            registration = types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            await self.client_register_capability_async(types.RegistrationParams([registration]))
        if getattr(_find(workspace, "did_change_configuration"), "dynamic_registration", False):
            registration = types.Registration("settings", types.WORKSPACE_DID_CHANGE_CONFIGURATION)
            await self.client_register_capability_async(types.RegistrationParams([registration]))
        await self.fetch_settings()

    async def fetch_settings(self) -> None:
        """Request the settings, if the editor supports that, and apply them."""
        if not getattr(self.client_capabilities.workspace, "configuration", False):
            return
        item = types.ConfigurationItem(section=_SETTINGS)
        found = await self.workspace_configuration_async(types.ConfigurationParams([item]))
        if found and isinstance(found[0], dict):
            self.configure(found[0])
            self.start_over()

    # findings

    def start_over(self) -> None:
        """Reload libraries and configuration, and send the diagnostics of every open script."""
        config.forget()
        self.generation += 1
        self.documents.refresh()
        for opened in self.documents.all():
            if self._troubles.get(opened.uri) and self.answers(opened).trouble() != self._troubles[opened.uri]:
                del self._troubles[opened.uri]  # so that it is shown if it comes back before the editor asks
            self.tell_soon(opened)
        support = _find(self.client_capabilities, "workspace", "diagnostics")
        if self.pulls() and getattr(support, "refresh_support", False):
            self.workspace_diagnostic_refresh(None)

    def changed(self, opened: EditorDocument) -> None:
        """Schedule new diagnostics for a changed script and for the scripts that import it."""
        self.tell_soon(opened)
        if not self.documents.may_be_imported(opened):
            return
        self.generation += 1
        for other in self.documents.all():
            if other is not opened and other.view.known.imports:
                other.script.refresh(self.documents.shelf(other))
                self.tell_soon(other)

    def tell_soon(self, opened: EditorDocument, pause: float | None = None) -> None:
        """Push the diagnostics of a script after `pause` seconds, or, without `pause`, after a pause in typing."""
        if self.pulls():
            return
        self._stop_waiting(opened)
        loop = asyncio.get_running_loop()
        usual = min(max(SHORTEST_PAUSE, opened.seconds / 2), LONGEST_PAUSE)
        self._waiting[opened.uri] = loop.call_later(usual if pause is None else pause, partial(self._tell, opened))

    def _tell(self, opened: EditorDocument) -> None:
        self._waiting.pop(opened.uri, None)
        if self.documents.get(opened.uri) is not opened:
            return
        since = time.perf_counter()
        self._publish(opened)
        opened.seconds = time.perf_counter() - since
        loop = asyncio.get_running_loop()
        self._mending[opened.uri] = loop.call_later(FIXES_AFTER, lambda: self.in_background(self._mend(opened)))

    def _publish(self, opened: EditorDocument) -> None:
        found = self.diagnostics(opened)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(opened.uri, found, opened.version))

    async def _mend(self, opened: EditorDocument) -> None:
        """Compute the fixes of the findings, one after the other, as long as the text does not change, and send the
        diagnostics with them. Then a request for code actions need not compute them."""
        from pinebench.linter.suggest import advice_budget
        from pinebench.services.actions import fixes_of

        view, budget = opened.view, advice_budget(opened.view.text)
        for finding in self.answers(opened).findings()[0]:
            await asyncio.sleep(0)
            if opened.view is not view or self.documents.get(opened.uri) is not opened or budget.ended:
                return
            fixes_of(view, finding, budget)
        takes_data = _find(self.client_capabilities, "text_document", "publish_diagnostics", "data_support")
        if takes_data and any(view.fixes.values()):
            self._publish(opened)

    def _stop_waiting(self, opened: EditorDocument) -> None:
        for timers in (self._waiting, self._mending):
            timer = timers.pop(opened.uri, None)
            if timer is not None:
                timer.cancel()

    def diagnostics(self, opened: EditorDocument) -> list[types.Diagnostic]:
        """Return the diagnostics of a script. A problem with its configuration is shown once, and once more if it
        returns after it was solved."""
        trouble = self.answers(opened).trouble()
        if trouble not in self._troubles.values():
            self._warn(trouble)
        self._troubles[opened.uri] = trouble
        return self.answers(opened).diagnostics()

    def forget(self, opened: EditorDocument) -> None:
        """Remove the diagnostics of a closed script."""
        self._stop_waiting(opened)
        self._troubles.pop(opened.uri, None)
        if not self.pulls():
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(opened.uri, []))

    # answers

    @asynccontextmanager
    async def turn(self, opened: EditorDocument, asked: Snapshot | None = None) -> AsyncIterator[None]:
        """Wait until a request about `opened` may be answered: after earlier requests, and after all messages that have
        arrived.

        A request that the editor cancels meanwhile ends here. Raises JsonRpcException if the text is no longer `asked`
        (by default, the text at the time of the call).
        """
        snapshot = asked or opened.view.snapshot
        async with self._turns:
            for _ in range(MOST_WAITS):
                handled = self.messages
                await asyncio.sleep(QUIET)
                if self.messages == handled:
                    break
            if opened.view.snapshot is not snapshot or self.documents.get(opened.uri) is not opened:
                raise JsonRpcException("the text has changed", CONTENT_MODIFIED)
            yield

    def answers(self, opened: EditorDocument, importing: Sequence[ImportingScript] = ()) -> RequestHandlers:
        """Return the request handlers for the current state of a script. `importing` lists the scripts that import the
        library of the request."""
        return RequestHandlers(self.documents, opened, self.wishes, importing)

    async def importing(self, library: EditorDocument) -> list[ImportingScript]:
        """Return the scripts that import a library: open ones, and others in the folders around it.

        Files are read in a thread, and other messages are handled after each script that is parsed, so that they need
        not wait and the request can be cancelled.
        """
        documents = self.documents
        is_open = frozenset(key_of(each.uri) for each in documents.all())
        search = partial(
            self._importers.importing, documents.around(library), lambda file: key_of(uri_of(file)) in is_open
        )
        closed = await asyncio.to_thread(search, is_cancelled=self._is_cancelled())
        unread = ", ".join(sorted(self._importers.unread))
        for remark in (
            self._importers.remark,
            f"Not searched, because they cannot be read: {unread}" if unread else "",
        ):
            self._warn(remark)
        found: list[ImportingScript] = []
        for file, paths in closed.items():
            await asyncio.sleep(0)
            if not documents.names_of(library, EditorDocument.unread(file), paths):
                continue
            script = documents.reach(uri_of(file))
            own = documents.names_of(library, script, imported(script.view.text)) if script is not None else None
            if script is not None and own and documents.get(script.uri) is not script:
                _ = script.view.program
                found.append(ImportingScript(script, own))
        given = ((each, documents.names_of(library, each, imported(each.view.text))) for each in documents.all())
        return [*(ImportingScript(each, paths) for each, paths in given if paths), *found]

    def tell_unseen(self, files: Sequence[str]) -> None:
        """If an edit changes `files` that are not open, show a message that names them."""
        if files:
            names = ", ".join(sorted(files))
            many = f"{len(files)} files that are" if len(files) > 1 else "a file that is"
            told = f"The edit also changes {many} not open: {names}"
            self.window_show_message(types.ShowMessageParams(types.MessageType.Info, told))

    def offer(self, uri: str, items: list[Completion]) -> None:
        """Store the completions that were sent, for later requests about one of them."""
        self._offered = (uri, items)

    def offered(self, data: Any) -> Completion | None:
        """Return the completion that `data` identifies in the last list sent."""
        uri, items = self._offered
        if not isinstance(data, dict) or data.get("uri") != uri:
            return None
        number = data.get("number")
        return items[number] if isinstance(number, int) and 0 <= number < len(items) else None

    async def symbols_like(self, query: str) -> list[types.SymbolInformation]:
        """Return the declarations that match `query` in all scripts of the workspace; an empty query lists only open
        scripts. Files are read in a thread, so that other requests need not wait."""
        every = [self.answers(opened).named_like(query) for opened in self.documents.all()]
        found = [symbol for symbols in every for symbol in symbols]
        if not query:
            return found
        documents = self.documents
        own = frozenset(key_of(opened.uri) for opened in documents.all())
        search = partial(self._closed.like, tuple(documents.folders), query, documents.encoding, own)
        found += await asyncio.to_thread(search, is_cancelled=self._is_cancelled())
        if self._closed.remark not in self._told:  # editors search after each letter
            self._told.add(self._closed.remark)
            self._warn(self._closed.remark)
        return found

    def _warn(self, remark: str) -> None:
        if remark:
            self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, remark))

    # work that takes time

    async def compiled(self, uri: str, who: str) -> dict[str, Any]:
        """Return the verdict of the compiler `who` on a script. The editor shows progress and can cancel it.

        Raises UsageError if an imported library has unsaved changes, because the compilers read libraries from disk.
        """
        from pinebench.lsp.commands import compile_script, summary

        opened = self._opened(uri)
        shelf = self.documents.shelf(opened)
        unsaved, folders = shelf.unsaved(opened.view.program.libraries_read), shelf.folders
        if unsaved:
            raise UsageError(f"{', '.join(unsaved)} has unsaved changes, which would be left out", "save it first")
        text, path = opened.view.text, opened.path or uri

        def work(context: Context) -> dict[str, Any]:
            return compile_script(text, path, folders, who, context)

        return await self._worked(uri, f"compiling ({who})", work, summary)

    async def tried(self, uri: str, trade: bool, market: dict[str, Any]) -> dict[str, Any]:
        """Run a script on bars, or back-test it if `trade` is true. The editor shows progress and can cancel it."""
        from pinebench.lsp.trial_runs import chosen, summary, tried

        program = self._opened(uri).view.program
        base = self.documents.folders[0] if self.documents.folders else os.getcwd()
        # a request for bars of the sample market is not answered with the file of the settings
        is_sample = "symbol" in market or "bars" in market
        wanted = chosen(market if is_sample else {"data": self.wishes.data, **market}, base)

        def work(context: Context) -> dict[str, Any]:
            return tried(program, wanted, context, trade=trade)

        return await self._worked(uri, "back-testing" if trade else "running", work, summary)

    def _opened(self, uri: str) -> EditorDocument:
        opened = self.documents.get(uri)
        if opened is None:
            raise JsonRpcInvalidRequest(f"{uri} is not open")
        return opened

    def _is_cancelled(self) -> Callable[[], bool]:
        """Return a function that tells any thread whether the editor cancelled the current request. pygls cancels only
        the future of the request. A thread that works for the request must call this function."""
        protocol = self.protocol
        futures: dict[Any, Any] = protocol._request_futures  # pyright: ignore[reportPrivateUsage]  # no other name
        future = futures.get(protocol.msg_id)
        return future.cancelled if future is not None else lambda: False

    async def _worked(
        self, uri: str, doing: str, work: Callable[[Context], dict[str, Any]], summary: Callable[[dict[str, Any]], str]
    ) -> dict[str, Any]:
        """Run `work` in a thread with a progress bar, show its summary, and return its result. The editor can cancel
        the work by its progress bar, by cancelling the request, and by disconnecting."""
        is_over = threading.Event()
        is_cancelled = self._is_cancelled()
        token = await self._progress(f"pinebench: {doing}")
        is_stopped = self.work_done_progress.tokens[token].cancelled if token else lambda: False
        loop = asyncio.get_running_loop()

        def report(message: str, fraction: float | None) -> None:
            if token:
                percent = None if fraction is None else round(100 * fraction)
                value = types.WorkDoneProgressReport(message=message, percentage=percent)
                loop.call_soon_threadsafe(self.work_done_progress.report, token, value)

        context = Context(cancelled=lambda: is_over.is_set() or is_cancelled() or is_stopped(), progress=report)
        end = "failed"
        try:
            result = await asyncio.to_thread(work, context)
            end = summary(result)
        except CancelledError:
            end = "cancelled"
            if is_cancelled():  # The request has its answer already.
                raise asyncio.CancelledError from None
            raise
        finally:
            is_over.set()
            if token:
                self.work_done_progress.end(token, types.WorkDoneProgressEnd(message=end.partition("\n")[0]))
        kind = types.MessageType.Info if result["ok"] else types.MessageType.Warning
        self.window_show_message(types.ShowMessageParams(kind, f"{uri.rpartition('/')[2]} {end}"))
        return result

    async def _progress(self, title: str) -> str | None:
        """The token of a new progress bar. None if the editor does not support it."""
        if not getattr(self.client_capabilities.window, "work_done_progress", False):
            return None
        self._bars += 1
        token = f"pinebench-{self._bars}"
        await self.work_done_progress.create_async(token)
        self.work_done_progress.begin(token, types.WorkDoneProgressBegin(title, cancellable=True))
        return token


def _find(start: object, *names: str) -> Any:
    """Follow a chain of attributes from `start`. None if one of them is missing."""
    found: Any = start
    for name in names:
        found = getattr(found, name, None)
    return found


def _is_alive(process: int) -> bool:
    """Return whether a process runs. On Windows the result is always true, because there the server notices the end of
    its pipe."""
    if os.name == "nt":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def answering(
    method: Callable[[RequestHandlers, Any], Answer],
) -> Callable[[PineLanguageServer, Any], Awaitable[Answer | None]]:
    """Create a handler for a request about an open script. The handler returns None for a script that is not open, and
    shows a PinebenchError as a message to the user."""

    async def handler(server: PineLanguageServer, params: Any) -> Answer | None:
        item = getattr(params, "text_document", None) or getattr(params, "item", None)
        opened = server.documents.get(item.uri) if item is not None else None
        if opened is None:
            return None
        async with server.turn(opened):
            try:
                return method(server.answers(opened), params)
            except PinebenchError as error:
                raise refusal(error) from None

    return handler


def searching(
    method: Callable[[RequestHandlers, Any], Answer],
) -> Callable[[PineLanguageServer, Any], Awaitable[Answer | None]]:
    """Create a handler for a request about a name that other scripts of the workspace may use, like `answering`.

    While the other scripts are read, the server answers other requests.
    """

    async def handler(server: PineLanguageServer, params: Any) -> Answer | None:
        opened = server.documents.get(params.text_document.uri)
        if opened is None:
            return None
        snapshot = opened.view.snapshot
        async with server.turn(opened):
            library = server.answers(opened).library_at(params.position)
        importing = await server.importing(library) if library is not None else []
        async with server.turn(opened, snapshot):
            try:
                return method(server.answers(opened, importing), params)
            except PinebenchError as error:
                raise refusal(error) from None

    return handler


def refusal(error: PinebenchError) -> JsonRpcException:
    """Convert an error to a protocol error."""
    return JsonRpcException(error.with_hint, REQUEST_FAILED)
