"""Fixes for calls: wrong, missing, surplus and misplaced arguments."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from pinebench import reference
from pinebench.amounts import counted
from pinebench.checker import spelling
from pinebench.diagnostics import Edit, Span
from pinebench.linter import usage
from pinebench.linter.suggest import orders
from pinebench.linter.suggest.candidate import Candidate, dotted, replacement, values_of
from pinebench.reference.foreign import PARAMETERS
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.linter.suggest.facts import Facts
    from pinebench.syntax.edits import TreeEdits

_SAME = {
    "resolution": "timeframe",
    "res": "timeframe",
    "tf": "timeframe",
    "src": "source",
    "series": "source",
    "len": "length",
    "period": "length",
    "periods": "length",
    "colour": "color",
    "width": "linewidth",
    "default": "defval",
    "min": "minval",
    "max": "maxval",
    "multiplier": "mult",
    "shape": "style",
}
"""Parameters with other names in earlier versions, other languages or by habit, if only one parameter can be meant."""
_LIKE = {
    "ticker": "symbol",
    "label": "title",
    "name": "title",
    "value": "defval",
    "quantity": "qty",
    "tp": "limit",
    "sl": "stop",
    "from": "from_entry",
}
"""Like `_SAME`, for names with several possible meanings: a price or a distance, a number or a share."""


def _wrong_name(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose other names for a named argument that the function does not have."""
    name = values_of(diagnostic).get("name", "")
    found = _argument_at(facts, diagnostic.span.start, name)
    if found is None:
        return
    call, argument, offset = found
    start = offset + argument.start
    known = parameters_of(facts, call)
    given = {item.name for item in call.arguments if isinstance(item, nodes.NamedArgument)}
    free = [parameter for parameter in known if parameter not in given]
    if name == orders.WHEN and name not in known and orders.is_order(call):
        # Without its condition, the order would be placed on every bar.
        yield from orders.under_condition(facts, call, argument, offset)
        return
    if name == "transp" and name not in known:
        yield from _as_color(facts, call, argument, offset)
        yield from facts.candidate(f"remove '{name}', which v6 does not have", lambda edits: edits.remove(argument))
        return
    if name in facts.values or reference.variable(name) is not None:
        yield from _compared(facts, argument, offset)
    renamed = _SAME.get(name) or _LIKE.get(name)
    is_order = orders.is_order(call)
    needed = spelling.NUMERIC if is_order else spelling.CLOSED
    if renamed in free:
        sure = name in _SAME and not is_order
        yield replacement(f"write '{renamed}'", start, start + len(name), renamed, safe=sure, meant=renamed)
    # If the script uses that name elsewhere too, the typing error may be in the parameters of its own function.
    is_a_name = (dotted(call.callee) or "").rpartition(".")[2] in facts.functions and facts.uses[name] > 0
    if name in PARAMETERS:
        return
    for parameter in spelling.nearest(name, free):
        if parameter != renamed:
            sure = not is_a_name and renamed not in free and spelling.is_proof(name, parameter, known, needed)
            yield replacement(f"write '{parameter}'", start, start + len(name), parameter, safe=sure, meant=parameter)
    for parameter in free:
        if parameter.startswith(name) or name in parameter.split("_"):
            yield replacement(f"write '{parameter}'", start, start + len(name), parameter, meant=parameter)


def _as_color(facts: Facts, call: nodes.Call, argument: nodes.NamedArgument, offset: int) -> Iterator[Candidate]:
    """Propose `color = color.new(c, t)` for `color = c, transp = t`."""
    text = facts.text
    for place, item in enumerate(call.arguments):
        named = isinstance(item, nodes.NamedArgument) and item.name == "color"
        if named or (dotted(call.callee) in ("bgcolor", "barcolor") and not place):
            value = item.value if isinstance(item, nodes.NamedArgument) else item
            # A computed colour may have a transparency of its own.
            sure = re.fullmatch(r"color\.(?!new)\w+|#[0-9A-Fa-f]{6}", text[offset + value.start : offset + value.end])
            given = facts.line_of(argument.value, offset)
            if given is not None:
                yield from facts.candidate(
                    "write the transparency with color.new()",
                    partial(_made_see_through, argument, value, given),
                    safe=sure is not None,
                    certain=sure is not None,
                )
            return


def _made_see_through(argument: nodes.Node, color: nodes.Node, transparency: str, edits: TreeEdits) -> None:
    edits.remove(argument)
    edits.wrap(color, "color.new(", f", {transparency})")


_NEVER_GUESSED = frozenset({"direction"})
"""Required parameters for which no placeholder is proposed: the direction of an order must not be guessed."""


def _missing(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose a placeholder for a required argument that is missing."""
    values = values_of(diagnostic)
    name, function = values.get("name", ""), values.get("functionName", "")
    found = facts.call_at(diagnostic.span.start, function) or facts.call_at(diagnostic.span.start)
    if found is None:
        return
    call, offset = found
    if name in _NEVER_GUESSED:
        return
    known = parameters_of(facts, call)
    close = offset + call.end - 1
    if facts.text[close : close + 1] != ")" or name not in known:
        return
    value = _placeholder(function, name)
    positional = all(not isinstance(item, nodes.NamedArgument) for item in call.arguments)
    in_order = positional and len(call.arguments) == known.index(name)
    given = value if in_order else f"{name} = {value}"
    lead = ", " if call.arguments else ""
    if (
        known[:2] == ["source", name]
        and positional
        and len(call.arguments) == 1
        and _is_length(facts, call.arguments[0])
    ):
        # `ta.rsi(14)`: the missing argument is probably the first one, the source.
        place = offset + call.arguments[0].start
        yield replacement("add the argument 'source', for now close", place, place, "close, ")
    yield replacement(f"add the argument '{name}', for now {value}", close, close, lead + given)


def _is_length(facts: Facts, argument: nodes.Node) -> bool:
    """Whether `argument` is a whole number that does not change."""
    type_ = facts.program.type_of(argument)
    return type_ is not None and type_.base.name == "int" and str(type_.qualifier) != "series"


def _positional_after_named(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose names for positional arguments after a named one, or `==` if the named one was meant as a comparison."""
    for node, offset in reversed(list(facts.around(diagnostic.span.start))):
        if not isinstance(node, nodes.Call):
            continue
        known = parameters_of(facts, node)
        given = {item.name for item in node.arguments if isinstance(item, nodes.NamedArgument)}
        named_before = False
        edits: list[Edit] = []
        for item in node.arguments:
            if isinstance(item, nodes.NamedArgument) and item.name not in known:
                yield from _compared(facts, item, offset)
        free = [name for name in known if name not in given]
        for place, item in enumerate(node.arguments):
            if isinstance(item, nodes.NamedArgument):
                named_before = True
            elif named_before:
                at_place = known[place] if place < len(known) else None
                name = at_place if at_place in free else next(iter(free), None)
                if name is None:
                    return
                free.remove(name)
                edits.append(Edit(Span(offset + item.start, offset + item.start), f"{name} = "))
            elif place < len(known) and known[place] in free:
                free.remove(known[place])
        if edits:
            yield Candidate("name the arguments that follow a named one", tuple(edits))
        return


def _too_many(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose to remove the last arguments of a call with more arguments than the function accepts."""
    values = values_of(diagnostic)
    name = values.get("funName", "")
    found = facts.call_at(diagnostic.span.start, name)
    called_as_method = found is None
    if found is None:
        found = facts.call_at(diagnostic.span.start)
    limit = values.get("expectArgsCount", "")
    if found is None or not limit.isdecimal():
        return
    call, offset = found
    when = orders.when_of(call)
    if when is not None:
        yield from orders.under_condition(facts, call, when, offset)
        return
    most = int(limit) - (1 if called_as_method else 0)
    if not 0 <= most < len(call.arguments):
        return
    start = offset + (call.arguments[most - 1].end if most else call.arguments[0].start)
    end = offset + call.arguments[-1].end
    surplus = len(call.arguments) - most
    yield replacement(f"remove {counted(surplus, 'surplus argument')}", start, end, "")


def _invalid_choice(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose accepted values for an argument with another value."""
    text, (start, end) = facts.text, diagnostic.span
    choices = re.findall(r"[A-Za-z_][\w.]*", values_of(diagnostic).get("possibleValues", ""))
    given = text[start:end]
    short = given.rpartition(".")[2].strip("\"'")
    same = [choice for choice in choices if choice.rpartition(".")[2] == short]
    for choice in dict.fromkeys([*same, *spelling.nearest(given, choices), *choices[:3]]):
        yield replacement(f"write '{choice}'", start, end, choice, safe=choice in same, meant=choice)


def parameters_of(facts: Facts, call: nodes.Call) -> list[str]:
    """Return the names of the parameters of the called function or constructor, in order. The list is empty if the
    function is not known. A built-in has the parameters of all its overloads, the longest first."""
    name = dotted(call.callee)
    if name is None:
        return []
    builtin = reference.function(name)
    if builtin is not None:
        named: dict[str, None] = {}
        for overload in sorted(builtin.overloads, key=lambda overload: -len(overload.parameters)):
            named |= dict.fromkeys(parameter.name for parameter in overload.parameters)
        return list(named)
    function, type_ = facts.functions.get(name), facts.types.get(name.removesuffix(".new"))
    if function is not None:
        return [parameter.name.id for parameter in function.parameters]
    if isinstance(type_, nodes.TypeDeclaration) and name.endswith(".new"):
        return [field.name.id for field in type_.fields]
    return []


def _compared(facts: Facts, argument: nodes.NamedArgument, offset: int) -> Iterator[Candidate]:
    """Propose `==` for an argument such as `close = open`."""
    place = facts.text.find("=", offset + argument.start + len(argument.name), offset + argument.value.start)
    if place >= 0:
        yield replacement("compare with '=='", place, place + 1, "==")


def _argument_at(facts: Facts, place: int, name: str) -> tuple[nodes.Call, nodes.NamedArgument, int] | None:
    """The innermost call around `place` with an argument named `name`, that argument, and the chunk's offset."""
    found: tuple[nodes.Call, nodes.NamedArgument, int] | None = None
    for node, offset in facts.around(place):
        if isinstance(node, nodes.Call):
            for argument in node.arguments:
                if isinstance(argument, nodes.NamedArgument) and argument.name == name:
                    found = node, argument, offset
    return found


def _placeholder(function: str, name: str) -> str:
    found = reference.function(function)
    if found is not None:
        for overload in found.overloads:
            for parameter in overload.parameters:
                if parameter.name == name:
                    return usage.placeholder(parameter)
    return "na"


BY_CODE: dict[str, Callable[[Facts, Diagnostic], Iterable[Candidate]]] = {
    "CE10068": _invalid_choice,
    "CE10115": _too_many,
    "CE10120": _wrong_name,
    "CE10157": _positional_after_named,
    "CE10165": _missing,
}
"""The function that proposes fixes for each code."""
