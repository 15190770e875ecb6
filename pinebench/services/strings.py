"""Completions inside strings with known values: options, ids of orders, timeframes, sessions, time zones."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pinebench.checker import EnumSymbol, VariableSymbol
from pinebench.diagnostics import Span
from pinebench.records import NamedTuple
from pinebench.services.expected import ExpectedTypes
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

_TEXT = re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"|'((?:[^'\\\n]|\\.)*)'")
_OPTIONS = re.compile(r"\boptions\s*=\s*\[([^\]]*)\]")
_TITLE = re.compile(r"str\.tostring\(\s*(\w+)\s*\)\Z")
_ENTRY = re.compile(r"strategy\.(?:entry|order)\(\s*(?:id\s*=\s*)?(?:\"([^\"\n]*)\"|'([^'\n]*)')")
_ORDER = re.compile(r"strategy\.(?:entry|order|exit)\(\s*(?:id\s*=\s*)?(?:\"([^\"\n]*)\"|'([^'\n]*)')")
TIMEFRAMES = (
    *(("1", "1 minute"), ("5", "5 minutes"), ("15", "15 minutes"), ("30", "30 minutes"), ("60", "1 hour")),
    *(("240", "4 hours"), ("D", "1 day"), ("W", "1 week"), ("M", "1 month"), ("", "the timeframe of the chart")),
    *(("3", "3 minutes"), ("45", "45 minutes"), ("120", "2 hours"), ("180", "3 hours"), ("3M", "3 months")),
    *(("12M", "1 year"), ("1S", "1 second"), ("5S", "5 seconds"), ("15S", "15 seconds"), ("30S", "30 seconds")),
)
SESSIONS = (
    ("0930-1600", "regular trading hours of shares in New York"),
    ("0400-0930", "before the regular hours in New York"),
    ("1600-2000", "after the regular hours in New York"),
    ("0000-0000", "the whole day"),
    ("0930-1600:23456", "from Monday to Friday"),
    ("0000-0000:1234567", "the whole day, every day"),
)
ZONES = (
    *("UTC", "America/New_York", "America/Chicago", "Europe/London", "Europe/Berlin", "Asia/Tokyo", "Asia/Hong_Kong"),
    *("Asia/Kolkata", "Asia/Singapore", "Australia/Sydney", "America/Los_Angeles", "GMT+0"),
)
_BY_INPUT = {"input.timeframe": "timeframe", "input.session": "session"}


class KnownText(NamedTuple):
    """A possible value of a string, and its meaning."""

    text: str
    detail: str = ""


def known_texts(asked: ExpectedTypes, text: str, other: Span | None) -> Iterator[KnownText]:
    """Yield the possible values of the string at the position of `asked`, likeliest first. `text` is the whole script.
    `other` is the span of the expression that the string is compared with, or None."""
    if other is not None:
        yield from _of_compared(asked, text[other.start : other.end])
        return
    callee = asked.callee
    if callee is None:
        return
    name = text[callee.call.callee.start : callee.call.callee.end]
    for parameter in callee.current():
        yield from (KnownText(value[1:-1]) for value in parameter.allowed if value[:1] in ("'", '"'))
        kind = _BY_INPUT.get(name, "") if parameter.name == "defval" else parameter.name
        if parameter.name == "defval":
            yield from _options(text[callee.call.callee.start : callee.call.callee.start + 2000])
        yield from _of_kind(kind, name, text)


def _of_kind(kind: str, callee: str, text: str) -> Iterator[KnownText]:
    if kind == "timeframe":
        yield from (KnownText(*each) for each in TIMEFRAMES)
    elif kind == "session":
        yield from (KnownText(*each) for each in SESSIONS)
    elif kind == "timezone":
        yield from (KnownText(each) for each in ZONES)
    elif kind in ("id", "from_entry") and callee.startswith("strategy."):
        pattern = _ORDER if callee == "strategy.cancel" else _ENTRY
        ids = (found[1] or found[2] for found in pattern.finditer(text))
        yield from (KnownText(each, "id of an order") for each in dict.fromkeys(ids) if each)


def _options(call: str) -> Iterator[KnownText]:
    """Yield the options that are written in the text of a call."""
    found = _OPTIONS.search(call)
    for each in _TEXT.finditer(found[1] if found else ""):
        yield KnownText(each[1] or each[2] or "", "option")


def _of_compared(asked: ExpectedTypes, other: str) -> Iterator[KnownText]:
    """Yield the values that the expression `other` can have."""
    title = _TITLE.match(other.strip())
    name = title[1] if title else other.strip()
    symbol, type_ = asked.probe.variables.get(name, (None, None))
    if title:
        enum = type_.base.symbol if type_ is not None else None
        if isinstance(enum, EnumSymbol):
            yield from (KnownText(_title(field), f"title of {enum.name}.{at}") for at, field in enum.fields.items())
        return
    if name in ("timeframe.period", "timeframe.main_period"):
        yield from (KnownText(*each) for each in TIMEFRAMES if each[0])
    elif isinstance(symbol, VariableSymbol) and isinstance(symbol.declaration, nodes.VariableDeclaration):
        yield from (KnownText(each, "option") for each in _options_of(symbol.declaration.value))


def _title(field: nodes.EnumField) -> str:
    return field.value.text[1:-1] if isinstance(field.value, nodes.Literal) else field.name.id


def _options_of(value: nodes.Node) -> Iterator[str]:
    """Yield the options of the input that declares a variable."""
    if not isinstance(value, nodes.Call):
        return
    for argument in value.arguments:
        if isinstance(argument, nodes.NamedArgument) and argument.name == "options":
            literals = (each for each in walk(argument.value) if isinstance(each, nodes.Literal))
            yield from (each.text[1:-1] for each in literals if each.kind == "string")
