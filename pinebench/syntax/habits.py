"""Habits of other languages in a line that could not be read, and what Pine has instead."""

from __future__ import annotations

import re

_STRINGS = re.compile(r"\"[^\"]*\"|'[^']*'")
_INDENTED = "the block below is indented by four spaces"

_HABITS: tuple[tuple[str, str], ...] = (
    (
        r"(?:def|function|func|fn|fun|sub)\s+\w+\s*\(",
        "Pine declares a function as `name(parameters) =>`, and the last line of its block is the result",
    ),
    (r"return\b", "Pine has no `return`: the last line of a function is its result"),
    (r"(?:elif|elsif|elseif)\b", "Pine writes `else if`"),
    (r"(?:case|default)\b", "in a `switch` Pine writes `value => result`, and `=> result` for the rest"),
    (r"for\s*\(", "Pine writes `for i = 0 to 4`, both ends included"),
    (r"(?:class|struct)\b", "Pine declares a type of its own with `type` and a field a line"),
    (r"(?:from|import)\s+\w+(?:\s|$)", "Pine imports libraries: `import User/Library/1`"),
    (r"(?:if|else|else if|while|for|switch)\b[^?]*:\s*$", f"Pine needs no `:`; {_INDENTED}"),
    (r"(?:if|while)\b.*\b(?:then|do)\s*$", f"Pine needs no `then` or `do`; {_INDENTED}"),
    (
        r"\w+\[[^\[\]]*\]\s*:?=(?!=)",
        "`[]` looks back in time: an element is changed with `array.set(id, index, value)`",
    ),
    (r".*\w(?:\+\+|--)\s*\)?\s*$", "Pine counts with `x += 1` and `x -= 1`"),
    (r"else\b\s*$", "an `else` stands right below the block of its `if`, and as far to the right as that `if`"),
    (r".*=\s*lambda\b", "Pine declares functions by name: `f(x) => x + 1`"),
    (r".*\bnew\s+[A-Za-z_]\w*\s*\(", "Pine makes an object with `new` behind its type: `Level.new(close)`"),
    (r".*\bis\s+(?:not\s+)?(?:None|na|null|nil)\b", "Pine tests for emptiness with `na(x)` and `not na(x)`"),
    (r".*\?\?", "Pine writes `nz(x, y)` for `y` where `x` is `na`"),
    (r".*\*\*", "Pine writes `math.pow(x, y)`"),
    (r".*[(,=+\s]f''", "Pine has no such strings: join with `+` and `str.tostring()`, or use `str.format()`"),
    (r"\w+\s*=\s*(?:\w+|\([\w\s,]*\))\s*=>", "Pine declares functions by name: `f(x) => x + 1`"),
    (r"if\b.*[^=<>!:+\-*/%]=[^=>]", "Pine compares with `==`"),
)
"""How a line looks, from its first word on, strings emptied and without its comment; and what to say about it."""

_HEADER = re.compile(r"\w+\s*\([\w\s,.=<>]*\)\s*$")
_BLOCK = re.compile(r"(?:if|else|for|while)\b")
_FUNCTION = re.compile(r"\w+\s*\([\w\s,.=<>]*\)\s*=>")
_NO_ARROW = "a function needs `=>` behind its parameters"


def advice(line: str, before: str) -> str | None:
    """What Pine has instead of what stands in `line`, which could not be read; `before` is the line above it."""
    shown = _bare(line)
    for pattern, told in _HABITS:
        if re.match(pattern, shown):
            return told
    if line[:1] in " \t" and _BLOCK.match(_bare(before)) and _FUNCTION.match(shown):
        return "a function is declared at the top level, outside of blocks"
    if line[:1] in " \t" and before[:1] not in " \t" and _HEADER.match(_bare(before)):
        return _NO_ARROW
    return None


def _bare(line: str) -> str:
    return _STRINGS.sub("''", line).partition("//")[0].strip()
