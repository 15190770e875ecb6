"""Another symbol over the chart: the study has it, or nothing stays on the chart."""

from collections.abc import Iterator

import pytest

from tests.studio.support import CHART
from tests.tools.conftest import Bench


def _studies(bench: Bench) -> list[str]:
    return [each["id"] for each in bench.js(f"{CHART}.getAllStudies()")]


@pytest.fixture(autouse=True)
def calm(bench: Bench) -> Iterator[None]:
    """The page in front, and without switches after the test."""
    bench.driver.page.bring_to_front()
    reset = bench.js("JSON.stringify(window.__studioFaults)")
    yield
    bench.js(f"void Object.assign(window.__studioFaults, {reset})")


def test_another_symbol_is_drawn_over_the_chart(bench: Bench) -> None:
    for faults in ({}, {"fragileInputs": True}, {"crosshairValues": True}):
        bench.driver.set(**faults)
        told = bench.use("chart_compare", symbol="nvda")
        assert (told["symbol"], told["computed"], told["verified"]) == ("NASDAQ:NVDA", True, True)
        inputs = bench.js(f"{CHART}.getStudyById('{told['entity_id']}').getInputValues()")
        assert "NASDAQ:NVDA" in [each["value"] for each in inputs]
        last = bench.js(
            f"{CHART}._chartWidget.model().model().dataSources().find((one) => one.id() === '{told['entity_id']}')"
            "._lastBarValues.Close"
        )
        assert last == pytest.approx(138.6, rel=0.01)
        bench.use("chart_manage_indicator", action="remove", entity_id=told["entity_id"])


def test_nothing_stays_of_a_comparison_that_the_page_refuses(bench: Bench) -> None:
    before = _studies(bench)
    assert "no such symbol" in bench.refused("chart_compare", symbol="NASDAQ:NOTHING")
    assert "already shows NASDAQ:AAPL" in bench.refused("chart_compare", symbol="AAPL")
    bench.driver.set(refusedStudies=True)
    assert "added no study for comparisons" in bench.refused("chart_compare", symbol="NASDAQ:NVDA")
    assert _studies(bench) == before
