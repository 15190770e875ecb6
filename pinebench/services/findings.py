"""The findings of a script, selected by its configuration."""

from __future__ import annotations

import re

from pinebench.checker import Program, Symbol
from pinebench.codes import opinion_codes
from pinebench.diagnostics import Diagnostic, Severity, Span
from pinebench.errors import UsageError
from pinebench.linter.engine import locate
from pinebench.linter.rules import opinions_on
from pinebench.linter.settings import FileSettings, file_settings
from pinebench.linter.suppress import split_hidden
from pinebench.records import NamedTuple
from pinebench.services.names import declaration_of
from pinebench.services.script import JudgedText, ScriptView
from pinebench.syntax.lines import common

_WORD = re.compile(r"[A-Za-z_]\w*")


def findings(view: ScriptView, path: str) -> tuple[list[Diagnostic], str]:
    """Return the findings to show for a script, and the problem with its configuration (empty if there is none).

    The findings include the linter's rules. The configuration selects them, and a comment can hide them. A hidden error
    is shown anyway, because TradingView refuses the script.

    Most scripts have errors while a word is being typed. As long as there are errors, the linter's rules are not run,
    and with a syntax error the compiler's warnings are unknown too. So the warnings of the latest state without errors
    are shown, too, except those that the text typed since then may affect.
    """
    found, trouble = _findings_now(view, path)
    if not any(each.severity is Severity.ERROR for each in view.program.diagnostics):
        view.judged = JudgedText(view.text, tuple(found))
        return found, trouble
    if view.judged is None:
        return found, trouble
    stay = _staying(view.judged, view.text)
    if not view.snapshot.diagnostics:
        stay = [each for each in stay if each.code in opinion_codes()]
    shown = {(each.code, each.span) for each in found}
    return [*found, *(each for each in stay if (each.code, each.span) not in shown)], trouble


def _staying(judged: JudgedText, text: str) -> list[Diagnostic]:
    """Return the warnings of an earlier text that still hold in `text`, with their new spans. They are on unchanged
    lines, and name nothing that the changed lines name. They have no fixes, because fixes for the earlier text may not
    apply."""
    old = judged.text
    start = common(old, text)
    rest = common(old[start:][::-1], text[start:][::-1])
    first = old.rfind("\n", 0, start) + 1
    last = old.find("\n", len(old) - rest)
    last = last if last >= 0 else len(old)
    shift = len(text) - len(old)
    typed = set(_WORD.findall(text[first : last + shift]))
    found: list[Diagnostic] = []
    for each in judged.found:
        span = each.span
        is_changed = span.end > first and span.start <= last
        if each.severity is Severity.ERROR or is_changed or typed & set(_WORD.findall(old[span.start : span.end])):
            continue
        moved = span if span.end <= first else Span(span.start + shift, span.end + shift)
        found.append(each._replace(span=moved, fix=None, tv_position=None))
    return found


def safely_fixed(view: ScriptView, path: str) -> str:
    """Return the script's text with every safe fix of the findings that the configuration shows. Raises UsageError if
    the configuration cannot be used."""
    from pinebench.linter.fixes import fix_program

    asked = file_settings(path)
    return fix_program(view.program, lambda each: asked.view.shows(each.code), heeds_comments=True).text


class RelatedPlace(NamedTuple):
    """Another span that concerns a finding, and a sentence about it."""

    span: Span
    text: str


def related(view: ScriptView, finding: Diagnostic) -> list[RelatedPlace]:
    """Return the other spans that concern a finding: the first declaration of a name that is declared again, and the
    earlier line with the same code."""
    values = dict(finding.values)
    line = values.get("line")
    if finding.code in opinion_codes() and str(line).isdigit():
        lines = view.snapshot.lines
        start, text = lines.line_start(int(str(line))), lines.line_text(int(str(line)))
        return [
            RelatedPlace(
                Span(start + len(text) - len(text.lstrip()), start + len(text)), "The same expression is computed here."
            )
        ]
    name = values.get(_DECLARED_TWICE.get(finding.code, ""))
    spans = [span for span in _declarations(view.program, str(name)) if span.end <= finding.span.start]
    return [RelatedPlace(spans[-1], f'"{name}" is declared here.')] if spans else []


def _declarations(program: Program, name: str) -> list[Span]:
    """Return the spans in the global scope that declare `name`, in text order; those in all scopes if there is none."""
    bindings = program.bindings
    symbols = [each for each in bindings.symbols if each.name == name]
    outer: list[Symbol] = [each for each in symbols if each.scope.kind == "global"]
    outer += [table[name] for table in (bindings.types, bindings.enums) if name in table]
    found = (declaration_of(program, each) for each in outer or symbols)
    return sorted(place[1] for place in found if place is not None and place[0] is program)


_DECLARED_TWICE = {"CW10013": "variableName", "CE10095": "x"}
"""The codes about a name that is declared again, each with the key of the name in the finding's values."""


def _findings_now(view: ScriptView, path: str) -> tuple[list[Diagnostic], str]:
    """Return the findings of this state of a script."""
    asked, trouble = _asked(path)
    program = view.program
    found = [*program.diagnostics, *(opinions_on(program, asked.opinions) if asked is not None else ())]
    if asked is None:
        return found, trouble
    snapshot = view.snapshot
    located = locate(found, snapshot.lines, path, syntax=snapshot.diagnostics)
    split = split_hidden(view.text, path, located, asked.view)
    refused = [_visible(each.finding.diagnostic) for each in split.hidden if each.finding.severity is Severity.ERROR]
    return [*(finding.diagnostic for finding in split.findings), *refused], trouble


def _visible(error: Diagnostic) -> Diagnostic:
    """Return a hidden error in the form in which the editor shows it."""
    why = "A comment hides this error in reports, but TradingView refuses the script."
    return error._replace(hint=f"{error.hint} {why}" if error.hint else why)


def configuration_trouble(path: str) -> str:
    """Return the problem with the configuration of the script at `path`; empty if there is none."""
    return _asked(path)[1]


def _asked(path: str) -> tuple[FileSettings | None, str]:
    try:
        return file_settings(path), ""
    except UsageError as error:
        return None, error.with_hint
