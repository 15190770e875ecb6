"""Lets tools drive the studio's page: provides the routes for programs, and the assistant's browser and tools."""

from __future__ import annotations

import threading
from base64 import b64encode
from typing import TYPE_CHECKING, Any

from pinebench import decoding
from pinebench.errors import UnavailableError, UsageError
from pinebench.studio.web import BadRequest, Response, Routes, StudioRequest, json_response

if TYPE_CHECKING:
    from pinebench.agent.chat import Conversation
    from pinebench.agent.consent import Approver
    from pinebench.tools.chart_browser import ChartBrowser
    from pinebench.tools.registry import Tool

_CALL = {"name": str, "args?": {str: decoding.Anything}}
_LARGEST_CALL = 1_000_000


class Driver:
    """Gives tools access to the studio's page. Without a browser's debug port, only tools that need no page can be
    used."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._port: int | None = None
        self._target: str | None = None
        self._chart_browser: ChartBrowser | None = None

    def drive(self, debug_port: int, target: str | None = None) -> None:
        """From now on, control a page in the browser with this debug port: the page `target`, or the page that was used
        last."""
        with self._lock:
            self._target = target
            self._port, before = debug_port, self._chart_browser
            self._chart_browser = None
        if before is not None:
            before.close()

    def close(self) -> None:
        """End the connection to the browser."""
        with self._lock:
            known, self._chart_browser = self._chart_browser, None
        if known is not None:
            known.close()

    @property
    def chart_browser(self) -> ChartBrowser:
        """The studio's browser."""
        from pinebench.tools.chart_browser import ChartBrowser

        with self._lock:
            if self._chart_browser is None:
                # Without a port no other browser may be driven by chance, so the port is one where nobody answers.
                self._chart_browser = ChartBrowser("127.0.0.1", self._port or 1, self._target)
            return self._chart_browser

    def tools(self) -> list[Tool]:
        """Return the tools that can work in this studio."""
        from pinebench.agent.chat import offered
        from pinebench.tools.registry import Needs

        found = offered(self.chart_browser, None)
        if self._port is not None:
            return found
        return [tool for tool in found if tool.needs in (Needs.NOTHING, Needs.NETWORK)]

    def converse(self, approve: Approver) -> Conversation:
        """Return a new conversation about this studio. Raises AuthorUnavailable without an API key."""
        from pinebench.agent.conversation_setup import begin

        return begin(self.chart_browser, approve=approve, tools=self.tools())

    def picture(self, region: str) -> tuple[str, str]:
        """Return a picture of a region of the page, as base64, and its type. Raises UnavailableError if it fails."""
        data, kind = self._picture(region)
        return b64encode(data).decode(), kind

    def _picture(self, region: str) -> tuple[bytes, str]:
        outcome = self._call("capture_screenshot", {"region": region})
        if not outcome.images:
            error = str(outcome.result.get("error", "there is no picture"))
            kind = UsageError if isinstance(outcome.error, UsageError) else UnavailableError
            raise kind(error, outcome.result.get("hint"))
        return outcome.images[0].data, outcome.images[0].mime_type

    def _call(self, name: str, given: dict[str, Any]) -> Any:
        from pinebench.tools.tool_calls import ToolOutcome, answer, failure

        if self._port is None and name not in {tool.name for tool in self.tools()}:
            advice = "start the studio without --no-browser, so that it has its own browser"
            error = UnavailableError("this studio has no browser that it can control", advice)
            return ToolOutcome(failure(error), error=error)
        return answer(self.chart_browser, name, given)

    # -- routes ----------------------------------------------------------------------------------------------------

    def add_to(self, routes: Routes) -> None:
        """Add to `routes` the routes for programs that have the token."""
        routes.add("GET", "/api/status", lambda _: self._status())
        routes.add("GET", "/api/state", lambda _: self._told("chart_get_state", {}))
        routes.add("GET", "/api/screenshot", self._screenshot)
        routes.add("GET", "/api/tools", lambda _: json_response({"tools": self._listed()}))
        routes.add("POST", "/api/tool", self._tool, largest=_LARGEST_CALL)

    def _status(self) -> Response:
        result = self._call("tv_health_check", {}).result
        connected = bool(result.pop("success"))
        return json_response({"connected": connected, **result})

    def _listed(self) -> list[dict[str, Any]]:
        return [
            {
                "name": tool.name,
                "group": tool.group,
                "description": tool.summary,
                "input_schema": tool.input_schema(),
                "changes": tool.is_left_out,
                "destroys": tool.destroys,
            }
            for tool in self.tools()
        ]

    def _told(self, name: str, given: dict[str, Any]) -> Response:
        outcome = self._call(name, given)
        if outcome.result["success"]:
            return json_response(outcome.result)
        if isinstance(outcome.error, UsageError):
            return json_response(outcome.result, 400)
        return json_response(outcome.result, 503 if isinstance(outcome.error, UnavailableError) else 500)

    def _screenshot(self, request: StudioRequest) -> Response:
        try:
            data, kind = self._picture(request.query.get("region", "full"))
        except UsageError as error:
            return json_response({"error": error.message, "hint": error.hint}, 400)
        return Response(200, data, kind)

    def _tool(self, request: StudioRequest) -> Response:
        try:
            asked = decoding.loads(request.body, _CALL, size=_LARGEST_CALL)
        except decoding.MalformedDocument as error:
            raise BadRequest(f"the body is not valid: {error}") from None
        return self._told(asked["name"], asked.get("args", {}))
