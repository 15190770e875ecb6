"""Advice beside TradingView's words: did you mean, and what was expected."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import TYPE_CHECKING

from pinebench import reference
from pinebench.check.types import Base
from pinebench.reference.successors import COMPOSED, successor

if TYPE_CHECKING:
    from pinebench.check.evaluator import Evaluator

_NO_NAMES = {"iff": "the ternary operator ?:", "offset": "the history-referencing operator []"}
"""Functions of older versions for which v6 has an operator."""


def did_you_mean(name: str, candidates: Iterable[str]) -> str | None:
    """A hint with the candidate nearest to `name`, or None when nothing is near."""
    from difflib import get_close_matches  # here, because a clean script needs no hints

    near = get_close_matches(name, list(candidates), n=1, cutoff=0.75)
    return f"Did you mean `{near[0]}`?" if near and near[0] != name else None


_MOST_HINTS = 50
"""Past so many different unknown names a script has other troubles than spelling."""


def _remembered(search: Callable[[Evaluator, str], str | None]) -> Callable[[Evaluator, str], str | None]:
    """Look for each name once, and for a bounded number of names: the search goes over everything that is declared."""

    @wraps(search)
    def remembered(evaluator: Evaluator, name: str) -> str | None:
        hints = evaluator.hints
        key = f"{search.__name__} {name}"
        if key not in hints:
            hints[key] = search(evaluator, name) if len(hints) < _MOST_HINTS else None
        return hints[key]

    return remembered


@_remembered
def similar_name(evaluator: Evaluator, name: str) -> str | None:
    """A hint for an undeclared identifier."""
    if "." in name:
        return _successor(name) or _member(name)
    names = {symbol.name for symbol in evaluator.bindings.symbols}
    return did_you_mean(name, names) or _successor(name) or did_you_mean(name, _plain(reference.variables()))


@_remembered
def similar_function(evaluator: Evaluator, name: str) -> str | None:
    """A hint for an unknown function."""
    if "." in name:
        return _successor(name) or _member(name)
    if name in evaluator.bindings.functions:
        return f"`{name}` is declared further down: a function can be called only after its declaration."
    return _successor(name) or did_you_mean(name, [*evaluator.bindings.functions, *_plain(reference.functions())])


def _successor(name: str) -> str | None:
    """A hint for a name of an older version."""
    if name in COMPOSED:
        return f"Pine v6 has no `{name}`; write `{COMPOSED[name]}`."
    if name in _NO_NAMES:
        return f"Pine v6 has {_NO_NAMES[name]} instead."
    found = successor(name)
    if found is None:
        return None
    # A name that only moved into a namespace was more likely forgotten than old.
    return f"Did you mean `{found}`?" if found.endswith(f".{name}") else f"Pine v6 has `{found}` instead."


def _member(name: str) -> str | None:
    """A hint for a dotted name whose last part is misspelt."""
    owner, _, short = name.rpartition(".")
    found = did_you_mean(short, reference.members(owner))
    return found.replace("`", f"`{owner}.", 1) if found else None


def similar_method(evaluator: Evaluator, base: Base, name: str) -> str | None:
    """A hint for an unknown method of a value of type `base`."""
    owner = base.kind if base.kind in ("array", "matrix", "map") else base.name
    if base.kind == "scalar" and name in reference.members("str" if base.name == "string" else "math"):
        namespace = "str" if base.name == "string" else "math"
        return f"A {base.name} has no built-in methods; call `{namespace}.{name}(...)`."
    user = [
        function.name for group in evaluator.bindings.functions.values() for function in group if function.is_method
    ]
    return did_you_mean(name, [*user, *reference.methods(owner)])


def similar_parameter(names: Iterable[str], name: str) -> str | None:
    """A hint for an unknown parameter name."""
    known = list(names)
    return did_you_mean(name, known) or f"It has: {', '.join(sorted(known))}."


def _plain(names: Iterable[str]) -> list[str]:
    return [name for name in names if "." not in name]
