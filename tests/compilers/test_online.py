"""TradingView's check over HTTP, against servers that answer as it does and in every broken way."""

import gzip
import json
import socket
import threading
from pathlib import Path

import pytest

from pinebench.compilers import CompilerUnavailable, Verdict, online
from pinebench.compilers.http import LARGEST_ANSWER
from pinebench.compilers.online import UNCODED, URL_VARIABLE, OnlineCompiler, fill
from pinebench.context import CancelledError, Context, DeadlineError
from pinebench.diagnostics import Severity, TextPosition
from tests.compilers.peers import Answer, Peer, RawPeer, slowly
from tests.hostile import DOCUMENTS, SHAPES

SOURCE = '//@version=6\nindicator("x")\nplot(zzz)\n'
WRAPPED = '//@version=6\nindicator("x")\nplot(close +\n     zzz)\n'


LIMIT = 120.0


def compile_at(peer: Peer, source: str = SOURCE, **options: object) -> Verdict:
    compiler = OnlineCompiler(peer.url, back_off=(0.0, 0.0, 0.0), gap=0.0, **options)  # type: ignore[arg-type]
    return compiler.compile(source, Context.within(LIMIT))


def error(line: int, column: int, last: int, message: str, **more: object) -> dict[str, object]:
    start, end = {"line": line, "column": column}, {"line": line, "column": last}
    return {"start": start, "end": end, "message": message, **more}


NEW_SHAPE = {
    "success": True,
    "result": {
        "errors": [error(3, 6, 8, 'Undeclared identifier "{identifier}"', code="CE10272", ctx={"identifier": "zzz"})],
        "variables": [],
        "functions": [],
    },
}
OLD_SHAPE = {"success": True, "result": {"errors2": [error(3, 6, 8, 'Undeclared identifier "zzz"')], "warnings2": []}}


@pytest.mark.parametrize("shape", [NEW_SHAPE, OLD_SHAPE], ids=["with codes", "without codes"])
def test_both_answer_shapes_give_the_same_verdict(shape: object) -> None:
    with Peer(Answer(shape)) as peer:
        verdict = compile_at(peer)
    assert (verdict.ok, verdict.origin) == (False, "online")
    (finding,) = verdict.diagnostics
    assert (finding.code, finding.severity) == ("CE10272", Severity.ERROR)
    assert finding.message == 'Undeclared identifier "zzz"'
    assert SOURCE[slice(*finding.span)] == "zzz"
    assert finding.tv_position is None


def test_the_request_is_one_form_field_and_nothing_that_names_the_user() -> None:
    source = SOURCE + "// «ünïcode» \U0001f600\n"
    with Peer() as peer:
        assert compile_at(peer, source).ok
    (posted,) = peer.posted
    assert posted.source == source
    assert posted.path == "/pine-facade/translate_light?user_name=admin&v=3"
    assert not {"cookie", "authorization"} & {name.lower() for name in posted.headers}


def test_warnings_alone_leave_it_ok() -> None:
    warning = error(
        3, 1, 4, 'Shadowing built-in variable "{variableName}"', code="CW10011", ctx={"variableName": "close"}
    )
    with Peer(Answer({"success": True, "result": {"warnings": [warning]}})) as peer:
        verdict = compile_at(peer)
    assert verdict.ok
    assert [finding.message for finding in verdict.warnings] == ['Shadowing built-in variable "close"']


def test_a_place_on_the_joined_line_is_found_in_the_text() -> None:
    # TradingView counts the column along the wrapped statement's joined line.
    with Peer(Answer({"success": True, "result": {"errors": [error(3, 14, 16, "x", code="CE10272")]}})) as peer:
        verdict = compile_at(peer, WRAPPED)
    (finding,) = verdict.diagnostics
    assert WRAPPED[slice(*finding.span)] == "zzz"
    assert finding.tv_position == TextPosition(3, 14)


def test_a_finding_without_a_place_stands_at_the_start() -> None:
    findings = [{"message": "Script doesn't contain any statements", "code": "CE10250"}]
    with Peer(Answer({"success": True, "result": {"errors": findings}})) as peer:
        (finding,) = compile_at(peer).diagnostics
    assert finding.span == (0, 0)


def test_a_refused_script_is_a_verdict_with_the_reason() -> None:
    with Peer(Answer({"success": False, "reason": "Supported versions are >= 5"})) as peer:
        verdict = compile_at(peer, "plot(close)\n")
    (finding,) = verdict.diagnostics
    assert (verdict.ok, finding.code, finding.message) == (False, UNCODED, "Supported versions are >= 5")
    assert finding.hint is not None


@pytest.mark.parametrize(
    ("template", "values", "text"),
    [
        ("a {x} b", {"x": 3}, "a 3 b"),
        ("{x}{y}", {"x": True, "y": 1.5}, "true1.5"),
        ("{ctx.fullName}()", {"fullName": "f"}, "f()"),
        ("{unknown}", {}, "{unknown}"),
        ("{x.__class__} {0}", {"x": 1}, "{x.__class__} {0}"),
        ("{x}", None, "{x}"),
    ],
)
def test_messages_are_filled_from_their_values_only(template: str, values: object, text: str) -> None:
    assert fill(template, values) == text


# the same source twice


def test_a_known_source_is_not_sent_again(tmp_path: Path) -> None:
    with Peer(Answer(NEW_SHAPE)) as peer:
        compiler = OnlineCompiler(peer.url, cache=tmp_path, gap=0.0)
        first, second = (compiler.compile(SOURCE, Context()) for _ in range(2))
        other = OnlineCompiler(peer.url, cache=tmp_path, gap=0.0).compile(SOURCE, Context())
        assert len(peer.posted) == 1
    assert first.diagnostics == second.diagnostics == other.diagnostics
    assert [verdict.evidence["cached"] for verdict in (first, second, other)] == [False, True, True]


def test_a_spoilt_cache_is_as_good_as_none(tmp_path: Path) -> None:
    with Peer(Answer(NEW_SHAPE)) as peer:
        OnlineCompiler(peer.url, cache=tmp_path, gap=0.0).compile(SOURCE, Context())
        for file in tmp_path.iterdir():
            file.write_text("{")
        assert not OnlineCompiler(peer.url, cache=tmp_path, gap=0.0).compile(SOURCE, Context()).ok
        assert len(peer.posted) == 2


def test_one_request_at_a_time() -> None:
    with Peer(Answer(before=slowly)) as peer:
        compiler = OnlineCompiler(peer.url, gap=0.0)
        threads = [
            threading.Thread(target=compiler.compile, args=(f"{SOURCE}// {number}\n", Context())) for number in range(6)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (len(peer.posted), peer.most_at_once) == (6, 1)


# what goes wrong


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_or_broken_service_is_tried_again(status: int) -> None:
    with Peer(Answer(status=status), Answer(status=status), Answer(NEW_SHAPE)) as peer:
        assert not compile_at(peer).ok
        assert len(peer.posted) == 3


def test_patience_ends() -> None:
    with Peer(Answer(status=429)) as peer:
        with pytest.raises(CompilerUnavailable, match="429"):
            compile_at(peer)
        assert len(peer.posted) == 4


def test_a_long_wait_is_not_waited_for() -> None:
    with Peer(Answer(status=429, headers={"Retry-After": "3600"})) as peer:
        with pytest.raises(CompilerUnavailable):
            compile_at(peer)
        assert len(peer.posted) == 1


@pytest.mark.parametrize(
    "answer",
    [
        Answer(b"<html>Log in</html>"),
        Answer(b""),
        Answer(b"[]"),
        Answer(b'{"success": true'),
        Answer({"success": True}),
        Answer({"success": True, "result": {"errors": "many"}}),
        Answer({"success": True, "result": {"errors": [{"code": "CE1"}]}}),
        Answer({"success": True, "result": {"errors": ["text"]}}),
        Answer({"success": False}),
        Answer({}, status=403),
        Answer({"result": {}}),
        Answer({"success": "yes", "result": {}}),
        Answer({"success": False, "result": {}}),
        Answer({"success": True, "result": []}),
        Answer({"success": True, "result": {"errors": {}}}),
        Answer({"success": True, "result": {"errors": [None]}}),
        Answer({"success": True, "result": {"errors": [{"message": 5}]}}),
        Answer(b"[" * 100_000),
        Answer(b'{"a":' * 100_000),
        Answer(b"\xff\xfe"),
        Answer(b"\x1f\x8b\x08\x00cut", headers={"Content-Encoding": "gzip"}),
        Answer(b" " * (LARGEST_ANSWER + 1)),
        Answer(b"x", status=404),
        Answer(b"", status=302, headers={"Location": "http://127.0.0.1:9/elsewhere"}),
        Answer({"success": True, "result": {}}, short=True),
    ],
    ids=lambda answer: f"{answer.status} {str(answer.body)[:40]}",
)
def test_an_unknown_answer_is_never_a_verdict(answer: Answer) -> None:
    with Peer(answer) as peer, pytest.raises(CompilerUnavailable) as caught:
        compile_at(peer)
    assert caught.value.hint
    assert caught.value.exit_code == 3


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Answer(b"<html>Log in</html>"), "a web page"),
        (Answer(b""), "nothing"),
        (Answer(b"", status=302, headers={"Location": "http://127.0.0.1:9/x"}), "redirection to http://127.0.0.1:9/x"),
        (Answer(b"{}", short=True), "was cut off"),
        (Answer(b" " * (LARGEST_ANSWER + 1)), "longer than 16 MB"),
    ],
    ids=["page", "nothing", "redirection", "cut", "huge"],
)
def test_what_came_instead_is_said(answer: Answer, words: str) -> None:
    with Peer(answer) as peer, pytest.raises(CompilerUnavailable, match=words):
        compile_at(peer)


def test_a_packed_answer_is_unpacked() -> None:
    body = gzip.compress(json.dumps(NEW_SHAPE).encode())
    with Peer(Answer(body, headers={"Content-Encoding": "gzip"})) as peer:
        assert not compile_at(peer).ok


@pytest.mark.parametrize(
    "place",
    [
        {"line": 1.5, "column": 1},
        {"line": "3", "column": "1"},
        {"line": 10**30, "column": 10**30},
        {"line": 3, "column": 10**18},
        {"line": -1, "column": 0},
        {"line": True},
        [],
        None,
    ],
)
def test_an_odd_place_does_not_spoil_the_finding(place: object) -> None:
    finding = {"code": "CE10272", "message": "half a character: \ud83d", "start": place, "end": place, "ctx": [1]}
    with Peer(Answer({"success": True, "result": {"errors": [finding], "warnings": None}})) as peer:
        verdict = compile_at(peer)
    assert (verdict.ok, len(verdict.errors)) == (False, 1)


def test_an_error_beside_a_result_without_findings_is_a_refusal() -> None:
    with Peer(Answer({"success": False, "reason": "no", "result": {"errors": []}})) as peer:
        verdict = compile_at(peer)
    assert (verdict.ok, verdict.diagnostics[0].message) == (False, "no")


def test_a_refusal_is_asked_about_again(tmp_path: Path) -> None:
    with Peer(Answer({"success": False, "reason": "overloaded"}), Answer(NEW_SHAPE)) as peer:
        compiler = OnlineCompiler(peer.url, cache=tmp_path, gap=0.0)
        found = [compiler.compile(SOURCE, Context()).diagnostics[0].code for _ in range(2)]
    assert found == [UNCODED, "CE10272"]


HEAD = b"HTTP/1.1 200 OK\r\n"
BROKEN = {
    "closed at once": [b""],
    "no HTTP": [b"SSH-2.0\r\n\r\n"],
    "cut in a chunk": [HEAD + b"Transfer-Encoding: chunked\r\n\r\n50\r\n{"],
    "cut between chunks": [HEAD + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"],
    "chunks without a size": [HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n"],
    "endless headers": [HEAD + b"x: y\r\n" * 200],
}


@pytest.mark.parametrize("pieces", BROKEN.values(), ids=BROKEN)
def test_a_broken_connection_is_unavailable(pieces: list[bytes]) -> None:
    with RawPeer(pieces) as peer, pytest.raises(CompilerUnavailable, match="cannot be reached at http://127"):
        OnlineCompiler(peer.url, back_off=(), gap=0.0).compile(SOURCE, Context())


@pytest.mark.parametrize("head", [HEAD, HEAD + b"\r\n", b"HTTP/1.1 404 No\r\n\r\n"], ids=["headers", "body", "error's"])
def test_a_drip_ends_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch, head: bytes) -> None:
    monkeypatch.setattr(online, "REQUEST_SECONDS", 0.5)
    with RawPeer([head], drip=b"x") as peer:
        with pytest.raises(CompilerUnavailable, match=r"within 0|too slow|within 1"):
            OnlineCompiler(peer.url, back_off=(), gap=0.0).compile(SOURCE, Context())
        monkeypatch.setattr(online, "REQUEST_SECONDS", 60.0)
        cancelled: list[bool] = []
        threading.Timer(0.2, lambda: cancelled.append(True)).start()
        with pytest.raises(CancelledError):
            OnlineCompiler(peer.url, gap=0.0).compile(SOURCE, Context(cancelled=lambda: bool(cancelled)))


def test_no_certificate_no_source() -> None:
    with Peer() as peer:
        with pytest.raises(CompilerUnavailable, match="SSL"):
            OnlineCompiler(peer.url.replace("http:", "https:"), gap=0.0).compile(SOURCE, Context())
        assert peer.posted == []


@pytest.mark.parametrize(
    "url", ["http://[::1", "http://127.0.0.1:port", "http://", "http://a b/", "http://\u00e9.invalid:1"]
)
def test_an_address_that_is_none_is_told(url: str) -> None:
    with pytest.raises(CompilerUnavailable):
        OnlineCompiler(url, back_off=(), gap=0.0).compile(SOURCE, Context())


@pytest.mark.parametrize("proxy", ["http://127.0.0.1:1", "http://[::1", "nonsense", "gopher://127.0.0.1:1"])
def test_a_proxy_that_does_not_work_is_told(monkeypatch: pytest.MonkeyPatch, proxy: str) -> None:
    monkeypatch.setenv("http_proxy", proxy)
    monkeypatch.setenv("no_proxy", "")
    with pytest.raises(CompilerUnavailable):
        OnlineCompiler("http://pine.invalid", back_off=(), gap=0.0).compile(SOURCE, Context())


def test_an_empty_script_refused_with_400_is_a_verdict() -> None:
    with Peer(Answer({"success": False, "error": "source is empty"}, status=400)) as peer:
        verdict = compile_at(peer, "")
    assert (verdict.ok, verdict.diagnostics[0].message) == (False, "source is empty")


def test_nobody_there_is_unavailable() -> None:
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        port = reserved.getsockname()[1]
        with pytest.raises(CompilerUnavailable, match=f"127.0.0.1:{port}"):
            OnlineCompiler(f"http://127.0.0.1:{port}").compile(SOURCE, Context())


def test_time_and_cancellation_are_kept() -> None:
    release = threading.Event()
    with Peer(Answer(before=lambda: release.wait(LIMIT))) as peer:
        compiler = OnlineCompiler(peer.url, gap=0.0)
        with pytest.raises(DeadlineError):
            compiler.compile(SOURCE, Context.within(0.3))
        release.set()
        with pytest.raises(CancelledError):
            compiler.compile(SOURCE, Context(cancelled=lambda: True))


def test_the_address_comes_from_the_real_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(URL_VARIABLE, "http://127.0.0.1:1/x/")
    assert OnlineCompiler().url == "http://127.0.0.1:1/x"
    monkeypatch.delenv(URL_VARIABLE)
    assert OnlineCompiler().url == "https://pine-facade.tradingview.com/pine-facade"
    monkeypatch.setenv(URL_VARIABLE, "file:///etc/passwd")
    with pytest.raises(CompilerUnavailable):
        OnlineCompiler()


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
def test_an_answer_that_no_sane_service_gives_is_no_verdict(document: bytes) -> None:
    with Peer(Answer(document)) as peer, pytest.raises(CompilerUnavailable, match="TradingView's check answered with"):
        compile_at(peer)


def test_a_kept_answer_that_is_none_is_asked_for_again(tmp_path: Path) -> None:
    documents = [*DOCUMENTS.values(), *(json.dumps(shape).encode() for shape in SHAPES.values())]
    with Peer(*[Answer(NEW_SHAPE)] * (len(documents) + 1)) as peer:
        compile_at(peer, cache=tmp_path)
        (kept,) = tmp_path.iterdir()
        for document in documents:
            kept.write_bytes(document)
            verdict = compile_at(peer, cache=tmp_path)
            assert (verdict.evidence["cached"], verdict.ok) == (False, False)
