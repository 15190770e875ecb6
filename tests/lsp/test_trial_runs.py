"""Runs and back-tests that an editor asks for, as they go over the wire."""

from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import Failed
from tests.lsp.conftest import Connect

URI = "file:///home/trader/scripts/some%20thing.pine"

STRATEGY = """//@version=6
strategy("s", initial_capital = 1000)
if bar_index % 10 == 0
    strategy.entry("long", strategy.long, 1)
if bar_index % 10 == 5
    strategy.close("long")
plot(close, "Price")
"""


def test_a_script_is_run_and_back_tested_on_bars_of_a_file(connect: Connect, tmp_path: Path) -> None:
    rows = "".join(f"{1_700_000_000 + 86_400 * n},{n + 10},{n + 11},{n + 9},{n + 10}\n" for n in range(40))
    (tmp_path / "my_bars.csv").write_text("time,open,high,low,close\n" + rows, encoding="utf-8")
    folder = {"uri": tmp_path.as_uri(), "name": "folder"}
    client = connect(
        {"window": {"workDoneProgress": True}}, workspaceFolders=[folder], initializationOptions={"data": "my_bars.csv"}
    )
    client.open(URI, STRATEGY)
    arguments = [{"uri": URI}]
    ran = client.ask("workspace/executeCommand", command="pinebench.run", arguments=arguments)
    assert (ran["ok"], ran["sample"], ran["bars"], ran["plots"][0]["values"][-1]) == (True, False, 40, 49)
    told = client.note("window/showMessage")["message"]
    assert "40 bars" in told and "my_bars.csv" in told and "Price: 49" in told
    tested = client.ask("workspace/executeCommand", command="pinebench.backtest", arguments=arguments)
    assert (tested["report"]["trades"], tested["report"]["net_profit"]) == (4, 20)
    told = client.note("window/showMessage")["message"]
    assert "4 closed trades, 0 open" in told and "Net profit 20.00, largest drawdown" in told
    for more, count in ({"symbol": "NASDAQ:AAPL"}, 500), ({"bars": 7}, 7):
        arguments = [{"uri": URI, **more}]
        ran = client.ask("workspace/executeCommand", command="pinebench.run", arguments=arguments)
        assert (ran["symbol"], ran["sample"], ran["bars"]) == ("NASDAQ:AAPL", True, count), "not those of the file"
        with pytest.raises(Failed, match="and 'data' names a file"):
            arguments[0]["data"] = "my_bars.csv"
            client.ask("workspace/executeCommand", command="pinebench.run", arguments=arguments)


IMPORTER = """//@version=6
strategy("Importer", initial_capital = 1000)
import Me/Tools/1 as tools
if bar_index == 1
    strategy.entry("long", strategy.long, tools.size())
plot(tools.size(), "Size")
"""
LIBRARY = '//@version=6\nlibrary("Tools")\nexport size() =>\n    {}\n'


def test_a_run_computes_the_libraries_that_the_editor_shows(connect: Connect, tmp_path: Path) -> None:
    """The library is in a folder of the configuration; an open tab has another text, which counts."""
    (tmp_path / "pinebench.toml").write_text('[check]\nlibrary-paths = ["lib"]\n', encoding="utf-8")
    (tmp_path / "lib").mkdir()
    library = tmp_path / "lib" / "Tools.pine"
    library.write_text(LIBRARY.format(2), encoding="utf-8")
    client = connect(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "folder"}])
    uri = (tmp_path / "importer.pine").as_uri()
    client.open(uri, IMPORTER)
    asked: dict[str, Any] = {"arguments": [{"uri": uri, "bars": 5}]}
    ran = client.ask("workspace/executeCommand", command="pinebench.run", **asked)
    assert (ran["ok"], ran["plots"][0]["values"][-1]) == (True, 2)
    client.open(library.as_uri(), LIBRARY.format(3))
    ran = client.ask("workspace/executeCommand", command="pinebench.run", **asked)
    assert ran["plots"][0]["values"][-1] == 3
    tested = client.ask("workspace/executeCommand", command="pinebench.backtest", **asked)
    assert (tested["ok"], tested["report"]["open_trades"], tested["trades"][0]["qty"]) == (True, 1, 3)
    told = [client.note("window/showMessage")["message"] for _ in range(3)]
    assert [each.count("made up") for each in told] == [1, 1, 1]
    assert all(line.endswith(".") for each in told for line in each.splitlines()), "some editors show one line"


def test_plots_without_a_title_have_a_number_and_large_amounts_all_their_digits(connect: Connect) -> None:
    client = connect()
    client.open(URI, '//@version=6\nindicator("x")\nplot(1234567.5)\nplot(2, "Two")\nplot(3)\n')
    client.ask("workspace/executeCommand", command="pinebench.run", arguments=[{"uri": URI}])
    told = client.note("window/showMessage")["message"]
    assert told.endswith("On the last bar: Plot 1: 1,234,567.5, Two: 2, Plot 3: 3.")
    script = STRATEGY.replace("initial_capital = 1000", "initial_capital = 10000000000").replace(
        "long, 1)", "long, 1e7)"
    )
    client.open("file:///large.pine", script)
    tested = client.ask(
        "workspace/executeCommand", command="pinebench.backtest", arguments=[{"uri": "file:///large.pine"}]
    )
    told = client.note("window/showMessage")["message"]
    assert f"Net profit {tested['report']['net_profit']:,.2f} USD" in told and abs(tested["report"]["net_profit"]) > 1e6


@pytest.mark.parametrize(
    ("command", "words"),
    [("run", "needs 'uri'; it also takes data, symbol, timeframe, bars"), ("explain", "needs 'code'")],
)
def test_a_command_without_arguments_is_told_what_it_needs(connect: Connect, command: str, words: str) -> None:
    with pytest.raises(Failed) as failed:
        connect().ask("workspace/executeCommand", command=f"pinebench.{command}", arguments=[])
    assert failed.value.message.endswith(words)


def test_what_cannot_be_run_is_told_and_what_stops_is_no_success(connect: Connect, tmp_path: Path) -> None:
    client = connect()
    client.open(URI, '//@version=6\nindicator("x")\nplot(close)\nif bar_index == 7\n    runtime.error("enough")\n')
    ran = client.ask("workspace/executeCommand", command="pinebench.run", arguments=[{"uri": URI}])
    assert (ran["ok"], ran["error"]["line"], ran["error"]["bar"]) == (False, 5, 7)
    message = client.note("window/showMessage")
    assert (
        message["type"] == 2 and "stopped in line 5 on bar 7" in message["message"] and "enough" in message["message"]
    )
    wrong = [
        ("pinebench.backtest", {"uri": URI}, "not a strategy"),
        ("pinebench.run", {"uri": URI, "symbol": "NOPE"}, "sample market"),
        ("pinebench.run", {"uri": URI, "bars": 10**9}, "bars"),
        ("pinebench.run", {"uri": URI, "data": str(tmp_path / "none.csv")}, "none.csv"),
        ("pinebench.run", {"uri": URI, "timeframe": 3}, "timeframe"),
        ("pinebench.run", {"uri": "file:///not/open.pine"}, "not open"),
    ]
    for command, argument, words in wrong:
        with pytest.raises(Failed) as failed:
            client.ask("workspace/executeCommand", command=command, arguments=[argument])
        assert words in failed.value.message
    client.open(URI, '//@version=6\nindicator("x")\nplot(nope)\n', 2)
    with pytest.raises(Failed):
        client.ask("workspace/executeCommand", command="pinebench.run", arguments=[{"uri": URI}])
