"""The layout rules of Pine: line breaks, wrapped lines, blocks, open brackets, and faults in them."""

from __future__ import annotations

import re

from pinebench.patterns import lazy_pattern
from pinebench.syntax.faults import END_OF_LINE, Fault, Repair
from pinebench.syntax.habits import COLOR_DIGITS
from pinebench.syntax.strings import looks_like_code
from pinebench.syntax.words import SOFT_KEYWORDS, Token, soft_keywords

INDENT_WIDTH = 4

_LEADING = re.compile(r"\ufeff?(?:[ \t\f\xa0\u3000]*+(?://[^\r\n]*)?(?:\r\n?|\n))*[ \t]*")
_BRACE_LINE = lazy_pattern(r"(?<=[\r\n])[ \t]*+([{}])")
_COMMENT = re.compile(r"//[^\r\n]*")
_STATEMENT_AHEAD = lazy_pattern(
    r"(?:(?:var|varip)[ \t]+)?(?:[A-Za-z_][\w.<>]*(?:\[\])?[ \t]+)?[A-Za-z_][\w.]*[ \t]*(?:[:+*/%-]=|=(?![=>]))"
    r"|(?:if|for|while|break|continue|import|export)\b|\[[\w\s,]*\][ \t]*=(?![=>])|[^\r\n]*=>"
)

OPERAND_END = frozenset(("NAME", "INT", "FLOAT", "STRING", "COLOR", "BOOL", "RPAR", "RSQB"))
_BINARY_END = frozenset(("OPERATOR", "SIGN", "NOT", "QUESTION", "COLON", "ASSIGN", "REASSIGN", "DOT"))
"""The kinds of tokens with which a line cannot end."""
_HEADERS = frozenset(
    ("IF", "FOR", "WHILE", "SWITCH", "ELSE", *(SOFT_KEYWORDS[word].token for word in soft_keywords("block")))
)
_LINE_KEYWORDS = frozenset(
    ("if", "for", "while", "switch", "var", "varip", "export", "import", "else", "break", "continue")
)
"""Words that never occur inside brackets. If a line starts with one, a bracket before it was left open."""

NEXT_ASSIGN = re.compile(r"[ \t]*=(?![=>])").match
_TUPLE_DECLARATION = lazy_pattern(r"\[[\w\s,]*\][ \t]*=(?![=>])")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*").match

_LEADING_CHARACTERS = frozenset("ao?:*%./<>=!")
_LEADING_OPERATOR = lazy_pattern(r"(?:and|or)\b(?![ \t]*=(?![=>]))|[?:*%.]|/(?!/)|[<>=!]=|[<>]")

_WRAP_HINT = "indent a continued line by a number of spaces that is not a multiple of four, or put it in parentheses"
_WRAP_TITLE = "indent the continued line by one more space"
_COMMENT_HINT = "Pine has no /* */ comments; begin each line with //"
_FIRST_PICTURE = "\U0001f000"
_NAMES_HINT = "names are made of the letters a to z, digits and `_`; use other characters in texts and comments only"
_CHARACTERS: dict[str, tuple[str, str | None]] = {
    ";": ("Pine needs no semicolons; a comma separates statements on one line", ""),
    "{": ("blocks are made by indentation, without braces", None),
    "}": ("blocks are made by indentation, without braces", None),
    "&": ("write `and`", None),
    "|": ("write `or`", None),
    "!": ("write `not`", None),
    "~": ("Pine writes `!=` for unequal and `not` for the opposite", None),
    "^": ("Pine writes `math.pow(x, y)`", None),
    "@": ("write annotations in comments, as in `//@variable`", None),
    "`": ("use straight quotation marks; `str.format()` fills a text with values", None),
    "#": (COLOR_DIGITS, None),
    "\xa0": ("replace the no-break space by a normal space", " "),
    "\u201c": ("use straight quotation marks", None),
    "\u201d": ("use straight quotation marks", None),
    "\u2018": ("use straight apostrophes", None),
    "\u2019": ("use straight apostrophes", None),
    "\u2013": ("write a plain minus sign", "-"),
    "\u2212": ("write a plain minus sign", "-"),
}
"""Characters that Pine does not know but people write: our hint, and an unambiguous replacement if there is one."""
_CURLY_STRING = lazy_pattern(r"[\u201c\u201d]([^\u201c\u201d\"\\\r\n]*)[\u201c\u201d]")


def can_begin_statement(indentation: str) -> bool:
    """Return whether a line with this indentation can begin a statement; if not, it continues the line before."""
    return (len(indentation) + (INDENT_WIDTH - 1) * indentation.count("\t")) % INDENT_WIDTH == 0


class ChunkLayout:
    """The tokens of a chunk (top-level statement) scanned so far, and the rules for its lines.

    `closers` are the closing brackets that are still expected, and `indents` are the widths of the open blocks.
    `statement`, `line` and `opener` are the indices of the tokens that start the statement, the line and the outermost
    open bracket. `headers` caches the search of one line for words that open a block: its progress and its result.
    `templates` counts the open lists of types. `end` is the end of the chunk, or -1 while it is unknown.
    """

    def __init__(self, source: str, start: int, version: int) -> None:
        self.source = source
        self.offset = start
        self.version = version
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
        self.headers = (-1, 0, False)
        self.longest = 0
        self.deepest = 0
        self.latest = -1
        self.looked_at = 0

    def _skip_leading(self) -> int:
        match = _LEADING.match(self.source, self.offset)
        position = match.end() if match else self.offset
        self._comments(self.offset, position)
        self.lines.append(position - self.offset)
        return position

    def _newline(self, start: int, end: int) -> bool:
        """Handle a line break with the blank lines, comments and indentation after it. Return False if the chunk
        ends here."""
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
            self.lines.append(end - self.offset)
            return True
        self._end_line(start, end, width)
        if width == 0 and types[-1] == "NEWLINE":
            self.end = end
            return False
        self.lines.append(end - self.offset)
        return True

    def _finish(self) -> None:
        """Close everything that is open at the end of the text."""
        end = len(self.source)
        if self.types and self.types[-1] != "NEWLINE":
            self._end_line(end, end, 0)
        self.end = end

    def _is_wrapped_badly(self, start: int, end: int, width: int) -> bool:
        """Whether the line that starts at `end` must continue the line before, although its indentation is a
        block's.

        This is reported. The lines are joined anyway, unless a statement or a block seems to start there.
        """
        source = self.source
        types = self.types
        if types[-1] in _BINARY_END and not source.startswith("*/", start - 2):
            self._bad_wrap(start, end)
            is_block = types[self.line] in _HEADERS and width > self.indents[-1] and looks_like_code(source, end)
            return not is_block and not _STATEMENT_AHEAD.match(source, end)
        if source[end] not in _LEADING_CHARACTERS or source.startswith("=>", end):
            return False
        if _LEADING_OPERATOR.match(source, end):
            self._leading_operator(end, width)
            return True
        return False

    def _bad_wrap(self, start: int, end: int) -> None:
        """Report that the line that ends at `start` cannot be continued by the line that starts at `end`."""
        place = end - self.offset
        repair = Repair(_WRAP_TITLE, place, place, " ")
        fault = Fault(
            "CE10156", start - self.offset, start - self.offset, {"value": END_OF_LINE}, False, _WRAP_HINT, repair
        )
        self.faults.append(fault)

    def _leading_operator(self, end: int, width: int) -> None:
        """Report a line that begins with an operator although its indentation makes it a new line."""
        match = _LEADING_OPERATOR.match(self.source, end)
        assert match is not None
        operator_end = match.end()
        types = self.types
        expects_block = types[-1] == "ARROW" or self._line_has_header()
        start, stop = end - self.offset, operator_end - self.offset
        operator = match.group()
        # A single `>` may be the rest of the arrow of a switch.
        repair = Repair(_WRAP_TITLE, start, start, " ") if operator != ">" else None
        if width > self.indents[-1] and not expects_block:
            values = {"unexpectedToken": f'"{operator}"', "expecting": END_OF_LINE}
            self.faults.append(Fault("CE10013", start, stop, values, False, _WRAP_HINT, repair))
        elif self.source.startswith("/*", end):
            self.faults.append(Fault("CE10156", start, stop, {"value": '"new line"'}, True, _COMMENT_HINT))
        else:
            self.faults.append(Fault("CE10156", start, stop, {"value": '"new line"'}, True, _WRAP_HINT, repair))

    def _line_has_header(self) -> bool:
        """Whether a word that opens a block is on the current line. The result for the searched part is cached."""
        line, seen, found = self.headers
        if line != self.line:
            line, seen, found = self.line, self.line, False
        found = found or not _HEADERS.isdisjoint(self.types[seen:])
        self.headers = (line, len(self.types), found)
        return found

    def _bracket_was_left_open(self, end: int) -> bool:
        """Whether the line that starts at `end` cannot continue the brackets that are open before it."""
        previous = self.types[-1]
        if previous not in OPERAND_END and previous != "COMMA":
            return False
        word = _WORD(self.source, end)
        if word is None:
            return _TUPLE_DECLARATION.match(self.source, end) is not None
        text = word.group()
        if text in _LINE_KEYWORDS:
            return not NEXT_ASSIGN(self.source, word.end())
        return previous != "COMMA" and text != "and" and text != "or"

    def _latest_error(self) -> int:
        """The start of the last error found so far, or -1. Each fault is looked at once."""
        for fault in self.faults[self.looked_at :]:
            if fault.code != "CW10001":
                self.latest = max(self.latest, fault.start)
        self.looked_at = len(self.faults)
        return self.latest

    def _close_brackets(self, start: int) -> None:
        """Report the outermost open bracket, and close all open brackets at `start`.

        An error after the bracket, such as an unclosed string, is reported instead: it may have swallowed the closing
        bracket.
        """
        opener_start, opener_end, _ = self.tokens[self.opener]
        if self._latest_error() <= opener_start:
            is_call = self.closers[0] == "RPAR"
            code, values = ("CE10015", {}) if is_call else ("CE10156", {"value": '"["'})
            self.faults.append(Fault(code, opener_start, opener_end, values, at_line_start=is_call))
        if self.types[-1] == "COMMA":
            self.types.pop()
            self.tokens.pop()
        while self.closers:
            self._add(self.closers.pop(), start, start)
        self.templates = 0

    def _end_line(self, start: int, end: int, width: int) -> None:
        """Add the NEWLINE at `start`, and the INDENT or DEDENT tokens for an indentation of `width` at `end`."""
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
        """Close the blocks that end before a line indented by `width`. A block continues at a level that was never
        opened."""
        indents = self.indents
        word = _WORD(self.source, end)
        is_else = word is not None and word.group() == "else" and not NEXT_ASSIGN(self.source, word.end())
        while indents[-1] > width and (is_else or indents[-2] >= width):
            indents.pop()
            self._add("DEDENT", start, start)
            self._add("NEWLINE", start, start)
        if len(indents) > 1:
            indents[-1] = width
        if is_else:
            self.types.pop()
            self.tokens.pop()

    def _indentation(self, start: int, end: int) -> int:
        """The width of the white space between the last line break after `start` and `end`. A tab counts as four."""
        source = self.source
        line = max(source.rfind("\n", start, end), source.rfind("\r", start, end)) + 1
        return end - line + 3 * source.count("\t", line, end)

    def _comments(self, start: int, end: int) -> None:
        offset = self.offset
        for found in _COMMENT.finditer(self.source, start, end):
            self.comments.append((found.start() - offset, found.end() - offset))

    def _braces(self, start: int, end: int) -> None:
        """Report lines that contain only braces. They count as blank lines, so that they do not end a block."""
        for found in _BRACE_LINE.finditer(self.source, start, end):
            self.lines.append(found.start(1) - self.offset)
            self._other(found.start(1), found.end(1))

    def _other(self, start: int, end: int) -> None:
        """Report a character that is not part of any token, once for each line. In brackets, a no-break space is a
        blank."""
        character = self.source[start]
        if character == "\xa0" and self.closers:
            return
        last = self.faults[-1] if self.faults else None
        if last and last.code == "CE10005" and last.start >= self.lines[-1]:
            return
        hint, replacement = _CHARACTERS.get(character, (None, None))
        if hint is None and replacement is None and (character.isalpha() or character > _FIRST_PICTURE):
            hint = _NAMES_HINT
        place = start - self.offset
        quoted = _CURLY_STRING.match(self.source, start)
        length = 1
        if quoted:
            length, replacement = len(quoted.group()), f'"{quoted.group(1)}"'
        repair = None if replacement is None else Repair(hint or "", place, place + length, replacement)
        values = {"unexpectedToken": f'"{character}"'}
        self.faults.append(Fault("CE10005", place, end - self.offset, values, False, hint, repair))

    def _add(self, kind: str, start: int, end: int, text: str | None = None) -> None:
        self.types.append(kind)
        self.tokens.append((start - self.offset, end - self.offset, self.source[start:end] if text is None else text))

    def _fault(self, code: str, start: int, end: int, **values: str) -> None:
        self.faults.append(Fault(code, start - self.offset, end - self.offset, values))
