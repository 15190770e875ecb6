"""The steps of skills that need a chart go well on a page, called as the skills write them."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pinebench.tools import registry
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.tool_calls import call
from pinebench.tradingview import browser
from tests.skills.test_promises import STEPS
from tests.studio.support import Tabs, studio_session
from tests.tools.test_audit import STRATEGY

PREPARED: list[tuple[str, dict[str, Any]]] = [
    ("pine_set_source", {"source": STRATEGY}),
    ("pine_smart_compile", {}),
    ("ui_open_panel", {"panel": "trading", "action": "open"}),
]
"""What a person has on the chart: a strategy, and the panel with the order book."""


@pytest.fixture(scope="module")
def chart(chromium: browser.RunningBrowser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChartBrowser]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PINEBENCH_STATE_DIR", str(tmp_path_factory.mktemp("state")))
        with studio_session() as session:
            tabs = Tabs(chromium.port, session)
            driver = tabs()
            with ChartBrowser(port=driver.port, target=driver.tab) as made:
                yield made
            tabs.close()


def needs_a_chart(tool: str, arguments: dict[str, Any]) -> bool:
    return registry.tools()[tool].needs.page or "chart" in arguments.values()


def write_rules(chart: ChartBrowser) -> None:
    """Write the rules for a brief where, and as, the tool says."""
    told = call(chart, "morning_brief", {})
    place = re.search(r"no file with rules at (.+)$", told["error"])
    example = re.search(r"for example: (.+)$", told["hint"])
    assert place is not None and example is not None, told
    Path(place[1]).write_text(example[1], encoding="utf-8")


def test_every_step_that_needs_a_chart_goes_well_on_a_page(chart: ChartBrowser) -> None:
    for tool, arguments in PREPARED:
        told = call(chart, tool, arguments)
        assert told["success"], (tool, told)
    write_rules(chart)
    wrong: list[tuple[str, int, str, Any]] = []
    walked: set[str] = set()
    for name, by_step in STEPS.items():
        for number, calls in by_step.items():
            for tool, arguments in calls:
                if needs_a_chart(tool, arguments):
                    walked.add(tool)
                    told = call(chart, tool, {} if "rules" in arguments else arguments)
                    if not told["success"]:
                        wrong.append((name, number, tool, told))
    assert wrong == []
    assert call(chart, "brief_get", {})["success"]
    assert {"chart_get_state", "quote_get", "depth_get", "data_get_trades", "pine_smart_compile"} <= walked
