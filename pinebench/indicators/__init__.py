"""The catalogue of indicators, written as our own Pine scripts: runs them on bars, and returns values or pictures."""

from pinebench.indicators.catalogue import ALL, NAMES, find
from pinebench.indicators.extra_series import IndicatorAnswer, compute_all
from pinebench.indicators.indicator_drawings import draw
from pinebench.indicators.indicator_requests import IndicatorRequest, asked
from pinebench.indicators.indicator_runs import IndicatorFailure, IndicatorRun, compute
from pinebench.indicators.payload import PayloadBars, series, series_of, summary, summary_of
from pinebench.indicators.records import LABELS, Indicator, IndicatorParameter
from pinebench.indicators.sources import SourceBars, load, of_window, window_key

__all__ = [
    "ALL",
    "LABELS",
    "NAMES",
    "Indicator",
    "IndicatorAnswer",
    "IndicatorFailure",
    "IndicatorParameter",
    "IndicatorRequest",
    "IndicatorRun",
    "PayloadBars",
    "SourceBars",
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
