"""Infers the types of statements and structures, of the variables that they declare or change, and of their values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pinebench.checker import functions, libraries, recall
from pinebench.checker.argument_text import path_of, root_name
from pinebench.checker.arguments import report_type
from pinebench.checker.binder import BUILT_IN
from pinebench.checker.checker import Checker
from pinebench.checker.defaults import check_default
from pinebench.checker.exports import check_exported, check_exports
from pinebench.checker.operators import arithmetic, equality
from pinebench.checker.promotion import promotion
from pinebench.checker.symbols import VariableSymbol
from pinebench.checker.typenames import resolve
from pinebench.checker.types import (
    BOOL,
    CONST,
    FLOAT,
    INT,
    NA,
    NOTHING,
    NUMBERS,
    QUALIFIER_NAMES,
    QUALIFIERS,
    SERIES,
    SIMPLE,
    UNDETERMINED,
    UNKNOWN,
    UNKNOWN_BASE,
    VALUE_KINDS,
    VOID,
    VOID_TYPE,
    Base,
    Type,
    array_of,
    assignable,
    display,
    is_bare,
    tuple_of,
    unify,
)
from pinebench.diagnostics import Span
from pinebench.reference import namespaces
from pinebench.syntax import nodes


def _local_block(checker: Checker, statements: Sequence[nodes.Node], used: bool) -> Type:
    with checker.local():
        return checker.block(statements, used=used)


# declarations and assignments


def variable_declaration(checker: Checker, node: nodes.VariableDeclaration) -> Type:
    """Infer the type of `name = value`, with or without a written type, and set the variable's type."""
    symbol = checker.bindings.variables.get(node.name)
    report = checker.report
    declared = resolve(checker, node.type) if node.type is not None else None
    mark = checker.reporter.mark() if declared is UNKNOWN_BASE else None
    value = value_of(checker, node.value)
    if node.qualifier is not None and (declared is None or " " in node.qualifier):
        functions.report_bare_qualifier(checker, node, node.qualifier, node.name)
        result = UNKNOWN
    elif mark is not None and _reported(checker, mark, node.type):
        # After a type that does not exist TradingView does not check further (recorded verdict).
        checker.reporter.rollback(mark)
        result = UNKNOWN
    elif declared is not None:
        result = _typed_variable(checker, node, declared, value)
    else:
        result = _untyped_variable(checker, node, value)
    if node.exported and (node.qualifier != "const" or node.type is None):
        report("exported-variable-not-const", node)
    if symbol is not None:
        result = _promoted(checker, symbol, result)
        checker.set_variable(symbol, result)
        if result.base.kind == "udt" and symbol.name in namespaces():
            report("CE10093", node.name, name=symbol.name)
        if node.mode == "varip" and any(element.kind == "enum" for element in result.base.arguments):
            report("CE10128", node, at=Span(node.start, node.start + len(node.mode)), typeExpression=result.base.name)
    return result


def _reported(checker: Checker, mark: tuple[int, int, int], node: nodes.Node | None) -> bool:
    return node is not None and checker.reporter.is_within(mark, checker.span(node))


def _promoted(checker: Checker, symbol: VariableSymbol, type_: Type) -> Type:
    """The type of a variable with its final qualifier: it is as strong as the values that are assigned to it later."""
    if not symbol.reassignments or type_.qualifier == SERIES or type_.base is UNKNOWN_BASE:
        return type_
    if symbol in checker.weak:
        return type_
    return type_.base.at(max(type_.qualifier, promotion(checker, symbol)))


def _promote_now(checker: Checker, node: nodes.Reassignment) -> None:
    """Give a variable its final qualifier at a reassignment, in a check that follows the order of the text."""
    symbol = checker.bindings.variables.get(node.target)
    if symbol is None or symbol not in checker.weak:
        return
    type_ = checker.type_of_variable(symbol)
    if type_.base is not UNKNOWN_BASE:
        checker.set_variable(symbol, type_.base.at(max(type_.qualifier, promotion(checker, symbol))))


def _untyped_variable(checker: Checker, node: nodes.VariableDeclaration, value: Type) -> Type:
    base = value.base
    if base is NA:
        checker.report("CE10097", node, hint=_na_hint(node))
        return UNKNOWN
    if base is VOID:
        checker.report("CE10098", node)
        return UNKNOWN
    if base.kind == "tuple":
        from pinebench.checker import value_hints  # here, because a script without errors needs no hints

        checker.report("CE10092", node, name=node.name.id, hint=value_hints.tuple_in_one(base))
        return UNKNOWN
    return value if base is UNKNOWN_BASE else base.at(value.qualifier)


def _na_hint(node: nodes.VariableDeclaration) -> str:
    return f"Say which type it will hold, for example `float {node.name.id} = na`."


def _typed_variable(checker: Checker, node: nodes.VariableDeclaration, base: Base, value: Type) -> Type:
    if base is UNKNOWN_BASE:
        return value if value.from_library else UNKNOWN
    limit = QUALIFIERS.get(node.qualifier or "")
    if value.base is VOID:
        checker.report("CE10098", node)
        return base.at(SERIES)
    if base.kind == "udt" and limit in (CONST, SIMPLE):
        checker.report("CE10260", node, typeKindName=node.qualifier)
    if assignable(base, value.base) and _too_strong(base, limit, value):
        _report_form(checker, node.value, limit, value)
    elif not assignable(base, value.base) or _other_matrix(base, value.base):
        own = base.name if is_bare(base) else f"{_own_qualifier(base, node.qualifier)} {base.name}"
        _report_assignment(checker, node, node.name.id, display_value(value), own)
    if limit is not None and base.kind in VALUE_KINDS:
        return base.at(limit)
    return base.at(SERIES if base.kind in _REFERENCES else value.qualifier)


def _other_matrix(declared: Base, value: Base) -> bool:
    """Whether a matrix of int is used as one of float. TradingView does not convert it, unlike arrays (recorded
    verdict)."""
    return declared.kind == value.kind == "matrix" and declared.arguments[0] is FLOAT and value.arguments[0] is INT


def _report_form(checker: Checker, node: nodes.Node, limit: int | None, value: Type) -> None:
    """Report CE10127 at a value that is known too late for the qualifier of its variable."""
    name = QUALIFIER_NAMES[limit or CONST]
    checker.report("CE10127", node, typeKindName=name, valueType=display_value(value))


def _too_strong(base: Base, limit: int | None, value: Type) -> bool:
    """Whether a value's qualifier is stronger than its declaration allows. References are always series and never
    too strong."""
    if limit is None or base.kind not in VALUE_KINDS:
        return False
    return value.qualifier > limit and value.qualifier != UNDETERMINED


_REFERENCES = frozenset(("object", "array", "matrix", "map", "udt"))


def _own_qualifier(base: Base, written: str | None) -> str:
    return written or ("const" if base.kind in ("scalar", "enum") else "series")


def display_value(value: Type) -> str:
    """Format an assigned value for CE10173, which shows literals as constants."""
    return display(value.base.at(value.qualifier))


def _report_assignment(checker: Checker, node: nodes.Node, name: str, value: str, own: str) -> None:
    from pinebench.checker import value_hints  # here, because a script without errors needs no hints

    hint = value_hints.truth_value(value, own)
    checker.report("CE10173", node, assignedValueType=value, variableName=name, ownValueType=own, hint=hint)


def value_of(checker: Checker, node: nodes.Node) -> Type:
    """Return the type of an assigned value. It is UNKNOWN if the value contains a syntax error, and for a tuple
    literal, which is always an error."""
    type_ = recall.value(checker, node)
    return UNKNOWN if isinstance(node, nodes.TupleExpression) or checker.is_broken(node) else type_


def _is_request(node: nodes.Node) -> bool:
    """Return whether a value is a `request.*()` call. Other tuples with a wrong number of names get a message without a
    code (recorded)."""
    return isinstance(node, nodes.Call) and (path_of(node.callee) or "").startswith("request.security")


def tuple_declaration(checker: Checker, node: nodes.TupleDeclaration) -> Type:
    """Infer the type of `[a, b] = value`."""
    value = value_of(checker, node.value)
    items: tuple[Type, ...] = (UNKNOWN,) * len(node.names)
    if value.base.kind == "tuple":
        if len(value.base.items) == len(node.names):
            items = value.base.items
        else:
            hint = "Name as many variables as there are values; `_` stands for one that is not needed."
            code = "CE10239" if _is_request(node.value) else "tuple-count"
            checker.report(code, node, right=len(value.base.items), left=len(node.names), hint=hint)
    elif value.from_library:
        items = (value,) * len(node.names)
    elif value.base is not UNKNOWN_BASE:
        from pinebench.checker import value_hints  # here, because a script without errors needs no hints

        checker.report("tuple-shape", node, hint=value_hints.NOT_TAKEN_APART)
    for name, item in zip(node.names, items, strict=True):
        symbol = checker.bindings.variables.get(name)
        if symbol is not None:
            checker.set_variable(symbol, _promoted(checker, symbol, item))
    return value


def reassignment(checker: Checker, node: nodes.Reassignment) -> Type:
    """Infer the type of `name := value` and of compound assignments. The value must match the type of the name."""
    target = _target_type(checker, node)
    value = value_of(checker, node.value)
    if _is_field_of_a_call(node.target):
        checker.report("CE10137", node.target)
        return target
    if checker.weak:
        _promote_now(checker, node)
    limit = _declared_limit(checker, node.target)
    if target.base is UNKNOWN_BASE or limit == CONST:
        # The assignment to a constant was reported when its name was bound.
        return target
    if _is_fixed(checker, node.target):
        checker.report(
            "CE10174", node.target, hint=_fixed_hint(checker, node.target), variableName=checker.text(node.target)
        )
        return target
    if node.operator != ":=":
        value = arithmetic(checker, node.operator[0], node.target, target, node.value, value)
    if value.base is VOID:
        checker.report("CE10098", node)
        return target
    if assignable(target.base, value.base) or target.base.kind == value.base.kind == "map":
        # TradingView does not compare the elements of a map that is reassigned (recorded verdict).
        strongest = value.base.at(max(value.qualifier, _gate_qualifier(checker, node)) if limit is not None else 0)
        if not _too_strong(target.base, limit, strongest):
            return target
        _report_form(checker, node.value, limit, strongest)
        return target
    _report_assignment(checker, node, checker.text(node.target), value.base.name, target.base.name)
    return target


def _is_field_of_a_call(target: nodes.Node) -> bool:
    """Whether `target` is a field of an object that a call returns, or of an object in such a field."""
    while isinstance(target, nodes.Member):
        target = target.object
    return isinstance(target, nodes.Call)


def _is_fixed(checker: Checker, target: nodes.Node) -> bool:
    """Whether `target` is a built-in value such as `ta.tr`, a field of an enum or a library's constant."""
    return path_of(target) is not None and root_name(target) not in checker.bindings.variables


def _fixed_hint(checker: Checker, target: nodes.Node) -> str:
    from pinebench.checker import value_hints  # here, because a script without errors needs no hints

    owner = root_name(target).id
    if owner in checker.bindings.enums:
        return value_hints.OF_AN_ENUM
    return value_hints.OF_A_LIBRARY if owner in checker.bindings.imports else BUILT_IN


def _gate_qualifier(checker: Checker, node: nodes.Reassignment) -> int:
    """The strongest qualifier of the conditions between a variable's declaration and this assignment to it."""
    symbol = checker.bindings.variables.get(node.target)
    changes = symbol.reassignments if symbol is not None else []
    conditions = next((change.conditions() for change in changes if change.value is node.value), ())
    types = (checker.frame.types.get(part.node) for part in conditions)
    return max((type_.qualifier for type_ in types if type_ is not None), default=CONST)


def _declared_limit(checker: Checker, target: nodes.Node) -> int | None:
    """The qualifier that a variable was declared with; no later value may be stronger."""
    symbol = checker.bindings.variables.get(target)
    declaration = symbol.declaration if symbol is not None else None
    if not isinstance(declaration, nodes.VariableDeclaration):
        return None
    return QUALIFIERS.get(declaration.qualifier or "")


def _target_type(checker: Checker, node: nodes.Reassignment) -> Type:
    if not isinstance(node.target, nodes.Name):
        return checker.evaluate(node.target)
    symbol = checker.bindings.variables.get(node.target)
    type_ = checker.type_of_variable(symbol) if symbol is not None else UNKNOWN
    checker.frame.types[node.target] = type_
    return type_


def expression_statement(checker: Checker, node: nodes.ExpressionStatement) -> Type:
    """Infer the type of an expression that is used as a statement."""
    type_ = recall.value(checker, node.expression)
    if not checker.local_depth and type_.base is not UNKNOWN_BASE:
        _check_used(checker, node)
    is_nothing = type_.base is UNKNOWN_BASE and checker.frame.leaves_nothing(node.expression)
    return NOTHING.at(CONST) if is_nothing else type_


def _check_used(checker: Checker, node: nodes.ExpressionStatement) -> None:
    """Report a statement of the global scope that is only a value, or only the history of a name."""
    value = node.expression
    if _is_bare_value(value):
        from pinebench.checker import value_hints  # here, because a script without errors needs no hints

        checker.report("CE10197", node, text=checker.text(node), hint=value_hints.bare_value(value))
    elif (
        isinstance(value, nodes.History)
        and isinstance(value.object, nodes.Name)
        and isinstance(value.offset, nodes.Literal | nodes.Name)
    ):
        checker.report("CE10009", value.offset, unexpectedToken=checker.text(value.offset))


def _is_bare_value(node: nodes.Node) -> bool:
    """Whether a statement is only a value. TradingView refuses it in the global scope; blocks may end with one
    (recorded)."""
    if isinstance(node, nodes.Binary):
        return node.operator in ("==", "!=", "<", ">", "<=", ">=")
    return isinstance(node, nodes.Literal | nodes.Name | nodes.Member)


def jump(_checker: Checker, _node: nodes.Node) -> Type:
    """Return the type of `break` or `continue`, which have no value."""
    return NOTHING.at(CONST)


def function_declaration(checker: Checker, node: nodes.FunctionDeclaration) -> Type:
    """Declare a function or method. Its body is evaluated separately for the argument types of each call."""
    function = checker.bindings.function_of.get(node)
    if function is not None:
        functions.declare(checker, function)
        if function.exported:
            check_exports(checker, function)
    return VOID_TYPE


def type_declaration(checker: Checker, node: nodes.TypeDeclaration) -> Type:
    """Resolve the types of the fields and check their defaults."""
    symbol = checker.bindings.types.get(node.name.id)
    if symbol is None or symbol.node is not node:
        return VOID_TYPE
    symbol.is_broken = checker.is_broken(node)
    for field in symbol.fields.values():
        written = field.node
        if written.mode is not None and written.mode != "varip":
            start = written.start
            at = Span(start, start + len(written.mode))
            checker.report("CE10288", written, at=at, keyword=written.mode, hint=_KEPT)
        if written.type is not None:
            field.type = resolve(checker, written.type)
            if symbol.exported:
                check_exported(checker, written, symbol.name, field.type)
        if written.default is not None:
            declared = field.type if written.type is not None else None
            check_default(checker, written, written.name, declared, written.default)
            if declared is None:
                field.type = checker.evaluate(written.default).base
    return VOID_TYPE


_KEPT = "Leave `var` out here, and declare the variable of the object with it: a field may only have `varip`."


def enum_declaration(checker: Checker, node: nodes.EnumDeclaration) -> Type:
    """Check the titles of an enum's fields."""
    symbol = checker.bindings.enums.get(node.name.id)
    if symbol is not None and symbol.node is node:
        symbol.is_broken = checker.is_broken(node)
    for field in node.fields:
        title = field.value
        if title is None or (isinstance(title, nodes.Literal) and title.kind == "string"):
            continue
        found = f"literal {title.kind}" if isinstance(title, nodes.Literal) else display(checker.evaluate(title))
        hint = f'The title of a field is a text: `{field.name.id} = "{field.name.id}"`.'
        checker.report("CE10125", field, hint=hint, field=field.name.id, enum=node.name.id, unexpectedType=found)
        break
    return VOID_TYPE


def import_(checker: Checker, node: nodes.Import) -> Type:
    """Load an imported library."""
    for library in checker.bindings.imports.values():
        if library.node is node:
            libraries.load(checker, library)
    return VOID_TYPE


# structures


def taken(structure: Callable[[Checker, Any, bool], Type], checker: Checker, node: nodes.Node) -> Type:
    """Infer the type of a structure (a branch or a loop) whose value is used, for example in a declaration."""
    result = structure(checker, node, True)
    return UNKNOWN if result.base is NOTHING else result


def condition(checker: Checker, node: nodes.Node, block: str) -> Type:
    """Infer the type of a statement's condition, which must be a bool (CE10101)."""
    type_ = recall.value(checker, node)
    if type_.base is not BOOL and type_.base is not UNKNOWN_BASE:
        from pinebench.checker import value_hints  # here, because a script without errors needs no hints

        checker.report("CE10101", node, blockName=block, hint=value_hints.truth_value(type_.base.name, "bool"))
    return type_


def if_(checker: Checker, node: nodes.If, used: bool) -> Type:
    """Infer the type of an `if` with all its branches. `used` tells whether its value is used."""
    first = node
    results: list[Type] = []
    conditions: list[Type] = []
    while True:
        conditions.append(condition(checker, node.condition, "if"))
        results.append(_local_block(checker, node.body, used))
        otherwise = node.otherwise
        if otherwise is None:
            break
        if len(otherwise) != 1 or not isinstance(otherwise[0], nodes.If):
            results.append(_local_block(checker, otherwise, used))
            break
        node = otherwise[0]
    return _joined(checker, first, conditions, results, used, "if")


def switch(checker: Checker, node: nodes.Switch, used: bool) -> Type:
    """Infer the type of a `switch` with all its cases. `used` tells whether its value is used."""
    conditions = [checker.evaluate(node.subject)] if node.subject is not None else []
    results: list[Type] = []
    for case in node.cases:
        if case.condition is not None:
            conditions.append(_arm(checker, node.subject, case.condition))
        results.append(_local_block(checker, case.body, used))
    result = _joined(checker, node, conditions, results, used, "switch")
    if used and result.base.kind == "special" and all(case.condition is not None for case in node.cases):
        hint = "End it with a branch for all other cases: `=>` and a value of this type."
        checker.report("switch-default-missing", node, type=result.base.name, hint=hint)
    return result


def _arm(checker: Checker, subject_node: nodes.Node | None, node: nodes.Node) -> Type:
    """Type the condition of a case: a bool, or a value that is compared with the subject by `==` (manual, switch)."""
    if subject_node is None:
        return condition(checker, node, "switch")
    subject, value = checker.frame.types[subject_node], checker.evaluate(node)
    if subject.base.kind in _COMPARED and value.base.kind in _COMPARED:
        equality(checker, "==", subject_node, subject, node, value)
    return value


_COMPARED = frozenset(("scalar", "enum"))
"""Kinds whose comparison in a switch is certain. Whether the value of a case may be `na` was never recorded."""


def _joined(
    checker: Checker, node: nodes.Node, conditions: list[Type], results: list[Type], used: bool, word: str
) -> Type:
    """The common type of the branches. Report CE10235 if the value is used and the branches do not agree."""
    if not used:
        return VOID_TYPE
    common: Type | None = results[0] if results else VOID_TYPE
    for result in results[1:]:
        common = _common(common, result) if common is not None else None
    if common is None:
        blocks = "; ".join(display(result) for result in results)
        span = Span(node.start, node.start + len(word))
        hint = "Let every branch end in a value of the same type; int and float fit together."
        checker.report("CE10235", node, at=span, hint=hint, blocks=blocks)
        return UNKNOWN
    if common.base.kind == "tuple":
        return common
    return common.base.at(max([common.qualifier, *(type_.qualifier for type_ in conditions)]))


def _common(first: Type, second: Type) -> Type | None:
    if first.base.kind == "tuple" and second.base.kind == "tuple":
        return _common_tuple(first, second)
    if NOTHING in (first.base, second.base):
        return _beside_a_jump(second if first.base is NOTHING else first)
    if VOID in (first.base, second.base) and first.base is not second.base:
        other = second.base if first.base is VOID else first.base
        return VOID_TYPE if other is NA else UNKNOWN if other is UNKNOWN_BASE else None
    if {first.base, second.base} == {BOOL, NA}:
        # A branch that is left out gives false. Whether TradingView refuses a branch with na was never recorded.
        return BOOL.at(max(first.qualifier, second.qualifier))
    base = unify(first.base, second.base)
    return base.at(max(first.qualifier, second.qualifier)) if base is not None else None


def _beside_a_jump(other: Type) -> Type:
    """The common type of two branches if one of them ends in a jump: the value of the other, if it has one."""
    if other.base is NA:
        return UNKNOWN
    return NOTHING.at(CONST) if other.base is VOID else other


def _common_tuple(first: Type, second: Type) -> Type | None:
    if len(first.base.items) != len(second.base.items):
        return None
    items: list[Type] = []
    for one, other in zip(first.base.items, second.base.items, strict=True):
        item = _common(one, other)
        if item is None:
            return None
        items.append(item)
    return tuple_of(tuple(items))


def _bound(checker: Checker, word: str, node: nodes.Node) -> Type:
    """Type a bound or the step of a `for … to`, which must be a number (manual, loops). The text of the error is a
    guess."""
    type_ = checker.evaluate(node)
    if type_.base in NUMBERS or type_.base is NA or type_.base is UNKNOWN_BASE:
        return type_
    report_type(checker, "for", word, node, type_, "series float")
    return UNKNOWN


def for_to(checker: Checker, node: nodes.ForTo, used: bool) -> Type:
    """Infer the type of a `for … to` loop. `used` tells whether its value is used."""
    bounds = [_bound(checker, "from", node.first), _bound(checker, "to", node.last)]
    if node.step is not None:
        bounds.append(_bound(checker, "by", node.step))
    bases = {bounds[0].base, bounds[-1].base if node.step is not None else INT}
    if node.counter_type is not None:
        base = resolve(checker, node.counter_type)
    elif bases <= {INT, NA}:
        base = INT
    else:
        # Only a literal float makes the counter a float for certain; with a float variable the type stays unknown.
        base = (
            FLOAT if FLOAT in bases and any(bound.literal and bound.base is FLOAT for bound in bounds) else UNKNOWN_BASE
        )
    _set_loop_name(checker, node.counter, base)
    return _loop_value(checker, node.body, used)


def for_in(checker: Checker, node: nodes.ForIn, used: bool) -> Type:
    """Infer the type of a `for … in` loop. `used` tells whether its value is used."""
    collection = checker.evaluate(node.collection)
    base = collection.base
    index = element = UNKNOWN_BASE  # an unknown collection may be a map, whose index is a key
    if base.kind == "array":
        index, element = INT, base.arguments[0]
    elif base.kind == "matrix":
        index, element = INT, array_of(base.arguments[0])
    elif base.kind == "map" and node.index is not None:
        index, element = base.arguments
    elif base is not UNKNOWN_BASE:
        hint = "A loop over a map takes pairs: `for [key, value] in map`." if base.kind == "map" else None
        report_type(checker, "foreach", "id", node.collection, collection, "array<type>", hint=hint)
    if node.index is not None:
        _set_loop_name(checker, node.index, index)
    _set_loop_name(checker, node.element, element)
    return _loop_value(checker, node.body, used)


def _set_loop_name(checker: Checker, name: nodes.Name, base: Base) -> None:
    symbol = checker.bindings.variables.get(name)
    if symbol is not None:
        checker.set_variable(symbol, base.at(SERIES))


def while_(checker: Checker, node: nodes.While, used: bool) -> Type:
    """Infer the type of a `while` loop. `used` tells whether its value is used."""
    condition(checker, node.condition, "while")
    return _loop_value(checker, node.body, used)


def _loop_value(checker: Checker, body: Sequence[nodes.Node], used: bool) -> Type:
    if not used:
        return _local_block(checker, body, used=False)
    _local_block(checker, body[:-1], used=False)
    result = _local_block(checker, body[-1:], used=True)
    return result.base.at(SERIES) if result.base.kind != "tuple" else result


def once(checker: Checker, node: nodes.Once, _used: bool) -> Type:
    """Check a `once` statement, which has no value."""
    if node.condition is not None:
        condition(checker, node.condition, "once")
    _local_block(checker, node.body, used=False)
    return VOID_TYPE


def once_value(checker: Checker, node: nodes.Once) -> Type:
    """Report a use of the value of a `once` statement, which has none."""
    once(checker, node, False)
    checker.report("once-has-no-value", node)
    return UNKNOWN
