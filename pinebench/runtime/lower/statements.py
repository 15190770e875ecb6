"""Converts statements to the typed form (IR): declarations, assignments, branches, loops, and the values of blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pinebench.checker import SERIES, Type, VariableSymbol
from pinebench.runtime import ir
from pinebench.runtime.lower.context import Lowering, LoweringPlace, empty, kind_of
from pinebench.runtime.lower.expressions import as_kind, operation
from pinebench.runtime.refusals import NotComputed
from pinebench.syntax import nodes
from pinebench.syntax.walk import bare


def inside(place: LoweringPlace, block: ir.Block) -> LoweringPlace:
    """Return the same position with `block` for its statements."""
    return replace(place, block=block, lazy=False)


def value_of(lowering: Lowering, node: nodes.Node, place: LoweringPlace) -> ir.Expression:
    """Convert the right side of an assignment (an expression, a branch or a loop) to the typed form (IR)."""
    if not isinstance(node, nodes.STRUCTURES):
        return lowering.expression(node, place)
    type_ = lowering.typed(node, place)
    kind = kind_of(type_)
    result = lowering.declare("result", kind, place)
    result.items = _item_kinds(type_)
    nothing = ir.TupleOf("object", list(map(empty, result.items))) if result.items else empty(kind)
    lowering.emit(ir.Assign(place.line, result, nothing), place)
    structure(lowering, node, place, result)
    return ir.Get(result.kind, result)


def _item_kinds(type_: Type | None) -> tuple[ir.Kind, ...]:
    """The kinds of the items of a tuple; empty for another type."""
    if type_ is None or type_.base.kind != "tuple":
        return ()
    return tuple([kind_of(item) for item in type_.base.items])


def statement(lowering: Lowering, node: nodes.Node, place: LoweringPlace) -> None:
    """Convert one statement whose value is not used to the typed form (IR)."""
    place.line = lowering.line_of(node, place)
    lowering.statement(node, place)


def statements(lowering: Lowering, body: Sequence[nodes.Node], place: LoweringPlace) -> None:
    for node in body:
        statement(lowering, node, place)


def body_with_value(
    lowering: Lowering, body: Sequence[nodes.Node], place: LoweringPlace, result: ir.Variable | None
) -> None:
    """Convert a block to the typed form (IR). The value of its last statement, if there is one, is assigned to
    `result`."""
    if result is None:
        statements(lowering, body, place)
        return
    statements(lowering, body[:-1], place)
    if body:
        value = last_value(lowering, body[-1], place)
        if value is not None:
            value = _as_items(lowering, value, body[-1], result.items, place) if result.items else value
            lowering.emit(ir.Assign(place.line, result, as_kind(value, result.kind)), place)


def _as_items(
    lowering: Lowering, value: ir.Expression, node: nodes.Node, kinds: tuple[ir.Kind, ...], place: LoweringPlace
) -> ir.Expression:
    """Convert the items of a tuple, which is the value of `node`, to the kinds that its context needs."""
    if not isinstance(value, ir.TupleOf):
        given = _item_kinds(lowering.typed(getattr(node, "expression", node), place))
        if given in (kinds, ()):
            return value
        items = [lowering.declare("item", kind, place) for kind in given]
        lowering.emit(ir.Unpack(place.line, [*items], value), place)
        value = ir.TupleOf("object", [ir.Get(item.kind, item) for item in items])
    return ir.TupleOf("object", [as_kind(item, kind) for item, kind in zip(value.items, kinds, strict=True)])


def last_value(lowering: Lowering, node: nodes.Node, place: LoweringPlace) -> ir.Expression | None:
    """Convert the last statement of a block to the typed form (IR), and return its value, or None if it has none."""
    place.line = lowering.line_of(node, place)
    expression = node.expression if isinstance(node, nodes.ExpressionStatement) else node
    if isinstance(expression, nodes.STRUCTURES):
        if kind_of(lowering.typed(expression, place)) == "void":
            statement(lowering, expression, place)
            return None
        return value_of(lowering, expression, place)
    if isinstance(node, nodes.ExpressionStatement):
        value = lowering.expression(node.expression, place)
        if value.kind != "void":
            return value
        lowering.emit(ir.Evaluate(place.line, value), place)
        return None
    statement(lowering, node, place)
    if isinstance(node, nodes.VariableDeclaration):
        return lowering.expression(node.name, place)
    if isinstance(node, nodes.Reassignment):
        return lowering.expression(node.target, place)
    if isinstance(node, nodes.TupleDeclaration):
        return ir.TupleOf("object", [lowering.expression(name, place) for name in node.names])
    return None


# declarations and assignments


def declaration(lowering: Lowering, node: nodes.VariableDeclaration, place: LoweringPlace) -> None:
    """Convert `name = value` to the typed form (IR). With `var`, the variable keeps its value from bar to bar."""
    symbol = place.program.symbol_of(node.name, place.frame)
    if not isinstance(symbol, VariableSymbol):
        raise NotComputed(node.name.id, place.line)
    type_ = place.program.declared_type(symbol, place.frame)
    kind = kind_of(type_)
    line = place.line
    if node.mode is None:
        value = as_kind(value_of(lowering, node.value, place), kind)
        if _stays(lowering, symbol, value, place):
            lowering.settle(symbol, lowering.watched(node, value), place)
            return
        variable = lowering.declare(symbol.name, value.kind if kind == "void" else kind, place, symbol)
        lowering.describe(variable, type_)
        lowering.emit(ir.Assign(line, variable, lowering.noted(node, as_kind(value, variable.kind))), place)
        return
    first = ir.Block()
    value = as_kind(value_of(lowering, node.value, inside(place, first)), kind)
    if _stays(lowering, symbol, value, place):
        lowering.settle(symbol, lowering.watched(node, value), place)
        return
    variable = lowering.declare(symbol.name, value.kind if kind == "void" else kind, place, symbol, kept=True)
    lowering.describe(variable, type_)
    variable.varip = node.mode == "varip"
    value = lowering.noted(node, as_kind(value, variable.kind))
    lowering.emit(ir.Initialize(line, variable, first.statements, value), place)


def _stays(lowering: Lowering, symbol: VariableSymbol, value: ir.Expression, place: LoweringPlace) -> bool:
    """Whether a variable is the same on all bars, so that its value can replace it everywhere."""
    return not symbol.reassignments and ir.is_settled(value) and not lowering.is_indexed(symbol.name, place)


def tuple_declaration(lowering: Lowering, node: nodes.TupleDeclaration, place: LoweringPlace) -> None:
    """Convert `[a, b] = value` to the typed form (IR)."""
    line = place.line
    type_ = lowering.typed(node.value, place)
    value = value_of(lowering, node.value, place)
    variables: list[ir.Variable | None] = []
    for number, name in enumerate(node.names):
        symbol = place.program.symbol_of(name, place.frame)
        if name.id == "_" or not isinstance(symbol, VariableSymbol):
            variables.append(None)
            continue
        items = type_.base.items if type_ is not None else ()
        declared = place.program.declared_type(symbol, place.frame) or (items[number] if number < len(items) else None)
        variable = lowering.declare(symbol.name, kind_of(declared), place, symbol)
        lowering.describe(variable, declared)
        variables.append(variable)
    lowering.emit(ir.Unpack(line, variables, value), place)


def reassignment(lowering: Lowering, node: nodes.Reassignment, place: LoweringPlace) -> None:
    """Convert `target := value` and compound assignments such as `target += value` to the typed form (IR)."""
    line = place.line
    if isinstance(node.target, nodes.Member):
        _set_field(lowering, node, place)
        return
    value = value_of(lowering, node.value, place)
    target = lowering.expression(node.target, place)
    if not isinstance(target, ir.Get):
        raise NotComputed("an assignment to this", line)
    if node.operator != ":=":
        value = operation(node.operator[0], target, value)
    lowering.emit(ir.Assign(line, target.variable, lowering.noted(node, as_kind(value, target.kind))), place)


def _set_field(lowering: Lowering, node: nodes.Reassignment, place: LoweringPlace) -> None:
    line = place.line
    target = lowering.expression(node.target, place)
    if not isinstance(target, ir.GetField):
        raise NotComputed("an assignment to this", line)
    value = value_of(lowering, node.value, place)
    if node.operator != ":=":
        value = operation(node.operator[0], target, value)
    lowering.emit(ir.SetField(line, target.object, target.code, as_kind(value, target.kind)), place)


def expression_statement(lowering: Lowering, node: nodes.ExpressionStatement, place: LoweringPlace) -> None:
    if isinstance(node.expression, nodes.STRUCTURES):
        structure(lowering, node.expression, place, None)
        return
    value = lowering.expression(node.expression, place)
    if not isinstance(value, ir.Constant | ir.Get):
        lowering.emit(ir.Evaluate(place.line, value), place)


def nothing(lowering: Lowering, node: nodes.Node, place: LoweringPlace) -> None:
    """Do nothing. Functions, types, enums and imports are converted where they are used."""


def leave(lowering: Lowering, node: nodes.Break | nodes.Continue, place: LoweringPlace) -> None:
    lowering.emit(ir.Leave(place.line, "break" if isinstance(node, nodes.Break) else "continue"), place)


# structures


def structure(lowering: Lowering, node: nodes.Node, place: LoweringPlace, result: ir.Variable | None = None) -> None:
    """Convert a branch or a loop to the typed form (IR). The value of the block that ran last is assigned to
    `result`."""
    if isinstance(node, nodes.If):
        _if(lowering, node, place, result)
    elif isinstance(node, nodes.Switch):
        _switch(lowering, node, place, result)
    elif isinstance(node, nodes.ForTo):
        _for_to(lowering, node, place, result)
    elif isinstance(node, nodes.ForIn):
        _for_in(lowering, node, place, result)
    elif isinstance(node, nodes.While):
        _while(lowering, node, place, result)
    elif isinstance(node, nodes.Once):
        _once(lowering, node, place, result)


def _arm(lowering: Lowering, body: Sequence[nodes.Node], place: LoweringPlace, result: ir.Variable | None) -> ir.Block:
    block = ir.Block()
    body_with_value(lowering, body, inside(place, block), result)
    return block


def _if(lowering: Lowering, node: nodes.If, place: LoweringPlace, result: ir.Variable | None) -> None:
    """Lower an `if`. A loop walks chains of `else if`, because they can be long."""
    current: nodes.If | None = node
    while current is not None:
        line = lowering.line_of(current, place)
        condition = lowering.expression(current.condition, place)
        branch = ir.If(line, condition, _arm(lowering, current.body, place, result), None)
        lowering.emit(branch, place)
        following = current.otherwise
        current = None
        if following is not None:
            branch.otherwise = ir.Block()
            if len(following) == 1 and isinstance(following[0], nodes.If):
                current = following[0]
                place = inside(place, branch.otherwise)
            else:
                body_with_value(lowering, following, inside(place, branch.otherwise), result)


def _switch(lowering: Lowering, node: nodes.Switch, place: LoweringPlace, result: ir.Variable | None) -> None:
    line = place.line
    subject: ir.Expression | None = None
    if node.subject is not None:
        subject = lowering.expression(node.subject, place)
        if not isinstance(subject, ir.Get | ir.Constant):
            kept = lowering.declare("subject", subject.kind, place)
            lowering.emit(ir.Assign(line, kept, subject), place)
            subject = ir.Get(kept.kind, kept)
    for case in node.cases:
        if case.condition is None:
            body_with_value(lowering, case.body, place, result)
            return
        condition = lowering.expression(case.condition, place)
        if subject is not None:
            condition = operation("==", subject, condition)
        branch = ir.If(lowering.line_of(case, place), condition, _arm(lowering, case.body, place, result), ir.Block())
        lowering.emit(branch, place)
        assert branch.otherwise is not None
        place = inside(place, branch.otherwise)


def _for_to(lowering: Lowering, node: nodes.ForTo, place: LoweringPlace, result: ir.Variable | None) -> None:
    line = place.line
    first = lowering.expression(node.first, place)
    last = lowering.expression(node.last, place)
    step = lowering.expression(node.step, place) if node.step is not None else None
    block = ir.Block()
    within = inside(place, block)
    symbol = place.program.symbol_of(node.counter, place.frame)
    kind: ir.Kind = "int"
    if "float" in (first.kind, step.kind if step is not None else "int"):
        kind = "float"
    counter = lowering.declare(node.counter.id, kind, within, symbol if isinstance(symbol, VariableSymbol) else None)
    body_with_value(lowering, node.body, within, result)
    moving = _moves(lowering, node, place)
    lowering.emit(ir.CountedLoop(line, counter, first, last, step, moving, block), place)


def _moves(lowering: Lowering, node: nodes.ForTo, place: LoweringPlace) -> bool:
    """Whether the end of the loop can change while the loop runs."""
    if isinstance(node.last, nodes.Literal):
        return False
    end = place.program.effects(node.last, place.frame)
    body = place.program.effects(node.body, place.frame)
    touched = body.writes | body.mutates
    # The same object can have several names.
    reaches_objects = "object" in end.uses and bool(body.changes & {"object", "drawings"})
    return bool(end.reads & touched) or reaches_objects or "drawings" in end.uses or not end.pure


def _for_in(lowering: Lowering, node: nodes.ForIn, place: LoweringPlace, result: ir.Variable | None) -> None:
    line = place.line
    type_ = lowering.typed(node.collection, place)
    collection = lowering.expression(_live(node.collection), place)
    block = ir.Block()
    within = inside(place, block)
    index_kind, element_kind = _kinds_in(type_)
    is_array = type_ is not None and type_.base.kind == "array"
    index = _loop_variable(lowering, node.index, index_kind, within) if node.index is not None else None
    element = _loop_variable(lowering, node.element, element_kind, within)
    body_with_value(lowering, node.body, within, result)
    lowering.emit(ir.Each(line, index, element, collection, block, is_array), place)


def _kinds_in(type_: Type | None) -> tuple[ir.Kind, ir.Kind]:
    """The kinds of the index and of the element in a loop over a collection. The rows of a matrix are arrays."""
    if type_ is None or not type_.base.arguments or type_.base.kind == "matrix":
        return "int", "object"
    kinds: list[ir.Kind] = [kind_of(base.at(SERIES)) for base in type_.base.arguments]
    return (kinds[0] if len(kinds) > 1 else "int"), kinds[-1]


def _live(node: nodes.Node) -> nodes.Node:
    """The collection of a loop. `for v in a[k]` iterates over the current elements of `a` (recorded probes)."""
    inner = bare(node)
    return inner.object if isinstance(inner, nodes.History) and isinstance(inner.object, nodes.Name) else node


def _loop_variable(lowering: Lowering, node: nodes.Name, kind: ir.Kind, place: LoweringPlace) -> ir.Variable:
    symbol = place.program.symbol_of(node, place.frame)
    return lowering.declare(node.id, kind, place, symbol if isinstance(symbol, VariableSymbol) else None)


def _while(lowering: Lowering, node: nodes.While, place: LoweringPlace, result: ir.Variable | None) -> None:
    line = place.line
    lazy = place.lazy
    place.lazy = False
    condition = lowering.expression(node.condition, place)
    place.lazy = lazy
    lowering.emit(ir.While(line, condition, _arm(lowering, node.body, place, result)), place)


def _once(lowering: Lowering, node: nodes.Once, place: LoweringPlace, result: ir.Variable | None) -> None:
    line = place.line
    state = ir.OnceState(lowering.number())
    place.unit.state.append(state)
    condition = lowering.expression(node.condition, place) if node.condition is not None else None
    lowering.emit(ir.Once(line, state, condition, _arm(lowering, node.body, place, result)), place)


def structure_statement(lowering: Lowering, node: nodes.Node, place: LoweringPlace) -> None:
    structure(lowering, node, place)
