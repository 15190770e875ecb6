"""Reads the cells of a spreadsheet in the format XLSX, which is XML in a ZIP archive, with limits for hostile files."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from typing import IO
from xml.etree import ElementTree
from zlib import error as ZlibError

from pinebench.errors import UsageError
from pinebench.patterns import lazy_pattern

LIMIT = 64_000_000
"""The largest size in bytes of one unpacked part. 100,000 trades need about 40 million."""
_MARK = b"PK\x03\x04"
_COLUMN = lazy_pattern(r"[A-Z]{1,3}")
_SHEET = lazy_pattern(r"xl/worksheets/[^/]+\.xml")
_MOST_COLUMNS = 200
_UTF_8 = re.compile(rb"""encoding\s*=\s*["'](?:utf-8|us-ascii)["']""", re.IGNORECASE)
_DAMAGES = (
    *(zipfile.BadZipFile, ElementTree.ParseError, ZlibError, EOFError),
    *(NotImplementedError, RuntimeError),  # a compression that is not known, a password
)


def is_workbook(data: bytes) -> bool:
    """Return whether `data` begins like an XLSX file."""
    return data.startswith(_MARK)


def sheets(data: bytes, name: str) -> Iterator[list[list[str]]]:
    """Return the rows of each sheet as strings, in the order of the sheets' files. An empty cell is an empty string.

    Raises UsageError if the file is damaged, too large when it is unpacked, or not a workbook. `name` is the file's
    name in messages.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = sorted((each for each in archive.namelist() if _SHEET.fullmatch(each)), key=_number)
            if not parts:
                raise UsageError(f"{name}: the archive contains no spreadsheet", "expected a spreadsheet (XLSX) or CSV")
            texts = _shared(archive, name)
            for part in parts:
                yield list(_rows(_opened(archive, part, name), texts, name))
    except _DAMAGES as error:
        raise UsageError(f"{name}: the spreadsheet is damaged", "export the list again, or export it as CSV") from error


def _number(part: str) -> tuple[int, str]:
    digits = re.sub(r"\D", "", part)
    return int(digits[:9] or 0), part


def _opened(archive: zipfile.ZipFile, part: str, name: str) -> IO[bytes]:
    """The unpacked part of the archive, which must be UTF-8.

    Declarations of entities are refused, because they can grow without a limit; another encoding could hide them.
    """
    with archive.open(part) as file:
        data = file.read(LIMIT + 1)
    if len(data) > LIMIT:
        raise UsageError(
            f"{name}: the spreadsheet has more than {LIMIT:,} bytes when unpacked",
            "export a shorter list, or export it as CSV",
        )
    declaration = data[: data.find(b"?>") + 2]
    if b"\x00" in data or (b"encoding" in declaration and not _UTF_8.search(declaration)):
        raise UsageError(f"{name}: the spreadsheet is not UTF-8, as every export of TradingView is")
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise UsageError(f"{name}: the spreadsheet declares entities, which no export of TradingView does")
    return io.BytesIO(data)


def _shared(archive: zipfile.ZipFile, name: str) -> list[str]:
    """The texts that cells refer to by their numbers."""
    part = "xl/sharedStrings.xml"
    if part not in archive.namelist():
        return []
    found: list[str] = []
    for _, element in ElementTree.iterparse(_opened(archive, part, name)):
        if _tag(element) == "si":
            found.append(_text(element))
            element.clear()
    return found


def _rows(file: IO[bytes], texts: list[str], name: str) -> Iterator[list[str]]:
    for _, element in ElementTree.iterparse(file):
        if _tag(element) != "row":
            continue
        row: list[str] = []
        for cell in element:
            place = _place(cell.get("r"), len(row))
            if place >= _MOST_COLUMNS:
                break
            row += [""] * (place + 1 - len(row))
            row[place] = _value(cell, texts, name)
        yield row
        element.clear()


def _place(reference: str | None, default: int) -> int:
    """The column of a cell from 0, of its reference such as `B7`."""
    letters = _COLUMN.match(reference or "")
    if letters is None:
        return default
    place = 0
    for letter in letters.group():
        place = place * 26 + ord(letter) - ord("A") + 1
    return place - 1


def _value(cell: ElementTree.Element, texts: list[str], name: str) -> str:
    kind = cell.get("t")
    if kind == "inlineStr":
        return _text(cell)
    value = next((each.text or "" for each in cell if _tag(each) == "v"), "")
    if kind != "s":
        return value
    if not value.isdecimal() or len(value) > 9 or int(value) >= len(texts):
        raise UsageError(f"{name}: a cell of the spreadsheet refers to a shared string that does not exist")
    return texts[int(value)]


def _text(element: ElementTree.Element) -> str:
    return "".join(each.text or "" for each in element.iter() if _tag(each) == "t")


def _tag(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]
