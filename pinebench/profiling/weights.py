"""Compares the counts of a script, such as its plots, with the limits that TradingView documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pinebench.checker import BoundArgument, Program, path_of
from pinebench.profiling.measurement import Profile
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

NodeT = TypeVar("NodeT", bound=nodes.Node)
_PLOTS, _REQUESTS, _VARIABLES = 64, 40, 1000
_HISTORY = 5000
_DRAWINGS = {"line": ("lines", 500), "label": ("labels", 500), "box": ("boxes", 500), "polyline": ("polylines", 100)}
_SHOWN = 50
"""The number of drawings of a kind that stay on the chart unless the declaration sets another number."""
_LOOPS = (nodes.ForTo, nodes.ForIn, nodes.While)


@dataclass(frozen=True)
class Weight:
    """One count: its name, its value, TradingView's limit (None if there is none), and the lines that it counts. `note`
    has a further remark, such as the limit of another plan."""

    name: str
    count: float
    limit: int | None
    lines: list[int]
    note: str = ""


def weights(program: Program, measured: Profile) -> list[Weight]:
    """Return the counts of a script. Counts of loops come from the run `measured`. Counts of 0 are left out."""
    found = [
        Weight("plots", program.plot_count, _PLOTS, [_line(program, one.node) for one in program.plots]),
        *_calls(program),
        *_loops(program, measured),
        *_histories(program),
        Weight("global variables", len(program.globals), _VARIABLES, []),
        Weight(
            "tokens of the source", len(program.document.text.split()), None, [], "TradingView counts compiled tokens, "
            "100,256 at most. Only its compiler knows their number."
        ),
    ]  # fmt: skip
    return [one for one in found if one.count]


def _calls(program: Program) -> Iterator[Weight]:
    requests: list[int] = []
    drawings: dict[str, list[int]] = {kind: [] for kind in _DRAWINGS}
    for call in _nodes(program, nodes.Call):
        path = path_of(call.callee) or ""
        if path.startswith("request."):
            requests.append(_line(program, call))
        kind, _, name = path.partition(".")
        if name == "new" and kind in drawings:
            drawings[kind].append(_line(program, call))
    yield Weight(
        "calls of request.*", len(requests), _REQUESTS, requests, "only unique calls count; the largest plan allows 64"
    )
    given = {argument.parameter: argument.value for argument in _declared(program) if argument.is_constant}
    for kind, (plural, most) in _DRAWINGS.items():
        if drawings[kind]:
            kept = given.get(f"max_{plural}_count", _SHOWN)
            count = int(kept) if isinstance(kept, int | float) else _SHOWN
            calls = len(drawings[kind])
            note = f"{calls} calls make them" if calls > 1 else "1 call makes them"
            yield Weight(f"{plural} that stay", count, most, drawings[kind], note)


def _declared(program: Program) -> Sequence[BoundArgument]:
    """The arguments of the declaration statement."""
    declaration = program.declaration
    return declaration.call.arguments if declaration is not None else ()


def _loops(program: Program, measured: Profile) -> Iterator[Weight]:
    runs = {one.line: one.runs for one in measured.lines}
    for loop in _nodes(program, *_LOOPS):
        if isinstance(loop, nodes.ForTo | nodes.ForIn | nodes.While) and loop.body:
            rounds = runs.get(_line(program, loop.body[0]), 0)
            name = f"iterations per bar of the loop on line {_line(program, loop)}"
            yield Weight(
                name,
                round(rounds / max(measured.bars, 1), 2),
                None,
                [_line(program, loop)],
                "a loop may take 500 ms per bar",
            )


def _histories(program: Program) -> Iterator[Weight]:
    """The longest history that `[]` reads with a known offset, and the ones that only a run can know."""
    longest, lines, unknown = 0, list[int](), list[int]()
    for node in _nodes(program, nodes.History):
        is_constant, offset = program.value_of(node.offset)
        line = _line(program, node)
        if not is_constant:
            unknown.append(line)
        elif isinstance(offset, int | float) and offset >= longest:
            lines = [line] if offset > longest else [*lines, line]
            longest = int(offset)
    yield Weight("bars that [] looks back", longest, _HISTORY, lines, "10,000 for prices and times")
    note = "TradingView derives the size of their buffers from the first bars; max_bars_back() sets it"
    yield Weight("[] with an offset that is only known during a run", len(unknown), None, unknown, note)


def _nodes(program: Program, *kinds: type[NodeT]) -> Iterator[NodeT]:
    """All nodes of these classes, in text order."""
    for chunk in program.document.chunks:
        yield from (node for node in walk(chunk.body) if isinstance(node, kinds))


def _line(program: Program, node: nodes.Node) -> int:
    return program.document.lines.position(program.span(node).start).line
