"""Recognizes syntax of other languages in a line that could not be parsed, and suggests the Pine equivalent."""

from __future__ import annotations

import re

from pinebench.patterns import lazy_pattern

_STRINGS = lazy_pattern(r"\"[^\"]*\"|'[^']*'")
_LOOPS = "loops are `for i = 0 to 9`, `for x in array` and `while condition`"
_INDENTED = "the block below is indented by four spaces"

NO_EXCEPTIONS = "Pine has no exceptions: test first, as with `na()`; `runtime.error()` stops a script"
_TYPES = "int|float|bool|string|color|line|label|box|table"
_WORD = r"(?!and\b|or\b|not\b|if\b|for\b|while\b|switch\b|in\b|to\b|by\b)[A-Za-z]\w*"
_COUNTS = "a loop that counts is `for i = 0 to 4`, both ends included"
_OPENS = (
    "if|else|elif|elseif|while|for|switch|var|varip|type|enum|method|import|export|from|once|not|return|def|function"
)
COLOR_DIGITS = "a colour has six or eight digits from 0 to 9 and A to F, as in `#FF0000`"

_HABITS: tuple[tuple[str, str], ...] = (
    (r"```", "a script has no lines of backticks (```): delete the line"),
    (
        r".*&(?:gt|lt|amp|quot|nbsp|#\d+);",
        "`&gt;` is what web pages write for `>`, `&lt;` for `<`: write the sign itself",
    ),
    (r"(?:.*[\s(])?\.\.\.\s*$", "`...` stands for code that was left out: write that code"),
    (
        rf"(?!(?:{_OPENS})\b)(?:[A-Za-z][\w']*[,:]?[ \t]+){{2,}}[A-Za-z][\w']*[ \t]*[:.!]?$",
        "explanations belong in comments, which begin with `//`",
    ),
    (r"[A-Za-z]\w*-[A-Za-z][\w-]*\s*:?=(?![=>])", "a name has no `-`: its words are joined by `_`, as in `my_value`"),
    (r"\d+[A-Za-z_]\w*\s*:?=(?![=>])", "a name begins with a letter: `ema2`"),
    (
        rf"(?:indicator|strategy|library|study)\s*\(\s*(?:title\s*=\s*)?{_WORD}\s+[\w&:/-]",
        'a title is a text in quotation marks: `indicator("My script")`',
    ),
    (r"(?:if|else if|elif)\b[^=]*(?:[<>=!]=[^=]*)*=>", "a branch of a `switch` is `condition => result`, without `if`"),
    (rf"{_WORD}\.\w+\s*\([^()]*\)\s*=>", "a method is declared as `method name(Type this) =>`"),
    (
        rf"(?:(?:var\s+)?(?:{_TYPES})\s+)?\w+(?:\s*,\s*(?:(?:{_TYPES})\s+)?\w+)+\s*=(?![=>])",
        "unpack several results of a function with `[a, b] = f()`; declare other variables one by one",
    ),
    (
        rf"\[[^\]]*\b(?:{_TYPES})\s+\w[^\]]*\]\s*=(?![=>])",
        "names in brackets are written without types: `[a, b] = f()`",
    ),
    (r"for\s+\w+\s*:?=(?!.*\bto\b)", _COUNTS),
    (r"for\s+\w+\s+in\s+range\s*\(", f"{_COUNTS}; Pine needs no `range` and no `:`"),
    (r"for\s+\w+\s+of\s+\w", "a loop over an array is `for value in array`"),
    (
        r"(?!for\b).*\w\s+(?:not\s+)?in\s+[\[(]",
        "`array.includes(id, value)` tests whether an array has a value; `array.from(1, 2)` makes one",
    ),
    (r"assert\b", "Pine has no `assert`: an `if` with `runtime.error()` in its block stops a script"),
    (r"del\s+\w", "Pine has no `del`: drawings have `delete()`, and an element of an array `array.remove(id, index)`"),
    (
        r"(?:global|nonlocal)\s+\w",
        "Pine has no `global`: a function cannot change a variable outside of it, but returns a result",
    ),
    (
        r".*\bnew\s+(?:array|matrix|map)\b",
        "`new` follows the kind of collection, as in `array.new<float>()` and `map.new<string, float>()`",
    ),
    (
        r"(?!if\b|for\b|while\b|switch\b)\w[\w.]*\s*\(.*\)\s+if\s+\w",
        "the condition comes first: `if` and the condition, and the call on the next line, indented by four spaces",
    ),
    (r".*=\s*\[[^\]]*\]\s*\*\s*\w", "`array.new<float>(5, 0.0)` makes an array of five equal values"),
    (
        rf"for\s+\(?\s*{_WORD}\s*,\s*{_WORD}\s*\)?\s+in\b",
        "a loop over an array with its index is `for [index, value] in array`",
    ),
    (
        r".*\[.+\sfor\s+\w+\s+(?:in\b|=)",
        "Pine fills an array in a loop: `for i = 0 to 9` and `array.push(id, close[i])`",
    ),
    (r".*[(,]\s*\{", "Pine has no such literals: values are given one by one, as in `Level.new(close, 2)`"),
    (r"else\s+(?!if\b)[A-Za-z]", "the block of an `else` is on the next line, indented by four spaces"),
    (r"(?:.*=\s*)?if\b.*\bthen\b.*\belse\b", "Pine writes `condition ? a : b`"),
    (
        r".*[=(,]\s*\d+\s?(?:m|min|h|H|d|D|w|W|M)\s*(?:$|[,)])",
        'a timeframe is a text: `"15"` is fifteen minutes, `"60"` an hour, `"D"` a day',
    ),
    (rf"(?:{_TYPES})\?\s+\w", "every variable but a bool can be `na`: `float x = na`"),
    (r"\w+\s*\([^()]*\)\s*(?:->|:)\s*\w+\s*(?:=>|:)", "the return type is not written: `f(float x) =>`"),
    (r".*\b0[xX][0-9A-Fa-f]", "a colour is written `#FF0000`, and a number in decimal digits"),
    (
        r".*\d\s*%\s*(?:$|[,)])",
        "`%` gives the remainder of a division: 90 % is `0.9`, or `90` where a percentage is expected",
    ),
    (r".*''\s*&(?!&)|.*[^&]&\s*''", "texts are joined by `+`"),
    (
        r"(?:def|function|func|fn|fun|sub)\s+\w+\s*\(",
        "Pine declares a function as `name(parameters) =>`, and the last line of its block is the result",
    ),
    (r"(?:unless|until)\b", "Pine writes `if not ...` and `while not ...`"),
    (r"(?:try|catch|except|finally|throw|raise)\b", NO_EXCEPTIONS),
    (r".*[=(,?:]\s*#(?!(?:[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})\b)\w", COLOR_DIGITS),
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
        "a method is declared outside of its type, with an object as first parameter: `method grow(Level this) =>`",
    ),
    (rf"\w+\s*\([^()]*\)\s*(?:->\s*|:\s*)?(?:{_TYPES})\s*=>", "the return type is not written: `f(float x) =>`"),
    (rf"(?:{_TYPES})\s+(?:var|varip)\b", "write `var` before the type: `var float x = 0`"),
    (rf"\w+\s*\(.*\b\w+\s*:\s*(?:{_TYPES})\b.*=>", "write the type before the name: `f(float x) =>`"),
    (r"(?:if|while)\b[^()?]*,", "conditions are joined by `and` and `or`"),
    (
        r"if\b.*[\w)\]](?<!\bnot)(?<!\band)(?<!\bor)\s+(?!and\b|or\b|not\b|then\b)[A-Za-z_][\w.]*\s*(?:\(|:?=(?!=))",
        "the block of an `if` is on the next line, indented by four spaces",
    ),
    (rf"(?:(?:{_TYPES})|\w+)\s+\w+(?:\s*=[^,()]*)?,\s*$", "write each field on its own line, without a comma"),
    (r".*#(?![0-9A-Fa-f]{3})", "comments begin with `//`"),
    (r"for\s*\(", "Pine writes `for i = 0 to 4`, both ends included"),
    (r"(?:class|struct)\b", "Pine declares a type with `type` and one field on each line"),
    (
        r"(?:from|import)\s+[\w.'\"@-]+(?:/\w+)?/?(?:\s|$)",
        "Pine imports libraries by author, name and version: `import User/Library/1`",
    ),
    (
        r"(?:strategy|indicator)\.\w+\s*:?=(?!=)",
        "properties of a script are arguments of `strategy(...)` or `indicator(...)`",
    ),
    (r"\w+\s*=\s*\w+\s*=(?![=<>])", "variables are declared one by one: `a = 5` and `b = 5`"),
    (r"\[[\w\s,]*\]\s*:=", "variables are changed one by one: `a := b`; keep the old value in another variable"),
    (r"for\b.*\d\s*\.\.+\s*\w", "Pine writes `for i = 0 to 4`, both ends included"),
    (r"(?:const|let|var)\s+\w+\s*=\s*(?:\w+|\([\w\s,]*\))\s*=>", "Pine declares functions by name: `f(x) => x + 1`"),
    (rf"(?:var|varip)\s+(?:(?:{_TYPES})\s+)?\w+\s*$", "a variable begins with a value: `var int count = 0`"),
    (r"for\b.*\bto\b.*\bstep\b", "Pine writes `for i = 0 to 10 by 2`"),
    (
        r"(?:\w+\s+)*\w+\s*:\s*(?:int|float|bool|string|color|line|label|box|table)\b(?!\.)",
        "write the type before the name, as in `float price`",
    ),
    (r".*=\s*\[\s*\]\s*$", "an empty array is made by `array.new<float>()`"),
    (r".*=\s*\{", "Pine has no such literals: `map.new<string, float>()` makes a map, `array.from(1, 2)` an array"),
    (r"(?:if|else|else if|while|for|switch)\b[^?]*:\s*$", f"Pine needs no `:`; {_INDENTED}"),
    (r"(?:if|while)\b.*\b(?:then|do)\s*$", f"Pine needs no `then` or `do`; {_INDENTED}"),
    (
        r"\w+\[[^\[\],]+,[^\[\],]+\]\s*:?=(?!=)",
        "`[]` looks back in time: a cell of a table is filled with `table.cell(id, column, row, text)`, one of a "
        "matrix with `matrix.set(id, row, column, value)`",
    ),
    (
        r"\w+\[[^\[\]]*\]\s*:?=(?!=)",
        "`[]` looks back in time: use `array.set(id, index, value)` for an element of an array, `map.put()` for a map",
    ),
    (r".*=\s*\S.*\bif\b.*\belse\b", "Pine writes `condition ? a : b`"),
    (r"(?!for\b).*\w\s+(?:not\s+)?in\s+\w", "`array.includes(id, value)` tests whether an array has a value"),
    (r".*\w\[[^\]?]*:[^\]?]*\]", "`[]` looks back in time: a part of an array is `array.slice(id, from, to)`"),
    (r".*[\w)\]']\s*->", "Pine writes `=>`"),
    (r".*[^=<>!:]=<", "Pine writes `<=`"),
    (r"\w+\s*=\s*(\w+)\s*=>(?!.*\b\1\b)", "Pine writes `>=`"),
    (r".*\(\s*(?:\([\w\s,]*\)|\w+)\s*=>", "Pine has no functions without a name; `for x in array` visits each element"),
    (r".*\w(?:\+\+|--)\s*\)?\s*$", "Pine counts with `x += 1` and `x -= 1`"),
    (r"else\b\s*$", "write `else` directly below the block of its `if`, with the same indentation as the `if`"),
    (r"(?:.*=\s*)?lambda\b", "Pine declares functions by name: `f(x) => x + 1`"),
    (r".*\bnew\s+[A-Za-z_]\w*\s*\(", "Pine makes an object with `new` after its type: `Level.new(close)`"),
    (r".*\bis\s+(?:not\s+)?(?:None|na|null|nil)\b", "Pine tests for emptiness with `na(x)` and `not na(x)`"),
    (r".*\?\?", "Pine writes `nz(x, y)` for `y` if `x` is `na`"),
    (r".*\*\*", "Pine writes `math.pow(x, y)`"),
    (r".*[(,=+\s]f''", "Pine has no such strings: join with `+` and `str.tostring()`, or use `str.format()`"),
    (r"\w+\s*=\s*(?:\w+|\([\w\s,]*\))\s*=>", "Pine declares functions by name: `f(x) => x + 1`"),
    (r"if\b.*[^=<>!:+\-*/%]=[^=>]", "Pine compares with `==`"),
)
"""Patterns of a line, from its first word on, with empty strings and without its comment; each with a hint."""

_LONGEST = 1_000
"""The longest line, in characters, that is searched: the patterns are slow on long lines, and people do not write
these."""
_HEADER = lazy_pattern(r"\w+\s*\([\w\s,.=<>]*\)\s*$")
_BLOCK = lazy_pattern(r"(?:if|else|for|while)\b")
_FUNCTION = lazy_pattern(r"\w+\s*\([\w\s,.=<>]*\)\s*=>")
_NO_ARROW = "a function needs `=>` after its parameters"


def advice(line: str, before: str) -> str | None:
    """Return a hint for `line`, which could not be parsed, if it looks like another language; else None. `before` is
    the previous line."""
    if max(len(line), len(before)) > _LONGEST:
        return None
    shown = _bare(line)
    if re.match(r"(?:try|do|begin|repeat|loop)\s*[:{]?\s*$", _bare(before)):
        return NO_EXCEPTIONS if _bare(before).startswith("try") else f"Pine has no such block; {_LOOPS}"
    for pattern, told in _HABITS:
        if re.match(pattern, shown):
            return told
    if line[:1] in " \t" and re.match(r"method\b", shown):
        return "a method is declared at the top level, below its type: `method name(Level this) =>`"
    if line[:1] in " \t" and re.fullmatch(r"''\s*,?", shown):
        return 'a field of an enum is a name, which may have a text: `fast = "Fast"`'
    if line[:1] in " \t" and _BLOCK.match(_bare(before)) and _FUNCTION.match(shown):
        return "a function is declared at the top level, outside of blocks"
    if line[:1] in " \t" and before[:1] not in " \t" and _HEADER.match(_bare(before)):
        return _NO_ARROW
    return None


def _bare(line: str) -> str:
    return _STRINGS.sub("''", line).partition("//")[0].strip()
