"""Every skill keeps what it promises: its tools exist, have the arguments that it names, and return the keys."""

import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from pinebench.skills.catalogue import Skill, ours
from pinebench.tools import registry
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.tool_calls import call
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
    "quant_risk": {"equity": 10_000, "entry": 100, "stop": 95, "target": 115, "trades": TRADES, "positions": HELD},
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


STEPS: dict[str, dict[int, list[tuple[str, dict[str, Any]]]]] = {
    "chart-analysis": {
        1: [
            ("chart_get_state", {}),
            ("quote_get", {}),
            ("data_get_study_values", {}),
            ("data_get_pine_lines", {}),
            ("data_get_pine_labels", {}),
            ("quant_returns", {"data": "chart"}),
            ("quant_volume_profile", {"data": "chart"}),
        ],
        2: [
            ("quant_returns", {"data": "FILE"}),
            ("quant_volume_profile", {"data": "FILE"}),
            ("get_indicators", {"symbol": "FILE", "indicators": ["ema_stack", "rsi", "atr"]}),
        ],
        3: [("capture_screenshot", {})],
    },
    "quantitative-analysis": {
        1: [("quant_returns", {"data": "chart"})],
        2: [("quant_returns", {"data": "FILE"})],
        3: [
            ("quant_returns", {"data": "FILE", "to": "2025-01-08"}),
            ("quant_returns", {"data": "FILE", "from": "2025-01-08"}),
            ("quant_returns", {"data": "FILE", "timeframe": "240"}),
        ],
        4: [("quant_tearsheet", {"data": "FILE"})],
    },
    "hedge-fund-view": {
        2: [("quant_returns", {"data": "FILE", "timeframe": frame}) for frame in ("1D", "240", "60")],
        3: [("quant_volume_profile", {"data": "FILE"}), ("get_indicators", {"symbol": "FILE", "indicators": ["atr"]})],
        4: [
            ("quant_risk", CALLS["quant_risk"]),
            ("quant_risk", {"equity": 10_000, "win_rate": 0.55, "payoff": 1.5}),
            ("quant_risk", {"equity": 10_000, "entry": 100, "stop": 95, "point_value": 50}),
        ],
        5: [("quant_compare", {"data": ["A=FILE", "B=FILE"]})],
    },
    "microstructure": {
        2: [
            ("quant_volume_profile", {"data": "chart"}),
            ("quant_returns", {"data": "chart"}),
            ("quant_volume_profile", {"data": "FILE"}),
            ("quant_returns", {"data": "FILE"}),
        ],
        3: [("depth_get", {})],
    },
    "portfolio-scan": {
        1: [("watchlist_get", {})],
        2: [
            ("quant_compare", {"data": [f"S{n}=FILE" for n in range(12)], "benchmark": "S0"}),
            ("scan_symbols", {"symbols": ["NASDAQ:AAPL", "NASDAQ:MSFT"]}),
        ],
        3: [
            ("quant_returns", {"data": "FILE"}),
            ("get_indicators", {"symbol": "FILE", "indicators": ["rsi", "atr", "ema_stack"]}),
        ],
        6: [("quant_risk", {"equity": 10_000, "entry": 100, "stop": 95})],
    },
    "strategy-review": {
        1: [("data_get_strategy_results", {}), ("data_get_trades", {})],
        2: [
            ("pine_repaint_check", {"source": STRATEGY, "data": "FILE"}),
            ("pine_audit_strategy", {"source": STRATEGY, "data": "FILE"}),
        ],
        3: [
            (
                tool,
                {
                    "source": STRATEGY,
                    "data": "FILE",
                    "properties": {"commission_type": "percent", "commission_value": 0.05, "slippage": 2},
                },
            )
            for tool in ("pine_backtest", "quant_tearsheet")
        ],
        4: [
            (tool, {"source": STRATEGY, "data": "FILE", side: "2025-01-08"})
            for tool in ("pine_backtest", "quant_tearsheet")
            for side in ("from", "to")
        ],
        6: [("quant_risk", {"equity": 10_000, "trades": [{"profit": 5}, {"profit": -3}] * 20})],
    },
    "macro-regime": {
        1: [("quant_compare", {"data": ["SPY=FILE", "TLT=FILE"]})],
        2: [("quant_compare", {"data": ["SPY=FILE", "TLT=FILE"], "benchmark": "SPY", "window": 20})],
        5: [("quant_returns", {"data": "FILE"})],
    },
    "pine-development": {
        2: [("pine_get_source", {}), ("template_search", {"query": "trend"}), ("template_get", {"name": "ema_ribbon"})],
        4: [("pine_explain", {"name": "ta.sma"})],
        5: [("pine_analyze", {"source": INDICATOR})],
        6: [("pine_run", {"source": INDICATOR, "bars": 60}), ("pine_backtest", {"source": STRATEGY, "bars": 60})],
        7: [("pine_repaint_check", {"source": INDICATOR, "bars": 60})],
        8: [("pine_set_source", {"source": INDICATOR}), ("pine_smart_compile", {})],
    },
    "repaint-audit": {
        1: [("pine_repaint_check", {"source": INDICATOR, "bars": 60})],
        2: [("pine_audit_strategy", {"source": STRATEGY})],
        3: [("pine_lint", {"source": INDICATOR})],
    },
    "morning-brief": {
        1: [("morning_brief", {"rules": "rules.json"})],
        2: [("chart_get_state", {})],
        3: [("morning_brief", {})],
        4: [("brief_get", {"day": "2026-11-29"})],
    },
}
"""The calls that each step of a skill asks for, with FILE in place of bars of the user."""


def steps(skill: Skill) -> dict[int, str]:
    """The text of each step by its number."""
    text = skill.body.partition("## Steps")[2].partition("\n## ")[0]
    return {int(number): each for number, each in re.findall(r"^(\d+)\. (.*?)(?=^\d+\. |\Z)", text, re.M | re.S)}


def with_file(value: Any, path: str) -> Any:
    """The arguments with the path of the bars in place of FILE."""
    if isinstance(value, str):
        return re.sub(r"\bFILE\b", path.replace("\\", "/"), value)
    if isinstance(value, list):
        return [with_file(each, path) for each in value]
    return {name: with_file(each, path) for name, each in value.items()} if isinstance(value, dict) else value


def test_every_step_names_calls_that_go_well_as_they_are_written(tmp_path: Path) -> None:
    bars = tmp_path / "bars.csv"
    rows = (f"{1_735_804_800 + 3600 * n},{100 + n % 9},120,99,{101 + n % 7},{500 + n % 11}" for n in range(260))
    bars.write_text("\n".join(["time,open,high,low,close,Volume", *rows]), encoding="utf-8")
    tools, browser = registry.tools(), ChartBrowser(port=9)
    assert STEPS.keys() == SKILLS.keys()
    for name, by_step in STEPS.items():
        for number, text in steps(SKILLS[name]).items():
            named = [word for word in re.findall(r"`(\w+)`", text) if word in tools]
            calls = by_step.get(number, [])
            if number == 1 and name == "quantitative-analysis":
                named = ["quant_returns"]  # the step says what `data` takes
            assert {tool for tool, _ in calls} >= set(named), (name, number)
            given = {word for _, arguments in calls for word in arguments}
            known = {word for tool, _ in calls for word in tools[tool].arguments}
            words = set(re.findall(r"`(\w+)`", text)) & known
            assert words <= given | {"source", "trades", "window"}, (name, number, words - given)
        for number, calls in by_step.items():
            assert number in steps(SKILLS[name])
            for tool, arguments in calls:
                arguments = with_file(arguments, str(bars))
                tools[tool].take(arguments)
                if not tools[tool].needs.page and "chart" not in arguments.values() and tool not in ("brief_get",):
                    told = call(browser, tool, arguments)
                    assert told["success"], (name, number, tool, told)
