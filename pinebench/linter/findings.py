"""A diagnostic with its position in a file, and the choice of the findings to show."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, Protocol

from pinebench import diagnostics
from pinebench.diagnostics import Diagnostic, Fix, Severity, TextPosition
from pinebench.errors import UsageError
from pinebench.records import NamedTuple

FAMILIES = ("CE", "CW", "RE", "PB")
"""The beginnings of numbered codes: TradingView's errors, its warnings, and our own findings."""


UNCHECKED_SCRIPT = "PB0001"
"""The code of the finding for a script of an older version of Pine, which was not checked."""
NOT_CHECKED = (UNCHECKED_SCRIPT, "PB0002", "PB0003")
"""The codes of the findings that say that a script, or a statement of it, was not checked as v6."""


PLACE = ("line", "column", "end_line", "end_column")
"""The names of the fields that say where a finding is in its script."""


def may_have_file(path: str) -> bool:
    """Return whether `path` in a report may be a file. Standard input and a source without a name are not files."""
    return path not in ("<stdin>", "<text>")


class Finding(NamedTuple):
    """A diagnostic as reports print it. Lines and columns start at 1, columns count UTF-16 units, and the end is
    exclusive.

    `syntax` is true for a syntax error and false for an error found later.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    diagnostic: Diagnostic
    syntax: bool = False

    @property
    def code(self) -> str:
        """The code of the diagnostic."""
        return self.diagnostic.code

    @property
    def severity(self) -> Severity:
        """The severity of the diagnostic."""
        return self.diagnostic.severity

    @property
    def message(self) -> str:
        """The message of the diagnostic."""
        return self.diagnostic.message

    @property
    def hint(self) -> str | None:
        """Our advice, or None."""
        return self.diagnostic.hint

    @property
    def fix(self) -> Fix | None:
        """The fix for the diagnostic, or None."""
        return self.diagnostic.fix

    @property
    def tv(self) -> TextPosition | None:
        """The position where TradingView reports the diagnostic, if that differs, otherwise None."""
        return self.diagnostic.tv_position

    @property
    def order(self) -> tuple[str, int, int, str]:
        """The sort key for report order."""
        return (self.path, self.line, self.column, self.code)


def encode(finding: Finding) -> dict[str, Any]:
    """Return `finding` as plain data for JSON: its position without the path, and the data of its diagnostic."""
    return {name: getattr(finding, name) for name in PLACE} | {
        "syntax": finding.syntax,
        **diagnostics.encode(finding.diagnostic),
    }


def decode(plain: dict[str, Any], path: str) -> Finding:
    """Return the finding in the script `path` that `plain` describes. This is the reverse of `encode`.

    Raises KeyError, TypeError or ValueError if `plain` does not describe a finding.
    """
    line, column, end_line, end_column = place = [plain[name] for name in PLACE]
    if {type(number) for number in place} != {int} or min(place) < 1:
        raise ValueError("a line or a column must be a whole number from 1")
    if not isinstance(plain["syntax"], bool):
        raise TypeError(f"{plain['syntax']!r} is not true or false")
    return Finding(path, line, column, end_line, end_column, diagnostics.decode(plain), plain["syntax"])


class Lines(Protocol):
    """A converter of offsets of a text to positions; `syntax.Document.lines` is one implementation."""

    def position(self, offset: int) -> TextPosition:
        """Return the 1-based line and UTF-16 column of a code-point offset."""
        ...


def located(diagnostic: Diagnostic, lines: Lines, path: str, *, syntax: bool = False) -> Finding:
    """Return the finding for `diagnostic` in the script `path`, with positions from `lines`. For `syntax` see
    `Finding`."""
    line, column = lines.position(diagnostic.span.start)
    end_line, end_column = lines.position(max(diagnostic.span.start, diagnostic.span.end))
    return Finding(path, line, column, end_line, end_column, diagnostic, syntax)


class FindingFilter(NamedTuple):
    """The choice of the findings to show.

    `select` and `ignore` hold codes, prefixes of codes, names of rules or rule groups, or ALL. An empty `select` means
    everything except the opinions that are off by default. The findings of NOT_CHECKED are always selected, because
    without them an unchecked script would look clean. `also` holds more patterns to select. `hide` holds patterns of
    findings that are computed but not shown.

    `tradingview` shows only the findings that TradingView's editor would show, at the positions where it would show
    them: only the first syntax error, and no findings of ours.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    tradingview: bool = False
    also: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()

    def of(self, findings: list[Finding]) -> list[Finding]:
        """Return the findings that `wants` accepts, in report order. `hide` is not applied."""
        shown = [finding for finding in findings if self.wants(finding.code)]
        if self.tradingview:
            shown = _as_tradingview(shown)
        return sorted(shown, key=lambda finding: finding.order)

    def wants(self, code: str) -> bool:
        """Return whether findings with `code` are selected and not ignored."""
        if any(matches(code, pattern) for pattern in self.ignore):
            return False
        if code in NOT_CHECKED or any(matches(code, pattern) for pattern in self.also):
            return True
        if not self.select:
            return not is_opinion(code) or _is_on(code)
        return any(matches(code, pattern) for pattern in self.select)

    def hides(self, code: str) -> bool:
        """Return whether findings with `code` are computed but not shown."""
        return any(matches(code, pattern) for pattern in self.hide)

    def shows(self, code: str) -> bool:
        """Return whether findings with `code` are wanted and not hidden."""
        return self.wants(code) and not self.hides(code)

    @property
    def opinions(self) -> tuple[str, ...]:
        """The codes of the rules that are selected."""
        from pinebench.codes import opinion_codes

        return () if self.tradingview else tuple(filter(self.wants, opinion_codes()))


def check_patterns(patterns: Iterable[str], place: str = "") -> None:
    """Raise UsageError if a pattern in `patterns` does not match any known code. `place` says in the message where the
    patterns are written."""
    for pattern in patterns:
        if not _names_codes(pattern):
            from pinebench.near import near_names

            why = f"there is no code '{pattern}', and none begins with it" if pattern else "the code is empty"
            near = near_names(pattern, _all_names())
            hint = f"did you mean {near[0]}?" if near else "codes look like CE10156, CW, PB0001"
            raise UsageError(f"{place}: {why}" if place else why, hint)


def _all_names() -> list[str]:
    from pinebench.codes import all_codes, opinion_codes
    from pinebench.codes.opinions import GROUPS

    aliases = [code.alias for code in opinion_codes().values() if code.alias]
    return [*GROUPS, *aliases, *all_codes(), *opinion_codes()]


@cache
def _names_codes(pattern: str) -> bool:
    from pinebench.codes import all_codes, opinion_codes

    if pattern.upper() in FAMILIES:
        return True
    return bool(pattern) and any(matches(code, pattern) for code in (*all_codes(), *opinion_codes()))


EVERYTHING = FindingFilter()
"""The view that hides nothing."""


def is_opinion(code: str) -> bool:
    """Return whether `code` is the code of a rule in `linter/rules`."""
    return code.startswith("PB") and not code.startswith("PB0")


def _is_on(code: str) -> bool:
    from pinebench.codes import opinion_codes

    return opinion_codes()[code].default


def matches(code: str, pattern: str) -> bool:
    """Return whether `pattern` names `code`.

    A pattern is a complete code, the beginning of a numbered code such as `CW` or `CE101`, the name of a rule or rule
    group, or ALL.
    """
    code, pattern = code.lower(), pattern.lower()
    if pattern == "all":
        return True
    if code == pattern or (code[:2].upper() in FAMILIES and code.startswith(pattern)):
        return True
    return code.startswith("pb") and code.startswith(_code_of(pattern))


@cache
def _code_of(name: str) -> str:
    """The code of a rule or the beginning of a group's codes, in lower case; a blank if there is no rule or group
    `name`."""
    from pinebench.codes import rule_names
    from pinebench.codes.opinions import GROUPS

    return (GROUPS.get(name) or rule_names().get(name) or " ").lower()


def _as_tradingview(findings: list[Finding]) -> list[Finding]:
    moved = [_in_its_words(finding) for finding in findings if _is_its(finding)]
    syntax_errors = [finding for finding in moved if finding.syntax and finding.severity is Severity.ERROR]
    if syntax_errors:
        return [min(syntax_errors, key=lambda finding: finding.order)]
    return moved


def _is_its(finding: Finding) -> bool:
    """Whether TradingView would show `finding`. It shows none of our own codes, and infos and hints only if their text
    was recorded from TradingView."""
    from pinebench.codes import TRADINGVIEW, find

    if finding.code.startswith("PB"):
        return False
    if finding.severity <= Severity.WARNING:
        return True
    known = find(finding.code)
    return known is not None and known.text == TRADINGVIEW


def _in_its_words(finding: Finding) -> Finding:
    finding = finding._replace(diagnostic=finding.diagnostic._replace(hint=None, fix=None))
    if finding.tv is None:
        return finding
    # It is not known where TradingView's range ends, so the range is left empty.
    line, column = finding.tv
    return finding._replace(line=line, column=column, end_line=line, end_column=column)
