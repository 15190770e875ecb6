"""Tries faster rewrites of a script, and recommends each one that saves time with equal results on the same bars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pinebench.checker import Program, open_program, path_of
from pinebench.diagnostics import Severity
from pinebench.errors import PinebenchError
from pinebench.profiling.measurement import Profile, cost_of
from pinebench.runtime import report
from pinebench.syntax import nodes
from pinebench.syntax.walk import children, parents_in, walk
from pinebench.workers.jobs import RunResult, opened, perform
from pinebench.workers.request import Request

_LEAST = 0.05
"""The share of the time that a rewrite must save to be advised."""
_COSTLY = 0.02
"""Only lines that cost at least this share of the run are rewritten."""
_MOST_TRIED = 8
_PURE = ("math.", "ta.", "str.", "color.", "array.", "matrix.", "map.")
_PLAIN = frozenset({"scalar", "enum"})
"""The kinds of types whose values never change in place."""
_LOOPS = (nodes.ForTo, nodes.ForIn, nodes.While)


@dataclass(frozen=True)
class Advice:
    """A rewrite that was tried: its line, a sentence about it, the whole script after it, and the fraction of time that
    it saves."""

    line: int
    words: str
    source: str
    saved: float


@dataclass(frozen=True)
class ProfileRewrite:
    """A rewrite that has not been tried yet: its line, a sentence about it, and the whole script after it."""

    line: int
    words: str
    source: str


def advice(request: Request, measured: Profile) -> list[Advice]:
    """Try rewrites of the costly lines in `measured`, and return the rewrites that save time. Call it in a worker.
    Raises the errors of a run."""
    program = opened(request.source, request.libraries)
    if measured.error is not None:
        return []
    costly = {one.line for one in measured.lines if one.seconds >= _COSTLY * measured.whole}
    rewrites = [one for one in rewrites_of(program) if costly & {one.line, *_below(program, one.line)}]
    if not rewrites:
        return []
    plain = _shown(perform(request))
    found: list[Advice] = []
    for rewrite in rewrites[:_MOST_TRIED]:
        changed = replace(request, source=rewrite.source)
        if any(one.severity is Severity.ERROR for one in open_program(rewrite.source, request.libraries).diagnostics):
            continue
        try:
            if _shown(perform(changed)) != plain:
                continue
            before, after = cost_of(request, changed)
        except PinebenchError:
            continue
        saved = 1 - after / before if before else 0.0
        if saved >= _LEAST:
            found.append(Advice(rewrite.line, rewrite.words, rewrite.source, saved))
    return sorted(found, key=lambda one: -one.saved)


def rewrites_of(program: Program) -> Iterator[ProfileRewrite]:
    """Yield the rewrites that may save time."""
    yield from _hoisted(program)
    yield from _once(program)


def _shown(ran: RunResult) -> str:
    """Everything that a run shows, as a text that is equal only if every number is, bit for bit. Lines of the script
    are left out, because a rewrite moves them."""
    told = report.report(ran.result)
    fills = ran.tested.fills if ran.tested is not None else ()
    outputs = [(each.function, each.columns) for each in ran.result.outputs]
    return repr((_without_lines(told), outputs, fills, ran.figures))


def _without_lines(told: Any) -> Any:
    if isinstance(told, dict):
        return {key: _without_lines(value) for key, value in told.items() if key != "line"}
    return [_without_lines(each) for each in told] if isinstance(told, list) else told


def _below(program: Program, line: int) -> set[int]:
    """The lines of the statement that begins on a line, with the blocks below it."""
    for chunk in program.document.chunks:
        for node in walk(chunk.body):
            if isinstance(node, _LOOPS) and _line(program, node) == line:
                last = program.document.lines.position(program.span(node).end).line
                return set(range(line, last + 1))
    return {line}


def _hoisted(program: Program) -> Iterator[ProfileRewrite]:
    """Yield rewrites that compute a call once before a loop if it gives the same in each round."""
    for chunk in program.document.chunks:
        parents = parents_in(chunk.body)
        for loop in walk(chunk.body):
            if not isinstance(loop, _LOOPS) or not isinstance(parents.get(loop), nodes.Node | None):
                continue
            changing, changes = _assigned(loop), _changes_objects(program, [loop])
            for call in _outermost(program, loop):
                if not _names(call) & changing and not (changes and _reads_objects(program, call)):
                    yield _moved(program, loop, [call], "compute it once before the loop")
                    break


def _once(program: Program) -> Iterator[ProfileRewrite]:
    """Yield rewrites that compute a call once if the global scope has it several times."""
    seen: dict[str, list[tuple[int, nodes.Call]]] = {}
    assigned: set[str] = set()
    declarations = nodes.FunctionDeclaration | nodes.TypeDeclaration | nodes.EnumDeclaration
    every = [one for chunk in program.document.chunks for one in chunk.body if not isinstance(one, declarations)]
    for number, statement in enumerate(every):
        if isinstance(statement, nodes.Reassignment):
            assigned |= _names(statement.target)
        for node in _always(statement):
            if isinstance(node, nodes.Call) and _is_pure(program, node):
                seen.setdefault("".join(program.text_of(node).split()), []).append((number, node))
    for places in seen.values():
        (first, call), (last, _) = places[0], places[-1]
        between = every[first : last + 1]
        if len(places) < 2 or _names(call) & assigned:
            continue
        if _reads_objects(program, call) and _changes_objects(program, between):
            continue
        yield _moved(program, every[first], [one for _, one in places], f"compute it once, not {len(places)} times")


def _always(statement: nodes.Node) -> Iterator[nodes.Node]:
    """The nodes of a statement that run on each bar: no blocks, and nothing after `?`, `and` or `or`."""
    pending: list[nodes.Node] = [statement]
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, (*_LOOPS, nodes.If, nodes.Switch, nodes.Once)):
            continue
        if isinstance(node, nodes.Ternary):
            pending.append(node.condition)
        elif isinstance(node, nodes.Binary) and node.operator in ("and", "or"):
            pending.append(node.left)
        elif isinstance(node, nodes.VariableDeclaration):
            if node.mode is None:
                pending.append(node.value)
        else:
            pending += reversed(children(node))


def _outermost(program: Program, loop: nodes.Node) -> Iterator[nodes.Call]:
    """The pure calls in the body of a loop that are not part of another pure call."""
    pending: list[nodes.Node] = list(reversed(getattr(loop, "body", [])))
    while pending:
        node = pending.pop()
        if isinstance(node, nodes.Call) and _is_pure(program, node):
            yield node
            continue
        pending += reversed(children(node))


def _is_pure(program: Program, call: nodes.Call) -> bool:
    """Whether a call is one of a built-in function that changes nothing, makes no object, and does not give another
    number each time."""
    path = path_of(call.callee) or ""
    is_pure = path.startswith(_PURE) and path != "math.random" and not program.effects(call).changes
    return is_pure and not _is_object(program, call) and not program.value_of(call)[0]


def _is_object(program: Program, node: nodes.Node) -> bool:
    """Whether the value of a node can be changed in place."""
    type_ = program.type_of(node)
    return type_ is not None and type_.base.kind not in _PLAIN


def _reads_objects(program: Program, call: nodes.Call) -> bool:
    """Whether a call reads a collection or an object."""
    arguments = (one.value if isinstance(one, nodes.NamedArgument) else one for one in call.arguments)
    return any(_is_object(program, node) for one in arguments for node in walk([one]) if isinstance(node, nodes.Name))


def _changes_objects(program: Program, statements: Sequence[nodes.Node]) -> bool:
    """Whether some code changes a collection or an object, perhaps only on bars that the test does not have."""
    for node in walk(statements):
        if isinstance(node, nodes.Call) and program.effects(node).changes & {"object", "drawings"}:
            return True
        if isinstance(node, nodes.Reassignment) and not isinstance(node.target, nodes.Name):
            return True
    return False


def _names(node: nodes.Node) -> set[str]:
    return {each.id for each in walk(node) if isinstance(each, nodes.Name)}


def _assigned(loop: nodes.Node) -> set[str]:
    """The names that change in a loop: its counters, and everything that is declared, assigned or called on in it."""
    found: set[str] = set()
    for node in walk(loop):
        if isinstance(node, nodes.ForTo):
            found.add(node.counter.id)
        elif isinstance(node, nodes.ForIn):
            found |= {node.element.id, *([node.index.id] if node.index is not None else [])}
        elif isinstance(node, nodes.VariableDeclaration):
            found.add(node.name.id)
        elif isinstance(node, nodes.TupleDeclaration):
            found |= {name.id for name in node.names}
        elif isinstance(node, nodes.Reassignment):
            found |= _names(node.target)
        elif isinstance(node, nodes.Call):
            path = path_of(node.callee) or ""
            if not path.startswith(("math.", "ta.", "str.", "color.")):
                found |= {name for argument in node.arguments for name in _names(argument)}
                found |= _names(node.callee) if "." in path else set()
    return found


def _moved(program: Program, before: nodes.Node, calls: list[nodes.Call], what: str) -> ProfileRewrite:
    """The script with equal calls replaced by a variable that is declared before a statement."""
    text = program.document.text
    name = next(name for k in range(100) if (name := f"known{k or ''}") not in text)
    written = program.text_of(calls[0])
    short = " ".join(written.split())
    start = program.span(before).start
    line_start = text.rfind("\n", 0, start) + 1
    indent = text[line_start:start] if not text[line_start:start].strip() else ""
    spans = sorted({program.span(call) for call in calls}, key=lambda span: -span.start)
    changed = text
    for span in spans:
        changed = changed[: span.start] + name + changed[span.end :]
    changed = f"{changed[:line_start]}{indent}{name} = {short}\n{changed[line_start:]}"
    shown = short if len(short) <= 60 else f"{short[:60]}…"
    return ProfileRewrite(_line(program, before), f"{shown}: {what}", changed)


def _line(program: Program, node: nodes.Node) -> int:
    return program.document.lines.position(program.span(node).start).line
