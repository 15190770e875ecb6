"""Finds the outputs of a script that were tested by comparing runs, and the outputs that cannot change later."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pinebench.backtesting.run_recorder import ORDERS, RunRecorder
from pinebench.repaint.causes import Causes, Suspect
from pinebench.runtime import Output

_DRAWN = ("line", "label", "box", "polyline")
_LOGS = ("log.info", "log.warning", "log.error")
_CELLS = ("table.cell", "table.cell_set_text")
_TEXTS = ("label.set_text", "box.set_text")
_EVENTS = frozenset(
    ("alert", *_LOGS, *(f"strategy.{name}" for name in ORDERS), *(f"{kind}.new" for kind in _DRAWN), *_CELLS)
)
"""The functions whose calls are compared as events or as texts."""
_SERVED = ("request.security", "request.security_lower_tf", "request.currency_rate")
"""The requests that have data if there are bars of the symbol."""
STATES = frozenset(
    f"barstate.{name}" for name in ("isrealtime", "ishistory", "isnew", "islast", "isconfirmed", "isfirst")
)
"""The states of a bar, which TradingView does not promise within a requested expression."""


class _OutputPlace(NamedTuple):
    """The calls of one output function on a line."""

    function: str
    line: int

    @property
    def words(self) -> str:
        return f"{self.function} on line {self.line}"


class OutputCoverage:
    """The outputs of a script on bars: which of them varied, and which depend on something that can change later."""

    def __init__(self, causes: Causes, whole: RunRecorder) -> None:
        """`whole` is the run on all bars."""
        self._causes = causes
        self._whole = whole
        own = [(output.function, output.line) for output in whole.outputs]
        events = [place for place in causes.places() if place[0] in _EVENTS]
        self._places = [_OutputPlace(*place) for place in dict.fromkeys([*own, *events])]
        self._suspects = {place: self._behind(place) for place in self._places}
        self._happened: set[tuple[str, int]] = set()
        self.at_end = any(causes.calls_of(function) for function in (*_CELLS, *_TEXTS)) or any(
            self._causes.gates(*place) for place in events
        )
        """Whether there are texts, or outputs that wait for the last bar, so that the ends of runs are compared."""
        self.saw(whole)

    def saw(self, run: RunRecorder) -> None:
        """Record which outputs varied in a run."""
        self._happened |= {(event.what, event.line) for events in run.events.values() for event in events}
        self._happened |= {(text.function, text.line) for text in run.texts()}
        self._happened |= {(output.function, output.line) for output in run.outputs if _varies(output)}

    @property
    def varied(self) -> tuple[str, ...]:
        """The outputs with more than one value."""
        return tuple(place.words for place in self._places if self._varied(place))

    @property
    def constant(self) -> tuple[str, ...]:
        """The outputs with the same value on all bars."""
        return tuple(place.words for place in self._places if not self._varied(place))

    @property
    def suspected(self) -> bool:
        """Whether an output depends on something that can change later."""
        return any(self._suspects.values())

    def depends_on(self, line: int) -> bool:
        """Return whether an output depends on something on the line `line` that can change later."""
        return any(suspect.line == line for suspects in self._suspects.values() for suspect in suspects)

    def doubts(self) -> Iterator[str]:
        """Yield a sentence for each part of the script that these bars did not test."""
        yield from self._without_bars()
        yield from self._states()
        yield from self._elsewhere()
        for place, suspects in self._suspects.items():
            if suspects and not self._varied(place):
                named = suspects[0]
                yield f"{place.words} never varied on these bars, and it depends on {named.name} on line {named.line}"

    def _varied(self, place: _OutputPlace) -> bool:
        return place in self._happened or (place.function.removesuffix(".new"), place.line) in self._happened

    def _without_bars(self) -> Iterator[str]:
        for asked in self._whole.runtime.result().requests:
            if not asked.bars:
                of = f" of {asked.symbol}" if asked.symbol else ""
                yield (
                    f"line {asked.line} requests {asked.timeframe}{of}, for which there are no bars: not tested; give"
                    " bars of that timeframe, or shorter ones"
                )

    def _states(self) -> Iterator[str]:
        """A sentence for each request whose expression depends on the state of a bar."""
        for call in (*self._causes.calls_of("request.security"), *self._causes.calls_of("request.security_lower_tf")):
            asked = self._causes.arguments(call).get("expression")
            named = sorted(set(self._causes.names((asked,)) if asked is not None else ()) & STATES)
            if named:
                line = self._causes.line(call)
                yield (
                    f"line {line} requests a value that depends on {named[0]}, whose value within a request "
                    "is not documented: not tested"
                )

    def _elsewhere(self) -> Iterator[str]:
        """A sentence for each function whose values are only known on TradingView."""
        for function, line in self._causes.places():
            if function.startswith("request.") and function not in _SERVED:
                yield f"{function} on line {line} has no data in pinebench: not tested"
            if function == "math.random" and any(
                "seed" not in self._causes.arguments(call) for call in self._causes.calls(function, line)
            ):
                yield f"math.random on line {line} has no seed, and can return other numbers after a reload: not tested"

    def _behind(self, place: _OutputPlace) -> list[Suspect]:
        causes = self._causes
        early = causes.early(*place) if place.function.startswith(("alert", "strategy.")) else []
        return [*causes.of(place.function, place.line, history=False), *early]


def _varies(output: Output) -> bool:
    """Return whether an output has more than one value. A plot that is na on the first bars and constant after them
    does not vary."""
    columns = [
        [value for value in values if value is not None and value == value] for values in output.columns.values()
    ]
    return any(any(value != values[0] for value in values) for values in columns if values)
