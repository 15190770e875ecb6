"""Answers the requests of the page's editor with the results of `services`, with positions as Monaco counts them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

from pinebench import decoding
from pinebench.diagnostics import Edit, Span
from pinebench.errors import UsageError
from pinebench.formatting import FormatStyle
from pinebench.migration import TITLE, conversion, is_old
from pinebench.services import OpenScript, ScriptView
from pinebench.services.actions import actions
from pinebench.services.colors import Color, colors, written
from pinebench.services.completion import Completion, completions
from pinebench.services.describe import describe, describe_builtin
from pinebench.services.explained import explained
from pinebench.services.format_edits import layout
from pinebench.services.hover import hover, signature_help
from pinebench.services.navigation import definition, references, type_definition
from pinebench.services.outline import OutlineEntry, folds, outline
from pinebench.services.rename import renamable, rename
from pinebench.services.tokens import KINDS, MODIFIERS, tokens
from pinebench.studio.compile import LONGEST_SOURCE, severity
from pinebench.studio.web import BadRequest, Response, StudioRequest, json_response

MOST_TEXTS = 8
"""The number of pages whose checked text is kept; the one that was not used for the longest time is dropped first."""
MOST_ITEMS = 200
"""The number of completions that are sent at once. A longer list is marked as incomplete, so that the editor asks again
after the next letter."""

_PLACE = {"lineNumber": int, "column": int}
_RANGE = {"startLineNumber": int, "startColumn": int, "endLineNumber": int, "endColumn": int}
_COLOR = {"red": float, "green": float, "blue": float, "alpha": float}


class _EditorText:
    """The text in the editor of one page, and the completions that were offered for it last."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.script = OpenScript("")
        self.version = 0
        self.offered: tuple[int, ScriptView, list[Completion]] = (0, self.script.view, [])

    def bring_to(self, version: int, source: str) -> ScriptView:
        """Replace the text by `source`, which is its `version`, and return its view."""
        if source != self.script.view.text:
            self.script.replace(source)
        self.version = version
        return self.script.view


class EditorAnswers:
    """Answers requests about the texts in the editors of pages, from any thread."""

    def __init__(self) -> None:
        self._texts: OrderedDict[str, _EditorText] = OrderedDict()
        self._lock = threading.Lock()

    def answer(self, request: StudioRequest) -> Response:
        """Answer one request; the response also holds the version of the text. The answer is null if the page has
        already sent a later version, because it no longer needs this answer."""
        name = request.groups[0]
        if name not in _QUESTIONS:
            return json_response({"error": "there is no such question"}, 404)
        asked, answer = _QUESTIONS[name]
        question = _checked(request.json(), asked)
        text = self._text(question["page"])
        with text.lock:
            version = question["version"]
            if version < text.version:
                return json_response({"version": text.version, "answer": None})
            found = answer(_Question(text, text.bring_to(version, question["source"]), question))
        return json_response({"version": version, "answer": found})

    def _text(self, page: str) -> _EditorText:
        with self._lock:
            text = self._texts.pop(page, None) or _EditorText()
            self._texts[page] = text
            while len(self._texts) > MOST_TEXTS:
                self._texts.popitem(last=False)
            return text


class _Question:
    """One question, with the text that it is about."""

    def __init__(self, text: _EditorText, view: ScriptView, question: dict[str, Any]) -> None:
        self.text = text
        self.view = view
        self.question = question

    @property
    def offset(self) -> int:
        """The offset that the question is about."""
        at = self.question["at"]
        return self.view.snapshot.lines.offset(at["lineNumber"], at["column"])

    @property
    def span(self) -> Span:
        """The span that the question is about. A range that ends before it begins is an empty span at its start."""
        lines, asked = self.view.snapshot.lines, self.question["range"]
        start = lines.offset(asked["startLineNumber"], asked["startColumn"])
        return Span(start, max(start, lines.offset(asked["endLineNumber"], asked["endColumn"])))

    def range(self, span: Span) -> dict[str, int]:
        """A span as a range of Monaco."""
        start, end = map(self.view.snapshot.lines.position, span)
        return {
            "startLineNumber": start.line,
            "startColumn": start.column,
            "endLineNumber": end.line,
            "endColumn": end.column,
        }

    def edits(self, edits: Iterable[Edit]) -> list[dict[str, object]]:
        """Edits in the form that Monaco uses."""
        return [{"range": self.range(edit.span), "text": edit.text} for edit in edits]


def _checked(question: Any, asked: dict[str, Any]) -> dict[str, Any]:
    try:
        decoding.check(question, {"page": str, "version": int, "source": str, **asked}, "question")
    except decoding.MalformedDocument as error:
        raise BadRequest(str(error)) from None
    if len(question["source"]) > LONGEST_SOURCE:
        raise BadRequest(f"expected a source of at most {LONGEST_SOURCE} characters")
    return question


# while typing


def _completion(asked: _Question) -> dict[str, object]:
    items = completions(asked.view, asked.offset)
    kept = items[:MOST_ITEMS]
    asked.text.offered = (asked.text.version, asked.view, kept)
    made = [
        {
            "label": item.label,
            "kind": item.kind,
            "detail": item.detail,
            "text": item.snippet or item.label,
            "snippet": item.snippet is not None,
            "range": asked.range(item.span),
        }
        for item in kept
    ]
    return {"items": made, "incomplete": len(items) > len(kept)}


def _about(asked: _Question) -> str | None:
    """The description of one completion, or None.

    `number` is its index in the list that was offered last; `list` is the version of that list.
    """
    version, view, items = asked.text.offered
    number = asked.question["number"]
    if version != asked.question["list"] or not 0 <= number < len(items):
        return None
    item = items[number]
    if item.symbol is not None:
        return describe(view.known, item.symbol) or None
    return (describe_builtin(item.label) if item.kind == "keyword" else item.detail) or None


def _signature(asked: _Question) -> dict[str, object] | None:
    found = signature_help(asked.view, asked.offset)
    if found is None:
        return None
    signatures = [
        {"label": each.label, "parameters": [parameter.label for parameter in each.shown], "about": notes}
        for each, notes in zip(found.signatures, found.notes, strict=True)
    ]
    parameter = found.parameter if found.parameter >= 0 else len(found.signatures[found.active].shown)
    return {"signatures": signatures, "active": found.active, "parameter": parameter}


def _hover(asked: _Question) -> dict[str, object] | None:
    found = hover(asked.view, asked.offset)
    return {"text": found.text, "range": asked.range(found.span)} if found is not None else None


# names


def _definition(asked: _Question) -> dict[str, int] | None:
    target = definition(asked.view, asked.offset)
    return asked.range(target.span) if target is not None and target.library is None else None


def _type_definition(asked: _Question) -> dict[str, int] | None:
    target = type_definition(asked.view, asked.offset)
    return asked.range(target.span) if target is not None and target.library is None else None


def _references(asked: _Question) -> list[dict[str, object]]:
    return [{"range": asked.range(use.span), "writes": use.writes} for use in references(asked.view, asked.offset)]


def _renamable(asked: _Question) -> dict[str, object]:
    try:
        return {"range": asked.range(renamable(asked.view, asked.offset))}
    except UsageError as error:
        return _refused(error)


def _rename(asked: _Question) -> dict[str, object]:
    try:
        return {"edits": asked.edits(rename(asked.view, asked.offset, asked.question["name"]))}
    except UsageError as error:
        return _refused(error)


def _refused(error: UsageError) -> dict[str, object]:
    return {"refused": error.with_hint}


# what can be done


def _actions(asked: _Question) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    for each in actions(asked.view, asked.span, asked.view.program.diagnostics):
        finding = each.finding
        about = None
        if finding is not None:
            about = {
                "code": finding.code,
                "message": finding.message,
                "severity": severity(finding),
                **asked.range(finding.span),
            }
        found.append(
            {
                "title": each.title,
                "kind": each.kind,
                "code": each.code,
                "edits": asked.edits(each.edits),
                "preferred": each.preferred,
                "finding": about,
            }
        )
    if is_old(asked.view.snapshot):
        found.append({"title": TITLE, "kind": "convert", "code": "", "edits": [], "preferred": False, "finding": None})
    return found


def _explain(asked: _Question) -> dict[str, object]:
    try:
        return {"text": explained(asked.question["code"])}
    except UsageError as error:
        return _refused(error)


def _convert(asked: _Question) -> dict[str, object]:
    """The edits that convert the script to v6, with a summary for the user; or the reason why that is refused."""
    made = conversion(asked.view.text)
    if made.migration.refused:
        return {"refused": made.summary}
    return {"edits": asked.edits(made.edits), "summary": made.summary}


def _layout(asked: _Question) -> list[dict[str, object]]:
    span = asked.span if "range" in asked.question else None
    return asked.edits(layout(asked.view, FormatStyle(), span))


# how it looks


def _colors(asked: _Question) -> list[dict[str, object]]:
    return [
        {
            "range": asked.range(each.span),
            "color": {
                "red": each.red / 255,
                "green": each.green / 255,
                "blue": each.blue / 255,
                "alpha": each.alpha / 255,
            },
        }
        for each in colors(asked.view)
    ]


def _written(asked: _Question) -> str:
    """The Pine text for a picked colour."""
    picked = asked.question["color"]
    parts = (min(255, max(0, round(255 * picked[name]))) for name in ("red", "green", "blue", "alpha"))
    return written(Color(asked.span, *parts)).text


def _folds(asked: _Question) -> list[dict[str, object]]:
    return [{"start": fold.first, "end": fold.last, "kind": fold.kind} for fold in folds(asked.view)]


def _tokens(asked: _Question) -> list[int]:
    """Tokens in Monaco's packed form: each token has its distance from the previous one."""
    data: list[int] = []
    line = column = 1
    position = asked.view.snapshot.lines.position
    for token in tokens(asked.view):
        start, end = position(token.start), position(token.start + token.length)
        apart = start.line - line
        flags = sum(1 << MODIFIERS.index(modifier) for modifier in token.modifiers)
        data += (apart, start.column - (1 if apart else column), end.column - start.column)
        data += (KINDS.index(token.kind), flags)
        line, column = start
    return data


def _symbols(asked: _Question) -> list[dict[str, object]]:
    return [_symbol(asked, entry) for entry in outline(asked.view)]


def _symbol(asked: _Question, entry: OutlineEntry) -> dict[str, object]:
    return {
        "name": entry.name,
        "detail": entry.detail,
        "kind": entry.kind,
        "range": asked.range(entry.whole),
        "selectionRange": asked.range(entry.span),
        "children": [_symbol(asked, child) for child in entry.children],
    }


_QUESTIONS: dict[str, tuple[dict[str, Any], Callable[[_Question], object]]] = {
    "completion": ({"at": _PLACE}, _completion),
    "about": ({"list": int, "number": int}, _about),
    "signature": ({"at": _PLACE}, _signature),
    "hover": ({"at": _PLACE}, _hover),
    "definition": ({"at": _PLACE}, _definition),
    "type": ({"at": _PLACE}, _type_definition),
    "references": ({"at": _PLACE}, _references),
    "renamable": ({"at": _PLACE}, _renamable),
    "rename": ({"at": _PLACE, "name": str}, _rename),
    "actions": ({"range": _RANGE}, _actions),
    "explain": ({"code": str}, _explain),
    "convert": ({}, _convert),
    "layout": ({"range?": _RANGE}, _layout),
    "colors": ({}, _colors),
    "written": ({"range": _RANGE, "color": _COLOR}, _written),
    "folds": ({}, _folds),
    "tokens": ({}, _tokens),
    "symbols": ({}, _symbols),
}
"""Every question by name: the shape of its fields besides page, version and source, and the function for the answer."""
