"""What to doubt in a script, offline: what repaints, and what an auditor would ask of a strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from pinebench.tools.arguments import LONGEST_SOURCE, Text, Values, Whole
from pinebench.tools.calling import Refused
from pinebench.tools.check import DATA, SAMPLE, TIMEFRAME, Problem, chosen_bars, problems
from pinebench.tools.desk import Call
from pinebench.tools.registry import Needs, tool

if TYPE_CHECKING:
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


class Audit(TypedDict):
    """What an auditor finds in a strategy, and what its declaration says of costs and size."""

    passes_check: bool
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
    plain = {
        name: value if isinstance(value, bool | int | float | str) else str(value)
        for name, value in declared(program).items()
        if value is not None
    }
    return {
        "passes_check": not any(each["severity"] == "error" for each in found),
        "declared": plain,
        "findings": found,
    }
