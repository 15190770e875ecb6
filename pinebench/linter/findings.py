"""A diagnostic with its place worked out, and which of a script's findings somebody wants to see."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from pinebench import diagnostics
from pinebench.diagnostics import Diagnostic, Severity
from pinebench.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pinebench.diagnostics import Fix, Position


FAMILIES = ("CE", "CW", "RE", "PB")
"""The beginnings of numbered codes: TradingView's errors, its warnings, and our own findings."""


PLACE = ("line", "column", "end_line", "end_column")
"""What says where a finding is within its script."""


def may_have_file(path: str) -> bool:
    """Whether what reports call `path` may be a file: standard input is none, nor is a text that has no name."""
    return path not in ("<stdin>", "<text>")


class Finding(NamedTuple):
    """A diagnostic as reports print it: 1-based lines, 1-based columns in UTF-16 units, end exclusive.

    `syntax` tells errors of form from errors of meaning.
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
        """The diagnostic's code."""
        return self.diagnostic.code

    @property
    def severity(self) -> Severity:
        """How bad it is."""
        return self.diagnostic.severity

    @property
    def message(self) -> str:
        """What is wrong."""
        return self.diagnostic.message

    @property
    def hint(self) -> str | None:
        """Our advice, or None."""
        return self.diagnostic.hint

    @property
    def fix(self) -> Fix | None:
        """The fix that is known for it, or None."""
        return self.diagnostic.fix

    @property
    def tv(self) -> Position | None:
        """Where TradingView reports it when that is another place, else None."""
        return self.diagnostic.tv_position

    @property
    def order(self) -> tuple[str, int, int, str]:
        """The key that puts findings in report order."""
        return (self.path, self.line, self.column, self.code)


def encode(finding: Finding) -> dict[str, Any]:
    """`finding` as plain data for JSON: its diagnostic's, and its place but for the path."""
    return {name: getattr(finding, name) for name in PLACE} | {
        "syntax": finding.syntax,
        **diagnostics.encode(finding.diagnostic),
    }


def decode(plain: dict[str, Any], path: str) -> Finding:
    """The finding in the script `path` that `encode` made `plain` of.

    Raises KeyError, TypeError or ValueError when it is none.
    """
    line, column, end_line, end_column = place = [plain[name] for name in PLACE]
    if {type(number) for number in place} != {int} or min(place) < 1:
        raise ValueError("a line or a column is not a whole number from 1")
    if not isinstance(plain["syntax"], bool):
        raise TypeError(f"{plain['syntax']!r} is not true or false")
    return Finding(path, line, column, end_line, end_column, diagnostics.decode(plain), plain["syntax"])


class Lines(Protocol):
    """What places an offset of the text on a line; `syntax.Document.lines` is one."""

    def position(self, offset: int) -> Position:
        """The 1-based line and UTF-16 column of a code-point offset."""
        ...


def located(diagnostic: Diagnostic, lines: Lines, path: str, *, syntax: bool = False) -> Finding:
    """The finding for `diagnostic` in the script `path`, placed by `lines`."""
    line, column = lines.position(diagnostic.span.start)
    end_line, end_column = lines.position(max(diagnostic.span.start, diagnostic.span.end))
    return Finding(path, line, column, end_line, end_column, diagnostic, syntax)


class View(NamedTuple):
    """Which findings to show: `select` and `ignore` hold codes, prefixes of codes, names of rules and of their groups,
    or ALL; an empty `select` means all, of the opinions those that are on by default. `also` are codes beside those.

    `hide` are codes that are looked for and kept from view. `tradingview` shows what TradingView's editor would, where
    it would: the first syntax error alone, nothing that only we say.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    tradingview: bool = False
    also: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()

    def of(self, findings: list[Finding]) -> list[Finding]:
        """The findings that were asked for, in report order; also those to hide."""
        shown = [finding for finding in findings if self.wants(finding.code)]
        if self.tradingview:
            shown = _as_tradingview(shown)
        return sorted(shown, key=lambda finding: finding.order)

    def wants(self, code: str) -> bool:
        """Whether findings with `code` are selected and not ignored."""
        if any(matches(code, pattern) for pattern in self.ignore):
            return False
        if any(matches(code, pattern) for pattern in self.also):
            return True
        if not self.select:
            return not is_opinion(code) or _is_on(code)
        return any(matches(code, pattern) for pattern in self.select)

    def hides(self, code: str) -> bool:
        """Whether findings with `code` are kept from view."""
        return any(matches(code, pattern) for pattern in self.hide)

    def shows(self, code: str) -> bool:
        """Whether findings with `code` are wanted and not hidden."""
        return self.wants(code) and not self.hides(code)

    @property
    def opinions(self) -> tuple[str, ...]:
        """The codes of the opinions that are selected."""
        from pinebench.codes import opinion_codes

        return () if self.tradingview else tuple(filter(self.wants, opinion_codes()))


def check_patterns(patterns: Iterable[str], place: str = "") -> None:
    """Raise UsageError when a pattern in `patterns` matches no code of the catalogue; `place` is where they stand."""
    for pattern in patterns:
        if not _names_codes(pattern):
            from pinebench.near import near_names

            why = f"no code is called '{pattern}' or begins with it" if pattern else "an empty text names no code"
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


EVERYTHING = View()
"""The view that hides nothing."""


def is_opinion(code: str) -> bool:
    """Whether `code` is that of a rule in `linter/rules`."""
    return code.startswith("PB") and not code.startswith("PB0")


def _is_on(code: str) -> bool:
    from pinebench.codes import opinion_codes

    return opinion_codes()[code].default


def matches(code: str, pattern: str) -> bool:
    """Whether `pattern` names `code`: its whole name, the beginning of a numbered code such as `CW` or `CE101`,
    the name of a rule or of a group of rules, or ALL."""
    code, pattern = code.lower(), pattern.lower()
    if pattern == "all":
        return True
    if code == pattern or (code[:2].upper() in FAMILIES and code.startswith(pattern)):
        return True
    return code.startswith("pb") and code.startswith(_code_of(pattern))


@cache
def _code_of(name: str) -> str:
    """The code of a rule, or the beginning of a group's codes, in small letters; a blank where no rule has the name."""
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
    """Whether TradingView would say it: nothing of ours, and of remarks those that are recorded in its words."""
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
    # Where TradingView's range ends is not known, so the range is left empty.
    line, column = finding.tv
    return finding._replace(line=line, column=column, end_line=line, end_column=column)
