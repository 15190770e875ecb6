"""Codes about types: values that do not fit, conditions that are not bool, tuples, `na` and history."""

from __future__ import annotations

from pinebench.codes.model import OURS, UNSEEN, Code
from pinebench.diagnostics import Severity

_HEAD = '//@version=6\nindicator("Example")\n'

CODES = (
    Code(
        name="CE10173",
        severity=Severity.ERROR,
        template=(
            'Cannot assign a value of the "{assignedValueType}" type to the "{variableName}" variable. The variable is '
            'declared with the "{ownValueType}" type.'
        ),
        why=(
            "A variable keeps the type it was declared with. A whole number fits into a float; everything else must be "
            "converted, for example with `int()` or `str.tostring()`."
        ),
        bad=_HEAD + 'int length = "14"\nplot(length)\n',
        good=_HEAD + "int length = 14\nplot(length)\n",
    ),
    Code(
        name="CE10127",
        severity=Severity.ERROR,
        template=(
            'A variable declared with the "{typeKindName}" keyword cannot accept values of the "{valueType}" form.'
            ' Assign a "{typeKindName}" value to this variable or remove the "{typeKindName}" keyword from its'
            " declaration."
        ),
        why=(
            "A `simple` variable is known on the first bar and never changes, but this value can differ from bar to"
            " bar."
        ),
        bad=_HEAD + "simple float level = close\nplot(level)\n",
        good=_HEAD + "series float level = close\nplot(level)\n",
    ),
    Code(
        name="CE10128",
        severity=Severity.ERROR,
        template='Variables with varip modifier cannot have type "{typeExpression}".',
        why="Collections of an enum's fields cannot be kept between the updates of a bar. Use `var`, or hold numbers.",
        bad=_HEAD
        + """\
enum Side
    buy
    sell
varip array<Side> sides = array.new<Side>()
plot(sides.size())
""",
        good=_HEAD
        + """\
enum Side
    buy
    sell
var array<Side> sides = array.new<Side>()
plot(sides.size())
""",
    ),
    Code(
        name="CE10260",
        severity=Severity.ERROR,
        template=(
            'Cannot use the "{typeKindName}" keyword when declaring a variable or parameter that accepts a user-defined'
            ' type. Use the "series" keyword instead or remove the qualifier keyword from the declaration.'
        ),
        why="Objects of a user-defined type are always series: their fields can change on every bar.",
        bad=_HEAD + "type Level\n    float price\nconst Level level = Level.new(close)\nplot(level.price)\n",
        good=_HEAD + "type Level\n    float price\nLevel level = Level.new(close)\nplot(level.price)\n",
    ),
    Code(
        name="CE10097",
        severity=Severity.ERROR,
        template="Value with NA type cannot be assigned to a variable that was defined without type keyword",
        why="`na` alone does not determine the type of the variable. Write the type before the name.",
        bad=_HEAD + "var level = na\nplot(close)\n",
        good=_HEAD + "var float level = na\nplot(level)\n",
    ),
    Code(
        name="CE10098",
        severity=Severity.ERROR,
        template="Void expression cannot be assigned to a variable",
        why="The call has no result. Call it on a line of its own.",
        bad=_HEAD + "prices = array.new<float>()\nadded = array.push(prices, close)\nplot(close)\n",
        good=_HEAD + "prices = array.new<float>()\narray.push(prices, close)\nplot(prices.last())\n",
    ),
    Code(
        name="CE10092",
        severity=Severity.ERROR,
        template='Invalid assignment. Cannot assign a tuple to a variable "{name}".',
        why="The call returns several values at once. Unpack them with `[a, b, c] = ...`.",
        bad=_HEAD + "bands = ta.bb(close, 20, 2)\nplot(close)\n",
        good=_HEAD + "[middle, upper, lower] = ta.bb(close, 20, 2)\nplot(middle)\n",
    ),
    Code(
        name="CE10101",
        severity=Severity.ERROR,
        template='The condition of the "{blockName}" statement must evaluate to a "bool" value.',
        why="Numbers are not conditions in version 6. Compare the value, for example with zero.",
        bad=_HEAD + "if bar_index\n    label.new(bar_index, high)\n",
        good=_HEAD + "if bar_index > 0\n    label.new(bar_index, high)\n",
    ),
    Code(
        name="CE10235",
        severity=Severity.ERROR,
        template=(
            'Return type of one of the "if" or "switch" blocks is not compatible with return type of other block(s) '
            "({blocks})"
        ),
        why=(
            "If the value of the structure is used, all its branches must end in values of one type; int and float go"
            " together."
        ),
        bad=_HEAD + 'size = if close > open\n    1\nelse\n    "none"\nplot(close)\n',
        good=_HEAD + "size = if close > open\n    1\nelse\n    0\nplot(size)\n",
    ),
    Code(
        name="switch-default-missing",
        severity=Severity.WARNING,
        template='The "switch" needs a default branch, because there is no "na" of the "{type}" type',
        why=(
            "Without a matching branch the result would be `na`, which is not allowed for this type. Add a last"
            " branch that begins with `=>`." + UNSEEN
        ),
        bad=_HEAD
        + """\
kind = input.string("Line", options = ["Line", "Columns"])
style = switch kind
    "Line" => plot.style_line
    "Columns" => plot.style_columns
plot(close, style = style)
""",
        good=_HEAD
        + """\
kind = input.string("Line", options = ["Line", "Columns"])
style = switch kind
    "Columns" => plot.style_columns
    => plot.style_line
plot(close, style = style)
""",
        text=OURS,
    ),
    Code(
        name="CE10163",
        severity=Severity.ERROR,
        template=(
            "Ternary operations cannot return tuples. Convert the expression into an `if` or `switch` conditional "
            "structure to return a tuple."
        ),
        why="The branches of `?:` are single values. Use an `if` with a tuple at the end of each branch.",
        bad=_HEAD + "[first, second] = close > open ? [open, close] : [close, open]\nplot(first - second)\n",
        good=_HEAD
        + """\
[first, second] = if close > open
    [open, close]
else
    [close, open]
plot(first - second)
""",
    ),
    Code(
        name="tuple-shape",
        severity=Severity.ERROR,
        template=(
            'Cannot assign a variable to a tuple. The right side must be a function call or structure ("if", "switch", '
            '"for", "while") returning a tuple with the same number of elements.'
        ),
        why=(
            "The right side returns one value, but there are several names on the left. Name one variable, or call a"
            " function that returns a tuple."
        ),
        bad=_HEAD + "[middle, upper] = ta.sma(close, 20)\nplot(middle)\n",
        good=_HEAD + "middle = ta.sma(close, 20)\nplot(middle)\n",
    ),
    Code(
        name="tuple-count",
        severity=Severity.ERROR,
        template=(
            "Syntax error: The quantities of tuple elements on each side of the assignment operator do not match. The "
            "right side has {right} but the left side has {left}."
        ),
        why="Name as many variables as the right side has values; use `_` for a value that is not needed.",
        bad=_HEAD + "[middle, upper] = ta.bb(close, 20, 2)\nplot(middle)\n",
        good=_HEAD + "[middle, upper, _] = ta.bb(close, 20, 2)\nplot(middle)\n",
    ),
    Code(
        name="CE10239",
        severity=Severity.ERROR,
        template=(
            "Syntax error: The quantities of tuple elements on each side of the assignment operator do not match. The "
            "right side has {right} but the left side has {left}."
        ),
        why="Name as many variables as the request has values; use `_` for a value that is not needed.",
        bad=_HEAD + '[first, second] = request.security("", "D", [open, high, low])\nplot(first - second)\n',
        good=_HEAD + '[first, second, _] = request.security("", "D", [open, high, low])\nplot(first - second)\n',
        text=OURS,
    ),
    Code(
        name="CE10187",
        severity=Severity.ERROR,
        template='Cannot compare a value to "na" directly. Use the "na()" function instead.',
        why="A comparison with a missing value is never true. Use `na(x)` to test whether `x` is missing.",
        bad=_HEAD + "missing = close == na\nplot(missing ? 1 : 0)\n",
        good=_HEAD + "missing = na(close)\nplot(missing ? 1 : 0)\n",
    ),
    Code(
        name="once-has-no-value",
        severity=Severity.ERROR,
        template=(
            "A `once` statement cannot return a value or be assigned to a variable. Convert the statement to an "
            "equivalent `if` or `switch` structure to return a usable result."
        ),
        why="`once` has no value. Declare the variable before it and assign it inside.",
        bad=_HEAD + "first = once\n    close\nplot(close)\n",
        good=_HEAD + "var float first = na\nonce\n    first := close\nplot(first)\n",
    ),
    Code(
        name="history-of-constant",
        severity=Severity.ERROR,
        template="The history operator [] cannot be used on a literal or constant",
        why="A value that never changes has no history. Use the value itself, or use the history of a series.",
        bad=_HEAD + "plot(math.pi[1])\n",
        good=_HEAD + "plot(math.pi)\n",
        text=OURS,
    ),
    Code(
        name="history-of-history",
        severity=Severity.ERROR,
        template="The history operator [] can be used only once on a value",
        why="Add the two offsets and use one history operator.",
        bad=_HEAD + "plot(close[1][1])\n",
        good=_HEAD + "plot(close[2])\n",
        text=OURS,
    ),
    Code(
        name="CE10197",
        severity=Severity.ERROR,
        template='"{text}" is not a valid statement.',
        why="A value that is not used does nothing. Assign it to a variable, or pass it to a function.",
        bad=_HEAD + "close > open\nplot(close)\n",
        good=_HEAD + "rising = close > open\nplot(close)\n",
        text=OURS,
    ),
    Code(
        name="CE10290",
        severity=Severity.ERROR,
        template=(
            "Cannot use the history-referencing operator on fields of user-defined types. Reference the history of the"
            ' object first by enclosing it in parentheses, and then request the field, e.g. "(object[1]).field" instead'
            ' of "object.field[1]".'
        ),
        why=(
            "An object's variable has a history, but the values and collections in its fields have none. Keep the"
            " field in its own variable on every bar and use the history of that variable. `(object[1]).field`"
            " compiles, but on the first bar there is no object, and reading its field stops the script."
        ),
        bad=_HEAD + "type Level\n    float price\nlevel = Level.new(close)\nplot(level.price[1])\n",
        good=_HEAD + "type Level\n    float price\nlevel = Level.new(close)\nprice = level.price\nplot(price[1])\n",
    ),
    Code(
        name="CE10011",
        severity=Severity.ERROR,
        template="User variable identifiers should not contain '.'",
        why=(
            "A field, or a method of a collection, must not directly follow a history reference. Give the reference a"
            " name, `previous = values[1]`, or put it in parentheses. On the first bars it is `na`, and calling a"
            " method of `na` stops the script, so test for `na` first."
        ),
        bad=_HEAD + "values = array.from(close)\nplot(values[1].size())\n",
        good=_HEAD + "values = array.from(close)\nprevious = values[1]\nplot(na(previous) ? na : previous.size())\n",
    ),
    Code(
        name="CE10010",
        severity=Severity.ERROR,
        template=(
            "Cannot use a method directly after the history-referencing operator. Reference the history of the object"
            " first by enclosing it in parentheses, and then call the method, e.g., `(myVar[10]).myMethod()` instead of"
            " `myVar[10].myMethod()`."
        ),
        why=(
            "A method can be called on a name or on an expression in parentheses. Put the history reference in"
            " parentheses."
        ),
        bad=_HEAD + "zone = box.new(bar_index, high, bar_index + 1, low)\nplot(zone[1].get_top())\n",
        good=_HEAD + "zone = box.new(bar_index, high, bar_index + 1, low)\nplot((zone[1]).get_top())\n",
    ),
)
