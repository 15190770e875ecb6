"""The page of a chart: one file that loads nothing, whose foreign texts stay texts, and that answers to a person."""

import html
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pinebench.charts import ChartDescription, FillMark, as_html, picture, require_page, view_of
from pinebench.checker import open_program
from pinebench.errors import UnavailableError
from pinebench.files import resources
from pinebench.market.bars import SymbolInfo
from pinebench.runtime.runtime import Runtime
from tests.charts.viewing import Viewer
from tests.runtime.running import bars_of

EVIL = "</script><script>window.evil = 1</script><img src=x onerror='window.evil = 1'>"
SCRIPT = f'''//@version=6
indicator("{EVIL}")
plot(close, "{EVIL}")
plot(close * 2, "Twice", color = color.red)
if barstate.islast
    label.new(bar_index, close, "{EVIL}", tooltip = "{EVIL}", force_overlay = true)
    table.new(position.top_right, 1, 1).cell(0, 0, "{EVIL}", tooltip = "%SCRIPT%")
'''
ADDRESS = re.compile(r"https?://[\w./-]+")
NAMED = {"https://www.tradingview.com/", "https://www.apache.org/licenses/LICENSE-2.0", "http://www.w3.org/2000/svg"}
"""The addresses that the library names in its licence and in a link that is not shown, and a name space of XML."""


def described(
    source: str = SCRIPT, count: int = 60, first: int | None = None, last: int | None = None, **symbol: Any
) -> ChartDescription:
    program, bars = open_program(source), bars_of([10.0 + (bar * 7 % 13) for bar in range(count)])
    info = SymbolInfo(**{"timeframe": "15", "symbol": EVIL, **symbol})
    result = Runtime(program, bars, info).run()
    assert result.error is None
    fills = [FillMark(count - 9, 12.0, 1, EVIL), FillMark(count - 4, 12.0, -1, "out")]
    return picture(result, bars, info, view_of(program, first, last), fills)


@pytest.mark.live
def test_foreign_texts_are_only_data() -> None:
    page = as_html(described())
    assert "<img src=x" not in page and page.count("<script") == 2 and page.count("</script>") == 2
    title, data = html.escape(EVIL), EVIL.replace("<", "\\u003c")
    assert page.count("evil") == 2 * (page.count(title) + page.count(data)) and page.count(data) > 5
    assert "default-src 'none'" in page


@pytest.mark.live
def test_a_page_names_no_address_but_those_of_its_licence() -> None:
    page = as_html(described())
    assert {found.split("?")[0] for found in ADDRESS.findall(page)} <= NAMED
    assert "Licensed under Apache License 2.0" in page and "TradingView Lightweight Charts" in page


def test_without_the_built_page_one_sentence_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "_PACKAGE", str(tmp_path))
    with pytest.raises(UnavailableError, match=r"the chart page is not built: chart\.css is missing") as caught:
        require_page()
    assert "make page" in str(caught.value.hint)
    with pytest.raises(UnavailableError):
        as_html(described())


def test_foreign_texts_run_nowhere_and_nothing_is_loaded(viewer: Viewer) -> None:
    viewer.show(described())
    assert viewer.js("typeof window.evil") == "undefined"
    assert viewer.js("document.title").startswith("</script><script>")
    assert viewer.js("document.querySelectorAll('img, link, iframe, a').length") == 0
    assert viewer.js("performance.getEntriesByType('resource').length") == 0
    assert viewer.js("fetch('http://127.0.0.1:9/').then(() => 'loaded', () => 'refused')") == "refused"
    assert EVIL in viewer.js("document.querySelectorAll('.legend')[1].textContent") or EVIL in viewer.js(
        "document.body.textContent"
    )


def legends(viewer: Viewer) -> str:
    return viewer.js("[...document.querySelectorAll('.legend div')].map((row) => row.textContent).join('|')")


def test_legends_have_the_values_under_the_crosshair_in_all_panes(viewer: Viewer) -> None:
    viewer.show(described(count=60))
    assert "C 20.00" in legends(viewer) and "Twice 40" in legends(viewer)
    box = viewer.js(
        "(({left, top}) => ({left, top}))(document.querySelector('#chart td:nth-child(2)').getBoundingClientRect())"
    )
    step = 20  # pixels of each of the 60 bars; what is left over has room for labels after the last bar
    viewer.move(box["left"] + 10.5 * step, box["top"] + 200)
    viewer.until("document.querySelector('.legend div').textContent.includes('C 15.00')")
    assert "Twice 30" in legends(viewer) and "Twice 40" not in legends(viewer)


def test_themes_scales_and_the_first_view_can_be_chosen(viewer: Viewer) -> None:
    viewer.show(described())
    grounds = [viewer.picture().getpixel((900, 80))]
    viewer.js("document.getElementById('theme').click()")
    viewer.until("document.documentElement.style.colorScheme === 'dark'")
    grounds.append(viewer.picture().getpixel((900, 80)))
    assert grounds == [(255, 255, 255), (0x0F, 0x13, 0x18)]
    before = viewer.picture().crop((0, 27, 1600, 900)).tobytes()
    viewer.js("document.getElementById('log').click()")
    assert viewer.js("document.getElementById('log').getAttribute('aria-pressed')") == "true"
    assert viewer.picture().crop((0, 27, 1600, 900)).tobytes() != before
    viewer.js("document.getElementById('log').click()")
    viewer.js("document.getElementById('reset').click()")
    assert viewer.picture().crop((0, 27, 1600, 900)).tobytes() == before


@pytest.mark.live
@pytest.mark.parametrize(
    ("zone", "name"),
    [("America/New_York", "America/New_York"), ("UTC+5:30", "+05:30"), ("GMT-4", "-04:00"), ("UTC", "Etc/UTC")],
)
def test_the_time_zone_is_named_as_browsers_know_it(zone: str, name: str) -> None:
    assert f'"zone":"{name}"' in as_html(described(timezone=zone))


@pytest.mark.live
def test_what_is_limited_to_the_last_bars_stays_there_when_later_bars_are_left_out() -> None:
    source = '//@version=6\nindicator("X")\nplot(close, show_last = 9)\n'
    page = as_html(described(source, count=60, first=20, last=55))
    assert '"show_last":4' in page and '"first":20,"last":55' in page


@pytest.mark.live
@pytest.mark.parametrize("count", [1, 2])
def test_few_bars_are_shown(viewer: Viewer, count: int) -> None:
    viewer.show(described(count=count))
    assert viewer.js("window.drawn")


@pytest.mark.live
def test_the_bars_of_a_short_test_fill_the_width(viewer: Viewer) -> None:
    chart = described(
        '//@version=6\nindicator("Short", overlay = true)\nplot(close, color = #123456, linewidth = 4)', 20
    )
    viewer.show(chart)
    seen = viewer.picture()
    data = seen.tobytes()
    columns = [k // 3 % seen.width for k in range(0, len(data), 3) if data[k : k + 3] == b"\x12\x34\x56"]
    assert min(columns) < seen.width * 0.1 and max(columns) > seen.width * 0.75


@pytest.mark.parametrize("scale", ["right", "left"])
def test_bars_are_as_wide_as_promised_in_a_narrow_window_with_labels_after_the_last_bar(
    viewer: Viewer, scale: str
) -> None:
    source = f"""//@version=6
indicator("N", overlay = true, scale = scale.{scale})
plot(bar_index, "N")
plot(close)
if barstate.islast
    label.new(bar_index + 40, close, "later")
"""
    chart = described(source, count=400)
    viewer.show(replace(chart, frame=replace(chart.frame, width=700)))
    box = viewer.js(
        "(({left, top}) => ({left, top}))(document.querySelector('#chart td:nth-child(2)').getBoundingClientRect())"
    )
    numbers: list[int] = []
    for x in (50, 350):
        viewer.move(box["left"] + x, box["top"] + 200)
        viewer.js("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found = re.search(r"N (\d+)", legends(viewer))
        assert found, legends(viewer)
        numbers.append(int(found[1]))
    assert 0 < (numbers[1] - numbers[0]) * 3 <= 303
