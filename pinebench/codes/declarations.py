"""Codes about declarations: the declaration statement, types, enums, fields, parameters, functions, exports, `break`
and `continue`."""

from __future__ import annotations

from pinebench.codes.model import OURS, Code
from pinebench.diagnostics import Severity

_VERSION = "//@version=6\n"
_HEAD = '//@version=6\nindicator("Example")\n'
_LIBRARY = '//@version=6\nlibrary("Example")\n'
_PLOT = "plot(close)\n"

CODES = (
    Code(
        name="CE10243",
        severity=Severity.ERROR,
        template=(
            "Scripts must contain one declaration statement: `indicator()`, `strategy()` or `library()`. Your script"
            " has {count}."
        ),
        why=(
            "One call in the global scope of a script declares whether it is an indicator, a strategy or a library."
            " Put it directly after the version line, and remove any other."
        ),
        bad=_HEAD + 'indicator("Another")\n' + _PLOT,
        good=_HEAD + _PLOT,
    ),
    Code(
        name="CE10099",
        severity=Severity.ERROR,
        template="Only libraries can contain exported functions.",
        why="Only a library is imported by other scripts. Remove `export`, or declare the script with `library()`.",
        bad=_HEAD + "export twice(float x) =>\n    x * 2\nplot(twice(close))\n",
        good=_HEAD + "twice(float x) =>\n    x * 2\nplot(twice(close))\n",
    ),
    Code(
        name="CE10080",
        severity=Severity.ERROR,
        template="Cannot include a `timeframe` argument in `indicator()` when the code produces side effects",
        why=(
            "Drawings and alerts belong to the bars of the chart, so an indicator that makes them cannot be calculated"
            " on another timeframe. Remove the argument, or request the values of the timeframe."
        ),
        bad='//@version=6\nindicator("Example", timeframe = "")\nif close > open\n    alert("Up")\n' + _PLOT,
        good=_HEAD + 'if close > open\n    alert("Up")\n' + _PLOT,
    ),
    Code(
        name="CE10034",
        severity=Severity.ERROR,
        template='The "{argumentName}" argument of "strategy()" cannot be "na"',
        why="Orders without a size have this one, so it must be a number. Leave the argument out to get the default.",
        bad='//@version=6\nstrategy("Example", default_qty_value = na)\nstrategy.entry("Long", strategy.long)\n',
        good='//@version=6\nstrategy("Example", default_qty_value = 1)\nstrategy.entry("Long", strategy.long)\n',
        text=OURS,
    ),
    Code(
        name="CE10292",
        severity=Severity.ERROR,
        template='The title of a library cannot contain spaces: "{title}"',
        why="Scripts import a library by its title, so the title must be one word.",
        bad='//@version=6\nlibrary("My example")\nexport twice(float x) =>\n    x * 2\n',
        good='//@version=6\nlibrary("MyExample")\nexport twice(float x) =>\n    x * 2\n',
        text=OURS,
    ),
    Code(
        name="too-many-boxes",
        severity=Severity.INFO,
        template='"max_boxes_count" asks for {value} boxes; TradingView keeps at most {limit}',
        why="A script keeps at most 500 boxes, the newest ones. Published scripts ask for more, so it is not an error.",
        bad='//@version=6\nindicator("Example", max_boxes_count = 1500)\n' + _PLOT,
        good='//@version=6\nindicator("Example", max_boxes_count = 500)\n' + _PLOT,
        text=OURS,
    ),
    Code(
        name="CE10246",
        severity=Severity.WARNING,
        template=(
            "An indicator must contain at least one of the following: any 'plot*()' function, 'barcolor()',"
            " 'bgcolor()', 'hline()', 'alertcondition()', or any drawing (line, label, box, table, polyline)."
        ),
        why="An indicator that shows nothing cannot be added to a chart. Add at least one call that produces output.",
        bad=_HEAD + "average = ta.sma(close, 14)\n",
        good=_HEAD + "average = ta.sma(close, 14)\nplot(average)\n",
    ),
    Code(
        name="CE10244",
        severity=Severity.ERROR,
        template=(
            "A strategy must contain at least one of the following: any `strategy.*()` function that creates orders,"
            " any `plot*()` function, `barcolor()`, `bgcolor()`, `hline()`, or any drawing (line, label, box, table,"
            " polyline)."
        ),
        why="A strategy that neither trades nor shows anything cannot be added to a chart. Add an order or a plot.",
        bad='//@version=6\nstrategy("Example")\naverage = ta.sma(close, 14)\n',
        good='//@version=6\nstrategy("Example")\nif close > open\n    strategy.entry("Long", strategy.long)\n',
    ),
    Code(
        name="CE10245",
        severity=Severity.ERROR,
        template="A library must contain at least one exported function, method, or type",
        why="Other scripts use a library, and they only see its exports. Export everything that they should use.",
        bad=_LIBRARY + "twice(float x) =>\n    x * 2\n",
        good=_LIBRARY + "export twice(float x) =>\n    x * 2\n",
    ),
    Code(
        name="RE10140",
        severity=Severity.ERROR,
        template="The script creates too many plots ({countPLots}). The limit is {maxPlotsNumber}",
        why=(
            "A script can have at most 64 plot counts. A plot counts one, and one more for each of its colors that is"
            " not constant; candles and bars count four. Drawings, horizontal lines and tables are free."
        ),
        bad=_HEAD + "".join(f"plot(close + {number})\n" for number in range(65)),
        good=_HEAD + "".join(f"plot(close + {number})\n" for number in range(64)),
    ),
    Code(
        name="short-title-too-long",
        severity=Severity.INFO,
        template="The shorttitle is too long ({length} characters). It should be 10 characters or less.",
        why="The chart's legend shows the short title, and has room for ten characters.",
        bad='//@version=6\nindicator("Example", shorttitle = "Long example")\n' + _PLOT,
        good='//@version=6\nindicator("Example", shorttitle = "Example")\n' + _PLOT,
    ),
    Code(
        name="CE10147",
        severity=Severity.ERROR,
        template='Cannot specify a type form "{simple}" without also specifying the type.',
        why=(
            "`const`, `simple` and `series` are only allowed before a type. Write the type after the qualifier, or"
            " remove both."
        ),
        bad=_HEAD + "simple length = 14\nplot(length)\n",
        good=_HEAD + "simple int length = 14\nplot(length)\n",
    ),
    Code(
        name="CE10149",
        severity=Severity.ERROR,
        template='"{X}" is not a valid type keyword.',
        why=(
            "No type of this name is known at this place. Types and enums of your own must be declared further up;"
            " plots, horizontal lines and sources have no type keyword."
        ),
        bad=_HEAD + "source price = close\nplot(price)\n",
        good=_HEAD + "float price = close\nplot(price)\n",
    ),
    Code(
        name="CE10022",
        severity=Severity.ERROR,
        template="Arrays of type {type} are not supported.",
        why=(
            "An array holds plain values, drawings and objects, but no other collections, plots or horizontal lines."
            " Put the inner collection into a field of a type."
        ),
        bad=_HEAD + "array<array<float>> rows = na\n" + _PLOT,
        good=_HEAD + "type Row\n    array<float> values\narray<Row> rows = na\n" + _PLOT,
    ),
    Code(
        name="CE10023",
        severity=Severity.ERROR,
        template="Matrix of type {type} are not supported.",
        why="A matrix holds plain values, drawings and objects, but no collections, plots or horizontal lines.",
        bad=_HEAD + "matrix<array<float>> grid = na\n" + _PLOT,
        good=_HEAD + "matrix<float> grid = na\n" + _PLOT,
    ),
    Code(
        name="CE10025",
        severity=Severity.ERROR,
        template=(
            "Cannot use a collection in a type template of another collection. Create a user-defined type with that "
            "collection as a field and use it instead."
        ),
        why=(
            "Collections do not hold collections. Declare a type with the inner one as its field and hold objects"
            " of it."
        ),
        bad=_HEAD + "rows = array.new<array<float>>()\n" + _PLOT,
        good=_HEAD + "type Row\n    array<float> values\nrows = array.new<Row>()\n" + _PLOT,
    ),
    Code(
        name="map-key-type",
        severity=Severity.ERROR,
        template='The keys of a map cannot be of the type "{type}"',
        why="Keys are numbers, texts, colors, bool values or fields of an enum. Use one of these to find the object.",
        bad=_HEAD + "marks = map.new<line, float>()\n" + _PLOT,
        good=_HEAD + "marks = map.new<int, float>()\n" + _PLOT,
        text=OURS,
    ),
    Code(
        name="CE10285",
        severity=Severity.ERROR,
        template='The type "{name}" is already defined',
        why="Two types cannot share a name. Rename one of them, or join their fields.",
        bad=_HEAD + "type Level\n    float price\ntype Level\n    int index\n" + _PLOT,
        good=_HEAD + "type Level\n    float price\n    int index\n" + _PLOT,
        text=OURS,
    ),
    Code(
        name="CE10186",
        severity=Severity.ERROR,
        template="Duplicated field: '{fieldName}'.",
        why="Each field of a type or enum needs its own name.",
        bad=_HEAD + "type Level\n    float price\n    int price\n" + _PLOT,
        good=_HEAD + "type Level\n    float price\n    int index\n" + _PLOT,
    ),
    Code(
        name="CE10125",
        severity=Severity.ERROR,
        template=(
            'Incorrect field type "{field}" of enum "{enum}". Unexpected type: "{unexpectedType}". Expected type: '
            '"literal string"'
        ),
        why=(
            "The value of an enum's field is its title, a text in quotation marks. Leave it out if the name is"
            " sufficient."
        ),
        bad=_HEAD + "enum Trend\n    rising = 1\n    falling = 2\n" + _PLOT,
        good=_HEAD + 'enum Trend\n    rising = "Rising"\n    falling = "Falling"\n' + _PLOT,
    ),
    Code(
        name="CE10288",
        severity=Severity.ERROR,
        template='A field cannot be declared with "{keyword}"',
        why=(
            "`varip` is the only keyword for variables that is also allowed before a field. Every object keeps its"
            " fields anyway; declare the variable that holds the object with `var`."
        ),
        bad=_HEAD + "type Counter\n    var int count = 0\ncounter = Counter.new()\nplot(counter.count)\n",
        good=_HEAD + "type Counter\n    int count = 0\nvar counter = Counter.new()\nplot(counter.count)\n",
        text=OURS,
    ),
    Code(
        name="CE10132",
        severity=Severity.ERROR,
        template=(
            'Cannot use "{id}" as the default value of a type\'s field. The default value cannot be a function, '
            "variable or calculation."
        ),
        why="Defaults of fields and parameters are literals or built-in names. Write the value itself.",
        bad=_HEAD + "start = 100.0\ntype Account\n    float balance = start\n" + _PLOT,
        good=_HEAD + "type Account\n    float balance = 100.0\n" + _PLOT,
    ),
    Code(
        name="CE10133",
        severity=Severity.ERROR,
        template="The default value cannot be a function, variable or calculation.",
        why=(
            "Defaults of fields and parameters are literals or built-in names, not calls. Compute the value inside the "
            "function, or set the field after creating the object."
        ),
        bad=_HEAD + "type Account\n    float balance = math.abs(-100.0)\n" + _PLOT,
        good=_HEAD + "type Account\n    float balance = 100.0\n" + _PLOT,
    ),
    Code(
        name="CE10134",
        severity=Severity.ERROR,
        template=(
            'The default value assigned to a parameter must be either a literal value (e.g., "5") or a built-in '
            'variable (e.g., "close").'
        ),
        why="Defaults are not computed. Write the result of the calculation, or compute it inside the function.",
        bad=_HEAD + "scaled(float x, float factor = 2 * 3) =>\n    x * factor\nplot(scaled(close))\n",
        good=_HEAD + "scaled(float x, float factor = 6) =>\n    x * factor\nplot(scaled(close))\n",
    ),
    Code(
        name="CE10169",
        severity=Severity.ERROR,
        template=(
            '"na" cannot be used as the default value if the parameter\'s type is not defined. Use "<type> '
            '<parameterName> = na" instead'
        ),
        why="`na` has no type of its own, so the parameter needs one.",
        bad=_HEAD + "filled(x = na) =>\n    nz(x)\nplot(filled(close))\n",
        good=_HEAD + "filled(float x = na) =>\n    nz(x)\nplot(filled(close))\n",
    ),
    Code(
        name="CE10170",
        severity=Severity.ERROR,
        template=(
            "Default value of type {defValTypeExpression} can not be assigned to an argument of type {explicitType}"
        ),
        why="The default must have the declared type; only a whole number fits where a float is declared.",
        bad=_HEAD + "type Level\n    int bars = 1.5\n" + _PLOT,
        good=_HEAD + "type Level\n    float bars = 1.5\n" + _PLOT,
    ),
    Code(
        name="CE10110",
        severity=Severity.ERROR,
        template=(
            'The "{functionName}" function has overloads with the same parameters. The type of parameters must be '
            "different in overloaded versions of functions."
        ),
        why="A call could not tell the two functions apart: the types of parameters count, their names do not.",
        bad=_HEAD + "width(int bars) =>\n    bars\nwidth(int points) =>\n    points * 2\nplot(width(1))\n",
        good=_HEAD + "width(int bars) =>\n    bars\nwidth(string name) =>\n    str.length(name)\nplot(width(1))\n",
    ),
    Code(
        name="CE10111",
        severity=Severity.ERROR,
        template=(
            'The "{functionName}" function has overloads with the same required parameters. The type of required '
            "parameters must be different in overloaded versions of functions."
        ),
        why="Parameters with a default may be left out, so a call could not tell the two functions apart.",
        bad=_HEAD
        + "width(int bars) =>\n    bars\nwidth(int bars, int factor = 2) =>\n    bars * factor\nplot(width(1))\n",
        good=_HEAD
        + "width(int bars) =>\n    bars\nwidth(int bars, int factor) =>\n    bars * factor\nplot(width(1))\n",
    ),
    Code(
        name="CE10112",
        severity=Severity.ERROR,
        template=(
            'Function "{functionName}" already defined. Either the type or the number of required parameters in '
            "overloaded versions of functions must be different."
        ),
        why="Two functions without parameters cannot share a name. Rename one of them.",
        bad=_HEAD + "level() =>\n    high\nlevel() =>\n    low\nplot(level())\n",
        good=_HEAD + "upper() =>\n    high\nlower() =>\n    low\nplot(upper() - lower())\n",
    ),
    Code(
        name="CE10113",
        severity=Severity.ERROR,
        template=(
            'Function "{functionName}" already defined. The "{functionName1}" function has overloads using the same'
            " number of required parameters without them having distinct types. Function overloads with the same number"
            " of required parameters must have explicit parameter types that are unique among the overloads."
        ),
        why=(
            "Parameters without a type accept everything, so a call could not tell the two functions apart. Give the"
            " parameters different types."
        ),
        bad=_HEAD + "width(x) =>\n    x\nwidth(y) =>\n    y * 2\nplot(width(1))\n",
        good=_HEAD + "width(int x) =>\n    x\nwidth(string y) =>\n    str.length(y)\nplot(width(1))\n",
        text=OURS,
    ),
    Code(
        name="CE10236",
        severity=Severity.ERROR,
        template='The "{argName}" argument is not used. The first method argument should be used.',
        why=(
            "A method works on its first parameter. Use it in the body, or turn the method into a function without it."
        ),
        bad=_HEAD
        + """\
type Level
    float price
method distance(Level this) =>
    close
level = Level.new(close)
plot(level.distance())
""",
        good=_HEAD
        + """\
type Level
    float price
method distance(Level this) =>
    close - this.price
level = Level.new(close)
plot(level.distance())
""",
    ),
    Code(
        name="method-receiver",
        severity=Severity.ERROR,
        template='The first parameter of the method "{name}" must be declared with its type',
        why="The type of the first parameter decides on which values the method can be called.",
        bad=_HEAD + "method half(x) =>\n    x / 2\nplot(close.half())\n",
        good=_HEAD + "method half(float x) =>\n    x / 2\nplot(close.half())\n",
        text=OURS,
    ),
    Code(
        name="exported-function-untyped",
        severity=Severity.ERROR,
        template="All exported functions args should be typified",
        why="Users of a library only see its signatures, so each parameter of an exported function needs a type.",
        bad=_LIBRARY + "export twice(x) =>\n    x * 2\n",
        good=_LIBRARY + "export twice(float x) =>\n    x * 2\n",
    ),
    Code(
        name="exported-variable-not-const",
        severity=Severity.ERROR,
        template="Exported variable should have const modifier and type",
        why=(
            "A library only exports constants. Write `export const`, the type, and a value that is known when"
            " compiling."
        ),
        bad=_LIBRARY + "export int limit = 10\n",
        good=_LIBRARY + "export const int limit = 10\n",
    ),
    Code(
        name="export-uses-global",
        severity=Severity.ERROR,
        template='The exported function uses the global variable "{variableName}", which exists only in the library',
        why=(
            "An exported function runs in other scripts, where the library's variables do not exist. Pass the value as"
            " a parameter."
        ),
        bad=_LIBRARY + "spread = input.float(2.0)\nexport scaled(float x) =>\n    x * spread\n",
        good=_LIBRARY + "export scaled(float x, float spread) =>\n    x * spread\n",
        text=OURS,
    ),
    Code(
        name="export-uses-input",
        severity=Severity.ERROR,
        template='An exported function cannot call "{functionName}()"',
        why="Inputs belong to the script that uses the library. Pass the value as a parameter.",
        bad=_LIBRARY + "export scaled(float x) =>\n    factor = input.float(2.0)\n    x * factor\n",
        good=_LIBRARY + "export scaled(float x, float factor) =>\n    x * factor\n",
        text=OURS,
    ),
    Code(
        name="export-of-private-type",
        severity=Severity.ERROR,
        template='"{name}" is exported, but its type "{type}" is not',
        why=(
            "A script that uses the library must be able to name every type in its signatures and fields. Export it"
            " too."
        ),
        bad=_LIBRARY + "type Level\n    float price\nexport priceOf(Level level) =>\n    level.price\n",
        good=_LIBRARY + "export type Level\n    float price\nexport priceOf(Level level) =>\n    level.price\n",
        text=OURS,
    ),
    Code(
        name="CE10135",
        severity=Severity.ERROR,
        template='"break" is only allowed inside loops.',
        why="`break` leaves a `for` or `while` loop, so it must be inside one.",
        bad=_HEAD + "if close > open\n    break\n" + _PLOT,
        good=_HEAD + "total = 0\nfor i = 0 to 9\n    if i > 5\n        break\n    total += i\nplot(total)\n",
    ),
    Code(
        name="CE10136",
        severity=Severity.ERROR,
        template='"continue" is only allowed inside loops.',
        why="`continue` starts the next iteration of a `for` or `while` loop, so it must be inside one.",
        bad=_HEAD + "if close > open\n    continue\n" + _PLOT,
        good=_HEAD + "total = 0\nfor i = 0 to 9\n    if i == 5\n        continue\n    total += i\nplot(total)\n",
    ),
)
