"""The scripts that concern one name: the active script, the library that declares the name, and the scripts that import
the library.

The text of an open tab is used instead of its file. Everything here runs in the thread of `language.Language`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pinebench import config, files
from pinebench.diagnostics import Edit
from pinebench.errors import UsageError
from pinebench.services import ScriptView
from pinebench.services.across import Importer, declared_at, rename_across, unused_exports, uses_in
from pinebench.services.function_move import function_to_move, moved
from pinebench.services.importers import imported
from pinebench.services.names import Use
from pinebench.services.navigation import definition, references
from pinebench.services.rename import renamable
from pinebench.syntax import Snapshot, parse
from pinebench.tui.language import Language, ScriptMoment, shelf_for
from pinebench.tui.libraries import LibraryFinder


class ProjectScript(NamedTuple):
    """A script of the project: the key of its tab (None if it is not open), its file (None if it has none), its name,
    and its view."""

    key: str | None
    path: str | None
    name: str
    view: ScriptView


class ScriptChange(NamedTuple):
    """The edits of one script, made for its text `before`."""

    script: ProjectScript
    edits: Sequence[Edit]

    @property
    def before(self) -> str:
        """The text that the edits are for."""
        return self.script.view.text


class ScriptUse(NamedTuple):
    """A script and one use of a name in it."""

    script: ProjectScript
    use: Use


class OpenScripts:
    """The open scripts at one time. Libraries and importing scripts that are not open are read from their files."""

    def __init__(self, language: Language, tabs: Sequence[ScriptMoment], texts: dict[str, Snapshot]) -> None:
        self._language = language
        self._tabs = tuple(tabs)
        self._texts = texts

    def of_tab(self, tab: ScriptMoment) -> ProjectScript:
        """Return the script of an open tab."""
        return ProjectScript(
            tab.key, tab.path, tab.name, self._language.view(tab.key, tab.snapshot, tab.place, self._texts)
        )

    def at_file(self, file: str, snapshot: Snapshot | None = None) -> ProjectScript | None:
        """Return the script in a file: the open tab, or else the file's text. Return None if it cannot be read."""
        real = os.path.realpath(file)
        tab = next((tab for tab in self._tabs if tab.path is not None and os.path.realpath(tab.path) == real), None)
        if tab is not None:
            return self.of_tab(tab)
        try:
            known = snapshot or parse(files.read(file).text).snapshot
        except UsageError:
            return None
        return ProjectScript(None, file, os.path.basename(file), ScriptView(known, shelf_for(file, self._texts), None))

    def home(self, script: ProjectScript, offset: int) -> tuple[ProjectScript, int]:
        """Return the script that declares the name at `offset`, and the offset of the declaration in it. That script is
        a library if the library's text is known, otherwise `script` itself."""
        target = definition(script.view, offset)
        shelf = script.view.sources
        if target is None or target.library is None or target.span.start == target.span.end:
            return script, offset
        found = shelf.locate(target.library) if isinstance(shelf, LibraryFinder) else None
        library = self.at_file(*found) if found is not None else None
        return (library, target.span.start) if library is not None else (script, offset)

    def importers(
        self, library: ProjectScript, files_that_import: Iterable[str]
    ) -> list[tuple[ProjectScript, Importer]]:
        """Return the scripts that import a library: open scripts, and closed scripts from `files_that_import`."""
        scripts = [self.of_tab(tab) for tab in self._tabs]
        open_files = {os.path.realpath(tab.path) for tab in self._tabs if tab.path is not None}
        closed = (file for file in files_that_import if os.path.realpath(file) not in open_files)
        scripts += [script for file in closed if (script := self.at_file(file)) is not None]
        found: list[tuple[ProjectScript, Importer]] = []
        for script in scripts:
            paths = self._paths_of(library, script)
            if paths:
                found.append((script, Importer(script.name, script.view, paths)))
        return found

    @staticmethod
    def _paths_of(library: ProjectScript, script: ProjectScript) -> frozenset[str]:
        """The paths under which a script imports the library."""
        shelf = script.view.sources
        if library.path is None or not isinstance(shelf, LibraryFinder) or script.view is library.view:
            return frozenset()
        real = os.path.realpath(library.path)
        located = ((path, shelf.locate(path)) for path in imported(script.view.text))
        return frozenset(path for path, found in located if found is not None and found[0] == real)

    # the refactorings

    def renamed(self, script: ProjectScript, offset: int, name: str, closed: Iterable[str]) -> list[ScriptChange]:
        """Return the changes that rename the name at `offset`. `closed` are files that may import its library.

        Raises UsageError if a script would change its meaning.
        """
        home, offset = self.home(script, offset)
        others = self.importers(home, closed)
        found = rename_across(home.view, offset, name, [importer for _, importer in others])
        scripts = [home, *(each for each, _ in others)]
        return [ScriptChange(each, edits) for each, edits in zip(scripts, found, strict=True) if edits]

    def uses(self, script: ProjectScript, offset: int, closed: Iterable[str]) -> list[ScriptUse]:
        """Return every use of the name at `offset`: in the script that declares it, in open and in `closed` files."""
        home, offset = self.home(script, offset)
        found = [ScriptUse(home, use) for use in references(home.view, offset)]
        declared = declared_at(home.view, offset)
        for other, importer in self.importers(home, closed) if found else ():
            found += [ScriptUse(other, use) for use in uses_in(importer, declared)]
        return found

    def unused(self, library: ProjectScript, closed: Iterable[str]) -> list[tuple[str, int]]:
        """Return the exports of a library that no script uses, each with its offset. `closed` are files that may import
        it."""
        return unused_exports(library.view, [importer for _, importer in self.importers(library, closed)])

    def targets(self, script: ProjectScript, offset: int) -> list[str]:
        """Return the aliases of the imported libraries to which the function at `offset` could move.

        Raises UsageError if there is no such function or library.
        """
        if function_to_move(script.view, offset) is None:
            raise UsageError(
                "there is no function to move at the cursor", "put the cursor on the name where it is declared"
            )
        found = [each.alias for each in script.view.program.imports.values() if self._text_of(script, each.path)]
        if not found:
            raise UsageError("the script does not import a library of this project", "import one first")
        return found

    def moved(self, script: ProjectScript, offset: int, alias: str) -> list[ScriptChange]:
        """Return the changes that move the function at `offset` to the imported library `alias`. Raises UsageError if
        there is no such function or library, or if one of the scripts might compute something else."""
        function = function_to_move(script.view, offset)
        symbol = script.view.program.imports.get(alias)
        library = self._text_of(script, symbol.path) if symbol is not None else None
        if function is None or symbol is None or library is None:
            raise UsageError(
                "the library or the function no longer exists", "put the cursor on the function, and try again"
            )
        move = moved(script.view, function, symbol, library.view.snapshot)
        return [ScriptChange(script, move.script), ScriptChange(library, move.library)]

    def _text_of(self, script: ProjectScript, path: str) -> ProjectScript | None:
        shelf = script.view.sources
        found = shelf.locate(path) if isinstance(shelf, LibraryFinder) else None
        return self.at_file(*found) if found is not None else None

    @staticmethod
    def can_rename(script: ProjectScript, home: ProjectScript, offset: int) -> str:
        """Return the name at `offset`. Raises UsageError if it cannot be renamed."""
        span = renamable(script.view, offset, abroad=home is not script)
        return script.view.text[span.start : span.end]


def folders_around(library: str, folder: str) -> list[str]:
    """Return the folders with the scripts that may import the library in the file `library`: the workbench's `folder`,
    and the folder of the library's project."""
    found = config.file_for(library)
    project = os.path.dirname(found) if found is not None else os.path.dirname(library)
    wanted = [os.path.realpath(each) for each in (folder, project)]
    try:
        outer = os.path.commonpath(wanted)
    except ValueError:  # on different drives
        return wanted
    return [outer] if outer in wanted else wanted
