"""Tools that run scripts say what the commands say: the same figures on the same bars, and the same refusals."""

import json
from pathlib import Path
from typing import Any

import pytest

from pinebench.authoring.building import presets
from pinebench.calendars.timeframes import timeframe
from pinebench.cli import main
from pinebench.linter import repainting
from pinebench.market.bars import Bars
from pinebench.market.sample import sample_bars
from pinebench.market.samples import find
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.tool_calls import call
from tests.tools.offline import use

ROOT = Path(__file__).parents[2]


def scripts() -> dict[str, str]:
    """The templates, the samples, and a strategy of each preset of the builder, by name."""
    paths = [*sorted((ROOT / "pine" / "templates").glob("*.pine")), *sorted((ROOT / "pine" / "samples").glob("*.pine"))]
    found = {path.stem: path.read_text(encoding="utf-8") for path in paths}
    for preset in presets.PRESETS:
        built = use("strategy_build", preset=preset)
        found[f"preset_{preset}"] = built["source"]
    return found


SCRIPTS = scripts()
FILES = ("NASDAQ_AAPL_15.csv", "btc.parquet", "days.csv")


def bars_of(symbol: str, text: str, count: int) -> Bars:
    sample = find(symbol)
    assert sample is not None
    return sample_bars(sample, timeframe(text), count)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of 15 minutes that says so in its name, one of hours in Parquet, one of days with facts beside it."""
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    made = tmp_path_factory.mktemp("bars")
    quarter = bars_of("AAPL", "15", 260)
    rows = ["time,open,high,low,close,Volume"]
    rows += [f"{row[0] // 1000},{','.join(map(repr, row[1:]))}" for row in zip(*quarter.columns(), strict=True)]
    (made / FILES[0]).write_text("\n".join(rows) + "\n", encoding="utf-8")
    names = ("time", "open", "high", "low", "close", "volume")
    hours = dict(zip(names, bars_of("BTCUSDT", "60", 260).columns(), strict=True))
    parquet.write_table(pyarrow.table(hours), made / FILES[1])
    days = ["date;open;high;low;close"]
    for time, *prices, _ in zip(*bars_of("EURUSD", "1D", 260).columns(), strict=True):
        days.append(f"{time};{';'.join(map(repr, prices))}")
    (made / FILES[2]).write_text("\n".join(days) + "\n", encoding="utf-8")
    facts = 'symbol = "EURUSD"\nprefix = "OANDA"\ntype = "forex"\nmintick = 0.00001\ntimeframe = "1D"\n'
    (made / "days.toml").write_text(facts, encoding="utf-8")
    return made


@pytest.fixture(autouse=True)
def _repainting_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both sides look for repainting to the end: where a slow machine cuts the search, their findings may differ."""
    look = repainting.look_for_repainting
    monkeypatch.setattr(
        repainting, "look_for_repainting", lambda *given, **named: look(*given, **named | {"seconds": 3600})
    )


def commanded(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any] | None:
    """What a command prints as JSON; None where it refuses."""
    capsys.readouterr()
    main([*words, "--format", "json"])
    out = capsys.readouterr().out
    told = json.loads(out) if out.strip() else None
    return told if (told is not None and "times" in told) or (told is not None and "trades" in told) else None


def same(tool: object, command: object) -> bool:
    """Whether both are the same text as JSON, byte for byte."""
    return json.dumps(tool) == json.dumps(command)


def own_file(name: str) -> str:
    """The file on which a script is also checked for repainting and audited, and which make test uses for it."""
    return FILES[sorted(SCRIPTS).index(name) % len(FILES)]


FEW = sorted(SCRIPTS)[::4]
"""The scripts of make test, each on its own file: every file and every kind of script is among them."""
PAIRS = [
    pytest.param(
        name, file, marks=() if name in FEW and file == own_file(name) else pytest.mark.soak, id=f"{name}-{file}"
    )
    for name in SCRIPTS
    for file in FILES
]
"""Every script on every file; make soak has those that make test leaves out."""


@pytest.mark.parametrize(("name", "file"), PAIRS)
def test_tools_and_commands_agree_on_every_file(
    name: str, file: str, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(SCRIPTS) >= 30
    script = tmp_path / "script.pine"
    script.write_text(SCRIPTS[name], encoding="utf-8")
    bars = str(folder / file)
    is_repaint = file == own_file(name)
    ran = commanded(capsys, "run", str(script), "--data", bars, *(["--no-repaint"] if is_repaint else []))
    tool = call(ChartBrowser(port=9), "pine_run", {"source": SCRIPTS[name], "data": bars, "from_bar": 0, "last": 500})
    assert tool["success"] == (ran is not None), (tool, ran)
    if ran is None:
        return
    assert tool["data"] == "file"
    assert tool["bars"] == ran["bars"] == 260
    assert "aggregated" not in tool
    assert same(tool["times"], [time // 1000 for time in ran["times"]])
    assert same(tool["plots"], ran["plots"])
    assert same([tool["alerts"], tool["logs"]], [ran["alerts"][-50:], ran["logs"][-50:]])
    assert same(tool["stopped"], ran["error"])
    if ran["error"] is None:
        values = use("pine_indicator_values", source=SCRIPTS[name], data=bars, last=500)
        assert same(list(values["values"].values()), [plot["values"] for plot in ran["plots"]])
    if is_repaint and ran["error"] is None:
        found = use("pine_repaint_check", source=SCRIPTS[name], data=bars)
        assert not found["cut"]
        assert same(found["findings"], ran["repainting"]["findings"])
        assert found["repaints"] is ran["repainting"]["repaints"]
        told = [each.removeprefix("not proved: ") for each in found["remarks"] if each.startswith("not proved")]
        assert told == ran["repainting"]["not_proved"]
    if "strategy(" in SCRIPTS[name]:
        tested = commanded(capsys, "backtest", str(script), "--data", bars)
        traded = call(ChartBrowser(port=9), "pine_backtest", {"source": SCRIPTS[name], "data": bars, "last": 200})
        assert traded["success"] == (tested is not None), (traded, tested)
        if tested is not None:
            assert same(traded["report"], tested["report"])
            assert same(traded["trades"], tested["trades"][-200:])
            assert traded["trade_count"] == len(tested["trades"])
        if tested is not None and is_repaint:
            audited = use("pine_audit_strategy", source=SCRIPTS[name], data=bars)["run"]["figures"]
            assert same(audited, {figure: tested["report"][figure] for figure in audited})


CROSSES = """//@version=6
strategy("Crosses", overlay = true)
fast = ta.sma(close, 3)
slow = ta.sma(close, 8)
if ta.crossover(fast, slow)
    strategy.entry("L", strategy.long)
if ta.crossunder(fast, slow)
    strategy.close("L")
plot(fast, "Fast")
"""


def test_a_file_keeps_its_timeframe_and_an_aggregation_is_told_with_counts(folder: Path) -> None:
    bars = str(folder / FILES[0])
    for name in ("pine_run", "pine_backtest", "pine_repaint_check", "pine_indicator_values"):
        own = use(name, source=CROSSES, data=bars)
        assert (own["timeframe"], own["bars"], "aggregated" in own) == ("15", 260, False)
        joined = use(name, source=CROSSES, data=bars, timeframe="60")
        assert joined["timeframe"] == "60"
        assert joined["aggregated"] == {
            "from_timeframe": "15",
            "from_bars": 260,
            "to_timeframe": "60",
            "to_bars": joined["bars"],
        }
        assert f"260 bars of 15 minutes were aggregated to {joined['bars']} bars of 1 hour" in joined["remarks"]
    shorter = call(
        ChartBrowser(port=9), "pine_run", {"source": CROSSES, "data": str(folder / FILES[1]), "timeframe": "15"}
    )
    assert not shorter["success"]


@pytest.mark.parametrize("data", ["sample:AAPL", "sample:BTCUSDT@60x300", ["sample:ETHUSDT@15x200"]])
def test_data_takes_names_of_the_sample_market_as_the_command_does(
    data: str | list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "script.pine"
    script.write_text(CROSSES, encoding="utf-8")
    name = data if isinstance(data, str) else data[0]
    ran = commanded(capsys, "backtest", str(script), "--data", name)
    tool = use("pine_backtest", source=CROSSES, data=data, last=200)
    assert ran is not None
    assert tool["data"] == "sample"
    assert same(tool["report"], ran["report"])
    assert same(tool["trades"], ran["trades"][-200:])


def test_without_data_the_bars_are_those_of_the_command_on_the_sample_market() -> None:
    assert same(
        {**use("pine_backtest", source=CROSSES)}, {**use("pine_backtest", source=CROSSES, data="sample:NASDAQ:AAPL")}
    )
    assert use("pine_backtest", source=CROSSES)["bars"] == 1000


OTHER = """//@version=6
indicator("Other")
plot(request.security("X:OTHER", timeframe.period, close), "Other")
"""


def test_bars_of_other_symbols_come_with_data(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "script.pine"
    script.write_text(OTHER, encoding="utf-8")
    own, other = str(folder / FILES[0]), f"X:OTHER={folder / FILES[0]}"
    ran = commanded(capsys, "run", str(script), "--data", own, "--data", other)
    assert ran is not None
    tool = use("pine_run", source=OTHER, data=[own, other], last=500)
    assert same(tool["plots"], ran["plots"])
    assert tool["plots"][0]["values"][-1] is not None


def test_bars_are_never_named_in_two_ways(folder: Path) -> None:
    both = call(ChartBrowser(port=9), "pine_run", {"source": CROSSES, "data": str(folder / FILES[0]), "symbol": "AAPL"})
    assert "give only one of symbol and data" in both["hint"]
    exchange = call(ChartBrowser(port=9), "pine_run", {"source": CROSSES, "data": "ccxt:nowhere"})
    assert "ccxt:nowhere" in exchange["error"]
    told = use("pine_run", source=CROSSES, data=str(folder / FILES[0]), bars=50)
    assert told["bars"] == 260
    assert any("bars = 50 does not apply to files" in words for words in told["remarks"])
    told = use("pine_run", source=CROSSES, data="sample:AAPL@1Dx60", bars=50)
    assert told["bars"] == 60
    assert any("bars = 50 does not apply to a name with a number of bars" in words for words in told["remarks"])


def test_the_descriptions_say_what_the_default_bars_are() -> None:
    from pinebench.tools import registry

    for name in ("pine_run", "pine_backtest", "pine_repaint_check", "pine_indicator_values"):
        assert "1000 made-up daily bars" in registry.find(name).summary.replace("\n", " ")
        assert "made-up prices (default: NASDAQ:AAPL)" in registry.find(name).arguments["symbol"].about


def test_what_stopped_is_not_said_not_to_repaint() -> None:
    stops = '//@version=6\nindicator("a")\nif bar_index == 3\n    runtime.error("no more")\nplot(close)\n'
    result = call(ChartBrowser(port=9), "pine_repaint_check", {"source": stops})
    assert not result["success"]
    assert "no more" in result["error"]
