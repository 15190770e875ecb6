"""The functions of `color.*`. A colour is 0xRRGGBBAA, where AA is its opacity; na is None."""

from __future__ import annotations

from functools import lru_cache
from math import floor

NOTHING = 0x00000000
"""The result of a gradient that has no colour."""


def opacity(transparency: float) -> int:
    """Return the opacity byte (0 to 255) for a transparency from 0 to 100. Values outside are clipped, and halves are
    rounded up."""
    if transparency <= 0:
        return 255
    if transparency >= 100:
        return 0
    return floor((1 - transparency / 100.0) * 255 + 0.5)


@lru_cache(4096)
def new(color: int | None, transp: float) -> int:
    """Implement `color.new(color, transp)`. An na colour counts as black, and an na transparency as 100 (recorded)."""
    base = 0 if color is None else color & 0xFFFFFF00
    return base | opacity(transp) if transp == transp else base


@lru_cache(4096)
def new_of_constants(color: int | None, transp: float) -> int:
    """Implement `color.new` with constant arguments. The transparency is first truncated to a whole number."""
    return new(color, int(transp) if transp == transp else transp)


def rgb(red: float, green: float, blue: float, transp: float = 0) -> int:
    """Implement `color.rgb(red, green, blue, transp)`. Channels are truncated and clipped. An na channel counts as 0,
    and an na transparency as 100."""
    alpha = opacity(transp) if transp == transp else 0
    return _channel(red) << 24 | _channel(green) << 16 | _channel(blue) << 8 | alpha


def _channel(value: float) -> int:
    return int(min(max(value, 0), 255)) if value == value else 0


def red(color: int | None) -> float:
    """Implement `color.r(color)`. The result is 0 for na."""
    return 0.0 if color is None else float(color >> 24 & 255)


def green(color: int | None) -> float:
    """Implement `color.g(color)`. The result is 0 for na."""
    return 0.0 if color is None else float(color >> 16 & 255)


def blue(color: int | None) -> float:
    """Implement `color.b(color)`. The result is 0 for na."""
    return 0.0 if color is None else float(color >> 8 & 255)


def transparency(color: int | None) -> float:
    """Implement `color.t(color)`: the transparency (0 to 100) as a whole number; 100 for na."""
    return 100.0 if color is None else float(round(100 - (color & 255) * 100 / 255))


def from_gradient(
    value: float, bottom_value: float, top_value: float, bottom_color: int | None, top_color: int | None
) -> int:
    """Implement `color.from_gradient`. Colours are weighted by their opacity; the result is never na."""
    span = top_value - bottom_value
    if value != value or span != span or span == 0:
        return NOTHING
    share = (max(min(value, top_value), bottom_value) - bottom_value) / span
    rest = 1 - share
    bottom, top = bottom_color or 0, top_color or 0
    alpha = (bottom & 255) * rest + (top & 255) * share
    if alpha == 0 or alpha != alpha:
        return NOTHING
    below, above, whole = (bottom & 255) / 255, (top & 255) / 255, alpha / 255
    mixed = int(alpha)
    for shift in (24, 16, 8):
        channel = (below * (bottom >> shift & 255)) * rest + (above * (top >> shift & 255)) * share
        mixed |= int(channel / whole) << shift
    return mixed
