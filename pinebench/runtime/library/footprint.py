"""Footprints and their rows, of which nobody here has data: a request for one is na, and what reads na stops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pinebench.runtime.faults import RuntimeFault

_CODES = {"footprint": "RE10029", "volume_row": "RE10145"}
_METHODS = {
    "footprint": "buy_volume delta get_row_by_price poc rows sell_volume total_volume vah val",
    "volume_row": "buy_volume delta down_price has_buy_imbalance has_sell_imbalance sell_volume total_volume up_price",
}


def _of_nothing(type_: str, method: str) -> Callable[..., Any]:
    def read(*_: object) -> Any:
        raise RuntimeFault(_CODES[type_], type=type_, method_name=method)

    return read


FUNCTIONS: dict[str, Callable[..., Any]] = {
    f"{type_}.{method}": _of_nothing(type_, method) for type_, names in _METHODS.items() for method in names.split()
}
