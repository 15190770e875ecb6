"""The MCP server as clients of the official SDK see it."""

import base64
import json
import re
import sys
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import MCPError
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from pinebench import skills
from pinebench.mcp.instructions import INSTRUCTIONS
from pinebench.mcp.server import ServerOffer, called
from pinebench.services.topics import topics
from pinebench.skills.catalogue import ours
from pinebench.tools import registry
from pinebench.tools.chart_browser import ChartBrowser, Image, ToolContext
from pinebench.tools.registry import Needs, Tool
from pinebench.tools.tool_calls import ToolOutcome, call
from tests.studio.support import CLEAN, WRONG

TOKEN = 4
"""Characters a token."""


def offer(groups: str = "all", **options: Any) -> ServerOffer:
    """An offer whose browser is not there."""
    return ServerOffer(ChartBrowser(port=9), registry.chosen(groups), **options)


def talk(offered: ServerOffer, conversation: Callable[[Client], Awaitable[Any]], mode: Any = "legacy") -> Any:
    """What a conversation with a server in this process gives."""

    async def run() -> Any:
        async with Client(offered.server(), mode=mode) as client:
            return await conversation(client)

    return anyio.run(run)


def text_of(answer: Any) -> str:
    """The text of the first content of an answer."""
    return answer.content[0].text


async def listed(client: Client) -> list[dict[str, Any]]:
    """The tools as they travel."""
    answer = await client.list_tools()
    return [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in answer.tools]


@pytest.mark.parametrize(("groups", "most"), [("default", 8_000), ("all", 21_500)])
def test_the_list_of_tools_costs_few_tokens(groups: str, most: int) -> None:
    async def conversation(client: Client) -> Any:
        return await listed(client), client.instructions

    tools, instructions = talk(offer(groups), conversation)
    told = len(instructions or "") if groups == "default" else 0  # what a client pays for before the first question
    assert (len(json.dumps(tools, separators=(",", ":"))) + told) / TOKEN <= most
    assert [tool["name"] for tool in tools] == [tool.name for tool in registry.chosen(groups)]


def test_the_instructions_name_only_tools_that_are_offered() -> None:
    named = set(re.findall(r"[a-z]+_\w+", INSTRUCTIONS)) & registry.tools().keys()
    assert len(named) > 10
    assert named <= {tool.name for tool in registry.chosen("default")}


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_tools_are_listed_with_what_they_do_and_called(mode: str) -> None:
    async def conversation(client: Client) -> Any:
        return await listed(client), await client.call_tool("pine_analyze", {"source": WRONG})

    tools, answer = talk(offer(), conversation, mode)
    known = {tool["name"]: tool for tool in tools}
    assert known["data_get_ohlcv"]["annotations"] == {"readOnlyHint": True, "openWorldHint": False}
    assert known["pine_save"]["annotations"] == {"destructiveHint": True}
    for name in ("pine_set_source", "chart_manage_indicator"):  # one replaces the text, one removes studies
        assert known[name]["annotations"]["destructiveHint"] is True
    assert known["chart_set_symbol"]["annotations"] == {"destructiveHint": False, "openWorldHint": False}
    assert "outputSchema" not in known["quote_get"]
    assert not answer.is_error
    assert json.loads(text_of(answer)) == answer.structured_content
    assert answer.structured_content == call(ChartBrowser(port=9), "pine_analyze", {"source": WRONG})


@pytest.mark.parametrize(
    ("template", "begun", "first", "count"),
    [
        ("reference", "ta.SMA", "ta.sma", 1),
        ("codes", "ce1027", "CE10271", 4),
        ("templates", "", "ema_cross_strategy", 20),
        ("skills", "repaint", "repaint-audit", 1),
        ("script", "", None, 0),
    ],
)
def test_names_of_resources_are_completed(template: str, begun: str, first: str | None, count: int) -> None:
    async def conversation(client: Client) -> Any:
        uri = f"pinebench://{template}/{{name}}"
        return await client.complete(types.ResourceTemplateReference(uri=uri), {"name": "name", "value": begun})

    found = talk(offer(), conversation).completion
    assert next(iter(found.values), None) == first
    assert found.total <= count and len(found.values) <= 100
    assert not found.has_more


def test_output_schemas_come_on_request() -> None:
    tools = talk(offer("check", output_schemas=True), listed)
    assert all("success" in tool["outputSchema"]["properties"] for tool in tools)


def test_failures_are_marked_and_unknown_tools_refused() -> None:
    async def conversation(client: Client) -> Any:
        return [
            await client.call_tool("template_search", {"query": "ema", "limit": "abc"}),
            await client.call_tool("tv_health_check", {}),
            await client.call_tool("no_such_tool", {}),
        ]

    answers = talk(offer("templates,health"), conversation)
    assert [answer.is_error for answer in answers] == [True, True, True]
    said = [answer.structured_content for answer in answers]
    assert said[0]["error"] == "limit must be a finite number, got: abc"
    assert "no program listens" in said[1]["error"]
    assert not any(each["success"] for each in said)


def test_a_text_is_the_object_whatever_it_holds() -> None:
    bars = [{"time": 1700000000, "open": 101.23, "low": 1e-9, "high": -0.0, "volume": 1e22, "note": None}]
    result = {"success": True, "bars": bars, "more": {}, "none": [], "text": 'é\u2028"\\\n\x7f😀', "big": 1 << 70}
    answer = called(ToolOutcome(result))
    assert json.loads(text_of(answer)) == answer.structured_content == result
    assert text_of(answer).startswith('{"success":true,"bars":[{"time":1700000000,')  # no layout, which costs tokens
    halves = called(ToolOutcome({"success": True, "source": "// \ud83d alone", "\udc00": [1]}))
    assert halves.structured_content == {"success": True, "source": "// \ufffd alone", "\ufffd": [1]}
    assert json.loads(text_of(halves)) == halves.structured_content
    assert json.loads(halves.model_dump_json(by_alias=True))["structuredContent"] == halves.structured_content


def test_what_was_not_offered_cannot_be_called() -> None:
    reading = ServerOffer(ChartBrowser(port=9), registry.chosen(read_only=True))

    async def conversation(client: Client) -> Any:
        names = ("pine_set_source", "alert_list", "quote_gett", "script_read", "get_balance")
        return [(await client.call_tool(name, {})).structured_content for name in names]

    changing, other_group, unknown, file, paper = talk(reading, conversation)
    assert "offers no tool 'pine_set_source'" in changing["error"]
    assert "without --read-only" in changing["hint"]
    assert other_group["hint"].endswith("--tools default,alerts")
    assert file["hint"].endswith("--tools default,files --folder DIR")
    assert paper["hint"].endswith("--tools default,trading --trade")
    assert unknown["hint"] == "did you mean quote_get?"


def test_about_50_tools_are_offered_unasked_and_the_server_says_how_to_get_more() -> None:
    async def conversation(client: Client) -> Any:
        return client.instructions

    offered = {tool.name: tool for tool in registry.chosen()}
    assert 40 <= len(offered) <= 65
    told = talk(offer("default"), conversation)
    assert len(told) / TOKEN <= 1_000
    assert "--tools default," in told and "--tools all" in told
    for group in registry.GROUPS:
        assert group.default or f"- {group.name}: " in told
    named = set(re.findall(r"\b(?:tv|target|chart|data|quote|pine|template|symbol|capture)_\w+", told))
    assert named <= set(offered), "it sends models to tools that they do not have"


def test_resources_are_listed_and_read() -> None:
    async def conversation(client: Client) -> Any:
        uris = [str(each.uri) for each in (await client.list_resources()).resources]
        forms = [each.uri_template for each in (await client.list_resource_templates()).resource_templates]
        wanted = (
            *("templates/ema_ribbon", "reference/ta.sma", "codes/CE10272", "reference", "codes", "templates"),
            *("skills", "skills/repaint-audit", "language"),
        )
        read: list[Any] = [await client.read_resource(f"pinebench://{name}") for name in wanted]
        texts = [each.contents[0].text for each in read]
        failures: list[str] = []
        for name in ("script", "screenshot", "nothing", "reference/ta.nonsense", "language/nonsense"):
            with pytest.raises(MCPError) as refused:
                await client.read_resource(f"pinebench://{name}")
            failures.append(str(refused.value))
        return uris, forms, texts, failures

    uris, forms, texts, failures = talk(offer(), conversation)
    assert "pinebench://script" in uris
    assert "pinebench://templates/{name}" in forms
    assert texts[0].startswith("//@version=6")
    assert json.loads(texts[1])["kind"] == "function"
    assert json.loads(texts[2])["kind"] == "code"
    assert "ta.sma" in texts[3]
    assert "CE10272" in texts[4]
    assert len(json.loads(texts[5])["templates"]) > 10
    explained = json.loads(texts[1])
    assert "ta.sma(" in explained["example"] and explained["shows"] and explained["watch_out"][0]["shows"]
    assert texts[8] == "\n".join(f"{topic.address}: {topic.title}" for topic in topics())
    assert texts[6] == skills.index() and texts[7] == skills.load("repaint-audit")
    assert "no program listens" in failures[0]
    assert "no picture has been taken" in failures[1]
    assert "there is no resource" in failures[2]
    assert "unknown name or code" in failures[3]
    assert "there is no topic 'nonsense' (the pages are" in failures[4] and "repainting" in failures[4]


def test_prompts_are_filled_in() -> None:
    async def conversation(client: Client) -> Any:
        names = [each.name for each in (await client.list_prompts()).prompts]
        prompt: Any = await client.get_prompt("write_strategy", {"idea": "buy {low}"})
        with pytest.raises(MCPError, match="idea is missing"):
            await client.get_prompt("write_strategy", {})
        with pytest.raises(MCPError, match="no prompt"):
            await client.get_prompt("nothing", {})
        with pytest.raises(MCPError, match="review_script has no argument 'idea'; its arguments: none"):
            await client.get_prompt("review_script", {"idea": "x"})
        skill: Any = await client.get_prompt("repaint-audit", {"focus": "NASDAQ:AAPL"})
        return names, prompt.messages[0].content.text, skill.messages[0].content.text

    names, text, skill = talk(offer(), conversation)
    assert names == ["write_strategy", "review_script", "analyse_chart", *(skill.name for skill in ours())]
    assert skill.startswith("NASDAQ:AAPL\n\nFollow this skill.\n\n# Repaint audit")
    assert "buy {low}" in text
    known = registry.tools()
    assert all(word in known for word in ("template_search", "pine_analyze", "pine_smart_compile") if word in text)


class Slow:
    """A tool that reports progress until it is cancelled."""

    def __init__(self) -> None:
        self.ended = threading.Event()
        self.why = ""

    def offer(self) -> ServerOffer:
        """An offer of this tool alone."""

        def slow(at: ToolContext) -> dict[str, Any]:
            try:
                for step in range(3):
                    at.context.progress(f"step {step}", step / 3)
                at.images.append(Image(b"\x89PNG", "image/png"))
                if self.why == "wait":
                    at.context.sleep(60)
            except Exception as error:
                self.why = type(error).__name__
                raise
            finally:
                self.ended.set()
            return {"done": True}

        tool = Tool("health", "Slow.", needs=Needs.NOTHING, name="slow", function=slow)
        registry.tools()["slow"] = tool
        return ServerOffer(ChartBrowser(port=9), [tool])


@pytest.fixture
def slow() -> Any:
    """A slow tool, known for one test."""
    yield (made := Slow())
    made.ended.wait(120)
    registry.tools().pop("slow", None)


def test_progress_and_pictures_reach_the_client(slow: Slow) -> None:
    seen: list[tuple[float, str | None]] = []

    async def heard(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, message))

    async def conversation(client: Client) -> Any:
        answer = await client.call_tool("slow", {}, progress_callback=heard)
        picture = (await client.read_resource("pinebench://screenshot")).contents[0]
        return answer, picture

    answer, picture = talk(slow.offer(), conversation)
    assert seen == [(0.0, "step 0"), (1 / 3, "step 1"), (2 / 3, "step 2")]
    assert answer.content[1].data == base64.b64encode(b"\x89PNG").decode() == picture.blob
    assert answer.content[1].mime_type == "image/png"


def test_a_cancelled_call_ends_its_work(slow: Slow) -> None:
    slow.why = "wait"

    async def conversation(client: Client) -> Any:
        with anyio.move_on_after(0.5) as scope:
            await client.call_tool("slow", {})
        assert scope.cancelled_caught
        await anyio.to_thread.run_sync(slow.ended.wait, 10)

    talk(slow.offer(), conversation)
    assert slow.why == "CancelledError"


def test_over_stdio_only_messages_stand_on_stdout() -> None:
    """The whole server in a process of its own, as clients start it."""

    async def run() -> Any:
        arguments = ["-m", "pinebench", "mcp", "--tools", "check,health", "--cdp-port", "9"]
        parameters = StdioServerParameters(command=sys.executable, args=arguments)
        async with Client(stdio_client(parameters), mode="legacy") as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            answers = [await client.call_tool("pine_analyze", {"source": CLEAN}) for _ in range(3)]
            failed = await client.call_tool("tv_health_check", {})
            return names, answers, failed, client.instructions

    names, answers, failed, instructions = anyio.run(run)
    assert names == [tool.name for tool in registry.chosen("check,health")]
    assert all(answer.structured_content["passes_check"] for answer in answers)
    assert failed.is_error
    assert "pine_set_source" in instructions
