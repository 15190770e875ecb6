"""Calls page functions. A page function is a JavaScript file that runs on the chart page with one JSON argument."""

from __future__ import annotations

import base64
import contextlib
import functools
import itertools
import json
import re
from importlib import resources
from typing import Any

from pinebench.context import CancelledError, Context, DeadlineError
from pinebench.tradingview import javascript, page_internals, results
from pinebench.tradingview.connection import CALL_TIMEOUT, LOOK_TIMEOUT, Connection
from pinebench.tradingview.errors import (
    CallTimeout,
    ConnectionLost,
    NoStudy,
    PageError,
    PathMissing,
    ProtocolError,
    UnexpectedAnswer,
)
from pinebench.tradingview.tab import Tab

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_MISSING = re.compile(r"PATH_MISSING:(\w+)")
_NO_STUDY = re.compile(r"NO_STUDY:([^\n]*)")
_GONE = ("Could not find object", "Cannot find context", "Invalid remote object id")

# CDP modifier bits.
ALT, CTRL, META, SHIFT = 1, 2, 4, 8


@functools.cache
def source(name: str) -> str:
    """Return the text of `js/<name>.js`, which is one function expression. Raises ValueError for an invalid name."""
    if not _NAME.fullmatch(name):
        raise ValueError(f"not the name of a page function: {name!r}")
    return resources.files("pinebench.tradingview").joinpath("js", f"{name}.js").read_text(encoding="utf-8")


def declaration(name: str) -> str:
    """Return the JavaScript that calls the page function `name`. `this` is the toolkit, with the number of the call in
    `this.call`. The result is returned as JSON text, because the browser takes twice as long to return a large
    structured value."""
    return (
        "function (argument, call) { const given = (\n"
        + source(name)
        + "\n).call(Object.assign(Object.create(this), { call }), argument);\n"
        + "return given && typeof given.then === 'function' ? given.then((value) => JSON.stringify(value)) "
        + ": JSON.stringify(given); }"
    )


_END = "function (call) { this.end(call); }"
_calls = itertools.count(1)


class Page:
    """The interface to the chart page: calls page functions, presses keys, and takes pictures."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def call(
        self,
        name: str,
        argument: dict[str, Any] | None = None,
        *,
        timeout: float = CALL_TIMEOUT,
        read: bool = False,
        context: Context | None = None,
        tab: Tab | None = None,
    ) -> Any:
        """Run `js/<name>.js` with `argument`, which must be serializable as JSON, and return its result, which has the
        type `results.RESULTS[name]`. If the function returns a promise, wait for it.

        In the function, `this` is the toolkit of `js/toolkit.js`, which knows the page's internal objects. `read` says
        that the function changes nothing and may be repeated. With `tab` it runs in that tab only.

        Raises PathMissing if an object that the function needs is missing, NoStudy if a study is missing, PageError if
        the function throws, UnexpectedAnswer if the result has the wrong type, CallTimeout after `timeout` seconds,
        ConnectionLost or ConnectionFailed.
        """

        def once(tab: Tab) -> Any:
            try:
                return self._run(tab, name, argument, timeout, context)
            except ProtocolError as error:
                if not error.reason.startswith(_GONE):
                    raise
            # The document with the toolkit is gone, so the function has not run. Make a toolkit in the new document.
            tab.handles.clear()
            return self._run(tab, name, argument, timeout, context)

        try:
            return results.checked(name, self.connection.run(once, read=read, context=context, tab=tab))
        except PageError as error:
            study = _NO_STUDY.search(error.description)
            if study is not None:
                raise NoStudy(study[1]) from error
            missing = _MISSING.search(error.description)
            if missing is None or missing[1] not in page_internals.PATHS:
                raise
            raise PathMissing(missing[1], page_internals.PATHS[missing[1]].expression) from error

    def _run(
        self, tab: Tab, name: str, argument: dict[str, Any] | None, timeout: float, context: Context | None
    ) -> Any:
        toolkit = _toolkit(tab, timeout, context)
        # Only functions that wait on the page have a `limit`, and only these may have to be ended early.
        number = next(_calls) if argument and "limit" in argument else None
        try:
            told = javascript.call_function(
                tab, declaration(name), toolkit, argument or {}, True, timeout, context, number
            )
            return None if told is None else json.loads(told)
        except (CallTimeout, CancelledError, DeadlineError):
            # We do not wait any more, so tell the page to stop waiting too. A page that hangs will not receive this.
            if number is not None:
                with contextlib.suppress(ConnectionLost, CallTimeout):
                    end: list[dict[str, Any]] = [{"value": number}]
                    tab.post("Runtime.callFunctionOn", functionDeclaration=_END, objectId=toolkit, arguments=end)
            raise

    def require(self, key: str) -> str:
        """Check that the object with the name `key` in the table of paths is neither undefined nor null, and return its
        expression.

        If `key` is a service, return its address without a check. Raises PathMissing(key, expression).
        """
        if key in page_internals.SERVICES:
            return page_internals.SERVICES[key][0]
        self.call("require_path", {"key": key}, read=True)
        return page_internals.PATHS[key].expression

    def screenshot(
        self,
        clip: dict[str, float] | None = None,
        *,
        image_format: str = "png",
        timeout: float = 30.0,
        context: Context | None = None,
        tab: Tab | None = None,
    ) -> bytes:
        """Take a picture of the page, or of the box `clip` (`x`, `y`, `width`, `height` in CSS pixels), as PNG or JPEG.

        `timeout` is the limit in seconds for everything, including a new connection. With `tab` the picture is taken in
        that tab only. Raises UnexpectedAnswer if the browser returns no picture.
        """
        context = (context or Context()).narrowed(timeout)
        params: dict[str, Any] = {"format": image_format}
        if clip is not None:
            params["clip"] = {**clip, "scale": 1}
        answer = self.connection.command(
            "Page.captureScreenshot", timeout=timeout, read=True, context=context, tab=tab, **params
        )
        try:
            return base64.b64decode(answer["data"])
        except (KeyError, TypeError, ValueError):
            raise UnexpectedAnswer("Page.captureScreenshot", "it contains no picture") from None

    def bring_to_front(self) -> None:
        """Show the page's tab. A hidden tab does not draw changes."""
        self.connection.command("Page.bringToFront", timeout=LOOK_TIMEOUT)

    def press_key(self, key: str, code: str, key_code: int, modifiers: int = 0, context: Context | None = None) -> None:
        """Press and release one key with `modifiers` (ALT, CTRL, META, SHIFT added up), as the keyboard would."""
        common = {"key": key, "code": code, "windowsVirtualKeyCode": key_code, "modifiers": modifiers}
        self.connection.command(
            "Input.dispatchKeyEvent", timeout=LOOK_TIMEOUT, context=context, type="rawKeyDown", **common
        )
        self.connection.command("Input.dispatchKeyEvent", timeout=LOOK_TIMEOUT, context=context, type="keyUp", **common)

    def insert_text(self, text: str) -> None:
        """Type `text` into the element that has the focus, as one insertion."""
        self.connection.command("Input.insertText", timeout=10, text=text)


def _toolkit(tab: Tab, timeout: float, context: Context | None) -> str:
    """Return the id of the toolkit in the tab's document. If there is none, check that the document may be driven, and
    make one."""
    with tab.preparing:  # one toolkit for each document, because it keeps the state of a compile between calls
        handle = tab.handles.get("toolkit")
        if handle is None:
            javascript.identify(tab, context)
            root = javascript.object_id(javascript.evaluate(tab, "globalThis", False, False, timeout, context))
            data = {**page_internals.as_data(), "studio": bool(tab.identity.get("studio"))}
            made = javascript.call_function(tab, source("toolkit"), root, data, False, timeout, context)
            handle = javascript.object_id(made)
            javascript.call_function(tab, source("toolkit_editor"), handle, {}, False, timeout, context)
            tab.handles["toolkit"] = handle
        return handle
