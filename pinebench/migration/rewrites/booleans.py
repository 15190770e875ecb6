"""Bools: v6 does not accept numbers as bools, a bool is never `na`, and nothing is compared with `na`."""

from __future__ import annotations

from collections.abc import Iterator

from pinebench.migration.remarks import RemarkKind
from pinebench.migration.rewrites.rewrite import RewriteChange, rewrite
from pinebench.migration.script import OldScript, value_of
from pinebench.syntax import nodes
from pinebench.syntax.edits import replacing, wrapping
from pinebench.syntax.walk import walk

_NUMBERS = ("int", "float")
_IDENTITIES = ("line", "label")
"""The types whose values are compared by identity, also with `na`."""
_NEVER_NA = ("na", "nz", "fixnan")
_NO_NA = "a bool is never `na` in v6: it starts as `false`"


@rewrite()
def conditions(script: OldScript) -> Iterator[RewriteChange]:
    """Rewrite `if volume` to `if bool(volume)`."""
    for finding in script.findings["CE10101"]:
        node = script.at(finding.span)
        if node is not None:
            yield from _as_bool(node, script.base_of(node))


@rewrite()
def arguments(script: OldScript) -> Iterator[RewriteChange]:
    """Rewrite numbers where a bool is expected, and bools as arguments of `na()`, `nz()` and `fixnan()`."""
    for finding in (*script.findings["CE10123"], *script.findings["CE10122"]):
        expected = str(finding.value("currentTypeDocStr") or finding.value("expectedType") or "")
        given = str(finding.value("argumentType") or "").rpartition(" ")[2]
        found = script.at(finding.span)
        node = value_of(found) if found is not None else None
        if node is None:
            continue
        if finding.value("funId") in _NEVER_NA and given == "bool":
            yield from _never_na(script, node, str(finding.value("funId")))
        elif expected.rpartition(" ")[2] == "bool":
            yield from _as_bool(node, given)
        elif finding.value("funId") == "operator ?:" and given == "bool" and expected.endswith(" na"):
            yield from _other_branch(script, node)


@rewrite()
def assignments(script: OldScript) -> Iterator[RewriteChange]:
    """Rewrite `bool x = na` to `bool x = false`, and `bool x = volume` to `bool x = bool(volume)`."""
    for finding in script.findings["CE10173"]:
        if str(finding.value("ownValueType")).rpartition(" ")[2] != "bool":
            continue
        node = script.at(finding.span, nodes.VariableDeclaration) or script.at(finding.span, nodes.Reassignment)
        if node is not None:
            given = str(finding.value("assignedValueType")).rpartition(" ")[2]
            for value in _results(node.value):
                yield from _as_bool(value, script.base_of(value) or given)


@rewrite()
def casts(script: OldScript) -> Iterator[RewriteChange]:
    """Rewrite `bool(na)` to `false`."""
    for call in script.called("bool"):
        if len(call.arguments) == 1 and _is_na(value_of(call.arguments[0])):
            yield RewriteChange(call, _NO_NA, replacing(call, "false"), RemarkKind.DIFFERS)


@rewrite()
def branches(script: OldScript) -> Iterator[RewriteChange]:
    """Rewrite the numbers among the results of an `if` or `switch` whose other results are bools."""
    places = {finding.span.start for finding in script.findings["CE10235"]}
    for node in (*script.of(nodes.Switch), *script.of(nodes.If)) if places else ():
        if script.span(node).start not in places:
            continue
        values = list(_results(node))
        bases = [script.base_of(value) for value in values]
        if "bool" in bases and {"bool", *_NUMBERS}.issuperset(bases):
            for value, base in zip(values, bases, strict=True):
                yield from _as_bool(value, base)


@rewrite()
def defaults(script: OldScript) -> Iterator[RewriteChange]:
    """Rewrite `na` as the default of a bool parameter or field."""
    for finding in script.findings["CE10170"]:
        node = script.at(finding.span, nodes.Parameter) or script.at(finding.span, nodes.Field)
        if node is None or node.default is None or _type_word(script, node) != "bool":
            continue
        yield from _as_bool(node.default, "na" if _is_na(node.default) else script.base_of(node.default))


@rewrite()
def comparisons(script: OldScript) -> Iterator[RewriteChange]:
    """Rewrite `number == na`, which was never true, to `false`, and `line == na` to `na(line)`."""
    for finding in script.findings["CE10187"]:
        node = script.at(finding.span, nodes.Binary)
        if node is None:
            continue
        value = node.right if _is_na(node.left) else node.left
        text, bases = script.line_of(value), script.bases_of(value)
        if text is None:
            continue
        meant = f"na({text})" if node.operator == "==" else f"not na({text})"
        if bases.issubset(_IDENTITIES):
            yield RewriteChange(node, "in v6 no value can be compared with `na`", replacing(node, meant))
        elif bases.issubset(_NUMBERS) and not any(_must_run(script, inner) for inner in walk(value)):
            told = f"a comparison with `na` was never true, and v6 has none: perhaps `{meant}` was meant"
            yield RewriteChange(node, told, replacing(node, "false"), RemarkKind.LOOK)


def _type_word(script: OldScript, node: nodes.Parameter | nodes.Field) -> str:
    return script.source(node.type).rpartition(" ")[2] if node.type is not None else ""


def _as_bool(node: nodes.Node, given: str) -> Iterator[RewriteChange]:
    if _is_na(node):
        yield RewriteChange(node, _NO_NA, replacing(node, "false"), RemarkKind.DIFFERS)
    elif isinstance(node, nodes.Literal) and node.kind in _NUMBERS:
        truth = "true" if float(node.text) else "false"
        yield RewriteChange(node, f"a number is not a bool in v6: {node.text} is `{truth}`", replacing(node, truth))
    elif given in _NUMBERS:
        yield RewriteChange(
            node, "a number is not a bool in v6: it is turned into one with `bool()`", wrapping(node, "bool(", ")")
        )


def _other_branch(script: OldScript, node: nodes.Node) -> Iterator[RewriteChange]:
    """Rewrite the `na` in `c ? na : true`."""
    ternary = script.parent(node)
    if isinstance(ternary, nodes.Ternary):
        for branch in (ternary.then, ternary.otherwise):
            if _is_na(branch):
                yield RewriteChange(branch, _NO_NA, replacing(branch, "false"), RemarkKind.DIFFERS)


def _never_na(script: OldScript, node: nodes.Node, name: str) -> Iterator[RewriteChange]:
    """Rewrite `na(b)`, `nz(b, d)` and `fixnan(b)` of a bool."""
    call = script.parent(node)
    call = script.parent(call) if isinstance(call, nodes.NamedArgument) else call
    if not isinstance(call, nodes.Call) or call.arguments[0] not in (node, script.parent(node)):
        return
    if script.changes_within(node) or any(_must_run(script, inner) for inner in walk(node)):
        yield RewriteChange(
            call, f"`{name}()` does not accept a bool in v6, and the calls inside it must run", kind=RemarkKind.LOOK
        )
        return
    text = "false" if name == "na" else script.line_of(node)
    if text is None:
        return
    if name == "nz" and _is_false(call):
        yield RewriteChange(call, "`nz()` of a bool is the value: `na` is `false` now", replacing(call, text))
        return
    told = f"`{name}()` of a bool is `{text}` in v6: a bool is never `na`, and a third state needs another type"
    yield RewriteChange(call, told, replacing(call, text), RemarkKind.LOOK)


def _is_false(call: nodes.Call) -> bool:
    """Whether `nz()` returned false for `na`."""
    other = value_of(call.arguments[1]) if len(call.arguments) > 1 else None
    return other is None or (isinstance(other, nodes.Literal) and other.text == "false")


def _must_run(script: OldScript, node: nodes.Node) -> bool:
    return isinstance(node, nodes.Call) and script.remembers(node)


def _results(node: nodes.Node) -> Iterator[nodes.Node]:
    """Yield the expressions that can be the value of `node`, which may be a structure."""
    match node:
        case nodes.If():
            for block in (node.body, node.otherwise or []):
                if block:
                    yield from _results(block[-1])
        case nodes.Switch():
            for case in node.cases:
                if case.body:
                    yield from _results(case.body[-1])
        case nodes.ExpressionStatement():
            yield node.expression
        case nodes.Ternary():
            yield node
        case nodes.ForTo() | nodes.ForIn() | nodes.While():
            return
        case _:
            yield node


def _is_na(node: nodes.Node) -> bool:
    while isinstance(node, nodes.Parenthesized):
        node = node.expression
    return isinstance(node, nodes.Name) and node.id == "na"
