"""The colours of the workbench: Textual's themes, with colours for the words of Pine."""

from __future__ import annotations

from typing import Any

from textual.theme import Theme

DEFAULT = "pinebench-dark"


def _theme(name: str, *, dark: bool, base: dict[str, Any], words: dict[str, str]) -> Theme:
    variables = {
        **{f"pine-{kind}": color for kind, color in words.items()},
        "footer-background": base["panel"],
        "footer-key-foreground": base["primary"],
        "footer-description-foreground": base["muted"],
        "input-selection-background": base["selection"],
        "block-cursor-background": base["primary"],
        "block-cursor-foreground": base["background"],
        "block-cursor-text-style": "none",
        "block-cursor-blurred-background": base["raised"],
        "block-cursor-blurred-foreground": base["foreground"],
        "border": base["raised"],
        "border-blurred": base["raised"],
        "scrollbar": base["raised"],
        "scrollbar-hover": base["muted"],
        "scrollbar-active": base["primary"],
        "scrollbar-background": base["background"],
        "scrollbar-background-hover": base["background"],
        "scrollbar-background-active": base["background"],
        "scrollbar-corner-color": base["background"],
        **{f"bench-{part}": base[part] for part in ("muted", "raised", "line", "selection")},
    }
    named = {part: base[part] for part in _PARTS}
    return Theme(name=name, dark=dark, variables=variables, luminosity_spread=0.12, text_alpha=1.0, **named)


_PARTS = (
    "primary",
    "secondary",
    "accent",
    "warning",
    "error",
    "success",
    "foreground",
    "background",
    "surface",
    "panel",
)

DARK = _theme(
    DEFAULT,
    dark=True,
    base={
        "primary": "#7fb2f0",
        "secondary": "#8fbcbb",
        "accent": "#d3a4f0",
        "warning": "#e5b567",
        "error": "#f07f88",
        "success": "#8fcf8a",
        "foreground": "#d7dae0",
        "background": "#15181e",
        "surface": "#1a1e25",
        "panel": "#1f242c",
        "raised": "#2c333e",
        "line": "#1c2129",
        "selection": "#2f4666",
        "muted": "#8b94a3",
    },
    words={
        "keyword": "#c9a0f0",
        "operator": "#a9b4c4",
        "string": "#9fce8f",
        "number": "#e8a878",
        "comment": "#818b9b",
        "annotation": "#93a6c0",
        "function": "#7fb2f0",
        "builtin": "#79c7cf",
        "type": "#e5c07b",
        "declared": "#a5c4ff",
        "argument": "#c0b6a0",
        "parameter": "#e3b3a3",
        "property": "#c3cad6",
    },
)

LIGHT = _theme(
    "pinebench-light",
    dark=False,
    base={
        "primary": "#1d5fb8",
        "secondary": "#176b70",
        "accent": "#7a3bb0",
        "warning": "#8a5a00",
        "error": "#b3202e",
        "success": "#256e2c",
        "foreground": "#22262d",
        "background": "#fbfbfa",
        "surface": "#f4f4f2",
        "panel": "#ebebe8",
        "raised": "#dcdcd7",
        "line": "#f1f2f2",
        "selection": "#c6dcf7",
        "muted": "#5d646e",
    },
    words={
        "keyword": "#7a3bb0",
        "operator": "#4a525e",
        "string": "#256e2c",
        "number": "#9a4a10",
        "comment": "#666d77",
        "annotation": "#4c6483",
        "function": "#1d5fb8",
        "builtin": "#136a72",
        "type": "#855a00",
        "declared": "#2f4fb0",
        "argument": "#6b5d3f",
        "parameter": "#8d4433",
        "property": "#3d4654",
    },
)

CONTRAST = _theme(
    "pinebench-contrast",
    dark=True,
    base={
        "primary": "#8ecbff",
        "secondary": "#8ff0e8",
        "accent": "#f0b8ff",
        "warning": "#ffd75f",
        "error": "#ff9a9a",
        "success": "#a5f59a",
        "foreground": "#ffffff",
        "background": "#000000",
        "surface": "#000000",
        "panel": "#101010",
        "raised": "#333333",
        "line": "#151515",
        "selection": "#11407a",
        "muted": "#c8c8c8",
    },
    words={
        "keyword": "#f0b8ff",
        "operator": "#ffffff",
        "string": "#a5f59a",
        "number": "#ffc08a",
        "comment": "#c0c0c0",
        "annotation": "#c8dcff",
        "function": "#8ecbff",
        "builtin": "#8ff0e8",
        "type": "#ffe08a",
        "declared": "#bcd4ff",
        "argument": "#e8dcc0",
        "parameter": "#ffc8b8",
        "property": "#f0f0f0",
    },
)

THEMES = (DARK, LIGHT, CONTRAST)
"""Every theme; the first one is the default."""


def names() -> tuple[str, ...]:
    """Return the names of the themes."""
    return tuple(theme.name for theme in THEMES)
