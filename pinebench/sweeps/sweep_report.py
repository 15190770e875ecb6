"""The results of an optimization as JSON, CSV, Parquet and text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pinebench import extras
from pinebench.amounts import aligned, counted, signed_text
from pinebench.broker import figure_table, figure_text
from pinebench.calendars.dates import minute_text
from pinebench.files import csv_text
from pinebench.market import Data
from pinebench.printable import json_text
from pinebench.sweeps.combination_runs import RunOutcome, tier_lines, tiers_of
from pinebench.sweeps.optimization import OptimizationResult
from pinebench.sweeps.overfitting import Judgement
from pinebench.sweeps.space import word

ENDINGS = (".parquet", ".csv", ".json")
"""The endings of files for results."""
_SHOWN = 10
MAIN_FIGURES = ("net_profit", "trades", "profit_factor", "max_drawdown", "sharpe_ratio")
"""The figures of each run that are shown."""


def rows(result: OptimizationResult) -> list[dict[str, Any]]:
    """Return a row for each run, best first: `inputs` by title, the tester's figures, `metric` and `error`."""
    pairs = zip(result.ranked, result.values, strict=True)
    return [_row(result, outcome) | {"metric": value} for outcome, value in pairs]


def _row(result: OptimizationResult, outcome: RunOutcome) -> dict[str, Any]:
    return {"inputs": {**result.space.fixed, **outcome.inputs}, **outcome.figures, "error": outcome.error}


def report(result: OptimizationResult, chart: Data | None = None) -> dict[str, Any]:
    """Return all results as JSON values: `results` with a row for each run, `best` with the run on the held-back bars,
    and the `judgement`. With `chart`, `data` describes the source of the bars."""
    best = result.best
    return {
        "symbol": result.symbol.name,
        "made_up": result.symbol.is_made_up,
        "results": rows(result),
        "metric": result.metric,
        "search": result.search,
        "complete": result.is_whole,
        "tiers": tiers_of(each.choice for each in result.ranked),
        "holdout": result.holdout,
        "holdout_begins": result.cut,
        "best": None
        if best is None
        else {
            "inputs": {**result.space.fixed, **best.inputs},
            "seen": dict(best.figures),
            "held_back": dict(result.unseen[0].figures) if result.unseen else None,
            "held_back_error": result.unseen[0].error if result.unseen else None,
        },
        "held_back": [_row(result, each) for each in result.unseen],
        "judgement": None if result.judgement is None else judgement(result.judgement),
        **({} if chart is None else {"data": chart.facts}),
    }


def judgement(given: Judgement) -> dict[str, Any]:
    """Return a judgement as JSON values."""
    overfit = given.overfitting
    return {
        "verdict": given.verdict,
        "reasons": given.reasons,
        "warnings": given.warnings,
        "confidence": given.confidence,
        "deflated_sharpe": given.deflated_sharpe,
        "probabilistic_sharpe": given.probabilistic_sharpe,
        "independent_trials": given.independent_trials,
        "probability_of_overfitting": None if overfit is None else overfit.probability,
        "performance_degradation": None if overfit is None else overfit.degradation,
        "probability_of_loss": None if overfit is None else overfit.loss,
        "held_back_probability": given.unseen_probability,
        "neighbours_median": given.neighbours_median,
        "buy_and_hold_percent": given.buy_and_hold_percent,
        "held_back_buy_and_hold_percent": given.unseen_buy_and_hold_percent,
    }


def as_json(result: OptimizationResult, chart: Data) -> str:
    """Return the report as JSON text. `chart` holds the bars and facts about their source."""
    return json_text(report(result, chart), allow_nan=False) + "\n"


def table(result: OptimizationResult) -> tuple[list[str], list[list[Any]]]:
    """Return the names of the table's columns, and the cells of each row. An input with the name of a figure is called
    `input NAME`. If the prices are invented, a column at the end says so."""
    told = rows(result)
    inputs = list(dict.fromkeys(name for row in told for name in row["inputs"]))
    figures = list(dict.fromkeys(name for row in told for name in row if name != "inputs"))
    heads = [f"input {name}" if name in figures else name for name in inputs]
    cells = [[*(row["inputs"].get(name) for name in inputs), *(row.get(name) for name in figures)] for row in told]
    if result.symbol.is_made_up:
        return [*heads, *figures, "prices"], [[*row, "made up"] for row in cells]
    return [*heads, *figures], cells


def as_csv(result: OptimizationResult) -> str:
    """Return the table as CSV with a header line; an unknown value is empty."""
    heads, cells = table(result)
    return csv_text.as_csv([heads, *([_cell(value) for value in row] for row in cells)])


def _cell(value: Any) -> str | int | float:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else value


def check_file(path: str) -> None:
    """Raise UnavailableError if a file with this ending needs pyarrow and it is not installed."""
    if path.lower().endswith(".parquet"):
        _pyarrow()


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise extras.missing("Parquet", "optimize", "use .csv or .json, or ") from None
    return pyarrow


def as_parquet(result: OptimizationResult) -> bytes:
    """Return the table as a Parquet file. Raises UnavailableError without pyarrow."""
    pyarrow = _pyarrow()
    from pyarrow import parquet

    heads, cells = table(result)
    columns = {name: pyarrow.array([row[k] for row in cells]) for k, name in enumerate(heads)}
    sink = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.table(columns), sink)
    return sink.getvalue().to_pybytes()


def as_file(result: OptimizationResult, path: str, chart: Data) -> bytes:
    """Return the content of a results file in the format of its name's ending (one of `ENDINGS`). `chart` holds the
    bars and facts about their source. Raises UnavailableError without pyarrow."""
    if path.lower().endswith(".parquet"):
        return as_parquet(result)
    return (as_csv(result) if path.lower().endswith(".csv") else as_json(result, chart)).encode()


# text


def best_lines(result: OptimizationResult, safe: Callable[[str], str]) -> list[list[str]]:
    """Return the best runs as lists of strings, below a header; empty if no run has a result. Figures on the search's
    bars and on the held-back bars are side by side. `safe` makes titles printable."""
    best = [(one, value) for one, value in zip(result.ranked, result.values, strict=True) if value is not None]
    if not best:
        return []
    names = list(best[0][0].inputs)
    is_shown = result.metric in MAIN_FIGURES
    head = [*map(safe, names), "" if is_shown else result.metric, *map(_head, MAIN_FIGURES)]
    if result.unseen:
        head += ["│ held back:", *map(_head, _HELD_BACK)]
    lines = [head]
    for number, (outcome, value) in enumerate(best[:_SHOWN]):
        line = [safe(word(outcome.inputs[name])) for name in names]
        line.append("" if is_shown else _figure(value))
        line += [figure_text(name, outcome.figures.get(name)) for name in MAIN_FIGURES]
        if result.unseen:
            unseen = result.unseen[number] if number < len(result.unseen) else None
            line += ["│", *(_held(unseen, name) for name in _HELD_BACK)]
        lines.append(line)
    return [[cell for k, cell in enumerate(line) if any(row[k] for row in lines)] for line in lines]


def notes(result: OptimizationResult, safe: Callable[[str], str]) -> list[str]:
    """Return sentences about runs that `best_lines` leaves out, and about runs that failed. `safe` makes foreign text
    safe to print."""
    left = len(result.ranked) - min(sum(value is not None for value in result.values), _SHOWN)
    if left == len(result.ranked):
        ran = sum(each.error is None for each in result.ranked)
        words = [f"{ran:,} violate a constraint, or have an unknown metric"] if ran else []
        return ["no combination has a result", *words, *map(safe, _failures(result))]
    further = [counted(left, "further combination")] if left else []
    return [*further, *map(safe, _failures(result)), *map(safe, tier_lines(each.choice for each in result.ranked))]


def as_text(result: OptimizationResult, safe: Callable[[str], str]) -> str:
    """Return the best runs as a text table, and the judgement. `safe` makes titles printable."""
    lines = best_lines(result, safe)
    told = [*aligned(lines, 0), *notes(result, safe), "", *_judged(result)] if lines else notes(result, safe)
    return "\n".join([f"{result.symbol.name}, {result.symbol.timeframe}", "", *told]) + "\n"


_HELD_BACK = ("net_profit", "trades", "sharpe_ratio")
"""The figures on the held-back bars."""


def _head(name: str) -> str:
    """Return the title of a figure's column, in lower case."""
    head = figure_table.by_name()[name].head
    return head if head == "Sharpe" else head.lower()


def _held(outcome: RunOutcome | None, name: str) -> str:
    if outcome is None:
        return figure_table.UNKNOWN
    return "error" if outcome.error is not None else figure_text(name, outcome.figures.get(name))


def _failures(result: OptimizationResult) -> list[str]:
    errors = [each.error for each in result.ranked if each.error is not None]
    first = "; the first" if len(errors) > 1 else ""
    return [f"{counted(len(errors), 'combination')} failed{first}: {errors[0]}"] if errors else []


def _judged(result: OptimizationResult) -> list[str]:
    given = result.judgement
    if given is None:
        return []
    share = f" (confidence {given.confidence:.2f})" if given.confidence is not None else ""
    lines = [f"Verdict: {given.verdict}{share}"]
    lines += [f"  - {each}" for each in (*given.reasons, *given.warnings)]
    if result.cut is not None:
        part, day = f"{result.holdout:.0%}", minute_text(result.cut)
        lines.append(f"Held back: {part} of the bars, from {day} UTC. They did not influence the choice.")
    held = [
        f"{words} {signed_text(value, 2)}%"
        for words, value in (
            ("buy and hold:", given.buy_and_hold_percent),
            ("on the held-back bars:", given.unseen_buy_and_hold_percent),
        )
        if value is not None
    ]
    if held:
        lines.append(f"For comparison, {', '.join(held)}")
    if given.deflated_sharpe is not None:
        lines.append(f"Deflated Sharpe ratio: {given.deflated_sharpe:.2f}")
    if given.overfitting is not None:
        lines.append(f"Probability of backtest overfitting: {given.overfitting.probability:.2f}")
    if given.neighbours_median is not None:
        near = counted(len(result.neighbours), "neighbour")
        median = given.neighbours_median
        words = figure_text(result.metric, median) if result.metric in MAIN_FIGURES else _figure(median)
        lines.append(f"Median of the {near} of the best: {words}")
    return lines


def _figure(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"
