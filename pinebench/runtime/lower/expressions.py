"""Converts expressions to the typed form (IR): names, operators, history, members and ternaries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pinebench.checker import CONST, FieldSymbol, Type, VariableSymbol, literal_value
from pinebench.runtime import ir
from pinebench.runtime.lower.context import Lowering, LoweringPlace, empty, is_drawing, kind_of
from pinebench.runtime.lower.names import builtin
from pinebench.runtime.published import no_source
from pinebench.runtime.refusals import NotComputed
from pinebench.syntax import nodes
from pinebench.syntax.walk import bare

_POINT_FIELDS = frozenset(("chart.point.time", "chart.point.index", "chart.point.price"))
_MOST_DIGITS = 308
"""The largest number of digits of a whole number in the text. Scripts cannot compute with larger numbers."""
_BEYOND = 10**_MOST_DIGITS
"""Constants from this size on stay whole numbers; the run stops if it converts one to a float."""
_ARITHMETIC = frozenset("+-*/%")


def name(lowering: Lowering, node: nodes.Name | nodes.Member, place: LoweringPlace) -> ir.Expression:
    """Convert a name, or a member that is a field, an enum's member or a built-in, to the typed form (IR)."""
    symbol = place.program.symbol_of(node, place.frame)
    if isinstance(symbol, VariableSymbol):
        return variable(lowering, symbol, place)
    if isinstance(symbol, str) and not (isinstance(node, nodes.Member) and symbol in _POINT_FIELDS):
        lowering.read.add(symbol)
        return empty(lowering.kind(node, place)) if symbol == "na" else builtin(lowering, symbol, place)
    if isinstance(symbol, nodes.EnumField):
        return member_of_enum(lowering, symbol)
    if isinstance(node, nodes.Member):
        return field(lowering, node, place, symbol)
    raise NotComputed(node.id, place.line)


def variable(lowering: Lowering, symbol: VariableSymbol, place: LoweringPlace) -> ir.Expression:
    """Convert a read of a variable to the typed form (IR). A value that is the same on all bars replaces it."""
    settled = place.find_settled(symbol)
    if settled is not None:
        return settled
    found = place.find(symbol) or lowering.library_global(symbol, place)
    if not isinstance(found, ir.Variable):
        return found
    if found.unit is not place.unit:
        found.captured = True
    return ir.Get(found.kind, found)


def member_of_enum(lowering: Lowering, symbol: nodes.EnumField) -> ir.Expression:
    """Return a member of an enum in the typed form (IR). Its title is its name if the declaration does not give one."""
    title = literal_value(symbol.value) if isinstance(symbol.value, nodes.Literal) else ""
    return ir.FixedValue("object", "enum", lowering.types.member(symbol, str(title)))


def field(lowering: Lowering, node: nodes.Member, place: LoweringPlace, symbol: object) -> ir.Expression:
    """Convert a read of an object's field to the typed form (IR)."""
    holder = lowering.typed(node.object, place)
    if holder is None:
        root: nodes.Node = node
        while isinstance(root, nodes.Member):
            root = root.object
        library = place.program.bindings.imports.get(root.id) if isinstance(root, nodes.Name) else None
        raise no_source([library.path], place.line) if library is not None else NotComputed(node.name, place.line)
    value = lowering.expression(node.object, place)
    base = holder.base
    if isinstance(symbol, FieldSymbol) and base.symbol is not None:
        known = lowering.types.of(base.symbol).fields[symbol.name]  # type: ignore[arg-type]
        return ir.GetField(known.kind, value, known.code)
    if base.name == "chart.point":
        return ir.GetField("float" if node.name == "price" else "int", value, node.name)
    raise NotComputed(f"{base.name}.{node.name}", place.line)


def literal(lowering: Lowering, node: nodes.Literal, place: LoweringPlace) -> ir.Expression:
    if node.kind == "int" and len(node.text) > _MOST_DIGITS:
        raise NotComputed(f"a number of {len(node.text)} digits", place.line)
    value = literal_value(node)
    if node.kind == "color":
        return ir.Constant("color", color_value(str(value)))
    if node.kind == "float":
        return ir.Constant("float", handed_over(float(value or 0)))
    return ir.Constant(kind_of(lowering.typed(node, place)), value)


def color_value(text: str) -> int:
    """Convert `#RRGGBB` or `#RRGGBBAA` to 0xRRGGBBAA."""
    digits = text.lstrip("#")
    return int(digits + "FF" if len(digits) == 6 else digits, 16)


def handed_over(value: float) -> float:
    """Return a constant as it reaches the run: rounded to 16 decimals if it is written without an exponent.

    TradingView computes constants in full precision and then passes them on as text (measured on TradingView).
    """
    return float(f"{value:.16f}") if 1e-3 <= abs(value) < 1e7 else value


def parenthesized(lowering: Lowering, node: nodes.Parenthesized, place: LoweringPlace) -> ir.Expression:
    return lowering.expression(node.expression, place)


def _folded(lowering: Lowering, node: nodes.Node, place: LoweringPlace) -> ir.Expression | None:
    """Return a constant float that is computed before the script runs, or None. Other constants are not folded here."""
    type_ = lowering.typed(node, place)
    if type_ is None or type_.qualifier != CONST or kind_of(type_) not in ir.NUMBERS:
        return None
    known, value = place.program.value_of(node, place.frame)
    if not known or not isinstance(value, float):
        return None
    return ir.Constant("float", handed_over(value))


def unary(lowering: Lowering, node: nodes.Unary, place: LoweringPlace) -> ir.Expression:
    folded = _folded(lowering, node, place)
    if folded is not None:
        return folded
    operand = lowering.expression(node.operand, place)
    if node.operator == "+":
        return operand
    return ir.Unary("bool" if node.operator == "not" else operand.kind, node.operator, operand)


def binary(lowering: Lowering, node: nodes.Binary, place: LoweringPlace) -> ir.Expression:
    """Convert an operation to the typed form (IR), in a loop because chains of operators can be long."""
    chain: list[nodes.Binary] = []
    left: nodes.Node = node
    while isinstance(left, nodes.Binary):
        folded = _folded(lowering, left, place)
        if folded is not None:
            break
        chain.append(left)
        left = left.left
    else:
        folded = None
    value = folded if folded is not None else lowering.expression(left, place)
    for part in reversed(chain[1:]):
        value = lowering.watched(part, _operation(lowering, part, value, place))
    return _operation(lowering, chain[0], value, place) if chain else value


def _operation(lowering: Lowering, node: nodes.Binary, left: ir.Expression, place: LoweringPlace) -> ir.Expression:
    lazy = place.lazy
    if node.operator in ("and", "or"):
        place.lazy = True
    right = lowering.expression(node.right, place)
    place.lazy = lazy
    return operation(node.operator, left, right)


def operation(operator: str, left: ir.Expression, right: ir.Expression) -> ir.Expression:
    """Make `left operator right`. The kinds of the operands decide the kind of the result."""
    if operator not in _ARITHMETIC:
        return ir.Binary("bool", operator, left, right)
    if "string" in (left.kind, right.kind):
        return ir.Binary("string", operator, left, right)
    if left.kind == right.kind == "int" and operator != "/":
        return ir.Binary("int", operator, left, right)
    if left.kind in ir.NUMBERS and right.kind in ir.NUMBERS:
        return ir.Binary("float", operator, left, right)
    return ir.Binary("object", operator, left, right)


def ternary(lowering: Lowering, node: nodes.Ternary, place: LoweringPlace) -> ir.Expression:
    """Convert a ternary to the typed form (IR), in a loop because chains of ternaries can be long."""
    arms: list[tuple[ir.Expression, ir.Expression]] = []
    kind = lowering.kind(node, place)
    lazy = place.lazy
    current: nodes.Node = node
    while isinstance(current, nodes.Ternary):
        condition = lowering.expression(current.condition, place)
        place.lazy = True
        arms.append((condition, as_kind(lowering.expression(current.then, place), kind)))
        current = current.otherwise
    value = as_kind(lowering.expression(current, place), kind)
    place.lazy = lazy
    for condition, then in reversed(arms):
        value = ir.Choose(kind, condition, then, value)
    return value


def as_kind(value: ir.Expression, kind: ir.Kind) -> ir.Expression:
    """Convert a value to the kind that its context needs. An empty value becomes the empty value of that kind, and an
    int becomes a float."""
    if kind == "float" and value.kind == "int":
        if isinstance(value, ir.Constant) and isinstance(value.value, int | float) and abs(value.value) < _BEYOND:
            return ir.Constant("float", float(value.value))
        if isinstance(value, ir.Choose):
            return ir.Choose("float", value.condition, as_kind(value.then, kind), as_kind(value.otherwise, kind))
        return ir.Unary("float", "float", value)
    is_number = value.kind in ir.NUMBERS
    if is_number and kind not in ir.NUMBERS and kind != "void" and isinstance(value, ir.Constant):
        return empty(kind)
    if value.kind == "object" and kind in ir.NUMBERS and isinstance(value, ir.Constant) and value.value is None:
        return empty(kind)
    return value


def tuple_expression(lowering: Lowering, node: nodes.TupleExpression, place: LoweringPlace) -> ir.Expression:
    return ir.TupleOf("object", [lowering.expression(item, place) for item in node.items])


# history operator


def history(lowering: Lowering, node: nodes.History, place: LoweringPlace) -> ir.Expression:
    """Convert a history operator on a variable, a built-in series or an expression to the typed form (IR)."""
    target = bare(node.object)
    offset = lowering.expression(node.offset, place)
    if isinstance(offset, ir.Constant) and offset.value == 0:
        return lowering.expression(target, place)
    value = lowering.expression(target, place)
    if isinstance(value, ir.FixedValue) or (isinstance(value, ir.Now) and not value.name.endswith(".all")):
        held = lowering.built_in(value, place)
        value = ir.Get(held.kind, held)
    if isinstance(value, ir.Get):
        return _past(lowering, lowering.seen(value.variable, place), offset, lowering.typed(target, place))
    if isinstance(value, ir.Column) and value.offset is None:
        return ir.Column(value.kind, value.name, offset)
    if place.lazy and (early := _on_every_run(value)) is not None:
        kept = lowering.declare("expression", value.kind, place)
        lowering.blocks[kept] = place.block
        lowering.emit(ir.Assign(place.line, kept, early), place)
        return _past(lowering, kept, offset, lowering.typed(target, place))
    return ir.RecordedValue(value.kind, _recorder(lowering, value.kind, offset, place), value, offset)


def _recorder(lowering: Lowering, kind: ir.Kind, offset: ir.Expression, place: LoweringPlace) -> ir.RecorderState:
    state = ir.RecorderState(lowering.number(), kind, _depth(offset))
    place.unit.state.append(state)
    return state


def _past(lowering: Lowering, variable: ir.Variable, offset: ir.Expression, type_: Type | None) -> ir.Expression:
    depth = _depth(offset)
    lowering.look_back(variable, depth, is_far=depth > 1 or not isinstance(offset, ir.Constant))
    past = ir.Past(variable.kind, variable, offset)
    # An earlier value that is a deleted drawing reads as na.
    return ir.Unary("object", "alive", past) if is_drawing(type_) else past


def _depth(offset: ir.Expression) -> int:
    return ir.constant_steps(offset) or 1


def _on_every_run(value: ir.Expression) -> ir.Expression | None:
    """Return an expression after `and`, `or` or `?` for evaluation on each run of its block, or None.

    History operators see the values of every run (recorded probes). The result is None if the evaluation could stop a
    script that would not evaluate the expression. A field of na is then na.
    """
    if isinstance(value, ir.GetField):
        holder = _on_every_run(value.object)
        return None if holder is None else replace(value, object=holder, is_safe=True)
    return value if _stops_nothing(value) else None


def _stops_nothing(value: ir.Expression) -> bool:
    """Whether evaluating an expression without need cannot stop the script. Calls of functions and of `ta.*` are
    evaluated without need too."""
    pending: list[ir.Expression] = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, ir.Constant | ir.Get | ir.FixedValue | ir.Now):
            continue
        if isinstance(part, ir.Column | ir.Past):
            if part.offset is not None and not _is_given(part.offset):
                return False
        elif isinstance(part, ir.Unary):
            pending.append(part.operand)
        elif isinstance(part, ir.Binary):
            pending += [part.left, part.right]
        elif isinstance(part, ir.Choose):
            pending += [part.condition, part.then, part.otherwise]
        elif isinstance(part, ir.CallFunction | ir.CallKernel | ir.New | ir.CallBuiltin):
            if isinstance(part, ir.CallBuiltin) and not part.name.startswith((*ir.SETTLED_FUNCTIONS, "nz")):
                return False
            pending += part.arguments
        else:
            return False
    return True


def _is_given(offset: ir.Expression) -> bool:
    """Whether an offset is a constant or the value of an input."""
    return isinstance(offset, ir.Constant) or (isinstance(offset, ir.FixedValue) and offset.source == "input")


def arguments(lowering: Lowering, expressions: Sequence[nodes.Node], place: LoweringPlace) -> list[ir.Expression]:
    """Convert several expressions to the typed form (IR), in order."""
    return [lowering.expression(node, place) for node in expressions]
