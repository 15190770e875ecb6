"""Decides when a call of `alert()` fires, and makes the message of an `alertcondition` on a bar."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pinebench.calendars.dates import iso_text
from pinebench.runtime.chart import Chart
from pinebench.runtime.outputs import Output

_PLACEHOLDER = re.compile(r"\{\{([^{}]+)\}\}")
"""A placeholder, with the blanks around its name, which are removed afterwards: a pattern that also tried each blank as
a part of the name would take time cubic in their number."""
_NAMED_PLOT = re.compile(r'plot\(\s*"([^"]*)"\s*\)')
_NUMBERED_PLOT = re.compile(r"plot_(\d{1,4})", re.ASCII)


@dataclass(slots=True)
class Alert:
    """One alert of a call of `alert()` or `alertcondition()`.

    `line` is the line of the call in the script; for the code of an imported library, the line that imports it. `title`
    is the title of the `alertcondition`; empty for `alert()`.
    """

    bar: int
    time: int
    message: str
    frequency: str
    line: int = 0
    title: str = ""


class Alerts:
    """The alerts of one run.

    The frequency of a call says how often it fires: each time, once on a bar, or once when the bar closes.
    """

    def __init__(self) -> None:
        self.all: list[Alert] = []
        self._said: set[tuple[int, int]] = set()
        """The bar and the number of each call with the frequency "once_per_bar" that has fired."""

    def say(self, alert: Alert, call: int, *, confirmed: bool) -> None:
        """Add an alert if its frequency allows it. `call` identifies the call in the script, and `confirmed` tells
        whether the bar has closed."""
        if alert.frequency == "once_per_bar_close" and not confirmed:
            return
        if alert.frequency == "once_per_bar":
            if (alert.bar, call) in self._said:
                return
            self._said.add((alert.bar, call))
        self.all.append(alert)

    def forget(self) -> None:
        """Discard all alerts so far."""
        self.all.clear()
        self._said.clear()


def conditions(outputs: Sequence[Output], chart: Chart) -> list[Alert]:
    """Return the alerts of every `alertcondition`, one for each bar on which its condition is true, with placeholders
    filled in."""
    plots = [output for output in outputs if output.function in ("plot", "plotshape", "plotchar", "plotarrow")]
    found: list[Alert] = []
    for output in outputs:
        if output.function != "alertcondition":
            continue
        message = str(output.settings.get("message") or "")
        for bar, holds in enumerate(output.columns.get("condition", ())):
            if holds:
                text = filled(message, bar, plots, chart)
                found.append(Alert(bar, chart.bars.time[bar], text, "condition", output.line, output.title))
    return sorted(found, key=lambda alert: alert.bar)


def filled(message: str, bar: int, plots: Sequence[Output], chart: Chart) -> str:
    """Return `message` with its placeholders filled in for the bar `bar`. Unknown placeholders and plots stay
    unchanged."""

    def value(found: re.Match[str]) -> str:
        name = found[1].strip()
        values = _plot_values(name, plots)
        if values is not None:
            return _number(values[bar])
        if name in ("open", "high", "low", "close", "volume"):
            return _number(getattr(chart.bars, name)[bar])
        known = _KNOWN.get(name)
        return found[0] if known is None else known(chart, bar)

    return _PLACEHOLDER.sub(value, message) if "{{" in message else message


def placeholders(message: str) -> set[str]:
    """Return the names of the placeholders in a message."""
    return {name.strip() for name in _PLACEHOLDER.findall(message)} if "{{" in message else set()


def _plot_values(name: str, plots: Sequence[Output]) -> list[Any] | None:
    numbered = _NUMBERED_PLOT.fullmatch(name)
    if numbered is not None:
        number = int(numbered[1])
        return plots[number].values if number < len(plots) else None
    named = _NAMED_PLOT.fullmatch(name)
    if named is None:
        return None
    return next((plot.values for plot in plots if plot.title == named[1]), None)


def _number(value: Any) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    if value is None or value != value:
        return "NaN"
    return f"{value:.10f}".rstrip("0").rstrip(".")


_KNOWN: dict[str, Callable[[Chart, int], str]] = {
    "ticker": lambda chart, _: chart.symbol.symbol,
    "exchange": lambda chart, _: chart.symbol.prefix,
    "interval": lambda chart, _: chart.timeframe.text,
    "syminfo.currency": lambda chart, _: chart.symbol.currency,
    "syminfo.basecurrency": lambda chart, _: chart.symbol.basecurrency,
    "time": lambda chart, bar: iso_text(chart.bars.time[bar]),
    "timenow": lambda chart, bar: iso_text(chart.close_time(bar)),
}
"""Functions that compute the placeholders other than plots and prices, by name."""
