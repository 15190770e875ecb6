"""The saved scripts of the account that is logged in on the page. TradingView's script service lists, reads and saves
them."""

from __future__ import annotations

from typing import Any

from pinebench.context import Context
from pinebench.tradingview.errors import ServiceError
from pinebench.tradingview.page import Page
from pinebench.tradingview.script_service import SERVICE_TIMEOUT, SavedScript, listed_scripts, service_data

_UNDECIDED = (408, 499)
"""The HTTP statuses below 500 after which a save may still happen: the service, or a proxy, has stopped waiting."""
_REASONS = {
    401: "it needs a log-in: log in on the page, once, then try again",
    403: "it needs a log-in: log in on the page, once, then try again",
    429: "too many requests: wait a minute, then try again",
}
"""The reasons for refusals, by HTTP status, because the service itself often gives none."""


class PageAccount:
    """An account, reached through the script service with the session of the page. The page's editor is not touched.
    Every method raises ServiceError if no usable answer comes. Even then, a save may have happened."""

    def __init__(self, page: Page, context: Context | None = None) -> None:
        self._page, self._context = page, context

    def scripts(self) -> list[SavedScript]:
        """Return all saved scripts, each with its newest version."""
        return listed_scripts(self._call("list_scripts", {}))

    def source(self, script_id: str, version: str) -> str | None:
        """Return the source of a version, or None if there is no such version."""
        answer = self._call("get_script", {"id": script_id, "version": version})
        if answer["status"] == 404:
            return None
        data = service_data(answer, "read a saved script")
        source = data.get("source") if isinstance(data, dict) else None
        if not isinstance(source, str):
            raise ServiceError(
                "the script service returned a saved script without its source", "open it in the browser"
            )
        return source

    def save(self, script_id: str, source: str, base: str) -> tuple[bool, str]:
        """Save `source` as the next version of a script whose newest version is `base`. Return whether the service says
        that it was saved, and the reason if it was not."""
        return self._saved({"id": script_id, "name": None, "source": source, "base": base})

    def create(self, name: str, source: str) -> tuple[bool, str]:
        """Save `source` as a new script. Return whether the service says that it was saved, and the reason if it was
        not."""
        return self._saved({"id": None, "name": name, "source": source, "base": None})

    def _saved(self, request: dict[str, Any]) -> tuple[bool, str]:
        answer = self._call("save_script", request)
        data = answer["data"] if isinstance(answer["data"], dict) else {}
        status = answer["status"]
        is_refused = 400 <= status < 500 and status not in _UNDECIDED
        if is_refused or (status == 200 and data.get("success") is False):
            given = str(data.get("reason") or data.get("error") or "")[:300]
            said = "; ".join(filter(None, (given, _REASONS.get(status))))
            return False, f"the script service refused the request: {said or f'HTTP {status}'}"
        service_data(answer, "save the script")
        return True, ""

    def _call(self, name: str, request: dict[str, Any]) -> Any:
        limit = int(SERVICE_TIMEOUT * 1000)
        read = name != "save_script"
        argument = {**request, "limit": limit}
        return self._page.call(name, argument, timeout=SERVICE_TIMEOUT + 2, read=read, context=self._context)
