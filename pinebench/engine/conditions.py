"""The conditions of alerts: read from JSON, checked when an alert is set, and tested on closed bars."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pinebench.calendars.timeframes import Timeframe
from pinebench.checker import open_program
from pinebench.diagnostics import Severity
from pinebench.engine.studies import BarReading, Study, tried
from pinebench.errors import UsageError
from pinebench.indicators import LABELS, asked
from pinebench.indicators.indicator_requests import IndicatorRequest
from pinebench.market import Bars
from pinebench.near import hint_of_names, near_names

PRICE_ABOVE, PRICE_BELOW, SIGNAL = "price_above", "price_below", "indicator_signal"
TYPES = (PRICE_ABOVE, PRICE_BELOW, SIGNAL, "crossing", "percent", "indicator_value", "pine", "script")
"""The types of conditions. If an object has several of these keys, the first one here counts."""
_DIRECTIONS = ("up", "down", "any")
HOUR = Timeframe(60, "")
"""The timeframe of the bars on which a script is tried if no other timeframe is named."""
_LONGEST_EXPRESSION = 2_000
_LONGEST_SCRIPT = 200_000
_MOST_BARS = 500
EXPRESSION = '//@version=6\nindicator("condition")\nbool condition = {}\nplot(condition ? 1 : 0, "condition")\n'


class Firing(NamedTuple):
    """A firing of an alert: the value that met the condition, and the script's own message ("" if it has none)."""

    value: float | None
    message: str = ""


class Condition(NamedTuple):
    """A checked condition: its type, its details, and the script that it needs, or None."""

    type: str
    details: Any
    study: Study | None = None

    @property
    def wire(self) -> dict[str, Any]:
        """The condition as JSON, as set_alert accepts it and list_alerts returns it."""
        return {self.type: self.details}

    @property
    def notes(self) -> list[str]:
        """The notes that every firing of the alert shows, for example about replaced libraries."""
        return [] if self.study is None else list(self.study.notes)

    @property
    def flat(self) -> dict[str, Any]:
        """The condition as JSON for pushed notifications: the type in a field of its own, beside the details."""
        if self.type in (PRICE_ABOVE, PRICE_BELOW):
            return {"type": self.type, "threshold": self.details}
        more = self.details if isinstance(self.details, dict) else {"expression": self.details}
        return {"type": self.type, **more}

    def test(self, bars: Bars, at: int, reading: BarReading | None) -> list[Firing]:
        """Return the firings on bar `at`, which has just closed. `reading` has the values of the condition's script."""
        return _TESTS[self.type](self.details, bars, at, reading or BarReading())


def condition(document: object, step: Timeframe = HOUR, *, check: bool = True) -> Condition:
    """Read a condition from JSON. Raises UsageError for anything else, and for unknown indicators and labels.

    With `check`, the script is also compiled and run on sample bars of the timeframe `step`; its errors are raised too.
    """
    if not isinstance(document, Mapping):
        raise UsageError("condition is required", f"expected an object with one of {', '.join(TYPES)}")
    known = {str(name): value for name, value in document.items()}
    kind = next((each for each in TYPES if each in known), None)
    if kind is None:
        near = [found for name in known for found in near_names(name, TYPES)]
        hint = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(TYPES)}"
        raise UsageError("condition must have exactly one known key", hint)
    found = _READERS[kind](known[kind])
    if check and found.study is not None:
        _check(found, step)
    return found


def restored(text: str) -> Condition:
    """Read a condition from the JSON text in the store, without compiling its script."""
    return condition(json.loads(text), check=False)


# reading


def _number(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise UsageError(f"{name} must be a finite number, got: {str(value)[:60]}")
    return value


def _fields(name: str, value: object, *known: str) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise UsageError(f"{name} must be an object", f"its fields are {', '.join(known)}")
    for key in value:
        if key not in known:
            raise UsageError(f"{name} has no field '{str(key)[:60]}'", f"its fields are {', '.join(known)}")
    return {str(key): each for key, each in value.items()}


def _level(kind: str) -> Callable[[object], Condition]:
    return lambda value: Condition(kind, _number(kind, value))


def _text(name: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise UsageError(f"{name} is required")
    return value


def _signal(value: object) -> Condition:
    given = _fields(SIGNAL, value, "indicator", "signal", "settings")
    name, label = _text("indicator", given.get("indicator")), _text("signal", given.get("signal"))
    one = _indicator(name, given.get("settings"))
    labels = one.record.signals if one.record is not None else ()
    if label not in labels:
        near = near_names(label, labels or LABELS)
        words = [f"did you mean {near[0]}?"] if near else []
        words.append(f"its signals are {', '.join(labels)}." if labels else f"{name} gives no signals.")
        raise UsageError(f"{name} has no signal '{label[:60]}'", " ".join(words))
    return Condition(SIGNAL, given, _study(one))


def _indicator(name: str, settings: object) -> IndicatorRequest:
    if settings is not None and not isinstance(settings, Mapping):
        raise UsageError("settings must be an object", 'expected, for example, {"length": 21}')
    return asked([{"name": name, "inputs": dict(settings or {})}])[0]


def _study(one: IndicatorRequest) -> Study:
    name = one.record.name if one.record is not None else ""
    return Study(name, one.source, json.dumps(dict(one.inputs), sort_keys=True), one.libraries)


def _crossing(value: object) -> Condition:
    given = _fields("crossing", value, "level", "direction")
    direction = given.setdefault("direction", "any")
    if direction not in _DIRECTIONS:
        raise UsageError(f"direction must be one of {', '.join(_DIRECTIONS)}, got: {str(direction)[:60]}")
    given["level"] = _number("level", given.get("level"))
    return Condition("crossing", given)


def _percent(value: object) -> Condition:
    given = _fields("percent", value, "change", "bars")
    change, bars = _number("change", given.get("change")), given.setdefault("bars", 1)
    if not change:
        raise UsageError("change must not be 0", "expected a percentage, such as 5 or -5")
    if isinstance(bars, bool) or not isinstance(bars, int) or not 1 <= bars <= _MOST_BARS:
        raise UsageError(f"bars must be a whole number from 1 to {_MOST_BARS}, got: {str(bars)[:60]}")
    return Condition("percent", given)


def _value(value: object) -> Condition:
    given = _fields("indicator_value", value, "indicator", "line", "above", "below", "settings")
    one = _indicator(_text("indicator", given.get("indicator")), given.get("settings"))
    sides = [name for name in ("above", "below") if name in given]
    if len(sides) != 1:
        raise UsageError(
            "indicator_value needs either above or below", 'expected, for example, {"indicator": "rsi", "above": 70}'
        )
    given[sides[0]] = _number(sides[0], given[sides[0]])
    if "line" in given:
        _text("line", given["line"])
    return Condition("indicator_value", given, _study(one))


def _pine(value: object) -> Condition:
    expression = _text("pine", value).strip()
    if len(expression) > _LONGEST_EXPRESSION or "\n" in expression or "\r" in expression:
        raise UsageError(
            f"pine must be one line of at most {_LONGEST_EXPRESSION} characters",
            'expected, for example, "ta.rsi(close, 14) > 70"; {"script": {"pine": …}} takes a whole script',
        )
    return Condition("pine", expression, Study("", EXPRESSION.format(expression), "{}", ()))


def _script(value: object) -> Condition:
    given = _fields("script", value, "pine", "inputs", "title")
    source, inputs = _text("pine", given.get("pine")), given.get("inputs") or {}
    if not isinstance(inputs, Mapping):
        raise UsageError("inputs must be an object", "expected titles or variables of inputs with their values")
    if len(source) > _LONGEST_SCRIPT:
        raise UsageError(f"pine may have at most {_LONGEST_SCRIPT} characters, got: {len(source)}")
    if "title" in given:
        _text("title", given["title"])
    return Condition("script", given, Study("", source, json.dumps(dict(inputs), sort_keys=True), ()))


def _check(found: Condition, step: Timeframe) -> None:
    """Compile the script of a condition and run it on sample bars of a timeframe. Raises UsageError or NotComputed."""
    study = found.study
    assert study is not None
    if not study.name:
        what = "the expression" if found.type == "pine" else "the script"
        program = open_program(study.source, fresh=True)
        errors = [each for each in program.diagnostics if each.severity is Severity.ERROR]
        if errors:
            line = program.document.lines.position(errors[0].span.start).line
            where = f" (line {line})" if found.type == "script" else ""
            raise UsageError(f"{what} does not compile{where}: {errors[0].code} {errors[0].message}")
        if program.is_strategy:
            raise UsageError("the script is a strategy", "use an indicator for an alert")
    lines, titles = tried(study, step)
    details = found.details
    if found.type == "indicator_value":
        _among("line", details.get("line"), lines, str(details["indicator"]))
    elif found.type == "script":
        _among("alertcondition", details.get("title"), titles, "the script")


def _among(what: str, wanted: str | None, known: list[str], owner: str) -> None:
    if wanted is None or wanted in known:
        return
    near = near_names(wanted, known)
    hint = f"did you mean {near[0]}?" if near else hint_of_names(f"{what}s", known)
    raise UsageError(f"{owner} has no {what} '{wanted[:60]}'", hint)


_READERS: Mapping[str, Callable[[object], Condition]] = {
    PRICE_ABOVE: _level(PRICE_ABOVE),
    PRICE_BELOW: _level(PRICE_BELOW),
    SIGNAL: _signal,
    "crossing": _crossing,
    "percent": _percent,
    "indicator_value": _value,
    "pine": _pine,
    "script": _script,
}


# testing


def _above(level: float, bars: Bars, at: int, _: BarReading) -> list[Firing]:
    close = bars.close[at]
    return [Firing(close)] if close >= level else []


def _below(level: float, bars: Bars, at: int, _: BarReading) -> list[Firing]:
    close = bars.close[at]
    return [Firing(close)] if close <= level else []


def _crossed(details: Mapping[str, Any], bars: Bars, at: int, _: BarReading) -> list[Firing]:
    if not at:
        return []
    level, direction = details["level"], details["direction"]
    before, close = bars.close[at - 1], bars.close[at]
    up, down = before <= level < close, before >= level > close
    hit = (up and direction != "down") or (down and direction != "up")
    return [Firing(close)] if hit else []


def _moved(details: Mapping[str, Any], bars: Bars, at: int, _: BarReading) -> list[Firing]:
    first = at - details["bars"]
    if first < 0 or not bars.close[first]:
        return []  # there is no percentage of 0
    change = 100 * (bars.close[at] - bars.close[first]) / abs(bars.close[first])
    wanted, reached = details["change"], round(change, 9)  # 107.1 is 5 % above 102, but not in binary numbers
    return [Firing(change)] if (reached >= wanted if wanted > 0 else reached <= wanted) else []


def _signalled(details: Mapping[str, Any], _bars: Bars, _at: int, reading: BarReading) -> list[Firing]:
    value = reading.signals.get(details["signal"])
    return [] if value is None else [Firing(value)]


def _valued(details: Mapping[str, Any], _bars: Bars, _at: int, reading: BarReading) -> list[Firing]:
    line = details.get("line")
    values = reading.lines
    value = values.get(line) if line is not None else next(iter(values.values()), None)
    if value is None:
        return []
    is_met = value >= details["above"] if "above" in details else value <= details["below"]
    return [Firing(value)] if is_met else []


def _held(_: object, bars: Bars, at: int, reading: BarReading) -> list[Firing]:
    return [Firing(bars.close[at])] if reading.lines.get("condition") else []


def _said(details: Mapping[str, Any], bars: Bars, at: int, reading: BarReading) -> list[Firing]:
    wanted = details.get("title")
    return [Firing(bars.close[at], said) for title, said in reading.messages if wanted is None or title == wanted]


_TESTS: Mapping[str, Callable[[Any, Bars, int, BarReading], list[Firing]]] = {
    PRICE_ABOVE: _above,
    PRICE_BELOW: _below,
    SIGNAL: _signalled,
    "crossing": _crossed,
    "percent": _moved,
    "indicator_value": _valued,
    "pine": _held,
    "script": _said,
}
