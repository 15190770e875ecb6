"""The small pictures of scripts in the list of indicators."""

import json

import pytest

from pinebench.studio import pictures
from pinebench.studio.app import Studio
from pinebench.studio.pictures import NoPicture, Pictures
from pinebench.studio.web import Response, StudioRequest
from tests.studio.support import CHART, Driver

pytestmark = pytest.mark.live

RED_LINE = '//@version=6\nindicator("x", overlay = {overlay})\nplot({value}, color = #ff0000)\n'


@pytest.fixture(scope="module")
def studio() -> Studio:
    return Studio()


def ask(studio: Studio, path: str, headers: dict[str, str] | None = None, **query: str) -> Response:
    return studio.handle(StudioRequest("GET", "/studio/api/pictures/" + path, query, headers or {}))


def test_an_overlay_is_drawn_on_the_prices_and_other_scripts_are_not() -> None:
    made = [Pictures().of(RED_LINE.format(overlay=on, value="close"), dark=True).decode() for on in ("true", "false")]
    assert all('stroke="#ff0000"' in svg for svg in made)
    assert len(made[0]) > 3 * len(made[1]), "candles"


def test_a_picture_is_made_once_for_a_text_and_a_theme(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[str] = []
    execute = pictures.execute
    monkeypatch.setattr(
        pictures, "execute", lambda asked, wanted: (runs.append(asked.source), execute(asked, wanted))[1]
    )
    own, source = Pictures(), '//@version=6\nindicator("x")\nplot(close, color = chart.fg_color)\n'
    dark, again, light = (own.of(source, dark=on) for on in (True, True, False))
    assert len(runs) == 2
    assert dark == again != light, "chart.fg_color follows the theme"
    assert own.of(source.replace("close", "open"), dark=True) != dark
    assert len(runs) == 3


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ('//@version=6\nindicator("x")\n', "draws nothing"),
        ('//@version=6\nindicator("x")\nplot(closse)\n', "closse"),
        ('//@version=6\nindicator("x")\nruntime.error("not here")\nplot(close)\n', "not here"),
    ],
)
def test_a_script_without_a_picture_says_why(source: str, reason: str) -> None:
    own = Pictures()
    for _ in range(2):
        with pytest.raises(NoPicture, match=reason):
            own.of(source, dark=True)


def test_a_script_that_refuses_days_is_drawn_on_minutes() -> None:
    source = '//@version=6\nindicator("x")\nif timeframe.isdaily\n    runtime.error("minutes, please")\nplot(close)\n'
    assert b"<polyline" in Pictures().of(source, dark=True)


def test_the_answer_is_a_picture_that_the_browser_keeps(studio: Studio) -> None:
    first = ask(studio, "indicator/Bollinger Bands", dark="true")
    assert (first.status, first.content_type) == (200, "image/svg+xml")
    again = ask(studio, "indicator/Bollinger Bands", {"if-none-match": first.headers["ETag"]}, dark="true")
    assert (again.status, again.body) == (304, b"")
    assert ask(studio, "indicator/Bollinger Bands", dark="false").headers["ETag"] != first.headers["ETag"]


def test_a_saved_script_has_the_picture_of_its_newest_version(studio: Studio) -> None:
    kept = studio.store.create("Mine", RED_LINE.format(overlay="false", value="close"), "x", "indicator")
    before = ask(studio, f"script/{kept.id}").body
    studio.store.save(kept.id, RED_LINE.format(overlay="false", value="ta.rsi(close, 14)"), "x", "indicator")
    assert ask(studio, f"script/{kept.id}").body != before


@pytest.mark.parametrize("path", ["indicator/None such", "template/none", "script/USER;none"])
def test_an_unknown_script_has_none(studio: Studio, path: str) -> None:
    assert ask(studio, path).status == 404


def test_visitors_get_no_pictures(studio: Studio) -> None:
    asked = StudioRequest("GET", "/studio/api/pictures/script/USER;1", {}, {}, visitor=True)
    assert studio.handle(asked).status == 401


@pytest.mark.parametrize("kind", ["indicator", pytest.param("template", marks=pytest.mark.soak)])
def test_every_entry_of_the_list_has_a_picture(studio: Studio, kind: str) -> None:
    listed = json.loads(studio.handle(StudioRequest("GET", f"/studio/api/{kind}s")).body)
    names = [one["name"] if kind == "template" else one["metaInfo"]["description"] for one in listed]
    assert len(names) > 15
    assert {ask(studio, f"{kind}/{name}").status for name in names} == {200}


def test_the_rows_of_the_list_show_their_pictures(page: Driver) -> None:
    shown = "[...document.querySelectorAll('[data-name=\"row-picture\"]')].filter((one) => one.naturalWidth > 0)"
    asked = "performance.getEntriesByType('resource').filter(({name}) => name.includes('/pictures/')).length"
    assert page.js(asked) == 0, "the page does not wait for pictures when it opens"
    page.click('[data-name="open-indicators-dialog"]')
    page.until(f"{shown}.length >= 5")
    rows = page.js("document.querySelectorAll('[role=option]').length")
    assert page.js(asked) < rows / 2, "only the rows that can be seen"
    page.js("document.querySelector('.choices').scrollTop = 1e6, 1")
    page.until("document.querySelector('[role=option]:last-child img').naturalWidth > 0")
    assert page.js(f"{CHART}.getAllStudies().length") == 0
