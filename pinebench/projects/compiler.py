"""A TradingView compiler that first bundles a script with its local libraries, and reports findings in their files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pinebench.compilers import Compiler, Verdict
from pinebench.context import Context
from pinebench.diagnostics import Diagnostic, Span
from pinebench.projects.bundle import Bundle
from pinebench.projects.project import Project, project_of
from pinebench.syntax.lines import LineIndex


class BundlingCompiler:
    """A compiler that bundles the script at `path` before `inner` compiles it. A script without local libraries is sent
    unchanged.

    `folders` may contain the source of libraries; None means the folders in the nearest configuration file.
    """

    def __init__(self, inner: Compiler, path: str, folders: tuple[str, ...] | None = None) -> None:
        self.inner = inner
        self.name = inner.name
        self.path = path
        self._folders = folders

    @property
    def editor(self) -> Any:
        """The editor of a compiler on a chart's page; None for other compilers."""
        return getattr(self.inner, "editor", None)

    def beside(self, path: str) -> BundlingCompiler:
        """Return the same compiler for the script at `path`."""
        return BundlingCompiler(self.inner, path, self._folders)

    def reach(self, context: Context) -> None:
        """Check that the compiler can be reached. Raises the errors of the inner compiler."""
        self.inner.reach(context)

    def close(self) -> None:
        """Close all connections that the compiler opened."""
        close: Callable[[], None] | None = getattr(self.inner, "close", None)
        if close is not None:
            close()

    def compile(self, source: str, context: Context) -> Verdict:
        """Return the verdict on `source` with its libraries. Raises NotBundled if it cannot be bundled."""
        project = project_of(source, self.path, folders=self._folders)
        if project is None:
            return self.inner.compile(source, context)
        verdict = self.inner.compile(project.bundle.text, context)
        return told(verdict, project, source, self.path)


def told(verdict: Verdict, project: Project, source: str, path: str) -> Verdict:
    """Return the verdict on a bundle, with each finding in its original file. `source` is the script at `path`."""
    own: list[Diagnostic] = []
    others: dict[str, list[Diagnostic]] = {}
    read = project.program.libraries_read
    texts = {each.file: read.get(each.library) or "" for each in project.bundle.source_map.files if each.library}
    for finding in verdict.diagnostics:
        file, moved = _moved(finding, project.bundle, {**texts, path: source}, path)
        (own if file == path else others.setdefault(file, [])).append(moved)
    elsewhere = {file: tuple(found) for file, found in others.items()}
    return replace(verdict, diagnostics=tuple(own), elsewhere=elsewhere, program=project.program)


def _moved(finding: Diagnostic, made: Bundle, texts: Mapping[str, str], path: str) -> tuple[str, Diagnostic]:
    """Return the original file of a bundle's finding, and the finding at its position there.

    A finding on text that is in no file is reported at the start of the script, with a remark.
    """
    lines = LineIndex(made.text)
    place = made.source_map.place(lines.position(finding.span.start), lines.position(finding.span.end))
    if place is None:
        words = f"{finding.message} (in the bundle, line {lines.position(finding.span.start).line})"
        return path, finding._replace(message=words, span=Span(0, 0), tv_position=None, fix=None)
    there = LineIndex(texts[place.file])
    span = Span(there.offset(*place.start), there.offset(*place.end))
    words, hint = (made.source_map.message(each or "", place.file) for each in (finding.message, finding.hint))
    return place.file, finding._replace(message=words, span=span, tv_position=None, hint=hint or None, fix=None)
