"""The reference parser for tests: unmodified Lark with the same scanner and builders. It does not recover from
errors."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

from lark import Lark
from lark.exceptions import UnexpectedToken

from pinebench.syntax import build, generate
from pinebench.syntax.document import Document
from pinebench.syntax.faults import Fault
from pinebench.syntax.grammar import grammar_text
from pinebench.syntax.nodes import ErrorStatement, Statement
from pinebench.syntax.scanner import Scan
from pinebench.syntax.words import Token


class _Token(tuple[int, int, str]):
    """A token in the form that the builders expect, with the type that Lark expects."""

    type: str

    @classmethod
    def of(cls, kind: str, token: Token) -> _Token:
        made = cls(token)
        made.type = kind
        return made


class _Builders(SimpleNamespace):
    """Holds the builder functions as attributes, because Lark looks up callbacks this way."""


@cache
def lark() -> Lark:
    """Lark's parser for the packaged grammar."""
    builders = {name: function for name, function in vars(build).items() if callable(function)}
    return generate.analyse(grammar_text(), transformer=_Builders(**builders))


def parse(text: str) -> Document:
    """Parse `text` with Lark. A top-level statement with an error becomes one bad statement."""
    return Document(text, parse_chunk)


def parse_chunk(scan: Scan) -> tuple[list[Statement], list[Fault]]:
    """Return the statements of a scanned chunk (top-level statement) and no faults, or one bad statement and its
    fault."""
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
    return [ErrorStatement(scan.tokens[0][0], scan.tokens[-1][1], [], [])], faults
