"""The dialect of chartgen gives the numbers that its own code gave: at bar 99 and at the last of 200 sample bars."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from pinebench.indicators import find
from tests.indicators.sample import bars, line, near, run, sample, shown
from tests.indicators.test_catalogue import OVERLAYS, PANELS

GOLDEN: dict[str, dict[str, tuple[int, float | None, float]]] = {}
"""Of each line of an indicator: first bar with a value, value at bar 99, last value."""
with (Path(__file__).parent / "chartgen.csv").open(encoding="utf-8", newline="") as table:
    for indicator, label, start, middle, last in list(csv.reader(table))[1:]:
        GOLDEN.setdefault(indicator, {})[label] = (int(start), float(middle) if middle else None, float(last))

SIGNALS: dict[str, dict[str, tuple[int, list[int]]]] = {
    "supertrend": {"flip_down": (3, [7, 59, 145]), "flip_up": (2, [39, 110])},
    "sar": {"flip_down": (9, [4]), "flip_up": (9, [17])},
    "heikin_ashi": {"flip_up": (29, []), "flip_down": (29, [199])},
    "cipher_b": {
        "buy": (2, [13, 31]),
        "buy_small": (1, [187]),
        "rsi_overbought": (47, []),
        "rsi_oversold": (28, []),
        "wt_bear_div": (4, [124, 140]),
        "any_bear_div": (2, [124, 140]),
    },
    "wavetrend": {
        "cross_down": (17, []),
        "cross_down_ob": (7, [4]),
        "cross_up": (19, []),
        "cross_up_os": (4, [13, 27, 31, 153]),
    },
    "rsi_mfi_stoch": {
        "rsi_overbought": (7, []),
        "rsi_oversold": (7, []),
        "stoch_overbought": (3, [48, 114, 139]),
        "stoch_oversold": (4, [15, 27, 32, 151]),
    },
    "kalman_volume": {"buy": (4, [75, 114, 159, 178]), "sell": (4, [91, 145, 170, 179])},
}
"""How many signals of each label there are, and bars that have one."""

LEVELS = {
    "volume_profile": [20.361608308423023, 28.147461826203944, 17.155668624630877],
    "tpo": [20.70510184597218, 26.544491984307868, 16.92667293293144],
    "hvn_lvn": [20.59060400012246, 30.20842305149889, 26.08650060090899],
    "rsi": [70, 30, 50],
}

SESSIONS = {
    0: 29.11913972823292,
    2: 20.079337831392635,
    26: 18.958841410940984,
    50: 19.841680514416122,
    74: 20.45944702908135,
    98: 27.39358813884838,
    122: 28.546074366791252,
    146: 22.01432152665454,
    170: 19.490905686121263,
    194: 20.432687127502764,
}
"""The busiest prices of the sample's sessions, by the first bar."""


def test_every_computed_indicator_of_chartgen_has_its_numbers() -> None:
    numbered = {find(name).name for name in (*GOLDEN, *LEVELS, "session_vp", "npoc")}
    assert numbered - {"cvd"} == {*OVERLAYS, *PANELS} and len(numbered - {"cvd"}) == 33


@pytest.mark.parametrize("name", GOLDEN)
def test_values_at_bar_99_and_at_the_last_bar(name: str) -> None:
    found = shown(name, sample(200), "chartgen")
    for label, (first, middle, last) in GOLDEN[name].items():
        values = line(found, label)
        assert next(x for x, value in enumerate(values) if value is not None) == first, label
        assert middle is None or near(values[99], middle), (label, values[99], middle)
        assert near(values[-1], last), (label, values[-1], last)


@pytest.mark.parametrize("name", SIGNALS)
def test_signals_and_where_they_are(name: str) -> None:
    signals = shown(name, sample(200), "chartgen").signals
    assert Counter(each.label for each in signals) == {label: count for label, (count, _) in SIGNALS[name].items()}
    for label, (_, places) in SIGNALS[name].items():
        assert set(places) <= {each.x for each in signals if each.label == label}, label


@pytest.mark.parametrize("name", LEVELS)
def test_levels(name: str) -> None:
    found = shown(name, sample(200), "chartgen").hlines
    assert len(found) == len(LEVELS[name])
    assert all(near(*pair) for pair in zip(found, LEVELS[name], strict=True)), found


def test_rows_of_profiles() -> None:
    rows = shown("vpvr", sample(200), "chartgen").hbars
    assert len(rows) == 24 and all(row.left for row in rows)
    first = min(rows, key=lambda row: row.y)
    assert near(first.y, 11.201780640445469) and near(first.width, 0.015330865615305955)
    assert near(first.height, 0.8243844901179798) and near(max(row.width for row in rows), 0.25)
    times = shown("tpo", sample(200), "chartgen").hbars
    assert len(times) == 32 and not any(row.left for row in times)


def test_divergences_are_lines_between_two_points() -> None:
    found = shown("cipher_b", sample(200), "chartgen").divlines
    assert [(each.x1, each.x2, each.dashed) for each in found] == [(116, 124, True), (124, 140, True)]
    ends = [value for each in found for value in (each.y1, each.y2)]
    wanted = [78.90833380646855, 58.33645900036718, 58.33645900036718, 53.61737121941939]
    assert all(near(*pair) for pair in zip(ends, wanted, strict=True)), ends


def test_profiles_of_sessions() -> None:
    found = shown("session_vp", sample(200), "chartgen").lines
    assert len(found) == 30 and {each.label for each in found} == {"POC", "VAH", "VAL"}
    busiest = [each.values for each in found if each.label == "POC"]
    firsts = [next(x for x, value in enumerate(values) if value is not None) for values in busiest]
    assert firsts == list(SESSIONS)
    for first, values in zip(firsts, busiest, strict=True):
        assert near(values[first], SESSIONS[first])
    naked = {each.label: each.values for each in shown("npoc", sample(200), "chartgen").lines}
    assert near(naked["nPOC"][146], SESSIONS[122]) and naked["nPOC"][145] is None
    assert near(naked["dPOC"][199], SESSIONS[194]) and naked["dPOC"][193] is None and len(naked) == 2


def test_small_vectors() -> None:
    given = bars(
        (10, 12, 9, 11, 100),
        (11, 13, 10, 12, 150),
        (12, 12.5, 9.5, 10, 200),
        (10, 11, 8, 9, 120),
        (9, 10.5, 8.5, 10, 90),
    )
    wanted: list[tuple[dict[str, object], str, list[float]]] = [
        ({"name": "atr", "period": 3}, "ATR", [3, 3, 3, 3, 2.5]),
        ({"name": "cci", "period": 3}, "CCI", [0, 66.6667, -33.3333, -73.3333, -33.3333]),
        ({"name": "mfi", "period": 3}, "MFI", [50, 100, 45.06438, 34.97668, 21.09943]),
        ({"name": "stoch", "period": 3, "k_smooth": 3}, "%K", [66.66667, 70.83333, 47.91667, 33.95833, 39.20139]),
        ({"name": "obv"}, "OBV", [100, 250, 50, -70, 20]),
    ]
    for entry, label, values in wanted:
        found = line(shown(entry, given, "chartgen"), label)
        assert [round(value, 4) for value in found if value is not None] == [round(value, 4) for value in values], entry


def test_the_dialect_begins_at_the_first_bar_that_is_shown() -> None:
    """chartgen has no bars before the ones that it draws."""
    whole = run("rsi", sample(200), "chartgen", shown=50)
    assert (len(whole.bars), whole.first) == (50, 0)
    ours = run("rsi", sample(200), shown=50)
    assert (len(ours.bars), ours.first) == (200, 150)
