"""Text to tokens, one top-level chunk at a time: layout, soft keywords, strings, comments, and faults of all these.

The grammar stays free of conflicts because everything that depends on context is decided here. The main loop is one
regular expression and a chain of branches, because it runs once a token; what happens less often lives in methods.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

Token = tuple[int, int, str]
"""Start, end (offsets within the chunk) and text of a token."""

INDENT_WIDTH = 4

END_OF_LINE = '"end of line without line continuation"'
"""What TradingView calls the end of a logical line."""

_MASTER = re.compile(
    r"""[ \t]*+(?:
      (?P<name>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<newline>
        (?://[^\r\n]*)?(?:\r\n?|\n)(?:[ \t\f\xa0\u3000]*+(?:[{}][ \t{};]*+)?(?://[^\r\n]*)?(?:\r\n?|\n))*[ \t]*
      )
    | (?P<operator>=>|[:=!<>+\-*/%]=|[-+*/%<>=?:,.()\[\]](?<!\.(?=[0-9])))
    | (?P<number>(?:[0-9]+(?:\.(?![A-Za-z_])[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
    | (?P<string>"(?!"")(?:[^"\\\r\n]|\\[^\r\n])*"|'(?!'')(?:[^'\\\r\n]|\\[^\r\n])*')
    | (?P<color>\#[0-9A-Fa-f]{8}(?![0-9A-Fa-f])|\#[0-9A-Fa-f]{6}(?![0-9A-Fa-f]))
    | (?P<quote>["'])
    | (?P<other>[^ \t\r\n])
    )""",
    re.VERBOSE,
)
_NAME, _NEWLINE, _OPERATOR, _NUMBER, _STRING, _COLOR, _QUOTE = range(1, 8)

_LEADING = re.compile(r"\ufeff?(?:[ \t\f\xa0\u3000]*+(?://[^\r\n]*)?(?:\r\n?|\n))*[ \t]*")
_BRACE_LINE = re.compile(r"(?<=[\r\n])[ \t]*+([{}])")
_COMMENT = re.compile(r"//[^\r\n]*")
_LINE_END = re.compile(r"[^\r\n]*")

STRINGS = {
    '"""': r'"""(?>(?:[^"\\]+|\\[\s\S]|"(?!""))*)"""',
    "'''": r"'''(?>(?:[^'\\]+|\\[\s\S]|'(?!''))*)'''",
    '"': r'"(?>(?:[^"\\\r\n]+|\\[^\r\n]|(?:\r\n?|\n)(?=[ \t\r\n]))*)"',
    "'": r"'(?>(?:[^'\\\r\n]+|\\[^\r\n]|(?:\r\n?|\n)(?=[ \t\r\n]))*)'",
}
"""Patterns of the strings that may run over several lines, by their delimiter. Their groups are atomic and
not possessive: Python before 3.11.5, such as Debian 12's, matches possessive groups wrongly."""
_LOOKS_LIKE_CODE = re.compile(r"[A-Za-z_][\w.]*[ \t]*(?:[:+*/%-]?=|\()|//").match
_STATEMENT_AHEAD = re.compile(
    r"(?:(?:var|varip)[ \t]+)?(?:[A-Za-z_][\w.<>]*(?:\[\])?[ \t]+)?[A-Za-z_][\w.]*[ \t]*(?:[:+*/%-]=|=(?![=>]))"
    r"|(?:if|for|while|break|continue|import|export)\b|\[[\w\s,]*\][ \t]*=(?![=>])"
).match
_UNCLOSED_END = re.compile(r"[\r\n][^ \t\r\n]")

_OPERATORS = {
    "=>": "ARROW",
    "=": "ASSIGN",
    ":=": "REASSIGN",
    "+=": "REASSIGN",
    "-=": "REASSIGN",
    "*=": "REASSIGN",
    "/=": "REASSIGN",
    "%=": "REASSIGN",
    "==": "OPERATOR",
    "!=": "OPERATOR",
    "<=": "OPERATOR",
    ">=": "OPERATOR",
    "<": "OPERATOR",
    ">": "OPERATOR",
    "*": "OPERATOR",
    "/": "OPERATOR",
    "%": "OPERATOR",
    "+": "SIGN",
    "-": "SIGN",
    "?": "QUESTION",
    ":": "COLON",
    ",": "COMMA",
    ".": "DOT",
    "(": "LPAR",
    ")": "RPAR",
    "[": "LSQB",
    "]": "RSQB",
}

_KEYWORDS = {
    "and": "OPERATOR",
    "or": "OPERATOR",
    "not": "NOT",
    "if": "IF",
    "else": "ELSE",
    "for": "FOR",
    "while": "WHILE",
    "switch": "SWITCH",
    "break": "BREAK",
    "continue": "CONTINUE",
    "true": "BOOL",
    "false": "BOOL",
    "var": "VAR",
    "varip": "VAR",
}
_SOFT_KEYWORDS = frozenset(
    ("to", "by", "in", "as", "type", "enum", "method", "export", "import", "once", "const", "input", "simple", "series")
)
RESERVED = frozenset(
    (
        *("and", "as", "break", "by", "continue", "do", "else", "export", "false", "for", "if", "import", "in", "not"),
        *("or", "return", "switch", "to", "true", "var", "varip", "while"),
        *("catch", "class", "ellipse", "is", "polygon", "range", "struct", "text", "throw", "try"),
    )
)
"""Words that cannot be the name of anything, although many of them have no meaning in the language."""
_NO_BINDING = frozenset(("else", "break", "continue"))
"""Reserved words that TradingView meets as syntax errors of the usual kind, even before `=`."""
_WORDS: dict[str, str | None] = {**dict.fromkeys(RESERVED | _SOFT_KEYWORDS), **_KEYWORDS}
_WORDS_BEFORE_5: dict[str, str | None] = {word: _WORDS[word] for word in _WORDS if word not in ("switch", "while")}
"""`switch` and `while` came with v5."""

_OPERAND_END = frozenset(("NAME", "INT", "FLOAT", "STRING", "COLOR", "BOOL", "RPAR", "RSQB"))
_BINARY_END = frozenset(("OPERATOR", "SIGN", "NOT", "QUESTION", "COLON", "ASSIGN", "REASSIGN", "DOT"))
"""A line cannot end with one of these."""
_STATEMENT_START = frozenset((None, "NEWLINE", "INDENT", "DEDENT", "COMMA", "ARROW", "EXPORT"))
_HEADERS = frozenset(("IF", "FOR", "WHILE", "SWITCH", "ELSE", "ONCE"))
_LINE_KEYWORDS = frozenset(
    ("if", "for", "while", "switch", "var", "varip", "export", "import", "else", "break", "continue")
)
"""Words that never stand within brackets: one of them at the start of a line means that a bracket was left open."""

_NEXT_NAME = re.compile(r"[ \t]+(?!(?:and|or|to|by|in|as)\b)[A-Za-z_]").match
_NEXT_WORD = re.compile(r"[ \t]+[A-Za-z_]").match
_NEXT_DEFINITION = re.compile(r"[ \t]+[A-Za-z_]\w*[ \t]*\(").match
_NEXT_ASSIGN = re.compile(r"[ \t]*=(?![=>])").match
_NEXT_CONDITION = re.compile(r"[ \t]+(?:(?!(?:and|or)\b)[A-Za-z_0-9(\"'#])|[ \t]*(?://[^\r\n]*)?[\r\n]").match
_TUPLE_DECLARATION = re.compile(r"\[[\w\s,]*\][ \t]*=(?![=>])").match
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*").match
_IMPORT_PATH = re.compile(r"[ \t]+([^\s/]+[ \t]*/[ \t]*[^\s/]+[ \t]*/[ \t]*[0-9]+)").match
_LEADING_CHARACTERS = frozenset("ao?:*%./<>=!")
_LEADING_OPERATOR = re.compile(r"(?:and|or)\b(?![ \t]*=(?![=>]))|[?:*%.]|/(?!/)|[<>=!]=|[<>]").match

_WRAP_HINT = "indent a continued line by a number of spaces that is no multiple of four, or put it in parentheses"
_WRAP_TITLE = "indent the continued line by one more space"
_COMMENT_HINT = "Pine has no /* */ comments; begin each line with //"
_CHARACTERS: dict[str, tuple[str, str | None]] = {
    ";": ("Pine needs no semicolons; a comma separates statements on one line", ""),
    "{": ("blocks are made by indentation, without braces", None),
    "}": ("blocks are made by indentation, without braces", None),
    "&": ("write `and`", None),
    "|": ("write `or`", None),
    "!": ("write `not`", None),
    "\xa0": ("replace the no-break space by a plain one", " "),
    "\u201c": ("use straight quotation marks", None),
    "\u201d": ("use straight quotation marks", None),
    "\u2018": ("use straight apostrophes", None),
    "\u2019": ("use straight apostrophes", None),
    "\u2013": ("write a plain minus sign", "-"),
    "\u2212": ("write a plain minus sign", "-"),
}
"""What people write that is not Pine: our advice, and what can replace it without a doubt."""

_CURLY_STRING = re.compile(r"[\u201c\u201d]([^\u201c\u201d\"\\\r\n]*)[\u201c\u201d]").match

_TYPE = r"\s*[A-Za-z_][\w.]*\s*(?:<[\w.\s,<>]{0,200}>)?\s*(?:\[\s*\])?\s*"
_ONE_TYPE = re.compile(f"<{_TYPE}>").match
_ONE_OR_TWO_TYPES = re.compile(f"<{_TYPE}(?:,{_TYPE})?>").match


class Repair(NamedTuple):
    """Text that, put in the place of `start` to `end`, mends a fault; `title` says what it does."""

    title: str
    start: int
    end: int
    text: str


class Fault(NamedTuple):
    """Something TradingView's scanner or parser refuses; offsets count from the start of the chunk.

    `at_line_start` says that TradingView anchors the report in column 1 of the logical line that holds `start`;
    `hint` is our advice beside its words, `repair` what would follow it.
    """

    code: str
    start: int
    end: int
    values: dict[str, str]
    at_line_start: bool = False
    hint: str | None = None
    repair: Repair | None = None


class Scan(NamedTuple):
    """What one chunk consists of.

    `lines` holds where each logical line starts (a line that should have been wrapped differently counts as its own);
    `end` is where the next chunk begins, counted from the start of the source; `open_ended` means that the chunk
    would read differently if text after its end changed, because it holds a triple quote that is never closed;
    `nesting` is a bound on the depth of its tree.
    """

    source: str
    base: int
    types: list[str]
    tokens: list[Token]
    faults: list[Fault]
    comments: list[tuple[int, int]]
    lines: list[int]
    end: int
    open_ended: bool
    nesting: int

    def following(self) -> Token:
        """The first token of the next chunk; its text is empty at the end of the source."""
        start = self.end - self.base
        match = _MASTER.match(self.source, self.end)
        if match is None or match.lastindex == _NEWLINE:
            return (start, start, "")
        text = match.group().lstrip()
        return (start, start + len(text), text)


def scan(source: str, start: int, version: int, unclosed: dict[str, int]) -> Scan:
    """Scan the chunk of `source` that begins at offset `start`, by the layout rules of Pine `version`. Never raises.

    `source` must end with a line break. `unclosed`, empty at first and passed on from chunk to chunk of one source,
    remembers up to where searches for the end of a string failed; it keeps the time in proportion to the text.
    """
    return _Scanner(source, start, version, unclosed).run()


class _Scanner:
    def __init__(self, source: str, start: int, version: int, unclosed: dict[str, int]) -> None:
        self.source = source
        self.base = start
        self.version = version
        self.words = _WORDS if version >= 5 else _WORDS_BEFORE_5
        self.types: list[str] = []
        self.tokens: list[Token] = []
        self.faults: list[Fault] = []
        self.comments: list[tuple[int, int]] = []
        self.lines: list[int] = []
        self.closers: list[str] = []
        self.indents = [0]
        self.statement = 0
        self.line = 0
        self.opener = 0
        self.templates = 0
        self.in_for = False
        self.in_import = False
        self.end = -1
        self.open_ended = False
        self.unclosed = unclosed
        self.longest = 0
        self.deepest = 0

    def run(self) -> Scan:
        position = self._skip_leading()
        while position >= 0:
            position = self._run_from(position)
        if self.end < 0:
            self._finish()
        return Scan(
            self.source,
            self.base,
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
        """Scan until the chunk ends (-1), or until the scan must go on elsewhere (that offset)."""
        source = self.source
        base = self.base
        types = self.types
        words = self.words
        closers = self.closers
        add_type = types.append
        add_token = self.tokens.append
        previous = types[-1] if types else None
        for match in _MASTER.finditer(source, position):
            group = match.lastindex
            start, end = match.span(group)  # pyright: ignore[reportArgumentType]
            if group == _NAME:
                text = source[start:end]
                kind = "NAME"
                if text in words and previous != "DOT":
                    kind = self._word(text, start, end, previous)
                    if kind == "IMPORT":
                        return self._import(start, end)
            elif group == _OPERATOR:
                text = source[start:end]
                kind = _OPERATORS.get(text, "OTHER")
                if kind == "LPAR" or kind == "LSQB":
                    if not closers:
                        self.opener = len(types)
                        if kind == "LSQB" and (previous == "ASSIGN" or previous == "REASSIGN"):
                            self._fault("CE10156", start, end, value='"["')
                    closers.append("RPAR" if kind == "LPAR" else "RSQB")
                elif kind == "RPAR" or kind == "RSQB":
                    if closers:
                        closers.pop()
                elif kind == "OPERATOR":
                    if text == "<":
                        if previous == "NAME" and self._opens_template(start):
                            kind = "TEMPLATE_OPEN"
                            self.templates += 1
                    elif self.templates and text == ">":
                        kind = "TEMPLATE_CLOSE"
                        self.templates -= 1
                elif not closers:
                    if kind == "COMMA":
                        self.statement = len(types) + 1
                    elif kind == "ARROW":
                        self._arrow(previous)
                    elif kind == "ASSIGN" and previous == "RSQB":
                        self._open_tuple_declaration()
            elif group == _NEWLINE:
                if not self._newline(start, end):
                    return -1
                previous = types[-1] if types else None
                continue
            elif group == _NUMBER:
                text = source[start:end]
                kind = "INT" if text.isdigit() else "FLOAT"
            elif group == _STRING:
                text = source[start:end]
                kind = "STRING"
            elif group == _COLOR:
                text = source[start:end]
                kind = "COLOR"
            elif group == _QUOTE:
                return self._quote(start)
            else:
                self._other(start, end)
                continue
            add_type(kind)
            add_token((start - base, end - base, text))
            previous = kind
        return -1

    # words

    def _word(self, text: str, start: int, end: int, previous: str | None) -> str:
        """The type of a word that can be a keyword."""
        if self._binds(text, end, previous):
            self._reserved(text, start, end)
            return "NAME"
        kind = _WORDS[text]
        if kind is None:
            return self._soft_word(text, end, previous)
        if kind == "FOR":
            self.in_for = True
        elif kind == "VAR" and self.closers and _NEXT_ASSIGN(self.source, end):
            return "NAME"
        return kind

    def _binds(self, text: str, end: int, previous: str | None) -> bool:
        """Whether a word stands where a name is given to something, as far as one can tell from what is next to it."""
        if self.closers or previous == "FOR" or text in _NO_BINDING:
            return False
        return previous in ("AS", "TYPE", "ENUM") or _NEXT_ASSIGN(self.source, end) is not None

    def _reserved(self, text: str, start: int, end: int, keyword: str = "") -> None:
        """Report the binding of a reserved word; before v6 only of words that have a meaning, the rest is not known."""
        if text in RESERVED and (self.version >= 6 or _WORDS[text]):
            self._fault("CE10150", start, end, keyword=keyword or text)

    def _soft_word(self, text: str, end: int, previous: str | None) -> str:
        source = self.source
        if text in ("to", "by", "in"):
            in_header = self.in_for and not self.closers and previous in _OPERAND_END
            return text.upper() if in_header else "NAME"
        if text == "as":
            return "AS" if self.in_import else "NAME"
        if text in ("const", "input", "simple", "series"):
            return "QUALIFIER" if previous not in _OPERAND_END and _NEXT_NAME(source, end) else "NAME"
        if self.closers:
            return "NAME"
        if text == "once":
            can_start = previous in _STATEMENT_START or previous in ("ASSIGN", "REASSIGN")
            return "ONCE" if can_start and self.version >= 6 and _NEXT_CONDITION(source, end) else "NAME"
        if previous not in _STATEMENT_START:
            return "NAME"
        if text == "method":
            return "METHOD" if _NEXT_DEFINITION(source, end) else "NAME"
        if text == "import":
            return "IMPORT" if _IMPORT_PATH(source, end) else "NAME"
        return text.upper() if _NEXT_WORD(source, end) else "NAME"

    def _import(self, start: int, end: int) -> int:
        path = _IMPORT_PATH(self.source, end)
        if path is None:
            return end
        self._add("IMPORT", start, end)
        self._add("IMPORT_PATH", path.start(1), path.end(1), "".join(path.group(1).split()))
        self.in_import = True
        return path.end()

    # brackets and arrows

    def _opens_template(self, start: int) -> bool:
        """Whether the `<` at `start`, which follows a name, opens a list of types."""
        tokens = self.tokens
        name = tokens[-1][2]
        if name == "map" or (name == "new" and len(tokens) > 2 and tokens[-3][2] == "map"):
            return _ONE_OR_TWO_TYPES(self.source, start) is not None
        match = _ONE_TYPE(self.source, start)
        if match is None:
            return False
        return self.templates > 0 or name in ("array", "matrix", "new") or self.source[match.end() :][:1] == "("

    def _arrow(self, previous: str | None) -> None:
        """At column one `name(...) =>` declares a function: mark its name."""
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
        """At the start of a statement `[...] =` declares: mark its bracket."""
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
        """Report the reserved words among the names that tokens `first` to `end` declare, and make names of them.

        TradingView doubles the quotation marks for parameters.
        """
        types = self.types
        for index in range(first, end):
            start, stop, text = self.tokens[index]
            following = types[index + 1] if index + 1 < len(types) else ""
            if text in RESERVED and following in ("COMMA", "RPAR", "RSQB", "ASSIGN", "LPAR"):
                if types[index - 1] in ("ASSIGN", "OPERATOR", "SIGN"):
                    continue
                self._reserved(text, start + self.base, stop + self.base, f"{quote}{text}{quote}")
                if types[index] != "FUNCTION_NAME":
                    types[index] = "NAME"

    def _close_brackets(self, start: int) -> None:
        """Report the outermost bracket left open and close them all at `start`.

        An error behind the bracket, such as a string without an end, comes first: it may have swallowed the other end.
        """
        opener_start, opener_end, _ = self.tokens[self.opener]
        if not any(fault.start > opener_start and fault.code != "CW10001" for fault in self.faults):
            is_call = self.closers[0] == "RPAR"
            code, values = ("CE10015", {}) if is_call else ("CE10156", {"value": '"["'})
            self.faults.append(Fault(code, opener_start, opener_end, values, at_line_start=is_call))
        if self.types[-1] == "COMMA":
            self.types.pop()
            self.tokens.pop()
        while self.closers:
            self._add(self.closers.pop(), start, start)
        self.templates = 0

    # layout

    def _newline(self, start: int, end: int) -> bool:
        """Handle a line break with the blank lines, comments and indentation behind it; False when the chunk ends."""
        source = self.source
        types = self.types
        if source.find("//", start, end) >= 0:
            self._comments(start, end)
        if source.find("}", start, end) >= 0 or source.find("{", start, end) >= 0:
            self._braces(start, end)
        at_end = end >= len(source)
        if self.closers:
            if not at_end and not self._bracket_was_left_open(end):
                if self.version < 6 and self._indentation(start, end) % INDENT_WIDTH == 0:
                    self._bad_wrap(start, end)
                return True
            self._close_brackets(start)
        if not types:
            return True
        width = 0 if at_end else self._indentation(start, end)
        if width % INDENT_WIDTH or (types[-1] == "COMMA" and width > self.indents[-1]):
            return True
        if not at_end and self._is_wrapped_badly(start, end, width):
            self.lines.append(end - self.base)
            return True
        self._end_line(start, end, width)
        if width == 0 and types[-1] == "NEWLINE":
            self.end = end
            return False
        self.lines.append(end - self.base)
        return True

    def _comments(self, start: int, end: int) -> None:
        base = self.base
        for found in _COMMENT.finditer(self.source, start, end):
            self.comments.append((found.start() - base, found.end() - base))

    def _braces(self, start: int, end: int) -> None:
        """Report the lines of nothing but braces, which count as blank, so that they do not end a block."""
        for found in _BRACE_LINE.finditer(self.source, start, end):
            self.lines.append(found.start(1) - self.base)
            self._other(found.start(1), found.end(1))

    def _is_wrapped_badly(self, start: int, end: int, width: int) -> bool:
        """Whether the line that begins at `end` must continue the one before, although its indentation says otherwise.

        That is reported, and the lines are joined all the same, unless a statement or a block seems to begin there.
        """
        source = self.source
        types = self.types
        if types[-1] in _BINARY_END and not source.startswith("*/", start - 2):
            self._bad_wrap(start, end)
            is_block = types[self.line] in _HEADERS and width > self.indents[-1] and _LOOKS_LIKE_CODE(source, end)
            return not is_block and not _STATEMENT_AHEAD(source, end)
        if source[end] in _LEADING_CHARACTERS and _LEADING_OPERATOR(source, end) and not source.startswith("=>", end):
            self._leading_operator(end, width)
            return True
        return False

    def _bad_wrap(self, start: int, end: int) -> None:
        """Report the line that ends at `start`, which the line that begins at `end` cannot continue."""
        place = end - self.base
        repair = Repair(_WRAP_TITLE, place, place, " ")
        fault = Fault(
            "CE10156", start - self.base, start - self.base, {"value": END_OF_LINE}, False, _WRAP_HINT, repair
        )
        self.faults.append(fault)

    def _bracket_was_left_open(self, end: int) -> bool:
        """Whether the line that begins at `end` cannot continue the brackets that are open before it."""
        previous = self.types[-1]
        if previous not in _OPERAND_END and previous != "COMMA":
            return False
        word = _WORD(self.source, end)
        if word is None:
            return _TUPLE_DECLARATION(self.source, end) is not None
        text = word.group()
        if text in _LINE_KEYWORDS:
            return not _NEXT_ASSIGN(self.source, word.end())
        return previous != "COMMA" and text != "and" and text != "or"

    def _indentation(self, start: int, end: int) -> int:
        """The width of the white space between the last line break after `start` and `end`; a tab counts as four."""
        source = self.source
        line = max(source.rfind("\n", start, end), source.rfind("\r", start, end)) + 1
        return end - line + 3 * source.count("\t", line, end)

    def _leading_operator(self, end: int, width: int) -> None:
        """Report a line that begins with an operator although its indentation makes it a new line."""
        match = _LEADING_OPERATOR(self.source, end)
        assert match is not None
        operator_end = match.end()
        types = self.types
        expects_block = types[-1] == "ARROW" or not _HEADERS.isdisjoint(types[self.line :])
        start, stop = end - self.base, operator_end - self.base
        repair = Repair(_WRAP_TITLE, start, start, " ")
        operator = match.group()
        if width > self.indents[-1] and not expects_block:
            values = {"unexpectedToken": f'"{operator}"', "expecting": END_OF_LINE}
            self.faults.append(Fault("CE10013", start, stop, values, False, _WRAP_HINT, repair))
        elif self.source.startswith("/*", end):
            self.faults.append(Fault("CE10156", start, stop, {"value": '"new line"'}, True, _COMMENT_HINT))
        else:
            self.faults.append(Fault("CE10156", start, stop, {"value": '"new line"'}, True, _WRAP_HINT, repair))

    def _end_line(self, start: int, end: int, width: int) -> None:
        """Emit the NEWLINE at `start` and the INDENT or DEDENTs that bring the layout to `width` at `end`."""
        indents = self.indents
        self.in_for = self.in_import = False
        self.templates = 0
        tokens = len(self.types) - self.line
        if tokens > self.longest:
            self.longest = tokens
        self._add("NEWLINE", start, start)
        if width > indents[-1]:
            indents.append(width)
            self.deepest = max(self.deepest, len(indents))
            self._add("INDENT", end, end)
        elif width < indents[-1]:
            self._dedent(start, end, width)
        self.line = self.statement = len(self.types)

    def _dedent(self, start: int, end: int, width: int) -> None:
        """Close the blocks that end before a line indented by `width`; a block goes on at a level never opened."""
        indents = self.indents
        word = _WORD(self.source, end)
        is_else = word is not None and word.group() == "else" and not _NEXT_ASSIGN(self.source, word.end())
        while indents[-1] > width and (is_else or indents[-2] >= width):
            indents.pop()
            self._add("DEDENT", start, start)
            self._add("NEWLINE", start, start)
        if len(indents) > 1:
            indents[-1] = width
        if is_else:
            self.types.pop()
            self.tokens.pop()

    def _skip_leading(self) -> int:
        """Pass the blank lines and comments before the first statement."""
        match = _LEADING.match(self.source, self.base)
        position = match.end() if match else self.base
        self._comments(self.base, position)
        self.lines.append(position - self.base)
        return position

    def _finish(self) -> None:
        """Close what is open at the end of the text."""
        end = len(self.source)
        if self.types and self.types[-1] != "NEWLINE":
            self._end_line(end, end, 0)
        self.end = end

    # strings and stray characters

    def _quote(self, start: int) -> int:
        """Read a string that does not end on its line, or an empty or triple-quoted one; returns where to go on."""
        source = self.source
        quote = source[start]
        delimiter = quote * 3 if source.startswith(quote * 3, start) else quote
        end = self._string_across_lines(delimiter, start)
        if end >= 0:
            if delimiter == quote and self.version >= 6:
                self.faults.append(Fault("CW10001", start - self.base, end - self.base, {}, at_line_start=True))
            self._add("STRING", start, end)
            return end
        if len(delimiter) == 3:
            self.open_ended = True
        end = self._broken_string_end(delimiter, start)
        self._fault("CE10017", start, end)
        self._add("STRING", start, end)
        return end

    def _broken_string_end(self, delimiter: str, start: int) -> int:
        """Where to go on after a string that is never closed as it should be.

        That is the end of its line, unless the line in column one that cut it off holds its other end.
        """
        source = self.source
        cut = self._unclosed_end(start) - 1
        tail = _LINE_END.match(source, cut)
        if len(delimiter) == 1 and tail and tail.group().count(delimiter) % 2 and not _LOOKS_LIKE_CODE(tail.group()):
            return source.index(delimiter, cut) + 1
        line_end = _LINE_END.match(source, start)
        return line_end.end() if line_end else start + 1

    def _string_across_lines(self, delimiter: str, start: int) -> int:
        """The end of the string that opens with `delimiter` at `start`, or -1 when it is never closed.

        A failed search is remembered: up to where it failed, every later search would fail as well.
        """
        if start < self.unclosed.get(delimiter, -1):
            return -1
        match = re.compile(STRINGS[delimiter]).match(self.source, start)
        if match:
            return match.end()
        self.unclosed[delimiter] = len(self.source) if len(delimiter) == 3 else self._unclosed_end(start)
        return -1

    def _unclosed_end(self, start: int) -> int:
        """Where the search for the end of a wrapped string gives up: the first line that begins in column one."""
        match = _UNCLOSED_END.search(self.source, start)
        return match.end() if match else len(self.source)

    def _other(self, start: int, end: int) -> None:
        """Report a character that belongs to no token, once a line; in brackets a no-break space is a blank."""
        character = self.source[start]
        if character == "\xa0" and self.closers:
            return
        last = self.faults[-1] if self.faults else None
        if last and last.code == "CE10005" and last.start >= self.lines[-1]:
            return
        hint, replacement = _CHARACTERS.get(character, (None, None))
        place = start - self.base
        quoted = _CURLY_STRING(self.source, start)
        length = 1
        if quoted:
            length, replacement = len(quoted.group()), f'"{quoted.group(1)}"'
        repair = None if replacement is None else Repair(hint or "", place, place + length, replacement)
        values = {"unexpectedToken": f'"{character}"'}
        self.faults.append(Fault("CE10005", place, end - self.base, values, False, hint, repair))

    # helpers

    def _add(self, kind: str, start: int, end: int, text: str | None = None) -> None:
        self.types.append(kind)
        self.tokens.append((start - self.base, end - self.base, self.source[start:end] if text is None else text))

    def _fault(self, code: str, start: int, end: int, **values: str) -> None:
        self.faults.append(Fault(code, start - self.base, end - self.base, values))
