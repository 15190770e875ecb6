"""The gallery: what scripts show is what was looked at, in the studio and as `run --plot` draws it.

`seen.json` keeps the mean colours of a grid of cells of each picture that a person looked at; fonts move little in it.
With GALLERY=keep in the environment pictures are written to the folder GALLERY_FOLDER and take their place: look at
them first. `docs/gallery.md` says what was judged how.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from tests.studio.gallery import drawing
from tests.studio.gallery.scripts import INTRADAY, SCRIPTS
from tests.studio.support import Driver

SEEN = Path(__file__).parent / "gallery" / "seen.json"
FEW = (
    "plot_stepline_diamond shape_labels fill_gradient scale_left labels box_text lines table_cells strategy "
    "template_supertrend_strategy"
).split()
"""Those that every run of the tests draws."""
NEAR = 0.015
"""How far a picture may be from the one that was looked at."""
PROBLEM = "document.querySelector('[data-name=\"study-error\"]')?.textContent ?? ''"
Compare = Callable[[str], None]


@pytest.fixture
def compare(page: Driver) -> Compare:
    """Draws a script in both ways and compares the pictures."""
    drawing.prepare(page)

    def drawn(name: str) -> None:
        source, resolution = SCRIPTS[name], "15" if name in INTRADAY else "1D"
        studio = drawing.draw(page, source, resolution)
        problem = page.js(PROBLEM)
        if problem:
            assert "Traceback" not in problem and len(problem) < 250, problem
            assert name not in json.loads(SEEN.read_text()), f"{name} was drawn: {problem}"
            return
        png = drawing.png(source, resolution)
        measures = {"studio": drawing.measure(studio), "png": drawing.measure(png)}
        if os.environ.get("GALLERY") == "keep":
            keep(name, measures, {"studio": studio, "png": png})
            return
        seen = json.loads(SEEN.read_text())
        empty = {kind: seen["empty"][kind] for kind in measures}
        far = {kind: drawing.distance(measures[kind], seen[name][kind], empty[kind]) for kind in measures}
        assert all(value < NEAR for value in far.values()), far

    return drawn


def keep(name: str, measures: dict[str, str], pictures: dict[str, Image.Image]) -> None:
    """Put measures in the place of those that were kept, and the pictures where they can be looked at."""
    known = json.loads(SEEN.read_text()) if SEEN.exists() else {}
    SEEN.write_text(json.dumps(dict(sorted({**known, name: measures}.items())), indent=0) + "\n")
    folder = Path(os.environ["GALLERY_FOLDER"])
    for kind, image in pictures.items():
        image.save(folder / f"{name}.{kind}.png")


@pytest.mark.parametrize("name", FEW)
def test_a_script_is_drawn_as_it_was_seen(compare: Compare, name: str) -> None:
    compare(name)


@pytest.mark.soak
@pytest.mark.parametrize("name", SCRIPTS)
def test_every_script_is_drawn_as_it_was_seen(compare: Compare, name: str) -> None:
    compare(name)


def test_other_pictures_are_told_apart() -> None:
    seen = json.loads(SEEN.read_text())
    assert len(seen) >= 60
    for kind in ("studio", "png"):
        for name in seen.keys() - {"plot_stepline_diamond"}:
            far = drawing.distance(seen["plot_stepline_diamond"][kind], seen[name][kind], seen["empty"][kind])
            assert far > NEAR, (kind, name)
