"""Verdicts on whether a recording equals our run, plot by plot and trade by trade, with the first differences."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple, NotRequired, TypedDict

from pinebench.calendars.dates import iso_text
from pinebench.context import Context
from pinebench.verification.recordings import LeftOut, Plot, RecordedTrade, Recording
from pinebench.verification.reruns import Rerun, rerun
from pinebench.workers.jobs import own_version_notes

Judgement = Literal["equal", "different", "not compared"]

RELATIVE = 1e-9
"""Two numbers are equal if they differ by at most this part of the larger one."""
NOISE = 1e-12
"""Two numbers are also equal if they differ by at most this part of the largest number of their plot: sums and
differences of prices leave such remainders."""
_MOST_TOLD = 20
"""The largest number of differing trades that are listed."""
_CUTS = (4, 2)
"""Our run is repeated without the first quarter and without the first half of the bars, to see how long its values
depend on earlier bars. A strategy is also repeated with what its account on the chart owned when the bars began."""
_CUMULATIVE = "cumulative_profit"
_RESULTS = RecordedTrade._fields[8:]
"""The fields that say what a trade earned."""
_PLACES = tuple(name for name in RecordedTrade._fields[:7])
"""The fields of a trade that do not depend on its size: side, times, prices, signals."""

_ENTRY = tuple(name for name in RecordedTrade._fields[:4])
"""The fields of a trade that are known when it begins, except its size."""

_OPEN = "the last bar has not closed"
_EARLIER = "the chart shows only a part of the script's history, and the value depends on all earlier bars"
_OTHER_VERSION = (
    "the chart does not say which version of the script it runs, so the difference may come from another version"
)


class ValueDifference(TypedDict):
    """Two values that differ. `bar` is the index among the compared bars, and `time` is the bar's opening time.
    `percent` is the difference in percent of TradingView's value, None if that is 0 or missing."""

    bar: int
    time: str
    tradingview: float | str | None
    pinebench: float | str | None
    percent: float | None


class PlotVerdict(TypedDict):
    """The verdict on one plot. The numbers count bars; `exact` counts those whose values are equal to the
    last bit."""

    plot: str
    verdict: Judgement
    equal: int
    exact: int
    different: int
    not_compared: int
    first: NotRequired[ValueDifference]
    largest: NotRequired[ValueDifference]
    reason: NotRequired[str]


class TradeDifference(TypedDict):
    """A trade that differs: its number in TradingView's list (or in ours, if only our run has it), and each field that
    differs."""

    number: int
    bar: int
    time: str
    fields: dict[str, ValueDifference]
    only: NotRequired[str]


class TradesVerdict(TypedDict):
    """The verdict on the list of trades. `listed` is the number of trades in TradingView's list, and `counted` is the
    number in ours. `exact` is the number of trades that are equal to the last bit."""

    verdict: Judgement
    listed: int
    counted: int
    equal: int
    exact: int
    different: int
    not_compared: int
    trades: list[TradeDifference]
    largest_percent: NotRequired[float]
    reason: NotRequired[str]


class Counts(TypedDict):
    """The numbers of plots, bars of plots or trades that are equal, differ, or were not compared."""

    equal: int
    different: int
    not_compared: int


class Verification(TypedDict):
    """The comparison of the values that a chart shows for a script with our run on the same bars.

    `verdict` is "equal" only if every plot and the list of trades were compared and are equal. `bar_counts` and
    `trade_counts` count the warm-up bars as not compared, and the last bar too if it had not closed. `not_compared`
    lists everything else that was left out, with the reason.
    """

    verdict: Judgement
    symbol: str
    timeframe: str
    bars: int
    history: str
    plots: list[PlotVerdict]
    trades: TradesVerdict | None
    plot_counts: Counts
    bar_counts: Counts
    trade_counts: Counts
    not_compared: list[dict[str, str | int]]
    assumed: list[str]


def verify(recording: Recording, context: Context | None = None, unreadable: str | None = None) -> Verification:
    """Run the recorded script on the recorded bars, and compare the values. `unreadable` is the reason why the script
    cannot be read, or None."""
    own = Rerun(problem=unreadable) if unreadable is not None else rerun(recording, context=context)
    comparison = _Comparison(recording, own, context)
    plots = comparison.plots()
    trades = comparison.trades()
    left_out = [*recording.left_out, *comparison.unmatched]
    return {
        "verdict": _overall([each["verdict"] for each in plots], trades, bool(comparison.unmatched)),
        "symbol": f"{recording.symbol.prefix}:{recording.symbol.symbol}",
        "timeframe": recording.symbol.timeframe,
        "bars": len(recording.bars),
        "history": recording.history,
        "plots": plots,
        "trades": trades,
        "plot_counts": _counts(each["verdict"] for each in plots),
        "bar_counts": _summed(plots),
        "trade_counts": _summed([trades] if trades is not None else []),
        "not_compared": [{"what": one.what, "count": one.number, "reason": one.reason} for one in left_out],
        "assumed": [*recording.assumed, *own_version_notes(recording.script)],
    }


def _overall(plots: list[Judgement], trades: TradesVerdict | None, left: bool) -> Judgement:
    """Return the verdict on the whole comparison. `left` says that a part of a plot or of the trades was left out."""
    every = [*plots, *([trades["verdict"]] if trades is not None else [])]
    if "different" in every:
        return "different"
    return "equal" if every and "not compared" not in every and not left else "not compared"


def _counts(verdicts: Iterable[Judgement]) -> Counts:
    found = list(verdicts)
    return {
        "equal": found.count("equal"),
        "different": found.count("different"),
        "not_compared": found.count("not compared"),
    }


def _summed(parts: Sequence[PlotVerdict | TradesVerdict]) -> Counts:
    return {
        "equal": sum(each["equal"] for each in parts),
        "different": sum(each["different"] for each in parts),
        "not_compared": sum(each["not_compared"] for each in parts),
    }


_OneTrade = RecordedTrade | None
_ComparedTrades = tuple[_OneTrade, _OneTrade, list[str]]
"""Two trades that belong together, and the fields in which they differ."""


class _Pair(NamedTuple):
    """A plot of the chart, and the index of our plot with the same meaning, or None."""

    theirs: Plot
    own: int | None


class _Comparison:
    """Compares one recording with our run of it."""

    def __init__(self, recording: Recording, rerun: Rerun, context: Context | None) -> None:
        self.recording = recording
        self.own = rerun
        self.unmatched: list[LeftOut] = []
        self._context = context
        self._cut: list[tuple[int, Rerun]] | None = None
        self._times = recording.bars.time

    # -- plots --

    def plots(self) -> list[PlotVerdict]:
        """The verdict on each plot of the chart."""
        if self.own.problem is not None:
            return [_uncompared(plot.title, len(plot.values), self.own.problem) for plot in self.recording.plots]
        pairs = pair(self.recording.plots, self.own.plots)
        taken = {each.own for each in pairs}
        missing = [plot.title or "a plot without a title" for i, plot in enumerate(self.own.plots) if i not in taken]
        if missing:
            reason = "pinebench's run has them, but the chart does not list them"
            self.unmatched.append(LeftOut(f"plots: {', '.join(missing[:5])}", len(missing), reason))
        return [self._plot(each) for each in pairs]

    def _plot(self, both: _Pair) -> PlotVerdict:
        """Return the verdict on one plot. Bars count as different only where our own values have settled after the
        warm-up."""
        theirs, place = both
        size = len(theirs.values)
        if place is None:
            return _uncompared(theirs.title, size, "pinebench's run has no such plot")
        own = self.own.plots[place]
        if size != len(own.values):
            return _uncompared(theirs.title, size, "the chart has no values of this plot on these bars")
        compared = size - 1 if self.recording.is_open and size else size
        same = _equality(theirs.values, own.shows_zero)
        wrong = [i for i in range(compared) if not same(theirs.values[i], own.values[i])]
        settled = self._settled(place) if wrong and self.recording.history != "whole" else 0
        late = [i for i in wrong if i >= settled]
        early = len(wrong) - len(late)
        exact = sum(theirs.values[i] == own.values[i] for i in range(compared))
        told: PlotVerdict = {
            "plot": theirs.title,
            "verdict": "different" if late else "equal",
            "equal": compared - len(wrong),
            "exact": exact,
            "different": len(late),
            "not_compared": early + size - compared,
        }
        shown = late or wrong
        if shown:
            told["first"] = self._difference(shown[0], theirs.values[shown[0]], own.values[shown[0]])
            worst = max(shown, key=lambda i: _apart(theirs.values[i], own.values[i]))
            told["largest"] = self._difference(worst, theirs.values[worst], own.values[worst])
        return self._reasoned(told, early, settled >= size, size)

    def _reasoned(self, told: PlotVerdict, early: int, never: bool, size: int) -> PlotVerdict:
        """Return the verdict with the reason why bars were not compared, if there are such bars."""
        if told["different"] and not self.recording.is_certain:
            told["not_compared"] += told["different"]
            told["different"], told["verdict"], told["reason"] = 0, "not compared", _OTHER_VERSION
        elif early and never:
            told["verdict"], told["reason"] = "not compared", _EARLIER
        elif early:
            told["reason"] = f"{early} of the first bars are warm-up: their values depend on bars before the chart's"
        elif told["not_compared"]:
            told["reason"] = _OPEN
        if told["not_compared"] == size:
            told["verdict"] = "not compared"
        return told

    def _settled(self, place: int) -> int:
        """Return the index from which our plot no longer depends on bars before the chart's first bar; the number of
        all bars if it always does."""
        size, found = len(self._times), 0
        for first, cut in self._cut_runs():
            if place >= len(cut.plots) or cut.problem is not None:
                return size
            own = self.own.plots[place]
            same = _equality(own.values, own.shows_zero)
            whole, part = own.values[first:], cut.plots[place].values
            wrong = [i for i, (one, other) in enumerate(zip(whole, part, strict=True)) if not same(one, other)]
            last = wrong[-1] + 1 if wrong else 0
            if last >= size - first:
                return size
            found = max(found, last)
        return min(size, 2 * found)

    def _cut_runs(self) -> list[tuple[int, Rerun]]:
        """Return our runs that begin later or with another capital, each with the index of its first bar."""
        if self._cut is None:
            size = len(self._times)
            starts = sorted({size // part for part in _CUTS} - {0})
            self._cut = [(first, rerun(self.recording, first, self._context)) for first in starts]
            if self.own.capital is not None:
                owned = self._owned(self.own.capital)
                self._cut.append((0, rerun(self.recording, 0, self._context, owned)))
        return self._cut

    def _owned(self, capital: float) -> float:
        """Return the account's money at the chart's first bar, from the trades before it; half of the capital if no
        trade gives it."""
        begin = self._times[0] if self._times else 0
        earlier = [
            each for each in self.recording.trades or () if each.exit_time is not None and each.exit_time < begin
        ]
        earned = earlier[-1].cumulative_profit if earlier else None
        return capital / 2 if not earned else max(capital + earned, capital / 1_000)

    # -- trades --

    def trades(self) -> TradesVerdict | None:
        """The verdict on the list of trades; None for an indicator."""
        listed, counted = self.recording.trades, self.own.trades
        if listed is None and counted is None:
            return None
        if self.own.problem is not None or listed is None or counted is None:
            reason = self.own.problem or (
                "the chart shows no list of trades"
                if listed is None
                else "the script is not a strategy in pinebench's run"
            )
            sizes = len(listed or ()), len(counted or ())
            return _no_trades(*sizes, reason)
        begin = self._times[0] if self._times else 0
        inside = [each for each in listed if each.entry_time is not None and each.entry_time >= begin]
        return self._judged(listed, inside, counted)

    def _judged(
        self, listed: Sequence[RecordedTrade], inside: list[RecordedTrade], counted: Sequence[RecordedTrade]
    ) -> TradesVerdict:
        """Return the verdict on the trades `inside` the chart's bars. `listed` are all of TradingView's trades,
        `counted` ours."""
        whole = self.recording.history == "whole" and len(inside) == len(listed)
        wrong, late = self._late(inside, match(inside, counted), whole)
        differing = sum(bool(each[2]) for each in wrong)
        left = differing - len(late) + len(listed) - len(inside)
        equal = len(wrong) - differing
        # Equal trades have different numbers, so a trade is found by its identity.
        places = {id(trade): place for each in (listed, counted) for place, trade in enumerate(each)}
        differences = [self._told(*each, places) for each in late]
        told: TradesVerdict = {
            "verdict": "different" if late else "equal",
            "listed": len(listed),
            "counted": len(counted),
            "equal": equal,
            "exact": sum(one == other for one, other, _ in wrong),
            "different": len(late),
            "not_compared": left,
            "trades": differences[:_MOST_TOLD],
        }
        percents = [each["percent"] for one in differences for each in one["fields"].values() if each["percent"]]
        if percents:
            told["largest_percent"] = max(percents)
        if late and not self.recording.is_certain:
            told["not_compared"] += told["different"]
            told["different"], told["verdict"], told["reason"] = 0, "not compared", _OTHER_VERSION
        elif left:
            told["reason"] = "trades that began before the chart's bars, or depend on them, were not compared"
            if not equal and not late:
                told["verdict"] = "not compared"
        return told

    def _late(
        self, inside: list[RecordedTrade], matched: Sequence[tuple[_OneTrade, _OneTrade]], whole: bool
    ) -> tuple[list[_ComparedTrades], list[_ComparedTrades]]:
        """Return each pair of trades with the fields in which they differ, and the pairs whose difference counts."""
        absent = [name for name in _RESULTS if inside and all(getattr(each, name) is None for each in inside)]
        if absent:
            words = ", ".join(name.replace("_", " ") for name in absent)
            self.unmatched.append(LeftOut(f"{words} of trades", len(inside), "the chart shows none"))
        fields = [name for name in RecordedTrade._fields if name not in absent]
        wrong = [(one, other, _differing(one, other, fields)) for one, other in matched]
        if not whole and any(_CUMULATIVE in each[2] for each in wrong):
            fields.remove(_CUMULATIVE)
            self.unmatched.append(LeftOut("cumulative profit of trades", len(inside), "it includes earlier trades"))
            wrong = [(one, other, _differing(one, other, fields)) for one, other in matched]
        differing = [each for each in wrong if each[2]]
        settled = self._trades_settled(fields) if differing and not whole else 0
        if settled >= len(self._times) and differing:
            reason = "they depend on the trades before the chart's bars"
            self.unmatched.append(LeftOut("sizes and profits of trades", len(inside), reason))
            wrong = [(one, other, _differing(one, other, _PLACES)) for one, other in matched]
            differing = [each for each in wrong if each[2]]
            settled = self._trades_settled(_PLACES)
        late = [each for each in differing if self._bar(each[0], each[1]) >= settled]
        if late and not whole:
            lead = 2 * self._lead()
            late = [each for each in late if self._bar(each[0], each[1]) >= lead]
        return wrong, late

    def _trades_settled(self, fields: Sequence[str]) -> int:
        """Return the index of the bar from which these fields of our trades no longer depend on bars before the chart's
        first bar; the number of all bars if they always do."""
        size, found = len(self._times), 0
        for first, cut in self._cut_runs():
            if cut.trades is None or self.own.trades is None:
                return size
            begin = self._times[first]
            later = [each for each in self.own.trades if (each.entry_time or 0) >= begin]
            bars = [self._bar(one, other) for one, other in match(later, cut.trades) if _differing(one, other, fields)]
            last = max(bars, default=first - 1) + 1 - first
            if bars and later and max(bars) >= self._bar(later[-1], None):
                return size
            found = max(found, last)
        return min(size, 2 * found)

    def _lead(self) -> int:
        """Return the number of bars that our run needs before a trade to make it; the number of all bars if no trade in
        the second half of the bars shows it. Runs that begin at a fixed bar do not show it: often there is no trade
        right after that bar."""
        size, found = len(self._times), 0
        later = [each for each in self.own.trades or () if self._bar(each, None) >= size // 2]
        for trade in {id(each): each for each in later[:1] + later[len(later) // 2 :][:1]}.values():
            bar, lead = self._bar(trade, None), 1
            while lead < bar and not self._is_made(trade, bar - lead):
                lead *= 2
            found = max(found, lead)
        return found or size

    def _is_made(self, trade: RecordedTrade, first: int) -> bool:
        """Whether our run that begins at the bar `first` makes the trade."""
        cut = rerun(self.recording, first, self._context)
        return any(not _differing(trade, other, _ENTRY) for other in cut.trades or ())

    def _bar(self, one: RecordedTrade | None, other: RecordedTrade | None) -> int:
        """The index of the bar of a trade's entry."""
        times = [each.entry_time for each in (one, other) if each is not None and each.entry_time is not None]
        return max(0, bisect_right(self._times, min(times, default=0)) - 1)

    def _told(
        self, theirs: RecordedTrade | None, own: RecordedTrade | None, names: list[str], places: dict[int, int]
    ) -> TradeDifference:
        bar = self._bar(theirs, own)
        fields: dict[str, ValueDifference] = {}
        if theirs is not None and own is not None:
            for name in names:
                at = self._of_field(name, theirs, bar)
                fields[name] = self._difference(at, _worded(name, theirs), _worded(name, own))
        place = places.get(id(theirs if theirs is not None else own), 0)
        told: TradeDifference = {"number": place + 1, "bar": bar, "time": self._moment(bar), "fields": fields}
        if theirs is None or own is None:
            told["only"] = "pinebench" if theirs is None else "tradingview"
        return told

    def _of_field(self, name: str, theirs: RecordedTrade, bar: int) -> int:
        """Return the bar of the exit for a field of the exit, else the bar of the entry."""
        if not name.startswith("exit") or theirs.exit_time is None:
            return bar
        return max(0, bisect_right(self._times, theirs.exit_time) - 1)

    def _difference(self, bar: int, theirs: float | str | None, own: float | str | None) -> ValueDifference:
        percent = None
        if isinstance(theirs, int | float) and isinstance(own, int | float) and theirs:
            percent = abs(own - theirs) / abs(theirs) * 100
        return {"bar": bar, "time": self._moment(bar), "tradingview": theirs, "pinebench": own, "percent": percent}

    def _moment(self, bar: int) -> str:
        return iso_text(self._times[bar]) if bar < len(self._times) else ""


def _worded(name: str, trade: RecordedTrade) -> float | str | None:
    value = getattr(trade, name)
    return iso_text(value) if name.endswith("_time") and value is not None else value


def _uncompared(title: str, size: int, reason: str) -> PlotVerdict:
    return {
        "plot": title,
        "verdict": "not compared",
        "equal": 0,
        "exact": 0,
        "different": 0,
        "not_compared": size,
        "reason": reason,
    }


def _no_trades(listed: int, counted: int, reason: str) -> TradesVerdict:
    return {
        "verdict": "not compared",
        "listed": listed,
        "counted": counted,
        "equal": 0,
        "exact": 0,
        "different": 0,
        "not_compared": listed,
        "trades": [],
        "reason": reason,
    }


def _equality(values: Sequence[float | None], shows_zero: bool) -> Callable[[float | None, float | None], bool]:
    """Return the function that tests whether two values of a plot with these `values` are equal. Without `shows_zero`,
    0 and na mean the same: nothing is drawn."""
    noise = NOISE * max((abs(value) for value in values if value is not None), default=0.0)

    def same(one: float | None, other: float | None) -> bool:
        if one == other:
            return True
        if not shows_zero:
            one, other = one or 0.0, other or 0.0
        if one is None or other is None:
            return False
        return abs(one - other) <= max(RELATIVE * max(abs(one), abs(other)), noise)

    return same


def _apart(one: float | None, other: float | None) -> float:
    """Return the distance between two values; a missing value is farther than any number."""
    return float("inf") if one is None or other is None else abs(one - other)


def _family(kind: str) -> str:
    return kind.partition("_")[0]


def _is_named(theirs: Plot, own: Plot) -> bool:
    """Return whether two plots may be the same. The chart adds a number to a title that another plot has too."""
    title = theirs.title
    return own.title in ("", title) or (title.startswith(f"{own.title} ") and title[len(own.title) + 1 :].isdigit())


def pair(theirs: Sequence[Plot], ours: Sequence[Plot]) -> list[_Pair]:
    """Pair the plots of the chart with ours: in order if all kinds and titles match, else by title."""
    fits = len(theirs) == len(ours) and all(
        _family(one.kind) == _family(other.kind) and _is_named(one, other)
        for one, other in zip(theirs, ours, strict=True)
    )
    if fits:
        return [_Pair(plot, i) for i, plot in enumerate(theirs)]
    free = list(range(len(ours)))
    found: list[_Pair] = []
    for plot in theirs:
        alike = [i for i in free if ours[i].title == plot.title and _family(ours[i].kind) == _family(plot.kind)]
        place = alike[0] if alike and plot.title else None
        if place is not None:
            free.remove(place)
        found.append(_Pair(plot, place))
    return found


def match(
    theirs: Sequence[RecordedTrade], ours: Sequence[RecordedTrade]
) -> list[tuple[RecordedTrade | None, RecordedTrade | None]]:
    """Return pairs of trades that belong together; a trade that only one list has is paired with None.

    Trades are paired by entry time, side, exit time, entry signal and quantity. Trades that are left are paired
    without the quantity, then by entry time and side only, and at last by exit time, exit price and side.
    """
    pairs: dict[int, int] = {}
    keys: tuple[Callable[[RecordedTrade], object], ...] = (
        lambda trade: (trade.entry_time, trade.side, trade.exit_time, trade.entry_signal, trade.qty),
        lambda trade: (trade.entry_time, trade.side, trade.exit_time, trade.entry_signal),
        lambda trade: (trade.entry_time, trade.side),
        lambda trade: (trade.exit_time, trade.exit_price, trade.side),
    )
    free = set(range(len(ours)))
    for key in keys:
        waiting: dict[object, list[int]] = {}
        for i in sorted(free, reverse=True):
            waiting.setdefault(key(ours[i]), []).append(i)
        for i, trade in enumerate(theirs):
            if i not in pairs and (alike := waiting.get(key(trade))):
                pairs[i] = alike.pop()
                free.discard(pairs[i])
    both = [(trade, ours[pairs[i]] if i in pairs else None) for i, trade in enumerate(theirs)]
    return [*both, *((None, ours[i]) for i in sorted(free))]


def _differing(one: RecordedTrade | None, other: RecordedTrade | None, fields: Sequence[str]) -> list[str]:
    """Return the names of the `fields` in which two trades differ; all of them if there is only one trade."""
    if one is None or other is None:
        return list(fields)
    return [name for name in fields if not _same(name, one, other)]


def _same(name: str, one: RecordedTrade, other: RecordedTrade) -> bool:
    """Return whether a field of two trades is equal: times and texts exactly, numbers up to rounding."""
    theirs, own = getattr(one, name), getattr(other, name)
    if theirs == own:
        return True
    if name.endswith("_time") or not isinstance(theirs, float | int) or not isinstance(own, float | int):
        return False
    size = abs((one.entry_price or 0.0) * (one.qty or 0.0))
    return abs(theirs - own) <= max(RELATIVE * max(abs(theirs), abs(own)), NOISE * size)
