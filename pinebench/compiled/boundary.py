"""The boundary between the two tiers. The compiled tier refuses every request with a feature that is not listed here,
and the Python tier runs it.

A field of a request, a parameter of the declaration statement and a property of the strategy can all change a run, so
each is listed here. A property has addresses in the memory of a run; every other entry has the reason why machine code
need not read it. A new entry is refused until an engineer lists it.
"""

from __future__ import annotations

from dataclasses import fields

from pinebench.backtesting.broker_factory import properties_of
from pinebench.broker import Properties
from pinebench.checker import Program
from pinebench.compiled.script_code import NotCovered
from pinebench.compiled.strategy_calls import property_places
from pinebench.runtime import declared_arguments, draws, own_timeframe
from pinebench.workers.request import Request

REQUEST = {
    "source": "it is compiled",
    "libraries": "they are part of the checked script",
    "bars": "they are the columns of a run",
    "symbol": "its values are computed before the first bar, and first_values() reads what the broker needs",
    "inputs": "they are values that are computed before the first bar",
    "others": "requests of other bars find them as on the Python tier",
    "samples": "requests of other bars find them as on the Python tier",
    "clock": "it is computed before the first bar",
    "budget": "a run with too many rounds of loops is repeated by Python, whose guard has the limits",
    "properties": "they are part of the strategy's properties",
    "rates": "a strategy with them is refused, and an indicator does not read them",
    "lower": "the paths of a strategy's bars are data of a run, and an indicator does not read them",
    "standard": "a strategy with them is refused, and an indicator does not read them",
    "first": "the broker has it in its memory",
    "last": "the bars end before it on both tiers",
    "as_of": "it is part of the strategy's properties",
    "look": "the chart has it, and a strategy that is filled on its standard bars is refused",
    "tier": "it is read before anything is compiled",
    "stop": "a run that was stopped is not run again",
}
"""The fields of a request, and how the compiled tier deals with them."""
DECLARED = {
    **dict.fromkeys("title shorttitle overlay format precision scale behind_chart".split(), "it is how a run is shown"),
    **dict.fromkeys(
        "max_lines_count max_labels_count max_boxes_count max_polylines_count".split(),
        "drawings are made after the run; a count that stops the script is refused",
    ),
    "explicit_plot_zorder": "it is how a run is shown",
    "max_bars_back": "each history has all bars",
    "timeframe": "a script on other bars than the chart's is refused",
    "timeframe_gaps": "it is for another timeframe than the chart's",
    "calc_bars_count": "refuse() names a count that is smaller than the number of bars",
    "dynamic_requests": "a request whose symbol or timeframe may differ is answered while the script runs",
    "calc_on_every_tick": "all bars of a run are closed",
}
"""The parameters of the declaration that are not properties, each with the reason why machine code need not read it."""
PROPERTIES = {
    "currency": "another currency than the symbol's needs rates, and a strategy with rates is refused",
    "risk_free_rate": "the figures that need it are computed by Python",
    "use_bar_magnifier": "shorter bars are used if they are given, also without it",
    "fill_orders_on_standard_ohlc": "it needs standard bars, and a strategy with standard bars is refused",
    "calc_on_every_history_tick": "no tier runs a strategy on ticks",
}
"""The properties of a strategy that machine code does not read, each with the reason."""
PLACED = frozenset(
    "initial_capital default_qty_type default_qty_value pyramiding commission_type commission_value slippage "
    "process_orders_on_close close_entries_rule margin_long margin_short backtest_fill_limits_assumption "
    "calc_on_order_fills".split()
)
"""The properties of a strategy that set values in the broker's memory before the first bar."""
_COUNTS = {
    "max_lines_count": "line",
    "max_labels_count": "label",
    "max_boxes_count": "box",
    "max_polylines_count": "polyline",
}


def refusal(program: Program, request: Request) -> str | None:
    """Return the reason why machine code cannot run this script for this request; None if there is none. This does not
    check the script's statements."""
    for field in fields(request):
        if field.name not in REQUEST:
            return f"'{field.name}' of a request is not compiled"
    names = {field.name for field in fields(Properties)}
    for name, value in declared_arguments(program).items():
        if name not in DECLARED and not (program.is_strategy and name in names):
            return f"{name} in the declaration is not compiled"
        if name in _COUNTS and isinstance(value, int | float) and value <= 0 and draws(program, _COUNTS[name]):
            return f"{name} = {value} stops the script"
    if (own := own_timeframe(program, request.symbol)) is not None:
        return f'indicator(timeframe = "{own.text}") is not compiled'
    return _not_traded(program, request) if program.is_strategy else None


def _not_traded(program: Program, request: Request) -> str | None:
    """The reason why the orders of a strategy are not filled by machine code, or None."""
    properties = properties_of(program, request.properties, request.as_of)
    for field in fields(Properties):
        if field.name not in PROPERTIES and field.name not in PLACED:
            return f"the property {field.name} is not compiled"
    if request.rates is not None:
        return "exchange rates are not compiled"
    if request.standard is not None or request.look.standard is not None:
        return "fills on other bars than the chart's are not compiled"
    try:
        property_places(properties, 1.0)
    except NotCovered as reason:
        return reason.reason
    return None
