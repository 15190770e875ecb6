"""What to doubt in a script, offline: what repaints, and what an auditor would ask of a strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from pinebench.tools import markets
from pinebench.tools.arguments import LONGEST_SOURCE, Text
from pinebench.tools.calling import Refused
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.check import FindingEntry, problems
from pinebench.tools.registry import Needs, tool

if TYPE_CHECKING:
    from pinebench.checker import Program

SOURCE = Text("the whole strategy", LONGEST_SOURCE)
_SECONDS = 30
"""Seconds after which no further part of the history is compared."""


class Repaints(markets.OnBars):
    """Whether a script repaints, and where.

    `findings` have output, title, line, `kind`, the first bar with the value shown `then` and `afterwards`, the number
    of `bars`, and `causes` with what to write `instead`. `prefixes` and `live` say what was compared; `cut` that the
    time was over before everything was.
    """

    repaints: bool
    findings: list[dict[str, Any]]
    prefixes: list[int]
    live: int
    cut: bool


@tool(
    "audit",
    "Run a script on growing history and live to see whether it repaints; names lines and causes. Without data on 1000"
    " made-up daily bars of NASDAQ:AAPL.",
    needs=Needs.NOTHING,
    prices=True,
)
def pine_repaint_check(
    at: ToolContext,
    source: Annotated[str, SOURCE],
    symbol: Annotated[str | None, markets.SYMBOL] = None,
    timeframe: Annotated[str | None, markets.TIMEFRAME] = None,
    bars: Annotated[int | None, markets.BARS] = None,
    data: Annotated[list[str] | None, markets.DATA] = None,
    symbol_info: Annotated[str | None, markets.INFO] = None,
    inputs: Annotated[dict[str, Any] | None, markets.INPUTS] = None,
) -> Repaints:
    """What changed after its bar was over."""
    from pinebench.execution import telling
    from pinebench.execution.executing import look_for_repainting
    from pinebench.execution.request import Request

    found = markets.market(at, symbol, timeframe, bars, data, symbol_info)
    request = Request(source, found.chart.bars, found.chart.symbol, inputs or {}, found.others)
    judged = look_for_repainting(request, at.context, seconds=_SECONDS)
    if judged.error is not None:
        raise Refused(
            f"the script stopped, so nothing was compared: {judged.error.message}", f"in line {judged.error.line}"
        )
    told = telling.repainting(judged)
    return {
        **found.told(),
        "repaints": bool(judged.repaints),
        "findings": told["findings"],
        "prefixes": told["prefixes"],
        "live": told["live"],
        "cut": told["cut"],
    }


class Checks(TypedDict):
    """What an auditor asks of every strategy: costs, money, a stop, a target, a size, and results that stay."""

    has_commission: bool
    has_slippage: bool
    sets_capital: bool
    has_stop: bool
    has_target: bool
    sets_size: bool
    signals_stay: bool
    not_on_every_tick: bool
    not_filled_at_close: bool


class Audit(TypedDict):
    """What an auditor finds in a strategy, how many per cent of the checks it passes, and what it declares."""

    passes_check: bool
    score: int
    checks: Checks
    declared: dict[str, Any]
    findings: list[FindingEntry]


@tool(
    "audit",
    "Audit a strategy offline: costs, size, exits, looking ahead, repainting; with lines and advice.",
    needs=Needs.NOTHING,
)
def pine_audit_strategy(at: ToolContext, source: Annotated[str, SOURCE]) -> Audit:
    """Errors, and the opinions on strategies and repainting, all of them."""
    from pinebench.checker import open_program
    from pinebench.runtime.runtime import declared

    program = open_program(source, ())
    if not program.is_strategy:
        raise Refused("the script is not a strategy", "its declaration must be strategy(...)")
    found = problems(source, select=("CE", "strategy", "repainting"))
    says = declared(program)
    plain = {
        name: value if isinstance(value, bool | int | float | str) else str(value)
        for name, value in says.items()
        if value is not None
    }
    checks = _checks(program, says, {each.get("code", "") for each in found})
    passed = list(checks.values())
    return {
        "passes_check": not any(each["severity"] == "error" for each in found),
        "score": round(100 * passed.count(True) / len(passed)),
        "checks": checks,
        "declared": plain,
        "findings": found,
    }


def _checks(program: Program, says: dict[str, Any], codes: set[str]) -> Checks:
    """The checks of a strategy by what it declares, `says`, how it orders, and what was found in it."""
    from pinebench.linter.rules.context import RuleContext

    look = RuleContext(program)
    declaration, orders = look.declaration, look.calls("strategy.entry", "strategy.order")
    leaves = [*look.calls("strategy.exit"), *look.calls("strategy.order")]

    def given(calls: list[Any], *names: str) -> bool:
        return any(look.argument(call, name) is not None for call in calls for name in names)

    own = [declaration] if declaration is not None else []
    limited = any(name.startswith("strategy.risk.max") for name in look.builtin_calls)
    return {
        "has_commission": bool(says.get("commission_value")),
        "has_slippage": bool(says.get("slippage")),
        "sets_capital": given(own, "initial_capital"),
        "has_stop": limited or given(leaves, "stop", "loss", "trail_price", "trail_points"),
        "has_target": given(leaves, "limit", "profit"),
        "sets_size": given(own, "default_qty_type", "default_qty_value") or given(orders, "qty"),
        "signals_stay": not any(code.startswith("PB2") for code in codes),
        "not_on_every_tick": not says.get("calc_on_every_tick"),
        "not_filled_at_close": not says.get("process_orders_on_close"),
    }
