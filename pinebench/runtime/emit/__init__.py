"""Generates Python from the typed form: one function makes the state of a run and the function that runs the bars."""

from pinebench.runtime.emit.module import GeneratedModule, generate
from pinebench.runtime.emit.timed import Cost, Timer, sample_cost

__all__ = ["Cost", "GeneratedModule", "Timer", "generate", "sample_cost"]
