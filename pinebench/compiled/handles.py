"""Objects, drawings and the log of a script, in the part of Python that `compiled.native` translates.

An object is the place of its fields in the memory, or na. The place before them has their number. A drawing is the
place of the values that can stop a script or become a number: the deletion, the coordinates, the size of a table. All
other properties, and all texts that are put together on a bar, are made of the log after the run (`call_log`).
The log has one record for each call: its number, its bar and its arguments. Nothing is logged in a run for values only.
"""

from __future__ import annotations

from pinebench.compiled import lists
from pinebench.compiled.kernels import fail, take, take_room
from pinebench.compiled.layouts import DRAWING, LIVING, LOGGED_CALL
from pinebench.compiled.lists import COUNT, append, append_row, copy, row
from pinebench.compiled.numerals import NA, P, answered, read_int

LOGGING = 5
"""The place that says whether calls are logged."""
LOG = 6
"""The place of the list of the records of the log."""
NOTING = LOG + lists.SPARE
"""The place that says whether texts are recorded, because the log or the script needs their letters."""
TEXT_MADE = -1.0
"""A text that was put together in a run without a log."""


# objects


def object_new(m: P, count: int) -> float:
    """A new object with this number of fields."""
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
    """Make a record outside the log for call `number` on bar `i`, with room for `count` arguments, and return its
    place. 0 if no texts are recorded, or if there is no room."""
    if m[NOTING] == 0.0:
        return 0
    place = take_room(m, LOGGED_CALL.places + count)
    if place != 0:
        m[place + LOGGED_CALL.number] = float(number)
        m[place + LOGGED_CALL.bar] = float(i)
    return place


def logged(m: P, number: int, i: int, count: int) -> int:
    """`noted`, as a part of the log."""
    if m[LOGGING] == 0.0:
        return 0
    place = noted(m, number, i, count)
    if place != 0:
        append_row(m, LOG, place)
    return place


def text_made(place: int) -> float:
    """The text of a record: a number that no text of the table of texts has."""
    return 0.0 - float(place) if place != 0 else TEXT_MADE


def text_joined(one: float, other: float, place: int) -> float:
    """The text of a record of two texts, which is empty if both are."""
    return 0.0 if one == 0.0 and other == 0.0 else text_made(place)


def spelled(m: P, text: float) -> float:
    """A text with a number in the table of texts: two such texts are the same if their numbers are."""
    return answered(m, int(text)) if text < 0.0 else text


def own_text(m: P, text: float) -> float:
    """A text of an order, if it is a text of the script. Only the Python tier knows the letters of other ones."""
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
    """Delete a drawing. Return whether it was there."""
    if is_gone(m, drawing):
        return False
    m[int(drawing) + DRAWING.is_deleted] = 1.0
    return True


def drawing_add(m: P, x: int, drawing: float) -> float:
    """Add a new drawing, which may be na, to the drawings of its kind. Return how many of them there are."""
    if drawing == drawing:
        append(m, x + LIVING.drawings, drawing)
        m[x + LIVING.count] = m[x + LIVING.count] + 1.0
    return m[x + LIVING.count]


def drawing_end(m: P, x: int, drawing: float) -> bool:
    """Delete one of the drawings of a kind. Return whether it was there."""
    if not drawing_delete(m, drawing):
        return False
    m[x + LIVING.count] = m[x + LIVING.count] - 1.0
    return True


def drawing_is_held(m: P, x: int, drawing: float) -> bool:
    """Whether a variable holds one of the drawings of a kind."""
    found = False
    for k in range(read_int(m, x + LIVING.holders + COUNT)):
        found = found or m[row(m, x + LIVING.holders, k)] == drawing
    return found


def drawing_filled(m: P, one: float, other: float) -> float:
    """A fill between two lines; na if one of them is gone."""
    return NA if is_gone(m, one) or is_gone(m, other) else drawing_new(m, False)


def drawing_set(m: P, drawing: float, k: int, value: float) -> None:
    if not is_gone(m, drawing):
        m[int(drawing) + k] = value


def drawing_value(m: P, drawing: float, k: int) -> float:
    return NA if is_gone(m, drawing) else m[int(drawing) + k]
