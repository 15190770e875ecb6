"""The errors between pinebench and a chart page, one class for each cause."""

from __future__ import annotations

from pinebench.errors import PinebenchError, UnavailableError


class ConnectionFailed(UnavailableError):
    """No chart page could be reached. The message starts with `CDP connection failed` and ends with the last cause."""

    def __init__(self, cause: str, hint: str) -> None:
        super().__init__(f"CDP connection failed: {cause}", hint)
        self.cause = cause


class ConnectionLost(UnavailableError):
    """The page or the browser was closed during a call. The call is not repeated, because it may have had an effect."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message, hint or "check whether the page is still open in the browser, then try again")


class CallTimeout(PinebenchError):
    """The page did not answer a call within its time limit."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message, hint or "look at the page in the browser: it may be busy, or a dialog may be open")


class PageHung(CallTimeout):
    """The page answered neither a call nor a test that followed it: a script or a dialog blocks the page."""


class ProtocolError(PinebenchError):
    """The browser refused a DevTools command."""

    def __init__(self, method: str, reason: str) -> None:
        super().__init__(f"the browser refused {method}: {reason}", "reload the page, then try again")
        self.method = method
        self.reason = reason


class PageError(PinebenchError):
    """JavaScript on the page threw an exception. `description` is the page's description of it, with the stack."""

    def __init__(self, description: str) -> None:
        super().__init__(f"the page raised: {description.splitlines()[0] if description else 'an unknown error'}")
        self.description = description


class PathMissing(UnavailableError):
    """An internal object that pinebench uses is not on the page. `key` is its name, and `expression` its path."""

    def __init__(self, key: str, expression: str) -> None:
        super().__init__(
            f"the page has no {key} ({expression} is undefined or null)",
            "wait until the chart has loaded; if that does not help, TradingView has moved it: run 'pinebench doctor'",
        )
        self.key = key
        self.expression = expression


class NoStudy(PinebenchError):
    """The chart has no study with the given id."""

    def __init__(self, entity_id: str) -> None:
        super().__init__(f"there is no study {entity_id} on the chart", "chart_get_state lists them")


class NoChart(UnavailableError):
    """The browser answers, but none of its pages is a chart that pinebench may drive."""


class PageBusy(UnavailableError):
    """The page is attached but does not run anything that we send: one of its scripts or a dialog blocks it."""


class EditorNotFound(UnavailableError):
    """The Pine editor could not be opened or its Monaco instance could not be reached."""


class EditorRefused(PinebenchError):
    """The editor refused the request, for example because the script is read-only or a dialog is open."""


class SaveRefused(PinebenchError):
    """The save was refused, because it could have written to a script other than the intended one."""


class ServiceError(UnavailableError):
    """A service of TradingView answered with an error, with unexpected data, or not in time."""


class UnexpectedAnswer(UnavailableError):
    """The answer of the page or the browser has an unexpected shape. `problem` says where."""

    def __init__(self, request: str, problem: str) -> None:
        super().__init__(
            f"the answer to {request} has an unexpected form: {problem}",
            "reload the page; if that does not help, TradingView has changed: run 'pinebench doctor'",
        )
        self.problem = problem


class PageGone(ConnectionLost):
    """The page on which the work began is closed. The work does not continue on another page."""


class EditorBusy(UnavailableError):
    """Another process or another call works on this page and did not finish in time."""


class TextOvertaken(EditorRefused):
    """The editor holds a text other than the written one. `by` is `page` if the page put it there, or `person` if
    somebody typed it."""

    def __init__(self, by: str) -> None:
        if by == "page":
            message, hint = "the page replaced the written text with its own", "try again"
        else:
            message = "somebody changed the text in the editor in the meantime, so pinebench left it unchanged"
            hint = "wait until nobody is typing there, then try again"
        super().__init__(message, hint)
        self.by = by


class HeldBack(EditorRefused):
    """The text was not written, because the editor's text is not the one that pinebench wrote last."""

    def __init__(self) -> None:
        super().__init__(
            "the text in the editor is not the text that pinebench last wrote there, so pinebench left it unchanged",
            "save or copy it in the browser; then 'pinebench push FILE' puts the file there, and watching continues",
        )
