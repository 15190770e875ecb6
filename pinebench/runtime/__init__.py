"""Runs a checked `Program` on bars: the typed form (IR), the generated Python code, and the built-ins that it calls."""

from typing import TYPE_CHECKING

from pinebench.faces import face

if TYPE_CHECKING:
    from pinebench.runtime.alerts import Alert, Alerts
    from pinebench.runtime.chart import BarColumns, Chart, ChartBar, ChartSymbol, Look, fixed, is_unknown
    from pinebench.runtime.drawings import ChartPoint, Drawing, Drawings, Limits, Table
    from pinebench.runtime.drawings.objects import Box, Label, Line, Polyline, not_negative, reachable
    from pinebench.runtime.drawings.registry import SURPLUS, LivingDrawings
    from pinebench.runtime.drawings.tables import cell_place
    from pinebench.runtime.emit import Cost, GeneratedModule, Timer, sample_cost
    from pinebench.runtime.emit.ahead import may_be_skipped
    from pinebench.runtime.emit.expressions import Writer, numbers_compared
    from pinebench.runtime.emit.known import BarInvariants, assignments, inner_statements, is_plain, operated, parts_of
    from pinebench.runtime.emit.module import initial_constants
    from pinebench.runtime.emit.statements import is_cell
    from pinebench.runtime.execution import ExecutableCode, Execution, ValueRecorder
    from pinebench.runtime.faults import RuntimeFault, StackFrame
    from pinebench.runtime.guard import RunBudget
    from pinebench.runtime.inputs import SOURCES, Input, input_named, inputs_of, kind_of, settings_of
    from pinebench.runtime.library.collections import Array, ArraySlice, Map, Matrix
    from pinebench.runtime.library.colors import new_of_constants
    from pinebench.runtime.library.numbers import tick_ratio
    from pinebench.runtime.library.times import timestamp_of_text
    from pinebench.runtime.literals import stopped_by
    from pinebench.runtime.lower.names import COLORS, constant_value
    from pinebench.runtime.objects import EnumMember, Object
    from pinebench.runtime.outputs import Output
    from pinebench.runtime.published import library_notes, runnable
    from pinebench.runtime.refusals import NotComputed
    from pinebench.runtime.replay import Replay
    from pinebench.runtime.requests import (
        MadeRequest,
        Requests,
        RequestSource,
        Sources,
        is_longer,
        merged,
        needs_rate,
        with_gaps,
        within,
    )
    from pinebench.runtime.runtime import (
        MOST_REQUESTS,
        Log,
        MakeDrawings,
        Result,
        Runtime,
        Watch,
        declared_arguments,
        draws,
        limits_of,
        lowered,
        own_timeframe,
        refuse,
    )
    from pinebench.runtime.state import UNSET
    from pinebench.runtime.strategy import NoFills, OrderRecorder, RecordedStrategy, Strategy
    from pinebench.runtime.tickers import Ticker
    from pinebench.runtime.values import EXACT

MODULES = ("aggregation", "builtins", "contents", "guard", "ir", "lower", "report", "shown", "values")
"""The modules that other rooms import whole."""
NAMES = {
    "alerts": "Alert Alerts",
    "chart": "BarColumns Chart ChartBar Look ChartSymbol fixed is_unknown",
    "drawings": "ChartPoint Drawing Drawings Limits Table",
    "drawings.objects": "Box Label Line Polyline not_negative reachable",
    "drawings.registry": "SURPLUS LivingDrawings",
    "drawings.tables": "cell_place",
    "emit": "Cost GeneratedModule Timer sample_cost",
    "emit.ahead": "may_be_skipped",
    "emit.expressions": "Writer numbers_compared",
    "emit.known": "BarInvariants assignments inner_statements is_plain operated parts_of",
    "emit.module": "initial_constants",
    "emit.statements": "is_cell",
    "execution": "ExecutableCode Execution ValueRecorder",
    "faults": "RuntimeFault StackFrame",
    "guard": "RunBudget",
    "inputs": "Input SOURCES input_named inputs_of kind_of settings_of",
    "library.collections": "Array Map Matrix ArraySlice",
    "library.colors": "new_of_constants",
    "library.numbers": "tick_ratio",
    "library.times": "timestamp_of_text",
    "literals": "stopped_by",
    "lower.names": "COLORS constant_value",
    "objects": "EnumMember Object",
    "outputs": "Output",
    "published": "library_notes runnable",
    "refusals": "NotComputed",
    "replay": "Replay",
    "requests": "MadeRequest Requests RequestSource Sources is_longer merged needs_rate with_gaps within",
    "runtime": "MOST_REQUESTS Log MakeDrawings Result Runtime Watch declared_arguments draws limits_of lowered "
    "own_timeframe refuse",
    "state": "UNSET",
    "strategy": "NoFills OrderRecorder RecordedStrategy Strategy",
    "tickers": "Ticker",
    "values": "EXACT",
}
"""The names that other rooms import from here, by the module that defines them."""

__getattr__ = face(__name__, NAMES)
