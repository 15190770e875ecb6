"""Builds a strategy from named modules: entries, filters, one exit, one way to size positions."""

from pinebench.authoring.building.build import Plan, Strategy, build, plan_of
from pinebench.authoring.building.modules import MODULES, Module, Setting, modules
from pinebench.authoring.building.presets import PRESETS, Preset

__all__ = ["MODULES", "PRESETS", "Module", "Plan", "Preset", "Setting", "Strategy", "build", "modules", "plan_of"]
