"""The results of `pinebench.optimize`, `pinebench.walk_forward` and `pinebench.screen`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

from pinebench.amounts import counted
from pinebench.api.frames import package
from pinebench.printable import printable
from pinebench.sweeps import page, screening, sweep_report, walk_forward_runs
from pinebench.sweeps.optimization import OptimizationResult
from pinebench.sweeps.walk_forward_runs import WalkForwardResult

if TYPE_CHECKING:
    import pandas


class Optimization:
    """The results of `pinebench.optimize`: all runs, best first, and whether the best was more than luck."""

    def __init__(self, result: OptimizationResult, name: str) -> None:
        self._found = result
        self._name = name

    @property
    def results(self) -> list[dict[str, Any]]:
        """One row for each combination, best first: `inputs` by title, the tester's figures, `metric` and `error`."""
        return sweep_report.rows(self._found)

    @property
    def best(self) -> dict[str, Any]:
        """The inputs of the best combination. Empty if no combination has a result."""
        return {**self._found.space.fixed, **self._found.best.inputs} if self._found.best is not None else {}

    @property
    def held_back(self) -> list[dict[str, Any]]:
        """The results of the best combinations on the held-back bars, one row each, best first."""
        return sweep_report.report(self._found)["held_back"]

    @property
    def verdict(self) -> str | None:
        """`luck` or `more than luck`; docs/optimizing.md explains how this is decided. None if no combination has a
        result."""
        return self._found.judgement.verdict if self._found.judgement is not None else None

    @property
    def judgement(self) -> dict[str, Any]:
        """The basis of the verdict: `reasons` and `warnings` as sentences, and figures by name, which
        docs/optimizing.md defines. Empty if no combination has a result."""
        return sweep_report.judgement(self._found.judgement) if self._found.judgement is not None else {}

    @property
    def tiers(self) -> list[dict[str, Any]]:
        """One row for each tier, most used first: its `name`, its number of `runs`, and the `reason` why it was
        used."""
        return sweep_report.report(self._found)["tiers"]

    def to_pandas(self) -> pandas.DataFrame:
        """Return a data frame with a column for each input and figure. Raises UnavailableError without pandas."""
        heads, cells = sweep_report.table(self._found)
        return package("pandas").DataFrame(cells, columns=heads)

    def to_html(self) -> str:
        """Return a self-contained HTML page with a heat map, parallel coordinates, and the equity of the ten best
        runs."""
        return page.page(self._found, self._name)

    def __len__(self) -> int:
        return len(self._found.ranked)

    def __str__(self) -> str:
        """Return the best combinations as a table, and the verdict with its reasons."""
        return sweep_report.as_text(self._found, printable)

    def __repr__(self) -> str:
        if self.verdict is None:
            return f"<{counted(len(self), 'combination')}, none with a result>"
        return f"<{counted(len(self), 'combination')}, the best by {self._found.metric} is {self.verdict}: {self.best}>"

    def _repr_html_(self) -> str:
        from pinebench.api.pages import framed, words_page

        failed = [] if self.best else sweep_report.notes(self._found, printable)
        return words_page([], failed) + framed(self.to_html(), "16/10")


class WalkForward:
    """The results of `pinebench.walk_forward`: the windows, and the combined trades and equity of all tests."""

    def __init__(self, result: WalkForwardResult) -> None:
        self._found = result

    @property
    def windows(self) -> list[dict[str, Any]]:
        """One row for each window: its times in milliseconds UTC, the chosen `inputs`, the figures `trained` and
        `tested`, and `error`."""
        return walk_forward_runs.report(self._found)["windows"]

    @property
    def trades(self) -> list[dict[str, Any]]:
        """The trades of all tests. `window` is the number of the trade's window, and times are in milliseconds UTC."""
        return self._found.trades

    @property
    def times(self) -> list[int]:
        """The opening time of each bar of the tests, in milliseconds UTC."""
        return self._found.times

    @property
    def equity(self) -> list[float]:
        """The equity at the close of each bar of the tests, in the account's currency."""
        return self._found.equity

    @property
    def stability(self) -> dict[str, dict[str, Any]]:
        """Measures of how much each input's chosen values changed, by title; docs/optimizing.md defines them."""
        return self._found.stability()

    @property
    def report(self) -> dict[str, Any]:
        """The combined figures of all tests by name, such as `net_profit` and `efficiency`."""
        told = walk_forward_runs.report(self._found)
        return {name: value for name, value in told.items() if not isinstance(value, list | dict)}

    @property
    def tiers(self) -> list[dict[str, Any]]:
        """One row for each tier that ran training windows, most used first: its `name`, number of `runs`, and
        `reason`."""
        return walk_forward_runs.report(self._found)["tiers"]

    def to_pandas(self) -> pandas.DataFrame:
        """Return a data frame with a row for each window: its times (UTC), the chosen inputs, `trained`, `tested`,
        `trades` and `error`. `trained` and `tested` are the profits of the two parts, including open positions, in
        percent of the capital at their starts. Raises UnavailableError without pandas."""
        pd = package("pandas")
        times = ("train_begins", "test_begins", "test_ends")
        figures = ("trained", "tested", "trades", "error")
        names = [axis.name for axis in self._found.space.axes]
        heads = [f"input {name}" if name in (*times, *figures) else name for name in names]
        rows: list[list[Any]] = []
        for step in self._found.steps:
            chosen = step.inputs or {}
            trained = walk_forward_runs.percent(self._found.trained_return(step))
            ran = step.tested
            told = (
                [None, None, None]
                if ran is None
                else [
                    walk_forward_runs.percent(walk_forward_runs.tested_return(step)),
                    ran.figures.get("trades"),
                    ran.error,
                ]
            )
            inputs = [chosen.get(name) for name in names]
            rows.append([step.window.begin, step.window.cut, step.window.end, *inputs, trained, *told])
        frame = pd.DataFrame(rows, columns=[*times, *heads, *figures])
        for name in times:
            frame[name] = pd.to_datetime(frame[name], unit="ms", utc=True)
        return frame

    def __len__(self) -> int:
        return len(self._found.steps)

    def __str__(self) -> str:
        """Return the windows as a table, and the figures of all tests together."""
        return walk_forward_runs.as_text(self._found, printable)

    def __repr__(self) -> str:
        return f"<{counted(len(self), 'window')}, net profit of all tests {self._found.net_profit:.2f}>"

    def _repr_html_(self) -> str:
        from pinebench.api.pages import words_page

        return words_page(
            walk_forward_runs.lines(self._found, printable), walk_forward_runs.summary(self._found, printable)
        )


class Screening(Sequence[dict[str, Any]]):
    """The results of `pinebench.screen`: one row for each symbol, with the symbols that match the condition first.

    A row has `symbol`, `timeframe`, `matches` (None if the condition cannot be decided), `rank`, `values`, `bars`,
    `last_time` (milliseconds UTC) and `error`.
    """

    def __init__(self, rows: Sequence[screening.ScreenRow]) -> None:
        self._rows = rows

    @property
    def matches(self) -> list[str]:
        """The symbols that match the condition, in the order of the rows."""
        return [row.symbol for row in self._rows if row.matches]

    def to_pandas(self) -> pandas.DataFrame:
        """Return a data frame with a row for each symbol, its values, and the time of its last bar (UTC).

        Raises UnavailableError without pandas.
        """
        pd = package("pandas")
        heads, cells = screening.table(self._rows)
        frame = pd.DataFrame(cells, columns=heads)
        frame["last_time"] = pd.to_datetime(frame["last_time"].astype("Int64"), unit="ms", utc=True)
        return frame

    @overload
    def __getitem__(self, place: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, place: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, place: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        """Return the row at the index `place`, from 0, or the rows of a slice."""
        return [row.plain() for row in self._rows[place]] if isinstance(place, slice) else self._rows[place].plain()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (row.plain() for row in self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __str__(self) -> str:
        """Return a table of the symbols that fit, and the reasons why others failed."""
        return screening.as_text(self._rows, printable)

    def __repr__(self) -> str:
        failed = sum(row.error is not None for row in self._rows)
        told = f"{len(self.matches)} of {len(self)} symbols match{f', {failed} failed' if failed else ''}"
        return printable(f"<{told}: {', '.join(self.matches[:5]) or 'none'}>")

    def _repr_html_(self) -> str:
        from pinebench.api.pages import words_page

        words = [*screening.summary(self._rows, printable), *screening.read_lines(self._rows, printable)]
        return words_page(screening.lines(self._rows, printable), words)
