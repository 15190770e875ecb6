"""The answers about every indicator in all formats, on no bar and on thousands: their shape, and numbers of JSON."""

import json
from typing import Any

import jsonschema
import pytest

from pinebench.indicators import ALL, Indicator, PayloadBars, asked, compute, find, indicator_runs, series, summary
from pinebench.tools import tool_calls
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.workers.dispatch import execute
from pinebench.workers.request import Request
from tests.indicators.sample import HOUR, sample
from tests.indicators.schemas import SERIES, SERIES_OF_ONE, SUMMARY, SUMMARY_OF_ONE, lists

pytestmark = pytest.mark.soak

SUMMARIES, ALL_SERIES, ONE_SUMMARY, ONE_SERIES = map(
    jsonschema.Draft202012Validator, (SUMMARY, SERIES, SUMMARY_OF_ONE, SERIES_OF_ONE)
)
MANY = 1000
COUNTS = (0, 1, 2, 5, 200, 5000)


@pytest.fixture(autouse=True)
def each_run_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a script once for all formats of an answer: the run does not depend on the format."""
    known: dict[Any, Any] = {}

    def run_once(request: Request, **more: Any) -> Any:
        key = (request.source, len(request.bars), tuple(sorted(request.inputs.items())), request.look)
        if key not in known:
            known[key] = execute(request, **more)
        return known[key]

    monkeypatch.setattr(indicator_runs, "execute", run_once)


def has_dialect(one: Indicator) -> bool:
    """Whether the other dialect of an indicator is another script, or has other inputs."""
    usual, other = asked([one.name])[0], asked([one.name], "chartgen")[0]
    return (usual.source, usual.inputs) != (other.source, other.inputs)


CASES = [(one.name, compat) for one in ALL for compat in (None, "chartgen") if not compat or has_dialect(one)]


@pytest.mark.parametrize(("name", "compat"), CASES)
def test_shapes_by_the_number_of_bars(name: str, compat: str | None) -> None:
    for count in COUNTS:
        given = sample(count)
        runs = [compute(one, given, HOUR) for one in asked([name], compat)]
        priced = PayloadBars("X:TEST", "60", given)
        first, second = (json.loads(json.dumps(each(priced, runs), allow_nan=False)) for each in (summary, series))
        SUMMARIES.validate(first)
        one = second["indicators"][name]
        assert {each["label"] for each in one.get("signals", ())} <= set(find(name).signals)
        if count > MANY:  # the schema of so many values takes long
            assert {type(value) for values in lists(one) for value in values} <= {int, float, type(None)}
        else:
            ALL_SERIES.validate(second)
        assert all(len(values) == count for values in lists(second["indicators"][name]))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[int, str]:
    folder = tmp_path_factory.mktemp("bars")
    found: dict[int, str] = {}
    for count in COUNTS:
        path = folder / f"X_TEST{count}_60.csv"
        rows = (",".join(map(str, row)) for row in zip(*sample(count).columns(), strict=True))
        path.write_text("time,open,high,low,close,volume\n" + "\n".join(rows) + "\n", encoding="utf-8")
        found[count] = str(path)
    return found


@pytest.mark.parametrize("name", [one.name for one in ALL])
def test_every_format_by_the_tool(name: str, files: dict[int, str]) -> None:
    desk = ChartBrowser()
    for count, form in ((count, form) for count in COUNTS for form in ("png", "summary", "both", "series")):
        arguments: dict[str, Any] = {"data": files[count], "indicators": [name, "rsi"], "format": form, "bars": 5000}
        done = tool_calls.answer(desk, "generate_chart", {**arguments, "width": 640, "height": 480})
        json.dumps(done.result, allow_nan=False)
        assert done.result["success"] is bool(count), done.result
        if not count:
            assert "has no bars" in done.result["error"]
            continue
        assert bool(done.images) is (form in ("png", "both"))
        told = done.result.get("indicators", {})
        wanted = [name, "rsi"] if name != "rsi" else ["rsi", "rsi_2"]
        assert list(told) == (wanted if form != "png" else [])
        for one in told.values() if count <= MANY else ():
            (ONE_SERIES if form == "series" else ONE_SUMMARY).validate(one)
