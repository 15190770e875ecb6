"""The exports of a library as data: the names that scripts can use, with their descriptions."""

from __future__ import annotations

import re

from pinebench.checker import Program
from pinebench.projects.declarations import Declaration, statements
from pinebench.records import NamedTuple
from pinebench.syntax import nodes

_ANNOTATION = re.compile(r"@(\w+)[ \t]*(.*)")
_DESCRIPTION = re.compile(r"[ \t]*//[ \t]*@description\b")
_ABOUT = ("function", "type", "enum", "variable")
_NAMED = ("param", "field")


class ExportedPart(NamedTuple):
    """A parameter, a field or a member: its name, its type and default as source text, and its description."""

    name: str
    type: str
    default: str | None
    about: str


class Export(NamedTuple):
    """One export. `kind` is function, method, type, enum or constant."""

    kind: str
    name: str
    parts: tuple[ExportedPart, ...]
    about: str
    returns: str = ""


class Library(NamedTuple):
    """A library: its title, its description, and its exports in text order."""

    title: str
    about: str
    exports: tuple[Export, ...]


def library_of(program: Program) -> Library | None:
    """Return the library of `program`; None if it is another kind of script."""
    declaration = program.declaration
    if declaration is None or declaration.name != "library":
        return None
    given = {each.parameter: each.value for each in declaration.call.arguments if each.is_constant}
    found = tuple(export for each in statements(program) for export in _exports(program, each))
    return Library(str(given.get("title") or ""), _description(program), found)


def _description(program: Program) -> str:
    """Return the text of the `@description` comment, with the comment lines directly below that continue it."""
    lines = program.document.lines
    for number in range(1, len(lines) + 1):
        if _DESCRIPTION.match(lines.line_text(number)):
            told: list[str] = []
            while lines.line_text(number).lstrip().startswith("//"):
                told.append(lines.line_text(number).lstrip())
                number += 1
            return _read(told).get("description", "")
    return ""


def _exports(program: Program, statement: Declaration) -> list[Export]:
    node = statement.node
    if not getattr(node, "exported", False):
        return []
    told = _read(_comments_above(program, statement.start))
    about = next((told[word] for word in _ABOUT if word in told), told.get("", ""))
    if isinstance(node, nodes.FunctionDeclaration):
        kind = "method" if node.is_method else "function"
        parts = tuple(_part(program, statement, each, told) for each in node.parameters)
        return [Export(kind, node.name.id, parts, about, told.get("returns", ""))]
    if isinstance(node, nodes.TypeDeclaration):
        parts = tuple(_part(program, statement, each, told) for each in node.fields)
        return [Export("type", node.name.id, parts, about)]
    if isinstance(node, nodes.EnumDeclaration):
        parts = tuple(
            ExportedPart(each.name.id, "", _text(program, statement, each.value), told.get(f"field {each.name.id}", ""))
            for each in node.fields
        )
        return [Export("enum", node.name.id, parts, about)]
    if isinstance(node, nodes.VariableDeclaration):
        type_ = _text(program, statement, node.type) or ""
        shown = f"{node.qualifier} {type_}" if node.qualifier else type_
        value = ExportedPart("", shown, _text(program, statement, node.value), "")
        return [Export("constant", node.name.id, (value,), about)]
    return []


def _part(
    program: Program, statement: Declaration, node: nodes.Parameter | nodes.Field, told: dict[str, str]
) -> ExportedPart:
    type_ = _text(program, statement, node.type) or ""
    qualifier = node.qualifier if isinstance(node, nodes.Parameter) else None
    word = "param" if isinstance(node, nodes.Parameter) else "field"
    shown = f"{qualifier} {type_}" if qualifier else type_
    return ExportedPart(
        node.name.id, shown, _text(program, statement, node.default), told.get(f"{word} {node.name.id}", "")
    )


def _text(program: Program, statement: Declaration, node: nodes.Node | None) -> str | None:
    """Return the text of a part of a statement, on one line; None without the part."""
    if node is None:
        return None
    return " ".join(program.document.text[statement.chunk + node.start : statement.chunk + node.end].split())


def _comments_above(program: Program, offset: int) -> list[str]:
    lines = program.document.lines
    found: list[str] = []
    for line in range(lines.position(offset).line - 1, 0, -1):
        text = lines.line_text(line).lstrip()
        if not text.startswith("//"):
            break
        found.append(text)
    return found[::-1]


def _read(comments: list[str]) -> dict[str, str]:
    """Return the texts of annotations, by word, or by word and name for `@param` and `@field`. Lines after an
    annotation continue it; lines before the first one have the key ""."""
    found: dict[str, str] = {}
    key = ""
    for comment in comments:
        text = comment.lstrip("/").strip()
        match = _ANNOTATION.match(text)
        if match is not None:
            word, text = match[1].lower(), match[2].strip()
            word = "returns" if word == "return" else word
            key = word
            if word in _NAMED:
                name, _, text = text.partition(" ")
                key = f"{word} {name}"
        if text:
            found[key] = f"{found[key]} {text}".strip() if key in found else text.strip()
        elif match is not None:
            found.setdefault(key, "")
    return found
