"""Leaves out the parts of a script that change no number: drawings, alerts, logs and texts.

Their arguments are still evaluated, and the run stops where the Python tier may stop with an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pinebench.compiled.code_writer import CodeWriter
from pinebench.compiled.script_code import INF
from pinebench.errors import PinebenchError
from pinebench.runtime import BarInvariants, RuntimeFault, ir
from pinebench.runtime import builtins as library

FARTHEST_AHEAD, FARTHEST_BACK = 500, 10_000
_ACROSS = ("x", "x1", "x2", "left", "right")
"""The arguments of drawings that are places on the time axis."""
_CORNERS = ("start_column", "start_row", "end_column", "end_row")
_JUDGED = frozenset((*_ACROSS, *_CORNERS, "column", "row", "columns", "rows", "size"))
"""The arguments of drawings that can stop a script by their values."""


def leave_out(w: CodeWriter, what: str, values: Iterable[ir.Expression]) -> None:
    """Leave out a call that does not change any number, and evaluate its arguments for what they do."""
    w.out.left_out.append((what, w.line))
    for value in values:
        harmless(w, value)


def harmless(w: CodeWriter, value: ir.Expression) -> None:
    """Evaluate the parts of an argument that is left out, because they may stop the script. Raises NotCovered if a
    part may do so and is not compiled."""
    if value.kind in ("float", "int", "bool"):
        if not isinstance(value, ir.Constant) and not w.is_settled(value):
            text = w.text(value)
            w.part.write(f"{w.temporary()} = {text}")
        return
    if isinstance(value, ir.Constant | ir.Get | ir.FixedValue) or w.is_settled(value):
        return
    if isinstance(value, ir.Binary):
        harmless(w, value.left)
        harmless(w, value.right)
        return
    if isinstance(value, ir.Choose):
        # Both branches are evaluated, so neither may have state or stop the script.
        if parts_that_act(value.then, _TEXTS) or parts_that_act(value.otherwise, _TEXTS):
            raise w.refuse("a part of a text is computed on some bars only, which is not compiled")
        harmless(w, value.condition)
        for each in (value.then, value.otherwise):
            harmless(w, each)
        return
    if isinstance(value, ir.CallBuiltin) and value.name.partition("#")[0] in _TEXTS:
        _judge_text(w, value)
        for argument in value.arguments:
            harmless(w, argument)
        return
    raise w.refuse("a text or a drawing is read, which is not compiled")


def _judge_text(w: CodeWriter, value: ir.CallBuiltin) -> None:
    """Raise NotCovered if a text that is left out may stop the script when it is put together."""
    name = value.name.partition("#")[0]
    if any(argument.kind == "object" for argument in value.arguments):
        raise w.refuse(f"{name}() of a collection or an object is not compiled")
    forms = {"str.format": 0, "str.tostring": 1, "str.format_time": 1}
    if name not in forms or len(value.arguments) <= forms[name]:
        return
    form = w.known.constant(value.arguments[forms[name]])
    if form is None:
        raise w.refuse(f"{name}() with a format that is not a constant is not compiled")
    if form.value is None or not _is_safe(name, str(form.value), value.arguments, w.known):
        raise w.refuse(f"{name}() with this format is not compiled")


def draw(w: CodeWriter, node: ir.CallHost, made: ir.Variable | None = None) -> None:
    """Leave out a call of a drawing, and evaluate its arguments for what they do. The run stops where the Python
    tier may stop: then the Python tier runs it. `made` is the variable that gets the drawing."""
    namespace, _, function = node.name.partition(".")
    if node.name in ("line.get_price", "polyline.new"):
        raise w.refuse(f"{node.name}() is not compiled")
    w.out.left_out.append((f"{node.name}() is not compiled: drawings are made on the Python tier", w.line))
    for value in node.arguments:
        harmless(w, value)
    numbers: dict[str, str] = {}
    for name, value in node.keywords.items():
        if name in _JUDGED and value.kind in ir.NUMBERS:
            numbers[name] = w.temporary()
            w.part.write(f"{numbers[name]} = {w.text(value)}")
        else:
            harmless(w, value)
    if namespace == "table":
        held = node.keywords.get("table_id")
        table = held.variable if isinstance(held, ir.Get) else made
        _judge_table(w, function, numbers, table)
    elif namespace in ("line", "label", "box"):
        _judge_places(w, namespace, node.keywords.get("xloc"), [numbers[n] for n in _ACROSS if n in numbers])
        if function == "set_size" and "size" in numbers:
            _stop_if(w, f"{numbers['size']} < 0.0")


def _stop_if(w: CodeWriter, condition: str) -> None:
    w.part.write(f"if {condition}:")
    w.part.write(" fail(m, 1.0)")


def _noted(w: CodeWriter, what: str, first: float) -> str:
    """A place for what the drawings that were made have in common. It begins with `first`."""
    if what not in w.notes:
        w.notes[what] = w.main.take(1, {0: first})
    return f"m[{w.notes[what]}]"


def _judge_places(w: CodeWriter, kind: str, xloc: ir.Expression | None, places: list[str]) -> None:
    """Stop at a place on the time axis that is too far from the bar. Times can be anywhere. A change of a drawing
    does not say which of them it has, so it is judged if any drawing of its kind has bars."""
    has_bars = _noted(w, f"{kind} on bars", 0.0)
    far = [f"{x} > float(i) + {FARTHEST_AHEAD}.0 or {x} < float(i) - {FARTHEST_BACK}.0" for x in places]
    if xloc is None:
        if far:
            _stop_if(w, f"{has_bars} != 0.0 and ({' or '.join(far)})")
        return
    known = w.known.constant(xloc)
    if known is not None and known.value == "bar_time":
        return
    if known is None:
        w.part.write(f"if {w.text(xloc)} != {float(w.text_number('bar_time'))}:")
        w.part.indent += 1
    w.part.write(f"{has_bars} = 1.0")
    if far:
        _stop_if(w, " or ".join(far))
    if known is None:
        w.part.indent -= 1


def _judge_table(w: CodeWriter, function: str, numbers: dict[str, str], table: ir.Variable | None) -> None:
    """Stop at a cell outside the table of a variable, or outside the smallest table if it is not known which."""
    if function == "new":
        for name in ("column", "row"):
            count = numbers[f"{name}s"]
            _stop_if(w, f"{count} < 0.0")
            w.part.write(f"{count} = 0.0 if {count} != {count} else floor({count})")
            least = _noted(w, f"{name}s of any", INF)
            w.part.write(f"{least} = smaller({least}, {count})")
            if _is_alone(w, table):
                w.part.write(f"{_noted(w, f'{name}s of {id(table)}', INF)} = {count}")
        return
    for name, place in numbers.items():
        which = id(table) if _is_alone(w, table) else "any"
        most = _noted(w, f"{name.rpartition('_')[2]}s of {which}", INF)
        _stop_if(w, f"{place} <= -1.0 or {place} >= {most} or {most} < 1.0")
    if function == "merge_cells":
        for name in ("column", "row"):
            _stop_if(w, f"not {numbers[f'start_{name}']} <= {numbers[f'end_{name}']}")


def _is_alone(w: CodeWriter, variable: ir.Variable | None) -> bool:
    """Whether a drawing that this variable holds was made for it by a call of the global code."""
    return variable is not None and variable.unit is w.module.unit and variable not in w.shared


def drawn(w: CodeWriter, value: ir.Expression, variable: ir.Variable | None = None) -> None:
    """An assignment of a drawing, which is left out."""
    if isinstance(value, ir.CallHost):
        draw(w, value, variable)
    elif not isinstance(value, ir.Constant | ir.Get | ir.Unary | ir.Past):
        raise w.refuse("this drawing is not compiled")


def _is_safe(name: str, form: str, arguments: list[ir.Expression], known: BarInvariants) -> bool:
    """Whether a text can be put together with this format from arguments with any values."""
    if name == "str.tostring":
        return form not in ("inherit", "price")
    try:
        if name == "str.format_time":
            zone = known.constant(arguments[2]) if len(arguments) > 2 else None
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


_TEXTS = frozenset(
    "str.tostring str.format str.format_time str.upper str.lower str.length str.trim str.contains str.startswith "
    "color.new color.rgb color.from_gradient".split()
)


_PLAIN = frozenset(("nz", "int", "bool"))


def parts_that_act(value: ir.Expression, texts: frozenset[str] = frozenset()) -> list[ir.Expression]:
    """The parts of an expression that keep state or may stop the script, outermost first, except calls of `texts`."""
    if isinstance(value, ir.CallFunction | ir.CallKernel | ir.CallHost | ir.RecordedValue):
        return [value]
    if isinstance(value, ir.Choose) or (isinstance(value, ir.Binary) and value.operator in ("and", "or")):
        parts = (
            [value.condition, value.then, value.otherwise]
            if isinstance(value, ir.Choose)
            else [value.left, value.right]
        )
        return [value] if any(parts_that_act(part, texts) for part in parts) else []
    if isinstance(value, ir.Column | ir.Past):
        return [value] if value.offset is not None and not isinstance(value.offset, ir.Constant) else []
    if isinstance(value, ir.Unary):
        return parts_that_act(value.operand, texts)
    if isinstance(value, ir.Binary):
        return [*parts_that_act(value.left, texts), *parts_that_act(value.right, texts)]
    if isinstance(value, ir.CallBuiltin):
        name = value.name.partition("#")[0]
        if not name.startswith(ir.SETTLED_FUNCTIONS) and name not in _PLAIN and name not in texts:
            return [value]
        return [part for argument in value.arguments for part in parts_that_act(argument, texts)]
    if isinstance(value, ir.TupleOf):
        return [part for item in value.items for part in parts_that_act(item, texts)]
    return [value] if isinstance(value, ir.New | ir.GetField | ir.WatchedExpression) else []
