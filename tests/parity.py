"""TradingView's own exported series and trade lists, which are not in the repository: `PINEBENCH_PARITY` names them.

It holds `series/FILE.csv` (bars, and columns titled by their Pine expression), `trades/` and `bars.csv`.
"""

from __future__ import annotations

import csv
import json
import os
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = os.environ.get("PINEBENCH_PARITY", "")

PRICES = ("time", "open", "high", "low", "close", "volume")


def there() -> bool:
    """Whether there is such a folder here."""
    return bool(FOLDER) and (Path(FOLDER) / "series").is_dir()


@cache
def series(name: str) -> tuple[dict[str, list[float]], dict[str, list[str]]]:
    """The bars of one export as columns of numbers, and its other columns as the texts that are in it."""
    with open(Path(FOLDER) / "series" / f"{name}.csv", newline="", encoding="utf8") as file:
        rows = list(csv.reader(file))
    columns = {title: [row[k] for row in rows[1:]] for k, title in enumerate(rows[0])}
    bars = {
        title.lower(): [float(text) for text in texts] for title, texts in columns.items() if title.lower() in PRICES
    }
    return bars, {title: texts for title, texts in columns.items() if title.lower() not in PRICES}


def same(value: float | bool, text: str) -> bool:
    """Whether `value` is what was exported: na where that has none, else equal to the last exported digit."""
    exported = float(text)
    if exported != exported or abs(exported) >= 1e99:
        return value != value
    if value == exported:
        return True
    digits = len(text.lstrip("-0.").replace(".", "").split("e")[0])
    return value == value and float(f"{value:.{max(digits, 1)}g}") == exported


@cache
def chart() -> list[list[float]]:
    """The bars that the trade lists are from: times in milliseconds, open, high, low, close, volume, as columns."""
    with open(Path(FOLDER) / "bars.csv", newline="", encoding="utf8") as file:
        rows = list(csv.reader(file))[1:]
    return [[float(row[k]) for row in rows] for k in range(6)]


def lists() -> list[str]:
    """The names of the trade lists."""
    return sorted(path.stem for path in (Path(FOLDER) / "trades").glob("*.pine"))


def trade_list(name: str) -> tuple[str, list[dict[str, Any]]]:
    """A strategy, and its closed trades as TradingView exported them, times in milliseconds."""
    folder = Path(FOLDER) / "trades"
    told = json.loads((folder / f"{name}.json").read_text(encoding="utf8"))
    return (folder / f"{name}.pine").read_text(encoding="utf8"), told["trades"]
