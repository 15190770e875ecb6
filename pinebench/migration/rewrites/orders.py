"""Orders: the parameter `when`, the defaults of strategies, and exits with two levels for the same purpose."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pinebench import reference
from pinebench.checker import VariableSymbol
from pinebench.linter.suggest import orders as when_orders
from pinebench.linter.suggest.candidate import dotted
from pinebench.migration.remarks import RemarkKind
from pinebench.migration.rewrites.rewrite import RewriteChange, rewrite
from pinebench.migration.script import value_of
from pinebench.reference.strategy_defaults import strategy_defaults
from pinebench.syntax import nodes
from pinebench.syntax.edits import EditError, removing, replacing, wrapping
from pinebench.syntax.walk import children

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pinebench.migration.script import OldScript
    from pinebench.syntax.edits import TreeEdits

_WHEN = {
    "strategy.entry": 8,
    "strategy.order": 8,
    "strategy.exit": 13,
    "strategy.close": 1,
    "strategy.close_all": 0,
    "strategy.cancel": 1,
    "strategy.cancel_all": 0,
}
"""The position of `when` among the parameters of the order functions of earlier versions."""
_PAIRS = (("profit", 4, "limit", 5), ("loss", 6, "stop", 7), ("trail_points", 9, "trail_price", 8))
"""Parameters that `strategy.exit()` ignored, with their positions, if the other parameter of the pair was given."""
_OLD = strategy_defaults(version=5)
_DEFAULTS = (
    ("margin_long", 20, "0"),
    ("margin_short", 20, "0"),
    ("default_qty_type", 11, f"strategy.{_OLD.default_qty_type}"),
    ("default_qty_value", 12, f"{_OLD.default_qty_value:g}"),
    ("initial_capital", 13, f"{_OLD.initial_capital:.0f}"),
)
"""Parameters of `strategy()` with another default in v6: their positions, and the old defaults."""
_PRICES = frozenset("open high low close hl2 hlc3 ohlc4 hlcc4".split())
_NEVER_NA = reference.having("never_na") | {"syminfo.mintick", "syminfo.pointvalue"}
_TOLD = "`when` is an `if` around the order"


@rewrite()
def when(script: OldScript) -> Iterator[RewriteChange]:
    """Put an `if` with the condition `when` around an order. If that is impossible, `when` stays, and v6 reports it."""
    for name, place in _WHEN.items():
        for call in script.called(name):
            argument = script.argument(call, "when", place)
            if argument is None or not _is_condition(script, argument):
                continue
            condition = _condition(script, argument)
            if condition is None:
                continue
            offset = script.span(call).start - call.start
            plan = _spread(script, call, argument, condition)
            plan = plan or when_orders.plan(script.facts, call, argument, offset, condition)
            if plan is None:
                continue
            yield RewriteChange(call, _TOLD, plan)
            statement = script.parent(call)
            if isinstance(statement, nodes.ExpressionStatement):
                told = "each order has a line of its own, for the `if` around it"
                yield RewriteChange(call, told, partial(_on_own_lines, statement, script))


def _is_condition(script: OldScript, argument: nodes.Node) -> bool:
    """Whether an argument is the condition. A positional one is at the place of a text in v6, so a text is not."""
    if isinstance(argument, nodes.NamedArgument):
        return True
    bases = ("bool",) if script.version == 5 else ("bool", "int", "float")
    return script.base_of(argument) in bases


def _condition(script: OldScript, argument: nodes.Node) -> str | None:
    """The condition for v6. If its type is unknown it is kept as written; another rewrite handles numbers."""
    if _is_na(argument):
        return "false"
    offset = script.span(argument).start - argument.start
    known = when_orders.condition_of(script.facts, argument, offset)
    return known if known is not None else script.line_of(value_of(argument))


def _spread(
    script: OldScript, call: nodes.Call, argument: nodes.Node, condition: str
) -> Callable[[TreeEdits], object] | None:
    """Move an order that is the whole body of a function or a case, after `=>`, to lines of its own."""
    statement = script.parent(call)
    holder = script.parent(statement) if isinstance(statement, nodes.ExpressionStatement) else None
    if not isinstance(holder, nodes.FunctionDeclaration | nodes.Case) or len(holder.body) != 1 or statement is None:
        return None
    if "=>" not in script.text[script.span(holder).start : script.span(call).start].splitlines()[-1]:
        return None
    others = [item for item in call.arguments if item is not argument]
    if any(script.effects(value_of(item)).keeps or script.changes_within(value_of(item)) for item in others):
        return None
    given = [script.line_of(item) for item in others]
    if None in given:
        return None
    order = f"{dotted(call.callee)}({', '.join(text for text in given if text is not None)})"
    return replacing(statement, f"\n    if {condition}\n        {order}")


def _on_own_lines(statement: nodes.Node, script: OldScript, edits: TreeEdits) -> None:
    """Put the statements of the line of `statement` on lines of their own. The next round finds `when` there."""
    line = edits.line_with(statement)
    texts = [script.source(each) for each in line]
    if len(line) == 1 or any("\n" in text for text in texts):
        raise EditError("there is nothing to put on another line")
    edits.replace(line[0], "\n".join(texts))
    for other in line[1:]:
        edits.remove(other)


@rewrite()
def defaults(script: OldScript) -> Iterator[RewriteChange]:
    """Add the old defaults: no margin, a capital of 1,000,000, and one contract."""
    for call in script.called("strategy"):
        named = {item.name for item in call.arguments if isinstance(item, nodes.NamedArgument)}
        if script.parent(call) is None or not call.arguments:
            continue
        by_place = len(call.arguments) - len(named)
        missing = {name: value for name, place, value in _DEFAULTS if name not in named and by_place <= place}
        if not missing:
            continue
        text = "".join(f", {name} = {value}" for name, value in missing.items())
        yield RewriteChange(call, _why(missing.keys()), wrapping(call.arguments[-1], "", text))


def _why(names: Iterable[str]) -> str:
    margins = any(name.startswith("margin") for name in names)
    words = ["the default margin of v6 is 100 %; it was 0"] if margins else []
    if any(not name.startswith("margin") for name in names):
        words.append("v6 has other defaults of size and capital since about 2026-09-24")
    return "; ".join(words)


@rewrite()
def exits(script: OldScript) -> Iterator[RewriteChange]:
    """Remove the distance in ticks next to a price in `strategy.exit()`. It was ignored, and in v6 the nearer level
    applies. If the price may be na, the distance stays for the bars on which it is."""
    for call, ignored, distance, price, level in _pairs(script):
        value = value_of(distance)
        told = f"beside `{price}` the argument `{ignored}` was ignored"
        if _is_never_na(script, level):
            remove = isinstance(distance, nodes.NamedArgument)
            yield RewriteChange(call, told, removing(distance) if remove else replacing(value, "na"))
            continue
        texts = script.line_of(value_of(level)), script.line_of(value)
        if None in texts or script.changes_within(value_of(level)):
            continue  # it cannot be written twice: the rewrite below makes a remark
        ask = replacing(value, f"na({texts[0]}) ? {texts[1]} : na")
        yield RewriteChange(call, f"{told}, except where `{price}` was `na`", ask)


def _pairs(script: OldScript) -> Iterator[tuple[nodes.Call, str, nodes.Node, str, nodes.Node]]:
    """Yield the exits with a distance in ticks and a price for the same purpose: the call, the name of the distance and
    its argument, and the same of the price. A distance that counts only where the price is na is left out."""
    for call in script.called("strategy.exit"):
        for ignored, place, price, other in _PAIRS:
            distance, level = script.argument(call, ignored, place), script.argument(call, price, other)
            if distance is None or level is None or _is_na(distance) or _is_na(level):
                continue
            if _is_where_na(script, distance, level):
                continue
            yield call, ignored, distance, price, level


@rewrite(last=True)
def two_levels(script: OldScript) -> Iterator[RewriteChange]:
    """Remark on the remaining exits that have both a distance in ticks and a price for the same purpose."""
    for call, ignored, _, price, _ in _pairs(script):
        told = f"`{ignored}` was ignored beside `{price}`; now the one that the market reaches first counts"
        yield RewriteChange(call, told, kind=RemarkKind.DIFFERS)


@rewrite(newest=4)
def idle_exits(script: OldScript) -> Iterator[RewriteChange]:
    """Remove an exit with neither a price nor a distance: it did nothing, and v6 refuses it."""
    for finding in script.findings["strategy-exit-without-target"]:
        call = script.at(finding.span, nodes.Call)
        statement = script.parent(call) if call is not None else None
        if call is None or any(script.changes_within(value_of(item)) for item in call.arguments):
            continue
        if isinstance(statement, nodes.ExpressionStatement):
            yield RewriteChange(
                statement, "this `strategy.exit()` had no level and did nothing: it was removed", removing(statement)
            )


def _is_na(argument: nodes.Node) -> bool:
    value = value_of(argument)
    return isinstance(value, nodes.Name) and value.id == "na"


def _is_where_na(script: OldScript, distance: nodes.Node, level: nodes.Node) -> bool:
    """Whether a distance is `na(level) ? … : na`."""
    value, text = value_of(distance), script.line_of(value_of(level))
    if not isinstance(value, nodes.Ternary) or not _is_na(value.otherwise) or text is None:
        return False
    return script.line_of(value.condition) == f"na({text})"


def _is_never_na(script: OldScript, argument: nodes.Node) -> bool:
    """Whether a price is built only of prices of the bar, inputs, and numbers."""
    return all(_is_sure(script, source) for source in script.sources_of(value_of(argument)))


def _is_sure(script: OldScript, node: nodes.Node) -> bool:
    match node:
        case nodes.Literal():
            return True
        case nodes.Name():
            symbol = script.symbol_of(node)
            if isinstance(symbol, VariableSymbol):  # `sources_of` knows no values of tuples and loops
                return isinstance(symbol.declaration, nodes.VariableDeclaration)
            return node.id in _PRICES and script.is_free(node)
        case nodes.Member():
            return dotted(node) in _NEVER_NA
        case nodes.Call():
            name = dotted(node.callee) or ""
            return name == "input" or name.startswith("input.") or name in _NEVER_NA
        case nodes.Unary() | nodes.Binary() | nodes.Parenthesized() | nodes.Ternary():
            return all(_is_sure(script, part) for part in children(node))
        case _:
            return False
