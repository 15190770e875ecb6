"""What the protocol's own conformance suite asks of a server: tools, resources and prompts of its names.

`python -m tests.soak.conformance http PORT` serves it over HTTP as `pinebench mcp --http` serves pinebench's tools, and
`serve` instead of `http` as `pinebench mcp --serve --no-auth` serves charts.
Tools with results, pictures, errors and progress take the way that every tool of pinebench takes; what none of them
does (questions to the client, log messages, subscriptions) is answered here.
"""

import base64
import json
import re
import struct
import sys
import zlib
from typing import Any

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from pinebench import __version__
from pinebench.context import Context
from pinebench.mcp import transports
from pinebench.mcp.server import called
from pinebench.mcp.web import web_server as web
from pinebench.mcp.web.addresses import Addresses
from pinebench.mcp.web.application import application
from pinebench.mcp.web.public_tools import ServedOffer
from pinebench.mcp.web.scopes import Scopes
from pinebench.tools.chart_browser import ChartBrowser, Image
from pinebench.tools.tool_calls import ToolOutcome

_Request = ServerRequestContext[Any, Any]
_PAUSE = 0.05
_NOTHING: dict[str, Any] = {"type": "object", "properties": {}}


def _picture() -> bytes:
    """A PNG of one red pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    rows = zlib.compress(b"\x00\xff\x00\x00")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def _sound() -> bytes:
    """A WAV file of one silent sample."""
    samples = b"\x00\x00"
    form = struct.pack("<HHIIHH", 1, 1, 8000, 16000, 2, 16)
    body = b"WAVEfmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(samples)) + samples
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _text(words: str) -> types.TextContent:
    return types.TextContent(type="text", text=words)


def _embedded(uri: str, mime_type: str, words: str) -> types.EmbeddedResource:
    contents = types.TextResourceContents(uri=uri, mime_type=mime_type, text=words)
    return types.EmbeddedResource(type="resource", resource=contents)


def _asks(*names: str) -> dict[str, Any]:
    """The schema of a tool with texts as arguments, all of them required."""
    return {"type": "object", "properties": {name: {"type": "string"} for name in names}, "required": list(names)}


_SCHEMAS: dict[str, dict[str, Any]] = {
    "test_simple_text": _NOTHING,
    "test_image_content": _NOTHING,
    "test_audio_content": _NOTHING,
    "test_embedded_resource": _NOTHING,
    "test_multiple_content_types": _NOTHING,
    "test_tool_with_logging": _NOTHING,
    "test_error_handling": _NOTHING,
    "test_tool_with_progress": _NOTHING,
    "test_sampling": _asks("prompt"),
    "test_elicitation": _asks("message"),
    "test_elicitation_sep1034_defaults": _NOTHING,
    "test_elicitation_sep1330_enums": _NOTHING,
    "test_reconnection": _NOTHING,
    "json_schema_2020_12_tool": {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {"type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}
        },
        "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
        "additionalProperties": False,
    },
}

_CONTENT: dict[str, list[Any]] = {
    "test_simple_text": [_text("This is a simple text response for testing.")],
    "test_audio_content": [types.AudioContent(type="audio", data=_encoded(_sound()), mime_type="audio/wav")],
    "test_embedded_resource": [
        _embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")
    ],
    "test_multiple_content_types": [
        _text("Multiple content types test:"),
        types.ImageContent(type="image", data=_encoded(_picture()), mime_type="image/png"),
        _embedded("test://mixed-content-resource", "application/json", json.dumps({"test": "data", "value": 123})),
    ],
    "json_schema_2020_12_tool": [_text("It was called.")],
}

_PROPERTIES: dict[str, dict[str, Any]] = {
    "test_elicitation": {
        "username": {"type": "string", "description": "User's response"},
        "email": {"type": "string", "description": "User's email address"},
    },
    "test_elicitation_sep1034_defaults": {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": True},
    },
    "test_elicitation_sep1330_enums": {
        "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
        "titledSingle": {
            "type": "string",
            "oneOf": [
                {"const": f"value{each}", "title": f"{word} Option"} for each, word in ((1, "First"), (2, "Second"))
            ],
        },
        "legacyEnum": {"type": "string", "enum": ["opt1", "opt2"], "enumNames": ["Option One", "Option Two"]},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
        "titledMulti": {
            "type": "array",
            "items": {
                "anyOf": [
                    {"const": f"value{each}", "title": f"{word} Choice"} for each, word in ((1, "First"), (2, "Second"))
                ]
            },
        },
    },
}

_RESOURCES = {
    "test://static-text": ("text/plain", "This is the content of the static text resource."),
    "test://static-binary": ("image/png", _picture()),
    "test://watched-resource": ("text/plain", "Nobody changes it."),
}

_PROMPTS: dict[str, tuple[str, ...]] = {
    "test_simple_prompt": (),
    "test_prompt_with_arguments": ("arg1", "arg2"),
    "test_prompt_with_embedded_resource": ("resourceUri",),
    "test_prompt_with_image": (),
}


class Fixtures(ServedOffer):
    """An offer of the suite's fixtures instead of pinebench's tools."""

    def __init__(self, chart_browser: ChartBrowser) -> None:
        super().__init__(chart_browser, [], Scopes())
        self._watched: set[str] = set()

    def server(self) -> Server[Any]:
        """The SDK's server with every handler that the suite asks for."""
        return Server(
            "pinebench",
            version=__version__,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_subscribe_resource=self._subscribe,
            on_unsubscribe_resource=self._unsubscribe,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
            on_completion=self._complete,
            on_set_logging_level=self._set_level,
        )

    async def _list_tools(self, request: _Request, _: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        del request
        return types.ListToolsResult(
            tools=[
                types.Tool(name=name, description="For the conformance suite.", input_schema=schema)
                for name, schema in _SCHEMAS.items()
            ]
        )

    async def _call_tool(self, request: _Request, params: types.CallToolRequestParams) -> types.CallToolResult:
        given = params.arguments or {}
        if params.name in _CONTENT:
            return types.CallToolResult(content=_CONTENT[params.name])
        if params.name == "test_image_content":
            outcome = ToolOutcome({"success": True}, (Image(_picture(), "image/png"),))
            return types.CallToolResult(content=called(outcome).content[1:])
        if params.name == "test_error_handling":
            return called(
                ToolOutcome({"success": False, "error": "This tool intentionally returns an error for testing"})
            )
        if params.name == "test_tool_with_progress":
            return called(await self._in_thread(request, _with_progress))
        if params.name == "test_tool_with_logging":
            return await _with_logging(request)
        if params.name == "test_reconnection":
            return await _reconnected(request)
        if params.name == "test_sampling":
            return await _sampled(request, str(given.get("prompt", "")))
        if params.name in _PROPERTIES:
            return await _elicited(request, str(given.get("message", "Please fill in")), _PROPERTIES[params.name])
        return await super()._call_tool(request, params)

    async def _list_resources(self, _: _Request, __: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        return types.ListResourcesResult(
            resources=[
                types.Resource(uri=uri, name=uri, description="For the conformance suite.", mime_type=mime_type)
                for uri, (mime_type, _content) in _RESOURCES.items()
            ]
        )

    async def _list_templates(
        self, _: _Request, __: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        template = types.ResourceTemplate(
            uri_template="test://template/{id}/data", name="data by id", mime_type="application/json"
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def _read_resource(
        self, request: _Request, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        del request
        uri = str(params.uri)
        named = re.fullmatch(r"test://template/([^/]+)/data", uri)
        if named:
            told = {"id": named[1], "templateTest": True, "data": f"Data for ID: {named[1]}"}
            mime_type, content = "application/json", json.dumps(told)
        elif uri in _RESOURCES:
            mime_type, content = _RESOURCES[uri]
        else:
            raise MCPError(types.INVALID_PARAMS, f"there is no resource {uri[:200]}", {"uri": uri})
        if isinstance(content, bytes):
            found = types.BlobResourceContents(uri=uri, mime_type=mime_type, blob=_encoded(content))
            return types.ReadResourceResult(contents=[found])
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=uri, mime_type=mime_type, text=content)]
        )

    async def _subscribe(self, _: _Request, params: types.SubscribeRequestParams) -> types.EmptyResult:
        self._watched.add(str(params.uri))
        return types.EmptyResult()

    async def _unsubscribe(self, _: _Request, params: types.UnsubscribeRequestParams) -> types.EmptyResult:
        self._watched.discard(str(params.uri))
        return types.EmptyResult()

    async def _list_prompts(self, _: _Request, __: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        return types.ListPromptsResult(
            prompts=[
                types.Prompt(
                    name=name,
                    description="For the conformance suite.",
                    arguments=[types.PromptArgument(name=each, required=True) for each in arguments],
                )
                for name, arguments in _PROMPTS.items()
            ]
        )

    async def _get_prompt(self, _: _Request, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        given = params.arguments or {}
        contents: dict[str, list[Any]] = {
            "test_simple_prompt": [_text("This is a simple prompt for testing.")],
            "test_prompt_with_arguments": [
                _text(f"Prompt with arguments: arg1='{given.get('arg1', '')}', arg2='{given.get('arg2', '')}'")
            ],
            "test_prompt_with_embedded_resource": [
                _embedded(
                    str(given.get("resourceUri", "test://none")), "text/plain", "Embedded resource content for testing."
                ),
                _text("Please process the embedded resource above."),
            ],
            "test_prompt_with_image": [
                types.ImageContent(type="image", data=_encoded(_picture()), mime_type="image/png"),
                _text("Please analyze the image above."),
            ],
        }
        if params.name not in contents:
            raise MCPError(types.INVALID_PARAMS, f"there is no prompt '{params.name[:80]}'")
        return types.GetPromptResult(
            messages=[types.PromptMessage(role="user", content=each) for each in contents[params.name]]
        )

    async def _complete(self, _: _Request, params: types.CompleteRequestParams) -> types.CompleteResult:
        values = [word for word in ("paris", "park", "party") if word.startswith(params.argument.value)]
        return types.CompleteResult(completion=types.Completion(values=values, total=len(values), has_more=False))

    async def _set_level(self, _: _Request, __: types.SetLevelRequestParams) -> types.EmptyResult:
        return types.EmptyResult()


def _with_progress(context: Context) -> ToolOutcome:
    for share in (0.0, 0.5, 1.0):
        context.progress("working", share)
        context.sleep(_PAUSE)
    return ToolOutcome({"success": True})


async def _with_logging(request: _Request) -> types.CallToolResult:
    for words in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await request.session.send_log_message("info", words, "conformance", related_request_id=request.request_id)
        await anyio.sleep(_PAUSE)
    return types.CallToolResult(content=[_text("Three messages were sent.")])


async def _reconnected(request: _Request) -> types.CallToolResult:
    """End the stream of the call before its answer, where a client can take it up again."""
    await anyio.sleep(_PAUSE)  # until the number from which the client goes on was sent
    if request.close_sse_stream is not None:
        await request.close_sse_stream()
    await anyio.sleep(2 * _PAUSE)
    return types.CallToolResult(content=[_text("Reconnection test completed.")])


async def _sampled(request: _Request, prompt: str) -> types.CallToolResult:
    message = types.SamplingMessage(role="user", content=_text(prompt))
    answer = await request.session.create_message([message], max_tokens=100, related_request_id=request.request_id)
    said = answer.content.text if isinstance(answer.content, types.TextContent) else str(answer.content)
    return types.CallToolResult(content=[_text(f"LLM response: {said}")])


async def _elicited(request: _Request, message: str, properties: dict[str, Any]) -> types.CallToolResult:
    schema = {"type": "object", "properties": properties, "required": []}
    answer = await request.session.elicit_form(message, schema, related_request_id=request.request_id)
    told = f"action={answer.action}, content={json.dumps(answer.content)}"
    return types.CallToolResult(content=[_text(f"User response: {told}")])


if __name__ == "__main__":
    with ChartBrowser() as shared:
        way, port = sys.argv[1], int(sys.argv[2])
        if way == "http":
            transports.over_http(Fixtures(shared), port, None, lambda address: print(address, file=sys.stderr))
        else:
            listening = web.listen("127.0.0.1", port)
            served = application(Fixtures(shared), Addresses(port), Scopes())
            web.WebService(served, listening, lambda: print(port, file=sys.stderr)).run()
