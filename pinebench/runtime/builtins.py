"""All built-in functions that pinebench implements: the functions of `library`, and the functions about tickers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pinebench.runtime import tickers
from pinebench.runtime.library import CONTEXT_FUNCTIONS, KERNELS, SOURCES, arrays, colors, computed_by, numbers, texts
from pinebench.runtime.library import FUNCTIONS as LIBRARY

__all__ = ["CONTEXT_FUNCTIONS", "FUNCTIONS", "KERNELS", "SOURCES", "arrays", "colors", "numbers", "texts"]

FUNCTIONS: dict[str, Callable[..., Any]] = {**LIBRARY, **computed_by({"tickers": tickers})}
"""The functions by their names in Pine's reference. `#` and a number after a name mean one overload of it."""
