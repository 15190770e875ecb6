"""The functions of `str.*`. An na string counts as empty. Positions count UTF-16 units, as in TradingView's strings."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from pinebench.errors import UnavailableError
from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.library import numerals
from pinebench.runtime.library.clock import is_moment
from pinebench.runtime.library.collections import ARRAY_LIMIT, Array, Matrix
from pinebench.runtime.library.context import BarContext
from pinebench.runtime.library.dates import DEFAULT, date_text
from pinebench.runtime.library.patterns import compiled
from pinebench.runtime.library.sizes import judged, together

NA = float("nan")
_BLANKS = "".join(map(chr, range(33)))
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)", re.ASCII)
_DEFAULT_MASK = "#.##########"


def _wide(text: str) -> bool:
    """Whether a character takes two UTF-16 units."""
    return not text.isascii() and max(text) > "\uffff"


def _split(text: str) -> str:
    raw = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(raw[k] | raw[k + 1] << 8) for k in range(0, len(raw), 2))


def _whole(units: str) -> str:
    """Join UTF-16 units to a text; two units of one character become that character again."""
    raw = b"".join(ord(unit).to_bytes(2, "little") for unit in units)
    return raw.decode("utf-16-le", "surrogatepass")


def contains(source: str | None, text: str | None) -> bool:
    """Implement `str.contains(source, str)`."""
    return (text or "") in (source or "")


def starts_with(source: str | None, text: str | None) -> bool:
    """Implement `str.startswith(source, str)`."""
    return (source or "").startswith(text or "")


def ends_with(source: str | None, text: str | None) -> bool:
    """Implement `str.endswith(source, str)`."""
    return (source or "").endswith(text or "")


def length(text: str | None) -> int:
    """Implement `str.length(string)`."""
    text = text or ""
    return len(_split(text)) if _wide(text) else len(text)


def lower(source: str | None) -> str:
    """Implement `str.lower(source)`."""
    return (source or "").lower()


def upper(source: str | None) -> str:
    """Implement `str.upper(source)`."""
    return (source or "").upper()


def trim(source: str | None) -> str:
    """Implement `str.trim(source)`: remove spaces and control characters at both ends."""
    return (source or "").strip(_BLANKS)


def position(source: str | None, text: str | None) -> float:
    """Implement `str.pos(source, str)`: the first position of the text, or na."""
    source, text = source or "", text or ""
    found = source.find(text)
    if found < 0:
        return NA
    return length(source[:found]) if _wide(source) else found


def substring(source: str | None, begin: float, end: float) -> str:
    """Implement `str.substring(source, begin_pos, end_pos)`. An na begin counts as 0, and an na end as the length."""
    source = source or ""
    size = length(source)
    first, last = part_of(begin, end, size)
    return _whole(_split(source)[first:last]) if _wide(source) else source[first:last]


def part_of(begin: float, end: float, size: int) -> tuple[int, int]:
    """Return the positions `begin` and `end` of a part of a string as whole numbers. The string has `size` UTF-16
    units. Raises `substring-positions` if the part is not within the string."""
    first = int(begin) if begin == begin else 0
    last = int(end) if end == end else size
    if not 0 <= first <= last <= size:
        raise RuntimeFault("substring-positions", begin=first, end=last, length=size)
    return first, last


def repeat(source: str | None, count: float, separator: str | None = "") -> str:
    """Implement `str.repeat(source, repeat, separator)`. An na count gives an empty string. Raises RE10126 for a
    negative count."""
    if count != count or not source:
        return ""
    if int(count) < 0:
        raise RuntimeFault("RE10126", count=int(count))
    times, separator = int(count), separator or ""
    judged(len(source) * times + len(separator) * (times - 1))
    return separator.join([source] * times)


def replace(source: str | None, target: str | None, replacement: str | None, occurrence: float = 0) -> str:
    """Implement `str.replace`: replace one occurrence, counted from 0. Occurrences can overlap. An empty target matches
    before each character."""
    source, target, replacement = source or "", target or "", replacement or ""
    number = int(occurrence) if occurrence == occurrence else 0
    if number < 0:
        return source
    if not target:
        at = min(number, len(source))
    else:
        at = -1
        for _ in range(number + 1):
            at = source.find(target, at + 1)
            if at < 0:
                return source
    return source[:at] + replacement + source[at + len(target) :]


def replace_all(source: str | None, target: str | None, replacement: str | None) -> str:
    """Implement `str.replace_all(source, target, replacement)`."""
    source, target, replacement = source or "", target or "", replacement or ""
    judged(len(source) + source.count(target) * (len(replacement) - len(target)))
    return source.replace(target, replacement)


def split(text: str | None, separator: str | None) -> Array:
    """Implement `str.split(string, separator)`. An empty separator splits into characters; an empty string gives one
    empty element."""
    text = text or ""
    if (text.count(separator) if separator else len(text) - 1) >= ARRAY_LIMIT:
        raise RuntimeFault("array-too-large", limit=ARRAY_LIMIT)
    return Array(text.split(separator) if separator else list(text) or [""])


def match(source: str | None, regex: str | None) -> str:
    """Implement `str.match(source, regex)`: the first part that matches, or an empty string."""
    return compiled(regex or "").first(source or "")


def to_number(text: str | None) -> float:
    """Implement `str.tonumber(string)`. The result is na if the string is not a number or has an exponent
    (recorded)."""
    text = trim(text)
    return float(text) if _NUMBER.fullmatch(text) else NA


def to_string(context: BarContext, value: Any, format: str | None = None) -> str:
    """Implement `str.tostring(value, format)`, with arrays and matrices. `format` is a mask or a `format.*`
    constant."""
    if isinstance(value, (float, int)) and not isinstance(value, bool):
        tick = context.symbol.mintick
        # The two zeros are equal, and so the same key, but their texts may differ.
        return _remembered(value, format, tick) if value and value == value else text_of_number(value, format, tick)
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "NaN"
    if isinstance(value, Array):
        return f"[{together(', ', (to_string(context, item, format) for item in value.items))}]"
    if isinstance(value, Matrix):
        rows = (together(", ", (to_string(context, item, format) for item in row)) for row in value.rows)
        return together("\n", (f"[{row}]" for row in rows))
    return value.title


_NAMED: dict[str, Callable[[float, float], str]] = {
    "mintick": numerals.ticks,
    "percent": lambda value, _: numerals.percent(value),
    "volume": lambda value, _: numerals.volume(value),
}
"""Functions that write a number in the formats `format.*`. The second argument is the tick of the symbol."""


def text_of_number(value: float, format: str | None, tick: float) -> str:
    """Return the text of a number in a format of `str.tostring`; `tick` is the tick of the symbol. Raises
    UnavailableError for a format that is not computed."""
    if format is None or format == _DEFAULT_MASK:
        return numerals.plain(value)
    named = _NAMED.get(format)
    if named is not None:
        return named(value, tick)
    if format in ("inherit", "price"):
        raise UnavailableError(f"str.tostring with format.{format} is not computed by pinebench")
    return numerals.masked(value, format)


_remembered = lru_cache(4096, typed=True)(text_of_number)
"""The texts of the last numbers: a script often puts the same levels into a text on each bar."""


def format_text(pattern: str | None, *arguments: Any) -> str:
    """Implement `str.format(formatString, arg0, ...)`: Java's MessageFormat. A placeholder without an argument stays as
    text."""
    pieces = _pieces(pattern or "")
    return together("", (piece if isinstance(piece, str) else _placeholder(arguments, *piece) for piece in pieces))


def placeholders(pattern: str) -> list[int]:
    """Return the argument number of each placeholder in a pattern. Raises RuntimeFault for a pattern that `format_text`
    cannot read."""
    return [_number_of(piece[0]) for piece in _pieces(pattern) if not isinstance(piece, str)]


@lru_cache(256)
def _number_of(index: str) -> int:
    """The number of an argument. Raises RuntimeFault for another text."""
    # Java reads this as a 32-bit int.
    if not re.fullmatch(r"\+?\d+", index, re.ASCII) or len(index.lstrip("+0")) > 10 or int(index) >= 1 << 31:
        raise RuntimeFault("argument-number", text=index)
    return int(index)


def _placeholder(arguments: tuple[Any, ...], index: str, kind: str, style: str) -> str:
    number = _number_of(index)
    if number >= len(arguments):
        return f"{{{number}}}"
    value = arguments[number]
    kind = kind.strip().lower()
    if kind not in ("", "number", "date", "time"):
        raise UnavailableError(f"pinebench cannot format {{{number},{kind}}} with str.format")
    if kind == "number":
        if isinstance(value, (Array, str, bool)):
            raise RuntimeFault("format-object")
        return _styled(NA if value is None else value, style)
    if value is None or value != value:
        return "NaN"
    if kind in ("date", "time") and isinstance(value, float) and not is_moment(value):
        raise UnavailableError(f"pinebench cannot format {value} as a date with str.format")
    if kind in ("date", "time") and isinstance(value, (int, float)):
        return date_text(value, "UTC", _DATES.get((kind, style.strip().lower()), style))
    return _argument(value)


def _styled(value: float, style: str) -> str:
    word = style.strip().lower()
    if not word:
        return numerals.java_formatted(value, "#,##0.###")
    if word == "integer":
        return numerals.java_formatted(value, "#,##0")
    if word == "percent":
        return numerals.java_formatted(value, "#,##0%")
    if word == "currency":
        return numerals.java_formatted(value, "$#,##0.00;-$#,##0.00")
    return numerals.java_formatted(value, style)


_DATES = {
    ("date", ""): "MMM d, yyyy",
    ("date", "short"): "M/d/yy",
    ("date", "medium"): "MMM d, yyyy",
    ("date", "long"): "MMMM d, yyyy",
    ("date", "full"): "EEEE, MMMM d, yyyy",
    ("time", ""): "h:mm:ss a",
    ("time", "short"): "h:mm a",
    ("time", "medium"): "h:mm:ss a",
    ("time", "long"): "h:mm:ss a z",
    ("time", "full"): "h:mm:ss a z",
}


def _argument(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return numerals.java_formatted(value, "#,##0.###")
    if isinstance(value, Array):
        return f"[{together(', ', map(_element, value.items))}]"
    return value.title


def _element(value: Any) -> str:
    if isinstance(value, float):
        return numerals.as_java(value)
    return "NaN" if value is None else str(value) if isinstance(value, int) and value is not True else _argument(value)


@lru_cache(256)
def _pieces(pattern: str) -> tuple[str | tuple[str, str, str], ...]:
    """The parts of a pattern: literal text, and placeholders as index, kind and style.

    Braces between single quotes are literal, and two quotes mean one. A closing brace without an opening one is
    literal. Raises RuntimeFault for a placeholder that is not closed.
    """
    pieces: list[str | tuple[str, str, str]] = []
    position, quoted = 0, False
    while position < len(pattern):
        letter = pattern[position]
        if letter == "'":
            if pattern[position : position + 2] == "''":
                pieces.append("'")
                position += 1
            else:
                quoted = not quoted
        elif letter == "{" and not quoted:
            segments, position = _segments(pattern, position + 1)
            if segments is not None:
                pieces.append(segments)
        else:
            pieces.append(letter)
        position += 1
    return tuple(pieces)


def _segments(pattern: str, position: int) -> tuple[tuple[str, str, str] | None, int]:
    """The three parts of a placeholder, and the position of its closing brace. Quotes are kept, and braces inside the
    placeholder can be nested."""
    segments, part, depth, quoted = ["", "", ""], 0, 0, False
    while position < len(pattern):
        letter = pattern[position]
        if letter == "'":
            quoted = not quoted
        if quoted or letter == "'":
            segments[part] += letter
        elif letter == "," and part < 2:
            part += 1
        elif letter == "}" and not depth:
            return (segments[0], segments[1], segments[2]), position
        elif letter != " " or part != 1 or segments[1]:
            depth += (letter == "{") - (letter == "}")
            segments[part] += letter
        position += 1
    if not depth:
        raise RuntimeFault("unmatched-braces")
    return None, position


def format_time(time: float, format: str | None, timezone: str | None) -> str:
    """Implement `str.format_time(time, format, timezone)`. An na time counts as 1 January 1970, 00:00 UTC."""
    return date_text(time if is_moment(time) else 0, timezone or "UTC", format or DEFAULT)
