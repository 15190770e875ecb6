"""What the page functions behind chart tools return, as types."""

from __future__ import annotations

from typing import Any, TypedDict


class StudyEntry(TypedDict):
    """A study on a chart."""

    id: str
    name: str


class ChartSummary(TypedDict):
    """What the active chart shows; None where the page has no chart API."""

    symbol: str | None
    resolution: str | None
    chartType: int | None
    studies: list[StudyEntry]


class UiState(TypedDict):
    """Which panels are open, and which buttons are on the screen."""

    bottom_panel: dict[str, Any]
    right_panel: dict[str, Any]
    pine_editor: dict[str, Any]
    strategy_tester: dict[str, Any]
    widgetbar: dict[str, Any]
    buttons: dict[str, list[dict[str, Any]]]
    key_buttons: dict[str, Any]
    chart: dict[str, Any]
    replay: dict[str, Any]
    dialogs: list[str]


RESULTS: dict[str, Any] = {
    "chart_summary": ChartSummary,
    "ui_state": UiState,
}
"""The type of what each of them returns, by its name."""
