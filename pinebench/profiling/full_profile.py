"""The full profile of a script: its costs, its counts, and advice."""

from __future__ import annotations

from dataclasses import dataclass

from pinebench.profiling.measurement import REPEATS, Profile, profile
from pinebench.profiling.speed_advice import Advice, advice
from pinebench.profiling.weights import Weight, weights
from pinebench.workers.jobs import opened
from pinebench.workers.request import Request

SECONDS = 300
"""The seconds of processor time that `profiled` may take in addition to a run's budget."""


@dataclass(frozen=True)
class ScriptProfile:
    """A profile, the counts that TradingView limits, and the advice."""

    profile: Profile
    weights: list[Weight]
    advice: list[Advice]


def profiled(request: Request, *, advise: bool = True, repeats: int = REPEATS) -> ScriptProfile:
    """Measure a script, count everything that TradingView limits, and, with `advise`, try faster rewrites. Call it in a
    worker. `repeats` is the smallest number of measured runs. Raises the errors of a run."""
    measured = profile(request, repeats)
    weighed = weights(opened(request.source, request.libraries), measured)
    return ScriptProfile(measured, weighed, advice(request, measured) if advise else [])
