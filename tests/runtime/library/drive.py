"""Calls kernels over columns, for the tests of what they compute."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pinebench.market.bars import SymbolInfo
from pinebench.runtime.library import KERNELS

na = float("nan")


@dataclass
class Surroundings:
    """What a built-in asks of the chart."""

    symbol: SymbolInfo
    timeframe: str
    times: list[int]
    bar_index: int = 0


def run(name: str, *columns: Any, read: dict[str, list[float]] | None = None, series_length: bool = False) -> list[Any]:
    """What the kernel `name` gives bar for bar; an argument that is no list is the same on every bar.

    `read` are the columns that it reads of the bars.
    """
    kernel: Any = KERNELS[name](series_length)
    count = max(len(column) for column in (*columns, *(read or {}).values()) if isinstance(column, list))
    rows = [column if isinstance(column, list) else [column] * count for column in columns]
    reads = [(read or {})[title] for title in kernel.reads]
    return [kernel(i, *(row[i] for row in rows), *(row[i] for row in reads)) for i in range(count)]


def on(name: str, bars: list[int], *columns: Any, series_length: bool = False) -> list[Any]:
    """What the kernel gives on the named bars when it is called on no others."""
    kernel: Any = KERNELS[name](series_length)
    return [kernel(i, *(column[i] if isinstance(column, list) else column for column in columns)) for i in bars]


def same(left: Any, right: Any) -> bool:
    """Equal, a missing number being equal to a missing number."""
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(map(same, left, right))
    return left == right or (left != left and right != right)
