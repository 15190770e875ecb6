"""The table of paths."""

import json
import re

import pytest

from pinebench.tradingview import paths
from pinebench.tradingview.errors import PathMissing
from pinebench.tradingview.page import Page
from tests.tables import each
from tests.tradingview.support import Stage


def test_the_table_is_plain_data() -> None:
    data = json.loads(json.dumps(paths.as_data()))
    assert set(data["paths"]) == set(paths.PATHS)
    assert data["studioMarker"] == "__PINEBENCH_STUDIO__"


@each("key", [*paths.PATHS])
def test_a_path_is_walked_step_by_step(key: str) -> None:
    assert all(re.fullmatch(r"\w+(\(\))?", step) for step in paths.PATHS[key].path.split("."))
    assert paths.PATHS[key].purpose


def test_labels_are_lower_case_and_never_ambiguous() -> None:
    seen: dict[str, str] = {}
    for purpose, words in paths.LABELS.items():
        for word in words:
            assert word == word.lower()
            assert seen.setdefault(word, purpose) == purpose, word


def test_every_selector_is_valid_css(stage: Stage) -> None:
    page = Page(stage.connect(stage.open()))
    assert set(page.call("health", read=True)["selectors"]) == set(paths.SELECTORS)


def test_a_path_is_verified_before_use(stage: Stage) -> None:
    page = Page(stage.connect(stage.open(no_replay=1)))
    assert page.require("chartApi") == "window.TradingViewApi._activeChartWidgetWV.value()"
    with pytest.raises(PathMissing) as caught:
        page.require("replayApi")
    assert (caught.value.key, caught.value.expression) == ("replayApi", "window.TradingViewApi._replayApi")
    assert page.require("pineFacadeApi").startswith("https://pine-facade.")
