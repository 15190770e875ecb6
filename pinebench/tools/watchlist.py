"""The watchlist: read it, add to it, take from it."""

from __future__ import annotations

from typing import Annotated, TypedDict

from pinebench.tools.arguments import Flag
from pinebench.tools.calling import Refused
from pinebench.tools.desk import Call
from pinebench.tools.registry import tool
from pinebench.tools.timing import SYMBOL
from pinebench.tradingview import answers


class Watchlist(TypedDict):
    """The symbols with what their rows show, and the sections that they stand in."""

    count: int
    source: str
    symbols: list[answers.WatchedSymbol]


@tool(
    "watchlist",
    "Read the watchlist with last price and change; opens its panel if it is closed.",
    untrusted=("symbols",),
)
def watchlist_get(at: Call, open_panel: Annotated[bool, Flag()] = True) -> Watchlist:
    """The rows of the watchlist."""
    found: answers.Watchlist = at.act("watchlist", {"open": open_panel, "limit": 3000})
    source = "data_attributes" if found["symbols"] else "empty" if found["panel"] else "panel_closed"
    return {"count": len(found["symbols"]), "source": source, "symbols": found["symbols"]}


class Changed(TypedDict):
    """What became of a symbol on the watchlist."""

    symbol: str
    action: str
    count: int
    verified: bool


@tool("watchlist", "Add a symbol to the watchlist.", changes=True)
def watchlist_add(at: Call, symbol: Annotated[str, SYMBOL]) -> Changed:
    """Type the symbol into the page's own dialog and see that a row appears."""
    before = _symbols(at)
    known = _match(symbol, before)
    if known is not None:
        return {"symbol": known, "action": "already_there", "count": len(before), "verified": True}
    dialog: answers.OpenedDialog = at.act("watchlist_open_add", {"limit": 3000})
    if not dialog["input"]:
        what = "its dialog did not open" if dialog["button"] else "the page shows no button for it"
        raise Refused(f"{symbol} was not added: {what}", "open the watchlist in the browser, then try again")
    try:
        at.page.insert_text(symbol)
        at.act("symbol_dialog", {"typed": symbol, "limit": 1500})
        at.page.press_key("Enter", "Enter", 13, context=at.context)
        after = at.act("watchlist_wait", {"known": before, "limit": 3000})["symbols"]
    finally:
        at.act("close_dialogs", {"limit": 500})
    added = _match(symbol, [each for each in after if each not in before])
    if added is None:
        others = [each for each in after if each not in before]
        said = f"{others[0]} was added instead" if others else "no row appeared"
        raise Refused(f"{symbol} was not added: {said}", "symbol_search finds symbols")
    return {"symbol": added, "action": "added", "count": len(after), "verified": True}


@tool("watchlist", "Remove a symbol from the watchlist.", changes=True)
def watchlist_remove(at: Call, symbol: Annotated[str, SYMBOL]) -> Changed:
    """Press the row's own button and see that the row goes."""
    known = _match(symbol, _symbols(at))
    if known is None:
        raise Refused(f"{symbol} is not on the watchlist", "watchlist_get lists it")
    done: answers.RemovedSymbol = at.act("watchlist_remove", {"symbol": known, "limit": 3000})
    if not done["gone"]:
        raise Refused(f"{known} is still on the watchlist", "remove it in the browser")
    return {"symbol": known, "action": "removed", "count": len(_symbols(at)), "verified": True}


def _symbols(at: Call) -> list[str]:
    found: answers.Watchlist = at.act("watchlist", {"open": True, "limit": 3000})
    return [each["symbol"] for each in found["symbols"]]


def _match(symbol: str, known: list[str]) -> str | None:
    from pinebench.tradingview.ready import same_symbol

    return next((each for each in known if same_symbol(symbol, each)), None)
