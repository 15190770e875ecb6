"""Tools of the Pine editor, each read back from the page itself."""

from typing import Any

import pytest

from tests.studio.support import CHART, CLEAN, WRONG
from tests.tools.conftest import Bench

TITLE = "Mine"
"""The title that CLEAN declares."""


def test_a_script_is_written_read_and_compiled(use: Any, bench: Bench) -> None:
    written = use("pine_set_source", source=CLEAN)
    assert written["verified"]
    assert written["lines_set"] == 4
    assert written["script"] == TITLE
    read = use("pine_get_source")
    assert read["source"] == CLEAN
    assert read["untrusted"] == ["source"]
    assert (read["line_count"], read["char_count"]) == (4, len(CLEAN))
    cut = use("pine_get_source", max_chars=10)
    assert cut["source"] == CLEAN[:10]
    assert cut["truncated"]
    compiled = use("pine_smart_compile")
    assert compiled["study_added"]
    assert not compiled["has_errors"]
    assert compiled["verified"]
    assert (compiled["script"], compiled["symbol"]) == (TITLE, use("chart_get_state")["symbol"])
    assert use("pine_get_errors")["script"] == TITLE
    assert bench.js(
        f"TradingViewApi._activeChartWidgetWV.value().getAllStudies().some(s => s.id === '{compiled['study']}')"
    )


def test_errors_come_with_their_lines(use: Any) -> None:
    use("pine_set_source", source=WRONG)
    compiled = use("pine_smart_compile")
    assert compiled["has_errors"]
    assert [each["line"] for each in compiled["errors"]] == [3, 4, 5]
    marked = use("pine_get_errors")
    assert marked["error_count"] == 3
    assert marked["errors"] == compiled["errors"]
    assert any(row["type"] in ("error", "compile") for row in use("pine_get_console")["entries"])


def test_scripts_are_made_saved_listed_and_opened(use: Any, refused: Any) -> None:
    made = use("pine_new", type="strategy", name="Of mine", discard=True)
    assert made["verified"]
    assert 'strategy("Of mine"' in made["source"]
    assert use("pine_current")["saved"] is False
    saved = use("pine_save", name="Of mine")
    assert saved["verified"]
    assert saved["created"]
    current = use("pine_current")
    assert (current["name"], current["saved"]) == ("Of mine", True)
    listed = use("pine_list_scripts", search="of")
    assert [each["name"] for each in listed["scripts"]] == ["Of mine"]
    opened = use("pine_open", name="trend ribbon", discard=True)
    assert opened["verified"]
    assert opened["bound"]
    assert 'indicator("Trend ribbon"' in opened["source"]
    assert "no saved script" in refused("pine_open", name="Nobody's", discard=True)


def test_a_saved_script_is_written_over_only_when_that_is_confirmed(use: Any, refused: Any) -> None:
    use("pine_open", name="Trend ribbon", discard=True)
    use("pine_set_source", source=CLEAN)
    version = use("pine_current")["version"]
    assert "already a saved script" in refused("pine_save", name="Trend ribbon")
    assert "already a saved script" in refused("pine_save", name="trend Ribbon ")
    # Another name never lets the text go into the script that happens to be open.
    for more in ({}, {"confirm": True}):
        told = refused("pine_save", name="Another", **more)
        assert told == "Save in the editor would save 'Trend ribbon', not 'Another'"
    assert use("pine_current")["version"] == version
    saved = use("pine_save", name="Trend ribbon", confirm=True)
    assert saved["version"] != version


LOGGING = """//@version=6
indicator("Logging")
if bar_index % 100 == 0
    log.info("bar {0}", bar_index)
if barstate.islast
    log.warning("close {0}", close)
    log.error("[2024-01-31T00:00] is " + str.repeat("x", 600))
plot(close)
"""


def test_what_scripts_log_is_read_with_level_and_bar_time(use: Any, refused: Any, bench: Bench) -> None:
    bars = use("data_get_ohlcv", count=500)["bars"]
    use("pine_set_source", source=LOGGING)
    use("pine_smart_compile")
    found = use("pine_get_logs", study_filter="logging")
    assert (found["source"], found["study_count"], found["untrusted"]) == ("data_source", 1, ["logs"])
    assert found["total"] == found["showing"] == len(found["logs"])
    infos, (warned,), (failed,) = (
        [each for each in found["logs"] if each["level"] == level] for level in ("info", "warning", "error")
    )
    by_time = {bar["time"]: bar for bar in bars}
    first = min(by_time)
    assert [each["message"] for each in infos] == [f"bar {at:,}" for at in range(0, 100 * len(infos), 100)]
    assert all(each["time"] in by_time for each in infos if each["time"] >= first)
    assert (warned["time"], warned["line"], warned["study"]) == (bars[-1]["time"], 6, "Logging")
    assert warned["bar_time"].endswith("+00:00")
    assert warned["message"] == f"close {bars[-1]['close']:,.10g}".rstrip("0")
    assert len(failed["message"]) == 500 and failed["message"].endswith("…")
    assert use("pine_get_logs", level="warning")["logs"] == [warned]
    newest = use("pine_get_logs", max_logs=1, max_chars=20)
    assert (newest["total"], newest["showing"], len(newest["logs"][0]["message"])) == (found["total"], 1, 20)
    assert use("pine_get_logs", study_filter="nothing like it")["total"] == 0


def test_where_studies_keep_no_logs_the_panel_is_read(
    use: Any, refused: Any, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    use("pine_set_source", source=LOGGING)
    study = use("pine_smart_compile")["study"]
    told = use("pine_get_logs")["logs"]
    sources = f"{CHART}._chartWidget.model().model().dataSources()"
    bench.js(f"{sources}.forEach((source) => delete source.logs)")
    assert "does not show what scripts logged" in refused("pine_get_logs")
    bench.driver.click("[data-name=pine-logs-button]")
    bench.driver.until("document.querySelectorAll('.pineLogs__line').length > 3")
    read = use("pine_get_logs")
    assert read["source"] == "panel" and "notes" not in read
    shown = [(each["level"], each["time"], each["message"]) for each in read["logs"]]
    assert shown == [(each["level"], each["time"], each["message"]) for each in told]
    bench.js(f"void ({sources}.at(-1).isLoading = () => true)")
    monkeypatch.setattr("pinebench.tools.timing.COMPUTED_MS", 100)
    lines = "document.querySelectorAll('.pineLogs__line')"
    bench.js(f"{lines}.forEach((one) => {{ one.className = 'pineLogs__line'; delete one.dataset.level }})")
    computing = use("pine_get_logs", level="error")
    assert computing["total"] == len(told)  # an error must not be left out because the page does not tell its level
    assert computing["notes"] == ["'Logging' is still being computed, so it may log more"]
    bench.driver.click("[data-name=pine-dialog-button]")
    use("chart_manage_indicator", action="remove", entity_id=study)


def test_a_script_that_stopped_is_told_with_its_error_and_its_logs_are_still_there(use: Any, bench: Bench) -> None:
    stops = 'log.info("before")\nif bar_index == 3\n    runtime.error("no more")\nplot(close)\n'
    use("pine_set_source", source=f'//@version=6\nindicator("Stops")\n{stops}')
    compiled = use("pine_smart_compile")
    assert not compiled["has_errors"] and compiled["outcome"] in ("added", "updated")
    assert compiled["study_state"] == "failed" and "no more" in compiled["study_error"]
    (found,) = use("data_get_study_values", study_filter="Stops")["studies"]
    assert "no more" in found["note"]
    logs = use("pine_get_logs", study_filter="Stops")["logs"]
    assert [each["message"] for each in logs] == ["before"] * 4
