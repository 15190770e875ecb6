"""Whoever runs a script gets the same result: command, Python, tools, studio, workbench, editors and test files."""

import json
from pathlib import Path
from typing import Any

import pytest

import pinebench as pb
from pinebench.authoring import goals
from pinebench.calendars.timeframes import timeframe
from pinebench.checker import open_program
from pinebench.cli import main
from pinebench.context import Context
from pinebench.linter.repainting import look_for_repainting
from pinebench.lsp.trial_runs import BarsChoice, tried
from pinebench.market.bar_loader import load
from pinebench.runtime.report import report
from pinebench.studio.bars import ChartBars
from pinebench.studio.indicators import _OTHER_NAMES, source
from pinebench.studio.script_runs import Runs
from pinebench.testing.script_tests import run_case
from pinebench.testing.testfile import read_cases
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.tool_calls import call
from pinebench.tui import worker_run
from pinebench.workers.jobs import perform, request_of
from tests.sample import bars_file

ENTRY = 'if ta.crossover(ta.sma(close, 3), ta.sma(close, 8))\n    strategy.entry("L", strategy.long)\n'
EXIT = 'if ta.crossunder(ta.sma(close, 3), ta.sma(close, 8))\n    strategy.close("L")\n'
SHORT = 'if ta.crossunder(ta.sma(close, 3), ta.sma(close, 8))\n    strategy.entry("S", strategy.short)\n'
SEEN = 'plot(strategy.position_size, "Size")\nplot(strategy.equity, "Equity")\nplot(strategy.closedtrades, "Closed")\n'
STRATEGIES = {
    "close": f'strategy("S")\n{ENTRY}{EXIT}{SEEN}',
    "reverse": f'strategy("S", default_qty_type = strategy.percent_of_equity)\n{ENTRY}{SHORT}{SEEN}',
    "bracket": f'strategy("S")\n{ENTRY}strategy.exit("X", "L", profit = 500, loss = 300)\n{SEEN}',
    "at close": f'strategy("S", process_orders_on_close = true)\n{ENTRY}{SHORT}{SEEN}',
    "on fills": f'strategy("S", calc_on_order_fills = true)\n{ENTRY}{EXIT}{SEEN}',
    "costs": f'strategy("S", commission_value = 0.1, slippage = 2, pyramiding = 2)\n{ENTRY}{EXIT}{SEEN}',
    "stops": f'strategy("S")\n{ENTRY}{SEEN}if strategy.position_size > 0\n    runtime.error("held")\n',
}
SCRIPTS = {name: source(name) for name in _OTHER_NAMES if name != "compare"} | {
    name: f"//@version=6\n{text}" for name, text in STRATEGIES.items()
}


@pytest.fixture(scope="module")
def bars(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bars_file(tmp_path_factory.mktemp("bars"), 120)


def test_there_are_thirty_scripts_and_strategies_among_them() -> None:
    assert len(SCRIPTS) >= 30 and len(STRATEGIES) >= 5


@pytest.mark.parametrize("name", SCRIPTS)
def test_all_faces_give_the_same_result(
    name: str, bars: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, data = SCRIPTS[name], load(bars)
    program = open_program(text)
    here = perform(request_of(program, data.bars, data.symbol))
    wanted, figures = report(here.result), dict(here.figures)
    plots = [plot["values"] for plot in wanted["plots"]]
    error = wanted["error"]
    script = tmp_path / "script.pine"
    script.write_text(text, encoding="utf-8")

    main(["run", str(script), "--data", str(bars), "--format", "json"])
    printed = json.loads(capsys.readouterr().out)
    assert (printed.pop("data"), printed.pop("tier")["name"]) == (data.facts, "python")
    assert printed == wanted
    if program.is_strategy:
        main(["backtest", str(script), "--data", str(bars), "--format", "json"])
        assert json.loads(capsys.readouterr().out)["report"] == figures

    try:
        found, stopped = pb.run(text, str(bars)), None
    except pb.ScriptStopped as raised:
        found, stopped = raised.run, raised.code
    assert [[None if value != value else value for value in each] for each in found.plots.values()] == plots
    assert stopped == (error["code"] if error else None)

    chart_browser = ChartBrowser()
    told = call(chart_browser, "pine_run", {"source": text, "data": str(bars), "timeframe": "60", "last": 120})
    assert ([each["values"] for each in told["plots"]], told["stopped"]) == (plots, error)
    if program.is_strategy:
        told = call(chart_browser, "pine_backtest", {"source": text, "data": str(bars), "timeframe": "60"})
        assert (told["report"], told["stopped"]) == (figures, error)

    chart = ChartBars(data.bars, data.symbol, timeframe("60"))
    page: dict[str, Any] = json.loads(Runs().run(text, chart, {}, {}, (name,)))
    assert page["error"] == error
    shown = [output["columns"]["series"] for output in page["outputs"] if "series" in output["columns"]]
    assert shown == plots
    if program.is_strategy and error is None:
        assert page["tested"]["performance"]["all"]["netProfit"] == figures["net_profit"]

    bench = worker_run.ask(text, (), str(bars), Context())
    assert ([each["values"] for each in bench["plots"]], bench["error"]) == (plots, error)
    server = tried(program, BarsChoice(str(bars), "", None, 500), Context(), trade=False)
    assert ([each["values"] for each in server["plots"]], server["error"]) == (plots, error)

    expected = f"trades=={figures['trades']}" if figures else f"plots=={len(plots)}"
    seen = goals.trial((expected,), data)(program, Context())
    assert seen.met == (error is None), seen.words
    test = tmp_path / "script.test.toml"
    test.write_text(
        f'script = "script.pine"\nbars = {json.dumps(str(bars))}\nexpect = [{json.dumps(expected)}]\n', encoding="utf-8"
    )
    (case,) = read_cases(test)
    assert run_case(case, look_for_repainting).passed == (error is None)
