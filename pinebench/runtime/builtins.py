"""Every built-in function that is computed here: the library's, and those that speak of symbols and requests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pinebench.runtime import tickers
from pinebench.runtime.library import CONTEXT_FUNCTIONS, KERNELS, computed_by
from pinebench.runtime.library import FUNCTIONS as LIBRARY

__all__ = ["CONTEXT_FUNCTIONS", "FUNCTIONS", "KERNELS"]

FUNCTIONS: dict[str, Callable[..., Any]] = {**LIBRARY, **computed_by({"tickers": tickers})}
"""By the name in Pine's reference; `#` and a number is one overload of it."""
