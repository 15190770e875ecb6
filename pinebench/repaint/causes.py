"""Finds the reason why a value changed later: it follows the code that an output depends on, back to built-ins whose
value is not final, or not known yet, on the bar.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pinebench import reference
from pinebench.calendars.timeframes import timeframe as timeframe_of
from pinebench.checker import FunctionSymbol, Program, Signature, VariableSymbol
from pinebench.errors import UsageError
from pinebench.runtime import MadeRequest
from pinebench.syntax import nodes
from pinebench.syntax.nodes import Node
from pinebench.syntax.walk import parents_in, walk


class Cause(NamedTuple):
    """The cause of a finding: its name in Pine, the line (from 1), its effect, and the code to write instead."""

    name: str
    line: int
    what: str
    instead: str


class Suspect(NamedTuple):
    """A possible cause without advice yet, and the nodes of the script that contain it."""

    name: str
    line: int
    what: str
    nodes: tuple[Node, ...]


class _Source(NamedTuple):
    what: str
    of_history: bool
    """Whether the source changes history itself. If not, only live bars differ from history."""


_LAST_BAR = "changes with each new bar"
_SOURCES: dict[str, _Source] = {
    "last_bar_index": _Source(_LAST_BAR, True),
    "last_bar_time": _Source(_LAST_BAR, True),
    "barstate.islast": _Source("is true on another bar after each new bar", True),
    "barstate.islastconfirmedhistory": _Source("is true on another bar after each reload", True),
    "chart.right_visible_bar_time": _Source("changes as the chart is scrolled", True),
    "chart.left_visible_bar_time": _Source("changes as the chart is scrolled", True),
    "timenow": _Source("is the clock's time; on history it is the time of loading", True),
    "barstate.isrealtime": _Source("is false for the same bar after a reload", False),
    "barstate.ishistory": _Source("is true for the same bar after a reload", False),
    "barstate.isnew": _Source("is true at the close of a bar of history, but not at the close of a live bar", False),
}
GATES = reference.having("gates")
"""Built-ins that decide when a script shows something, not what it shows. Alerts and drawings may wait for them."""
_LOOKAHEAD = _Source("returns the final value of a historical bar as soon as the bar begins", True)
_UNCONFIRMED = _Source(
    "returns the unfinished value of a live bar, and the value of the last closed bar on history", False
)
_VARIP = _Source("keeps its value from update to update, and history has only one update on each bar", False)
_EVERY_TICK = "lets the strategy place orders within the bar"
_WITHIN = "fires at the first update on which its condition holds"
_SHIFTED = "puts it on bars before the one on which it was known"
_MOVES = "moves or deletes drawings on closed bars"
_SETTLED = frozenset("open time time_tradingday dayofweek dayofmonth month year weekofyear bar_index".split())


class Causes:
    """Finds the causes in one script: it goes from an output back to everything that the output depends on."""

    def __init__(self, program: Program, timeframe: str, asked: Iterable[MadeRequest] = ()) -> None:
        """`timeframe` is the chart's timeframe. `asked` are the requests that a run of the script made."""
        self.program = program
        asked = list(asked)
        self._asked = _longest(asked)
        self.seconds = timeframe_of(timeframe).seconds
        self.longer = frozenset(each.line for each in asked if timeframe_of(each.timeframe).seconds > self.seconds)
        """The lines that requested bars longer than the chart's."""
        self._offsets: dict[Node, int] = {node: chunk.start for chunk in program.document.chunks for node in chunk.body}
        self._parent = parents_in(self._offsets)
        self._calls = program.resolved_calls
        self._variables = program.bindings.variables
        self._sites: dict[FunctionSymbol, list[nodes.Call]] = defaultdict(list)
        self._at: dict[tuple[str, int], list[nodes.Call]] = defaultdict(list)
        for call, meaning in self._calls.items():
            if not isinstance(call, nodes.Call) or not self.is_own(call):
                continue
            if isinstance(meaning.target, FunctionSymbol):
                self._sites[meaning.target].append(call)
            elif isinstance(meaning.target, Signature):
                self._at[meaning.target.name, self.line(call)].append(call)
        self._changes = self._changed()

    def line(self, node: Node) -> int:
        """Return the line (from 1) on which a node starts."""
        above = node
        while above not in self._offsets:
            above = self._parent[above]
        return self.program.document.lines.position(self._offsets[above] + node.start).line

    def start(self, node: Node) -> int:
        """Return the offset in the script at which a node starts."""
        above = node
        while above not in self._offsets:
            above = self._parent[above]
        return self._offsets[above] + node.start

    def calls(self, function: str, line: int) -> list[nodes.Call]:
        """Return the calls of a built-in function on a line of the script."""
        return self._at.get((function, line), [])

    def of(self, function: str, line: int, column: str | None = None, *, history: bool) -> list[Suspect]:
        """Return the possible causes for the calls of a built-in function on a line, sorted by line.

        If `column` names an argument of the calls, only causes for this argument are returned. With `history`, only
        causes that make history itself change are returned.
        """
        found: dict[tuple[str, int, str], list[Node]] = {}
        for call in self.calls(function, line):
            given = self._calls[call].arguments
            roots = [given[column]] if column is not None and column in given else list(given.values())
            for name, node, source in self._behind([*roots, *self._conditions(call)]):
                if source.of_history or not history:
                    found.setdefault((name, self.line(node), source.what), []).append(node)
        suspects = [Suspect(*key, tuple(dict.fromkeys(held))) for key, held in found.items()]
        return sorted(suspects, key=lambda suspect: suspect.line)

    def gates(self, function: str, line: int) -> bool:
        """Return whether the calls of a function on a line wait for the last bar or for a live bar."""
        for call in self._at.get((function, line), ()):
            roots = self._conditions(call)
            if function == "alertcondition":
                roots.append(self._calls[call].arguments["condition"])
            if any(name in GATES for name, _, _ in self._behind(roots)):
                return True
        return False

    def early(self, function: str, line: int) -> list[Suspect]:
        """Return the causes that make a signal fire before its bar has closed."""
        if function == "alertcondition":
            return []
        if function == "alert":
            calls = [call for call in self.calls(function, line) if not self._waits_for_the_close(call)]
            return [Suspect("alert", line, _WITHIN, tuple(calls))] if calls else []
        declaration = self.program.declaration
        given = self._calls[declaration.node].arguments.get("calc_on_every_tick") if declaration is not None else None
        if given is None or self.program.value_of(given) == (True, False):
            return []
        return [Suspect("calc_on_every_tick", self.line(given), _EVERY_TICK, (given,))]

    def _waits_for_the_close(self, call: nodes.Call) -> bool:
        """Return whether an alert has the frequency that fires only when the bar closes."""
        given = self._calls[call].arguments.get("freq")
        return given is not None and str(self.program.value_of(given)[1]).endswith("freq_once_per_bar_close")

    def shifted(self, function: str, line: int) -> list[Suspect]:
        """Return the `offset` arguments of an output that draw it on earlier bars."""
        given = [self._calls[call].arguments.get("offset") for call in self.calls(function, line)]
        return [Suspect("offset", self.line(node), _SHIFTED, (node,)) for node in given if node is not None]

    def moving(self, kind: str, lines: Iterable[int]) -> list[Suspect]:
        """Return a suspect for each line, with its calls that move or delete drawings of this kind."""
        found: list[Suspect] = []
        for line in sorted(set(lines)):
            calls = [
                call
                for (name, at), group in self._at.items()
                if at == line and name.startswith((f"{kind}.set_", f"{kind}.delete"))
                for call in group
            ]
            found.append(Suspect(kind, line, _MOVES, tuple(calls)))
        return found

    # going back

    def reached(self, roots: Iterable[Node]) -> Iterator[Node]:
        """Yield every node that the values of the expressions `roots` depend on, also through variables and
        functions."""
        seen: set[Node] = set()
        known: set[VariableSymbol] = set()
        pending = list(roots)
        while pending:
            for node in walk(pending.pop()):
                if node in seen:
                    continue
                seen.add(node)
                yield node
                symbol = self._variables.get(node)
                if symbol is not None and symbol not in known:
                    known.add(symbol)
                    pending += self._values(symbol)
                elif isinstance(node, nodes.Call):
                    pending += self._result(node)

    def text(self, node: Node) -> str:
        """Return the text of a node."""
        start = self.start(node)
        return self.program.document.text[start : start + node.end - node.start]

    def within(self, roots: Iterable[Node]) -> list[Node]:
        """Return the nodes `roots` and all nodes inside them."""
        return list(walk(roots))

    def calls_of(self, function: str) -> list[nodes.Call]:
        """Return all calls of a built-in function in the script."""
        return [call for (name, _), group in self._at.items() if name == function for call in group]

    def places(self) -> list[tuple[str, int]]:
        """Return the built-in functions that the script calls, with their lines."""
        return list(self._at)

    def names(self, roots: Iterable[Node]) -> set[str]:
        """Return the names of the built-in variables that the expressions `roots` depend on, such as
        `barstate.islast`."""
        return {_path(node) for node in self.reached(roots) if isinstance(node, nodes.Name | nodes.Member)}

    def variable(self, node: Node) -> VariableSymbol | None:
        """Return the variable that the name `node` refers to; None if it does not refer to a variable."""
        return self._variables.get(node)

    def called(self, node: Node) -> str:
        """Return the name of the built-in function that a node calls; empty if it does not call one."""
        meaning = self._calls.get(node)
        target = meaning.target if meaning is not None else None
        return target.name if isinstance(target, Signature) else ""

    def runs_always(self, node: Node) -> bool:
        """Return whether a node is in global code that runs on every bar."""
        return self.is_own(node) and not self._conditions(node) and not self._in_a_function(node)

    def _in_a_function(self, node: Node) -> bool:
        while node not in self._offsets:
            node = self._parent[node]
        return isinstance(node, nodes.FunctionDeclaration)

    def _behind(self, roots: Iterable[Node]) -> Iterator[tuple[str, Node, _Source]]:
        """Yield every source that some expressions depend on: its name, its node and its effect."""
        known: set[VariableSymbol] = set()
        for node in self.reached(roots):
            symbol = self._variables.get(node)
            if symbol is not None:
                if symbol not in known:
                    known.add(symbol)
                    yield from self._of_symbol(symbol)
            elif isinstance(node, nodes.Call):
                yield from self._of_call(node)
            elif isinstance(node, nodes.Name | nodes.Member):
                name = _path(node)
                if name in _SOURCES:
                    yield name, node, _SOURCES[name]

    def _of_symbol(self, symbol: VariableSymbol) -> Iterator[tuple[str, Node, _Source]]:
        if symbol.mode == "varip" and self.is_own(symbol.declaration):
            yield f"varip {symbol.name}", symbol.declaration, _VARIP

    def _of_call(self, call: nodes.Call) -> Iterator[tuple[str, Node, _Source]]:
        meaning = self._calls.get(call)
        if meaning is None or not isinstance(meaning.target, Signature) or not self.is_own(call):
            return
        name = meaning.target.name
        if name in ("request.security", "security"):
            source = self._request(call, meaning.arguments)
            if source is not None:
                yield name, call, source

    @property
    def statements(self) -> list[Node]:
        """The statements in the script's global scope."""
        return list(self._offsets)

    def outermost(self, node: Node) -> Node:
        """Return the statement in the global scope that contains a node."""
        while node not in self._offsets:
            node = self._parent[node]
        return node

    def local_names(self, node: Node) -> list[str]:
        """Return the names in an expression that are not global: parameters and variables of local blocks."""
        known = set(self.program.globals.values())
        symbols = (self._variables.get(each) for each in walk(node))
        return list(dict.fromkeys(symbol.name for symbol in symbols if symbol is not None and symbol not in known))

    def arguments(self, call: Node) -> dict[str, Node]:
        """Return the arguments of a call by the names of their parameters."""
        return self._calls[call].arguments

    def _request(self, call: nodes.Call, given: dict[str, Node]) -> _Source | None:
        """The reason why a request can change its value later; None if it cannot."""
        seconds = self._asked.get(self.start(call))
        if seconds is None:
            seconds = self._seconds(given.get("timeframe"))
        if seconds is not None and seconds <= self.seconds:
            return None
        ahead = given.get("lookahead")
        if ahead is None or self.program.value_of(ahead)[1] != "barmerge.lookahead_on":
            return _UNCONFIRMED
        asked = given.get("expression")
        return None if asked is None or self._lags(asked) else _LOOKAHEAD

    def _seconds(self, given: Node | None) -> float | None:
        """Return the length of a requested bar in seconds; None if it is only known during a run."""
        if given is None:
            return None
        for _ in range(8):
            symbol = self._variables.get(given)
            if symbol is None or symbol.reassignments or symbol.value is None or symbol.mode is not None:
                break
            given = symbol.value
        if isinstance(given, nodes.Member) and _path(given) == "timeframe.period":
            return self.seconds
        is_known, value = self.program.value_of(given)
        if not is_known or not isinstance(value, str):
            return None
        try:
            return timeframe_of(value).seconds if value else self.seconds
        except UsageError:
            return None

    def _lags(self, asked: Node) -> bool:
        """Return whether a requested expression is a value of an earlier bar, or is known when its bar begins."""
        while isinstance(asked, nodes.Parenthesized):
            asked = asked.expression
        if isinstance(asked, nodes.TupleExpression):
            return all(map(self._lags, asked.items))
        if isinstance(asked, nodes.History):
            return self.program.value_of(asked.offset) != (True, 0)
        symbol = self._variables.get(asked)
        if symbol is not None and symbol.value is not None and not symbol.reassignments:
            return self._lags(symbol.value)
        meaning = self._calls.get(asked)
        if meaning is not None and isinstance(meaning.target, FunctionSymbol):
            return all(map(self._lags, self._result(asked)))
        if isinstance(asked, nodes.Name):
            return asked.id in _SETTLED
        if isinstance(asked, nodes.Call):
            given = list(meaning.arguments.values()) if meaning is not None else []
            own = isinstance(meaning.target, Signature) and meaning.target.name.startswith("ta.") if meaning else True
            shifted = any(isinstance(part, nodes.History) for part in walk(given))
            return bool(given) and all(map(self._lags, given)) and (shifted or not own)
        if isinstance(asked, nodes.Literal | nodes.Member):
            return True
        parts = [part for part in (getattr(asked, name, None) for name in _OPERANDS) if isinstance(part, Node)]
        return bool(parts) and all(map(self._lags, parts))

    def _result(self, call: Node) -> Sequence[Node]:
        """Return the last statement of the body of the user function that is called, which is its result; else an empty
        list."""
        meaning = self._calls.get(call)
        target = meaning.target if meaning is not None else None
        if isinstance(target, FunctionSymbol) and self.is_own(target.node.name):
            return target.node.body[-1:]
        return []

    def _values(self, symbol: VariableSymbol) -> Iterator[Node]:
        """The expressions that decide a variable's value, and the conditions of the assignments."""
        if not self.is_own(symbol.name_node):
            return
        if symbol.kind == "parameter":
            function = symbol.scope.function
            for site in self._sites.get(function, ()) if function is not None else ():
                given = self._calls[site].arguments.get(symbol.name)
                if given is not None:
                    yield given
        declared = symbol.declaration
        if isinstance(declared, nodes.ForTo):
            yield from (declared.first, declared.last)
        elif isinstance(declared, nodes.ForIn):
            yield declared.collection
        elif symbol.value is not None:
            yield symbol.value
        for write in symbol.reassignments:
            yield write.value
            yield from (condition.node for condition in write.conditions())
        for change in self._changes.get(symbol, ()):
            yield change
            yield from self._conditions(change)

    def _conditions(self, node: Node) -> list[Node]:
        """The conditions that decide whether a node runs. If it is in a function, also the conditions of the calls."""
        found: list[Node] = []
        seen: set[Node] = set()
        pending = [node]
        while pending:
            below = pending.pop()
            while (above := self._parent.get(below)) is not None:
                found += _deciding(above, below)
                if isinstance(above, nodes.FunctionDeclaration) and above not in seen:
                    seen.add(above)
                    function = self.program.bindings.function_of.get(above)
                    pending += self._sites.get(function, ()) if function is not None else ()
                below = above
        return found

    def _changed(self) -> dict[VariableSymbol, list[Node]]:
        """Return the nodes that change the object or collection of each variable, such as assignments to fields."""
        found: dict[VariableSymbol, list[Node]] = defaultdict(list)
        for node in walk(self._offsets):
            if isinstance(node, nodes.Reassignment) and not isinstance(node.target, nodes.Name):
                self._note(found, node.target, node.value)
        passed: list[tuple[Node, VariableSymbol]] = []
        for call, meaning in self._calls.items():
            if not self.is_own(call):
                continue
            target = meaning.target
            if isinstance(target, Signature) and "object" in target.function.effects.changes:
                self._note(found, next(iter(meaning.arguments.values()), None), call)
            elif isinstance(target, FunctionSymbol):
                passed += [
                    (meaning.arguments[parameter.name], parameter.variable)
                    for parameter in target.parameters
                    if parameter.name in meaning.arguments
                ]
        for argument, parameter in passed:
            for change in list(found.get(parameter, ())):
                self._note(found, argument, change)
        return found

    def _note(self, found: dict[VariableSymbol, list[Node]], holder: Node | None, change: Node) -> None:
        while isinstance(holder, nodes.Member | nodes.Parenthesized):
            holder = holder.object if isinstance(holder, nodes.Member) else holder.expression
        symbol = self._variables.get(holder) if holder is not None else None
        if symbol is not None:
            found[symbol].append(change)

    def is_own(self, node: Node) -> bool:
        """Return whether a node is in the script itself, not in a library."""
        return node in self._parent or node in self._offsets


_OPERANDS = ("left", "right", "operand", "condition", "then", "otherwise", "expression")


def _deciding(above: Node, below: Node) -> Iterator[Node]:
    """The conditions in the statement or expression `above` that decide whether its part `below` runs."""
    if isinstance(above, (*nodes.CONDITIONED, nodes.Ternary)):
        if above.condition is not None and above.condition is not below:
            yield above.condition
    elif isinstance(above, nodes.Switch):
        yield from (case.condition for case in above.cases if case.condition is not None and case is not below)
        if above.subject is not None and above.subject is not below:
            yield above.subject
    elif isinstance(above, nodes.ForTo) and below not in (above.first, above.last):
        yield from (above.first, above.last)
    elif isinstance(above, nodes.Binary) and above.operator in ("and", "or") and above.right is below:
        yield above.left


def _longest(asked: Iterable[MadeRequest]) -> dict[int, float]:
    """Return the length in seconds of the longest bars that each call requested, by the offset of the call."""
    found: dict[int, float] = {}
    for each in asked:
        if each.start is not None:
            seconds = timeframe_of(each.timeframe).seconds
            found[each.start] = max(seconds, found.get(each.start, seconds))
    return found


def _path(node: Node) -> str:
    if isinstance(node, nodes.Name):
        return node.id
    if isinstance(node, nodes.Member):
        root = _path(node.object)
        return f"{root}.{node.name}" if root else ""
    return ""
