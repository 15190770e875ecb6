"""TradingView's watchlist service (`symbols_list`) on the studio's own store, with the same addresses and shapes.

The studio has one list. Its entries are symbols and sections. A section is `###` with a name, above its symbols.
"""

from __future__ import annotations

from typing import Any

from pinebench.studio import documents
from pinebench.studio.scripts import ScriptStore
from pinebench.studio.web import BadRequest, Request, Response, Routes, json_response

_DOCUMENT = "watchlist"
_ID = 1
_LONGEST_ENTRY = 200
_ROOT = r"/api/v1/symbols_list/"


class Watchlists:
    """The routes of the service, with its list in `store`."""

    def __init__(self, store: ScriptStore) -> None:
        self._store = store

    def add_to(self, routes: Routes) -> None:
        """Add the service's addresses to `routes`."""
        routes.add("GET", _ROOT + "active/?", lambda _request, _groups: self._told())
        routes.add("GET", _ROOT + f"custom/{_ID}/?", lambda _request, _groups: self._told())
        routes.add("GET", _ROOT + "(?:all|custom)/?", lambda _request, _groups: self._told(several=True))
        for change in ("append", "remove", "replace"):
            pattern = _ROOT + f"custom/{_ID}/({change})/?"
            routes.add("POST", pattern, self._change, largest=documents.LARGEST_BODY)

    def _told(self, *, several: bool = False) -> Response:
        try:
            symbols = self._entries()
        except documents.DamagedDocument as error:
            return json_response({"detail": str(error)}, 500)
        told = {"id": _ID, "type": "custom", "name": "Watchlist", "active": True, "color": None, "symbols": symbols}
        return json_response([told] if several else told)

    def _change(self, request: Request, groups: tuple[str, ...]) -> Response:
        given = request.json()
        if not isinstance(given, list) or not all(_is_entry(each) for each in given):
            raise BadRequest("expected a list of symbols and sections (### and a name)")

        def changed(known: list[str] | None) -> list[str]:
            now = known or []
            wanted = {
                "append": [*now, *given],
                "remove": [entry for entry in now if entry not in given],
                "replace": given,
            }[groups[0]]
            return list(dict.fromkeys(wanted))

        try:
            return json_response(documents.change(self._store, _DOCUMENT, changed))
        except documents.DamagedDocument as error:
            return json_response({"detail": str(error)}, 500)

    def _entries(self) -> list[str]:
        return documents.read(self._store, _DOCUMENT) or []


def _is_entry(value: Any) -> bool:
    return isinstance(value, str) and len(value.strip("# ")) > 0 and len(value) <= _LONGEST_ENTRY
