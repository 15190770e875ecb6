"""The catalogue of indicators, which are Pine scripts of ours: runs on bars, their values as data, and pictures."""

from __future__ import annotations

from pinebench.indicators.asking import Asked, asked
from pinebench.indicators.catalogue import ALL, NAMES, find
from pinebench.indicators.computing import Computed, Failed, compute
from pinebench.indicators.drawing import draw
from pinebench.indicators.feeding import Answered, compute_all
from pinebench.indicators.payload import Priced, series, series_of, summary, summary_of
from pinebench.indicators.records import LABELS, Indicator, Parameter
from pinebench.indicators.sources import Loaded, load, of_window, window_key

__all__ = [
    "ALL",
    "LABELS",
    "NAMES",
    "Answered",
    "Asked",
    "Computed",
    "Failed",
    "Indicator",
    "Loaded",
    "Parameter",
    "Priced",
    "asked",
    "compute",
    "compute_all",
    "draw",
    "find",
    "load",
    "of_window",
    "series",
    "series_of",
    "summary",
    "summary_of",
    "window_key",
]
