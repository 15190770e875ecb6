"""Regular expressions for Pine's syntax: a TextMate grammar, and patterns for other highlighters.

Everything is made from the scanner's tables and the reference, so that no word of the language is missing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pinebench import reference
from pinebench.syntax.words import WORDS, soft_keywords

CONSTANTS = ("true", "false", "na")
WORD_OPERATORS = ("and", "or", "not")
DECLARING = ("var", "varip", *soft_keywords("qualifier", "declaration", "alias"))
BLOCKS = ("else", "enum", "for", "if", *soft_keywords("block"), "switch", "type", "while")
"""Keywords that may have indented lines below them, at the start of a line or after `=`."""
_CODE = r"""(?:[^"'/]|/(?!/)|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')*"""
_STATEMENTS = "|".join(word for word in BLOCKS if word not in ("enum", "type"))
INDENTING = (
    rf"^\s*(?:(?:export\s+)?(?:{_STATEMENTS})\b(?!\s*:?=(?!=)|\.)"
    r"|(?:export\s+)?(?:enum|type)\s+[A-Za-z_]\w*\s*(?://.*)?$"
    rf"|{_CODE}(?:(?<![=!<>])=\s*(?:for|if|switch|while)\b|=>\s*(?://.*)?$))"
)
"""A line after which an editor indents the next one, in the common syntax of Python's and JavaScript's regular
expressions."""
NUMBER = r"\b[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?"
COLOR = r"#[0-9A-Fa-f]{8}\b|#[0-9A-Fa-f]{6}\b"
LIBRARY = r"[^\s/]+[ \t]*/[ \t]*[^\s/]+[ \t]*/[ \t]*[0-9]+"
"""The path of a library in an import, which may have blanks around its slashes."""
ANNOTATION = r"@[A-Za-z_]+"
OPERATORS = r"=>|:=|[-+*/%]=|[=!<>]=|[-+*/%<>=?:]"
NAME = r"[A-Za-z_][A-Za-z0-9_]*"


def controlling() -> tuple[str, ...]:
    """Return the keywords for control flow: all that are not constants, operators or declarations."""
    others = {*CONSTANTS, *WORD_OPERATORS, *DECLARING}
    known = reference.keywords() & WORDS.keys()
    return tuple(sorted(known - others))


def types() -> tuple[str, ...]:
    """Return the names of built-in types that are one word."""
    return tuple(sorted(name for name in reference.types() if "." not in name))


def functions() -> tuple[str, ...]:
    """Return the dotted names of built-in functions."""
    return tuple(sorted(reference.functions()))


def values() -> tuple[str, ...]:
    """Return the dotted names of built-in variables and constants."""
    return tuple(sorted({*reference.variables(), *reference.constants()} - set(CONSTANTS)))


def any_of(words: Iterable[str]) -> str:
    """Return a pattern that matches one of `words` as a whole word, but not as a member of another name. Spaces may
    surround dots."""
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    patterns = "|".join(word.replace(".", r"\s*\.\s*") for word in longest_first)
    return rf"(?<![.\w])(?:{patterns})\b"


def textmate() -> dict[str, Any]:
    """Return the TextMate grammar of Pine as JSON data."""
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "Pine Script",
        "scopeName": "source.pine",
        "fileTypes": ["pine", "pinescript"],
        "patterns": [{"include": f"#{name}"} for name in _REPOSITORY_ORDER],
        "repository": _repository(),
    }


_REPOSITORY_ORDER = (
    *("comments", "strings", "colors", "numbers", "declarations", "imports", "keywords", "constants"),
    *("named-arguments", "functions", "values", "types", "calls", "operators"),
)


def _named(name: str, match: str) -> dict[str, str]:
    return {"name": f"{name}.pine", "match": match}


def _grouped(match: str, *names: str) -> dict[str, Any]:
    """A pattern whose groups have `names`, in their order."""
    return {"match": match, "captures": {str(k): {"name": f"{name}.pine"} for k, name in enumerate(names, 1)}}


def _repository() -> dict[str, Any]:
    strings = [
        _quoted("string.quoted.triple", '"""', '"""'),
        _quoted("string.quoted.triple", "'''", "'''"),
        _quoted("string.quoted.double", '"', '"|$'),
        _quoted("string.quoted.single", "'", "'|$"),
    ]
    function = _grouped(
        rf"^\s*(?:(export)\s+)?(?:(method)\s+)?({NAME})(?=\s*\([^()]*(?:\([^()]*\)[^()]*)*\)\s*=>)",
        *("storage.modifier", "storage.type", "entity.name.function"),
    )
    type_ = _grouped(
        rf"^\s*(?:(export)\s+)?(type|enum)\s+({NAME})", "storage.modifier", "storage.type", "entity.name.type"
    )
    imported = _grouped(
        rf"(?:^|,)\s*(import)\s+({LIBRARY})(?:\s+(as)\s+({NAME}))?",
        *("keyword.control.import", "string.unquoted", "keyword.control.import", "entity.name.namespace"),
    )
    comment = {
        "name": "comment.line.double-slash.pine",
        "begin": "//",
        "end": "$",
        "patterns": [_named("keyword.other.annotation", ANNOTATION)],
    }
    patterns = {
        "comments": [comment],
        "strings": strings,
        "colors": [_named("constant.other.color", COLOR)],
        "numbers": [_named("constant.numeric", NUMBER)],
        "declarations": [type_, function],
        "imports": [imported],
        "keywords": [
            _named("keyword.control", any_of(controlling())),
            _named("keyword.operator.word", any_of(WORD_OPERATORS)),
            _named("storage.modifier", any_of(DECLARING) + r"(?!\s*[.(=])"),
        ],
        "constants": [_named("constant.language", any_of(CONSTANTS) + r"(?!\s*\()")],
        "named-arguments": [_named("variable.parameter", rf"(?<=[(,])\s*{NAME}(?=\s*=[^=>])")],
        "functions": [_named("support.function", any_of(functions()) + r"(?=\s*[(<])")],
        "values": [_named("support.variable", any_of(values()) + r"(?!\s*\()")],
        "types": [_named("support.type", any_of(types()) + r"(?!\s*[.(])")],
        "calls": [_named("entity.name.function.call", rf"\b{NAME}(?=\s*\()")],
        "operators": [_named("keyword.operator", OPERATORS)],
    }
    return {name: {"patterns": found} for name, found in patterns.items()}


def _quoted(name: str, begin: str, end: str) -> dict[str, Any]:
    return {
        "name": f"{name}.pine",
        "begin": begin,
        "end": end,
        "patterns": [{"name": "constant.character.escape.pine", "match": r"\\."}],
    }
