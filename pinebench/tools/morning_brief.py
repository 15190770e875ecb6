"""A morning brief: symbols are read on the chart and judged by the user's rules. Each brief is stored under its day."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Annotated, Any, NotRequired, TypedDict, cast

from pinebench import decoding, files
from pinebench.config import private_state_folder
from pinebench.errors import UsageError
from pinebench.market import numerals
from pinebench.near import hint_of_names
from pinebench.tools import evidence
from pinebench.tools.arguments import TextArgument
from pinebench.tools.batch import scan_symbols
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.registry import Needs, tool
from pinebench.tools.tool_calls import ToolRefused, page_prices
from pinebench.tools.watchlist import watchlist_get

_FOLDER = "briefs"
_MOST_SYMBOLS = 50
_RULES_FILE = 200_000
"""The largest size of a file with rules, in bytes."""

_RULES: dict[Any, Any] = {
    "symbols?": [str],
    "timeframe?": str,
    "bars?": int,
    "rules": [{"name": str, "value": str, "above?": float, "below?": float}],
}
"""The shape of a file with rules."""

_OWN_VALUES = ("close", "change_percent", "high", "low", "place_percent")
"""The values that every symbol has. `place_percent` is the position of the close between low (0) and high (100)."""

_EXAMPLE = '{"rules": [{"name": "Overbought", "value": "Relative Strength Index: RSI", "above": 70}]}'


class RuleResult(TypedDict):
    """A rule on one symbol, and what it asks for (`when`). `holds` is None if the value is unknown; then `reason` says
    why."""

    rule: str
    when: str
    value: float | None
    holds: bool | None
    reason: NotRequired[str]


class BriefSymbol(TypedDict):
    """One symbol of a brief: its last close, its change and range over the bars, and the result of each rule. A change
    from an open of 0 is None."""

    symbol: str
    close: float
    change_percent: float | None
    high: float
    low: float
    rules: list[RuleResult]


class Brief(TypedDict):
    """A brief as it is stored. `held` maps each rule to the symbols for which it holds. `before` is the day of the
    previous brief, and `changed` holds the rules whose results differ from that brief. Only equal rules on the same
    timeframe and number of bars are compared."""

    day: str
    time: str
    timeframe: str
    bars: int
    symbols: list[BriefSymbol]
    failed: dict[str, str]
    held: dict[str, list[str]]
    before: str | None
    changed: list[dict[str, Any]]


class MadeBrief(Brief):
    """A new brief, and the file in which it is stored."""

    file: str
    verified: bool


class KeptBriefs(TypedDict):
    """The briefs of one day, the oldest first, and all days that have briefs."""

    day: str
    days: list[str]
    briefs: list[Any]


@tool(
    "batch",
    "Judge each symbol of the rules file or the watchlist by the rules; store the brief by day.",
    changes=True,
    outside=True,
    untrusted=("symbols", "failed"),
    prices=True,
    proof="the bars and the description of each symbol, and the stored file, read back",
)
def morning_brief(
    at: ToolContext,
    rules: Annotated[str | None, TextArgument("a JSON file with rules (default: the user's own)")] = None,
) -> MadeBrief:
    """Read the symbols with the chart's studies, judge them by the rules, and store the brief. The chart is
    restored."""
    asked = _rules(rules)
    symbols = asked.get("symbols") or [each["symbol"] for each in watchlist_get(at)["symbols"]]
    if not symbols:
        raise ToolRefused("there are no symbols to judge", "name symbols in the rules, or fill the watchlist")
    if len(symbols) > _MOST_SYMBOLS:
        raise ToolRefused(f"a brief has at most {_MOST_SYMBOLS} symbols, and there are {len(symbols)}", "name fewer")
    bars = asked.get("bars", 20)
    scanned = scan_symbols(at, symbols, asked.get("timeframe"), bars)
    order = {name: place for place, name in enumerate(symbols)}
    rows = sorted(scanned["matches"], key=lambda row: order[row["symbol"]])
    told = [_judged(row, asked["rules"]) for row in rows]
    now = datetime.now().astimezone()
    day = now.date().isoformat()
    earlier = _last_before(day)
    brief: Brief = {
        "day": day,
        "time": now.isoformat(timespec="seconds"),
        "timeframe": asked.get("timeframe") or at.read("chart_summary")["resolution"] or "",
        "bars": bars,
        "symbols": told,
        "failed": scanned["failed"],
        "held": {each["name"]: _holding(told, each["name"]) for each in asked["rules"]},
        "before": None if earlier is None else earlier["day"],
        "changed": [],
    }
    if earlier is not None:
        brief["changed"], left = _changes(earlier, brief)
        if left:
            at.connection.notify(
                f"{left} results were not compared with the brief of {earlier['day']}, which has other rules, another "
                "timeframe or another number of bars"
            )
    file, is_kept = _keep(at, brief)
    return {**brief, "file": file, "verified": is_kept and scanned["verified"]}


@tool("batch", "Read the morning briefs of a day.", needs=Needs.NOTHING, untrusted=("briefs",))
def brief_get(
    at: ToolContext,
    day: Annotated[str | None, TextArgument("YYYY-MM-DD (default: the newest)", 10, example="2026-11-29")] = None,
) -> KeptBriefs:
    """Return all briefs of a day."""
    days = _days()
    if day is not None:
        try:
            date.fromisoformat(day)
        except ValueError:
            raise UsageError(f"day must be a date, got: {day}", "give, for example, 2026-11-29") from None
    if not days or (day is not None and day not in days):
        raise ToolRefused(
            f"there is no brief{f' of {day}' if day else ''}", hint_of_names("days with a brief", days[-10:])
        )
    chosen = day or days[-1]
    return {"day": chosen, "days": days, "briefs": _kept(chosen)}


# -- rules ------------------------------------------------------------------------------------------------------------


def _rules(path: str | None) -> dict[str, Any]:
    """Return the rules of a file. Raises UsageError, which says what is wrong in it, and where."""
    place = path or os.path.join(private_state_folder(_FOLDER), "rules.json")
    if not place.endswith(".json"):
        raise UsageError(f"rules must name a file that ends in .json, got: {place[-60:]}")
    if not os.path.exists(place):
        raise ToolRefused(f"there is no file with rules at {place}", f"write it first, for example: {_EXAMPLE}")
    try:
        found: dict[str, Any] = decoding.loads(files.read_bytes(place, _RULES_FILE), _RULES, size=_RULES_FILE)
    except decoding.MalformedDocument as error:
        raise UsageError(f"{place} is not a file of rules: {error}", f"expected, for example: {_EXAMPLE}") from None
    bars = found.get("bars", 20)
    if not 2 <= bars <= 500:
        raise UsageError(f"{place}: bars must be from 2 to 500, got: {bars}")
    names = [each["name"] for each in found["rules"]]
    for rule in found["rules"]:
        if "above" not in rule and "below" not in rule:
            raise UsageError(f"{place}: the rule '{rule['name']}' has neither above nor below", f"example: {_EXAMPLE}")
        if names.count(rule["name"]) > 1:
            raise UsageError(
                f"{place}: there are two rules with the name '{rule['name']}'", "give each rule a name of its own"
            )
    return found


def _judged(row: Mapping[str, Any], rules: Sequence[Mapping[str, Any]]) -> BriefSymbol:
    return {
        "symbol": row["symbol"],
        "close": row["close"],
        "change_percent": row["change_percent"],
        "high": row["high"],
        "low": row["low"],
        "rules": [_verdict(row, rule) for rule in rules],
    }


def _verdict(row: Mapping[str, Any], rule: Mapping[str, Any]) -> RuleResult:
    """Return whether a rule holds; None as `holds` if its value is not known."""
    value, reason = _value(row, rule["value"])
    above, below = rule.get("above"), rule.get("below")
    limits = " and ".join(f"{name} {rule[name]:.15g}" for name in ("above", "below") if name in rule)
    when = f"{rule['value']} {limits}"
    if value is None:
        return {"rule": rule["name"], "when": when, "value": None, "holds": None, "reason": reason}
    holds = (above is None or value > above) and (below is None or value < below)
    return {"rule": rule["name"], "when": when, "value": value, "holds": holds}


def _value(row: Mapping[str, Any], name: str) -> tuple[float | None, str]:
    """Return the value that a rule names, or None and the reason why it is not known."""
    if name == "place_percent":
        span = row["high"] - row["low"]
        return (
            (None, "the high and the low of the bars are equal")
            if span <= 0
            else ((row["close"] - row["low"]) / span * 100, "")
        )
    if name in _OWN_VALUES:
        return row[name], f"the {name} of the bars is not known"
    study, _, title = (part.strip() for part in name.partition(":"))
    found = [each for each in row["studies"] if each["name"] == study]
    if not found:
        listed = ", ".join(each["name"] for each in row["studies"]) or "none"
        return None, f"the chart has no study '{study}'; it has: {listed}"
    if len(found) > 1:
        return None, f"the chart has {len(found)} studies with the name '{study}'"
    values = found[0]["values"]
    if title not in values:
        return None, found[0].get("note") or f"'{study}' has no value '{title}'; it has: {', '.join(values) or 'none'}"
    return _number(values[title])


def _number(text: Any) -> tuple[float | None, str]:
    try:
        return float(numerals.with_point(str(text))), ""
    except ValueError:
        return None, f"the value '{text}' is not a number"


def _holding(rows: Sequence[BriefSymbol], rule: str) -> list[str]:
    return [row["symbol"] for row in rows if any(each["rule"] == rule and each["holds"] for each in row["rules"])]


def _changes(earlier: Mapping[str, Any], brief: Brief) -> tuple[list[dict[str, Any]], int]:
    """Return the rules whose answer differs from an earlier brief, and the number of answers that could not be compared
    because they were asked otherwise. Unknown answers are left out."""
    is_alike = all(earlier.get(name) == brief[name] for name in ("timeframe", "bars"))
    known = {(row["symbol"], each["rule"]): each for row in earlier["symbols"] for each in row["rules"]}
    found: list[dict[str, Any]] = []
    left = 0
    for row in brief["symbols"]:
        for each in row["rules"]:
            before, now = known.get((row["symbol"], each["rule"])), each["holds"]
            if before is None or before["holds"] is None or now is None:
                continue
            if not is_alike or before.get("when") != each["when"]:
                left += 1
            elif before["holds"] != now:
                found.append({"symbol": row["symbol"], "rule": each["rule"], "held": before["holds"], "holds": now})
    return found, left


# -- the kept briefs --------------------------------------------------------------------------------------------------


def _file(day: str) -> str:
    return os.path.join(private_state_folder(_FOLDER), f"{day}.json")


def _days() -> list[str]:
    """Return the days that have briefs, the oldest first."""
    found: list[str] = []
    for name in sorted(os.listdir(private_state_folder(_FOLDER))):
        stem, ending = os.path.splitext(name)
        try:
            date.fromisoformat(stem)
        except ValueError:
            continue
        if ending == ".json":
            found.append(stem)
    return found


_KEPT: list[Any] = [{"day": str, "symbols": [{"symbol": str, "rules": [{"rule": str, "holds": (bool, None)}]}]}]


def _kept(day: str) -> list[Any]:
    """Return the briefs of a day. Raises ToolRefused if the file is damaged, so that it is never overwritten."""
    place = _file(day)
    if not os.path.exists(place):
        return []
    try:
        return decoding.loads(files.read_bytes(place), _KEPT)
    except decoding.MalformedDocument as error:
        raise ToolRefused(
            f"{place} is not a file of briefs: {error}", "look at the file, and move it away if you do not need it"
        ) from None


def _last_before(day: str) -> dict[str, Any] | None:
    """Return the newest brief of an earlier day."""
    earlier = [each for each in _days() if each < day]
    briefs = _kept(earlier[-1]) if earlier else []
    return cast("dict[str, Any]", briefs[-1]) if briefs else None


def _keep(at: ToolContext, brief: Brief) -> tuple[str, bool]:
    """Add the brief to the file of its day, with the source of its prices, and read the file back."""
    row: dict[str, Any] = {**brief, **evidence.marks(at.evidence)}
    prices = page_prices(at, cast("dict[str, Any]", brief))
    if prices is not None:
        row["data"] = prices
    place = _file(brief["day"])
    briefs = [*_kept(brief["day"]), row]
    files.write_atomically(place, json.dumps(briefs, indent=1, ensure_ascii=False).encode())
    files.make_private(place)
    return place, _kept(brief["day"]) == json.loads(json.dumps(briefs))
