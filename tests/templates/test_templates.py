"""The templates are clean, complete and built by the rules that a good script follows."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pinebench.checker import check
from pinebench.files import resources
from pinebench.linter import lint_text
from pinebench.syntax import nodes, parse
from pinebench.syntax.walk import walk
from tests.tables import each

FOLDER = resources.folder("templates")
SCRIPTS = sorted(FOLDER.glob("*.pine"))
FIRST_ELEVEN = {
    "ema_ribbon",
    "rsi_divergence",
    "vwap_bands",
    "session_levels",
    "ema_cross_strategy",
    "supertrend_strategy",
    "zscore_mean_reversion",
    "vwap_institutional",
    "momentum_factor",
    "opening_range_breakout",
    "multi_factor_dashboard",
}
every_template = pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)


def source(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def metadata(path: Path) -> dict[str, Any]:
    return tomllib.loads(source(path.with_suffix(".toml")))


@cache
def tree(path: Path) -> tuple[nodes.Node, ...]:
    return tuple(node for chunk in parse(source(path)).chunks for node in walk(chunk.body))


def dotted(node: nodes.Node | None) -> str:
    """The dotted name that `node` spells, or an empty text."""
    if isinstance(node, nodes.Name):
        return node.id
    if isinstance(node, nodes.Member):
        return f"{dotted(node.object)}.{node.name}"
    return ""


def calls(path: Path, name: str) -> list[nodes.Call]:
    """Every call of the function called `name`, or of the functions of a namespace when it ends in a dot."""
    return [
        node
        for node in tree(path)
        if isinstance(node, nodes.Call)
        and (dotted(node.callee) == name or (name.endswith(".") and dotted(node.callee).startswith(name)))
    ]


def named(call: nodes.Call) -> dict[str, nodes.Node]:
    """The arguments of `call` that are given by name."""
    return {argument.name: argument.value for argument in call.arguments if isinstance(argument, nodes.NamedArgument)}


def inputs(path: Path) -> dict[str, nodes.Call]:
    """The variables that hold inputs, each with its call."""
    return {
        node.name.id: node.value
        for node in tree(path)
        if isinstance(node, nodes.VariableDeclaration)
        and isinstance(node.value, nodes.Call)
        and dotted(node.value.callee).startswith("input")
    }


def kind_of(path: Path) -> str:
    return next(kind for kind in ("strategy", "library", "indicator") if calls(path, kind))


def is_strategy(path: Path) -> bool:
    return metadata(path)["kind"] == "strategy"


STRATEGIES = [path for path in SCRIPTS if is_strategy(path)]
every_strategy = pytest.mark.parametrize("path", STRATEGIES, ids=lambda path: path.stem)


def test_the_promised_templates_are_there() -> None:
    assert {path.stem for path in SCRIPTS} >= FIRST_ELEVEN


def test_every_script_has_metadata_and_every_metadata_a_script() -> None:
    assert {path.stem for path in SCRIPTS} == {path.stem for path in FOLDER.glob("*.toml")}


@every_template
def test_a_template_has_no_finding_of_any_kind(path: Path) -> None:
    assert lint_text(source(path), path.name) == []


@every_template
def test_the_metadata_is_complete(path: Path) -> None:
    facts = metadata(path)
    assert set(facts) == {"title", "kind", "purpose", "inputs", "fails_when", "keywords"}
    assert facts["kind"] == kind_of(path)
    for name in ("title", "purpose", "fails_when"):
        assert isinstance(facts[name], str)
        assert facts[name].strip() == facts[name] != ""
    assert len(facts["keywords"]) == len(set(facts["keywords"])) >= 4
    assert all(word == word.lower() for word in facts["keywords"])


@every_template
def test_the_title_is_that_of_the_script(path: Path) -> None:
    (declaration,) = calls(path, kind_of(path))
    title = named(declaration).get("title") or declaration.arguments[0]
    assert isinstance(title, nodes.Literal)
    assert title.text.strip("\"'") == metadata(path)["title"]


@every_template
def test_the_metadata_names_the_inputs_of_the_script_in_order(path: Path) -> None:
    described = metadata(path)["inputs"]
    assert isinstance(described, dict)
    assert list(described) == list(inputs(path))
    assert all(isinstance(line, str) and line.endswith(".") and "\n" not in line for line in described.values())


@every_template
def test_the_metadata_names_the_inputs_that_the_checker_finds(path: Path) -> None:
    variables = [call.variable for call in check(parse(source(path))).inputs]
    assert [variable and variable.name for variable in variables] == list(metadata(path)["inputs"])


@every_template
def test_inputs_are_grouped_explained_and_named_by_the_style_guide(path: Path) -> None:
    explained_rows = {
        inline.text
        for call in inputs(path).values()
        if "tooltip" in named(call) and isinstance(inline := named(call).get("inline"), nodes.Literal)
    }
    for name, call in inputs(path).items():
        given = named(call)
        assert name.endswith("Input"), name
        assert "group" in given, name
        inline = given.get("inline")
        assert "tooltip" in given or (isinstance(inline, nodes.Literal) and inline.text in explained_rows), name


@every_template
def test_requests_never_repaint(path: Path) -> None:
    text = source(path)
    for call in calls(path, "request.security"):
        lookahead = named(call).get("lookahead")
        if dotted(call.arguments[1]) == "timeframe.period":
            # Its bars close with the chart's: an offset would only make the values old.
            assert lookahead is None
            assert "barstate.isconfirmed" in text
            continue
        assert dotted(lookahead) == "barmerge.lookahead_on"
        expression = returned(path, call.arguments[2])
        items = expression.items if isinstance(expression, nodes.TupleExpression) else [expression]
        for item in items:
            assert isinstance(item, nodes.History)
            assert isinstance(item.offset, nodes.Literal)
            assert item.offset.text == "1"
    assert "calc_on_every_tick" not in text
    assert "varip" not in text


def returned(path: Path, expression: nodes.Node) -> nodes.Node:
    """The tuple that a call of a function of the script gives; any other expression itself."""
    if not isinstance(expression, nodes.Call) or not isinstance(expression.callee, nodes.Name):
        return expression
    for node in tree(path):
        if isinstance(node, nodes.FunctionDeclaration) and node.name.id == expression.callee.id:
            last = node.body[-1]
            return last.expression if isinstance(last, nodes.ExpressionStatement) else last
    return expression


def of_other_timeframes(path: Path) -> set[str]:
    """The variables that hold what a request returned for a timeframe other than the chart's."""
    found: set[str] = set()
    for node in tree(path):
        if not isinstance(node, nodes.VariableDeclaration | nodes.TupleDeclaration):
            continue
        value = node.value
        if not isinstance(value, nodes.Call) or dotted(value.callee) != "request.security":
            continue
        if dotted(value.arguments[1]) != "timeframe.period":
            names = node.names if isinstance(node, nodes.TupleDeclaration) else [node.name]
            found |= {name.id for name in names}
    return found


@every_template
def test_no_window_counts_a_bar_of_another_timeframe_once_for_each_bar_of_the_chart(path: Path) -> None:
    repeated = of_other_timeframes(path)
    for call in calls(path, "ta."):
        if dotted(call.callee) not in {"ta.crossover", "ta.crossunder"}:
            used = {node.id for node in walk(call) if isinstance(node, nodes.Name)}
            assert not used & repeated, dotted(call.callee)


def test_there_is_a_template_of_every_kind() -> None:
    assert {kind_of(path) for path in SCRIPTS} == {"indicator", "strategy", "library"}


@each("path", [path for path in SCRIPTS if kind_of(path) != "library"])
def test_signals_wait_for_the_close_and_alert(path: Path) -> None:
    assert "barstate.isconfirmed" in source(path)
    announced = calls(path, "alert")
    assert announced
    for call in announced:
        assert dotted(call.arguments[1]) == "alert.freq_once_per_bar_close"
    assert is_strategy(path) or calls(path, "alertcondition")


@every_strategy
def test_a_strategy_bounds_its_risk(path: Path) -> None:
    assert calls(path, "strategy.risk.max_intraday_loss")
    assert {"riskInput", "exposureInput", "dailyLossInput"} <= set(inputs(path))
    assert any(dotted(call.callee) == "input.session" for call in inputs(path).values())
    for call in calls(path, "strategy.exit"):
        assert "stop" in named(call)
    exits = {dotted(call.arguments[1]) for call in calls(path, "strategy.exit")}
    assert exits == {dotted(call.arguments[0]) for call in calls(path, "strategy.entry")}


@every_strategy
def test_every_order_of_a_strategy_carries_a_message(path: Path) -> None:
    names = ("strategy.entry", "strategy.exit", "strategy.close", "strategy.close_all")
    orders = [call for name in names for call in calls(path, name)]
    assert calls(path, "strategy.close_all")
    assert all("alert_message" in named(call) for call in orders)


@every_strategy
def test_a_message_names_the_symbol_without_the_settings_of_its_chart(path: Path) -> None:
    #  With extended hours or adjustments `syminfo.tickerid` holds quoted settings, which break the JSON of a message.
    text = source(path)
    message = text[
        text.index("message(string action") : text.index("//#endregion", text.index("message(string action"))
    ]
    assert "ticker.standard(syminfo.tickerid)" in message
    assert message.count("syminfo.tickerid") == 1


@every_strategy
def test_a_strategy_sizes_positions_by_risk_and_reckons_with_costs(path: Path) -> None:
    for call in calls(path, "strategy.entry"):
        assert dotted(call.arguments[2]).endswith("Size")
        assert "alert_message" in named(call)
    (declaration,) = calls(path, "strategy")
    assert {"commission_value", "commission_type", "slippage", "initial_capital"} <= set(named(declaration))
    assert calls(path, "positionSize")


@every_template
def test_a_template_opens_with_a_description(path: Path) -> None:
    lines = source(path).splitlines()
    assert lines[0] == "//@version=6"
    assert lines[1].startswith("//@description ")
    assert all(len(line) <= 120 for line in lines)
