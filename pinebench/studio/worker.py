"""The process that runs scripts for the studio's chart: requests on stdin, answers on stdout, a line of JSON each.

It stays, so that a script is checked once and the next run begins at once; it can hold only so much memory and writes
no file, every run has its budget, and whoever started it ends it when it stays silent.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pinebench.calendars.timeframes import Timeframe
from pinebench.check import Program, open_program
from pinebench.errors import PinebenchError
from pinebench.execution.backtest import backtest
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.market.sample import sample_bars
from pinebench.market.samples import SAMPLES, find
from pinebench.runtime.guard import Budget
from pinebench.runtime.isolated import limit
from pinebench.runtime.outputs import Output
from pinebench.runtime.refusals import NotComputed
from pinebench.runtime.report import report
from pinebench.runtime.requests import Source
from pinebench.runtime.runtime import Result, Runtime, declared
from pinebench.studio.tested import told as tested_report

_SCRIPTS_KEPT = 32
_MOST_SAID = 10_000
"""Of logs and alerts the last are told, as many as TradingView lists."""


@dataclass(frozen=True)
class _Others(Mapping[str, Source]):
    """The symbols that are `given`, and the samples beside the chart's own in its timeframe, made when asked for."""

    given: Mapping[str, Source]
    own: str
    timeframe: Timeframe
    count: int

    def __getitem__(self, name: str) -> Source:
        if name in self.given:
            return self.given[name]
        symbol = find(name)
        if symbol is None or symbol.full_name == self.own:
            raise KeyError(name)
        return Source(sample_bars(symbol, self.timeframe, self.count), symbol.info(self.timeframe.text))

    def __iter__(self) -> Iterator[str]:
        yield from self.given
        yield from (one.full_name for one in SAMPLES if one.full_name != self.own and one.full_name not in self.given)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    """What a run of a script left, as the page takes it; `refused` where it is not computed, with the reason."""
    bars, symbol = _bars(asked["bars"]), SymbolInfo(**asked["symbol"])
    timeframe, budget = Timeframe(*asked["timeframe"]), Budget(**asked["budget"])
    given = {
        name: Source(_bars(other["bars"]), SymbolInfo(**other["symbol"])) for name, other in asked["others"].items()
    }
    others = _Others(given, f"{symbol.prefix}:{symbol.symbol}", timeframe, max(len(bars), 1))
    try:
        program = _program(asked["text"])
        if program.declaration is not None and program.declaration.name == "strategy":
            tested = backtest(program, bars, symbol, inputs=asked["inputs"], others=others, budget=budget)
            return {**_told(program, tested.result, tested.notes), "tested": tested_report(tested)}
        result = Runtime(program, bars, symbol, inputs=asked["inputs"], others=others, budget=budget).run()
        return {**_told(program, result, result.notes), "tested": None}
    except NotComputed as refusal:
        return {"refused": f"{refusal.name} is not computed here", "line": refusal.line, "hint": refusal.hint}
    except PinebenchError as error:
        return {"refused": error.message, "line": None, "hint": error.hint}


@lru_cache(maxsize=_SCRIPTS_KEPT)
def _program(text: str) -> Program:
    return open_program(text, ())


def _bars(columns: dict[str, list[Any]]) -> Bars:
    nan = float("nan")
    prices = [[nan if value is None else value for value in columns[name]] for name in _PRICES]
    return Bars(columns["time"], *prices)


_PRICES = ("open", "high", "low", "close", "volume")


def _told(program: Program, result: Result, notes: list[str]) -> dict[str, Any]:
    del result.logs[:-_MOST_SAID], result.alerts[:-_MOST_SAID]
    told, given = report(result), declared(program)
    return {
        "declared": {name: _plain(given.get(name)) for name in ("overlay", "format", "precision")},
        "times": [time // 1000 for time in result.times],
        "outputs": [_output(output) for output in result.outputs],
        "drawings": told["drawings"],
        "alerts": told["alerts"],
        "logs": told["logs"],
        "notes": notes,
        "error": told["error"],
    }


def _output(output: Output) -> dict[str, Any]:
    """One call of the plot family; na is null, colours are numbers, 0xRRGGBBAA."""
    return {
        "function": output.function,
        "line": output.line,
        "settings": {name: _plain(value) for name, value in output.settings.items()},
        "columns": {name: list(map(_plain, values)) for name, values in output.columns.items()},
    }


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return value if -1e308 < value < 1e308 else None
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def main() -> None:
    """Answer until there is nobody left who asks."""
    limit(Budget().memory)
    for line in sys.stdin.buffer:
        told = json.dumps(answer(json.loads(line)), ensure_ascii=True, separators=(",", ":"))
        sys.stdout.write(told + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
