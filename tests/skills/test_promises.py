"""Every skill keeps what it promises: its tools exist, have the arguments that it names, and return the keys."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NamedTuple

import pytest
import yaml

from pinebench.skills.catalogue import Skill, ours
from pinebench.tools import registry
from pinebench.tools.calling import call
from pinebench.tools.chart_browser import ChartBrowser
from tests.tools.test_audit import STRATEGY

SKILLS = {skill.name: skill for skill in ours()}
TEN = {
    *("chart-analysis", "quantitative-analysis", "hedge-fund-view", "microstructure", "portfolio-scan"),
    *("strategy-review", "macro-regime", "pine-development", "repaint-audit", "morning-brief"),
}
INDICATOR = '//@version=6\nindicator("x")\nplot(close)\n'
SAMPLES = ["sample:NASDAQ:AAPL@1Dx200", "sample:NASDAQ:MSFT@1Dx200", "sample:BTCUSDT@1Dx400"]
TRADES = [{"profit": 20, "risk": 10}, {"profit": -10, "risk": 10}] * 20
HELD = [{"symbol": "A", "quantity": 1, "price": 100, "stop": 95, "group": "g"}]

CALLS: dict[str, dict[str, Any]] = {
    "quant_returns": {"data": "sample:NASDAQ:AAPL@60x300"},
    "quant_volume_profile": {"data": "sample:NASDAQ:AAPL@30x300"},
    "quant_compare": {"data": SAMPLES, "benchmark": "NASDAQ:MSFT"},
    "quant_tearsheet": {"source": STRATEGY},
    "quant_risk": {
        "equity": 10_000,
        "entry": 100,
        "stop": 95,
        "target": 115,
        "trades": TRADES,
        "positions": HELD,
    },
    "get_indicators": {"symbol": "sample:NASDAQ:AAPL@1Dx300", "indicators": ["rsi", "atr", "ema_stack"]},
    "pine_backtest": {"source": STRATEGY},
    "pine_audit_strategy": {"source": STRATEGY},
    "pine_repaint_check": {"source": INDICATOR, "bars": 60},
    "pine_run": {"source": '//@version=6\nindicator("x")\nplot(close[9000], "Far")\n', "bars": 60},
    "pine_analyze": {"source": INDICATOR},
    "pine_lint": {"source": INDICATOR},
    "pine_explain": {"name": "ta.sma"},
    "template_search": {"query": "mean reversion"},
    "template_get": {"name": "ema_ribbon"},
}
"""How the tools that need no page are called on made-up bars."""


class Row(NamedTuple):
    """A row of the table of a skill: a tool, and the keys of its result that are used."""

    tool: str
    keys: list[str]


def rows(skill: Skill) -> list[Row]:
    """The rows of the table under `## Tools`."""
    table = skill.body.partition("## Tools\n")[2].partition("\n## ")[0]
    found = re.findall(r"^\| `(\w+)` \| (.+) \|$", table, re.MULTILINE)
    return [Row(tool, re.findall(r"`([\w.]+)`", keys)) for tool, keys in found]


@cache
def result(tool: str) -> dict[str, Any]:
    """The result of a tool on made-up bars."""
    told = call(ChartBrowser(port=9), tool, CALLS[tool])
    assert told["success"], told
    return told


def has(value: Any, path: str) -> bool:
    """Whether a result has a key, whose parts are separated by dots."""
    for part in path.split("."):
        if not isinstance(value, dict) or part not in value:
            return False
        value = value[part]
    return True


def has_in_schema(schema: Any, path: str) -> bool:
    """Whether the schema of a result has a key."""
    for part in path.split("."):
        if part not in schema.get("properties", {}):
            return False
        schema = schema["properties"][part]
    return True


def test_there_are_ten() -> None:
    assert set(SKILLS) == TEN


CASES = [(skill.name, row.tool) for skill in SKILLS.values() for row in rows(skill)]


@pytest.mark.parametrize(("name", "tool"), CASES)
def test_a_tool_returns_the_keys_that_a_skill_uses(name: str, tool: str) -> None:
    known = registry.tools()
    assert tool in known
    keys = next(row.keys for row in rows(SKILLS[name]) if row.tool == tool)
    assert keys
    for key in keys:
        if known[tool].needs.page:
            assert has_in_schema(known[tool].output_schema(), key), f"{tool} returns no {key}"
        else:
            assert has(result(tool), key), f"{tool} returns no {key}"


@pytest.mark.parametrize("skill", SKILLS.values(), ids=SKILLS)
def test_a_skill_names_only_what_exists(skill: Skill) -> None:
    """A name in backticks is a tool of the table, a key or an argument of one of its tools, or a word of Pine."""
    table = rows(skill)
    tools = [registry.tools()[row.tool] for row in table]
    known = {row.tool for row in table} | {"data", "lookahead_on", "varip", "success"}
    for row, tool in zip(table, tools, strict=True):
        known |= {*row.keys, *(part for key in row.keys for part in key.split(".")), *tool.arguments}
    text = skill.body.partition("## Steps")[2]
    for word in re.findall(r"`([a-z][\w.]*)`", text):
        if word in ("report.sharpe_ratio", "figures.sharpe"):
            assert has(result("pine_backtest"), word) or has(result("quant_tearsheet"), word)
        else:
            assert word in known, f"{skill.name} names {word}"
    used = {row.tool for row in table if f"`{row.tool}`" in text}
    assert used == {row.tool for row in table}, "it lists a tool that no step uses"


@pytest.mark.parametrize("skill", SKILLS.values(), ids=SKILLS)
def test_a_skill_is_short_and_cautious(skill: Skill) -> None:
    assert yaml.safe_load(skill.text.split("---")[1]) == {"name": skill.name, "description": skill.description}
    assert len(skill.text) / 4 <= 1_000
    assert len(skill.description) <= 230 and '"' in skill.description
    for part in ("## Tools", "## Steps", "## How to judge", "## Report", "`pinebench call TOOL"):
        assert part in skill.body
    assert all(len(line) <= 120 or line.startswith("|") for line in skill.body.splitlines())


def test_a_promise_that_is_not_kept_is_found() -> None:
    assert not has(result("quant_returns"), "returns.sharpe")
    assert not has_in_schema(registry.tools()["quote_get"].output_schema(), "nothing")
