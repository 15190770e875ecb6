"""Verifies a script on the open chart: compares its plots and trades with a run of pinebench on the same bars."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, TypedDict, cast

from pinebench.errors import PinebenchError
from pinebench.tools.arguments import ScriptArgument, TextArgument
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.chart_scripts import PINE_ID, ScriptText, script_text
from pinebench.tools.registry import tool
from pinebench.tools.strategy import FEWEST_COMPARED
from pinebench.tools.tool_calls import ToolRefused
from pinebench.tradingview import chart_results, page_results

if TYPE_CHECKING:
    from pinebench.market import Bars, SymbolInfo
    from pinebench.verification.recordings import History, LeftOut, Plot, RecordedTrade, Recording

COMPUTED_MS = 15_000
"""The longest wait in milliseconds for studies that are still being computed, and for a strategy's report."""

_WHOLE = 20_000
"""The number of bars below which a chart without older bars has all of the script's history, if the page does not say
when its symbol's first bar opened. Charts end at about this number."""

_COLOURS = re.compile(r"colorer|color", re.IGNORECASE)
_KINDS_OF_BARS = {"S": "1s", "D": "1d", "W": "1d", "M": "1d"}
"""The last letters of timeframes, with the bars whose beginning counts for them; minutes have none."""

_FACTS = ("mintick", "pointvalue", "timezone", "session", "currency")


STUDY = TextArgument("id or name (default: the only script on the chart)", 200, empty=True, example="My script")
SOURCE = ScriptArgument("its text, if the account does not have it")


class ChartComparison(TypedDict):
    """The comparison of a chart with a run of pinebench. `pinebench.verification.verdicts.Verification` explains the
    fields."""

    study: str
    verdict: str
    symbol: str
    timeframe: str
    bars: int
    history: str
    plots: list[Any]
    trades: Any
    plot_counts: dict[str, int]
    bar_counts: dict[str, int]
    trade_counts: dict[str, int]
    not_compared: list[dict[str, Any]]
    assumed: list[str]


class VerifiedFolder(ChartComparison):
    """The comparison, and the folder with its files; `verified` is True if they were read back."""

    folder: str
    files: list[str]
    verified: bool


@tool(
    "strategy",
    "Compare a script on the chart with pinebench's run on the same bars, plot by plot and trade by trade.",
    untrusted=("study", "plots", "trades"),
    prices=True,
)
def pine_verify(
    at: ToolContext, study: Annotated[str, STUDY] = "", source: Annotated[str | None, SOURCE] = None
) -> ChartComparison:
    """Read the bars, the plots and the trades in one step, run the script's text, and compare."""
    found = _read(at, study)
    return _verified(at, found, *_recording(at, found, source))


@tool(
    "scripts",
    "Compare like pine_verify, and save it as a folder that replays as a test, without anything personal.",
    changes=True,
    proof="the folder, read back",
    untrusted=("study", "plots", "trades"),
    prices=True,
)
def pine_verify_save(
    at: ToolContext,
    folder: Annotated[str, TextArgument("a new folder", 4096, example="parity/my-script")],
    study: Annotated[str, STUDY] = "",
    source: Annotated[str | None, SOURCE] = None,
) -> VerifiedFolder:
    """Compare like `pine_verify`, write script, bars and TradingView's values to `folder`, and read them back."""
    from pinebench.verification import folders

    folders.check_place(folder)
    found = _read(at, study)
    recording, unreadable = _recording(at, found, source)
    if unreadable is not None:
        raise ToolRefused(f"nothing was saved: {unreadable}", "give the script's text as source")
    told = _verified(at, found, recording, None)
    names = folders.save(recording, folder, _names(at, found))
    back = folders.written(folders.load(folder)) == folders.written(recording)
    return {**told, "folder": folder, "files": names, "verified": back}


def _verified(
    at: ToolContext, found: chart_results.ChartSeries, recording: Recording, unreadable: str | None
) -> ChartComparison:
    from pinebench.verification import verdicts

    result = verdicts.verify(recording, at.context, unreadable)
    return cast("ChartComparison", {"study": cast("chart_results.StudySeries", found["study"])["name"], **result})


def _read(at: ToolContext, study: str) -> chart_results.ChartSeries:
    """Return the chart's bars with the study. Raises ToolRefused unless exactly one study fits and is complete."""
    found: chart_results.ChartSeries = at.read(
        "study_series", {"study": study, "limit": COMPUTED_MS, "testing": COMPUTED_MS}, timeout=60
    )
    one = found["study"]
    if one is None:
        fitting = found["fitting"]
        listed = ", ".join(f"{each['name']} ({each['id']})" for each in (fitting or found["known"])[:10])
        what = f"studies that fit '{study}'" if study else "scripts on the chart"
        raise ToolRefused(
            f"there are {len(fitting) or 'no'} {what}",
            f"name one: {listed}" if listed else "add the script to the chart",
        )
    if not found["computed"] or one["state"] == "loading":
        raise ToolRefused(
            f"the chart is still computing '{one['name']}' after {COMPUTED_MS / 1000:g} s", "try again in a moment"
        )
    if one["state"] == "failed":
        raise ToolRefused(f"'{one['name']}' failed on the chart, so it has no values: {one['failure']}")
    if (old := found.get("old_of")) is not None:
        raise ToolRefused(
            f"the report of '{one['name']}' still belongs to {old['symbol']} {old['resolution']}, not to"
            f" {found['symbol']} {found['resolution']}",
            "try again in a moment, or open the strategy tester",
        )
    if not found.get("bars"):
        raise ToolRefused(f"the chart has no bars of {found['symbol']}", "look at the page in the browser")
    return found


def _recording(at: ToolContext, found: chart_results.ChartSeries, source: str | None) -> tuple[Recording, str | None]:
    """Return the recording of the chart, and why the script's text is unknown, if it is."""
    from pinebench.verification import folders
    from pinebench.verification.recordings import Recording

    one = cast("chart_results.StudySeries", found["study"])
    script = (
        script_text(at, one["pine_id"], one["meta_id"], one["version"])
        if source is None
        else ScriptText(source, True, None)
    )
    bars = _bars(found.get("bars", []))
    plots, left_out = _plots(one, bars)
    trades = _trades(found, one, bars)
    symbol, assumed = _symbol(found, bars, trades)
    if one["strategy"] and not one["properties"]:
        assumed.append("the run used the strategy properties that the script declares")
    if found["chart_type"] in chart_results.COMPUTED_TYPES:
        assumed.append("the script reads the bars of the chart's type, which are not the market's")
    recording = Recording(
        script=script.text,
        symbol=symbol,
        bars=bars,
        plots=plots,
        trades=trades if one["strategy"] else None,
        inputs={each["id"]: each["value"] for each in one["inputs"] if each["value"] is not None},
        properties=_properties(one["properties"]),
        history=_history(found),
        is_open=_is_open(bars, str(found["resolution"])),
        is_certain=script.certain,
        left_out=left_out,
        assumed=assumed,
        day=datetime.now(UTC).date().isoformat(),
    )
    return folders.prepared(recording), script.problem


def _trades(found: chart_results.ChartSeries, one: chart_results.StudySeries, bars: Bars) -> list[RecordedTrade] | None:
    """The trades of the strategy's report, or None without one. Raises ToolRefused if it is a report on other bars."""
    if one["trades"] is None:
        return None
    trades = [_trade(each) for each in one["trades"]]
    if are_foreign(trades, bars):
        raise ToolRefused(
            f"the report of '{one['name']}' does not belong to {found['symbol']} {found['resolution']}: none "
            "of its last trades has a price that these bars contain",
            "try again in a moment, or open the strategy tester",
        )
    return trades


def _bars(rows: list[list[float | None]]) -> Bars:
    from pinebench.market import Bars

    bars = Bars()
    for time, *prices in rows:
        first, high, low, last, *rest = (math.nan if price is None else float(price) for price in prices)
        bars.append(int(time or 0) * 1000, first, high, low, last, rest[0] if rest else math.nan)
    return bars


def _plots(one: chart_results.StudySeries, bars: Bars) -> tuple[list[Plot], list[LeftOut]]:
    """Return the plots with their values on the chart's bars, and the ones left out: colours and conditions of
    alerts."""
    from pinebench.verification.recordings import LeftOut, Plot, known

    place = {time: i for i, time in enumerate(bars.time)}
    size = len(bars)
    at_bar = [place.get(int(row[0] or 0) * 1000) if row else None for row in one["rows"]]
    plots: list[Plot] = []
    colours = conditions = 0
    for number, each in enumerate(one["plots"], 1):
        kind = each["type"]
        if _COLOURS.search(kind) or kind.startswith("data"):
            colours += 1
            continue
        if kind.startswith("alert"):
            conditions += 1
            continue
        values: list[float | None] = [None] * size
        for bar, row in zip(at_bar, one["rows"], strict=True):
            if bar is not None and number < len(row):
                values[bar] = known(row[number])
        plots.append(Plot(each["title"], kind, values if one["rows"] else []))
    left_out = [LeftOut("drawings, fills, levels and tables", 1, "only plots and trades are compared")]
    if colours:
        left_out.append(LeftOut("series of colours", colours, "TradingView stores palette indices in them"))
    if conditions:
        left_out.append(LeftOut("conditions of alerts", conditions, "pinebench's run has no plot for them"))
    return plots, left_out


def _history(found: chart_results.ChartSeries) -> History:
    """Return whether the chart's bars are all that the script had; only a page that says so is believed."""
    kind = _KINDS_OF_BARS.get(str(found["resolution"])[-1:], "1m")
    given = found.get("info", {}).get(f"first_bar_time_{kind}")
    born = float(given) if isinstance(given, int | float) and given > 0 else None
    rows = found.get("bars", [])
    return history(found.get("more"), rows[0][0] if rows else None, born, len(rows))


def history(more: bool | None, first: float | None, born: float | None, count: int) -> History:
    """Return whether a chart has the `whole` history of its symbol, only a `part`, or `unknown`.

    The chart has `count` bars, and the first one opens at `first`. `more` is True if the server has older bars. `born`
    is the opening time of the symbol's first bar. Both are None if the page does not show them. Times are in seconds.
    Without `born`, the result is `whole` only if `more` is False and the chart has fewer bars than a chart can have: a
    longer history may have been cut.
    """
    if more:
        return "part"
    if born is not None and first is not None:
        return "whole" if first <= born else "part"
    return "whole" if more is False and count < _WHOLE else "unknown"


def _is_open(bars: Bars, resolution: str) -> bool:
    """Return whether the last bar may still change: its time is not over yet."""
    from pinebench.calendars.timeframes import timeframe

    try:
        length = timeframe(resolution).seconds
    except PinebenchError:
        return True
    return bars.time[-1] / 1000 + length > datetime.now(UTC).timestamp()


def _properties(given: dict[str, Any]) -> dict[str, Any]:
    """Return the properties of a strategy that our broker has, with the page's values."""
    from dataclasses import fields

    from pinebench.broker import Properties

    names = {each.name for each in fields(Properties)}
    return {name: value for name, value in given.items() if name in names and value not in (None, "", "NONE")}


def _symbol(
    found: chart_results.ChartSeries, bars: Bars, trades: list[RecordedTrade] | None
) -> tuple[SymbolInfo, list[str]]:
    """Return the properties of the symbol, and the ones that are assumed because the page does not show them."""
    from pinebench.market import SymbolInfo, tick_of

    info = found.get("info", {})
    prefix, _, ticker = str(found["symbol"]).rpartition(":")
    plain = SymbolInfo(symbol=ticker, prefix=prefix, timeframe=_timeframe(str(found["resolution"])))
    told: dict[str, Any] = {}
    scale = info.get("pricescale")
    if isinstance(scale, int | float) and scale > 0:
        told["mintick"] = float(info.get("minmov") or 1) / scale
    told |= {name: info[key] for name, key in _KEYS.items() if isinstance(info.get(key), str) and info[key]}
    if isinstance(info.get("pointvalue"), int | float):
        told["pointvalue"] = float(info["pointvalue"])
    if isinstance(told.get("session"), str):
        told["session"] = _session(told["session"])
    assumed: list[str] = []
    if "mintick" not in told:
        told["mintick"] = tick_of(bars).size
    step = _step(trades or [])
    assumed += [f"{name} is {told.get(name, getattr(plain, name))}" for name in _FACTS if name not in told]
    assumed += [f"the smallest quantity is assumed to be {step:g}, from the quantities of the trades"] if trades else []
    from dataclasses import replace

    return replace(plain, **told, mincontract=step), assumed


_KEYS = {
    "description": "description",
    "type": "type",
    "currency": "currency_code",
    "basecurrency": "base_currency",
    "timezone": "timezone",
    "session": "session",
}
"""Our names of properties of a symbol, with TradingView's."""


def _session(text: str) -> str:
    """Return the first part of a session; TradingView may list the sessions of several days."""
    return text.partition("|")[0]


def _timeframe(resolution: str) -> str:
    """Return the chart's timeframe as scripts read it: `1D` is `D`."""
    return resolution[1:] if re.fullmatch(r"1[DWM]", resolution) else resolution


def _step(trades: list[RecordedTrade]) -> float:
    """Return the smallest quantity that the quantities of trades suggest: as many decimals as the longest one has."""
    texts = [f"{each.qty:.8f}".rstrip("0").partition(".")[2] for each in trades if each.qty is not None]
    digits = max(map(len, texts), default=0)
    return float(f"1e-{digits}") if digits else 1.0


def _trade(given: Any) -> RecordedTrade:
    """Return a trade of the page, in its short or its long form."""
    from pinebench.verification.recordings import RecordedTrade

    row = cast("dict[str, Any]", given) if isinstance(given, dict) else {}
    entry, leave = _part(row, "e", "entry"), _part(row, "x", "exit")
    side = str(entry.get("tp") or entry.get("type") or "")
    closed = _ms(leave) is not None
    return RecordedTrade(
        side="short" if side.lower().startswith("s") else "long",
        entry_time=_ms(entry),
        entry_price=_number(entry, "p", "price"),
        entry_signal=_word(entry, "c", "id"),
        exit_time=_ms(leave) if closed else None,
        exit_price=_number(leave, "p", "price") if closed else None,
        exit_signal=_word(leave, "c", "id") if closed else None,
        qty=_number(row, "q", "quantity"),
        profit=_number(_part(row, "tp", "profit"), "v", "value"),
        cumulative_profit=_number(_part(row, "cp", "cumulativeProfit"), "v", "value"),
        run_up=_number(_part(row, "rn", "runup"), "v", "value"),
        drawdown=_number(_part(row, "dd", "drawdown"), "v", "value"),
    )


def _part(row: dict[str, Any], *names: str) -> dict[str, Any]:
    """Return the object in `row` under the first of `names` that has one; empty if none has."""
    found = next((row[name] for name in names if isinstance(row.get(name), dict)), None)
    return {} if found is None else cast("dict[str, Any]", found)


def _number(row: dict[str, Any], *names: str) -> float | None:
    found = next((row[name] for name in names if name in row), None)
    return float(found) if isinstance(found, int | float) and not isinstance(found, bool) else None


def _word(row: dict[str, Any], *names: str) -> str | None:
    found = next((row[name] for name in names if name in row), None)
    return found if isinstance(found, str) else None


def _ms(row: dict[str, Any]) -> int | None:
    """Return the time of an entry or exit in milliseconds UTC; the page may have seconds."""
    time = _number(row, "tm", "time")
    if time is None:
        return None
    return int(time * 1000) if abs(time) < 100_000_000_000 else int(time)


_LAST_TRADES = 20
"""The number of last trades that are compared with their bars, to see whether they belong to the symbol."""


def are_foreign(trades: list[RecordedTrade], bars: Bars) -> bool:
    """Return whether all of the last trades were entered at prices far outside the range of their bars. Such trades
    belong to another symbol."""
    far: list[bool] = []
    for each in trades[-_LAST_TRADES:]:
        if each.entry_time is None or each.entry_price is None or each.entry_time < bars.time[0]:
            continue
        bar = bisect_right(bars.time, each.entry_time) - 1
        low, high = bars.low[bar], bars.high[bar]
        far.append(not low - 0.2 * abs(low) <= each.entry_price <= high + 0.25 * abs(high))
    return len(far) >= FEWEST_COMPARED and all(far)


def _names(at: ToolContext, found: chart_results.ChartSeries) -> list[str]:
    """Names and ids of the account that a saved recording must not hold: user, layouts, scripts, studies, alerts."""
    account: page_results.AccountNames = at.read("account_names", {"limit": 5_000})
    one = cast("chart_results.StudySeries", found["study"])
    ids = [one["id"], *(each["id"] for each in found["known"]), *PINE_ID.findall(one["meta_id"])]
    alerts: list[str] = []
    try:
        from pinebench.tools.alerts import alert_list

        alerts = [each["message"] for each in alert_list(at)["alerts"]]
    except PinebenchError:
        pass  # without a log-in there are no alerts
    return [*account["names"], *account["layouts"], *ids, *(text for text in alerts if len(text) > 8)]
