"""Every tool with the page gone, and a thousand calls in a row: an object comes back, whatever happens."""

import json
import random
import string
from typing import Any

import pytest

from pinebench.tools import registry
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.registry import Needs
from pinebench.tools.tool_calls import call
from pinebench.tradingview import browser, targets
from tests.tools.conftest import Bench
from tests.tools.test_registry import fitting
from tests.tradingview.support import until

TOOLS = registry.tools()
PAGES = [tool for tool in TOOLS.values() if tool.needs.page]


@pytest.fixture(scope="module")
def closed(chromium: browser.RunningBrowser) -> Any:
    """A `ChartBrowser` whose page was closed."""
    blank = targets.ask_browser("127.0.0.1", chromium.port, "/json/new?about:blank", "PUT")
    targets.ask_browser("127.0.0.1", chromium.port, f"/json/close/{blank['id']}")
    until(lambda: all(page.id != blank["id"] for page in targets.list_targets("127.0.0.1", chromium.port)))
    with ChartBrowser(port=chromium.port, target=blank["id"]) as chart_browser:
        yield chart_browser


@pytest.mark.parametrize("tool", PAGES, ids=lambda tool: tool.name)
def test_a_page_that_is_gone_is_named(closed: ChartBrowser, tool: registry.Tool) -> None:
    result = call(closed, tool.name, {name: fitting(tool, name) for name in tool.required})
    assert result["success"] is False
    assert "is not open" in result["error"], result
    assert result["hint"]


def anything(random_: random.Random) -> Any:
    """Some value that nobody asked for."""
    text = "".join(random_.choices(string.printable, k=random_.randrange(12)))
    values = [
        None,
        True,
        -1,
        0,
        1e308,
        float("nan"),
        float("inf"),
        text,
        [],
        [text],
        {},
        {"time": 1},
        "NASDAQ:MSFT",
        10**30,
    ]
    return random_.choice(values)


NEVER = {
    "tv_launch",
    "pine_write",
    "pine_check",
    "tab_new",
    "tab_close",
    "tab_switch",
    "target_switch",
    "ui_fullscreen",
}
"""Left out of the mixed calls: what starts browsers, asks services far away, or leaves the page."""


@pytest.mark.soak
def test_a_thousand_mixed_calls_leave_page_and_answers_whole(bench: Bench) -> None:
    random_ = random.Random(7)
    names = sorted(set(TOOLS) - NEVER - {"data_export_csv", "batch_run", "scan_symbols", "compare_symbols"})
    offline = [name for name in names if TOOLS[name].needs is Needs.NOTHING]
    reading = [name for name in names if TOOLS[name].needs.page and not TOOLS[name].changes]
    good = 0
    for number in range(1000):
        name = random_.choice(names if number % 10 else [*offline, *reading])
        tool = TOOLS[name]
        given: dict[str, Any] = {key: fitting(tool, key) for key in tool.required}
        valid = number % 4 == 0 and name in reading
        if not valid:
            # One argument is wrong or unknown, so that nothing of the page is touched by chance.
            key = random_.choice([*tool.arguments, "nonsense"])
            given[key] = anything(random_)
            if tool.changes:
                given["nonsense"] = 1
        result = call(bench.chart_browser, name, given)
        assert isinstance(result["success"], bool)
        assert ("error" in result) != result["success"]
        assert "internal error" not in result.get("error", ""), (name, given, result)
        json.dumps(result, allow_nan=False)
        good += result["success"]
    assert good > 50
    assert bench.use("tv_health_check")["chart_symbol"] == "NASDAQ:AAPL"
