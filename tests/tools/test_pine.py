"""Tools of the Pine editor, each read back from the page itself."""

from __future__ import annotations

from typing import Any

from tests.studio.support import CLEAN, WRONG
from tests.tools.conftest import Bench


def test_a_script_is_written_read_and_compiled(use: Any, bench: Bench) -> None:
    written = use("pine_set_source", source=CLEAN)
    assert written["verified"]
    assert written["lines_set"] == 4
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
    assert bench.js(
        f"TradingViewApi._activeChartWidgetWV.value().getAllStudies().some(s => s.id === '{compiled['study']}')"
    )


def test_errors_come_with_their_lines(use: Any) -> None:
    use("pine_set_source", source=WRONG)
    compiled = use("pine_compile")
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
    assert "saved already" in refused("pine_save", name="Trend ribbon")
    assert use("pine_current")["version"] == version
    saved = use("pine_save", name="Trend ribbon", confirm=True)
    assert saved["version"] != version
