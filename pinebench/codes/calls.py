"""Codes about calls: missing, extra, misnamed or wrongly typed arguments, and the limits of requests and orders."""

from __future__ import annotations

from pinebench.codes.model import OURS, UNSEEN, Code
from pinebench.diagnostics import Severity

_HEAD = '//@version=6\nindicator("Example")\n'
_STRATEGY = '//@version=6\nstrategy("Example")\n'
_LIBRARY = '//@version=6\nlibrary("Example")\n'
_CALL = 'Cannot call "{funId}" with argument "{argDisplayName}"="{argUserFriendlyRepresentation}". '

CODES = (
    Code(
        name="CE10123",
        severity=Severity.ERROR,
        template=_CALL
        + 'An argument of "{argumentType}" type was used but a "{currentTypeDocStr}" {typePostfix} is expected.',
        why=(
            "The function or operator does not accept a value of this type, or not one that is known this late: a"
            " `simple` argument must be known on the first bar, a `const` one when compiling."
        ),
        bad=_HEAD + "average = ta.sma(close, 14.5)\nplot(average)\n",
        good=_HEAD + "average = ta.sma(close, 14)\nplot(average)\n",
    ),
    Code(
        name="CE10122",
        severity=Severity.ERROR,
        template=_CALL + 'An argument of "{argumentType}" type was used but one from "{expectedType}" is expected',
        why=(
            "The function accepts any number of arguments, but only of these types, and all elements of a new array"
            " must have the same type."
        ),
        bad=_HEAD + 'values = array.from(1, "two")\nplot(close)\n',
        good=_HEAD + "values = array.from(1, 2)\nplot(values.sum())\n",
    ),
    Code(
        name="CE10124",
        severity=Severity.ERROR,
        template=(
            'Cannot call "{funId}()" to collect the "{field}" field from an object of the "{name}" type. The field"s '
            'type is "{argumentType}", but the "{expectedType}" type is expected.'
        ),
        why="The function cannot print a field of an enum. Turn it into a text with `str.tostring()` first.",
        bad=_HEAD
        + """\
enum Side
    buy
    sell
label.new(bar_index, high, str.format("{0}", Side.buy))
""",
        good=_HEAD
        + """\
enum Side
    buy
    sell
label.new(bar_index, high, str.format("{0}", str.tostring(Side.buy)))
""",
    ),
    Code(
        name="CE10068",
        severity=Severity.ERROR,
        template='Invalid argument "{argumentName}" in "{funName}" call. Possible values: [{possibleValues}]',
        why="This parameter only accepts the built-in constants of its own type.",
        bad=_STRATEGY + 'strategy.entry("Long", 1)\n',
        good=_STRATEGY + 'strategy.entry("Long", strategy.long)\n',
    ),
    Code(
        name="CE10189",
        severity=Severity.ERROR,
        template=(
            'Cannot call "{funName}" with "na" as a value for a non-typified argument. The argument "{argName}" should'
            " be explicitly typified."
        ),
        why=(
            "A parameter without a type takes the type of its argument, and `na` has none. Write a type before the"
            " parameter."
        ),
        bad=_HEAD + "filled(x, instead) =>\n    nz(x, instead)\nplot(filled(close, na))\n",
        good=_HEAD + "filled(float x, float instead) =>\n    nz(x, instead)\nplot(filled(close, na))\n",
    ),
    Code(
        name="default-not-in-options",
        severity=Severity.WARNING,
        template='The default value of "{functionName}()" must be one of its options',
        why=(
            "The input's widget offers only the options. Add the default to them, or make one of them the default."
            + UNSEEN
        ),
        bad=_HEAD + 'kind = input.string("WMA", "Average", options = ["SMA", "EMA"])\nplot(close)\n',
        good=_HEAD + 'kind = input.string("SMA", "Average", options = ["SMA", "EMA"])\nplot(close)\n',
        text=OURS,
    ),
    Code(
        name="CW10023",
        severity=Severity.WARNING,
        template=(
            "The argument for the `formatString` parameter for `str.format` expects {expected} value(s), but received"
            " {received} value(s)."
        ),
        why=(
            "`{0}` prints the first value, `{1}` the second, and so on. A brace that is not closed is not a"
            " placeholder."
        ),
        bad=_HEAD + 'label.new(bar_index, high, str.format("Close {0", close))\n',
        good=_HEAD + 'label.new(bar_index, high, str.format("Close {0}", close))\n',
    ),
    Code(
        name="CE10041",
        severity=Severity.ERROR,
        template=(
            'Invalid value "{value}" for "{argument_name}" parameter of the "{funId}()" function. It must be between'
            " {min_value} and {max_value}"
        ),
        why="The function only reaches a limited number of bars into the past or the future.",
        bad=_HEAD + "max_bars_back(close, 10000)\nplot(close[bar_index])\n",
        good=_HEAD + "max_bars_back(close, 5000)\nplot(close[math.min(bar_index, 4000)])\n",
    ),
    Code(
        name="CE10039",
        severity=Severity.ERROR,
        template=(
            'The "{funId}()" function cannot have a negative "{argument_name}" value. Use a positive value in the'
            " function call."
        ),
        why="Text sizes and numbers of occurrences cannot be negative. With a text size of 0 TradingView chooses it.",
        bad=_HEAD + 't = table.new(position.top_right, 1, 1)\nt.cell(0, 0, "x", text_size = -1)\n',
        good=_HEAD + 't = table.new(position.top_right, 1, 1)\nt.cell(0, 0, "x", text_size = 12)\n',
    ),
    Code(
        name="CE10274",
        severity=Severity.ERROR,
        template="color.new: transp argument value should be between 0 and 100",
        why="Transparency is a percentage: 0 is opaque, 100 is invisible.",
        bad=_HEAD + "plot(close, color = color.new(color.red, 150))\n",
        good=_HEAD + "plot(close, color = color.new(color.red, 50))\n",
    ),
    Code(
        name="CE10212",
        severity=Severity.ERROR,
        template='Arguments of input function must be of constant type, or "source" builtin variables.',
        why=(
            "The value is chosen in the script's settings before the script runs. The default can be a constant or"
            " one of the built-in prices, but not a computed value."
        ),
        bad=_HEAD + 'price = input(close * 2, "Price")\nplot(price)\n',
        good=_HEAD + 'price = input(close, "Price") * 2\nplot(price)\n',
    ),
    Code(
        name="CE10178",
        severity=Severity.ERROR,
        template=(
            "The script {drwName} value ({value}) is greater than the maximum possible value ({MAX_DRAWINGS_COUNT})"
        ),
        why="TradingView keeps at most 500 lines, labels and boxes of a script and 100 polylines.",
        bad='//@version=6\nindicator("Example", max_lines_count = 1000)\nline.new(bar_index, low, bar_index, high)\n',
        good='//@version=6\nindicator("Example", max_lines_count = 500)\nline.new(bar_index, low, bar_index, high)\n',
    ),
    Code(
        name="CE10275",
        severity=Severity.ERROR,
        template="timestamp(s): unrecognized datetime format",
        why=(
            "TradingView cannot read the text as a date. It reads days like `20 Feb 2020`, and ISO dates whose time"
            " zone is an offset like `+00:00`."
        ),
        bad=_HEAD + 'start = timestamp("2026-01-01T00:00:00Z")\nplot(time >= start ? close : na)\n',
        good=_HEAD + 'start = timestamp("2026-01-01T00:00:00+00:00")\nplot(time >= start ? close : na)\n',
    ),
    Code(
        name="CE10165",
        severity=Severity.ERROR,
        template='No value assigned to the "{name}" parameter in {functionName}()',
        why="This parameter has no default, so every call must give it a value.",
        bad=_HEAD + "average = ta.sma(close)\nplot(average)\n",
        good=_HEAD + "average = ta.sma(close, 14)\nplot(average)\n",
    ),
    Code(
        name="CE10115",
        severity=Severity.ERROR,
        template=(
            'Too many arguments passed into the "{funName}()" function call. Passed {passedArgsCount} arguments'
            "{expectMsg}{expectArgsCount}."
        ),
        why="The call has more arguments than the function has parameters. Remove the extra ones.",
        bad=_HEAD + "average = ta.sma(close, 14, 2)\nplot(average)\n",
        good=_HEAD + "average = ta.sma(close, 14)\nplot(average)\n",
    ),
    Code(
        name="CE10118",
        severity=Severity.ERROR,
        template="Wrong number of args: {count}",
        why="The function needs a minimum number of arguments, and this call has fewer.",
        bad=_HEAD + "plot(math.max())\n",
        good=_HEAD + "plot(math.max(open, close))\n",
    ),
    Code(
        name="CE10119",
        severity=Severity.ERROR,
        template="Functions that accept a variable number of arguments cannot accept keyword arguments",
        why="The parameters of such a function have no names. Write only the values.",
        bad=_HEAD + "plot(math.max(number0 = open, number1 = close))\n",
        good=_HEAD + "plot(math.max(open, close))\n",
    ),
    Code(
        name="CE10120",
        severity=Severity.ERROR,
        template='The "{signature}" function does not have an argument with the name "{name}"',
        why="The function has no parameter of this name. Names of parameters are written as in its signature.",
        bad=_HEAD + "plot(close, colour = color.red)\n",
        good=_HEAD + "plot(close, color = color.red)\n",
    ),
    Code(
        name="CE10157",
        severity=Severity.ERROR,
        template=(
            'Syntax error after the argument for "{name}". Arguments without their parameter name cannot be used after '
            "arguments with parameter names."
        ),
        why=(
            "After the first named argument all others need names too, because their position no longer tells which"
            " parameter is meant."
        ),
        bad=_HEAD + 'plot(series = close, "Price")\n',
        good=_HEAD + 'plot(series = close, title = "Price")\n',
    ),
    Code(
        name="CE10072",
        severity=Severity.ERROR,
        template='Two or more arguments are passed to the "{argName}" parameter. You can pass only one argument.',
        why="Each parameter accepts one value, by position or by name. Remove one of the two.",
        bad=_HEAD + 'plot(close, "Price", title = "Close")\n',
        good=_HEAD + 'plot(close, title = "Close")\n',
    ),
    Code(
        name="sort-field-type",
        severity=Severity.WARNING,
        template='"{functionName}()" cannot sort by the field "{field}", which is of the "{type}" type',
        why=(
            "Objects are sorted by a field that holds a number or a text; without `sort_field` it is the first one."
            " Name another field." + UNSEEN
        ),
        bad=_HEAD
        + """\
type Mark
    color shade
    float price
marks = array.new<Mark>()
marks.sort()
plot(close)
""",
        good=_HEAD
        + """\
type Mark
    color shade
    float price
marks = array.new<Mark>()
marks.sort(sort_field = 1)
plot(close)
""",
        text=OURS,
    ),
    Code(
        name="CE10027",
        severity=Severity.ERROR,
        template=(
            'You cannot use strategy functions ({name}) in indicator script. Please replace "indicator" with'
            ' "strategy".'
        ),
        why=(
            "Orders, trades and the account exist only in scripts declared with `strategy()`. The constants of"
            " `strategy.*` work everywhere, and libraries may use all of it."
        ),
        bad=_HEAD + "plot(strategy.equity)\n",
        good=_STRATEGY + "plot(strategy.equity)\n",
    ),
    Code(
        name="strategy-exit-without-target",
        severity=Severity.ERROR,
        template=(
            'strategy.exit must have at least one of the following parameters: "profit", "limit", "loss", "stop" or one'
            ' of the following pairs: "trail_offset" and "trail_price" / "trail_points". To close the position at'
            ' market price, use "strategy.close"'
        ),
        why=(
            "`strategy.exit()` places orders at prices, so it needs at least one; a trailing stop needs `trail_offset`"
            " beside `trail_price` or `trail_points`. Use `strategy.close()` to leave at"
            " once."
        ),
        bad=_STRATEGY + 'strategy.entry("Long", strategy.long)\nstrategy.exit("Exit", "Long")\n',
        good=_STRATEGY + 'strategy.entry("Long", strategy.long)\nstrategy.exit("Exit", "Long", loss = 100)\n',
    ),
    Code(
        name="linewidth-too-small",
        severity=Severity.WARNING,
        template='The "linewidth" argument of {functionName}() should be at least 1, not {value}',
        why=(
            "TradingView's guide to version 6 asks for at least 1, but published scripts of version 6 compile with 0."
            " Use `display = display.none` or a transparent color to hide a line."
        ),
        bad=_HEAD + "plot(close, linewidth = 0)\n",
        good=_HEAD + "plot(close, linewidth = 1)\n",
        text=OURS,
    ),
    Code(
        name="CE10059",
        severity=Severity.ERROR,
        template='"{name}" cannot be used with any parameter of the "request.*()" functions.',
        why="The results of trading exist only on the chart's own bars. Read the variable outside of the request.",
        bad=_STRATEGY + 'held = request.security(syminfo.tickerid, "D", strategy.position_size)\nplot(held)\n',
        good=_STRATEGY
        + 'daily = request.security(syminfo.tickerid, "D", close)\nplot(daily * strategy.position_size)\n',
    ),
    Code(
        name="CE10051",
        severity=Severity.ERROR,
        template=(
            'The expression of a "request.*()" call cannot depend on "{name}", a parameter of an exported function'
        ),
        why=(
            "The expression is evaluated in another context, where the argument of the call is not known. Request"
            " built-in series and compute with the parameter outside."
        ),
        bad=_LIBRARY + 'export daily(float x) =>\n    request.security(syminfo.tickerid, "D", x)\n',
        good=_LIBRARY + 'export daily(float x) =>\n    request.security(syminfo.tickerid, "D", close) * x\n',
        text=OURS,
    ),
    Code(
        name="CE10057",
        severity=Severity.ERROR,
        template='The expression of a "request.*()" call cannot use "{name}()", which draws on the chart',
        why=("Requested expressions only compute values. Draw outside, with the value that was requested."),
        bad=_HEAD
        + """\
marked() =>
    label.new(bar_index, high)
    close
daily = request.security(syminfo.tickerid, "D", marked())
plot(daily)
""",
        good=_HEAD
        + """\
daily = request.security(syminfo.tickerid, "D", close)
label.new(bar_index, daily)
plot(daily)
""",
        text=OURS,
    ),
    Code(
        name="request-depends-on-loop",
        severity=Severity.WARNING,
        template='The expression of a "request.*()" call cannot depend on "{name}", which changes in a loop',
        why=(
            "The expression is evaluated in another context, where the loop does not run. Request the series once and"
            " use its history inside the loop." + UNSEEN
        ),
        bad=_HEAD
        + """\
total = 0.0
for i = 0 to 3
    total += request.security(syminfo.tickerid, "D", close * i)
plot(total)
""",
        good=_HEAD
        + """\
daily = request.security(syminfo.tickerid, "D", close)
total = 0.0
for i = 0 to 3
    total += daily * i
plot(total)
""",
        text=OURS,
    ),
    Code(
        name="request-not-dynamic",
        severity=Severity.ERROR,
        template=(
            "Cannot use `request.*()` call within loops or conditional structures, when `dynamic_requests` is `false`"
            " in the `{declaration}()` function."
        ),
        why=(
            "Without dynamic requests every request must be in the global scope, with a symbol and timeframe known on"
            " the first bar. Move the call, or leave `dynamic_requests` at its default."
        ),
        bad="""\
//@version=6
indicator("Example", dynamic_requests = false)
float daily = na
if close > open
    daily := request.security(syminfo.tickerid, "D", close)
plot(daily)
""",
        good="""\
//@version=6
indicator("Example", dynamic_requests = false)
float daily = request.security(syminfo.tickerid, "D", close)
plot(close > open ? daily : na)
""",
    ),
    Code(
        name="too-many-request-values",
        severity=Severity.WARNING,
        template='The "request.*()" call has {count} tuple elements; the limit is {limit}',
        why=(
            "A tuple that a script requests may have 127 elements. Request objects of a type instead: one object counts"
            " once." + UNSEEN
        ),
        bad=_HEAD
        + "["
        + ", ".join(f"value{number}" for number in range(128))
        + '] = request.security(syminfo.tickerid, "D", ['
        + ", ".join(["close"] * 128)
        + "])\nplot(value0)\n",
        good=_HEAD
        + "["
        + ", ".join(f"value{number}" for number in range(127))
        + '] = request.security(syminfo.tickerid, "D", ['
        + ", ".join(["close"] * 127)
        + "])\nplot(value0)\n",
        text=OURS,
    ),
)
