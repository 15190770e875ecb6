"""Each tab of a study's settings changes what is seen: inputs, style and visibility, by the pixels of its line."""

from collections.abc import Callable, Iterator

import pytest

from tests.studio.gallery.drawing import hide_panel, settled, shot
from tests.studio.support import CHART, Driver, away
from tests.studio.test_desk import DIALOG, add, ok, open_tab, put, size
from tests.studio.test_drawn import places

SCRIPT = """//@version=6
indicator("Seen", overlay = true)
length = input.int(5, "Length")
shown = input.bool(true, "Shown")
ink = input.color(#FF00AA, "Ink")
source = input.source(close, "Source")
side = input.string("at", "Side", options = ["at", "above"])
moved = input.float(0.0, "Moved", step = 0.5)
plot(shown ? ta.sma(source, length) + moved + (side == "above" ? 10 : 0) : na, "Line", ink, 3)
"""
PINK, SKY = (255, 0, 170), (0, 192, 255)
Seen = Callable[..., list[tuple[int, int]]]


@pytest.fixture
def seen(shared: Driver) -> Iterator[Seen]:
    """Where the study's line is seen, in a colour; the study alone is on the chart."""
    size(shared, 1440, 900)
    shared.js(f"{CHART}.removeAllStudies()")
    add(shared, SCRIPT)
    hide_panel(shared)

    def found(color: tuple[int, int, int] = PINK) -> list[tuple[int, int]]:
        settled(shared)
        away(shared)
        return places(shot(shared, '[data-name="pane-canvas"]'), color)

    yield found
    shared.js("document.querySelector('[role=dialog] [aria-label=Close]')?.click(), 1")
    shared.js(f"{CHART}.removeAllStudies()")


def change(page: Driver, tab: str, selector: str, value: str | None) -> None:
    """Change one field of a tab and take the settings over; a box is clicked."""
    open_tab(page, tab)
    if value is None:
        page.js(f"{DIALOG}.querySelector({selector!r}).click(), 1")
    else:
        put(page, selector, value)
    ok(page)


@pytest.mark.parametrize(("field", "value"), [("in_0", "80"), ("in_3", "high"), ("in_4", "above"), ("in_5", "7.5")])
def test_an_input_moves_the_line(shared: Driver, seen: Seen, field: str, value: str) -> None:
    before = set(seen())
    assert len(before) > 300
    change(shared, "Inputs", f"[name={field}]", value)
    after = set(seen())
    assert len(after) > 300
    assert len(before & after) < 0.7 * len(before)


def test_boxes_and_colours_are_seen(shared: Driver, seen: Seen) -> None:
    change(shared, "Inputs", "[name=in_2]", "#00c0ff")
    assert not seen()
    assert len(seen(SKY)) > 300
    change(shared, "Inputs", "[name=in_1]", None)
    assert not seen(SKY)


def test_style_and_visibility_are_seen(shared: Driver, seen: Seen) -> None:
    wide = len(seen())
    change(shared, "Style", "[data-style='plot 1'] select", "1")
    assert len(seen()) < 0.7 * wide
    change(shared, "Style", "[data-style='plot 1'] input[type=color]", "#00c0ff")
    assert not seen()
    assert seen(SKY)
    change(shared, "Style", "[data-style='plot 1'] input[type=checkbox]", None)
    assert not seen(SKY)
    change(shared, "Style", "[data-style='plot 1'] input[type=checkbox]", None)
    assert seen(SKY)
    change(shared, "Visibility", "[name=Days]", None)
    assert not seen(SKY)


def test_the_style_tab_has_the_plots_that_the_script_lets_edit(shared: Driver, seen: Seen) -> None:
    seen()
    shared.js(f"{CHART}.removeAllStudies()")
    add(shared, "//@version=6\nindicator('Two')\nplot(open, editable = false)\nplot(close, 'Mine')\nbgcolor(na)\n")
    hide_panel(shared)
    open_tab(shared, "Style")
    listed = f"[...{DIALOG}.querySelectorAll('[data-style]')].map((node) => node.dataset.style).join()"
    shared.until(f"{listed} === 'plot 2,bgcolor 1'")
