"""`from pinebench import tv`: every tool as a function."""

from __future__ import annotations

import pytest

from pinebench import tv
from pinebench.errors import PinebenchError
from pinebench.tools import registry
from pinebench.tools.calling import call
from pinebench.tools.desk import Desk


def test_every_tool_is_a_function_and_gives_its_result() -> None:
    assert set(registry.tools()) <= set(dir(tv))
    found = tv.template_search(query="ema ribbon", limit=1)
    told = call(Desk(port=9), "template_search", {"query": "ema ribbon", "limit": 1})
    assert {"success": True, **found} == told


def test_a_failure_is_an_exception_with_a_hint() -> None:
    with tv.connect(port=9) as chart, pytest.raises(PinebenchError, match="nothing listens") as failed:
        chart.quote_get()
    assert failed.value.hint
    with pytest.raises(PinebenchError, match="limit must be a finite number, got: abc"):
        tv.template_search(query="x", limit="abc")


def test_what_is_no_tool_is_no_attribute() -> None:
    with pytest.raises(AttributeError):
        tv.no_such_tool  # noqa: B018
    with pytest.raises(AttributeError):
        tv.connect().no_such_tool  # noqa: B018


def test_what_a_tool_takes_is_given_by_name() -> None:
    with pytest.raises(TypeError, match="positional"):
        tv.template_search("ema")
