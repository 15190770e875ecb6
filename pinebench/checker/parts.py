"""The parts of each expression or block, and a cache of its types. The cache key contains the types of its names.

A tree never changes, so its parts are stored with its chunk (top-level statement), and later checks reuse them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pinebench.checker.types import Type
from pinebench.records import NamedTuple
from pinebench.syntax import Chunk, nodes
from pinebench.syntax.walk import children, walk

if TYPE_CHECKING:
    from pinebench.checker.symbols import ResolvedCall, VariableSymbol

Key = tuple[object, ...]
"""A cache key: everything outside an expression that decides its type."""


class Meaning(NamedTuple):
    """The cached meaning of an expression or block without errors.

    It holds the type, the types of the parts, the resolution of the calls, and the type of each variable declared in
    it, by the variable's name node.
    """

    type: Type
    types: dict[nodes.Node, Type]
    calls: dict[nodes.Node, ResolvedCall]
    declared: dict[nodes.Node, Type]


class Parts:
    """The names, calls and history references in an expression, each in source order, parents first.

    - `structures`: the branches and loops in the expression. They open their own scopes; their parts are not listed.
    - `branches`: whether a part may be skipped, after `and` or `or`, or in a branch of a ternary.
    - `identifiers`: all words in it to which a declaration could give another meaning; None if the meaning depends on
      more than these words and the types of the names.
    - `meanings`: a cache of the meanings found so far; None until a second check of the tree shows that it is worth its
      memory.
    """

    __slots__ = ("_identifiers", "branches", "calls", "histories", "meanings", "names", "structures")

    def __init__(
        self,
        names: list[nodes.Name],
        calls: list[nodes.Call],
        histories: list[nodes.History],
        structures: list[nodes.Node],
        branches: bool,
    ) -> None:
        self.names = tuple(names)
        self.calls = tuple(calls)
        self.histories = tuple(histories)
        self.structures = tuple(structures)
        self.branches = branches
        self.meanings: dict[Key, Meaning] | None = None
        self._identifiers: frozenset[str] | bool | None = False

    @property
    def identifiers(self) -> frozenset[str] | None:
        """All words in the expression to which a declaration could give another meaning, computed on first use."""
        if isinstance(self._identifiers, bool):
            self._identifiers = None if self.structures else _identifiers(self.names, self.calls)
        return self._identifiers


def _identifiers(names: Iterable[nodes.Name], calls: Iterable[nodes.Call]) -> frozenset[str] | None:
    """The words of an expression, or None if a call changes or reads the state of the check."""
    words = {name.id for name in names}
    for call in calls:
        for type_ in call.template or ():
            words.update(_words(type_))
        word = _called(call)
        if word is None:
            return None
        words.add(word)
    return frozenset(words)


def _words(type_: nodes.TypeReference) -> Iterator[str]:
    """The names in a written type."""
    return (node.id for node in walk(type_) if isinstance(node, nodes.Name))


def _called(call: nodes.Call) -> str | None:
    """The last word of the name that is called, or None if the callee is not a name or is a declaration function."""
    callee = call.callee
    if isinstance(callee, nodes.Member):
        return callee.name
    return callee.id if isinstance(callee, nodes.Name) and callee.id not in _DECLARATIONS else None


_DECLARATIONS = frozenset(("indicator", "strategy", "library"))


def parts_of(expression: nodes.Node) -> Parts:
    """Collect the names, calls and history references in `expression`."""
    names: list[nodes.Name] = []
    calls: list[nodes.Call] = []
    histories: list[nodes.History] = []
    structures: list[nodes.Node] = []
    branches = False
    stack: list[Any] = [expression]
    pop, push = stack.pop, stack.append
    while stack:
        node = pop()
        kind = type(node)  # pyright: ignore[reportUnknownVariableType]
        if kind is nodes.Name:
            names.append(node)
        elif kind is nodes.Literal:
            continue
        elif kind is nodes.Call:
            calls.append(node)
            stack += node.arguments[::-1]
            if type(node.callee) is not nodes.Name:
                push(node.callee)
        elif kind is nodes.Member:
            push(node.object)
        elif kind is nodes.NamedArgument:
            push(node.value)
        elif kind is nodes.Binary:
            branches = branches or node.operator in _LOGICAL
            push(node.right)
            push(node.left)
        elif kind is nodes.History:
            histories.append(node)
            push(node.offset)
            push(node.object)
        elif kind is nodes.Ternary:
            branches = True
            stack += (node.otherwise, node.then, node.condition)
        elif kind is nodes.Parenthesized:
            push(node.expression)
        elif kind is nodes.Unary:
            push(node.operand)
        elif kind is nodes.TupleExpression:
            stack += node.items[::-1]
        elif kind is not nodes.TypeReference:
            structures.append(node)
    return Parts(names, calls, histories, structures, branches)


_LOGICAL = ("and", "or")


class Memory(NamedTuple):
    """The cached results of earlier checks, for use in one check.

    `context` identifies the imported libraries. `declared` has the words to which the script gives its own meaning, and
    `chunks` has the script's chunks (top-level statements) by offset.
    """

    context: Key
    declared: frozenset[str]
    chunks: Mapping[int, Chunk]
    check: object
    """An object that identifies this check."""


class ScopedCode:
    """The cached results for code with its own scopes: a structure, or the body of a function.

    It stays empty until a second check of the tree shows that the cache is worth its memory. `names` are the outer
    variables that the code reads or changes, one node for each. `declared` are the name nodes of its own variables.
    `has_calls` tells whether it calls anything. `identifiers` and `meanings` are as in `Parts`.
    """

    __slots__ = ("_met_by", "declared", "has_calls", "identifiers", "meanings", "names")

    def __init__(self, met_by: object) -> None:
        """`met_by` identifies the first check that meets the block."""
        self._met_by: object = met_by
        self.names: tuple[nodes.Name, ...] = ()
        self.declared: tuple[nodes.Name, ...] = ()
        self.has_calls = False
        self.identifiers: frozenset[str] | None = None
        self.meanings: dict[Key, Meaning] | None = None

    def pays(self, check: object) -> bool:
        """Return whether an earlier check than `check` has already met this code. Only then is the cache worth its
        memory."""
        return self._met_by is not check

    def remember(
        self, root: nodes.Node, parts: Mapping[nodes.Node, Parts], variables: Mapping[nodes.Node, VariableSymbol]
    ) -> None:
        """Collect the parts of the block and start caching its meanings. `root` is the structure, or the function that
        has the body.

        `parts` holds the parts of its expressions, and `variables` the symbols of its names.
        """
        self.meanings = {}
        names: list[nodes.Name] = []
        calls: list[nodes.Call] = []
        words: set[str] = set()
        declared: list[nodes.Name] = []
        own: set[nodes.Name] = set()
        is_lasting = True
        pending: list[nodes.Node] = [root]
        if isinstance(root, nodes.FunctionDeclaration):
            own.update(parameter.name for parameter in root.parameters)
            pending = [*root.body]
        while pending:
            node = pending.pop()
            found = parts.get(node)
            if found is not None:
                names += found.names
                calls += found.calls
                pending += found.structures
            elif isinstance(node, nodes.Name):
                names.append(node)
            elif isinstance(node, nodes.TypeReference):
                words.update(_words(node))
            else:
                declared += _declared(node)
                is_lasting = is_lasting and type(node) not in _OF_THE_SCRIPT
                pending += children(node)
        own.update(declared)
        self.names = tuple({name.id: name for name in names if _is_outer(variables.get(name), own)}.values())
        self.declared, self.has_calls = tuple(declared), bool(calls)
        identifiers = _identifiers(self.names, calls) if is_lasting else None
        self.identifiers = None if identifiers is None else identifiers | words


_OF_THE_SCRIPT = frozenset(
    (nodes.FunctionDeclaration, nodes.TypeDeclaration, nodes.EnumDeclaration, nodes.Import, nodes.ErrorStatement)
)


def _declared(node: nodes.Node) -> list[nodes.Name]:
    """The name nodes of the variables that a statement or loop declares."""
    if isinstance(node, nodes.VariableDeclaration):
        return [node.name]
    if isinstance(node, nodes.TupleDeclaration):
        return node.names
    if isinstance(node, nodes.ForTo):
        return [node.counter]
    if isinstance(node, nodes.ForIn):
        return [name for name in (node.index, node.element) if name is not None]
    return []


def _is_outer(symbol: VariableSymbol | None, own: set[nodes.Name]) -> bool:
    """Whether a name belongs to a variable that is declared outside a block, or does not belong to a variable of the
    script."""
    return symbol is None or symbol.name_node not in own
