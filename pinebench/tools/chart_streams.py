"""Streams of a chart's data: yield the current data, and new data whenever they change."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

from pinebench.context import CancelledError, Context, DeadlineError
from pinebench.errors import PinebenchError, UsageError
from pinebench.tools import registry
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.tool_calls import perform

INTERVALS = {"quote": 300, "bars": 500, "values": 500, "lines": 1000, "labels": 1000, "tables": 2000, "all": 500}
"""The pause between two reads in milliseconds, for each stream."""

LEAST_INTERVAL = 50
AGAIN = 2.0
"""The seconds after which pinebench looks again for a chart that is gone."""


def stream(
    chart_browser: ChartBrowser,
    what: str,
    *,
    interval: int | None = None,
    study_filter: str = "",
    target: str | None = None,
    context: Context | None = None,
    notify: Callable[[str], None] | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield the value of the stream `what` (a key of INTERVALS), first immediately and then after each change.

    Each value has `_ts`, milliseconds since 1970, and `_stream`. `interval` is the pause between two reads in
    milliseconds; `study_filter`, a part of a study's name, applies to values, lines, labels and tables. If the chart
    disappears, `notify` is called once and the stream waits for the chart. The stream ends when `context` is cancelled
    or its time is over. Raises UsageError if there is no such stream, or if the interval is too short.
    """
    if what not in INTERVALS:
        raise UsageError(f"there is no stream called '{what[:40]}'", f"the streams are {', '.join(INTERVALS)}")
    if interval is not None and interval < LEAST_INTERVAL:
        raise UsageError(f"interval must be at least {LEAST_INTERVAL} ms, got: {interval}")
    context = context or Context()
    pause = (interval or INTERVALS[what]) / 1000
    before, lost = "", False
    while True:
        try:
            context.check()
            now = _look(chart_browser, what, study_filter, target, context)
            text = json.dumps({**now, "notes": None}, sort_keys=True)  # the data decide: a note may tell an age
            lost = False
            if text != before:
                before = text
                yield {**now, "_ts": int(time.time() * 1000), "_stream": "all-panes" if what == "all" else what}
            context.sleep(pause)
        except (CancelledError, DeadlineError):
            return
        except UsageError:
            raise
        except PinebenchError as error:
            if not lost and notify is not None:
                notify(f"{error.message}; trying again")
            lost = True
            try:
                context.sleep(AGAIN)
            except (CancelledError, DeadlineError):
                return


def _look(
    chart_browser: ChartBrowser, what: str, study_filter: str, target: str | None, context: Context
) -> dict[str, Any]:
    tool, arguments = _TOOLS[what]
    given: dict[str, object] = dict(arguments)
    if "study_filter" in registry.find(tool).arguments:
        given["study_filter"] = study_filter
    if target is not None:
        given["target"] = target
    found = perform(chart_browser, registry.find(tool), given, context)
    found.pop("untrusted", None)
    if what == "bars":
        (bar,) = found.pop("bars")
        place = {"bar_time": bar.pop("time"), "bar_index": found["total_available"] - 1}
        more = {name: found[name] for name in ("data", "notes") if name in found}
        return {"symbol": found["symbol"], "resolution": found["resolution"], **place, **bar, **more}
    if what == "all":
        return {"layout": found["layout"], "pane_count": found["chart_count"], "panes": found["panes"]}
    return found


_TOOLS: dict[str, tuple[str, dict[str, object]]] = {
    "quote": ("quote_get", {}),
    "bars": ("data_get_ohlcv", {"count": 1}),
    "values": ("data_get_study_values", {}),
    "lines": ("data_get_pine_lines", {}),
    "labels": ("data_get_pine_labels", {"max_labels": 50}),
    "tables": ("data_get_pine_tables", {}),
    "all": ("pane_list", {}),
}
