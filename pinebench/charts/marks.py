"""Filled polygons for plotted shapes and for labels."""

from __future__ import annotations

import math

from pinebench.charts.scene import Point, Surface

_ROUND = tuple((math.cos(math.pi * step / 8), math.sin(math.pi * step / 8)) for step in range(16))
_THIN = 0.3
_ARM = ((-_THIN, -1), (_THIN, -1), (_THIN, -_THIN))
_CROSS = (*_ARM, (1, -_THIN), (1, _THIN), (_THIN, _THIN), (_THIN, 1), (-_THIN, 1), (-_THIN, _THIN), (-1, _THIN))
_CROSS = (*_CROSS, (-1, -_THIN), (-_THIN, -_THIN))
_ARROW = ((0, -1.2), (1, 0), (0.35, 0), (0.35, 1.2), (-0.35, 1.2), (-0.35, 0), (-1, 0))
_LABEL = ((-1.1, -0.5), (-0.4, -0.5), (0, -1.3), (0.4, -0.5), (1.1, -0.5), (1.1, 1.1), (-1.1, 1.1))


def _turned(points: tuple[Point, ...]) -> tuple[Point, ...]:
    return tuple((x, -y) for x, y in points)


_SIGNS: dict[str, tuple[Point, ...]] = {
    "circle": _ROUND,
    "cross": _CROSS,
    "xcross": tuple(((x - y) * 0.7071, (x + y) * 0.7071) for x, y in _CROSS),
    "triangleup": ((0, -1), (1, 0.8), (-1, 0.8)),
    "triangledown": ((0, 1), (1, -0.8), (-1, -0.8)),
    "square": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "diamond": ((0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)),
    "flag": ((-0.8, -1.2), (1, -0.6), (-0.6, 0), (-0.6, 1.2), (-0.8, 1.2)),
    "arrowup": _ARROW,
    "arrowdown": _turned(_ARROW),
    "labelup": _LABEL,
    "labeldown": _turned(_LABEL),
}


def sign(name: str, x: float, y: float, half: float, color: int) -> Surface:
    """Return the shape `name` around the point `x`, `y`. `half` is half its size, in pixels."""
    return Surface(tuple((x + dx * half, y + dy * half) for dx, dy in _SIGNS.get(name, _ROUND)), color)
