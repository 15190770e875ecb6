"""The functions of footprints and volume rows. No data is available, so a request is na, and reading from na stops the
script."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pinebench.runtime.faults import RuntimeFault

_CODES = {"footprint": "RE10029", "volume_row": "RE10145"}


def _of_nothing(type_: str, method: str) -> Callable[..., Any]:
    def read(*_: object) -> Any:
        raise RuntimeFault(_CODES[type_], type=type_, method_name=method)

    return read


buy_volume = _of_nothing("footprint", "buy_volume")
delta = _of_nothing("footprint", "delta")
get_row_by_price = _of_nothing("footprint", "get_row_by_price")
poc = _of_nothing("footprint", "poc")
rows = _of_nothing("footprint", "rows")
sell_volume = _of_nothing("footprint", "sell_volume")
total_volume = _of_nothing("footprint", "total_volume")
vah = _of_nothing("footprint", "vah")
val = _of_nothing("footprint", "val")
row_buy_volume = _of_nothing("volume_row", "buy_volume")
row_delta = _of_nothing("volume_row", "delta")
row_down_price = _of_nothing("volume_row", "down_price")
row_has_buy_imbalance = _of_nothing("volume_row", "has_buy_imbalance")
row_has_sell_imbalance = _of_nothing("volume_row", "has_sell_imbalance")
row_sell_volume = _of_nothing("volume_row", "sell_volume")
row_total_volume = _of_nothing("volume_row", "total_volume")
row_up_price = _of_nothing("volume_row", "up_price")
