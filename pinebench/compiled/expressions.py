"""Writes the code of a script's expressions for `module_writer`."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

from pinebench.compiled.builtins import NOT_COMPILED
from pinebench.compiled.code_writer import CodeWriter
from pinebench.compiled.drawing_calls import ask_library, chart_point, draw, put_together
from pinebench.compiled.library_functions import FUNCTIONS, arrays, numbers
from pinebench.compiled.library_functions import call as library_call
from pinebench.compiled.request_arguments import REQUESTS
from pinebench.compiled.script_code import (
    DRAWN,
    FIRST_COLUMNS,
    MOST_PLACES,
    NotCovered,
    Part,
    empty,
    first_value,
    float_text,
    of_kind,
)
from pinebench.runtime import BarInvariants, ir, numbers_compared, values
from pinebench.runtime import builtins as library


def _get(w: CodeWriter, node: ir.Get) -> str:
    return w.variable(node.variable)


def _column(w: CodeWriter, node: ir.Column) -> str:
    place = f"b[{w.column(node.name)} * n + i"
    now = of_kind(f"{place}]", node.kind)
    return now if node.offset is None else _history(w, node.kind, place, "", now, node.offset)


def _now(w: CodeWriter, node: ir.Now) -> str:
    simple = {
        "bar_index": "float(i)",
        "last_bar_index": "float(n - 1)",
        "barstate.isfirst": "(i == 0)",
        "barstate.islast": "(i == n - 1)",
        "barstate.isconfirmed": "True",
        "barstate.ishistory": "True",
        "barstate.isrealtime": "False",
        "barstate.isnew": "True",
        "barstate.islastconfirmedhistory": "(i == n - 1)",
        "bid": "NA",
        "ask": "NA",
        "last_bar_time": f"b[{FIRST_COLUMNS.index('time')} * n + n - 1]",
    }
    if node.name in simple:
        return simple[node.name]
    if node.name == "timenow":
        return w.settled_text(ir.FixedValue("int", "clock", node.name))
    if node.name.startswith("strategy.") and w.strategy is not None:
        return w.held(w.strategy.variable(w, node))  # a function that is called later may close the position
    raise w.refuse(f"{node.name} is not compiled")


def _history(w: CodeWriter, kind: ir.Kind, place: str, first: str, current: str, offset: ir.Expression) -> str:
    """Return the code of the value some bars ago. `place` begins the code of its address, and `first` is the bar of the
    first value."""
    constant = w.known.constant(offset)
    if constant is not None and constant.value == 0:
        return current
    steps = None if constant is None else ir.constant_steps(constant)
    back = str(steps) if steps is not None else w.held(library_call(values.bars_back, w.text(offset)))
    is_known = f"float(i - {back}) >= m[{first}]" if first else f"i >= {back}"
    text = f"({of_kind(f'{place} - {back}]', kind)} if {is_known} else {empty(kind)})"
    return text if steps is not None else f"({current} if {back} <= 0 else {text})"


def _past(w: CodeWriter, node: ir.Past) -> str:
    variable, part = node.variable, w.part
    history = variable.history
    assert history is not None
    if w.is_settled_variable(variable) or history not in part.histories:
        raise w.refuse(f"the history of {variable.name} is not compiled")
    if variable.collection or variable in w.tuples:
        raise w.refuse(f"the history of {variable.name}, which is a collection or a tuple, is not compiled")
    place = part.at(part.histories[history])
    if not history.is_far:
        return of_kind(f"m[{place}]", variable.kind)
    number = history.block.number
    first = "" if number is None else part.at(part.blocks[number] + 1)
    return _history(w, node.kind, f"m[int(m[{place}]) + i", first, w.variable(variable), node.offset)


def _recorded(w: CodeWriter, node: ir.RecordedValue) -> str:
    part = w.part
    place = part.states[node.state]
    bar, first, values, value = (part.at(place + k) for k in range(4))
    if node.value.kind in ("object", "void"):
        raise w.refuse("the history of an object or a collection is not compiled")
    now = w.held(w.text(node.value))
    w.begin_bar(bar, first, [(values, f"m[{value}]", True)])
    part.write(f"m[{value}] = {now}")
    return _history(w, node.kind, f"m[int(m[{values}]) + i", first, now, node.offset)


def _unary(w: CodeWriter, node: ir.Unary) -> str:
    text = w.text(node.operand)
    if node.operator in ("alive", "gone"):
        return w.held(f"{'drawing_alive' if node.operator == 'alive' else 'is_gone'}(m, {text})")
    if node.operator == "not":
        return f"(not {text})"
    if node.operator == "-":
        return f"(0.0 - {text})" if node.kind == "int" else f"(-{text})"
    if node.operator == "float":
        return f"({text} + 0.0)"
    if node.operator != "na":
        raise w.refuse(f"the operator {node.operator} is not compiled")
    if node.operand.kind == "bool":
        return "False"
    if node.operand.kind == "string":
        return f"({text if node.operand not in w.unclear else w.letters(node.operand)} == 0.0)"
    if node.operand.kind == "object":
        held = w.held(text)
        return f"({held} != {held})"
    return f"(not is_known({text}))"


def _binary(w: CodeWriter, node: ir.Binary) -> str:
    operator = node.operator
    if operator in ("and", "or"):
        return _logical(w, node)
    kinds = (node.left.kind, node.right.kind)
    if operator in ("+", "-", "*", "/", "%"):
        if node.kind == "string":
            return put_together(w, node)
        return _computed(w, node, w.text(node.left), w.text(node.right))
    if "string" in kinds:
        return _same_texts(w, node)
    left, right = w.text(node.left), w.text(node.right)
    if "object" in kinds:
        same = w.held(f"is_same({left}, {right})")
        return same if operator == "==" else f"(not {same})"
    if all(kind in ir.NUMBERS for kind in kinds):
        return f"({numbers_compared(operator, kinds, left, right)[0]})"
    if kinds == ("bool", "bool"):
        return f"({left} {operator} {right})"
    if "color" in kinds:
        return library_call(values.same if operator == "==" else values.different, left, right)
    raise w.refuse("this comparison is not compiled")


def _same_texts(w: CodeWriter, node: ir.Binary) -> str:
    """Return the code that compares two texts. A comparison with the empty text often needs no characters."""
    texts = (node.left, node.right)
    constants = [each.value for each in map(w.known.constant, texts) if each is not None]
    unclear = w.unclear if "" in constants or None in constants else w.late
    left, right = (w.letters(text) if text in unclear else w.held(w.text(text)) for text in texts)
    return f"({left} {node.operator} {right})"


def _computed(w: CodeWriter, node: ir.Binary, left: str, right: str) -> str:
    is_int = node.kind == "int"
    if node.operator in "+-":
        text = f"({left} {node.operator} {right})"
        return f"exact(m, {text})" if is_int else text
    if node.operator == "*":
        text = f"({left} * {right}{' + 0.0' if is_int else ''})"
        # Python computes a product with a constant exactly, and makes another one that is too large a double
        is_exact = is_int and any(isinstance(part, ir.Constant) for part in (node.left, node.right))
        return f"exact(m, {text})" if is_exact else text
    if node.operator == "%":
        text = library_call(values.remainder, left, right)
        return f"({text} + 0.0)" if is_int else text
    constant = w.known.constant(node.right)
    if constant is not None and constant.value:
        return f"({left} / {right})"
    return library_call(values.quotient, left, right)


def _logical(w: CodeWriter, node: ir.Binary) -> str:
    """Return the code of `and` or `or`. The right side runs only if it decides the result."""
    part = w.part
    left = w.text(node.left)
    before = len(part.lines)
    part.indent += 1
    right = w.text(node.right)
    part.indent -= 1
    if len(part.lines) == before:
        return f"({left} {node.operator} {right})"
    needed = part.lines[before:]
    del part.lines[before:]
    name = w.held(left)
    part.write(f"if {name}:" if node.operator == "and" else f"if not {name}:")
    part.lines += needed
    part.write(f" {name} = {right}")
    return name


def _choose(w: CodeWriter, node: ir.Choose) -> str:
    part = w.part
    holds = w.known.truth(node.condition)
    if holds is not None:
        return w.text(node.then if holds else node.otherwise)
    condition = w.text(node.condition)
    before = len(part.lines)
    part.indent += 1
    then = w.text(node.then)
    middle = len(part.lines)
    otherwise = w.text(node.otherwise)
    part.indent -= 1
    if len(part.lines) == before:
        return f"({then} if {condition} else {otherwise})"
    first, second = part.lines[before:middle], part.lines[middle:]
    del part.lines[before:]
    name = w.temporary()
    part.write(f"if {condition}:")
    part.lines += first
    part.write(f" {name} = {then}")
    part.write("else:")
    part.lines += second
    part.write(f" {name} = {otherwise}")
    return name


def _call_builtin(w: CodeWriter, node: ir.CallBuiltin) -> str:
    name = node.name.partition("#")[0]
    if is_host_series(node, w.known) and node.kind != "string":
        return _host_column(w, node)
    if name == "nz":
        return _replaced(w, node)
    if name.startswith("array."):
        return _call_array(w, node, name)
    if node.kind == "string":
        return put_together(w, node)
    function = library.FUNCTIONS.get(node.name)
    if name not in _CASTS and function not in FUNCTIONS:
        return ask_library(w, node)
    given = [w.text(argument) for argument in node.arguments]
    if name == "int":
        return library_call(values.whole, given[0])
    if name == "bool":
        if node.arguments[0].kind == "bool":
            return given[0]
        return library_call(values.truth, given[0])
    if name in ("math.max", "math.min"):
        chosen = numbers.larger if name == "math.max" else numbers.smaller
        return reduce(lambda found, each: library_call(chosen, found, each), given)
    if name == "math.avg":
        assert function is not None
        given = [w.held(text) for text in given]  # an average inside of this one writes the same places
        place = w.main.take(len(given))  # a function without state has no places of its own
        for k, text in enumerate(given):
            w.part.write(f"m[{place + k}] = {text}")
        return w.held(library_call(function, str(place), str(len(given))))
    if name == "math.round_to_mintick":
        move, scale = (w.settled_text(ir.FixedValue("float", "tick", key)) for key in ("move", "scale"))
        return library_call(numbers.round_to_tick, given[0], move, scale)
    assert function is not None
    return library_call(function, *given)


def _call_array(w: CodeWriter, node: ir.CallBuiltin, name: str) -> str:
    """Return the code of a call of an array function. Its result goes to a variable, because the order of such calls
    matters."""
    if name == "array.from":
        return _array_of(w, node)
    function, values = library.FUNCTIONS[node.name], node.arguments
    if function is arrays.sort and str(node.objects[1]).endswith(ir.NUMBERS) and isinstance(values[1], ir.Constant):
        return library_call(arrays.sort_numbers, w.text(values[0]), str(values[1].value == "descending"))
    searches = function in (arrays.includes, arrays.index_of, arrays.last_index_of)
    if (
        function not in FUNCTIONS
        or (node.kind == "int" and name in _FRACTIONS)
        or (searches and values[1].kind == "string" and (w.late.has_elements or values[1] in w.late))
    ):
        return ask_library(w, node)
    given = [w.text(value) for value in values]
    if function is arrays.new and len(values) == 1:
        given.insert(0, "0.0")
    if function in (arrays.get, arrays.remove) and node.kind in ir.NUMBERS:
        given.append("NA")
    text = library_call(function, *given, is_number=not searches or values[1].kind in (*ir.NUMBERS, "bool"))
    if node.kind == "void":
        return text
    held = w.held(text)
    if name == "array.sum" and node.kind == "int":
        return f"exact(m, {held})"
    return f"({held} != 0.0)" if node.kind == "bool" and function.__annotations__["return"] == "Any" else held


def _array_of(w: CodeWriter, node: ir.CallBuiltin) -> str:
    given = [w.text(value) for value in node.arguments]
    held = w.held(library_call(arrays.new, "0.0", "NA"))
    for text in given:
        w.part.write(library_call(arrays.push, held, text))
    return held


_FRACTIONS = ("array.avg", "array.median", "array.variance", "array.stdev", "array.percentrank")
"""The functions that may return a fraction for whole numbers."""
_CASTS = frozenset("int bool math.max math.min math.avg math.round_to_mintick".split())


def _replaced(w: CodeWriter, node: ir.CallBuiltin) -> str:
    source, replacement = node.arguments
    first, second = w.held(w.text(source)), w.held(w.text(replacement))
    if node.kind in ir.NUMBERS:
        return f"({first} if is_known({first}) else {second})"
    if node.kind == "color":
        return f"({first} if {first} == {first} else {second})"
    raise w.refuse("nz() of this value is not compiled")


_OF_TIME = frozenset(
    "time time_close timeframe.change timestamp hour minute second year month dayofmonth dayofweek weekofyear "
    "timeframe.in_seconds timeframe.from_seconds".split()
)


def is_host_series(value: ir.Expression, invariants: BarInvariants) -> bool:
    """Return whether an expression is a function of the bar's time. Python computes such expressions as columns before
    the first bar."""
    if isinstance(value, ir.Column):
        if value.offset is None:
            return True
        back = invariants.constant(value.offset)
        is_whole = back is not None and isinstance(back.value, int) and 0 <= back.value <= values.MOST_BARS_BACK
        return is_whole and value.kind in ir.NUMBERS
    if invariants.is_settled(value) or ir.is_settled(value):
        return True
    if isinstance(value, ir.CallBuiltin) and value.name.partition("#")[0] in _OF_TIME:
        return all(is_host_series(argument, invariants) for argument in value.arguments)
    return False


def _host_column(w: CodeWriter, node: ir.CallBuiltin) -> str:
    key = id(node)
    if key not in w.host_places:
        w.host_places[key] = w.column(f"#{len(w.out.host_columns)}")
        w.out.host_columns[w.host_places[key]] = node
    return of_kind(f"b[{w.host_places[key]} * n + i]", node.kind)


def _call_kernel(w: CodeWriter, node: ir.CallKernel) -> str:
    if node.state.name in NOT_COMPILED:
        return ask_library(w, node)
    builtin = w.builtin(node.state)
    given = [w.text(argument) for argument in node.arguments]
    place = w.part.at(w.kernel_place(node.state))
    for name in node.reads:
        series, _, earlier = name.partition("[")
        k = w.column(series)
        given.append(f"(b[{k} * n + i - 1] if i >= 1 else NA)" if earlier else f"b[{k} * n + i]")
    text = f"{builtin.function}({', '.join(['m', place, 'i', *given])})"
    return of_kind(text, node.kind) if node.state.name.startswith("ta.valuewhen") else text


def _call_function(w: CodeWriter, node: ir.CallFunction) -> str:
    part = w.functions.get(node.function)
    if part is None:
        raise w.refuse(f"the function {node.function.name} is not compiled")
    given = [w.text(argument) for argument in node.arguments]
    place = "0"
    assert node.state is not None or not part.places, "a function without state would write over the head of the memory"
    if node.state is not None:
        place = w.part.at(_copy_place(w, node.state, part))
    text = f"f{node.function.number}({', '.join(['m', 'b', 'n', 'i', place, *given])})"
    is_named = w.kinds_of(node) or part.is_void
    return text if is_named else w.held(text)  # its orders, drawings and logs come before what is written next


def _copy_place(w: CodeWriter, state: ir.CallState, function: Part) -> int:
    part = w.part
    if state not in part.states:
        taken = part.places - (w.begin if part is w.main else 0)
        if taken + function.places > MOST_PLACES:
            raise w.refuse("the script has too many calls that keep a state of their own")
        part.states[state] = part.take(function.places, function.first)
    return part.states[state]


def _call_host(w: CodeWriter, node: ir.CallHost) -> str:
    namespace = node.name.partition(".")[0]
    if namespace in DRAWN:
        return draw(w, node)
    if namespace == "chart":
        return chart_point(w, node)
    if node.name == "object.copy":
        return w.held(f"object_copy(m, {w.text(node.arguments[0])})")
    if namespace == "strategy" and w.strategy is not None:
        return w.held(w.strategy.call(w, node))
    if node.name in REQUESTS and not w.kinds_of(node):
        return w.requested(node)[0]
    if namespace == "request":
        # a request for data that nobody has is one call, which has its name
        given = node.arguments[0]
        name = given.value if node.name == "request.missing" and isinstance(given, ir.Constant) else node.name
        if node.name == "request.missing" and not w.kinds_of(node.arguments[1]):
            w.missing(str(name))
            return w.text(node.arguments[1])
        raise w.refuse(f"{name}() is not compiled")
    if node.kind != "void":
        raise w.refuse(f"the script reads the result of {node.name}(), which is not compiled")
    raise w.refuse(f"{node.name}() is not compiled")


def _not_covered(what: str) -> Callable[[CodeWriter, Any], str]:
    def refuse(w: CodeWriter, node: Any) -> str:
        raise w.refuse(what)

    return refuse


def field_number(code: str) -> int:
    """Return the index of a field in its object. `code` is the field's name in generated code."""
    return _POINT.index(code) if code in _POINT else int(code.rpartition("_")[2])


_POINT = ("time", "index", "price")
"""The fields of a point of the chart."""


def _new(w: CodeWriter, node: ir.New) -> str:
    if w.strategy is not None and w.strategy.recalculates:
        lasting = next((field.name for field in node.type.fields.values() if field.varip), None)
        if lasting is not None:  # it stays when the state before the fill is put back
            raise NotCovered(f"varip {node.type.name}.{lasting} with calc_on_order_fills is not compiled")
    given = [w.held(w.text(value)) for value in node.arguments]
    made = w.held(f"object_new(m, {len(given)})")
    for k, text in enumerate(given):
        w.part.write(f"object_set(m, {made}, {k}, {text})")
    return made


def _get_field(w: CodeWriter, node: ir.GetField) -> str:
    function = "object_field_or_na" if node.is_safe else "object_field"
    text = w.text(node.object)
    held = w.held(f"{function}(m, {text}, {field_number(node.code)})")
    if node.is_safe and node.kind in ("bool", "string"):
        held = w.held(f"({held} if {held} == {held} else {first_value(node.kind)})")
    return of_kind(held, node.kind)


def _fixed(w: CodeWriter, node: ir.FixedValue) -> str:
    if node.source == "enum":
        return float_text(float(str(node.key).lstrip("E") or 0))
    return w.settled_text(node)


EXPRESSIONS: dict[type, Callable[[CodeWriter, Any], str]] = {
    ir.Constant: lambda w, node: w.constant(node),
    ir.Get: _get,
    ir.Column: _column,
    ir.FixedValue: _fixed,
    ir.Now: _now,
    ir.Past: _past,
    ir.RecordedValue: _recorded,
    ir.Unary: _unary,
    ir.Binary: _binary,
    ir.Choose: _choose,
    ir.CallBuiltin: _call_builtin,
    ir.CallKernel: _call_kernel,
    ir.CallHost: _call_host,
    ir.CallFunction: _call_function,
    ir.New: _new,
    ir.GetField: _get_field,
    ir.TupleOf: _not_covered("a tuple is used as a value, which is not compiled"),
    ir.WatchedExpression: _not_covered("a watched value is not compiled"),
}
