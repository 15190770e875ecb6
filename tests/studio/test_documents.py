"""Documents have a shape: nothing else is kept, and what is kept otherwise is said and never lost."""

import json
from pathlib import Path
from typing import Any

import pytest

from pinebench.studio import documents
from pinebench.studio.app import Studio
from pinebench.studio.scripts import ScriptStore
from pinebench.studio.web import BadRequest, StudioRequest
from tests import hostile
from tests.tables import each

pytestmark = pytest.mark.live

LAYOUT = {"id": 1, "url": "a", "name": "Mine", "symbol": "NASDAQ:AAPL", "resolution": "1D", "modified": 1}

BAD_TEXTS = [
    *(document.decode() for name, document in hostile.DOCUMENTS.items() if name not in ("no text", "other encoding")),
    *(json.dumps(shape) for shape in hostile.SHAPES.values() if shape != []),
    '[{"id": 1, "url": "a", "name": "", "symbol": "X", "resolution": "1D", "modified": 1' + "0" * 300 + "}]",
    json.dumps(["X" * 10_001]),
    json.dumps(["X"] * 1001),
]


def put(studio: Studio, name: str, body: str) -> int:
    return studio.handle(StudioRequest("PUT", f"/studio/api/documents/{name}", body=body.encode())).status


@each("text", BAD_TEXTS)
@each("name", ["watchlist", "layouts"])
def test_another_shape_is_never_kept(name: str, text: str) -> None:
    studio = Studio()
    before = studio.store.document(name)
    assert put(studio, name, text) == 400
    assert studio.store.document(name) == before


@each("member", sorted(LAYOUT))
@each("value", [None, [], {}, True])
def test_every_member_of_a_layout_counts(member: str, value: object) -> None:
    store = ScriptStore()
    documents.write(store, "layouts", [LAYOUT])
    with pytest.raises(BadRequest, match=rf"layouts\[0\]\.{member} is "):
        documents.write(store, "layouts", [{**LAYOUT, member: value}])
    assert documents.read(store, "layouts") == [LAYOUT]


def test_layouts_from_before_they_had_numbers_get_them_and_keep_their_addresses() -> None:
    store = ScriptStore()
    old = [{**LAYOUT, "id": name} for name in ("Kq3vTn8e", "Zp7wLc2r", "a")]
    store.put_document("layouts", json.dumps([{k: v for k, v in one.items() if k != "url"} for one in old]))
    found = documents.read(store, "layouts")
    assert [one["url"] for one in found] == ["Kq3vTn8e", "Zp7wLc2r", "a"]
    assert len({one["id"] for one in found}) == 3
    assert all(type(one["id"]) is int for one in found)
    assert documents.read(store, "layouts") == found
    documents.write(store, "layouts", found)
    assert documents.read(store, "layouts") == found


def test_a_layout_may_hold_charts_with_whole_scripts() -> None:
    store = ScriptStore()
    studies = [{"source": "x" * 300_000, "inputs": [{"id": "in_0", "value": 1_793_404_800_000}]}]
    content = {"arrangement": "s", "active": 0, "charts": [{"studies": studies}]}
    documents.write(store, "layouts", [{**LAYOUT, "content": content}])
    assert documents.read(store, "layouts")[0]["content"] == content
    for bad in ({}, {**content, "charts": 1}, {**content, "active": "1"}, {**content, "charts": [10**16]}):
        with pytest.raises(BadRequest):
            documents.write(store, "layouts", [{**LAYOUT, "content": bad}])


@each("text", BAD_TEXTS)
def test_what_was_kept_by_somebody_else_is_said_and_kept_when_it_is_replaced(text: str) -> None:
    store = ScriptStore()
    store.put_document("watchlist", text)
    studio = Studio(store)
    answer = studio.handle(StudioRequest("GET", "/studio/api/documents/watchlist"))
    said: dict[str, Any] = json.loads(answer.body)
    assert answer.status == 500
    assert said["error"].startswith("the stored watchlist cannot be ")
    assert put(studio, "watchlist", '["AMEX:SPY"]') == 200
    assert documents.read(store, "watchlist") == ["AMEX:SPY"]
    assert store.document("damaged watchlist") == text
    store.put_document("watchlist", "{")
    assert put(studio, "watchlist", '["AMEX:QQQ"]') == 200
    assert [store.document(f"damaged watchlist{each}") for each in ("", " 2", " 3")] == [text, "{", None]


def test_damaged_alerts_are_refused_in_the_services_own_shape_and_not_written_over() -> None:
    store = ScriptStore()
    studio = Studio(store)
    store.put_document("alerts", '[{"alert_id": "x"}]')
    condition = {"type": "cross", "series": [{}, {}]}
    create = json.dumps({"payload": {"symbol": "A", "conditions": [condition]}}).encode()
    for request in (
        StudioRequest("GET", "/pricealerts/list_alerts"),
        StudioRequest("POST", "/pricealerts/create_alert", body=create),
        StudioRequest("POST", "/pricealerts/delete_alerts", body=b'{"payload": {"alert_ids": []}}'),
    ):
        answer = studio.handle(request)
        assert (answer.status, json.loads(answer.body)["s"]) == (500, "error")
    assert store.document("alerts") == '[{"alert_id": "x"}]'


def post(studio: Studio, name: str, body: object) -> int:
    return studio.handle(StudioRequest("POST", f"/studio/api/documents/{name}", body=json.dumps(body).encode())).status


def test_a_document_takes_only_the_place_of_the_expected_one() -> None:
    studio = Studio()
    known = documents.read(studio.store, "watchlist")
    assert post(studio, "watchlist", {"expected": known, "value": ["AMEX:SPY"]}) == 200
    assert post(studio, "watchlist", {"expected": known, "value": ["AMEX:QQQ"]}) == 409
    assert documents.read(studio.store, "watchlist") == ["AMEX:SPY"]
    for body in ([], {"value": []}, {"expected": ["AMEX:SPY"], "value": [1]}):
        assert post(studio, "watchlist", body) == 400
    studio.store.put_document("watchlist", "{")
    assert post(studio, "watchlist", {"expected": ["AMEX:SPY"], "value": []}) == 500
    assert studio.store.document("watchlist") == "{"


def test_a_change_begins_again_if_somebody_changes_the_document_meanwhile(tmp_path: Path) -> None:
    one, other = ScriptStore(tmp_path / "scripts.db"), ScriptStore(tmp_path / "scripts.db")
    seen: list[object] = []

    def with_mine(known: list[str] | None) -> list[str]:
        seen.append(known)
        if len(seen) < 3:
            documents.write(other, "watchlist", [f"THEIRS:{len(seen)}"])
        return [*(known or []), "MINE:1"]

    assert documents.change(one, "watchlist", with_mine) == ["THEIRS:2", "MINE:1"]
    assert seen == [None, ["THEIRS:1"], ["THEIRS:2"]]
    assert documents.read(other, "watchlist") == ["THEIRS:2", "MINE:1"]
    one.close()
    other.close()


DRAFT = {"name": "Mine", "script": "USER;1", "text": "plot(1)\n", "modified": 1}


def test_unsaved_texts_are_kept_by_page_until_they_are_saved() -> None:
    store = ScriptStore()
    documents.write_draft(store, "a", DRAFT)
    documents.write_draft(store, "b", {**DRAFT, "text": "plot(2)\n"})
    assert [(draft["page"], draft["text"]) for draft in documents.drafts(store)] == [
        ("b", "plot(2)\n"),
        ("a", "plot(1)\n"),
    ]
    documents.write_draft(store, "b", None)
    assert [draft["page"] for draft in documents.drafts(store)] == ["a"]


def test_the_oldest_unsaved_texts_are_dropped() -> None:
    store = ScriptStore()
    for page in range(60):
        documents.write_draft(store, f"p{page}", DRAFT)
    assert [draft["page"] for draft in documents.drafts(store)] == [f"p{page}" for page in range(59, 9, -1)]


@pytest.mark.parametrize("value", [[], "x", {**DRAFT, "text": None}, {**DRAFT, "text": "x" * 2_000_001}, {"text": ""}])
def test_what_is_no_draft_is_refused(value: object) -> None:
    store = ScriptStore()
    with pytest.raises(BadRequest):
        documents.write_draft(store, "a", value)
    store.put_draft("a", json.dumps(value))
    assert documents.drafts(store) == []


def test_charts_of_an_ended_studio_are_taken_once_the_newest_first() -> None:
    store = ScriptStore()
    desk = {"layout": "a", "arrangement": "s", "active": 0, "charts": [{"source": "x" * 50_000}]}
    for page, layout in (("one", "a"), ("two", "b"), ("three", "a")):
        documents.write_desk(store, page, "old", {**desk, "layout": layout})
    documents.write_desk(store, "four", "now", desk)
    store.put_desk("five", "damaged")
    assert documents.take_desk(store, "now", "b") == {**desk, "layout": "b", "run": "old"}
    assert documents.take_desk(store, "now", "b") is None
    documents.write_desk(store, "one", "old", {**desk, "active": 1})  # changed last
    assert [documents.take_desk(store, "now", None) for _ in range(3)] == [
        {**desk, "active": 1, "run": "old"},
        {**desk, "run": "old"},
        None,
    ]
    documents.write_desk(store, "four", "now", None)
    assert list(store.desks()) == ["five"]
    for wrong in ([], {}, {**desk, "charts": 1}, "x"):
        with pytest.raises(BadRequest):
            documents.write_desk(store, "six", "now", wrong)
    for number in range(30):
        documents.write_desk(store, f"p{number}", "old", desk)
    assert len(store.desks()) == 20 and "p29" in store.desks()
