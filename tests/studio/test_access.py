"""Whose studio it is: the token of its address opens it, its cookie keeps it open, and everybody else is a visitor."""

import html
import http.client
import json
import re
from collections.abc import Iterator
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from pinebench.studio.access import OwnerAccess
from pinebench.studio.session import StudioSession
from pinebench.studio.web import Response, StudioRequest, json_response

pytestmark = pytest.mark.live
LIMIT = 120.0

OWN = [
    ("GET", "/chart/"),
    ("GET", "/chart/Kq3vTn8e/"),
    ("POST", "/studio/api/ready"),
    ("POST", "/studio/api/check"),
    ("GET", "/studio/api/documents/watchlist"),
    ("PUT", "/studio/api/documents/watchlist"),
    ("GET", "/studio/api/documents/layouts"),
    ("PUT", "/studio/api/documents/layouts"),
    ("GET", "/studio/api/drafts"),
    ("GET", "/studio/api/drafts/abc"),
    ("PUT", "/studio/api/drafts/abc"),
    ("GET", "/pine-facade/versions/USER;1/last"),
    ("GET", "/studio/api/bars?symbol=MINE:GOLD&resolution=60"),
    ("GET", "/studio/api/bars?symbol=MINE:NONE&resolution=60"),
    ("GET", "/pine-facade/list/?filter=saved"),
    ("GET", "/pine-facade/get/USER;1/last"),
    ("POST", "/pine-facade/save/new?name=x"),
    ("POST", "/pine-facade/save/new?name=x&allow_overwrite=true"),
    ("POST", "/pine-facade/save/next/USER;1"),
    ("POST", "/pine-facade/rename/USER;1?name=x"),
    ("POST", "/pine-facade/delete/USER;1"),
    ("GET", "/api/v1/symbols_list/active/"),
    ("DELETE", "/api/v1/symbols_list/custom/99/"),
    ("GET", "/api/v1/symbols_list/all/"),
    ("POST", "/api/v1/symbols_list/custom/1/replace/"),
    ("GET", "/pricealerts/list_alerts"),
    ("POST", "/pricealerts/create_alert"),
    ("POST", "/pricealerts/delete_alerts"),
    ("GET", "/api/status"),
    ("GET", "/api/state"),
    ("GET", "/api/screenshot"),
    ("GET", "/api/tools"),
    ("POST", "/api/tool"),
]
OPEN = [
    ("GET", "/symbol-search/symbol_search/v3/?text=AAPL"),
    ("GET", "/studio/api/symbols?text=a"),
    ("GET", "/studio/api/words"),
    ("GET", "/studio/api/health"),
    ("GET", "/studio/api/bars?symbol=AAPL"),
    ("GET", "/studio/assets/studio.css"),
    ("POST", "/pine-facade/translate_light?v=3"),
]


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudioSession]:
    folder = tmp_path_factory.mktemp("bars")
    (folder / "MINE_GOLD_60.csv").write_text("time,open,high,low,close\n1700000000,1,2,0.5,1.5\n")
    with StudioSession(bars=folder) as running:
        yield running


def ask(session: StudioSession, method: str, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", session.port, timeout=LIMIT)
    try:
        connection.request(method, path, b"source=x" if method != "GET" else None, headers)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


def cookie(session: StudioSession) -> str:
    """The cookie that the printed address gives."""
    headers = ask(session, "GET", session.url.partition(str(session.port))[2])[1]
    return headers["Set-Cookie"].partition(";")[0]


@pytest.mark.parametrize(("method", "path"), OWN)
def test_what_is_somebodys_own_is_refused_to_visitors(session: StudioSession, method: str, path: str) -> None:
    mine = cookie(session)
    name, _, value = mine.partition("=")
    strangers = [{}, {"Cookie": f"{name}={value[:-1]}"}, {"Cookie": f"{name}="}, {"Cookie": "; ;=;" + name}]
    for headers in strangers:
        assert ask(session, method, path, **headers)[0] == 401
    for token in ("", "x", value[:-1], "%ff"):
        assert ask(session, method, f"{path}{'&' if '?' in path else '?'}token={token}")[0] == 401
    assert ask(session, method, path, Cookie=f"other=1; {mine}")[0] != 401
    assert ask(session, method, f"{path}{'&' if '?' in path else '?'}token={session.token}")[0] != 401


def test_delete_is_refused_where_nothing_can_be_deleted(session: StudioSession) -> None:
    owner = cookie(session)
    assert ask(session, "DELETE", "/chart/", Cookie=owner)[0] == 405
    for path in ("/", "/nowhere", "/api/v1/symbols_list/custom/x/", "/api/v1/symbols_list/custom/"):
        assert ask(session, "DELETE", path, Cookie=owner)[0] in (404, 405)


@pytest.mark.parametrize(("method", "path"), OPEN)
def test_what_tradingview_shows_to_everybody_is_open(session: StudioSession, method: str, path: str) -> None:
    assert ask(session, method, path)[0] == 200


def test_nothing_is_told_to_visitors_about_what_is_kept(session: StudioSession) -> None:
    for path in ("/studio/api/symbols?text=gold", "/symbol-search/symbol_search/?text=gold", "/studio/api/health"):
        seen = ask(session, "GET", path)[2].decode()
        assert "MINE" not in seen and "scripts" not in seen
        own = ask(session, "GET", path, Cookie=cookie(session))[2].decode()
        assert "MINE" in own or "scripts" in own


def test_the_token_becomes_a_cookie_of_this_site_alone(session: StudioSession) -> None:
    address = urlsplit(session.address("Kq3vTn8e/", keeps="tradingview.com/chart", faults='{"a": "<&\'"}'))
    status, headers, body = ask(session, "GET", f"{address.path}?{address.query}")
    (morsel,) = SimpleCookie(headers["Set-Cookie"]).values()
    assert (morsel["samesite"], morsel["httponly"], morsel["path"], morsel["domain"]) == ("Strict", True, "/", "")
    assert (morsel["max-age"], morsel["expires"]) == ("", "")
    onward = re.search(rb'content="0;url=([^"]*)"', body)
    assert status == 200 and onward is not None
    address = html.unescape(onward[1].decode())
    assert address.startswith("/chart/Kq3vTn8e/?") and "keeps=tradingview.com/chart" in address
    assert session.token not in body.decode()
    assert ask(session, "GET", address, Cookie=cookie(session))[0] == 200


def test_a_visitor_at_the_page_is_told_what_to_do(session: StudioSession) -> None:
    status, headers, body = ask(session, "GET", "/chart/")
    assert (status, headers["Content-Type"]) == (401, "text/html; charset=utf-8")
    assert b"pinebench studio" in body and b'name="token"' in body and b"studio.js" not in body


def test_every_start_has_a_token_and_a_cookie_of_its_own(session: StudioSession, tmp_path: Path) -> None:
    with StudioSession(store=tmp_path / "s.sqlite3") as other:
        assert other.token != session.token
        assert cookie(other).partition("=")[0] != cookie(session).partition("=")[0]
        assert ask(other, "GET", "/pine-facade/list/", Cookie=cookie(session))[0] == 401


def test_a_visitor_is_refused_before_a_body_is_read(session: StudioSession) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", session.port, timeout=LIMIT)
    connection.putrequest("POST", "/pine-facade/save/new?name=x")
    connection.putheader("Content-Length", "15000000")
    connection.endheaders()
    assert connection.getresponse().status == 401
    connection.close()


class Shown:
    """Answers with who it takes the person for."""

    def handle(self, request: StudioRequest) -> Response:
        return json_response(request.visitor)

    def refusal(self, request: StudioRequest, length: int) -> Response | None:
        return json_response(length, 401) if request.visitor else None


@pytest.mark.parametrize(("query", "visitor"), [({}, True), ({"token": "x" * 20}, True), ({"token": "secret"}, False)])
def test_a_door_says_who_asks(query: dict[str, str], visitor: bool) -> None:
    request = StudioRequest("GET", "/x", query)
    door = OwnerAccess(Shown(), "secret")
    assert json.loads(door.handle(request).body) is visitor
    assert (door.refusal(request, 5) is not None) is visitor
