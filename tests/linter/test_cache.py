"""The cache: an entry answers for one text and one state of the code, and a bad entry is no entry."""

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
from pinebench.files import DecodedText, atomic_writes
from pinebench.linter import cache
from pinebench.linter.cache import Cache, CachedFindings
from pinebench.linter.engine import LintedScript
from pinebench.linter.findings import Finding
from pinebench.linter.project import LintedFile
from tests.cli.support import SAMPLES, pinebench
from tests.hostile import DOCUMENTS, SHAPES, mutants
from tests.test_diagnostics import FULL

PACKAGE = Path(cache.__file__).parents[1]

FINDINGS = [
    Finding("a.pine", 1, 2, 3, 4, FULL, True),
    Finding("a.pine", 2, 1, 2, 1, Diagnostic("CW10003", Severity.WARNING, "more words", Span(0, 0))),
]


def _script(text: str, path: str = "a.pine", **more: Any) -> LintedFile:
    return LintedFile(path, DecodedText(text), **more)


SCRIPT = _script("text")


def _entry(folder: Path) -> Path:
    Cache(str(folder)).put(SCRIPT, LintedScript(FINDINGS))
    (entry,) = folder.iterdir()
    return entry


def test_what_was_put_is_found_again(tmp_path: Path) -> None:
    _entry(tmp_path)
    again = Cache(str(tmp_path))
    moved = [finding._replace(path="b.pine") for finding in FINDINGS]
    assert again.get(_script("text", "b.pine")) == CachedFindings(moved)
    assert again.get(_script("other text")) is None


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
def test_an_entry_that_is_no_document_is_no_entry(tmp_path: Path, document: bytes) -> None:
    _entry(tmp_path).write_bytes(document)
    assert Cache(str(tmp_path)).get(SCRIPT) is None


@pytest.mark.parametrize("name", sorted(SHAPES.keys() - {"empty list"}))
def test_an_entry_of_another_shape_is_no_entry(tmp_path: Path, name: str) -> None:
    _entry(tmp_path).write_text(decoding.json.dumps(SHAPES[name]))
    assert Cache(str(tmp_path)).get(SCRIPT) is None


def test_an_entry_with_one_wrong_value_is_no_entry(tmp_path: Path) -> None:
    entry = _entry(tmp_path)
    memory = Cache(str(tmp_path))
    good = decoding.loads(entry.read_bytes())
    tried = 0
    for document in mutants(good):
        entry.write_bytes(document)
        found = memory.get(SCRIPT)
        tried += 1
        if found is None or not found.findings:
            assert found is None or decoding.loads(document)["findings"] == []
            continue
        for finding, original in zip(found.findings, FINDINGS, strict=False):
            assert [*map(type, finding)] == [*map(type, original)]
            assert [*map(type, finding.diagnostic)][:4] == [*map(type, original.diagnostic)][:4]
    assert tried > 200


def test_an_entry_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    entry = _entry(tmp_path)
    entry.unlink()
    os.mkfifo(entry)
    memory = Cache(str(tmp_path))
    assert memory.get(SCRIPT) is None
    memory.put(SCRIPT, LintedScript(FINDINGS))


@pytest.mark.parametrize("asked", [("PB1001",), ("PB1002",), ("PB1001", "PB1002"), {"PB1001": {"least": 3}}])
def test_the_rules_that_are_asked_and_their_options_are_part_of_the_key(tmp_path: Path, asked: Any) -> None:
    memory = Cache(str(tmp_path))
    memory.put(SCRIPT, LintedScript([]))
    asking = SCRIPT._replace(opinions=asked)
    assert memory.get(asking) is None
    memory.put(asking, LintedScript(FINDINGS))
    assert (memory.get(SCRIPT), memory.get(asking)) == (CachedFindings([]), CachedFindings(FINDINGS))
    other = asked.keys() if isinstance(asked, dict) else reversed(asked)
    assert (memory.get(SCRIPT._replace(opinions=list(other))) is None) == isinstance(asked, dict)


def test_an_entry_counts_while_the_libraries_are_what_they_were(tmp_path: Path) -> None:
    first, second, library = tmp_path / "first", tmp_path / "second", Path("Me", "Lib.pine")
    script = _script("text", libraries=(str(first), str(second)))

    def known() -> bool:
        return Cache(str(tmp_path / "cache")).get(script) is not None

    def put(found: str | None) -> None:
        Cache(str(tmp_path / "cache")).put(script, LintedScript(FINDINGS, {"Me/Lib/1": found}))

    put(None)
    assert known()
    _write(second / library, "one")
    assert not known()  # it was missing
    put("one")
    assert known()
    _write(second / library, "two")
    assert not known()  # it has changed
    _write(second / library, "one")
    assert known()  # what counts is what it says
    _write(first / library, "two")
    assert not known()  # another is found before it
    (first / library).unlink()
    _write(second / "Me" / "Lib" / "1.pine", "three")
    assert not known()  # the version itself is found before it
    (second / "Me" / "Lib" / "1.pine").unlink()
    assert known()
    (second / library).unlink()
    assert not known()  # it is missing
    assert Cache(str(tmp_path / "cache")).get(script._replace(libraries=())) is None


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


LIBRARY = '//@version=6\nlibrary("{name}")\n{imports}export {name}(float x) =>\n    {body}\n'
INNER = LIBRARY.format(name="inner", imports="", body="x * 2")
OUTER = LIBRARY.format(name="outer", imports="import Me/inner/1 as inner\n", body="inner.inner(x)")
USER = '//@version=6\nindicator("User")\nimport Me/outer/1 as lib\nplot(lib.outer({argument}))\n'


def _linted(folder: Path, *flags: str) -> str:
    outcome = pinebench("lint", "scripts", "--format", "json", "--select", "ALL", *flags, folder=folder)
    assert outcome.code in (0, 1), outcome.err
    return outcome.out


def test_a_library_that_a_library_imports_counts_too(tmp_path: Path) -> None:
    _write(tmp_path / "pinebench.toml", '[check]\nlibrary-paths = ["libraries"]\n')
    for number in range(3):
        _write(tmp_path / "scripts" / f"{number}.pine", USER.format(argument="close"))
    steps = [
        ("outer.pine", None),
        ("outer.pine", OUTER),
        ("inner.pine", INNER),
        ("inner.pine", INNER.replace("x * 2", "str.tostring(x)")),
        ("outer.pine", OUTER.replace("export outer", "export another")),
        ("outer.pine", "no library at all ("),
    ]
    seen: set[str] = set()
    for name, text in steps:
        if text is not None:
            _write(tmp_path / "libraries" / name, text)
        unknown = _linted(tmp_path, "--no-cache")
        assert _linted(tmp_path) == unknown, (name, text)
        assert _linted(tmp_path) == unknown, (name, text)
        seen.add(unknown)
    assert len(seen) > 2


def test_a_report_is_the_same_serial_parallel_and_remembered(tmp_path: Path) -> None:
    """With libraries and all rules, scripts that are sound and scripts that are not."""
    _write(tmp_path / "pinebench.toml", '[check]\nlibrary-paths = ["libraries"]\n')
    _write(tmp_path / "libraries" / "outer.pine", OUTER)
    _write(tmp_path / "libraries" / "inner.pine", INNER)
    for number, argument in enumerate(("close", '"text"', "clsoe", "close,, open", "ta.smaa(close, 3)")):
        _write(tmp_path / "scripts" / f"{number}.pine", USER.format(argument=argument) + "unused = 1\n" * 2)
    for sample in ("broken", ""):
        for path in (SAMPLES / sample).glob("*.pine"):
            _write(tmp_path / "scripts" / sample / path.name, path.read_text("utf-8"))
    serial = _linted(tmp_path, "--no-cache", "--jobs", "1")
    assert '"fix": "safe"' in serial
    reports = [_linted(tmp_path, "--no-cache", "--jobs", "2"), *(_linted(tmp_path, "--jobs", n) for n in "21")]
    assert [report == serial for report in reports] == [True] * 3
    memory = tmp_path / ".cache" / "lint"
    assert len(list(memory.iterdir())) == len(list((tmp_path / "scripts").rglob("*.pine")))


def test_a_change_is_seen_that_keeps_size_and_time(tmp_path: Path) -> None:
    for name in ("a", "b"):
        _write(tmp_path / "scripts" / f"{name}.pine", '//@version=6\nindicator("x")\nplot(close)\n')
    before = _linted(tmp_path)
    assert _linted(tmp_path) == before
    script = tmp_path / "scripts" / "a.pine"
    times = script.stat().st_atime_ns, script.stat().st_mtime_ns
    script.write_text(script.read_text().replace("close", "clsoe"))
    os.utime(script, ns=times)
    changed = _linted(tmp_path)
    assert "clsoe" in changed and changed == _linted(tmp_path, "--no-cache")


def test_an_entry_without_findings_is_one(tmp_path: Path) -> None:
    Cache(str(tmp_path)).put(SCRIPT, LintedScript([]))
    assert Cache(str(tmp_path)).get(SCRIPT) == CachedFindings([])
    (entry,) = tmp_path.iterdir()
    assert entry.read_bytes() == cache._NOTHING  # pyright: ignore[reportPrivateUsage]


def _copy(folder: Path) -> Path:
    for room in ("syntax", "checker", "linter", "reference", "codes"):
        (folder / room).mkdir(parents=True)
        (folder / room / "code.py").write_text(f"# {room}\n")
    (folder / "diagnostics.py").write_text("")
    return folder


def test_the_key_is_the_content_of_the_code_and_not_its_times(tmp_path: Path) -> None:
    one = cache.fingerprint(str(_copy(tmp_path / "one")))
    other = _copy(tmp_path / "elsewhere")
    os.utime(other / "checker" / "code.py", (0, 0))
    (other / "checker" / "__pycache__").mkdir()
    (other / "checker" / "__pycache__" / "code.pyc").write_bytes(b"made anew")
    assert cache.fingerprint(str(other)) == one


@pytest.mark.parametrize("room", ["syntax", "checker", "linter", "reference", "codes"])
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
    shutil.move(package / "checker" / "code.py", package / "checker" / "other.py")
    assert cache.fingerprint(str(package)) != before


def test_the_key_covers_every_module_that_checks() -> None:
    found = set(cache._checking_files(str(PACKAGE)))
    assert {"checker/program.py", "syntax/parser.py", "linter/engine.py", "codes/types.txt", "diagnostics.py"} <= found
    assert {"reference/data/ta.txt", "syntax/_tables.py"} <= found


WHERE = (str(PACKAGE / "files" / "atomic_writes.py"), str(PACKAGE / "linter" / "cache.py"))
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
            atomic_writes._swept.clear()
            memory = Cache(str(folder))
            sys.settrace(trace)
            for text in TEXTS:
                memory.put(_script(text), LintedScript(FINDINGS))
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
            found = memory.get(_script(text))
            assert found in (None, CachedFindings(FINDINGS))
            known += found is not None
        litter = [path for path in tmp_path.iterdir() if path.suffix != ".json"]
        assert len(litter) <= 1
    assert (kills >= 50, known > 0) == (True, True), (kills, known)
    atomic_writes._swept.clear()
    Cache(str(tmp_path)).put(SCRIPT, LintedScript(FINDINGS))
    assert [path for path in tmp_path.iterdir() if path.suffix != ".json"] == []
