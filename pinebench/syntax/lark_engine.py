"""The reference parser: unmodified Lark over the same scanner and builders. It does not recover from errors."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

from lark import Lark
from lark.exceptions import UnexpectedToken

from pinebench.syntax import build, generate
from pinebench.syntax.document import Document
from pinebench.syntax.faults import Fault
from pinebench.syntax.grammar import grammar_path
from pinebench.syntax.nodes import ErrorStatement, Statement
from pinebench.syntax.scanner import Scan
from pinebench.syntax.words import Token


class _Token(tuple[int, int, str]):
    """A token as the builders want it, with the type that Lark asks for."""

    type: str

    @classmethod
    def of(cls, kind: str, token: Token) -> _Token:
        made = cls(token)
        made.type = kind
        return made


class _Builders(SimpleNamespace):
    """Holds the builder functions under their names, as Lark looks for callbacks."""


@cache
def lark() -> Lark:
    """Lark's parser for the packaged grammar."""
    builders = {name: function for name, function in vars(build).items() if callable(function)}
    return generate.analyse(grammar_path().read_text(encoding="utf-8"), transformer=_Builders(**builders))


def parse(text: str) -> Document:
    """Parse `text` with Lark; a chunk that has an error becomes one bad statement."""
    return Document(text, parse_chunk)


def parse_chunk(scan: Scan) -> tuple[list[Statement], list[Fault]]:
    """The statements of a scanned chunk; on an error the fault and a bad statement in the place of the chunk."""
    engine: Any = lark()
    parser = engine.parse_interactive()
    try:
        for kind, token in zip(scan.types, scan.tokens, strict=True):
            parser.feed_token(_Token.of(kind, token))
        body: Any = parser.feed_eof()
    except UnexpectedToken as error:
        start, end, text = error.token if isinstance(error.token, _Token) else scan.following()
    except build.ShapeError as error:
        start, end, text = error.start, error.end, error.text
    else:
        return body, []
    faults = [] if scan.faults else [Fault("CE10156", start, end, {"value": f'"{text}"'})]
    return [ErrorStatement(scan.tokens[0][0], scan.tokens[-1][1], [])], faults
