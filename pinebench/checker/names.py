"""Resolves each name of a script, and finds the position of each node."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from pinebench import reference
from pinebench.checker.argument_text import path_of
from pinebench.checker.builtins import Signature
from pinebench.checker.checker import Checker
from pinebench.checker.symbols import (
    CopyCallee,
    EnumSymbol,
    FieldSymbol,
    Frame,
    FunctionSymbol,
    ImportSymbol,
    TypeSymbol,
    VariableSymbol,
)
from pinebench.checker.types import TYPE_KEYWORDS
from pinebench.records import NamedTuple
from pinebench.syntax import Chunk, nodes
from pinebench.syntax.walk import walk

Symbol = VariableSymbol | FunctionSymbol | TypeSymbol | FieldSymbol | EnumSymbol | nodes.EnumField | ImportSymbol | str
"""The meaning of a name: something that a script or library declares, or the dotted name of a built-in or namespace."""


_NOTICED = frozenset((nodes.Call, nodes.Member, nodes.TypeReference, nodes.FunctionDeclaration))
"""The classes of node for which more than their position is recorded."""


class NodePlace(NamedTuple):
    """The position of a node: the offset of its chunk (top-level statement), and the function whose body contains the
    node (None for global code)."""

    offset: int
    function: FunctionSymbol | None


class Names:
    """The names of a script or library, or of some of its chunks (top-level statements)."""

    def __init__(self, checker: Checker, chunks: Sequence[Chunk] | None = None) -> None:
        self._checker = checker
        self._chunks = checker.document.chunks if chunks is None else chunks
        self._calls: dict[nodes.Node, nodes.Call] = {}
        """The call of each callee."""
        self._members: dict[nodes.Node, nodes.Member] = {}
        """The member that begins with each name."""
        self._type_names: set[nodes.Node] = set()
        self.sites: dict[nodes.Node, int] = {}
        """The number of each call, in text order from 0."""

    @cached_property
    def places(self) -> dict[nodes.Node, NodePlace]:
        """The position of each node of the text."""
        found: dict[nodes.Node, NodePlace] = {}
        for chunk in self._chunks:
            place = NodePlace(chunk.start, None)
            functions: list[nodes.FunctionDeclaration] = []
            for node in walk(chunk.body):
                found[node] = place
                if type(node) not in _NOTICED:
                    continue
                if isinstance(node, nodes.Call):
                    self.sites[node] = len(self.sites)
                    self._calls[node.callee] = node
                elif isinstance(node, nodes.Member):
                    self._members[node.object] = node
                elif isinstance(node, nodes.TypeReference):
                    self._type_names.add(node.name)
                elif isinstance(node, nodes.FunctionDeclaration):
                    functions.append(node)
            for function in functions:
                inside = NodePlace(chunk.start, self._checker.bindings.function_of.get(function))
                found.update(dict.fromkeys(walk(function.body), inside))
        return found

    def of(self, node: nodes.Node, frame: Frame) -> Symbol | None:
        """Resolve a name or member in `frame`; None if its meaning is unknown."""
        if not isinstance(node, nodes.Name | nodes.Member) or node not in self.places:
            return None
        declared = self._declared.get(node)
        if declared is not None:
            return declared
        if node in self._type_names:
            return self._type(node)
        call = self._calls.get(node)
        if call is not None:
            return self._callee(node, call, frame)
        if isinstance(node, nodes.Name) and self._is_namespace(node, frame):
            return node.id
        return self._variable(node) if isinstance(node, nodes.Name) else self._member(node, frame)

    @cached_property
    def _declared(self) -> dict[nodes.Node, Symbol]:
        """The symbol of each name that declares something."""
        bindings = self._checker.bindings
        found: dict[nodes.Node, Symbol] = {symbol.name_node: symbol for symbol in bindings.symbols}
        found.update((function.node.name, function) for group in bindings.functions.values() for function in group)
        for type_ in bindings.types.values():
            found[type_.node.name] = type_
            found.update((field.node.name, field) for field in type_.fields.values())
        for enum in bindings.enums.values():
            found[enum.node.name] = enum
            found.update((field.name, field) for field in enum.fields.values())
        for library in bindings.imports.values():
            if library.node.alias is not None:
                found[library.node.alias] = library
        return found

    def _type(self, node: nodes.Name | nodes.Member) -> Symbol | None:
        bindings = self._checker.bindings
        path = path_of(node) or ""
        own = bindings.types.get(path) or bindings.enums.get(path)
        if own is not None:
            return own
        library, _, name = path.partition(".")
        if library in bindings.imports and name:
            return _export(bindings.imports[library], name)
        return path if path in TYPE_KEYWORDS or path in reference.namespaces() else None

    def _callee(self, node: nodes.Name | nodes.Member, call: nodes.Call, frame: Frame) -> Symbol | None:
        resolved = frame.calls.get(call)
        if resolved is not None and isinstance(resolved.target, FunctionSymbol):
            return resolved.target
        if resolved is not None and isinstance(resolved.target, TypeSymbol):
            return resolved.target
        if resolved is not None and isinstance(resolved.target, CopyCallee):
            return resolved.target.type
        if resolved is not None and isinstance(resolved.target, Signature):
            return resolved.target.name
        if isinstance(node, nodes.Name):
            group = self._checker.bindings.functions.get(node.id)
            return group[-1] if group else _builtin(node.id)
        return self._member(node, frame)

    def _is_namespace(self, node: nodes.Name, frame: Frame) -> bool:
        """Whether `node` is the namespace of a built-in (`table` in `table.cell(…)`), even if a variable has its name.

        The checker gives a type to an object before a dot, and none to a namespace.
        """
        member = self._members.get(node)
        if member is None or node in frame.types or node.id not in reference.namespaces():
            return False
        call = self._calls.get(member)
        resolved = frame.calls.get(call) if call is not None else None
        if resolved is not None:
            return isinstance(resolved.target, Signature) and resolved.receiver is None
        return _builtin(path_of(member) or "") is not None

    def _variable(self, node: nodes.Name) -> Symbol | None:
        bindings = self._checker.bindings
        found: Symbol | None = bindings.variables.get(node)
        if found is not None:
            return found
        name = node.id
        found = bindings.enums.get(name) or bindings.types.get(name) or bindings.imports.get(name)
        return found or _builtin(name)

    def _member(self, node: nodes.Member, frame: Frame) -> Symbol | None:
        type_ = frame.types.get(node.object)
        owner = type_.base.symbol if type_ is not None else None
        if isinstance(owner, TypeSymbol):
            return owner.fields.get(node.name)
        above = self.of(node.object, frame)
        if isinstance(above, EnumSymbol):
            return above.fields.get(node.name)
        if isinstance(above, ImportSymbol):
            return _export(above, node.name)
        path = path_of(node)
        found = _builtin(path) if path is not None else None
        if found is None and type_ is not None and type_.base.name in reference.types():
            return f"{type_.base.name}.{node.name}"
        return found


def _export(library: ImportSymbol, name: str) -> Symbol | None:
    """The symbol that a library exports under `name`, or None if the library's source was not found or has no such
    name."""
    if library.source is None:
        return None
    bindings = library.source.bindings
    found: Symbol | None = bindings.types.get(name) or bindings.enums.get(name)
    if found is not None:
        return found
    group = bindings.functions.get(name)
    return group[-1] if group else bindings.global_scope.names.get(name)


def _builtin(path: str) -> str | None:
    known = reference.function(path) or reference.variable(path) or reference.constant(path)
    return path if known or path in reference.namespaces() else None
