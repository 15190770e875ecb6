"""The words that a model is given: the files of `prompts/`, their facts filled in from the reference."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from pinebench import reference
from pinebench.reference.keywords import KEYWORDS
from pinebench.syntax.words import RESERVED, soft_keywords

if TYPE_CHECKING:
    from collections.abc import Iterable

LIMITS = {"short_title": 10, "requests": 40, "tuple": 127, "ahead": 500}
"""TradingView's limits, from its manual: characters of a short title, requests, elements of requested tuples, bars that
a drawing may lie ahead."""
_TEMPTING = frozenset(soft_keywords("range"))
"""Keywords that look like names."""
_CALCULATING = ("ta", "math", "str", "request", "color", "array", "matrix", "map")


def prompt(name: str, **values: str) -> str:
    """The prompt file called `name` with `{key}` replaced by each value, once, so that braces in a value mean
    nothing."""
    text = (resources.files("pinebench.authoring") / "prompts" / f"{name}.md").read_text("utf-8")
    return re.sub(r"\{(\w+)\}", lambda match: values.get(match[1], match[0]), text)


@cache
def system() -> str:
    """What every request begins with: how to answer, and what goes wrong most often in Pine v6."""
    reserved = sorted((RESERVED - KEYWORDS.keys()) | (RESERVED & _TEMPTING))
    variables = sorted(name for name in reference.variables() if "." not in name and name != "na")
    return prompt(
        "system",
        reserved=_listed(reserved),
        variables=_listed(variables),
        namespaces=_listed(f"{space}." for space in _CALCULATING if reference.members(space)),
        **{name: str(limit) for name, limit in LIMITS.items()},
    )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
