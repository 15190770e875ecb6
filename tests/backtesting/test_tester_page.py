"""The page on the strategy tester says what is so: its figures are those that there are."""

import re
from pathlib import Path

from pinebench.backtesting.backtest import backtest
from pinebench.checker import open_program
from pinebench.market.bars import Bars, SymbolInfo

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "strategy-tester.md").read_text(encoding="utf8")


def test_every_figure_is_defined_and_every_defined_figure_is_there() -> None:
    script = '//@version=6\nstrategy("S")\nstrategy.entry("L", strategy.long)\n'
    figures = backtest(open_program(script), Bars([0], [1.0], [1.0], [1.0], [1.0], [1.0]), SymbolInfo()).figures()
    known = {name for name in figures if not name.endswith("_percent") or name == "growth_a_year_percent"}
    table = PAGE.partition("| figure |")[2].partition("\n\n")[0]
    heads = [row.split("|")[1] for row in table.splitlines()[2:]]
    defined = set(re.findall(r"`(\w+)`", "".join(heads)))
    assert known - {"long", "short", "percent_profitable"} == defined - {"percent_profitable"}
