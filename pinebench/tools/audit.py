"""What to doubt in a script, offline: what repaints, and what an auditor would ask of a strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from pinebench.tools.arguments import LONGEST_SOURCE, Text, Values, Whole
from pinebench.tools.calling import Refused
from pinebench.tools.check import DATA, SAMPLE, TIMEFRAME, Problem, chosen_bars, problems
from pinebench.tools.desk import Call
from pinebench.tools.registry import Needs, tool

if TYPE_CHECKING:
    from pinebench.check import Program
    from pinebench.execution.repaint import Repaint

SOURCE = Text("the whole strategy", LONGEST_SOURCE)
_BARS = Whole(least=3, most=5000, clamp=True)
_INPUTS = Values("input values by title")


class Finding(TypedDict):
    """What was shown of a bar, and what is shown of it later."""

    line: int
    output: str
    kind: str
    repaints: bool
    bars: int
    causes: list[str]


class Repaints(TypedDict):
    """Whether a script repaints, and where."""

    repaints: bool
    findings: list[Finding]
    symbol: str
    timeframe: str


@tool(
    "audit",
    "Run a script on growing history and live to see whether it repaints; names lines and causes.",
    needs=Needs.NOTHING,
)
def pine_repaint_check(
    at: Call,
    source: Annotated[str, SOURCE],
    symbol: Annotated[str, SAMPLE] = "NASDAQ:AAPL",
    timeframe: Annotated[str, TIMEFRAME] = "1D",
    bars: Annotated[int, _BARS] = 300,
    data: Annotated[str | None, DATA] = None,
    inputs: Annotated[dict[str, Any] | None, _INPUTS] = None,
) -> Repaints:
    """What changed after its bar was over."""
    from pinebench.check import open_program
    from pinebench.execution.repaint import check_repainting

    market, info, name = chosen_bars(symbol, timeframe, bars, data)
    judged = check_repainting(open_program(source, ()), market, info, inputs=inputs, seconds=30)
    findings = [_finding(each) for each in judged.findings]
    return {
        "repaints": any(each["repaints"] for each in findings),
        "findings": findings,
        "symbol": name,
        "timeframe": info.timeframe,
    }


def _finding(found: Repaint) -> Finding:
    return {
        "line": found.line,
        "output": found.name,
        "kind": found.kind,
        "repaints": found.repaints,
        "bars": found.bars,
        "causes": [f"line {each.line}: {each.what}; {each.instead}" for each in found.causes],
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
    findings: list[Problem]


@tool(
    "audit",
    "Audit a strategy offline: costs, size, exits, looking ahead, repainting; with lines and advice.",
    needs=Needs.NOTHING,
)
def pine_audit_strategy(at: Call, source: Annotated[str, SOURCE]) -> Audit:
    """Errors, and the opinions on strategies and repainting, all of them."""
    from pinebench.check import open_program
    from pinebench.runtime.runtime import declared

    program = open_program(source, ())
    declaration = program.declaration
    if declaration is None or declaration.name != "strategy":
        raise Refused("the script is no strategy", "its declaration must be strategy(...)")
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
    from pinebench.lint.rules.look import Look

    look = Look(program)
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
