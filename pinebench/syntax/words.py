"""The words and operators of Pine and the types of token that they make."""

from __future__ import annotations

Token = tuple[int, int, str]
"""Start, end (offsets within the chunk) and text of a token."""

OPERATORS = {
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

WORDS: dict[str, str | None] = {**dict.fromkeys(RESERVED | _SOFT_KEYWORDS), **_KEYWORDS}
WORDS_BEFORE_5: dict[str, str | None] = {word: WORDS[word] for word in WORDS if word not in ("switch", "while")}
"""`switch` and `while` came with v5."""
