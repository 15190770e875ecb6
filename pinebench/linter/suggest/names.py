"""Fixes for names: misspelled names, names of earlier versions, and `=` instead of `:=` or `:=` instead of `=`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pinebench import reference
from pinebench.checker import TYPE_KEYWORDS, in_another_namespace, owners_of_method, spelling
from pinebench.linter import usage
from pinebench.linter.suggest.candidate import Candidate, dotted, replacement, values_of
from pinebench.linter.suggest.places import not_begun, of_its_place
from pinebench.linter.suggest.types import tested_with_na
from pinebench.reference.foreign import ELSEWHERE, FOREIGN
from pinebench.reference.successors import COMPOSED, DOCUMENTED, SAME, VALUES, successor, within_a_namespace
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.linter.suggest.facts import Facts

_FOREIGN_VALUES = {
    **dict.fromkeys(("True", "TRUE"), "true"),
    **dict.fromkeys(("False", "FALSE"), "false"),
    **dict.fromkeys(("None", "null", "NULL", "nil", "NaN", "nan", "NA", "undefined"), "na"),
}
"""Values in the spelling of other languages."""
_NEW = frozenset({"range"})
"""Names in a namespace that no earlier version had without the namespace."""
_TYPE_WORDS = {
    "integer": "int",
    "double": "float",
    "boolean": "bool",
    "str": "string",
    "String": "string",
    "colour": "color",
    "point": "chart.point",
}


def _undeclared(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose other names, or a declaration, for a name that is not declared."""
    name = values_of(diagnostic).get("identifier", "")
    place = _place(facts.text, diagnostic, name)
    if place is None:
        return
    if name in FOREIGN:
        return
    if name in _FOREIGN_VALUES:
        yield from _foreign_value(facts, place, _FOREIGN_VALUES[name])
        return
    yield from not_begun(facts, place, name)
    assigned = facts.assigned.get(name)
    if assigned is not None and assigned != place[0]:
        # A fix of that assignment fixes this finding too.
        return
    if assigned is not None:
        yield from _declared_here(facts, place, name)
    if "." in name:
        yield from _moved(facts, place, name)
        yield from _member_misspelled(facts, place, name, functions=False)
        return
    yield from of_its_place(facts, place, name)
    if name in facts.values:
        # The name itself exists, in a block or further down: another variable would be traded by mistake.
        return
    yield from _declaration_misspelled(facts, name, facts.uses[name])
    if assigned is None:
        yield from _moved(facts, place, name)
    known = [known for known in reference.variables() if "." not in known]
    yield from _misspelled(facts, place, name, [*facts.values, *known])
    yield from _without_namespace(place, name, (*reference.variables(), *reference.constants()))


def _unknown_function(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose other names for a call of something that is not a function."""
    values = values_of(diagnostic)
    name = values.get("fullName", "")
    if values.get("kind", "").startswith("method"):
        yield from _unknown_method(facts, diagnostic, f"{diagnostic.value('owner')}.{name.rpartition('.')[2]}")
        return
    place = _place(facts.text, diagnostic, name)
    if place is None:
        return
    if name == "range":
        yield from _counted(facts, diagnostic)
    if name == "iff":
        yield from _ternary(facts, diagnostic)
    if name in ELSEWHERE or name in FOREIGN:
        return
    if reference.variable(name) or reference.constant(name):
        if facts.text.startswith("()", place[1]):
            yield replacement(f"write '{name}' without parentheses", place[1], place[1] + 2, "", safe=True)
        return
    meant = _of_a_collection(facts, diagnostic, name)
    if meant is not None:
        yield replacement(f"write '{meant}'", *place, meant, meant=meant)
        return
    yield from _moved(facts, place, name, called=True)
    if "." in name and name.partition(".")[0] not in facts.types:
        yield from _member_misspelled(facts, place, name, functions=True)
        return
    if "." not in name:
        for space in ("ta", "math", "str", "request", "array"):
            if name in reference.members(space):
                yield replacement(f"write '{space}.{name}'", *place, f"{space}.{name}")
    yield from _declaration_misspelled(facts, name, facts.uses[name])
    known = [known for known in reference.functions() if "." not in known]
    yield from _misspelled(facts, place, name, [*facts.callables, *known])
    yield from _without_namespace(place, name, reference.functions())


def _ternary(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose `condition ? one : other` for the function `iff()` of Pine v4."""
    found = facts.call_at(diagnostic.span.start, "iff")
    if found is None or len(found[0].arguments) != 3:
        return
    call, offset = found
    given = [facts.line_of(argument, offset) for argument in call.arguments]
    if any(isinstance(argument, nodes.NamedArgument) for argument in call.arguments) or None in given:
        return
    parts = [
        f"({text})" if isinstance(argument, nodes.Ternary) else str(text)
        for argument, text in zip(call.arguments, given, strict=True)
    ]
    text = f"{parts[0]} ? {parts[1]} : {parts[2]}"
    around = [node for node, _ in facts.around(offset + call.start)]
    above = around[around.index(call) - 1] if call in around[1:] else None
    if isinstance(above, nodes.Binary | nodes.Unary | nodes.Ternary | nodes.History | nodes.Member):
        text = f"({text})"
    yield replacement("write it with '?' and ':'", offset + call.start, offset + call.end, text)


def _of_a_collection(facts: Facts, diagnostic: Diagnostic, name: str) -> str | None:
    """The function of arrays, matrices or maps with the short name `name` that fits the first argument; None if there
    is none."""
    found = facts.call_at(diagnostic.span.start)
    if found is None or not found[0].arguments or dotted(found[0].callee) != name:
        return None
    type_ = facts.program.type_of(found[0].arguments[0])
    meant = f"{type_.base.kind}.{name}" if type_ is not None else ""
    return meant if reference.function(meant) is not None else None


def _without_namespace(place: tuple[int, int], name: str, known: Iterable[str]) -> Iterator[Candidate]:
    """Propose the full name for a name without its namespace or its dot."""
    meant = within_a_namespace(name, known)
    if meant is not None:
        yield replacement(f"write '{meant}'", *place, meant, meant=meant)


def _counted(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose a counting loop for `for i in range(n)` of other languages, which does not include the end."""
    for node, offset in facts.around(diagnostic.span.start):
        call = node.collection if isinstance(node, nodes.ForIn) else None
        if not isinstance(node, nodes.ForIn) or not isinstance(call, nodes.Call) or node.index is not None:
            continue
        given = [facts.line_of(argument, offset) for argument in call.arguments]
        if not 1 <= len(given) <= 3 or any(text is None for text in given):
            return
        texts = [text for text in given if text is not None]
        first, end = ("0", texts[0]) if len(texts) == 1 else texts[:2]
        step = texts[2] if len(texts) == 3 else ""
        last = _beside(end, 1 if step.startswith("-") else -1)
        by = f" by {step.removeprefix('-')}" if step else ""
        begin, close = offset + node.element.start, offset + call.end
        head = f"{node.element.id} = {first} to {last}{by}"
        yield replacement(f"count with 'for {head}', both ends included", begin, close, head)
        return


def _beside(end: str, step: int) -> str:
    """The whole number after `end` if `step` is 1, or before it if `step` is -1; computed if `end` is a number."""
    if re.fullmatch(r"-?\d+", end):
        return str(int(end) + step)
    simple = re.fullmatch(r"[\w.]+(?:\([^()]*\))?", end)
    return f"{end if simple else f'({end})'} {'+' if step > 0 else '-'} 1"


def _unknown_method(facts: Facts, diagnostic: Diagnostic, name: str) -> Iterator[Candidate]:
    owner, _, short = name.rpartition(".")
    place = facts.text.find(short, diagnostic.span.start)
    if place < 0 or not short:
        return
    renamed = successor(name)
    if renamed is not None:
        meant = renamed.rpartition(".")[2]
        yield replacement(f"write '{meant}'", place, place + len(short), meant, safe=name in SAME, meant=meant)
    yield from _declaration_misspelled(facts, short, facts.members[short])
    # The type may include its type template: `array<float>`.
    kind = owner.partition("<")[0]
    if owners_of_method(short, kind) and short not in facts.functions:
        return  # a method of another type is not a misspelled method of this type
    known = {*reference.methods(kind), *facts.functions}
    for meant in spelling.nearest(short, known):
        repeated = facts.members[short] > 1 and (meant in facts.own or facts.members[meant] > 0)
        sure = not repeated and spelling.is_proof(short, meant, known, spelling.NUMERIC)
        yield replacement(f"write '{meant}'", place, place + len(short), meant, safe=sure, meant=meant)


def _unknown_type(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose types for a word where a type is required."""
    word = diagnostic.value("X")
    place = _place(facts.text, diagnostic, word)
    if place is None:
        return
    if word == "let":
        yield replacement("remove 'let'", place[0], place[1] + 1, "", safe=True)
        return
    if word in _TYPE_WORDS:
        yield replacement(f"write '{_TYPE_WORDS[word]}'", *place, _TYPE_WORDS[word], safe=True)
        return
    yield from _type_behind(facts.text, place, word)
    yield from _declaration_misspelled(facts, word, facts.uses[word])
    known = {*facts.types, *reference.types(), *TYPE_KEYWORDS}
    behind = facts.text[place[1] : place[1] + 2]
    for meant in spelling.nearest(word, known):
        repeated = facts.uses[word] > 1 and meant in facts.types
        sure = not repeated and _is_type_slip(word, meant, known, behind)
        yield replacement(f"write '{meant}'", *place, meant, safe=sure, meant=meant)


def _type_behind(text: str, place: tuple[int, int], word: str) -> Iterator[Candidate]:
    """Propose `float price` for `price float` of other languages."""
    behind = re.compile(rf"[ \t]*:?[ \t]+({'|'.join(sorted(TYPE_KEYWORDS))})\b(?!\.)").match(text, place[1])
    if behind is not None:
        yield replacement("write the type before the name", place[0], behind.end(), f"{behind[1]} {word}")


def _is_type_slip(word: str, meant: str, known: Iterable[str], behind: str) -> bool:
    """Whether `word` can only be a misspelling of the type `meant`; there are so few types that short ones can be told
    apart too."""
    kind = spelling.slip(word, meant)
    if kind in (None, spelling.Slip.FIGURE) or (kind is spelling.Slip.OTHER and len(meant) < len("line")):
        return False
    # The letter may belong to the next name (`floa tx`, `floatx =`).
    moved = word[:-1] == meant or (kind is spelling.Slip.END and behind.lstrip().startswith(meant[-1]))
    return not moved and not any(spelling.slip(word, other) for other in known if other != meant)


def _unknown_field(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose other names for a field that the object does not have."""
    name = values_of(diagnostic).get("fieldName", "").strip("'\"")
    match = re.compile(rf"\.\s*({re.escape(name)})\b").search(facts.text, diagnostic.span.start) if name else None
    if match is None:
        return
    yield from _declaration_misspelled(facts, name, facts.members[name])
    for meant in spelling.nearest(name, facts.fields):
        sure = facts.members[name] < 2 and spelling.is_proof(name, meant, facts.fields, spelling.OPEN)
        yield replacement(f"write '{meant}'", match.start(1), match.end(1), meant, safe=sure, meant=meant)


def _already_defined(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose `:=` for a second `=` with the same name."""
    for node, offset in facts.around(diagnostic.span.start):
        if isinstance(node, nodes.VariableDeclaration) and offset + node.start >= diagnostic.span.start - 200:
            yield from _assigned(facts.text, node, offset)


def _shadowing(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose `:=` for a local `=` with the name of an outer variable."""
    yield from _already_defined(facts, diagnostic)


def _assigned(text: str, node: nodes.VariableDeclaration, offset: int) -> Iterator[Candidate]:
    if node.mode or node.exported:
        return
    place = text.find("=", offset + node.name.end)
    if text[place : place + 3] in ("=+ ", "=- "):
        sign = text[place + 1]
        yield replacement(f"change the variable with '{sign}='", place, place + 2, f"{sign}=")
    elif place >= 0:
        start = offset + node.start if node.type is not None else place
        change = f"{node.name.id} :=" if node.type is not None else ":="
        yield replacement("change the variable with ':='", start, place + 1, change)


def _declared_here(facts: Facts, place: tuple[int, int], name: str) -> Iterator[Candidate]:
    """Propose `=` for `name := value` if the name is not declared before."""
    for node, offset in facts.around(place[0]):
        if (
            isinstance(node, nodes.Reassignment)
            and isinstance(node.target, nodes.Name)
            and offset + node.target.start == place[0]
            and node.operator == ":="
        ):
            start = offset + node.operator_start
            sure = _can_begin_here(facts, place, name)
            yield replacement("declare the variable with '='", start, start + 2, "=", safe=sure)


def _can_begin_here(facts: Facts, place: tuple[int, int], name: str) -> bool:
    """Whether `name` can only be a variable that begins at `place`.

    Such a variable would have a new value on each bar and end with its block. So it must be in the outermost block of
    the script or a function, must not be read before `place`, and must not be used with the history operator. No
    similar name may be declared in the script, because that could be its misspelled declaration.
    """
    around = [outer for outer, _ in facts.around(place[0]) if not isinstance(outer, nodes.Name | nodes.Reassignment)]
    open_to_all = not around or (len(around) == 1 and isinstance(around[0], nodes.FunctionDeclaration))
    if not open_to_all or name in facts.looked_back or facts.places[name][0] != place[0]:
        return False
    statement = next((node for node, _ in facts.around(place[0]) if isinstance(node, nodes.Reassignment)), None)
    if statement is None or any(isinstance(node, nodes.Name) and node.id == name for node in walk(statement.value)):
        return False
    others = facts.own - {name}
    return not any(_may_be_called(other, name) for other in others)


def _may_be_called(other: str, name: str) -> bool:
    """Whether `other` may be `name` misspelled, joined with another word, or cut in two."""
    return (
        spelling.slip(other, name) is not None
        or name in other
        or (len(other) > 1 and (name.startswith(other) or name.endswith(other)))
        or bool(spelling.nearest(name, [other]))
    )


def _foreign_value(facts: Facts, place: tuple[int, int], meant: str) -> Iterator[Candidate]:
    """Propose Pine's value for a value such as `True` of other languages; a comparison with a word for `na` becomes a
    call of `na()`."""
    for node, offset in facts.around(place[0]):
        if meant == "na" and isinstance(node, nodes.Binary) and node.operator in ("==", "!="):
            for side, other in ((node.left, node.right), (node.right, node.left)):
                if offset + side.start == place[0] and offset + side.end == place[1]:
                    yield from tested_with_na(facts, node, other, offset)
    yield replacement(f"write '{meant}'", *place, meant, safe=True, certain=True)


def _moved(facts: Facts, place: tuple[int, int], name: str, *, called: bool = False) -> Iterator[Candidate]:
    """Propose the successor of an old name."""
    renamed = VALUES.get(name) if not called else None
    renamed = renamed or (successor(name) if name not in COMPOSED else None)
    if renamed is None:
        return
    # A value without a namespace may also be a variable whose declaration is missing.
    documented = name in DOCUMENTED or (renamed in (f"ta.{name}", f"math.{name}") and name not in _NEW)
    space, dot, _ = name.rpartition(".")
    known = (f"{space}.{member}" for member in reference.members(space)) if dot else facts.own
    alone = not any(spelling.slip(name, other) for other in known if other != renamed)
    sure = alone and (name in SAME or (documented and (called or "." in name)))
    title = f"write '{renamed}', as it is called in v6"
    yield replacement(title, *place, renamed, safe=sure, certain=sure, meant=renamed)


def _member_misspelled(facts: Facts, place: tuple[int, int], name: str, *, functions: bool) -> Iterator[Candidate]:
    """Propose a similar member of the namespace (`ta.smaa`), or the same member of a similar namespace (`colr.red`)."""
    if name in COMPOSED:
        return
    space, _, short = name.rpartition(".")
    members = reference.members(space)
    needed = spelling.NUMERIC if space in ("ta", "math") else spelling.CLOSED
    other = in_another_namespace(space, short) if functions else None
    if other is not None:
        yield replacement(f"write '{other}'", *place, other, meant=other)
        return
    longer = spelling.goes_on(short, members)
    for right in longer:
        yield replacement(f"write '{space}.{right}'", *place, f"{space}.{right}", meant=f"{space}.{right}")
    if longer:
        return
    for meant in usage.nearest(name):
        owner, _, right = meant.rpartition(".")
        if owner == space:
            sure = spelling.is_proof(short, right, members, needed)
        else:
            sure = not members and right == short and _is_namespace_slip(facts, space, owner, short)
        sure = sure and bool(reference.function(meant)) == functions
        yield replacement(f"write '{meant}'", *place, meant, safe=sure, meant=meant)


def _is_namespace_slip(facts: Facts, written: str, meant: str, member: str) -> bool:
    """Whether `written` before `member` can only be a misspelling of the namespace `meant`. No other namespace with
    that member and no name of the script may be as similar, and `written` must occur only once."""
    first = written.partition(".")[0]
    if facts.uses[first] > 1 or spelling.slip(written, meant) in (None, spelling.Slip.FIGURE):
        return False
    having = (space for space in reference.namespaces() if member in reference.members(space))
    near = [space for space in having if spelling.slip(written, space)]
    return near == [meant] and not any(_may_be_called(other, first) for other in (*facts.own, *facts.imports))


def _declaration_misspelled(facts: Facts, name: str, uses: int) -> Iterator[Candidate]:
    """Propose to rename a declaration that is never used, if a similar undeclared name is used several times."""
    if uses < 2:
        return
    for meant in spelling.nearest(name, facts.unused, 1):
        slipped = spelling.is_proof(meant, name, facts.own - {meant}, spelling.OPEN)
        if slipped and not facts.is_another_word(meant, name, 1) and not _has_rival(facts, name, meant):
            title = f"declare it as '{name}', as it is called elsewhere"
            yield replacement(title, *facts.unused[meant], name, safe=True, certain=True, meant=name)


def _has_rival(facts: Facts, name: str, meant: str) -> bool:
    """Whether a declared name other than `meant`, or a built-in variable, may have been misspelled as `name`."""
    known = (known for known in reference.variables() if "." not in known)
    return any(
        other != meant and (_may_be_called(other, name) if other in facts.own else spelling.slip(name, other))
        for other in (*facts.own, *known)
    )


def _misspelled(facts: Facts, place: tuple[int, int], name: str, known: list[str]) -> Iterator[Candidate]:
    """Propose names of the script and of Pine that are similar to `name`.

    A typing error happens once. If the name occurs several times, and the similar name is used too, it is probably
    another name.
    """
    others = {*known, *facts.own}
    for meant in spelling.nearest(name, dict.fromkeys(known)):
        repeated = facts.uses[name] > 1 and (meant in facts.own or facts.uses[meant] > 0)
        word = facts.is_another_word(name, meant, facts.uses[name])
        sure = not repeated and not word and spelling.is_proof(name, meant, others, spelling.OPEN)
        yield replacement(f"write '{meant}'", *place, meant, safe=sure, meant=meant)


def _place(text: str, diagnostic: Diagnostic, name: str) -> tuple[int, int] | None:
    """The start and end of `name` at the finding; None if it is not there."""
    if not name:
        return None
    match = re.compile(rf"(?<![\w.]){re.escape(name)}(?!\w)").search(text, diagnostic.span.start)
    if match is None or match.start() > max(diagnostic.span.end, diagnostic.span.start + 200):
        return None
    return match.start(), match.end()


BY_CODE: dict[str, Callable[[Facts, Diagnostic], Iterable[Candidate]]] = {
    "CE10095": _already_defined,
    "CE10149": _unknown_type,
    "CE10198": _unknown_field,
    "CE10271": _unknown_function,
    "CE10272": _undeclared,
    "CW10013": _shadowing,
}
"""The function that proposes fixes for each code."""
