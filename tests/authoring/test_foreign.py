"""What a service sends reaches nobody with a key in it, or with an order to a screen."""

import json
import logging
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinebench.authoring import session
from pinebench.authoring.author import AuthorBudget, AuthorUnavailable
from pinebench.authoring.claude import Claude
from pinebench.authoring.events import ExchangedEvent, encode
from pinebench.authoring.foreign import MASK, Foreign
from pinebench.compilers.local import LocalCompiler
from pinebench.context import Context
from tests.authoring.fake_anthropic import Reply, busy, edits, script, text
from tests.authoring.support import CLEAN, MISSPELLED, NO_WAIT, REQUEST, UNDECLARED, isolate, service
from tests.tables import each

KEY = "sk-ant-api03-Qv7_x1Zt-0kR9wLmN4pB8sD2fG6hJ3"
SPLIT = f"{KEY[:20]}\x1b[31m\r\n{KEY[20:]}"
HOSTILE = f"no \x1b]0;owned\x07 x-api-key: {KEY} \u202e and {KEY.upper()} and {KEY[:30]}... \x00"


@each(
    ("said", "shown"),
    [
        (f"bad key {KEY}!", f"bad key {MASK}!"),
        (f"{KEY}{KEY}", MASK + MASK),
        (KEY.upper(), MASK),
        (f"cut {KEY[:24]}...", f"cut {MASK}..."),
        (f"end {KEY[-20:]}", f"end {MASK}"),
        (f"a {KEY[:10]}\n{KEY[10:]} b", f"a {MASK} b"),
        (f"a {KEY[:10]}\u200b\x1b{KEY[10:]} b", f"a {MASK} b"),
        ("sk-ant-other", "sk-ant-other"),
        ("a\x1b[2Jb\x07\x9b1mc\u202ed\u2028e\tf\ng", "a[2Jb1mcd e f g"),
    ],
)
def test_a_line_holds_no_key_and_no_order(said: str, shown: str) -> None:
    assert Foreign(KEY).line(said) == shown


def test_a_script_keeps_its_lines_and_what_the_user_wrote() -> None:
    foreign = Foreign(KEY)
    code = f'x = "{KEY}"\n\ty = "\u05e9 \U0001f468\u200d\U0001f469"\r\x1b\n'
    assert foreign.script(code) == f'x = "{MASK}"\n\ty = "\u05e9 \U0001f468\u200d\U0001f469"\n'
    assert foreign.script("a\u202eb\x0bc") == "abc"
    assert foreign.script("a\u202eb\x0bc", known="\x0b") == "ab\x0bc"


def test_tokens_and_passwords_of_the_environment_are_secrets_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    isolate(monkeypatch, tmp_path)
    with service(monkeypatch, busy(400, says="token-of-the-test and proxy-password")) as fake:
        monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "token-of-the-test")
        monkeypatch.setenv("HTTPS_PROXY", "http://me:proxy-password@127.0.0.1:9")
        author = Claude(back_off=NO_WAIT)
        with pytest.raises(AuthorUnavailable) as refused:
            list(session.write(REQUEST, author, LocalCompiler(), AuthorBudget(), Context(), template="none"))
        assert len(fake.requests) == 1
    assert refused.value.message.endswith(f"{MASK} and {MASK}")


@pytest.mark.parametrize("key", ["", "k", "key"])
def test_what_is_too_short_to_be_a_key_masks_nothing(key: str) -> None:
    assert Foreign(key).line("the key of the monkey") == "the key of the monkey"


@given(st.text(), st.text(min_size=8), st.text())
def test_whatever_stands_around_it_the_key_goes(before: str, key: str, after: str) -> None:
    if len("".join(key.split())) >= 16:
        assert key not in Foreign(key).script(before + key + after)


def told_by(capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture, folder: Path) -> str:
    """Everything that a run has said or left behind."""
    files = "".join(path.read_text() for path in folder.rglob("*") if path.is_file())
    said = capfd.readouterr()
    return files + said.out + said.err + caplog.text


@pytest.mark.parametrize(
    "answer",
    [
        busy(401, says=HOSTILE),
        busy(400, says=HOSTILE),
        busy(529, says=HOSTILE),
        Reply(stream_error="authentication_error", says=HOSTILE),
        Reply(stream_error="overloaded_error", says=HOSTILE),
        Reply(pieces=lambda: [f"event: error\ndata: {HOSTILE}\n\n".encode()]),
        Reply(status=429, error="rate_limit_error", headers={"retry-after": "3600", "x-echo": KEY}, says=SPLIT),
        text(f"{HOSTILE}\n```pine\n{UNDECLARED}// {HOSTILE}\n```"),
        text(f"{HOSTILE}"),
        Reply(({"type": "tool_use", "id": KEY, "name": HOSTILE, "input": {"x": HOSTILE}},), stop_reason="tool_use"),
        edits(("ta.smaa(close", f"{HOSTILE}\n")),
        edits((HOSTILE, "x")),
        script(CLEAN, stop_reason=HOSTILE),
    ],
)
def test_a_service_that_echoes_the_key_gets_it_nowhere(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    answer: Reply,
) -> None:
    isolate(monkeypatch, tmp_path)
    caplog.set_level(logging.DEBUG)
    said: list[str] = []
    context = Context(progress=lambda words, _: said.append(words))
    for first in ((), (script(MISSPELLED),)):
        with service(monkeypatch, *first, *[answer] * 6):
            monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
            events = session.write(
                REQUEST,
                Claude(back_off=NO_WAIT),
                LocalCompiler(),
                AuthorBudget(rounds=3),
                context,
                template="none",
                output="a.pine",
            )
            try:
                # As plain data still unescaped: what a face would print.
                said += [str(value) for event in events for value in encode(event).values()]
            except AuthorUnavailable as error:
                said += [error.message, str(error), repr(error), error.hint or ""]
                assert error.__cause__ is None
        (tmp_path / "a.pine").unlink(missing_ok=True)
    everything = "".join(said) + told_by(capfd, caplog, tmp_path)
    assert KEY not in everything
    assert KEY.upper() not in everything
    assert KEY[:20] not in everything
    assert not {"\x1b", "\x07", "\x00", "\u202e"} & set(everything)


def test_what_is_sent_back_holds_no_key_and_no_order_and_still_fits_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    isolate(monkeypatch, tmp_path)
    tool = {"type": "tool_use", "id": f"\x1b{KEY}", "name": "replace_text", "input": {"old_text": HOSTILE, KEY: KEY}}
    hostile = Reply(({"type": "text", "text": "\x00"}, {"type": "text", "text": HOSTILE}, tool), stop_reason="tool_use")
    with service(monkeypatch, script(MISSPELLED), hostile, script(CLEAN)) as fake:
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        author = Claude(back_off=NO_WAIT)
        events = list(session.write(REQUEST, author, LocalCompiler(), AuthorBudget(), Context(), template="none"))
        sent, results = fake.requests[2].body["messages"][1:]
    [exchanged] = [event for event in events if isinstance(event, ExchangedEvent)]
    assert exchanged.dialogue.messages[1:] == [sent, results]
    said = json.dumps([sent, results], ensure_ascii=False)
    assert KEY not in said
    assert KEY.upper() not in said
    assert not any(order in said for order in ("\\u001b", "\\u0007", "\\u0000", "\u202e"))
    assert all(block["type"] != "text" or block["text"].strip() for block in sent["content"])
    assert sent["content"][-1]["id"] == results["content"][0]["tool_use_id"]
