"""Which files a lint run covers, and running the checker over many of them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from pinebench import files
from pinebench.errors import UsageError
from pinebench.lint.engine import check_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pinebench.lint.cache import Cache
    from pinebench.lint.findings import Finding, View

EXTENSIONS = (".pine", ".pinescript")
"""File name endings that a folder is searched for; a file named on the command line may have any."""

SERIAL_UP_TO = 200
"""Scripts that one process checks faster than a pool would start."""

SKIPPED_FOLDERS = {"node_modules", "__pycache__"}
"""Folders that are never searched, besides hidden ones."""


class Script(NamedTuple):
    """A script to lint: its path as reports print it, its decoded text, and where its libraries may lie."""

    path: str
    file: files.Text
    libraries: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The source text."""
        return self.file.text

    def with_text(self, text: str) -> Script:
        """The same script holding `text`."""
        return self._replace(file=self.file._replace(text=text))


class Result(NamedTuple):
    """Everything found in one script."""

    script: Script
    findings: list[Finding]


def discover(paths: Sequence[str], excluded: Callable[[str], bool], problems: list[UsageError]) -> list[str]:
    """The scripts that `paths` name: files as they are, folders searched for EXTENSIONS; sorted, each once, with `/`.

    Hidden folders are skipped, and so is what `excluded` says of the path of a script in a folder. A folder without a
    script, and each one that cannot be read, adds to `problems`.
    """
    found: dict[str, str] = {}  # by the path without detours: `./a.pine` is `a.pine`
    for path in paths:
        if not os.path.isdir(path):
            found.setdefault(os.path.normpath(path), path.replace(os.sep, "/"))
            continue
        unreadable: list[UsageError] = []
        inside = {file for file in _walk(path, unreadable) if not excluded(file)}
        problems += unreadable
        if not inside and not unreadable:
            endings = " or ".join(EXTENSIONS)
            problems.append(UsageError(f"{path}: no scripts in this folder", f"scripts end in {endings}"))
        for file in inside:
            found.setdefault(os.path.normpath(file), file)
    return sorted(found.values())


def read_scripts(paths: Iterable[str], problems: list[UsageError]) -> list[Script]:
    """The scripts at `paths`; a file that cannot be read or is not text adds to `problems` and is left out."""
    scripts: list[Script] = []
    for path in paths:
        try:
            scripts.append(Script(path, files.read(path)))
        except UsageError as problem:
            problems.append(problem)
    return scripts


def lint_scripts(scripts: Sequence[Script], jobs: int | None = None, cache: Cache | None = None) -> list[Result]:
    """The findings of every script, in the order given; `jobs` is how many processes check (None: as many as pay)."""
    known = {} if cache is None else {script.path: cache.get(script.text, script.path) for script in scripts}
    unknown = [script for script in scripts if known.get(script.path) is None]
    for script, findings in _check_all(unknown, jobs):
        known[script.path] = findings
        if cache is not None:
            cache.put(script.text, findings)
    if cache is not None:
        cache.close()
    return [Result(script, known[script.path] or []) for script in scripts]


class FixedScript(NamedTuple):
    """A script before and after its fixes, and how many were applied."""

    before: Script
    after: Script
    fixes: int


def fix_result(result: Result, view: View, *, unsafe: bool) -> FixedScript:
    """The script of `result` and what the fixes that `view` wants make of it."""
    script = result.script
    if not any(finding.fix and (unsafe or finding.fix == "safe") for finding in result.findings):
        return FixedScript(script, script, 0)
    from pinebench.lint.fixes import fix_text

    fixed = fix_text(
        script.text, lambda diagnostic: view.wants(diagnostic.code), unsafe=unsafe, libraries=script.libraries
    )
    return FixedScript(script, script.with_text(fixed.text), fixed.applied.total())


def save_script(fixed: FixedScript) -> None:
    """Write the fixed script to its path as it was encoded.

    Raises UsageError when that cannot be done, or the file has changed since it was read.
    """
    before, after, _ = fixed
    if files.read(before.path) != before.file:
        raise UsageError(f"{before.path}: was changed by someone else meanwhile, so it was left alone", "run again")
    files.write_atomically(after.path, after.file.encode(after.text))


def _check_all(scripts: Sequence[Script], jobs: int | None) -> Iterator[tuple[Script, list[Finding]]]:
    if jobs is None:
        jobs = 1 if len(scripts) <= SERIAL_UP_TO else os.cpu_count() or 1
    if jobs == 1 or len(scripts) < 2:
        yield from ((script, check_text(script.text, script.path, script.libraries)) for script in scripts)
        return
    from concurrent.futures import ProcessPoolExecutor

    largest_first = sorted(scripts, key=lambda script: -len(script.text))
    with ProcessPoolExecutor(min(jobs, len(scripts))) as pool:
        yield from zip(largest_first, pool.map(_check_script, largest_first, chunksize=8), strict=True)


def _check_script(script: Script) -> list[Finding]:
    return check_text(script.text, script.path, script.libraries)


def _walk(folder: str, unreadable: list[UsageError]) -> Iterator[str]:
    def refuse(error: OSError) -> None:
        unreadable.append(UsageError(f"{error.filename}: cannot be read: {(error.strerror or str(error)).lower()}"))

    for parent, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in SKIPPED_FOLDERS]
        for name in names:
            if name.lower().endswith(EXTENSIONS):
                path = os.path.join(parent, name).replace(os.sep, "/")
                yield path.removeprefix("./") if folder == "." else path
