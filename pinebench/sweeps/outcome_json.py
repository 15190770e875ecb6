"""Converts the outcomes of many runs to JSON values and back. Workers answer in this format, and sweeps are stored in
it.

The numbers of all runs are packed into two strings, because parsing single numbers takes as long as a short run.
"""

from __future__ import annotations

import base64
import math
import sys
from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any

from pinebench.compiled import TierChoice
from pinebench.sweeps.combination_runs import RunOutcome, are_finite

SHAPE: Any = {
    "forms": [{"names": str, "whole": str}],
    "form": [int],
    "inputs": [{str: object}],
    "whole": [[int]],
    "figures": str,
    "points": [int],
    "equity": str,
    "errors": [(str, None)],
    "choices": [{"tier": str, "reason": str, "line": (int, None)}],
    "choice": [int],
}
"""The shape of packed outcomes, for `decoding`."""


def packed(outcomes: Iterable[RunOutcome]) -> dict[str, Any]:
    """Encode outcomes as JSON values of the shape `SHAPE`.

    `forms` are the possible sets of figures, and `choices` are the tiers with their reasons. `form`, `choice`,
    `inputs`, `whole` (figures that are whole numbers), `points` (length of the equity) and `errors` have an entry for
    each run. `figures` and `equity` are little-endian 64-bit floats in base 64, one run after another.
    """
    forms: dict[tuple[str, str], int] = {}
    choices: dict[TierChoice, int] = {}
    told: dict[str, list[Any]] = {name: [] for name in ("form", "inputs", "whole", "points", "errors", "choice")}
    figures, equity = array("d"), array("d")
    for each in outcomes:
        whole = {name: value for name, value in each.figures.items() if isinstance(value, int)}
        form = " ".join(each.figures), " ".join(whole)
        told["form"].append(forms.setdefault(form, len(forms)))
        told["inputs"].append(each.inputs)
        told["whole"].append([*whole.values()])
        told["points"].append(len(each.equity))
        told["errors"].append(each.error)
        told["choice"].append(choices.setdefault(each.choice, len(choices)))
        figures.extend([math.nan if value is None else value for value in each.figures.values()])
        equity.extend(each.equity)
    names = [{"names": each, "whole": whole} for each, whole in forms]
    chosen = [each._asdict() for each in choices]
    return {"forms": names, "choices": chosen, **told, "figures": _text(figures), "equity": _text(equity)}


def unpacked(plain: Mapping[str, Any]) -> list[RunOutcome]:
    """Decode outcomes from JSON values of the shape `SHAPE`. Raises ValueError if the parts contradict each other."""
    figures, equity = _numbers(plain["figures"]), _numbers(plain["equity"])
    if any(map(math.isinf, figures)) or not are_finite(equity):
        raise ValueError("the figures cannot be read")
    names = [(each["names"].split(), each["whole"].split()) for each in plain["forms"]]
    numbers, points = plain["form"], plain["points"]
    if (
        any(len(set(every)) < len(every) or not set(whole) <= set(every) for every, whole in names)
        or any(not 0 <= number < len(names) for number in numbers)
        or any(count < 0 for count in points)
        or any(not 0 <= number < len(plain["choices"]) for number in plain["choice"])
        or any(each["tier"] not in ("python", "compiled") for each in plain["choices"])
    ):
        raise ValueError("the runs cannot be read")
    forms = [names[number] for number in numbers]
    choices = [TierChoice(**each) for each in plain["choices"]]
    values, curves = _parts(figures, [len(every) for every, _ in forms]), _parts(equity, points)
    return [
        RunOutcome(inputs, _figures(*form, *given), tuple(curve), error, choices[choice])
        for form, inputs, *given, curve, error, choice in zip(
            forms, plain["inputs"], values, plain["whole"], curves, plain["errors"], plain["choice"], strict=True
        )
    ]


def _figures(
    names: Sequence[str], whole: Sequence[str], values: Sequence[float], counts: Sequence[int]
) -> dict[str, float | None]:
    found = {name: None if value != value else value for name, value in zip(names, values, strict=True)}
    return {**found, **dict(zip(whole, counts, strict=True))}


def _parts(values: array[float], lengths: Sequence[int]) -> list[array[float]]:
    """Split an array into parts of these lengths. Raises ValueError if they do not add up to the whole."""
    ends = [*accumulate(lengths, initial=0)]
    if ends[-1] != len(values):
        raise ValueError("the figures cannot be read")
    return [values[begin:end] for begin, end in pairwise(ends)]


def _text(values: array[float]) -> str:
    return base64.b64encode(_little(values).tobytes()).decode()


def _numbers(text: str) -> array[float]:
    found = array("d")
    found.frombytes(base64.b64decode(text, validate=True))
    return _little(found)


def _little(values: array[float]) -> array[float]:
    if sys.byteorder == "big":
        values.byteswap()
    return values
