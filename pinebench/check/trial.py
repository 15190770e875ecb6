"""What is wrong with a script after a change that somebody only tries.

Most of what is tried leaves one statement for itself, such as the title of the script: what that statement has to do
with the rest is the same before and after, so that checking it alone, before and after, tells all there is to tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from pinebench.check.program import Program, check
from pinebench.diagnostics import Diagnostic, Severity
from pinebench.syntax import Chunk, Snapshot, nodes, parse
from pinebench.syntax.walk import children, walk


class Told(NamedTuple):
    """A finding in short: its code and severity, and where in the text it begins."""

    code: str
    severity: Severity
    start: int


def findings_after(program: Program, changed: Snapshot) -> list[Told]:
    """The findings about `changed`, a later state of the script of `program`, as a whole check would make them."""
    chunks = _only_change(program.document, changed)
    if chunks is not None and _is_apart(program, *chunks):
        found = _with_own(program, *chunks)
        if found is not None:
            return found
    return [_told(finding) for finding in check(changed, program.sources).diagnostics]


def _told(finding: Diagnostic) -> Told:
    return Told(finding.code, finding.severity, finding.span.start)


def _only_change(before: Snapshot, after: Snapshot) -> tuple[Chunk, Chunk] | None:
    """The one chunk that is another one, before and after; None where there are more, or something is broken."""
    if len(before.chunks) != len(after.chunks) or before.version != after.version:
        return None
    changed = [pair for pair in zip(before.chunks, after.chunks, strict=True) if pair[0].body is not pair[1].body]
    if len(changed) != 1 or before.diagnostics or after.diagnostics:
        return None
    return changed[0]


def _is_apart(program: Program, before: Chunk, after: Chunk) -> bool:
    """Whether a statement declares nothing, uses nothing of the script's own, and differs in texts only."""
    if len(before.body) != 1 or not isinstance(before.body[0], nodes.ExpressionStatement):
        return False
    if not _differ_in_texts(before.body, after.body):
        return False
    own = (program.globals, program.functions, program.types, program.enums, program.imports)
    words = {node.id for node in walk(before.body) if isinstance(node, nodes.Name)}
    words |= {node.name for node in walk(before.body) if isinstance(node, nodes.Member)}
    return not any(words & declared.keys() for declared in own)


def _differ_in_texts(before: Sequence[nodes.Node], after: Sequence[nodes.Node]) -> bool:
    """Whether two trees are the same but for what their string literals hold."""
    pairs = [(before, after)]
    while pairs:
        ones, others = pairs.pop()
        if len(ones) != len(others):
            return False
        for one, other in zip(ones, others, strict=True):
            if _said(one) != _said(other):
                return False
            pairs.append((children(one), children(other)))
    return True


def _said(node: nodes.Node) -> list[object]:
    """What a node says itself, without places: its class, names, operators and flags; of a string only that it is."""
    if isinstance(node, nodes.Literal) and node.kind == "string":
        return [node.kind]
    fields = node._fields  # pyright: ignore[reportPrivateUsage]
    values = (getattr(node, name) for name in fields if not name.endswith("_start"))
    return [node.__class__, *(value for value in values if not isinstance(value, nodes.Node | list))]


def _with_own(program: Program, before: Chunk, after: Chunk) -> list[Told] | None:
    """The findings of the script with those of the changed statement as it is now; None where that cannot be told.

    A statement by itself lacks the rest of the script, which it is told once before and once after.
    """
    inside = [found for found in map(_told, program.diagnostics) if before.start <= found.start < before.end]
    was, now = _alone(before), _alone(after)
    if any(told.severity is Severity.ERROR for told in (*was, *now)):
        return None  # errors of one statement silence what is said of the script as a whole
    lacking = Counter(found.code for found in was)
    lacking.subtract(found.code for found in inside)
    if any(count < 0 for count in lacking.values()):
        return None
    delta = after.end - before.end
    found = [told for told in map(_told, program.diagnostics) if told.start < before.start]
    for told in now:
        if lacking[told.code] > 0:
            lacking[told.code] -= 1
        else:
            found.append(told._replace(start=after.start + told.start))
    beyond = (told for told in map(_told, program.diagnostics) if told.start >= before.end)
    return [*found, *(told._replace(start=told.start + delta) for told in beyond)]


def _alone(chunk: Chunk) -> list[Told]:
    """The findings about a statement in a script that has, beside it, only what every script must have; their places
    count from the statement's start."""
    declares = any(isinstance(node, nodes.Call) and _is_declaration(node) for node in walk(chunk.body))
    head = "//@version=6\n" if declares else '//@version=6\nindicator("")\n'
    text = f"{head}{chunk.text}\nplot(close)\n"
    found = (_told(finding) for finding in check(parse(text)).diagnostics)
    end = len(head) + len(chunk.text)
    return [told._replace(start=told.start - len(head)) for told in found if len(head) <= told.start < end]


def _is_declaration(call: nodes.Call) -> bool:
    return isinstance(call.callee, nodes.Name) and call.callee.id in ("indicator", "strategy", "library")
