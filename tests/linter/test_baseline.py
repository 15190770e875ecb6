"""A baseline that others wrote is one, or is named with what is wrong in it."""

import json
from pathlib import Path

import pytest

from pinebench.errors import UsageError
from pinebench.linter import baseline
from tests.hostile import DOCUMENTS, SHAPES, mutants

GOOD = {"version": 1, "findings": [{"path": "a.pine", "code": "CE10123", "line": "plot(x)", "count": 2}]}


@pytest.mark.parametrize("document", [*DOCUMENTS.values(), *(json.dumps(shape).encode() for shape in SHAPES.values())])
def test_what_is_no_baseline_is_refused(tmp_path: Path, document: bytes) -> None:
    path = tmp_path / "baseline.json"
    path.write_bytes(document)
    with pytest.raises(UsageError) as caught:
        baseline.load(str(path))
    assert caught.value.message.startswith(f"{path} is not ")


def test_a_baseline_with_one_wrong_value_is_refused_or_accepts_nothing_more(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    path.write_text(json.dumps(GOOD))
    assert baseline.load(str(path)).accepted == {("a.pine", "CE10123", "plot(x)"): 2}
    refused = 0
    for document in mutants(GOOD):
        path.write_bytes(document)
        try:
            found = baseline.load(str(path)).accepted
        except UsageError:
            refused += 1
            continue
        assert all(isinstance(part, str) for key in found for part in key)
        assert all(isinstance(count, int) and count <= 2 for count in found.values())
    assert refused > 40


def test_a_baseline_that_somebody_wrote_meanwhile_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    fresh = baseline.Baseline(str(path))
    path.write_text(json.dumps(GOOD))
    read = baseline.load(str(path))
    theirs = json.dumps({**GOOD, "findings": []})
    path.write_text(theirs)
    for mine in (fresh, read, read.pruned(read.accepted)):
        with pytest.raises(UsageError, match="left alone"):
            mine.save()
    assert path.read_text() == theirs
    baseline.load(str(path)).save()
