"""The strategy builder as a tool: what it lists is what it builds from."""

from typing import Any

import pytest

from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.tool_calls import call
from tests.tools.offline import use


def test_modules_and_presets_are_listed_and_build() -> None:
    every = use("strategy_modules")
    assert every["count"] == len(every["modules"]) == 23
    assert {each["kind"] for each in use("strategy_modules", kind="exit")["modules"]} == {"exit"}
    fast = next(one for each in every["modules"] for one in each["settings"] if one["name"] == "ema_cross.fast")
    assert (fast["type"], fast["default"], fast["least"], fast["most"]) == ("int", 9, 1, 500)
    presets = use("strategy_presets")
    assert presets["count"] == 5
    for preset in presets["presets"]:
        built = use("strategy_build", preset=preset["name"])
        assert (built["entries"], built["exit"]) == (preset["entries"], preset["exit"])
        assert (built["passes_check"], built["issue_count"]) == (True, 0)


def test_what_is_named_counts_before_the_preset() -> None:
    built = use(
        "strategy_build",
        preset="trend_following",
        entries=["macd_signal", "supertrend"],
        filters=[],
        sizing="kelly",
        direction="long",
        title="Mine",
        settings={"macd_signal.fast": 5},
    )
    assert (built["entries"], built["filters"], built["exit"]) == (["macd_signal", "supertrend"], [], "chandelier_exit")
    assert built["settings"] == {"macd_signal.fast": 5}
    assert 'strategy("Mine"' in built["source"]
    assert 'input.int(5, "MACD fast"' in built["source"]
    assert 'input.bool(false, "Short trades"' in built["source"]
    assert built["line_count"] == built["source"].count("\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "a strategy needs an entry"),
        ({"preset": "x"}, "there is no preset 'x'"),
        ({"entries": ["ema_cross"], "settings": {"ema_cross.fast": "abc"}}, "must be a finite number, got: abc"),
    ],
)
def test_what_cannot_be_built_is_refused_in_words(arguments: dict[str, Any], words: str) -> None:
    result = call(ChartBrowser(port=9), "strategy_build", arguments)
    assert words in result["error"] and result["hint" if "settings" not in arguments else "error"]
