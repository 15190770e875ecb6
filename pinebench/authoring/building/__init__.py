"""Builds a strategy from named modules: entries, filters, one exit, and one sizing method."""

from pinebench.authoring.building.build import BuiltStrategy, StrategyPlan, build, plan_of
from pinebench.authoring.building.modules import MODULES, ModuleSetting, StrategyModule, modules
from pinebench.authoring.building.presets import PRESETS, Preset

__all__ = [
    "MODULES",
    "PRESETS",
    "BuiltStrategy",
    "ModuleSetting",
    "Preset",
    "StrategyModule",
    "StrategyPlan",
    "build",
    "modules",
    "plan_of",
]
