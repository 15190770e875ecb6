"""HTML for notebooks: findings in a script, and the figures and trades of a back-test or a portfolio."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from pinebench.amounts import money_text
from pinebench.calendars.dates import day_text, minute_text
from pinebench.printable import printable
from pinebench.runtime import shown

if TYPE_CHECKING:
    from pinebench.linter import Finding

_SEVERITIES = {"error": "#c62828", "warning": "#b26a00", "info": "#1565c0", "hint": "#5f6368"}
_LAST_TRADES = 20
_FIGURES = ("net_profit", "trades", "percent_profitable", "profit_factor", "max_drawdown", "sharpe_ratio")


def findings_page(path: str, text: str, findings: Sequence[Finding], remarks: Sequence[str]) -> str:
    """Return HTML with each line of the script that has findings, underlined and with its message, then the remarks."""
    lines = text.splitlines()
    rows = [_finding(each, lines) for each in findings]
    if not rows and not remarks:
        rows = [f"<p><b>{_safe(path)}</b>: no errors and no warnings</p>"]
    return "".join([*rows, *(f"<p>{_safe(each)}</p>" for each in remarks)])


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


class BacktestRecord(NamedTuple):
    """The content of a back-test's page. `picture` is the chart as HTML. `trades` are rows of the list of trades."""

    picture: str
    report: Mapping[str, Any]
    trades: Sequence[Mapping[str, Any]]
    notes: Sequence[str]
    is_sample: bool


def backtest_page(test: BacktestRecord) -> str:
    """Return HTML with the chart of a back-test, its figures and its last trades."""
    made_up = "<p>The prices are made up: they come from the sample market.</p>" if test.is_sample else ""
    return f"{test.picture}{made_up}{_figures(test.report)}{_notes(test.notes)}{_trades(test.trades)}"


class PortfolioRecord(NamedTuple):
    """The content of a portfolio's page. `made_up` names the strategies that ran on bars of the sample market."""

    names: Sequence[str]
    is_shared: bool
    report: Mapping[str, Any]
    strategies: Sequence[Mapping[str, Any]]
    times: Sequence[int]
    equity: Sequence[float]
    profits: Mapping[str, Sequence[float]]
    correlation: Sequence[Sequence[float | None]]
    trades: Sequence[Mapping[str, Any]]
    notes: Sequence[str]
    made_up: Sequence[str]


def portfolio_page(portfolio: PortfolioRecord) -> str:
    """Return HTML with a portfolio's equity and profit curves, figures, strategies, correlations and last trades."""
    shared = "share one account" if portfolio.is_shared else "have their own parts of the capital"
    money = portfolio.report["currency"]
    count = len(portfolio.names)
    words = [f"{count} strategies {shared}{f', in {money}' if money else ''}"] if count > 1 else []
    if portfolio.made_up:
        words.append(f"The prices are made up: they come from the sample market ({', '.join(portfolio.made_up)}).")
    relations = [
        (name, *("–" if value is None else f"{value:+.2f}" for value in row))
        for name, row in zip(portfolio.names, portfolio.correlation, strict=True)
    ]
    curves = (portfolio.equity, *(portfolio.profits[name] for name in portfolio.names))
    return "".join(
        (
            _notes(words),
            _curves(portfolio.times, dict(zip(shown.unique(["equity", *portfolio.names]), curves, strict=True))),
            _figures(portfolio.report),
            _strategies(portfolio.strategies),
            _table(("correlation of the daily returns", *portfolio.names), relations) if count > 1 else "",
            _notes(portfolio.notes),
            _trades(portfolio.trades, ("strategy", "symbol")),
        )
    )


def _figures(report: Mapping[str, Any]) -> str:
    from pinebench.broker import figure_table

    rows = [(figure_table.figure_title(name), figure_table.figure_text(name, report[name])) for name in _FIGURES]
    return _table(None, rows)


def _notes(sentences: Iterable[str]) -> str:
    return "".join(f"<p>{_safe(said)}</p>" for said in sentences)


def _strategies(strategies: Iterable[Mapping[str, Any]]) -> str:
    from pinebench.broker import figure_table

    titles = (figure_table.figure_title(name).lower() for name in _PART_FIGURES)
    rows = [
        (
            one["name"],
            one["symbol"],
            one["timeframe"],
            *(figure_table.figure_text(name, one[name]) for name in _PART_FIGURES),
            f"{one['refused_for_money']:,}",
        )
        for one in strategies
    ]
    return _table(("strategy", "symbol", "timeframe", *titles, "refused for lack of money"), rows)


def _trades(trades: Sequence[Mapping[str, Any]], origin: Sequence[str] = ()) -> str:
    """The last trades; `origin` are columns that say which strategy a trade is of."""
    shown = trades[-_LAST_TRADES:]
    rows = [
        (
            str(one["number"]),
            *(one[name] for name in origin),
            one["side"],
            f"{one['qty']:.10g}",
            minute_text(one["entry_time"]),
            f"{one['entry_price']:.10g}",
            "open" if one["exit_time"] is None else minute_text(one["exit_time"]),
            "" if one["exit_price"] is None else f"{one['exit_price']:.10g}",
            money_text(one["profit"]),
        )
        for one in shown
    ]
    earlier = len(trades) - len(shown)
    more = f"<p>{earlier} earlier trades are not shown: trades_frame() has all trades</p>" if earlier else ""
    return _table(("#", *origin, "side", "qty", "entry", "at", "exit", "at", "profit"), rows) + more


_PART_FIGURES = ("net_profit", "open_profit", "max_drawdown", "profit_factor", "trades")
_COLORS = ("#2962ff", "#e0772e", "#26a069", "#b14fc5", "#c8a415", "#d9486e", "#1fa2b8", "#7d8791")
_WIDTH, _HEIGHT, _GAP = 900, 150, 20


def _curves(times: Sequence[int], series: Mapping[str, Sequence[float]]) -> str:
    """The first series as a curve, and the others together below it with a line for zero, in one picture (SVG).

    The text has the colour of the notebook, so that it can be read on light and on dark ground.
    """
    (first, equity), *parts = series.items()
    colors = {name: _COLORS[k % len(_COLORS)] for k, (name, _) in enumerate(parts)}
    values = [value for _, each in parts for value in each]
    span = (min([0.0, *values]), max([0.0, *values]))
    top = _curve(times, equity, (min(equity), max(equity)), 0, "currentColor", 2)
    lower = _HEIGHT + _GAP
    zero = lower + _at(0.0, span)
    lines = [_curve(times, each, span, lower, colors[name], 1.5) for name, each in parts]
    legend = "".join(
        f'<span style="color:{color};margin-right:1em">{_safe(name)} {money_text(series[name][-1])}</span>'
        for name, color in {first: "inherit", **colors}.items()
    )
    label = _safe(", ".join(f"{name} {money_text(each[-1])}" for name, each in series.items()))
    begin, end = map(day_text, (times[0], times[-1]))
    height = lower + _HEIGHT
    return (
        f'<p style="font-size:12px">{legend}</p>'
        f'<svg viewBox="0 -2 {_WIDTH} {height + 22}" width="100%" style="max-width:{_WIDTH}px" role="img"'
        f' aria-label="{label}" font-family="sans-serif" font-size="12" fill="currentColor">'
        f'{top}<line x1="0" x2="{_WIDTH}" y1="{zero:.1f}" y2="{zero:.1f}" stroke="currentColor" stroke-opacity=".4"/>'
        f'{"".join(lines)}<text x="0" y="{height + 16}">{begin}</text>'
        f'<text x="{_WIDTH}" y="{height + 16}" text-anchor="end">{end}</text></svg>'
    )


def _at(value: float, span: tuple[float, float]) -> float:
    """The height of a value in a part of the picture, from above."""
    low, high = span
    return _HEIGHT * (1 - (value - low) / (high - low)) if high > low else _HEIGHT / 2


def _curve(
    times: Sequence[int], values: Sequence[float], span: tuple[float, float], down: int, color: str, width: float
) -> str:
    """A curve over time. Long curves have the lowest, the highest and the last value of each part."""
    step = max(1, len(values) // _WIDTH)
    wanted: list[int] = []
    for begin in range(0, len(values), step):
        part = range(begin, min(begin + step, len(values)))
        wanted += sorted({min(part, key=values.__getitem__), max(part, key=values.__getitem__), part[-1]})
    whole = max(times[-1] - times[0], 1)
    points = " ".join(f"{_WIDTH * (times[i] - times[0]) / whole:.1f},{down + _at(values[i], span):.1f}" for i in wanted)
    return f'<polyline fill="none" stroke="{color}" stroke-width="{width}" points="{points}"/>'


def words_page(table: Sequence[Sequence[str]], sentences: Iterable[str]) -> str:
    """Return HTML with a table, whose first row is the header, and sentences below it."""
    shown = _table(table[0], table[1:]) if table else ""
    return shown + "".join(f"<p>{_safe(said)}</p>" for said in sentences)


def framed(page: str, ratio: str) -> str:
    """Return an `iframe` that shows the HTML page and isolates it from the notebook. `ratio` is width/height."""
    style = f"border:0;width:100%;aspect-ratio:{ratio}"
    return f'<iframe style="{style}" sandbox="allow-scripts" srcdoc="{escape(page, quote=True)}"></iframe>'


def _table(head: Iterable[str] | None, rows: Iterable[Sequence[str]]) -> str:
    above = "" if head is None else f"<tr>{''.join(f'<th>{_safe(cell)}</th>' for cell in head)}</tr>"
    body = "".join(f"<tr>{''.join(f'<td>{_safe(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table>{above}{body}</table>"


def _safe(text: str) -> str:
    return escape(printable(text))
