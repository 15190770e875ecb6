"""Inspects a run of a script without a chart: values of names on bars, their changes, and the reasons for a value."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from pinebench.errors import UsageError
from pinebench.tools import markets
from pinebench.tools.arguments import Flag, IntegerArgument, NamesArgument, TextArgument
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.check import SOURCE
from pinebench.tools.registry import Needs, tool

if TYPE_CHECKING:
    pass

_BAR = IntegerArgument("the bar, from 0; -1 is the last", -1_000_000)
_MOST_NAMES = 200


class BarInspection(markets.OnBars):
    """The values of names on a bar. A name inside a function has one value for each call site. `dropped` names values
    that were not recorded."""

    bar: int
    names: list[dict[str, Any]]
    drawings: list[dict[str, Any]]
    dropped: list[str]
    stopped: str | None


@tool(
    "scripts",
    "Values of a script's variables, inputs and calls on a bar, when they changed, who wrote drawings, offline.",
    needs=Needs.NOTHING,
    prices=True,
)
def pine_inspect(
    at: ToolContext,
    source: Annotated[str, SOURCE],
    bar: Annotated[int, _BAR] = -1,
    names: Annotated[
        list[str] | None, NamesArgument("variables, or the source text of calls (default: all variables)")
    ] = None,
    changes: Annotated[bool, Flag("give the last changes of each")] = False,
    drawings: Annotated[bool, Flag("give the lines that wrote the last drawings")] = False,
    symbol: Annotated[str | None, markets.SYMBOL] = None,
    timeframe: Annotated[str | None, markets.TIMEFRAME] = None,
    bars: Annotated[int | None, markets.BARS] = None,
    data: Annotated[list[str] | None, markets.DATA] = None,
    symbol_info: Annotated[str | None, markets.INFO] = None,
    inputs: Annotated[dict[str, Any] | None, markets.INPUTS] = None,
) -> BarInspection:
    """Return the values of names on one bar."""
    from pinebench.inspecting.run_queries import inspect
    from pinebench.workers.dispatch import execute

    _, found, request = markets.run_request(at, source, symbol, timeframe, bars, data, symbol_info, inputs)
    index = _index(bar, len(request.bars))
    asked = partial(inspect, bars=[index], names=names or [], changes=changes, drawings=drawings)
    told = execute(request, asked, at.context).report()
    left_out = len(told["names"]) - _MOST_NAMES
    remarks = [f"{left_out} more values are not shown; ask for them by name"] if left_out > 0 else []
    return {
        **found.told(),
        "bar": index,
        "names": told["names"][:_MOST_NAMES],
        "drawings": told["drawings"],
        "dropped": told["dropped"],
        "stopped": told["error"],
        "remarks": [*found.remarks, *remarks],
    }


class ValueExplanation(markets.OnBars):
    """The value of an expression on a bar. `reasons` are sentences, with the nearest cause last. `parts` are the parts
    of the expression."""

    bar: int
    expression: str
    value: Any
    reasons: list[str]
    parts: list[dict[str, Any]]
    note: str
    stopped: str | None


@tool(
    "scripts",
    "Why an expression of a script has its value on a bar, such as na or false: the values of its parts, offline.",
    needs=Needs.NOTHING,
    prices=True,
)
def pine_why(
    at: ToolContext,
    source: Annotated[str, SOURCE],
    expression: Annotated[str, TextArgument("an expression, such as a variable")],
    bar: Annotated[int, _BAR] = -1,
    line: Annotated[int | None, IntegerArgument("a line of the block or function that has it", 1)] = None,
    iteration: Annotated[int | None, IntegerArgument("the block's run on the bar, from 1", 1)] = None,
    call: Annotated[str | None, TextArgument("only in this call of the function: its source text or line")] = None,
    symbol: Annotated[str | None, markets.SYMBOL] = None,
    timeframe: Annotated[str | None, markets.TIMEFRAME] = None,
    bars: Annotated[int | None, markets.BARS] = None,
    data: Annotated[list[str] | None, markets.DATA] = None,
    symbol_info: Annotated[str | None, markets.INFO] = None,
    inputs: Annotated[dict[str, Any] | None, markets.INPUTS] = None,
) -> ValueExplanation:
    """Return the parts of an expression with their values."""
    from pinebench.why.block_why import place_of, why_at
    from pinebench.workers.dispatch import execute

    place = place_of(line, iteration, call)
    _, found, request = markets.run_request(at, source, symbol, timeframe, bars, data, symbol_info, inputs)
    index = _index(bar, len(request.bars))
    told = execute(request, partial(why_at, expression=expression, bar=index, place=place), at.context).report()
    return {
        **found.told(),
        "bar": index,
        "expression": told["expression"],
        "value": told["value"],
        "reasons": told["reasons"],
        "parts": told["parts"],
        "note": told["note"],
        "stopped": told["error"],
        "remarks": [*found.remarks],
    }


def _index(bar: int, count: int) -> int:
    """Return the index of the requested bar. Raises UsageError if there is no such bar."""
    index = bar if bar >= 0 else count + bar
    if not 0 <= index < count:
        raise UsageError(f"there is no bar {bar}", f"the bars are numbered from 0 to {count - 1}")
    return index
