"""The things that a script declares: variables, functions, types, enums and imports, and the scopes that hold them.

A function has a frame for each combination of argument types: the result of evaluating its body for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.checker.types import NOTHING, UNKNOWN, NamedType, Type
from pinebench.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.checker.builtins import OverloadSpec, Signature
    from pinebench.checker.types import Base
    from pinebench.syntax import nodes


class BranchCondition:
    """A condition that decides whether code runs: an expression, or a `once` statement.

    `outer` is the next enclosing condition. An `else if` depends on all conditions before it, so the chains are shared.
    """

    __slots__ = ("node", "outer")

    def __init__(self, node: nodes.Node, outer: BranchCondition | None) -> None:
        self.node = node
        self.outer = outer


class Scope:
    """A scope of names.

    `kind` is global, function, block or loop. `condition` is the innermost condition that must hold for the scope's
    code to run. A scope without its own condition inherits the condition of its parent; a function has none.
    """

    __slots__ = ("condition", "function", "kind", "names", "parent")

    def __init__(
        self,
        kind: str,
        parent: Scope | None,
        condition: BranchCondition | None = None,
        function: FunctionSymbol | None = None,
    ) -> None:
        self.kind = kind
        self.parent = parent
        inherited = parent.condition if parent is not None and function is None else None
        self.condition: BranchCondition | None = condition or inherited
        self.function: FunctionSymbol | None = function if function or parent is None else parent.function
        self.names: dict[str, VariableSymbol] = {}

    def find(self, name: str) -> VariableSymbol | None:
        """Return the innermost variable named `name` that has been declared so far; None if there is none."""
        scope: Scope | None = self
        while scope is not None:
            found = scope.names.get(name)
            if found is not None:
                return found
            scope = scope.parent
        return None


class SymbolReassignment:
    """A `:=` or compound assignment with its value.

    `condition` is the innermost condition around it, and `limit` the condition around the variable's declaration. The
    conditions from `condition` outwards up to, but excluding, `limit` decide whether it runs. `in_loop` tells whether a
    loop lies between the declaration and the assignment.
    """

    __slots__ = ("condition", "in_loop", "limit", "value")

    def __init__(
        self, value: nodes.Node, condition: BranchCondition | None, limit: BranchCondition | None, in_loop: bool
    ) -> None:
        self.value = value
        self.condition = condition
        self.limit = limit
        self.in_loop = in_loop

    def conditions(self) -> Iterator[BranchCondition]:
        """Yield the conditions between the declaration and the assignment, innermost first."""
        condition = self.condition
        while condition is not None and condition is not self.limit:
            yield condition
            condition = condition.outer


class VariableSymbol:
    """A variable, parameter or loop variable.

    `kind` is variable, parameter, counter, element or tuple. `declaration` is the node that declares it, and `offset`
    is the start of that node's top-level statement. `type` is set for global variables when they are evaluated; the
    type of a local variable is in the `Frame` of its function.
    """

    __slots__ = (
        "assigned_in_loop",
        "captured",
        "declaration",
        "indexed",
        "kind",
        "mode",
        "name",
        "name_node",
        "offset",
        "reassignments",
        "scope",
        "type",
        "value",
    )

    def __init__(
        self,
        name: str,
        kind: str,
        name_node: nodes.Name,
        declaration: nodes.Node,
        scope: Scope,
        offset: int,
        mode: str | None = None,
        value: nodes.Node | None = None,
    ) -> None:
        self.name = name
        self.kind = kind
        self.name_node = name_node
        self.declaration = declaration
        self.scope = scope
        self.offset = offset
        self.mode = mode
        self.value = value
        self.type: Type | None = None
        self.reassignments: list[SymbolReassignment] = []
        self.indexed = False
        self.assigned_in_loop = False
        self.captured = False

    def __repr__(self) -> str:
        return f"VariableSymbol({self.name})"


class ParameterSymbol:
    """A parameter of a user-defined function: its variable, its written type and its default."""

    __slots__ = ("declared", "default", "has_default", "name", "qualifier", "type", "variable")

    def __init__(self, name: str, variable: VariableSymbol, declared: nodes.Parameter) -> None:
        self.name = name
        self.variable = variable
        self.declared = declared
        self.default = declared.default
        self.has_default = declared.default is not None
        self.qualifier: int | None = None
        self.type: Base | None = None
        """The declared base; None for an untyped parameter, which takes the type of each argument."""


class FunctionSymbol:
    """A user-defined function or method.

    `start` and `end` are offsets in the text; the function can be called only after `end`.
    """

    __slots__ = (
        "end",
        "exported",
        "frames",
        "is_method",
        "name",
        "node",
        "offset",
        "owner",
        "parameters",
        "scope",
        "settled",
        "start",
    )

    def __init__(self, name: str, node: nodes.FunctionDeclaration, offset: int) -> None:
        self.name = name
        self.node = node
        self.offset = offset
        self.start = offset + node.start
        self.end = offset + node.end
        self.is_method = node.is_method
        self.exported = node.exported
        self.parameters: list[ParameterSymbol] = []
        self.scope: Scope | None = None
        self.frames: dict[tuple[Type, ...], Frame] = {}
        self.settled: set[tuple[Type, ...]] = set()
        """The combinations of argument types for which the qualifiers of the typed parameters have been decided."""
        self.owner: CheckedSource | None = None
        """The check of the library that declares the function; None for a function of the script."""

    def __repr__(self) -> str:
        return f"FunctionSymbol({self.name})"


class FieldSymbol:
    """A field of a user-defined type. `type` is UNKNOWN_BASE until the declaration has been checked."""

    __slots__ = ("default", "name", "node", "type")

    def __init__(self, name: str, node: nodes.Field, type_: Base) -> None:
        self.name = name
        self.node = node
        self.type = type_
        self.default = node.default


class TypeSymbol(NamedType):
    """A user-defined type."""

    __slots__ = ("fields", "node")

    def __init__(self, name: str, node: nodes.TypeDeclaration, offset: int, type_: Base) -> None:
        super().__init__(name, node, offset, type_)
        self.node = node
        self.fields: dict[str, FieldSymbol] = {}


class EnumSymbol(NamedType):
    """An enum declared by a script."""

    __slots__ = ("fields", "node")

    def __init__(self, name: str, node: nodes.EnumDeclaration, offset: int, type_: Base) -> None:
        super().__init__(name, node, offset, type_)
        self.node = node
        self.fields: dict[str, nodes.EnumField] = {}


class ImportSymbol:
    """An imported library.

    `path` is User/Library/Version. `source` is the check of the library's text, or None if the text was not found.
    """

    __slots__ = ("alias", "exports", "node", "offset", "path", "source", "start")

    def __init__(self, alias: str, path: str, node: nodes.Import, offset: int) -> None:
        self.alias = alias
        self.path = path
        self.node = node
        self.offset = offset
        self.start = offset + node.start
        self.exports: frozenset[str] | None = None
        self.source: CheckedSource | None = None


class Overloads:
    """An index of the overloads of a name, for finding them by the number and types of arguments."""

    def __init__(self) -> None:
        self.known = 0
        self.by_types: dict[tuple[Base | None, ...], list[FunctionSymbol]] = {}
        """The functions that accept arguments of exactly these types."""
        self.by_count: dict[int, list[FunctionSymbol]] = {}
        """The functions that accept this number of arguments."""
        self.first_of_length: dict[int, FunctionSymbol] = {}
        """The first function with this number of parameters."""
        self.meant: dict[tuple[object, ...], list[FunctionSymbol]] = {}
        """A cache of results, by the number of visible overloads and the types of the arguments."""

    def add(self, functions: list[FunctionSymbol]) -> None:
        """Add the overloads in `functions` that were declared since the last call."""
        for function in functions[self.known :]:
            types = tuple(parameter.type for parameter in function.parameters)
            required = max((n for n, each in enumerate(function.parameters, 1) if not each.has_default), default=0)
            for count in range(required, len(types) + 1):
                self.by_count.setdefault(count, []).append(function)
                if None not in types[:count]:
                    self.by_types.setdefault(types[:count], []).append(function)
            self.first_of_length.setdefault(len(types), function)
        self.known = max(self.known, len(functions))


class CopyCallee(NamedTuple):
    """The callee of a call that copies an object of a user-defined type."""

    type: TypeSymbol


class ResolvedCall:
    """The resolution of a call.

    `target` is one of four things: the signature of a built-in, with the chosen `overload`; a user-defined function or
    method, with `frame` as the evaluation of its body for this call; the type that is constructed or copied; or a
    library whose source was not found. `arguments` maps parameter names to argument nodes. `receiver` is the object of
    a method call.
    """

    __slots__ = ("arguments", "frame", "overload", "receiver", "target")

    def __init__(
        self,
        target: Signature | FunctionSymbol | TypeSymbol | CopyCallee | ImportSymbol,
        overload: OverloadSpec | None = None,
        arguments: dict[str, nodes.Node] | None = None,
        receiver: nodes.Node | None = None,
        frame: Frame | None = None,
    ) -> None:
        self.target = target
        self.overload = overload
        self.arguments = arguments or {}
        self.receiver = receiver
        self.frame = frame


class Frame:
    """One evaluation of code: of the global code, or of a user-defined function's body for one combination of argument
    types.

    `types` has the type of each expression, `calls` the resolution of each call, and `locals` the type of each local
    variable.
    """

    __slots__ = ("calls", "function", "locals", "parameters", "result", "types")

    def __init__(self, function: FunctionSymbol | None, parameters: tuple[Type, ...] = ()) -> None:
        self.function = function
        self.parameters = parameters
        self.types: dict[nodes.Node, Type] = {}
        self.calls: dict[nodes.Node, ResolvedCall] = {}
        self.locals: dict[VariableSymbol, Type] = {}
        self.result: Type = UNKNOWN

    def leaves_nothing(self, node: nodes.Node) -> bool:
        """Return whether `node` calls a function that returns no value because one of its branches ends in a jump."""
        resolved = self.calls.get(node)
        return resolved is not None and resolved.frame is not None and resolved.frame.result.base is NOTHING


def frames_from(first: Frame) -> list[Frame]:
    """Return `first` and all frames that its calls reach, one for each function and combination of argument types."""
    found = [first]
    known = {id(first)}
    for frame in found:
        for resolved in frame.calls.values():
            reached = resolved.frame
            if reached is not None and id(reached) not in known:
                known.add(id(reached))
                found.append(reached)
    return found


class NameBindings:
    """The result of binding: the variable of each name node, and the functions, types, enums and imports by name."""

    def __init__(self) -> None:
        self.variables: dict[nodes.Node, VariableSymbol] = {}
        self.symbols: list[VariableSymbol] = []
        self.functions: dict[str, list[FunctionSymbol]] = {}
        self.function_of: dict[nodes.Node, FunctionSymbol] = {}
        self.types: dict[str, TypeSymbol] = {}
        self.enums: dict[str, EnumSymbol] = {}
        self.imports: dict[str, ImportSymbol] = {}
        self.global_scope = Scope("global", None)
        self.declared: list[TypeSymbol | EnumSymbol | ImportSymbol] = []
        """Every declaration of a type, an enum or an import, also one that a later one of the same name replaces."""
        self.lost: dict[str, int] = {}
        """The names declared in blocks whose header is broken, each with its first offset: their scope is unknown."""

    def add(self, symbol: TypeSymbol | EnumSymbol | ImportSymbol) -> None:
        """Add a declaration. It replaces an earlier declaration of the same kind and name."""
        self.declared.append(symbol)
        if isinstance(symbol, TypeSymbol):
            self.types[symbol.name] = symbol
        elif isinstance(symbol, EnumSymbol):
            self.enums[symbol.name] = symbol
        else:
            self.imports[symbol.alias] = symbol

    def release(self) -> None:
        """Break the reference cycles between scopes, symbols and frames. Python then frees their memory as soon as the
        bindings are dropped, without garbage collection. The bindings cannot be used afterwards."""
        self.global_scope.names.clear()
        for symbol in self.symbols:
            symbol.scope.names.clear()
        for function in self.function_of.values():
            function.scope = function.owner = None
            function.parameters.clear()
            function.frames.clear()
        for declared in self.declared:
            if isinstance(declared, ImportSymbol):
                declared.source = None
            else:
                declared.type.symbol = None
                declared.fields.clear()


class CheckedSource:
    """The base class of `Checker`, with the part of a check that symbols refer to: the name bindings."""

    def __init__(self, bindings: NameBindings) -> None:
        self.bindings = bindings
