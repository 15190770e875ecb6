"""What can go wrong between pinebench and a chart page, one class a cause."""

from __future__ import annotations

from pinebench.errors import PinebenchError, UnavailableError


class ConnectionFailed(UnavailableError):
    """No chart page could be reached; the message starts with `CDP connection failed` and ends with the last cause."""

    def __init__(self, cause: str, hint: str) -> None:
        super().__init__(f"CDP connection failed: {cause}", hint)
        self.cause = cause


class ConnectionLost(UnavailableError):
    """The page or the browser went away during a call, which was not repeated because it may have acted."""


class CallTimeout(PinebenchError):
    """The page did not answer a call within its limit."""


class ProtocolError(PinebenchError):
    """The browser refused a DevTools command."""

    def __init__(self, method: str, reason: str) -> None:
        super().__init__(f"the browser refused {method}: {reason}")
        self.method = method
        self.reason = reason


class PageError(PinebenchError):
    """JavaScript on the page threw; `description` is the exception as the page describes it, with its stack."""

    def __init__(self, description: str) -> None:
        super().__init__(f"the page raised: {description.splitlines()[0] if description else 'an unknown error'}")
        self.description = description


class PathMissing(UnavailableError):
    """An object of the table of paths is not on the page: `key` is its name, `expression` where it should be."""

    def __init__(self, key: str, expression: str) -> None:
        super().__init__(
            f"the page has no {key} ({expression} is undefined or null)",
            "wait until the chart has loaded; if it stays so, TradingView has moved it: run 'pinebench doctor'",
        )
        self.key = key
        self.expression = expression


class NoChart(UnavailableError):
    """The browser answers, but none of its pages is a chart that pinebench may drive."""


class PageBusy(UnavailableError):
    """The page is attached but does not run anything we send: a script of its own or a dialog holds it."""


class EditorNotFound(UnavailableError):
    """The Pine editor could not be opened or its Monaco instance could not be reached."""


class EditorRefused(PinebenchError):
    """The editor would not do what was asked: a read-only script, text that came back changed, an unexpected dialog."""


class SaveRefused(PinebenchError):
    """Saving would have written to a script other than the one pinebench wrote."""


class ServiceError(UnavailableError):
    """TradingView's script service answered with an error, something unexpected, or not in time."""
