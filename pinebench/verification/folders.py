"""Stores recordings as folders with bars, script, inputs and TradingView's values, which can be replayed as tests."""

from __future__ import annotations

import csv
import io
import json
import math
import os
from collections.abc import Collection, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from pinebench import decoding, files
from pinebench.errors import UsageError
from pinebench.market import Bars, SymbolInfo
from pinebench.verification.privacy import personal, without_remarks
from pinebench.verification.recordings import LeftOut, Plot, RecordedTrade, Recording

ABOUT = "verification.json"
SCRIPT = "script.pine"
BARS = "bars.csv"
PLOTS = "plots.csv"
TRADES = "trades.json"
FORMAT = 1
"""The version of the format of these folders."""

_PRICES = ("time", "open", "high", "low", "close", "volume")
_SHAPE = {
    "format": int,
    "day": str,
    "symbol": dict,
    "inputs": dict,
    "properties": dict,
    "history": str,
    "is_open": bool,
    "is_certain": bool,
    "plots": [{"title": str, "kind": str}],
    "left_out": [{"what": str, "count": int, "reason": str}],
    "assumed": [str],
    "has_trades": bool,
}


def prepared(recording: Recording) -> Recording:
    """Return the recording as it is saved, without comments and alert messages in its script."""
    return replace(recording, script=without_remarks(recording.script))


def save(recording: Recording, folder: str, names: Collection[str] = ()) -> list[str]:
    """Write the recording as a new folder, and return the names of its files.

    `names` are the account's names, ids and other private texts, which the files must not contain. Raises UsageError if
    the files would contain personal data, or if the folder exists and is not empty; then nothing is written.
    """
    texts = written(recording)
    found = personal(texts, names)
    if found:
        first = found[0]
        more = f", and {len(found) - 1} more" if len(found) > 1 else ""
        raise UsageError(
            f"the recording was not saved: {first.file}, line {first.line}, contains {first.kind}{more}",
            "remove it from the script or its inputs; comments and alert messages were already removed",
        )
    check_place(folder)
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        files.create(os.path.join(folder, name), text.encode())
    return list(texts)


def check_place(folder: str) -> None:
    """Raise UsageError if a recording cannot be saved as `folder`, because it is not empty or not writable."""
    place = Path(folder)
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise UsageError(f"{folder} already exists", "name a new folder")
    above = next(each for each in (place.absolute(), *place.absolute().parents) if each.exists())
    if not above.is_dir() or not os.access(above, os.W_OK):
        raise UsageError(f"{folder} cannot be made, because you cannot write to {above}", "name another folder")


def load(folder: str) -> Recording:
    """Read a recording from its folder. Raises UsageError with the name of the file that is not valid."""
    if os.path.isfile(folder):
        hint = "name the folder of 'pinebench verify --save'; a script is named with --script"
        raise UsageError(f"{folder} is a file, not a folder with a recording", hint)
    about = _about(folder)
    if about["format"] != FORMAT:
        raise UsageError(
            f"the recording in {folder} has format {about['format']}",
            f"this version of pinebench reads format {FORMAT}",
        )
    bars = _bars(folder)
    plots = _plots(folder, about["plots"], len(bars))
    trades = _trades(folder) if about["has_trades"] else None
    try:
        symbol = SymbolInfo.of(about["symbol"])
    except TypeError as error:
        raise UsageError(f"{folder}/{ABOUT}: symbol: {error}", "expected the properties that pinebench wrote") from None
    if about["history"] not in ("whole", "part", "unknown"):
        raise UsageError(f"{folder}/{ABOUT}: history is {about['history']}", "expected whole, part or unknown")
    return Recording(
        script=files.read(os.path.join(folder, SCRIPT)).text,
        symbol=symbol,
        bars=bars,
        plots=plots,
        trades=trades,
        inputs=about["inputs"],
        properties=about["properties"],
        history=about["history"],
        is_open=about["is_open"],
        is_certain=about["is_certain"],
        left_out=[LeftOut(each["what"], each["count"], each["reason"]) for each in about["left_out"]],
        assumed=about["assumed"],
        day=about["day"],
    )


def written(recording: Recording) -> dict[str, str]:
    """Return the texts of the recording folder's files, by file name."""
    about = {
        "format": FORMAT,
        "day": recording.day,
        "symbol": asdict(recording.symbol),
        "inputs": dict(recording.inputs),
        "properties": dict(recording.properties),
        "history": recording.history,
        "is_open": recording.is_open,
        "is_certain": recording.is_certain,
        "plots": [{"title": plot.title, "kind": plot.kind} for plot in recording.plots],
        "left_out": [{"what": each.what, "count": each.number, "reason": each.reason} for each in recording.left_out],
        "assumed": list(recording.assumed),
        "has_trades": recording.trades is not None,
    }
    texts = {
        ABOUT: json.dumps(about, indent=2, ensure_ascii=True) + "\n",
        SCRIPT: recording.script,
        BARS: _csv(_PRICES, list(zip(*recording.bars.columns(), strict=True))),
        PLOTS: _csv(
            ("time", *(f"plot_{i}" for i in range(len(recording.plots)))),
            list(zip(recording.bars.time, *(plot.values for plot in recording.plots), strict=True)),
        ),
    }
    if recording.trades is not None:
        rows = [each._asdict() for each in recording.trades]
        texts[TRADES] = json.dumps(rows, indent=1, ensure_ascii=True) + "\n"
    return texts


def _csv(head: Sequence[str], rows: Sequence[Sequence[float | None]]) -> str:
    """Return numbers as CSV with all of their digits; a missing value is an empty cell."""
    lines = [",".join(head), *(",".join(map(_cell, row)) for row in rows)]
    return "\n".join(lines) + "\n"


def _cell(value: float | None) -> str:
    return "" if value is None or math.isnan(value) else repr(value)


def _about(folder: str) -> dict[str, Any]:
    path = os.path.join(folder, ABOUT)
    data: Any = _json(path)
    try:
        decoding.check(data, _SHAPE)
    except decoding.MalformedDocument as error:
        raise UsageError(
            f"{path} is not a recording: {error}", "expected a folder of 'pinebench verify --save'"
        ) from None
    return data


def _json(path: str) -> Any:
    text = files.read(path).text
    try:
        return json.loads(text)
    except ValueError as error:
        raise UsageError(f"{path} is not JSON: {error}", "expected a folder of 'pinebench verify --save'") from None


def _rows(path: str, columns: int) -> list[list[float | None]]:
    """Return the numbers of a CSV file below its header. Raises UsageError with the line of the first error."""
    found: list[list[float | None]] = []
    for number, row in enumerate(csv.reader(io.StringIO(files.read(path).text)), 1):
        if number == 1:
            continue
        try:
            if len(row) != columns:
                raise ValueError(f"it has {len(row)} cells")
            found.append([None if cell == "" else float(cell) for cell in row])
        except ValueError as error:
            raise UsageError(f"{path}, line {number}: {error}", f"expected {columns} numbers") from None
    return found


def _bars(folder: str) -> Bars:
    bars = Bars()
    for time, *prices in _rows(os.path.join(folder, BARS), len(_PRICES)):
        first, high, low, last, volume = (math.nan if price is None else price for price in prices)
        bars.append(int(time or 0), first, high, low, last, volume)
    return bars


def _plots(folder: str, about: list[dict[str, str]], size: int) -> list[Plot]:
    path = os.path.join(folder, PLOTS)
    rows = _rows(path, 1 + len(about))
    if len(rows) != size:
        raise UsageError(f"{path} has {len(rows)} rows, and {BARS} has {size}", "expected one row for each bar")
    return [Plot(each["title"], each["kind"], [row[1 + i] for row in rows]) for i, each in enumerate(about)]


def _trades(folder: str) -> list[RecordedTrade]:
    path = os.path.join(folder, TRADES)
    data: Any = _json(path)
    try:
        return [RecordedTrade(**each) for each in data]
    except TypeError as error:
        raise UsageError(
            f"{path} is not a list of trades: {error}", "expected the fields that pinebench wrote"
        ) from None
