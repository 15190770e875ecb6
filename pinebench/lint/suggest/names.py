"""Fixes for names: misspelled ones, those of earlier versions, and `=` where `:=` was meant or the other way round."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from pinebench import reference
from pinebench.lint import builtins
from pinebench.lint.suggest.candidate import Candidate, every_node, nodes_at, replacement, values_of
from pinebench.reference.successors import COMPOSED, successor
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pinebench.check import Program
    from pinebench.diagnostics import Diagnostic
    from pinebench.syntax import Snapshot

LONG_NAME = 4
"""Letters; in a longer name one wrong letter leaves no doubt about which name was meant."""

_FOREIGN_VALUES = {
    **dict.fromkeys(("True", "TRUE"), "true"),
    **dict.fromkeys(("False", "FALSE"), "false"),
    **dict.fromkeys(("None", "null", "NULL", "nil", "NaN", "nan", "NA", "undefined"), "na"),
}
"""Values as other languages write them."""
_DOUBTFUL = frozenset({"ta.ma", "ta.stdev_sample", "array.count"})
"""Names with a successor that may compute something else."""
_TYPE_WORDS = {
    "integer": "int",
    "number": "float",
    "double": "float",
    "boolean": "bool",
    "str": "string",
    "String": "string",
    "colour": "color",
}


def _undeclared(program: Program, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """A name that nothing declares."""
    name = values_of(diagnostic).get("identifier", "")
    place = _place(program.document.text, diagnostic, name)
    if place is None:
        return
    if name in _FOREIGN_VALUES:
        yield from _foreign_value(program.document, place, _FOREIGN_VALUES[name])
        return
    assigned = _first_assignment(program.document, name)
    if assigned is not None and assigned != place[0]:
        # Mending that assignment mends this too.
        return
    yield from _declared_here(program.document, place, name)
    own = _own_names(program.document, functions=False)
    known = [known for known in builtins.names() if "." not in known and not reference.function(known)]
    yield from _renamed(place, name, own, known)


def _unknown_function(program: Program, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """A call of something that is no function."""
    values = values_of(diagnostic)
    name = values.get("fullName", "")
    document = program.document
    if values.get("kind", "").startswith("method"):
        yield from _unknown_method(document, diagnostic, f"{diagnostic.value('owner')}.{name.rpartition('.')[2]}")
        return
    place = _place(document.text, diagnostic, name)
    if place is not None:
        yield from _renamed(place, name, _own_names(document, functions=True), reference.functions(), functions=True)


def _unknown_method(document: Snapshot, diagnostic: Diagnostic, name: str) -> Iterator[Candidate]:
    short = name.rpartition(".")[2]
    place = document.text.find(short, diagnostic.span.start)
    if place < 0 or not short:
        return
    renamed = successor(name)
    if renamed is not None:
        meant = renamed.rpartition(".")[2]
        yield replacement(f"write '{meant}'", place, place + len(short), meant, safe=True)
    types = {function.partition(".")[0] for function in reference.functions() if "." in function}
    known = {method for owner in types for method in reference.methods(owner)}
    for meant in builtins.nearest(short, [*_own_names(document, functions=True), *known]):
        yield replacement(f"write '{meant}'", place, place + len(short), meant, safe=_is_evident(short, meant, ()))


def _unknown_type(program: Program, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """A word where a type must stand."""
    text = program.document.text
    word = diagnostic.value("X")
    place = _place(text, diagnostic, word)
    if place is None:
        return
    if word == "let":
        yield replacement("remove 'let'", place[0], place[1] + 1, "", safe=True)
        return
    own = [
        node.name.id
        for node, _ in every_node(program.document)
        if isinstance(node, nodes.TypeDeclaration | nodes.EnumDeclaration)
    ]
    meant = [_TYPE_WORDS[word]] if word in _TYPE_WORDS else builtins.nearest(word, [*own, *reference.types()])
    for name in meant:
        yield replacement(f"write '{name}'", *place, name, safe=True)


def _unknown_field(program: Program, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """A field that the object does not have."""
    name = values_of(diagnostic).get("fieldName", "").strip("'\"")
    text = program.document.text
    match = re.compile(rf"\.\s*({re.escape(name)})\b").search(text, diagnostic.span.start) if name else None
    if match is None:
        return
    fields = {
        node.name.id for node, _ in every_node(program.document) if isinstance(node, nodes.Field | nodes.EnumField)
    }
    for meant in builtins.nearest(name, fields):
        yield replacement(
            f"write '{meant}'", match.start(1), match.end(1), meant, safe=_is_evident(name, meant, fields)
        )


def _already_defined(program: Program, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """A second `=` for the same name: `:=` was meant."""
    for node, base in nodes_at(program.document, diagnostic.span.start):
        if isinstance(node, nodes.VariableDeclaration) and base + node.start >= diagnostic.span.start - 200:
            yield from _assigned(program.document.text, node, base)


def _shadowing(program: Program, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """A local `=` for an outer variable: `:=` may have been meant."""
    yield from _already_defined(program, diagnostic)


def _assigned(text: str, node: nodes.VariableDeclaration, base: int) -> Iterator[Candidate]:
    if node.mode or node.exported:
        return
    place = text.find("=", base + node.name.end)
    if place >= 0:
        start = base + node.start if node.type is not None else place
        change = f"{node.name.id} :=" if node.type is not None else ":="
        yield replacement("change the variable with ':='", start, place + 1, change)


def _declared_here(document: Snapshot, place: tuple[int, int], name: str) -> Iterator[Candidate]:
    """`name := value` where nothing declared the name: `=` was meant."""
    for node, base in nodes_at(document, place[0]):
        if (
            isinstance(node, nodes.Reassignment)
            and isinstance(node.target, nodes.Name)
            and node.target.id == name
            and base + node.target.start == place[0]
            and node.operator == ":="
        ):
            start = base + node.operator_start
            around = [outer for outer, _ in nodes_at(document, place[0]) if outer.start < node.start]
            # Inside a block a new variable would end with it.
            open_to_all = not around or (len(around) == 1 and isinstance(around[0], nodes.FunctionDeclaration))
            yield replacement("declare the variable with '='", start, start + 2, "=", safe=open_to_all)


def _foreign_value(document: Snapshot, place: tuple[int, int], meant: str) -> Iterator[Candidate]:
    """`True` and the like; a comparison with what means `na` becomes a test."""
    text = document.text
    for node, base in nodes_at(document, place[0]):
        if meant == "na" and isinstance(node, nodes.Binary) and node.operator in ("==", "!="):
            for side, other in ((node.left, node.right), (node.right, node.left)):
                if base + side.start == place[0] and base + side.end == place[1]:
                    test = f"na({text[base + other.start : base + other.end]})"
                    change = test if node.operator == "==" else f"not {test}"
                    yield replacement(
                        "test with na()", base + node.start, base + node.end, change, safe=True, certain=True
                    )
    yield replacement(f"write '{meant}'", *place, meant, safe=True, certain=True)


def _first_assignment(document: Snapshot, name: str) -> int | None:
    """Where the script first changes `name` with `:=` or the like, or None."""
    for node, base in every_node(document):
        if isinstance(node, nodes.Reassignment) and isinstance(node.target, nodes.Name) and node.target.id == name:
            return base + node.target.start
    return None


def _is_evident(written: str, meant: str, own: Iterable[str]) -> bool:
    """Whether `written` can only be a slip for `meant`.

    Names that differ in a figure are siblings; of short ones every slip makes another name, unless letters are swapped
    or doubled; and one of the script's `own` names that begins like `written` is as likely.
    """
    short, right = written.rpartition(".")[2], meant.rpartition(".")[2]
    if short.lower() == right.lower() and written.lower() == meant.lower():
        return True
    if not builtins.one_slip(written, meant) or Counter(_figures(short)) != Counter(_figures(right)):
        return False
    if any(other not in (meant, written) and other.startswith(written) for other in own):
        return False
    return len(right) > LONG_NAME or sorted(short) == sorted(right) or _undoubled(short) == _undoubled(right)


def _figures(name: str) -> str:
    return re.sub(r"[^0-9]", "", name)


def _undoubled(name: str) -> str:
    return re.sub(r"(.)\1", r"\1", name)


def _renamed(
    place: tuple[int, int], name: str, own: list[str], known: Iterable[str], *, functions: bool = False
) -> Iterator[Candidate]:
    """The successor of an old name, then names like it."""
    if name in COMPOSED:
        return
    renamed = successor(name)
    if renamed is not None:
        sure = name not in _DOUBTFUL and (functions or renamed.endswith(f".{name}"))
        yield replacement(f"write '{renamed}', as it is called in v6", *place, renamed, safe=sure, certain=sure)
    mine = builtins.nearest(name, own)
    theirs = builtins.nearest(name) if "." in name else builtins.nearest(name, known)
    if "." not in name:
        theirs += [
            f"{space}.{name}" for space in ("ta", "math", "str", "request", "array") if name in reference.members(space)
        ]
        theirs += builtins.nearest(name, [known for known in builtins.names() if known.endswith("." + name)])
    for meant in dict.fromkeys([*mine, *theirs]):
        if meant != renamed:
            yield replacement(f"write '{meant}'", *place, meant, safe=_is_evident(name, meant, own))


def _own_names(document: Snapshot, *, functions: bool) -> list[str]:
    """Names that the script itself declares: its functions and types, or everything else."""
    found: list[str] = []
    for node, _ in every_node(document):
        match node:
            case nodes.FunctionDeclaration() if functions:
                found.append(node.name.id)
            case nodes.VariableDeclaration() | nodes.Parameter() if not functions:
                found.append(node.name.id)
            case nodes.TupleDeclaration() if not functions:
                found += [name.id for name in node.names]
            case nodes.ForTo() if not functions:
                found.append(node.counter.id)
            case nodes.ForIn() if not functions:
                found += [name.id for name in (node.index, node.element) if name is not None]
            case nodes.TypeDeclaration() | nodes.EnumDeclaration() if functions:
                found += [f"{node.name.id}.new", f"{node.name.id}.copy"]
            case nodes.EnumDeclaration() if not functions:
                found += [f"{node.name.id}.{field.name.id}" for field in node.fields]
            case _:
                continue
    return list(dict.fromkeys(found))


def _place(text: str, diagnostic: Diagnostic, name: str) -> tuple[int, int] | None:
    """Where `name` stands at the finding, or None."""
    if not name:
        return None
    match = re.compile(rf"(?<![\w.]){re.escape(name)}(?!\w)").search(text, diagnostic.span.start)
    if match is None or match.start() > max(diagnostic.span.end, diagnostic.span.start + 200):
        return None
    return match.start(), match.end()


BY_CODE: dict[str, Callable[[Program, Diagnostic], Iterable[Candidate]]] = {
    "CE10095": _already_defined,
    "CE10149": _unknown_type,
    "CE10198": _unknown_field,
    "CE10271": _unknown_function,
    "CE10272": _undeclared,
    "CW10013": _shadowing,
}
"""What proposes fixes for each code."""
