"""Runtime errors with TradingView's messages.

An error is named by TradingView's own code if that was recorded (`RE10045`), otherwise by a stable name of ours.
`str.format` fills in the values.
"""

from __future__ import annotations

from pinebench.records import NamedTuple


class RuntimeErrorText(NamedTuple):
    """A runtime error: its message, and whether TradingView prefixes it with `Error on bar N: `."""

    template: str
    on_bar: bool = True


_HISTORY = "The script attempts to reference historical data that is too far from the current bar"
_INVALID = "Invalid value of the '{argName}' argument"

STOPS: dict[str, RuntimeErrorText] = {
    # arguments
    "RE10001": RuntimeErrorText(_INVALID + " ({value}) in the '{funName}' function. It must be {op} 0."),
    "RE10002": RuntimeErrorText(
        _INVALID + " ({value}) in the '{funName}' function. It must be in the range [{min}..{max}]."
    ),
    "RE10003": RuntimeErrorText(_INVALID + " in the '{funName}' function. It must not be na"),
    "RE10004": RuntimeErrorText(
        "The '{funName}' function references too many historical candles ({n}), the limit is {limit}."
    ),
    "RE10005": RuntimeErrorText(
        "Invalid argument '{value}' for '{argName}' in the '{funName}' function. Possible values: [{possibleValues}]"
    ),
    "RE10021": RuntimeErrorText("'step' in loop must be greater than zero"),
    "RE10022": RuntimeErrorText("Loop takes too long to execute (> 500 ms)"),
    "RE10023": RuntimeErrorText("Cannot call the '{funName}' function with a tick-based 'timeframe' argument"),
    "RE10073": RuntimeErrorText("The sizes of the `id1` and `id2` arrays must be equal."),
    "RE10090": RuntimeErrorText("In the 'matrix.pow()' function. The 'power' argument must be positive."),
    "RE10119": RuntimeErrorText("'line.get_price' must be used with lines created using 'xloc=xloc.bar_index'."),
    "RE10126": RuntimeErrorText(
        "Invalid value of the 'repeat' parameter '{count}' in the 'str.repeat' function. It must be >= 0."
    ),
    "RE10128": RuntimeErrorText(
        'The `developing` parameter of the `ta.pivot_point_levels()` cannot be `true` when `type` is "Woodie".'
    ),
    "RE10142": RuntimeErrorText("{message}"),
    "substring-positions": RuntimeErrorText(
        "The positions {begin} and {end} do not fit into a string of length {length}."
    ),
    "date-format": RuntimeErrorText("Unrecognized date-time format: {text}"),
    "time-format": RuntimeErrorText("Invalid `format` value: {format}"),
    "invalid-timeframe": RuntimeErrorText("Invalid timeframe: {timeframe}"),
    "invalid-timezone": RuntimeErrorText("Invalid time zone: {timezone}"),
    "session-entry": RuntimeErrorText("bad session entry - {n}"),
    "unmatched-braces": RuntimeErrorText("Unmatched braces in the pattern."),
    "argument-number": RuntimeErrorText("can't parse argument number: {text}"),
    "format-object": RuntimeErrorText("Cannot format given Object as a Number"),
    "number-too-large": RuntimeErrorText("A whole number has become too large."),
    # history
    "RE10008": RuntimeErrorText(
        _HISTORY + " ({invalidBarsBack} bars back). The history-referencing length for the expression must be a value "
        "between 0 and {maxBarsBack}."
    ),
    "history-limit": RuntimeErrorText(_HISTORY + " ({n} bars back). The historical buffer's limit is {limit} bars."),
    "RE10143": RuntimeErrorText(
        "The requested historical offset ({num1}) is beyond the historical buffer's limit ({num2})."
    ),
    # undefined objects
    "RE10029": RuntimeErrorText("The `{type}` ID used in the `{method_name}()` call cannot be `na`."),
    "RE10041": RuntimeErrorText("Cannot access the '{name}' field of an undefined object. The object is 'na'."),
    "RE10052": RuntimeErrorText("Cannot call array methods when id of array is na."),
    "RE10053": RuntimeErrorText("Cannot call matrix methods when id of matrix is na."),
    "na-map": RuntimeErrorText("Cannot call map methods when id of map is na."),
    "RE10145": RuntimeErrorText("The `{type}` ID used in the `{method_name}()` call cannot be `na`."),
    # arrays, maps, matrices
    "RE10044": RuntimeErrorText("Index 'from' should be less than index 'to'."),
    "RE10045": RuntimeErrorText(
        "In 'array.{funcName}()' function. Index {index} is out of bounds, array size is {size}."
    ),
    "RE10051": RuntimeErrorText(
        "Cannot modify the elements of a historical array or any slices of that array. Instead of modifying an array "
        "referenced by an ID retrieved with the `[]` operator, create a shallow copy of the array with `array.copy()`, "
        "then modify the copy or a slice of that copy."
    ),
    "RE10070": RuntimeErrorText(
        "A map cannot have more than {maxSize} key-value pairs. The current size is {currSize}."
    ),
    "array-too-large": RuntimeErrorText("Array is too large. Maximum size is {limit}"),
    "array-negative-size": RuntimeErrorText("Cannot create an array with a negative size"),
    "array-empty": RuntimeErrorText("Cannot call `{funcName}()` if array is empty."),
    "slice-out-of-bounds": RuntimeErrorText("Slice is out of bounds of the parent array"),
    "matrix-index": RuntimeErrorText("The {axis} index ({index}) is out of bounds, {axis} size is ({size})."),
    "matrix-array-size": RuntimeErrorText("The array size does not match the number of rows or columns in the matrix."),
    "matrix-too-large": RuntimeErrorText("Matrix is too large. Maximum size of the matrix is 100,000 elements."),
    "matrix-range": RuntimeErrorText("The row/column index must be 0 <= from_row/column < to_row/column."),
    "matrix-sizes": RuntimeErrorText(
        "Matrices 'id1' and 'id2' must have an equal number of rows and columns to be added."
    ),
    "matrix-product": RuntimeErrorText(
        "The number of columns in the 'id1' matrix must equal the number of rows in the matrix (or the number of "
        "elements in the array) 'id2'."
    ),
    "matrix-negative-size": RuntimeErrorText("Cannot create a matrix with a negative number of rows or columns"),
    "matrix-reshape": RuntimeErrorText("A matrix of {count} elements cannot have {rows} rows and {columns} columns."),
    "RE10088": RuntimeErrorText("Cannot compute eigenvalues of an empty matrix."),
    "matrix-not-square": RuntimeErrorText("Operation not available for non-square matrices."),
    "map-resized": RuntimeErrorText("Cannot change the size of a map while a loop runs over it."),
    "sort-field": RuntimeErrorText("The objects of the array have no field {field} to sort by."),
    "array-object-sort": RuntimeErrorText("Cannot sort an array of objects that contains na elements."),
    # drawings, tables, plots
    "RE10020": RuntimeErrorText(
        "Objects positioned using xloc.bar_index cannot be drawn further than {maxOffsetInFutureForDrawings} bars into "
        "the future."
    ),
    "RE10026": RuntimeErrorText(
        "Bar index value of the `{arg}` argument ({n}) in `{fn}()` is too far from the current bar index. Try using "
        "`time` instead."
    ),
    "RE10039": RuntimeErrorText("Column {col} is out of table bounds, number of columns is {cols}."),
    "RE10040": RuntimeErrorText("Row {r} is out of table bounds, number of rows is {n}."),
    "RE10127": RuntimeErrorText(
        "Start cell in [{startCol}, {startR}] cannot be below or to the right of the end cell [{endCol}, {endR}]."
    ),
    "RE10140": RuntimeErrorText(
        "The script creates too many plots ({countPLots}). The limit is {maxPlotsNumber}", on_bar=False
    ),
    # requests, symbols, resources
    "run-time-limit": RuntimeErrorText(
        "pinebench stopped the script: the run took {used}, and pinebench's own limit is {limit} s. TradingView stops "
        "a script after 20 or 40 s on its own machines, which depends on the plan."
    ),
    "bar-time-limit": RuntimeErrorText(
        "pinebench stopped the script: this bar took {used}, and pinebench's own limit is {limit} s a bar. TradingView "
        "stops a loop after 500 ms on its own machines, which cannot be measured here."
    ),
    "RE10137": RuntimeErrorText(
        "The script executes too many unique `request.*()` function calls. The limit is {limit}. You can increase the "
        "limit by upgrading your plan.",
        on_bar=False,
    ),
    "memory-limit": RuntimeErrorText(
        "pinebench stopped the script: it needs more memory than pinebench gives to a run, usually 1 GiB. TradingView "
        "has a limit of its own, which cannot be measured here."
    ),
    "text-limit": RuntimeErrorText(
        "pinebench stopped the script: it makes a text of more than {limit} characters, which is pinebench's own "
        "limit. TradingView has a limit of its own, which cannot be measured here."
    ),
    "invalid-symbol": RuntimeErrorText("Invalid symbol: {symbol}", on_bar=False),
    "symbol-resolve": RuntimeErrorText(
        'Symbol resolve error: ={{"base-currency-id":"{base}","currency-id":"{to}"}}', on_bar=False
    ),
    "lower-timeframe": RuntimeErrorText(
        "The timeframe {timeframe} of request.security_lower_tf() is above the chart's {chart}.", on_bar=False
    ),
    # strategies
    "RE10024": RuntimeErrorText(
        "Invalid `qty` value ({q}) in the `{fn}()` call. Use a positive number less or equal to 1000000000000."
    ),
    "RE10141": RuntimeErrorText(
        "Cannot create an order with negative quantity. Current qty_type is percent_of_equity and equity is less than "
        "0."
    ),
}


def stop_message(name: str, values: dict[str, object]) -> str:
    """Return the message of the runtime error `name`, without the bar number. A placeholder without a value remains in
    the text.

    Raises KeyError for an unknown name, which is a bug of the caller.
    """
    return STOPS[name].template.format_map(_TemplateValues(values))


class _TemplateValues(dict[str, object]):
    def __missing__(self, key: str) -> str:
        return "{" + key + "}"
