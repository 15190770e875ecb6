"""The chart tools as Python functions: `from pinebench import tv`, then `tv.quote_get()` or `tv.connect(port=9333)`.

Every tool of `pinebench tools` is a function here, with the tool's arguments by name. It returns the tool's result as a
dict, without `success`, and raises PinebenchError with a message and a hint if the tool fails.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pinebench.errors import PinebenchError
from pinebench.printable import printable

if TYPE_CHECKING:
    from types import TracebackType

    from pinebench.context import Context
    from pinebench.tools.chart_browser import ChartBrowser

__all__ = ["Chart", "connect"]


class Chart:
    """A chart page, connected at the first use. Its methods are the tools. It can be used from any thread."""

    def __init__(
        self,
        *,
        host: str | None = None,
        port: int | None = None,
        target: str | None = None,
        wait: bool = False,
        allow_remote: bool = False,
        allow_evaluate: bool = False,
    ) -> None:
        """`host` and `port` are the browser's debug port, and `target` one of its pages. Defaults come from the
        environment, as on the command line.

        `wait` waits for a missing page. `allow_remote` permits another host than this computer. `allow_evaluate`
        permits `ui_evaluate`.
        """
        from pinebench.tools.chart_browser import ChartBrowser

        self.chart_browser: ChartBrowser = ChartBrowser(
            host, port, target, wait=wait, allow_remote=allow_remote, allow_evaluate=allow_evaluate or None
        )

    def call(self, name: str, /, *, context: Context | None = None, **arguments: object) -> dict[str, Any]:
        """Call the tool `name` and return its result. Raises PinebenchError. `context` limits its time or cancels
        it."""
        from pinebench.tools import registry
        from pinebench.tools.tool_calls import perform

        return perform(self.chart_browser, registry.find(name), arguments, context)

    def stream(self, what: str, **options: Any) -> Iterator[dict[str, Any]]:
        """Yield new data whenever it changes. `what` is `quote`, `bars`, `values`, `lines`, `labels`, `tables` or
        `all`."""
        from pinebench.tools.chart_streams import stream

        return stream(self.chart_browser, what, **options)

    def close(self) -> None:
        """Close the connection. A later call opens a new one."""
        self.chart_browser.close()

    def __getattr__(self, name: str) -> Any:
        return functools.partial(self.call, _known(name))

    def __enter__(self) -> Chart:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def connect(**options: Any) -> Chart:
    """Return a new `Chart` with its own connection. `options` are the keyword arguments of `Chart`."""
    return Chart(**options)


def _show_hints() -> None:
    """Show the message and hint of an uncaught PinebenchError instead of a traceback."""
    before = sys.excepthook

    def show(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if not isinstance(error, PinebenchError):
            return before(kind, error, trace)
        return print(printable(f"pinebench: {error.with_hint}"), file=sys.stderr)

    sys.excepthook = show


_show_hints()


@functools.cache
def _chart() -> Chart:
    """The chart for the functions of this module."""
    return Chart()


def _known(name: str) -> str:
    from pinebench.tools import registry

    name = registry.real_name(name)
    if name not in registry.tools():
        raise AttributeError(f"there is no tool {name!r}; pinebench.tools.registry.tools() lists them")
    return name


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return functools.partial(_chart().call, _known(name))


def __dir__() -> list[str]:
    from pinebench.tools import registry

    return sorted([*__all__, *registry.tools()])
