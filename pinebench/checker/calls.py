"""Finds the callee of a call: a built-in, a user-defined function or method, a constructor, or a library's export."""

from __future__ import annotations

from pinebench.checker import constructors, functions, libraries, overloads
from pinebench.checker.argument_text import dot_of, path_of, root_name
from pinebench.checker.arguments import Argument
from pinebench.checker.builtins import Signature, methods, signature, value_type
from pinebench.checker.checker import Checker
from pinebench.checker.symbols import FunctionSymbol, ImportSymbol, ResolvedCall, TypeSymbol
from pinebench.checker.types import COLLECTIONS, NA, SIMPLE, UNKNOWN, UNKNOWN_BASE, Base, Type, unknown_type
from pinebench.diagnostics import Span
from pinebench.syntax import nodes


def call(checker: Checker, node: nodes.Call) -> Type:
    """Infer the type of a call and check its arguments."""
    callee = node.callee
    if isinstance(callee, nodes.Name):
        return _plain_call(checker, node, callee.id)
    if not isinstance(callee, nodes.Member):
        checker.evaluate(callee)
        evaluate_arguments(checker, node)
        return UNKNOWN
    path = path_of(callee)
    if path is None or root_name(callee) in checker.bindings.variables:
        return _method_call(checker, node, callee, path)
    return _dotted_call(checker, node, callee, path)


def evaluate_arguments(checker: Checker, node: nodes.Call) -> list[Argument]:
    """Infer the types of a call's arguments, in the order in which they are written."""
    found: list[Argument] = []
    for argument in node.arguments:
        if isinstance(argument, nodes.NamedArgument):
            found.append(Argument(argument.name, argument, argument.value, checker.evaluate(argument.value)))
        else:
            found.append(Argument(None, argument, argument, checker.evaluate(argument)))
    return found


def _plain_call(checker: Checker, node: nodes.Call, name: str) -> Type:
    candidates = functions.visible(checker, name, node)
    builtin = signature(name)
    if candidates:
        arguments = evaluate_arguments(checker, node)
        if builtin is None or functions.accepts(candidates, arguments):
            return functions.call_user(checker, node, name, candidates, arguments)
        return call_builtin(checker, node, builtin, None, arguments)
    if builtin is not None:
        return call_builtin(checker, node, builtin, None)
    unknown_function(checker, node, name)
    return UNKNOWN


def unknown_function(checker: Checker, node: nodes.Call, name: str) -> None:
    """Report CE10271 for an unknown function, and infer the types of its arguments. As recorded from TradingView, the
    call is not checked further."""
    from pinebench.checker import hints  # here, because a script without errors needs no hints

    evaluate_arguments(checker, node)
    kind = "function or function reference"
    inside = checker.frame.function
    first = checker.frame.types.get(node.arguments[0]) if node.arguments else None
    of = first.base.kind if first is not None and first.base.kind in COLLECTIONS else ""
    hint = hints.similar_function(checker, name, inside.name if inside is not None else None, of)
    checker.report("CE10271", node.callee, kind=kind, fullName=name, hint=hint)


def call_builtin(
    checker: Checker,
    node: nodes.Call,
    builtin: Signature,
    receiver: Argument | None,
    arguments: list[Argument] | None = None,
) -> Type:
    """Check a call of a built-in function. The receiver of a method call is its first argument.

    `arguments` have known types and include the receiver. Without them, the call's own arguments are evaluated.
    """
    if arguments is None:
        arguments = evaluate_arguments(checker, node)
        if receiver is not None:
            arguments.insert(0, receiver)
    if builtin.function.top_level_only and checker.local_depth:
        from pinebench.checker import value_hints  # here, because a script without errors needs no hints

        checker.report("CE10188", node, functionName=builtin.name, hint=value_hints.at_top_level(builtin.name))
    return overloads.check_builtin(checker, node, builtin, arguments, receiver is not None)


def _dotted_call(checker: Checker, node: nodes.Call, callee: nodes.Member, path: str) -> Type:
    """Type a call through a dotted name whose first part is not a variable of the script."""
    root = root_name(callee).id
    bindings = checker.bindings
    symbol = bindings.types.get(root) if path.count(".") == 1 else None
    if symbol is not None and symbol.start > checker.position(node):
        symbol = None
    builtin = signature(path)
    # A type may have the name of a namespace (recorded verdict). Then `new` makes its objects.
    if builtin is not None and not (symbol is not None and callee.name == "new"):
        return call_builtin(checker, node, builtin, None)
    if root in bindings.imports:
        return _library_call(checker, node, bindings.imports[root], path, evaluate_arguments(checker, node))
    if symbol is not None:
        return _type_call(checker, node, callee, symbol)
    owner = path_of(callee.object)
    if owner is not None and (value_type(owner) is not None or value_type(root) is not None or root in bindings.enums):
        return _method_call(checker, node, callee, None)
    unknown_function(checker, node, path)
    return UNKNOWN


def _library_call(
    checker: Checker, node: nodes.Call, library: ImportSymbol, path: str, arguments: list[Argument]
) -> Type:
    """Type `alias.function(...)` or `alias.Type.new(...)`."""
    name, _, member = path.partition(".")[2].partition(".")
    checker.frame.calls[node] = ResolvedCall(
        library, None, {a.name or str(n): a.value for n, a in enumerate(arguments)}
    )
    source = library.source
    if source is None:
        if library.exports is not None and not member and name not in library.exports:
            kind = "function or function reference"
            checker.report("CE10271", node.callee, kind=kind, fullName=path)
            return UNKNOWN
        return unknown_type(argument.type for argument in arguments)
    if member:
        symbol = source.bindings.types.get(name)
        if symbol is None or member != "new":
            return UNKNOWN
        return constructors.construct(checker, node, symbol, arguments)
    candidates = [function for function in source.bindings.functions.get(name, []) if function.exported]
    if not candidates:
        kind = "function or function reference"
        checker.report("CE10271", node.callee, kind=kind, fullName=path)
        return UNKNOWN
    result = functions.call_user(checker, node, path, candidates, arguments)
    # The result of a library function is simple or series.
    return result if result.qualifier >= SIMPLE else result.base.at(SIMPLE)


def _type_call(checker: Checker, node: nodes.Call, callee: nodes.Member, symbol: TypeSymbol) -> Type:
    if callee.name == "new":
        return constructors.construct(checker, node, symbol, evaluate_arguments(checker, node))
    if callee.name == "copy":
        return constructors.copy(checker, node, symbol, evaluate_arguments(checker, node))
    unknown_function(checker, node, f"{symbol.name}.{callee.name}")
    return UNKNOWN


def _method_call(checker: Checker, node: nodes.Call, callee: nodes.Member, path: str | None) -> Type:
    """Type `object.name(...)`: a user's method, a built-in method, or a function of a namespace that a variable
    shadows."""
    shadowed = signature(path) if path is not None else None
    if shadowed is not None and len(node.arguments) >= len(shadowed.required):
        return call_builtin(checker, node, shadowed, None)
    object_type = checker.evaluate(callee.object)
    base = object_type.base
    symbol = _type_beside_variable(checker, node, callee, path)
    if symbol is not None and not functions.visible_methods(checker, callee.name, node, base):
        checker.unbind(root_name(callee))
        return _type_call(checker, node, callee, symbol)
    if isinstance(callee.object, nodes.History) and base is not UNKNOWN_BASE:
        evaluate_arguments(checker, node)
        dot = dot_of(checker, callee)
        # CE10011 is recorded for collections, CE10010 for drawings and objects.
        code = "CE10011" if base.kind in COLLECTIONS else "CE10010"
        checker.report(code, node, at=Span(dot, dot + 1))
        return UNKNOWN
    if base is UNKNOWN_BASE or base is NA:
        types = [argument.type for argument in evaluate_arguments(checker, node)]
        return UNKNOWN if base is NA else unknown_type((object_type, *types))
    receiver = Argument(None, callee.object, callee.object, object_type)
    candidates = functions.visible_methods(checker, callee.name, node, base)
    builtin = builtin_method(base, callee.name)
    if candidates or builtin is not None:
        arguments = [receiver, *evaluate_arguments(checker, node)]
        return _overloaded_method(checker, node, callee, candidates, builtin, arguments)
    if isinstance(base.symbol, TypeSymbol) and callee.name == "copy":
        return constructors.copy(checker, node, base.symbol, evaluate_arguments(checker, node), callee.object)
    if shadowed is not None:
        return call_builtin(checker, node, shadowed, None)
    return _unknown_method(checker, node, callee, object_type)


def _type_beside_variable(
    checker: Checker, node: nodes.Call, callee: nodes.Member, path: str | None
) -> TypeSymbol | None:
    """The type whose `new()` or `copy(object)` is called, although a variable has the same name.

    Types and variables have separate names: after `Zone = "x"`, `Zone.new()` still makes an object.
    """
    is_constructor = callee.name == "new" or (callee.name == "copy" and len(node.arguments) == 1)
    if path is None or path.count(".") != 1 or not is_constructor:
        return None
    symbol = checker.bindings.types.get(root_name(callee).id)
    return symbol if symbol is not None and symbol.start <= checker.position(node) else None


def _overloaded_method(
    checker: Checker,
    node: nodes.Call,
    callee: nodes.Member,
    candidates: list[FunctionSymbol],
    builtin: Signature | None,
    arguments: list[Argument],
) -> Type:
    """Type a call of a method that may be a user's or a built-in one. A user's methods overload a built-in method of
    the same name (TradingView's manual, methods). A library whose source was not found may do the same, so a call that
    fits none of the known methods counts as a call of the library."""
    receiver = arguments[0]
    by_library = libraries.may_have_method(checker, callee.name)
    if candidates and (functions.accepts(candidates, arguments) or (builtin is None and not by_library)):
        return functions.call_user(checker, node, callee.name, candidates, arguments, receiver=receiver.value)
    if builtin is None:
        return UNKNOWN
    mark = checker.reporter.mark()
    result = call_builtin(checker, node, builtin, receiver, arguments)
    if by_library and checker.reporter.has_errors_since(mark):
        checker.reporter.rollback(mark)
        return UNKNOWN
    return result


def builtin_method(base: Base, name: str) -> Signature | None:
    """Return the built-in method `name` for values of type `base`; None if there is none."""
    owner = base.kind if base.kind in COLLECTIONS else base.name
    if base.kind != "object" and base.kind not in COLLECTIONS:
        return None
    return methods(owner).get(name)


_LENIENT = frozenset(("color", "label", "line", "box", "table", "linefill", "strategy"))
"""Namespaces whose name a variable may have. TradingView then accepts any method call on it (recorded verdicts)."""


def _unknown_method(checker: Checker, node: nodes.Call, callee: nodes.Member, object_type: Type) -> Type:
    evaluate_arguments(checker, node)
    if libraries.may_have_method(checker, callee.name) or path_of(callee.object) in _LENIENT:
        return UNKNOWN
    from pinebench.checker import hints  # here, because a script without errors needs no hints

    base = object_type.base
    owner = base.kind if base.kind in COLLECTIONS else base.name
    # TradingView names a receiver as it is written, and a value without a name by its type (recorded messages).
    receiver = path_of(callee.object) or owner
    checker.report(
        "CE10271",
        node,
        at=Span(dot_of(checker, callee), callee.end),
        kind="method or method reference",
        fullName=f"{receiver}.{callee.name}",
        owner=owner,
        hint=hints.similar_method(checker, base, callee.name),
    )
    return UNKNOWN
