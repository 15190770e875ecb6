"""Hints about values of the wrong type or form: arguments, operands, conditions, tuples, dates and formats."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pinebench.checker.argument_text import path_of
from pinebench.checker.types import QUALIFIERS, SERIES, Base
from pinebench.patterns import lazy_pattern
from pinebench.reference.foreign import FOREIGN
from pinebench.syntax import nodes

_STEADY_VALUES = {
    "simple": "the same on every bar: a literal, an input, or a value computed from these",
    "input": "known before the first bar: a literal, a constant or an input",
    "const": "known when the script is compiled: a literal or a constant, but not an input",
}
"""The values that a parameter with a qualifier below `series` accepts."""
_STEADY = {
    "ta.ema": "`ta.sma` takes a length that changes",
    "ta.rma": "`ta.sma` takes a length that changes",
    "hline": "`plot()` draws a level that changes",
    "alertcondition": "`alert()` takes a text that changes, and placeholders such as `{{close}}` are filled in",
}
"""Functions that only accept unchanging values, and the alternative for changing ones."""


def bare_value(node: nodes.Node) -> str | None:
    """Return a hint for a value that is used as a statement."""
    if isinstance(node, nodes.Binary) and node.operator == "==":
        return "A variable is declared with `=` and changed with `:=`; `==` compares."
    if isinstance(node, nodes.Literal) and node.kind in ("int", "float"):
        return "A number alone does nothing: a comma begins another statement, and decimals have a point, `1.5`."
    if isinstance(node, nodes.Literal) and node.kind == "string":
        return "A text alone does nothing: comments begin with `//` on each of their lines."
    return None


def truth_value(given: str, wanted: str, function: str = "", literal: str = "") -> str | None:
    """Return a hint for a value of type `given` where `wanted` is expected, if one of the two types is a bool. Earlier
    versions of Pine accepted numbers and `na` as bools.

    `function` is the called function, and `literal` is the text of the value; they are empty if there is none.
    """
    given, wanted = given.rpartition(" ")[2], wanted.rpartition(" ")[2]
    if wanted == "bool" and given == "na":
        return "A bool is never `na` in v6: write `false`, or keep a third state in an int."
    if wanted == "bool" and literal in ("0", "1"):
        return f"A bool is written `true` or `false`: `{'true' if literal == '1' else 'false'}`."
    if wanted == "bool" and given in ("int", "float"):
        return "Pine v6 does not accept a number as a bool: compare it, or write `bool(...)`, false for 0 and `na`."
    if given == "bool" and function == "alert":
        return "`alert(message)` is called under its condition: put it into a block, `if` and the condition."
    if given == "string" and wanted == "bool":
        return 'A string is not a bool: write `true` or `false`, or compare it, `x == "yes"`.'
    if given == "bool" and wanted == "color":
        return "A colour under a condition is `condition ? color.green : na`."
    if given == "bool" and wanted == "na":
        return "A bool is never `na` in v6: write `false` in the other branch."
    return None


def no_text(actual: str, expected: str) -> str | None:
    """Return a hint for a string where a colour is expected. `actual` and `expected` are names of types."""
    if actual.rpartition(" ")[2] == "string" and expected.rpartition(" ")[2] == "color":
        return "A colour is not a string: write `color.green` or `#00FF00`."
    return None


def never_na(function: str) -> str | None:
    """Return a hint for a bool in a function that handles `na`, which a bool can never be."""
    if function not in ("na", "nz", "fixnan"):
        return None
    return f"A bool is never `na` in v6, so `{function}()` refuses it: drop the call, or keep a third state in an int."


def at_top_level(function: str) -> str | None:
    """Return a hint for a call that is allowed only in the global scope and is in a local block."""
    if function == "alertcondition":
        return "Call it at the top level with the condition as its argument, or call `alert()` here."
    if function.startswith("plot") or function in ("bgcolor", "barcolor"):
        return f"Call it at the top level, with the condition in its argument: `{function}(condition ? ... : na)`."
    return None


_COMPARING = frozenset(f"operator {sign}" for sign in ("==", "!=", "<", ">", "<=", ">="))


_COMPUTING = frozenset(f"operator {sign}" for sign in "-*/")
_SIDES = ("long", "short", "flat")
_ORDERED = ("<", ">", "<=", ">=")
_ORDERING = frozenset(f"operator {sign}" for sign in _ORDERED)


def joined(function: str, actual: str, expected: str, node: nodes.Node) -> str | None:
    """Return a hint for mixed strings and numbers, or for chained comparisons. `actual` is the operand's type."""
    if function == "operator +" and expected == "const string" and actual in ("int", "float", "bool"):
        return f"Only texts can be joined with texts: convert the {actual} with `str.tostring(...)`."
    if function in _COMPUTING and actual == "string" and not isinstance(node, nodes.Literal):
        path = path_of(node)
        more = "; the number in a timeframe is `timeframe.multiplier`" if path == "timeframe.period" else ""
        return f"`{function[-1]}` computes with numbers, and this is a text: `str.tonumber()` converts one{more}."
    if function == "operator %" and actual == "string":
        return "`%` computes a remainder only: `str.format()` fills texts with values."
    if function in _ORDERING and actual == "bool" and isinstance(node, nodes.Binary) and node.operator in _ORDERED:
        return "Comparisons cannot be chained: write each one separately, `30 < x and x < 70`."
    if function == "operator *" and actual == "string" and isinstance(node, nodes.Literal):
        return "`*` multiplies numbers only: `str.repeat()` repeats texts."
    return None


_QUOTED = lazy_pattern(r"\d+(?:-\d+)+(?:\s*,\s*\d+-\d+)*$")


def written_as_text(text: str, node: nodes.Node, expected: str) -> str | None:
    """Return a hint for a session or a date without quotation marks, such as `0930-1600`."""
    if expected.endswith("string") and isinstance(node, nodes.Binary) and _QUOTED.match(text):
        return f'It is a text: write it in quotation marks, `"{text}"`.'
    return None


def named_by_comparing(node: nodes.Node, names: Collection[str]) -> str | None:
    """Return a hint for an argument named with `==` instead of `=`, as in `color == color.red`. `names` are the
    function's parameters."""
    if not isinstance(node, nodes.Binary) or node.operator != "==" or not isinstance(node.left, nodes.Name):
        return None
    name = node.left.id
    return f"Name an argument with a single `=`: `{name} = ...`." if name in names else None


def given_elsewhere(text: str, names: Sequence[str]) -> str:
    """Return a hint for an argument that does not match its parameter but matches the parameters `names`."""
    shown = text if len(text) <= _SHOWN and "\n" not in text else "..."
    fitting = " or ".join(f"`{name}`" for name in names[:_MOST_NAMED])
    return f"It fits {fitting}: pass it by name, `{names[0]} = {shown}`."


_MOST_NAMED = 3
_SHOWN = 40


def of_its_own(function: str, actual: str, node: nodes.Node) -> str | None:
    """Return the hint for a mistake that people often make with `function`, such as a float for `input.int()`."""
    if function == "input.int" and actual == "float":
        return "Use `input.float()` for numbers with a fraction."
    if function in ("nz", "fixnan") and actual in ("string", "color"):
        return f"`{function}()` takes numbers only: write `na(x) ? y : x`."
    if function in _COMPARING and isinstance(node, nodes.Literal) and node.text.strip("\"'").lower() in _SIDES:
        return "`strategy.position_size` is above 0 in a long position, below 0 in a short one, else 0."
    if function in _ORDERING and actual == "string" and path_of(node) == "timeframe.period":
        return "A timeframe is a text: compare `timeframe.in_seconds()` with a number of seconds."
    return None


def several_requested(function: str, parameter: str, actual: str) -> str | None:
    """Return a hint for a request with more than one expression."""
    if (
        function != "request.security"
        or parameter not in ("gaps", "lookahead")
        or actual not in ("int", "float", "bool")
    ):
        return None
    return "Request several values together, in brackets: `request.security(symbol, timeframe, [open, close])`."


def in_order(function: str, names: Sequence[str], moved: Sequence[str] | None = None) -> str:
    """Return a hint for an argument of the wrong type that lists the function's parameters in order.

    `moved` are the parameters that the positional arguments match, if they are only in the wrong order.
    """
    more = ", ..." if len(names) > _MOST_SHOWN else ""
    call = f"`{function}({', '.join(names[:_MOST_SHOWN])}{more})`"
    if moved is None:
        return f"expected {call}"
    swapped = sum(one != other for one, other in zip(moved, names, strict=False)) == 2
    return f"{'Swap the two arguments' if swapped else 'The arguments belong in another order'}: {call}."


_MOST_SHOWN = 6


def taken_apart(base: Base, node: nodes.Node | None, expected: str) -> str | None:
    """Return a hint for a collection or a tuple where a single value is expected, or for a single value where a
    collection or a tuple is expected."""
    if base.kind == "tuple" and expected.startswith(("array<", "foreach")):
        return "`[]` does not make an array: `array.from(1, 2, 3)` does."
    if base.kind == "tuple" and expected.startswith("tuple of"):
        return f"Each of the values must be of the type {expected.rpartition(' ')[2]}, as the default is."
    if base.kind == "tuple":
        names = _names_for(base)
        return f"It returns {len(base.items)} values: unpack them first, `{names} = ...`, and use one of the names."
    if base.kind == "array" and expected.endswith(" string"):
        return "It is an array: one element is `array.get(id, index)`, and `array.join()` makes a text of all."
    if base.kind == "array" and not isinstance(node, nodes.History) and expected.endswith((" float", " int")):
        return (
            "An array is not a series: one element is `array.get(id, index)`; `array.avg()` and `array.max()` compute."
        )
    if base.kind in ("array", "matrix") and isinstance(node, nodes.History):
        return f"`[]` looks back in time: an element is read with `{base.kind}.get()`."
    if base.kind == "object" and expected.endswith("float"):
        return f"A {base.name} is not a number and shows itself: it needs no `plot()`."
    if base.name == "int" and expected == "array<type>":
        return FOREIGN["range"]
    if expected in ("plot", "hline") and base.name == "line":
        return "The space between two lines is filled by `linefill.new(line1, line2, color)`."
    if expected in ("plot", "hline"):
        return "Pass the result of `plot()` or `hline()`, stored in a variable: `upper = plot(high)`."
    if expected.startswith("tuple of"):
        values = '["A", "B"]' if expected.endswith("string") else "[1, 2, 3]"
        return f"Give the values as a list in brackets, as in `options = {values}`."
    if base.kind == "enum" and expected.endswith("string"):
        return "A field of an enum is chosen by `input.enum()`; `str.tostring()` gives its text."
    if expected == "const enum":
        return "Give a field of an enum that the script declares, as in `enum Side` and `Side.long`."
    if expected.endswith("strategy_direction"):
        return "Say which way the order goes: `strategy.long` or `strategy.short`."
    return None


TAKEN_APART = "Unpack a tuple in brackets: `[a, b] = ...`."
"""A hint for names side by side before an equals sign."""
NOT_TAKEN_APART = (
    "It returns one value: a function returns several from its last line, `[a, b]`; one value takes one name."
)
"""A hint for several names that are assigned a single value."""
OF_AN_ENUM = "The fields of an enum never change. Declare a variable that holds one of them, and change the variable."
"""A hint for a change of an enum's field."""
OF_A_LIBRARY = "A script cannot change what a library exports. Assign the new value to a variable of the script."
"""A hint for a change of a library's constant."""


def tuple_in_one(base: Base) -> str:
    """Return a hint for a tuple that is assigned to a single variable."""
    return f"Name a variable for each value, `{_names_for(base)} = ...`; `_` stands for one that is not needed."


def _names_for(base: Base) -> str:
    count = len(base.items)
    return f"[{', '.join('abcdefgh'[:count])}]" if count <= _MOST_NAMES else "[a, b, ...]"


_MOST_NAMES = 8


def steady(function: str, actual: str, qualifier: int, expected: str) -> str | None:
    """Return a hint for a value with a stronger qualifier than expected."""
    wanted, _, base = expected.rpartition(" ")
    if function.startswith("operator") or wanted not in _STEADY_VALUES or qualifier <= QUALIFIERS[wanted]:
        return None
    if actual != base and (actual, base) != ("int", "float"):
        return None
    other = _STEADY.get(function) if qualifier == SERIES else None
    more = f"; {other}" if other else ""
    return f"It must be {_STEADY_VALUES[wanted]}{more}."


def history_of_field(field: str) -> str:
    """Return a hint for the history of a field. TradingView's message recommends a form that stops the script on bars
    without an object."""
    return (
        f"Keep the field in a variable on every bar, `kept = object.{field}`, and read `kept[1]`:"
        f" `(object[1]).{field}` stops the script on the first bar, where there is no object."
    )


def one_of(values: str) -> str | None:
    """Return a hint for an argument that must be one of the constants listed in `values`."""
    first = values.partition(",")[0].strip()
    return f"Write one of those constants, such as `{first}`." if first else None


def surplus(function: str, names: Sequence[str]) -> str | None:
    """Return a hint for too many arguments. It lists the function's parameters, or names another function that accepts
    the arguments."""
    if function == "runtime.error":
        return "`runtime.error(message)` always stops the script: put it under an `if` with the condition."
    if function == "color":
        return "Make a colour from its parts with `color.rgb(red, green, blue)`."
    return in_order(function, names) if names else None


def missing_argument(name: str, function: str) -> str | None:
    """Return a hint for a missing argument of an order or of `color.rgb`; None for other functions. No fix may invent
    such an argument."""
    if function == "color.rgb":
        return "It takes three numbers from 0 to 255; a colour in hexadecimal figures is written `#FF0000`."
    if name != "direction":
        return None
    return "Say which way the order goes: `strategy.long` or `strategy.short`."


_DATE = lazy_pattern(r".\d{4}-\d{1,2}-\d{1,2}|.\d{1,2} \w{3} \d{4}")
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_OF_ARRAYS = {
    "operator +": "`array.push(id, value)` adds a value to an array, `array.concat(id, other)` another array.",
    "operator -": "`array.remove(id, index)` removes a value from an array.",
}
_NUMBERS = ("int", "float")


def misplaced(function: str, parameter: str, base: Base, expected: str, node: nodes.Node) -> str | None:
    """Return a hint for a value of type `base` at `node` that was passed for `parameter` of `function`, which expects
    `expected`."""
    wanted = expected.rpartition(" ")[2]
    given = base.name if base.kind == "scalar" else base.kind
    if base.kind in ("array", "matrix", "map") and function.startswith("operator"):
        return _OF_ARRAYS.get(function) or (
            f"Operators take single values: read one with `{base.kind}.get()`"
            + (", or compute `array.sum()`, `array.avg()`, `array.max()`." if base.kind == "array" else ".")
        )
    if function == "str.tostring" and parameter == "format" and given in _NUMBERS:
        return 'A format is a text: `"#.##"` shows two decimals, `format.mintick` the decimals of the symbol.'
    if function == "operator ?:" and parameter != "expr0" and {given, wanted} & {"string", "color"}:
        return "Both values of `? :` are of one type: two texts, two numbers, or `na` for nothing."
    if given == "string" and wanted in _NUMBERS and isinstance(node, nodes.Literal):
        return _text_for_a_number(function, node.text)
    return None


def _text_for_a_number(function: str, text: str) -> str | None:
    if _DATE.match(text):
        return 'Write a time as `timestamp("2024-01-01")`.'
    if function in _COMPARING and text.strip("\"'").lower() in _DAYS:
        return f"Days of the week are numbers: `dayofweek.{text[1:-1].lower()}`."
    if function in _COMPARING and not any(sign.isdigit() for sign in text):
        return "Numbers are compared with numbers: this is a text."
    return None
