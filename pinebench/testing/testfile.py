"""Reads test files: a `*.test.toml` file next to scripts names the script, its bars and the expectations."""

from __future__ import annotations

import datetime
import math
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pinebench import decoding
from pinebench.errors import UsageError
from pinebench.files import ENDINGS
from pinebench.files.toml import read_toml
from pinebench.near import near_names
from pinebench.testing.expectations import Expectation
from pinebench.testing.expectations import parse as parse_expectation

ENDING = ".test.toml"
_SKIPPED_FOLDERS = ("node_modules", "__pycache__")
_LARGEST_FILE = 1_000_000
_TEST = re.compile(r"(?m)^[ \t]*\[\[[ \t]*test[ \t]*\]\]")
_MOST_TESTS = 1000
_NUMBER = (float, bool, str)
_VALUE = {"plot": str, "bar?": int, "time?": decoding.Anything, "is": _NUMBER, "within?": float}
_ERROR = {"code": str, "line?": int, "bar?": int}
_KEYS: dict[str, Any] = {
    "name?": str,
    "script?": str,
    "bars?": str,
    "count?": int,
    "timeframe?": str,
    "symbol?": {str: decoding.Anything},
    "inputs?": {str: (bool, float, str)},
    "others?": {str: str},
    "expect?": [str],
    "no-repaint?": bool,
    "snapshot?": bool,
    "value?": [_VALUE],
    "error?": _ERROR,
}
_SHARED = {**_KEYS, "test?": [_KEYS]}


@dataclass(frozen=True)
class ExpectedValue:
    """A value that a plot must have: on bar `bar`, or on the bar that opens at `time` (ms UTC).

    A negative `bar` counts from the end. `value` is None for na. `within` is the largest allowed difference.
    """

    plot: str
    bar: int | None
    time: int | None
    value: float | bool | None
    within: float


@dataclass(frozen=True)
class ExpectedError:
    """An expected error: the script must stop with it, or fail to compile with it."""

    code: str
    line: int | None
    bar: int | None


@dataclass(frozen=True)
class TestCase:
    """One test. Paths are as written in the file, relative to `folder`. `line` is the line of the file (from 1) on
    which the test begins."""

    file: Path
    name: str
    line: int
    script: str
    bars: str
    count: int | None
    timeframe: str | None
    symbol: dict[str, Any]
    inputs: dict[str, Any]
    others: dict[str, str]
    expectations: tuple[Expectation, ...]
    no_repaint: bool
    snapshot: Path | None
    values: tuple[ExpectedValue, ...]
    error: ExpectedError | None

    @property
    def expects_something(self) -> bool:
        """Whether the test expects more than a run without an error."""
        return bool(self.expectations or self.no_repaint or self.snapshot or self.values or self.error)

    @property
    def folder(self) -> Path:
        """The folder of the test file."""
        return self.file.parent


def read_cases(file: Path) -> list[TestCase]:
    """Read the tests of a file: one for each `[[test]]`. Keys outside `[[test]]` apply to all tests, and a test can
    override them. Without `[[test]]`, the file itself is one test. Raises UsageError with file and key if the file is
    not valid."""
    if file.suffix.lower() in ENDINGS and file.exists():
        raise UsageError(f"{file} is a script", f"name the file with its tests, which ends in {ENDING}")
    table = read_toml(file, _LARGEST_FILE)
    _check(file, table, _SHARED, "")
    own = table.pop("test", None)
    if own is None:
        return [_case(file, table, file.name.removesuffix(ENDING), 1)]
    if not own or len(own) > _MOST_TESTS:
        raise UsageError(f"{file} has {len(own)} tests", f"expected from 1 to {_MOST_TESTS}")
    cases: list[TestCase] = []
    lines = _lines_of_tests(file, len(own))
    for number, (each, line) in enumerate(zip(own, lines, strict=True), 1):
        _check(file, each, _KEYS, f"test {number}: ")
        cases.append(_case(file, _joined(file, table, each), each.get("name", f"test {number}"), line))
    names = [case.name for case in cases]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"{file}: two tests have the name '{twice}'", "give each a name of its own")
    places = [case.snapshot.name.casefold() for case in cases if case.snapshot is not None]
    shared = next((place for place in places if places.count(place) > 1), None)
    if shared is not None:
        raise UsageError(
            f"{file}: two tests have the snapshot {shared}", "give them names that differ in letters, digits, - and _"
        )
    return cases


def _lines_of_tests(file: Path, count: int) -> list[int]:
    """The line of each `[[test]]`. The first line for all of them if the file is written in another way."""
    text = file.read_text(encoding="utf-8", errors="replace")
    found = [1 + text.count("\n", 0, match.start()) for match in _TEST.finditer(text)]
    return found if len(found) == count else [1] * count


def _joined(file: Path, shared: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """The keys of a test together with the keys for all tests. Tables are joined, other values are replaced. A shared
    `count` is not for a test with a file of its own."""
    joined = {**shared, **own}
    if "count" not in own and "bars" in own and (file.parent / own["bars"]).exists():
        joined.pop("count", None)
    for name in ("symbol", "inputs", "others"):
        if name in shared and name in own:
            joined[name] = {**shared[name], **own[name]}
    return joined


def _check(file: Path, table: dict[str, Any], shape: dict[str, Any], place: str) -> None:
    _known(file, table, shape, place)
    for name, inner in (("value", _VALUE), ("error", _ERROR)):
        given = table.get(name, [])
        for each in given if isinstance(given, list) else [given]:
            if isinstance(each, dict):
                _known(file, each, inner, f"{place}{name}: ")
    try:
        decoding.check(table, shape)
    except decoding.MalformedDocument as error:
        raise UsageError(f"{file}: {place}{error}", "see docs/testing-scripts.md") from None


def _known(file: Path, table: dict[str, Any], shape: dict[str, Any], place: str) -> None:
    keys = [key.removesuffix("?") for key in shape]
    for name in table:
        if name not in keys:
            near = near_names(name, keys, 1)
            hint = f"did you mean '{near[0]}'?" if near else f"the keys are {', '.join(keys)}"
            raise UsageError(f"{file}: {place}'{name}' is not a key of a test", hint)


def _case(file: Path, table: dict[str, Any], name: str, line: int) -> TestCase:
    for key, hint in (("script", 'script = "my.pine"'), ("bars", 'bars = "BTCUSDT_60.csv" or "BTCUSDT"')):
        if not table.get(key):
            raise UsageError(f"{file}: {name}: '{key}' is missing", f"write, for example, {hint}")
    count = table.get("count")
    if count is not None and not 1 <= count <= 100_000:
        raise UsageError(f"{file}: {name}: count must be from 1 to 100000, got: {count}")
    try:
        expectations = tuple(map(parse_expectation, table.get("expect", ())))
    except UsageError as error:
        raise UsageError(f"{file}: {name}: {error.message}", error.hint) from None
    error = table.get("error")
    unused = next((key for key in ("expect", "value", "snapshot", "no-repaint") if table.get(key)), None)
    if error is not None and unused is not None:
        raise UsageError(
            f"{file}: {name}: '{unused}' has no effect: a script that stops with the expected error has no results",
            f"leave out {unused}, or write a second test without [error]",
        )
    return TestCase(
        file,
        name,
        line,
        table["script"],
        table["bars"],
        count,
        table.get("timeframe"),
        table.get("symbol", {}),
        table.get("inputs", {}),
        table.get("others", {}),
        expectations,
        table.get("no-repaint", False),
        _snapshot(file, name) if table.get("snapshot") else None,
        tuple(_value(f"{file}: {name}: value {n}", each) for n, each in enumerate(table.get("value", ()), 1)),
        None if error is None else ExpectedError(error["code"], error.get("line"), error.get("bar")),
    )


def _snapshot(file: Path, name: str) -> Path:
    """The path of a test's snapshot file, next to the test file."""
    stem = file.name.removesuffix(ENDING)
    own = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in name)
    return file.with_name(f"{stem}.snapshot.csv" if own == stem else f"{stem}.{own}.snapshot.csv")


def _value(place: str, given: dict[str, Any]) -> ExpectedValue:
    bar, time, within = given.get("bar"), given.get("time"), given.get("within", 0.0)
    if (bar is None) == (time is None):
        raise UsageError(
            f"{place} has {'neither bar nor time' if bar is None else 'both bar and time'}", "give either bar or time"
        )
    if not 0 <= within < math.inf:
        raise UsageError(f"{place}: within = {within} is not a tolerance", "expected a number from 0")
    value = given["is"]
    if isinstance(value, str):
        if value != "na":
            raise UsageError(f"{place}: '{value}' is not a valid value", 'expected a number, true, false or "na"')
        value = None
    elif isinstance(value, float) and math.isnan(value):
        value = None
    return ExpectedValue(given["plot"], bar, None if time is None else _moment(place, time), value, within)


def _moment(place: str, time: Any) -> int:
    """Convert a date of TOML, a text in ISO 8601, or milliseconds to milliseconds UTC."""
    try:
        if isinstance(time, int) and not isinstance(time, bool):
            datetime.datetime.fromtimestamp(time / 1000, datetime.UTC)
            return time
        moment = datetime.datetime.fromisoformat(str(time))
        return int((moment if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)).timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        raise UsageError(
            f"{place}: {time} is not a valid time", "expected, for example, 2024-01-31T14:30:00Z"
        ) from None


def discover(folder: Path) -> list[Path]:
    """Return the test files in a folder and its subfolders, sorted. Hidden folders and folders of tools are left
    out."""
    found: list[Path] = []
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED_FOLDERS)
        found += [Path(parent, name) for name in sorted(names) if name.endswith(ENDING)]
    return found
