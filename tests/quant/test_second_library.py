"""Every figure of `quant/` against pandas, numpy and empyrical, on ten kinds of bars."""

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy
import pandas
import pytest

from pinebench.market import Bars, SymbolInfo
from pinebench.quant import drawdowns, phases, relation, returns, tearsheet, volatility, volume
from pinebench.quant.figure import Statistic
from pinebench.quant.yearly import bars_a_year

NEW_YORK = "America/New_York"
DAY, HOUR = 86_400_000, 3_600_000
SHORT, LONG = 20, 60


class Kind(NamedTuple):
    """Bars of one kind: a table with a row for each bar, the symbol, and how many bars a year of it has."""

    table: Any
    symbol: SymbolInfo
    year: float


def prices(times: Any, seed: int, scale: float = 100.0, *, flat: bool = False) -> Any:
    """A table of bars that open at `times`, a random walk or one price."""
    draw = numpy.random.default_rng(seed)
    count = len(times)
    close = numpy.full(count, scale) if flat else scale * numpy.exp(draw.normal(0.0004, 0.01, count).cumsum())
    opened = numpy.concatenate([[scale], close[:-1]])[:count]
    reach = numpy.zeros(count) if flat else close * abs(draw.normal(0, 0.004, count))
    return pandas.DataFrame(
        {
            "open": opened,
            "high": numpy.maximum(opened, close) + reach,
            "low": numpy.minimum(opened, close) - reach,
            "close": close,
            "volume": numpy.full(count, 500.0) if flat else draw.integers(1, 10_000, count).astype(float),
        },
        index=times,
    )


def sessions(days: Any, minutes: int, early: tuple[str, ...] = ()) -> Any:
    """The openings of bars from 9:30 to 16:00 in New York, or to 13:00 on the days `early`."""
    found = []
    for day in days:
        end = "13:00" if str(day.date()) in early else "16:00"
        local = pandas.date_range(f"{day.date()} 09:30", f"{day.date()} {end}", freq=f"{minutes}min", inclusive="left")
        found.append(local.tz_localize(NEW_YORK).tz_convert("UTC"))
    return found[0].append(found[1:])


def exchange(frame: str) -> SymbolInfo:
    return SymbolInfo(timeframe=frame, type="stock", timezone=NEW_YORK, session="0930-1600:23456")


def crypto(frame: str) -> SymbolInfo:
    return SymbolInfo(timeframe=frame, type="crypto", timezone="Etc/UTC", session="24x7")


def hours(count: int) -> Any:
    return pandas.date_range("2025-01-06", periods=count, freq="h", tz="UTC")


def with_gaps() -> Any:
    """Hours of which some are missing, with prices that are na or 0."""
    table = prices(hours(500), 3)
    table.loc[table.index[[40, 41, 300]], ["open", "high", "low", "close"]] = math.nan
    table.loc[table.index[120], "close"] = 0.0
    return table.drop(table.index[[7, 100, 101, 102, 350]])


def kinds() -> Iterator[tuple[str, Kind]]:
    """The ten kinds of bars."""
    weeks = pandas.bdate_range("2025-05-05", periods=25)
    holidays = pandas.bdate_range("2024-01-01", periods=300).difference(
        pandas.to_datetime(["2024-01-01", "2024-01-15", "2024-02-19", "2024-03-29", "2024-05-27", "2024-12-25"])
    )
    spring = pandas.bdate_range("2025-02-24", "2025-03-21")  # clocks change on 9 March
    yield "24x7", Kind(prices(hours(700), 1), crypto("60"), 365 * 24)
    yield "exchange", Kind(prices(sessions(weeks, 15), 2), exchange("15"), 252 * 26)
    yield "gaps", Kind(with_gaps(), crypto("60"), 365 * 24)
    opened: Any = holidays + pandas.Timedelta(hours=9.5)
    yield "holidays", Kind(prices(opened.tz_localize(NEW_YORK).tz_convert("UTC"), 4), exchange("1D"), 252)
    yield "one bar", Kind(prices(hours(1), 5), crypto("60"), 365 * 24)
    yield "flat", Kind(prices(hours(200), 6, flat=True), crypto("60"), 365 * 24)
    yield "huge", Kind(prices(hours(300), 7, 1e12), crypto("60"), 365 * 24)
    yield "tiny", Kind(prices(hours(300), 8, 1e-8), crypto("60"), 365 * 24)
    yield "clocks change", Kind(prices(sessions(spring, 60), 9), exchange("60"), 252 * 7)
    half = tuple(str(day.date()) for day in weeks[3::5])
    yield "half days", Kind(prices(sessions(weeks, 30, half), 10), exchange("30"), 252 * 13)


def bars_of(table: Any) -> Bars:
    times = [time.value // 1_000_000 for time in table.index]
    return Bars(time=times, **{name: table[name].tolist() for name in table})


class Comparison:
    """Compares figures with expected values, and counts both kinds of them."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.known: set[str] = set()
        self.unknown: set[str] = set()

    def agree(self, name: str, figure: Statistic, expected: float | None) -> None:
        """The figure has the expected value; where that is None or na, it has a reason instead."""
        if expected is None or not math.isfinite(expected):
            assert figure.value is None and figure.why, (self.kind, name, figure)
            self.unknown.add(name)
            return
        assert figure.value is not None, (self.kind, name, figure, expected)
        assert figure.value == pytest.approx(expected, rel=1e-7, abs=1e-12), (self.kind, name)
        self.known.add(name)


def least(count: int, wanted: int, value: Callable[[], Any]) -> float | None:
    """The value if there are enough numbers for it."""
    return float(value()) if count >= wanted else None


def expected_returns(kind: Kind) -> Any:
    """The returns by the number of the bar at which they end, as pandas computes them."""
    close = kind.table["close"].where(lambda price: price > 0)
    found = close.pct_change(fill_method=None)
    step = {"15": 900_000, "30": 1_800_000, "60": HOUR, "1D": DAY}[kind.symbol.timeframe]
    longest = step if kind.symbol.session == "24x7" else step + 5 * DAY
    apart = kind.table.index.to_series().diff() / pandas.Timedelta(milliseconds=1)
    found[(apart > longest).to_numpy()] = math.nan
    return found.reset_index(drop=True)


def compare_returns(told: Comparison, kind: Kind, bars: Bars) -> None:
    every = expected_returns(kind)
    seen = every.dropna()
    found = returns.returns_of(bars.close, bars.time, returns.longest_step(kind.symbol, bars.time))
    assert found.places == seen.index.tolist() and found.values == pytest.approx(seen.tolist(), rel=1e-12)
    assert found.na + found.gaps == len(bars.close) - 1 - len(seen)
    count, spread = len(seen), float(seen.std()) if len(seen) > 1 else math.nan
    varied = count > 1 and seen.max() > seen.min()
    expected = {
        "mean": least(count, 1, seen.mean),
        "deviation": least(count, 2, seen.std),
        "skewness": seen.skew() if varied else None,
        "excess_kurtosis": seen.kurt() if varied else None,
        "mean_to_deviation": seen.mean() / spread if varied else None,
        "t_of_mean": seen.mean() / (spread / math.sqrt(count)) if varied else None,
        "best": least(count, 1, seen.max),
        "worst": least(count, 1, seen.min),
        "positive": least(count, 1, (seen > 0).mean),
    }
    statistics = returns.statistics(found.values)
    assert statistics.keys() == expected.keys()
    for name, value in expected.items():
        told.agree(name, statistics[name], value)
    centred = every - seen.mean()
    for lag in (1, 5):
        pairs = (centred * centred.shift(-lag)).sum() / (centred**2).sum() if varied and count >= 20 else None
        told.agree(f"lag {lag}", returns.autocorrelation(found, lag), pairs)
    told.agree("year", volatility.a_year(found.values, kind.year), spread * math.sqrt(kind.year) if count > 4 else None)
    regime = volatility.regime(found.values, SHORT, LONG)
    near, far = (least(count, size, seen.tail(size).std) for size in (SHORT, LONG))
    told.agree("short", regime.short, near)
    told.agree("long", regime.long, far)
    told.agree("ratio", regime.ratio, near / far if near is not None and far else None)


def compare_windows(told: Comparison, kind: Kind, bars: Bars) -> None:
    close, size = kind.table["close"], kind.table["volume"]
    enough, varied = len(close) >= SHORT, close.tail(SHORT).std() > 0
    z = (close.iloc[-1] - close.tail(SHORT).mean()) / close.tail(SHORT).std() if enough and varied else None
    told.agree("z score", returns.z_score(bars.close, SHORT), z)
    change = close.pct_change(SHORT, fill_method=None).iloc[-1] if len(close) > SHORT else None
    told.agree("momentum", returns.momentum(bars.close, SHORT), change)
    before = size.shift(1).rolling(SHORT)
    more = len(size) > SHORT
    told.agree("volume", volume.relative_volume(bars.volume, SHORT), (size / before.mean()).iloc[-1] if more else None)
    far = ((size - before.mean()) / before.std()).iloc[-1] if more and before.std().iloc[-1] > 0 else None
    told.agree("volume z", volume.volume_z(bars.volume, SHORT), far)


def compare_volume(told: Comparison, kind: Kind, bars: Bars) -> None:
    table = kind.table.dropna()
    typical = (table["high"] + table["low"] + table["close"]) / 3
    mean = numpy.average(typical, weights=table["volume"])
    spread = math.sqrt(numpy.average((typical - mean) ** 2, weights=table["volume"]))
    found = volume.vwap(bars)
    told.agree("vwap", found.price, mean)
    told.agree("vwap deviation", found.deviation, spread if typical.std() > 0 else 0.0)
    distance = (table["close"].iloc[-1] - mean) / spread if len(table) > 1 and typical.std() > 0 else None
    told.agree("vwap distance", found.distance, distance)
    edges = numpy.linspace(table["low"].min(), table["high"].max(), 25)
    profile = volume.profile(bars)
    if edges[0] == edges[-1]:
        told.agree("control", profile.point_of_control, None)
        return
    low, high, size = (table[name].to_numpy()[:, None] for name in ("low", "high", "volume"))
    shared = (numpy.minimum(high, edges[1:]) - numpy.maximum(low, edges[:-1])).clip(0) / (high - low) * size
    rows = shared.sum(axis=0)
    assert profile.rows == pytest.approx(rows.tolist(), rel=1e-6, abs=1e-6 * rows.max()), told.kind
    busiest = int(rows.argmax())
    told.agree("control", profile.point_of_control, (edges[busiest] + edges[busiest + 1]) / 2)


def compare_equity(told: Comparison, kind: Kind, bars: Bars) -> None:
    import empyrical  # loads SciPy, and not when tests are collected

    close = kind.table["close"]
    is_equity = bool((close > 0).all())
    sheet = tearsheet.tearsheet(bars.time, bars.close, kind.year, 0.02)
    values = close.pct_change(fill_method=None).dropna()
    usable = is_equity and len(values) >= 20
    varied = usable and values.max() > values.min()
    free: Any = 0.02 / kind.year
    year: Any = kind.year
    fall = 1 - close / close.cummax()
    first, last = close.iloc[0], close.iloc[-1]
    days = (bars.time[-1] - bars.time[0]) / DAY
    growth = (last / first) ** (365 / days) - 1 if is_equity and days > 365 / 4 else None
    deepest = fall.max() if is_equity else None
    expected = {
        "total_return": last / first - 1 if is_equity and len(close) > 1 else None,
        "cagr": growth,
        "volatility": empyrical.annual_volatility(values, annualization=year) if usable else None,
        "sharpe": empyrical.sharpe_ratio(values, free, annualization=year) if varied else None,
        "sortino": empyrical.sortino_ratio(values, free, annualization=year) if usable else None,
        "calmar": growth / deepest if growth is not None and deepest else None,
        "max_drawdown": deepest if len(close) > 1 else None,
        "current_drawdown": fall.iloc[-1] if is_equity and len(close) > 1 else None,
        "under_water": (fall > 0).mean() if is_equity and len(close) > 1 else None,
    }
    for name, value in expected.items():
        told.agree(name, sheet[name], value)
    found = drawdowns.drawdowns(bars.close)
    assert isinstance(found, str) != is_equity
    if not isinstance(found, str) and is_equity:
        assert drawdowns.deepest(found) == pytest.approx(float(fall.max()), abs=1e-12)


def compare_pairs(told: Comparison, kind: Kind) -> None:
    """Correlation and beta against a second series of the same times."""
    one = kind.table["close"].where(lambda price: price > 0)
    other = prices(kind.table.index, 77)["close"] + one.fillna(0) * 0.3
    both = pandas.DataFrame({"one": one, "other": other}).dropna()
    index: Any = both.index
    stamps = [each.value for each in index]
    series: list[dict[int, float]] = [dict(zip(stamps, both[name].tolist(), strict=True)) for name in ("one", "other")]
    times = relation.common_times(series)
    left, right = (relation.returns_at(each, times) for each in series)
    table = both.pct_change(fill_method=None).dropna()
    enough = len(table) >= 20
    varied = enough and bool((table.max() > table.min()).all())
    told.agree("correlation", relation.correlation(left, right), table.corr().iloc[0, 1] if varied else None)
    slope = table.cov().iloc[0, 1] / table["other"].var() if enough else None
    told.agree("beta", relation.beta(left, right), slope)


def compare_phases(told: Comparison, kind: Kind, bars: Bars) -> None:
    found = phases.by_phase(bars, kind.symbol)
    if kind.symbol.timeframe == "1D":
        assert isinstance(found, str)
        return
    assert not isinstance(found, str)
    if kind.symbol.session == "24x7":
        since, ends = kind.table.index.hour, [0, 7, 13, 21, 24]
        names = ["Asia", "Europe", "America", "between"]
    else:
        local = kind.table.index.tz_convert(NEW_YORK)
        since, ends = local.hour * 60 + local.minute - 570, [0, 30, 120, 210, 300, 330, 360, 390]
        names = ["opening", "morning", "midday", "early afternoon", "late afternoon", "last hour", "close"]
    group = pandas.cut(since, ends, right=False, labels=names)
    size = kind.table["volume"].groupby(group, observed=True).sum()
    span = (kind.table["high"] - kind.table["low"]) / kind.table["close"].where(lambda price: price > 0)
    reach = span.groupby(group, observed=True).mean()
    assert [each.name for each in found] == list(size.index), told.kind
    for each in found:
        told.agree("phase volume", each.volume_share, size[each.name] / size.sum())
        told.agree("phase range", each.mean_range, reach[each.name])


def test_every_figure_is_that_of_a_second_library_on_ten_kinds_of_bars() -> None:
    known: dict[str, set[str]] = {}
    for name, kind in kinds():
        told, bars = Comparison(name), bars_of(kind.table)
        assert bars_a_year(kind.symbol, bars.time).bars == pytest.approx(kind.year), name
        compare_returns(told, kind, bars)
        compare_windows(told, kind, bars)
        compare_volume(told, kind, bars)
        compare_equity(told, kind, bars)
        compare_pairs(told, kind)
        compare_phases(told, kind, bars)
        known[name] = told.known
        assert told.known | told.unknown >= {"mean", "sharpe", "vwap", "correlation", "z score"}
    assert len(known) == 10
    assert min(len(known[name]) for name in ("24x7", "exchange", "huge", "tiny", "clocks change", "half days")) >= 30
    assert {"mean", "best", "sharpe"} & known["one bar"] == set()
