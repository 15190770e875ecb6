"""The white space between two tokens of a row."""

from __future__ import annotations

from pinebench.syntax.layout import OPERAND_END

_NONE_BEFORE = frozenset(("COMMA", "RPAR", "RSQB", "DOT", "TEMPLATE_OPEN", "TEMPLATE_CLOSE"))
_NONE_BEHIND = frozenset(("LPAR", "LSQB", "TUPLE_OPEN", "DOT", "TEMPLATE_OPEN"))
_CALLED = frozenset(("NAME", "FUNCTION_NAME", "TEMPLATE_CLOSE", "RPAR", "RSQB"))
_INDEXED = OPERAND_END | {"TEMPLATE_CLOSE"}


def is_unary(before: list[str]) -> bool:
    """Return whether a sign after tokens of the types `before` is a unary operator."""
    return not before or before[-1] not in OPERAND_END


def space_before(before: list[str], kind: str) -> int:
    """Return the number of blanks, 0 or 1, between tokens of the types `before` and a token of type `kind` on the same
    row.

    The style guide has spaces on both sides of operators except unary ones, after commas, and around the `=` of named
    arguments.
    """
    previous = before[-1]
    if kind in _NONE_BEFORE or previous in _NONE_BEHIND:
        return 0
    if kind == "LPAR":
        return int(previous not in _CALLED)
    if kind == "LSQB":
        return int(previous not in _INDEXED)
    if previous == "SIGN":
        return int(not is_unary(before[-2:-1]))
    return 1
