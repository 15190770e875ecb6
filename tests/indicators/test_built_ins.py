"""Built-in indicators of TradingView whose numbers are worked out again here, bar by bar."""

import math

import pytest

from tests.indicators.sample import bars, line, sample, shown

GIVEN = sample(160)
OPENS, H, L, C, V = GIVEN.open, GIVEN.high, GIVEN.low, GIVEN.close, GIVEN.volume
LAST = len(GIVEN) - 1


def last(name: str, label: str) -> float | None:
    return line(shown(name, GIVEN), label)[LAST]


def ema(values: list[float], length: int) -> list[float]:
    """The average from its own first `length` values on."""
    found = [math.fsum(values[:length]) / length]
    for value in values[length:]:
        found.append(found[-1] + 2 / (length + 1) * (value - found[-1]))
    return found


def ranges() -> list[float]:
    """The true ranges from the second bar on."""
    return [max(H[x], C[x - 1]) - min(L[x], C[x - 1]) for x in range(1, LAST + 1)]


def test_averages_of_averages() -> None:
    once = ema(C, 9)
    twice = ema(once, 9)
    thrice = ema(twice, 9)
    assert last("dema", "DEMA") == pytest.approx(2 * once[-1] - twice[-1])
    assert last("tema", "TEMA") == pytest.approx(3 * (once[-1] - twice[-1]) + thrice[-1])


def test_aroon_counts_the_bars_since_the_extremes() -> None:
    top = max(range(LAST - 14, LAST + 1), key=lambda x: (H[x], x))
    bottom = min(range(LAST - 14, LAST + 1), key=lambda x: (L[x], -x))
    assert last("aroon", "Aroon Up") == pytest.approx(100 * (14 - (LAST - top)) / 14)
    assert last("aroon", "Aroon Down") == pytest.approx(100 * (14 - (LAST - bottom)) / 14)


def test_ultimate_oscillator_and_vortex() -> None:
    pressure = [C[x] - min(L[x], C[x - 1]) for x in range(1, LAST + 1)]
    parts = [math.fsum(pressure[-n:]) / math.fsum(ranges()[-n:]) for n in (7, 14, 28)]
    assert last("uo", "UO") == pytest.approx(100 * (4 * parts[0] + 2 * parts[1] + parts[2]) / 7)
    ups = math.fsum(abs(H[x] - L[x - 1]) for x in range(LAST - 13, LAST + 1))
    downs = math.fsum(abs(L[x] - H[x - 1]) for x in range(LAST - 13, LAST + 1))
    assert last("vortex", "VI +") == pytest.approx(ups / math.fsum(ranges()[-14:]))
    assert last("vortex", "VI -") == pytest.approx(downs / math.fsum(ranges()[-14:]))


def test_choppiness_and_ulcer() -> None:
    span = max(H[-14:]) - min(L[-14:])
    assert last("chop", "CHOP") == pytest.approx(100 * math.log10(math.fsum(ranges()[-14:]) / span) / math.log10(14))
    depths = [100 * (C[x] - max(C[x - 13 : x + 1])) / max(C[x - 13 : x + 1]) for x in range(LAST - 13, LAST + 1)]
    assert last("ulcer_index", "UI") == pytest.approx(math.sqrt(math.fsum(each**2 for each in depths) / 14))


def test_fisher_transform() -> None:
    middle = [(high + low) / 2 for high, low in zip(H, L, strict=True)]
    place = fisher = before = 0.0
    for x in range(8, LAST + 1):
        window = middle[x - 8 : x + 1]
        moved = 0.66 * ((middle[x] - min(window)) / (max(window) - min(window)) - 0.5) + 0.67 * place
        place = 0.999 if moved > 0.99 else -0.999 if moved < -0.99 else moved
        before, fisher = fisher, 0.5 * math.log((1 + place) / (1 - place)) + 0.5 * fisher
    assert last("fisher", "Fisher") == pytest.approx(fisher)
    assert last("fisher", "Trigger") == pytest.approx(before)


def test_regression_channel() -> None:
    ys = C[-100:]
    mean_x, mean_y = 49.5, math.fsum(ys) / 100
    slope = math.fsum((x - mean_x) * (y - mean_y) for x, y in enumerate(ys)) / math.fsum(
        (x - mean_x) ** 2 for x in range(100)
    )
    fitted = [mean_y + slope * (x - mean_x) for x in range(100)]
    away = 2 * math.sqrt(math.fsum((y - fit) ** 2 for y, fit in zip(ys, fitted, strict=True)) / 99)
    middle, upper, lower = shown("linear_regression_channel", GIVEN).divlines
    for found, more in ((middle, 0), (upper, away), (lower, -away)):
        assert (found.x1, found.x2) == (LAST - 99, LAST)
        assert (found.y1, found.y2) == pytest.approx((fitted[0] + more, fitted[-1] + more))


def test_oscillators_of_volume() -> None:
    signed = [volume if C[x] > C[x - 1] else -volume for x, volume in enumerate(V) if x]
    assert last("net_volume", "NV") == signed[-1]
    forces = [(C[x] - C[x - 1]) * V[x] for x in range(1, LAST + 1)]
    assert last("efi", "EFI") == pytest.approx(ema(forces, 13)[-1])


def test_stops_and_pivots() -> None:
    few = bars((5, 6, 4, 5, 1), (5, 7, 5, 6, 1), (6, 9, 6, 8, 1), (8, 8, 5, 6, 1), (6, 7, 3, 4, 1), (4, 6, 4, 5, 1))
    found = shown({"name": "williams_fractals", "period": 1}, few)
    assert line(found, "High") == [None, None, 9, None, None, None]
    assert line(found, "Low") == [None, None, None, None, 3, None]
    stops = line(shown("volatility_stop", GIVEN), "VStop")
    turns = [x for x in range(40, LAST) if (stops[x] or 0) < C[x] and (stops[x + 1] or 0) > C[x + 1]]
    assert turns and all((stops[x + 1] or 0) > (stops[x] or 0) for x in turns), "the stop changes its side at a turn"


def test_twap_begins_with_each_day() -> None:
    values = line(shown("twap", GIVEN), "TWAP")
    day = [x for x, time in enumerate(GIVEN.time) if time // 86_400_000 == GIVEN.time[100] // 86_400_000]
    prices = [(OPENS[x] + H[x] + L[x] + C[x]) / 4 for x in day]
    assert values[day[-1]] == pytest.approx(math.fsum(prices) / len(prices))
