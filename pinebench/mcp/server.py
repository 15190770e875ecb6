"""The MCP server: offers the chosen tools, runs each call in a thread, and passes on progress and cancellations."""

from __future__ import annotations

import base64
import json
import re
import threading
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from pydantic_core import PydanticSerializationError, to_json

from pinebench import __version__
from pinebench.agent.consent import HARMLESS
from pinebench.context import Context
from pinebench.errors import PinebenchError
from pinebench.mcp import model_resources, prompts
from pinebench.mcp.instructions import INSTRUCTIONS
from pinebench.printable import in_json, printable
from pinebench.tools import registry
from pinebench.tools.chart_browser import ChartBrowser, Image
from pinebench.tools.registry import Needs, Tool
from pinebench.tools.tool_calls import ToolOutcome, answer, for_model
from pinebench.tools.tool_messages import for_models, result_for_models

MOST_AT_ONCE = 8
"""The largest number of calls that run at the same time; other calls wait."""

MOST_COMPLETIONS = 100
"""The largest number of values that the protocol allows in one completion."""

_MOST_PICTURES = 20
"""The largest number of clients whose last picture is kept."""

_MOST_SEEN = 1_000
"""The largest number of clients whose last look at the page is remembered."""

_WITH = {"files": "--folder DIR", "trading": "--trade"}
"""The options without which the tools of a group do nothing."""
_HALVES = re.compile("[\ud800-\udfff]")

_Request = ServerRequestContext[Any, Any]
_ResultT = TypeVar("_ResultT")
_ClientKey = tuple[str | None, str]
"""The user of a client, and its session; its name if it has no session."""


class _PageChange(NamedTuple):
    """A call that may have changed the page: the user and the session of its client (`key`), the client's name, and the
    tool."""

    key: _ClientKey
    client: str
    tool: str


class ServerOffer:
    """The tools, resources and prompts that one server offers for one browser."""

    instructions = INSTRUCTIONS

    def __init__(self, chart_browser: ChartBrowser, tools: list[Tool], *, output_schemas: bool = False) -> None:
        """With `output_schemas`, tools are listed with the schema of their result, which costs a model tokens."""
        self.chart_browser = chart_browser
        self.tools = {tool.name: tool for tool in tools}
        self._entries = [entry(tool, output_schema=output_schemas) for tool in tools]
        self._limit: anyio.CapacityLimiter | None = None
        self._pictures: dict[_ClientKey, Image] = {}
        self._change: _PageChange | None = None
        self._seen: dict[_ClientKey, _PageChange | None] = {}

    def server(self) -> Server[Any]:
        """Return the SDK's server with our handlers."""
        return Server(
            "pinebench", version=__version__, title="pinebench", instructions=self.instructions, **self._handlers()
        )

    def _handlers(self) -> dict[str, Any]:
        """Return our handlers, by the SDK's names for them."""
        return {
            "on_list_tools": self._list_tools,
            "on_call_tool": self._call_tool,
            "on_list_resources": self._list_resources,
            "on_list_resource_templates": self._list_templates,
            "on_read_resource": self._read_resource,
            "on_list_prompts": self._list_prompts,
            "on_get_prompt": self._get_prompt,
            "on_completion": self._complete,
        }

    async def _list_tools(self, request: _Request, _: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        del request
        return types.ListToolsResult(tools=self._entries)

    async def _call_tool(self, request: _Request, params: types.CallToolRequestParams) -> types.CallToolResult:
        name = registry.real_name(params.name)
        if name not in self.tools:
            return called(ToolOutcome(self._not_offered(name)))
        overtaken = self._overtaken(request, self.tools[name])
        if overtaken is not None and self.tools[name].changes:
            # This client may mean another chart or script. It knows now, so its next call is performed.
            hint = "look at the chart or the script first, and call again if it still makes sense"
            failed = {"success": False, "error": f"not performed: {overtaken}", "hint": hint}
            return self._told(name, ToolOutcome(failed))
        given: dict[str, object] = dict(params.arguments or {})
        outcome = await self._in_thread(request, lambda context: self._answer(name, given, context))
        if overtaken is not None:
            notes = [*outcome.result.get("notes", []), overtaken]
            outcome = outcome._replace(result={**outcome.result, "notes": notes})
        if outcome.images:
            key = self._client(request)[0]
            self._pictures.pop(key, None)
            self._pictures[key] = outcome.images[-1]
            if len(self._pictures) > _MOST_PICTURES:
                del self._pictures[next(iter(self._pictures))]
        return self._told(name, outcome)

    def _client(self, request: _Request) -> tuple[_ClientKey, str]:
        """Return the key and the name of the client of a request."""
        known = request.session.client_params
        name = "which did not say its name" if known is None else printable(known.client_info.name)[:80]
        session = "" if request.request is None else request.request.headers.get("mcp-session-id", "")
        return (self._caller(request).get("subject"), session or name), name

    def _overtaken(self, request: _Request, tool: Tool) -> str | None:
        """Return a sentence about another client that may have changed the page since this client's last call there;
        None if there is none. Record this call."""
        if tool.needs in (Needs.NOTHING, Needs.NETWORK):
            return None
        key, client = self._client(request)
        last = self._change
        before = self._seen.pop(key, last)
        is_overtaken = last is not None and last is not before and last.key != key
        if tool.changes and not is_overtaken:
            self._change = _PageChange(key, client, tool.name)
        self._seen[key] = self._change
        if len(self._seen) > _MOST_SEEN:
            del self._seen[next(iter(self._seen))]
        if last is None or not is_overtaken:
            return None
        return f"another client, {last.client}, has called {last.tool} on the page since your last call"

    def _answer(self, name: str, given: dict[str, object], context: Context) -> ToolOutcome:
        """Call a tool, and prepare its result for a model: reworded and shortened, unless clients need the whole
        result."""
        outcome = answer(self.chart_browser, name, given, context)
        if self.gives_whole(name):
            return outcome._replace(result=result_for_models(outcome.result))
        return outcome._replace(result=for_model(self.chart_browser, name, outcome, context.subject))

    def gives_whole(self, name: str) -> bool:
        """Return whether the results of a tool are never shortened."""
        del name
        return False

    def _told(self, name: str, outcome: ToolOutcome) -> types.CallToolResult:
        """Return the answer to a call of the tool `name`."""
        del name
        return called(outcome)

    def _not_offered(self, name: str) -> dict[str, Any]:
        """Return the failure for a tool that is not offered. If a tool with that name exists, the hint says how to add
        it."""
        told = {"success": False, "error": f"this server offers no tool '{name[:80]}'"}
        known = registry.tools().get(name)
        if known is None:
            near = registry.near_tools(name, self.tools)
            return {
                **told,
                "hint": f"did you mean {' or '.join(near)}?"
                if near
                else "tools/list lists the tools that the server offers",
            }
        also = f" {_WITH[known.group]}" if known.group in _WITH else ""
        also += ", without --read-only" if known.is_left_out else ""
        return {**told, "hint": f"a person adds it when starting the server: --tools default,{known.group}{also}"}

    async def _list_resources(self, _: _Request, __: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=model_resources.LISTED)

    async def _list_templates(
        self, _: _Request, __: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=model_resources.TEMPLATES)

    async def _read_resource(
        self, request: _Request, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri, picture = str(params.uri), self._pictures.get(self._client(request)[0])
        try:
            content = await self._in_thread(
                request, lambda context: model_resources.read(uri, self.chart_browser, context, picture)
            )
        except PinebenchError as error:
            raise MCPError(types.INVALID_PARAMS, for_models(error.with_hint), {"uri": uri}) from None
        return types.ReadResourceResult(contents=[content])

    async def _list_prompts(self, _: _Request, __: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=prompts.listed())

    async def _get_prompt(self, _: _Request, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        try:
            return prompts.get(params.name, dict(params.arguments or {}))
        except PinebenchError as error:
            raise MCPError(types.INVALID_PARAMS, error.message) from None

    async def _complete(self, _: _Request, params: types.CompleteRequestParams) -> types.CompleteResult:
        """Complete the name in a resource template. A prompt's arguments are free text, so they have no completions."""
        found: list[str] = []
        if isinstance(params.ref, types.ResourceTemplateReference):
            found = model_resources.names(params.ref.uri, params.argument.value)
        shown = found[:MOST_COMPLETIONS]
        return types.CompleteResult(
            completion=types.Completion(values=shown, total=len(found), has_more=len(shown) < len(found))
        )

    def _caller(self, request: _Request) -> dict[str, Any]:
        """Return the user of a call and the engine that it may use, as arguments of `Context`; empty over a pipe."""
        del request
        return {}

    async def _in_thread(self, request: _Request, work: Callable[[Context], _ResultT]) -> _ResultT:
        """Run blocking work in a thread, with a context that reports progress and is cancelled with the request."""
        if self._limit is None:
            self._limit = anyio.CapacityLimiter(MOST_AT_ONCE)
        cancelled = threading.Event()
        told = 0

        def progress(text: str, fraction: float | None) -> None:
            nonlocal told
            told += 1
            amount, total = (told, None) if fraction is None else (fraction, 1.0)
            anyio.from_thread.run(request.session.report_progress, amount, total, text)

        context = Context(cancelled=cancelled.is_set, progress=progress, **self._caller(request))
        try:
            return await anyio.to_thread.run_sync(work, context, abandon_on_cancel=True, limiter=self._limit)
        finally:
            cancelled.set()


def entry(tool: Tool, *, output_schema: bool = False) -> types.Tool:
    """Return the tool's entry in the server's list of tools."""
    hints = types.ToolAnnotations(read_only_hint=True if not tool.is_left_out else None)
    if tool.is_left_out:
        hints.destructive_hint = tool.destroys or (tool.changes and tool.name not in HARMLESS)
    if not tool.outside:
        hints.open_world_hint = False
    return types.Tool(
        name=tool.name,
        description=tool.summary,
        input_schema=tool.input_schema(),
        output_schema=tool.output_schema() if output_schema else None,
        annotations=hints,
    )


def called(outcome: ToolOutcome) -> types.CallToolResult:
    """Return the answer to a call: the result as text and as structured content, followed by the pictures."""
    result = outcome.result
    try:
        text = to_json(result).decode()
    except PydanticSerializationError:
        # A single surrogate, which an editor may hold, cannot be sent.
        result = json.loads(_HALVES.sub("\ufffd", json.dumps(result, ensure_ascii=False)))
        text = to_json(result).decode()
    content: list[Any] = [types.TextContent(type="text", text=in_json(text))]
    for image in outcome.images:
        data = base64.b64encode(image.data).decode()
        content.append(types.ImageContent(type="image", data=data, mime_type=image.mime_type))
    return types.CallToolResult(content=content, structured_content=result, is_error=not result["success"])
