"""The figures for Prometheus and the state of the server: right, for the owner alone, with nothing private in them."""

from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from pinebench.mcp.web.metrics import Figures
from tests.mcp.web.support import Engine, Server

TOKEN = "t" * 43


def figures(server: Server, token: str | None = None) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = server.ask("GET", "/metrics", headers=headers)
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def test_requests_calls_and_the_engine_are_counted(tmp_path: Path) -> None:
    engine = Engine()
    with Server(tmp_path, engine=engine, figures=Figures(engine.health)) as server:
        token = server.log_in()["access_token"]
        server.call("list_indicators", token)
        server.call("get_indicators", token, symbol="sample:X", indicators=["nothing"])
        server.call("an evil name", token)
        for path in ("/a/b", '/x"\\\n{}'.replace("\n", "%0A")):
            server.ask("GET", path)
        server.ask("BREW", "/mcp")
        found = figures(server)
    assert found["pinebench_http_requests_total", path_of("GET", "other", 404)] == 2
    assert found["pinebench_http_requests_total", path_of("other", "/mcp", 405)] == 1
    assert found["pinebench_http_requests_total", path_of("POST", "/token", 200)] == 1
    assert found["pinebench_tool_calls_total", (("result", "done"), ("tool", "list_indicators"))] == 1
    assert found["pinebench_tool_calls_total", (("result", "failed"), ("tool", "get_indicators"))] == 1
    assert not any("evil" in str(key) for key in found)
    engine_figures = {name: value for (name, labels), value in found.items() if name.startswith("pinebench_engine")}
    assert engine_figures == {
        "pinebench_engine_up": 1,
        "pinebench_engine_feed_connected": 1,
        "pinebench_engine_feed_age_seconds": 0.5,
        "pinebench_engine_series": 3,
        "pinebench_engine_alerts": 4,
        "pinebench_engine_orders_open": 5,
        "pinebench_engine_trading_halted": 0,
        "pinebench_engine_outbox_waiting": 2,
        "pinebench_engine_outbox_failed": 1,
        "pinebench_engine_outbox_oldest_seconds": 7,
        "pinebench_engine_feed_connections_total": 1,
        "pinebench_engine_feed_ignored_total": 0,
        "pinebench_engine_alerts_fired_total": 6,
    }


def path_of(method: str, path: str, status: int) -> tuple[tuple[str, str], ...]:
    return (("method", method), ("path", path), ("status", str(status)))


def test_open_streams_are_counted(tmp_path: Path) -> None:
    import http.client

    engine = Engine()
    with Server(tmp_path, engine=engine, figures=Figures(engine.health)) as server:
        token = server.log_in()["access_token"]
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
        connection.request("GET", "/mcp", headers={"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        assert answer.readline() == b": connected\n"
        assert figures(server)["pinebench_streams_open", ()] == 1
        answer.close()
        connection.close()
        from tests.engine.exchange import until

        until(lambda: figures(server)["pinebench_streams_open", ()] == 0)


def test_only_the_owner_reads_the_figures(tmp_path: Path) -> None:
    with Server(tmp_path, figures=Figures(None, TOKEN)) as server:
        access = server.log_in()["access_token"]
        for headers in (
            {},
            {"Authorization": f"Bearer {access}"},
            {"Authorization": f"Basic {TOKEN}"},
            {"Authorization": "Bearer "},
            {"Authorization": f"Bearer {TOKEN}x"},
            {"Authorization": "Bearer \xe9"},
            {"X-Forwarded-For": "127.0.0.1"},
        ):
            answer = server.ask("GET", "/metrics", headers=headers)
            assert (answer.status, b"pinebench_" in answer.body) == (401, False)
        assert server.ask("GET", f"/metrics?token={TOKEN}").status == 401
        assert server.ask("GET", "/metrics", headers={"Host": "evil.example"}).status == 421
        assert ("pinebench_streams_open", ()) in figures(server, TOKEN)
        assert not server.is_let_in(TOKEN)


def test_the_state_of_the_server_tells_that_of_the_engine(tmp_path: Path) -> None:
    engine = Engine()
    with Server(tmp_path, engine=engine) as server:
        answer = server.ask("GET", "/")
        assert (answer.status, answer.told["status"]) == (200, "ok")
        assert answer.told["engine"] == {
            "running": True,
            "feed_connected": True,
            "feed_age_seconds": 0.5,
            "outbox_waiting": 2,
            "outbox_oldest_seconds": 7.0,
        }
        engine.feed["age_seconds"] = 91.0
        assert server.ask("GET", "/").told["status"] == "late"
        engine.feed |= {"age_seconds": 0.5, "connected": False}
        assert server.ask("GET", "/").told["status"] == "late"
        engine.problem = "/home/anna/state: the disk is full"
        answer = server.ask("GET", "/")
        assert (answer.status, answer.told["status"], answer.told["engine"]["running"]) == (503, "failed", False)
        assert "anna" not in answer.text


def test_without_an_engine_there_is_no_state_of_one(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        assert server.ask("GET", "/").told == {
            "name": "pinebench",
            "version": server.ask("GET", "/").told["version"],
            "protocol": "MCP",
            "protocolVersion": "2025-03-26",
            "status": "ok",
        }
