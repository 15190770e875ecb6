"""Defers the alert messages of orders: their parts are joined only when an order is filled.

A strategy often calls an order function on every bar, with a message that contains its prices, but few orders are
filled.
"""

from __future__ import annotations

from typing import Protocol

from pinebench.runtime import ir
from pinebench.runtime.emit.ahead import may_be_skipped
from pinebench.runtime.emit.inlined import Inliner
from pinebench.runtime.emit.known import BarInvariants, chain_of

ALERT_TEXTS = frozenset(("alert_message", "alert_profit", "alert_loss", "alert_trailing"))
"""The arguments of orders that nothing reads before the order is filled."""
_UNTOLD = ("inherit", "price")
"""The formats of `str.tostring` that stop a script."""


class _NotDeferred(Exception):
    """A text must be put together when the order is called."""


class DeferredWriter(Protocol):
    """A writer of expressions that can put names in place of their parts."""

    known: BarInvariants
    joined: Inliner
    deferred: dict[str, str]
    """The names of the functions that join strings, by their code."""

    def text(self, value: ir.Expression) -> str:
        """Return an expression as Python code."""
        ...

    def with_names(self, value: ir.Expression, names: dict[int, str]) -> str:
        """Return an expression as Python code. `names` maps the `id` of a part to the name to write in its place."""
        ...


def deferred(writer: DeferredWriter, value: ir.Expression) -> str | None:
    """Return the code that stores the parts of a string, which are joined later; None if that could change the result.

    If the string is never empty, concatenations and conversions of numbers to strings can be deferred, because they
    never stop a script. All other parts are computed when the script calls the order function.
    """
    if value.kind != "string" or writer.known.is_settled(value):
        return None
    before = len(writer.joined.states)
    parts: dict[int, ir.Expression] = {}
    try:
        whole = _inlined(value, writer.joined)
        if not _take(whole, writer.known, parts, is_certain=True):
            return None
    except _NotDeferred:
        return None
    if len(writer.joined.states) > before:
        return None
    given: dict[str, str] = {}
    names = {number: given.setdefault(writer.text(part), f"p{len(given) + 1}") for number, part in parts.items()}
    code = f"lambda {', '.join(given.values())}: {writer.with_names(whole, names)}"
    name = writer.deferred.setdefault(code, f"join{len(writer.deferred) + 1}")
    return f"DeferredText({name}, ({''.join(f'{part}, ' for part in given)}))"


def _inlined(value: ir.Expression, inliner: Inliner) -> ir.Expression:
    if not isinstance(value, ir.CallFunction):
        return value
    found = inliner.expression(value) if value.state is None else None
    if found is None:
        raise _NotDeferred
    return found


def _take(value: ir.Expression, known: BarInvariants, parts: dict[int, ir.Expression], *, is_certain: bool) -> bool:
    """Collect the parts of a text that are computed when the order is called, and return whether it is never empty.
    `is_certain` says whether the value is always needed."""
    constant = known.constant(value)
    if constant is not None:
        return bool(constant.value)
    if known.is_settled(value):
        return False
    if isinstance(value, ir.Binary) and value.kind == "string":
        first, chain = chain_of(value)
        operands = [first, *(part.right for part in chain)]
        found = [_take(part, known, parts, is_certain=is_certain) for part in operands]
        return any(found)
    if isinstance(value, ir.Choose):
        _keep(value.condition, parts, is_certain=is_certain)
        found = [_take(part, known, parts, is_certain=False) for part in (value.then, value.otherwise)]
        return all(found)
    if isinstance(value, ir.CallBuiltin) and value.name == "ticker.standard":
        [symbol] = value.arguments
        if not known.is_settled(symbol):
            _keep(symbol, parts, is_certain=is_certain)
        return False
    if isinstance(value, ir.CallBuiltin) and value.name == "str.tostring":
        number, *format = value.arguments
        is_told = all(isinstance(each, ir.Constant) and each.value not in _UNTOLD for each in format)
        if number.kind in ir.NUMBERS and is_told:
            if not known.is_settled(number):
                _keep(number, parts, is_certain=is_certain)
            return True
    _keep(value, parts, is_certain=is_certain)
    return False


def _keep(value: ir.Expression, parts: dict[int, ir.Expression], *, is_certain: bool) -> None:
    """Keep a part that is computed when the order is called, although the text may turn out not to need it."""
    if not (is_certain or may_be_skipped(value)):
        raise _NotDeferred
    parts[id(value)] = value
