"""Fixes for syntax errors: brackets, strings, stray characters, indentation, and words of other languages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pinebench.checker import spelling
from pinebench.diagnostics import Edit, Span
from pinebench.linter.suggest.candidate import Candidate, line_bounds, next_line, replacement
from pinebench.patterns import lazy_pattern
from pinebench.syntax.words import soft_keywords

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.linter.suggest.facts import Facts

LINES_TRIED = 6
"""The number of lines below an error that are tried as places for a closing bracket, or are indented together."""

# Characters from pasted text, and the characters that Pine has for them.
_PLAIN = {
    **dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u200a\u202f\u3000", " "),
    **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff", ""),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb", '"'),
    **dict.fromkeys("\u2018\u2019\u201a\u00b4`", "'"),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
    "\u00d7": "*",
    "\u00f7": "/",
    "\u2264": "<=",
    "\u2265": ">=",
    "\u2260": "!=",
    "\uff0c": ",",
    "\uff08": "(",
    "\uff09": ")",
    "\uff1a": ":",
}
_OPERATORS = {"&&": "and", "||": "or", "&": "and", "|": "or"}
_FOREIGN_OPERATOR = lazy_pattern(r"&&|\|\||!(?!=)")
_JOINS = lazy_pattern(r"[\"']\s*&(?!&)|[^&]&\s*[\"']")
"""An operator that joins strings in other languages."""
_WORDS = {"elif": "else if", "elseif": "else if", "elsif": "else if", "function": "", "let": "", "def": ""}
_KEYWORDS = ("if", "else", "for", "while", "switch", "var", "varip", *soft_keywords("declaration"))
_KEYWORD_SLIPS = {spelling.Slip.CASE: 2, spelling.Slip.SWAPPED: 2, spelling.Slip.DOUBLED: 2, spelling.Slip.INSIDE: 2}
"""The kinds of typing errors that prove a keyword at the start of a line, with the length that they need."""
_FOREIGN_COMMENT = lazy_pattern(r"^[ \t]*#(?![0-9A-Fa-f]{6})", re.MULTILINE)
_OPEN_END = lazy_pattern(r"(?:[-+*/%<>=?:,]|\b(?:and|or|not))$")
"""The end of a line that continues on the next line."""
_OPEN_START = lazy_pattern(r"[ \t]*(?:[-+*/%<=?:,.)\]]|>=|(?:and|or)\b)")
"""The start of a line that continues the line above; a single `>` may be the rest of the arrow of a `switch`."""
_STRING = lazy_pattern(r"\"[^\"]*\"|'[^']*'")
_OPERAND_END = lazy_pattern(r"\s*(?:,|[-+*/%<>=!?:]+|\b(?:and|or)\b)")
_HEADER = lazy_pattern(
    r"[ \t]*(?:export[ \t]+)?(?:method[ \t]+)?[A-Za-z_]\w*[ \t]*"
    r"\([^()]*(?:\([^()]*\)[^()]*)*\)[ \t]*(=|->|=[ \t]+>|:)"
)
"""The first line of a function with a wrong arrow."""
_FUNCTION = lazy_pattern(r"(?:export[ \t]+)?(?:method[ \t]+)?[A-Za-z_]\w*\([\w \t,.<>=]*\)[ \t]*")
"""The head of a function up to its arrow."""
_TARGET = lazy_pattern(r"[ \t]*[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+[ \t]*")
"""A field at the start of a line; it can be reassigned there, but not declared."""
_BLOCK = lazy_pattern(r"[ \t]*(?:if|else|for|while|switch)\b(?!.*\?)")
"""The start of a line with a block below, unless it has an unfinished ternary."""
_NOT_MENDED = lazy_pattern(
    r"[ \t]*(?:(?:indicator|strategy|library)[ \t]*\([ \t]*[A-Za-z]\w*[ \t]+\w|(?:if|else[ \t]+if)\b[^?\n]*=>"
    r"|[^\n]*[=(,][ \t]*\d+[ \t]?(?:min|[mhHdDwWM])[ \t]*(?:$|[,)])|[^\n]*\d[ \t]*%[ \t]*(?:$|[,)]))",
    re.MULTILINE,
)
"""Lines that need more than one more character: a title or timeframe without quotation marks, an `if` within a
`switch`."""
_CLOSER = {"(": ")", "[": "]"}


def _unclosed(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose places for a missing closing bracket: the end of its line, places before commas and operators, and the
    ends of the lines below."""
    opener = diagnostic.span.start
    text = facts.text
    closer = _CLOSER.get(text[opener : opener + 1])
    if closer is None:
        return
    here = line_bounds(text, opener)
    string = _open_string(text, here)
    if string is not None:
        yield from _closed_strings(text, string)
        return
    yield from _inner_bracket(text, opener, here[1])
    title = f"close the '{text[opener]}'"
    end = facts.code_end(*here)
    # A closing bracket at the end of a string may belong after the string.
    sure = not any(f"{closer}{mark}" in text[opener:end] for mark in "\"'")
    yield replacement(title, end, end, closer, safe=sure)
    # Another bracket may be surplus, or the closing bracket may have been typed without the shift key (`0` for `)`).
    for match in re.finditer(r"[(\[]|0(?!\w)", _blanked(text[opener:end])):
        place, is_digit = opener + match.start(), match[0] == "0"
        words = f"write '{closer}' for '0'" if is_digit else f"remove the '{match[0]}'"
        yield replacement(words, place, place + 1, closer if is_digit else "", safe=sure)
    # If one of these candidates helps as much as the first one, the first one becomes a guess.
    before = _blanked(text[here[0] : opener])
    nested = before.count("(") + before.count("[") > before.count(")") + before.count("]")
    for place in _ends_of_operands(text, opener + 1, end):
        if text[place : place + 1] == "," and not nested:
            # The arguments would become separate statements, which is not plausible.
            continue
        yield replacement(title, place, place, closer, safe=sure)
    for place in _ends_below(facts, here):
        yield replacement(title, place, place, closer, safe=sure)


def _ends_below(facts: Facts, line: tuple[int, int]) -> Iterator[int]:
    """The ends of the code of the lines below `line`."""
    for _ in range(LINES_TRIED - 1):
        below = next_line(facts.text, line[1])
        if below is None:
            return
        line = below
        yield facts.code_end(*line)


def _ends_of_operands(text: str, start: int, end: int) -> list[int]:
    """The places from `start` to `end` where an expression may end: before commas and operators. A place before a
    bracket is not listed, because the place after it gives the same result."""
    line = _blanked(text[start:end])
    return [start + match.start() for match in _OPERAND_END.finditer(line) if match.start() > 0]


def _blanked(line: str) -> str:
    """Return `line` with its strings replaced by `x`, with the same length."""
    return _STRING.sub(lambda match: "x" * len(match[0]), line)


def _open_string(text: str, bounds: tuple[int, int]) -> int | None:
    """The start of a string that is not closed on the line at `bounds`, so that the brackets after it are text; None if
    there is none."""
    line = text[slice(*bounds)]
    outside = _blanked(line).partition("//")[0]
    marks = [place for place in (outside.find('"'), outside.find("'")) if place >= 0]
    return bounds[0] + min(marks) if marks else None


def _inner_bracket(text: str, start: int, end: int) -> Iterator[Candidate]:
    """Propose `]` for a `[` between `start` and `end` that a `)` closes."""
    for match in re.finditer(r"\[[^][()]*(?=\))", text[start:end]):
        place = start + match.end()
        for other in (place, *_ends_of_operands(text, start + match.start() + 1, place)):
            yield replacement("close the '['", other, other, "]", safe=True)


def _unclosed_string(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose places for the missing closing quotation mark of a string.

    The quotation marks alone do not show which string of the line is not closed: a string that seems open may begin
    with the closing mark of another one. So the place before each comma and closing bracket inside a string is tried,
    and then the end of the line.
    """
    text, start = facts.text, diagnostic.span.start
    if text[start : start + 1] in ('"', "'"):
        yield from _closed_strings(text, start)


def _closed_strings(text: str, start: int) -> Iterator[Candidate]:
    """Yield candidates for the places where the quotation mark at `start` may be missing on its line."""
    mark = text[start]
    first, last = line_bounds(text, start)
    places: list[int] = []
    for match in re.finditer(rf"{mark}([^{mark}]*)(?:{mark}|$)", text[first:last]):
        inside = first + match.start(1)
        places += [inside + stop.start() for stop in re.finditer(r"\s*(?:,|\)+|\])", match[1])][:2]
    for place in (*places, first + len(text[first:last].rstrip())):
        yield replacement("close the string", place, place, mark)


def _stray_character(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose Pine's form for a character that Pine does not have."""
    text, start = facts.text, diagnostic.span.start
    found = text[start : start + 1]
    first, last = line_bounds(text, start)
    if found in _PLAIN:
        edits = _plain_form(text, first, last)
        plain = {edit.text for edit in edits}
        shown = f": '{plain.pop()}'" if len(plain) == 1 and plain.isdisjoint({" ", "", "'", '"'}) else ""
        yield Candidate(f"write pasted characters in their plain form{shown}", edits, True, True)
    elif found == "&" and _JOINS.search(text[first:last]):
        yield replacement("join the texts with '+'", start, start + 1, "+")
    elif found in ("&", "|"):
        pattern = re.compile(r"\s*(&&|\|\||&|\|)\s*")
        edits = tuple(
            Edit(Span(first + match.start(), first + match.end()), f" {_OPERATORS[match[1]]} ")
            for match in pattern.finditer(text[first:last])
        )
        yield Candidate("write 'and' and 'or'", edits, safe=True, certain=True)
    elif found == "!":
        # A single `!` may be a typing error; an author who is used to it writes it several times.
        habit = len(_FOREIGN_OPERATOR.findall(text)) > 1
        yield replacement("write 'not'", start, start + 1, "not ", safe=habit, certain=habit)
    elif found == ";":
        if text[start + 1 : last].strip():
            blanks = text[start + 1 : last]
            indent = re.match(r"[ \t]*", text[first:last])
            end = start + 1 + len(blanks) - len(blanks.lstrip())
            yield replacement("begin a new line", start, end, "\n" + (indent[0] if indent else ""), safe=True)
        # `;` and `:` are on the same key.
        sure = not text.startswith(";=", start)
        yield replacement("remove ';'", start, start + 1, "", safe=sure)
    elif found == "#" and not text[first:start].strip():
        # Before code the `#` may be a typing error, and a comment would remove the code.
        habit = len(_FOREIGN_COMMENT.findall(text)) > 1
        yield replacement("write the comment with '//'", start, start + 1, "//", safe=habit)
    elif found != "#":
        yield replacement(f"remove '{found}'", start, start + 1, "")


def _plain_form(text: str, first: int, last: int) -> tuple[Edit, ...]:
    """The edits that replace the pasted characters of a line by plain ones, except inside strings and comments."""
    edits: list[Edit] = []
    mark = ""
    for place in range(first, last):
        meant = _PLAIN.get(text[place], text[place])
        if not mark and text.startswith("//", place):
            break
        if meant in ('"', "'") and (not mark or meant == mark):
            mark = "" if mark else meant
        elif mark:
            continue
        if meant != text[place]:
            edits.append(Edit(Span(place, place + 1), meant))
    return tuple(edits)


def _unexpected(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose fixes for a token that is not allowed at its place."""
    start, end = diagnostic.span
    text = facts.text
    token = text[start:end]
    first, last = line_bounds(text, start)
    at_line_start = not text[first:start].strip()
    if _NOT_MENDED.match(text, first, last):
        return
    yield from _foreign_words(facts, start)
    yield from _block_comments(text, [start, max(0, first - 1)])
    if token == "[":
        yield from _list_literal(text, start, first, last)
    if token in ("(", "["):
        yield from _unclosed(facts, diagnostic)
    if token in (")", "]"):
        extra = not text[end:last].partition("//")[0].strip() and _is_finished_call(text[first:start])
        # The quotation mark of a string before it may belong after it.
        extra = extra and all(part.count("(") <= part.count(")") for part in _STRING.findall(text[first:last]))
        yield replacement(f"remove the extra '{token}'", start, end, "", safe=extra)
    yield from _wrong_operator(text, start, end, first)
    if at_line_start:
        yield from _indented(text, first, diagnostic)
    if start >= facts.code_end(first, last):
        yield from _ended_too_early(facts, first, last)
    if at_line_start and first:
        yield from _ended_too_early(facts, *line_bounds(text, first - 1))
    is_open = diagnostic.hint is None or diagnostic.hint.startswith(("expected ", "a comma "))
    inside = _blanked(text[first:start])
    within = inside.count("(") + inside.count("[") > inside.count(")") + inside.count("]")
    within = within or first == 0 or text[:first].rstrip()[-1:] in "(,"
    if is_open and within and token and re.match(r"[\w\"'#]", token) and not at_line_start:
        before = len(text[:start].rstrip())
        yield replacement("separate the arguments with a comma", before, start, ", ")


_FINISHED_CALL = lazy_pattern(
    r"[ \t]*(?:(?:\w+[ \t]+)*\w+[ \t]*:?=[ \t]*)?[A-Za-z_][\w.]*(?:<[\w.<>, ]*>)?"
    r"(\(.*[(,][ \t]*(?:\w+[ \t]*=[ \t]*)?[\w.#]*[ \t]*\)+|\([\w.# \t]*\))[ \t]*"
)


def _is_finished_call(code: str) -> bool:
    """Whether `code` is one whole call, or an assignment of one, whose last argument is a single word or empty.

    A closing bracket after it is certainly surplus: an opening bracket added anywhere before it would not change the
    computed value.
    """
    match = _FINISHED_CALL.fullmatch(_blanked(code))
    if match is None:
        return False
    depth = 0
    for place, character in enumerate(match[1]):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth == 0:
            return place == len(match[1]) - 1
    return False


def _list_literal(text: str, start: int, first: int, last: int) -> Iterator[Candidate]:
    """Propose an array function for `[1, 2]` as a value, or one declaration for each name."""
    close = text.find("]", start, last)
    if close < 0:
        return
    inside, before = text[start + 1 : close].strip(), text[first:start]
    names = re.fullmatch(r"([ \t]*)\[([\w, \t]+)\][ \t]*=[ \t]*", before)
    if names and not text[close + 1 : last].strip():
        pairs = list(zip(names[2].split(","), inside.split(","), strict=False))
        if len(pairs) == names[2].count(",") + 1 == inside.count(",") + 1:
            lines = [f"{names[1]}{name.strip()} = {value.strip()}" for name, value in pairs]
            apart = not set(re.findall(r"\w+", names[2])) & set(re.findall(r"\w+", inside))
            yield replacement("declare the names one by one", first, close + 1, "\n".join(lines), safe=apart)
        return
    typed = re.search(r"array<(\w[\w.]*)>[^=]*:?=[ \t]*$", before)
    if inside:
        # A single value may be a history offset whose series is missing.
        several = "," in inside
        yield replacement("make the array with array.from()", start, close + 1, f"array.from({inside})", safe=several)
    elif typed:
        yield replacement("make the array with array.new()", start, close + 1, f"array.new<{typed[1]}>()", safe=True)


def _block_comments(text: str, places: Iterable[int]) -> Iterator[Candidate]:
    """Propose line comments for `/* ... */` on a line around one of `places`; Pine has only line comments."""
    for place in places:
        first, last = line_bounds(text, place)
        match = re.fullmatch(r"([ \t]*)/\*+(.*)\*/[ \t]*", text[first:last])
        if match:
            said = match[2].strip(" \t")
            comment = f"{match[1]}// {said}".rstrip()
            yield replacement("write the comment with '//'", first, last, comment, safe=True, certain=True)


def _wrong_operator(text: str, start: int, end: int, first: int) -> Iterator[Candidate]:
    token, before = text[start:end], text[first:start]
    is_header = _FUNCTION.fullmatch(before.rstrip("-=")) is not None
    if token == "=" and _TARGET.fullmatch(before):
        yield replacement("change the variable with ':='", start, end, ":=", safe=True)
    elif token == "=":
        # The missing character before it may also be `<`, `>` or `!`.
        yield replacement("compare with '=='", start, end, "==")
        yield replacement("write the function with '=>'", start, end, "=>", safe=is_header)
    if token == ":" and text[end : end + 1] == "=":
        yield replacement("declare with '='", start, end + 1, "=")
    if token == ">" and before.endswith(("-", "=")):
        yield replacement("write the function with '=>'", start - 1, end, "=>", safe=is_header)
    if token == "until":
        # In other languages, `until` does not include the last number.
        yield replacement("write 'to'", start, end, "to")
    if token == "=" and before.endswith(("==", "!=")):
        yield replacement(f"write '{before[-2:]}'", start, end, "", safe=True, certain=True)
    elif token == "=" and before.endswith("="):
        yield replacement("write '=='", start - 1, end, "==", safe=True)
    if token == ">" and before.endswith("<"):
        yield replacement("write '!='", start - 1, end, "!=", safe=True, certain=True)


def _foreign_words(facts: Facts, start: int) -> Iterator[Candidate]:
    """Propose Pine's word if the first word of the line around `start`, or of the line before, is similar to it or
    means it in another language."""
    text = facts.text
    first, last = line_bounds(text, start)
    spans = [(first, last)]
    if first:
        spans.append(line_bounds(text, first - 1))
    for line_start, line_end in spans:
        match = re.match(r"[ \t]*([A-Za-z]+)\b", text[line_start:line_end])
        if not match:
            continue
        word, place = match[1], line_start + match.start(1)
        if word.lower() in _WORDS:
            meant = _WORDS[word.lower()]
            width = len(word) if meant else len(word) + 1
            yield replacement(
                f"write '{meant}'" if meant else f"remove '{word}'", place, place + width, meant, safe=True
            )
        elif word not in _KEYWORDS and len(word) > 1:
            for meant in spelling.nearest(word, _KEYWORDS, 1) or _swapped(word):
                sure = spelling.is_proof(word, meant, (), _KEYWORD_SLIPS)
                yield replacement(f"write '{meant}'", place, place + len(word), meant, safe=sure)
    line = text[first : facts.code_end(first, last)]
    counted = re.fullmatch(r"([ \t]*)([\w.]+)(\+\+|--)", line)
    if counted:
        change = f"{counted[1]}{counted[2]} {counted[3][0]}= 1"
        yield replacement("count with '+= 1'", first, first + len(line), change, safe=True)


def _loop_header(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose `to` or `in` for another word in the head of a `for`: `for i = 0 until 5`, `for item of items`.

    In other languages such loops do not include the last number, so the fix is a guess.
    """
    first, last = line_bounds(facts.text, diagnostic.span.start)
    match = _LOOP.match(facts.text, first, last)
    if match:
        place, meant = (match.span("to"), "to") if match["to"] else (match.span("in"), "in")
        yield replacement(f"write '{meant}'", *place, meant)
    yield from _unexpected(facts, diagnostic)


_LOOP = lazy_pattern(
    r"[ \t]*for[ \t]+(?:\w+[ \t]+)?\w+[ \t]*"
    r"(?:=[ \t]*[^ \t\r\n]+[ \t]+(?P<to>(?!to\b)[a-z]+)\b|[ \t](?P<in>(?!in\b)[a-z]+)[ \t])"
)


def _swapped(word: str) -> list[str]:
    """The keywords with the same letters as `word`. Short words are not similar enough for `nearest`."""
    return [keyword for keyword in _KEYWORDS if sorted(keyword) == sorted(word.lower())]


def _indented(text: str, first: int, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose other indentations for a line, alone or together with the following lines that have the same
    indentation."""
    bounds = line_bounds(text, diagnostic.span.start)
    indent = _indent(text, bounds)
    goes_on = bool(_OPEN_START.match(text[bounds[0] : bounds[1]]))
    wished: list[str] = [_wrapped(indent)] if goes_on else []
    before = _line_before(text, first)
    if before is not None:
        previous = _indent(text, before)
        wished += [previous, previous + "    ", previous[:-4], _wrapped(indent)]
    width = len(indent.replace("\t", "    "))
    wished += [" " * (width // 4 * 4), " " * (-(-width // 4) * 4)]
    for want in dict.fromkeys(wished):
        if want == indent:
            continue
        title = (
            "wrap with an indentation that is not a multiple of 4" if len(want) % 4 else "indent like the other lines"
        )
        run = list(_run(text, bounds, indent))
        for count in dict.fromkeys((1, len(run))):
            edits = tuple(Edit(Span(start, start + len(indent)), want) for start in run[:count])
            sure = goes_on and len(want) % 4 != 0
            yield Candidate(title, edits, safe=sure, certain=sure)


def _ended_too_early(facts: Facts, first: int, last: int) -> Iterator[Candidate]:
    """Propose fixes for the line from `first` to `last`, which ends too early."""
    text = facts.text
    place = facts.code_end(first, last)
    line = text[first:place]
    below = next_line(text, last)
    header = _HEADER.fullmatch(line)
    if header and not text[last:].lstrip().startswith(">"):
        begin = first + len(line[: header.start(1)].rstrip())
        yield replacement("write the function with '=>'", begin, place, " =>", safe=True, certain=True)
        return
    if below is not None and text[below[0] : below[1]].strip():
        indent = _indent(text, below)
        run = list(_run(text, below, indent))
        wrapped = _wrapped(indent)
        unfinished = bool(_OPEN_END.search(line)) or bool(_OPEN_START.match(text[below[0] : below[1]]))
        for count in dict.fromkeys((1, len(run), *range(2, min(len(run), LINES_TRIED)))):
            edits = tuple(Edit(Span(start, start + len(indent)), wrapped) for start in run[:count])
            yield Candidate(
                "wrap with an indentation that is not a multiple of 4", edits, safe=unfinished, certain=unfinished
            )
    if line.endswith((":", "{")):
        is_header = line[-1] == ":" and _BLOCK.match(line) is not None
        yield replacement(f"remove '{line[-1]}'", first + len(line) - 1, place, "", safe=is_header)
    if "?" in line:
        yield replacement("add the value after ':' of the ternary", place, place, " : na")
    if line.endswith(("+", "-", "*", "/", ",")):
        yield replacement(f"remove the trailing '{line[-1]}'", first + len(line[:-1].rstrip()), place, "")


def _wrapped(indent: str) -> str:
    """The smallest larger indentation for a continued line: more than 4 columns, and not a multiple of 4."""
    width = len(indent.replace("\t", "    ")) + 1
    return " " * max(5, width if width % 4 else width + 1)


def _run(text: str, bounds: tuple[int, int], indent: str) -> Iterator[int]:
    """Yield the starts of the line at `bounds` and of the lines directly below it with the same indentation."""
    line: tuple[int, int] | None = bounds
    while line is not None and text[line[0] : line[1]].strip() and _indent(text, line) == indent:
        yield line[0]
        line = next_line(text, line[1])


def _line_before(text: str, first: int) -> tuple[int, int] | None:
    """The bounds of the nearest line with code above the line at `first`; None if there is none."""
    while first > 0:
        bounds = line_bounds(text, first - 1)
        line = text[bounds[0] : bounds[1]].strip()
        if line and not line.startswith("//"):
            return bounds
        first = bounds[0]
    return None


def _indent(text: str, bounds: tuple[int, int]) -> str:
    line = text[bounds[0] : bounds[1]]
    return line[: len(line) - len(line.lstrip(" \t"))]


LONGEST_LINE = 2_000
"""The largest length, in characters, of a line for which fixes are searched, so that the patterns here stay fast."""


def _in_short_lines(
    propose: Callable[[Facts, Diagnostic], Iterable[Candidate]],
) -> Callable[[Facts, Diagnostic], Iterable[Candidate]]:
    """Wrap `propose` so that it proposes nothing if the line of the finding, together with the line before, is too
    long."""

    def proposed(facts: Facts, diagnostic: Diagnostic) -> Iterable[Candidate]:
        first, last = line_bounds(facts.text, diagnostic.span.start)
        before = line_bounds(facts.text, first - 1)[0] if first else 0
        return propose(facts, diagnostic) if last - before <= LONGEST_LINE else ()

    return proposed


BY_CODE: dict[str, Callable[[Facts, Diagnostic], Iterable[Candidate]]] = {
    "CE10004": _in_short_lines(_unclosed_string),
    "CE10005": _in_short_lines(_stray_character),
    "CE10013": _in_short_lines(_unexpected),
    "CE10015": _in_short_lines(_unclosed),
    "CE10016": _in_short_lines(_unexpected),
    "CE10017": _in_short_lines(_unclosed_string),
    "CE10144": _in_short_lines(_unexpected),
    "CE10156": _in_short_lines(_unexpected),
    "CE10161": _in_short_lines(_loop_header),
}
"""The function that proposes fixes for each code."""
