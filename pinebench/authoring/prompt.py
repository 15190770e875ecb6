"""The prompts for a model, from the files in `prompts/`, completed with facts from the language reference."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib import resources

from pinebench import reference
from pinebench.reference.keywords import KEYWORDS
from pinebench.syntax.words import RESERVED, soft_keywords

LIMITS = {"short_title": 10, "requests": 40, "tuple": 127, "ahead": 500}
"""TradingView's limits, from its manual: characters of a short title, requests, elements of requested tuples, and bars
that a drawing may reach into the future."""
_TEMPTING = frozenset(soft_keywords("range"))
"""Keywords that look like names."""
_CALCULATING = ("ta", "math", "str", "request", "color", "array", "matrix", "map")


def prompt(name: str, **values: str) -> str:
    """Return the prompt in the file `name`, with each `{key}` replaced by its value. Braces in a value have no
    effect."""
    text = (resources.files("pinebench.authoring") / "prompts" / f"{name}.md").read_text("utf-8")
    return re.sub(r"\{(\w+)\}", lambda match: values.get(match[1], match[0]), text)


@cache
def system() -> str:
    """Return the beginning of every request: how to answer, and the most frequent mistakes in Pine v6."""
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
