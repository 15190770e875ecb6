"""The strategy builder: modules, presets, and the script that is built from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypedDict, cast

from pinebench.tools.arguments import ChoiceArgument, ListArgument, TextArgument, ValuesArgument
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.registry import Needs, tool

if TYPE_CHECKING:
    from pinebench.authoring.building import StrategyModule
    from pinebench.authoring.building.build import Direction

_KINDS = ("entry", "filter", "exit", "sizing")
_NAME = TextArgument("a name from strategy_modules", 60, example="ema_cross")


class BuilderSetting(TypedDict):
    """An input of a module; `name` is its name in `settings`."""

    name: str
    type: str
    default: int | float | str | bool
    least: float | None
    most: float | None
    about: str


class ModuleEntry(TypedDict):
    """A module of the builder: an entry, a filter, an exit or a position size."""

    name: str
    kind: str
    title: str
    purpose: str
    fails_when: str
    settings: list[BuilderSetting]


class Modules(TypedDict):
    """Modules of the strategy builder."""

    count: int
    modules: list[ModuleEntry]


@tool("builder", "List the modules of strategies: entries, filters, exits, sizings, settings.", needs=Needs.NOTHING)
def strategy_modules(
    at: ToolContext, kind: Annotated[str | None, ChoiceArgument(_KINDS, "only this kind")] = None
) -> Modules:
    """Return all modules, or the modules of one kind."""
    from pinebench.authoring.building import MODULES

    found = [_entry(each) for each in MODULES.values() if kind in (None, each.kind)]
    return {"count": len(found), "modules": found}


class PresetEntry(TypedDict):
    """A preset: modules that work well together."""

    name: str
    title: str
    purpose: str
    entries: list[str]
    filters: list[str]
    exit: str
    sizing: str
    settings: dict[str, Any]


class Presets(TypedDict):
    """The presets of the builder."""

    count: int
    presets: list[PresetEntry]


@tool("builder", "List combinations of modules to build a strategy from.", needs=Needs.NOTHING)
def strategy_presets(at: ToolContext) -> Presets:
    """Return all presets."""
    from pinebench.authoring.building import PRESETS

    found: list[PresetEntry] = [
        {
            "name": each.name,
            "title": each.title,
            "purpose": each.purpose,
            "entries": list(each.entries),
            "filters": list(each.filters),
            "exit": each.exit,
            "sizing": each.sizing,
            "settings": dict(each.settings),
        }
        for each in PRESETS.values()
    ]
    return {"count": len(found), "presets": found}


class BuilderResult(TypedDict):
    """A strategy built from modules. `issue_count` counts the findings of the checker and the linter."""

    title: str
    entries: list[str]
    filters: list[str]
    exit: str
    sizing: str
    direction: str
    settings: dict[str, Any]
    passes_check: bool
    issue_count: int
    line_count: int
    source: str


@tool(
    "builder",
    "Build a Pine strategy offline from a preset or modules: entries joined by or, filters by and, a stop, risk size.",
    needs=Needs.NOTHING,
)
def strategy_build(
    at: ToolContext,
    preset: Annotated[
        str | None, TextArgument("a name from strategy_presets", longest=60, example="trend_following")
    ] = None,
    entries: Annotated[list[str] | None, ListArgument(_NAME, "entry modules, joined by or", most=20)] = None,
    filters: Annotated[list[str] | None, ListArgument(_NAME, "filter modules, joined by and", least=0, most=20)] = None,
    exit: Annotated[str | None, TextArgument("an exit module", 60, example="atr_stop")] = None,
    sizing: Annotated[str | None, TextArgument("a sizing module", 60, example="fixed_risk")] = None,
    direction: Annotated[str, ChoiceArgument(("both", "long", "short"), "which side to trade")] = "both",
    title: Annotated[str | None, TextArgument("the strategy's title", longest=200)] = None,
    settings: Annotated[dict[str, Any] | None, ValuesArgument("defaults by module.setting", empty=True)] = None,
) -> BuilderResult:
    """Build a strategy from modules; named modules and settings override the preset's."""
    from pinebench.authoring.building import build, plan_of
    from pinebench.tools.check import defaults

    plan = plan_of(
        title,
        preset=preset,
        entries=entries,
        filters=filters,
        exit=exit,
        sizing=sizing,
        direction=cast("Direction", direction),
        settings=settings,
    )
    source = build(plan).source
    found = defaults(source)
    return {
        "title": plan.title,
        "entries": [each.name for each in plan.entries],
        "filters": [each.name for each in plan.filters],
        "exit": plan.exit.name,
        "sizing": plan.sizing.name,
        "direction": plan.direction,
        "settings": dict(plan.values),
        "passes_check": not any(each["severity"] == "error" for each in found),
        "issue_count": len(found),
        "line_count": source.count("\n"),
        "source": source,
    }


def _entry(module: StrategyModule) -> ModuleEntry:
    return {
        "name": module.name,
        "kind": module.kind,
        "title": module.title,
        "purpose": module.purpose,
        "fails_when": module.fails_when,
        "settings": [
            {
                "name": f"{module.name}.{each.name}",
                "type": each.kind,
                "default": each.default,
                "least": each.least,
                "most": each.most,
                "about": each.tooltip,
            }
            for each in module.settings
        ],
    }
