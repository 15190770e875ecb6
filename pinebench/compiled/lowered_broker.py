"""The broker in machine code, whose functions are generated from the classes of `pinebench.broker` (`objects`).

A function's name consists of the name of its class or module and its own name: `Account_fee`, `margin_admits`. Its
first argument is the memory of a run. A function that reads prices then takes the columns of the bars and the number of
bars. Next, a method of a class with many objects takes the address of the record.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from pinebench.broker import Broker, Calls, Extremes, Ledger, Tally, Variables
from pinebench.compiled.kernel_lowering import KernelLowering
from pinebench.compiled.layouts import ALWAYS_FIXED, BROKER, MAGNIFIED_FIXED, PATH
from pinebench.compiled.objects import ObjectFunction

_NOT_READ = frozenset({"account_currency", "position_entry_name", "price"})
"""The variables that only Python computes, because they are texts or not for scripts."""


def _is_read(name: str, value: Any) -> bool:
    if name.startswith(("opentrades_", "closedtrades_")) and callable(value):
        return not name.endswith("_time")
    return isinstance(value, property) and name not in _NOT_READ


READ = frozenset(name for name, value in vars(Variables).items() if _is_read(name, value))
"""The variables and the functions of trades that a script can read."""
ORDER_CALLS = "cancel cancel_all close close_all entry exit order risk_allow_entry_in"
"""The methods of `Calls` that a statement of a script calls."""
METHODS: dict[type, str] = {
    Broker: "after_bar before_bar",
    Calls: f"{ORDER_CALLS} convert_to_account convert_to_symbol default_entry_qty",
    Extremes: "read",
    Ledger: "draw look",
    Tally: "draw",
    Variables: " ".join(sorted(READ)),
}
"""The methods that are called from outside, by scripts or after a run. Their callees are lowered, too."""
RULE_CALLS = (
    "risk_max_cons_loss_days risk_max_drawdown risk_max_intraday_filled_orders risk_max_intraday_loss "
    "risk_max_position_size"
)
"""The methods of `Calls` that the plain broker does not have."""
FORMS = {
    "plain": BROKER,
    "whole": replace(BROKER, fixed=ALWAYS_FIXED),
    "magnified": replace(BROKER, fixed=MAGNIFIED_FIXED, points=PATH),
}
"""The forms of the broker: without risk rules and runs on fills, with both, and with shorter bars as well."""

INLINED = frozenset(
    "Account_default_size Book_drop Book_put Book_settle Calls__order Filler__fill Filler__reduce "
    "Filler_check_entry Ledger_write Position__close Position_look Position_reduce margin_admits_call "
    "margin_liquidation_price margin_missing margin_shortfall".split()
)
"""The functions that become part of their callers, because a market order runs all of them. Calls of them take a tenth
of the time of a trade."""


@cache
def _made(form: str) -> KernelLowering:
    lowering = KernelLowering(ObjectFunction, FORMS[form])
    for cls, names in METHODS.items():
        for name in f"{names} {RULE_CALLS}".split() if form != "plain" and cls is Calls else names.split():
            lowering.method(cls, name)
    # a script that runs on a fill calls the broker again, but not for another bar
    lowering.calls["recalculate"].update(name for name in called(form) if not name.startswith("Broker_"))
    lowering.check()
    return lowering


def code(form: str = "plain") -> str:
    """Return the code of the broker's functions in a form; `FORMS` describes the forms."""
    return _made(form).text()


def call(form: str, function: str, *given: str) -> str:
    """Return code that calls one of the broker's functions. The function that contains this code must have the memory,
    the columns and the number of bars."""
    memory = ["m", "b", "n"] if function in _made(form).columned else ["m"]
    return f"{function}({', '.join([*memory, *given])})"


def called(form: str) -> list[str]:
    """Return the names of the functions that are called from outside the broker: by a script, or after a run."""
    named = [f"{cls.__name__}_{name}" for cls, names in METHODS.items() for name in names.split()]
    return named + [f"Calls_{name}" for name in RULE_CALLS.split() if form != "plain"]
