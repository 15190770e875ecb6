"""A script of 400 lines in 20 sections, and the same script with one fault planted in each section."""

from typing import NamedTuple

FILLER = """\
// Section {n}: what surrounds the fault is sound.
type Level{n}
    float price
    int since = 0

level{n}(float source, simple int length) =>
    float best = source
    for i = 1 to length
        if source[i] > best
            best := source[i]
    Level{n}.new(best, bar_index)

var Level{n} last{n} = na
if barstate.islast and not na(last{n})
    label.new(bar_index, last{n}.price, str.tostring({n}))
    last{n} := na
"""

TAIL = "after{n} = level{n}(close, {n}).price + nz(last{n}.price)\n\n"


class Section(NamedTuple):
    """One fault: the sound lines, the lines with the fault, and the line among them where it is."""

    sound: str
    broken: str
    line: int


SECTIONS = (
    Section("x{n} = math.max(close, open)\ny{n} = x{n}\n", "x{n} = math.max(close, open\ny{n} = x{n}\n", 1),
    Section("x{n} = close[1]\ny{n} = x{n}\n", "x{n} = close[1\ny{n} = x{n}\n", 1),
    Section("x{n} = close + open\ny{n} = x{n}\n", "x{n} = close open\ny{n} = x{n}\n", 1),
    Section("x{n} = close > open\n  ? 1\n  : 2\n", "x{n} = close > open\n    ? 1\n  : 2\n", 2),
    Section("x{n} = close > open and\n  high > low\n", "x{n} = close > open and\n    high > low\n", 1),
    Section('x{n} = "text"\ny{n} = x{n}\n', 'x{n} = "text\ny{n} = 1\n', 1),
    Section("x{n} = close\ny{n} = x{n}\n", "x{n} = close;\ny{n} = x{n}\n", 1),
    Section("for i = 0 to 3\n    log.info('a')\n", "for i = 0, 3\n    log.info('a')\n", 1),
    Section(
        "if close > open\n    x{n} = 1\nelse if na(close)\n    y{n} = 1\n",
        "if close > open\n    x{n} = 1\nelif na(close)\n    y{n} = 1\n",
        3,
    ),
    Section("f{n}(a, b) =>\n    a + b\n", "f{n}(a, b)\n    a + b\n", 2),
    Section("[x{n}, y{n}] = ta.dmi(3, 3)\n", "[x{n}, y{n}] = [close, open]\n", 1),
    Section("span{n} = high - low\n", "range = high - low\n", 1),
    Section("f{n}() =>\n    y{n} = 1\n    y{n}\n", "f{n}() =>\n    y{n}() =>\n        1\n    y{n}\n", 2),
    Section("// a block comment\nx{n} = 1\n", "/* a block comment */\nx{n} = 1\n", 1),
    Section("if close > open\n    x{n} = 1\ny{n} = 2\n", "if close > open\ny{n} = 2\n", 2),
    Section("x{n} = 1\ny{n} = 2\nz{n} = 3\n", "x{n} = 1\n    y{n} = 2\nz{n} = 3\n", 2),
    Section("x{n} = switch close\n    1 => 2\n    => 3\n", "x{n} = switch close\n    1 : 2\n    => 3\n", 2),
    Section("x{n} = 1\nx{n} := close\n", "x{n} = 1\nx{n} := = close\n", 2),
    Section("type T{n}\n    int a\n    float b\n", "type T{n}\n    int a b\n    float b\n", 2),
    Section("plot(close, title = 'x')\nx{n} = 1\n", "plot(close, title = )\nx{n} = 1\n", 1),
)


def script(broken: bool) -> tuple[str, list[int]]:
    """The script, and the lines in which its faults are (none in the sound one)."""
    text = '//@version=6\nindicator("Planted")\n'
    lines: list[int] = []
    for number, section in enumerate(SECTIONS, 1):
        text += FILLER.replace("{n}", str(number))
        if broken:
            lines.append(text.count("\n") + section.line)
        text += (section.broken if broken else section.sound).replace("{n}", str(number))
        text += TAIL.replace("{n}", str(number))
    return text, lines
