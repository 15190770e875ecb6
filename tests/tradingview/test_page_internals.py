"""The table of paths."""

import json
import re

import pytest

from pinebench.tradingview import page_internals
from pinebench.tradingview.errors import PathMissing
from pinebench.tradingview.page import Page
from tests.tables import each
from tests.tradingview.support import Stage


def test_the_table_is_plain_data() -> None:
    data = json.loads(json.dumps(page_internals.as_data()))
    assert set(data["paths"]) == set(page_internals.PATHS)
    assert data["studioMarker"] == "__PINEBENCH_STUDIO__"


@each("key", [*page_internals.PATHS])
def test_a_path_is_walked_step_by_step(key: str) -> None:
    assert all(re.fullmatch(r"\w+(\(\))?", step) for step in page_internals.PATHS[key].path.split("."))
    assert page_internals.PATHS[key].purpose


def test_labels_are_lower_case_and_never_ambiguous() -> None:
    seen: dict[str, str] = {}
    for purpose, words in page_internals.LABELS.items():
        for word in words:
            assert word == word.lower()
            assert seen.setdefault(word, purpose) == purpose, word


def test_every_selector_is_valid_css(stage: Stage) -> None:
    page = Page(stage.connect(stage.open()))
    assert set(page.call("health", read=True)["selectors"]) == set(page_internals.SELECTORS)


def test_a_path_is_verified_before_use(stage: Stage) -> None:
    page = Page(stage.connect(stage.open(no_replay=1)))
    assert page.require("chartApi") == "window.TradingViewApi._activeChartWidgetWV.value()"
    with pytest.raises(PathMissing) as caught:
        page.require("replayApi")
    assert (caught.value.key, caught.value.expression) == ("replayApi", "window.TradingViewApi._replayApi")
    assert page.require("pineFacadeApi").startswith("https://pine-facade.")
