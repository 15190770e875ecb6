"""Every theme can be read: its words stand out from all that they may stand on."""

from __future__ import annotations

import pytest
from textual.color import Color

from pinebench.tui.highlighting import KINDS
from pinebench.tui.themes import THEMES


def _luminance(color: Color) -> float:
    parts = [part / 255 for part in color.rgb]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, as WCAG 2 defines it."""
    light, dark = sorted((_luminance(Color.parse(one)), _luminance(Color.parse(other))), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_words_can_be_read(theme) -> None:
    words = {kind: theme.variables[f"pine-{kind}"] for kind in KINDS}
    words |= {"text": theme.foreground, "error": theme.error, "warning": theme.warning, "good": theme.success}
    grounds = {"background": theme.background, "line": theme.variables["bench-line"]}
    for kind, color in words.items():
        for place, ground in grounds.items():
            assert contrast(color, ground) >= 4.5, f"{kind} on {place}: {contrast(color, ground):.2f}"
    muted = theme.variables["bench-muted"]
    for ground in (theme.background, theme.surface, theme.panel):
        assert contrast(muted, ground) >= 4.5, f"muted: {contrast(muted, ground):.2f}"
    assert contrast(theme.foreground, theme.variables["bench-selection"]) >= 4.5
    told = {"text": theme.foreground, "primary": theme.primary, "error": theme.error}
    told |= {"warning": theme.warning, "good": theme.success}
    for kind, color in told.items():
        for ground in (theme.surface, theme.panel, theme.background):
            assert contrast(color, ground) >= 4.5, f"{kind} on {ground}: {contrast(color, ground):.2f}"
    assert contrast(theme.foreground, theme.variables["bench-raised"]) >= 4.5
