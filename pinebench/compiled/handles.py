"""Objects, drawings and the log of a script, in the subset of Python that `compiled.native` translates.

An object is represented by the address of its fields in the memory, or na. The float before its fields is the number of
fields. A drawing is represented by the address of the values that can stop a script or become a number: whether it is
deleted, its coordinates, and the size of a table. After the run, `call_log` derives all other properties, and all
strings that are joined on a bar, from the log. The log has one record for each call: the number of the call, its bar
and its arguments. A run that computes only values logs nothing.
"""

from __future__ import annotations

from pinebench.compiled import lists
from pinebench.compiled.kernels import fail, take, take_room
from pinebench.compiled.layouts import DRAWING, LIVING, LOGGED_CALL
from pinebench.compiled.lists import COUNT, append, append_row, copy, row
from pinebench.compiled.numerals import NA, P, answered, read_int

LOGGING = 5
"""The address of the flag for logging calls."""
LOG = 6
"""The address of the list of the log's records."""
NOTING = LOG + lists.SPARE
"""The address of the flag for recording texts, because the log or the script needs their characters."""
TEXT_MADE = -1.0
"""A text that was joined in a run without a log."""


# objects


def object_new(m: P, count: int) -> float:
    """Create an object with `count` fields and return its address; na if there is too little memory."""
    place = take_room(m, count + 1)
    if place == 0:
        return NA
    m[place] = float(count)
    return float(place + 1)


def object_field(m: P, object: float, k: int) -> float:
    return m[int(object) + k] if object == object else fail(m, 1.0)


def object_field_or_na(m: P, object: float, k: int) -> float:
    return m[int(object) + k] if object == object else NA


def object_set(m: P, object: float, k: int, value: float) -> None:
    if object == object:
        m[int(object) + k] = value
    else:
        fail(m, 1.0)


def object_copy(m: P, object: float) -> float:
    if object != object:
        return NA
    count = int(m[int(object) - 1])
    made = object_new(m, count)
    if made == made:
        copy(m, int(object), int(made), count)
    return made


# the log


def noted(m: P, number: int, i: int, count: int) -> int:
    """Create a record outside the log for call `number` on bar `i`, with room for `count` arguments. Return its
    address; 0 if strings are not recorded or memory is short."""
    if m[NOTING] == 0.0:
        return 0
    place = take_room(m, LOGGED_CALL.places + count)
    if place != 0:
        m[place + LOGGED_CALL.number] = float(number)
        m[place + LOGGED_CALL.bar] = float(i)
    return place


def logged(m: P, number: int, i: int, count: int) -> int:
    """Create a record as `noted` does, and add it to the log."""
    if m[LOGGING] == 0.0:
        return 0
    place = noted(m, number, i, count)
    if place != 0:
        append_row(m, LOG, place)
    return place


def text_made(place: int) -> float:
    """Return the number of the joined string whose record is at the address `place` (0 if it has no record). The number
    is negative, unlike the numbers in the string table."""
    return 0.0 - float(place) if place != 0 else TEXT_MADE


def text_joined(one: float, other: float, place: int) -> float:
    """Return the number of the concatenation of the strings `one` and `other` (by number), whose record is at the
    address `place`; the empty string's number if both are empty."""
    return 0.0 if one == 0.0 and other == 0.0 else text_made(place)


def spelled(m: P, text: float) -> float:
    """Return a string's number in the string table, where equal strings have equal numbers."""
    return answered(m, int(text)) if text < 0.0 else text


def own_text(m: P, text: float) -> float:
    """Return `text`, a string of an order, unless it is a joined string. Stop the run for a joined string, because only
    the Python tier knows its characters."""
    return text + 0.0 if text >= 0.0 else fail(m, 1.0)


# drawings


def drawing_new(m: P, is_timed: bool) -> float:
    place = take(m, DRAWING.places)
    if place == 0:
        return NA
    m[place + DRAWING.is_timed] = is_timed
    return float(place)


def is_gone(m: P, drawing: float) -> bool:
    return drawing != drawing or m[int(drawing) + DRAWING.is_deleted] != 0.0


def drawing_alive(m: P, drawing: float) -> float:
    return NA if is_gone(m, drawing) else drawing


def drawing_copy(m: P, drawing: float) -> float:
    if is_gone(m, drawing):
        return NA
    made = drawing_new(m, False)
    if made == made:
        copy(m, int(drawing), int(made), DRAWING.places)
    return made


def drawing_delete(m: P, drawing: float) -> bool:
    """Delete a drawing. Return whether it existed."""
    if is_gone(m, drawing):
        return False
    m[int(drawing) + DRAWING.is_deleted] = 1.0
    return True


def drawing_add(m: P, x: int, drawing: float) -> float:
    """Add a new drawing, unless it is na, to the drawings of its kind at the address `x`. Return how many are not
    deleted."""
    if drawing == drawing:
        append(m, x + LIVING.drawings, drawing)
        m[x + LIVING.count] = m[x + LIVING.count] + 1.0
    return m[x + LIVING.count]


def drawing_end(m: P, x: int, drawing: float) -> bool:
    """Delete a drawing from the drawings of its kind at the address `x`. Return whether it existed."""
    if not drawing_delete(m, drawing):
        return False
    m[x + LIVING.count] = m[x + LIVING.count] - 1.0
    return True


def drawing_is_held(m: P, x: int, drawing: float) -> bool:
    """Return whether a variable holds `drawing`, one of the drawings of a kind at the address `x`."""
    found = False
    for k in range(read_int(m, x + LIVING.holders + COUNT)):
        found = found or m[row(m, x + LIVING.holders, k)] == drawing
    return found


def drawing_filled(m: P, one: float, other: float) -> float:
    """Return a new fill between the lines at the addresses `one` and `other`; na if one of the lines is deleted."""
    return NA if is_gone(m, one) or is_gone(m, other) else drawing_new(m, False)


def drawing_set(m: P, drawing: float, k: int, value: float) -> None:
    if not is_gone(m, drawing):
        m[int(drawing) + k] = value


def drawing_value(m: P, drawing: float, k: int) -> float:
    return NA if is_gone(m, drawing) else m[int(drawing) + k]
