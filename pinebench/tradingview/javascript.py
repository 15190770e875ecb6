"""Runs JavaScript in one tab: returns its value, raises its exceptions, and ends a script that hangs."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from pinebench.context import deadline_passed
from pinebench.tradingview import targets
from pinebench.tradingview.errors import CallTimeout, NoChart, PageError, PageHung, ProtocolError, UnexpectedAnswer
from pinebench.tradingview.page_internals import STUDIO_MARKER
from pinebench.tradingview.targets import PageKind

if TYPE_CHECKING:
    from pinebench.context import Context
    from pinebench.tradingview.tab import Tab

IDENTITY_TIMEOUT = 2.0
"""Seconds within which a live page must identify itself."""

SPARE = 2.0
"""The extra time in seconds after a call's limit. In the first quarter of it, the browser may end a busy loop by
itself. In the second quarter, a probe finds out whether the page hangs. The rest is for ending the script. If a context
has little time left, half of that time is used instead."""

LEAST_PROBE = 0.25
"""Seconds within which a live page surely answers; a shorter probe cannot show whether the page hangs."""

LOADING_TIMEOUT = 3.0
"""Seconds that a local page which is loading may take to show that it is a studio."""

_IDENTITY = (
    "({href: location.href, loading: document.readyState !== 'complete', studio: (m => "
    "typeof m === 'object' && m !== null && 'version' in m ? String(m.version) : null)"
    f"(window['{STUDIO_MARKER}'])}})"
)


def identify(tab: Tab, context: Context | None = None) -> dict[str, Any]:
    """Check that the tab's document is a chart or a studio, and store its identity in `tab.identity`.

    Raises NoChart if it is neither, and UnexpectedAnswer if the document cannot be identified.
    """
    end = time.monotonic() + LOADING_TIMEOUT
    while True:
        identity = evaluate(tab, _IDENTITY, True, False, IDENTITY_TIMEOUT, context)
        if not isinstance(identity, dict) or not isinstance(identity.get("href"), str):
            raise UnexpectedAnswer("Runtime.evaluate", "the page could not be identified")
        kind = targets.classify(identity["href"])
        if kind is PageKind.CHART:
            identity["studio"] = None  # only a loopback page may call itself a studio
            break
        if kind is PageKind.LOOPBACK and identity.get("studio"):
            break
        if kind is not PageKind.LOOPBACK or not identity.get("loading") or time.monotonic() > end:
            where = identity["href"].split("?")[0][:120]
            raise NoChart(f"the page at {where} is {kind.value}", "open https://www.tradingview.com/chart/ in it")
        time.sleep(0.05)  # a studio sets its marker while it loads
    tab.identity = identity
    return identity


def evaluate(
    tab: Tab, expression: str, by_value: bool, wait_for_promise: bool, timeout: float, context: Context | None = None
) -> Any:
    """Evaluate an expression in one tab, and return its value (`by_value`) or a remote object. The browser ends a busy
    loop after `timeout` seconds; if it does not, we end the loop shortly afterwards."""
    limits = _limits(timeout, context)
    params = {
        "expression": expression,
        "returnByValue": by_value,
        "awaitPromise": wait_for_promise,
        "timeout": max(1, int(limits.seconds * 1000)),
    }
    limits = limits._replace(seconds=limits.seconds + limits.spare / 4)
    return _settle(tab, "Runtime.evaluate", params, limits, context if wait_for_promise else None)


def call_function(
    tab: Tab,
    declaration: str,
    receiver: str,
    argument: Any,
    by_value: bool,
    timeout: float,
    context: Context | None = None,
    number: int | None = None,
) -> Any:
    """Call a JavaScript function with the object `receiver` as `this` and one JSON argument, and wait for its promise.

    A `number` marks a call that waits on the page: it is passed as the second argument, and a cancellation of `context`
    ends the call.
    """
    params = {
        "functionDeclaration": declaration,
        "objectId": receiver,
        "arguments": [{"value": argument}] if number is None else [{"value": argument}, {"value": number}],
        "returnByValue": by_value,
        "awaitPromise": True,
    }
    return _settle(tab, "Runtime.callFunctionOn", params, _limits(timeout, context), context if number else None)


class _Limits(NamedTuple):
    """The time limits of a call: its seconds, the spare seconds after it, and whether a context shortened them."""

    seconds: float
    spare: float
    cut: bool

    @property
    def tell_hanging(self) -> bool:
        """Whether the spare time is enough to find out whether the page hangs."""
        return self.spare / 4 >= LEAST_PROBE


def _limits(timeout: float, context: Context | None) -> _Limits:
    """Return the limits of a call. The call and its spare time end within the time that is left in `context`."""
    left = math.inf if context is None else context.remaining()
    spare = min(SPARE, left / 2)
    return _Limits(min(timeout, left - spare), spare, left - spare < timeout)


def _settle(tab: Tab, method: str, params: dict[str, Any], limits: _Limits, context: Context | None) -> Any:
    """Run one command that returns a JavaScript value, and raise its failures as our errors; a cancellation ends it. If
    a context shortened the call, the error is the context's deadline, even if a moment of it is left."""
    try:
        if context is not None and context.cancellable:
            answer = tab.request(method, params, limits.seconds, check=context.check_cancelled)
        else:
            answer = tab.request(method, params, limits.seconds)
    except CallTimeout as error:
        if limits.tell_hanging and not tab.lost and not tab.busy() and not tab.answers(limits.spare / 4):
            raise _hung(limits.seconds, tab.terminate(limits.spare / 2)) from error
        if limits.cut:
            raise deadline_passed() from error
        raise
    except ProtocolError as error:
        if "terminated" not in error.reason:
            raise
        if limits.cut and not limits.tell_hanging:
            raise deadline_passed() from error
        raise _hung(limits.seconds, True) from error
    details = answer.get("exceptionDetails")
    if details is not None:
        raise PageError(_described(details))
    result = answer.get("result", {})
    if not isinstance(result, dict):
        raise UnexpectedAnswer(method, "its result is not an object")
    if "unserializableValue" in result:
        return _number_from(method, result["unserializableValue"])
    return result.get("value") if params["returnByValue"] else result


def object_id(result: Any) -> str:
    """Return the id of the remote object that an evaluation returned. Raises UnexpectedAnswer if there is none."""
    found = result.get("objectId") if isinstance(result, dict) else None
    if not isinstance(found, str):
        raise UnexpectedAnswer("Runtime.evaluate", "it has no object")
    return found


def _described(details: Any) -> str:
    """Return the page's description of a thrown exception."""
    if not isinstance(details, dict):
        return str(details)
    thrown = details.get("exception")
    thrown = thrown if isinstance(thrown, dict) else {}
    return str(thrown.get("description") or thrown.get("value") or details.get("text", ""))


def _hung(seconds: float, ended: bool) -> PageHung:
    if ended:
        return PageHung(
            f"the page was busy for {seconds:.3g} s, so the running script was stopped",
            "look at the page in the browser and reload it if that does not help, then try again",
        )
    return PageHung(
        f"the page has not answered for {seconds:.3g} s, and the script that blocks it could not be stopped in time",
        "look at the page in the browser; answer its dialog, or reload it",
    )


_NUMBERS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf, "-0": -0.0}


def _number_from(method: str, text: Any) -> float | int:
    """Return the Python number for a JavaScript number that JSON cannot carry: NaN, Infinity, -0, or a big integer."""
    if isinstance(text, str) and text in _NUMBERS:
        return _NUMBERS[text]
    try:
        return int(text.removesuffix("n"))
    except (AttributeError, ValueError):  # ValueError also if there are more digits than Python accepts
        raise UnexpectedAnswer(method, "a number in it cannot be read") from None
