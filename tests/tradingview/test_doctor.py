"""The doctor's report."""

from typing import Any

import pytest

from pinebench.tradingview import page_internals
from pinebench.tradingview.doctor import Check, DoctorReport, examine
from pinebench.tradingview.endpoint import Endpoint
from tests.tradingview.support import LIMIT, Stage, until


def examined(stage: Stage, **faults: Any) -> DoctorReport:
    tab = stage.open(**faults)
    return examine(Endpoint("127.0.0.1", stage.port, tab.target.id))


def line(report: DoctorReport, area: str, name: str | None = None) -> Check:
    return next(check for check in report.checks if check.area == area and name in (None, check.name))


def test_a_good_page_has_no_failing_line(stage: Stage) -> None:
    report = examined(stage)
    assert report.ok, [check for check in report.checks if check.state == "failed"]
    assert {check.name for check in report.checks if check.area == "paths"} == {
        *page_internals.PATHS,
        *page_internals.SERVICES,
    }
    assert {check.name for check in report.checks if check.area == "selectors"} == set(page_internals.SELECTORS)
    assert "value.monacoEnv, 3 parent nodes and 11 React fibers away" in line(report, "editor").detail
    assert line(report, "log-in").state == "ok"
    assert len([check for check in report.checks if check.area == "versions"]) == 1 + len(page_internals.TESTED)
    assert report.as_data()["ok"] is True


@pytest.mark.parametrize(
    ("faults", "area"),
    [({"logged_out": 1}, "log-in"), ({"disconnected": 1}, "dialogs"), ({"reach": "none", "no_bar": 1}, "editor")],
)
def test_each_failing_line_says_what_to_do(
    stage: Stage, faults: dict[str, Any], area: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pinebench.tradingview.editor.OPEN_TIMEOUT", 0.5)
    report = examined(stage, **faults)
    failed = [check for check in report.checks if check.state == "failed"]
    assert [check.area for check in failed] == [area]
    assert all(check.advice for check in failed)
    assert not report.ok


def test_a_missing_path_is_named(stage: Stage) -> None:
    tab = stage.open()
    stage.value(tab, "void (TradingViewApi._activeChartWidgetWV = undefined)")
    report = examine(Endpoint("127.0.0.1", stage.port, tab.target.id))
    assert {check.name for check in report.checks if check.state == "failed"} == {"chartApi", "mainSeriesBars"}


def test_no_browser_is_said() -> None:
    report = examine(Endpoint("127.0.0.1", 1))
    failed = line(report, "port")
    assert failed.state == "failed" and "pinebench launch" in str(failed.advice)


def test_a_page_that_is_no_chart_is_said(stage: Stage) -> None:
    tab = stage.open("https://www.tradingview.com/news/", body="<title>news</title>")
    failed = line(examine(Endpoint("127.0.0.1", stage.port, tab.target.id)), "page")
    assert failed.state == "failed" and "without a chart" in failed.detail


def test_a_remote_host_is_refused_without_a_word() -> None:
    report = examine(Endpoint("192.0.2.1", 9222))
    assert not report.ok


def test_the_page_stays_as_it_was(stage: Stage) -> None:
    tab = stage.open(closed=1)
    report = examine(Endpoint("127.0.0.1", stage.port, tab.target.id))
    assert report.ok and line(report, "editor").state == "note"
    assert stage.value(tab, "live === null")


def test_a_dialog_of_the_browser_stays_open(stage: Stage) -> None:
    tab = stage.open()
    stage.value(tab, "void setTimeout(() => { window.chosen = confirm('Delete the drawing?'); }, 0)")
    failed = line(examine(Endpoint("127.0.0.1", stage.port, tab.target.id)), "page")
    assert failed.state == "failed" and "answer its dialog" in str(failed.advice)
    tab.request("Page.handleJavaScriptDialog", {"accept": True}, LIMIT)  # fails where nothing is open any more
    until(lambda: stage.value(tab, "window.chosen") is True)


def test_nodes_are_counted_once_and_by_each_selector(stage: Stage) -> None:
    tab = stage.open(closed=1)
    stage.value(
        tab,
        "document.body.insertAdjacentHTML('beforeend', `<b data-name=pine-dialog-button aria-label=Pine></b>"
        "<i aria-label=Pine hidden></i><i aria-label='Pine Editor'></i>`)",
    )
    said = line(examine(Endpoint("127.0.0.1", stage.port, tab.target.id)), "selectors", "editorOpener").detail
    assert said == (
        '4 nodes, 1 visible: 2 by [data-name="pine-dialog-button"], 3 by [aria-label="Pine"], '
        '1 by [aria-label="Pine Editor"]'
    )
