"""Runs the code of a script or of a request on the bars of a chart, and runs a bar again if it changes."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from types import CodeType, FrameType, TracebackType
from typing import Any, Protocol

from pinebench.runtime import ir, state, values
from pinebench.runtime.builtins import CONTEXT_FUNCTIONS, FUNCTIONS, KERNELS
from pinebench.runtime.chart import Chart, ChartSymbol, fixed, is_unknown
from pinebench.runtime.drawings import alive
from pinebench.runtime.emit import GeneratedModule, Timer, generate
from pinebench.runtime.faults import RuntimeFault, StackFrame
from pinebench.runtime.library.times import of_time
from pinebench.runtime.lower.context import Lowering
from pinebench.runtime.objects import EnumMember, copy_object, elements, numbered, object_class
from pinebench.runtime.refusals import NotComputed
from pinebench.runtime.strategy import EVERY_BAR, BrokerGate, NoFills, Strategy

NA = float("nan")
Hook = Callable[[int], None]
Bars = Callable[[int, int, Hook | None, Hook | None, BrokerGate], list[Any]]
_MOST_KEPT = 200_000
_CALLED = re.compile(r"c(\d+)\(")
"""A call of a running copy of a function, in generated code."""
_OF_NOTHING = re.compile(r"'NoneType' object has no attribute '(\w+)'")
"""The words of Python's error for reading a field of na. For an assignment to a field of na, only these words contain
the field's name."""


class ExecutableCode:
    """A script in the typed form (IR), or the code of one of its requests. It can be run any number of times."""

    def __init__(self, lowering: Lowering, members: dict[str, EnumMember] | None = None, place: str = "") -> None:
        """Take a lowered script and the members of its enums. `place` distinguishes the code of a request from the
        script and from other requests."""
        module = lowering.module
        self.lowering = lowering
        self.generated: GeneratedModule = generate(module, ahead=not module.steps)
        self.module: ir.Module = module
        self._plain: GeneratedModule | None = None
        self._compiled: dict[str, CodeType] = {}
        """The compiled forms except the first, by their source."""
        self.file = f"<pine{place}>"
        """The file name that this code has in tracebacks."""
        self._forms = {self.file: self.generated}
        """The compiled forms of this module, by their file names in tracebacks."""
        self.code: CodeType = compile(self.generated.source, self.file, "exec")
        self.functions = {f"f{function.number}": function for function in module.functions}
        self.types = list(lowering.types.known.values())
        known = lowering.types.enums.values()
        self.members = members or {f"E{number}": EnumMember(name, title) for number, name, title in known}
        self.requests = [
            ExecutableCode(request.lowering, self.members, f"{place} {number}")
            for number, request in enumerate(lowering.requests)
        ]
        self.asked = [request.asked for request in lowering.requests]
        """A key for each request; requests that are written in the same way have the same key."""
        self.request_places = [(request.line, request.start) for request in lowering.requests]
        """The line and the offset of each request's call in the script."""

    def plain(self) -> GeneratedModule:
        """Return the generated code that computes no values before the first bar runs."""
        if self._plain is None:
            self._plain = generate(self.module, ahead=False)
        return self._plain

    @property
    def files(self) -> list[str]:
        """The file names, in tracebacks, of the forms of this code (with or without values computed in advance)."""
        return list(self._forms)

    def compiled(self, generated: GeneratedModule) -> CodeType:
        """Compile `generated`, a form of this code (with or without values computed in advance)."""
        if generated is self.generated:
            return self.code
        made = self._compiled.get(generated.source)
        if made is None:
            file = f"{self.file[:-1]} form {len(self._forms)}>"
            self._forms[file] = generated
            made = self._compiled[generated.source] = compile(generated.source, file, "exec")
        return made

    def called(self, file: str, row: int, name: str) -> StackFrame | None:
        """Return the script function and line of a frame of generated code, or None if it has no script line. `file`,
        `row` (from 1) and `name` come from the traceback. Frames of requests are found as well."""
        generated = self._forms.get(file)
        if generated is None:
            calls = (request.called(file, row, name) for request in self.requests)
            return next((call for call in calls if call is not None), None)
        if name == "<lambda>" or not 0 < row <= len(generated.lines):
            return None
        line = generated.lines[row - 1]
        if not line and name in self.functions:  # the head of a function, before its first statement
            line = next(filter(None, generated.lines[row - 1 :]), 0)
        function = self.functions.get(name)
        if function is not None:
            return StackFrame(function.name, line, function.library)
        return StackFrame("#main", line) if line or name != "bars" else None

    def calls(self, frame: FrameType) -> list[tuple[int, str]]:
        """Return the line and the text of each call of a function with state that leads to `frame`, outermost first.
        `frame` runs generated code. Frames of requests have no such calls."""
        units = [self.module.unit, *(function.unit for function in self.module.functions)]
        states = {one.number: one for unit in units for one in unit.state if isinstance(one, ir.CallState)}
        found: list[tuple[int, str]] = []
        outer = frame.f_back
        while outer is not None and outer.f_code.co_filename in self._forms:
            row, _, column, _ = next(islice(outer.f_code.co_positions(), outer.f_lasti // 2, None))
            if row is not None and column is not None:
                text = self._forms[outer.f_code.co_filename].source.splitlines()[row - 1].encode()[column:].decode()
                called = _CALLED.match(text)
                state = states.get(int(called[1])) if called is not None else None
                if state is not None:
                    found.insert(0, (state.line, state.text))
            outer = outer.f_back
        return found

    def namespace(self, generated: GeneratedModule) -> dict[str, Any]:
        """Return all names that generated code can use."""
        found: dict[str, Any] = {
            "__builtins__": {"abs": abs, "len": len, "list": list, "range": range, "zip": zip},
            "nan": NA,
            "INF": values.INFINITE,
            "UNSET": state.UNSET,
            "Recorder": state.Recorder,
            "snapshot": state.snapshot,
            "alive": alive,
            "copy_object": copy_object,
            "elements": elements,
            "numbered": numbered,
            "L_int": values.whole,
            "L_bool": values.truth,
        }
        for name in ("by_zero", "quotient", "remainder", "product", "is_empty", "same", "different", "rounds"):
            found[name] = getattr(values, name)
        found["DeferredText"] = values.DeferredText
        found.update(checked_step=values.checked_step, past=values.past, back=values.back)
        for code, name in generated.library.items():
            if code not in found:
                found[code] = FUNCTIONS[name] if name in FUNCTIONS else CONTEXT_FUNCTIONS[name]
        found.update((type_.code, object_class(type_)) for type_ in self.types)
        found.update(self.members)
        return found


class ValueRecorder(Protocol):
    """Records the values of a script's names and calls; `k` is the number of a name or call in `ir.Module.kept`.

    Each call in the script has its own copy of the called function, with its own state. The generated code puts the
    values of the last run of each copy into `calls`, by the number that `site` returned for the copy. At the end of a
    bar, it passes the values of the global code to `bar`.
    """

    calls: dict[int, tuple[Any, ...]]
    touched: set[Any]
    """The collections, objects and drawings that the script changed in place. The run only adds to it."""
    steps: bool
    """Whether the method `step` is called with the line of each statement before it runs."""

    def begin(self, code: ExecutableCode, generated: GeneratedModule) -> None:
        """Start, or start over, at the first bar. `generated` is the form of `code` that runs."""
        ...

    def site(self, function: int, path: tuple[int, ...]) -> int:
        """Return the number of a new copy of a function. `path` has the numbers of the calls that lead to it."""
        ...

    def fixed(self, k: int, value: Any) -> None:
        """Record a value that is the same on all bars."""
        ...

    def column(self, k: int, values: list[Any]) -> None:
        """Record a list that has, or will have, one value for each bar."""
        ...

    def bar(self, i: int, values: tuple[Any, ...]) -> None:
        """Record the values at the end of bar `i`. A bar that runs again ends several times."""
        ...

    def restored(self) -> None:
        """Handle the return to an earlier state or a new run of requests. Any value may have changed in place."""
        ...

    def failed(self, fault: BaseException, traceback: TracebackType | None) -> None:
        """Handle the error `fault`, which stops the script. `traceback` has the frames of the running code."""
        ...


class Blocks:
    """The blocks of a script and whether they ran, by the lines (from 1) on which they begin.

    `known` has the lines of all blocks with code of their own, and `reached` has the lines of the blocks that ran.
    """

    def __init__(self) -> None:
        self.known: set[int] = set()
        self.reached: set[int] = set()

    def watched(self, generated: GeneratedModule) -> GeneratedModule:
        """Return the same code with a call `REACHED(line)` at the beginning of each block."""
        text: list[str] = []
        lines: list[int] = []
        depth = 0
        for row, line in zip(generated.source.splitlines(), [*generated.lines, 0], strict=False):
            indent = len(row) - len(row.lstrip())
            if line and indent > depth:
                self.known.add(line)
                text.append(f"{row[:indent]}REACHED({line})")
                lines.append(line)
            depth = indent
            text.append(row)
            lines.append(line)
        return replace(generated, source="\n".join(text) + "\n", lines=lines)


class Execution:
    """A script in the typed form (IR), or the code of a request, that runs on a chart.

    Generated code calls methods such as `fixed`, `column`, `kernel` and `keep`. The caller uses `run_bar`, and `save`
    and `restore` around a bar that may run again.
    """

    def __init__(self, code: ExecutableCode, chart: Chart, host: Any) -> None:
        """Prepare the run of `code` on `chart`. `host` has what a whole run shares: outputs, strategy, drawings,
        requests, alerts, notes."""
        self.chart = chart
        self.host = host
        self.index = -1
        self.is_confirmed = True
        self.is_history = True
        self.is_new = True
        self.bid = self.ask = NA
        self.last_index = self.last_history_index = len(chart) - 1
        self.drawings = host.drawings(self)
        self.requests = host.requests(self)
        self.code = code
        self.recorder: ValueRecorder | None = host.recorder if code.module.records else None
        self._filled = 0
        """The number of bars whose values are computed ahead."""
        self._start(code.generated)

    def _start(self, generated: GeneratedModule, more: Mapping[str, Any] | None = None) -> None:
        """Make the state of the script and the functions that run it. `more` are additional names for the code."""
        self._keepers: list[tuple[Callable[[], Any], Callable[[Any], None]]] = []
        self._reached: list[Callable[[], Sequence[Any]]] = []
        self._holders: dict[str, list[Callable[[], Sequence[Any]]]] = {}
        namespace = self.code.namespace(generated) | dict(more or {})
        if self.recorder is not None:
            self.drawings.changed = self.recorder.touched
            self.recorder.begin(self.code, generated)
        code = self.code.compiled(generated)
        timer: Timer | None = self.host.timer
        if timer is not None:
            namespace |= timer.names()
            code = timer.compiled(generated, code.co_filename)
        exec(code, namespace)
        made = namespace["make"](self, self.host.strategy, self.drawings, self.requests, self)
        self._bars: Bars = made[0]
        self._fill: Callable[[int], None] | None = made[1]
        self._one: Callable[[int], None] | None = made[2]

    # properties that functions of the library read

    @property
    def symbol(self) -> ChartSymbol:
        return self.chart.symbol

    @property
    def timeframe(self) -> str:
        return self.chart.timeframe.text

    @property
    def times(self) -> list[int]:
        return self.chart.bars.time

    @property
    def bar_index(self) -> int:
        return self.index

    # methods and properties that generated code uses

    @property
    def last_time(self) -> int:
        return self.chart.bars.time[-1]

    @property
    def timenow(self) -> int:
        """The value of `timenow` in milliseconds UTC: the run's clock if it is set, else the close time of the last
        bar."""
        return self.host.clock(self)

    def fixed(self, name: str) -> Any:
        if is_unknown(name):
            self.host.note(name)
        return fixed(self.chart, name)

    def missing(self, name: str) -> float:
        """Return na for a value that pinebench cannot know, such as future dividends, and add one note."""
        self.host.note(name)
        return NA

    def column(self, name: str) -> list[Any]:
        return self.chart.column(name)

    def kernel(self, name: str, series_length: bool) -> Any:
        made = KERNELS[name](series_length)
        self._keepers.append((made.save, made.restore))
        self._judge_size()
        return made

    def keep(self, save: Any, restore: Any, reached: Any, parts: Sequence[state.Keeper]) -> None:
        """Register the state of the global code, or of one copy of a function (each call in the script has its own).

        `save` and `restore` handle its variables, `reached` returns the values in these variables, and `parts` store
        earlier values of its expressions. Stateful built-ins are registered when they are made.
        """
        self._keepers.append((save, restore))
        self._keepers += [(part.save, part.restore) for part in parts if isinstance(part, state.Recorder)]
        self._reached.append(reached)
        self._judge_size()

    def _judge_size(self) -> None:
        """Raise NotComputed if there are too many copies with state. If each function calls the next one twice, the
        number of copies doubles at each level, before any bar runs."""
        if len(self._keepers) > _MOST_KEPT:
            raise NotComputed(f"a script with more than {_MOST_KEPT} calls that keep a state of their own")

    def hold(self, kind: str, held: Callable[[], Sequence[Any]]) -> None:
        """Register `held`, which returns the drawings of a kind in the variables of the global code or of one copy of a
        function."""
        self._holders.setdefault(kind, []).append(held)

    def output_column(self, number: int, name: str) -> list[Any]:
        return self.host.outputs.column(number, name)

    def configure(self, number: int, /, **settings: Any) -> None:
        self.host.outputs.configure(number, settings)

    def alert(self, line: int, call: int, *, message: str, freq: str) -> None:
        self.host.alert(self, message, freq, line, call)

    def log_info(self, text: str, line: int) -> None:
        self.host.log(self, "info", text, line)

    def log_warning(self, text: str, line: int) -> None:
        self.host.log(self, "warning", text, line)

    def log_error(self, text: str, line: int) -> None:
        self.host.log(self, "error", text, line)

    def runtime_error(self, *, message: str) -> None:
        raise RuntimeFault("RE10142", message=message or "")

    # values that are computed ahead

    def prepare(self) -> None:
        """Compute values, before any bar runs, for all bars except the last, which can run again.

        If this fails, the script runs without these values; the bar with the error is found when it runs.
        """
        count = len(self.chart) - 1
        if self._fill is None or not self.is_history or count < 1:
            return
        try:
            self._fill(count)
        except Exception:  # the same error comes again when its bar runs, then with its line
            self._start_anew()
        else:
            self._filled = count
        finally:
            self.index = -1

    def _start_anew(self) -> None:
        """Start again without values that are computed ahead; no bar has run so far."""
        self.requests = self.host.requests(self)
        self._start(self.code.plain())

    def note_blocks(self) -> Blocks:
        """Record from now on which blocks run, and compute no values in advance. No bar may have run before."""
        blocks = Blocks()
        self.requests = self.host.requests(self)
        self._start(blocks.watched(self.code.plain()), {"REACHED": blocks.reached.add})
        return blocks

    def watch(self, note: Callable[[int, Any], Any]) -> None:
        """From now on, call `note` with the number and the value of each watched expression, and use its result as the
        value.

        No value is computed in advance. No bar may have run before.
        """
        self.requests = self.host.requests(self)
        self._start(self.code.plain(), {"WATCH": note})

    def ahead(self, kernel: Any, *series: Any) -> list[Any]:
        """Return the results of a call of `kernel`, a stateful built-in, on all bars except the last, before they run.
        Afterwards the state of the call is the same as after its call on the last of these bars."""
        return kernel.column(len(self.chart) - 1, series)

    def ahead_of_time(self, name: str, *arguments: Any) -> list[Any]:
        """Return the results of the time function `name` on all bars except the last, before the first bar runs."""
        return of_time(self, name, arguments, len(self.chart) - 1)

    # running

    def run_bar(self, i: int) -> Any:
        """Run the code on bar `i`, and return its result if it belongs to a request. Raises the errors of
        `run_bars`."""
        results = self.run_bars(i, i + 1)
        return results[0] if results else None

    def run_history(self, first: int, strategy: Strategy, stop: int | None = None) -> None:
        """Run the bars from `first` to before `stop` (default: all), and fill a strategy's orders before and after each
        bar. Raises the errors of `run_bars`."""
        stop = len(self.chart) if stop is None else stop
        if type(strategy) is NoFills:
            self.run_bars(first, stop)
        else:
            after = strategy.after_bar if strategy.ends_bars else None
            self.run_bars(first, stop, strategy.before_bar, after, strategy.gate)

    def run_bars(
        self, first: int, stop: int, before: Hook | None = None, after: Hook | None = None, gate: BrokerGate = EVERY_BAR
    ) -> list[Any]:
        """Run the bars from `first` to before `stop`, and return the results if the code belongs to a request.

        `after` is called after each bar, and `before` is called before each bar that `gate` lets through. Raises
        RuntimeFault with the bar and the script's lines.
        """
        try:
            if self._one is None:
                return self._bars(first, stop, before, after, gate)
            ready = max(first, min(stop, self._filled))
            results = self._bars(first, ready, before, after, gate) if first < ready else []
            for i in range(ready, stop):
                self.index = i
                self._compute_one(i)
                results += self._bars(i, i + 1, before, after, gate)
            return results
        except (RuntimeFault, OverflowError, AttributeError, MemoryError) as error:
            fault = self.fault(error)
            if self.recorder is not None:
                self.recorder.failed(fault, error.__traceback__)
            raise fault from None

    def _compute_one(self, i: int) -> None:
        """Compute the values of one bar that are usually computed ahead."""
        if self._one is None:
            return
        try:
            self._one(i)
        except Exception:  # the bar's own code raises the error again, after the statements before it
            if i:
                raise
            self._start_anew()

    def fault(self, error: RuntimeFault | OverflowError | AttributeError | MemoryError) -> BaseException:
        """Convert an error on the running bar to the error that the script's author sees."""
        bar = max(self.index, 0)
        if isinstance(error, MemoryError):
            return self._located("memory-limit", bar, error)
        if isinstance(error, OverflowError):
            return self._located("number-too-large", bar, error)
        if isinstance(error, AttributeError):
            return self._field_of_nothing(error, bar)
        if error.bar is None:
            error.bar = bar
            error.stack = self.stack(error.__traceback__)
        return error

    def _field_of_nothing(self, error: AttributeError, i: int) -> BaseException:
        """Convert Python's error for a field of None to the script's error. Generated code does not test for na before
        it reads a field, so that reading the field of an object costs nothing extra."""
        found = _OF_NOTHING.search(str(error))
        if found is None:
            return error
        if found[1] == "items":
            return self._located("RE10052", i, error)
        for type_ in self.code.types:
            for field in type_.fields.values():
                if field.code == found[1]:
                    return self._located("RE10041", i, error, name=f"{type_.name}.{field.name}")
        if found[1] in ("price", "index", "time"):
            return self._located("RE10041", i, error, name=f"chart.point.{found[1]}")
        return error

    def _located(self, code: str, i: int, error: BaseException, **names: object) -> RuntimeFault:
        fault = RuntimeFault(code, **names)
        fault.bar = i
        fault.stack = self.stack(error.__traceback__)
        return fault

    def stack(self, traceback: TracebackType | None) -> list[StackFrame]:
        """Return the script's calls in a traceback, innermost first, with the calls in its requests."""
        found: list[StackFrame] = []
        while traceback is not None:
            code = traceback.tb_frame.f_code
            call = self.code.called(code.co_filename, traceback.tb_lineno, code.co_name)
            if call is not None:
                found.append(call)
            traceback = traceback.tb_next
        return found[::-1]

    def endless(self, frame: FrameType | None) -> FrameType | None:
        """Return the Python frame, `frame` or one of its callers, that runs a loop of the script that certainly never
        ends. Return None if there is no such frame."""
        while frame is not None:
            call = self.code.called(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
            if call is not None and self.host.loops.is_endless(call):
                return frame
            frame = frame.f_back
        return None

    def current_line(self) -> int:
        """Return the line of the script that is running; 0 if it is not known. The caller must run inside a call of the
        script."""
        frame = sys._getframe(1)
        while frame is not None:
            code = frame.f_code
            if code.co_filename.startswith("<pine"):
                call = self.code.called(code.co_filename, frame.f_lineno, code.co_name)
                if call is not None:
                    return call.line
            frame = frame.f_back
        return 0

    # bars that run again

    def save(self) -> list[Any]:
        """Return the whole state. `restore` accepts it any number of times."""
        return [save() for save, _ in self._keepers]

    def restore(self, saved: list[Any]) -> None:
        for (_, restore), part in zip(self._keepers, saved, strict=True):
            restore(part)

    def held(self, kind: str) -> list[Any]:
        """Return the drawings of a kind that variables hold. They are not deleted when there are too many drawings."""
        found: list[Any] = []
        for held in self._holders.get(kind, ()):
            found += held()
        return found

    def reached(self) -> list[Any]:
        """Return all values that the script's variables hold."""
        return [value for reached in self._reached for value in reached()]
