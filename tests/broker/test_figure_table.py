"""The table of figures: every figure has a record, and all reports of one run take their words and forms from it."""

import json
import re

import pytest

import pinebench as pb
from pinebench.backtesting import backtest_report
from pinebench.backtesting.backtest import BacktestRun, backtest
from pinebench.broker import figure_table
from pinebench.broker.figure_table import FIGURES, figure_text, group
from pinebench.checker import open_program
from pinebench.cli import testing_page
from pinebench.market import Bars, SymbolInfo
from pinebench.studio import tester_report as studio_report
from tests.page_modules import PAGE

DAY = 86_400_000
CLOSES = [10.0, 12.0, 9.0, 11.0, 14.0, 8.0, 13.0, 12.0, 15.0, 9.5, 10.5, 12.5]
SCRIPT = """//@version=6
strategy("S", commission_value = 0.1)
if bar_index % 3 == 0
    strategy.entry("L", strategy.long)
if bar_index % 3 == 2
    strategy.close("L")
"""


@pytest.fixture(scope="module")
def tested() -> BacktestRun:
    bars = Bars([k * DAY for k in range(12)], CLOSES, [15.0] * 12, [8.0] * 12, CLOSES, [1.0] * 12)
    return backtest(open_program(SCRIPT), bars, SymbolInfo(timeframe="1D"))


def test_every_number_of_a_back_test_has_a_record_and_every_record_a_number(tested: BacktestRun) -> None:
    found = tested.figures()
    names = {name for name, value in found.items() if not isinstance(value, dict | list | str)}
    listed = {one.name for one in FIGURES}
    assert {name for name in names if not name.endswith("_percent") or name[:-8] not in names} == listed
    for side in ("long", "short"):
        assert {one.name for one in group("side")} <= set(found[side])
    titles = [one.title for one in FIGURES]
    assert len(set(titles)) == len(titles) and all(
        one.words or not one.key for one in (*group("side"), *group("account"))
    )


def test_a_value_has_one_form() -> None:
    cases = [
        ("net_profit", -0.0, "0.00"),
        ("net_profit", 1e12, "1,000,000,000,000.00"),
        ("profit_factor", 0.66149, "0.661"),
        ("profit_factor", 2.0, "2"),
        ("profit_factor", float("nan"), "∅"),
        ("percent_profitable", 28.714, "28.71%"),
        ("trades", 1_234, "1,234"),
        ("max_contracts_held", 0.00012, "0.00012"),
        ("sharpe_ratio", None, "–"),
    ]
    assert [(name, figure_text(name, value)) for name, value, _ in cases] == [(name, text) for name, _, text in cases]


def test_every_report_of_a_run_has_the_same_titles_and_texts(
    tested: BacktestRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = tested.figures()
    text = backtest_report.as_text(tested, str)
    for one in (*group("side"), *group("account")):
        assert re.search(rf"^{re.escape(one.title)} +{re.escape(one.text(found[one.name]))}", text, re.MULTILINE), one

    monkeypatch.setattr(testing_page, "chart_library", lambda: "")
    monkeypatch.setattr(testing_page, "built", lambda _name: "")
    html = testing_page.page(tested, "my.pine")
    data = json.loads(re.findall(r'<script id="data" type="application/json">(.*?)</script>', html, re.DOTALL)[0])
    assert data["figures"] == [one._asdict() for one in group("side")]
    assert data["account"] == [one._asdict() for one in group("account")]
    known = {one.title: one.text(found[one.name]) for one in FIGURES}
    for title, value, *_ in data["cards"]:
        assert known[title].replace("-", "−") == value, title

    notebook = pb.backtest(SCRIPT, pb.bars("sample:AAPL", count=300))
    cells = dict(
        re.findall(r"<tr><td>([A-Z][^<]+)</td><td>([^<]+)</td></tr>", notebook._repr_mimebundle_()["text/html"])
    )
    assert len(cells) == 6
    for title, value in cells.items():
        one = next(each for each in FIGURES if each.title == title)
        assert value == one.text(notebook.report[one.name])


def test_the_studio_has_every_figure_of_tradingview_and_the_same_table(tested: BacktestRun) -> None:
    told = studio_report.told(tested)
    assert told is not None
    found, performance = tested.figures(), told["performance"]
    for one in FIGURES:
        where = performance if one.group == "account" else performance["all"]
        value = found[one.name]
        if one.key and value is not None:
            assert where[one.key] == (value / 100 if one.unit == "percent" else value), one
    kept = json.loads((PAGE / "src" / "model" / "figures.json").read_text(encoding="utf-8"))
    assert kept == figure_table.for_page()
