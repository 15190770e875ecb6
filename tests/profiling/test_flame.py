"""The page with the flame graph in a real Chromium: it answers to the pointer, to a choice and to a search."""

from dataclasses import replace
from pathlib import Path

from pinebench.profiling.full_profile import ScriptProfile
from pinebench.profiling.measurement import Stack
from pinebench.profiling.page import page
from pinebench.tradingview import browser
from tests.docs.browsing import Reader
from tests.profiling.test_report import TOLD
from tests.tradingview.support import LIMIT, patience

BARS = "[...document.querySelectorAll('#flame button')]"
LEGEND = "document.getElementById('legend').textContent"


def labels(reader: Reader) -> list[str]:
    return reader.js(f"{BARS}.map((bar) => bar.textContent)")


def test_the_flame_graph_answers_to_a_person(chromium: browser.RunningBrowser, tmp_path: Path) -> None:
    narrow = Stack(("main", "tiny"), 1, 0.000001)  # too narrow to be drawn
    path = tmp_path / "flame.html"
    path.write_text(page(ScriptProfile(replace(TOLD, stacks=[*TOLD.stacks, narrow]), [], []), "my.pine"), "utf-8")
    with patience():
        reader = Reader(chromium)
        try:
            reader.open(path.as_uri())
            whole = labels(reader)
            assert whole[:2] == ["all", "main"] and "f" in whole and "tiny" not in whole
            assert reader.js("document.getElementById('flame').clientHeight") < 4 * 22 + 5  # four rows of bars
            place = reader.js(
                f"(({{x, y}}) => [x + 9, y + 9])({BARS}.find((bar) => bar.textContent === 'f').getBoundingClientRect())"
            )
            pointer = {"x": place[0], "y": place[1], "button": "left", "clickCount": 1}
            reader.tab.request("Input.dispatchMouseEvent", {"type": "mouseMoved", **pointer, "button": "none"}, LIMIT)
            reader.until(f"{LEGEND} === 'f: 3 ms, 33.3 %'")
            for kind in ("mousePressed", "mouseReleased"):
                reader.tab.request("Input.dispatchMouseEvent", {"type": kind, **pointer}, LIMIT)
            reader.until(f"{BARS}.length === 2")
            assert labels(reader)[0] == "f" and reader.js(f"{BARS}[0].style.width") == "100%"
            key = {"key": "Escape", "code": "Escape", "windowsVirtualKeyCode": 27}
            reader.tab.request("Input.dispatchKeyEvent", {"type": "keyDown", **key}, LIMIT)
            reader.until(f"{BARS}.length === {len(whole)}")
            reader.js("document.getElementById('search').focus()")
            reader.tab.request("Input.insertText", {"text": "RUNTIME"}, LIMIT)
            reader.until("document.getElementById('found').textContent === '3 ms, 33.3 % of the time'")
            assert reader.js("[...document.querySelectorAll('#flame .found')].map((bar) => bar.textContent)") == [
                "the runtime"
            ]
            assert reader.js("[...document.querySelectorAll('#lines tbody tr')].every((row) => row.hidden)")
            assert reader.violations() == []
            reader.prefer("dark")
            reader.resize(390, 844)
            assert reader.violations() == []
            assert reader.js("document.documentElement.scrollWidth") == 390
            assert reader.faults == [] and all(each.startswith("file:") for each in reader.asked)
        finally:
            reader.close()
