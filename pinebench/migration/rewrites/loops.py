"""The end of a `for` loop, which v6 computes before every iteration and earlier versions computed once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pinebench.migration.remarks import RemarkKind
from pinebench.migration.rewrites.rewrite import RewriteChange, rewrite
from pinebench.migration.script import OldScript
from pinebench.syntax import nodes
from pinebench.syntax.edits import TreeEdits

_TOLD = "the end of this loop was computed once, and its value changes in the loop"


@rewrite()
def ends(script: OldScript) -> Iterator[RewriteChange]:
    """Compute the end before the loop if the loop's own body changes it."""
    for loop in script.of(nodes.ForTo):
        text = script.line_of(loop.last)
        if text is None or not _moves(script, loop):
            continue
        name = script.free_name("last")
        yield RewriteChange(loop, f"{_TOLD}: it is computed before the loop", partial(_before, loop, name, text))


@rewrite(last=True)
def moving_ends(script: OldScript) -> Iterator[RewriteChange]:
    """Remark on each loop whose end could not be computed before the loop (see `ends`)."""
    for loop in script.of(nodes.ForTo):
        if _moves(script, loop):
            yield RewriteChange(loop, _TOLD, kind=RemarkKind.DIFFERS)


def _moves(script: OldScript, loop: nodes.ForTo) -> bool:
    if isinstance(loop.last, nodes.Literal) or script.is_constant(loop.last):
        return False
    end = script.effects(loop.last)
    if end.changes or end.mutates or end.writes:
        return True
    body = script.effects_of_body(loop)
    return bool(end.reads & (body.writes | body.mutates))


def _before(loop: nodes.ForTo, name: str, text: str, edits: TreeEdits) -> None:
    edits.insert_before(loop, f"{name} = {text}")
    edits.replace(loop.last, name)
