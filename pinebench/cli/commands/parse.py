"""`pinebench parse`: show the syntax tree of a Pine script, each node with its line and column."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from pinebench.cli.console import InputPath, read_script, style_for
from pinebench.cli.signals import finishing
from pinebench.printable import json_text

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from pinebench.syntax import Document

EPILOG = """\
examples:
  pinebench parse my.pine
  pinebench parse my.pine --format json
  pinebench parse my.pine --engine lark    the same tree, by Lark's own parser
"""

USAGE = "FILE [OPTION]..."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("file", type=InputPath, metavar="FILE", help="a script; - reads standard input")
    parser.add_argument("--format", choices=("tree", "json"), default="tree", help="the output format (default: tree)")
    parser.add_argument(
        "--engine",
        choices=("pinebench", "lark"),
        default="pinebench",
        help="the parser to use (default: pinebench; lark is slower and stops at the first error)",
    )


def run(args: argparse.Namespace) -> int:
    """Print the tree, and report syntax errors on stderr."""
    name, file = read_script(args.file)
    document = _parse(file.text, args.engine)
    write = _json if args.format == "json" else _tree
    with finishing():
        for piece in write(document):
            sys.stdout.write(piece)
        sys.stdout.flush()
    return _report(document, name)


def _parse(text: str, engine: str) -> Document:
    if engine == "lark":
        from pinebench.syntax.lark_engine import parse
    else:
        from pinebench.syntax import parse
    return parse(text)


def _report(document: Document, name: str) -> int:
    from pinebench.diagnostics import Severity
    from pinebench.linter import locate
    from pinebench.linter.report.text import finding_block

    for finding in locate(document.diagnostics, document.lines, name, syntax=document.diagnostics):
        print(finding_block(finding, document.lines, style_for(sys.stderr)), file=sys.stderr)
    return int(any(diagnostic.severity is Severity.ERROR for diagnostic in document.diagnostics))


def _tree(document: Document) -> Iterator[str]:
    """One line for each node: its field, its kind, its plain values, its place. It uses a stack instead of recursion,
    because trees can be very deep."""
    from pinebench.syntax.nodes import Node

    for chunk in document.chunks:
        stack: list[tuple[int, str, object]] = [(0, "", node) for node in reversed(chunk.body)]
        while stack:
            depth, label, value = stack.pop()
            indent = "  " * depth + (f"{label}: " if label else "")
            if not isinstance(value, Node):
                yield f"{indent.rstrip()}\n"
                stack += [(depth + 1, "", item) for item in reversed(value)]  # type: ignore[call-overload]
                continue
            inner = [(field, getattr(value, field)) for field in value._fields if not field.endswith("_start")]
            plain = "".join(f" {field}={item!r}" for field, item in inner if isinstance(item, str) or item is True)
            line, column = document.lines.position(chunk.start + value.start)
            yield f"{indent}{type(value).__name__}{plain} @{line}:{column}\n"
            children = [(field, item) for field, item in inner if isinstance(item, Node) or (item and _is_list(item))]
            stack += [(depth + 1, field, item) for field, item in reversed(children)]


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def _json(document: Document) -> Iterator[str]:
    """The tree as JSON, written piece by piece, because `json.dumps` cannot write very deep trees."""
    from pinebench.syntax.nodes import Node

    yield f'{{\n"version": {json_text(document.version)},\n"body": [\n'
    separator = ""
    for chunk in document.chunks:
        for statement in chunk.body:
            yield separator
            separator = ",\n"
            stack: list[object] = [statement]
            while stack:
                value = stack.pop()
                if isinstance(value, _Verbatim):
                    yield value.text
                elif isinstance(value, Node):
                    stack += reversed(_object_pieces(document, chunk.start, value))
                elif isinstance(value, list):
                    stack += reversed(_list_pieces(value))
                else:
                    yield json_text(value)
    yield "\n]\n}\n"


class _Verbatim:
    """JSON text that is written unchanged."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


def _object_pieces(document: Document, offset: int, node: object) -> list[object]:
    line, column = document.lines.position(offset + node.start)  # type: ignore[attr-defined]
    end_line, end_column = document.lines.position(offset + node.end)  # type: ignore[attr-defined]
    place = f'"line": {line}, "column": {column}, "end_line": {end_line}, "end_column": {end_column}'
    pieces: list[object] = [_Verbatim(f'{{"node": "{type(node).__name__}", {place}')]
    for field in node._fields:  # type: ignore[attr-defined]
        if not field.endswith("_start"):
            pieces += [_Verbatim(f', "{field}": '), getattr(node, field)]
    return [*pieces, _Verbatim("}")]


def _list_pieces(values: list[object]) -> list[object]:
    pieces: list[object] = [_Verbatim("[")]
    for index, value in enumerate(values):
        pieces += [_Verbatim(", ")] * bool(index) + [value]
    return [*pieces, _Verbatim("]")]
