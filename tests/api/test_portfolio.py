"""`pinebench.portfolio`: exactly the numbers of the command, each strategy's part, and what is refused."""

import json
import math
from pathlib import Path

import pytest

import pinebench as pb
from pinebench.cli import main

CROSS = """\
//@version=6
strategy("Cross <b>", initial_capital = 100000, default_qty_type = strategy.percent_of_equity, default_qty_value = 60)
length = input.int(7, "Length")
if bar_index % length == 0
    strategy.entry("L", strategy.long)
if bar_index % length == 4
    strategy.close("L")
"""
PLAN = """\
[[strategy]]
script = "cross.pine"
data = "sample:AAPL@1Dx80"
name = "slow"

[strategy.inputs]
Length = 9

[[strategy]]
script = "cross.pine"
data = "sample:BTCUSDT@240x300"

[strategy.properties]
default_qty_value = 50
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cross.pine").write_text(CROSS)
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path


def members() -> list[pb.Member]:
    return [
        pb.Member("cross.pine", "sample:AAPL@1Dx80", "slow", inputs={"Length": 9}),
        pb.Member("cross.pine", "sample:BTCUSDT@240x300", properties={"default_qty_value": 50}),
    ]


@pytest.mark.parametrize("weights", [None, [0.5, 0.25]])
def test_the_numbers_are_the_ones_of_the_command(
    weights: list[float] | None, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [] if weights is None else ["--weights", ",".join(map(str, weights))]
    call = ["portfolio", "plan.toml", "--format", "json", "--commission-value", "0.1", "--trades", "trades.csv", *words]
    assert main(call) == 0
    told = json.loads(capsys.readouterr().out)
    found = pb.portfolio(members(), weights=weights, properties={"commission_value": 0.1})
    assert json.loads(json.dumps(found.to_dict())) == told
    assert found.to_csv() == Path("trades.csv").read_text(encoding="utf-8-sig")
    assert (found.report, found.strategies, found.trades) == (told["report"], told["strategies"], told["trades"])
    assert (list(found.times), found.equity) == (told["equity"]["time"], told["equity"]["equity"])
    assert (found.names, found.correlation) == (["slow", "cross.pine on BTCUSDT"], told["correlation"])
    assert found.notes == told["notes"]
    assert found.is_shared is (weights is None)


def test_the_tables_and_the_back_tests_are_the_same_trades() -> None:
    found = pb.portfolio(members())
    frame = found.to_pandas()
    assert list(frame.columns) == ["equity", "slow", "cross.pine on BTCUSDT"]
    assert "UTC" in str(frame.index.dtype) and len(frame) == len(found.times)
    for total, parts in zip(frame["equity"], frame.iloc[:, 1:].itertuples(index=False), strict=True):
        assert total == pytest.approx(100_000 + math.fsum(parts))
    trades = found.trades_frame()
    for name, test in found.backtests.items():
        assert list(trades[trades["strategy"] == name]["profit"]) == [trade.profit for trade in test.trades]
    assert found["slow"].report["trades"] == found.strategies[0]["trades"]
    assert len(found["slow"].figure().to_svg()) > 1000
    table = found.correlation_frame()
    assert list(table.index) == list(table.columns) == found.names
    assert len(found) == 2
    assert repr(found).startswith("<portfolio of 2 strategies: ")
    assert "2 strategies share one account" in str(found)


def test_a_notebook_shows_the_whole_and_escapes_names() -> None:
    found = pb.portfolio([(CROSS, "sample:AAPL@1Dx80"), (CROSS, "sample:MSFT@1Dx80")])
    assert found.names == ["Cross <b> on AAPL", "Cross <b> on MSFT"]
    shown = found._repr_html_()
    assert "<b>" not in shown and "Cross &lt;b&gt; on AAPL" in shown
    assert shown.count("<polyline") == 3
    assert "The prices are made up" in shown and "correlation of the daily returns" in shown
    for note in found.notes:
        assert note.replace("<b>", "&lt;b&gt;") in shown
    assert any("refused because other strategies" in note for note in found.notes)


def test_a_strategy_that_is_called_equity_hides_no_curve() -> None:
    one = pb.Member(CROSS, "sample:AAPL@1Dx80", name="equity")
    found = pb.portfolio([one, pb.Member(CROSS, "sample:MSFT@1Dx80", name="other")])
    shown = found._repr_html_()
    assert shown.count("<polyline") == 3
    assert f">equity {found.equity[-1]:,.2f}<" in shown and ">equity 2 " in shown


def test_an_error_names_the_strategy() -> None:
    bad = CROSS + 'if bar_index == 30\n    runtime.error("no more")\n'
    with pytest.raises(pb.ScriptStopped, match=r"^bad:9: .*no more") as stopped:
        pb.portfolio([(CROSS, "sample:AAPL@1Dx80"), pb.Member(bad, "sample:MSFT@1Dx80", "bad")])
    assert (stopped.value.bar, stopped.value.line) == (30, 9)
    assert stopped.value.run.alerts == [] and stopped.value.run.plots == {}
    with pytest.raises(pb.DoesNotCompile, match=r"^bad: "):
        pb.portfolio([pb.Member("//@version=6\nstrategy(", "sample:MSFT@1Dx80", "bad")])
    with pytest.raises(pb.UsageError, match=r'^bad: there is no input called "Lenght"'):
        pb.portfolio([pb.Member(CROSS, "sample:MSFT@1Dx80", "bad", inputs={"Lenght": 3})])


def test_what_does_not_fit_together_is_refused() -> None:
    with pytest.raises(pb.UsageError, match="1 weights for 2 strategies"):
        pb.portfolio(members(), weights=[1])


def test_rates_convert_the_money_of_another_currency(folder: Path) -> None:
    (folder / "rates.csv").write_text("time,rate\n2020-01-01,2\n")
    given = {"currency": "EUR"}
    alone = pb.backtest(CROSS, "sample:MSFT@1Dx80", symbol=given)
    one = pb.Member(CROSS, "sample:MSFT@1Dx80", "euros", symbol=given, rates="rates.csv")
    found = pb.portfolio([one], properties={"currency": "USD", "initial_capital": 200_000})
    assert found.report["currency"] == "USD"
    assert found.report["net_profit"] == pytest.approx(2 * alone.report["net_profit"])
