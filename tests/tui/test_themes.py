"""Every theme can be read: its words stand out from all that they may stand on."""

from pathlib import Path

import pytest
from rich.color import Color as RichColor
from rich.style import Style
from rich.text import Text
from textual.color import Color
from textual.widgets import Static

from pinebench.tui.panels.chart import ChartPanel, ChartView
from pinebench.tui.syntax_colors import KINDS
from pinebench.tui.themes import CONTRAST, DARK, LIGHT, THEMES
from tests.tui.charts import VIEW
from tests.tui.support import SCRIPT, Bench, bench, write


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


async def test_other_colours_reach_every_part_that_is_open(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script, size=(120, 40)) as it:
        await it.checked()
        await it.press("alt+t", "alt+h")
        await it.until(lambda: isinstance(it.app.focused, ChartView))
        chart = it.app.query_one("#panel-chart", ChartPanel)
        chart._end()
        chart.show(VIEW)
        await it.pilot.pause()
        for theme in (LIGHT, CONTRAST, DARK):
            it.app.theme = theme.name
            await it.until(lambda theme=theme: _editor_colors(it)["keyword"] == theme.variables["pine-keyword"])
            editor = it.front.editor
            assert editor._theme is not None and editor._theme.cursor_line_style is not None
            assert editor._theme.cursor_line_style.bgcolor == RichColor.parse(theme.variables["bench-line"])
            await it.until(lambda theme=theme: theme.success in _span_colors(it, "#chart-picture"))
            assert theme.variables["bench-muted"] in _span_colors(it, "#chart-picture")


def _editor_colors(it: Bench) -> dict[str, str]:
    """The colours in which the editor paints words, by their kinds."""
    styles = it.front.editor._styles
    return {kind: style.color.name for kind, style in styles.items() if style.color is not None}


def _span_colors(it: Bench, query: str) -> set[str]:
    """The colours in a text of the screen."""
    content = it.app.query_one(query, Static).content
    assert isinstance(content, Text)
    found = {span.style if isinstance(span.style, Style) else Style.parse(span.style) for span in content.spans}
    return {style.color.name for style in found if style.color is not None}
