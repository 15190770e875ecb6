"""Aliases that `pinebench tv` accepts for tools and their arguments: short names, and names from other clients."""

from __future__ import annotations

from pinebench.records import NamedTuple

SHORT = {
    "status": "tv_health_check", "launch": "tv_launch", "discover": "tv_discover", "ui-state": "tv_ui_state",
    "state": "chart_get_state", "symbol": "chart_set_symbol", "timeframe": "chart_set_timeframe",
    "type": "chart_set_type", "info": "symbol_info", "search": "symbol_search", "range": "chart_set_visible_range",
    "scroll": "chart_scroll_to_date", "quote": "quote_get", "ohlcv": "data_get_ohlcv", "bars": "data_get_ohlcv",
    "values": "data_get_study_values", "screenshot": "capture_screenshot", "batch": "batch_run",
    "data lines": "data_get_pine_lines", "data labels": "data_get_pine_labels", "data tables": "data_get_pine_tables",
    "data boxes": "data_get_pine_boxes", "data indicator": "data_get_indicator", "data export": "data_export_csv",
    "data shapes": "data_get_pine_shapes", "data trades": "data_get_trades", "data equity": "data_get_equity",
    "data strategy": "data_get_strategy_results", "data depth": "depth_get",
    "pine get": "pine_get_source", "pine set": "pine_set_source", "pine compile": "pine_smart_compile",
    "pine errors": "pine_get_errors", "pine console": "pine_get_console",
    "pine logs": "pine_get_logs", "pine list": "pine_list_scripts",
    "indicator add": "chart_manage_indicator", "indicator remove": "chart_manage_indicator",
    "indicator set": "indicator_set_inputs", "indicator toggle": "indicator_toggle_visibility",
    "indicator get": "data_get_indicator", "draw get": "draw_get_properties", "draw remove": "draw_remove_one",
    "pane layout": "pane_set_layout", "pane symbol": "pane_set_symbol", "ui panel": "ui_open_panel",
    "ui find": "ui_find_element", "ui eval": "ui_evaluate", "ui type": "ui_type_text", "ui mouse": "ui_mouse_click",
}  # fmt: skip
"""Short command words for tools, in addition to the words of their own names (`pane list` is pane_list)."""

READ = {
    "symbol": "symbol_info",
    "timeframe": "chart_get_state",
    "type": "chart_get_state",
    "range": "chart_get_visible_range",
}
"""For each word: the tool that is called if the word has no value; it reads the value that is set now."""

FIXED: dict[str, dict[str, object]] = {"indicator add": {"action": "add"}, "indicator remove": {"action": "remove"}}
"""Arguments whose value follows from the words of the short command."""

ORDER = {"indicator remove": ("entity_id",), "tab close": ("index", "confirm")}
"""The positional arguments of short commands that do not take the tool's own arguments in their order."""

JOINED = {"search": "query", "template search": "query", "ui type": "text"}
"""Arguments that take all the words that follow, joined into one string."""

OPTIONS = {
    "count": ("-n",), "max_labels": ("-n", "--max"), "max_trades": ("-n", "--max"), "max_shapes": ("-n", "--max"),
    "max_logs": ("-n", "--max"), "summary": ("-s",), "study_filter": ("-f", "--filter"), "verbose": ("-v",),
    "region": ("-r",), "filename": ("-o", "--output"), "date": ("-d",), "speed": ("-s",), "shape": ("-t", "--type"),
    "condition": ("-c",), "price": ("-p",), "message": ("-m",), "delete_all": ("--all",), "inputs": ("-i",),
    "by": ("-b",), "value": ("-v",), "amount": ("-a",), "strategy": ("-s",), "port": ("-p",),
    "double_click": ("--double",), "--price": ("-p",),
}  # fmt: skip
"""More option names for arguments, and for other options."""


class SwitchOption(NamedTuple):
    """An option without a value. It sets an argument to a fixed value."""

    argument: str
    value: object


CONSTANTS: dict[str, dict[str, SwitchOption]] = {
    "tv_launch": {"--no-kill": SwitchOption("kill_existing", False)},
    "indicator_toggle_visibility": {"--hidden": SwitchOption("visible", False)},
    "ui_mouse_click": {"--right": SwitchOption("button", "right")},
    "ui_keyboard": {f"--{key}": SwitchOption("modifiers", key) for key in ("ctrl", "shift", "alt", "meta")},
}
"""Options without a value, by tool. Options that add to the same list can be combined."""

POINTS = {"point": ("--price", "--time"), "point2": ("--price2", "--time2"), "point3": ("--price3", "--time3")}
"""The two options that together make a point on the chart: its price and its time."""
