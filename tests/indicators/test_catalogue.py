"""The catalogue: its names, what it says of each script, and that the scripts are in order."""

import re
from pathlib import Path

import pytest

from pinebench.checker import open_program
from pinebench.errors import UsageError
from pinebench.formatting import format_text
from pinebench.indicators import ALL, LABELS, asked, find
from pinebench.indicators.catalogue import LIBRARIES
from pinebench.indicators.dialect import in_dialect
from pinebench.indicators.headers import record_of
from pinebench.indicators.indicator_requests import parameters

OVERLAYS = (
    "ema_stack bbands keltner donchian vwap vwap_bands supertrend sar ichimoku heikin_ashi pivot volume_profile"
    " session_vp hvn_lvn naked_poc tpo"
).split()
PANELS = (
    "cipher_b macd rsi wavetrend stoch atr obv cci roc mfi williams_r cmf adx ad histvol kalman_volume rsi_mfi_stoch"
).split()
EXTERNAL = "cvd funding oi long_short fear_greed".split()
ALIASES = {
    "ema_stack": "emas",
    "moving_average_exponential": "ema exponential_moving_average",
    "bbands": "bollinger bb",
    "keltner": "kc",
    "donchian": "dc",
    "supertrend": "st",
    "sar": "parabolic_sar psar",
    "ichimoku": "ichi",
    "heikin_ashi": "ha",
    "pivot": "pivot_points",
    "volume_profile": "vp vpvr",
    "session_vp": "svp session_volume_profile",
    "hvn_lvn": "vp_nodes volume_nodes",
    "naked_poc": "npoc",
    "tpo": "market_profile",
    "cipher_b": "cipher cb",
    "wavetrend": "wt",
    "stoch": "stochastic",
    "williams_r": "willr",
    "ad": "ad_line",
    "histvol": "hv",
    "kalman_volume": "kalman kvf",
    "rsi_mfi_stoch": "rsi_combo combo",
    "funding": "funding_rate",
    "oi": "open_interest",
    "long_short": "ls_ratio",
    "fear_greed": "fng",
}
DEFAULTS = {
    "bbands": {"period": 20, "std_dev": 2.0},
    "keltner": {"period": 20, "multiplier": 1.5},
    "supertrend": {"period": 10, "multiplier": 3.0},
    "sar": {"af_start": 0.02, "af_step": 0.02, "af_max": 0.2},
    "ichimoku": {"tenkan": 9, "kijun": 26, "senkou_b": 52},
    "roc": {"period": 14},
    "stoch": {"period": 14, "k_smooth": 3, "d_smooth": 3},
    "cipher_b": {"dot_mode": "strict", "wt_channel_length": 9, "wt_oversold": -53, "show_divergences": True},
    "volume_profile": {"bins": 24, "side": "left", "split_up_down": False, "opacity": 0.35},
    "kalman_volume": {"vzo_length": 70, "k": 0.06, "sig_length": 10},
}
SCRIPTS = [*sorted(Path(LIBRARIES[0]).rglob("*.pine")), *(one.path for one in ALL)]


def test_the_thirty_eight_are_there_by_kind() -> None:
    for kind, names in (("overlay", OVERLAYS), ("panel", PANELS), ("external", EXTERNAL)):
        assert {find(name).kind for name in names} == {kind}
    assert len({*OVERLAYS, *PANELS, *EXTERNAL}) == 38
    assert all(find(alias).name == name for name, aliases in ALIASES.items() for alias in aliases.split())


def test_no_name_means_two_indicators() -> None:
    names = [name for one in ALL for name in (one.name, *one.aliases)]
    assert len(set(names)) == len(names)
    titles = {one.title: one for one in ALL}
    assert len(titles) == len(ALL)
    wrong = {title: find(title).name for title, one in titles.items() if find(title) is not one}
    assert not wrong


TRADINGVIEWS = (
    "24-hour Volume|Advance Decline Line|Advance Decline Ratio|Auto Fib Extension|Auto Fib Retracement|Auto Pitchfork|"
    "Auto Trendlines|Chop Zone|Correlation Coefficient|Cumulative Volume Index|Gaps|Moon Phases|"
    "Multi-Time Period Charts|Performance|Relative Volume at Time|RSI Divergence Indicator|Seasonality|"
    "Technical Ratings|Trading Sessions|Up/Down Volume|Visible Average Price|Volume Delta|VWAP Auto Anchored|Zig Zag|"
    "Accumulation/Distribution|Advance/Decline Ratio (Bars)|Arnaud Legoux Moving Average|Aroon|Average Day Range|"
    "Average Directional Index|Average True Range|Awesome Oscillator|Balance of Power|BBTrend|Bollinger BandWidth|"
    "Bollinger Bands|Bollinger Bands %b|Bull Bear Power|Chaikin Money Flow|Chaikin Oscillator|Chande Kroll Stop|"
    "Chande Momentum Oscillator|Choppiness Index|Commodity Channel Index|Connors RSI|Coppock Curve|"
    "Cumulative Volume Delta|Detrended Price Oscillator|Directional Movement Index|Donchian Channels|Double EMA|"
    "Ease of Movement|Elder Force Index|EMA Cross|Envelope|Fisher Transform|Historical Volatility|Hull Moving Average|"
    "Ichimoku Cloud|Keltner Channels|Klinger Oscillator|Know Sure Thing|Least Squares Moving Average|"
    "Linear Regression Channel|MA Cross|MACD|Mass Index|McGinley Dynamic|Median|Momentum|Money Flow Index|"
    "Moving Average Exponential|Moving Average Ribbon|Moving Average Simple|Moving Average Weighted|Net Volume|"
    "On Balance Volume|Open Interest|Parabolic SAR|Pivot Points High Low|Pivot Points Standard|Price Oscillator|"
    "Price Volume Trend|Rank Correlation Index|Rate Of Change|Relative Strength Index|Relative Vigor Index|"
    "Relative Volatility Index|Session Volume Profile|SMI Ergodic Indicator|SMI Ergodic Oscillator|"
    "Smoothed Moving Average|Stochastic|Stochastic Momentum Index|Stochastic RSI|Supertrend|"
    "Time Weighted Average Price|Trend Strength Index|Triple EMA|TRIX|True Strength Index|Ulcer Index|"
    "Ultimate Oscillator|Visible Range Volume Profile|Volatility Stop|Volume|Volume Oscillator|Vortex Indicator|VWAP|"
    "VWMA|Williams %R|Williams Alligator|Williams Fractals|Woodies CCI"
).split("|")
"""The built-in indicators of TradingView that are here, by TradingView's own names."""


def test_built_in_indicators_are_found_by_tradingviews_names() -> None:
    assert len({find(name).name for name in TRADINGVIEWS}) == len(TRADINGVIEWS) == 114


def test_names_are_found_as_people_write_them() -> None:
    assert find("Bollinger Bands") is find("BBANDS") is find("bollinger-bands") is find("bb")


def test_every_label_has_an_indicator() -> None:
    assert len(LABELS) == 25 and {label for one in ALL for label in one.signals} == LABELS


@pytest.mark.parametrize("name", DEFAULTS)
def test_settings_and_their_defaults(name: str) -> None:
    told = {each["name"]: each["default"] for each in parameters(find(name))}
    assert {key: told[key] for key in DEFAULTS[name]} == DEFAULTS[name]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_scripts_are_formatted_and_have_no_finding(path: Path) -> None:
    text = path.read_text(encoding="utf8")
    program = open_program(text, LIBRARIES)
    assert not program.diagnostics, program.diagnostics
    assert format_text(text).text == text


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
def test_the_other_dialect_of_every_script_compiles(one: object) -> None:
    from pinebench.indicators.records import Indicator

    assert isinstance(one, Indicator)
    program = open_program(in_dialect(one), LIBRARIES)
    assert not program.diagnostics
    for parameter in one.parameters:
        assert re.search(rf"\b{parameter.variable} = input", one.source), parameter


def test_a_second_indicator_of_a_name_gets_a_number() -> None:
    found = asked(["rsi", {"name": "rsi", "length": 21}, "RSI", {"name": "rsi", "id": "slow"}])
    assert [one.key for one in found] == ["rsi", "rsi_2", "RSI", "slow"]
    assert [one.label for one in found][:2] == ["RSI(14)", "RSI(21)"]


def test_settings_by_both_names() -> None:
    bands = asked([{"name": "bb", "period": 30, "mult": 3}, {"name": "bb", "inputs": {"Length": 30, "std_dev": 3}}])
    assert [dict(one.inputs) for one in bands] == [{"length": 30, "mult": 3}] * 2
    assert [one.label for one in bands] == ["BB(30, 3)"] * 2


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        (["rssi"], "unknown indicator 'rssi'"),
        ([{"name": "rsi", "lenght": 3}], "rsi has no setting 'lenght'"),
        ([{"length": 3}], 'has no "name"'),
        ([7], "must be a name or an object"),
        ([{"pine": "no_such_template"}], "neither a .pine file nor a template"),
        ([{"pine": "x.pine", "length": 3}], "'length' is not a key"),
    ],
)
def test_what_is_not_known_is_refused(entries: list[object], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        asked(entries)
    assert words in caught.value.message and caught.value.hint


def test_scripts_of_the_user_by_path_by_source_and_by_template(tmp_path: Path) -> None:
    script = tmp_path / "my_own.pine"
    script.write_text('//@version=6\nindicator("Mine", "M", overlay = true)\nplot(close)\n', encoding="utf8")
    entries = [{"pine": str(script)}, {"pine": script.read_text(encoding="utf8")}, {"pine": "liquidity_heatmap"}]
    found = asked(entries)
    assert [one.key for one in found] == ["my_own", "Mine", "liquidity_heatmap"]
    assert [one.is_overlay for one in found[:2]] == [True, True] and found[0].label == "M"


def test_a_header_with_a_mistake_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "odd.pine"
    good = '//@version=6\n//@description x\n// kind: panel\n// label: x\nindicator("x")\nplot(close)\n'
    path.write_text(good, encoding="utf8")
    assert record_of(path).name == "odd"
    for mistake in ("// kind: panel\n", "// label: x\n", "// kind: panel"):
        path.write_text(good.replace(mistake, "// kind: window" if mistake[-1] != "\n" else ""), encoding="utf8")
        with pytest.raises(UsageError, match=r"odd\.pine: "):
            record_of(path)
