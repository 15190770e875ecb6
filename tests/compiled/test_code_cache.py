"""Machine code on disk: it is only loaded from a folder and a file that nobody else can write to."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pinebench.compiled.code_cache import CodeCache
from pinebench.errors import UsageError

pytest.importorskip("llvmlite")
pytestmark = pytest.mark.skipif(os.name == "nt", reason="no permissions of files")
TEXT = "define double @one() { ret double 1.0 }"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that is not there yet."""
    return tmp_path / "compiled"


def counted(text: str = TEXT) -> tuple[list[int], Callable[[], str]]:
    """The number of calls, and a function that returns a module and counts them."""
    calls: list[int] = []

    def make() -> str:
        calls.append(1)
        return text

    return calls, make


def test_machine_code_is_compiled_once(folder: Path) -> None:
    calls, make = counted()
    first = CodeCache(folder).machine_code("k", make)
    assert CodeCache(folder).machine_code("k", make) == first
    assert len(calls) == 1
    assert folder.stat().st_mode & 0o777 == 0o700
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in folder.iterdir())


def test_another_key_is_compiled_again(folder: Path) -> None:
    calls, make = counted()
    CodeCache(folder).machine_code("k", make)
    CodeCache(folder).machine_code("other", make)
    assert len(calls) == 2


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o755], ids=oct)
def test_a_folder_that_others_can_use_is_refused(folder: Path, mode: int) -> None:
    folder.mkdir()
    folder.chmod(mode)
    with pytest.raises(UsageError, match="others can use the folder"):
        CodeCache(folder)


def test_a_folder_that_others_can_replace_is_refused(tmp_path: Path) -> None:
    above = tmp_path / "above"
    above.mkdir()
    above.chmod(0o777)
    with pytest.raises(UsageError, match="others can replace the folder"):
        CodeCache(above / "compiled")


def test_a_link_to_a_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir(mode=0o700)
    folder.symlink_to(tmp_path / "real")
    with pytest.raises(UsageError, match="is not a folder"):
        CodeCache(folder)


@pytest.mark.parametrize("how", ["changed", "short", "renamed", "writable", "link"])
def test_a_file_that_is_damaged_or_not_private_is_not_loaded(folder: Path, tmp_path: Path, how: str) -> None:
    calls, make = counted()
    store = CodeCache(folder)
    expected = store.machine_code("k", make)
    path = store.path("k")
    assert path is not None
    if how == "changed":
        data = path.read_bytes()
        path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    elif how == "short":
        path.write_bytes(path.read_bytes()[:-9])
    elif how == "renamed":
        other = store.path("other")
        assert other is not None
        store.machine_code("other", lambda: TEXT.replace("1.0", "2.0"))
        os.replace(other, path)
    elif how == "writable":
        path.chmod(0o666)
    else:
        os.replace(path, tmp_path / "elsewhere")
        path.symlink_to(tmp_path / "elsewhere")
    assert store.machine_code("k", make) == expected
    assert len(calls) == 2


ASKED_FOR = """
import pkgutil, sys
from importlib import import_module
import pinebench
from pinebench.compiled import sources
if "first" in sys.argv:
    for each in pkgutil.walk_packages(pinebench.__path__, "pinebench."):
        if each.name.split(".")[1] in ("backtesting", "broker", "compiled", "runtime"):
            import_module(each.name)
print(sources.identity())
"""


def test_a_process_that_has_loaded_more_finds_the_same_machine_code() -> None:
    """A process that had written a report looked for other files than one that had not."""
    told = [
        subprocess.run([sys.executable, "-c", ASKED_FOR, *more], capture_output=True, text=True, check=True).stdout
        for more in ([], ["first"])
    ]
    assert told[0] == told[1]
