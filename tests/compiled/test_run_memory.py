"""The memory of a run: machine code reads and writes only places that are its own."""

from __future__ import annotations

import pytest

from pinebench.compiled import code_writer
from tests.compiled.checked_memory import checked_places
from tests.compiled.random_arrays import array_script
from tests.compiled.random_library import library_script
from tests.compiled.random_shown import shown_script
from tests.compiled.same import compiled, request


@pytest.mark.parametrize("source", [array_script(1), library_script(0), shown_script(0)])
def test_machine_code_reads_and_writes_its_own_places(source: str) -> None:
    with checked_places() as checks:
        given = request(source)
        compiled(given).run_whole(given.bars, {})
    assert checks.looks > 1000
    assert checks.faults == []


def test_a_place_of_another_part_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_writer, "HEAD", 0)
    sums = "".join(f"var x{k} = 0.0\nx{k} += close\nplot(x{k})\n" for k in range(16))
    with checked_places() as checks:
        given = request(f'indicator("")\n{sums}')
        with pytest.raises(KeyError):  # the status is a price
            compiled(given).run_whole(given.bars, {})
    assert "run writes the head at 0" in checks.faults
