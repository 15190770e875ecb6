"""More users than the owner: each logs in with a name and a passphrase, and is out when the file no longer has it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pinebench.errors import UsageError
from pinebench.mcp.web import owner, passphrases
from pinebench.mcp.web.grant_store import Family, Store
from tests.mcp.web.support import PASSPHRASE, Server, pkce

ANNA, BEN = "anna's own words", "ben's own words"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("users"), users={"anna": ANNA, "ben": BEN}) as found:
        yield found


@pytest.mark.parametrize(
    ("user", "passphrase", "status"),
    [
        ("anna", ANNA, 302),
        (" Anna ", ANNA, 302),
        ("", PASSPHRASE, 302),
        ("owner", PASSPHRASE, 302),
        ("anna", BEN, 403),
        ("anna", PASSPHRASE, 403),
        ("", ANNA, 403),
        ("owner", ANNA, 403),
        ("carl", PASSPHRASE, 403),
    ],
)
def test_a_passphrase_counts_for_its_user_only(server: Server, user: str, passphrase: str, status: int) -> None:
    page = server.begin(server.client(), pkce().challenge)
    assert 'name="user"' in page.text
    answer = server.approve(page, passphrase, user=user)
    assert answer.status == status
    assert status == 302 or "The name or the passphrase is wrong." in answer.text


def test_a_server_of_one_user_asks_for_no_name(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        assert 'name="user"' not in server.begin(server.client(), pkce().challenge).text


def family_of(store: Store, subject: str) -> str:
    store.add_code(f"code of {subject}", Family(f"family of {subject}", "c", subject, "here"), "{}", 300)
    store.add_tokens(f"family of {subject}", [("access", f"token of {subject}", "charts", 300)])
    return f"token of {subject}"


def test_a_user_who_is_gone_or_changed_is_logged_out_and_others_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed = passphrases.hashed
    monkeypatch.setattr(passphrases, "hashed", lambda text: hashed(text, 4))
    store = Store(str(tmp_path))
    owner.users_kept(store, {"anna": ANNA, "ben": BEN, "carl": "carl's words"})
    tokens = [family_of(store, name) for name in ("anna", "ben", "carl", "owner")]
    now = owner.users_kept(store, {"anna": ANNA, "ben": "other words"})
    assert set(now) == {"anna", "ben"}
    assert [store.token(each, "access") is not None for each in tokens] == [True, False, False, True]
    assert ANNA not in str(store.setting("users"))
    store.close()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "has 0 users"),
        ("anna", "characters"),
        ("anna short", "characters"),
        ("owner some long words", "the name cannot be used"),
        ("anna some long words\nanna other long words", "line 2"),
        ("an/na some long words", "the name cannot be used"),
        ("\N{LATIN SMALL LETTER A WITH ACUTE}nna some long words", "the name cannot be used"),
    ],
)
def test_a_wrong_line_is_told_without_its_passphrase(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "users"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as failed:
        owner.users_given(str(file))
    told = f"{failed.value.message} {failed.value.hint}"
    assert words in told and "long words" not in told


def test_comments_and_empty_lines_are_no_users(tmp_path: Path) -> None:
    file = tmp_path / "users"
    file.write_text(f"# who may log in\n\nanna {ANNA}\n", encoding="utf-8")
    assert owner.users_given(str(file)) == {"anna": ANNA}


# the page


def test_the_page_runs_its_own_scripts_only_and_in_no_frame(server: Server) -> None:
    page = server.ask("GET", "/app")
    policy = page.headers["content-security-policy"]
    assert page.status == 200
    assert "script-src 'self';" in policy and "frame-ancestors 'none'" in policy and "connect-src 'self';" in policy
    assert page.headers["x-frame-options"] == "DENY"
    assert page.headers["cache-control"] == "no-store"
    assert "<script>" not in page.text and 'content="oauth"' in page.text
    assert server.ask("GET", "/app/app.js").headers["content-security-policy"] == policy


@pytest.mark.parametrize("path", ["/app/studio.js", "/app/..%2findex.html", "/app/%2e%2e/serve.sqlite3"])
def test_the_page_has_no_other_files(server: Server, path: str) -> None:
    assert server.ask("GET", path).status == 404


def test_the_kill_switch_is_listed_to_those_who_may_trade(server: Server) -> None:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    names = [
        [each["name"] for each in server.say(asked, token).told["result"]["tools"]]
        for token in (None, server.log_in(scope="charts")["access_token"], server.log_in()["access_token"])
    ]
    assert ["halt_trading" in each for each in names] == [False, False, True]
    assert len(names[0]) == 15
