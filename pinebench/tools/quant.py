"""Statistics of bars and trades: returns, volatility, volume profile, comparison of symbols, tear sheet, position
sizes."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Annotated, Any, NotRequired, TypedDict

from pinebench.errors import UsageError
from pinebench.tools import markets
from pinebench.tools.arguments import (
    ChoiceArgument,
    Fields,
    IntegerArgument,
    ListArgument,
    NamesArgument,
    Number,
    ScriptArgument,
    TextArgument,
    TimeframeArgument,
    ValuesArgument,
)
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.priced_bars import (
    DIGITS,
    BarFigures,
    FigureSheet,
    PricedBars,
    bars_of_many,
    days_told,
    priced_bars,
    rounded,
    session_begin,
)
from pinebench.tools.registry import Needs, tool
from pinebench.tools.tool_calls import ToolRefused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pinebench.backtesting.backtest import BacktestRun
    from pinebench.quant.phases import Phase
    from pinebench.quant.relation import Series
    from pinebench.quant.returns import Returns
    from pinebench.quant.volume import VolumeProfile

_LAGS = (1, 2, 5)
_MOST_NODES = 5
_MOST_PAIRS = 20
_DEEPEST = 3
_BANDS = (1, 2, 3)
_LEAST_VALUE = 1e-6
"""The least value of a point; 0 would make every risk 0."""

_SYMBOL = TextArgument("a symbol of the sample market, as in pine_run", 80, example="NASDAQ:AAPL")
_TIMEFRAME = TimeframeArgument("aggregate to it")
_BARS = IntegerArgument("how many (default: 1000)", 1, markets.MOST_BARS)
_DATA = NamesArgument("bars as in pine_run, or chart", 4096, most=1, example="bars.csv")
_INFO = TextArgument("as in pine_run", 4096, example="bars.toml")
_MANY = NamesArgument("2 to 12 sources as data of pine_run, each with or without NAME=", 4096, most=12)
_TRADE = Fields({"profit": Number("money"), "risk": Number("money at the stop")}, optional=frozenset(("risk",)))
_HELD = Fields(
    {
        "symbol": TextArgument(longest=80),
        "quantity": Number("negative if short"),
        "price": Number(),
        "stop": Number(),
        "group": TextArgument(longest=80),
        "point_value": Number("default: 1", _LEAST_VALUE),
    },
    optional=frozenset(("stop", "group", "point_value")),
)


class ReturnStatistics(BarFigures):
    """Statistics of returns. Percentages are for one bar, but `volatility.year_percent` is for a year.

    `left_out` counts bars without a return, because a price or the bars between them are missing. An autocorrelation
    inside `noise_band`, or a mean whose `t_of_mean` is below 2, cannot be distinguished from noise.
    """

    bars_a_year: float | None
    returns: dict[str, float | None]
    left_out: int
    volatility: dict[str, Any]
    autocorrelation: dict[str, float | None]
    z_score: float | None
    momentum_percent: float | None
    relative_volume: float | None
    volume_z: float | None
    drawdown: dict[str, float | None]


@tool(
    "quant",
    "Statistics of returns: moments, volatility, regime, autocorrelation, z-score, relative volume, drawdown.",
    needs=Needs.NOTHING,
    prices=True,
)
def quant_returns(
    at: ToolContext,
    symbol: Annotated[str | None, _SYMBOL] = None,
    timeframe: Annotated[str | None, _TIMEFRAME] = None,
    bars: Annotated[int | None, _BARS] = None,
    data: Annotated[list[str] | None, _DATA] = None,
    symbol_info: Annotated[str | None, _INFO] = None,
    from_: Annotated[str | None, markets.FROM] = None,
    to: Annotated[str | None, markets.TO] = None,
    short: Annotated[int, IntegerArgument("bars of the short window, also of z-score and volume", 5, 5000)] = 20,
    long: Annotated[int, IntegerArgument("bars of the long window", 6, 20_000)] = 100,
) -> ReturnStatistics:
    """Return the statistics of the returns of bars."""
    from pinebench.quant import returns, volatility, volume

    if long <= short:
        raise UsageError(f"long must be more than short, got: {long}", "give, for example, short 20 and long 100")
    priced = priced_bars(at, symbol, timeframe, bars, data, symbol_info).within(from_, to)
    longest = returns.longest_step(priced.symbol, priced.bars.time)
    found = returns.returns_of(priced.bars.close, priced.bars.time, longest)
    priced.remarks.extend(_left_out(found, longest))
    year, sheet = priced.year(), FigureSheet()
    shares = frozenset(("mean", "deviation", "best", "worst", "positive"))
    regime = volatility.regime(found.values, short, long)
    windows = {"short": regime.short, "long": regime.long, "year": volatility.a_year(found.values, year)}
    lags = {f"lag_{lag}": returns.autocorrelation(found, lag) for lag in _LAGS}
    return {
        "bars_a_year": year,
        "returns": {"count": len(found.values), **sheet.group("returns", returns.statistics(found.values), shares)},
        "left_out": found.na + found.gaps,
        "volatility": {
            **sheet.group("volatility", windows, frozenset(windows)),
            "ratio": sheet.put("volatility.ratio", regime.ratio),
            "regime": regime.name,
        },
        "autocorrelation": {
            **sheet.group("autocorrelation", lags, frozenset()),
            "noise_band": sheet.put("autocorrelation.noise_band", returns.noise_band(len(found.values))),
        },
        "z_score": sheet.put("z_score", returns.z_score(priced.bars.close, short)),
        "momentum_percent": sheet.put("momentum_percent", returns.momentum(priced.bars.close, short), 100),
        "relative_volume": sheet.put("relative_volume", volume.relative_volume(priced.bars.volume, short)),
        "volume_z": sheet.put("volume_z", volume.volume_z(priced.bars.volume, short)),
        "drawdown": _drawdown(priced.bars.close, sheet),
        **priced.told(sheet),
    }


def _left_out(found: Returns, longest: int | None) -> list[str]:
    """Return a remark for each reason why neighbouring bars have no return, with advice how to include them."""
    told: list[str] = []
    if found.na:
        told.append(f"{found.na} returns are not used, because a price is missing or not positive")
    if found.gaps and longest is not None:
        told.append(
            f"{found.gaps} returns are not used, because there are more than {longest / 3_600_000:g} hours "
            "between the bars; if the market was closed then, give its session in symbol_info"
        )
    return told


def _drawdown(closes: Sequence[float], sheet: FigureSheet) -> dict[str, float | None]:
    from pinebench.quant import drawdowns
    from pinebench.quant.figure import known, unknown

    falls = drawdowns.drawdowns(closes)
    if isinstance(falls, str):
        deepest = current = unknown(falls)
    else:
        deepest, current = known(drawdowns.deepest(falls)), known(1 - closes[-1] / max(closes))
    return {
        "deepest_percent": sheet.put("drawdown.deepest_percent", deepest, 100),
        "current_percent": sheet.put("drawdown.current_percent", current, 100),
    }


class VolumeReport(BarFigures):
    """Volume by price of the bars, and the VWAP since `vwap.since`, which is the last session (or the first bar, if
    bars last a day or longer).

    `area` tells whether the last close is above, inside or below the value area, which has 70 % of the volume. In
    `profile`, `hvn` and `lvn` are the middle prices of rows with clearly more or less volume than the rows around them,
    the clearest first; a row is `row_height` high. `phases` has figures for each phase of the trading day, such as
    the first hour, and `phase` is the phase in which the last bar opens.
    """

    close: float | None
    vwap: dict[str, Any]
    profile: dict[str, Any]
    area: str | None
    phases: list[dict[str, Any]]
    phase: str | None


@tool(
    "quant",
    "Volume by price (POC, VAH, VAL, HVN, LVN), VWAP with bands, and phases of the trading day.",
    needs=Needs.NOTHING,
    prices=True,
)
def quant_volume_profile(
    at: ToolContext,
    symbol: Annotated[str | None, _SYMBOL] = None,
    timeframe: Annotated[str | None, _TIMEFRAME] = None,
    bars: Annotated[int | None, _BARS] = None,
    data: Annotated[list[str] | None, _DATA] = None,
    symbol_info: Annotated[str | None, _INFO] = None,
    last: Annotated[int | None, IntegerArgument("use only the last bars", 2, markets.MOST_BARS)] = None,
    rows: Annotated[int, IntegerArgument("rows of the profile", 4, 500)] = 24,
) -> VolumeReport:
    """Return the volume profile, the VWAP and the phases of bars."""
    from pinebench.quant import phases, volume

    priced = priced_bars(at, symbol, timeframe, bars, data, symbol_info)
    if last is not None:
        priced = priced._replace(bars=priced.bars.last(last))
    seen, sheet = priced.bars, FigureSheet()
    priced.remarks.extend(days_told(priced))
    first = session_begin(priced)
    average, found = volume.vwap(seen, first), volume.profile(seen, rows)
    by_phase = phases.by_phase(seen, priced.symbol)
    if isinstance(by_phase, str):
        sheet.unknown["phases"] = by_phase
        by_phase = []
    nodes = {"weaker_high_volume_nodes": found.high_nodes, "weaker_low_volume_nodes": found.low_nodes}
    priced.remarks.extend(markets.left_out(_MOST_NODES, **nodes))
    low, high = found.value_low.value, found.value_high.value
    return {
        "close": seen.close[-1],
        "vwap": {
            "since": seen.time[first] // 1000,
            "price": sheet.price("vwap.price", average.price),
            "deviation": sheet.price("vwap.deviation", average.deviation),
            "distance_in_deviations": sheet.put("vwap.distance_in_deviations", average.distance),
            "bands": _bands(average),
        },
        "profile": _profile(found, sheet),
        "area": _area(seen.close[-1], low, high),
        "phases": [_phase(each, sheet) for each in by_phase],
        "phase": phases.phase_at(seen.time[-1], priced.symbol) if by_phase else None,
        **priced.told(sheet),
    }


class _SymbolPair(TypedDict):
    one: str
    other: str
    correlation: float | None


class _RankedSymbol(TypedDict):
    name: str
    change_percent: float | None
    relative_percent: float | None
    beta: float | None


class SymbolRelations(TypedDict):
    """A comparison of symbols on the bars that all of them have. `ranking` is by the change over the last `window`
    bars, strongest first. `relative_percent` and `beta` are against `benchmark`; without one, `relative_percent` is
    against the median symbol. `pairs` are the strongest correlations of returns over all common bars."""

    names: list[str]
    timeframe: str
    bars: int
    from_time: int
    to_time: int
    window: int
    benchmark: str | None
    ranking: list[_RankedSymbol]
    pairs: list[_SymbolPair]
    unknown: dict[str, str]
    remarks: list[str]


@tool(
    "quant",
    "Compare symbols without a chart: relative strength, beta, correlation of their returns.",
    needs=Needs.NOTHING,
    prices=True,
)
def quant_compare(
    at: ToolContext,
    data: Annotated[list[str], _MANY],
    benchmark: Annotated[str | None, TextArgument("the NAME of one of them", 80, example="SPY")] = None,
    timeframe: Annotated[str | None, _TIMEFRAME] = None,
    bars: Annotated[int | None, _BARS] = None,
    window: Annotated[int, IntegerArgument("bars of the ranking", 1, 20_000)] = 20,
) -> SymbolRelations:
    """Rank and correlate symbols."""
    from pinebench.quant import relation

    loaded, remarks = bars_of_many(at, data, timeframe, bars)
    if benchmark is not None and benchmark not in loaded:
        raise UsageError(f"benchmark {benchmark} is not among the symbols", f"give one of {', '.join(loaded)}")
    many: dict[str, Series] = {name: relation.closes_of(each.bars, each.symbol) for name, each in loaded.items()}
    times = relation.common_times(list(many.values()))
    if len(times) < 2:
        raise UsageError(
            "the symbols have fewer than two bars at the same times", "give bars of the same timeframe and dates"
        )
    changes, sheet = {name: relation.returns_at(series, times) for name, series in many.items()}, FigureSheet()
    pairs = _pairs(changes, sheet)

    def ranked(each: relation.Strength) -> _RankedSymbol:
        beta = None if benchmark is None else relation.beta(changes[each.name], changes[benchmark])
        return {
            "name": each.name,
            "change_percent": sheet.put(f"{each.name}.change_percent", each.change, 100),
            "relative_percent": sheet.put(f"{each.name}.relative_percent", each.relative, 100),
            "beta": None if beta is None else sheet.put(f"{each.name}.beta", beta),
        }

    return {
        "names": list(many),
        "timeframe": next(iter(loaded.values())).symbol.timeframe,
        "bars": len(times),
        "from_time": times[0] // 1000,
        "to_time": times[-1] // 1000,
        "window": window,
        "benchmark": benchmark,
        "ranking": [ranked(each) for each in relation.ranking(many, window, benchmark)],
        "pairs": pairs[:_MOST_PAIRS],
        "unknown": sheet.unknown,
        "remarks": [*remarks, *markets.left_out(_MOST_PAIRS, weaker_pairs=pairs)],
    }


class TearSheet(BarFigures):
    """A tear sheet of a strategy, or of holding the symbol. Ratios are annualized with `bars_a_year` bars. `tester` has
    figures of the strategy tester."""

    bars_a_year: float | None
    figures: dict[str, float | None]
    drawdowns: list[dict[str, Any]]
    tester: NotRequired[dict[str, Any]]


@tool(
    "quant",
    "Tear sheet of a strategy, or of holding: CAGR, Sharpe, Sortino, Calmar, drawdown, exposure.",
    needs=Needs.NOTHING,
    prices=True,
)
def quant_tearsheet(
    at: ToolContext,
    source: Annotated[str | None, ScriptArgument("the whole strategy")] = None,
    symbol: Annotated[str | None, _SYMBOL] = None,
    timeframe: Annotated[str | None, _TIMEFRAME] = None,
    bars: Annotated[int | None, _BARS] = None,
    data: Annotated[list[str] | None, _DATA] = None,
    symbol_info: Annotated[str | None, _INFO] = None,
    inputs: Annotated[dict[str, Any] | None, ValuesArgument("as in pine_run")] = None,
    properties: Annotated[dict[str, Any] | None, ValuesArgument("as in pine_backtest")] = None,
    from_: Annotated[str | None, markets.FROM] = None,
    to: Annotated[str | None, markets.TO] = None,
    risk_free: Annotated[float, Number("yearly rate in percent", -50, 100)] = 0,
) -> TearSheet:
    """Return the figures of an equity curve."""
    from pinebench.quant import drawdowns, tearsheet
    from pinebench.quant.figure import known

    whole = priced_bars(at, symbol, timeframe, bars, data, symbol_info)
    priced = whole.within(from_, to)
    year, sheet = priced.year(), FigureSheet()
    if source is None and properties:
        raise UsageError("properties need a strategy, and there is no source", "give the strategy as source")
    dates = markets.dates(from_, to)
    tested = None if source is None else _tested(at, source, whole, inputs or {}, properties or {}, dates)
    if tested is None:
        times, equity, exposure = priced.bars.time, priced.bars.close, known(1.0)
    else:
        # As in a back-test, the script runs on the bars before the dates too, so that its averages are complete.
        before = whole.bars.time.index(priced.bars.time[0])
        equity = tested.curve.equity[before:]
        times = priced.bars.time[: len(equity)]
        spans = [(one.entry_bar - before, one.exit_bar - before) for one in tested.trades]
        spans += [(one.bar - before, len(equity) - 1) for one in tested.open_trades]
        exposure = tearsheet.exposure_of(spans, len(equity))
    found = tearsheet.tearsheet(times, equity, year, risk_free / 100, exposure)
    falls = drawdowns.drawdowns(equity)
    deepest = [] if isinstance(falls, str) else sorted(falls, key=lambda each: -each.depth)
    priced.remarks.extend(markets.left_out(_DEEPEST, smaller_drawdowns=deepest))
    plain = frozenset(("sharpe", "sortino", "calmar", "skewness", "excess_kurtosis", "longest_drawdown_bars"))
    answer: TearSheet = {
        "bars_a_year": year,
        "figures": sheet.group("figures", found, frozenset(found) - plain),
        "drawdowns": [_fall(each, times) for each in deepest[:_DEEPEST]],
        **priced.told(sheet),
    }
    if tested is not None:
        answer["tester"] = {name: tested.figures().get(name) for name in _OF_TESTER}
        answer["remarks"] = [*priced.remarks, *tested.notes]
    return answer


def _pairs(changes: Mapping[str, list[float]], sheet: FigureSheet) -> list[_SymbolPair]:
    """Every two symbols with the correlation of their returns, the strongest first."""
    from pinebench.quant import relation

    pairs: list[_SymbolPair] = [
        {
            "one": one,
            "other": other,
            "correlation": sheet.put(f"{one}/{other}", relation.correlation(changes[one], changes[other])),
        }
        for one, other in combinations(changes, 2)
    ]
    return sorted(pairs, key=lambda pair: -abs(pair["correlation"] or 0.0))


_OF_TESTER = (
    *("trades", "open_trades", "net_profit_percent", "profit_factor", "percent_profitable", "average_win_to_loss"),
    *("average_trade_percent", "max_drawdown_percent", "commission_paid", "buy_and_hold_percent"),
)
"""The figures of the strategy tester in a tear sheet."""


class Risk(TypedDict):
    """Sizes and risks as percentages of the equity. `unknown` maps the key of each figure that is null to the reason.

    `kelly.bet_percent` is half Kelly, never below 0 or above the cap. `size` is for the planned trade, and `r` holds
    the R multiples of past trades. `heat` is the loss of the open positions if every stop is reached.
    """

    equity: float
    kelly: NotRequired[dict[str, float | None]]
    size: NotRequired[dict[str, Any]]
    r: NotRequired[dict[str, float | None]]
    heat: NotRequired[dict[str, Any]]
    unknown: dict[str, str]
    remarks: list[str]


@tool(
    "quant",
    "Size a trade and measure risk: units, reward to risk, Kelly with a cap, R multiples, heat.",
    needs=Needs.NOTHING,
)
def quant_risk(
    at: ToolContext,
    equity: Annotated[float, Number("money of the account", 0)],
    entry: Annotated[float | None, Number("price")] = None,
    stop: Annotated[float | None, Number("price")] = None,
    side: Annotated[str | None, ChoiceArgument(("long", "short"), "default: by the stop")] = None,
    target: Annotated[float | None, Number("price")] = None,
    point_value: Annotated[float | None, Number("the value of one point of one unit, in money", _LEAST_VALUE)] = None,
    risk_percent: Annotated[float, Number("of the equity, lost at the stop", 0, 100)] = 1,
    win_rate: Annotated[float | None, Number("percent, if there are no trades", 0, 100)] = None,
    payoff: Annotated[float | None, Number("mean win / mean loss", 0)] = None,
    cap_percent: Annotated[float, Number("the largest bet", 0, 100)] = 5,
    trades: Annotated[list[dict[str, Any]] | None, ListArgument(_TRADE, "past trades", most=5000)] = None,
    positions: Annotated[list[dict[str, Any]] | None, ListArgument(_HELD, "open positions", most=200)] = None,
) -> Risk:
    """Compute position sizes and risks from the given numbers."""
    from pinebench.quant import position_sizes
    from pinebench.quant.figure import known

    sheet, is_taken = FigureSheet(), False
    answer: Risk = {"equity": equity, "unknown": sheet.unknown, "remarks": []}
    if (entry is None) != (stop is None) or (target is not None and entry is None):
        raise UsageError(
            "stop and target need an entry, and entry needs a stop",
            "give entry and stop, and the target if you have one",
        )
    if (win_rate is None) != (payoff is None):
        raise UsageError("win_rate and payoff must be given together", "give both, or past trades")
    if trades:
        multiples = position_sizes.r_multiples([(each["profit"], each.get("risk", 0.0)) for each in trades])
        told = sheet.group("r", position_sizes.r_statistics(multiples.values), frozenset())
        answer["r"] = {"count": len(multiples.values), "left_out": multiples.left_out, **told}
    if win_rate is not None and payoff is not None:
        edge = position_sizes.Edge(known(win_rate / 100), known(payoff))
        answer["remarks"].append("the win rate and the payoff were given, not measured")
    else:
        edge = position_sizes.edge_of([each["profit"] for each in trades]) if trades else None
    if edge is not None:
        answer["kelly"] = _kelly(edge, cap_percent, sheet)
    if entry is not None and stop is not None:
        if side is None and stop > entry:
            answer["remarks"].append("the stop is above the entry, so this is a short position")
        told = _size(equity, risk_percent, entry, stop, target, 1.0 if point_value is None else point_value, sheet)
        answer["size"] = {"side": _side(side, entry, stop), **told}
        if told["units"] is not None:
            answer["remarks"].append("the units are not rounded down to the smallest quantity of the symbol")
        is_taken = told["units"] is not None and point_value is None
    if positions:
        answer["heat"] = _heat(positions, equity, sheet)
        is_taken |= equity > 0 and any("point_value" not in each for each in positions)
    if is_taken:
        answer["remarks"].append(_POINT)
    if len(answer) == 3:
        raise UsageError(
            "there is nothing to compute", "give entry and stop, win_rate and payoff, trades, or positions"
        )
    return answer


_POINT = (
    "without point_value, one point of one unit is assumed to be worth 1 in the account's currency: give "
    "point_value for futures, lots, and prices in another currency"
)


def _kelly(edge: Any, cap_percent: float, sheet: FigureSheet) -> dict[str, float | None]:
    from pinebench.quant import position_sizes

    rate, payoff = edge
    unknown = next((each for each in (rate, payoff) if each.value is None), None)
    full = unknown or position_sizes.kelly(rate.value, payoff.value)
    bet = position_sizes.bet(full, 0.5, cap_percent / 100)
    return {
        "win_rate_percent": sheet.put("kelly.win_rate_percent", rate, 100),
        "payoff": sheet.put("kelly.payoff", payoff),
        "full_percent": sheet.put("kelly.full_percent", full, 100),
        "half_percent": sheet.put("kelly.half_percent", full, 50),
        "bet_percent": sheet.put("kelly.bet_percent", bet, 100),
    }


def _side(side: str | None, entry: float, stop: float) -> str:
    """Return the side of a position. Raises UsageError if its stop is on the wrong side of the entry."""
    found = "short" if stop > entry else "long"
    if side is not None and side != found and stop != entry:
        where = "below" if side == "long" else "above"
        raise UsageError(
            f"the stop {stop:g} of a {side} position must be {where} its entry {entry:g}", f"give a stop {where} it"
        )
    return side or found


def _size(
    equity: float,
    risk_percent: float,
    entry: float,
    stop: float,
    target: float | None,
    point_value: float,
    sheet: FigureSheet,
) -> dict[str, float | None]:
    from pinebench.quant import position_sizes
    from pinebench.quant.figure import known, unknown

    units = position_sizes.units(equity, risk_percent / 100, entry, stop, point_value)
    value = unknown(units.why) if units.value is None else known(100 * units.value * entry * point_value / equity)
    ratio = unknown("there is no target") if target is None else position_sizes.reward_to_risk(entry, stop, target)
    return {
        "risk_percent": risk_percent,
        "units": sheet.put("size.units", units),
        "exposure_percent": sheet.put("size.exposure_percent", value),
        "reward_to_risk": sheet.put("size.reward_to_risk", ratio),
    }


def _heat(positions: list[dict[str, Any]], equity: float, sheet: FigureSheet) -> dict[str, Any]:
    from pinebench.quant import position_sizes

    held = [
        position_sizes.OpenPosition(
            *(each["symbol"], each["quantity"], each["price"], each.get("stop"), each.get("group", "")),
            each.get("point_value", 1.0),
        )
        for each in positions
    ]
    found = position_sizes.heat(held, equity)
    everywhere = frozenset((*found.by_name, *found.exposure_by_group))
    return {
        "total_percent": sheet.put("heat.total_percent", found.total, 100),
        "risk": sheet.group("heat.risk", found.by_name, everywhere),
        "exposure": sheet.group("heat.exposure", found.exposure_by_group, everywhere),
        "without_stop": found.missing,
        "breaches": found.breaches,
    }


def _tested(
    at: ToolContext,
    source: str,
    priced: PricedBars,
    inputs: dict[str, Any],
    properties: dict[str, Any],
    dates: tuple[int | None, int | None],
) -> BacktestRun:
    """Return the back-test of a strategy, which trades between the `dates` (ms UTC). Raises ToolRefused if it
    stopped."""
    from pinebench.broker import checked_properties
    from pinebench.checker import open_program
    from pinebench.workers.dispatch import execute
    from pinebench.workers.jobs import request_of, trade

    program = open_program(source, ())
    own = checked_properties(properties)
    first, last = dates
    request = request_of(program, priced.bars, priced.symbol, inputs=inputs, properties=own, first=first, last=last)
    tested = execute(request, trade, at.context)
    fault = tested.result.error
    if fault is not None:
        raise ToolRefused(f"the script stopped: {fault.message}", f"in line {fault.line}" if fault.line else None)
    return tested


def _bands(average: Any) -> dict[str, float]:
    """Return the bands of a VWAP by name: `upper_1` is one standard deviation above it."""
    if average.price.value is None or average.deviation.value is None:
        return {}
    signs = (("upper", 1), ("lower", -1))
    return {
        f"{side}_{count}": rounded(average.price.value + sign * count * average.deviation.value)
        for side, sign in signs
        for count in _BANDS
    }


def _profile(found: VolumeProfile, sheet: FigureSheet) -> dict[str, Any]:
    return {
        "poc": sheet.price("profile.poc", found.point_of_control),
        "vah": sheet.price("profile.vah", found.value_high),
        "val": sheet.price("profile.val", found.value_low),
        "hvn": [rounded(price) for price in found.high_nodes[:_MOST_NODES]],
        "lvn": [rounded(price) for price in found.low_nodes[:_MOST_NODES]],
        "row_height": rounded(found.step) if found.step else None,
    }


def _phase(found: Phase, sheet: FigureSheet) -> dict[str, Any]:
    place = f"phases.{found.name}"
    return {
        "phase": found.name,
        "bars": found.bars,
        "volume_percent": sheet.put(f"{place}.volume_percent", found.volume_share, 100),
        "range_percent": sheet.put(f"{place}.range_percent", found.mean_range, 100),
    }


def _area(close: float, low: float | None, high: float | None) -> str | None:
    """Return the position of the close relative to the value area; None if one of them is not known."""
    if low is None or high is None or close != close:
        return None
    return "above" if close > high else "below" if close < low else "inside"


def _fall(fall: Any, times: list[int]) -> dict[str, Any]:
    return {
        "peak_time": times[fall.peak] // 1000,
        "trough_time": times[fall.trough] // 1000,
        "recovery_time": None if fall.recovery is None else times[fall.recovery] // 1000,
        "depth_percent": rounded(100 * fall.depth, DIGITS),
        "bars": fall.bars,
    }
