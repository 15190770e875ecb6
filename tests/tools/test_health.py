"""Tools that say what is there."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import pinebench
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.tool_calls import call
from tests.studio.support import Tabs
from tests.tools.conftest import Bench


def test_health_names_the_page_and_what_it_shows(use: Any, bench: Bench) -> None:
    found = use("tv_health_check")
    assert found["cdp_connected"]
    assert found["origin"] == "studio"
    assert found["target_id"] == bench.driver.tab
    assert found["chart_symbol"] == bench.js("TradingViewApi._activeChartWidgetWV.value().symbol()")
    assert found["chart_type"] == 1
    assert found["api_available"]
    assert "Chrom" in found["browser"] or "HeadlessChrome" in found["browser"]


def test_discover_lists_what_is_really_there(use: Any) -> None:
    found = use("tv_discover")
    assert found["apis_total"] == len(found["apis"])
    assert found["apis_available"] == sum(api["available"] for api in found["apis"].values())
    assert "setSymbol" in found["apis"]["chartApi"]["methods"]
    assert not found["apis"]["globalMonaco"]["available"]


def test_ui_state_sees_panels_open_and_close(use: Any, bench: Bench) -> None:
    before = use("tv_ui_state")
    assert before["bottom_panel"]["open"]
    assert before["pine_editor"]["open"]
    assert before["chart"]["symbol"] == "NASDAQ:AAPL"
    assert any(button["label"] == "Add symbol" for group in before["buttons"].values() for button in group)
    bench.js("TradingView.bottomWidgetBar.close()")
    bench.driver.until("!document.querySelector('.monaco-editor')")
    assert not use("tv_ui_state")["pine_editor"]["open"]
    bench.js("TradingView.bottomWidgetBar.activateScriptEditorTab()")


def test_targets_are_listed_and_switched(use: Any, bench: Bench) -> None:
    tabs = Tabs(bench.driver.port, bench.session)
    try:
        other = tabs("Zp7wLc2r/")
        listed = {each["id"]: each for each in use("target_list")["targets"]}
        assert listed[bench.driver.tab]["current"]
        assert listed[other.tab]["chart_id"] == "Zp7wLc2r"
        assert use("tv_health_check", target=other.tab)["chart_symbol"] == "BINANCE:BTCUSDT"
        assert use("tv_health_check")["chart_symbol"] == "NASDAQ:AAPL"
        switched = use("target_switch", target="Zp7wLc2r")
        assert switched["verified"]
        assert switched["target_id"] == other.tab
        assert use("tv_health_check")["chart_symbol"] == "BINANCE:BTCUSDT"
    finally:
        use("target_switch", target=bench.driver.tab)
        tabs.close()
    assert "not open" in bench.refused("target_switch", target="Zp7wLc2r")


def test_launch_ends_nothing_and_takes_what_runs(bench: Bench) -> None:
    assert "does not close programs" in bench.refused("tv_launch", kill_existing=True)
    found = bench.use("tv_launch", port=bench.driver.port)
    assert found["started"] is False
    assert found["cdp_port"] == bench.driver.port


PROGRAMS = (
    *(
        "{program}",
        "./tradingview",
        "tradingview",
        "../tradingview",
        "~/tradingview",
        "file://{program}",
        "chrome;{program}",
    ),
    *("{program}\0chrome", "chrome/../{program}", "sh", "python3", "", "$SHELL"),
    *(["{program}"], {"path": "{program}"}, ["chrome", "--no-sandbox"], 0, True, "desktop --gpu-launcher={program}"),
)
"""What a caller could name as the browser, besides the names that are known."""
MORE = (
    *({"profile_dir": "/tmp/x"}, {"profile": "/tmp/x"}, {"path": "{program}"}, {"executable": "{program}"}),
    *(
        {"arguments": ["--gpu-launcher={program}"]},
        {"env": {"PINEBENCH_BROWSER": "{program}"}},
        {"port": "9222;{program}"},
    ),
)
"""Arguments that would choose a program or a folder under another name."""


def test_launch_starts_no_program_that_a_caller_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "tradingview"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/PWNED\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("pinebench.tradingview.browser.launch", lambda *given, **_: pytest.fail(f"launched {given}"))
    for given in [*({"browser": each} for each in PROGRAMS), *MORE]:
        named = json.loads(json.dumps(given).replace("{program}", str(program)))
        told = call(ChartBrowser(port=9), "tv_launch", {"port": 9, **named})
        assert told["success"] is False, named
        assert next(iter(named)) in told["error"], told
    assert [each.name for each in tmp_path.iterdir()] == ["tradingview"]


def test_no_tool_has_the_means_to_start_a_program() -> None:
    """Tools reach programs only through the rooms below, which take names and no paths of a caller."""
    means = re.compile(r"\b(?:subprocess|Popen|os\.(?:system|exec\w+|spawn\w+|posix_spawn\w*|startfile)|pty\.spawn)\b")
    root = Path(pinebench.__file__).parent
    found = [
        f"{path.relative_to(root)}: {each[0]}"
        for room in ("tools", "mcp", "agent", "authoring", "tv.py", "engine", "sweeps", "skills", "services", "linter")
        for path in ([root / room] if room.endswith(".py") else sorted((root / room).rglob("*.py")))
        if "plugin_files" not in path.parts
        for each in means.finditer(path.read_text(encoding="utf-8"))
    ]
    assert found == []
