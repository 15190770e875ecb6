"""HTML for notebooks: the findings in a script under its lines, and the figures and trades of a back-test."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from html import escape
from typing import TYPE_CHECKING

from pinebench.printable import printable

if TYPE_CHECKING:
    from pinebench.api.checking import Report
    from pinebench.api.running import Backtest
    from pinebench.linter import Finding

_SEVERITIES = {"error": "#c62828", "warning": "#b26a00", "info": "#1565c0", "hint": "#5f6368"}
_LAST_TRADES = 20
_FIGURES = ("net_profit", "trades", "percent_profitable", "profit_factor", "max_drawdown", "sharpe_ratio")


def report_page(report: Report) -> str:
    """The lines of a script that have findings, each with a wavy underline and the message."""
    if not report.findings:
        return f"<p><b>{_safe(report.path)}</b>: no errors and no warnings</p>"
    lines = report.text.splitlines()
    return "".join(_finding(each, lines) for each in report.findings)


def _finding(found: Finding, lines: Sequence[str]) -> str:
    color = _SEVERITIES[found.severity.label]
    line = lines[found.line - 1] if found.line <= len(lines) else ""
    start, end = _characters(line, found.column), _characters(line, found.end_column)
    end = max(end if found.end_line == found.line else len(line), start + 1)
    wavy = f'<span style="text-decoration:underline wavy {color}">{_safe(line[start:end] or " ")}</span>'
    code = f"{_safe(line[:start])}{wavy}{_safe(line[end:])}"
    hint = f"<br><i>{_safe(found.hint)}</i>" if found.hint else ""
    return (
        f'<div style="margin:0 0 .8em"><pre style="margin:0">{found.line:>4}  {code}</pre>'
        f'<span style="color:{color}"><b>{found.severity.label} {_safe(found.code)}</b></span> '
        f"{_safe(found.message)}{hint}</div>"
    )


def _characters(line: str, column: int) -> int:
    """The number of characters before a column, which counts UTF-16 units from 1."""
    return len(line.encode("utf-16-le")[: 2 * (column - 1)].decode("utf-16-le", "ignore"))


def backtest_page(test: Backtest) -> str:
    """The chart of a back-test, its figures and its last trades."""
    from pinebench.execution.testing_report import account_titles, titles

    known = {name: title for name, title, _ in titles()} | dict(account_titles())
    figures = [(known[name], _number(test.report[name])) for name in _FIGURES]
    shown = test.trades[-_LAST_TRADES:]
    rows = [
        (
            str(one.number),
            one.side,
            f"{one.qty:.10g}",
            _moment(one.entry_time),
            f"{one.entry_price:.10g}",
            "open" if one.exit_time is None else _moment(one.exit_time),
            "" if one.exit_price is None else f"{one.exit_price:.10g}",
            _number(one.profit),
        )
        for one in shown
    ]
    drawn = test.figure()._repr_mimebundle_()
    picture = drawn.get("text/html") or drawn["image/svg+xml"]
    made_up = "<p>The prices are made up: they come from the sample market.</p>" if test.bars.is_sample else ""
    notes = "".join(f"<p>{_safe(said)}</p>" for said in test.notes)
    head = ("#", "side", "qty", "entry", "at", "exit", "at", "profit")
    earlier = len(test.trades) - len(shown)
    more = f"<p>{earlier} earlier trades: trades_frame() has all</p>" if earlier else ""
    return f"{picture}{made_up}{_table(None, figures)}{notes}{_table(head, rows)}{more}"


def words_page(table: Sequence[Sequence[str]], sentences: Iterable[str]) -> str:
    """A table of words, whose first line is its head, and sentences under it."""
    shown = _table(table[0], table[1:]) if table else ""
    return shown + "".join(f"<p>{_safe(said)}</p>" for said in sentences)


def framed(page: str, ratio: str) -> str:
    """A page in a frame of its own, which cannot reach the notebook. `ratio` is width/height."""
    style = f"border:0;width:100%;aspect-ratio:{ratio}"
    return f'<iframe style="{style}" sandbox="allow-scripts" srcdoc="{escape(page, quote=True)}"></iframe>'


def _table(head: Iterable[str] | None, rows: Iterable[Sequence[str]]) -> str:
    above = "" if head is None else f"<tr>{''.join(f'<th>{_safe(cell)}</th>' for cell in head)}</tr>"
    body = "".join(f"<tr>{''.join(f'<td>{_safe(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table>{above}{body}</table>"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:,}" if isinstance(value, int) else f"{value + 0.0:,.2f}"


def _moment(time: int) -> str:
    return datetime.fromtimestamp(time / 1000, UTC).strftime("%Y-%m-%d %H:%M")


def _safe(text: str) -> str:
    return escape(printable(text))
