"""The morning brief: rules on the symbols of a list, what is not known, what has changed, and the kept files."""

import json
from pathlib import Path
from typing import Any

import pytest

from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.morning_brief import _verdict
from pinebench.tools.tool_calls import call
from tests.tools.conftest import Bench, hardly_waiting_for

AAPL, MSFT = "NASDAQ:AAPL", "NASDAQ:MSFT"
RULES: dict[str, Any] = {
    "symbols": [AAPL, "NASDAQ:NOTHING", MSFT],
    "bars": 20,
    "rules": [
        {"name": "Above 300", "value": "close", "above": 300},
        {"name": "Calm", "value": "Relative Strength Index: RSI", "above": 0, "below": 100},
        {"name": "Unknown", "value": "Nothing: RSI", "above": 0},
    ],
}


def _write(folder: Path, rules: object) -> None:
    place = folder / "briefs"
    place.mkdir(exist_ok=True)
    (place / "rules.json").write_text(json.dumps(rules))


def test_a_brief_judges_each_symbol_and_is_kept(bench: Bench, state: Path) -> None:
    bench.driver.page.bring_to_front()
    bench.use("chart_manage_indicator", action="add", indicator="Relative Strength Index")
    _write(state, RULES)
    calm = {"rule": "Calm", "when": "Relative Strength Index: RSI above 0 and below 100", "holds": None}
    yesterday = {"symbol": AAPL, "rules": [{"rule": "Above 300", "when": "close above 300", "holds": True}, calm]}
    older = {"day": "2020-01-02", "timeframe": "1D", "bars": 20, "symbols": [yesterday]}
    (state / "briefs" / "2020-01-02.json").write_text(json.dumps([older]))
    before = bench.use("chart_get_state")["symbol"]
    with hardly_waiting_for("NASDAQ:NOTHING"):
        brief, again = bench.use("morning_brief"), bench.use("morning_brief")
    assert [each["symbol"] for each in brief["symbols"]] == [AAPL, MSFT]
    assert brief["held"] == {"Above 300": [MSFT], "Calm": [AAPL, MSFT], "Unknown": []}
    unknown = brief["symbols"][0]["rules"][2]
    assert (unknown["holds"], unknown["value"]) == (None, None)
    assert "no study 'Nothing'" in unknown["reason"]
    assert list(brief["failed"]) == ["NASDAQ:NOTHING"]
    assert brief["before"] == "2020-01-02"
    assert brief["changed"] == [{"symbol": AAPL, "rule": "Above 300", "held": True, "holds": False}]
    assert (brief["data"], brief["verified"]) == ("sample", True)
    assert bench.use("chart_get_state")["symbol"] == before
    assert again["before"] == "2020-01-02"
    kept = bench.use("brief_get")
    assert (kept["day"], len(kept["briefs"])) == (brief["day"], 2)
    assert kept["briefs"][0]["symbols"] == brief["symbols"]
    assert kept["briefs"][0]["data"] == "sample"
    assert Path(brief["file"]).stat().st_mode & 0o077 == 0
    assert bench.use("brief_get", day="2020-01-02")["days"] == ["2020-01-02", brief["day"]]


@pytest.mark.parametrize("other", [{"bars": 50}, {"timeframe": "60"}, {"when": "close above 200"}])
def test_only_the_same_rules_on_the_same_bars_are_compared(bench: Bench, state: Path, other: dict[str, Any]) -> None:
    """A rule of the same name that asks for something else has not changed its answer."""
    _write(state, {**RULES, "symbols": [AAPL], "rules": RULES["rules"][:1]})
    rule = {"rule": "Above 300", "when": "close above 300", "holds": True} | {
        name: value for name, value in other.items() if name == "when"
    }
    older = {
        "day": "2020-01-02",
        "timeframe": "1D",
        "bars": 20,
        **other,
        "symbols": [{"symbol": AAPL, "rules": [rule]}],
    }
    (state / "briefs" / "2020-01-02.json").write_text(json.dumps([older]))
    brief = bench.use("morning_brief")
    assert brief["before"] == "2020-01-02" and brief["changed"] == []
    assert any("1 results were not compared" in note for note in brief["notes"])


def test_a_brief_tells_no_symbol_whose_bars_did_not_come(bench: Bench, state: Path) -> None:
    _write(state, {**RULES, "symbols": [AAPL, MSFT]})
    bench.driver.set(nameFirst=-1)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("pinebench.tools.timing.READY_MS", 300)
            answer = bench.call("morning_brief")
    finally:
        bench.driver.set(nameFirst=0)
        bench.use("chart_set_symbol", symbol=AAPL)
    told = {each["symbol"]: each["close"] for each in answer.get("symbols", [])}
    assert told.get(MSFT, 428.2) == 428.2
    assert not answer["success"] or MSFT in answer["failed"]


def test_rules_that_cannot_be_right_are_refused(bench: Bench, state: Path) -> None:
    known: list[tuple[object, str]] = [
        ({"symbols": [AAPL]}, "rules"),
        ({"rules": [{"name": "a", "value": "close"}]}, "neither above nor below"),
        ({"rules": [{"name": "a", "value": "close", "above": "3"}]}, "a number"),
        ({"rules": [{"name": "a", "value": "close", "above": 3}] * 2}, "two rules with the name 'a'"),
        ({"rules": [], "bars": 1}, "bars must be from 2 to 500"),
    ]
    assert "no file with rules" in bench.refused("morning_brief")
    for rules, said in known:
        _write(state, rules)
        assert said in bench.refused("morning_brief"), rules
    assert "ends in .json" in bench.refused("morning_brief", rules="/etc/passwd")


def test_a_damaged_file_of_briefs_is_not_written_over(state: Path) -> None:
    _write(state, RULES)
    place = state / "briefs" / "2020-01-02.json"
    place.write_text("[{")
    answer = call(ChartBrowser(port=1), "brief_get", {"day": "2020-01-02"})
    assert not answer["success"] and "2020-01-02.json" in answer["error"]
    assert place.read_text() == "[{"
    assert "a date" in call(ChartBrowser(port=1), "brief_get", {"day": "yesterday"})["error"]
    assert "no brief of 2020-01-03" in call(ChartBrowser(port=1), "brief_get", {"day": "2020-01-03"})["error"]


@pytest.mark.parametrize("text", ["0,532", "27.912,50", "12 345,6"])
def test_a_value_with_a_decimal_comma_is_no_number(text: str) -> None:
    """0,532 was compared as 532, and 27.912,50 as 27.9125."""
    row = {"studies": [{"name": "RSI", "values": {"RSI": text, "MA": "\u221227,912.50"}}]}
    rule = {"name": "hot", "value": "RSI: RSI", "above": 70}
    told = _verdict(row, rule)
    assert (told["value"], told["holds"]) == (None, None) and text in told.get("reason", "")
    assert _verdict(row, {**rule, "value": "RSI: MA"})["value"] == -27912.5
