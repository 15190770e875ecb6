"""The results of an optimization as one HTML file: verdict, heat map, parallel coordinates, and best equity curves."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Any

from pinebench.amounts import counted, with_minus_signs
from pinebench.printable import json_text, printable
from pinebench.sweeps.optimization import OptimizationResult
from pinebench.sweeps.sweep_report import MAIN_FIGURES, judgement

_PAGE = Path(__file__).parent / "optimize.html"
_MOST = 20_000
"""The largest number of runs that the page shows: the best ones."""


def page(result: OptimizationResult, name: str, read: str = "") -> str:
    """Return the page for an optimization of the script `name`. The page needs no other files and no network. `read` is
    a sentence about the source of the bars."""
    told = data_of(result, name)
    if read:
        told["about"] += f"; {printable(read)}"
    data = json_text(told, allow_nan=False, separators=(",", ":"))
    before, _, rest = _PAGE.read_text(encoding="utf-8").partition("%TITLE%")
    middle, _, end = rest.partition("%DATA%")
    # Inside a script element, only `<` could end the element or begin a comment.
    return "".join((before, html.escape(f"{printable(name)}: optimization"), middle, data.replace("<", "\\u003c"), end))


def data_of(result: OptimizationResult, name: str) -> dict[str, Any]:
    """Return the page's data as JSON values: the axes, the runs (with indices into the values of the axes), and the
    best ten."""
    places = list(result.places.values())
    runs = [
        [list(place), value, *(outcome.figures.get(figure) for figure in MAIN_FIGURES)]
        for place, outcome, value in zip(places, result.ranked, result.values, strict=True)
    ]
    best = [one for one, value in zip(result.ranked, result.values, strict=True) if value is not None][:10]
    return {
        "name": name,
        "metric": result.metric,
        "about": f"{result.symbol.name}, {result.symbol.timeframe}: "
        + f"{counted(len(result.ranked), 'combination')} by {result.search}, "
        + (f"{result.holdout:.0%} of the bars held back" if result.cut is not None else "no bars held back"),
        "axes": [
            {"name": axis.name, "values": list(axis.values), "ordered": axis.is_ordered} for axis in result.space.axes
        ],
        "fixed": dict(result.space.fixed),
        "holdout": result.holdout if result.cut is not None else 0,
        "begins": result.times[0],
        "cut": result.cut,
        "ends": result.times[1],
        "figures": MAIN_FIGURES,
        "runs": runs[:_MOST],
        "left": max(len(runs) - _MOST, 0),
        "best": [
            {
                "inputs": one.inputs,
                "seen": {figure: one.figures.get(figure) for figure in MAIN_FIGURES},
                "equity": one.equity,
                "held": None if k >= len(result.unseen) else _held(result, k),
            }
            for k, one in enumerate(best)
        ],
        "judgement": None if result.judgement is None else _with_signs(judgement(result.judgement)),
    }


def _with_signs(judged: dict[str, Any]) -> dict[str, Any]:
    """Return a judgement whose sentences show negative numbers with the same sign as the page's tables."""
    return judged | {key: [with_minus_signs(words) for words in judged[key]] for key in ("reasons", "warnings")}


def _held(result: OptimizationResult, number: int) -> dict[str, Any]:
    unseen = result.unseen[number]
    return {
        "error": unseen.error,
        "equity": unseen.equity,
        "seen": {figure: unseen.figures.get(figure) for figure in MAIN_FIGURES},
    }
