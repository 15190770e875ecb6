"""Runs indicators on bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pinebench.broker import Fill
from pinebench.context import Context
from pinebench.errors import DoesNotCompile, PinebenchError, UsageError
from pinebench.indicators.indicator_requests import IndicatorRequest
from pinebench.market import Bars, SymbolInfo
from pinebench.runtime import Look, RequestSource, Result
from pinebench.workers.dispatch import execute
from pinebench.workers.request import Request


@dataclass(frozen=True)
class IndicatorFailure:
    """An indicator that was not computed because a series could not be fetched: the request and the error."""

    asked: IndicatorRequest
    error: PinebenchError


@dataclass(frozen=True)
class IndicatorRun:
    """The run of an indicator on `bars`. Only the bars from index `first` on are shown."""

    asked: IndicatorRequest
    result: Result
    bars: Bars
    first: int
    fills: Sequence[Fill] = ()
    """The fills of the orders, if the script is a strategy."""


def compute(
    request: IndicatorRequest,
    bars: Bars,
    symbol: SymbolInfo,
    shown: int | None = None,
    others: Mapping[str, RequestSource] | None = None,
    context: Context | None = None,
    *,
    dark: bool = False,
) -> IndicatorRun:
    """Run an indicator on `bars`. Only the last `shown` of them (default: all) are shown.

    The indicator also runs on up to `request.warm_up` earlier bars. `others` maps the names of other symbols to their
    bars. A script can read whether the chart is `dark`, and which bars are shown. Raises DoesNotCompile if the script
    does not compile, UsageError if it does not accept an input, and PinebenchError if it stops with an error.
    """
    first = 0 if shown is None else max(len(bars) - shown, 0)
    unneeded = max(first - request.warm_up, 0)
    if unneeded:
        bars, first = bars.at(range(unneeded, len(bars))), first - unneeded
    more = {"libraries": request.libraries, "look": Look(dark, visible=len(bars) - first)}
    run = Request(request.source, bars, symbol, dict(request.inputs), others or {}, **more)
    try:
        ran = execute(run, context=context)
    except UsageError as error:
        kind = DoesNotCompile if isinstance(error, DoesNotCompile) else UsageError
        raise kind(f"{request.key}: {error.message}", error.hint) from None
    result = ran.result
    if result.error is not None:
        line = f" (line {result.error.line})" if result.error.line else ""
        raise PinebenchError(f"{request.key}: the script stopped{line}: {result.error.message}")
    return IndicatorRun(request, result, bars, first, () if ran.tested is None else ran.tested.fills)
