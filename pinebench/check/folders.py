"""Libraries whose source lies on disk, read and checked once each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pinebench import files
from pinebench.check.checker import Checker
from pinebench.check.program import check
from pinebench.check.script import CHECKED_VERSION
from pinebench.diagnostics import Severity
from pinebench.errors import UsageError
from pinebench.syntax import parse

if TYPE_CHECKING:
    from pathlib import Path


class LibraryFolders:
    """Finds `User/Name/Version` as `User/Name/Version.pine`, `User/Name.pine` or `Name.pine` in the given folders."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders = tuple(folders)
        self._known: dict[str, Checker | None] = {}

    def find(self, path: str) -> Checker | None:
        """The evaluation of the library `path`, or None when no folder has it, or it cannot be read as Pine v6.

        A library that imports itself, directly or not, is not seen by itself.
        """
        if path not in self._known:
            self._known[path] = None
            self._known[path] = self._load(path)
        return self._known[path]

    def _load(self, path: str) -> Checker | None:
        user, _, rest = path.partition("/")
        name = rest.partition("/")[0]
        for folder in self.folders:
            for candidate in (f"{path}.pine", f"{user}/{name}.pine", f"{name}.pine"):
                try:
                    text = files.read(folder / candidate).text
                except UsageError:
                    continue
                document = parse(text)
                broken = any(finding.severity is Severity.ERROR for finding in document.diagnostics)
                if broken or document.version != CHECKED_VERSION:
                    return None
                checker = check(document, libraries=self).checker
                for symbol in (*checker.bindings.types.values(), *checker.bindings.enums.values()):
                    symbol.library = symbol.library or path
                for group in checker.bindings.functions.values():
                    for function in group:
                        function.owner = checker
                return checker
        return None
