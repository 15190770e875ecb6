"""Scans text into tokens, one top-level chunk at a time: layout, soft keywords, strings, comments, and faults in them.

Everything that depends on context is decided here, so the grammar has no conflicts. For speed, one regular expression
splits the text, and a table holds the kinds of most tokens. Methods handle the rarer cases.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from pinebench.patterns import lazy_pattern
from pinebench.records import NamedTuple
from pinebench.syntax.faults import Fault
from pinebench.syntax.layout import INDENT_WIDTH, NEXT_ASSIGN, OPERAND_END, ChunkLayout
from pinebench.syntax.strings import broken_end, closed_end
from pinebench.syntax.words import OPERATORS, RESERVED, SOFT_KEYWORDS, WORDS, WORDS_BEFORE_5, Token

_TOKEN = re.compile(
    r"""([ \t]*+)(
      [A-Za-z_][A-Za-z0-9_]*+
    | [,()\[\]?]|\.(?![0-9])
    | [\r\n/](?:(?<!/)|/[^\r\n]*+[\r\n])(?:[ \t\f\xa0\u3000]*+(?:[{}][ \t{};]*+)?(?://[^\r\n]*+)?[\r\n])*[ \t]*+
    | =>|[:=!<>+\-*/%]=|[-+*/%<>=:]
    | [0-9]++(?:\.(?![A-Za-z_])[0-9]*+)?(?:[eE][+-]?[0-9]+)?
    | "(?!"")[^"\\\r\n]*+(?:\\[^\r\n][^"\\\r\n]*+)*"|'(?!'')[^'\\\r\n]*+(?:\\[^\r\n][^'\\\r\n]*+)*'
    | \#[0-9A-Fa-f]{8}(?![0-9A-Fa-f])|\#[0-9A-Fa-f]{6}(?![0-9A-Fa-f])
    | \.[0-9]++(?:[eE][+-]?[0-9]+)?
    | [^ \t\r\n]
    )""",
    re.VERBOSE,
)
"""The blanks before a token, and the token: a name, an operator, the line breaks up to the next code with the comments
and blank lines between, a number, a string, a colour, or any other character.

`re` skips an alternative at once if it begins with a character or a set of characters that does not fit. So each one
begins with such a set, and the most frequent tokens come first.
"""
_STRETCH = re.compile(r"[\r\n](?![ \t]|[\f\xa0\u3000 \t]*+(?:[{}][ \t{};]*+)?(?://|[\r\n]|\Z))")
"""The end of a line break before code in column one, where a token always ends."""

_KINDS: dict[str, str] = {**OPERATORS, **dict.fromkeys(WORDS, "WORD")}
"""The kinds of the tokens met so far, by their text: most names occur again and again."""
_MOST_KINDS, _LONGEST = 20_000, 40
_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_")
_DIGITS = frozenset("0123456789")
_PLAIN = frozenset(("NAME", "INT", "FLOAT", "STRING", "COLOR", "DOT", "SIGN", "COLON", "QUESTION", "REASSIGN"))
"""The kinds of token that are the same everywhere."""


def _kind_of(text: str) -> str:
    """The kind of a token that was not met before.

    A WORD may be a keyword, a QUOTE begins a string that needs a closer look, an UNKNOWN is a character that Pine does
    not have.
    """
    first = text[0]
    if first in _LETTERS:
        kind = "NAME"
    elif first in "\r\n" or text.startswith("//"):
        kind = "NEWLINE"
    elif first in _DIGITS or (first == "." and len(text) > 1):
        kind = "INT" if text.isdigit() else "FLOAT"
    elif first in "\"'":
        kind = "STRING" if len(text) > 1 else "QUOTE"
    else:
        kind = "COLOR" if first == "#" and len(text) > 1 else "UNKNOWN"
    if len(text) <= _LONGEST and len(_KINDS) < _MOST_KINDS:
        _KINDS[text] = kind
    return kind


_NO_BINDING = frozenset(("else", "break", "continue"))
"""Reserved words for which TradingView reports the usual syntax errors, even before `=`."""

_STATEMENT_START = frozenset((None, "NEWLINE", "INDENT", "DEDENT", "COMMA", "ARROW", "EXPORT"))

_NEXT_NAME = lazy_pattern(r"[ \t]+(?!(?:and|or|to|by|in|as)\b)[A-Za-z_]")
_NEXT_WORD = lazy_pattern(r"[ \t]+(?!(?:and|or)[ \t(]+[^\s/])[A-Za-z_]")
_NEXT_DEFINITION = lazy_pattern(r"[ \t]+[A-Za-z_]\w*[ \t]*\(")
_NEXT_VARIABLE = lazy_pattern(r"[ \t]+[A-Za-z_]\w*[ \t]*=(?![=>])")
_NEXT_LINE_END = lazy_pattern(r"[ \t]*(?://[^\r\n]*)?(?:[\r\n]|$)")
_NEXT_OPERAND = lazy_pattern(r"[ \t]*[(+-]|[ \t]+(?!(?:and|or)\b)[A-Za-z_0-9\"'#.]")
_NEXT_CONDITION = lazy_pattern(r"[ \t]+(?!(?:and|or)\b)[A-Za-z_0-9\"'#]")
_IMPORT_PATH = lazy_pattern(r"[ \t]+([^\s/]+[ \t]*/[ \t]*[^\s/]+[ \t]*/[ \t]*[0-9]+)")


_TYPE_NAME = lazy_pattern(r"\s*[A-Za-z_][\w.]*\s*")
_TYPE_REST = lazy_pattern(r"\s*(?:\[\s*\]\s*)?")
_NESTED_TYPES = 3
"""The largest number of levels of types in types: `map<string, array<matrix<int>>>` has two."""


def _types_end(source: str, start: int, most: int, levels: int = _NESTED_TYPES) -> int:
    """The end of the list of one to `most` types that the `<` at `start` opens; -1 if it opens none."""
    end = _type_end(source, start + 1, levels)
    if most > 1 and end >= 0 and source.startswith(",", end):
        end = _type_end(source, end + 1, levels)
    return end + 1 if end >= 0 and source.startswith(">", end) else -1


def _type_end(source: str, start: int, levels: int) -> int:
    """The end of the type at `start`, with the blanks after it; -1 if there is none."""
    name = _TYPE_NAME.match(source, start)
    if name is None:
        return -1
    end = name.end()
    if levels and source.startswith("<", end):
        end = _types_end(source, end, 2, levels - 1)
        if end < 0:
            return -1
    rest = _TYPE_REST.match(source, end)
    return end if rest is None else rest.end()


class Scan(NamedTuple):
    """The result of scanning one chunk (top-level statement).

    `lines` are the starts of the logical lines; an incorrectly wrapped line counts as a separate line. `end` is the
    start of the next chunk, counted from the start of the source. `open_ended` is True if a change after the chunk can
    change it, because it contains an unclosed triple quote. `nesting` is an upper bound of the depth of its tree.
    """

    source: str
    offset: int
    types: list[str]
    tokens: list[Token]
    faults: list[Fault]
    comments: list[tuple[int, int]]
    lines: list[int]
    end: int
    open_ended: bool
    nesting: int

    def following(self) -> Token:
        """Return the first token of the next top-level statement. Its text is empty at the end of the source."""
        start = self.end - self.offset
        match = _TOKEN.match(self.source, self.end)
        text = match[2] if match is not None else ""
        if not text or (_KINDS.get(text) or _kind_of(text)) == "NEWLINE":
            return (start, start, "")
        return (start, start + len(text), text)


def scan(source: str, start: int, version: int, unclosed: dict[str, int]) -> Scan:
    """Scan the chunk (top-level statement) at offset `start` of `source`, by the layout rules of Pine `version`. Never
    raises.

    `source` must end with a line break. `unclosed` must be empty for the first chunk and is passed on to the next
    chunks of the same source. It caches failed searches for the end of a string, so that the time stays proportional to
    the length of the text.
    """
    return _Scanner(source, start, version, unclosed).run()


class _Scanner(ChunkLayout):
    def __init__(self, source: str, start: int, version: int, unclosed: dict[str, int]) -> None:
        super().__init__(source, start, version)
        self.words = WORDS if version >= 5 else WORDS_BEFORE_5
        self.open_ended = False
        self.unclosed = unclosed

    def run(self) -> Scan:
        position = self._skip_leading()
        while position >= 0:
            position = self._run_from(position)
        if self.end < 0:
            self._finish()
        return Scan(
            self.source,
            self.offset,
            self.types,
            self.tokens,
            self._first_of_each_line() if self.faults else [],
            self.comments,
            self.lines,
            self.end,
            self.open_ended,
            self.longest + 3 * self.deepest,
        )

    def _first_of_each_line(self) -> list[Fault]:
        """The faults without those that follow another error on the same logical line."""
        kept: list[Fault] = []
        last = -1
        for fault in sorted(self.faults, key=lambda fault: fault.start):
            line = bisect_right(self.lines, fault.start)
            if fault.code == "CW10001":
                kept.append(fault)
            elif line != last:
                kept.append(fault)
                last = line
        return kept

    def _run_from(self, position: int) -> int:
        """Scan until the chunk ends, and return -1, or until the scan must continue at another offset, and return
        that."""
        source = self.source
        offset = self.offset
        types = self.types
        words = self.words
        kinds, plain = _KINDS.get, _PLAIN
        add_type = types.append
        add_token = self.tokens.append
        previous = types[-1] if types else None
        size = len(source)
        while position < size:
            stretch = _STRETCH.search(source, position)
            for blanks, text in _TOKEN.findall(source, position, stretch.end() if stretch is not None else size):
                start = position + len(blanks)
                position = start + len(text)
                kind = kinds(text) or _kind_of(text)
                if kind not in plain:
                    if kind == "NEWLINE":
                        if not self._newline(start, position):
                            return -1
                        previous = types[-1] if types else None
                        continue
                    if kind == "WORD":
                        kind = "NAME"
                        if previous != "DOT" and text in words:
                            kind = self._word(text, start, position, previous)
                            if kind == "IMPORT":
                                return self._import(start, position)
                    elif kind == "QUOTE":
                        return self._quote(start)
                    elif kind == "UNKNOWN":
                        self._other(start, position)
                        continue
                    else:
                        kind = self._operator(text, kind, start, position, previous)
                add_type(kind)
                add_token((start - offset, position - offset, text))
                previous = kind
        return -1

    def _operator(self, text: str, kind: str, start: int, end: int, previous: str | None) -> str:
        """The type of an operator, and what it opens, closes or ends."""
        closers = self.closers
        if kind == "LPAR" or kind == "LSQB":
            if not closers:
                self.opener = len(self.types)
                if kind == "LSQB" and (previous == "ASSIGN" or previous == "REASSIGN"):
                    self._fault("CE10156", start, end, value='"["')
            closers.append("RPAR" if kind == "LPAR" else "RSQB")
        elif kind == "RPAR" or kind == "RSQB":
            if closers:
                closers.pop()
        elif kind == "OPERATOR":
            return self._comparison(text, start, previous)
        elif not closers:
            if kind == "COMMA":
                self.statement = len(self.types) + 1
            elif kind == "ARROW":
                self._arrow(previous)
            elif kind == "ASSIGN" and previous == "RSQB":
                self._open_tuple_declaration()
        return kind

    def _comparison(self, text: str, start: int, previous: str | None) -> str:
        """The type of an operator, which may be a bracket of types: `array.new<int>()`."""
        if text == "<":
            if previous == "NAME" and self._opens_template(start):
                self.templates += 1
                return "TEMPLATE_OPEN"
        elif self.templates and text == ">":
            self.templates -= 1
            return "TEMPLATE_CLOSE"
        return "OPERATOR"

    # words

    def _word(self, text: str, start: int, end: int, previous: str | None) -> str:
        """The token type of a word that can be a keyword."""
        if self._binds(text, end, previous):
            self._reserved(text, start, end)
            return "NAME"
        kind = WORDS[text]
        if kind is None:
            return self._soft_word(text, end, previous)
        if kind == "FOR":
            self.in_for = True
        elif kind == "VAR" and self.closers and NEXT_ASSIGN(self.source, end):
            return "NAME"
        return kind

    def _binds(self, text: str, end: int, previous: str | None) -> bool:
        """Whether a word is used as a new name, judged by the tokens next to it."""
        if self.closers or previous == "FOR" or text in _NO_BINDING:
            return False
        return previous in ("AS", "TYPE", "ENUM") or NEXT_ASSIGN(self.source, end) is not None

    def _reserved(self, text: str, start: int, end: int, keyword: str = "") -> None:
        """Report the use of a reserved word as a name.

        Before v6, only words with a meaning are reported; for the others TradingView's behaviour is unknown.
        """
        if text in RESERVED and (self.version >= 6 or WORDS[text]):
            self._fault("CE10150", start, end, keyword=keyword or text)

    def _soft_word(self, text: str, end: int, previous: str | None) -> str:
        """The token type of a soft keyword, or of a reserved word without a meaning, judged by the tokens next to
        it."""
        soft = SOFT_KEYWORDS.get(text)
        if soft is None:
            return "NAME"
        is_keyword = False
        if soft.role == "range":
            is_keyword = self.in_for and not self.closers and previous in OPERAND_END
        elif soft.role == "alias":
            is_keyword = self.in_import
        elif soft.role == "qualifier":
            is_keyword = previous not in OPERAND_END and _NEXT_NAME.match(self.source, end) is not None
        elif self.closers:
            is_keyword = False
        elif soft.role == "block":
            is_keyword = self.version >= 6 and self._begins_once(end, previous)
        elif previous in _STATEMENT_START:
            is_keyword = self._begins_declaration(text, end)
        return soft.token if is_keyword else "NAME"

    def _begins_declaration(self, text: str, end: int) -> bool:
        """Whether the word that ends at `end`, at the beginning of a statement, starts a declaration."""
        source = self.source
        if text == "method":
            return _NEXT_DEFINITION.match(source, end) is not None
        if text == "import":
            return _IMPORT_PATH.match(source, end) is not None
        if text not in RESERVED and _NEXT_VARIABLE.match(source, end):
            return False
        return _NEXT_WORD.match(source, end) is not None

    def _begins_once(self, end: int, previous: str | None) -> bool:
        """Whether the word `once` that ends at `end` starts a structure: only a structure has a block below it.

        Without a block it does so only if its line cannot be read in another way.
        """
        source = self.source
        if self.in_for or not (previous in _STATEMENT_START or previous in ("ASSIGN", "REASSIGN")):
            return False
        if not (_NEXT_OPERAND.match(source, end) or _NEXT_LINE_END.match(source, end)):
            return False
        ends_in = self._line_ends_in(end)
        return ends_in == "block" or (ends_in == "line" and _NEXT_CONDITION.match(source, end) is not None)

    def _line_ends_in(self, position: int) -> str:
        """The end of the expression at `position`: "block" or "line" if one follows below it, or "sign" for a token
        that an expression cannot contain."""
        source = self.source
        depth = 0
        for match in _TOKEN.finditer(source, position):
            text = match[2]
            kind = _KINDS.get(text) or _kind_of(text)
            if kind == "NEWLINE":
                if depth:
                    continue
                start, end = match.span(2)
                width = self._indentation(start, end) if end < len(source) else 0
                if width % INDENT_WIDTH == 0:
                    return "block" if width > self.indents[-1] else "line"
            elif kind in ("LPAR", "LSQB"):
                depth += 1
            elif kind in ("RPAR", "RSQB"):
                depth -= 1
            elif kind == "QUOTE" or (depth <= 0 and kind in ("ASSIGN", "REASSIGN", "ARROW", "COMMA")):
                return "sign"
        return "line"

    def _import(self, start: int, end: int) -> int:
        path = _IMPORT_PATH.match(self.source, end)
        if path is None:
            return end
        self._add("IMPORT", start, end)
        self._add("IMPORT_PATH", path.start(1), path.end(1), "".join(path.group(1).split()))
        self.in_import = True
        return path.end()

    # brackets and arrows

    def _opens_template(self, start: int) -> bool:
        """Whether the `<` at `start`, after a name, opens a list of types."""
        tokens = self.tokens
        name = tokens[-1][2]
        if name == "map" or (name == "new" and len(tokens) > 2 and tokens[-3][2] == "map"):
            return _types_end(self.source, start, 2) >= 0
        end = _types_end(self.source, start, 1)
        if end < 0:
            return False
        return self.templates > 0 or name in ("array", "matrix", "new") or self.source.startswith("(", end)

    def _arrow(self, previous: str | None) -> None:
        """Mark the function's name if the tokens before this arrow, in column one, are `name(...)`."""
        types = self.types
        if previous == "RPAR" and len(self.indents) == 1 and self.statement < len(types):
            index = self.statement
            if types[index] == "EXPORT":
                index += 1
            if types[index] == "METHOD":
                index += 1
            if types[index] == "NAME" and types[index + 1] == "LPAR":
                types[index] = "FUNCTION_NAME"
                self._check_reserved(index, index + 1, "")
                self._check_reserved(index + 2, len(types), '"')
        self.statement = len(types) + 1

    def _open_tuple_declaration(self) -> None:
        """Mark the bracket if the tokens before this `=`, at the start of a statement, are `[...]`."""
        index = self.statement
        if self.types[index] == "VAR":
            index += 1
        if self.types[index] != "LSQB":
            return
        self.types[index] = "TUPLE_OPEN"
        self._check_reserved(index + 1, len(self.types), "")
        if index > self.statement:
            start, end, text = self.tokens[self.statement]
            self.faults.append(Fault("CE10150", start, end, {"keyword": f'"{text}"'}))

    def _check_reserved(self, first: int, end: int, quote: str) -> None:
        """Report the reserved words among the names that tokens `first` to `end` declare, and change them to names.

        TradingView doubles the quotation marks for parameters. If an earlier parameter has a type, a keyword makes it
        read the line as an expression, which ends at that parameter's name (recorded for `to`).
        """
        types = self.types
        typed = -1
        for index in range(first, end):
            if quote and typed < 0 and types[index - 1] == types[index] == "NAME":
                typed = index
            start, stop, text = self.tokens[index]
            following = types[index + 1] if index + 1 < len(types) else ""
            if text in RESERVED and following in ("COMMA", "RPAR", "RSQB", "ASSIGN", "LPAR"):
                if types[index - 1] in ("ASSIGN", "OPERATOR", "SIGN"):
                    continue
                if 0 <= typed < index and (WORDS[text] or text in SOFT_KEYWORDS):
                    begin, close, name = self.tokens[typed]
                    hint = f"`{text}` is a reserved word: choose another name for the parameter."
                    self.faults.append(Fault("CE10156", begin, close, {"value": f'"{name}"'}, hint=hint))
                else:
                    self._reserved(text, start + self.offset, stop + self.offset, f"{quote}{text}{quote}")
                if types[index] != "FUNCTION_NAME":
                    types[index] = "NAME"

    # strings

    def _quote(self, start: int) -> int:
        """Read a string that does not end on its line, or an empty or triple-quoted string. Return the offset after
        it."""
        source = self.source
        quote = source[start]
        delimiter = quote * 3 if source.startswith(quote * 3, start) else quote
        end = closed_end(source, delimiter, start, self.unclosed)
        if end >= 0:
            if delimiter == quote and self.version >= 6:
                self.faults.append(Fault("CW10001", start - self.offset, end - self.offset, {}, at_line_start=True))
            self._add("STRING", start, end)
            return end
        if len(delimiter) == 3:
            self.open_ended = True
        end = broken_end(source, delimiter, start)
        self._fault("CE10017", start, end)
        self._add("STRING", start, end)
        return end
