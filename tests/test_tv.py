"""`from pinebench import tv`: every tool as a function."""

import subprocess
import sys

import pytest

from pinebench import tv
from pinebench.errors import PinebenchError
from pinebench.tools import registry
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.tool_calls import call


def test_every_tool_is_a_function_and_gives_its_result() -> None:
    assert set(registry.tools()) <= set(dir(tv))
    found = tv.template_search(query="ema ribbon", limit=1)
    told = call(ChartBrowser(port=9), "template_search", {"query": "ema ribbon", "limit": 1})
    assert {"success": True, **found} == told


def test_a_failure_is_an_exception_with_a_hint() -> None:
    with tv.connect(port=9) as chart, pytest.raises(PinebenchError, match="no program listens") as failed:
        chart.quote_get()
    assert failed.value.hint
    with pytest.raises(PinebenchError, match="limit must be a finite number, got: abc"):
        tv.template_search(query="x", limit="abc")


def test_a_program_that_does_not_catch_a_failure_ends_with_its_hint() -> None:
    program = "from pinebench import tv\nwith tv.connect(port=9, wait=False) as chart:\n    chart.quote_get()\n"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("pinebench: CDP connection failed: no program listens at 127.0.0.1:9")
    assert "(start a browser with 'pinebench launch'" in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_what_is_no_tool_is_no_attribute() -> None:
    with pytest.raises(AttributeError):
        tv.no_such_tool  # noqa: B018
    with pytest.raises(AttributeError):
        tv.connect().no_such_tool  # noqa: B018


def test_what_a_tool_takes_is_given_by_name() -> None:
    with pytest.raises(TypeError, match="positional"):
        tv.template_search("ema")
