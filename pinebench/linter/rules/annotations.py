"""The annotations above the exports of a library: comments such as `// @param length The number of bars`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pinebench.diagnostics import Span
from pinebench.linter.rules.context import RuleContext
from pinebench.records import NamedTuple
from pinebench.syntax import nodes

_LINE = re.compile(r"[ \t]*//[ \t]*(@\w+)(?:[ \t]+([A-Za-z_]\w*))?")
_OWN = {nodes.FunctionDeclaration: "@function", nodes.TypeDeclaration: "@type", nodes.EnumDeclaration: "@enum"}
_PARTS = {nodes.FunctionDeclaration: "@param", nodes.TypeDeclaration: "@field", nodes.EnumDeclaration: "@field"}

Export = nodes.FunctionDeclaration | nodes.TypeDeclaration | nodes.EnumDeclaration


class Annotation(NamedTuple):
    """One annotation: its word, such as `@param`, the first word after it, and its span in the text."""

    word: str
    name: str
    span: Span


def exports(context: RuleContext) -> Iterator[Export]:
    """Yield each exported function, type and enum, in text order."""
    found: list[Export] = [node for kind in _OWN for node in context.of(kind) if node.exported]
    yield from sorted(found, key=lambda node: context.offset(node) + node.start)


def annotations_above(context: RuleContext, offset: int) -> list[Annotation]:
    """Return the annotations in the comments directly above the statement at `offset`, in text order."""
    lines = context.program.document.lines
    found: list[Annotation] = []
    for line in range(lines.position(offset).line - 1, 0, -1):
        text = lines.line_text(line)
        if not text.lstrip().startswith("//"):
            break
        match = _LINE.match(text)
        if match is not None:
            start = lines.line_start(line)
            found.append(Annotation(match[1], match[2] or "", Span(start + match.start(1), start + match.end())))
    return found[::-1]


def own_word(node: Export) -> str:
    """Return the annotation that describes an export itself: `@function`, `@type` or `@enum`."""
    return _OWN[type(node)]


def part_word(node: Export) -> str:
    """Return the annotation that describes a parameter or field of an export: `@param` or `@field`."""
    return _PARTS[type(node)]


def part_names(node: Export) -> list[str]:
    """Return the names of the parameters or fields that an export's annotations must describe. The list is empty for an
    enum."""
    if isinstance(node, nodes.EnumDeclaration):
        return []
    parts = node.parameters if isinstance(node, nodes.FunctionDeclaration) else node.fields
    return [each.name.id for each in parts]
