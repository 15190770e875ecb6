"""Codes about names: undeclared, declared twice, hidden, or used as something else."""

from __future__ import annotations

from pinebench.codes.model import OURS, UNSEEN, Code
from pinebench.diagnostics import Severity

_HEAD = '//@version=6\nindicator("Example")\n'

CODES = (
    Code(
        name="CE10271",
        severity=Severity.ERROR,
        template="Could not find {kind} '{fullName}'",
        why=(
            "No function or method of this name is known at this place. Functions must be declared above their first"
            " use, and a function cannot call itself. A method belongs to the type of the value before the dot."
        ),
        bad=_HEAD + "average = ta.smma(close, 14)\nplot(average)\n",
        good=_HEAD + "average = ta.sma(close, 14)\nplot(average)\n",
    ),
    Code(
        name="CE10272",
        severity=Severity.ERROR,
        template='Undeclared identifier "{identifier}"',
        why=(
            "No variable of this name is known at this place. A variable exists from its declaration to the end of"
            " the block that contains it; the name of a type or namespace is not a value."
        ),
        bad=_HEAD + "plot(closing)\n",
        good=_HEAD + "plot(close)\n",
    ),
    Code(
        name="CE10095",
        severity=Severity.ERROR,
        template='"{x}" is already defined',
        why=(
            "A name can be declared once in a scope; parameters and the names of a tuple count too. Use `:=` to give"
            " an existing variable a new value."
        ),
        bad=_HEAD + "width = 1\nwidth = 2\nplot(width)\n",
        good=_HEAD + "width = 1\nwidth := 2\nplot(width)\n",
    ),
    Code(
        name="CE10190",
        severity=Severity.ERROR,
        template='Cannot shadow the built-in variable "{variableName}" because it has already been used as a built-in.',
        why=(
            "The script read the built-in variable further up, so no variable of your own can have its name any more."
            " Choose another name."
        ),
        bad=_HEAD + "plot(close)\nclose = 1.0\n",
        good=_HEAD + "plot(close)\nlevel = 1.0\nplot(level)\n",
    ),
    Code(
        name="CE10088",
        severity=Severity.ERROR,
        template='Cannot modify global variable "{variableName}" in function',
        why=(
            "A function can read global variables but not assign them. Return the new value and assign it outside, or"
            " keep it in a field of an object or in an array."
        ),
        bad=_HEAD
        + """\
count = 0
counted() =>
    count := count + 1
    count
plot(counted())
""",
        good=_HEAD
        + """\
counted(int before) =>
    before + 1
var count = 0
count := counted(count)
plot(count)
""",
    ),
    Code(
        name="CE10175",
        severity=Severity.ERROR,
        template='Function arguments cannot be mutable ("{variableName}")',
        why=(
            "Parameters keep the value of the call. Copy the parameter to a variable of the function and change the"
            " variable."
        ),
        bad=_HEAD
        + """\
half(float value) =>
    value := value / 2
    value
plot(half(close))
""",
        good=_HEAD
        + """\
half(float value) =>
    result = value
    result := result / 2
    result
plot(half(close))
""",
    ),
    Code(
        name="CE10174",
        severity=Severity.ERROR,
        template='Variable "{variableName}" cannot be mutable',
        why=(
            "Only the loop itself sets its counter or element. Use `by` for another step, `continue` to skip an"
            " iteration, or a `while` loop."
        ),
        bad=_HEAD
        + """\
total = 0
for i = 0 to 9
    i := i + 1
    total := total + i
plot(total)
""",
        good=_HEAD
        + """\
total = 0
for i = 0 to 9 by 2
    total := total + i
plot(total)
""",
    ),
    Code(
        name="CE10085",
        severity=Severity.ERROR,
        template='A variable declared with the "const" type form cannot be modified.',
        why=(
            "A variable declared with `const` keeps its first value, and an object in it keeps its fields. Remove the"
            " keyword if something must change."
        ),
        bad=_HEAD + "const int limit = 10\nlimit := 20\nplot(limit)\n",
        good=_HEAD + "int limit = 10\nlimit := 20\nplot(limit)\n",
    ),
    Code(
        name="CE10188",
        severity=Severity.ERROR,
        template='Cannot use "{functionName}" in local scope',
        why=(
            "This function works only in the script's global scope, not in the block of an `if`, loop or function. Call"
            " it at the top level and let its arguments depend on the condition."
        ),
        bad=_HEAD + "if close > open\n    plot(close)\n",
        good=_HEAD + "plot(close > open ? close : na)\n",
    ),
    Code(
        name="CE10074",
        severity=Severity.ERROR,
        template='Cannot use the "{name}" as a value. Use one of the enum\'s fields instead.',
        why="An enum is a type; its fields are the values. Write the enum's name, a dot and the field.",
        bad=_HEAD
        + """\
enum Side
    buy
    sell
side = Side
plot(close)
""",
        good=_HEAD
        + """\
enum Side
    buy
    sell
side = Side.buy
plot(side == Side.buy ? 1 : 0)
""",
    ),
    Code(
        name="CE10198",
        severity=Severity.ERROR,
        template="Object has no field {fieldName}",
        why=(
            "The type of the value before the dot has no such field. Numbers, texts and other plain values have no"
            " fields at all."
        ),
        bad=_HEAD
        + """\
type Level
    float price
level = Level.new(close)
plot(level.prize)
""",
        good=_HEAD
        + """\
type Level
    float price
level = Level.new(close)
plot(level.price)
""",
    ),
    Code(
        name="enum-name-taken",
        severity=Severity.ERROR,
        template='An enum cannot be named "{name}": this is a built-in namespace',
        why=(
            "The fields of the enum would hide the members of the namespace. Names are case sensitive, so a capital"
            " first letter is enough."
        ),
        bad=_HEAD + "enum session\n    morning\n    evening\nplot(close)\n",
        good=_HEAD + "enum Session\n    morning\n    evening\nplot(close)\n",
        text=OURS,
    ),
    Code(
        name="type-name-taken",
        severity=Severity.ERROR,
        template='A type cannot be named "{name}": this is a built-in type',
        why="The names of the five plain types are reserved. Choose another name for your type.",
        bad=_HEAD + "type color\n    int red\nplot(close)\n",
        good=_HEAD + "type Shade\n    int red\nplot(close)\n",
        text=OURS,
    ),
    Code(
        name="CE10093",
        severity=Severity.ERROR,
        template="Invalid object name: {name}. Namespaces of built-ins cannot be used.",
        why=(
            "Fields of an object and members of a namespace are written in the same way, so the name would be"
            " ambiguous. Variables of other types may have such a name."
        ),
        bad=_HEAD
        + """\
type Symbol
    string tickerid
Symbol syminfo = Symbol.new("X")
plot(close)
""",
        good=_HEAD
        + """\
type Symbol
    string tickerid
Symbol symbol = Symbol.new("X")
plot(close)
""",
    ),
    Code(
        name="import-alias-repeated",
        severity=Severity.WARNING,
        template='The alias "{alias}" already names another library',
        why=("Each imported library needs an alias of its own." + UNSEEN),
        bad=_HEAD + "import TradingView/ta/9 as lib\nimport TradingView/RelativeValue/2 as lib\nplot(close)\n",
        good=_HEAD + "import TradingView/ta/9 as lib\nimport TradingView/RelativeValue/2 as relative\nplot(close)\n",
        text=OURS,
    ),
    Code(
        name="transitive-library-type",
        severity=Severity.ERROR,
        template=(
            'The type "{type}" is declared in the "{library}" library, but the library is not explicitly imported. '
            "To use the type, import that library"
        ),
        why=(
            "A value of a type can reach a script through another library, but its fields and methods need the library "
            "that declares the type. Import it as well."
        ),
        bad=_HEAD + "import Example/Charts/1 as charts\nspot = charts.spot(close)\nplot(spot.price)\n",
        good=_HEAD
        + "import Example/Charts/1 as charts\nimport Example/Spots/1 as spots\n"
        + "spot = charts.spot(close)\nplot(spot.price)\n",
    ),
    Code(
        name="CW10011",
        severity=Severity.WARNING,
        template='Shadowing built-in variable "{variableName}"',
        why="From here on the name means your variable, and the built-in one cannot be reached. Choose another name.",
        bad=_HEAD + "hour = 9\nplot(hour)\n",
        good=_HEAD + "openingHour = 9\nplot(openingHour)\n",
    ),
    Code(
        name="CW10013",
        severity=Severity.WARNING,
        template=(
            'Shadowing variable "{variableName}" which exists in parent scope. Did you want to use the ":=" operator '
            'instead of "=" ?'
        ),
        why=(
            "`=` declares a second variable that lives only in this block; the outer one stays as it is. Use `:=` to"
            " change the outer one, or choose another name."
        ),
        bad=_HEAD
        + """\
level = 0.0
if close > open
    level = high
plot(level)
""",
        good=_HEAD
        + """\
level = 0.0
if close > open
    level := high
plot(level)
""",
    ),
)
