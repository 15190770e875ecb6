"""Comments that hide findings. A comment hides only the codes that it names, and only on the lines to which it applies.

`// pinebench: ignore[CW10003]` after code applies to its own line; alone on a line it applies to the next line. `//
pinebench: ignore-file[CW10003]`, alone on a line, applies to the whole script. Hidden findings are kept: reports for
programs contain them, and a hidden error still fails a run, because TradingView refuses the script anyway. A comment
that names no code hides nothing and is reported. A comment whose findings no longer occur is reported too.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache
from typing import TYPE_CHECKING

from pinebench import codes
from pinebench.diagnostics import Edit, Fix, Severity, Span
from pinebench.linter.findings import FAMILIES, UNCHECKED_SCRIPT, located, matches
from pinebench.patterns import lazy_pattern
from pinebench.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pinebench.diagnostics import Diagnostic
    from pinebench.linter.findings import Finding, FindingFilter
    from pinebench.syntax.snapshot import Snapshot

UNUSED, REFUSED = "PB0004", "PB0005"
"""The code for a comment that does not hide anything any more, and the code for a comment that is not understood."""

LINE, FILE = "ignore", "ignore-file"
"""The two words that hide findings."""

_DIRECTIVE = lazy_pattern(
    r"//[ \t]*pinebench(?:(?P<colon>:)|(?=[ \t]+[A-Za-z][\w-]*[ \t]*\[))[ \t]*(?P<word>[A-Za-z][\w-]*)"
    r"(?:[ \t]*\[(?P<codes>[^\]\r\n]*)\])?(?P<reason>(?:(?!//)[^\r\n])*)",
    re.IGNORECASE,
)
_MEANT = lazy_pattern(r"(ignor|disabl|suppress|skip|allow|no(qa|lint|check|warn)|silence|hide)", re.IGNORECASE)
"""The beginnings of words that are meant to hide; any other word after `pinebench:` is ordinary text."""


class Comment(NamedTuple):
    """A comment that hides findings: its span (from its slashes to the end of its reason), the codes that it names, the
    line that it applies to (None for the complete script), and its author's reason."""

    span: Span
    names: tuple[str, ...]
    line: int | None
    reason: str


class HiddenFinding(NamedTuple):
    """A hidden finding. It is hidden by a comment in the script, with its author's reason, or by the settings for the
    file."""

    finding: Finding
    by_comment: bool
    reason: str = ""


class FilteredFindings(NamedTuple):
    """The findings to show, and those that are hidden, both in report order."""

    findings: list[Finding]
    hidden: list[HiddenFinding]


def split_hidden(text: str, path: str, findings: list[Finding], view: FindingFilter) -> FilteredFindings:
    """Split `findings` in the script `text` into those that a report shows and those that are hidden. Findings about
    the comments themselves are added.

    TradingView does not know these comments, so they hide nothing if the view is TradingView's.
    """
    if view.tradingview:
        return FilteredFindings(view.of(findings), [])
    source = _source_with_comments(text)
    comments: list[Comment] = []
    if source is not None:
        comments, remarks = _examined(source, path, findings, view)
        findings = [*findings, *remarks]
    hiding = _HidingComments(comments)
    hidden: list[HiddenFinding] = []
    shown: list[Finding] = []
    for finding in view.of(findings):
        comment = hiding.comment_for(finding)
        if comment is not None:
            hidden.append(HiddenFinding(finding, True, comment.reason))
        elif view.hides(finding.code):
            hidden.append(HiddenFinding(finding, False))
        else:
            shown.append(finding)
    return FilteredFindings(shown, hidden)


def without_unused(text: str, findings: list[Finding], view: FindingFilter) -> tuple[str, int]:
    """Return `text` without the comments, or the names in them, that no longer hide any of `findings`, and the number
    of comments that changed."""
    source = _source_with_comments(text)
    if source is None or not view.shows(UNUSED):
        return text, 0
    from pinebench.syntax.edits import apply_edits

    _, remarks = _examined(source, "", findings, view)
    edits = [edit for remark in remarks if remark.fix is not None for edit in remark.fix.edits]
    return apply_edits(text, edits), len(edits)


def hider(source: Snapshot) -> Callable[[Diagnostic], bool]:
    """Return a function that tells whether a comment in `source` hides a diagnostic."""
    if not may_hide(source.text):
        return lambda _: False
    hiding = _HidingComments([entry for entry in _read(source) if isinstance(entry, Comment)])
    return lambda diagnostic: hiding.comment_for(located(diagnostic, source.lines, "")) is not None


class _HidingComments:
    """Finds the comment that hides a finding; the answer for each line and code is cached."""

    def __init__(self, comments: list[Comment]) -> None:
        self._on: dict[int | None, list[Comment]] = {}
        for comment in comments:
            self._on.setdefault(comment.line, []).append(comment)
        self._known: dict[tuple[int | None, str], Comment | None] = {}

    def comment_for(self, finding: Finding) -> Comment | None:
        """The comment that hides `finding`, on its line or in the whole script; None if there is none."""
        return self._found(finding.line, finding.code) or self._found(None, finding.code)

    def _found(self, line: int | None, code: str) -> Comment | None:
        if line not in self._on:
            return None
        if (line, code) not in self._known:
            naming = (each for each in self._on[line] if any(matches(code, name) for name in each.names))
            self._known[line, code] = next(naming, None)
        return self._known[line, code]


def may_hide(text: str) -> bool:
    """Return whether `text` may contain a comment that hides findings. The words may also be in a string."""
    # The first test answers for nearly every script and takes a fiftieth of the second test's time.
    return "inebench" in text and _DIRECTIVE.search(text) is not None


def _source_with_comments(text: str) -> Snapshot | None:
    if not may_hide(text):
        return None
    from pinebench.syntax import parse

    return parse(text).snapshot


def _examined(
    source: Snapshot, path: str, findings: list[Finding], view: FindingFilter
) -> tuple[list[Comment], list[Finding]]:
    """The comments in `source` that hide findings, and the findings about unused comments and comments that are not
    understood."""
    comments: list[Comment] = []
    said: list[Diagnostic] = []
    found: dict[int | None, dict[str, None]] = {None: {}}
    for finding in findings:
        found[None][finding.code] = None
        found.setdefault(finding.line, {})[finding.code] = None
    sought = looked_for(findings, view)
    lines_of = cache(lambda name: _lines_of(name, found))
    for entry in _read(source):
        here = found.get(entry.line, {})
        if isinstance(entry, _RefusedComment):
            said.append(_refusal(entry, here))
            continue
        comments.append(entry)
        used = [name for name in entry.names if lines_of(name) and any(matches(code, name) for code in here)]
        unused = [name for name in entry.names if name not in set(used) and sought(name) and not _is_own(name)]
        if unused:
            said.append(_unused(entry, unused, _elsewhere(entry, unused, lines_of), source))
    return comments, [located(diagnostic, source.lines, path) for diagnostic in said]


class _RefusedComment(NamedTuple):
    """A comment that was meant to hide findings and hides nothing, or fewer codes than it names.

    `line` is the line that the comment applies to, None for the whole script, and `word` is the word to use. `known`
    are the names that do hide findings.
    """

    span: Span
    why: str
    line: int | None
    word: str
    known: tuple[str, ...] = ()


def _read(source: Snapshot) -> Iterator[Comment | _RefusedComment]:
    """Yield the comments of `source` that hide findings or were meant to, in text order."""
    text, lines = source.text, source.lines
    found = [match for span in source.comments for match in _DIRECTIVE.finditer(text, span.start, span.end)]
    found = [match for match in found if _MEANT.match(match["word"])]
    numbers = [lines.position(match.start()).line for match in found]
    alone: dict[int, int] = {}
    for match, number in zip(reversed(found), reversed(numbers), strict=True):
        if not text[lines.line_start(number) : match.start()].strip():
            # If there are several such comments on consecutive lines, all of them apply to the same line.
            alone[number] = alone.get(number + 1, number + 1)
    for match, number in zip(found, numbers, strict=True):
        word = match["word"].lower()
        line = None if word == FILE else alone.get(number, number)
        names = [name for name in re.split(r"[,\s]+", match["codes"] or "") if name]
        end = match.start("reason") + len(match["reason"].rstrip())
        span = Span(match.start(), end)
        known = tuple(name for name in dict.fromkeys(names) if not _why_no_code(name))
        hides = match["colon"] is not None and (word == LINE or (word == FILE and number in alone))
        why = _why_not(match, names, number in alone)
        if why:
            yield _RefusedComment(span, why, line, FILE if word == FILE else LINE, known if hides else ())
        if known and hides:
            yield Comment(span, known, line, match["reason"].strip(" \t:-–—"))


def _why_not(match: re.Match[str], names: Sequence[str], alone: bool) -> str | None:
    word = match["word"].lower()
    if match["colon"] is None:
        return "a colon is missing after 'pinebench'"
    if word not in (LINE, FILE):
        return f"there is no '{word}'"
    if not names:
        return "it has no code in brackets"
    if word == FILE and not alone:
        return f"'{FILE}' must be alone on its line"
    return next(filter(None, map(_why_no_code, names)), None)


def _why_no_code(name: str) -> str | None:
    if name.upper() == "ALL":
        return "ALL would hide new findings too"
    return None if name.lower() in _names() else f"there is no code '{name}', and none begins with it"


@cache
def _names() -> frozenset[str]:
    """Everything that names codes, in lower case: codes, beginnings of numbered codes, rules and groups of rules."""
    from pinebench.codes.opinions import GROUPS

    every = [code.lower() for code in (*codes.all_codes(), *codes.opinion_codes())]
    numbered = (code for code in every if code[:2].upper() in FAMILIES)
    beginnings = (code[:length] for code in numbered for length in range(2, len(code)))
    families = (family.lower() for family in FAMILIES)
    return frozenset((*every, *beginnings, *families, *codes.rule_names(), *GROUPS))


def _is_own(name: str) -> bool:
    """Whether `name` names findings about the comments themselves."""
    return matches(UNUSED, name) or matches(REFUSED, name)


def looked_for(findings: list[Finding], view: FindingFilter) -> Callable[[str], bool]:
    """Return a function that tells whether the run looked for the findings that a name (a code, a rule or a group)
    matches. `findings` are all findings about the script. After a syntax error nothing was looked for, and after any
    other error no opinions."""
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    if any(finding.syntax for finding in errors) or any(finding.code == UNCHECKED_SCRIPT for finding in findings):
        return lambda _: False

    asked = frozenset(view.opinions)

    @cache
    def sought(name: str) -> bool:
        opinions = [code for code in codes.opinion_codes() if matches(code, name)]
        return not opinions or (not errors and asked.issuperset(opinions))

    return sought


def _refusal(refused: _RefusedComment, here: Iterable[str]) -> Diagnostic:
    """The finding about a comment that is not understood, with advice on what to write instead."""
    meant = ", ".join(refused.known or here) or "CODE"
    values = {"what": "less than it says" if refused.known else "nothing", "why": refused.why}
    return codes.finding(REFUSED, refused.span, values, hint=f"write `// pinebench: {refused.word}[{meant}]`")


def _lines_of(name: str, found: dict[int | None, dict[str, None]]) -> list[int]:
    """The lines, in order, on which findings that match `name` are reported; `found` holds the codes by line."""
    if not any(matches(code, name) for code in found[None]):
        return []
    return sorted(line for line, here in found.items() if line and any(matches(code, name) for code in here))


def _elsewhere(comment: Comment, unused: Sequence[str], lines_of: Callable[[str], list[int]]) -> dict[str, int]:
    """The names in `unused` that would hide a finding on another line, each with the nearest such line."""
    here = comment.line
    if here is None:
        return {}
    nearest: dict[str, int] = {}
    for name in unused:
        lines = lines_of(name)
        place = bisect_left(lines, here)
        beside = lines[max(0, place - 1) : place + 1]
        if beside:
            nearest[name] = min(beside, key=lambda line: abs(line - here))
    return nearest


def _unused(comment: Comment, unused: list[str], elsewhere: dict[str, int], source: Snapshot) -> Diagnostic:
    """The finding about a comment whose names `unused` hide nothing. `elsewhere` are the names that would hide
    something on another line, each with the nearest such line."""
    if comment.line is None:
        where = "in this script"
    else:
        here = source.lines.position(comment.span.start).line
        where = "on this line" if comment.line == here else f"on line {comment.line}"
    gone = set(unused)
    kept = [name for name in comment.names if name not in gone]
    fix = Fix("remove the unused comment", (_edit(comment, kept, source),), safe=True)
    hint = None
    if elsewhere:
        places = ", ".join(f"{name} is reported on line {line}" for name, line in elsewhere.items())
        hint = (
            f"{places}: a comment applies to its own line or, if it is alone on a line, to the next line; "
            f"`// pinebench: {FILE}[{', '.join(elsewhere)}]` applies to the whole script"
        )
    return codes.finding(UNUSED, comment.span, {"codes": ", ".join(unused), "where": where}, hint=hint, fix=fix)


def _edit(comment: Comment, kept: Sequence[str], source: Snapshot) -> Edit:
    """The edit that removes a comment, with its line if the comment is alone on it. If `kept` has names, only the names
    in the comment are replaced."""
    text, (start, end) = source.text, comment.span
    if kept:
        first, last = text.index("[", start) + 1, text.index("]", start)
        return Edit(Span(first, last), ", ".join(kept))
    number = source.lines.position(start).line
    begin = source.lines.line_start(number)
    following = source.lines.line_start(number + 1)
    if not text[begin:start].strip() and not text[end:following].strip():
        return Edit(Span(begin, following), "")
    return Edit(Span(begin + len(text[begin:start].rstrip()), end), "")
