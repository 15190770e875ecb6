"""Finds the context of a position in a script: the word being typed, the receiver, the call, and the tokens before
it."""

from __future__ import annotations

import re
from enum import Enum
from string import ascii_letters, digits

from pinebench.diagnostics import Span
from pinebench.records import NamedTuple
from pinebench.syntax import Snapshot
from pinebench.syntax.scanner import scan
from pinebench.syntax.words import soft_keywords

_LETTERS = f"{ascii_letters}{digits}_"
_WORD_AFTER = re.compile(r"[A-Za-z0-9_]*")
_INDENT = re.compile(r"[ \t]*")
_NUMBER = re.compile(r"(?:\A|[^\w.])[0-9][\w.]*\Z")
_ANNOTATION = re.compile(r"//[ \t]*@\w*\Z")
_COLOR = re.compile(r"#[0-9A-Fa-f]*\Z")
_DECLARES_TYPE = re.compile(r"(?:export[ \t]+)?type\b")
_DECLARES_ENUM = re.compile(r"(?:export[ \t]+)?enum\b")
_IMPORTS = re.compile(r"(?:[ \t]*import[ \t][^,]*,)*[ \t]*import[ \t]+\S*\Z")

_BEFORE_TYPES = frozenset(("var", "varip", *soft_keywords("qualifier"))) - {"input"}
_MARK = "x"
"""A placeholder for the word being typed, because a bracket or comma at the end would be a fault."""
_OPENING = {"RPAR": ("LPAR",), "RSQB": ("LSQB", "TUPLE_OPEN"), "TEMPLATE_CLOSE": ("TEMPLATE_OPEN",)}
_OPERANDS = frozenset(("NAME", "INT", "FLOAT", "STRING", "COLOR", "BOOL", "RPAR", "RSQB", "FUNCTION_NAME"))
_TEMPLATES = frozenset(("array", "matrix", "map", "new"))
_DEPTH = {"LPAR": 1, "LSQB": 1, "TUPLE_OPEN": 1, "RPAR": -1, "RSQB": -1}


class CompletionPlace(Enum):
    """The kinds of code that can be written at a position."""

    NOTHING = "nothing"
    ANNOTATION = "annotation"
    COLOR = "color"
    IMPORT = "import"
    STRING = "string"
    MEMBER = "member"
    TYPE = "type"
    FIELD = "field"
    PARAMETER = "parameter"
    STATEMENT = "statement"
    OPERATOR = "operator"
    VALUE = "value"


class NearToken(NamedTuple):
    """A token near the position, with offsets in the text."""

    kind: str
    start: int
    end: int
    text: str


class WrittenArgument(NamedTuple):
    """An argument that a call already has: its name, if any, and the span of its value."""

    name: str | None
    value: Span


class EnclosingCall(NamedTuple):
    """The call whose parentheses contain the position.

    `callee` is the span of its name. `before` are the arguments before the current one, which has the index `number`
    (from 0). `name` is the name of the current argument, if one is written. `given` are the names of all other
    arguments.
    """

    callee: Span
    before: tuple[WrittenArgument, ...]
    number: int
    name: str | None
    given: frozenset[str]


class CodeContext(NamedTuple):
    """The context of `offset`.

    `word` is the span of the whole word at the position, and `receiver` is the span before its dot. `start` is the
    offset at which the line begins. `head` is the text of the line that stays before the code being typed: its
    indentation, or all text up to the last `=>` or comma outside brackets. `tokens` are the line's tokens before the
    word.
    """

    offset: int
    place: CompletionPlace
    word: Span
    prefix: str
    receiver: Span | None
    calls: tuple[EnclosingCall, ...]
    start: int
    head: str
    tokens: tuple[NearToken, ...]

    @property
    def call(self) -> EnclosingCall | None:
        """The innermost call around the position, or None."""
        return self.calls[0] if self.calls else None


def context_at(snapshot: Snapshot, offset: int) -> CodeContext:
    """Return the context of the position `offset`: the word, the receiver, the calls and the tokens before it."""
    text = snapshot.text
    offset = min(max(offset, 0), len(text))
    line = snapshot.lines.line_start(snapshot.lines.position(offset).line)
    first = offset - len(_word_before(text[line:offset]))
    word = Span(first, _end_of_word(text, offset))
    start = _logical_start(snapshot, line, offset, first)
    before = text[start:first]
    tokens, comments = _tokens(before, start)
    prefix = text[first:offset]
    place = _outside_of_code(comments, len(before), text[line:offset], tokens, first)
    if place in (CompletionPlace.IMPORT, CompletionPlace.STRING):
        word = _whole_text(text, offset, tokens) if place is CompletionPlace.STRING else _path(text, line, offset)
        prefix = text[word.start : offset]
    indent = _INDENT.match(text, snapshot.lines.line_start(snapshot.lines.position(start).line))
    begin = indent.start() if indent else start
    common = (offset, word, prefix, begin, text[begin : indent.end()] if indent else "", tokens)
    if place not in (None, CompletionPlace.STRING):
        return _context(*common, place=place)
    calls, receiver = _calls(text, tokens, word.end), None
    if place is None and tokens and tokens[-1].kind == "DOT":
        receiver = value_before(tokens)
        place = CompletionPlace.MEMBER if receiver else CompletionPlace.NOTHING
    if place is None:
        place = _place(snapshot, begin, tokens, calls, word.end)
    return _context(*common, place=place, receiver=receiver, calls=calls, text=text)


def _tokens(before: str, start: int) -> tuple[tuple[NearToken, ...], list[tuple[int, int]]]:
    """The tokens of the text `before` the word, which begins at `start`, and the comments in it."""
    scanned = scan(before + _MARK + "\n", 0, 6, {})
    tokens = (
        NearToken(kind, start + token[0], start + token[1], token[2])
        for kind, token in zip(scanned.types, scanned.tokens, strict=True)
        if token[2] and token[0] < len(before) and kind not in ("NEWLINE", "INDENT", "DEDENT")
    )
    return tuple(tokens), scanned.comments


def _context(
    offset: int,
    word: Span,
    prefix: str,
    begin: int,
    indent: str,
    tokens: tuple[NearToken, ...],
    *,
    place: CompletionPlace,
    receiver: Span | None = None,
    calls: tuple[EnclosingCall, ...] = (),
    text: str = "",
) -> CodeContext:
    head = indent
    depth = 0
    for token in tokens:
        depth += _DEPTH.get(token.kind, 0)
        if depth == 0 and token.kind in ("ARROW", "COMMA") and text:
            head = text[begin : token.end] + " "
    return CodeContext(offset, place, word, prefix, receiver, calls, begin, head, tokens)


def _word_before(text: str) -> str:
    """Return the word at the end of `text`. It is found without a regular expression, to stay in linear time."""
    return text[len(text.rstrip(_LETTERS)) :].lstrip(digits)


def _end_of_word(text: str, offset: int) -> int:
    found = _WORD_AFTER.match(text, offset)
    return found.end() if found else offset


def _logical_start(snapshot: Snapshot, line: int, offset: int, first: int) -> int:
    """Return the start of the statement at `offset`. `line` is the start of the physical line. An unclosed bracket in
    an earlier statement does not join the statements."""
    text = snapshot.text
    start, end = snapshot.logical_line(offset)
    if start >= line:
        return line if start > offset else start
    indent = _INDENT.match(text, line)
    column = min(indent.end(), first) - line if indent else 0
    own = _INDENT.match(text, snapshot.lines.line_start(snapshot.lines.position(start).line))
    in_brackets = snapshot.is_in_brackets(line)
    if own is not None and column > own.end() - own.start():
        return start if in_brackets or column % 4 else line
    closed = scan(text[start:end] + "\n", 0, 6, {})
    depth = sum(_DEPTH.get(kind, 0) for kind, token in zip(closed.types, closed.tokens, strict=True) if token[2])
    is_inside = in_brackets and depth <= 0
    return start if is_inside else line


def _outside_of_code(
    comments: list[tuple[int, int]], length: int, physical: str, tokens: tuple[NearToken, ...], first: int
) -> CompletionPlace | None:
    """Return the kind of position in a comment, a string, a number or a colour. Return None for a position in code."""
    if any(start <= length <= end for start, end in comments):
        return CompletionPlace.ANNOTATION if _ANNOTATION.search(physical) else CompletionPlace.NOTHING
    if tokens and tokens[-1].kind == "STRING" and tokens[-1].end > first:
        return CompletionPlace.STRING
    if _COLOR.search(physical):
        return CompletionPlace.COLOR
    if _IMPORTS.match(physical):
        return CompletionPlace.IMPORT
    return CompletionPlace.NOTHING if _NUMBER.search(physical) else None


def _path(text: str, line: int, offset: int) -> Span:
    """The span of the whole path of a library at `offset`, not only of the name between two slashes."""
    start = offset
    while start > line and not text[start - 1].isspace():
        start -= 1
    end = offset
    while end < len(text) and (text[end].isalnum() or text[end] in "_/"):
        end += 1
    return Span(start, end)


def _whole_text(text: str, offset: int, tokens: tuple[NearToken, ...]) -> Span:
    """Return the span of the content of the string at `offset`: up to its end, or to the offset if it has no end
    yet."""
    start = tokens[-1].start
    quote = text[start : start + 1]
    newline = text.find("\n", offset)
    end = text.find(quote, offset, newline if newline >= 0 else len(text))
    return Span(start + 1, end if end >= 0 else offset)


def value_before(tokens: tuple[NearToken, ...]) -> Span | None:
    """Return the span of the expression before the last of `tokens`, which is a dot or a comparison; None if there is
    no expression."""
    index = len(tokens) - 2
    first = None
    while index >= 0:
        kind = tokens[index].kind
        if kind in _OPENING:
            index = _opener(tokens, index)
            if index < 0:
                return None
            first = index
            if kind != "TEMPLATE_CLOSE" and (index == 0 or tokens[index - 1].kind not in ("NAME", *_OPENING)):
                break
            index -= 1
            continue
        if kind not in ("NAME", "STRING", "INT", "FLOAT", "COLOR", "BOOL", "FUNCTION_NAME"):
            break
        first = index
        if index < 2 or tokens[index - 1].kind != "DOT":
            break
        index -= 2
    return Span(tokens[first].start, tokens[-2].end) if first is not None else None


def _opener(tokens: tuple[NearToken, ...], index: int) -> int:
    """The index of the opening bracket for the closing one at `index`, or -1."""
    closing = tokens[index].kind
    depth = 0
    while index >= 0:
        if tokens[index].kind == closing:
            depth += 1
        elif tokens[index].kind in _OPENING[closing]:
            depth -= 1
            if not depth:
                return index
        index -= 1
    return -1


def _calls(text: str, tokens: tuple[NearToken, ...], end: int) -> tuple[EnclosingCall, ...]:
    """The calls around the end of `tokens`, innermost first."""
    found: list[EnclosingCall] = []
    depth = 0
    index = len(tokens) - 1
    while index >= 0:
        kind = tokens[index].kind
        if kind in ("RPAR", "RSQB"):
            depth += 1
        elif kind in ("LPAR", "LSQB", "TUPLE_OPEN"):
            depth -= 1
            if depth < 0:
                depth = 0
                callee = value_before((*tokens[:index], tokens[index])) if kind == "LPAR" and index else None
                if callee is not None and tokens[index - 1].kind in ("NAME", "FUNCTION_NAME", "TEMPLATE_CLOSE"):
                    found.append(_call(text, callee, tokens[index + 1 :], end if not found else -1))
                elif kind != "LPAR" and not found:
                    return tuple(found)
        index -= 1
    return tuple(found)


def _call(text: str, callee: Span, inside: tuple[NearToken, ...], end: int) -> EnclosingCall:
    """The call of `callee` whose parentheses contain the tokens `inside`. `end` is the start of the rest of the
    call, or -1."""
    parts: list[list[NearToken]] = [[]]
    depth = 0
    for token in inside:
        depth += _DEPTH.get(token.kind, 0)
        if token.kind == "COMMA" and depth == 0 and not _is_in_template(parts[-1]):
            parts.append([])
        else:
            parts[-1].append(token)
    before = tuple(_given(part) for part in parts[:-1] if part)
    current = parts[-1]
    name = current[0].text if len(current) > 1 and current[1].kind == "ASSIGN" else None
    behind = _names_behind(text, end) if end >= 0 else ()
    given = frozenset(argument.name for argument in before if argument.name) | frozenset(behind)
    return EnclosingCall(callee, before, len(parts) - 1, name, given)


def _is_in_template(part: list[NearToken]) -> bool:
    opened = sum(1 for token in part if token.kind == "TEMPLATE_OPEN")
    return opened > sum(1 for token in part if token.kind == "TEMPLATE_CLOSE")


def _given(part: list[NearToken]) -> WrittenArgument:
    if len(part) > 2 and part[1].kind == "ASSIGN":
        return WrittenArgument(part[0].text, Span(part[2].start, part[-1].end))
    return WrittenArgument(None, Span(part[0].start, part[-1].end))


def _names_behind(text: str, start: int) -> list[str]:
    """The names of the later arguments in the call whose parentheses contain `start`."""
    scanned = scan("(" + text[start : start + 2000] + "\n", 0, 6, {})
    names: list[str] = []
    depth = 0
    for index, kind in enumerate(scanned.types):
        depth += _DEPTH.get(kind, 0)
        if depth <= 0:
            break
        is_name = kind == "COMMA" and scanned.types[index + 1 : index + 3] == ["NAME", "ASSIGN"]
        if depth == 1 and is_name:
            names.append(scanned.tokens[index + 1][2])
    return names if depth <= 0 else []


def _place(
    snapshot: Snapshot, begin: int, tokens: tuple[NearToken, ...], calls: tuple[EnclosingCall, ...], end: int
) -> CompletionPlace:
    """Return the kind of position after `tokens`, in code and not after a dot."""
    text = snapshot.text
    is_indented = text[begin : begin + 1] in (" ", "\t")
    chunk = _first_line(snapshot, begin)
    if is_indented and _DECLARES_TYPE.match(chunk) and not any(token.kind == "ASSIGN" for token in tokens):
        return CompletionPlace.FIELD if not tokens or tokens[-1].kind in ("VAR", "QUALIFIER") else _in_types(tokens)
    if is_indented and _DECLARES_ENUM.match(chunk) and not any(token.kind == "ASSIGN" for token in tokens):
        return CompletionPlace.NOTHING
    if not tokens:
        return CompletionPlace.STATEMENT
    if _names_tuple(text, tokens, end):
        return CompletionPlace.NOTHING
    last = tokens[-1]
    if last.kind in ("TYPE", "ENUM", "METHOD", "AS", "IMPORT") or (last.kind == "FOR" and len(tokens) == 1):
        return CompletionPlace.NOTHING
    if last.kind in ("VAR", "QUALIFIER") or last.text in _BEFORE_TYPES:
        return CompletionPlace.TYPE
    if _is_template(tokens):
        return CompletionPlace.TYPE
    if _is_parameter(text, tokens, calls, end):
        is_first = last.kind in ("LPAR", "COMMA")
        return (
            CompletionPlace.PARAMETER
            if is_first
            else CompletionPlace.VALUE
            if last.kind == "ASSIGN"
            else CompletionPlace.NOTHING
        )
    if last.kind in ("ARROW", "EXPORT"):
        return CompletionPlace.STATEMENT
    if last.kind == "COMMA" and not calls and not snapshot.is_in_brackets(last.start):
        return CompletionPlace.STATEMENT
    if last.kind in _OPERANDS or last.kind == "IMPORT_PATH":
        return CompletionPlace.OPERATOR
    return CompletionPlace.VALUE


_TUPLE_ENDS = re.compile(r"[\w,\t ]*\][\t ]*=(?!=)")


def _names_tuple(text: str, tokens: tuple[NearToken, ...], end: int) -> bool:
    """Return whether a tuple declares the name at the position: `[a, b] = …`."""
    kinds = [token.kind for token in tokens]
    is_open = kinds[0] in ("LSQB", "TUPLE_OPEN") and set(kinds[1:]) <= {"NAME", "COMMA"}
    return is_open and _TUPLE_ENDS.match(text, end) is not None


def _first_line(snapshot: Snapshot, offset: int) -> str:
    """The first line of code of the top-level statement that contains `offset`."""
    chunk = snapshot.chunk_at(offset)
    start = chunk.lines[0] if chunk.lines else 0
    return chunk.text[start : start + 200].partition("\n")[0]


def _in_types(tokens: tuple[NearToken, ...]) -> CompletionPlace:
    return CompletionPlace.TYPE if _is_template(tokens) else CompletionPlace.NOTHING


def _is_template(tokens: tuple[NearToken, ...]) -> bool:
    """Whether a type is expected between `<` and `>`."""
    index = len(tokens) - 1
    while index > 0 and tokens[index].kind in ("COMMA", "NAME", "DOT"):
        index -= 1
    is_open = tokens[index].text == "<" and index > 0 and tokens[index - 1].text in _TEMPLATES
    return is_open and (tokens[-1].text == "<" or (tokens[-1].kind == "COMMA" and tokens[index - 1].text != "array"))


def _is_parameter(text: str, tokens: tuple[NearToken, ...], calls: tuple[EnclosingCall, ...], end: int) -> bool:
    """Return whether the position is among the parameters of a function declaration."""
    if len(calls) != 1 or not tokens:
        return False
    words = [token for token in tokens[:3] if token.kind in ("EXPORT", "METHOD")]
    if any(token.kind == "METHOD" or token.text == "method" for token in tokens[:2]):
        return True
    if calls[0].callee.start != tokens[len(words)].start:
        return False
    scanned = scan("(" + text[end : end + 1000] + "\n", 0, 6, {})
    depth = 0
    for kind in scanned.types:
        depth += _DEPTH.get(kind, 0)
        if depth <= 0:
            break
    closed = next((i for i, kind in enumerate(scanned.types) if kind == "RPAR"), -1)
    return closed >= 0 and "ARROW" in scanned.types[closed : closed + 2]
