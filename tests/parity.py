"""TradingView's own exported series and trade lists, which are not in the repository: `PINEBENCH_PARITY` names them.

`scripts/data/parity_charts.py` says what the folder holds, and compares it.
"""

import os
from pathlib import Path

from scripts.data.parity_charts import Exports, same

__all__ = ["EXPORTS", "chart", "lists", "same", "series", "there", "trade_list"]

FOLDER = os.environ.get("PINEBENCH_PARITY", "")
EXPORTS = Exports(Path(FOLDER))
series, lists, trade_list = EXPORTS.series, EXPORTS.lists, EXPORTS.trade_list


def there() -> bool:
    """Whether there is such a folder here."""
    return bool(FOLDER) and (Path(FOLDER) / "series").is_dir()


def chart() -> list[list[float]]:
    """The bars that the trade lists are from: times in milliseconds, open, high, low, close, volume, as columns."""
    return EXPORTS.chart
