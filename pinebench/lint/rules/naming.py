"""Rule PB7001: names that are not written as their kind is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pinebench.lint.rules.look import bare
from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.check.symbols import VariableSymbol
    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class Naming(Rule):
    """Variables and functions are written in camelCase, constants in SNAKE_CASE and types in PascalCase, as Pine's
    style guide proposes. Names with a leading underscore and names of one letter are left alone.

    Bad:

        //@version=6
        indicator("Example")
        fast_length = ta.sma(close, 9)
        plot(fast_length)

    Good:

        //@version=6
        indicator("Example")
        fastAverage = ta.sma(close, 9)
        plot(fastAverage)
    """

    code = "PB7001"

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Report variables, functions and types that are written otherwise."""
        for symbol in look.program.bindings.symbols:
            if _is_odd(symbol.name, _CAMEL) and not (_SNAKE.fullmatch(symbol.name) and _is_constant(symbol)):
                yield self._told(look, symbol.name_node, "variables", "camelCase, or SNAKE_CASE for constants")
        for function in look.of(nodes.FunctionDeclaration):
            if _is_odd(function.name.id, _CAMEL):
                yield self._told(look, function.name, "functions", "camelCase")
        for declared in (*look.of(nodes.TypeDeclaration), *look.of(nodes.EnumDeclaration)):
            if _is_odd(declared.name.id, _PASCAL):
                yield self._told(look, declared.name, "types", "PascalCase")

    def _told(self, look: Look, name: nodes.Name, kind: str, wanted: str) -> Diagnostic:
        return look.report(self.code, name, name=name.id, kind=kind, wanted=wanted)


_CAMEL = re.compile(r"[a-z][a-zA-Z0-9]*")
_SNAKE = re.compile(r"[A-Z][A-Z0-9_]*")
_PASCAL = re.compile(r"[A-Z][a-zA-Z0-9]*")


def _is_odd(name: str, pattern: re.Pattern[str]) -> bool:
    return len(name) > 1 and not name.startswith("_") and pattern.fullmatch(name) is None


def _is_constant(symbol: VariableSymbol) -> bool:
    return not symbol.reassignments and symbol.value is not None and not isinstance(bare(symbol.value), nodes.History)
