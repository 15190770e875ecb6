"""Chooses names for the declarations of libraries in a bundle: readable, and different from every other word in it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pinebench import reference
from pinebench.checker import Program
from pinebench.projects.declarations import Declarations, LibraryName, imports_of
from pinebench.syntax.words import RESERVED, SOFT_KEYWORDS

_WORD = re.compile(r"[A-Za-z_]\w*")


class FreshNames:
    """A source of new names. It never returns the same name twice."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._taken = {word for text in texts for word in _WORD.findall(text)}
        built_in = (*reference.functions(), *reference.variables(), *reference.constants(), *reference.types())
        self._taken.update(word for name in built_in for word in name.split("."))
        self._taken.update(reference.namespaces(), reference.keywords(), RESERVED, SOFT_KEYWORDS)

    def fresh(self, wanted: str) -> str:
        """Return `wanted`, with a number after it if the name is already used."""
        name, number = wanted, 1
        while name in self._taken:
            number += 1
            name = f"{wanted}_{number}"
        self._taken.add(name)
        return name


def aliases(program: Program, declarations: Declarations) -> dict[str, str]:
    """Return a name prefix for each local library: the alias of its first import in the script, or else in a library.
    If two libraries have the same alias, a number distinguishes them."""
    found: dict[str, str] = {}
    for importer in (program, *reversed(declarations.programs.values())):
        for library in imports_of(importer):
            if library.path in declarations.programs and library.path not in found:
                found[library.path] = _unlike(library.alias, found.values())
    return found


def _unlike(alias: str, others: Iterable[str]) -> str:
    taken, name, number = set(others), alias, 1
    while name in taken:
        number += 1
        name = f"{alias}{number}"
    return name


def names_for(names: Iterable[LibraryName], prefixes: dict[str, str], naming: FreshNames) -> dict[LibraryName, str]:
    """Return a name in the bundle for each of the `names` of libraries."""
    return {each: naming.fresh(f"{prefixes[each.library]}_{each.name}") for each in names}
