"""Converts a checked program to the typed form (IR): names to variables, calls to state, and blocks to statements."""

from pinebench.runtime.lower.calls import ChosenSeries, LaterInput
from pinebench.runtime.lower.context import LoweredRequest, LoweringSettings
from pinebench.runtime.lower.lowering import lower

__all__ = ["ChosenSeries", "LaterInput", "LoweredRequest", "LoweringSettings", "lower"]
