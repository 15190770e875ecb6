"""Finds the types of names, members, literals and history references."""

from __future__ import annotations

from pinebench.checker import libraries
from pinebench.checker.argument_text import dot_of, path_of, root_name
from pinebench.checker.builtins import value_type
from pinebench.checker.checker import Checker
from pinebench.checker.exports import stays_behind
from pinebench.checker.operators import blame
from pinebench.checker.symbols import TypeSymbol
from pinebench.checker.types import (
    CONST,
    LITERALS,
    NA,
    NUMBERS,
    SERIES,
    UNKNOWN,
    UNKNOWN_BASE,
    VALUE_KINDS,
    VOID,
    Base,
    Type,
    parse_type,
    tuple_of,
    unknown_type,
)
from pinebench.diagnostics import Span
from pinebench.patterns import lazy_pattern
from pinebench.reference import namespaces, types
from pinebench.syntax import nodes


def name(checker: Checker, node: nodes.Name) -> Type:
    """Infer the type of an identifier: a user's variable or a built-in variable. Report an unknown identifier."""
    symbol = checker.bindings.variables.get(node)
    if symbol is not None:
        type_ = checker.type_of_variable(symbol)
        if checker.exporting and symbol.scope.function is None and stays_behind(symbol, type_):
            checker.report("export-uses-global", node, variableName=node.id)
        return type_
    found = value_type(node.id)
    if found is not None:
        return found
    if node.id in checker.bindings.enums:
        checker.report("CE10074", node, name=node.id)
    else:
        undeclared(checker, node, node.id)
    return UNKNOWN


_LOOKED_AT = 200
_LISTED = lazy_pattern(r"\w+(?:[ \t]*,[ \t]*\w+)+[ \t]*=(?![=>])")
"""Names before an equals sign, as other languages unpack values."""


def undeclared(checker: Checker, node: nodes.Node, identifier: str) -> None:
    """Report CE10272 with the nearest known name as a hint, unless the declaration may be hidden in a broken block."""
    if identifier.partition(".")[0] in checker.bindings.lost:
        return
    from pinebench.checker import hints, value_hints  # here, because a script without errors needs no hints

    start = checker.position(node)
    is_list = _begins_a_list(checker.document.text, start)
    hint = value_hints.TAKEN_APART if is_list else hints.similar_name(checker, identifier)
    checker.report("CE10272", node, identifier=identifier, hint=hint)


def _begins_a_list(text: str, start: int) -> bool:
    """Whether the name at `start` begins a line with names before an equals sign, and is not an argument of a call."""
    line = text[start : start + _LOOKED_AT].partition("\n")[0]
    before = text[max(0, start - _LOOKED_AT) : start]
    begins = not before.rpartition("\n")[2].strip() and before.rstrip()[-1:] not in tuple("([,+-*/%?:=<")
    return begins and _LISTED.match(line) is not None


def literal(_checker: Checker, node: nodes.Literal) -> Type:
    """Infer the type of a literal."""
    return LITERALS[node.kind]


def parenthesized(checker: Checker, node: nodes.Parenthesized) -> Type:
    """Infer the type of `(expression)`."""
    return checker.evaluate(node.expression)


def tuple_expression(checker: Checker, node: nodes.TupleExpression) -> Type:
    """Infer the type of `[a, b]`."""
    return tuple_of(tuple(checker.evaluate(item) for item in node.items))


def member(checker: Checker, node: nodes.Member) -> Type:
    """Infer the type of `object.name`: a built-in value, an enum field, a library's export, or a field of an object."""
    if isinstance(node.object, nodes.History):
        checker.evaluate(node.object)
        dot = dot_of(checker, node)
        checker.report("CE10011", node, at=Span(dot, dot + 1))
        return UNKNOWN
    path = path_of(node)
    if path is not None:
        root = root_name(node)
        bound = root in checker.bindings.variables
        if not bound or root.id in namespaces():
            found = value_type(path)
            if found is not None:
                return found
        if not bound:
            return _unbound_member(checker, node, root, path)
        return _field_or_enum(checker, node, root, path)
    return field(checker, node, checker.evaluate(node.object))


def _field_or_enum(checker: Checker, node: nodes.Member, root: nodes.Name, path: str) -> Type:
    """Type a field of the variable `root`, or of the enum with the same name if the variable has no such field."""
    object_type = checker.evaluate(node.object)
    enum = checker.bindings.enums.get(root.id) if path.count(".") == 1 else None
    is_known = enum is not None and node.name in enum.fields and enum.start <= checker.position(node)
    if enum is not None and is_known and field_type(object_type.base, node.name) is None:
        checker.unbind(root)
        return enum.type.at(CONST)
    return field(checker, node, object_type)


def _unbound_member(checker: Checker, node: nodes.Member, root: nodes.Name, path: str) -> Type:
    bindings = checker.bindings
    enum = bindings.enums.get(root.id)
    if enum is not None and path.count(".") == 1:
        if (node.name in enum.fields or enum.is_broken) and enum.start <= checker.position(node):
            return enum.type.at(CONST)
        undeclared(checker, node, path)
        return UNKNOWN
    library = bindings.imports.get(root.id)
    if library is not None:
        exported = libraries.value(library, path)
        if exported is None:
            undeclared(checker, node, path)
        return exported or UNKNOWN
    if value_type(root.id) is not None:
        return field(checker, node, checker.evaluate(node.object))
    owner = path_of(node.object)
    if owner is not None and value_type(owner) is not None:
        return field(checker, node, checker.evaluate(node.object))
    undeclared(checker, node, path)
    return UNKNOWN


def field(checker: Checker, node: nodes.Member, object_type: Type) -> Type:
    """Infer the type of an object's field. Report CE10198 if there is no such field."""
    base = object_type.base
    if base is UNKNOWN_BASE or base is NA:
        return object_type if object_type.from_library else UNKNOWN
    if isinstance(base.symbol, TypeSymbol):
        libraries.check_imported(checker, node, base.symbol)
    found = field_type(base, node.name)
    if found is None:
        _report_no_field(checker, node, base)
        return UNKNOWN
    return found.at(SERIES)


def _report_no_field(checker: Checker, node: nodes.Member, base: Base) -> None:
    from pinebench.checker import hints, value_hints  # here, because a script without errors needs no hints

    if base.kind == "tuple":
        hint = value_hints.taken_apart(base, None, "")
    else:
        hint = hints.similar_field(checker, base, node.name, path_of(node))
    checker.report("CE10198", node, fieldName=node.name, hint=hint)


def field_type(base: Base, name: str) -> Base | None:
    """Return the type of field `name` of a user-defined or built-in type; None if there is no such field."""
    symbol = base.symbol
    if isinstance(symbol, TypeSymbol):
        if symbol.library is not None and not symbol.fields:
            return UNKNOWN_BASE
        found = symbol.fields.get(name)
        if found is None:
            return UNKNOWN_BASE if symbol.is_broken else None
        return found.type
    builtin = types().get(base.name)
    if builtin is None:
        return None
    for known in builtin.fields:
        if known.name == name:
            return parse_type(known.type)[1]
    return None


def history(checker: Checker, node: nodes.History) -> Type:
    """Infer the type of `object[offset]`. Report CE10123 for an operand of the wrong type (TradingView calls `[]` the
    `operator SQBR`), and history references that v6 does not allow."""
    object_type = checker.evaluate(node.object)
    base = object_type.base
    offset = checker.evaluate(node.offset)
    if base is VOID or base.kind == "tuple":
        blame(checker, "SQBR", 0, node.object, checker.frame.types[node.object], "series na")
        return UNKNOWN
    # A float offset is accepted: TradingView's own scripts and its manual index with float parameters and counters.
    if offset.base not in NUMBERS and offset.base is not UNKNOWN_BASE and offset.base is not NA:
        blame(checker, "SQBR", 1, node.offset, offset, "series int")
    _check_indexable(checker, node)
    return unknown_type((object_type, offset), SERIES) if base is UNKNOWN_BASE else base.at(SERIES)


def _check_indexable(checker: Checker, node: nodes.History) -> None:
    target = node.object
    while isinstance(target, nodes.Parenthesized):
        target = target.expression
    if isinstance(target, nodes.Literal) or _is_declared_constant(checker, target):
        checker.report("history-of-constant", node)
    elif isinstance(node.object, nodes.History):
        from pinebench.checker import value_hints  # here, because a script without errors needs no hints

        inner = checker.frame.types.get(node.object.object)
        hint = (
            value_hints.taken_apart(inner.base, None, "") if inner is not None and inner.base.kind == "tuple" else None
        )
        checker.report("history-of-history", node, hint=hint)
    elif isinstance(target, nodes.Member):
        type_ = checker.frame.types.get(target.object)
        if type_ is not None and type_.base.kind == "udt" and not _holds_object(checker.frame.types[target].base):
            from pinebench.checker import value_hints  # here, because a script without errors needs no hints

            checker.report("CE10290", node, hint=value_hints.history_of_field(target.name))
        elif type_ is None and checker.frame.types[target].qualifier == CONST:
            checker.report("history-of-constant", node)


def _holds_object(base: Base) -> bool:
    """Whether a field holds an object. TradingView has the history of such a field, but not of values and
    collections (recorded)."""
    return base.kind in ("udt", "object") or base is UNKNOWN_BASE


def _is_declared_constant(checker: Checker, node: nodes.Node) -> bool:
    symbol = checker.bindings.variables.get(node)
    declaration = symbol.declaration if symbol is not None else None
    if not isinstance(declaration, nodes.VariableDeclaration) or declaration.type is None:
        return False
    # The history of a constant collection or object is accepted: what it holds can change.
    return declaration.qualifier == "const" and checker.frame.types[node].base.kind in VALUE_KINDS


def error(checker: Checker, node: nodes.ErrorStatement) -> Type:
    """Check the parts of a broken statement, to report errors in them. The type of the statement and of its variables
    is unknown.

    An expression in it is not checked as a statement of the global scope, because it may be a line of a block.
    """
    for part in (*node.salvaged, *node.body):
        checker.statement(part.expression if isinstance(part, nodes.ExpressionStatement) else part, used=False)
    for part in node.salvaged:
        names = part.names if isinstance(part, nodes.TupleDeclaration) else ()
        for name in (part.name,) if isinstance(part, nodes.VariableDeclaration) else names:
            symbol = checker.bindings.variables.get(name)
            if symbol is not None:
                checker.set_variable(symbol, UNKNOWN)
    return UNKNOWN
