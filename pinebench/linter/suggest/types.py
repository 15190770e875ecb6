"""Fixes for types and declarations: `na` without a type, comparisons with `na`, conversions, the version line and the
declaration statement."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import partial
from typing import TYPE_CHECKING

from pinebench import reference
from pinebench.diagnostics import Edit, Span
from pinebench.linter.suggest import orders
from pinebench.linter.suggest.candidate import Candidate, dotted, replacement, values_of
from pinebench.patterns import lazy_pattern
from pinebench.syntax import nodes
from pinebench.syntax.edits import replacing
from pinebench.syntax.walk import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pinebench.diagnostics import Diagnostic
    from pinebench.linter.suggest.facts import Facts
    from pinebench.syntax.edits import TreeEdits

VERSION_LINE = "//@version=6"
_VERSION_WRITTEN = lazy_pattern(
    r"^[ \t]*+/*+[ \t]*+@?+[ \t]*+version[ \t]*+[=:]?+[ \t]*+6[ \t]*+$", re.MULTILINE | re.IGNORECASE
)

# The type of a variable that begins as na, from the text of values that are assigned later, likeliest first.
_TYPE_SIGNS = (
    (r"\b(?:line|label|box|table|polyline|linefill)\.new\b", None),
    (r"\bchart\.point\.", "chart.point"),
    (r"\bcolor\.|#[0-9a-fA-F]{6}", "color"),
    (r"[\"']|\bstr\.(?:tostring|format|replace|substring|upper|lower|repeat|trim)", "string"),
    (r"\b(?:bar_index|time|time_close|timestamp|dayofweek|hour|minute|year|month)\b", "int"),
)
_UNTYPED_NA = ("float", "int", "string", "color", "line", "label", "box", "table")
_TOLD_BY_VALUES = frozenset({"float", "string", "color", "line", "label", "box", "table", "linefill", "polyline"})
"""The types that an assigned value proves for its variable. `int` is not among them, because a whole number may be
meant as a price."""
_CONVERSIONS = (
    # (the expected type, the given type, the conversion, the title of the fix)
    (r"string", r"int|float|bool", "str.tostring({})", "convert with str.tostring()"),
    (r"bool", r"int|float", "({}) != 0", "compare with 0"),
    (r"int", r"float", "int({})", "convert with int()"),
    (r"float|int", r"string", "str.tonumber({})", "convert with str.tonumber()"),
    (r"float|int", r"bool", "({} ? 1 : 0)", "use 1 and 0"),
)


def _no_version(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose a version line for a script without one."""
    text = facts.text
    # The quantifiers are possessive, so that no sequence of blanks is tried in more than one way.
    written = _VERSION_WRITTEN.search(text)
    if written:
        yield replacement("write the version line as TradingView reads it", *written.span(), VERSION_LINE, safe=True)
    # The line goes above everything except a byte order mark.
    start = 1 if text.startswith("\ufeff") else 0
    yield replacement("add the version line at the top", start, start, VERSION_LINE + "\n", safe=True, certain=True)


def _unknown_version(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose version 6 for a version that does not exist yet."""
    match = re.search(r"//[ \t]*@[ \t]*version[ \t]*=[ \t]*(\d+)", facts.text)
    if match:
        yield replacement("write version 6", match.start(1), match.end(1), "6")


def _no_declaration(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose a declaration statement for a script without one."""
    text = facts.text
    if re.search(r"^(?:study|indicat\w*|strat\w*|libr\w*)[ \t]*\(", text, re.MULTILINE):
        # The script has a declaration statement with an old or misspelled name, and that name must be corrected.
        return
    kind = "strategy" if re.search(r"\bstrategy\.(?:entry|order|exit|close)\b", text) else "indicator"
    match = re.search(r"//[ \t]*@[ \t]*version[^\r\n]*(?:\r\n|\r|\n)?", text)
    place = match.end() if match else 0
    lead = "" if not match or match[0].endswith(("\n", "\r")) else "\n"
    yield replacement(f"declare the script with {kind}()", place, place, f'{lead}{kind}("Untitled")\n')


def _short_title(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    text, (start, end) = facts.text, diagnostic.span
    match = re.search(r"([\"'])([^\"'\r\n]{11,})\1", text[start:end])
    if match:
        yield replacement(
            "cut it to 10 characters", start + match.start(2), start + match.end(2), match[2][:10].rstrip()
        )


def _untyped_na(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose a type for `x = na`: the types of values that are assigned later, then the usual types."""
    declared = _declaration_at(facts, diagnostic)
    if declared is None:
        return
    node, offset = declared
    place = offset + node.name.start
    if _is_declared_before(facts, node.name.id, place) and not node.mode:
        sign = facts.text.find("=", offset + node.name.end)
        yield replacement("change the variable with ':='", sign, sign + 1, ":=")
        for name in _UNTYPED_NA:
            yield replacement(f"declare it as {name}", place, place, f"{name} ")
        return
    guessed = _later_types(facts, node.name.id)
    known = _known_type(facts, node.name.id)
    for name in dict.fromkeys([*guessed, *_UNTYPED_NA]):
        yield replacement(f"declare it as {name}", place, place, f"{name} ", safe=name == known, certain=name == known)


def _known_type(facts: Facts, name: str) -> str | None:
    """The only type of all values assigned to `name`; None if there are several types, or if it could also be another
    type."""
    found: set[str] = set()
    for node, _ in facts.reassignments.get(name, ()):
        type_ = facts.program.type_of(node.value)
        found.add(str(type_.base.name) if type_ is not None else "")
    return next(iter(found)) if len(found) == 1 and found <= _TOLD_BY_VALUES else None


def _is_declared_before(facts: Facts, name: str, place: int) -> bool:
    return any(offset + node.name.start < place for node, offset in facts.declarations.get(name, ()))


def _untyped_parameter(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose a type for a parameter or field whose default is na."""
    first, last = diagnostic.span
    # The loop visits the one that covers the start of the finding, and those that begin inside the finding.
    number = bisect_left(facts.untyped_defaults, (first, first))
    for start, end in facts.untyped_defaults[max(number - 1, 0) :]:
        if start >= max(last, first + 1):
            break
        if start >= first or end >= first:
            for name in _UNTYPED_NA[:4]:
                yield replacement(f"declare it as {name}", start, start, f"{name} ")


def _type_form(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose a type after the qualifier in `simple x = ...`."""
    word = diagnostic.value("simple")
    place = facts.text.find(word, diagnostic.span.start)
    if word and place >= 0:
        for name in ("float", "int", "bool", "string", "color"):
            yield replacement(f"add the type {name}", place + len(word), place + len(word), f" {name}")


def _na_comparison(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose `na(x)` for `x == na`."""
    for node, offset in reversed(list(facts.around(diagnostic.span.start))):
        if not isinstance(node, nodes.Binary) or node.operator not in ("==", "!="):
            continue
        sides = (node.left, node.right)
        empty = [isinstance(side, nodes.Name) and side.id == "na" for side in sides]
        if not any(empty):
            continue
        kept = sides[0] if empty[1] else sides[1]
        yield from tested_with_na(facts, node, kept, offset)
        return


def tested_with_na(facts: Facts, node: nodes.Binary, kept: nodes.Node, offset: int) -> Iterator[Candidate]:
    """Yield the candidate that replaces `node`, a comparison of `kept` with na, with a call of `na()`. `offset` is the
    start of their top-level statement."""
    inside = facts.line_of(kept, offset)
    if inside is not None:
        change = f"na({inside})" if node.operator == "==" else f"not na({inside})"
        yield from facts.candidate("test with na()", lambda edits: edits.replace(node, change), safe=True, certain=True)


def _wrong_assignment(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose the value's type for the declaration, or a conversion, for a value that does not have the variable's
    type."""
    values = values_of(diagnostic)
    given = values.get("assignedValueType", "").split(" ")[-1]
    name = values.get("variableName", "")
    for node, offset in facts.declarations.get(name, ()) if given not in ("", "na") else ():
        if node.type is not None:
            start, end = offset + node.type.start, offset + node.type.end
            yield replacement(f"declare '{name}' as {given}", start, end, given)
        else:
            yield replacement(
                f"declare '{name}' as {given}", offset + node.name.start, offset + node.name.start, f"{given} "
            )
    expected = values.get("ownValueType", "")
    for node, offset in facts.around(diagnostic.span.start):
        if isinstance(node, nodes.Reassignment | nodes.VariableDeclaration) and not isinstance(
            node.value, (*nodes.STRUCTURES, nodes.ErrorStatement)
        ):
            value = node.value
            if given == "na" and expected.endswith("bool") and isinstance(value, nodes.Name):
                yield replacement("start with false", offset + value.start, offset + value.end, "false")
            yield from _converted(facts, value, offset, expected, given)


def _wrong_condition(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose comparisons for a number that is used as a condition."""
    text, (start, end) = facts.text, diagnostic.span
    condition = text[start:end].strip()
    if condition and "\n" not in condition:
        simple = re.fullmatch(r"[\w.]+(?:\([^()]*\))?", condition)
        yield replacement(
            "compare with 0", start, start + len(condition), f"{condition if simple else f'({condition})'} != 0"
        )
        yield replacement("test with na()", start, start + len(condition), f"not na({condition})")


def _wrong_argument(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose conversions for an argument or operand of a wrong type."""
    values = values_of(diagnostic)
    expected = values.get("currentTypeDocStr") or values.get("expectedType") or ""
    given = values.get("argumentType", "").split(" ")[-1]
    if values.get("funId") in ("operator +",) and given == "string":
        yield from _joined(facts, diagnostic)
        return
    written = values.get("argUserFriendlyRepresentation", "")
    call = facts.call_at(diagnostic.span.start)
    if expected.endswith("strategy_direction"):
        if written in _DIRECTIONS:
            yield replacement(f"write '{_DIRECTIONS[written]}'", *diagnostic.span, _DIRECTIONS[written], safe=True)
        return
    if given == "bool" and call is not None and orders.is_order(call[0]):
        # Earlier versions had a condition at this place. As a text or a number, the order would be placed on every bar.
        yield from _old_condition(facts, diagnostic, *call)
        return
    yield from _swapped(facts, diagnostic, values.get("argumentType", ""))
    if expected.endswith("string") and not _is_a_text(values.get("funId", ""), values.get("argDisplayName", "")):
        # A symbol, an id or a session is never a number written as text.
        given = "int" if given == "int" else ""
    if given == "bool" and values.get("funId") in _ORDERING:
        return
    if values.get("funId") in _NEVER_BOOL:
        # In v6 a condition is never na, so no change here can express what was meant.
        return
    for node, offset in facts.around(diagnostic.span.start):
        if offset + node.start == diagnostic.span.start and offset + node.end == diagnostic.span.end:
            if isinstance(node, nodes.NamedArgument):
                yield from _converted(facts, node.value, offset, expected, given)
            else:
                yield from _converted(facts, node, offset, expected, given)
            break
    if written == "na" and expected.endswith("bool"):
        yield replacement("use false", *diagnostic.span, "false")


def _old_condition(facts: Facts, diagnostic: Diagnostic, call: nodes.Call, offset: int) -> Iterator[Candidate]:
    for item in call.arguments:
        if offset + item.start == diagnostic.span.start and not isinstance(item, nodes.NamedArgument):
            yield from orders.under_condition(facts, call, item, offset, safe=False)


_DIRECTIONS = {
    "true": "strategy.long",
    "false": "strategy.short",
    '"long"': "strategy.long",
    '"short"': "strategy.short",
    "long": "strategy.long",
    "short": "strategy.short",
}
"""The directions of an order in earlier versions and by habit."""
_TEXTS = frozenset("text message msg comment alert_message tooltip title value formatString".split())
"""Parameters of built-ins that show a text to people."""


def _is_a_text(function: str, parameter: str) -> bool:
    return parameter in _TEXTS or function.startswith(("str.", "operator")) or reference.function(function) is None


_ORDERING = frozenset({"operator <", "operator >", "operator <=", "operator >="})
"""Comparison operators. A bool operand comes from a chain such as `1 < x < 5`, and converting it to a number is
wrong."""
_NEVER_BOOL = frozenset({"na", "nz", "fixnan"})


def _swapped(facts: Facts, diagnostic: Diagnostic, given: str) -> Iterator[Candidate]:
    """Propose another order for the arguments of a call such as `ta.sma(14, close)`.

    The exchange is proven if there are only two arguments, and the wrong one is not a constant number that may have
    been meant in another form (`3.0` for 3).
    """
    found = facts.call_at(diagnostic.span.start)
    if found is None:
        return
    call, offset = found
    positional = [item for item in call.arguments if not isinstance(item, nodes.NamedArgument)]
    wrong = next((item for item in positional if offset + item.start == diagnostic.span.start), None)
    if wrong is None:
        return
    proven = len(positional) == 2 and (given.startswith("series") or given.rpartition(" ")[2] not in ("int", "float"))
    for other in positional:
        if other is not wrong and _fit(facts, call, positional, wrong, other):
            one, two = facts.line_of(wrong, offset), facts.line_of(other, offset)
            if one is not None and two is not None:
                yield from facts.candidate(
                    "swap the two arguments", partial(_swap, (wrong, two), (other, one)), safe=proven
                )


def _fit(facts: Facts, call: nodes.Call, given: Sequence[nodes.Node], one: nodes.Node, other: nodes.Node) -> bool:
    """Whether all arguments `given` have suitable types after two of them are exchanged."""
    changed: dict[nodes.Node, nodes.Node] = {one: other, other: one}
    return all(_takes(facts, call, place, changed.get(item, item)) for place, item in enumerate(given))


def _takes(facts: Facts, call: nodes.Call, place: int, argument: nodes.Node) -> bool:
    """Whether the called function accepts a value of the type of `argument` at the position `place`, as far as is
    known."""
    function = reference.function(dotted(call.callee) or "")
    type_ = facts.program.type_of(argument)
    if function is None or type_ is None:
        return True
    base = type_.base.name
    wanted = [overload.parameters[place].type for overload in function.overloads if place < len(overload.parameters)]
    return any({base, "float" if base == "int" else base} & set(re.findall(r"\w+", text)) for text in wanted)


def _swap(one: tuple[nodes.Node, str], two: tuple[nodes.Node, str], edits: TreeEdits) -> None:
    edits.replace(*one)
    edits.replace(*two)


def _joined(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose to convert a number that is added to a string."""
    for node, offset in reversed(list(facts.around(diagnostic.span.start))):
        if isinstance(node, nodes.Binary) and node.operator == "+":
            for side in (node.left, node.right):
                yield from _converted(facts, side, offset, "string", "float")
            return


def _converted(facts: Facts, node: nodes.Node, offset: int, expected: str, given: str) -> Iterator[Candidate]:
    start, end = offset + node.start, offset + node.end
    inside = facts.text[start:end]
    number = re.fullmatch(r"([\"'])(-?\d+(\.\d+)?)\1", inside)
    if number and re.search(r"\b(?:float|int)$", expected):
        yield replacement("write the number without quotation marks", start, end, number[2], safe=True)
    color = re.fullmatch(r"([\"'])(#[0-9A-Fa-f]{6}(?:[0-9A-Fa-f]{2})?)\1", inside)
    if color and re.search(r"\bcolor$", expected):
        yield replacement("write the colour without quotation marks", start, end, color[2], safe=True)
    named = re.fullmatch(r"([\"'])(\w+)\1", inside)
    if named and re.search(r"\bcolor$", expected) and named[2].lower() in reference.members("color"):
        yield replacement(f"write 'color.{named[2].lower()}'", start, end, f"color.{named[2].lower()}", safe=True)
    if named:
        for constant in _constants_called(named[2], expected):
            yield replacement(f"write '{constant}'", start, end, constant, safe=True)
    if re.fullmatch(r"\d+", inside) and re.search(r"\bstring$", expected) and given == "int":
        yield replacement("write the number in quotation marks", start, end, f'"{inside}"')
    if named and re.search(r"\b(?:float|int)$", expected):
        meant = f"dayofweek.{named[2].lower()}"
        if reference.variable(named[2]) is not None:
            yield replacement(f"write '{named[2]}' without quotation marks", start, end, named[2], safe=True)
            return
        if reference.constant(meant) is not None:
            yield replacement(f"write '{meant}'", start, end, meant, safe=True)
            return
    if named and named[2].lower() in ("true", "false") and re.search(r"\bbool$", expected):
        yield replacement(f"write '{named[2].lower()}'", start, end, named[2].lower(), safe=True)
    if inside in ("0", "1") and re.search(r"\bbool$", expected):
        yield replacement(f"write '{_TRUTH[inside]}'", start, end, _TRUTH[inside], safe=True)
        return
    if re.fullmatch(r"\d+(?:-\d+)+", inside) and expected.endswith("string"):
        yield replacement("write it in quotation marks", start, end, f'"{inside}"', safe=True)
        return
    if given == "string" and isinstance(node, nodes.Literal):
        return  # a text that is not a number cannot be converted to one
    for want, have, form, title in _CONVERSIONS:
        if re.search(rf"\b(?:{want})$", expected) and re.fullmatch(have, given):
            yield replacement(title, start, end, form.format(inside))


_TRUTH = {"0": "false", "1": "true"}


def _constants_called(text: str, expected: str) -> list[str]:
    """The constants of a special type whose name is the text (`plot.style_line` for `"line"`)."""
    base = expected.rpartition(" ")[2]
    if base in ("string", "int", "float", "bool", "color"):
        return []
    known = ((name, reference.constant(name)) for name in reference.constants())
    short = (text.lower(), f"style_{text.lower()}", f"linestyle_{text.lower()}")
    return [name for name, found in known if found and found.type.endswith(base) and name.rpartition(".")[2] in short]


def _given_twice(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose to remove the later of two arguments for the same parameter."""
    found = facts.call_at(diagnostic.span.start)
    if found is None:
        return
    call, _ = found
    name = diagnostic.value("argName")
    given = [item for item in call.arguments[1:] if isinstance(item, nodes.NamedArgument) and item.name == name]
    if given:
        yield from facts.candidate(f"remove the second '{name}'", lambda edits: edits.remove(given[-1]))


def _field_history(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose a replacement for `object.field[n]`.

    If possible, a new variable holds the field on every bar, and its history is read. If no such variable can be
    declared, as in a function, the history of the object is read, with a test for na because the first bars have no
    earlier object.
    """
    statement: nodes.Node | None = None
    for node, offset in facts.around(diagnostic.span.start):
        statement = node if statement is None else statement
        member = node.object if isinstance(node, nodes.History) else None
        while isinstance(member, nodes.Parenthesized):
            member = member.expression
        if not isinstance(node, nodes.History) or not isinstance(member, nodes.Member):
            continue
        owner, bars = facts.line_of(member.object, offset), facts.line_of(node.offset, offset)
        if owner is None or bars is None:
            return
        field, nothing = member.name, _nothing_of(facts, member)
        if _holds_on_every_bar(member.object, statement):
            name = facts.free_name(field, offset + node.start)
            value = f"{owner}.{field}"
            if dotted(member.object) is not None and not _is_made_at_once(facts, owner):
                value = f"na({owner}) ? {nothing} : {value}"
            changes = partial(_kept_first, statement, node, f"{name} = {value}", f"{name}[{bars}]")
            yield from facts.candidate(f"keep the field on every bar, as '{name}'", changes, safe=True, certain=True)
        elif dotted(member.object) is not None:
            change = f"(na({owner}[{bars}]) ? {nothing} : ({owner}[{bars}]).{field})"
            title = "read the history of the object if there is one"
            yield from facts.candidate(title, replacing(node, change))
        return


def _holds_on_every_bar(owner: nodes.Node, statement: nodes.Node) -> bool:
    """Whether `owner` has the same value directly before the outermost statement `statement`: the statement does not
    declare or assign any of its names."""
    if isinstance(statement, nodes.FunctionDeclaration):
        return False
    used = {node.id for node in walk(owner) if isinstance(node, nodes.Name)}
    changed: set[str] = set()
    for node in walk(statement):
        match node:
            case nodes.VariableDeclaration():
                changed.add(node.name.id)
            case nodes.TupleDeclaration():
                changed |= {name.id for name in node.names}
            case nodes.ForTo():
                changed.add(node.counter.id)
            case nodes.ForIn():
                changed |= {name.id for name in (node.index, node.element) if name is not None}
            case nodes.Reassignment():
                changed |= {name.id for name in walk(node.target) if isinstance(name, nodes.Name)}
            case _:
                continue
    return not used & changed


def _is_made_at_once(facts: Facts, owner: str) -> bool:
    """Whether the object named `owner` is made in its declaration and never replaced, so that it is never `na`."""
    if owner in facts.assigned:
        return False
    declared = [node.value for node, _ in facts.declarations.get(owner, ())]
    return bool(declared) and all(
        isinstance(value, nodes.Call) and (dotted(value.callee) or "").endswith(".new") for value in declared
    )


def _nothing_of(facts: Facts, member: nodes.Member) -> str:
    """The value of a field if there is no object: `false` if every field with that name is a bool, otherwise `na`."""
    fields = [
        field
        for declaration in facts.types.values()
        if isinstance(declaration, nodes.TypeDeclaration)
        for field in declaration.fields
        if field.name.id == member.name
    ]
    return "false" if fields and all(_is_bool(field) for field in fields) else "na"


def _is_bool(field: nodes.Field) -> bool:
    if field.type is None:
        return isinstance(field.default, nodes.Literal) and field.default.text in ("true", "false")
    return dotted(field.type.name) == "bool"


def _kept_first(statement: nodes.Node, node: nodes.Node, declared: str, change: str, edits: TreeEdits) -> None:
    edits.insert_before(statement, declared)
    edits.replace(node, change)


def _thin_line(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    text, (start, end) = facts.text, diagnostic.span
    match = re.search(r"-?\d+$", text[start:end])
    if match:
        yield replacement("write 1", start + match.start(), end, "1")


def _declaration_at(facts: Facts, diagnostic: Diagnostic) -> tuple[nodes.VariableDeclaration, int] | None:
    """The innermost declaration without a type around the start of the finding; None if there is none."""
    found: tuple[nodes.VariableDeclaration, int] | None = None
    for node, offset in facts.around(diagnostic.span.start):
        if isinstance(node, nodes.VariableDeclaration) and node.type is None:
            found = node, offset
    return found


def _later_types(facts: Facts, name: str) -> list[str]:
    found: list[str] = []
    for node, offset in facts.reassignments.get(name, ()):
        value = facts.text[offset + node.value.start : offset + node.value.end]
        for pattern, kind in _TYPE_SIGNS:
            match = re.search(pattern, value)
            if match:
                found.append(kind or match[0].partition(".")[0])
                break
        else:
            found.append("float")
    return list(dict.fromkeys(found))


def _reserved(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose an underscore after a keyword that is used as a name, wherever it occurs in the script."""
    word = values_of(diagnostic).get("keyword", "").strip('"')
    if not re.fullmatch(r"\w+", word):
        return
    text, comments = facts.text, facts.document.comments
    edits = tuple(
        Edit(Span(match.start(), match.end()), f"{word}_")
        for match in re.finditer(rf"(?<![\w.\"'#]){word}(?![\w\"'])", text)
        if not any(comment.start <= match.start() < comment.end for comment in comments)
    )
    if edits:
        yield Candidate(f"call it '{word}_'", edits)


BY_CODE: dict[str, Callable[[Facts, Diagnostic], Iterable[Candidate]]] = {
    "CE10097": _untyped_na,
    "CE10101": _wrong_condition,
    "CE10122": _wrong_argument,
    "CE10123": _wrong_argument,
    "CE10147": _type_form,
    "CE10150": _reserved,
    "CE10169": _untyped_parameter,
    "CE10173": _wrong_assignment,
    "PB0002": _unknown_version,
    "CE10243": _no_declaration,
    "CE10072": _given_twice,
    "CE10290": _field_history,
    "linewidth-too-small": _thin_line,
    "CE10187": _na_comparison,
    "short-title-too-long": _short_title,
    "version-missing": _no_version,
}
"""The function that proposes fixes for each code."""
