"""Converts runs of indicators to JSON values: a summary for reading, or complete series for computing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pinebench.indicators.channels import Channels, Values, channels, finite
from pinebench.indicators.indicator_runs import IndicatorFailure, IndicatorRun
from pinebench.market import Bars
from pinebench.printable import printable

_WIDEST = 5


@dataclass(frozen=True)
class PayloadBars:
    """The bars of an answer. `dated` is False for sample bars, which have no times of their own."""

    symbol: str | None
    interval: str
    bars: Bars
    dated: bool = True

    def time(self, x: int) -> int | None:
        """Return the opening time of bar `x` in Unix seconds, or None if there is no such bar or bars have no times."""
        return self.bars.time[x] // 1000 if self.dated and 0 <= x < len(self.bars) else None

    def date(self, x: int) -> str:
        """Return the opening time of bar `x` in Unix seconds as text, or `D` and the index if bars have no times."""
        return str(self.time(x)) if self.dated else f"D{x}"


def summary(priced: PayloadBars, runs: Sequence[IndicatorRun | IndicatorFailure]) -> dict[str, Any]:
    """Return the last values and all signals of indicators. An indicator that failed has its error instead."""
    return {
        "symbol": priced.symbol,
        "interval": priced.interval,
        "price": price(priced),
        "indicators": {run.asked.key: summary_of(run) for run in runs},
    }


def series(priced: PayloadBars, runs: Sequence[IndicatorRun | IndicatorFailure]) -> dict[str, Any]:
    """Return all values of bars and indicators. An indicator that failed has its error instead. Each list has one entry
    for each bar. A bar without a value has None."""
    bars = priced.bars
    rows = zip(bars.open, bars.high, bars.low, bars.close, bars.volume, strict=True)
    return {
        "symbol": priced.symbol,
        "interval": priced.interval,
        "bars": [
            {"t": priced.time(x), **{name: finite(value) for name, value in zip("ohlcv", row, strict=True)}}
            for x, row in enumerate(rows)
        ],
        "indicators": {run.asked.key: series_of(run, priced) for run in runs},
    }


def price(priced: PayloadBars) -> dict[str, Any]:
    """Return the first and the last bar, the price range and the volume of the bars. The volume is None if it is
    unknown for any bar."""
    bars = priced.bars
    last = len(bars) - 1
    if last < 0:
        return {"bars": 0}
    begin, end = bars.close[0], bars.close[last]
    volumes = [volume for volume in map(finite, bars.volume) if volume is not None]
    return {
        "bars": len(bars),
        "first": {"date": priced.date(0), "open": finite(bars.open[0]), "close": finite(begin)},
        "last": {
            "date": priced.date(last),
            **{name: finite(getattr(bars, name)[last]) for name in ("open", "high", "low", "close", "volume")},
        },
        "range": {"high": finite(max(bars.high)), "low": finite(min(bars.low))},
        "total_volume": sum(volumes) if len(volumes) == len(bars) else None,
        "change_pct": finite((end - begin) / abs(begin) * 100) if begin else None,
    }


def summary_of(run: IndicatorRun | IndicatorFailure) -> dict[str, Any]:
    """Return the last values, signals and counts of one indicator. Empty channels of `Channels` are left out."""
    if isinstance(run, IndicatorFailure):
        return _error(run)
    found = channels(run)
    widest = sorted(found.hbars, key=lambda bar: -bar.width)[:_WIDEST]
    return _told(run, found) | _filled(
        lines=[
            {"index": index, "label": _shown(line.label), **_last_of(line.values)}
            for index, line in enumerate(found.lines)
        ],
        signals=[signal._replace(label=_shown(signal.label))._asdict() for signal in found.signals],
        decorative_dots=found.dots,
        hlines=[{"y": y} for y in found.hlines],
        histogram=[{"index": index, **_last_of(line.values)} for index, line in enumerate(found.histograms)],
        fills_count=len(found.fills),
        hbars_top=[{"y": bar.y, "weight": bar.width} for bar in widest],
        hbars_count=len(found.hbars),
        divergences=[line._asdict() for line in found.divlines],
    )


def series_of(run: IndicatorRun | IndicatorFailure, priced: PayloadBars) -> dict[str, Any]:
    """Return all values of one indicator. Empty channels of `Channels` are left out."""
    if isinstance(run, IndicatorFailure):
        return _error(run)
    found = channels(run)
    return _told(run, found) | _filled(
        lines=[
            {"index": index, "label": _shown(line.label), "values": line.values, **_filled(ahead=list(line.ahead))}
            for index, line in enumerate(found.lines)
        ],
        histogram=[{"index": index, "values": line.values} for index, line in enumerate(found.histograms)],
        signals=[
            {"x": signal.x, "t": priced.time(signal.x), "y": signal.y, "label": _shown(signal.label)}
            for signal in found.signals
        ],
        hlines=[{"y": y} for y in found.hlines],
        fills=[{"y1": first, "y2": second} for first, second in found.fills],
        hbars=[bar._asdict() for bar in found.hbars],
        divlines=[
            {
                "x1": line.x1,
                "t1": priced.time(line.x1),
                "y1": line.y1,
                "x2": line.x2,
                "t2": priced.time(line.x2),
                "y2": line.y2,
                "dashed": line.dashed,
            }
            for line in found.divlines
        ],
    )


def _shown(label: str | None) -> str | None:
    """A label of a script without marks that turn the direction of text or steer a terminal."""
    return None if label is None else printable(label, keep="\n")


def _error(run: IndicatorFailure) -> dict[str, Any]:
    return {"label": f"{run.asked.label} (no data)", "is_overlay": run.asked.is_overlay, "error": run.error.message}


def _told(run: IndicatorRun, found: Channels) -> dict[str, Any]:
    """The label and the place of an indicator. An external one without any value says so, and shows nothing."""
    asked, record = run.asked, run.asked.record
    told: dict[str, Any] = {"label": asked.label, "is_overlay": asked.is_overlay}
    lines = (*found.lines, *found.histograms)
    if record is not None and record.kind == "external" and all(_last(line.values) is None for line in lines):
        found.__init__()
        return told | {"label": f"{asked.label} (no data)"}
    return told | ({"y_range": list(record.limits)} if record is not None and record.limits is not None else {})


def _last(values: Values) -> float | None:
    """The last value that is a number."""
    return next((value for value in reversed(values) if value is not None), None)


def _last_of(values: Values) -> dict[str, Any]:
    """The last value that is a number, and the number of bars that have come since then, if there are any."""
    last = _last(values)
    ago = 0 if last is None else next(ago for ago, value in enumerate(reversed(values)) if value is not None)
    return {"last_value": last, **_filled(bars_ago=ago)}


def _filled(**parts: Any) -> dict[str, Any]:
    return {name: part for name, part in parts.items() if part}
