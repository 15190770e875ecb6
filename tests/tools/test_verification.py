"""`pine_verify` on the studio's page: saved scripts, a planted difference, scripts without a text, saved folders."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pinebench.market import Bars
from pinebench.studio.session import StudioSession
from pinebench.tools.verification import are_foreign, history
from pinebench.tradingview import browser
from pinebench.verification import folders, verdicts
from pinebench.verification.recordings import RecordedTrade
from tests.studio.support import BARS, CHART, Tabs, studio_session
from tests.tools.conftest import Bench
from tests.verification.support import STRATEGY

_SOURCES = f"{CHART}._chartWidget.model().model().dataSources()"
_COOKBOOK = Path(__file__).parents[2] / "pine" / "cookbook"
_SCRIPTS = (
    "bracket_order pyramiding stop_entry_breakout trailing_stop time_exit"
    " moving_average_cross stochastic_rsi bollinger_squeeze adaptive_average adx_filter"
).split()
"""Five strategies and five indicators of the cookbook."""


def _bars_file(folder: Path, count: int) -> None:
    """Write `count` bars of five minutes with prices in cents."""
    chance, price, rows = random.Random(7), 5_000, ["time,open,high,low,close,volume"]
    for i in range(count):
        close = max(100, price + chance.randint(-12, 12))
        high, low = max(price, close) + chance.randint(0, 6), min(price, close) - chance.randint(0, 6)
        prices = ",".join(f"{each / 100:.2f}" for each in (price, high, low, close))
        rows.append(f"{1_500_000_000 + 300 * i},{prices},{chance.randint(100, 900)}")
        price = close
    (folder / "TEST_WALK_5.csv").write_text("\n".join(rows) + "\n")


def _opened(chromium: browser.RunningBrowser, session: StudioSession) -> Iterator[Bench]:
    tabs = Tabs(chromium.port, session)
    made = Bench(tabs(), session)
    made.driver.page.bring_to_front()
    made.use("chart_set_symbol", symbol="TEST:WALK")
    made.use("chart_set_timeframe", timeframe="5")
    yield made
    made.chart_browser.close()
    tabs.close()


@pytest.fixture(scope="module")
def walk(chromium: browser.RunningBrowser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """A page with 1,200 bars of a file, all of them loaded."""
    folder = tmp_path_factory.mktemp("bars")
    _bars_file(folder, 1_200)
    with studio_session(bars=folder) as session:
        for made in _opened(chromium, session):
            _load(made, 1_200)
            yield made


def _load(made: Bench, count: int) -> None:
    made.js(f"{CHART}.setVisibleRange({{from: 0, to: 2e9}}).catch(() => null)")
    made.driver.until(f"{BARS}.size() === {count}")
    _settle(made)


def _settle(made: Bench) -> None:
    made.driver.until(f"{_SOURCES}.every((one) => !one.isLoading())")


def _add(made: Bench, name: str, source: str) -> str:
    """Save a script in the account, put it on the chart alone, and return its id."""
    made.driver.page.bring_to_front()
    made.js(f"{CHART}.removeAllStudies()")
    store = made.session.studio.store
    if all(script.name != name for script in store.scripts()):
        store.create(name, source, name, "strategy" if "strategy(" in source else "indicator")
    assert made.driver.scripts.open(name, discard=True).bound
    assert made.driver.editor.compile().outcome in ("added", "updated")
    _settle(made)
    return made.js(f"{CHART}.getAllStudies().at(-1).id")


@pytest.mark.usefixtures("chromium")
def test_a_saved_script_is_equal_and_replays_from_its_folder(walk: Bench, tmp_path: Path) -> None:
    study = _add(walk, "Cross", STRATEGY)
    walk.use("indicator_set_inputs", entity_id=study, inputs={"in_0": 15})
    _settle(walk)
    found = walk.use("pine_verify_save", folder=str(tmp_path / "cross"))
    assert (found["verdict"], found["bars"], found["trade_counts"]["different"]) == ("equal", 1_200, 0)
    assert found["verified"]
    assert all(each["exact"] == 1_200 for each in found["plots"])
    assert found["trades"]["exact"] == found["trades"]["listed"] > 50
    recording = folders.load(str(tmp_path / "cross"))
    assert recording.inputs == {"in_0": 15}
    assert verdicts.verify(recording)["verdict"] == "equal"
    texts = "".join(path.read_text() for path in (tmp_path / "cross").iterdir())
    assert not [word for word in ("USER;", study, "studio", "Unnamed") if word in texts]


def test_one_tick_in_one_trade_is_found_with_its_bar(walk: Bench) -> None:
    _add(walk, "Cross", STRATEGY)
    trade = walk.js(
        f"(() => {{ const one = {_SOURCES}.at(-1).reportData().trades[20]; one.x.p += 0.01; return one }})()"
    )
    found = walk.use("pine_verify")
    assert (found["verdict"], found["trades"]["different"]) == ("different", 1)
    told = found["trades"]["trades"][0]
    assert (told["number"], told["bar"]) == (21, trade["e"]["b"])
    assert (list(told["fields"]), told["fields"]["exit_price"]["bar"]) == (["exit_price"], trade["x"]["b"])
    assert 0 < told["fields"]["exit_price"]["percent"] < 0.05


def test_properties_of_the_strategy_are_the_chart_s(walk: Bench) -> None:
    _add(walk, "Cross", STRATEGY)
    report = f"{_SOURCES}.at(-1).reportData()"
    assert walk.js(f"{report}.properties.default_qty_value") == 20
    walk.js(f"{report}.properties.default_qty_value = 21")
    assert walk.use("pine_verify")["verdict"] == "different"


@pytest.mark.parametrize(("price", "foreign"), [(-40.0, False), (-41.5, False), (187.0, True)])
def test_trades_at_negative_prices_belong_to_their_bars(price: float, foreign: bool) -> None:
    """Crude oil closed at -37.63 in 2020; every trade there counted as one of another symbol."""
    times = [1_587_340_800_000 + 86_400_000 * k for k in range(3)]
    bars = Bars(times, [-38.0] * 3, [-36.0] * 3, [-42.0] * 3, [-40.0] * 3, [1.0] * 3)
    trade = RecordedTrade("long", times[1], price, "L", None, None, None, 1.0, None, None, None, None)
    assert are_foreign([trade, trade], bars) is foreign


def test_a_script_without_a_text_is_not_compared_and_not_saved(walk: Bench, tmp_path: Path) -> None:
    _add(walk, "Cross", STRATEGY)
    walk.use("chart_manage_indicator", action="add", indicator="Relative Strength Index")
    _settle(walk)
    found = walk.use("pine_verify", study="Relative Strength")
    assert (found["verdict"], found["plot_counts"]["equal"]) == ("not compared", 0)
    assert "cannot be read" in found["plots"][0]["reason"]
    assert "nothing was saved" in walk.refused(
        "pine_verify_save", study="Relative Strength", folder=str(tmp_path / "x")
    )
    assert "2 studies that fit 'r'" in walk.refused("pine_verify", study="r")
    assert "no studies that fit 'nothing'" in walk.refused("pine_verify", study="nothing")
    walk.driver.scripts.new("indicator", discard=True)
    walk.driver.editor.write('//@version=6\nindicator("Loose")\nplot(close)\n')
    assert walk.driver.editor.compile().outcome == "added"
    _settle(walk)
    assert walk.use("pine_verify", study="Loose")["verdict"] == "not compared"
    given = walk.use("pine_verify", study="Loose", source='//@version=6\nindicator("Loose")\nplot(close)\n')
    assert given["verdict"] == "equal"
    assert "2 scripts" in walk.refused("pine_verify")


def test_a_history_is_whole_only_if_the_page_says_so() -> None:
    born = 1_500_000_000.0
    known: list[tuple[bool | None, float | None, float | None, int, str]] = [
        (True, born, born, 300, "part"),
        (True, born, None, 300, "part"),
        (False, born, born, 20_000, "whole"),
        (None, born, born, 300, "whole"),
        (False, born - 60, born, 25_000, "whole"),
        (False, born + 300, born, 5_000, "part"),  # the plan ends the chart here, not the symbol
        (False, born, None, 19_999, "whole"),
        (False, born, None, 20_000, "unknown"),
        (None, born, None, 300, "unknown"),
    ]
    for more, first, start, count, expected in known:
        assert history(more, first, start, count) == expected, (more, first, start, count)


def test_trades_of_another_symbol_are_refused(walk: Bench) -> None:
    study = _add(walk, "Cross", STRATEGY)
    prices = f"{_SOURCES}.at(-1).reportData().trades.forEach((one) => {{ one.e.p *= 3 }})"
    walk.js(f"void {prices}")
    assert "does not belong to TEST:WALK 5" in walk.refused("pine_verify", study=study)


@pytest.mark.soak
def test_ten_scripts_are_equal_on_20000_bars(chromium: browser.RunningBrowser, tmp_path: Path) -> None:
    _bars_file(tmp_path, 20_000)
    with studio_session(bars=tmp_path) as session:
        for made in _opened(chromium, session):
            _load(made, 20_000)
            told: dict[str, Any] = {}
            for name in _SCRIPTS:
                _add(made, name, (_COOKBOOK / f"{name}.pine").read_text())
                found = made.use("pine_verify")
                trades = found["trades"] or {}
                told[name] = (found["verdict"], found["bar_counts"], trades.get("exact"), trades.get("listed"))
                assert found["verdict"] == "equal", (name, found)
                assert all(each["exact"] == 20_000 for each in found["plots"])
                assert found["history"] == "whole"
                assert not [each for each in found["not_compared"] if "trades" in each["what"]], found["not_compared"]
            assert sum(row[3] is not None for row in told.values()) == 5
            print(told)
