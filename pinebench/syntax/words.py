"""The words and operators of Pine, and their token types."""

from __future__ import annotations

from typing import Literal

from pinebench.records import NamedTuple

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
Role = Literal["range", "alias", "qualifier", "declaration", "block"]
"""The part of the language that a soft keyword belongs to; it decides where the scanner reads the word as a keyword."""


class SoftKeyword(NamedTuple):
    """A word that is a keyword in some places and a name elsewhere. `token` is its token type as a keyword."""

    token: str
    role: Role


SOFT_KEYWORDS = {
    "to": SoftKeyword("TO", "range"),
    "by": SoftKeyword("BY", "range"),
    "in": SoftKeyword("IN", "range"),
    "as": SoftKeyword("AS", "alias"),
    "const": SoftKeyword("QUALIFIER", "qualifier"),
    "simple": SoftKeyword("QUALIFIER", "qualifier"),
    "series": SoftKeyword("QUALIFIER", "qualifier"),
    "input": SoftKeyword("QUALIFIER", "qualifier"),
    "type": SoftKeyword("TYPE", "declaration"),
    "enum": SoftKeyword("ENUM", "declaration"),
    "method": SoftKeyword("METHOD", "declaration"),
    "export": SoftKeyword("EXPORT", "declaration"),
    "import": SoftKeyword("IMPORT", "declaration"),
    "once": SoftKeyword("ONCE", "block"),
}
"""All soft keywords. The scanner, highlighting, completion and renaming read this table."""


def soft_keywords(*roles: Role) -> tuple[str, ...]:
    """Return the soft keywords that have one of `roles`, in the order of the table."""
    return tuple(word for word, soft in SOFT_KEYWORDS.items() if soft.role in roles)


RESERVED = frozenset(
    (
        *("and", "as", "break", "by", "continue", "do", "else", "export", "false", "for", "if", "import", "in", "not"),
        *("or", "return", "switch", "to", "true", "var", "varip", "while"),
        *("catch", "class", "ellipse", "is", "polygon", "range", "struct", "text", "throw", "try"),
    )
)
"""Words that cannot be used as a name, although many of them have no meaning in the language."""

WORDS: dict[str, str | None] = {**dict.fromkeys(RESERVED.union(SOFT_KEYWORDS)), **_KEYWORDS}
WORDS_BEFORE_5: dict[str, str | None] = {word: WORDS[word] for word in WORDS if word not in ("switch", "while")}
"""The words of versions before 5, which introduced `switch` and `while`."""
