"""Finds the statements that the expression of a request needs, because they set the variables that it reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pinebench.checker import VariableSymbol
from pinebench.runtime.lower.context import Lowering, LoweringPlace
from pinebench.runtime.lower.survey import Writers, reference, statements_of
from pinebench.runtime.refusals import NotComputed
from pinebench.syntax import nodes

_DECLARED = (nodes.FunctionDeclaration, nodes.TypeDeclaration, nodes.EnumDeclaration)


class StatementSlice:
    """The statements that the expression of a request needs. They are found at each level of the calls around the
    request.

    `levels` are the positions from the global code down to the expression. `needed` has the needed statements of each
    level.
    """

    def __init__(self, lowering: Lowering, node: nodes.Node, request: nodes.Node, place: LoweringPlace) -> None:
        self._survey = lowering.survey
        self.levels = _levels(lowering, place)
        self.bodies: dict[int, list[list[nodes.Node]]] = {}
        self._holders: dict[int, list[nodes.Node]] = {}
        self._writers: dict[int, list[Writers]] = {}
        self.needed: dict[int, set[nodes.Node]] = {id(level): set() for level in self.levels}
        self._symbols: dict[int, set[VariableSymbol]] = {id(level): set() for level in self.levels}
        self._pending: list[tuple[VariableSymbol, LoweringPlace]] = []
        for level, below in zip(self.levels, [*self.levels[1:], None], strict=True):
            site = below.site if below is not None else request
            self._open(level, site if site is not None else request)
        self._need([node], place)
        while self._pending:
            self._take_writers(*self._pending.pop())
        self._refuse_circles(place)

    def _open(self, level: LoweringPlace, site: nodes.Node) -> None:
        """Find the blocks of a level, from the outermost to the one with `site`, and the statements that write in them.
        The site is the request itself, or the call on the path to it."""
        program, frame = level.program, level.frame
        around = self._survey.around(site, program)
        body: Sequence[nodes.Node] | None = statements_of(program, frame)
        bodies: list[list[nodes.Node]] = []
        holders: list[nodes.Node] = []
        while body is not None:
            holder = next((part for part in body if part in around and not isinstance(part, _DECLARED)), None)
            bodies.append([part for part in body if part is not holder])
            if holder is not None:
                holders.append(holder)
            body = _block_around(holder, around) if holder is not None else None
        self.bodies[id(level)] = bodies
        self._holders[id(level)] = holders
        inner = [self._survey.writers_among(body, program, frame) for body in bodies[1:]]
        self._writers[id(level)] = [self._survey.writers(program, frame), *inner]

    def statements(self, level: LoweringPlace) -> list[nodes.Node]:
        """Return the statements at `level` that the expression needs, in text order."""
        needed = self.needed[id(level)]
        return [statement for body in self.bodies[id(level)] for statement in body if statement in needed]

    def parameters(self, level: LoweringPlace) -> list[VariableSymbol]:
        """Return the parameters that the expression needs, of the function whose code is at `level`."""
        return [symbol for symbol in level.arguments if symbol in self._symbols[id(level)]]

    def _need(self, code: Iterable[nodes.Node], place: LoweringPlace) -> None:
        effects = place.program.effects(list(code), place.frame)
        # Variables that a needed statement also writes must at least be declared.
        for symbol in effects.reads | effects.writes | effects.mutates:
            self._need_symbol(symbol, place)

    def _need_symbol(self, symbol: VariableSymbol, place: LoweringPlace) -> None:
        home = place if symbol.scope.function is not None else self.levels[0]
        if home.program is not place.program and symbol.scope.function is None:
            return  # a library's global does not need anything from the script
        known = self._symbols[id(home)]
        if symbol in known:
            return
        known.add(symbol)
        self._pending.append((symbol, home))
        given = home.arguments.get(symbol)
        if given is not None:
            self._need([given[0]], given[1])
        elif symbol.kind in ("counter", "element") and self._is_around(symbol, home):
            raise NotComputed(f"a request that depends on the loop variable {symbol.name}", place.line)

    def _is_around(self, symbol: VariableSymbol, place: LoweringPlace) -> bool:
        """Whether a counter belongs to a loop around the request, not to a loop within a needed statement."""
        around = self._survey.around(symbol.declaration, place.program)
        return not any(part in around for body in self.bodies[id(place)] for part in body)

    def _take_writers(self, symbol: VariableSymbol, level: LoweringPlace) -> None:
        """Add the statements that write a variable, or change the object that it refers to."""
        base = reference(symbol, level.program, level.frame)
        needed, holders = self.needed[id(level)], self._holders[id(level)]
        for writers in self._writers[id(level)]:
            found = [*writers.of_variable.get(symbol, ())]
            if base is not None:
                found += writers.of_type.get(base, ())
            for statement in found:
                if statement not in needed and statement not in holders:
                    needed.add(statement)
                    self._need([statement], level)

    def _refuse_circles(self, place: LoweringPlace) -> None:
        """Raise NotComputed if a statement around the request writes a variable that the request needs. Such a request
        would need its own result."""
        for level in self.levels:
            for holder in self._holders[id(level)]:
                effects = self._survey.effects(holder, level.program, level.frame)
                for symbol in effects.writes & self._symbols[id(level)]:
                    is_within = holder in self._survey.around(symbol.declaration, level.program)
                    if holder is symbol.declaration or not is_within:
                        raise NotComputed("a request that depends on its own result", place.line)


def _levels(lowering: Lowering, place: LoweringPlace) -> list[LoweringPlace]:
    """The places on the call path from the script's global code to `place`."""
    found = [place]
    while found[0].frame.function is not None:
        callers = [caller for _, caller in found[0].arguments.values()]
        caller = found[0].caller or (callers[0] if callers else None)
        found.insert(0, caller if caller is not None else lowering.place_of(lowering.program))
    return found


def _block_around(holder: nodes.Node, around: list[nodes.Node]) -> Sequence[nodes.Node] | None:
    """The outermost block within `holder` that contains the request. `around` are the nodes around the request."""
    for node in reversed(around[: around.index(holder) + 1]):
        for block in _blocks(node):
            if any(statement in around for statement in block):
                return block
    return None


def _blocks(node: nodes.Node) -> list[Sequence[nodes.Node]]:
    if isinstance(node, nodes.If):
        return [node.body, node.otherwise or []]
    if isinstance(node, nodes.Switch):
        return [case.body for case in node.cases]
    if isinstance(node, nodes.ONE_BLOCK):
        return [node.body]
    return []
