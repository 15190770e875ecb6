"""Processes as /proc tells of them: which ones one has started, whether they live, what they hold (Linux)."""

import os
import time
from collections.abc import Iterable
from pathlib import Path


def children(number: int) -> set[int]:
    """The processes that a process started."""
    return {int(name) for name in os.listdir("/proc") if name.isdigit() and _parent(int(name)) == number}


def family(number: int) -> set[int]:
    """The processes that a process started, and theirs."""
    return {each for child in children(number) for each in (child, *family(child))}


def workers(number: int) -> set[int]:
    """The workers of a process with threads: another one, which it started, has forked them."""
    return {each for child in children(number) for each in children(child)}


def lives(number: int) -> bool:
    """Whether a process runs; one that only waits to be buried does not."""
    told = _told(number)
    return told is not None and told[0] != "Z"


def all_end(numbers: Iterable[int], seconds: float = 120) -> bool:
    """Whether all of these end, waited for."""
    end = time.monotonic() + seconds
    waited = list(numbers)
    while any(lives(number) for number in waited):
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def resident(number: int) -> int:
    """Bytes of memory that a process holds."""
    told = Path(f"/proc/{number}/statm").read_text(encoding="ascii").split()
    return int(told[1]) * os.sysconf("SC_PAGE_SIZE")


def descriptors(number: int) -> int:
    """How many files a process has open."""
    return len(os.listdir(f"/proc/{number}/fd"))


def _parent(number: int) -> int | None:
    told = _told(number)
    return None if told is None else int(told[1])


def _told(number: int) -> list[str] | None:
    try:
        text = Path(f"/proc/{number}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    return text.rpartition(")")[2].split()


def spent(number: int) -> float:
    """Seconds of the processor that a process has used; 0 if it is gone."""
    told = _told(number)
    return 0.0 if told is None else (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")
