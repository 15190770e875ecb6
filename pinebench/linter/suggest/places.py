"""Fixes for undeclared names, found by their position: a constant that the parameter accepts, quotation marks for a
string, brackets for a tuple, or a declaration for the counter of a loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench import reference
from pinebench.diagnostics import Edit, Span
from pinebench.linter.suggest.candidate import Candidate, dotted, line_bounds, replacement
from pinebench.patterns import lazy_pattern
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.linter.suggest.facts import Facts

_TUPLE = lazy_pattern(r"([ \t]*)([A-Za-z_]\w*(?:[ \t]*,[ \t]*[A-Za-z_]\w*)+)[ \t]*:?=(?![=>])")
_LONGEST_LINE = 1_000


def of_its_place(facts: Facts, place: tuple[int, int], name: str) -> Iterator[Candidate]:
    """Yield candidates for the undeclared `name` at `place` in the text."""
    yield from _without_brackets(facts.text, place)
    call, argument = _argument(facts, place)
    if call is not None:
        yield from _constants(facts, call, argument, place, name)
        if name[0].isupper():
            yield replacement("write it in quotation marks", *place, f'"{name}"')


def _without_brackets(text: str, place: tuple[int, int]) -> Iterator[Candidate]:
    """Propose brackets for `a, b = f()` of other languages."""
    first, last = line_bounds(text, place[0])
    match = _TUPLE.match(text, first, min(last, first + _LONGEST_LINE))
    if match is not None and match.start(2) <= place[0] < match.end(2):
        start, end = match.span(2)
        edits = (Edit(Span(start, start), "["), Edit(Span(end, end), "]"))
        yield Candidate("unpack the tuple in brackets, '[a, b] = ...'", edits)


def _argument(facts: Facts, place: tuple[int, int]) -> tuple[nodes.Call | None, str | None]:
    """The call that has the name at `place` as a whole argument, and the argument's parameter; both None if there is
    none."""
    for node, offset in facts.around(place[0]):
        if not isinstance(node, nodes.Call):
            continue
        for number, argument in enumerate(node.arguments):
            named = isinstance(argument, nodes.NamedArgument)
            value = argument.value if isinstance(argument, nodes.NamedArgument) else argument
            if (offset + value.start, offset + value.end) == place:
                return node, argument.name if named else _parameter(node, number)
    return None, None


def _parameter(call: nodes.Call, number: int) -> str | None:
    function = reference.function(dotted(call.callee) or "")
    if function is None or len(function.overloads) != 1:
        return None
    parameters = function.overloads[0].parameters
    return parameters[number].name if number < len(parameters) else None


def _constants(
    facts: Facts, call: nodes.Call, parameter: str | None, place: tuple[int, int], name: str
) -> Iterator[Candidate]:
    """Propose constants with that name in the namespace of the parameter or of the function. Examples are
    `line.style_dashed` for `style = dashed` in `line.new()`, and `extend.right` for `extend = right`."""
    callee = dotted(call.callee) or ""
    spaces = (parameter or "", callee, callee.rpartition(".")[0])
    for space in dict.fromkeys(spaces):
        for member in reference.members(space) if space else ():
            found = f"{space}.{member}"
            called_so = member == name or (parameter and member == f"{parameter}_{name}")
            if called_so and found in reference.constants() and found not in facts.values:
                yield replacement(f"write '{found}'", *place, found, certain=True, meant=found)


def not_begun(facts: Facts, span: tuple[int, int], name: str) -> Iterator[Candidate]:
    """Propose to declare the undeclared counter `name` of a `while` loop, read at `span`, before the loop."""
    loops = [(node, offset) for node, offset in facts.around(span[0]) if isinstance(node, nodes.While)]
    if not loops or name not in facts.reassignments:
        return
    node, offset = loops[0]
    first, _ = line_bounds(facts.text, offset + node.start)
    indent = facts.text[first : offset + node.start]
    if not indent.strip():
        yield Candidate(f"declare '{name}' before the loop", (Edit(Span(first, first), f"{indent}int {name} = 0\n"),))
