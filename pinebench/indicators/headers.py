"""Builds the catalogue entry of an indicator from the header of its script."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, cast, get_args

from pinebench.errors import UsageError
from pinebench.files import read
from pinebench.files.script_headers import ScriptHeader, header_of
from pinebench.indicators.records import LABELS, Indicator, IndicatorParameter, Kind

_KEYS = (
    *("kind", "label", "aliases", "range", "signals", "parameters"),
    *("bars", "memory", "lines", "segments", "lower"),
)
_TITLE = re.compile(r'^indicator\("([^"]+)"', re.MULTILINE)
_CHARTGEN = ("chartgen", "chartgen calls")


def record_of(path: Path) -> Indicator:
    """Read the catalogue entry of an indicator from the header of the script `path`. Raises UsageError for a missing or
    unknown key, and ValueError if a range or a memory is not a number."""
    text = read(path).text
    description, keys = _header(path, text)
    try:
        kind, label = keys["kind"], keys["label"]
    except KeyError as error:
        raise UsageError(f"{path}: the header has no {error.args[0]}", f"write // {error.args[0]}: …") from None
    if kind not in get_args(Kind):
        raise UsageError(f"{path}: '{kind}' is not a kind of indicator", f"expected one of {', '.join(get_args(Kind))}")
    signals = tuple(_listed(keys, "signals"))
    unknown = sorted(set(signals) - LABELS)
    if unknown:
        raise UsageError(f"{path}: '{unknown[0]}' is not the label of a signal", "records.LABELS lists the labels")
    title = _TITLE.search(text)
    return Indicator(
        path.stem,
        description,
        cast("Kind", kind),
        label,
        path,
        aliases=tuple(_listed(keys, "aliases")),
        limits=_limits(keys.get("range")),
        signals=signals,
        parameters=tuple(_parameter(one) for one in _listed(keys, "parameters")),
        shown_only=keys.get("bars") == "shown",
        lower=keys.get("lower", ""),
        memory=int(keys.get("memory", "0")),
        lines=_pairs(keys, "lines"),
        segments=_pairs(keys, "segments"),
        chartgen=_pairs(keys, "chartgen"),
        calls=_pairs(keys, "chartgen calls"),
        title="" if title is None else title[1],
    )


def _header(path: Path, text: str) -> ScriptHeader:
    try:
        header = header_of(text)
    except ValueError as error:
        raise UsageError(f"{path}: {error}", "compare it with the header of another indicator") from None
    for key in header.fields:
        if key not in (*_KEYS, *_CHARTGEN):
            raise UsageError(f"{path}: '{key}' is not a key of a header", f"the keys are {', '.join(_KEYS)}")
    return header


def _listed(keys: dict[str, str], key: str) -> list[str]:
    return [one.strip() for one in keys.get(key, "").split(",") if one.strip()]


def _pairs(keys: dict[str, str], key: str) -> dict[str, str]:
    parts = (one.partition("=") for one in _listed(keys, key))
    return {name.strip(): value.strip() for name, _, value in parts}


def _parameter(text: str) -> IndicatorParameter:
    name, _, rest = text.partition("=")
    variable, _, default = rest.partition(":")
    return IndicatorParameter(name, variable, default or None)


def _limits(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    parts: Any = map(float, text.split(".."))
    low, high = parts
    return low, high
