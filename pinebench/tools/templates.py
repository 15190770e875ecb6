"""The script templates that come with pinebench."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypedDict

from pinebench.tools.arguments import ChoiceArgument, IntegerArgument, TextArgument
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.registry import Needs, tool

if TYPE_CHECKING:
    from pinebench.authoring.catalogue import Template


class TemplateSummary(TypedDict):
    """A template without its script: name, title, kind and purpose."""

    name: str
    title: str
    kind: str
    purpose: str


class Templates(TypedDict):
    """A list of templates."""

    count: int
    templates: list[TemplateSummary]


_KIND = ChoiceArgument(("indicator", "strategy", "library"), "only this kind")


@tool("templates", "List the script templates with their purpose.", needs=Needs.NOTHING)
def template_list(at: ToolContext, kind: Annotated[str | None, _KIND] = None) -> Templates:
    """Return all templates, or the templates of one kind."""
    from pinebench.authoring import catalogue

    found = [_entry(each) for each in catalogue.templates() if kind in (None, each.kind)]
    return {"count": len(found), "templates": found}


@tool("templates", "Find templates for words, the best first.", needs=Needs.NOTHING)
def template_search(
    at: ToolContext,
    query: Annotated[str, TextArgument("what the script should do")],
    limit: Annotated[int, IntegerArgument("how many results at most", least=1, most=50, clamp=True)] = 5,
) -> Templates:
    """Return the templates that share words with the query."""
    from pinebench.authoring import catalogue

    found = [_entry(each) for _, each in catalogue.search(query)[:limit]]
    return {"count": len(found), "templates": found}


class FullTemplate(TypedDict):
    """A template with its script."""

    name: str
    title: str
    kind: str
    purpose: str
    inputs: dict[str, str]
    fails_when: str
    line_count: int
    source: str


@tool("templates", "Read one template: its script, inputs, and when it fails.", needs=Needs.NOTHING)
def template_get(
    at: ToolContext, name: Annotated[str, TextArgument("a name from template_list", longest=100, example="ema_ribbon")]
) -> FullTemplate:
    """Return the template called `name`."""
    from pinebench.authoring import catalogue

    found = catalogue.template(name)
    source = found.source
    return {
        **_entry(found),
        "inputs": found.inputs,
        "fails_when": found.fails_when,
        "line_count": source.count("\n"),
        "source": source,
    }


def _entry(found: Template) -> TemplateSummary:
    return {"name": found.name, "title": found.title, "kind": found.kind, "purpose": found.purpose}
