"""Scripts in which a bar marks the place that is asked about."""

from pinebench.services import OpenScript, ScriptView
from pinebench.services.completion import Completion, completions

HEAD = '//@version=6\nindicator("x")\n'
FILLED = (
    HEAD
    + """\
import some/Thing/1 as thing
enum Side
    long = "Long"
    short = "Short"
// A level with its touches.
type Level
    float price = 0.0
    array<int> touches
    Side side = Side.long
// How far a price is from a level.
method distance(Level this, float price) =>
    math.abs(this.price - price)
twice(x, int times = 2) =>
    y = x * times
    y
int length = input.int(14, "Length")
Level level = Level.new(close)
doubled = twice(close, 3)
"""
)
"""A script that declares something of every kind."""


def opened(marked: str, head: str = FILLED) -> tuple[ScriptView, int]:
    """The script `head` and `marked`, in which a bar says where: its view, and the place."""
    text = head + marked
    place = text.index("|", len(head))
    return OpenScript(text[:place] + text[place + 1 :]).view, place


def offered(marked: str, head: str = FILLED) -> list[Completion]:
    """The completions at the bar."""
    return completions(*opened(marked, head))


def labels(marked: str, head: str = FILLED) -> list[str]:
    """The labels of the completions at the bar."""
    return [item.label for item in offered(marked, head)]
