"""Random values for the inputs of a script."""

from __future__ import annotations

import random
from typing import Any

from pinebench.checker import Program
from pinebench.runtime import inputs_of


def random_inputs(chance: random.Random, program: Program) -> dict[str, Any]:
    """Values for the inputs, by the names `in_0`, `in_1`, ...; texts without options keep their default."""
    found: dict[str, Any] = {}
    for number, asked in enumerate(inputs_of(program)):
        name = f"in_{number}"
        if asked.options and all(isinstance(option, int | float | str) for option in asked.options):
            found[name] = chance.choice(asked.options)
        elif asked.kind == "bool":
            found[name] = chance.random() < 0.5
        elif asked.kind in ("int", "float") and isinstance(asked.default, int | float):
            low = asked.least if asked.least is not None else min(1, asked.default)
            high = asked.most if asked.most is not None else max(low + 1, 3 * asked.default)
            value = chance.uniform(low, min(high, max(low + 1, 4 * abs(asked.default))))
            found[name] = round(value) if asked.kind == "int" else value
        elif asked.kind == "source":
            found[name] = chance.choice(("open", "close", "hl2"))
    return found
