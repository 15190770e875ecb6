"""What a requested expression needs: the statements, on the way to it, that make the variables it reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pinebench.check.symbols import VariableSymbol
from pinebench.check.types import Base
from pinebench.runtime.lower.context import Lowering, Place
from pinebench.runtime.refusals import NotComputed
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

_DECLARED = (nodes.FunctionDeclaration, nodes.TypeDeclaration, nodes.EnumDeclaration)


class Slice:
    """The statements that an expression needs, by the place they belong to.

    `levels` are the places from the global code down to that of the expression; `needed` holds the statements of each.
    """

    def __init__(self, lowering: Lowering, node: nodes.Node, request: nodes.Node, place: Place) -> None:
        self._lowering = lowering
        self.levels = _levels(lowering, place)
        found = {id(level): _bodies(level, request) for level in self.levels}
        self.bodies = {key: bodies for key, (bodies, _) in found.items()}
        self._holders = {key: holders for key, (_, holders) in found.items()}
        self.needed: dict[int, set[nodes.Node]] = {id(level): set() for level in self.levels}
        self._symbols: dict[int, set[VariableSymbol]] = {id(level): set() for level in self.levels}
        self._need([node], place)
        while self._grow():
            pass
        self._refuse_circles(place)

    def statements(self, level: Place) -> list[nodes.Node]:
        """The needed statements of a level in text order."""
        needed = self.needed[id(level)]
        return [statement for body in self.bodies[id(level)] for statement in body if statement in needed]

    def parameters(self, level: Place) -> list[VariableSymbol]:
        """The parameters of a level's function that are needed."""
        return [symbol for symbol in level.arguments if symbol in self._symbols[id(level)]]

    def _need(self, code: Iterable[nodes.Node], place: Place) -> None:
        effects = place.program.effects(list(code), place.frame)
        # What a statement writes beside must be declared at least.
        for symbol in effects.reads | effects.writes | effects.mutates:
            self._need_symbol(symbol, place)

    def _need_symbol(self, symbol: VariableSymbol, place: Place) -> None:
        home = place if symbol.scope.function is not None else self.levels[0]
        if home.program is not place.program and symbol.scope.function is None:
            return  # A library's global, which needs nothing of the script.
        known = self._symbols[id(home)]
        if symbol in known:
            return
        known.add(symbol)
        given = home.arguments.get(symbol)
        if given is not None:
            self._need([given[0]], given[1])
        elif symbol.kind in ("counter", "element") and self._is_around(symbol, home):
            raise NotComputed(f"a request that depends on the loop variable {symbol.name}", place.line)

    def _is_around(self, symbol: VariableSymbol, place: Place) -> bool:
        """Whether the loop of a counter is around the request, not within a statement that is needed."""
        body = self.bodies[id(place)]
        return not any(symbol.declaration in set(walk(statement)) for part in body for statement in part)

    def _grow(self) -> bool:
        """Take the statements that write what is needed; say whether there were any."""
        grew = False
        for level in self.levels:
            symbols = self._symbols[id(level)]
            references = {base for symbol in symbols if (base := _reference(level, symbol)) is not None}
            for body in self.bodies[id(level)]:
                for statement in body:
                    if statement in self.needed[id(level)] or not self._writes(statement, level, symbols, references):
                        continue
                    self.needed[id(level)].add(statement)
                    self._need([statement], level)
                    grew = True
        return grew

    def _writes(self, statement: nodes.Node, level: Place, symbols: set[VariableSymbol], references: set[Base]) -> bool:
        written, mutated = self._lowering.written(statement, level)
        if written & symbols:
            return True
        # One object may have several names.
        return any(_reference(level, symbol) in references for symbol in mutated)

    def _refuse_circles(self, place: Place) -> None:
        """A request that feeds what it depends on would need its own result."""
        for level in self.levels:
            for holder in self._holders[id(level)]:
                within = set(walk(holder))
                written = level.program.effects(holder, level.frame).writes & self._symbols[id(level)]
                if any(symbol.declaration not in within for symbol in written):
                    raise NotComputed("a request that depends on its own result", place.line)


def _reference(level: Place, symbol: VariableSymbol) -> Base | None:
    """The type of a variable that holds a reference, through which others may change what it holds."""
    type_ = level.program.declared_type(symbol, level.frame if symbol.scope.function is not None else None)
    if type_ is None or type_.base.kind not in ("array", "matrix", "map", "udt"):
        return None
    return type_.base


def _levels(lowering: Lowering, place: Place) -> list[Place]:
    """From the global code of the script down the call path to `place`."""
    found = [place]
    while found[0].frame.function is not None:
        callers = [caller for _, caller in found[0].arguments.values()]
        caller = found[0].caller or (callers[0] if callers else None)
        found.insert(0, caller if caller is not None else lowering.place_of(lowering.program))
    return found


def _body(level: Place) -> list[nodes.Node]:
    function = level.frame.function
    if function is not None:
        return list(function.node.body)
    return [statement for chunk in level.program.document.chunks for statement in chunk.body]


def _bodies(level: Place, request: nodes.Node) -> tuple[list[list[nodes.Node]], list[nodes.Node]]:
    """The blocks of a level from the outermost to the one that holds the request, without the statements that do;
    and these."""
    found: list[list[nodes.Node]] = []
    holders: list[nodes.Node] = []
    body: Sequence[nodes.Node] | None = _body(level)
    while body is not None:
        holder = next((part for part in body if not isinstance(part, _DECLARED) and request in set(walk(part))), None)
        found.append([part for part in body if part is not holder])
        body = None
        if holder is not None:
            holders.append(holder)
            body = _block_around(holder, request)
    return found, holders


def _block_around(holder: nodes.Node, request: nodes.Node) -> Sequence[nodes.Node] | None:
    """The outermost block within a statement that holds the request."""
    for node in walk(holder):
        for block in _blocks(node):
            if any(request in set(walk(statement)) for statement in block):
                return block
    return None


def _blocks(node: nodes.Node) -> list[Sequence[nodes.Node]]:
    if isinstance(node, nodes.If):
        return [node.body, node.otherwise or []]
    if isinstance(node, nodes.Switch):
        return [case.body for case in node.cases]
    if isinstance(node, nodes.ForTo | nodes.ForIn | nodes.While | nodes.Once):
        return [node.body]
    return []
