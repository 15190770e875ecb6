"""The script service: TradingView's addresses and answers on the studio's store."""

import json
from typing import Any
from urllib.parse import urlencode

import pytest

from pinebench.studio.facade import Facade
from pinebench.studio.scripts import ScriptStore
from pinebench.studio.web import Routes, StudioRequest

CLEAN = '//@version=6\nindicator("Mine")\nplot(close)\n'


class Client:
    """Asks a facade as a page would."""

    def __init__(self) -> None:
        self.store = ScriptStore()
        self.facade = Facade(self.store)
        self.routes = Routes()
        self.facade.add_to(self.routes)

    def __call__(self, method: str, path: str, source: str | None = None, **query: str) -> tuple[int, Any]:
        body = urlencode({"source": source}).encode() if source is not None else b""
        answer = self.routes.answer(StudioRequest(method, "/pine-facade/" + path, query, {}, body))
        return answer.status, json.loads(answer.body)


@pytest.fixture
def client() -> Client:
    return Client()


def saved(client: Client, name: str = "Mine") -> dict[str, Any]:
    status, answer = client("POST", "save/new", CLEAN, name=name)
    assert status == 200
    return answer["result"]["metaInfo"]


def test_a_saved_script_is_listed_and_read_back(client: Client) -> None:
    info = saved(client)
    status, listed = client("GET", "list/", filter="saved")
    assert status == 200
    assert [(s["scriptName"], s["scriptTitle"], s["version"]) for s in listed] == [("Mine", "Mine", "1.0")]
    status, script = client("GET", f"get/{info['scriptIdPart']}/1.0")
    assert (status, script["source"]) == (200, CLEAN)


def test_saving_again_raises_the_version(client: Client) -> None:
    info = saved(client)
    status, answer = client("POST", f"save/next/{info['scriptIdPart']}", CLEAN + "// more\n")
    assert (status, answer["result"]["metaInfo"]["version"]) == (200, "2.0")
    assert client("GET", f"get/{info['scriptIdPart']}/last")[1]["source"].endswith("// more\n")
    assert client("GET", f"get/{info['scriptIdPart']}/1")[1]["source"] == CLEAN


def test_every_version_is_listed_the_newest_first(client: Client) -> None:
    info = saved(client)
    client("POST", f"save/next/{info['scriptIdPart']}", CLEAN + "// more\n")
    status, versions = client("GET", f"versions/{info['scriptIdPart']}/last")
    assert (status, [(one["version"], one["lines"]) for one in versions]) == (200, [("2.0", 5), ("1.0", 4)])
    assert client("GET", "versions/USER;none")[0] == 404


def test_a_taken_name_is_a_conflict_unless_overwriting_is_allowed(client: Client) -> None:
    info = saved(client)
    status, answer = client("POST", "save/new", "// other\n", name="mine", allow_overwrite="false")
    assert status == 409
    assert "already exists" in answer["reason"]
    status, answer = client("POST", "save/new", "// other\n", name="mine", allow_overwrite="true")
    assert (status, answer["result"]["metaInfo"]["scriptIdPart"]) == (200, info["scriptIdPart"])
    assert client.store.source(info["scriptIdPart"], 1) == CLEAN


def test_renaming_and_deleting(client: Client) -> None:
    info = saved(client)
    assert client("POST", f"rename/{info['scriptIdPart']}", name="Other")[1]["scriptName"] == "Other"
    assert client("POST", f"delete/{info['scriptIdPart']}") == (200, {"success": True})
    assert client("GET", "list/")[1] == []


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "get/USER;none/last", 404),
        ("GET", "get/USER;none/x", 400),
        ("GET", "get/USER;none/" + "9" * 400, 400),
        ("POST", "save/next/USER;none", 404),
        ("POST", "save/new", 400),
        ("POST", "rename/USER;none", 400),
        ("POST", "delete/USER;none", 404),
        ("POST", "translate_light", 400),
        ("GET", "nothing", 404),
    ],
)
def test_what_cannot_be_done_is_said(client: Client, method: str, path: str, status: int) -> None:
    assert client(method, path)[0] == status


def test_the_title_of_a_source(client: Client) -> None:
    assert client("POST", "parse_title", CLEAN)[1] == {"success": True, "result": "Mine"}


@pytest.mark.parametrize("name", ["", " ", "x" * 201, "two\nlines", "\x1b[31mred", "\u202egnp"])
def test_a_name_is_one_line_that_can_be_read(client: Client, name: str) -> None:
    assert client("POST", "save/new", CLEAN, name=name)[0] == 400
    assert client("POST", f"rename/{saved(client)['scriptIdPart']}", name=name)[0] == 400
    assert [script.name for script in client.store.scripts()] == ["Mine"]
