"""The tools for numbers: what they say on made-up bars, on a file, on the chart, and where they cannot know."""

import json
from pathlib import Path
from typing import Any

import pytest

from pinebench import skills
from pinebench.calendars.dates import iso_text
from pinebench.market import load_named
from pinebench.quant import returns, volume
from pinebench.tools.chart_browser import ChartBrowser, ToolContext
from pinebench.tools.tool_calls import call
from tests.tools.conftest import Bench
from tests.tools.offline import refused, use
from tests.tools.test_audit import STRATEGY

MOST_TOKENS = {"load_skill": 900}


NOT_ROUNDED = "the units are not rounded down to the smallest quantity of the symbol"
POINT = (
    "without point_value, one point of one unit is assumed to be worth 1 in the account's currency: give "
    "point_value for futures, lots, and prices in another currency"
)
HELD = {"symbol": "B", "quantity": 1, "price": 50, "stop": 45}


def _use(name: str, /, **arguments: object) -> dict[str, Any]:
    """The result of a call that must go well, which must be small and hold finite numbers only."""
    result = use(name, **arguments)
    assert len(json.dumps(result, allow_nan=False)) / 4 <= MOST_TOKENS.get(name, 600)
    return result


def test_statistics_of_made_up_bars_are_marked_and_are_those_of_the_room() -> None:
    found = _use("quant_returns", symbol="NASDAQ:AAPL", bars=300)
    data = load_named("sample:NASDAQ:AAPL", count=300)
    own = returns.statistics(returns.returns_of(data.bars.close).values)
    assert found["data"] == "sample" and found["unknown"] == {} and found["left_out"] == 0
    assert found["returns"]["count"] == 299 and found["bars_a_year"] == 252
    assert own["mean"].value is not None and own["skewness"].value is not None
    assert found["returns"]["mean_percent"] == pytest.approx(100 * own["mean"].value, rel=1e-5)
    assert found["returns"]["skewness"] == pytest.approx(own["skewness"].value, rel=1e-5)
    assert found["volatility"]["regime"] in ("coiling", "compressing", "stable", "expanding", "stressed")


def test_what_cannot_be_known_is_null_with_its_reason() -> None:
    found = _use("quant_returns", data="sample:BINANCE:BTCUSDT@60x12")
    assert found["volatility"]["ratio"] is None is found["volatility"]["regime"]
    assert found["unknown"]["volatility.ratio"] == "needs 100 returns, and there are 11"
    assert found["unknown"]["autocorrelation.lag_1"] == "needs 20 returns, and there are 11"


def test_bars_of_a_file_with_holes(tmp_path: Path) -> None:
    path = tmp_path / "XETR_MINE_1D.csv"
    rows = [f"{1_700_006_400 + 86_400 * day},5,5,5,5,0" for day in range(30) if day != 9]
    path.write_text("time,open,high,low,close,volume\n" + "\n".join(rows), encoding="utf-8")
    found = _use("quant_returns", data=str(path), short=5, long=10)
    assert found["data"] == "file" and found["left_out"] == 1
    assert found["unknown"]["returns.skewness"] == found["unknown"]["volatility.ratio"] == "all returns are the same"
    assert found["relative_volume"] is None
    profile = _use("quant_volume_profile", data=str(path))
    assert profile["profile"]["poc"] is None is profile["area"] and profile["vwap"]["bands"] == {}
    assert profile["unknown"]["vwap.price"] == "the bars have no volume"


def test_a_volume_profile_and_its_vwap_since_the_session_began() -> None:
    found = _use("quant_volume_profile", symbol="NASDAQ:AAPL", timeframe="30", bars=400, last=260)
    bars = load_named("sample:NASDAQ:AAPL@30x400").bars.last(260)
    own, average = volume.profile(bars), volume.vwap(bars, 247)  # 13 bars of half an hour a day
    assert found["profile"]["poc"] == pytest.approx(own.point_of_control.value)
    assert found["profile"]["val"] < found["profile"]["poc"] < found["profile"]["vah"]
    assert found["vwap"]["since"] == bars.time[247] // 1000
    assert found["vwap"]["price"] == pytest.approx(average.price.value)
    assert found["vwap"]["bands"]["upper_1"] > found["vwap"]["price"] > found["vwap"]["bands"]["lower_1"]
    assert found["phase"] == "close" and len(found["phases"]) == 7
    fine = _use("quant_volume_profile", symbol="NASDAQ:AAPL", timeframe="30", bars=400, rows=100)
    nodes = volume.profile(load_named("sample:NASDAQ:AAPL@30x400").bars, 100)
    assert (len(fine["profile"]["hvn"]), len(fine["profile"]["lvn"])) == (5, 5)
    assert (len(nodes.high_nodes), len(nodes.low_nodes)) == (5, 7)
    left_out = [said for said in fine["remarks"] if said.endswith("nodes are not shown")]
    assert left_out == ["2 weaker low volume nodes are not shown"]
    days = _use("quant_volume_profile", symbol="NASDAQ:AAPL", bars=50)
    assert days["phases"] == [] and "shorter than a day" in days["unknown"]["phases"]


def test_symbols_are_compared_on_the_days_that_all_have() -> None:
    names = ["sample:NASDAQ:AAPL@1Dx200", "sample:NASDAQ:MSFT@1Dx200", "COIN=sample:BTCUSDT@1Dx200"]
    found = _use("quant_compare", data=names, benchmark="COIN")
    assert found["names"] == ["NASDAQ:AAPL", "NASDAQ:MSFT", "COIN"] and found["data"] == "sample"
    assert 130 <= found["bars"] < 200 and len(found["pairs"]) == 3
    ranks = {each["name"]: each for each in found["ranking"]}
    assert ranks["COIN"]["relative_percent"] == 0 and ranks["COIN"]["beta"] == pytest.approx(1)
    assert refused("quant_compare", data=names[:1]) == "data must name at least two symbols"
    assert "twice" in refused("quant_compare", data=[names[0], names[0]])
    assert "not among the symbols" in refused("quant_compare", data=names, benchmark="SPY")
    assert "different timeframes" in refused("quant_compare", data=[names[0], "sample:NASDAQ:MSFT@60x200"])


def test_the_tear_sheet_of_a_strategy_agrees_with_the_tester() -> None:
    found = _use("quant_tearsheet", source=STRATEGY)
    assert any(said.endswith(" smaller drawdowns are not shown") for said in found["remarks"])
    report = call(ChartBrowser(port=9), "pine_backtest", {"source": STRATEGY})["report"]
    assert found["tester"]["profit_factor"] == report["profit_factor"]
    assert found["figures"]["max_drawdown_percent"] == pytest.approx(report["max_drawdown_close_percent"], rel=1e-5)
    assert 0 < found["figures"]["exposure_percent"] < 100
    held = _use("quant_tearsheet", symbol="NASDAQ:AAPL")
    assert held["figures"]["exposure_percent"] == 100 and "tester" not in held
    assert len(held["drawdowns"]) == 3 and held["drawdowns"][0]["depth_percent"] > held["drawdowns"][1]["depth_percent"]


def test_a_tear_sheet_of_an_indicator_or_of_a_script_that_stops_is_refused() -> None:
    assert "not a strategy" in refused("quant_tearsheet", source='//@version=6\nindicator("x")\nplot(close)')
    stops = STRATEGY + 'if bar_index == 5\n    runtime.error("no")\n'
    assert "the script stopped" in refused("quant_tearsheet", source=stops)


def test_sizes_and_risks() -> None:
    held = [{"symbol": "A", "quantity": 10, "price": 100, "stop": 95}, {"symbol": "B", "quantity": 1, "price": 50}]
    found = _use("quant_risk", equity=10_000, entry=100, stop=95, target=115, win_rate=55, payoff=2, positions=held)
    assert found["size"] == {
        "side": "long",
        "risk_percent": 1,
        "units": 20,
        "exposure_percent": 20,
        "reward_to_risk": 3,
    }
    assert found["kelly"]["full_percent"] == 32.5 and found["kelly"]["bet_percent"] == 5
    assert found["remarks"] == ["the win rate and the payoff were given, not measured", NOT_ROUNDED, POINT]
    assert found["heat"]["total_percent"] is None and found["heat"]["without_stop"] == ["B"]
    assert found["heat"]["risk"] == {"A_percent": 0.5, "B_percent": None}
    assert "data" not in found


def test_the_value_of_a_point_counts_and_one_that_is_not_given_is_told() -> None:
    """One percent of 100,000 is 1,000: a stop 10 points away costs 500 for a contract whose point is worth 50."""
    bought = {"symbol": "ES", "quantity": 2, "price": 5000, "stop": 4990, "point_value": 50}
    found = _use("quant_risk", equity=100_000, entry=5000, stop=4990, point_value=50, positions=[bought])
    assert (found["size"]["units"], found["size"]["exposure_percent"]) == (2, 500)
    assert found["heat"]["total_percent"] == 1 and found["remarks"] == [NOT_ROUNDED]
    assert POINT in _use("quant_risk", equity=100_000, entry=5000, stop=4990)["remarks"]
    assert POINT in _use("quant_risk", equity=100_000, positions=[{**bought, "point_value": 50}, HELD])["remarks"]
    assert "point_value must be" in refused("quant_risk", equity=1000, entry=10, stop=9, point_value=0)


def test_sizes_that_are_not_known_have_no_remarks() -> None:
    assert _use("quant_risk", equity=1000, entry=10, stop=10)["remarks"] == []
    assert _use("quant_risk", equity=0, entry=10, stop=9)["remarks"] == []
    assert _use("quant_risk", equity=0, positions=[HELD])["remarks"] == []


def test_few_trades_size_no_bet() -> None:
    trades = [{"profit": 20, "risk": 10}, {"profit": -10, "risk": 10}] * 14
    few = _use("quant_risk", equity=1000, trades=trades)
    assert few["kelly"]["bet_percent"] is None and few["unknown"]["kelly.bet_percent"].startswith("needs 30 trades")
    enough = _use("quant_risk", equity=1000, trades=trades * 2, cap_percent=50)
    assert enough["kelly"]["full_percent"] == 25 and enough["kelly"]["bet_percent"] == 12.5
    assert enough["r"]["expectancy"] == 0.5 and enough["r"]["left_out"] == 0
    assert _use("quant_risk", equity=1000, trades=[{"profit": 5}])["r"]["left_out"] == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"equity": 1}, "there is nothing to compute"),
        ({"equity": 1, "entry": 5}, "stop and target need an entry, and entry needs a stop"),
        ({"equity": 1, "target": 5}, "stop and target need an entry, and entry needs a stop"),
        ({"equity": 1, "win_rate": 5}, "win_rate and payoff must be given together"),
        ({"equity": 1, "positions": [{"symbol": "A"}]}, "positions[0].quantity is missing"),
    ],
)
def test_numbers_that_do_not_belong_together_are_refused(arguments: dict[str, Any], said: str) -> None:
    assert said in refused("quant_risk", **arguments)


def test_other_arguments_that_do_not_fit() -> None:
    assert "long must be more than short" in refused("quant_returns", short=20, long=20)
    assert "too few bars" in refused("quant_returns", data="sample:AAPL@1Dx1")
    assert "takes the symbol and the timeframe of the chart" in refused("quant_returns", data="chart", timeframe="60")


def test_the_bars_of_the_chart(bench: Bench) -> None:
    bench.use("chart_set_symbol", symbol="BINANCE:BTCUSDT")
    bench.use("chart_set_timeframe", timeframe="60")
    found = bench.use("quant_returns", data="chart", bars=200)
    assert found["symbol"] == "BINANCE:BTCUSDT" and found["timeframe"] == "60" and found["data"] == "sample"
    assert found["bars"] == 200 and found["bars_a_year"] == 24 * 365
    last = bench.use("data_get_ohlcv", count=1)["bars"][0]
    assert bench.use("quant_volume_profile", data="chart")["close"] == last["close"]


def test_what_the_chart_does_not_say_of_its_symbol_is_told(bench: Bench) -> None:
    """The page tells neither session nor time zone, and the tick is the one that the prices show."""
    bench.use("chart_set_symbol", symbol="NASDAQ:AAPL")
    bench.use("chart_set_timeframe", timeframe="60")
    told = (
        "the session and time zone of NASDAQ:AAPL are not known: the days of the VWAP and the phases are "
        "assumed by session 24x7 and timezone Etc/UTC"
    )
    assert told in bench.use("quant_volume_profile", data="chart")["remarks"]
    assert not any("not known" in each for each in _use("quant_volume_profile", symbol="NASDAQ:AAPL")["remarks"])
    strategy = '//@version=6\nstrategy("S")\nif hour == 12\n    strategy.entry("L", strategy.long)\n'
    remarks = bench.use("quant_tearsheet", data="chart", source=strategy)["remarks"]
    assert not any("were requested" in remark for remark in remarks)
    fewer = bench.use("quant_returns", data="chart", bars=4000)
    assert any(f"4000 bars were requested, and the chart has only {fewer['bars']}" in one for one in fewer["remarks"])
    assert any('syminfo.timezone = "Etc/UTC" (for hour), assumed' in each for each in remarks)


@pytest.mark.parametrize("missing", [{5}, {11}, {*range(12)}], ids=["one", "the last", "all"])
def test_bars_of_the_chart_without_prices_are_read(missing: set[int], monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [[1_700_000_000 + 3600 * n, *([None] * 5 if n in missing else [9, 11, 8, 10, 1])] for n in range(12)]
    answers = {
        "bars": {"symbol": "X:Y", "resolution": "60", "bars": rows},
        "symbol_info": {"full_name": "X:Y", "type": "stock", "currency": "EUR"},
    }
    monkeypatch.setattr(ToolContext, "read", lambda _, name, *given: answers[name])
    monkeypatch.setattr("pinebench.tools.tool_calls.page_prices", lambda *given: None)
    for name in ("quant_returns", "quant_volume_profile", "quant_tearsheet"):
        assert _use(name, data="chart")["bars"] == 12
    assert _use("quant_returns", data="chart")["left_out"] == {1: 2 - (11 in missing), 12: 11}[len(missing)]


def test_more_bars_than_the_chart_gives_are_told(bench: Bench) -> None:
    bench.use("chart_set_symbol", symbol="NASDAQ:AAPL")
    bench.use("chart_set_timeframe", timeframe="1D")
    told = "bars 6000 is above the limit for the open chart, so 5000 was used"
    assert told in bench.use("quant_returns", data="chart", bars=6000)["remarks"]
    assert told not in bench.use("quant_returns", data="chart", bars=5000)["remarks"]


def test_a_share_on_the_chart_keeps_its_mondays(bench: Bench) -> None:
    """The chart's bars give what the same bars give by name, and no return over a weekend is left out."""
    bench.use("chart_set_symbol", symbol="NASDAQ:AAPL")
    bench.use("chart_set_timeframe", timeframe="1D")
    found = bench.use("quant_returns", data="chart", bars=200)
    named = _use("quant_returns", symbol="NASDAQ:AAPL", bars=200)
    assert (found["returns"]["count"], found["left_out"], found["bars_a_year"]) == (199, 0, 252)
    assert found["returns"] == named["returns"] and found["autocorrelation"] == named["autocorrelation"]


def test_skills_are_listed_and_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    own = tmp_path / "skills" / "my-levels"
    own.mkdir(parents=True)
    (own / "SKILL.md").write_text("---\nname: my-levels\ndescription: Mine.\n---\nDo it.\n", encoding="utf-8")
    unapproved = _use("load_skill")
    assert "my-levels" not in [each["name"] for each in unapproved["skills"]]
    assert "the skills of this project (my-levels)" in unapproved["remarks"][0]
    skills.approve(skills.known(tmp_path).unapproved, tmp_path)
    listed = _use("load_skill")
    assert listed["skills"][-1] == {"name": "my-levels", "description": "Mine.", "origin": "this project"}
    read = call(ChartBrowser(port=9), "load_skill", {"name": "repaint-audit"})
    assert read["instructions"].startswith("# Repaint audit") and read["origin"] == "pinebench"
    assert "there is no skill" in refused("load_skill", name="../x")


def test_a_stop_tells_the_side_and_a_wrong_one_is_refused() -> None:
    long = _use("quant_risk", equity=10_000, entry=100, stop=98)
    short = _use("quant_risk", equity=10_000, entry=100, stop=102)
    assert (long["size"]["side"], long["remarks"]) == ("long", [NOT_ROUNDED, POINT])
    assert short["size"]["side"] == "short"
    assert short["remarks"][0] == "the stop is above the entry, so this is a short position"
    assert _use("quant_risk", equity=10_000, entry=100, stop=102, side="short")["remarks"] == [NOT_ROUNDED, POINT]
    assert "must be below its entry" in refused("quant_risk", equity=10_000, entry=100, stop=102, side="long")
    assert "must be above its entry" in refused("quant_risk", equity=10_000, entry=100, stop=98, side="short")


def test_a_range_of_dates_is_taken_and_told() -> None:
    data = "sample:NASDAQ:AAPL@1Dx200"
    whole = _use("quant_returns", data=data)
    middle = "2026-05-01"
    parts = [_use("quant_returns", data=data, to=middle), _use("quant_returns", data=data, **{"from": middle})]
    assert sum(part["bars"] for part in parts) == whole["bars"] == 200
    assert all("of 200 bars were used" in " ".join(part["remarks"]) for part in parts)
    assert _use("quant_tearsheet", data=data, **{"from": middle})["bars"] == parts[1]["bars"]
    assert "0 bars" in refused("quant_returns", data=data, to="2001-01-01")


def test_a_strategy_between_dates_trades_as_in_a_back_test_of_these_dates() -> None:
    """Its averages are complete on the first of the bars, because the script runs on the bars before them too."""
    source = """//@version=6
strategy("Long average", process_orders_on_close = true)
if close > ta.sma(close, 100)
    strategy.entry("Long", strategy.long)
else
    strategy.close("Long")
"""
    whole = _use("quant_tearsheet", source=source, data="sample:NASDAQ:AAPL@1Dx300")
    given = {"from": iso_text(1000 * (whole["from_time"] + 210 * 86_400)), "data": "sample:NASDAQ:AAPL@1Dx300"}
    sheet, tested = _use("quant_tearsheet", source=source, **given), use("pine_backtest", source=source, **given)
    assert sheet["bars"] < 300 and tested["trade_count"] > 0
    assert sheet["tester"]["trades"] + sheet["tester"]["open_trades"] == tested["trade_count"]
    assert sheet["tester"]["net_profit_percent"] == tested["report"]["net_profit_percent"]
    assert 0 < sheet["figures"]["exposure_percent"] <= 100
    early = [each for each in sheet["drawdowns"] if each["peak_time"] < sheet["from_time"]]
    assert not early
