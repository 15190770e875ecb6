"""The tool that returns more of a result that was too long for one answer."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypedDict

from pinebench.tools.arguments import IntegerArgument, TextArgument
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.registry import Needs, tool


class MoreOfResult(TypedDict):
    """A further part of a list or string in an earlier result, from the index `from` on. `of` names the tool and holds
    the short values of its result. `next` is the index at which to continue, null at the end."""

    of: dict[str, Any]
    key: str
    total: int
    next: int | None
    entries: NotRequired[Any]
    text: NotRequired[str]


@tool("results", "Read more of a result that has `rest`.", needs=Needs.NOTHING, untrusted=("of", "entries", "text"))
def read_result(
    at: ToolContext,
    result: Annotated[str, TextArgument("of rest", 40, example="1f3a9c07")],
    key: Annotated[str, TextArgument("of rest.parts", 500, example="trades")],
    from_: Annotated[int, IntegerArgument("index of the first entry")] = 0,
) -> MoreOfResult:
    """Return as many entries of the part `key` as fit into one answer, from the index `from_` on."""
    found = at.chart_browser.results.find(at.context.subject, result)
    page = found.page(key, from_)
    told: MoreOfResult = {"of": {"tool": found.tool, **found.about}, "key": key, "total": page.total, "next": page.next}
    return {**told, "text": page.value} if isinstance(page.value, str) else {**told, "entries": page.value}
