"""Files of bars by chance: honest ones of every usual source and shape, and ones that lie. Each with its truth."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import NamedTuple

HEAD = "time,open,high,low,close,volume"
BARS = 60
NOW = datetime(2025, 6, 2, tzinfo=UTC)


class Row(NamedTuple):
    """One true bar."""

    time: datetime
    open: float
    high: float
    low: float
    close: float
    volume: float

    @property
    def prices(self) -> tuple[float, ...]:
        return self[1:5]


class Market(NamedTuple):
    """True bars, and the decimals of their prices."""

    rows: list[Row]
    decimals: int
    step: timedelta

    def text(self, row: Row) -> list[str]:
        """The cells of the prices and the volume of a row."""
        return [*(f"{price:.{self.decimals}f}" for price in row.prices), f"{row.volume:.0f}"]

    def changed(self, place: int, *prices: float) -> Market:
        """The same bars with other prices in one row."""
        row = self.rows[place]
        open_, high, low, close = prices
        new = row._replace(open=open_, high=high, low=low, close=close)
        return self._replace(rows=[*self.rows[:place], new, *self.rows[place + 1 :]])


File = str | bytes
Lie = Callable[[Market, random.Random], File]

KINDS = ((7.0, 2), (95.0, 2), (410.0, 3), (6100.0, 2), (1.1, 5), (150.0, 3), (0.0000123, 10), (68_000.0, 1), (0.42, 4))
"""Prices at the beginning, and their decimals."""
STEPS = (1, 5, 15, 60, 240, 1440)


def market(dice: random.Random, steps: tuple[int, ...] = STEPS) -> Market:
    """Bars of a random walk, with nights and weekends left out, or around the clock."""
    close, decimals = dice.choice(KINDS)
    step = timedelta(minutes=dice.choice(steps))
    spread = dice.choice((0.0005, 0.01, 0.03))
    rests = dice.random() < 0.5
    moment = datetime(dice.randint(1995, 2024), dice.randint(1, 12), 3, tzinfo=UTC)
    rows: list[Row] = []
    close = round(close, decimals)
    while len(rows) < BARS:
        moment += step
        if rests and moment.weekday() >= 5:
            continue
        start = close if dice.random() < 0.7 else round(close * math.exp(dice.gauss(0, spread)), decimals)
        close = round(start * math.exp(dice.gauss(0, spread)), decimals)
        high = round(max(start, close) * (1 + abs(dice.gauss(0, spread))), decimals)
        low = round(min(start, close) / (1 + abs(dice.gauss(0, spread))), decimals)
        high, low = max(high, start, close), min(low, start, close)
        rows.append(Row(moment, start, high, low, close, float(dice.randint(1000, 3000))))
    return Market(rows, decimals, step)


def table(found: Market, stamp: Callable[[Row], str] | None = None, head: str = HEAD, mark: str = ",") -> str:
    """A file of these bars."""
    write = stamp or (lambda row: row.time.isoformat())
    lines = [mark.join([write(row), *found.text(row)]) for row in found.rows]
    return "\n".join([head.replace(",", mark), *lines]) + "\n"


# what lies: has to be refused, or read as it is meant


def spreadsheet_days(found: Market, dice: random.Random) -> File:
    origin = dice.choice((datetime(1899, 12, 30, tzinfo=UTC), datetime(1904, 1, 1, tzinfo=UTC)))
    return table(found, lambda row: f"{(row.time - origin).total_seconds() / 86400:.{dice.choice((5, 9))}f}")


def whole_spreadsheet_days(found: Market, dice: random.Random) -> File:
    origin = datetime(1899, 12, 30, tzinfo=UTC)
    return table(found, lambda row: str(found.rows.index(row) + (found.rows[0].time - origin).days))


def julian_days(found: Market, dice: random.Random) -> File:
    return table(found, lambda row: f"{row.time.timestamp() / 86400 + 2440587.5:.5f}")


def dates_as_numbers(found: Market, dice: random.Random) -> File:
    form = "%Y%m%d" if found.step.days else dice.choice(("%Y%m%d%H%M", "%Y%m%d%H%M%S", "%Y%m%d%H%M.0"))
    return table(found, lambda row: row.time.strftime(form))


def short_dates(found: Market, dice: random.Random) -> File:
    form = dice.choice(("%y%m%d", "%y%m%d%H%M", "%d%m%Y", "%m%d%Y", "%d%m%Y%H%M", "%Y%m%d%H", "%y%j", "%Y%j"))
    return table(found, lambda row: row.time.strftime(form))


def dates_of_a_country(found: Market, dice: random.Random) -> File:
    form = dice.choice(
        ("%d.%m.%Y %H:%M", "%m/%d/%Y %H:%M", "%d/%m/%Y", "%d-%m-%Y %H:%M", "%d %b %Y", "%b %d; %Y %I:%M %p")
    )
    return table(found, lambda row: row.time.strftime(form))


def clocks_of_twelve_hours(found: Market, dice: random.Random) -> File:
    return table(found, lambda row: row.time.strftime("%Y-%m-%d %I:%M %p"))


def scientific_times(found: Market, dice: random.Random) -> File:
    return table(found, lambda row: f"{row.time.timestamp() * 1000:.5E}")


def another_unit_halfway(found: Market, dice: random.Random) -> File:
    place, (first, then) = dice.randrange(1, BARS), dice.sample((1, 1000, 1_000_000, 1_000_000_000), 2)
    return table(
        found, lambda row: str(round(row.time.timestamp()) * (first if found.rows.index(row) < place else then))
    )


def another_form_halfway(found: Market, dice: random.Random) -> File:
    place = dice.randrange(1, BARS)
    forms = dice.sample(("%Y-%m-%dT%H:%M:%S", "%s", "%Y-%m-%dT%H:%M:%S+02:00", "%Y%m%d%H%M"), 2)
    return table(found, lambda row: row.time.strftime(forms[found.rows.index(row) >= place]))


def seconds_read_as_milliseconds(found: Market, dice: random.Random) -> File:
    return table(found, lambda row: datetime.fromtimestamp(row.time.timestamp() / 1000, UTC).isoformat())


def milliseconds_read_as_seconds(found: Market, dice: random.Random) -> File:
    return table(found, lambda row: str(round(row.time.timestamp() * dice.choice((1e12, 1e10)))))


def years_to_come(found: Market, dice: random.Random) -> File:
    return table(found, lambda row: (row.time + timedelta(days=365 * 60)).isoformat())


def last_bar_to_come(found: Market, dice: random.Random) -> File:
    far = datetime(2044, 1, 1, tzinfo=UTC)
    return table(found, lambda row: (far if row is found.rows[-1] else row.time).isoformat())


def odd_interval(found: Market, dice: random.Random) -> File:
    start, step = found.rows[0].time, timedelta(seconds=dice.choice((86.4, 97, 1441.5, 0.9, 433, 129_600, 90_000, 61)))
    return table(found, lambda row: (start + step * found.rows.index(row)).isoformat())


def decimal_commas(found: Market, dice: random.Random) -> File:
    lines = [",".join([row.time.isoformat(), *found.text(row)]).replace(".", ",") for row in found.rows]
    return "\n".join([HEAD, *lines])


def decimal_commas_between_other_marks(found: Market, dice: random.Random) -> File:
    return table(found, mark=dice.choice(";\t")).replace(".", ",")


def thousands(found: Market, dice: random.Random) -> File:
    """Commas between thousands, without quotation marks or with them."""
    mark = dice.choice((",", '"'))
    cells = [[f"{price:,.{found.decimals}f}" for price in row.prices] for row in found.rows]
    quoted = (["'", '"'][mark == '"']) if mark == '"' else ""
    lines = [
        ",".join([row.time.isoformat(), *(f"{quoted}{c}{quoted}" for c in each), "7"])
        for row, each in zip(found.rows, cells, strict=True)
    ]
    return "\n".join([HEAD, *lines])


def other_thousands(found: Market, dice: random.Random) -> File:
    """Points before a decimal point, or underscores, between thousands."""
    mark = dice.choice((".", "_"))
    scale = 12345.67 / found.rows[0].open
    texts = [[f"{price * scale:,.2f}".replace(",", mark) for price in row.prices] for row in found.rows]
    lines = [";".join([row.time.isoformat(), *each, "7"]) for row, each in zip(found.rows, texts, strict=True)]
    return "\n".join([HEAD.replace(",", ";"), *lines])


def money(found: Market, dice: random.Random) -> File:
    form = dice.choice(("${}", "{} USD", "{}€", "({})", "{}K", "{}%", "'{}'", "~{}"))
    lines = [",".join([row.time.isoformat(), *map(form.format, found.text(row)[:4]), "7"]) for row in found.rows]
    return "\n".join([HEAD, *lines])


def volume_in_words(found: Market, dice: random.Random) -> File:
    place = dice.randrange(BARS)
    rows = table(found).splitlines()
    rows[place + 1] = (
        rows[place + 1].rpartition(",")[0] + "," + dice.choice(("1.2M", "3K", "-5", "1e400", "many", "- 7"))
    )
    return "\n".join(rows)


def shortened(found: Market, dice: random.Random) -> File:
    lines = table(found).splitlines()
    place = dice.randrange(1, BARS + 1)
    cells = lines[place].split(",")
    lines[place] = ",".join(cells[: dice.randrange(1, 6)])
    return "\n".join(lines)


def lengthened(found: Market, dice: random.Random) -> File:
    lines = table(found).splitlines()
    lines[dice.randrange(1, BARS + 1)] += dice.choice((",1", ",,1", ",x"))
    return "\n".join(lines)


def cut_off(found: Market, dice: random.Random) -> File:
    """The end of the file is missing, within the prices of the last row."""
    text = table(found).rstrip()
    return text[: text.rindex(",", 0, text.rindex(",")) + 1]


def slipped(place: int | None = None) -> Lie:
    def lie(found: Market, dice: random.Random) -> File:
        at = dice.randrange(BARS) if place is None else place % BARS
        power = 10.0 ** dice.choice((-2, -1, 1, 2, 3))
        if min(found.rows[at].prices) * min(power, 1) < 60 * 10.0**-found.decimals:
            power = 10.0 ** dice.choice((1, 2))
        return table(found.changed(at, *(price * power for price in found.rows[at].prices)))

    lie.__name__ = "slipped" if place is None else f"slipped_at_{place}".replace("-", "minus_")
    return lie


def slipped_rows(found: Market, dice: random.Random) -> File:
    first, power = dice.randrange(1, BARS - 30), dice.choice((10.0, 100.0))
    for place in range(first, first + dice.randrange(2, 25)):
        found = found.changed(place, *(price * power for price in found.rows[place].prices))
    return table(found)


def slipped_high(found: Market, dice: random.Random) -> File:
    place = dice.randrange(BARS)
    o, h, low, c = found.rows[place].prices
    return table(found.changed(place, o, h * dice.choice((10, 100)), low, c))


def slipped_low(found: Market, dice: random.Random) -> File:
    place = dice.randrange(BARS)
    o, h, low, c = found.rows[place].prices
    if low < 300 * 10.0**-found.decimals:
        return slipped_high(found, dice)
    return table(found.changed(place, o, h, low / 10, c))


def slipped_close(found: Market, dice: random.Random) -> File:
    place = dice.randrange(1, BARS - 1)
    o, h, low, c = found.rows[place].prices
    return table(found.changed(place, o, h * 10, low, c * 10))


def zeros(found: Market, dice: random.Random) -> File:
    place = dice.randrange(BARS)
    o, h, _, c = found.rows[place].prices
    return table(found.changed(place, *dice.choice(((0.0, 0.0, 0.0, 0.0), (o, h, 0.0, c)))))


def twice(found: Market, dice: random.Random) -> File:
    lines = table(found).splitlines()
    place = dice.randrange(1, BARS)
    return "\n".join([*lines[: place + 1], lines[place], *lines[place + 1 :]])


def unsorted(found: Market, dice: random.Random) -> File:
    head, *lines = table(found).splitlines()
    first, then = sorted(dice.sample(range(BARS), 2))
    lines[first], lines[then] = lines[then], lines[first]
    return "\n".join([head, *lines])


def newest_first(found: Market, dice: random.Random) -> File:
    head, *lines = table(found).splitlines()
    return "\n".join([head, *reversed(lines)])


def joined_twice(found: Market, dice: random.Random) -> File:
    text = table(found)
    return text + text


def open_quotation(found: Market, dice: random.Random) -> File:
    lines = [f"{line},x" for line in table(found).splitlines()]
    place = dice.randrange(1, BARS)
    lines[place] = lines[place][:-1] + '"x'
    if dice.random() < 0.5:
        lines[-1] = lines[-1][:-1] + 'x"'
    return "\n".join(lines)


def swapped(found: Market, dice: random.Random) -> File:
    """High and low in each other's column."""
    return table(found, head="time,open,low,high,close,volume") if any(r.high > r.low for r in found.rows) else ""


def not_numbers(found: Market, dice: random.Random) -> File:
    lines = table(found).splitlines()
    place, column = dice.randrange(1, BARS + 1), dice.randrange(1, 5)
    cells = lines[place].split(",")
    cells[column] = dice.choice(
        ("nan", "inf", "-inf", "", " ", "#N/A", "#DIV/0!", "0x64", "1_0", "--", "1e999", "=1+1", "1.2.3")
    )
    lines[place] = ",".join(cells)
    return "\n".join(lines)


def other_things(found: Market, dice: random.Random) -> File:
    text = table(found)
    return dice.choice(
        (
            "<html><body><table><tr><td>time</td></tr></table></body></html>",
            '[{"time": 1700000000, "open": 1, "high": 1, "low": 1, "close": 1}]',
            "PK\x03\x04" + text,
            "\x1f\x8b\x08" + text,
            text.partition("\n")[2],
            text.replace("open,high", "high,open,x"),
            text.replace("time", "x"),
            text.encode("utf-16-le"),
            text.encode("utf-8")[:300] + b"\xff\xfe\xfd" + text.encode()[300:],
            "".join(f"{c}\0" for c in text),
        )
    )


REFUSED: tuple[Lie, ...] = (
    *(spreadsheet_days, whole_spreadsheet_days, julian_days, dates_as_numbers, short_dates, dates_of_a_country),
    *(clocks_of_twelve_hours, scientific_times, another_unit_halfway, another_form_halfway),
    *(seconds_read_as_milliseconds, milliseconds_read_as_seconds, years_to_come, last_bar_to_come, odd_interval),
    *(decimal_commas, decimal_commas_between_other_marks, thousands, other_thousands, money, volume_in_words),
    *(shortened, lengthened, cut_off, slipped(), slipped(0), slipped(-1), slipped_rows, slipped_high, slipped_low),
    *(slipped_close, zeros, twice, unsorted, newest_first, joined_twice, open_quotation, swapped, not_numbers),
    other_things,
)
"""Ways to lie: such a file is refused, or read as it is meant if that can be known."""


# what is honest


def tradingview(found: Market, dice: random.Random) -> File:
    zone = timezone(timedelta(hours=dice.randint(-11, 12)))
    extra = dice.choice(("", ',"Plot, with comma"', ",Plot;with;marks", ',"A ""quoted"" title"', ",=Plot", ",MA"))
    stamp = dice.choice(
        (
            lambda row: str(round(row.time.timestamp())),
            lambda row: row.time.astimezone(zone).isoformat(),
            lambda row: row.time.strftime("%Y-%m-%dT%H:%M:%SZ"),
        )
    )
    more = dice.choice((",NaN", ",", ",1.5", ",1E-8", ",-7")) if extra else ""
    rows = [f"{stamp(row)},{','.join(found.text(row))}{more}" for row in found.rows]
    return "\n".join([f"time,open,high,low,close,Volume{extra}", *rows])


def pandas(found: Market, dice: random.Random) -> File:
    rows = [f"{n},{row.time.isoformat(' ')},{','.join(found.text(row))}" for n, row in enumerate(found.rows)]
    return "\n".join([f",{HEAD}", *rows])


def unix(found: Market, dice: random.Random) -> File:
    factor = dice.choice((1, 1000, 1_000_000, 1_000_000_000))
    point = dice.choice(("", ".0")) if factor == 1000 else ""
    head = dice.choice(
        (HEAD, HEAD.upper(), HEAD.title(), HEAD.replace("time", "timestamp"), HEAD.replace("time", "Date"))
    )
    return table(found, lambda row: f"{round(row.time.timestamp()) * factor}{point}", head)


def binance(found: Market, dice: random.Random) -> File:
    micro = dice.choice((1000, 1_000_000))
    rows = [
        f"{round(row.time.timestamp()) * micro},{','.join(found.text(row))},"
        f"{round((row.time + found.step).timestamp()) * micro - 1},53957248.1,47134,682.5,28957416.8,0"
        for row in found.rows
    ]
    head = "open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote,ignore"
    return "\n".join([head, *rows] if dice.random() < 0.5 else rows)


def metatrader(found: Market, dice: random.Random) -> File:
    if dice.random() < 0.5:
        return "\n".join(f"{row.time:%Y.%m.%d,%H:%M},{','.join(found.text(row))}" for row in found.rows)
    rows = [f"{row.time:%Y.%m.%d\t%H:%M:%S}\t" + "\t".join([*found.text(row), "0", "2"]) for row in found.rows]
    text = "\n".join(["<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>", *rows])
    return text.encode("utf-16") if dice.random() < 0.3 else text


def stooq(found: Market, dice: random.Random) -> File:
    head = "<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>"
    return "\n".join([head, *(f"X.US,5,{row.time:%Y%m%d,%H%M%S},{','.join(found.text(row))},0" for row in found.rows)])


def line_ends(found: Market, dice: random.Random) -> File:
    """Every kind of line end, also mixed; a byte order mark; other separators; a line that names it; empty lines."""
    mark = dice.choice(",;\t")
    lines = table(found, mark=mark).splitlines()
    ends = dice.choice((["\n"], ["\r\n"], ["\r"], ["\n", "\r\n"], ["\n", "\r", "\r\n"], ["\n\n"], ["\r\r\n"]))
    text = "".join(line + dice.choice(ends) for line in lines)
    text = dice.choice(("", "\ufeff")) + (f"sep={mark}\n" if dice.random() < 0.3 else "") + text
    return text.encode(dice.choice(("utf-8", "utf-16"))) if text[0] != "\ufeff" else text


def quoted(found: Market, dice: random.Random) -> File:
    mark = dice.choice(",;\t")
    return "\n".join(
        mark.join(f'"{cell}"' for cell in line.split(mark)) for line in table(found, mark=mark).splitlines()
    )


def spaced(found: Market, dice: random.Random) -> File:
    return "\n".join(
        ", ".join(f" {c} " for c in line.split(",")) + dice.choice(("", ",", " , ,"))
        for line in table(found).splitlines()
    )


HONEST_FORMS: tuple[Lie, ...] = (tradingview, pandas, unix, binance, metatrader, stooq, line_ends, quoted, spaced)
"""Honest forms: read as they are."""


# what markets do: each gives prices that look wrong and are right


def _walk(dice: random.Random, close: float, count: int, decimals: int, spread: float = 0.01) -> list[list[float]]:
    found: list[list[float]] = []
    for _ in range(count):
        start, close = close, round(max(close * math.exp(dice.gauss(0, spread)), 10.0**-decimals), decimals)
        found.append([start, max(start, close), min(start, close), close])
    return found


def event(dice: random.Random) -> tuple[str, list[list[float]], list[float], timedelta]:
    """The name of what happens, prices, volumes and the time between bars."""
    name = dice.choice(
        ("split", "joined", "limit up", "coin", "penny", "crash", "rally", "listing", "wick", "flat", "pump")
    )
    day = timedelta(days=dice.choice((1, 7)))
    first = dice.randrange(5, 40)
    rest = 50 - first
    volumes = [float(dice.randint(900, 1100)) for _ in range(50)]
    match name:
        case "split":
            factor = dice.choice((2, 3, 4, 5, 7, 10, 20, 100))
            before = _walk(dice, 900.0, first, 2)
            after = _walk(dice, round(before[-1][3] / factor, 2), rest, 2)
            return name, before + after, volumes, day
        case "joined":
            factor = dice.choice((2, 10, 20, 100))
            before = _walk(dice, 1.83, first, 2)
            return name, before + _walk(dice, round(before[-1][3] * factor, 2), rest, 2), volumes, day
        case "limit up":
            before = _walk(dice, 12.0, first, 2)
            top = round(before[-1][3] * 10, 2)
            start = before[-1][3]
            return name, [*before[:-1], [start, top, start, top], *_walk(dice, top, rest, 2)], volumes, day
        case "coin":
            return name, _walk(dice, 3e-8, 50, 8, 0.4), volumes, timedelta(minutes=5)
        case "penny":
            prices = [round(0.001 * dice.choice((1, 2, 10, 10, 5, 1)), 4) for _ in range(50)]
            return name, [[p, p, p, p] for p in prices], volumes, day
        case "crash":
            prices = [round(80 * 0.6**n, 8) for n in range(40)]
            return name, [[p, p, p, p] for p in prices], volumes, timedelta(minutes=1)
        case "rally":
            prices = [round(2 * 1.12**n, 4) for n in range(50)]
            return name, [[p * 0.99, p, p * 0.98, p] for p in prices], volumes, day
        case "listing":
            before = _walk(dice, 10.0, 3, 2)
            return name, [*before, [10.0, 98.0, 10.0, 97.0], *_walk(dice, 97.0, 46, 2, 0.1)], volumes, day
        case "wick":
            found = _walk(dice, 300.0, 50, 2)
            o, h, _, c = found[first]
            found[first] = [o, h, round(min(o, c) * dice.uniform(0.15, 0.9), 2), c]
            return name, found, volumes, timedelta(minutes=1)
        case "flat":
            return name, [[5.0, 5.0, 5.0, 5.0]] * 50, [0.0] * 50, day
        case _:  # a coin that is pumped tenfold within a bar, and falls within the next ones
            found = _walk(dice, 0.5, first, 4)
            start = found[-1][3]
            top = round(start * dice.uniform(8, 12), 4)
            up, down = [start, top, start, top], [top, top, start, start]
            return name, [*found, up, down, *_walk(dice, start, rest - 2, 4)], volumes, timedelta(minutes=5)


def happened(dice: random.Random) -> tuple[str, str, list[float]]:
    """What happens, the file, and its closes."""
    name, prices, volumes, step = event(dice)
    start = datetime(2019, 1, 4, tzinfo=UTC)
    rows = [f"{(start + step * n).isoformat()},{','.join(map(repr, p))},{volumes[n]:.0f}" for n, p in enumerate(prices)]
    return name, "\n".join([HEAD, *rows]), [each[3] for each in prices]
