"""Answers requests at a stop: the frames, their variables with earlier values, and expressions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from pinebench.calendars.dates import bar_of, minute_text
from pinebench.checker import Program
from pinebench.debugger import debug_chart
from pinebench.debugger.engine import DebugEngine
from pinebench.debugger.stop_expressions import Evaluator
from pinebench.errors import PinebenchError, UsageError
from pinebench.inspecting.frozen_values import Freezer, FrozenValue, with_colors, written
from pinebench.inspecting.run_recording import GLOBAL, NOT_RUN
from pinebench.market import Bars
from pinebench.runtime import (
    UNSET,
    Array,
    ChartPoint,
    Drawing,
    EnumMember,
    GeneratedModule,
    Map,
    Matrix,
    Object,
    RuntimeFault,
    ir,
)
from pinebench.workers.request import Request

_HISTORY = 100
"""The number of earlier bars that are shown below a variable."""
_SHORT = 40
_PRICES = ("open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4", "time", "time_close")
_STRATEGY = (
    "position_size position_avg_price position_entry_name equity netprofit openprofit grossprofit grossloss "
    "initial_capital opentrades closedtrades wintrades losstrades eventrades max_drawdown max_runup"
).split()
_IN_BRACES = re.compile(r"\{([^{}]+)\}")
Shown = tuple[str, Any, str, "Children | None"]
"""A name with its value and its type, and its children."""
Children = tuple[int, Callable[[int, int], Iterator[Shown]]]
"""The number of children, and a function that yields them from a first index up to, but not including, a second."""


class _NoValue:
    """The type of `ABSENT`, which marks a name without a value."""


ABSENT = _NoValue()


class _Frame:
    """The values of one frame of a stop."""

    def __init__(self, answers: Answers, frame: FrameType, line: int, outer: _Frame | None) -> None:
        self.answers = answers
        self.line = line
        self.locals = frame.f_locals
        name = frame.f_code.co_name
        self.is_global = name == "bars"
        functions = {f"f{each.number}": each for each in answers.module.functions}
        self.unit = answers.module.unit if self.is_global else functions[name].unit
        self.name = "main" if self.is_global else functions[name].name
        self.site = GLOBAL if self.is_global else self.locals.get("N", GLOBAL)
        self.outer = self if self.is_global or outer is None else outer
        self.execution: Any = answers.engine.runtime.execution if answers.engine.runtime is not None else None

    def own(self) -> list[tuple[int, ir.RecordedName]]:
        """The names of this frame's function, in the order of the script."""
        return self.answers.by_unit.get(self.unit, [])

    def kept(self, k: int, back: int) -> Any:
        """Return the value that a name or call had `back` bars ago. Raises UsageError if there is none."""
        kept = self.answers.module.kept[k]
        frame = self if kept.unit is self.unit else self.outer
        if kept.unit is not frame.unit:
            raise UsageError(f"{kept.name} belongs to another function, so it cannot be read here")
        value = frame.now(k) if not back else frame.before(k, back)
        if value is ABSENT:
            raise UsageError(f"{kept.name} has no value yet on this bar")
        if value is NOT_RUN:
            return float("nan") if kept.kind in ir.NUMBERS else False if kept.kind == "bool" else None
        return value

    def now(self, k: int) -> Any:
        """Return the current value of a name or call of this frame's function; ABSENT if it has none yet."""
        engine, kept = self.answers.engine, self.answers.module.kept[k]
        settled = engine.fixed_value(k)
        if settled is not UNSET:
            return settled
        if not isinstance(kept.value, ir.Variable):
            return self._local(f"w{k}")
        history = kept.value.history
        block = history.block.number if history is not None and not kept.value.kept else None
        if block is not None and self.locals.get(f"b{block}") != engine.index:
            return ABSENT  # the variable still has the value of an earlier bar
        return self._local(kept.value.code)

    def _local(self, name: str) -> Any:
        value = self.locals.get(name, UNSET)
        return ABSENT if value is UNSET else value

    def before(self, k: int, back: int) -> Any:
        """Return the value at the end of the bar `back` bars ago. If the code did not run on that bar, return the last
        value before it."""
        engine = self.answers.engine
        bar = engine.index - back
        while bar >= engine.first:
            value = engine.at((k, self.site), bar)
            if value is not NOT_RUN:
                return value
            bar -= 1
        return NOT_RUN


class Answers:
    """Answers the requests about one debugged run at its stops."""

    def __init__(self, engine: DebugEngine, program: Program, request: Request, bars: Bars) -> None:
        self.engine = engine
        self.bars = bars
        self.module = engine.code.module
        self.evaluator = Evaluator(program, self.module, dict(request.inputs), request.libraries)
        self.is_strategy = program.is_strategy
        self.by_unit: dict[ir.Unit, list[tuple[int, ir.RecordedName]]] = {}
        for k, kept in enumerate(self.module.kept):
            self.by_unit.setdefault(kept.unit, []).append((k, kept))
        self._references: dict[int, Children] = {}
        self._stop: object = None
        self._frames: list[_Frame] = []
        self._freezer = Freezer({type_.code: type_ for type_ in engine.code.types}, _SHORT)

    # frames

    @property
    def frames(self) -> list[_Frame]:
        """The frames of this stop, the innermost first."""
        self._renew()
        return self._frames

    def _renew(self) -> None:
        """Drop the data of an earlier stop."""
        if self._stop is not self.engine.stop:
            self._stop = self.engine.stop
            self._references.clear()
            found: list[_Frame] = []
            outer: _Frame | None = None
            for frame, line in reversed(self.engine.stop.frames if self.engine.stop is not None else []):
                outer = _Frame(self, frame, line, outer.outer if outer is not None else None)
                found.insert(0, outer)
            self._frames = found

    def stack(self) -> dict[str, Any]:
        """Return the frames with their lines."""
        where = self.where()
        frames = [
            {"id": number, "name": f"main ({where})" if frame.is_global else f"{frame.name}()", "line": frame.line}
            for number, frame in enumerate(self.frames)
        ]
        return {"frames": frames}

    def where(self) -> str:
        """Return a description of the current bar and its time."""
        bar = self.engine.index
        return f"bar {bar}, {minute_text(self.bars.time[bar])} UTC" if self.bars.time else ""

    def scopes(self, number: int) -> dict[str, Any]:
        """Return the scopes of the frame with this number."""
        frame = self._frame(number)
        outer = frame.outer
        found: list[tuple[str, Children]] = []
        if not frame.is_global:
            found.append(("Locals", self._names(frame, lambda each: not each.is_call)))
        found.append(("Globals", self._names(outer, lambda each: not each.is_call and each.mode != "input")))
        found.append(("Inputs", self._names(outer, lambda each: each.mode == "input")))
        found.append(("Calls", self._names(frame, lambda each: each.is_call)))
        found.append(("Built-ins", _listed([*self._built_in(outer)])))
        if self.is_strategy:
            found.append(("Strategy", _listed([*self._strategy(outer)])))
        found.append(("Drawings", _listed([*self._drawings(outer)])))
        return {
            "scopes": [
                {"name": name, "reference": self._refer(children), "count": children[0]}
                for name, children in found
                if children[0] or name in ("Locals", "Globals")
            ]
        }

    def variables(self, reference: int, start: int = 0, count: int = 0) -> dict[str, Any]:
        """Return `count` children (0 for all) of a scope or a variable, from the index `start` on. `reference` is the
        parent's number in the protocol."""
        self._renew()
        if reference not in self._references:
            raise UsageError("these variables belong to an earlier stop")
        total, children = self._references[reference]
        start = max(start, 0)
        stop = min(total, start + count) if count else total
        shown = children(start, stop) if start < stop else ()
        return {"variables": [self._told(*each) for each in shown]}

    def _frame(self, number: int) -> _Frame:
        if not 0 <= number < len(self.frames):
            raise UsageError("there is no frame: the script is not stopped in its code")
        return self.frames[number]

    def _refer(self, children: Children | None) -> int:
        if children is None:
            return 0
        self._references[len(self._references) + 1] = children
        return len(self._references)

    def _told(self, name: str, value: Any, type_: str, below: Children | None) -> dict[str, Any]:
        return {
            "name": name,
            "value": self.text(value, type_),
            "type": type_,
            "reference": self._refer(below),
            "count": below[0] if below is not None else 0,
        }

    def text(self, value: Any, type_: str = "") -> str:
        """Return a short representation of a value. `type_` is its Pine type, or empty if it is not known."""
        if value is ABSENT:
            return "(no value yet on this bar)"
        if value is NOT_RUN:
            return "(did not run)"
        read = value if isinstance(value, FrozenValue) else self._freezer.read(self._freezer.frozen(value))
        return written(with_colors(read, type_))

    def _names(self, frame: _Frame, takes: Callable[[ir.RecordedName], bool]) -> Children:
        """Return the names of a frame for which `takes` is true. Their values are read when they are shown."""
        names = [(k, kept) for k, kept in frame.own() if takes(kept)]
        counts = Counter(kept.name for _, kept in names)

        def shown(start: int, stop: int) -> Iterator[Shown]:
            for k, kept in names[start:stop]:
                name = kept.name if counts[kept.name] == 1 else f"{kept.name} (line {kept.line})"
                value = frame.now(k)
                yield name, value, kept.type.strip("<>"), self._below(value, frame, k)

        return len(names), shown

    def _below(self, value: Any, frame: _Frame, k: int) -> Children | None:
        """Return the children of a variable: its elements or fields, and its earlier values."""
        parts = _parts(value)
        count = min(_HISTORY, max(self.engine.index - self.engine.first, 0))
        history: Children = (count, lambda start, stop: self._earlier(frame, k, start, stop))
        if parts is None:
            return history if count else None
        if not count:
            return parts

        def both(start: int, stop: int) -> Iterator[Shown]:
            yield from parts[1](start, min(stop, parts[0]))
            if stop > parts[0]:
                yield "(earlier bars)", f"{count} bars", "", history

        return parts[0] + 1, both

    def _earlier(self, frame: _Frame, k: int, start: int, stop: int) -> Iterator[Shown]:
        for back in range(start + 1, stop + 1):
            value = frame.before(k, back)
            yield f"[{back}]", value, self.module.kept[k].type.strip("<>"), _parts(value)

    def _built_in(self, frame: _Frame) -> Iterator[Shown]:
        run = frame.execution
        if run is None or not len(run.chart):
            return
        i = self.engine.index
        for name in _PRICES:
            column = run.chart.column(name)
            count = min(_HISTORY, i)

            def earlier(start: int, stop: int, column: list[Any] = column) -> Iterator[Shown]:
                for back in range(start + 1, stop + 1):
                    yield f"[{back}]", column[i - back], "", None

            yield name, column[i], "series float", (count, earlier) if count else None
        yield "bar_index", i, "series int", None
        yield "last_bar_index", run.last_index, "series int", None
        yield "barstate.isconfirmed", run.is_confirmed, "series bool", None
        yield "barstate.ishistory", run.is_history, "series bool", None
        yield "barstate.isnew", run.is_new, "series bool", None
        yield "syminfo.ticker", run.symbol.symbol, "simple string", None
        yield "timeframe.period", run.timeframe, "simple string", None

    def _strategy(self, frame: _Frame) -> Iterator[Shown]:
        variables = frame.execution.host.strategy.variables
        for name in _STRATEGY:
            try:
                yield f"strategy.{name}", getattr(variables, name), "", None
            except Exception:  # a figure that has no value before the first bar
                continue

    def _drawings(self, frame: _Frame) -> Iterator[Shown]:
        if frame.execution is None:
            return
        for kind, alive in frame.execution.drawings.alive.items():
            if alive:
                yield f"{kind}s" if kind != "box" else "boxes", f"{len(alive)}", "", _parts(Array(list(alive)))

    # expressions

    def evaluate(self, text: str, number: int | None) -> dict[str, Any]:
        """Return the value of an expression in a frame. Raises UsageError if it cannot be evaluated."""
        frame = self._frame(number or 0)
        named = self._name(text, frame)
        if named is not None:
            value, type_ = frame.now(named), self.module.kept[named].type.strip("<>")
            return self._told(text, value, type_, self._below(value, frame, named))
        value = self.value(text, frame)
        return self._told(text, value, "", _parts(value))

    def _name(self, text: str, frame: _Frame) -> int | None:
        """Return the number of the name or of the last call with this text that has a value; None if there is none, or
        if several names of the function have this text: then the scope of the line decides."""
        asked = "".join(text.split())
        same = [(k, kept) for k, kept in frame.own() if "".join(kept.name.split()) == asked]
        if sum(not kept.is_call for _, kept in same) > 1:
            return None
        return next((k for k, _ in reversed(same) if frame.now(k) is not ABSENT), None)

    def value(self, text: str, frame: _Frame, kind: str = "") -> Any:
        """Return the value of an expression. `kind` is the type that it must have, or empty for any type. Raises
        UsageError if the expression cannot be evaluated."""

        def namespace(generated: GeneratedModule) -> dict[str, Any]:
            return self.engine.code.namespace(generated)

        unit = "#main" if frame.is_global else frame.unit.name
        compute = self.evaluator.compiled(text, unit, frame.line, namespace, kind)
        try:
            return compute(frame, 0)
        except PinebenchError:
            raise
        except (RuntimeFault, OverflowError, AttributeError, MemoryError) as error:
            raise UsageError(f"'{text}' stops with an error: {frame.execution.fault(error)}") from None
        except Exception as error:
            raise UsageError(f"'{text}' stops with an error: {error}") from None

    def holds(self, condition: str) -> bool:
        """Return whether a condition is true in the innermost frame. If it cannot be evaluated, report that and return
        False."""
        try:
            return self.value(condition, self.frames[0], kind="bool") is True
        except PinebenchError as error:
            self.engine.faulty(condition, error.message)
            return False

    def message(self, text: str) -> str:
        """Return the text of a log point, with the values of the expressions in braces."""

        def value(found: re.Match[str]) -> str:
            try:
                return self.text(self.value(found[1], self.frames[0]))
            except PinebenchError as error:
                return f"({error.message})"

        return _IN_BRACES.sub(value, text)

    def check(self, text: str, line: int) -> str:
        """Return the reason why an expression cannot be a condition at a line, or an empty string if it can."""
        function = next((each for each in self.module.functions if line in _lines(each.unit)), None)
        try:
            unit = "#main" if function is None else function.unit.name
            self.evaluator.compiled(text, unit, line, lambda generated: self.engine.code.namespace(generated), "bool")
        except PinebenchError as error:
            return error.message
        return ""


def _lines(unit: ir.Unit) -> set[int]:
    found: set[int] = set()
    pending = [unit.body]
    while pending:
        for statement in pending.pop().statements:
            found.add(statement.line)
            if isinstance(statement, ir.If):
                pending += [statement.then, *([statement.otherwise] if statement.otherwise is not None else [])]
            elif isinstance(statement, ir.WITH_BODY):
                pending.append(statement.body)
    return found


def _listed(shown: list[Shown]) -> Children:
    return len(shown), lambda start, stop: iter(shown[start:stop])


def _parts(value: Any) -> Children | None:
    """Return the elements, pairs, fields or properties of a value; None for a number or a text."""
    if isinstance(value, FrozenValue):
        pairs = value.pairs()
    elif isinstance(value, Array):
        items = value.items
        return len(items), lambda start, stop: (
            (f"[{number}]", items[number], "", _parts(items[number])) for number in range(start, min(stop, len(items)))
        )
    elif isinstance(value, Matrix):
        pairs = [(f"row {number}", tuple(row)) for number, row in enumerate(value.rows)]
    elif isinstance(value, Map):
        pairs = list(value.pairs.items())
    elif isinstance(value, Object):
        pairs = [(name, getattr(value, code)) for name, code in zip(value.names, value.fields, strict=True)]
    elif isinstance(value, Drawing):
        pairs = [("deleted", value.deleted), *value.state().items()]
    elif isinstance(value, ChartPoint):
        pairs = [("time", value.time), ("index", value.index), ("price", value.price)]
    elif isinstance(value, tuple | list):
        pairs = list(enumerate(value))
    else:
        return None
    kind = "color" if isinstance(value, Drawing) else ""
    return len(pairs), lambda start, stop: (
        (_key(key), each, kind if str(key).endswith("color") else "", _parts(each)) for key, each in pairs[start:stop]
    )


def _key(key: Any) -> str:
    if isinstance(key, EnumMember):
        return key.title
    return f"[{key}]" if isinstance(key, int) else str(key)


def fill_text(fill: Any) -> str:
    """Return a description of a fill."""
    return f"fill of {fill.quantity:g} at {fill.price:g}"


# what the engine calls


def prepare(engine: DebugEngine, program: Program, request: Request, bars: Bars, *, stop_on_entry: bool) -> None:
    """Tell the debug adapter which lines can have a breakpoint, and answer its requests until the run may begin. With
    `stop_on_entry`, the run stops before its first statement."""
    engine.answers = Answers(engine, program, request, bars)
    lines = sorted({int(found) for found in re.findall(r"\bSTEP\((\d+)\)", engine.generated.source)})
    engine.channel.send({"event": "ready", "lines": lines, "bars": len(bars)})
    engine.wait()
    if stop_on_entry:
        engine.stop_next()


def answer(engine: DebugEngine, command: dict[str, Any]) -> Any:
    """Return the answer to a request. Raises PinebenchError if it cannot be answered."""
    answers: Answers = engine.answers
    match command["command"]:
        case "stack":
            return answers.stack()
        case "scopes":
            return answers.scopes(command["frame"])
        case "variables":
            return answers.variables(command["reference"], command.get("start", 0), command.get("count", 0))
        case "evaluate":
            return answers.evaluate(command["text"], command.get("frame"))
        case "message":
            return answers.message(command["text"])
        case "check":
            return {"why": answers.check(command["text"], command["line"])}
        case "chart":
            return debug_chart.taken(engine, command["count"]) | {"bar": engine.index, "where": answers.where()}
        case "bar_of":
            return {"bar": bar_of("the bar", command["text"], answers.bars.time)}
        case _:
            raise UsageError(f"there is no command {command['command']}")


def holds(engine: DebugEngine, condition: str) -> bool:
    """Return whether the condition of a breakpoint is true."""
    return engine.answers.holds(condition)
