"""Generates Python from the typed form: one function makes a running copy, in which another function runs the bars."""

from pinebench.runtime.emit.module import GeneratedModule, generate
from pinebench.runtime.emit.timed import Cost, Timer, sample_cost

__all__ = ["Cost", "GeneratedModule", "Timer", "generate", "sample_cost"]
