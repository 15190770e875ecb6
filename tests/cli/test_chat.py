"""`pinebench ask` and `pinebench chat` against a scripted service, in a pipe and on a terminal."""

import io
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from pinebench.agent import conversation_store
from pinebench.agent.chat_history import MessageHistory
from pinebench.authoring.author import Usage
from pinebench.cli import main
from pinebench.cli.terminal_conversation import blocks
from pinebench.files.locks import Lock, LockHeld
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.tool_calls import call
from tests.agent.support import calls
from tests.authoring.fake_anthropic import FakeAnthropic, Reply, busy, text
from tests.authoring.support import CLEAN, isolate, service
from tests.cli.support import pinebench, surroundings

NOWHERE = ("--cdp-port", "9")
ANSWER = "# Trend\n\nIt is **up**.\n\n```pine\nplot(close)\n\nplot(open)\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch, tmp_path)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_ask_answers_plainly_in_a_pipe_and_shows_tools_beside(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = calls(("template_list", {}), ("chart_get_state", {}), ("pine_write", {"request": "x"}), said="I look.")
    typed(monkeypatch)
    with service(monkeypatch, wanted, text(ANSWER)) as fake:
        assert main(["ask", "What is it?", *NOWHERE]) == 0
    shown = capsys.readouterr()
    assert shown.out == "I look.\n" + ANSWER
    assert "> template_list" in shown.err and "+ template_list" in shown.err
    assert "! chart_get_state: CDP connection failed" in shown.err
    # Nobody is there to allow what costs money, and nobody is said to have refused it.
    assert "! pine_write: this call needs the consent of the user, and nobody was there to give it" in shown.err
    assert "--allow pine_write" in json.dumps(fake.requests[1].body) and "did not allow" not in shown.err
    assert len(fake.requests) == 2


def test_ask_performs_what_was_allowed_beforehand_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "a.pine").write_text("// old\n")
    browser = ChartBrowser(port=9, folders=(str(tmp_path),))
    version = call(browser, "script_read", {"path": "a.pine"})["version"]
    save = ("script_save", {"path": "a.pine", "source": CLEAN, "replaces": version})
    wanted = calls(save, ("pine_write", {"request": "x"}))
    typed(monkeypatch)
    options = ["--folder", str(tmp_path), *NOWHERE]
    for allowed, held in (([], "// old\n"), (["--allow", "script_save"], CLEAN)):
        with service(monkeypatch, wanted, text(ANSWER)):
            assert main(["ask", "Save it.", *allowed, *options]) == 0
        assert (tmp_path / "a.pine").read_text() == held
        assert "! pine_write: this call needs the consent" in capsys.readouterr().err
    for wrong, words in (
        (["--allow", "script_sav"], "there is no tool 'script_sav'"),
        (["--read-only", "--allow", "script_save"], "--read-only leaves script_save out"),
    ):
        assert main(["ask", "Save it.", *wrong, *options]) == 2
        assert words in capsys.readouterr().err


def test_a_key_and_a_model_of_the_folder_are_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A clone may bring them: then somebody else's account gets the conversation, or a costly model answers."""
    monkeypatch.chdir(tmp_path)
    typed(monkeypatch)
    with service(monkeypatch, text("It is up.")):
        monkeypatch.delenv("ANTHROPIC_API_KEY")
        (tmp_path / ".env").write_text("ANTHROPIC_API_KEY=sk-ant-of-the-clone\nPINEBENCH_MODEL=claude-opus-4-1\n")
        assert main(["ask", "What is it?", *NOWHERE]) == 0
    shown = capsys.readouterr().err
    for what in ("key", "model"):
        assert f"the {what} comes from {tmp_path / '.env'}" in shown
    assert "sk-ant-of" not in shown


def test_ask_as_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    wanted = calls(("template_list", {}), ("no_such_tool", {}), said="I look.")
    typed(monkeypatch)
    with service(monkeypatch, wanted, text("It is up.")):
        assert main(["ask", "What is it?", "--format", "json", *NOWHERE]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["success"] and told["answer"] == "It is up." and told["stop_reason"] == "end_turn"
    assert [tool["success"] for tool in told["tools"]] == [True, False]
    assert told["usage"]["output_tokens"] == 400 and told["model"].startswith("claude-")


@pytest.mark.parametrize(
    ("steps", "code", "words"),
    [
        ((text("Half", stop_reason="max_tokens"),), 1, "was cut at"),
        ((text("No.", stop_reason="refusal"),), 1, "declined"),
        ((busy(401),), 3, "refused the key"),
    ],
)
@pytest.mark.parametrize("form", ["text", "json"])
def test_what_goes_wrong_has_its_exit_code(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    steps: tuple[Reply, ...],
    code: int,
    words: str,
    form: str,
) -> None:
    typed(monkeypatch)
    with service(monkeypatch, *steps):
        assert main(["ask", "What?", "--format", form, *NOWHERE]) == code
    shown = capsys.readouterr()
    if form == "json":
        told = json.loads(shown.out)
        assert told["success"] is False and words in told["error"]
    else:
        assert words in shown.err


def test_chat_in_a_pipe_takes_lines_and_commands_and_is_resumed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    typed(monkeypatch, "/help", "Two.", "", "/cost", "/models", "/nonsense", "/state", "/quit", "Never said.")
    with service(monkeypatch, text("One it is."), calls(("template_list", {})), text("Two it is.")) as fake:
        assert main(["chat", "One.", *NOWHERE]) == 0
        shown = capsys.readouterr()
        assert shown.out.startswith("One it is.\n  /help ")
        assert (
            "Two it is.\nabout $0.0180 for this conversation; 3,600 tokens" in shown.out
            and "* claude-sonnet-5-5" in shown.out
        )
        assert "there is no command /nonsense" in shown.err and "CDP connection failed" in shown.err
        assert len(fake.requests) == 3
    [kept] = (tmp_path / ".state" / "conversations").glob("*")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    typed(monkeypatch, "/models claude-opus-5-5", "Three.")
    with service(monkeypatch, text("Three it is.")) as fake:
        assert main(["chat", "--resume", *NOWHERE]) == 0
    said = json.dumps(fake.requests[0].body["messages"])
    assert all(words in said for words in ("One.", "One it is.", "Two it is.", "tool_result", "Three."))
    assert fake.requests[0].body["model"] == "claude-opus-5-5"
    # The model that answered last goes on, and what is forgotten is gone.
    typed(monkeypatch, "/clear", "Four.")
    with service(monkeypatch, text("Four it is.")) as fake:
        assert main(["chat", "--resume", *NOWHERE]) == 0
    assert fake.requests[0].body["model"] == "claude-opus-5-5"
    assert "One." not in json.dumps(fake.requests[0].body["messages"])
    assert "One." not in kept.read_text()


def test_chat_in_a_pipe_ends_with_the_code_of_its_error_and_keeps_what_was_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "One.", "Two.")
    with service(monkeypatch, busy(401)):
        assert main(["chat", *NOWHERE]) == 3
    assert "refused the key" in capsys.readouterr().err
    typed(monkeypatch, "Again.")
    with service(monkeypatch, text("Now.")) as fake:
        assert main(["chat", "--resume", *NOWHERE]) == 0
    assert "One." in json.dumps(fake.requests[0].body["messages"])


def test_read_only_and_images_off_are_obeyed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "pinebench.toml").write_text('[agent]\nimages = "off"\n')
    source = '//@version=6\nindicator("A")\nplot(close)\n'
    wanted = calls(
        ("script_save", {"path": "a.pine", "source": source}), ("pine_run", {"source": source, "image": True})
    )
    typed(monkeypatch)
    with service(monkeypatch, wanted, text("So.")) as fake:
        assert main(["ask", "Go.", "--read-only", "--folder", ".", *NOWHERE]) == 0
    assert not (tmp_path / "a.pine").exists()
    assert "'script_save' is not available" in capsys.readouterr().err
    assert "script_save" not in {tool["name"] for tool in fake.requests[0].body["tools"]}
    assert '"image"' not in json.dumps(fake.requests[1].body["messages"][-1])


def test_a_conversation_is_open_in_one_process_only(tmp_path: Path) -> None:
    history = MessageHistory()
    history.say("One.")
    with conversation_store.begin("here") as kept:
        kept.save(history, "m", Usage(dollars=0.5))
        with pytest.raises(LockHeld, match=f"open in process {os.getpid()}"):
            conversation_store.newest("here")
    with conversation_store.newest("here") as again:
        assert again.content is not None
        assert (again.content.model, again.content.spent.dollars) == ("m", 0.5)
        assert again.content.history.messages == history.messages
    # What cannot be read is passed over, and the oldest ones are removed.
    (tmp_path / ".state" / "conversations" / "9.json").write_text("{")
    conversation_store.newest("here").close()
    for _ in range(conversation_store.MOST_KEPT + 5):
        with conversation_store.begin("there") as kept:
            kept.save(history, "m", Usage())
    assert len(list((tmp_path / ".state" / "conversations").glob("*.json"))) <= conversation_store.MOST_KEPT
    with pytest.raises(Exception, match="there is no conversation about here"):
        conversation_store.newest("here")


def test_a_damaged_newest_conversation_is_named_when_an_older_one_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    typed(monkeypatch)
    with service(monkeypatch, text("One it is.")):
        assert main(["chat", "One.", *NOWHERE]) == 0
    home = tmp_path / ".state" / "conversations"
    [kept] = home.glob("*.json")
    (home / "90.json").write_text("{")
    (home / "91.json").write_text(kept.read_text().replace('"version": 1', '"version": 9'))
    capsys.readouterr()
    typed(monkeypatch)
    with service(monkeypatch):
        assert main(["chat", "--resume", *NOWHERE]) == 0
    shown, damaged = capsys.readouterr().err, "90.json is not a conversation: the document is not JSON"
    assert damaged in shown and "91.json is not a conversation: version is 9, not 1" in shown
    assert shown.count("skipped") == 2
    kept.unlink()
    assert main(["chat", "--resume", *NOWHERE]) == 2
    assert damaged in capsys.readouterr().err


def test_what_another_process_added_before_it_ended_is_in_the_resumed_conversation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    history = MessageHistory()
    history.say("One.")
    with conversation_store.begin("here") as kept:
        kept.save(history, "m", Usage())
        locked = conversation_store._locked

        def ends_now(path: str) -> Lock:
            history.say("Two.")
            kept.save(history, "m", Usage())
            kept.close()
            return locked(path)

        monkeypatch.setattr(conversation_store, "_locked", ends_now)
        with conversation_store.newest("here") as again:
            assert again.content is not None and again.content.history.messages == history.messages


def test_markdown_is_shown_block_by_block_and_no_fence_is_parted() -> None:
    whole = ANSWER + "\nThe end"
    shown, rest = "", ""
    parts: list[str] = []
    for character in whole:
        complete, rest = blocks(rest + character)
        shown += complete
        parts += [complete] if complete else []
    assert shown + rest == whole and len(parts) > 3
    assert all(part.count("```") % 2 == 0 for part in parts)
    assert blocks("```\n\n") == ("", "```\n\n")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_a_conversation_that_cannot_be_written_is_told_costs_nothing_and_goes_on_later(tmp_path: Path) -> None:
    import resource

    with FakeAnthropic([text("One it is."), text("Three it is.")]) as fake:
        ours = {"ANTHROPIC_BASE_URL": fake.url, "ANTHROPIC_API_KEY": "key", "NO_PROXY": "127.0.0.1"}
        resumed = ("chat", "--resume", *NOWHERE)
        assert pinebench("chat", *NOWHERE, folder=tmp_path, stdin=b"One.\n", environment=ours).code == 0
        [kept] = (tmp_path / ".state" / "conversations").glob("*.json")
        before = kept.read_bytes()
        ended = subprocess.run(
            [sys.executable, "-m", "pinebench", *resumed],
            cwd=tmp_path,
            env=surroundings(tmp_path, PYTHONDONTWRITEBYTECODE="1", **ours),
            input="Two.\n",
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
        )
        assert (ended.returncode, ended.stdout) == (2, "") and "cannot be written: file too large" in ended.stderr
        assert kept.read_bytes() == before and len(fake.requests) == 1
        assert pinebench(*resumed, folder=tmp_path, stdin=b"Three.\n", environment=ours).out == "Three it is.\n"
    assert b"One it is." in kept.read_bytes() and b"Three it is." in kept.read_bytes()


def on_terminal(folder: Path, environment: dict[str, str], *arguments: str, typed: dict[str, str]) -> tuple[int, str]:
    """Run pinebench on a terminal, and type each text of `typed` once the words before it are shown."""
    import pty
    import select

    master, slave = pty.openpty()
    settings = surroundings(folder, TERM="xterm", NO_COLOR="", **environment)
    command = [sys.executable, "-m", "pinebench", *arguments]
    process = subprocess.Popen(command, cwd=folder, stdin=slave, stdout=slave, stderr=slave, env=settings)
    os.close(slave)
    shown, left = "", dict(typed)
    try:
        while select.select([master], [], [], 120)[0]:
            try:
                piece = os.read(master, 65536)
            except OSError:  # how Linux says that the other side is closed
                break
            if not piece:
                break
            shown += piece.decode("utf-8", "replace")
            for words in [words for words in left if words in shown]:
                os.write(master, left.pop(words).encode())
        return process.wait(120), shown.replace("\r\n", "\n")
    finally:
        process.kill()
        process.wait()
        os.close(master)


def test_on_a_terminal_markdown_is_coloured_and_a_person_is_asked(tmp_path: Path) -> None:
    with FakeAnthropic([calls(("pine_write", {"request": "x"})), text(ANSWER)]) as fake:
        ours = {"ANTHROPIC_BASE_URL": fake.url, "ANTHROPIC_API_KEY": "key", "NO_PROXY": "127.0.0.1"}
        code, shown = on_terminal(tmp_path, ours, "ask", "What is it?", *NOWHERE, typed={"[y/N]": "n\n"})
    assert code == 0, shown
    assert "Claude wants to call pine_write" in shown and "It costs money. Allow it? [y/N]" in shown
    assert "the user did not allow this call" in shown
    assert "**" not in shown and "\x1b[1mup\x1b[0m" in shown
    assert len(fake.requests) == 2
