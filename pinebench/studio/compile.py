"""The studio's compiler: our checker's findings as editor markers and in the format of TradingView's HTTP check."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from pinebench.checker import LibraryFolders, Program, check
from pinebench.diagnostics import Diagnostic, Severity, Span
from pinebench.errors import UsageError
from pinebench.projects.project import project_of
from pinebench.projects.refusals import NotBundled
from pinebench.syntax import Document, nodes, parse

LONGEST_SOURCE = 2_000_000
"""The largest number of characters of a source; a longer one is refused before it is parsed."""

_SCRIPT = "script.pine"
"""The name of the page's script in messages about a bundle; the page's scripts have no files."""

LARGEST_BODY = 16_000_000
"""The largest size in bytes of a request with a source, including escapes."""

_MARKER_SEVERITY = {Severity.ERROR: 8, Severity.WARNING: 4, Severity.INFO: 2, Severity.HINT: 1}
_TRADINGVIEW_CODE = re.compile(r"C[EW]\d+")
KINDS = ("indicator", "strategy", "library")
"""The kinds of scripts, by the names of their declaration statements."""


@dataclass(frozen=True, slots=True)
class DeclarationStatement:
    """The declaration statement of a script. `kind` is indicator, strategy or library, or empty if there is none."""

    kind: str = ""
    title: str = ""
    short_title: str = ""
    overlay: bool = False


@dataclass(frozen=True, slots=True)
class CheckedScript:
    """The result of checking one source."""

    program: Program
    document: Document
    diagnostics: list[Diagnostic]
    declaration: DeclarationStatement

    @property
    def ok(self) -> bool:
        """Whether our checker finds no errors in the script."""
        return all(finding.severity is not Severity.ERROR for finding in self.diagnostics)


def compile_source(source: str, folders: tuple[str, ...] = ()) -> CheckedScript:
    """Check `source`. Errors in the script are reported, not raised.

    `folders` may hold the source of local libraries; these are read again on each call. A script that imports libraries
    is bundled with them, and an error in a library is reported at the first import, with its file and line. Results for
    other scripts are cached, because a compile often follows a check of the same source.
    """
    if not folders or "import" not in source:
        return _compiled(source)
    document = parse(source)
    program = check(document, LibraryFolders(folders))
    found = [*program.diagnostics, *_faults_of_libraries(source, program, folders)]
    return CheckedScript(program, document, found, declaration(document))


@lru_cache(maxsize=8)
def _compiled(source: str) -> CheckedScript:
    document = parse(source)
    program = check(document)
    return CheckedScript(program, document, list(program.diagnostics), declaration(document))


def _faults_of_libraries(source: str, program: Program, folders: tuple[str, ...]) -> list[Diagnostic]:
    """The errors of the script's bundle that are in its local libraries, reported at the first import of the script."""
    first = min((library.start for library in program.imports.values()), default=0)
    line = program.document.lines.position(first).line
    span = Span(first, first + len(program.document.lines.line_text(line)))
    return [Diagnostic("not-bundled", Severity.ERROR, words, span) for words in _words_on_libraries(source, folders)]


def _words_on_libraries(source: str, folders: tuple[str, ...]) -> list[str]:
    """The errors of a script's bundle in other files than the script, each with its file and place."""
    try:
        project = project_of(source, _SCRIPT, folders=folders)
    except NotBundled as refused:
        others = [str(each) for each in refused.refusals if each.file != _SCRIPT]
        return others or [str(each) for each in refused.refusals if not each.message.startswith("CE")]
    except UsageError as unreadable:
        return [unreadable.message]
    if project is None:
        return []
    found: list[str] = []
    made = parse(project.bundle.text)
    for finding in check(made).diagnostics:
        start, end = made.lines.position(finding.span.start), made.lines.position(finding.span.end)
        place = project.bundle.source_map.place(start, end)
        if finding.severity is Severity.ERROR and place is not None and place.file != _SCRIPT:
            message = project.bundle.source_map.message(finding.message, place.file)
            found.append(f"{place.file}:{place.start.line}:{place.start.column}: {finding.code} {message}")
    return found


def severity(finding: Diagnostic) -> int:
    """Return the severity of a finding as the number that Monaco's markers use."""
    return _MARKER_SEVERITY[finding.severity]


def markers(compiled: CheckedScript) -> list[dict[str, object]]:
    """Return the findings as Monaco markers. As on TradingView's page, the message ends with the code."""
    lines = compiled.document.lines
    found: list[dict[str, object]] = []
    for finding in compiled.diagnostics:
        start, end = lines.position(finding.span.start), lines.position(finding.span.end)
        code = f" ({finding.code})" if _TRADINGVIEW_CODE.fullmatch(finding.code) else ""
        found.append(
            {
                "severity": severity(finding),
                "code": finding.code,
                "message": finding.message + code,
                "startLineNumber": start.line,
                "startColumn": start.column,
                "endLineNumber": end.line,
                "endColumn": end.column,
            }
        )
    return found


def translate_light(compiled: CheckedScript, version: str) -> dict[str, object]:
    """Return the response of TradingView's `translate_light`. Errors are in `errors` for interface version 3, else in
    `errors2`.

    As on TradingView, `success` is true for a script with errors, the end column is inclusive, and a script with a
    syntax error has no warnings.
    """
    errors = [f for f in compiled.diagnostics if f.severity is Severity.ERROR]
    warnings = [f for f in compiled.diagnostics if f.severity is Severity.WARNING]
    if any(f.severity is Severity.ERROR for f in compiled.document.diagnostics):
        warnings = []
    suffix = "" if version == "3" else "2"
    result: dict[str, object] = {}
    if errors:
        result["errors" + suffix] = [_finding(compiled, finding) for finding in errors]
    if warnings:
        result["warnings" + suffix] = [_finding(compiled, finding) for finding in warnings]
    if not errors:
        result["metaInfo"] = meta_info(compiled.declaration)
    return {"success": True, "result": result}


def meta_info(declared: DeclarationStatement) -> dict[str, object]:
    """Return the data of a compiled script that a chart needs, under TradingView's names."""
    return {
        "description": declared.title,
        "shortDescription": declared.short_title,
        "is_price_study": declared.overlay and declared.kind != "strategy",
        "isTVScript": True,
        "isTVScriptStrategy": declared.kind == "strategy",
        "kind": declared.kind,
    }


def declaration(document: Document) -> DeclarationStatement:
    """Return the script's declaration statement. Arguments that are not literals are ignored."""
    for chunk in document.chunks:
        for statement in chunk.body:
            call = statement.expression if isinstance(statement, nodes.ExpressionStatement) else None
            if isinstance(call, nodes.Call) and isinstance(call.callee, nodes.Name) and call.callee.id in KINDS:
                return _declaration(call.callee.id, call)
    return DeclarationStatement()


def _declaration(kind: str, call: nodes.Call) -> DeclarationStatement:
    texts: dict[str, str] = {}
    for position, argument in zip(("title", "shorttitle", "overlay"), call.arguments, strict=False):
        if isinstance(argument, nodes.NamedArgument):
            break
        texts[position] = _literal(argument)
    for argument in call.arguments:
        if isinstance(argument, nodes.NamedArgument):
            texts[argument.name] = _literal(argument.value)
    title = texts.get("title", "")
    overlay = texts.get("overlay") == "true"
    return DeclarationStatement(kind, title, texts.get("shorttitle") or title, overlay)


def _literal(value: nodes.Node) -> str:
    if not isinstance(value, nodes.Literal):
        return ""
    return _unquoted(value.text) if value.kind == "string" else value.text


def _unquoted(text: str) -> str:
    for quote in ('"""', "'''", '"', "'"):
        if len(text) >= 2 * len(quote) and text.startswith(quote) and text.endswith(quote):
            return re.sub(r"\\(.)", r"\1", text[len(quote) : -len(quote)], flags=re.DOTALL)
    return text


def _finding(compiled: CheckedScript, finding: Diagnostic) -> dict[str, object]:
    lines = compiled.document.lines
    start, end = lines.position(finding.span.start), lines.position(max(finding.span.start, finding.span.end - 1))
    if finding.tv_position is not None:
        shift = finding.tv_position.column - start.column
        end = end._replace(line=finding.tv_position.line, column=max(finding.tv_position.column, end.column + shift))
        start = finding.tv_position
    return {
        "code": finding.code,
        "message": finding.message,
        "ctx": {},
        "start": {"line": start.line, "column": start.column},
        "end": {"line": end.line, "column": end.column},
    }
