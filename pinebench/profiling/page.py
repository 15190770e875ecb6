"""The profile as one HTML file with a flame graph; it needs no other files."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Any

from pinebench.printable import json_text, printable
from pinebench.profiling.full_profile import ScriptProfile
from pinebench.profiling.measurement import Profile
from pinebench.profiling.report import frames_of, ordered, report

_PAGE = Path(__file__).parent / "flame.html"


def page(profile: ScriptProfile, name: str, read: str = "") -> str:
    """Return the HTML page for the profile of the script `name`. `read` says which bars were read."""
    data = json_text(_data(profile, name, read), allow_nan=False, separators=(",", ":"))
    before, _, rest = _PAGE.read_text(encoding="utf-8").partition("%TITLE%")
    middle, _, end = rest.partition("%DATA%")
    # Inside a script element, only `<` could end the element or begin a comment.
    return "".join((before, html.escape(f"{printable(name)}: profile"), middle, data.replace("<", "\\u003c"), end))


def _data(profile: ScriptProfile, name: str, read: str) -> dict[str, Any]:
    values = report(profile.profile, profile.weights, profile.advice)
    whole = values["whole_ms"] or 1.0
    lines = [one | {"share": 100 * one["ms"] / whole} for one in values["lines"] if one["runs"]]
    until = ", until an error," if profile.profile.error is not None else ""
    about = f"{values['bars']:,} bars{until} in {values['whole_ms']:g} ms of processor time, measured by pinebench"
    return {
        "name": name,
        "about": f"{about}; {printable(read)}" if read else about,
        "tree": tree(profile.profile),
        "lines": sorted(lines, key=lambda one: -one["ms"]),
        "functions": sorted(values["functions"], key=lambda one: -one["total_ms"]),
        "weights": values["weights"],
        "advice": [{key: one[key] for key in ("line", "words", "saved")} for one in values["advice"]],
    }


def tree(profile: Profile) -> dict[str, Any]:
    """Return the stacks as a tree of dictionaries: `label`, `ms`, `line` (0 for a function), and `below` with the
    parts, longest first."""
    root: dict[str, Any] = {"label": "all", "ms": 0.0, "line": 0, "below": {}}
    for one in ordered(profile):
        node = root
        node["ms"] += 1000 * one.seconds
        for label, line in frames_of(profile, one):
            below = node["below"]
            node = below.setdefault((label, line), {"label": label, "ms": 0.0, "line": line, "below": {}})
            node["ms"] += 1000 * one.seconds
    return _listed(root)


def _listed(node: dict[str, Any]) -> dict[str, Any]:
    below = sorted(node["below"].values(), key=lambda one: -one["ms"])
    return node | {"below": [_listed(one) for one in below]}
