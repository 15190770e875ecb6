"""Converts faults (syntax errors without messages) to diagnostics: TradingView's messages, our spans and hints."""

from __future__ import annotations

import re
from itertools import pairwise

from pinebench import codes
from pinebench.diagnostics import Diagnostic, Edit, Fix, Span, TextPosition
from pinebench.patterns import lazy_pattern
from pinebench.syntax import habits
from pinebench.syntax.faults import NOT_INDENTED, Fault, Repair
from pinebench.syntax.parser import MOST_FAULTS
from pinebench.syntax.source import Chunk, Source

_HINTS = {
    "CE10015": "the parenthesis that is marked is never closed",
    "CE10017": "close the string on its line, or use three quotation marks for a text of several lines",
    "CE10004": "the string that begins here is never closed",
    "CE10161": "write `for counter = first to last` or `for item in collection`, and indent its body by four spaces",
}


_UNREAD = frozenset(("CE10156", "CE10013", "CE10161"))
"""Codes that say where parsing stopped, but not why."""
_TELLING = frozenset((";", "#", "{", "&", "`"))
"""Characters that Pine does not know. The line around them tells why somebody wrote them."""


def diagnostics(source: Source) -> list[Diagnostic]:
    """Return the diagnostics for the syntax errors of `source`, sorted by position."""
    found = [
        _diagnostic(source, chunk, fault)
        for previous, chunk in pairwise([None, *source.chunks])
        if chunk is not None and chunk.faults
        for fault in sorted(chunk.faults, key=_place)[:MOST_FAULTS]
        if previous is None or not _is_echo(previous, chunk, fault)
    ]
    if source.version is not None and not any(chunk.body for chunk in source.chunks):
        found.append(codes.finding("CE10250", Span(0, 0), {}))
    found.sort(key=lambda diagnostic: (diagnostic.span, diagnostic.code))
    return found


def _is_echo(previous: Chunk, chunk: Chunk, fault: Fault) -> bool:
    """Whether this error only follows from an error of the previous chunk.

    This is an `else` after a broken line, or a block without a header after a header that still expected its block.
    """
    if fault.start == chunk.lines[0] and chunk.text.startswith("else", fault.start):
        return any(earlier.start >= previous.lines[-1] for earlier in previous.faults)
    if fault.code in NOT_INDENTED and fault.start in chunk.lines[1:2]:
        return any(earlier.start == len(previous.text) for earlier in previous.faults)
    return False


def _place(fault: Fault) -> tuple[int, str]:
    return fault.start, fault.code


def _diagnostic(source: Source, chunk: Chunk, fault: Fault) -> Diagnostic:
    code, start, end, values, at_line_start, hint, repair = fault
    span = Span(chunk.start + start, chunk.start + end)
    place = source.tradingview_position(span.start)
    if code == "CE10017":
        quote = source.text[span.start]
        line = source.lines.position(span.start).line
        at_line_start = source.text.rfind(quote) >= source.lines.line_start(line + 1)
        if not at_line_start:
            code, values = "CE10004", {"char": '"\\n"', "expecting": quote}
            place = source.tradingview_position(span.end)
    if at_line_start:
        place = TextPosition(place.line, 1)
    habit = _habit(source, span.start) if code in _UNREAD or source.text[span.start : span.end] in _TELLING else None
    return codes.finding(
        code,
        span,
        values,
        tv_position=place if place != source.lines.position(span.start) else None,
        hint=habit
        or (_NO_CODE if code == "CE10144" and _is_below_a_comment(source, span.start) else None)
        or hint
        or _swallowed(source, span.start, code)
        or _HINTS.get(code),
        # a line in another language's syntax is not a continued line
        fix=_fix(chunk, repair) if repair and habit is None else None,
    )


_NO_CODE = "a comment is not code: the block needs a line that does something, indented by four spaces"


def _is_below_a_comment(source: Source, place: int) -> bool:
    """Whether the line above the line at `place` is an indented comment."""
    start = source.lines.line_start(source.lines.position(place).line)
    return re.match(r"[ \t]+//", source.text[source.text.rfind("\n", 0, max(start - 1, 0)) + 1 : start]) is not None


_LONGEST = 1_000
_GOES_ON = lazy_pattern(r"[\w\"')\]]\s*$")
"""The end of a line after which the arguments may be complete."""
_ENDS = lazy_pattern(r"\s*(?:\w+\s*=(?!=).*|[\"'\w#][^()]*)\)\s*")
"""The form of the last line of arguments."""


def _swallowed(source: Source, place: int, code: str) -> str | None:
    """A hint for a bracket that is closed inside a comment, or whose arguments continue below without a comma."""
    end = source.text.find("\n", place)
    line = source.text[place : end if end >= 0 else len(source.text)]
    below = source.text[end + 1 : end + 1 + _LONGEST].partition("\n")[0] if end >= 0 else ""
    if code == "CE10015" and _GOES_ON.search(line[:_LONGEST]) and below[:1] in (" ", "\t") and _ENDS.fullmatch(below):
        return "the arguments continue on the next line: a comma is missing at the end of this line"
    if code != "CE10015" or not re.match(r"[^\"']*[\w)\]]\s*//\s*[\w(.]+\s*\)", line):
        return None
    return "`//` begins a comment: Pine divides with `/`, and `int(a / b)` is the whole part"


def _habit(source: Source, place: int) -> str | None:
    """A hint for the line of an error, if it is written in another language's syntax."""
    number = source.lines.position(place).line
    start = source.lines.line_start(number)
    end = source.text.find("\n", start)
    line = source.text[start : end if end >= 0 else len(source.text)]
    above = source.text[source.lines.line_start(number - 1) : start] if number > 1 else ""
    return habits.advice(line, above.rstrip("\r\n"))


def _fix(chunk: Chunk, repair: Repair) -> Fix:
    """The repair as an edit of the text. It is safe, because a script that does not compile has no behaviour to
    change."""
    span = Span(chunk.start + repair.start, chunk.start + repair.end)
    return Fix(repair.title, (Edit(span, repair.text),), safe=True)
