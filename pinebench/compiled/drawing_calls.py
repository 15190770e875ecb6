"""Writes the code of drawings, alerts, logs, and strings that a script joins on a bar.

Machine code stores only the parts of a drawing that can stop the script or become a number (`handles`). Each call is a
record in the log of the run. `call_log` later replays the calls from the log with the code of the Python tier.
"""

from __future__ import annotations

import re
from itertools import zip_longest

from pinebench.compiled.code_writer import CodeWriter
from pinebench.compiled.layouts import LIVING, LOGGED_CALL
from pinebench.compiled.library_functions import call as library_call
from pinebench.compiled.library_functions import method_call
from pinebench.compiled.script_code import ARRAY_OF, LoggedCall
from pinebench.errors import PinebenchError
from pinebench.runtime import (
    SURPLUS,
    BarInvariants,
    Line,
    LivingDrawings,
    RuntimeFault,
    Table,
    cell_place,
    ir,
    not_negative,
    reachable,
    values,
)
from pinebench.runtime import builtins as library

_COORDINATES = {
    "line": {"x1": "x1", "y1": "y1", "x2": "x2", "y2": "y2"},
    "label": {"x": "x1", "y": "y1"},
    "box": {"left": "x1", "top": "y1", "right": "x2", "bottom": "y2"},
}
"""The coordinates of drawings, and their positions in the layout of a drawing."""
_LIMITED = ("line", "label", "box")
"""The kinds of drawings whose oldest ones are deleted when there are too many."""
_POINTS = {
    "first_point": ("x1", "y1"),
    "second_point": ("x2", "y2"),
    "point": ("x1", "y1"),
    "top_left": ("x1", "y1"),
    "bottom_right": ("x2", "y2"),
}
"""The arguments of drawings that are points, and the coordinates that they become."""
_TEXTS = frozenset(
    "str.tostring str.format str.format_time str.upper str.lower str.trim str.replace_all str.substring".split()
)
"""The functions that join texts and never stop a script, if their format is valid and no text is too long."""


_OF_OBJECTS = ("map.", "footprint.", "volume_row.")
"""The namespaces whose functions do not read the fields of an object: maps only hold it, and footprints do not
exist."""


class GivenValues:
    """The arguments of a call: the code of their values, and their positions in the call's log record."""

    def __init__(self, w: CodeWriter, name: str, line: int | None) -> None:
        self._w = w
        self.call = LoggedCall(name, line or 0)
        self.slots: list[str] = []

    def take(self, value: ir.Expression, kind: str | None = None) -> str:
        """Write and return the code of an argument. The value is computed once, in the order of the arguments."""
        w = self._w
        if isinstance(value, ir.Constant) or w.is_settled(value):
            self.call.arguments.append(value)
            return w.text(value)
        held = w.held(w.text(value))
        self.call.arguments.append((len(self.slots), kind or value.kind))
        self.slots.append(held)
        return held

    def take_letters(self, value: ir.Expression, kind: str | None = None) -> None:
        """Write the code of an argument. If the argument is a string or an array of strings that may be joined on a
        bar, record that the run needs the characters."""
        self.take(value, kind)
        if value in self._w.late or (kind == f"{ARRAY_OF}string" and self._w.late.has_elements):
            self._w.out.has_letters = True

    def point(self, value: ir.Expression) -> tuple[str, str, str]:
        """Write the code of a `chart.point`. Return the code of its time, index and price, which the script may change
        later."""
        w = self._w
        held = w.held(w.text(value))
        parts = [w.held(f"object_field_or_na(m, {held}, {k})") for k in range(3)]
        self.call.arguments.append((len(self.slots), "point"))
        self.slots += [held, *parts]
        return parts[0], parts[1], parts[2]

    def result(self, text: str) -> None:
        """Add `text`, the code of the drawing that the call creates, to the call's record."""
        self.call.result = len(self.slots)
        self.slots.append(text)

    def write(self, function: str) -> str:
        """Write code that creates the call's record with `function` (`logged` or `noted`). Return the name of the
        variable with the record's address."""
        w = self._w
        number, place = len(w.out.calls), w.temporary()
        w.out.calls.append(self.call)
        w.part.write(f"{place} = {function}(m, {number}, i, {len(self.slots)})")
        if self.slots:
            w.part.write(f"if {place} != 0:")
            for k, text in enumerate(self.slots):
                w.part.write(f" m[{place} + {LOGGED_CALL.places + k}] = {text}")
        return place


def put_together(w: CodeWriter, node: ir.Binary | ir.CallBuiltin) -> str:
    """Write the code of a string that the script joins on a bar. It is joined immediately if joining may stop the
    script, otherwise only when its characters are needed."""
    if isinstance(node, ir.Binary):
        given = GivenValues(w, "+", w.line)
        values = [node.left, node.right]
    else:
        if not _is_safe(w, node):
            return ask_library(w, node)
        given = GivenValues(w, node.name, w.line)
        values = node.arguments
    taken = [given.take(value) for value in values]
    if given.call.name == "str.substring":
        size = ir.CallBuiltin("int", "str.length", [values[0]])
        w.part.write(library_call(library.texts.part_of, *taken[1:], f"int({w.settled_text(size)})"))
    place = given.write("noted")
    return w.held(f"text_joined({', '.join(taken)}, {place})" if isinstance(node, ir.Binary) else f"text_made({place})")


def ask_library(w: CodeWriter, node: ir.CallBuiltin | ir.CallKernel) -> str:
    """Write the code of a call of a library function that Python computes while machine code runs."""
    kernel = node.state if isinstance(node, ir.CallKernel) else None
    given = GivenValues(w, node.name if isinstance(node, ir.CallBuiltin) else node.state.name, w.line)
    call, name = given.call, given.call.name
    result, *objects = (node.objects if isinstance(node, ir.CallBuiltin) else ()) or (None,)
    is_known = name in library.FUNCTIONS or name in library.CONTEXT_FUNCTIONS or kernel is not None
    if not is_known or name == "array.slice":  # the elements of a slice are the elements of another array
        raise w.refuse(f"{name.partition('#')[0]}() is not compiled")
    call.kind, call.kernel = node.kind, kernel
    if result is not None and result.startswith(ARRAY_OF):
        call.kind = result
    if kernel is not None:
        call.arguments.append((0, "int"))
        given.slots.append(f"float({w.part.at(w.kernel_place(kernel))})")
        call.kind = f"{ARRAY_OF}float" if node.kind == "object" else node.kind
    reads = [series.partition("[") for series in node.reads] if isinstance(node, ir.CallKernel) else []
    columns = [ir.Column("float", name, ir.Constant("int", 1) if earlier else None) for name, earlier, _ in reads]
    for value, sort in zip_longest([*node.arguments, *columns], objects):
        kind = {"special": "string", "matrix": "object", "map": "object"}.get(sort or "", sort)
        is_opaque = value.kind == "object" and sort in (None, "udt", "enum", "object", f"{ARRAY_OF}object")
        if is_opaque and not isinstance(value, ir.Constant) and not name.startswith(_OF_OBJECTS):
            raise w.refuse(f"{name.partition('#')[0]}() of an object is not compiled")
        given.take_letters(value, "object" if is_opaque else kind)
    return ask(w, call, given.slots)


def ask(w: CodeWriter, call: LoggedCall, slots: list[str]) -> str:
    """Write the code of a call that Python performs during the run (`library_calls`). `slots` has the code of each
    value in the call's record, which has a fixed address."""
    number, place = len(w.out.calls), w.main.take(LOGGED_CALL.places + len(slots))
    w.out.calls.append(call)
    w.main.first[place + LOGGED_CALL.number] = float(number)
    w.part.write(f"m[{place + LOGGED_CALL.bar}] = float(i)")
    for k, text in enumerate(slots):
        w.part.write(f"m[{place + LOGGED_CALL.places + k}] = {text}")
    answer = w.held(f"answered(m, {place})")
    return f"({answer} != 0.0)" if call.kind == "bool" else "" if call.kind == "void" else answer


def tell(w: CodeWriter, node: ir.CallHost) -> None:
    """Write the code of a call of `alert` or of a log function."""
    given = GivenValues(w, node.name, w.line)
    for value in node.arguments:
        given.take(value)
    for name, value in node.keywords.items():
        given.call.names.append(name)
        given.take(value)
    given.write("logged")


def hold(w: CodeWriter, variable: ir.Variable, address: str) -> None:
    """Write the code that records which drawing a variable now holds: such a drawing is not deleted when the chart has
    too many. `address` is the code of the variable's address."""
    if variable.history is not None:
        w.out.has_held_history = True
    elif variable.kept:
        if variable.drawing in w.read_drawings:
            known = w.part.at(w.part.take(1))
            w.part.write(f"if m[{known}] == 0.0:")
            w.part.write(f" m[{known}] = 1.0")
            w.part.write(f" append_row(m, {_drawings_place(w, variable.drawing) + LIVING.holders}, {address})")
        given = GivenValues(w, variable.drawing, w.line)
        given.call.is_holder = True
        given.slots += [address, f"m[{address}]"]
        given.write("logged")


def draw(w: CodeWriter, node: ir.CallHost) -> str:
    """Write the code of a drawing function's call, and return the code of its result; empty if it has no result."""
    kind, _, function = node.name.partition(".")
    if function == "all" or node.name == "polyline.new":
        raise w.refuse(f"{node.name} is not compiled")
    if function.startswith("get_"):
        return _got(w, node, kind, function)
    given = GivenValues(w, node.name, w.line)
    numbers: dict[str, str] = {}
    for value in node.arguments:
        given.take(value)
    points: dict[str, tuple[str, str, str]] = {}
    for name, value in node.keywords.items():
        given.call.names.append(name)
        if name in _POINTS and value.kind == "object":
            points[name] = given.point(value)
        else:
            is_word = name == "text_formatting"  # the only argument whose words are numbers and no texts
            numbers[name] = given.take(value, "int" if is_word else None)
    drawing = _made(w, node, kind, function, numbers)
    if drawing:
        given.result(drawing)
    changed = drawing or numbers.get("id") or numbers.get("table_id") or ""
    if "xloc" in numbers and function == "set_xloc":
        timed = _is_timed(w, node.keywords["xloc"], numbers["xloc"])
        w.part.write(f"drawing_set(m, {changed}, DRAWING.is_timed, {timed})")
    if kind in _COORDINATES and function not in ("copy", "delete"):
        _place(w, kind, function, changed, numbers, points)
    if kind == "label" and function == "set_size" and node.keywords["size"].kind in ir.NUMBERS:
        w.part.write(library_call(not_negative, numbers["size"]))
    if kind == "table":
        _judge_table(w, function, changed, numbers)
    if function == "delete":
        is_read = kind in w.read_drawings
        w.part.write(
            f"drawing_end(m, {_drawings_place(w, kind)}, {changed})" if is_read else f"drawing_delete(m, {changed})"
        )
    given.write("logged")
    return drawing


def _made(w: CodeWriter, node: ir.CallHost, kind: str, function: str, numbers: dict[str, str]) -> str:
    """Return the code of a new drawing; empty if the function makes none."""
    if function == "copy":
        drawing = w.held(f"drawing_copy(m, {numbers['id']})")
    elif node.name == "linefill.new":
        drawing = w.held(f"drawing_filled(m, {numbers['line1']}, {numbers['line2']})")
    elif function == "new":
        timed = _is_timed(w, node.keywords.get("xloc"), numbers.get("xloc", ""))
        drawing = w.held(f"drawing_new(m, {timed})")
    else:
        return ""
    if kind in w.read_drawings:  # a drawing that is deleted because there are too many reads as na
        place = _drawings_place(w, kind)
        count = w.held(f"drawing_add(m, {place}, {drawing})")
        most = w.limits[kind] + SURPLUS if kind in w.limits else 1 if kind == "table" else 0
        w.part.write(f"if {count} > {float(most)}:")
        if kind in _LIMITED and not w.has_held_history:
            w.part.write(f" {method_call(LivingDrawings, 'trim', str(place), count, str(float(w.limits[kind])))}")
        else:
            w.part.write(" fail(m, 5.0)")
    return drawing


def _drawings_place(w: CodeWriter, kind: str) -> int:
    """Return the address of the list of all drawings of a kind."""
    if kind not in w.notes:
        w.notes[kind] = w.main.take(LIVING.places)
    return w.notes[kind]


def _is_timed(w: CodeWriter, xloc: ir.Expression | None, text: str) -> str:
    if xloc is None:
        return "False"
    known = w.known.constant(xloc)
    if known is not None:
        return str(known.value == "bar_time")
    if xloc in w.late:
        raise w.refuse("an xloc that is put together on a bar is not compiled")
    return f"({text} == {float(w.text_number('bar_time'))})"


def _place(
    w: CodeWriter,
    kind: str,
    function: str,
    drawing: str,
    numbers: dict[str, str],
    points: dict[str, tuple[str, str, str]],
) -> None:
    """Write the coordinates of a drawing. The script stops if a bar is too far away."""
    places = _COORDINATES[kind]
    prop = function.removeprefix("set_").removesuffix("_point")
    found: list[tuple[str, str]] = []
    for name, text in numbers.items():
        if name in ("id", "xloc"):
            continue
        if function == f"set_{prop}" and prop in places:
            found.append((places[prop], text))
        elif name in places:
            found.append((places[name], text))
        elif f"{name}{function[-1]}" in places:  # x and y of set_xy1
            found.append((places[f"{name}{function[-1]}"], text))
    for name, (time, index, price) in points.items():
        named = prop if prop in _POINTS else f"{prop}_point"
        x, y = _POINTS[named if name == "point" and named in _POINTS else name]
        along = w.held(f"({time} if drawing_value(m, {drawing}, DRAWING.is_timed) == 1.0 else {index})")
        found += [(x, along), (y, price)]
    for name, text in found:
        if name.startswith("x"):
            text = w.held(library_call(values.whole, text))
            w.part.write(f"if drawing_value(m, {drawing}, DRAWING.is_timed) == 0.0:")
            w.part.write(f" {library_call(reachable, text, 'float(i)')}")
        w.part.write(f"drawing_set(m, {drawing}, DRAWING.{name}, {text})")


def _judge_table(w: CodeWriter, function: str, table: str, numbers: dict[str, str]) -> None:
    """Write code that stops the script if a cell is outside of the table."""
    for name in ("columns", "rows") if function == "new" else ():
        w.part.write(library_call(not_negative, numbers[name]))
        w.part.write(f"drawing_set(m, {table}, DRAWING.{name}, {library_call(cell_place, numbers[name])})")
    places: list[list[str]] = []
    if "column" in numbers:
        places = [[numbers["column"], numbers["row"]]]
    if "start_column" in numbers:
        places = [[numbers[f"{end}_column"], numbers[f"{end}_row"]] for end in ("start", "end")]
    if function == "merge_cells":
        places = [places[0] + places[1]]
    for each in places:
        w.part.write(f"if not is_gone(m, {table}):")
        w.part.write(f" {method_call(Table, 'corners' if len(each) > 2 else 'at', table, *each)}")


def _got(w: CodeWriter, node: ir.CallHost, kind: str, function: str) -> str:
    """Return the code of a number that the script reads from a drawing."""
    prop = function.removeprefix("get_")
    drawing = w.held(w.text(node.keywords["id"]))
    if node.name == "line.get_price":
        price = method_call(Line, "price", drawing, w.held(w.text(node.keywords["x"])))
        return w.held(f"(NA if is_gone(m, {drawing}) else {price})")
    place = _COORDINATES.get(kind, {}).get(prop)
    if place is None:
        raise w.refuse(f"the script reads the result of {node.name}(), which is not compiled")
    return w.held(f"drawing_value(m, {drawing}, DRAWING.{place})")


def chart_point(w: CodeWriter, node: ir.CallHost) -> str:
    """Return the code of a new `chart.point`: an object with a time, an index and a price."""
    given = {name: w.held(w.text(value)) for name, value in node.keywords.items()}
    if node.name == "chart.point.copy":
        return w.held(f"object_copy(m, {given['id']})")
    whole = {name: library_call(values.whole, given[name]) if name in given else "NA" for name in ("time", "index")}
    if node.name == "chart.point.now":
        whole = {"time": w.now("time"), "index": "float(i)"}
    made = w.held("object_new(m, 3)")
    for k, text in enumerate((whole["time"], whole["index"], given["price"])):
        w.part.write(f"object_set(m, {made}, {k}, {text})")
    return made


def _is_safe(w: CodeWriter, value: ir.CallBuiltin) -> bool:
    """Return whether the text can be joined after the bar, because joining it never stops the script."""
    name = value.name.partition("#")[0]
    if name not in _TEXTS or any(argument.kind == "object" for argument in value.arguments):
        return False
    if name == "str.substring":
        return w.is_settled(value.arguments[0])
    if name in ("str.format", "str.replace_all") and not all(_is_short(w, argument) for argument in value.arguments):
        return False
    forms = {"str.format": 0, "str.tostring": 1, "str.format_time": 1}
    if name not in forms or len(value.arguments) <= forms[name]:
        return True
    form = w.known.constant(value.arguments[forms[name]])
    return form is not None and form.value is not None and _has_form(name, str(form.value), value.arguments, w.known)


def _is_short(w: CodeWriter, value: ir.Expression) -> bool:
    """Return whether the value can never be a text that grows from bar to bar."""
    if value not in w.late:
        return True
    if isinstance(value, ir.Binary):
        return _is_short(w, value.left) and _is_short(w, value.right)
    if isinstance(value, ir.CallBuiltin) and value.name.startswith(("str.tostring", "str.format_time")):
        is_short = all(_is_short(w, argument) for argument in value.arguments[1:])
        return is_short and value.arguments[0].kind in (*ir.NUMBERS, "bool")
    return False


def _has_form(name: str, form: str, arguments: list[ir.Expression], invariants: BarInvariants) -> bool:
    """Return whether `form` is a format that never fails, whatever values the arguments have."""
    try:
        if name == "str.tostring":
            library.texts.text_of_number(1.5, form, 1.0)
            return True
        if name == "str.format_time":
            zone = invariants.constant(arguments[2]) if len(arguments) > 2 else None
            if zone is None and len(arguments) > 2 and not _is_own_zone(arguments[2]):
                return False
            library.FUNCTIONS[name](0, form, None if zone is None else zone.value)
            return True
        if re.search(r"\b(date|time)\b", form, re.IGNORECASE):
            return False  # a float may not be a moment
        samples = {"int": 1, "float": 1.0, "bool": False, "string": "", "color": 0}
        library.FUNCTIONS[name](form, *(samples[argument.kind] for argument in arguments[1:]))
    except (RuntimeFault, PinebenchError):
        return False
    return True


def _is_own_zone(value: ir.Expression) -> bool:
    return isinstance(value, ir.FixedValue) and value.key == "syminfo.timezone"
