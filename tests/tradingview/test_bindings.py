"""What is kept of bindings is read as it was written, or counts as nothing, which only makes saving stricter."""

import json
import stat
from pathlib import Path

from pinebench.tradingview.bindings import Binding, Bindings
from tests.hostile import DOCUMENTS, SHAPES, mutants


def test_a_binding_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "state" / "bindings.json"
    Bindings(path).set("page", Binding("Mine", "USER;1", "2.0"))
    assert Bindings(path).get("page") == Binding("Mine", "USER;1", "2.0")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_is_no_list_of_bindings_binds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "bindings.json"
    for document in (*DOCUMENTS.values(), *(json.dumps(shape).encode() for shape in SHAPES.values())):
        path.write_bytes(document)
        assert Bindings(path).get("findings") is None


def test_a_binding_with_one_wrong_value_is_none(tmp_path: Path) -> None:
    path = tmp_path / "bindings.json"
    good = {"page": {"name": "Mine", "script_id": "USER;1", "version": "2.0", "later": 1}}
    path.write_text(json.dumps(good))
    assert Bindings(path).get("page") == Binding("Mine", "USER;1", "2.0")
    for document in mutants(good):
        path.write_bytes(document)
        found = Bindings(path).get("page")
        texts = (found.name, found.script_id or "", found.version or "") if found else ()
        assert all(isinstance(text, str) for text in texts)
