"""The built-ins that machine code computes: their functions, state and results.

`kernel_lowering` generates their code from the classes in `runtime.library`, which are their only definition.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from pinebench import reference
from pinebench.compiled.function_writer import FunctionWriter
from pinebench.compiled.kernel_lowering import KernelLowering
from pinebench.runtime import builtins as library

NOT_COMPILED = {
    "math.random": "it multiplies whole numbers that are too large for floats",
    "ta.median": "it keeps its values sorted",
    "ta.range": "it keeps its values sorted",
    "ta.mode": "it counts values in a dictionary",
    "ta.percentile_linear_interpolation": "it keeps its values sorted",
    "ta.percentile_nearest_rank": "it keeps its values sorted",
    "ta.pivot_point_levels": "it returns an array of levels that a text chooses",
}
"""The stateful built-ins that only Python computes, by their names in `runtime.builtins.KERNELS`, each with the
reason."""
SAME = {"fixnan#0": "fixnan#1"}
"""Built-ins for colours that use the machine code of the built-in for floats, because a colour is a float there."""


@dataclass(frozen=True)
class Builtin:
    """A stateful built-in: its function, and the size of its state in floats (`places`).

    `first` has the nonzero initial values of the state, by offset. `first_of_series` has the same for calls whose
    length can change from bar to bar. `results` are the kinds of the results.
    """

    function: str
    places: int
    first: dict[int, float]
    first_of_series: dict[int, float]
    results: list[Any]


def is_column(name: str) -> bool:
    """Return whether a built-in is a variable such as `ta.obv`. Python computes these once as columns, like the
    prices."""
    return name.endswith("#variable") or reference.function(name.partition("#")[0]) is None


def _classes() -> dict[str, type]:
    return {
        name: cls
        for name, cls in library.KERNELS.items()
        if name not in NOT_COMPILED and name not in SAME and not is_column(name)
    }


@cache
def kernels() -> dict[str, Builtin]:
    """Return the stateful built-ins, by the names of their classes in `runtime.library`."""
    lowering = KernelLowering(FunctionWriter)
    found: dict[str, Builtin] = {}
    for cls in dict.fromkeys(_classes().values()):
        results: str = cls.__call__.__annotations__["return"]
        found[cls.__name__] = Builtin(
            lowering.name(cls),
            lowering.record(cls).places,
            lowering.first(cls()),
            lowering.first(cls(True)),
            results.removeprefix("tuple[").rstrip("]").split(", "),
        )
    same = {library.KERNELS[name].__name__: found[library.KERNELS[other].__name__] for name, other in SAME.items()}
    return found | same


@cache
def lowered() -> KernelLowering:
    """Return the stateful built-ins prepared for machine code: their layouts and generated functions."""
    lowering = KernelLowering(FunctionWriter)
    for cls in _classes().values():
        lowering.method(cls)
    return lowering
