"""Lists the differences between two runs on the same bars, in outputs, drawings, logs, alerts, orders and figures."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from pinebench.checker import Program
    from pinebench.runtime import Output, Result
    from pinebench.workers.jobs import RunResult

_CLOSE = 1e-9
"""The largest relative distance of two equal numbers: another order of additions changes the last bits."""
_MOST = 12
"""The largest number of differences that are listed one by one."""
_OTHERS = ("plot1", "plot2", "hline1", "hline2")
"""The arguments of `fill()` that refer to other outputs."""


def differences(before: RunResult, after: RunResult, *, additions: bool = True) -> list[str]:
    """Return sentences about the differences: one for each argument of an output, such as a plot's series, one for each
    kind of drawing at the end of the run, one for all logs, one for all alerts, one for all filled orders, and one each
    for net profit, number of trades and maximum drawdown. At most twelve are listed, followed by the number of the
    others. If a run stopped with an error, the only sentence says so.

    With `additions`, outputs, drawings and logs that only `after` has do not count as differences. Outputs are matched
    by function and title, and those without a title by function and position.
    """
    stopped = _stopped(before, after)
    if stopped:
        return stopped
    shown = [*_outputs(before, after, additions), *_drawings(before, after, additions)]
    shown += _logs(before.result, after.result, additions)
    told = [*shown, *_alerts(before, after), *_orders(before, after)]
    return told if len(told) <= _MOST else [*told[:_MOST], f"and {len(told) - _MOST} more differences"]


def declared_differences(before: Program, after: Program) -> list[str]:
    """Return a sentence for each argument of the declaration statement that differs, set or as its default, and for
    each input of `before` that is missing or has another default. On the bars of a run, these often change nothing."""
    from pinebench.runtime import declared_arguments, inputs_of

    old, new = declared_arguments(before), declared_arguments(after)
    told = [
        f"the {name} of the declaration statement was {_shown(old.get(name))} and is {_shown(new.get(name))}"
        for name in dict.fromkeys((*old, *new))
        if not same(old.get(name), new.get(name))
    ]
    inputs = {each.title or each.variable: each.default for each in inputs_of(after)}
    for each in inputs_of(before):
        name = each.title or each.variable
        if name not in inputs:
            told.append(f'the input "{name}" is missing')
        elif not same(each.default, inputs[name]):
            told.append(f'the default of the input "{name}" was {_shown(each.default)} and is {_shown(inputs[name])}')
    return told


def _stopped(before: RunResult, after: RunResult) -> list[str]:
    if before.result.error is not None:
        return [f"the given script stopped, so nothing was compared: {before.result.error.message}"]
    if after.result.error is not None:
        return [f"the changed script stopped: {after.result.error.message}"]
    return []


def _outputs(before: RunResult, after: RunResult, additions: bool) -> Iterator[str]:
    old, new = _named(before.result.outputs), _named(after.result.outputs)
    names, names_now = list(old), list(new)
    bars = len(before.result.times)
    for name, output in old.items():
        if name not in new:
            yield f"{name} is missing"
            continue
        other = new[name]
        columns = dict.fromkeys((*output.columns, *other.columns))
        for column in columns:
            yield from _column(name, column, _on_bars(output, column, bars), _on_bars(other, column, bars))
        for setting in dict.fromkeys((*output.settings, *other.settings)):
            was, became = _setting(output, setting, names), _setting(other, setting, names_now)
            if setting not in columns and not same(was, became):
                yield f"the {setting} of {name} was {_shown(was, setting)} and is {_shown(became, setting)}"
    if not additions:
        yield from (f"{name} is new" for name in new if name not in old)


def _on_bars(output: Output, column: str, bars: int) -> Sequence[Any]:
    """The values of an argument on each bar, also of one that is the same on all bars."""
    return output.columns.get(column) or [output.settings.get(column)] * bars


def _setting(output: Output, name: str, outputs: Sequence[str]) -> Any:
    """The value of an argument that is the same on all bars; for a reference to another output, the output's name."""
    value = output.settings.get(name)
    return outputs[value] if name in _OTHERS and isinstance(value, int) else value


def _named(outputs: Sequence[Output]) -> dict[str, Output]:
    """The outputs by a name for people. Equal names get numbers."""
    found: dict[str, Output] = {}
    for output in outputs:
        title = f'{output.function} "{output.title}"' if output.title else output.function
        name, number = title, 1
        while name in found:
            number += 1
            name = f"{title} ({number})"
        found[name] = output
    return found


def _column(name: str, column: str, then: Sequence[Any], now: Sequence[Any]) -> Iterator[str]:
    bars = [bar for bar, (one, other) in enumerate(zip_longest(then, now)) if not same(one, other)]
    if bars:
        part = "" if column in ("series", "condition") else f"the {column} of "
        first = bars[0]
        was, became = _shown(_at(then, first), column), _shown(_at(now, first), column)
        yield f"{part}{name} differs on {len(bars)} of {len(then)} bars (bar {first}: {was} -> {became})"


def _drawings(before: RunResult, after: RunResult, additions: bool) -> Iterator[str]:
    for kind in sorted({*before.result.drawings, *after.result.drawings}):
        old, left = ([_values(each) for each in run.result.drawings.get(kind, ())] for run in (before, after))
        most, lost = max(len(old), len(left)), 0
        for one in old:
            found = next((at for at, other in enumerate(left) if _same_values(one, other)), None)
            if found is None:
                lost += 1
            else:
                del left[found]
        wrong = lost if additions else max(lost, len(left))
        if wrong:
            yield f"drawings of the kind {kind}: {wrong} of {most} differ at the end of the run"


def _values(value: Any) -> Any:
    """Return a drawing, or a part of one, as nested tuples of plain values."""
    from pinebench.runtime import ChartPoint, Drawing, Table

    if isinstance(value, Table):
        return (*map(_values, value.state().values()), _values(value.cells), _values(value.merged))
    if isinstance(value, Drawing):
        return tuple(map(_values, value.state().values()))
    if isinstance(value, ChartPoint):
        return value.index, value.time, value.price
    if isinstance(value, Mapping):
        return tuple((key, _values(each)) for key, each in sorted(cast("Mapping[Any, Any]", value).items()))
    return tuple(map(_values, cast("Sequence[Any]", value))) if isinstance(value, list | tuple) else value


def _same_values(one: Any, other: Any) -> bool:
    if isinstance(one, tuple) and isinstance(other, tuple):
        old, new = cast("tuple[Any, ...]", one), cast("tuple[Any, ...]", other)
        return len(old) == len(new) and all(map(_same_values, old, new))
    return same(one, other)


def _logs(before: Result, after: Result, additions: bool) -> Iterator[str]:
    old, new = (Counter((each.bar, each.level, each.message) for each in one.logs) for one in (before, after))
    lost, more = (old - new).total(), (new - old).total()
    wrong = lost if additions else max(lost, more)
    if wrong:
        yield f"logs: {wrong} of {max(old.total(), new.total())} differ"


def _alerts(before: RunResult, after: RunResult) -> Iterator[str]:
    old, new = ([(each.bar, each.message, each.frequency) for each in run.result.alerts] for run in (before, after))
    yield from _in_order("alert", old, new)


def _orders(before: RunResult, after: RunResult) -> Iterator[str]:
    if (before.tested is None) != (after.tested is None):
        yield "one of the scripts is a strategy, and the other is not"
        return
    if before.tested is None or after.tested is None:
        return
    old, new = (
        [(each.bar, each.id, each.action, each.quantity, each.price) for each in run.fills]
        for run in (before.tested, after.tested)
    )
    yield from _in_order("filled order", old, new)
    if len(old) == len(new):
        pairs = [*zip(before.tested.fills, after.tested.fills, strict=True)]
        for part, of in (("alert message", "message"), ("comment", "comment")):
            yield from _texts(part, [(getattr(one, of), getattr(other, of)) for one, other in pairs])
    yield from _figures(before.figures, after.figures)


def _texts(part: str, pairs: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield a sentence about the texts of filled orders that differ."""
    wrong = [(number, one, other) for number, (one, other) in enumerate(pairs, 1) if one != other]
    if wrong:
        number, one, other = wrong[0]
        yield f"the {part} of {len(wrong)} filled orders differs (filled order {number}: {one!r} -> {other!r})"


def _in_order(what: str, old: Sequence[tuple[Any, ...]], new: Sequence[tuple[Any, ...]]) -> Iterator[str]:
    pairs = enumerate(zip_longest(old, new), 1)
    wrong = [(number, one, other) for number, (one, other) in pairs if not _same_row(one, other)]
    if wrong:
        number, one, other = wrong[0]
        yield (
            f"{what}s: {len(wrong)} of {max(len(old), len(new))} differ ({what} {number}: {_row(one)} -> {_row(other)})"
        )


def _figures(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    for name in ("net_profit", "trades", "max_drawdown"):
        if name in old and not same(old[name], new.get(name)):
            yield f"{name} was {_shown(old[name])} and is {_shown(new.get(name))}"


def _same_row(one: tuple[Any, ...] | None, other: tuple[Any, ...] | None) -> bool:
    return one is not None and other is not None and all(map(same, one, other))


def same(one: Any, other: Any) -> bool:
    """Return whether two values are the same. Numbers may differ in their last bits; na equals na."""
    if isinstance(one, int | float) and isinstance(other, int | float) and one != other:
        return (one != one and other != other) or math.isclose(one, other, rel_tol=_CLOSE, abs_tol=1e-12)
    return one == other or (_is_na(one) and _is_na(other))


def _is_na(value: Any) -> bool:
    return value is None or value != value


def _at(values: Sequence[Any], bar: int) -> Any:
    return values[bar] if bar < len(values) else None


def _shown(value: Any, part: str = "") -> str:
    """A value of the argument `part` as text."""
    from pinebench.runtime import shown

    if _is_na(value):
        return "na"
    if isinstance(value, bool):
        return str(value).lower()
    if "color" in part and isinstance(value, int):
        return shown.color_text(value)
    return f"{value:.10g}" if isinstance(value, float | int) else str(value)


def _row(row: tuple[Any, ...] | None) -> str:
    return "nothing" if row is None else f"bar {' '.join(map(_shown, row))}"
