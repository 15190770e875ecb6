"""The catalogue of all codes that a report can contain.

The codes are TradingView's `CE…` and `CW…`, stable names for its errors without a code, and our `PB…`. The message
template, severity, reason and examples of a code are defined only here.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import isfinite
from typing import Any

from pinebench.codes.code_entry import OURS, TRADINGVIEW, Code
from pinebench.codes.families import FAMILIES, family
from pinebench.diagnostics import Diagnostic, Fix, Severity, Span, TextPosition, Value

__all__ = ["OURS", "TRADINGVIEW", "Code", "all_codes", "find", "finding", "message", "severity"]


@cache
def all_codes() -> dict[str, Code]:
    """Return all known codes by name, in the order of the catalogue."""
    return {code.name: code for name in FAMILIES for code in family(name)}


@cache
def opinion_codes() -> dict[str, Code]:
    """Return the codes of the rules in `linter/rules`, by name. Some are reported only if they are selected."""
    return {code.name: code for code in family("opinions")}


@cache
def rule_names() -> dict[str, str]:
    """Return the code of each rule, by the rule's name."""
    return {code.alias: code.name for code in opinion_codes().values()}


def find(name: str) -> Code | None:
    """Return the code with this name, in upper or lower case, or the code of the rule with this name; None if there is
    none."""
    codes = {**all_codes(), **opinion_codes()}
    rule = rule_names().get(name.lower(), "")
    return codes.get(name) or codes.get(name.upper()) or codes.get(name.lower()) or codes.get(rule)


def message(name: str, /, **values: object) -> str:
    """Return the message of the code `name`, with its placeholders filled in.

    Raises KeyError if the code is unknown or a placeholder has no value. Both are bugs of the caller.
    """
    return all_codes()[name].template.format_map(values)


def finding(
    name: str,
    span: Span,
    values: Mapping[str, object],
    *,
    tv_position: TextPosition | None = None,
    hint: str | None = None,
    fix: Fix | None = None,
) -> Diagnostic:
    """Return a diagnostic with the code `name` at `span`. `values` fill the placeholders of its message, and are stored
    in the diagnostic. `hint` defaults to the code's reason.

    Raises KeyError for the same reasons as `message`.
    """
    severity, template, why = _said_of(name)
    kept: tuple[tuple[str, Any], ...] = tuple(values.items())
    for _, value in kept:
        if value.__class__ is not str:
            kept = tuple([(key, value if isinstance(value, str) else _plain(value)) for key, value in kept])
            break
    said = template.format_map(values)
    return _tuple(Diagnostic, (name, severity, said, span, tv_position, why if hint is None else hint, fix, kept))


_tuple = tuple.__new__
"""Makes a named tuple like its class, without a further call: a script can have many findings."""


@cache
def _said_of(name: str) -> tuple[Severity, str, str | None]:
    """Return the severity, the message template and the general advice of a code."""
    code = _code(name)
    is_told = (code.severity is Severity.ERROR or _is_by_the_manual(code)) and name not in _SAID_BEST_BY_OTHERS
    return code.severity, code.template, code.why if is_told else None


def _is_by_the_manual(code: Code) -> bool:
    """Whether a code is a warning because only TradingView's manual forbids what it reports."""
    return code.severity is Severity.WARNING and code.name[0].islower()


@cache
def _code(name: str) -> Code:
    # a script without errors does not need the catalogue of errors
    opinion = opinion_codes().get(name) if name.startswith("PB") else None
    return opinion or all_codes()[name]


_SAID_BEST_BY_OTHERS = frozenset(
    (
        *("CE10005", "CE10013", "CE10016", "CE10115", "CE10120", "CE10122", "CE10123", "CE10144", "CE10149"),
        *("CE10156", "CE10165", "CE10198", "CE10271", "CE10272"),
    )
)
"""Errors whose cause is often at another place, so that the general advice is rarely helpful."""


def _plain(value: object) -> Value:
    if isinstance(value, float) and not isfinite(value):
        return str(value)  # JSON has no such number
    return value if isinstance(value, int | float) else str(value)


def severity(name: str) -> Severity:
    """Return the severity of the code `name`."""
    return all_codes()[name].severity
