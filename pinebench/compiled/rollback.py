"""Rollback for a script that runs again on fills, in the subset of Python that `compiled.native` translates.

The script's state and records are saved before it first runs on a bar, and restored before it runs again. The records
of the broker are at the end of the memory, so fills are not rolled back. No memory is freed, so strings that an order
got in an earlier run of the bar stay valid.
"""

from __future__ import annotations

from pinebench.compiled.handles import LOG
from pinebench.compiled.kernels import FREE, MEMORY_END, fail
from pinebench.compiled.layouts import LOGGED_CALL, RERUN
from pinebench.compiled.lists import COUNT, SPARE, append_row, copy, row
from pinebench.compiled.numerals import P, read_int, write_int


def take_room_at_end(m: P, count: int) -> int:
    """Reserve `count` floats at the end of the memory for the broker, and return their address. If there are too few,
    stop the run and return 0."""
    if count < 0 or float(count) > m[MEMORY_END] - m[FREE]:
        fail(m, 2.0)
        return 0
    m[MEMORY_END] = m[MEMORY_END] - float(count)
    return int(m[MEMORY_END])


def keep_state(m: P, first: int, end: int, i: int) -> None:
    """Save the log, the floats from address `first` up to, but excluding, `end`, and the records that bar `i` may
    change."""
    heap = int(m[RERUN.heap])
    count = SPARE + end - first + int(m[FREE]) - heap
    if float(count) > m[RERUN.room]:
        place = take_room_at_end(m, 2 * count)
        if place == 0:
            return
        m[RERUN.kept] = float(place)
        m[RERUN.room] = float(2 * count)
    place = int(m[RERUN.kept])
    m[RERUN.bar] = float(i + 1)
    m[RERUN.end] = m[FREE]
    copy(m, LOG, place, SPARE)
    copy(m, first, place + SPARE, end - first)
    copy(m, heap, place + SPARE + end - first, int(m[FREE]) - heap)


def is_told(number: float) -> bool:
    """Return whether the call with this number is an alert or a log, which is not rolled back. The code of a script
    overrides this function."""
    return number != number


def put_back(m: P, first: int, end: int) -> None:
    """Restore the state that `keep_state` saved. The alerts and logs of the bar stay in the log."""
    heap = int(m[RERUN.heap])
    place = int(m[RERUN.kept])
    known = read_int(m, place + COUNT)
    count = read_int(m, LOG + COUNT) - known
    told = take_room_at_end(m, count)
    if told == 0:
        return
    end_of_told = told
    for k in range(count):
        record = row(m, LOG, known + k)
        if is_told(m[record + LOGGED_CALL.number]):
            write_int(m, end_of_told, record)
            end_of_told = end_of_told + 1
    copy(m, place, LOG, SPARE)
    copy(m, place + SPARE, first, end - first)
    copy(m, place + SPARE + end - first, heap, int(m[RERUN.end]) - heap)
    for k in range(told, end_of_told):
        append_row(m, LOG, read_int(m, k))
    m[MEMORY_END] = m[MEMORY_END] + float(count)
