"""Writes a chart as a self-contained HTML file with lightweight-charts, which also works offline."""

from __future__ import annotations

import html
from dataclasses import replace
from datetime import timezone
from pathlib import Path
from typing import Any

from pinebench.calendars.zones import zone
from pinebench.charts.bar_cut import cut
from pinebench.charts.described import ChartDescription, ShownRun
from pinebench.charts.picture_layout import ahead
from pinebench.charts.themes import THEMES
from pinebench.files import resources
from pinebench.printable import json_text, printable
from pinebench.runtime import Output, report

_PAGE = Path(__file__).parent / "chart.html"
_BEFORE = 1000
"""The number of bars before the first one that is seen, so that a person can scroll back."""
_PART = "%{}%"
_STYLE, _SCRIPT = "chart.css", "chart.js"


def require_page() -> None:
    """Raise UnavailableError if this installation lacks the page's script. The error has the command that builds it."""
    for name in (_STYLE, _SCRIPT):
        resources.built(name)


def as_html(chart: ChartDescription) -> str:
    """Return the HTML page. Text from scripts and files is only displayed and never becomes code of the page.

    Raises UnavailableError if this installation lacks the script of the page.
    """
    parts = {
        "TITLE": html.escape(printable(chart.title)),
        "STYLE": resources.built(_STYLE),
        "DATA": _data(chart),
        "SCRIPT": resources.built(_SCRIPT).replace("</script", "<\\/script"),
    }
    found: list[str] = []
    rest = _PAGE.read_text(encoding="utf-8")
    for name, text in parts.items():  # in the order of the page, so that no text is searched for the next part
        before, _, rest = rest.partition(_PART.format(name))
        found += [before, text]
    return "".join([*found, rest])


def _data(chart: ChartDescription) -> str:
    """The data as JSON. Inside a script element, only `<` could end the element or begin a comment."""
    return json_text(page_data(chart), allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")


def page_data(chart: ChartDescription) -> dict[str, Any]:
    """Return the chart's data for the page's script, as JSON values: na becomes None, and colours are numbers."""
    frame, bars = chart.frame, chart.bars
    begin, end = max(frame.first - _BEFORE, 0), frame.last
    return {
        "title": chart.title,
        "name": chart.name,
        "zone": _zone(chart.zone),
        "dated": frame.dated,
        "intraday": chart.is_intraday,
        "decimals": chart.decimals,
        "theme": frame.theme.strip().lower(),
        "themes": {name: theme.in_css() for name, theme in THEMES.items()},
        "logarithmic": frame.logarithmic,
        "first": frame.first - begin,
        "last": end - begin,
        "ahead": ahead(chart),
        "share": chart.share,
        "times": [time // 1000 for time in bars.time[begin:end]],
        **{name: list(map(_plain, getattr(bars, name)[begin:end])) for name in ("open", "high", "low", "close")},
        "volume": list(map(_plain, bars.volume[begin:end])) if chart.has_volume else None,
        "runs": [_run(each, begin, end) for each in chart.shown],
        "fills": [
            {"bar": one.bar - begin, "price": one.price, "quantity": one.quantity, "signal": one.signal}
            for one in chart.fills
            if begin <= one.bar < end
        ],
    }


def _zone(name: str) -> str:
    """The name of a time zone as browsers know it: an offset from UTC is written like `+05:30`."""
    found = zone(name)
    if not isinstance(found, timezone):
        return name
    minutes = round(found.utcoffset(None).total_seconds() / 60)
    if minutes == 0:
        return "Etc/UTC"
    return f"{'+' if minutes > 0 else '-'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


def _run(each: ShownRun, begin: int, end: int) -> dict[str, Any]:
    view = each.view
    return {
        "title": view.title,
        "overlay": view.overlay,
        "pane": each.has_pane,
        "scale": view.scale,
        "behind": view.behind,
        "asCalled": view.as_called,
        "declared": {"format": f"format.{view.format}" if view.format else None, "precision": view.precision},
        "outputs": [_output(output, begin, end) for output in each.result.outputs],
        "drawings": report.left(cut(_without_texts(each.result), begin))["drawings"],
    }


def _without_texts(result: Any) -> Any:
    """The result without its alerts and logs, which no chart shows."""
    return replace(result, alerts=[], logs=[], outputs=[])


def _output(output: Output, begin: int, end: int) -> dict[str, Any]:
    """The data of one call of a plot function. na is null; colours are numbers, 0xRRGGBBAA."""
    settings = {name: _plain(value) for name, value in output.settings.items()}
    lengths = [len(column) for column in output.columns.values()]
    if lengths and isinstance(settings.get("show_last"), int | float):
        # It counts from the last bar of the run, which may be after the last one that is shown.
        settings["show_last"] = max(settings["show_last"] - max(max(lengths) - end, 0), 0)
    return {
        "function": output.function,
        "line": output.line,
        "settings": settings,
        "columns": {name: list(map(_plain, values[begin:end])) for name, values in output.columns.items()},
    }


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return value if -1e308 < value < 1e308 else None
    return value if value is None or isinstance(value, bool | int | str) else str(value)
