"""Add pictures to the pages of the site: the charts that the examples of the reference draw.

The files in `docs/reference/` have values instead of pictures, because pictures of all examples would take several
megabytes.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from pinebench import charts
from pinebench.errors import PinebenchError
from pinebench.reference import texts
from pinebench.reference.texts import ReferenceScript
from pinebench.workers.jobs import RunResult, opened, perform
from scripts.docs import reference_examples
from scripts.docs.site_pages import Page

WIDTH, HEIGHT = 860, 400
FEWEST = 5
"""A run on fewer bars has no picture."""
LINES = {"ta", "plot", "indicator", "input.source", "math.avg"}
"""The names, and the namespaces, whose examples have a picture even if they only draw the lines of `plot`."""


def illustrated(page: Page, folder: Path) -> Page:
    """Return the page of the reference with a picture, written to `folder`, below each example that draws."""
    made: list[str] = []
    name, number, inside = "", 0, False
    waiting: list[str] = []
    for line in page.text.splitlines():
        if line.startswith("```"):
            if line.startswith("```pine"):
                waiting = _picture_of(name, number, folder)
                number += 1
            inside = not inside
        elif not inside and line.startswith(("#", "**Watch out.**")):
            made += waiting
            waiting = []
            if heading := re.match(r"### `?([^`]+)`?$", line):
                name, number = heading[1], 0
        made.append(line)
    return page._replace(text="\n".join([*made, *waiting]) + "\n")


def _picture_of(name: str, number: int, folder: Path) -> list[str]:
    """Write the picture of the example `number` of a heading, and return the lines that show it, if it draws."""
    script = shown_scripts(name)[number]
    drawn = picture(name, script)
    if not drawn:
        return []
    place = f"pictures/{_file_name(name)}{f'-{number}' if number else ''}.svg"
    (folder / place).parent.mkdir(parents=True, exist_ok=True)
    (folder / place).write_text(drawn, encoding="utf-8")
    return [f"![What the example of {name} draws]({place}){{ loading=lazy }}", ""]


def _file_name(name: str) -> str:
    """Return a file name that is valid on every system: signs of operators become numbers."""
    return re.sub(r"[^\w.]", lambda sign: f"x{ord(sign[0]):x}", name)


def shown_scripts(name: str) -> list[ReferenceScript]:
    """Return the scripts below the heading of a name, in order."""
    return [script for script in reference_examples.scripts(texts.text(name)) if script.text]


def picture(name: str, script: ReferenceScript) -> str:
    """Return the chart of an example as an SVG drawing; "" if a picture adds nothing to the values."""
    asked = reference_examples.request_of(script)
    try:
        ran = perform(asked)
    except PinebenchError:
        return ""  # the example shows an error of the compiler, or something that pinebench does not compute
    if ran.result.error is not None or len(asked.bars) < FEWEST or not _draws(name, ran):
        return ""
    view = replace(charts.view_of(opened(asked.source, ()), 0, len(asked.bars)), width=WIDTH, height=HEIGHT)
    fills = charts.filled(ran.tested.fills) if ran.tested is not None else ()
    return charts.as_svg(charts.picture(ran.result, asked.bars, asked.symbol, view, fills))


def _draws(name: str, ran: RunResult) -> bool:
    return any(_drawn(name, ran))


def _drawn(name: str, ran: RunResult) -> Iterator[bool]:
    """Yield whether each drawing of a run counts as more than lines of `plot`; for some names lines count too."""
    yield from (bool(made) for made in ran.result.drawings.values())
    yield ran.tested is not None and bool(ran.tested.fills)
    counts = not LINES.isdisjoint((name, name.partition(".")[0]))
    for output in ran.result.outputs:
        yield counts or output.function != "plot" or bool(output.columns.keys() - {"series"})
