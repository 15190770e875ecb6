"""The catalogue of indicators: Pine scripts of ours, what they show on bars, and that as plain data."""

from __future__ import annotations

from pinebench.indicators.asking import Asked, asked
from pinebench.indicators.catalogue import ALL, NAMES, find
from pinebench.indicators.computing import Computed, compute
from pinebench.indicators.drawing import draw
from pinebench.indicators.payload import Priced, series, series_of, summary, summary_of
from pinebench.indicators.records import LABELS, Indicator, Parameter
from pinebench.indicators.sources import Loaded, load

__all__ = [
    "ALL",
    "LABELS",
    "NAMES",
    "Asked",
    "Computed",
    "Indicator",
    "Loaded",
    "Parameter",
    "Priced",
    "asked",
    "compute",
    "draw",
    "find",
    "load",
    "series",
    "series_of",
    "summary",
    "summary_of",
]
