"""Tools on the account: alerts on scripts and their log, named watchlists, quotes, panes in one call, the session."""

from typing import Any

from pinebench.studio import documents
from tests.studio.support import CHART
from tests.tools.conftest import Bench

_SIGNALS = """//@version=6
indicator("Signals")
length = input.int(5, "Length")
average = ta.sma(close, length)
plot(average, "Average")
alertcondition(close > average, "Above", "above")
alertcondition(close < average, title = "Below", message = "below")
if close > open
    alert("rising")
"""


def _add(bench: Bench, name: str, source: str) -> str:
    bench.driver.page.bring_to_front()
    bench.session.studio.store.create(name, source, name, "indicator")
    assert bench.driver.scripts.open(name, discard=True).bound
    assert bench.driver.editor.compile().outcome == "added"
    return bench.js(f"{CHART}.getAllStudies().at(-1).id")


def _kept(bench: Bench) -> list[dict[str, Any]]:
    return documents.read(bench.session.studio.store, "alerts") or []


def test_an_alert_on_an_alertcondition_is_read_back_and_logged(use: Any, refused: Any, bench: Bench) -> None:
    study = _add(bench, "Signals", _SIGNALS)
    use("indicator_set_inputs", entity_id=study, inputs={"in_0": 8})
    hook = "https://example.com/hook"
    made = use("alert_create_script", kind="alertcondition", condition="Below", message="go", webhook=hook)
    assert (made["fires_on"], made["webhook"], made["script"], made["verified"]) == ("Below", hook, "Signals", True)
    kept = next(each for each in _kept(bench) if each["alert_id"] == made["alert_id"])
    assert (kept["condition"]["type"], kept["condition"]["alert_cond_id"]) == ("alert_cond", "plot_2")
    assert (kept["condition"]["series"][0]["inputs"]["in_0"], kept["web_hook"]) == (8, hook)
    called = use("alert_create_script", kind="alert", once=True)
    assert called["fires_on"] == "alert()"
    assert "2 alertcondition()" in refused("alert_create_script", kind="alertcondition")
    assert "no alertcondition() called 'Sideways'" in refused(
        "alert_create_script", kind="alertcondition", condition="Sideways"
    )
    assert "orders" in refused("alert_create_script", kind="orders")
    assert "HTTPS" in refused("alert_create_script", kind="alert", webhook="http://example.com")
    assert use("alert_log")["fires"] == []
    ids = [made["alert_id"], called["alert_id"]]
    for number in ids:
        bench.js(
            "fetch('/studio/api/alerts/fired', {method: 'POST', body: JSON.stringify("
            f"{{ids: [{number}], time: 1700000000}})}}).then((answer) => answer.status)"
        )
    assert [each["alert_id"] for each in use("alert_log")["fires"]] == ids[::-1]
    one = use("alert_log", alert_id=made["alert_id"])["fires"]
    assert [(each["message"], each["fired"]) for each in one] == [("go", "2023-11-14T22:13:20Z")]


def test_a_service_that_keeps_another_script_is_not_believed(use: Any, refused: Any, bench: Bench) -> None:
    use("indicator_set_inputs", entity_id=_add(bench, "Kept signals", _SIGNALS), inputs={"in_0": 8})
    before = len(_kept(bench))
    bench.js(
        "void (window.fetched = window.fetch, window.fetch = (to, how) => window.fetched(to, how && how.body && "
        "String(to).includes('create_alert') ? {...how, body: how.body.replace('in_0\\\\\":8', 'in_0\\\\\":9')"
        ".replace('\"in_0\":8', '\"in_0\":9')} : how))"
    )
    try:
        assert "changed a part of the alert (the input in_0)" in refused(
            "alert_create_script", kind="alertcondition", condition="Above"
        )
    finally:
        bench.js("void (window.fetch = window.fetched)")
    assert len(_kept(bench)) == before


def test_watchlists_are_created_filled_switched_and_deleted(use: Any, refused: Any, bench: Bench) -> None:
    first = use("watchlists_list")["lists"]
    assert [(each["name"], each["active"]) for each in first] == [("Watchlist", True)]
    shown = [each["symbol"] for each in use("watchlist_get")["symbols"]]
    made = use("watchlists_create", name="Chips", symbols=["NVDA", "NASDAQ:NVDA", "NASDAQ:NOTHING"])
    assert (made["symbols"], made["unknown"], made["active"]) == (["NASDAQ:NVDA"], ["NASDAQ:NOTHING"], "Watchlist")
    assert "already" in refused("watchlists_create", name="Chips")
    assert "none of the symbols" in refused("watchlists_fill", name="Chips", symbols=["NASDAQ:NOTHING"])
    filled = use("watchlists_fill", name="Chips", symbols=["NASDAQ:MSFT", "NVDA", "BINANCE:BTCUSDT"])
    assert filled["symbols"] == ["NASDAQ:NVDA", "NASDAQ:MSFT", "BINANCE:BTCUSDT"]
    assert [each["symbol"] for each in use("watchlist_get")["symbols"]] == shown
    assert use("watchlists_switch", name="Chips")["active"] == "Chips"
    assert [each["symbol"] for each in use("watchlist_get")["symbols"]] == filled["symbols"]
    assert "active watchlist" in refused("watchlists_delete", name="Chips", confirm=True)
    assert use("watchlists_switch", name="Watchlist")["symbols"] == shown
    assert "3 symbols would be deleted" in refused("watchlists_delete", name="Chips")
    assert use("watchlists_delete", name="Chips", confirm=True)["action"] == "deleted"
    assert len(use("watchlists_list")["lists"]) == 1
    assert "no watchlists called 'Chips'" in refused("watchlists_switch", name="Chips")


def test_quotes_leave_the_chart_as_it_is(use: Any, bench: Bench) -> None:
    bench.js(f"void (window.moves = 0, window.kept = {CHART}.setSymbol, {CHART}.setSymbol = () => window.moves++)")
    try:
        found = use("quotes_get", symbols=["NASDAQ:MSFT", "BINANCE:BTCUSDT", "NASDAQ:NOTHING", "MSFT"])
    finally:
        bench.js(f"void ({CHART}.setSymbol = window.kept)")
    assert bench.js("window.moves") == 0
    assert found["unknown"] == ["NASDAQ:NOTHING", "MSFT"]
    assert [each["symbol"] for each in found["quotes"]] == ["NASDAQ:MSFT", "BINANCE:BTCUSDT"]
    assert found["quotes"][0]["last"] == 428.2
    assert found["data"] == "sample"


def test_a_symbol_without_an_answer_has_no_price(use: Any, refused: Any, bench: Bench) -> None:
    bench.js("void (window.fetched = window.fetch, window.fetch = async () => new Response('{\"close\": null}'))")
    try:
        found = bench.call("quotes_get", symbols=["NASDAQ:MSFT"])
        assert (found["quotes"], found["unknown"]) == ([], ["NASDAQ:MSFT"])
        bench.js("void (window.fetch = async () => new Response('{}', {status: 429}))")
        assert "429" in refused("quotes_get", symbols=["NASDAQ:MSFT"])
    finally:
        bench.js("void (window.fetch = window.fetched)")


def test_all_panes_are_read_in_one_call(use: Any, bench: Bench) -> None:
    use("chart_manage_indicator", action="add", indicator="Relative Strength Index")
    use("pane_set_layout", layout="2h")
    use("pane_set_symbol", index=1, symbol="NASDAQ:NVDA")
    use("pane_focus", index=0)
    found = use("pane_read", count=20)
    assert [each["symbol"] for each in found["panes"]] == ["NASDAQ:AAPL", "NASDAQ:NVDA"]
    assert found["active_index"] == 0
    assert [each["close"] for each in found["panes"]] == [231.4, 138.6]
    assert all(each["bars"] == 20 and each["low"] <= each["close"] <= each["high"] for each in found["panes"])
    rsi = next(each for each in found["panes"][0]["studies"] if each["name"] == "Relative Strength Index")
    assert next(iter(rsi["values"])) == "RSI"
    # A pane with the name of a symbol whose bars never come: the bars of the symbol before are not told as its own.
    use("pane_focus", index=1)
    bench.driver.set(nameFirst=-1)
    bench.js(f"void {CHART}.setSymbol('NASDAQ:MSFT')")
    bench.driver.until(f"{CHART}.symbol() === 'NASDAQ:MSFT'")
    use("pane_focus", index=0)
    first, second = use("pane_read", count=20)["panes"]
    assert (first["close"], first["loading"]) == (231.4, False)
    assert (second["symbol"], second["loading"], second["close"], second["bars"]) == ("NASDAQ:MSFT", True, None, 0)
    bench.driver.set(nameFirst=0)
    use("pane_set_layout", layout="s")


def test_values_in_a_pane_are_told_by_title_and_only_once_they_are_computed(use: Any, bench: Bench) -> None:
    use("pine_set_source", source='//@version=6\nindicator("Twice")\nplot(1, "Same")\nplot(2, "Same")\n')
    study = use("pine_smart_compile")["study"]
    source = (
        f"{CHART}._chartWidget.model().model().dataSources().find((one) => one.metaInfo?.().description === 'Twice')"
    )
    bench.js(f"""(() => {{
        const found = {source}, meta = found.metaInfo();
        const same = ([id, style]) => [id, {{ ...style, title: 'Same' }}];
        const styles = Object.fromEntries(Object.entries(meta.styles).map(same));
        found.metaInfo = () => ({{ ...meta, styles }});
    }})()""")  # a studio gives each plot a title of its own, and TradingView does not
    (pane,) = use("pane_read", count=1)["panes"]
    own = next(each for each in pane["studies"] if each["name"] == "Twice")
    assert own["values"] == {"Same": 1, "Same (2)": 2}
    bench.js(f"void ({source}.isLoading = () => true)")
    (pane,) = use("pane_read", count=1)["panes"]
    assert next(each for each in pane["studies"] if each["name"] == "Twice")["values"] is None  # still being computed
    use("chart_manage_indicator", action="remove", entity_id=study)


def test_a_session_that_was_taken_over_is_taken_back(use: Any, bench: Bench) -> None:
    assert use("tv_reconnect")["action"] == "nothing_to_do"
    bench.driver.set(sessionDisconnected=True)
    bench.driver.until("document.body.innerText.includes('Connect')")
    told = use("tv_reconnect")
    assert (told["action"], told["button"], told["verified"]) == ("reconnected", "Connect", True)
    assert told["verified_by"] == "the page's dialogs, read again"
    assert use("tv_reconnect")["action"] == "nothing_to_do"
