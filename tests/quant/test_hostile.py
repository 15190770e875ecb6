"""No number in, no number out: whatever the prices are, no figure is infinite or not a number."""

import math
from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as some

from pinebench.market import Bars, SymbolInfo
from pinebench.quant import phases, position_sizes, relation, returns, tearsheet, volatility, volume
from pinebench.quant.figure import Statistic

PRICE = some.one_of(
    some.sampled_from([0.0, -1.0, 1.0, 100.0, 1e-308, 1e308, math.nan, math.inf, -math.inf]),
    some.floats(min_value=1e-300, max_value=1e300),
    some.floats(min_value=90, max_value=110),
)
COLUMN = some.lists(PRICE, max_size=45)


def figures_in(value: object) -> Iterator[Statistic]:
    """Every figure in a result."""
    if isinstance(value, Statistic):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from figures_in(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from figures_in(each)


@settings(max_examples=60, deadline=None)
@given(closes=COLUMN, others=COLUMN, window=some.integers(-1, 30))
def test_every_figure_is_finite_or_has_a_reason(closes: list[float], others: list[float], window: int) -> None:
    count = min(len(closes), len(others))
    bars = Bars()
    for at in range(count):
        high, low = max(closes[at], others[at]), min(closes[at], others[at])
        bars.append(at * 3_600_000, closes[at], high, low, closes[at], others[at])
    own = returns.returns_of(closes)
    symbol = SymbolInfo(timeframe="60")
    series = {"A": dict(enumerate(closes)), "B": dict(enumerate(others))}
    told: list[object] = [
        returns.statistics(own.values),
        returns.autocorrelation(own, max(window, 1)),
        returns.z_score(closes, window),
        returns.momentum(closes, window),
        volatility.a_year(own.values, 365),
        volatility.regime(own.values, window, 2 * window),
        volume.relative_volume(others, window),
        volume.volume_z(others, window),
        volume.vwap(bars),
        volume.profile(bars),
        phases.by_phase(bars, symbol),
        relation.correlation(closes[:count], others[:count]),
        relation.beta(closes[:count], others[:count]),
        relation.ranking(series, window, "A"),
        position_sizes.r_statistics(position_sizes.r_multiples(list(zip(closes, others, strict=False))).values),
        position_sizes.edge_of(closes),
        tearsheet.tearsheet(list(range(len(closes))), closes, 365, 0.02),
    ]
    found = list(figures_in(told))
    assert found
    for figure in found:
        assert figure.why if figure.value is None else math.isfinite(figure.value)
