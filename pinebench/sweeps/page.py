"""The results of an optimization as one HTML file: verdict, heat map, parallel coordinates, equity of the best ten."""

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
"""The largest number of runs that the page shows; it has the best ones."""


def page(found: OptimizationResult, name: str, read: str = "") -> str:
    """Return the page for an optimization of the script `name`. It needs no other files and no network. `read` says
    how the bars were read."""
    told = data_of(found, name)
    if read:
        told["about"] += f"; {printable(read)}"
    data = json_text(told, allow_nan=False, separators=(",", ":"))
    before, _, rest = _PAGE.read_text(encoding="utf-8").partition("%TITLE%")
    middle, _, end = rest.partition("%DATA%")
    # Inside a script element, only `<` could end the element or begin a comment.
    return "".join((before, html.escape(f"{printable(name)}: optimization"), middle, data.replace("<", "\\u003c"), end))


def data_of(found: OptimizationResult, name: str) -> dict[str, Any]:
    """Return the page's data as JSON values: the axes, the runs by the indices of their values, and the best ten."""
    places = list(found.places.values())
    runs = [
        [list(place), value, *(outcome.figures.get(figure) for figure in MAIN_FIGURES)]
        for place, outcome, value in zip(places, found.ranked, found.values, strict=True)
    ]
    best = [one for one, value in zip(found.ranked, found.values, strict=True) if value is not None][:10]
    return {
        "name": name,
        "metric": found.metric,
        "about": f"{found.symbol.name}, {found.symbol.timeframe}: "
        + f"{counted(len(found.ranked), 'combination')} by {found.search}, "
        + (f"{found.holdout:.0%} of the bars held back" if found.cut is not None else "no bars held back"),
        "axes": [
            {"name": axis.name, "values": list(axis.values), "ordered": axis.is_ordered} for axis in found.space.axes
        ],
        "fixed": dict(found.space.fixed),
        "holdout": found.holdout if found.cut is not None else 0,
        "begins": found.times[0],
        "cut": found.cut,
        "ends": found.times[1],
        "figures": MAIN_FIGURES,
        "runs": runs[:_MOST],
        "left": max(len(runs) - _MOST, 0),
        "best": [
            {
                "inputs": one.inputs,
                "seen": {figure: one.figures.get(figure) for figure in MAIN_FIGURES},
                "equity": one.equity,
                "held": None if k >= len(found.unseen) else _held(found, k),
            }
            for k, one in enumerate(best)
        ],
        "judgement": None if found.judgement is None else _with_signs(judgement(found.judgement)),
    }


def _with_signs(judged: dict[str, Any]) -> dict[str, Any]:
    """Return a judgement whose sentences show negative numbers with the same sign as the page's tables."""
    return judged | {key: [with_minus_signs(words) for words in judged[key]] for key in ("reasons", "warnings")}


def _held(found: OptimizationResult, number: int) -> dict[str, Any]:
    unseen = found.unseen[number]
    return {
        "error": unseen.error,
        "equity": unseen.equity,
        "seen": {figure: unseen.figures.get(figure) for figure in MAIN_FIGURES},
    }
