"""The terminal itself: whether it is still there."""

from __future__ import annotations

import select
from typing import TextIO


def is_hung_up(stream: TextIO | None) -> bool:
    """Whether the terminal of `stream` is gone; False if the system cannot tell."""
    if stream is None or not hasattr(select, "poll"):
        return False
    try:
        looked = select.poll()
        looked.register(stream.fileno(), 0)
        gone = select.POLLHUP | select.POLLERR | select.POLLNVAL
        return any(event & gone for _, event in looked.poll(0))
    except (OSError, ValueError):
        return True
