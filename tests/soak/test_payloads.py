"""The answers about every indicator in all formats, on no bar and on thousands: their shape, and numbers of JSON."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from pinebench.indicators import ALL, Priced, asked, compute, find, series, summary
from pinebench.tools import calling
from pinebench.tools.chart_browser import ChartBrowser
from tests.indicators.sample import HOUR, sample
from tests.indicators.schemas import SERIES, SERIES_OF_ONE, SUMMARY, SUMMARY_OF_ONE, lists

pytestmark = pytest.mark.soak

SUMMARIES, ALL_SERIES = jsonschema.Draft202012Validator(SUMMARY), jsonschema.Draft202012Validator(SERIES)
MANY = 1000
COUNTS = (0, 1, 2, 5, 200, 5000)


@pytest.mark.parametrize("compat", [None, "chartgen"])
@pytest.mark.parametrize("name", [one.name for one in ALL])
def test_shapes_by_the_number_of_bars(name: str, compat: str | None) -> None:
    for count in COUNTS:
        given = sample(count)
        runs = [compute(one, given, HOUR) for one in asked([name], compat)]
        priced = Priced("X:TEST", "60", given)
        first, second = (json.loads(json.dumps(each(priced, runs), allow_nan=False)) for each in (summary, series))
        SUMMARIES.validate(first)
        one = second["indicators"][name]
        assert {each["label"] for each in one.get("signals", ())} <= set(find(name).signals)
        if count > MANY:  # the schema of so many values takes long
            assert all(value is None or isinstance(value, int | float) for values in lists(one) for value in values)
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


@pytest.mark.parametrize("form", ["png", "summary", "both", "series"])
@pytest.mark.parametrize("name", [one.name for one in ALL])
def test_every_format_by_the_tool(name: str, form: str, files: dict[int, str]) -> None:
    desk = ChartBrowser()
    for count in COUNTS:
        arguments: dict[str, Any] = {"data": files[count], "indicators": [name, "rsi"], "format": form, "bars": 5000}
        done = calling.answer(desk, "generate_chart", {**arguments, "width": 640, "height": 480})
        json.dumps(done.result, allow_nan=False)
        assert done.result["success"] is bool(count), done.result
        if not count:
            assert "has no bars" in done.result["error"]
            continue
        assert bool(done.images) is (form in ("png", "both"))
        told = done.result.get("indicators", {})
        assert list(told) == (
            [name, "rsi"] if form != "png" and name != "rsi" else ["rsi", "rsi_2"][: 2 * (form != "png")]
        )
        for one in told.values() if count <= MANY else ():
            jsonschema.validate(one, SERIES_OF_ONE if form == "series" else SUMMARY_OF_ONE)
