"""Mutations of values: of another type than their variable, operator, condition, branch or tuple asks for."""

import random
from collections.abc import Iterable

from pinebench.checker.types import BOOL, FLOAT, INT, NA, NUMBERS, UNKNOWN_BASE, Base
from pinebench.syntax import nodes
from tests.checker.mutation.changes import FRESH, VALUE, line_before, replace, wrong_value
from tests.checker.mutation.script import Edit, Script

_STRUCTURES = nodes.If | nodes.Switch | nodes.ForTo | nodes.ForIn | nodes.While | nodes.Once


def declarations(script: Script) -> Iterable[nodes.VariableDeclaration]:
    """Declarations whose value is an expression."""
    for declaration in script.all(nodes.VariableDeclaration):
        if not isinstance(declaration.value, _STRUCTURES):
            yield declaration


def typed_declarations(script: Script) -> Iterable[nodes.VariableDeclaration]:
    """Declarations with a type keyword."""
    return (declaration for declaration in declarations(script) if declaration.type is not None)


def wrong_declared_value(script: Script, declaration: nodes.VariableDeclaration, chance: random.Random) -> Edit | None:
    """`int x = 1` to `int x = "text"`; `bool x = …` also to `bool x = na`."""
    assert declaration.type is not None
    base = next((base for base in VALUE if base.name == script.source(declaration.type)), None)
    if base is None:
        return None
    value = wrong_value(base, chance)
    if base is BOOL and chance.random() < 0.5:
        value = "na"
    elif base is INT and chance.random() < 0.3:
        value = "1.5"
    return replace(script, declaration.value, value) if value is not None else None


def reassignments(script: Script) -> Iterable[nodes.Reassignment]:
    """`:=` with an expression on the right."""
    for statement in script.all(nodes.Reassignment):
        if statement.operator == ":=" and not isinstance(statement.value, _STRUCTURES):
            yield statement


def wrong_assigned_value(script: Script, statement: nodes.Reassignment, chance: random.Random) -> Edit | None:
    """`x := 1` to `x := "text"`."""
    base = script.base_of(statement.target)
    value = "1.5" if base is INT and chance.random() < 0.3 else wrong_value(base, chance)
    return replace(script, statement.value, value) if value is not None else None


def untyped_declarations(script: Script) -> Iterable[nodes.VariableDeclaration]:
    """Declarations without a type keyword."""
    return (declaration for declaration in declarations(script) if declaration.type is None)


def untyped_na(script: Script, declaration: nodes.VariableDeclaration, chance: random.Random) -> Edit:
    """`x = 1` to `x = na`."""
    return replace(script, declaration.value, "na")


# conditions and operators


def conditions(script: Script) -> Iterable[nodes.Node]:
    """Conditions of statements."""
    for node in script.nodes:
        if isinstance(node, nodes.If | nodes.While | nodes.Once):
            yield from () if node.condition is None else (node.condition,)
        elif isinstance(node, nodes.Switch) and node.subject is None:
            yield from (case.condition for case in node.cases if case.condition is not None)


def number_as_condition(script: Script, condition: nodes.Node, chance: random.Random) -> Edit | None:
    """`if close > open` to `if 1`."""
    return replace(script, condition, "1") if script.base_of(condition) is BOOL else None


def bool_operands(script: Script) -> Iterable[nodes.Node]:
    """Operands of `not`, `and`, `or` and conditions of ternaries, where everything beside them has a type."""
    for node in script.nodes:
        if isinstance(node, nodes.Ternary):
            if script.is_known(node.then) and script.is_known(node.otherwise):
                yield node.condition
        elif isinstance(node, nodes.Unary) and node.operator == "not":
            yield node.operand
        elif isinstance(node, nodes.Binary) and node.operator in ("and", "or"):
            operands = (node.left, node.right)
            yield from operands if all(map(script.is_known, operands)) else ()


def number_as_bool(script: Script, operand: nodes.Node, chance: random.Random) -> Edit | None:
    """`a and b` to `a and 1`."""
    return replace(script, operand, chance.choice(("1", "2.5"))) if script.base_of(operand) is BOOL else None


def sums(script: Script) -> Iterable[nodes.Binary]:
    """Arithmetic on two numbers."""
    for node in script.all(nodes.Binary):
        if node.operator in "+-*/%" and {script.base_of(node.left), script.base_of(node.right)} <= NUMBERS:
            yield node


def text_as_number(script: Script, node: nodes.Binary, chance: random.Random) -> Edit:
    """`high - low` to `high - "text"`."""
    return replace(script, chance.choice((node.left, node.right)), chance.choice(('"text"', "true", "color.red")))


def comparisons(script: Script) -> Iterable[nodes.Binary]:
    """Comparisons of values of one fundamental type."""
    for node in script.all(nodes.Binary):
        bases = {script.base_of(node.left), script.base_of(node.right)}
        if node.operator in ("==", "!=", "<", "<=", ">", ">=") and common_type(bases) in VALUE:
            yield node


def compare_with_other_type(script: Script, node: nodes.Binary, chance: random.Random) -> Edit | None:
    """`close > open` to `close > "text"`."""
    chosen, other = chance.choice(((node.left, node.right), (node.right, node.left)))
    value = wrong_value(script.base_of(other), chance)
    return replace(script, chosen, value) if value is not None else None


def collection_loops(script: Script) -> Iterable[nodes.ForIn]:
    """Loops over collections."""
    return script.all(nodes.ForIn)


def loop_over_number(script: Script, loop: nodes.ForIn, chance: random.Random) -> Edit:
    """`for x in values` to `for x in close`."""
    return replace(script, loop.collection, chance.choice(("close", "10")))


def number_as_tuple(script: Script, declaration: nodes.TupleDeclaration, chance: random.Random) -> Edit | None:
    """`[a, b] = f()` to `[a, b] = close`."""
    if isinstance(declaration.value, _STRUCTURES):
        return None
    return replace(script, declaration.value, chance.choice(("close", "ta.sma(close, 5)")))


def titled_fields(script: Script) -> Iterable[nodes.EnumField]:
    """Fields of enums; the first bad title is reported."""
    return script.all(nodes.EnumField)


def number_as_title(script: Script, field: nodes.EnumField, chance: random.Random) -> Edit:
    """`fast = "Fast"` or `fast` to `fast = 1`."""
    if field.value is None:
        return Edit(script.end(field), script.end(field), " = 1")
    return replace(script, field.value, "1")


def default_fields(script: Script) -> Iterable[nodes.Field]:
    """Fields of types with a type and a default."""
    return (field for field in script.all(nodes.Field) if field.type is not None and field.default is not None)


def wrong_default(script: Script, field: nodes.Field, chance: random.Random) -> Edit | None:
    """`int count = 0` to `int count = "text"` in a type."""
    assert field.type is not None and field.default is not None
    base = next((base for base in VALUE if base.name == script.source(field.type)), None)
    value = wrong_value(base, chance) if base is not None else None
    return replace(script, field.default, value) if value is not None and value != "color.red" else None


def typed_fields(script: Script) -> Iterable[nodes.Field]:
    """Fields on lines of their own."""
    return (field for field in script.all(nodes.Field) if script.stands_alone(field))


def field_twice(script: Script, field: nodes.Field, chance: random.Random) -> Edit | None:
    """Write a field a second time below itself."""
    end = script.line_end(field)
    if end is None or script.text[end - 1] not in "\r\n":
        return None
    return Edit(end, end, f"{script.indent(field)}{script.source(field)}\n")


def na_checks(script: Script) -> Iterable[nodes.Call]:
    """Calls of `na()` on one line."""
    for call in script.all(nodes.Call):
        is_na = isinstance(call.callee, nodes.Name) and call.callee.id == "na"
        if is_na and len(call.arguments) == 1 and script.is_one_line(call):
            yield call


def compare_with_na(script: Script, call: nodes.Call, chance: random.Random) -> Edit | None:
    """`na(x)` to `(x == na)`."""
    value = call.arguments[0]
    if isinstance(value, nodes.NamedArgument) or not script.is_known(value):
        return None
    return replace(script, call, f"({script.source(value)} {chance.choice(('==', '!='))} na)")


def enum_fields(script: Script) -> Iterable[nodes.EnumField]:
    """Fields of enums."""
    for enum in script.all(nodes.EnumDeclaration):
        if script.line_end(enum) is not None:
            yield from enum.fields


def compare_enum_with_number(script: Script, field: nodes.EnumField, chance: random.Random) -> Edit | None:
    """`Mode.fast == 1` behind the enum."""
    enum = script.parent[field]
    assert isinstance(enum, nodes.EnumDeclaration)
    end = script.line_end(enum)
    if end is None or script.text[end - 1] not in "\r\n":
        return None
    text = f"{FRESH} = {enum.name.id}.{field.name.id} {chance.choice(('==', '!='))} {chance.choice(('1', '2.5'))}\n"
    return Edit(end, end, text)


# branches and tuples


def ternaries(script: Script) -> Iterable[nodes.Ternary]:
    """Ternaries all of whose parts have a type."""
    for node in script.all(nodes.Ternary):
        if all(map(script.is_known, (node.condition, node.then, node.otherwise))):
            yield node


def wrong_ternary_branch(script: Script, node: nodes.Ternary, chance: random.Random) -> Edit | None:
    """`a ? 1 : 2` to `a ? 1 : "text"`."""
    chosen, other = chance.choice(((node.then, node.otherwise), (node.otherwise, node.then)))
    value = wrong_value(script.base_of(other), chance)
    return replace(script, chosen, value) if value is not None else None


def used_structures(script: Script) -> Iterable[nodes.If | nodes.Switch]:
    """`if` and `switch` structures whose value is assigned, or is what a function gives."""
    for node in script.nodes:
        value: nodes.Node | None = None
        if isinstance(node, nodes.VariableDeclaration | nodes.Reassignment):
            value = node.value
        elif isinstance(node, nodes.FunctionDeclaration):
            value = node.body[-1]
        if isinstance(value, nodes.If | nodes.Switch):
            yield value


def wrong_branch(script: Script, structure: nodes.If | nodes.Switch, chance: random.Random) -> Edit | None:
    """Let one branch of a structure give another type than the rest."""
    tails = [body[-1] for body in _bodies(structure)]
    expressions = [tail.expression for tail in tails if isinstance(tail, nodes.ExpressionStatement)]
    if len(expressions) != len(tails) or len(expressions) < 2:
        return None
    chosen = chance.choice(expressions)
    others = {script.base_of(other) for other in expressions if other is not chosen} - {NA}
    common = common_type(others)
    value = wrong_value(common, chance) if common is not None else None
    return replace(script, chosen, value) if value is not None else None


def common_type(bases: set[Base]) -> Base | None:
    """The fundamental type of all `bases` (float for any number), or None."""
    if UNKNOWN_BASE in bases or not bases:
        return None
    return FLOAT if bases <= NUMBERS else bases.pop() if len(bases) == 1 else None


def _bodies(structure: nodes.If | nodes.Switch) -> list[list[nodes.Statement]]:
    if isinstance(structure, nodes.Switch):
        return [case.body for case in structure.cases]
    found = [structure.body]
    otherwise = structure.otherwise
    while otherwise and len(otherwise) == 1 and isinstance(otherwise[0], nodes.If):
        found.append(otherwise[0].body)
        otherwise = otherwise[0].otherwise
    return [*found, otherwise] if otherwise else found


def tuples(script: Script) -> Iterable[nodes.TupleDeclaration]:
    """Tuple declarations whose value has a known number of elements."""
    for declaration in script.all(nodes.TupleDeclaration):
        if script.base_of(declaration.value).kind == "tuple":
            yield declaration


def one_name_more(script: Script, declaration: nodes.TupleDeclaration, chance: random.Random) -> Edit:
    """`[a, b] = f()` to `[a, b, c] = f()`."""
    place = script.end(declaration.names[-1])
    return Edit(place, place, f", {FRESH}")


def tuple_to_variable(script: Script, declaration: nodes.TupleDeclaration, chance: random.Random) -> Edit | None:
    """`a = f()` before `[a, b] = f()`."""
    if isinstance(declaration.value, _STRUCTURES) or not script.is_one_line(declaration.value):
        return None
    return line_before(script, declaration, f"{FRESH} = {script.source(declaration.value)}")
