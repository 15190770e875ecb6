"""Habits of other languages in a line that could not be read, and what Pine has instead."""

from __future__ import annotations

import re

_STRINGS = re.compile(r"\"[^\"]*\"|'[^']*'")
_LOOPS = "loops are `for i = 0 to 9`, `for x in array` and `while condition`"
_INDENTED = "the block below is indented by four spaces"

NO_EXCEPTIONS = "Pine has no exceptions: test beforehand, as with `na()`; `runtime.error()` stops a script"
_TYPES = "int|float|bool|string|color|line|label|box|table"
_HABITS: tuple[tuple[str, str], ...] = (
    (
        r"(?:def|function|func|fn|fun|sub)\s+\w+\s*\(",
        "Pine declares a function as `name(parameters) =>`, and the last line of its block is the result",
    ),
    (r"(?:unless|until)\b", "Pine writes `if not ...` and `while not ...`"),
    (r"(?:try|catch|except|finally|throw|raise)\b", NO_EXCEPTIONS),
    (r"#(?![0-9A-Fa-f]{3})", "comments begin with `//`"),
    (r"return\b", "Pine has no `return`: the last line of a function is its result"),
    (r"(?:elif|elsif|elseif)\b", "Pine writes `else if`"),
    (r"(?:case|default)\b", "in a `switch` Pine writes `value => result`, and `=> result` for the rest"),
    (r"for\b[^(]*;", "Pine writes `for i = 0 to 4`, both ends included"),
    (
        rf"(?:void|{_TYPES})\s+\w+\s*\([^()]*\)\s*(?:=>|:|$)",
        "a function is declared without a type before its name: `f(x) =>`",
    ),
    (
        r"method\s+\w+\s*\([^()]*\)\s*:?\s*$",
        "a method stands outside of its type, which its first parameter names: `method grow(Level this) =>`",
    ),
    (
        rf"\w+\s*\([^()]*\)\s*(?:->\s*|:\s*)?(?:{_TYPES})\s*=>",
        "a function says nothing of its result's type: `f(float x) =>`",
    ),
    (rf"(?:{_TYPES})\s+(?:var|varip)\b", "`var` stands before the type: `var float x = 0`"),
    (rf"\w+\s*\(.*\b\w+\s*:\s*(?:{_TYPES})\b.*=>", "the type stands before the name: `f(float x) =>`"),
    (r"(?:if|while)\b[^()?]*,", "conditions are joined by `and` and `or`"),
    (
        r"if\b.*[\w)\]]\s+(?!and\b|or\b|not\b|then\b)[A-Za-z_][\w.]*\s*(?:\(|:?=(?!=))",
        "what an `if` does stands on the next line, indented by four spaces",
    ),
    (rf"(?:(?:{_TYPES})|\w+)\s+\w+(?:\s*=[^,()]*)?,\s*$", "a field stands on its own line, without a comma"),
    (r".*#(?![0-9A-Fa-f]{3})", "comments begin with `//`"),
    (r"for\s*\(", "Pine writes `for i = 0 to 4`, both ends included"),
    (r"(?:class|struct)\b", "Pine declares a type of its own with `type` and a field a line"),
    (r"import\s+\w+/\w+\s*(?:as\s+\w+\s*)?$", "an import names the library's version: `import User/Library/1 as name`"),
    (r"(?:from|import)\s+\w+(?:\s|$)", "Pine imports libraries: `import User/Library/1`"),
    (
        r"(?:strategy|indicator)\.\w+\s*:?=(?!=)",
        "properties of a script are arguments of `strategy(...)` or `indicator(...)`",
    ),
    (r"\w+\s*=\s*\w+\s*=(?![=<>])", "variables are declared one by one: `a = 5` and `b = 5`"),
    (r"\[[\w\s,]*\]\s*:=", "variables are changed one by one: `a := b`, with the old value kept in one more"),
    (r"for\b.*\d\s*\.\.+\s*\w", "Pine writes `for i = 0 to 4`, both ends included"),
    (r"(?:const|let|var)\s+\w+\s*=\s*(?:\w+|\([\w\s,]*\))\s*=>", "Pine declares functions by name: `f(x) => x + 1`"),
    (rf"(?:var|varip)\s+(?:(?:{_TYPES})\s+)?\w+\s*$", "a variable begins with a value: `var int count = 0`"),
    (r"for\b.*\bto\b.*\bstep\b", "Pine writes `for i = 0 to 10 by 2`"),
    (
        r"(?:\w+\s+)*\w+\s*:\s*(?:int|float|bool|string|color|line|label|box|table)\b(?!\.)",
        "the type stands before the name, as in `float price`",
    ),
    (r".*=\s*\[\s*\]\s*$", "an empty array is made by `array.new<float>()`"),
    (r".*=\s*\{", "Pine has no such literals: `map.new<string, float>()` makes a map, `array.from(1, 2)` an array"),
    (r"(?:if|else|else if|while|for|switch)\b[^?]*:\s*$", f"Pine needs no `:`; {_INDENTED}"),
    (r"(?:if|while)\b.*\b(?:then|do)\s*$", f"Pine needs no `then` or `do`; {_INDENTED}"),
    (
        r"\w+\[[^\[\]]*\]\s*:?=(?!=)",
        "`[]` looks back in time: an element is changed with `array.set(id, index, value)`, of a map with `map.put()`",
    ),
    (r".*=\s*\S.*\bif\b.*\belse\b", "Pine writes `condition ? a : b`"),
    (r"(?!for\b).*\w\s+(?:not\s+)?in\s+\w", "`array.includes(id, value)` asks whether an array has a value"),
    (r".*\w\[[^\]?]*:[^\]?]*\]", "`[]` looks back in time: a part of an array is `array.slice(id, from, to)`"),
    (r".*[\w)\]']\s*->", "Pine writes `=>`"),
    (r".*[^=<>!:]=<", "Pine writes `<=`"),
    (r"\w+\s*=\s*(\w+)\s*=>(?!.*\b\1\b)", "Pine writes `>=`"),
    (r".*\(\s*(?:\([\w\s,]*\)|\w+)\s*=>", "Pine has no functions without a name; `for x in array` walks through one"),
    (r".*\w(?:\+\+|--)\s*\)?\s*$", "Pine counts with `x += 1` and `x -= 1`"),
    (r"else\b\s*$", "an `else` stands right below the block of its `if`, and as far to the right as that `if`"),
    (r"(?:.*=\s*)?lambda\b", "Pine declares functions by name: `f(x) => x + 1`"),
    (r".*\bnew\s+[A-Za-z_]\w*\s*\(", "Pine makes an object with `new` behind its type: `Level.new(close)`"),
    (r".*\bis\s+(?:not\s+)?(?:None|na|null|nil)\b", "Pine tests for emptiness with `na(x)` and `not na(x)`"),
    (r".*\?\?", "Pine writes `nz(x, y)` for `y` where `x` is `na`"),
    (r".*\*\*", "Pine writes `math.pow(x, y)`"),
    (r".*[(,=+\s]f''", "Pine has no such strings: join with `+` and `str.tostring()`, or use `str.format()`"),
    (r"\w+\s*=\s*(?:\w+|\([\w\s,]*\))\s*=>", "Pine declares functions by name: `f(x) => x + 1`"),
    (r"if\b.*[^=<>!:+\-*/%]=[^=>]", "Pine compares with `==`"),
)
"""How a line looks, from its first word on, strings emptied and without its comment; and what to say about it."""

_LONGEST = 1_000
"""Characters; nobody writes longer lines by habit, and patterns take long on them."""
_HEADER = re.compile(r"\w+\s*\([\w\s,.=<>]*\)\s*$")
_BLOCK = re.compile(r"(?:if|else|for|while)\b")
_FUNCTION = re.compile(r"\w+\s*\([\w\s,.=<>]*\)\s*=>")
_NO_ARROW = "a function needs `=>` behind its parameters"


def advice(line: str, before: str) -> str | None:
    """What Pine has instead of what stands in `line`, which could not be read; `before` is the line above it."""
    if max(len(line), len(before)) > _LONGEST:
        return None
    shown = _bare(line)
    if re.match(r"(?:try|do|begin|repeat|loop)\s*[:{]?\s*$", _bare(before)):
        return NO_EXCEPTIONS if _bare(before).startswith("try") else f"Pine has no such block; {_LOOPS}"
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
