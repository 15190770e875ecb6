"""Where recorded answers of TradingView's compiler lie, for the tests that hold ours against them.

They are not part of this repository. `PINEBENCH_VERDICTS` names the file, one JSON object a line; else it is looked for
beside the checkout. Where there is none, `tests/conftest.py` leaves those tests out and says so.
"""

import os
from functools import cache
from pathlib import Path
from typing import Any

from scripts.data.parity_verdicts import rows

_NAMED = os.environ.get("PINEBENCH_VERDICTS")
VERDICTS = Path(_NAMED or Path(__file__).parents[2] / "shared" / "verdicts" / "dev.jsonl")


EDITOR = VERDICTS.with_name("editor.jsonl")
"""Answers of TradingView's editor that third parties recorded, in a file beside the other one."""


def there() -> bool:
    """Whether there are recorded answers; a file that was named but is missing makes the tests fail, not vanish."""
    return bool(_NAMED) or VERDICTS.is_file()


def editor_there() -> bool:
    """Whether there are recorded answers of the editor; nobody names their file, so it may be missing."""
    return EDITOR.is_file()


@cache
def editor_records() -> list[dict[str, Any]]:
    """Every recorded answer of the editor."""
    return rows(EDITOR)


@cache
def records() -> list[dict[str, Any]]:
    """Every recorded answer."""
    return rows(VERDICTS)
