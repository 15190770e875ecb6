"""Draws another symbol over the chart, with the page's own study for comparing symbols."""

from __future__ import annotations

import contextlib
import re
from typing import Annotated, Any, TypedDict

from pinebench.errors import PinebenchError
from pinebench.tools.chart import remove
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.registry import tool
from pinebench.tools.timing import SYMBOL
from pinebench.tools.tool_calls import ToolRefused
from pinebench.tools.watchlist import full_name
from pinebench.tradingview import chart_results

_STUDIES = ("Compare", "Compare@tv-basicstudies")
"""The names of the page's study for comparing symbols. Some builds know it only by its id."""

_LIMIT = 8_000
_LISTED = re.compile(r"[A-Z0-9_]+:\S+")


class SymbolOverlay(TypedDict):
    """The symbol that is drawn over the chart, and the study that draws it (`chart_manage_indicator` removes it)."""

    symbol: str
    entity_id: str
    computed: bool
    new_study_count: int
    verified: bool


@tool(
    "view",
    "Draw another symbol over the chart.",
    changes=True,
    outside=True,
    proof="the symbol among the inputs of the new study, read back, and its values",
)
def chart_compare(at: ToolContext, symbol: Annotated[str, SYMBOL]) -> SymbolOverlay:
    """Add the study for comparing symbols, give it the symbol, and read it back. If the study then has another symbol,
    it is removed."""
    full = full_name(at, symbol)
    if full == at.read("chart_summary")["symbol"]:
        raise ToolRefused(f"the chart already shows {full}", "name another symbol")
    added = _added(at)
    entity_id = str(added["id"])
    try:
        key = _symbol_input(at, entity_id)
        done: chart_results.SetInputs = at.act("set_inputs", {"id": entity_id, "inputs": {key: full}, "limit": _LIMIT})
        held = {each["id"]: each["value"] for each in done["inputs"]}.get(key)
        if held != full or done["has"] < done["had"]:
            raise ToolRefused(f"{full} was not added: the study shows {held!r} instead", "add it in the browser")
    except PinebenchError:
        with contextlib.suppress(PinebenchError):
            remove(at, entity_id, "study")
        raise
    computed = done["computed"] == "done"
    return {
        "symbol": full,
        "entity_id": entity_id,
        "computed": computed,
        "new_study_count": added["count"],
        "verified": held == full and computed,
    }


def _added(at: ToolContext) -> chart_results.AddedStudy:
    """Return the new study for comparing symbols. Raises ToolRefused if the page adds none."""
    why = ""
    for name in _STUDIES:
        added: chart_results.AddedStudy = at.act("add_study", {"name": name, "inputs": None, "limit": _LIMIT})
        if added["id"] is not None:
            return added
        why = added["dialog"] or added["refused"] or "no new study appeared"
    raise ToolRefused(f"the page added no study for comparisons: {why}"[:400], "add it in the browser's own dialog")


def _symbol_input(at: ToolContext, entity_id: str) -> str:
    """Return the id of the input that holds the symbol. Raises ToolRefused unless there is exactly one."""
    inputs: list[dict[str, Any]] = at.read("study_details", {"id": entity_id})["inputs"]
    named = [each["id"] for each in inputs if each["id"] == "symbol"]
    found = named or [each["id"] for each in inputs if _LISTED.fullmatch(str(each["value"]))]
    if len(found) != 1:
        raise ToolRefused(
            f"the study for comparisons has {len(found)} inputs for a symbol instead of one", "add it in the browser"
        )
    return str(found[0])
