"""Converts plot functions to the typed form (IR): columns with a value for each bar, and settings of the first bar."""

from __future__ import annotations

from pinebench.checker import BuiltinCall
from pinebench.runtime import ir
from pinebench.runtime.lower.calls import Special, bound_arguments
from pinebench.runtime.lower.context import LoweredOutput, Lowering, LoweringPlace
from pinebench.syntax import nodes

COLUMNS: dict[str, tuple[str, ...]] = {
    "plot": ("series", "color"),
    "plotshape": ("series", "color", "textcolor"),
    "plotchar": ("series", "color", "textcolor"),
    "plotarrow": ("series", "colorup", "colordown"),
    "plotbar": ("open", "high", "low", "close", "color"),
    "plotcandle": ("open", "high", "low", "close", "color", "wickcolor", "bordercolor"),
    "bgcolor": ("color",),
    "barcolor": ("color",),
    "fill": ("color", "top_value", "bottom_value", "top_color", "bottom_color"),
    "hline": (),
    "alertcondition": ("condition",),
}
"""The arguments that may differ from bar to bar, by function."""
_ALWAYS = frozenset(("series", "open", "high", "low", "close", "condition"))
"""The arguments that always become columns, even if the value is one constant."""


def output(lowering: Lowering, node: nodes.Call, bound: BuiltinCall, place: LoweringPlace) -> ir.Expression:
    """Convert one call of a plot function to the typed form (IR); its value is the number of the output."""
    if lowering.is_requested:
        return ir.Constant("object", 0)
    name = bound.function.name
    number = len(lowering.outputs)
    lowering.outputs.append(LoweredOutput(number, name, lowering.line_of(node, place)))
    settings: dict[str, ir.Expression] = {}
    # A colour argument that is left out means the default colour; a colour that is na means no colour.
    absent = {a.parameter for a in bound.arguments if a.node is None and a.default is None and "color" in a.parameter}
    for parameter, value in bound_arguments(lowering, bound, place):
        if parameter in absent:
            continue
        changes = parameter in COLUMNS[name] and (parameter in _ALWAYS or not ir.is_settled(value))
        if changes:
            lowering.emit(ir.Show(place.line, number, parameter, value), place)
        else:
            settings[parameter] = value
    lowering.emit(ir.Configure(place.line, number, settings), place)
    return ir.Constant("object", number)


SPECIAL: dict[str, Special] = dict.fromkeys(COLUMNS, output)
