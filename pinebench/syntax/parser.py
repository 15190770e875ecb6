"""The parser: a short loop over Lark's LALR(1) tables that turns the tokens of one top-level statement into nodes.

It knows nothing about Pine. `build` makes the nodes, and `recovery` handles errors.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from pinebench.records import NamedTuple
from pinebench.syntax import build, parser_tables, recovery
from pinebench.syntax.faults import END_OF_LINE, Fault
from pinebench.syntax.nodes import ErrorStatement, ExpressionStatement, Statement, TupleExpression
from pinebench.syntax.scanner import Scan

MOST_FAULTS = 100
"""The largest number of faults in a chunk. A chunk with more is not a script, and is not parsed further."""

Building = tuple[int, build.Builder, dict[int, int], dict[int, dict[str, int]]]
"""A reduction that makes a value: the number of children, the builder, and two tables.

The third part maps the state before the reduction to the state after it. The fourth caches, by look-ahead token, the
state after all following reductions that only pass their child on.
"""

Reduction = Building | tuple[int, None, dict[int, int], dict[int, dict[str, int]]]
"""A reduction. Without a builder, the only child is passed on."""

Action = int | Reduction
"""The state to shift to, or a reduction."""


class Machine(NamedTuple):
    """The parser's tables, prepared for its loop. For each state, `actions` maps a terminal to its action.

    `only` holds, for each state, the reduction that is its only action. It is None for a state with several actions, or
    if the reduction has no builder.
    """

    actions: list[dict[str, Action]]
    only: list[Building | None]
    start: int
    end: int


@cache
def machine() -> Machine:
    """Return the machine for the packaged grammar. The tables are loaded or made at the first call."""
    source = parser_tables.load()
    gotos = {rule: dict(zip(before, after, strict=True)) for rule, before, after in source.gotos}
    settled: dict[str, dict[int, dict[str, int]]] = {
        rule: {before: {} for before in jumps} for rule, jumps in gotos.items()
    }
    reductions: list[Reduction] = [
        (size, getattr(build, alias) if alias else None, gotos.get(rule, {}), settled.get(rule, {}))
        for size, rule, alias in source.reductions
    ]
    actions: list[dict[str, Action]] = [
        {
            terminal: entry if entry >= 0 else reductions[-1 - entry]
            for terminal, entry in zip(terminals, entries, strict=True)
        }
        for terminals, entries in source.states
    ]
    only = [_only_reduction(entries, reductions) for _, entries in source.states]
    return Machine(actions, only, source.start, source.end)


def _only_reduction(entries: tuple[int, ...], reductions: list[Reduction]) -> Building | None:
    if not entries or entries[0] >= 0 or entries.count(entries[0]) != len(entries):
        return None
    size, builder, gotos, settled = reductions[-1 - entries[0]]
    return None if builder is None else (size, builder, gotos, settled)


def parse_chunk(scan: Scan) -> tuple[list[Statement], list[Fault]]:
    """Return the statements of a scanned chunk (top-level statement), and the faults (syntax errors) in it."""
    actions, only, start, end = machine()
    types = [*scan.types, "$END"]
    tokens: list[Any] = [*scan.tokens, (scan.end - scan.offset, scan.end - scan.offset, "")]
    faults: list[Fault] = []
    states = [start]
    values: list[Any] = []
    state: int = start
    index = 0
    # Each recovery removes something, so their number is bounded. The limit keeps a bug in recovery from causing a
    # hang.
    recoveries = 2 * len(types)
    kind = types[0]
    while True:
        action = actions[state].get(kind)
        if isinstance(action, int):
            state = action
            token = tokens[index]
            index += 1
            kind = types[index]
            # Most tokens are followed by a reduction whatever comes next: it is done at once, without the stacks.
            reduction = only[state]
            if reduction is None or kind not in actions[state]:
                states.append(state)
                values.append(token)
                continue
            size, builder, gotos, settled = reduction
            if size == 1:
                children = [token]
            else:
                children = values[1 - size :]
                children.append(token)
                del values[1 - size :]
                del states[1 - size :]
        elif action is None:
            recoveries -= 1
            if len(faults) >= MOST_FAULTS or not recoveries:
                return [ErrorStatement(scan.tokens[0][0], scan.tokens[-1][1], [], [])], faults
            recovery.recover(actions, states, values, types, tokens, index, scan, faults)
            kind = types[index]
            state = states[-1]
            continue
        else:
            if action[1] is None:
                state = states[-1] = action[2][states[-2]]
                continue
            size, builder, gotos, settled = action
            if size == 1:
                children = [values.pop()]
                states.pop()
            elif size:
                children = values[-size:]
                del values[-size:]
                del states[-size:]
            else:
                children = []
        try:
            value = builder(children)
        except build.ShapeError as error:
            values += children
            states += [-1] * len(children)
            recovery.recover(actions, states, values, types, tokens, index, scan, faults, error)
            kind = types[index]
            state = states[-1]
            continue
        before = states[-1]
        landings = settled[before]
        if kind not in landings:
            landings[kind] = _settle(actions, gotos[before], before, kind)
        state = landings[kind]
        states.append(state)
        values.append(value)
        if state == end:
            body = values[-1]
            faults += [_bare_tuple(statement) for statement in body if _is_bare_tuple(statement)]
            return body, faults


def _settle(actions: list[dict[str, Action]], state: int, before: int, kind: str) -> int:
    """The state after a reduction and all following reductions that only pass their child on, with the look-ahead
    `kind`."""
    while True:
        action = actions[state].get(kind)
        if not isinstance(action, tuple) or action[1] is not None:
            return state
        state = action[2][before]


def _is_bare_tuple(statement: Statement) -> bool:
    return isinstance(statement, ExpressionStatement) and isinstance(statement.expression, TupleExpression)


def _bare_tuple(statement: Statement) -> Fault:
    """The fault for a tuple in column one, where it can only begin a declaration."""
    values = {"unexpectedToken": END_OF_LINE, "expecting": '"="'}
    return Fault("CE10013", statement.end, statement.end, values)
