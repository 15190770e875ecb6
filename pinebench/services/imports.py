"""The libraries that a script can import, and the correction of a misspelled import."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from pinebench import reference
from pinebench.checker import own_version_names, own_version_numbers
from pinebench.diagnostics import Edit, Span
from pinebench.files.libraries import list_libraries
from pinebench.records import NamedTuple
from pinebench.services.script import ScriptView

_PATH = re.compile(r"import[ \t]+([^\s/]+[ \t]*/[ \t]*[^\s/]+[ \t]*/[ \t]*[0-9]+)")
_CLOSE = 0.75
"""The smallest likeness (0 to 1) of two names for one to be a misspelling of the other."""


class ImportableLibrary(NamedTuple):
    """A library by its path (`User/Name/Version`), with a remark. Libraries with a larger `rank` are shown first."""

    path: str
    remark: str
    rank: float

    @property
    def name(self) -> str:
        """The path without the version."""
        return self.path.rpartition("/")[0]


def importable_libraries(view: ScriptView) -> Iterator[ImportableLibrary]:
    """Yield the known libraries: those whose source is available, those that pinebench can run, and every version of
    the published ones. The newest of these versions has the larger `rank`. A path may occur twice."""
    for library in list_libraries(getattr(view.sources, "folders", ())):
        which = "" if library.is_versioned else ", whose file name has no version"
        yield ImportableLibrary(library.path, f"in a library folder{which}", 8.0)
    for name in own_version_names():
        path = f"{name}/{max(map(int, own_version_numbers(name)))}"
        yield ImportableLibrary(path, "pinebench runs its own version of it", 6.0)
    published = [*reference.libraries(), *reference.imported_libraries()]
    newest: dict[str, int] = {}
    for path in published:
        name, _, version = path.rpartition("/")
        newest[name] = max(newest.get(name, 0), int(version))
    for path in published:
        name, _, version = path.rpartition("/")
        yield ImportableLibrary(path, "", 4.0 if int(version) == newest[name] else 0.0)


def corrected_imports(view: ScriptView, span: Span) -> Iterator[tuple[str, Edit]]:
    """Yield corrections for each import in `span` of an unknown library without a source: a known path whose name is
    almost the same, and the edit that writes it."""
    for symbol in view.program.imports.values():
        node = Span(symbol.offset + symbol.node.start, symbol.offset + symbol.node.end)
        written = _PATH.match(view.text, node.start)
        if symbol.source is not None or written is None or node.start > span.end or node.end < span.start:
            continue
        known = {each.name: each for each in sorted(importable_libraries(view), key=lambda each: each.rank)}
        name = symbol.path.rpartition("/")[0]
        for found in [] if name in known else get_close_matches(name, known, 1, _CLOSE):
            path = known[found].path
            yield path, Edit(Span(*written.span(1)), path)
