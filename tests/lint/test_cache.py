"""The cache: an entry answers for one text and one state of the code, and a bad entry is no entry."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from pinebench import decoding
from pinebench.diagnostics import Diagnostic, Severity, Span
from pinebench.files import writing
from pinebench.lint import cache
from pinebench.lint.cache import Cache
from pinebench.lint.findings import Finding
from tests.hostile import DOCUMENTS, SHAPES, mutants
from tests.test_diagnostics import FULL

PACKAGE = Path(cache.__file__).parents[1]

FINDINGS = [
    Finding("a.pine", 1, 2, 3, 4, FULL, True),
    Finding("a.pine", 2, 1, 2, 1, Diagnostic("CW10003", Severity.WARNING, "more words", Span(0, 0))),
]


def _entry(folder: Path) -> Path:
    Cache(str(folder)).put("text", FINDINGS)
    (entry,) = folder.iterdir()
    return entry


def test_what_was_put_is_found_again(tmp_path: Path) -> None:
    _entry(tmp_path)
    again = Cache(str(tmp_path))
    assert again.get("text", "b.pine") == [finding._replace(path="b.pine") for finding in FINDINGS]
    assert again.get("other text", "a.pine") is None


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
def test_an_entry_that_is_no_document_is_no_entry(tmp_path: Path, document: bytes) -> None:
    _entry(tmp_path).write_bytes(document)
    assert Cache(str(tmp_path)).get("text", "a.pine") is None


@pytest.mark.parametrize("name", sorted(SHAPES.keys() - {"empty list"}))
def test_an_entry_of_another_shape_is_no_entry(tmp_path: Path, name: str) -> None:
    _entry(tmp_path).write_text(decoding.json.dumps(SHAPES[name]))
    assert Cache(str(tmp_path)).get("text", "a.pine") is None


def test_an_entry_with_one_wrong_value_is_no_entry(tmp_path: Path) -> None:
    entry = _entry(tmp_path)
    memory = Cache(str(tmp_path))
    good = decoding.loads(entry.read_bytes())
    tried = 0
    for document in mutants(good):
        entry.write_bytes(document)
        found = memory.get("text", "a.pine")
        tried += 1
        if found is None or not found:
            assert found is None or document == b"[]"
            continue
        for finding, original in zip(found, FINDINGS, strict=False):
            assert [*map(type, finding)] == [*map(type, original)]
            assert [*map(type, finding.diagnostic)][:4] == [*map(type, original.diagnostic)][:4]
    assert tried > 200


def test_an_entry_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    entry = _entry(tmp_path)
    entry.unlink()
    os.mkfifo(entry)
    memory = Cache(str(tmp_path))
    assert memory.get("text", "a.pine") is None
    memory.put("text", FINDINGS)


def _copy(folder: Path) -> Path:
    for room in ("syntax", "check", "lint", "reference", "codes"):
        (folder / room).mkdir(parents=True)
        (folder / room / "code.py").write_text(f"# {room}\n")
    (folder / "diagnostics.py").write_text("")
    return folder


def test_the_key_is_the_content_of_the_code_and_not_its_times(tmp_path: Path) -> None:
    one = cache.fingerprint(str(_copy(tmp_path / "one")))
    other = _copy(tmp_path / "elsewhere")
    os.utime(other / "check" / "code.py", (0, 0))
    (other / "check" / "__pycache__").mkdir()
    (other / "check" / "__pycache__" / "code.pyc").write_bytes(b"made anew")
    assert cache.fingerprint(str(other)) == one


@pytest.mark.parametrize("room", ["syntax", "check", "lint", "reference", "codes"])
def test_a_changed_byte_of_the_code_is_another_key_even_with_its_old_size_and_time(tmp_path: Path, room: str) -> None:
    package = _copy(tmp_path / "package")
    before = cache.fingerprint(str(package))
    path = package / room / "code.py"
    times = path.stat().st_atime_ns, path.stat().st_mtime_ns
    path.write_text(f"# {room.upper()}\n")
    os.utime(path, ns=times)
    assert cache.fingerprint(str(package)) != before


def test_moved_code_is_another_key(tmp_path: Path) -> None:
    package = _copy(tmp_path / "package")
    before = cache.fingerprint(str(package))
    shutil.move(package / "check" / "code.py", package / "check" / "other.py")
    assert cache.fingerprint(str(package)) != before


def test_the_key_covers_every_module_that_checks() -> None:
    found = set(cache._checking_files(str(PACKAGE)))
    assert {"check/program.py", "syntax/parser.py", "lint/engine.py", "codes/types.py", "diagnostics.py"} <= found
    assert {"reference/data/functions.py", "syntax/_tables.py"} <= found


WHERE = (str(PACKAGE / "files" / "writing.py"), str(PACKAGE / "lint" / "cache.py"))
TEXTS = [f"text {number}" for number in range(4)]


def _killed(folder: Path, lines: int) -> bool:
    """Whether a process that puts TEXTS into the cache is killed before the line `lines` of the code that writes."""
    child = os.fork()
    if not child:
        left = [lines]

        def trace(frame: FrameType, event: str, _: object) -> Any:
            if frame.f_code.co_filename not in WHERE:
                return None
            if event == "line":
                left[0] -= 1
                if not left[0]:
                    os.kill(os.getpid(), signal.SIGKILL)
            return trace

        try:
            writing._swept.clear()
            memory = Cache(str(folder))
            sys.settrace(trace)
            for text in TEXTS:
                memory.put(text, FINDINGS)
        finally:
            sys.settrace(None)
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def test_fifty_kills_leave_whole_entries_or_none_and_no_litter(tmp_path: Path) -> None:
    kills, known = 0, 0
    for lines in range(1, 400, 5):
        if not _killed(tmp_path, lines):
            break
        kills += 1
        memory = Cache(str(tmp_path))
        for text in TEXTS:
            found = memory.get(text, "a.pine")
            assert found in (None, FINDINGS)
            known += found is not None
        litter = [path for path in tmp_path.iterdir() if path.suffix != ".json"]
        assert len(litter) <= 1
    assert (kills >= 50, known > 0) == (True, True), (kills, known)
    writing._swept.clear()
    Cache(str(tmp_path)).put("text", FINDINGS)
    assert [path for path in tmp_path.iterdir() if path.suffix != ".json"] == []
