"""Checks all prices that are read from a page: whether they belong to the chart's symbol and timeframe, and are
current. A page function reads the evidence together with the numbers, so that both are from the same moment."""

from __future__ import annotations

from typing import Any, cast

from pinebench.calendars.dates import iso_text
from pinebench.errors import PinebenchError
from pinebench.tradingview import page_internals
from pinebench.tradingview.chart_results import COMPUTED_TYPES, Doubt, Evidence

SETTLE_SECONDS = 3.0
"""The longest wait in seconds for a chart that has not loaded its symbol yet."""

_LATE = 900
"""Seconds by which the last bar may be late before its age is reported."""


class EvidenceError(PinebenchError):
    """Raised for prices that are not proved to be current prices of the chart's symbol and timeframe. `passes` is True
    if a later read may succeed."""

    def __init__(self, message: str, hint: str | None = None, *, passes: bool = False) -> None:
        super().__init__(message, hint)
        self.passes = passes


def evidence_of(result: Any) -> Evidence | None:
    """Return the evidence in the result of a page function; None if it has none."""
    held = cast("dict[str, Any]", result).get("evidence") if isinstance(result, dict) else None
    return cast("Evidence | None", held)


def refusal(evidence: Evidence) -> EvidenceError | None:
    """Return the error that refuses prices with this evidence; None if the prices are proved."""
    stopped = next((one for one in evidence["interruptions"] if one["kind"] == "session-disconnected"), None)
    if stopped is not None:
        return EvidenceError(
            f"the page says {stopped['text'][:80]!r}: its prices have stopped, so none is reported",
            page_internals.DIALOGS["session-disconnected"].meaning,
        )
    doubt = evidence["doubt"]
    return None if doubt is None else _doubtful(evidence, doubt)


def _doubtful(evidence: Evidence, doubt: Doubt) -> EvidenceError:
    symbol = evidence["symbol"]
    if doubt["kind"] == "restless":
        said = f"the page returns different bars of {symbol} each time, so none is reported"
        return EvidenceError(said, "wait until the chart is stable, or load the page again", passes=True)
    if doubt["kind"] == "timeframe":
        apart = _span(evidence["spacing"])
        return EvidenceError(
            f"the chart says the timeframe {evidence['resolution']}, but its bars are {apart} apart",
            "wait until it has loaded, or set the timeframe again",
            passes=True,
        )
    of = (
        f": it still has the bars of {doubt['of']}"
        if doubt["of"]
        else ", so its bars may belong to the previous symbol"
    )
    reason = f"the chart names {symbol}, but has not loaded it{of}"
    return EvidenceError(reason, "wait until it has loaded, or set the symbol again", passes=True)


def marks(evidence: list[Evidence]) -> dict[str, Any]:
    """Return the keys to add to a result whose prices `evidence` describes: whether a replay is on, and its date."""
    replayed = [each for each in evidence if each["replay"]]
    if not replayed:
        return {}
    date = replayed[-1]["replay_date"]
    return {"replay": True, "replay_date": None if date is None else iso_text(date)}


def remarks(evidence: list[Evidence], *, live: bool) -> list[str]:
    """Return the sentences that warn a person about these prices. `live` is True if the page's last bar should be
    current; then a late bar is reported."""
    told: dict[str, None] = {}
    for each in evidence:
        if each["replay"]:
            told["the chart replays the past: these prices are not current (replay_stop ends it)"] = None
        if (kind := COMPUTED_TYPES.get(each["chart_type"] or 0)) is not None:
            told[f"the chart shows {kind} bars, which are computed: these are not the market's prices"] = None
        told |= {
            f"the page asks {one['text'][:80]!r}: its prices may have stopped": None
            for one in each["interruptions"]
            if one["kind"] == "sign-in"
        }
        age, spacing = each["age"], each["spacing"]
        if live and not each["replay"] and age is not None and spacing is not None and age > 2 * spacing + _LATE:
            opened = f"the last bar of {each['symbol']} opened {_span(age)} ago"
            told[f"{opened}: its market may be closed, or the page may have stopped"] = None
    return list(told)


def _span(seconds: float | None) -> str:
    """Return a number of seconds in a suitable unit: "90 s", "15 min", "17 h", "3 days"."""
    if seconds is None:
        return "an unknown time"
    for size, unit in ((172_800, "days"), (7200, "h"), (120, "min")):
        if seconds >= size:
            return f"{seconds / {'days': 86_400, 'h': 3600, 'min': 60}[unit]:.3g} {unit}"
    return f"{seconds:.3g} s"
