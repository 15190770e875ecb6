"""The catalogue of indicators, which are Pine scripts of ours: runs on bars, their values as data, and pictures."""

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
