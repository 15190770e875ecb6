"""All renderers draw the same picture, within a tolerance: indicators, and every style and drawing of Pine.

The tolerance is the share of drawn pixels that may have no pixel of their colour beside them in the other picture
(`viewing.distance`). It holds for the areas of plots without legends and without the grid, whose heights each renderer
chooses, and leaves room for letters.
"""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from pinebench.charts import THEMES, ChartDescription
from pinebench.indicators import ALL, asked, compute, draw, load
from tests.charts.viewing import Viewer, distance, pictures
from tests.studio.gallery import drawing
from tests.studio.gallery.scripts import INTRADAY, SCRIPTS
from tests.studio.test_gallery import SEEN

NEAR = {"svg": 0.05, "html": 0.05}
"""How far an SVG and a page may be from the PNG."""
FEEDS = {one.name for one in ALL if one.kind == "external" and one.name != "cvd"}
INDICATORS = [one.name for one in ALL if one.name not in FEEDS]
FEW = ("ichimoku", "session_vp")
COMPUTED = [*filter(json.loads(SEEN.read_text()).__contains__, SCRIPTS)]
"""The scripts of the gallery without those that need a library or data that are not there: they are not drawn."""
FEW_SCRIPTS = ("shape_labels", "box_text", "table_cells", "strategy")


@pytest.fixture(autouse=True)
def without_grid(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, theme in THEMES.items():
        monkeypatch.setitem(THEMES, name, replace(theme, grid=theme.background))


def of_indicators(*names: str, theme: str = "light") -> ChartDescription:
    loaded = load("sample:BTCUSDT", "4h", 120)
    runs = [compute(one, loaded.bars, loaded.symbol, loaded.shown, loaded.others) for one in asked(names)]
    return draw(loaded, runs, 1000, 600, theme=theme)


def of_script(name: str) -> ChartDescription:
    return drawing.chart(SCRIPTS[name], "15" if name in INTRADAY else "1D")


def far(viewer: Viewer, chart: ChartDescription) -> dict[str, float]:
    """How far the other renderers are from the PNG, where it is more than allowed."""
    drawn = pictures(viewer, chart)
    found = {kind: distance(drawn["png"], drawn[kind], chart) for kind in NEAR}
    return {kind: value for kind, value in found.items() if value >= NEAR[kind]}


@pytest.mark.parametrize(
    ("of", "name"), [*((of_indicators, one) for one in FEW), *((of_script, one) for one in FEW_SCRIPTS)]
)
def test_all_renderers_draw_the_same(viewer: Viewer, of: Callable[[str], ChartDescription], name: str) -> None:
    assert not far(viewer, of(name))


@pytest.mark.soak
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", INDICATORS)
def test_all_renderers_draw_every_indicator_the_same(viewer: Viewer, name: str, theme: str) -> None:
    assert not far(viewer, of_indicators(name, theme=theme))


@pytest.mark.soak
@pytest.mark.parametrize("name", COMPUTED)
def test_all_renderers_draw_every_script_the_same(viewer: Viewer, name: str) -> None:
    assert not far(viewer, of_script(name))


def test_other_pictures_are_far(viewer: Viewer) -> None:
    one, other = of_indicators("bbands"), of_indicators("donchian")
    drawn = pictures(viewer, one)
    assert distance(drawn["html"], pictures(viewer, other)["html"], one) > 3 * NEAR["html"]
