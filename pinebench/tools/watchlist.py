"""Tools for the watchlist and its sections: read, add, move and remove, through TradingView's service and the page's
log-in. The page draws only the rows that are on the screen, so the list is read from the service. If nobody is logged
in, the tools read, add and remove symbols with the page's own rows and buttons instead."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, TypedDict, cast

from pinebench.errors import UsageError
from pinebench.near import hint_of_names
from pinebench.tools.arguments import ChoiceArgument, Flag, TextArgument
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.registry import tool
from pinebench.tools.timing import SYMBOL
from pinebench.tools.tool_calls import ToolRefused
from pinebench.tradingview import page_results

_MARK = "###"
"""The mark that the service writes before the name of a section."""

_SECTION = TextArgument("a section's name", 100, pattern=r"[^\x00-\x1f#]([^\x00-\x1f]*\S)?", example="Energy")
_LIMIT = 5_000


class Section(TypedDict):
    """A section, and the number of its symbols."""

    name: str
    count: int


class Watchlist(TypedDict):
    """The symbols with the values that their rows show; a symbol's `section` is the section that contains it."""

    name: str | None
    count: int
    source: str
    symbols: list[page_results.WatchedSymbol]
    sections: list[Section]


class _List(NamedTuple):
    """The active watchlist, as the service keeps it: symbols and sections in their order."""

    path: str
    name: str
    entries: list[str]

    def symbols(self) -> list[str]:
        return [entry for entry in self.entries if not entry.startswith(_MARK)]

    def sections(self) -> list[Section]:
        found: list[Section] = []
        for entry in self.entries:
            if entry.startswith(_MARK):
                found.append({"name": entry.removeprefix(_MARK), "count": 0})
            elif found:
                found[-1]["count"] += 1
        return found

    def section_of(self, symbol: str) -> str | None:
        above = self.entries[: self.entries.index(symbol)]
        return next((each.removeprefix(_MARK) for each in reversed(above) if each.startswith(_MARK)), None)


@tool(
    "watchlist",
    "Read the watchlist: sections, symbols, last price and change; opens its panel if it is closed.",
    outside=True,
    untrusted=("name", "symbols", "sections"),
    prices=True,
)
def watchlist_get(
    at: ToolContext, open_panel: Annotated[bool, Flag("open the watchlist's panel if it is closed")] = True
) -> Watchlist:
    """Return all symbols of the list, with prices for the rows that the page shows."""
    shown: page_results.ShownWatchlist = at.act("watchlist", {"open": open_panel, "limit": 3000})
    at.prove(shown["evidence"])
    held = _held(at)
    if held is None:
        at.connection.notify("nobody is logged in, so only the symbols whose rows the page has drawn were read")
        return _shown(shown)
    rows = {each["symbol"]: each for each in shown["symbols"]}
    symbols = [_row(symbol, held.section_of(symbol), rows.get(symbol)) for symbol in held.symbols()]
    return {
        "name": held.name,
        "count": len(symbols),
        "source": "internal_api",
        "symbols": symbols,
        "sections": held.sections(),
    }


def _row(symbol: str, section: str | None, row: page_results.WatchedSymbol | None) -> page_results.WatchedSymbol:
    last, change, percent = (row["last"], row["change"], row["change_percent"]) if row else (None, None, None)
    return {"symbol": symbol, "last": last, "change": change, "change_percent": percent, "section": section}


def _shown(found: page_results.ShownWatchlist) -> Watchlist:
    """Return the watchlist from the page's rows alone."""
    source = "data_attributes" if found["symbols"] else "empty" if found["panel"] else "panel_closed"
    counts: dict[str, int] = {}
    for each in found["symbols"]:
        if each["section"] is not None:
            counts[each["section"]] = counts.get(each["section"], 0) + 1
    return {
        "name": None,
        "count": len(found["symbols"]),
        "source": source,
        "symbols": found["symbols"],
        "sections": [{"name": name, "count": count} for name, count in counts.items()],
    }


class WatchlistChange(TypedDict):
    """The result of a change of one symbol on the watchlist."""

    symbol: str
    action: str
    section: str | None
    count: int
    verified: bool


@tool(
    "watchlist",
    "Add a symbol to the watchlist, at the end or in a section.",
    changes=True,
    outside=True,
    proof="the watchlist, read again",
)
def watchlist_add(
    at: ToolContext, symbol: Annotated[str, SYMBOL], section: Annotated[str | None, _SECTION] = None
) -> WatchlistChange:
    """Find the symbol's full name with the symbol search, add it, and read the list again."""
    held = _held(at)
    if held is None:
        return _add_by_dialog(at, symbol, section)
    known = _match(symbol, held.symbols())
    if known is not None:
        return _told(held, known, "already_there")
    place = len(held.entries) if section is None else _end_of(held, section)
    full = full_name(at, symbol)
    if full in held.symbols():
        return _told(held, full, "already_there")
    if section is None:
        after = _asked(at, held, "append", [full])
    else:
        after = _replaced(at, held, [*held.entries[:place], full, *held.entries[place:]])
    if full not in after.symbols():
        raise ToolRefused(f"{symbol} was not added: it is not in the watchlist afterwards", "add it in the browser")
    return _told(after, full, "added")


@tool("watchlist", "Remove a symbol from the watchlist.", changes=True, outside=True, proof="the watchlist, read again")
def watchlist_remove(at: ToolContext, symbol: Annotated[str, SYMBOL]) -> WatchlistChange:
    """Remove the symbol from the list, and read the list again."""
    held = _held(at)
    symbols = _symbols(at) if held is None else held.symbols()
    known = _match(symbol, symbols)
    if known is None:
        raise ToolRefused(f"{symbol} is not on the watchlist", "watchlist_get lists it")
    if held is None:
        return _remove_by_button(at, known)
    after = _asked(at, held, "remove", [known])
    if known in after.symbols():
        raise ToolRefused(f"{known} is still on the watchlist", "remove it in the browser")
    left = after.symbols()
    return {"symbol": known, "action": "removed", "section": None, "count": len(left), "verified": known not in left}


@tool(
    "watchlist",
    "Move a symbol: to the end of a section, or before another symbol.",
    changes=True,
    outside=True,
    proof="the watchlist, read again",
)
def watchlist_move(
    at: ToolContext,
    symbol: Annotated[str, SYMBOL],
    section: Annotated[str | None, _SECTION] = None,
    before: Annotated[str | None, SYMBOL] = None,
) -> WatchlistChange:
    """Move the symbol to another position in the list, and read the list again."""
    if (section is None) == (before is None):
        raise UsageError(
            "give either section or before", "section moves the symbol to its end, before puts it in front of a symbol"
        )
    held = _listed(at)
    known, other = _known(held, symbol), None if before is None else _known(held, before)
    if known == other:
        raise UsageError(f"{known} cannot be moved before itself", "name another symbol")
    rest = held._replace(entries=[entry for entry in held.entries if entry != known])
    place = rest.entries.index(other) if other is not None else _end_of(rest, section or "")
    return _told(_replaced(at, held, [*rest.entries[:place], known, *rest.entries[place:]]), known, "moved")


class Sections(TypedDict):
    """The sections of the watchlist after a change."""

    section: str
    action: str
    sections: list[Section]
    verified: bool


@tool(
    "watchlist",
    "Add, rename, move or remove a section of the watchlist; the symbols of a removed section stay.",
    changes=True,
    outside=True,
    proof="the watchlist, read again",
)
def watchlist_section(
    at: ToolContext,
    action: Annotated[str, ChoiceArgument(("add", "rename", "move", "remove"), "what to do with the section")],
    section: Annotated[str, _SECTION],
    new_name: Annotated[str | None, TextArgument("to rename", 100, pattern=_SECTION.pattern, example="Energy")] = None,
    before: Annotated[
        str | None, TextArgument("a section (default: the end of the list)", 100, pattern=_SECTION.pattern)
    ] = None,
) -> Sections:
    """Change the sections, and read them again."""
    if (new_name is None) == (action == "rename"):
        problem = "new_name is missing" if new_name is None else f"action {action} does not use new_name"
        raise UsageError(problem, 'give new_name only with action "rename", which needs it')
    if before is not None and action not in ("add", "move"):
        raise UsageError(f"action {action} does not use before", 'give before only with action "add" or "move"')
    if before == section:
        raise UsageError(f"'{section}' cannot be moved before itself", "name another section")
    held = _listed(at)
    wanted = _resectioned(held, action, section, new_name, before)
    after = _replaced(at, held, wanted)
    name = new_name or section
    done = {"add": "added", "rename": "renamed", "move": "moved", "remove": "removed"}[action]
    return {"section": name, "action": done, "sections": after.sections(), "verified": after.entries == wanted}


def _resectioned(held: _List, action: str, section: str, new_name: str | None, before: str | None) -> list[str]:
    """Return the entries after a change of their sections. Raises ToolRefused if the change is not possible."""
    entries, head = held.entries, _MARK + section
    fresh = head if action == "add" else _MARK + new_name if new_name is not None else None
    if fresh is not None and fresh in entries:
        raise ToolRefused(f"there is already a section '{fresh.removeprefix(_MARK)}'", "choose another name")
    if action == "add":
        place = len(entries) if before is None else _head_of(held, before)
        return [*entries[:place], head, *entries[place:]]
    start = _head_of(held, section)
    if action == "rename":
        return [*entries[:start], str(fresh), *entries[start + 1 :]]
    if action == "remove":
        return [*entries[:start], *entries[start + 1 :]]
    block = entries[start : _end_of(held, section)]
    rest = held._replace(entries=[*entries[:start], *entries[start + len(block) :]])
    place = len(rest.entries) if before is None else _head_of(rest, before)
    return [*rest.entries[:place], *block, *rest.entries[place:]]


def _head_of(held: _List, section: str) -> int:
    """Return the index of the section's name in the entries. Raises ToolRefused if there is no section with that
    name."""
    if _MARK + section in held.entries:
        return held.entries.index(_MARK + section)
    names = hint_of_names("sections", (each["name"] for each in held.sections()))
    raise ToolRefused(f"there is no section '{section}'", f"{names}; watchlist_section adds one")


def _end_of(held: _List, section: str) -> int:
    """Return the index after the last symbol of the section."""
    start = _head_of(held, section) + 1
    later = (at for at in range(start, len(held.entries)) if held.entries[at].startswith(_MARK))
    return next(later, len(held.entries))


def _known(held: _List, symbol: str) -> str:
    known = _match(symbol, held.symbols())
    if known is None:
        raise ToolRefused(f"{symbol} is not on the watchlist", "watchlist_get lists it")
    return known


def _told(held: _List, symbol: str, action: str) -> WatchlistChange:
    return {
        "symbol": symbol,
        "action": action,
        "section": held.section_of(symbol),
        "count": len(held.symbols()),
        "verified": symbol in held.symbols(),
    }


# -- the service ------------------------------------------------------------------------------------------------------


def _held(at: ToolContext) -> _List | None:
    """Return the active watchlist, from the service; None if the service requires a log-in or does not exist."""
    answer: page_results.HttpAnswer = at.act("watchlist_request", {"path": "/active/", "body": None, "limit": _LIMIT})
    return None if answer["status"] in (401, 403, 404) else _read(answer)


def _listed(at: ToolContext) -> _List:
    held = _held(at)
    if held is None:
        raise ToolRefused(
            "sections and the order of symbols need an account", "log in on the page, once, then try again"
        )
    return held


def _read(answer: page_results.HttpAnswer) -> _List:
    """Return the list in an answer of the service. Raises ServiceError, or UnexpectedAnswer for any other shape."""
    from pinebench import decoding
    from pinebench.tradingview.errors import UnexpectedAnswer
    from pinebench.tradingview.script_service import service_data

    data: Any = service_data(cast("dict[str, Any]", answer), "read the watchlist")
    try:
        decoding.check(data, {"id": (int, str), "type": str, "name": str, "symbols": [str]})
    except decoding.MalformedDocument as error:
        raise UnexpectedAnswer("the watchlist service", str(error)) from None
    key = data["id"] if data["type"] != "colored" else data.get("color") or data["id"]
    return _List(f"/{data['type']}/{key}", data["name"], data["symbols"])


def _asked(at: ToolContext, held: _List, change: str, symbols: list[str]) -> _List:
    """Append or remove symbols through the service, and return the list after that."""
    from pinebench.tradingview.script_service import service_data

    request = {"path": f"{held.path}/{change}/", "body": symbols, "limit": _LIMIT}
    service_data(at.act("watchlist_request", request), f"{change} symbols")
    return _again(at, held)


def _replaced(at: ToolContext, held: _List, entries: list[str]) -> _List:
    """Replace the entries of the list through the service, and return the list after that. Raises ToolRefused if
    somebody else changed the entries in the meantime."""
    from pinebench.tradingview.script_service import service_data

    request = {"path": f"{held.path}/replace/?unsafe=true", "expected": held.entries, "entries": entries}
    done: page_results.WatchlistWrite = at.act("watchlist_replace", {**request, "limit": _LIMIT})
    if not done["asked"]:
        raise ToolRefused("somebody else changed the watchlist in the meantime; nothing was done", "try again")
    service_data(cast("dict[str, Any]", done["answer"]), "change the watchlist")
    after = _again(at, held)
    if after.entries != entries:
        raise ToolRefused(
            "the watchlist was changed, but differs from the request",
            "look at it in the browser",
            entries=after.entries,
        )
    return after


def _again(at: ToolContext, held: _List) -> _List:
    after = _listed(at)
    if after.path != held.path:
        raise ToolRefused(
            "the page now shows another watchlist, so the result is not known", "look at it in the browser"
        )
    return after


def full_name(at: ToolContext, symbol: str) -> str:
    """Return the full name `EXCHANGE:TICKER` of a symbol, from the symbol search. The service itself would accept any
    text. Symbols that are joined by arithmetic operators are returned unchanged. Raises ToolRefused if the symbol is
    not found."""
    from pinebench.tools.chart import symbol_search

    if any(sign in symbol for sign in "+*/ ") or symbol.startswith("="):
        return symbol
    wanted = symbol.upper()
    found = [each["full_name"] for each in symbol_search(at, symbol.rpartition(":")[2], limit=50)["results"]]
    name = next((each for each in found if wanted in (each.upper(), each.upper().rpartition(":")[2])), None)
    if name is None:
        near = ", ".join(found[:5])
        raise ToolRefused(f"{symbol} was not added: there is no such symbol", f"near: {near}" if near else None)
    return name


# -- the page's rows, if nobody is logged in --------------------------------------------------------------------------


def _add_by_dialog(at: ToolContext, symbol: str, section: str | None) -> WatchlistChange:
    """Add a symbol with the page's own dialog, and verify that a row appears."""
    if section is not None:
        raise ToolRefused("sections need an account", "log in on the page, or leave section out")
    before = _symbols(at)
    known = _match(symbol, before)
    if known is not None:
        return {
            "symbol": known,
            "action": "already_there",
            "section": None,
            "count": len(before),
            "verified": known in before,
        }
    dialog: page_results.OpenedDialog = at.act("watchlist_open_add", {"limit": 3000})
    if not dialog["input"]:
        what = "its dialog did not open" if dialog["button"] else "the page shows no button for it"
        raise ToolRefused(f"{symbol} was not added: {what}", "open the watchlist in the browser, then try again")
    try:
        typed: page_results.SearchOffer = at.act("symbol_dialog", {"typed": symbol, "limit": 1500})
        if not typed["input"]:
            raise ToolRefused(
                f"{symbol} was not added: its dialog did not accept the typed text", "add it in the browser"
            )
        at.page.press_key("Enter", "Enter", 13, context=at.context)
        after = at.act("watchlist_wait", {"known": before, "limit": 3000})["symbols"]
    finally:
        at.act("close_dialogs", {"limit": 500})
    others = [each for each in after if each not in before]
    added = _match(symbol, others)
    if added is None:
        said = f"{others[0]} was added instead" if others else "no row appeared"
        raise ToolRefused(f"{symbol} was not added: {said}", "symbol_search finds symbols")
    return {"symbol": added, "action": "added", "section": None, "count": len(after), "verified": added in others}


def _remove_by_button(at: ToolContext, known: str) -> WatchlistChange:
    """Press the remove button of the row, and verify that the row disappears."""
    done: page_results.RemovedSymbol = at.act("watchlist_remove", {"symbol": known, "limit": 3000})
    if not done["gone"]:
        raise ToolRefused(f"{known} is still on the watchlist", "remove it in the browser")
    left = _symbols(at)
    return {"symbol": known, "action": "removed", "section": None, "count": len(left), "verified": known not in left}


def _symbols(at: ToolContext) -> list[str]:
    found: page_results.ShownWatchlist = at.act("watchlist", {"open": True, "limit": 3000})
    return [each["symbol"] for each in found["symbols"]]


def _match(symbol: str, known: list[str]) -> str | None:
    from pinebench.tradingview.shown_symbol import same_symbol

    return next((each for each in known if same_symbol(symbol, each)), None)
