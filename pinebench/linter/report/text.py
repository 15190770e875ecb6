"""The report for people: each finding with its source line, a caret below it, and the hint."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pinebench.amounts import counted
from pinebench.diagnostics import Severity
from pinebench.printable import printable
from pinebench.syntax.lines import LineIndex

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pinebench.linter.findings import Finding
    from pinebench.linter.report import LintRun

    Paint = Callable[..., str]

TAB = 4
"""The distance between tab stops in columns, as in TradingView's editor."""
_MOST_NAMED = 3
"""The largest number of libraries that are named."""
WIDEST = 120
"""The largest number of columns of source to show; a longer line is cut around the caret."""


def render(run: LintRun, paint: Paint | None = None) -> str:
    """Return the run as text for a terminal. `paint(text, *styles)` adds colours; None leaves the text plain."""
    paint = paint or _plain
    blocks: list[str] = []
    for result in run.results:
        lines = LineIndex(result.script.text)
        blocks += (finding_block(finding, lines, paint) for finding in result.findings)
    return "".join(f"{block}\n" for block in blocks) + summary(run, paint) + "\n"


def finding_block(finding: Finding, lines: LineIndex, paint: Paint | None = None) -> str:
    """Return the text for one finding in the script whose lines are `lines`: position and message, source line, caret,
    and hint."""
    paint = paint or _plain
    level = finding.severity.label
    gutter = " " * len(str(finding.line))
    bar = paint("|", "blue")
    source, offset, width = _excerpt(finding, lines)
    place = printable(f"{finding.path}:{finding.line}:{finding.column}")
    message = _one_line(finding.message)
    rows = [
        f"{paint(place, 'bold')}: {paint(level, level, 'bold')} {paint(finding.code, level)}: {message}",
        f"{paint(str(finding.line), 'blue')} {bar} {source}".rstrip(),
        f"{gutter} {bar} {' ' * offset}{paint('^' * width, level, 'bold')}",
    ]
    if finding.hint:
        rows.append(f"{gutter} {paint('=', 'blue')} {paint('hint', 'hint')}: {_one_line(finding.hint)}")
    if finding.fix:
        flag = "--fix" if finding.fix.safe else "--fix --unsafe-fixes"
        rows.append(f"{gutter} {paint('=', 'blue')} {paint('fix', 'hint')}: fixable with {flag}")
    return "\n".join(rows) + "\n"


def summary(run: LintRun, paint: Paint | None = None) -> str:
    """Return one line that counts the checked and unchecked scripts, the findings of each severity, and the hidden
    findings."""
    paint = paint or _plain
    unchecked = run.unchecked
    checked = counted(len(run.paths) - unchecked, "script")
    found = _counted(run.counts, paint) or paint("nothing to report", "hint")
    hidden = _counted(Counter(each.finding.severity for each in run.hidden), paint)
    left = f", {unchecked} not checked" if unchecked else ""
    unread = f"; {not_checked(run.unread)}" if run.unread else ""
    return f"{checked} checked{left}: {found}" + (f"; hidden: {hidden}" if hidden else "") + unread


def not_checked(paths: Sequence[str]) -> str:
    """Return the sentence about libraries whose source was not found or cannot be read."""
    more = f" and {len(paths) - _MOST_NAMED} more" if len(paths) > _MOST_NAMED else ""
    named = printable(", ".join(paths[:_MOST_NAMED]))
    return (
        f"uses of {named}{more} were not checked, because no folder of library-paths has the source as readable Pine v6"
    )


def _counted(counts: Counter[Severity], paint: Paint) -> str:
    parts = [paint(counted(counts[each], each.label), each.label) for each in Severity if counts[each]]
    return ", ".join(parts)


def statistics(run: LintRun) -> str:
    """Return the number of findings of each code, most frequent first, and the summary."""
    found = Counter((finding.code, finding.severity) for finding in run.findings)
    example = {finding.code: finding.message for finding in reversed(run.findings)}
    rows = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    digits = max((len(str(count)) for count in found.values()), default=0)
    width = max((len(code) for code, _ in found), default=0)
    lines = [
        f"{count:>{digits}}  {code:<{width}}  {severity.label:<7}  {_shortened(example[code])}"
        for (code, severity), count in rows
    ]
    return "".join(f"{line}\n" for line in lines) + summary(run) + "\n"


def _excerpt(finding: Finding, lines: LineIndex) -> tuple[str, int, int]:
    """The source to show, the column of the caret and the width of the caret, all in terminal columns."""
    line = lines.line_text(finding.line)
    origin = lines.line_start(finding.line)
    start = lines.offset(finding.line, finding.column) - origin
    end = lines.offset(finding.end_line, finding.end_column) - origin
    # The line is cut by characters first, so that a line of a megabyte takes no longer than a short one.
    first = max(0, start - WIDEST // 2) if start > WIDEST * 3 // 4 else 0
    last = min(len(line), first + WIDEST)
    before = "…" if first else ""
    after = "…" if last < len(line) else ""
    shown, columns = _laid_out(line[first:last])
    begin = columns[start - first]
    width = columns[min(max(end, start), last) - first] - begin
    return before + shown + after, len(before) + begin, max(1, width)


def _laid_out(text: str) -> tuple[str, list[int]]:
    """The text as a terminal shows it, and the terminal column at which each character and the end begin."""
    if text.isascii() and text.isprintable():
        return text, list(range(len(text) + 1))
    import unicodedata

    shown: list[str] = []
    columns = [0]
    for character in text:
        column = columns[-1]
        if character == "\t":
            width = TAB - column % TAB
            shown.append(" " * width)
        elif (escape := printable(character)) != character:
            # A control character or a bidi mark would move the caret or be invisible, so its escape is shown.
            width = len(escape)
            shown.append(escape)
        elif unicodedata.category(character) in ("Mn", "Me", "Cf"):
            width = 0
            shown.append(character)
        else:
            width = 2 if unicodedata.east_asian_width(character) in "WF" else 1
            shown.append(" " if unicodedata.category(character) == "Zs" else character)
        columns.append(column + width)
    return "".join(shown), columns


def _one_line(message: str) -> str:
    """Return `message` on one line and printable. Some of TradingView's messages have several lines, and messages may
    quote any character of a script."""
    return printable(message.replace("\n", " "))


def _shortened(message: str) -> str:
    first = printable(message.split("\n", 1)[0])
    return first if len(first) <= 80 else first[:79] + "…"


def _plain(text: str, *_: str) -> str:
    return text
