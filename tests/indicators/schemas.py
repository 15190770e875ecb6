"""JSON schemas of the answers about indicators."""

from typing import Any


def _object(needed: dict[str, Any], possible: dict[str, Any] | None = None) -> dict[str, Any]:
    properties = {**needed, **(possible or {})}
    return {"type": "object", "properties": properties, "required": list(needed), "additionalProperties": False}


def _list(items: dict[str, Any], least: int = 1) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": least}


NUMBER, WHOLE, TEXT, TRUTH = ({"type": each} for each in ("number", "integer", "string", "boolean"))
MAYBE, MOMENT, NAME = ({"type": [each, "null"]} for each in ("number", "integer", "string"))
VALUES = _list(MAYBE)
HEAD = {"label": TEXT, "is_overlay": TRUTH}
RANGE = {"y_range": {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}}

PRICE = {
    "oneOf": [
        _object({"bars": {"const": 0}}),
        _object(
            {
                "bars": {"type": "integer", "minimum": 1},
                "first": _object({"date": TEXT, "open": NUMBER, "close": NUMBER}),
                "last": _object({"date": TEXT, **dict.fromkeys(("open", "high", "low", "close", "volume"), NUMBER)}),
                "range": _object({"high": NUMBER, "low": NUMBER}),
                "total_volume": MAYBE,
                "change_pct": MAYBE,
            }
        ),
    ]
}
_SUMMARY_OF_ONE = _object(
    HEAD,
    {
        **RANGE,
        "lines": _list(_object({"index": WHOLE, "label": NAME, "last_value": MAYBE}, {"bars_ago": WHOLE})),
        "signals": _list(_object({"x": WHOLE, "y": NUMBER, "label": TEXT})),
        "decorative_dots": {"type": "integer", "minimum": 1},
        "hlines": _list(_object({"y": NUMBER})),
        "histogram": _list(_object({"index": WHOLE, "last_value": MAYBE}, {"bars_ago": WHOLE})),
        "fills_count": {"type": "integer", "minimum": 1},
        "hbars_top": {**_list(_object({"y": NUMBER, "weight": NUMBER})), "maxItems": 5},
        "hbars_count": {"type": "integer", "minimum": 1},
        "divergences": _list(_object({"x1": WHOLE, "y1": NUMBER, "x2": WHOLE, "y2": NUMBER, "dashed": TRUTH})),
    },
)
FAILED = _object({**HEAD, "error": TEXT})
"""An indicator whose series could not be fetched."""
SUMMARY_OF_ONE = {"oneOf": [_SUMMARY_OF_ONE, FAILED]}
SUMMARY = _object(
    {"symbol": NAME, "interval": TEXT, "price": PRICE, "indicators": {"additionalProperties": SUMMARY_OF_ONE}}
)
_SERIES_OF_ONE = _object(
    HEAD,
    {
        **RANGE,
        "lines": _list(_object({"index": WHOLE, "label": NAME, "values": VALUES}, {"ahead": VALUES})),
        "histogram": _list(_object({"index": WHOLE, "values": VALUES})),
        "signals": _list(_object({"x": WHOLE, "t": MOMENT, "y": NUMBER, "label": TEXT})),
        "hlines": _list(_object({"y": NUMBER})),
        "fills": _list(_object({"y1": VALUES, "y2": VALUES})),
        "hbars": _list(_object({"y": NUMBER, "height": NUMBER, "width": NUMBER, "offset": NUMBER, "left": TRUTH})),
        "divlines": _list(
            _object({"x1": WHOLE, "t1": MOMENT, "y1": NUMBER, "x2": WHOLE, "t2": MOMENT, "y2": NUMBER, "dashed": TRUTH})
        ),
    },
)
SERIES_OF_ONE = {"oneOf": [_SERIES_OF_ONE, FAILED]}
BAR = _object({"t": MOMENT, **dict.fromkeys("ohlcv", NUMBER)})
SERIES = _object(
    {"symbol": NAME, "interval": TEXT, "bars": _list(BAR, 0), "indicators": {"additionalProperties": SERIES_OF_ONE}}
)


def lists(of_one: dict[str, Any]) -> list[list[Any]]:
    """All lists of an indicator that have a value for each bar."""
    found = [each["values"] for name in ("lines", "histogram") for each in of_one.get(name, ())]
    return found + [each[name] for each in of_one.get("fills", ()) for name in ("y1", "y2")]
