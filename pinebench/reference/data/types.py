"""The types that a declaration can name, with their kinds and fields.

Written by scripts/data/update_reference.py.
"""

from __future__ import annotations

TYPES: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "array": ("container", ()),
    "bool": ("primitive", ()),
    "box": ("object", ()),
    "chart.point": ("object", (("index", "series int"), ("time", "series int"), ("price", "series float"))),
    "color": ("primitive", ()),
    "float": ("primitive", ()),
    "footprint": ("object", ()),
    "int": ("primitive", ()),
    "label": ("object", ()),
    "line": ("object", ()),
    "linefill": ("object", ()),
    "map": ("container", ()),
    "matrix": ("container", ()),
    "polyline": ("object", ()),
    "string": ("primitive", ()),
    "table": ("object", ()),
    "volume_row": ("object", ()),
}
