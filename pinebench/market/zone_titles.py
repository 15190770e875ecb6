"""Finds the time zone in the title of a time column, such as `Time (UTC+2)` or `Date [America/New_York]`."""

from __future__ import annotations

import datetime
import re
from functools import cache
from typing import NamedTuple
from zoneinfo import available_timezones

from pinebench.calendars.zones import zone
from pinebench.errors import UsageError

_IN_BRACKETS = re.compile(r"[(\[]([^)\]]*)[)\]]$")
_UTC = ("utc", "gmt", "uct", "zulu", "universal", "z")
"""The words that mean UTC."""
_OFFSET = re.compile(r"(?<!\w)(?:utc|gmt) ?[+-] ?\d{1,2}(?::?\d\d)?(?![\w:])")
_ONLY_OFFSET = re.compile(r"(?:(?:utc|gmt) ?)?[+-] ?\d\d:?\d\d|(?:utc|gmt) ?[+-] ?\d{1,2}(?::?\d\d)?")
_LETTERS = {
    letters: tuple(map(float, hours.split(",")))
    for letters, hours in (
        pair.split("=")
        for pair in "et=-5,-4 est=-5 edt=-4 ct=-6,-5 cst=-6,8 cdt=-5 mt=-7,-6 mst=-7 mdt=-6 pt=-8,-7 pst=-8 pdt=-7 "
        "cet=1 cest=2 eet=2 eest=3 wet=0 west=1 met=1 mest=2 mez=1 mesz=2 bst=1 msk=3 ist=5.5,1,2 jst=9 kst=9 hkt=8 "
        "sgt=8 aest=10 aedt=11 aet=10,11 ast=-4,3 adt=-3 hst=-10 akst=-9 akdt=-8 brt=-3 est5edt=-5,-4".split()
    )
}
"""Letters for zones, each with the hours from UTC that it stands for."""
_PLACES = re.compile(
    r"(?:exchange|local|broker|server|market|chart|user|system|computer)\b.*"
    r"|.*\b(?:exchange|broker|server|local|user|system)(?:'?s)?(?: time)?|.+ time"
)
"""Words for a zone that do not say which zone it is: `exchange`, `broker time`, `eastern time`."""
_SHIFTS = re.compile(r"\b(?:dst|summer|winter|daylight|standard)\b|[+-]\d")
"""Words beside an offset that make it valid only at some times."""
_NO_ZONE = re.compile(
    r"m?s|[mun]?secs?|(?:milli|micro|nano)?seconds?|[mun]s|unix.*|epoch.*|iso.*|\d+ ?h|utc/gmt"
    r"|(?=.*(?:yy|hh|dd|d/m|m/d))(?:mon|[ymdhsatzi0-9.:/, '-])+"
    r"|[a-z0-9]+/(?:usd[tc]?|eur|gbp|jpy|chf|btc|eth|busd|try|krw)"
    r"|(?:market|exchange) (?:open|close|opening|closing)"
)
"""The words in brackets after a title of times that name no zone: units, formats, symbols."""
_PLAIN_WORDS = frozenset(
    "open close start begin beginning end opening closing date day time bar session eod eob bod bob candle candlestick "
    "kline trade quote tick event entry exit order fill execution settlement last first left right period interval "
    "snapshot sample timestamp datetime created updated received recorded published release print of the at in "
    "am pm month year hour minute second tag monat jahr stunde jour mois année annee heure día dia mes año ano hora "
    "giorno mese anno ora mês dag maand jaar день месяц год число gün ay yıl daily weekly monthly hourly".split()
)
"""Words that name no zone, alone or together."""
_FORMAT = re.compile(r"[yYjJaAgGг]{2,4}|[mм]{1,4}|[dtjgд]{1,2}|h{1,2}|mi|mon|s{1,3}|h{1,2}\d\d")
"""A part of a format of dates, also in other languages: `jj/mm/aaaa`, `tt.mm.jjjj`."""


class TitledZone(NamedTuple):
    """The time zone that a title names, or the reason why it is not known.

    `name` is the zone. `foreign` is the reason why the user must name the zone. `unknown` are words that may name a
    zone. At most one of them is not empty.
    """

    name: str = ""
    foreign: str = ""
    unknown: str = ""


def is_zone(name: str) -> bool:
    """Return whether a time zone of this name exists."""
    try:
        zone(name)
    except UsageError:
        return False
    return True


def titled_zone(title: str) -> TitledZone:
    """Find the time zone that the title of a time column names. `title` has single spaces and no underscores."""
    found = _IN_BRACKETS.search(title)
    if found is None:
        named = re.search(r"\b(?:utc|gmt)$|^(?:utc|gmt)\b", title.lower())
        return TitledZone(named[0].upper() if named is not None else "")
    words = found[1].strip().lower().replace("−", "-").replace("±", "+")
    bare = words.removesuffix(" time")
    if not words or _NO_ZONE.fullmatch(words):
        return TitledZone() if not _letters(words) or words == "utc/gmt" else _unclear(title, "letters")
    if bare in _UTC:
        return TitledZone("GMT" if bare == "gmt" else "UTC")
    if _ONLY_OFFSET.fullmatch(bare):
        return _existing(title, bare.replace(" ", "").upper())
    known = _zones().get(bare.replace(" ", "_")) or _zones().get(words.replace(" ", "_"))
    if known:
        return TitledZone(known)
    return _among(title, words, found[1].strip())


def _among(title: str, words: str, written: str) -> TitledZone:
    """Find the zone that several words name, or why it is unclear. `written` are the words as in the title."""
    offsets = {each.replace(" ", "").upper() for each in _OFFSET.findall(words)}
    rest = _OFFSET.sub(" ", words)
    parts = {part for part in re.split(r"[\s,;:()]+", rest) if part}
    named = {_zones()[part] for part in parts if "/" in part and part in _zones()}
    is_utc = bool({"utc", "gmt", "uct", "zulu"} & set(re.findall(r"\w+", rest)))
    if len(offsets) + len(named) + is_utc > 1 and not (named and len(offsets) == 1):
        return _unclear(title, "words that contradict each other")
    letters, cities = _letters(rest), _cities_in(rest)
    if offsets:
        (only,) = offsets
        fits = not is_utc and not _SHIFTS.search(rest) and len(named) < 2
        fits = fits and _agrees(only, letters, cities)
        fits = fits and all(_hours(name) == _hours(only) for name in named)
        return _existing(title, only) if fits else _unclear(title, "words that contradict each other")
    if named:
        return TitledZone(*named)
    if is_utc:
        fits = not letters and all(_hours(name) == {0} for name in cities) and not _PLACES.fullmatch(rest.strip())
        return TitledZone("UTC") if fits else _unclear(title, "words that contradict each other")
    if any(part.partition("/")[0] in _areas() for part in parts if "/" in part):
        return TitledZone(foreign=f"the title '{title}' names a zone that does not exist")
    if letters:
        return _unclear(title, "letters")
    if all(each in _PLAIN_WORDS or _FORMAT.fullmatch(each) for each in re.findall(r"\w+", words)):
        return TitledZone()
    tokens = re.findall(r"\w+", words)
    if tokens[:1] == ["trading"] and len(tokens) > 1 and all(each in _PLAIN_WORDS for each in tokens[1:]):
        return TitledZone()
    return _unclear(title, "words") if _PLACES.fullmatch(words) or cities else TitledZone(unknown=written)


def _unclear(title: str, by: str) -> TitledZone:
    are = "" if by.endswith("each other") else " that are not clear"
    return TitledZone(foreign=f"the title '{title}' names a zone by {by}{are}")


def _existing(title: str, name: str) -> TitledZone:
    return (
        TitledZone(name)
        if is_zone(name)
        else TitledZone(foreign=f"the title '{title}' names a zone that does not exist")
    )


def _letters(words: str) -> list[str]:
    """Return the zone abbreviations among words. Of parts joined by a slash, all must be abbreviations."""
    found: list[str] = []
    for part in re.split(r"[\s,;()-]+", words):
        each = [letters for letters in part.split("/") if letters]
        if each and all(letters in _LETTERS for letters in each):
            found += each
    return found


def _agrees(offset: str, letters: list[str], zones: list[str]) -> bool:
    """Return whether abbreviations and zones have this offset at some time of the year."""
    (hours,) = _hours(offset)
    return all(hours in _LETTERS[each] for each in letters) and all(hours in _hours(name) for name in zones)


def _hours(name: str) -> set[float]:
    """Return the hours from UTC of a zone in January and in July."""
    moments = (datetime.datetime(2024, month, 1, tzinfo=datetime.UTC).astimezone(zone(name)) for month in (1, 7))
    return {(each.utcoffset() or datetime.timedelta()).total_seconds() / 3600 for each in moments}


@cache
def _zones() -> dict[str, str]:
    """Map all zone names in lower case to the zones, except short ones without a slash (abbreviations)."""
    return {
        name.lower(): name
        for name in available_timezones()
        if ("/" in name or len(name) > 4) and name.lower() not in ("factory", "localtime", "posixrules")
    }


@cache
def _areas() -> frozenset[str]:
    """Return the first parts of the names of zones, such as `america`."""
    return frozenset(name.partition("/")[0] for name in _zones() if "/" in name)


@cache
def _cities() -> dict[str, str]:
    """Map the last parts of the names of zones, such as `new york`, to the zones."""
    return {name.rpartition("/")[2].replace("_", " "): found for name, found in sorted(_zones().items())}


def _cities_in(words: str) -> list[str]:
    tokens = re.findall(r"[\w'-]+", words)
    runs = (" ".join(tokens[at : at + size]) for size in (1, 2, 3) for at in range(len(tokens)))
    return [_cities()[run] for run in runs if run in _cities() and run not in _LETTERS and run not in _UTC]
