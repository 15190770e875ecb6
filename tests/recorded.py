"""Where recorded answers of TradingView's compiler lie, for the tests that hold ours against them.

They are not part of this repository. `PINEBENCH_VERDICTS` names the file, one JSON object a line; else it is looked for
beside the checkout. Where there is none, `tests/conftest.py` leaves those tests out and says so.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

_NAMED = os.environ.get("PINEBENCH_VERDICTS")
VERDICTS = Path(_NAMED or Path(__file__).parents[2] / "shared" / "verdicts" / "dev.jsonl")


def there() -> bool:
    """Whether there are recorded answers; a file that was named but is missing makes the tests fail, not vanish."""
    return bool(_NAMED) or VERDICTS.is_file()


@cache
def records() -> list[dict[str, Any]]:
    """Every recorded answer."""
    return [json.loads(line) for line in VERDICTS.read_text(encoding="utf-8").splitlines() if line.strip()]
