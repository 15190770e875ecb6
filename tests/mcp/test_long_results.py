"""No result of any tool is too long for a model, by the server and in a conversation; a model can read all of it."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from mcp.client.client import Client

from pinebench.agent.tool_replies import told
from pinebench.authoring.foreign import Foreign
from pinebench.tools import registry
from pinebench.tools.chart_browser import ChartBrowser, ToolContext
from pinebench.tools.pages import MOST, READ
from pinebench.tools.registry import Needs, Tool
from pinebench.tools.tool_calls import ToolOutcome, call
from tests.mcp.test_server import offer, talk, text_of


def large(schema: dict[str, Any], wide: int, depth: int = 0) -> Any:
    """A value of this form with `wide` entries in its first lists and objects, and long texts."""
    if "anyOf" in schema:
        return max((large(each, wide, depth) for each in schema["anyOf"]), key=lambda value: len(json.dumps(value)))
    if "enum" in schema:
        return schema["enum"][0]
    entries = range((wide, wide, 4, 2, 1)[min(depth, 4)])
    match schema.get("type"):
        case "array":
            return [large(schema.get("items", {}), wide, depth + 1) for _ in entries]
        case "object" if "properties" in schema:
            return {name: large(each, wide, depth + 1) for name, each in schema["properties"].items()}
        case "object":
            inside = schema.get("additionalProperties", {"type": "number"})
            return {f"name {n}": large(inside, wide, depth + 1) for n in entries}
        case "string":
            return "words and words\n" * (wide if depth < 2 else 4)
        case "boolean":
            return True
        case "null":
            return None
        case "integer" | "number":
            return 12345.678
        case _:
            return [0.125] * (4 * wide if depth < 2 else 4)


def long_result(tool: Tool) -> dict[str, Any]:
    """A result of the tool's form that is too long for a model, if the form allows it."""
    for wide in (20, 40, 80, 160, 320, 640, 1_280, 2_560):
        result = large(tool.output_schema(), wide)
        if len(json.dumps(result)) > 1.1 * MOST:
            break
    return result


def giving(tool: Tool, result: dict[str, Any]) -> Tool:
    """The tool as if it had found `result`."""

    def function(at: ToolContext) -> dict[str, Any]:
        del at
        return result

    return replace(tool, function=function, needs=Needs.NOTHING, prices=False)


@pytest.fixture
def large_results() -> Iterator[dict[str, dict[str, Any]]]:
    """Every tool gives the longest result of its form; the results by the tools' names."""
    known = registry.tools()
    before = dict(known)
    results = {name: long_result(tool) for name, tool in before.items() if name != READ}
    for name, result in results.items():
        known[name] = giving(before[name], result)
    yield results
    known.update(before)


def test_no_tool_gives_more_than_a_model_can_take(large_results: dict[str, dict[str, Any]]) -> None:
    async def conversation(client: Client) -> Any:
        return {name: await client.call_tool(name, {}) for name in large_results}

    answers = talk(offer(), conversation)
    browser, foreign, small = ChartBrowser(port=9), Foreign(), []
    for name, result in large_results.items():
        said = answers[name]
        assert not said.is_error and len(text_of(said)) <= MOST, name
        assert json.loads(text_of(said)) == said.structured_content
        agent = told(browser, name, ToolOutcome({**result, "success": True}), foreign, images=True).result
        assert len(json.dumps(agent, ensure_ascii=False)) <= MOST, name
        is_long = len(json.dumps(result, ensure_ascii=False)) > MOST
        assert said.structured_content.get("truncated", False) == agent.get("truncated", False)
        assert is_long == ("rest" in said.structured_content) == ("rest" in agent), name
        small += [] if is_long else [name]
    assert len(large_results) > 150 and len(small) < 10, small


SCRIPT = """//@version=6
indicator("Many", overlay = true)
for i = 0 to 3
    log.info("bar {0} of {1}", bar_index, i)
if bar_index % 10 == 0
    label.new(bar_index, high, "a label with some words")
    alert("an alert with some words on bar " + str.tostring(bar_index), alert.freq_all)
plot(open, "Open")
plot(close, "Close")
plot(ta.sma(close, 20), "Mean")
plot(ta.rsi(close, 14), "RSI")
"""
STRATEGY = """//@version=6
strategy("Often", overlay = true)
if bar_index % 2 == 0
    strategy.entry("Long", strategy.long)
else
    strategy.close("Long")
"""
FAULTY = '//@version=6\nindicator("Faulty")\n' + "".join(
    f"unused_{n} = request.security(syminfo.tickerid, 'D', close[{n % 5}])\n" for n in range(400)
)
CALLS: dict[str, dict[str, Any]] = {
    "pine_run": {"source": SCRIPT, "last": 500, "drawings": True},
    "pine_backtest": {"source": STRATEGY, "last": 200},
    "pine_indicator_values": {"source": SCRIPT, "last": 500},
    "pine_lint": {"source": FAULTY},
    "pine_analyze": {"source": '//@version=6\nindicator("x")\n' + "plot(clos)\n" * 500},
    "pine_format": {"source": FAULTY},
    "generate_chart": {"format": "series", "bars": 1000, "indicators": ["rsi", "macd", "ema"]},
    "list_indicators": {"page": 1},
    "pine_rules": {},
}
"""Calls of real tools that give much."""


def test_real_calls_that_give_much_keep_their_ends_and_can_be_read_on() -> None:
    async def conversation(client: Client) -> Any:
        found: dict[str, Any] = {}
        for name, given in CALLS.items():
            first = (await client.call_tool(name, given)).structured_content
            assert len(json.dumps(first, ensure_ascii=False)) <= MOST, name
            pages: dict[str, list[Any]] = {}
            for part in first.get("rest", {}).get("parts", [])[:2]:
                key = part.get("key") or part["keys"][0]
                place: int | None = 0
                while place is not None:
                    wanted = {"result": first["rest"]["result"], "key": key, "from": place}
                    page = (await client.call_tool(READ, wanted)).structured_content
                    assert page["success"] and len(json.dumps(page, ensure_ascii=False)) <= MOST, name
                    pages.setdefault(key, []).append(page.get("entries", page.get("text")))
                    place = page["next"]
            found[name] = pages
        return found

    found = talk(offer(), conversation)
    assert [name for name, pages in found.items() if pages] == [
        "pine_run",
        "pine_backtest",
        "pine_indicator_values",
        "pine_lint",
        "pine_analyze",
        "pine_format",
        "generate_chart",
    ]
    whole = call(ChartBrowser(port=9), "pine_backtest", CALLS["pine_backtest"])
    assert [row for page in found["pine_backtest"]["trades"] for row in page] == whole["trades"]
    text = call(ChartBrowser(port=9), "pine_format", CALLS["pine_format"])["source"]
    assert "".join(found["pine_format"]["source"]) == text
