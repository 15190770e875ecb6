"""TradingView's watchlist service (`symbols_list`), backed by the studio's own store, with the same URLs and data
formats.

The entries of a list are symbols and sections. A section is `###` with a name, above its symbols. The document
`watchlist` holds the active list's entries, which the page shows. The document `watchlists` holds the names of all
lists, and the entries of the lists that are not active.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pinebench.studio import documents
from pinebench.studio.scripts import ScriptStore
from pinebench.studio.web import BadRequest, Handler, Response, Routes, StudioRequest, json_response

_DOCUMENT = "watchlist"
_LISTS = "watchlists"
_FIRST: dict[str, Any] = {"active": 1, "lists": [{"id": 1, "name": "Watchlist", "symbols": []}]}
_LONGEST_ENTRY = 200
_LONGEST_NAME = 100
_MOST_LISTS = 200
_ROOT = r"/api/v1/symbols_list/"


class Watchlists:
    """The routes of the watchlist service; `store` holds its lists."""

    def __init__(self, store: ScriptStore) -> None:
        self._store = store

    def add_to(self, routes: Routes) -> None:
        """Add the service's addresses to `routes`."""
        largest = documents.LARGEST_BODY
        routes.add("GET", _ROOT + "active/?", _guarded(lambda _: self._one(self._active())))
        routes.add("GET", _ROOT + r"custom/(\d+)/?", _guarded(lambda request: self._one(int(request.groups[0]))))
        routes.add("GET", _ROOT + "(?:all|custom)/?", _guarded(lambda _: json_response(self._all())))
        routes.add("POST", _ROOT + "custom/?", _guarded(self._create), largest=largest)
        routes.add("POST", _ROOT + r"active/(\d+)/?", _guarded(self._activate))
        routes.add("DELETE", _ROOT + r"custom/(\d+)/?", _guarded(self._delete))
        for change in ("append", "remove", "replace"):
            routes.add("POST", _ROOT + rf"custom/(\d+)/({change})/?", _guarded(self._change), largest=largest)

    def _kept(self) -> dict[str, Any]:
        return documents.read(self._store, _LISTS) or _FIRST

    def _active(self) -> int:
        return self._kept()["active"]

    def _all(self) -> list[dict[str, Any]]:
        kept = self._kept()
        return [
            {
                "id": each["id"],
                "type": "custom",
                "name": each["name"],
                "active": each["id"] == kept["active"],
                "color": None,
                "symbols": self._entries() if each["id"] == kept["active"] else each["symbols"],
            }
            for each in kept["lists"]
        ]

    def _one(self, number: int) -> Response:
        found = next((each for each in self._all() if each["id"] == number), None)
        return json_response({"detail": "Not found."}, 404) if found is None else json_response(found)

    def _create(self, request: StudioRequest) -> Response:
        given: Any = request.json()
        name = given.get("name") if isinstance(given, dict) else None  # pyright: ignore
        entries = given.get("symbols", []) if isinstance(given, dict) else None  # pyright: ignore
        if not isinstance(name, str) or not 0 < len(name.strip()) <= _LONGEST_NAME:
            raise BadRequest(f"a list needs a name of at most {_LONGEST_NAME} characters")
        symbols = _entries_of(entries)
        made: dict[str, Any] = {}

        def more(known: dict[str, Any] | None) -> dict[str, Any]:
            now = known or _FIRST
            if len(now["lists"]) >= _MOST_LISTS:
                raise BadRequest(f"there are already {_MOST_LISTS} lists; delete one first")
            made.update(id=max(each["id"] for each in now["lists"]) + 1, name=name, symbols=symbols)
            return {**now, "lists": [*now["lists"], dict(made)]}

        documents.change(self._store, _LISTS, more)
        return self._one(made["id"])

    def _activate(self, request: StudioRequest) -> Response:
        """Show another list: its entries become the document that the page shows."""
        number, shown = int(request.groups[0]), self._entries()
        entries: list[str] = []

        def switched(known: dict[str, Any] | None) -> dict[str, Any]:
            now = known or _FIRST
            chosen = next((each for each in now["lists"] if each["id"] == number), None)
            if chosen is None:
                raise BadRequest("there is no such list")
            entries[:] = shown if number == now["active"] else chosen["symbols"]
            kept = [{**each, "symbols": shown} if each["id"] == now["active"] else each for each in now["lists"]]
            return {"active": number, "lists": kept}

        documents.change(self._store, _LISTS, switched)
        documents.change(self._store, _DOCUMENT, lambda _known: entries)
        return self._one(number)

    def _delete(self, request: StudioRequest) -> Response:
        number = int(request.groups[0])

        def fewer(known: dict[str, Any] | None) -> dict[str, Any]:
            now = known or _FIRST
            if number == now["active"] or all(each["id"] != number for each in now["lists"]):
                raise BadRequest("there is no such list, or it is the active one")
            return {**now, "lists": [each for each in now["lists"] if each["id"] != number]}

        documents.change(self._store, _LISTS, fewer)
        return json_response({})

    def _change(self, request: StudioRequest) -> Response:
        given, number, change = _entries_of(request.json()), int(request.groups[0]), request.groups[1]

        def changed(known: list[str] | None) -> list[str]:
            now = known or []
            wanted = {
                "append": [*now, *given],
                "remove": [entry for entry in now if entry not in given],
                "replace": given,
            }[change]
            return list(dict.fromkeys(wanted))

        if number == self._active():
            return json_response(documents.change(self._store, _DOCUMENT, changed))

        def other(known: dict[str, Any] | None) -> dict[str, Any]:
            now = known or _FIRST
            if all(each["id"] != number for each in now["lists"]):
                raise BadRequest("there is no such list")
            lists = [
                {**each, "symbols": changed(each["symbols"])} if each["id"] == number else each for each in now["lists"]
            ]
            return {**now, "lists": lists}

        lists = documents.change(self._store, _LISTS, other)["lists"]
        return json_response(next(each["symbols"] for each in lists if each["id"] == number))

    def _entries(self) -> list[str]:
        return documents.read(self._store, _DOCUMENT) or []


def _guarded(answer: Callable[[StudioRequest], Response]) -> Handler:
    """Return a handler that answers a damaged store in the shape that the service uses."""

    def handle(request: StudioRequest) -> Response:
        try:
            return answer(request)
        except documents.DamagedDocument as error:
            return json_response({"detail": str(error)}, 500)

    return handle


def _entries_of(given: Any) -> list[str]:
    """`given` if it is a list of entries. Raises BadRequest if it is not."""
    if not isinstance(given, list) or not all(_is_entry(each) for each in given):  # pyright: ignore
        raise BadRequest("expected a list of symbols and sections (### and a name)")
    return given  # pyright: ignore


def _is_entry(value: Any) -> bool:
    return isinstance(value, str) and len(value.strip("# ")) > 0 and len(value) <= _LONGEST_ENTRY
