"""Renders a picture as an SVG drawing."""

from __future__ import annotations

from html import escape

from pinebench.charts.scene import DASHES, LINE, Layer, Scene, Shape, Stroke, Surface
from pinebench.printable import in_xml

_ANCHORS = {"left": "start", "center": "middle", "right": "end"}


def scene_as_svg(scene: Scene) -> str:
    """Return the picture as an SVG file."""
    size = f'width="{scene.width}" height="{scene.height}" font-family="sans-serif" '
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{_svg(scene, size)}\n'


def _svg(scene: Scene, size: str) -> str:
    layers = "".join(_layer(layer, number) for number, layer in enumerate(scene.layers))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}viewBox="0 0 {scene.width} {scene.height}" role="img" '
        f'aria-label="{_text(scene.title)}">\n<rect width="100%" height="100%" {_paint("fill", scene.background)}/>\n'
        f"{layers}</svg>"
    )


def _text(text: str) -> str:
    """A text of a script or a file as XML, without characters that XML does not allow or that nobody sees."""
    return escape(in_xml(text.replace("\t", " ")))


def _layer(layer: Layer, number: int) -> str:
    width, height = layer.right - layer.left, layer.bottom - layer.top
    shapes = "\n".join(map(_shape, layer.shapes))
    return (
        f'<clipPath id="c{number}"><rect x="{layer.left:g}" y="{layer.top:g}" width="{width:g}" height="{height:g}"/>'
        f'</clipPath>\n<g clip-path="url(#c{number})">\n{shapes}\n</g>\n'
    )


def _shape(shape: Shape) -> str:
    if isinstance(shape, Stroke):
        dashes = DASHES.get(shape.style)
        dashed = (
            f' stroke-dasharray="{" ".join(f"{each * max(shape.width, 1):g}" for each in dashes)}"' if dashes else ""
        )
        return (
            f'<polyline points="{_points(shape.points)}" fill="none" {_paint("stroke", shape.color)} '
            f'stroke-width="{shape.width:g}"{dashed}/>'
        )
    if isinstance(shape, Surface):
        return f'<polygon points="{_points(shape.points)}" {_paint("fill", shape.color)}/>'
    lines = shape.text.split("\n")
    first = shape.y - (len(lines) - 1) * shape.size * LINE / 2
    spans = "".join(
        f'<tspan x="{shape.x:.1f}" y="{first + number * shape.size * LINE:.1f}">{_text(line)}</tspan>'
        for number, line in enumerate(lines)
    )
    look = shape.look
    written = (' font-weight="bold"' if look.bold else "") + (' font-style="italic"' if look.italic else "")
    written += ' font-family="monospace"' if look.monospace else ""
    if shape.outline is not None:
        written += f' paint-order="stroke" {_paint("stroke", shape.outline)} stroke-width="{max(2, shape.size / 5):g}"'
    tip = f"<title>{_text(shape.tip)}</title>" if shape.tip else ""
    return (
        f'<text font-size="{shape.size}"{written} text-anchor="{_ANCHORS[shape.align]}" dominant-baseline="central" '
        f"{_paint('fill', shape.color)}>{tip}{spans}</text>"
    )


def _points(points: tuple[tuple[float, float], ...]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _paint(name: str, color: int) -> str:
    opacity = (color & 0xFF) / 255
    return f'{name}="#{color >> 8:06x}"' + (f' {name}-opacity="{opacity:.3f}"' if opacity < 1 else "")
