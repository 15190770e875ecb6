"""Offline checks of a script: whether it repaints, and an audit of a strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NotRequired, TypedDict

from pinebench.tools import markets
from pinebench.tools.arguments import ScriptArgument
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.check import SOURCE, FindingEntry, is_unchecked, of_compiler, passes, problems, refuse_old
from pinebench.tools.registry import Needs, tool
from pinebench.tools.tool_calls import ToolRefused

if TYPE_CHECKING:
    from pinebench.checker import Program

STRATEGY = ScriptArgument("the whole strategy")
_SECONDS = 30
"""The seconds after which no further part of the history is compared."""


class Repaints(markets.OnBars):
    """Whether a script repaints, and where.

    `repaints` is null if it is unproved: no output changed on the bars, but `remarks` name untested cases or signs of
    repainting. `varied` names the outputs that had several values, and `constant` those that had only one.

    Each finding has the output, its title, its line and its `kind`. `bar` is the first bar on which the output differs:
    its value was first `then`, and later `afterwards`. `bars` is the number of bars that differ, and each of the
    `causes` has advice (`instead`). `prefixes` are the lengths of the shorter histories that were compared, and `live`
    is the number of bars that were compared live. `cut` is True if the time ran out before everything was compared.
    """

    repaints: bool | None
    findings: list[dict[str, Any]]
    prefixes: list[int]
    live: int
    cut: bool
    varied: list[str]
    constant: list[str]


@tool(
    "audit",
    "Run a script on growing history and live: does it repaint, where, and why. Default: 1000 made-up daily bars.",
    needs=Needs.NOTHING,
    prices=True,
)
def pine_repaint_check(
    at: ToolContext,
    source: Annotated[str, SOURCE],
    symbol: Annotated[str | None, markets.SYMBOL] = None,
    timeframe: Annotated[str | None, markets.TIMEFRAME] = None,
    bars: Annotated[int | None, markets.BARS] = None,
    data: Annotated[list[str] | None, markets.LIKE_RUNS] = None,
    symbol_info: Annotated[str | None, markets.INFO] = None,
    inputs: Annotated[dict[str, Any] | None, markets.INPUTS] = None,
) -> Repaints:
    """Find the outputs that changed after their bar had closed."""
    from pinebench.linter.repainting import look_for_repainting
    from pinebench.repaint import repaint_report
    from pinebench.workers.request import Request

    refuse_old(source)
    found = markets.market(at, symbol, timeframe, bars, data, symbol_info)
    request = Request(source, found.chart.bars, found.chart.symbol, inputs or {}, found.others)
    judged = look_for_repainting(request, at.context, seconds=_SECONDS)
    if judged.error is not None:
        line = judged.error.line
        raise ToolRefused(
            f"the script stopped, so nothing was compared: {judged.error.message}", f"in line {line}" if line else None
        )
    told = repaint_report.repainting(judged)
    found.remarks.extend(f"not proved: {reason}" for reason in judged.missing)
    found.remarks.append(
        f"compared: {len(judged.prefixes)} shorter parts of the {judged.bars} bars, and {judged.live} live bars"
    )
    return {
        **found.told(),
        "repaints": judged.verdict,
        "findings": told["findings"],
        "prefixes": told["prefixes"],
        "live": told["live"],
        "cut": told["cut"],
        "varied": told["varied"],
        "constant": told["constant"],
    }


class Checks(TypedDict):
    """The checks for every strategy: costs, capital, a stop, a target, a size, and results that do not change later.

    `signals_stay` is the verdict of `pine_repaint_check` on the bars: null if there are no bars, or if it is unproved.
    `runs_through`, `closes_trades` and `earns` tell whether a run on bars ended without an error, closed trades, and
    earned money. They are null if there was no run. `closes_trades` and `earns` are also null if the run stopped with
    an error, because it has no figures then.
    """

    has_commission: bool
    has_slippage: bool
    sets_capital: bool
    has_stop: bool
    has_target: bool
    sets_size: bool
    signals_stay: bool | None
    not_on_every_tick: bool
    not_filled_at_close: bool
    runs_through: bool | None
    closes_trades: bool | None
    earns: bool | None


class AuditedRun(markets.OnBars):
    """The strategy's results on bars: the tester's `figures`, sentences about the run (`did`), and the error that
    `stopped` it."""

    figures: dict[str, Any]
    did: list[str]
    stopped: str | None


class Audit(TypedDict):
    """The findings about a strategy, the percentage of checks that it passes, and its declaration.

    A check that could not be made counts as not passed, so `score` is 100 only after a run that earned money. `run` is
    present if bars were given. `passes_check` is null if no error was found, but not everything could be checked.
    """

    passes_check: bool | None
    score: int
    checks: Checks
    declared: dict[str, Any]
    findings: list[FindingEntry]
    run: NotRequired[AuditedRun]
    remarks: list[str]


@tool(
    "audit",
    "Audit a strategy offline: costs, size, exits, looking ahead, repainting, with lines and advice;"
    " with data or symbol also what it earns.",
    needs=Needs.NOTHING,
    prices=True,
)
def pine_audit_strategy(
    at: ToolContext,
    source: Annotated[str, STRATEGY],
    symbol: Annotated[str | None, markets.SYMBOL_ONLY] = None,
    timeframe: Annotated[str | None, markets.TIMEFRAME] = None,
    bars: Annotated[int | None, markets.BARS] = None,
    data: Annotated[list[str] | None, markets.LIKE_RUNS] = None,
    symbol_info: Annotated[str | None, markets.INFO] = None,
    inputs: Annotated[dict[str, Any] | None, markets.INPUTS] = None,
) -> Audit:
    """Collect errors, and lint findings about strategies and repainting. Run the strategy if there are bars."""
    from pinebench.checker import open_program
    from pinebench.runtime import declared_arguments

    refuse_old(source)
    program = open_program(source, ())
    if not program.is_strategy:
        raise ToolRefused("the script is not a strategy", "its declaration must be strategy(...)")
    found = problems(source, select=("CE", "strategy", "repainting"))
    says = declared_arguments(program)
    compiler = of_compiler(source)
    passed_check = passes(compiler)
    remarks: list[str] = []
    if passed_check is None:
        unchecked = next(each["message"] for each in compiler if is_unchecked(each))
        remarks.append(f"passes_check is null, because not everything was checked: {unchecked}")
    run = stays = None
    if symbol is None and data is None:
        remarks.append("it was not run: without data or symbol its profit, and whether it repaints, are not known")
    elif passed_check is False:
        remarks.append("it was not run: it has errors")
    else:
        market = markets.market(at, symbol, timeframe, bars, data, symbol_info)
        run = _run(at, program, market, inputs or {}, remarks)
        stays = None if run is None else _stays(at, program, market, inputs or {}, remarks)
    checks = _checks(program, says, stays, run)
    passed = list(checks.values())
    answer: Audit = {
        "passes_check": passed_check,
        "score": round(100 * passed.count(True) / len(passed)),
        "checks": checks,
        "declared": {name: _plain(value) for name, value in says.items() if value is not None},
        "findings": found,
        "remarks": remarks,
    }
    if run is not None:
        answer["run"] = run
    return answer


def _run(
    at: ToolContext, program: Program, market: markets.Market, inputs: dict[str, Any], remarks: list[str]
) -> AuditedRun | None:
    """Run the strategy. Return None, and add the reason to `remarks`, if it cannot be run here."""
    from pinebench.runtime import NotComputed
    from pinebench.workers.dispatch import execute, explain
    from pinebench.workers.jobs import request_of

    request = request_of(program, market.chart.bars, market.chart.symbol, inputs=inputs, others=market.others)
    try:
        ran = execute(request, context=at.context)
        account = explain(request, at.context)
    except NotComputed as refused:
        remarks.append(f"it was not run: {refused.message}")
        return None
    stopped = ran.result.error
    return {
        **market.told(),
        "figures": dict(ran.figures),
        "did": account.lines,
        "stopped": None if stopped is None else f"line {stopped.line}: {stopped.message}",
    }


def _stays(
    at: ToolContext, program: Program, market: markets.Market, inputs: dict[str, Any], remarks: list[str]
) -> bool | None:
    """Return whether the strategy's orders on the bars stay the same; None, with the reasons in `remarks`, if that is
    not proved."""
    from pinebench.linter.repainting import look_for_repainting
    from pinebench.workers.jobs import request_of

    request = request_of(program, market.chart.bars, market.chart.symbol, inputs=inputs, others=market.others)
    judged = look_for_repainting(request, at.context, seconds=_SECONDS)
    why = judged.missing if judged.error is None else [f"the script stopped: {judged.error.message}"]
    remarks.extend(f"signals_stay is not proved: {reason}" for reason in why)
    return None if judged.verdict is None else not judged.verdict


def _plain(value: Any) -> bool | int | float | str:
    return value if isinstance(value, bool | int | float | str) else str(value)


def _checks(program: Program, says: dict[str, Any], stays: bool | None, run: AuditedRun | None) -> Checks:
    """Return the checks of a strategy, from its declaration `says`, its orders, its verdict `stays` and its run."""
    from pinebench.linter.rules.context import RuleContext

    look = RuleContext(program)
    declaration, orders = look.declaration, look.calls("strategy.entry", "strategy.order")
    leaves = [*look.calls("strategy.exit"), *look.calls("strategy.order")]

    def given(calls: list[Any], *names: str) -> bool:
        return any(look.argument(call, name) is not None for call in calls for name in names)

    own = [declaration] if declaration is not None else []
    whole = run["figures"] if run is not None and run["stopped"] is None else None
    limited = any(name.startswith("strategy.risk.max") for name in look.builtin_calls)
    return {
        "has_commission": bool(says.get("commission_value")),
        "has_slippage": bool(says.get("slippage")),
        "sets_capital": given(own, "initial_capital"),
        "has_stop": limited or given(leaves, "stop", "loss", "trail_price", "trail_points"),
        "has_target": given(leaves, "limit", "profit"),
        "sets_size": given(own, "default_qty_type", "default_qty_value") or given(orders, "qty"),
        "signals_stay": stays,
        "not_on_every_tick": not says.get("calc_on_every_tick"),
        "not_filled_at_close": not says.get("process_orders_on_close"),
        "runs_through": None if run is None else run["stopped"] is None,
        "closes_trades": None if whole is None else (whole.get("trades") or 0) > 0,
        "earns": None if whole is None else (whole.get("net_profit") or 0) > 0,
    }
