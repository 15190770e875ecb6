"""Named watchlists: list, create, fill, switch and delete them, through TradingView's service and the page's log-in."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict, cast

from pinebench.near import hint_of_names
from pinebench.tools.arguments import Flag, ListArgument, TextArgument
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.registry import tool
from pinebench.tools.timing import SYMBOL
from pinebench.tools.tool_calls import ToolRefused
from pinebench.tools.watchlist import full_name

_NAME = TextArgument("the name of a watchlist", 100, example="Energy")
_SYMBOLS = ListArgument(SYMBOL, "symbols", most=500)
_LIMIT = 5_000


class NamedList(TypedDict):
    """A watchlist: its number of symbols, and whether it is the active one."""

    name: str
    id: str
    count: int
    active: bool


class Lists(TypedDict):
    """The watchlists of the account."""

    count: int
    lists: list[NamedList]


class ListChanged(TypedDict):
    """A watchlist after a change, read back. `unknown` lists the symbols that the symbol search does not find."""

    name: str
    action: str
    symbols: list[str]
    unknown: list[str]
    active: str | None
    verified: bool


@tool("watchlist", "List the named watchlists of the account.", outside=True, untrusted=("lists",))
def watchlists_list(at: ToolContext) -> Lists:
    """Return all watchlists of the service."""
    found = _all(at)
    return {"count": len(found), "lists": [_told(each) for each in found]}


@tool(
    "watchlist",
    "Create a named watchlist, also with many symbols at once.",
    changes=True,
    outside=True,
    proof="the lists of the service, read again",
)
def watchlists_create(
    at: ToolContext, name: Annotated[str, _NAME], symbols: Annotated[list[str] | None, _SYMBOLS] = None
) -> ListChanged:
    """Create the list, and read it back."""
    if any(each["name"] == name for each in _all(at)):
        raise ToolRefused(f"there is already a watchlist '{name}'", "watchlists_fill adds symbols to it")
    full, unknown = _full(at, symbols or [])
    _asked(at, "POST", "/custom/", {"name": name, "symbols": full}, "create the watchlist")
    made = _named(at, name)
    if made["symbols"] != full:
        raise ToolRefused(f"the watchlist '{name}' does not have the requested symbols", "look at it in the browser")
    return _changed(at, made, "created", unknown, verified=made["symbols"] == full)


@tool(
    "watchlist",
    "Add many symbols to a named watchlist at once.",
    changes=True,
    outside=True,
    proof="the lists of the service, read again",
)
def watchlists_fill(
    at: ToolContext, name: Annotated[str, _NAME], symbols: Annotated[list[str], _SYMBOLS]
) -> ListChanged:
    """Append the symbols that the list does not have yet, and read the list back."""
    held = _named(at, name)
    full, unknown = _full(at, symbols)
    more = [each for each in full if each not in held["symbols"]]
    if more:
        _asked(at, "POST", f"/custom/{held['id']}/append/", more, "add the symbols")
    after = _named(at, name)
    missing = [each for each in full if each not in after["symbols"]]
    lost = [each for each in held["symbols"] if each not in after["symbols"]]
    if missing or lost:
        raise ToolRefused(f"{(missing or lost)[0]} is not on the watchlist '{name}'", "look at it in the browser")
    return _changed(at, after, "filled", unknown, verified=not missing and not lost)


@tool(
    "watchlist",
    "Show another named watchlist.",
    changes=True,
    outside=True,
    proof="the active list of the service, read again",
)
def watchlists_switch(at: ToolContext, name: Annotated[str, _NAME]) -> ListChanged:
    """Make the list the active one, and verify that it is."""
    held = _named(at, name)
    _asked(at, "POST", f"/active/{held['id']}/", None, "switch the watchlist")
    active = _active(at)
    is_active = str(active["id"]) == str(held["id"])
    if not is_active:
        raise ToolRefused(f"'{active['name']}' is still the active watchlist", "switch it in the browser")
    return _changed(at, active, "switched", [], verified=is_active)


@tool(
    "watchlist",
    "Delete a named watchlist permanently; needs confirm.",
    changes=True,
    destroys=True,
    outside=True,
    proof="the lists of the service, read again",
)
def watchlists_delete(
    at: ToolContext, name: Annotated[str, _NAME], confirm: Annotated[bool, Flag("delete it permanently")] = False
) -> ListChanged:
    """Delete the list, and verify that it is gone. The active list is never deleted."""
    held = _named(at, name)
    if str(_active(at)["id"]) == str(held["id"]):
        raise ToolRefused(f"'{name}' is the active watchlist", "switch to another one first (watchlists_switch)")
    if not confirm:
        raise ToolRefused(
            f"the watchlist '{name}' with {len(_symbols(held))} symbols would be deleted permanently",
            "call again with confirm: true",
        )
    _asked(at, "DELETE", f"/custom/{held['id']}/", None, "delete the watchlist")
    is_gone = all(str(each["id"]) != str(held["id"]) for each in _all(at))
    if not is_gone:
        raise ToolRefused(f"the watchlist '{name}' still exists", "delete it in the browser")
    return {
        "name": name,
        "action": "deleted",
        "symbols": _symbols(held),
        "unknown": [],
        "active": _active(at)["name"],
        "verified": is_gone,
    }


def _full(at: ToolContext, symbols: list[str]) -> tuple[list[str], list[str]]:
    """Return the full names of symbols, each once, and the symbols that are not found. Raises ToolRefused if none of
    them is found."""
    found: list[str] = []
    unknown: list[str] = []
    for symbol in symbols:
        try:
            found.append(full_name(at, symbol))
        except ToolRefused:
            unknown.append(symbol)
    if unknown and not found:
        raise ToolRefused(f"none of the symbols was found: {', '.join(unknown[:10])}", "symbol_search finds symbols")
    return list(dict.fromkeys(found)), unknown


def _changed(at: ToolContext, held: dict[str, Any], action: str, unknown: list[str], *, verified: bool) -> ListChanged:
    return {
        "name": held["name"],
        "action": action,
        "symbols": _symbols(held),
        "unknown": unknown,
        "active": _active(at)["name"],
        "verified": verified,
    }


def _symbols(held: dict[str, Any]) -> list[str]:
    return [each for each in held["symbols"] if not each.startswith("###")]


def _told(held: dict[str, Any]) -> NamedList:
    return {
        "name": held["name"],
        "id": str(held["id"]),
        "count": len(_symbols(held)),
        "active": bool(held.get("active")),
    }


def _named(at: ToolContext, name: str) -> dict[str, Any]:
    """Return the only list called `name`. Raises ToolRefused if there is none, or more than one."""
    every = _all(at)
    found = [each for each in every if each["name"] == name]
    if len(found) == 1:
        return found[0]
    listed = hint_of_names("watchlists", (f"'{each['name']}'" for each in every[:30]))
    raise ToolRefused(f"there are {len(found) or 'no'} watchlists called '{name}'", listed)


def _active(at: ToolContext) -> dict[str, Any]:
    return _list_of(_asked(at, "GET", "/active/", None, "read the active watchlist"))


def _all(at: ToolContext) -> list[dict[str, Any]]:
    """Return the user's own lists. Lists by colour are left out, because they cannot be created or deleted."""
    data = _asked(at, "GET", "/custom/", None, "list the watchlists")
    if not isinstance(data, list):
        raise ToolRefused(
            "the answer of the watchlist service has an unexpected form", "look at the lists in the browser"
        )
    return [_list_of(each) for each in cast("list[Any]", data)]


def _list_of(data: Any) -> dict[str, Any]:
    from pinebench import decoding
    from pinebench.tradingview.errors import UnexpectedAnswer

    try:
        decoding.check(data, {"id": (int, str), "name": (str, None), "symbols": [str]})
    except decoding.MalformedDocument as error:
        raise UnexpectedAnswer("the watchlist service", str(error)) from None
    return {**data, "name": data["name"] or ""}


def _asked(at: ToolContext, method: str, path: str, body: Any, what: str) -> Any:
    """Return the data of the service's answer; None if it has none. Raises ServiceError for a refusal."""
    from pinebench.tradingview.script_service import service_data

    call = at.read if method == "GET" else at.act
    answer = call("lists_request", {"method": method, "path": path, "body": body, "limit": _LIMIT})
    if answer["status"] in (200, 201, 204) and answer["data"] is None and method != "GET":
        return None
    if answer["status"] in (201, 204):
        return answer["data"]
    return service_data(answer, what)
