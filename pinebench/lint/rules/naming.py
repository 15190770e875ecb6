"""Rule PB7001: names that are not written as their kind is."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class Naming(Rule):
    """A script writes most names in one way, as `fastLength`, and this one in another, as `slow_length`; or a type
    begins with a small letter, or a name is of neither way (`Slow_Length`, `SlowLength`). Names of one word, constants
    in capitals, names with a leading underscore and single words behind a letter that tells their kind, as `f_mean`,
    are left alone.

    Bad:

        //@version=6
        indicator("Example")
        fastAverage = ta.sma(close, 9)
        midAverage = ta.sma(close, 21)
        slow_average = ta.sma(close, 50)
        plot(fastAverage + midAverage + slow_average)

    Good:

        //@version=6
        indicator("Example")
        fastAverage = ta.sma(close, 9)
        midAverage = ta.sma(close, 21)
        slowAverage = ta.sma(close, 50)
        plot(fastAverage + midAverage + slowAverage)
    """

    code = "PB7001"

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Report the names of the style that the script uses less, and types that begin with a small letter."""
        names = [symbol.name_node for symbol in look.program.bindings.symbols]
        owners: dict[nodes.Name, nodes.Node] = {each.name: each for each in look.of(nodes.FunctionDeclaration)}
        owners.update((field.name, each) for each in look.of(nodes.TypeDeclaration) for field in each.fields)
        names += owners
        styles: dict[str, list[nodes.Name]] = {_SNAKE: [], _CAMEL: [], _NEITHER: [], _PREFIXED: [], _OTHER: [], "": []}
        for name in names:
            styles[_style(name.id)].append(name)
        snakes, camels, neither = styles[_SNAKE], styles[_CAMEL], styles[_NEITHER]
        prefixed, others = len(styles[_PREFIXED]), len(styles[_OTHER]) + len(neither)
        is_camel = len(snakes) + prefixed <= len(camels)
        fewer, more, wanted = (snakes, camels, "camelCase") if is_camel else (camels, snakes, "snake_case")
        if len(fewer) < len(more) > others:
            for name in fewer:
                yield self._told(look, name, owners.get(name), "most names here", wanted)
        for name in neither:
            yield self._told(look, name, owners.get(name), "most names", wanted)
        for declared in (*look.of(nodes.TypeDeclaration), *look.of(nodes.EnumDeclaration)):
            if declared.name.id[0].islower():
                yield self._told(look, declared.name, declared, "types", "PascalCase")

    def _told(self, look: Look, name: nodes.Name, declared: nodes.Node | None, kind: str, wanted: str) -> Diagnostic:
        return look.report(self.code, name, within=declared, name=name.id, kind=kind, wanted=wanted)


_SNAKE, _CAMEL, _PREFIXED, _NEITHER, _OTHER = "snake", "camel", "prefixed", "neither", "other"
"""The styles of names: `fast_length`, `fastLength`, `i_length`, `Fast_Length` or `FastLength`, and what is no other."""


@lru_cache(maxsize=4096)
def _style(word: str) -> str:
    """The style of a name; empty where it is one of each, as `length` and `LENGTH`."""
    if word.islower():
        if "_" not in word or not _LIKE_SNAKES.fullmatch(word):
            return ""
        return _PREFIXED if word[1] == "_" and word.count("_") == 1 else _SNAKE
    if word[0].islower():
        return _CAMEL if word.isalnum() else ""
    if word.isupper():
        return ""
    return _NEITHER if _LIKE_NEITHER.fullmatch(word) else _OTHER


_LIKE_NEITHER = re.compile(r"[A-Z]+[a-z0-9]+(?:_[A-Za-z0-9]+)+|(?:[A-Z][a-z]+){2,}[0-9]*")
_LIKE_SNAKES = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+")
