"""The colours of a picture that do not come from scripts."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from pinebench.charts.scene import Color
from pinebench.errors import UsageError


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a theme, each as 0xRRGGBBAA.

    `ink` is for text, `grid` for the lines behind the plots, and `rule` for the edges of axes and panes. `crosshair`
    and `label` are for the crosshair of a page. `up` and `down` are for candles, `volume_up` and `volume_down` for
    volumes.
    """

    background: Color
    ink: Color
    grid: Color
    rule: Color
    crosshair: Color
    label: Color
    up: Color = 0x089981FF
    down: Color = 0xF23645FF
    volume_up: Color = 0x08998150
    volume_down: Color = 0xF2364550

    def in_css(self) -> dict[str, str]:
        """Return the colours in CSS notation, with names in camel case."""
        return {_camel(name): f"#{color:08x}" for name, color in asdict(self).items()}


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.title, rest))


THEMES = {
    "light": Theme(
        background=0xFFFFFFFF, ink=0x131722FF, grid=0xE9ECF1FF, rule=0xB2B5BEFF, crosshair=0x787B86FF, label=0x131722FF
    ),
    "dark": Theme(
        background=0x0F1318FF, ink=0xD3D9E3FF, grid=0x1C222BFF, rule=0x3A4250FF, crosshair=0x787B86FF, label=0x3A4250FF
    ),
}
"""The themes by name."""


def theme(name: str) -> Theme:
    """Return the theme called `name`. Raises UsageError if there is none."""
    found = THEMES.get(name.strip().lower())
    if found is None:
        raise UsageError(f"there is no theme '{name}'", f"the themes are {', '.join(THEMES)}")
    return found
