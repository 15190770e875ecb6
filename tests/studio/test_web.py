"""Requests, forms and routes."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import pytest

from pinebench.studio.web import BadRequest, Request, Routes, json_response

SOURCE = '//@version=6\r\nplot(close) // 😀 a&b=c; "`${x}`" \u2028 +%41\n'


def multipart(fields: dict[str, str], boundary: str = "----x1y2") -> Request:
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    body = ("".join(parts) + f"--{boundary}--\r\n").encode()
    return Request("POST", "/", headers={"content-type": f"multipart/form-data; boundary={boundary}"}, body=body)


def test_a_url_encoded_form_keeps_every_character() -> None:
    request = Request("POST", "/", body=urlencode({"source": SOURCE, "other": ""}).encode())
    assert request.form() == {"source": SOURCE, "other": ""}


def test_a_multipart_form_keeps_every_character() -> None:
    assert multipart({"source": SOURCE, "name": "x"}).form() == {"source": SOURCE, "name": "x"}


@pytest.mark.parametrize("boundary", ["", '""'])
def test_multipart_without_a_boundary_is_refused(boundary: str) -> None:
    request = Request("POST", "/", headers={"content-type": f"multipart/form-data; boundary={boundary}"}, body=b"x")
    with pytest.raises(BadRequest):
        request.form()


def test_another_content_type_has_no_fields() -> None:
    assert Request("POST", "/", headers={"content-type": "application/json"}, body=b"source=1").form() == {}


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[" * 100_000])
def test_what_is_no_json_is_refused(body: bytes) -> None:
    with pytest.raises(BadRequest):
        Request("POST", "/", body=body).json()


def make_routes() -> Routes:
    routes = Routes()
    routes.add("GET", "/one/([a-z]+)", lambda _request, groups: json_response(groups))
    routes.add("POST", "/one/([a-z]+)", lambda request, _groups: json_response(request.json()))
    return routes


def test_routes_hand_over_the_groups_of_the_path() -> None:
    assert json.loads(make_routes().answer(Request("GET", "/one/abc")).body) == ["abc"]


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
    assert make_routes().answer(Request(method, path)).status == status


def test_a_lone_surrogate_does_not_break_an_answer() -> None:
    assert json_response({"text": "\ud800"}).status == 200
