"""Requests, forms and routes."""

import json
import time
from contextlib import suppress
from urllib.parse import urlencode

import pytest

from pinebench.studio.web import SMALL_BODY, BadRequest, Routes, StudioRequest, json_response
from tests.tables import each

SOURCE = '//@version=6\r\nplot(close) // 😀 a&b=c; "`${x}`" \u2028 +%41\n'


def multipart(fields: dict[str, str], boundary: str = "----x1y2") -> StudioRequest:
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    body = ("".join(parts) + f"--{boundary}--\r\n").encode()
    return StudioRequest("POST", "/", headers={"content-type": f"multipart/form-data; boundary={boundary}"}, body=body)


def test_a_url_encoded_form_keeps_every_character() -> None:
    request = StudioRequest("POST", "/", body=urlencode({"source": SOURCE, "other": ""}).encode())
    assert request.form() == {"source": SOURCE, "other": ""}


def test_a_multipart_form_keeps_every_character() -> None:
    assert multipart({"source": SOURCE, "name": "x"}).form() == {"source": SOURCE, "name": "x"}


@pytest.mark.parametrize("boundary", ["", '""'])
def test_multipart_without_a_boundary_is_refused(boundary: str) -> None:
    request = StudioRequest(
        "POST", "/", headers={"content-type": f"multipart/form-data; boundary={boundary}"}, body=b"x"
    )
    with pytest.raises(BadRequest):
        request.form()


def test_a_multipart_name_may_come_first_last_or_bare() -> None:
    parts = (
        b'--b\r\nContent-Type: text/plain\r\nCONTENT-DISPOSITION: form-data; filename="a;b=c"; NAME="one"\r\n\r\n1\r\n'
        b"--b\r\nContent-Disposition: form-data; name=two\r\n\r\n2\r\n"
        b'--b\r\nContent-Disposition: form-data; other="name"\r\n\r\n3\r\n--b--\r\n'
    )
    request = StudioRequest(
        "POST", "/", headers={"content-type": "Multipart/Form-Data; charset=x; boundary=b"}, body=parts
    )
    assert request.form() == {"one": "1", "two": "2"}


HOSTILE = {
    "blanks after a semicolon": b"Content-Disposition:" + b"; " * 160_000,
    "one long line of blanks": b"Content-Disposition:;" + b" " * 320_000,
    "names without an end": b"Content-Disposition:" + b';name="' * 45_000,
    "many heads": b"Content-Disposition: x\r\n" * 13_000,
    "many parts": b"\r\n--b" * 80_000,
    "parts without a head": b"\r\n--b\r\n" * 40_000,
    "line ends": b"\r\n" * 160_000,
}


@each("shape", HOSTILE)
def test_what_a_hostile_form_costs_grows_with_its_size_alone(shape: str) -> None:
    kind = {"content-type": "multipart/form-data; boundary=b"}

    def cost(size: int) -> float:
        body = b"--b\r\n" + HOSTILE[shape][:size] + b"\r\n\r\nx\r\n--b--\r\n"
        request = StudioRequest("POST", "/", headers=kind, body=body)
        started = time.thread_time()
        for _ in range(20):
            with suppress(BadRequest):
                request.form()
        return time.thread_time() - started

    small = min(cost(40_000) for _ in range(3))
    assert cost(320_000) < 40 * small + 0.5, "eight times as much"


@pytest.mark.parametrize("kind", ["multipart/form-data" + ';a="' * 20_000, "a" * 5000])
def test_a_content_type_without_end_is_refused(kind: str) -> None:
    with pytest.raises(BadRequest):
        StudioRequest("POST", "/", headers={"content-type": kind}, body=b"x").form()


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=b"])
def test_a_form_with_too_many_fields_is_refused(kind: str) -> None:
    part = b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'
    body = part * 101 + b"--b--\r\n" if "multipart" in kind else b"a=1&" * 101
    with pytest.raises(BadRequest, match="100 fields"):
        StudioRequest("POST", "/", headers={"content-type": kind}, body=body).form()


def test_another_content_type_has_no_fields() -> None:
    assert StudioRequest("POST", "/", headers={"content-type": "application/json"}, body=b"source=1").form() == {}


@each("body", [b"", b"{", b"\xff", b"[" * 100_000, b"NaN", b"[-Infinity]", b'{"a": 1e400}', b"9" * 5000])
def test_what_is_no_json_is_refused(body: bytes) -> None:
    with pytest.raises(BadRequest):
        StudioRequest("POST", "/", body=body).json()


def make_routes() -> Routes:
    routes = Routes()
    routes.add("GET", "/one/([a-z]+)", lambda request: json_response(request.groups))
    routes.add("POST", "/one/([a-z]+)", lambda request: json_response(request.json()))
    return routes


def test_routes_hand_over_the_groups_of_the_path() -> None:
    assert json.loads(make_routes().answer(StudioRequest("GET", "/one/abc")).body) == ["abc"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/two", 404),
        ("GET", "/one/abc/more", 404),
        ("PUT", "/one/abc", 405),
        ("HEAD", "/one/abc", 200),
        ("POST", "/one/abc", 400),
    ],
)
def test_routes_answer_what_they_do_not_know(method: str, path: str, status: int) -> None:
    assert make_routes().answer(StudioRequest(method, path)).status == status


def test_visitors_are_refused_unless_a_route_is_open() -> None:
    routes = make_routes()
    routes.add("GET", "/free", lambda _: json_response("free"), open=True)
    assert routes.answer(StudioRequest("GET", "/one/abc", visitor=True)).status == 401
    assert routes.answer(StudioRequest("HEAD", "/one/abc", visitor=True)).status == 401
    assert routes.answer(StudioRequest("GET", "/free", visitor=True)).status == 200
    assert routes.answer(StudioRequest("GET", "/none", visitor=True)).status == 404


def test_a_body_may_be_as_large_as_its_route_says_and_small_where_nobody_listens() -> None:
    routes = Routes()
    routes.add("PUT", "/big", lambda _: json_response(1), largest=1_000_000)

    def status(request: StudioRequest, length: int) -> int | None:
        refused = routes.refusal(request, length)
        return refused and refused.status

    assert [status(StudioRequest("PUT", "/big"), length) for length in (1_000_000, 1_000_001)] == [None, 413]
    assert [status(StudioRequest("PUT", "/big", visitor=True), length) for length in (0, 10**9)] == [401, 401]
    for request in (
        StudioRequest("POST", "/big"),
        StudioRequest("PUT", "/none"),
        StudioRequest("PUT", "/none", visitor=True),
    ):
        assert [status(request, length) for length in (SMALL_BODY, SMALL_BODY + 1)] == [None, 413]


def test_a_lone_surrogate_does_not_break_an_answer() -> None:
    assert json_response({"text": "\ud800"}).status == 200
