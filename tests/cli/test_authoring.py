"""compile, fix, write and template as a user runs them."""

import json
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.authoring.fake_anthropic import FakeAnthropic, Reply, edits, script, text
from tests.cli.support import CLEAN, UNCLOSED, Outcome, in_terminal, pinebench, surroundings
from tests.compilers.peers import Answer, Peer

MISSPELLED = CLEAN.replace("close", "clsoe")
UNKNOWN = CLEAN.replace("close", "qwertyuiop")
"""A script with an error that no fix is sure to mend, so that somebody must be asked."""


def write(folder: Path, fake: FakeAnthropic, *arguments: str) -> Outcome:
    return pinebench("write", *arguments, folder=folder, environment=speaking_to(fake))


def speaking_to(fake: FakeAnthropic) -> dict[str, str]:
    return {"ANTHROPIC_BASE_URL": fake.url, "ANTHROPIC_API_KEY": "key", "NO_PROXY": "127.0.0.1"}


# compile


def test_compile_says_who_compiled(tmp_path: Path) -> None:
    (tmp_path / "a.pine").write_text(CLEAN)
    outcome = pinebench("compile", "a.pine", folder=tmp_path)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith("a.pine: passes pinebench's check (origin: local")


def test_compile_says_which_libraries_it_did_not_read(tmp_path: Path) -> None:
    (tmp_path / "a.pine").write_text('//@version=6\nindicator("x")\nimport me/Foo/1 as f\nplot(f.g(close))\n')
    outcome = pinebench("compile", "a.pine", folder=tmp_path)
    assert outcome.code == 0 and "uses of me/Foo/1 were not checked" in outcome.err
    assert json.loads(pinebench("compile", "a.pine", "--json", folder=tmp_path).out)["not_checked"] == ["me/Foo/1"]


def test_lint_says_which_libraries_it_did_not_read(tmp_path: Path) -> None:
    for name in "ab":
        source = f'//@version=6\nindicator("{name}")\nimport me/Foo/1 as f\nplot(f.g(close))\n'
        (tmp_path / f"{name}.pine").write_text(source)
    words = "uses of me/Foo/1 were not checked, because no folder of library-paths has the source as readable Pine v6"
    for _ in range(2):  # the second time from the cache
        outcome = pinebench("lint", folder=tmp_path)
        assert outcome == (0, f"2 scripts checked: nothing to report; {words}\n", "")
        assert json.loads(pinebench("lint", "--json", folder=tmp_path).out)["not_checked"] == ["me/Foo/1"]
    (tmp_path / "pinebench.toml").write_text('[check]\nlibrary-paths = ["libs"]\n')
    (tmp_path / "libs").mkdir()
    (tmp_path / "libs" / "Foo.pine").write_text('//@version=6\nlibrary("Foo")\nexport g(float x) =>\n    x\n')
    assert "not checked" not in pinebench("lint", "a.pine", folder=tmp_path).out


def test_compile_reports_as_lint_does(tmp_path: Path) -> None:
    outcome = pinebench("compile", "-", "--format", "json", folder=tmp_path, stdin=UNCLOSED.encode())
    report = json.loads(outcome.out)
    assert outcome.code == 1
    assert (report["ok"], report["origin"], report["version"], report["files"]) == (False, "local", 1, ["<stdin>"])
    assert report["summary"]["errors"] == len(report["diagnostics"]) == 1
    assert isinstance(report["elapsed"], float)


def test_compile_online_asks_the_service_and_nobody_else(tmp_path: Path) -> None:
    (tmp_path / "a.pine").write_text(MISSPELLED)
    found = {"code": "CE10272", "message": 'Undeclared identifier "{identifier}"', "ctx": {"identifier": "clsoe"}}
    found |= {"start": {"line": 3, "column": 6}, "end": {"line": 3, "column": 10}}
    with Peer(Answer({"success": True, "result": {"errors": [found]}})) as peer:
        environment = {"PINEBENCH_ONLINE_URL": peer.url, "NO_PROXY": "127.0.0.1"}
        outcome = pinebench("compile", "a.pine", "--with", "online", folder=tmp_path, environment=environment)
        assert [posted.source for posted in peer.posted] == [MISSPELLED]
    assert outcome.code == 1
    assert 'a.pine:3:6: error CE10272: Undeclared identifier "clsoe"' in outcome.out
    assert "origin: online" in outcome.out


def test_compile_online_without_a_network_is_not_a_verdict(tmp_path: Path) -> None:
    (tmp_path / "a.pine").write_text(CLEAN)
    environment = {"PINEBENCH_ONLINE_URL": "http://127.0.0.1:9", "NO_PROXY": "127.0.0.1"}
    outcome = pinebench("compile", "a.pine", "--with", "online", folder=tmp_path, environment=environment)
    assert (outcome.code, outcome.out) == (3, "")
    assert "cannot be reached" in outcome.err
    assert "--with local" in outcome.err


# fix


def test_fix_repairs_in_place_and_tells_how(tmp_path: Path) -> None:
    (tmp_path / "a.pine").write_text(MISSPELLED)
    outcome = pinebench("fix", "a.pine", folder=tmp_path)
    assert (outcome.code, outcome.out) == (0, "")
    assert (tmp_path / "a.pine").read_text() == CLEAN
    assert "round 1: changed\n  - write 'close'\n  local: passes pinebench's check (it was not compiled)" in outcome.err


def test_fix_diff_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.pine").write_text(MISSPELLED)
    outcome = pinebench("fix", "a.pine", "--diff", folder=tmp_path)
    assert outcome.code == 0
    assert "-plot(clsoe)\n+plot(close)\n" in outcome.out
    assert (tmp_path / "a.pine").read_text() == MISSPELLED


def test_fix_says_what_it_could_not_mend(tmp_path: Path) -> None:
    (tmp_path / "a.pine").write_text(CLEAN + "plot(qqqqqqqqqq)\n")
    outcome = pinebench("fix", "a.pine", folder=tmp_path)
    assert outcome.code == 1
    assert "no safe mechanical fix helps any further" in outcome.err
    assert pinebench("fix", "missing.pine", folder=tmp_path).code == 2


def test_fix_with_claude_sends_the_script_and_takes_the_edits(tmp_path: Path) -> None:
    (tmp_path / "a.pine").write_bytes(UNKNOWN.replace("\n", "\r\n").encode())
    with FakeAnthropic([edits(("plot(qwertyuiop)", "plot(close)"))]) as fake:
        outcome = pinebench("fix", "a.pine", "--author", "claude", folder=tmp_path, environment=speaking_to(fake))
        assert "plot(qwertyuiop)" in fake.requests[0].text
    assert outcome.code == 0, outcome.err
    assert (tmp_path / "a.pine").read_bytes() == CLEAN.replace("\n", "\r\n").encode()


def test_a_repair_by_claude_is_shown_asked_about_what_it_drops_and_keeps_the_original(tmp_path: Path) -> None:
    given = CLEAN + 'plot(qwertyuiop, "Mine")\nalertcondition(close > open, "up")\n'
    (tmp_path / "a.pine").write_text(given)
    whole = given.replace("qwertyuiop", "close")
    with FakeAnthropic([script(CLEAN), script(whole)]) as fake:
        outcome = pinebench("fix", "a.pine", "--author", "claude", folder=tmp_path, environment=speaking_to(fake))
        assert "has 1 calls of alertcondition(), this one has 0" in fake.requests[1].text
    assert outcome.code == 0, outcome.err
    assert (tmp_path / "a.pine").read_text() == whole
    assert '\n  -plot(qwertyuiop, "Mine")\n' in outcome.err and '\n  +plot(close, "Mine")\n' in outcome.err
    assert Path(outcome.err.rpartition("the original is kept as ")[2].strip()).read_text() == given


# write


def test_write_prints_the_script_and_tells_limits_before_and_cost_after(tmp_path: Path) -> None:
    with FakeAnthropic([script(UNKNOWN), edits(("qwertyuiop", "close"))]) as fake:
        outcome = write(tmp_path, fake, "plot the close", "--template", "none", "--max-dollars", "0.5")
    assert (outcome.code, outcome.out) == (0, CLEAN)
    _, limits, origin, *_, last = outcome.err.splitlines()
    assert origin == "  key from ANTHROPIC_API_KEY in the environment, model from pinebench's default"
    assert "at most 8 rounds, 600 s, 300,000 tokens, about $0.5" in limits
    assert last == (
        "done: passes pinebench's check (local: pinebench's check, not a compilation), 2 rounds, 2,400 "
        "tokens, about $0.012"
    )


def test_write_events_are_json_lines(tmp_path: Path) -> None:
    with FakeAnthropic([script(CLEAN)]) as fake:
        outcome = write(tmp_path, fake, "plot the close", "--events", "jsonl", "-o", "a.pine")
    events = [json.loads(line) for line in outcome.out.splitlines()]
    assert [event["event"] for event in events] == ["Started", "Drafted", "Compiled", "Finished"]
    assert events[0]["budget"] == {"rounds": 8, "seconds": 600.0, "tokens": 300000, "dollars": 2.0}
    finished = events[-1]
    assert (finished["success"], finished["source"], finished["origin"]) == (True, CLEAN, "local")
    assert (finished["attempts"], finished["usage"]["input_tokens"]) == (1, 1000)
    assert (tmp_path / "a.pine").read_text() == CLEAN


def test_write_changes_a_script_in_place(tmp_path: Path) -> None:
    (tmp_path / "a.pine").write_text(CLEAN)
    with FakeAnthropic([edits(("plot(close)", "plot(open)"))]) as fake:
        outcome = write(tmp_path, fake, "plot the open", "--from", "a.pine", "-o", "a.pine")
        assert CLEAN in fake.requests[0].text
    assert outcome.code == 0, outcome.err
    assert (tmp_path / "a.pine").read_text() == CLEAN.replace("close", "open")


def test_write_never_overwrites_what_it_did_not_write(tmp_path: Path) -> None:
    (tmp_path / "a.pine").write_text("// mine\n")
    with FakeAnthropic([script(CLEAN)]) as fake:
        outcome = write(tmp_path, fake, "plot the close", "-o", "a.pine")
        assert fake.requests == []
    assert outcome.code == 2
    assert "pinebench did not write it" in outcome.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "REQUEST"),
        (("",), "empty"),
        (("x", "--template", "nothing"), "no template"),
        (("x", "--from", "missing.pine"), "no such file"),
        (("x", "--max-rounds", "0"), "--max-rounds"),
        (("x", "--max-dollars", "nan"), "--max-dollars"),
        (("x", "-o", "no/such/folder.pine"), "no folder"),
        (("--resume",), "no run to resume"),
        (("--resume", "--template", "none"), "--resume"),
    ],
)
def test_wrong_usage_is_told_in_a_line_and_costs_nothing(
    tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    with FakeAnthropic([script(CLEAN)]) as fake:
        outcome = write(tmp_path, fake, *arguments)
        assert fake.requests == []
    assert (outcome.code, outcome.out) == (2, "")
    assert words in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize("command", ["write", "fix"])
def test_a_chart_that_is_missing_is_told_before_anything_is_asked(tmp_path: Path, command: str) -> None:
    (tmp_path / "a.pine").write_text(UNKNOWN)
    arguments = ["a moving average"] if command == "write" else ["a.pine", "--author", "claude"]
    with FakeAnthropic([]) as fake:
        outcome = pinebench(
            *(command, *arguments, "--with", "chart", "--cdp-port", "1", "--no-wait"),
            folder=tmp_path,
            environment=speaking_to(fake),
        )
        assert not fake.requests
    assert (outcome.code, outcome.out) == (3, "")
    assert (
        outcome.err.startswith("pinebench: CDP connection failed: no program listens") and outcome.err.count("\n") == 1
    )


def test_write_without_a_key_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    outcome = pinebench("write", "x", folder=tmp_path, environment={"ANTHROPIC_API_KEY": ""})
    assert (outcome.code, outcome.out) == (3, "")
    assert ".env" in outcome.err


class HeldReply:
    """An answer that waits, once it is asked for, until the test sets `gone`."""

    def __init__(self, reply: Reply) -> None:
        self.asked, self.gone = threading.Event(), threading.Event()
        self._reply = reply

    def __call__(self, _: object) -> Reply:
        self.asked.set()
        assert self.gone.wait(250)
        return self._reply


def started(folder: Path, fake: FakeAnthropic, *words: str) -> subprocess.Popen[str]:
    """`pinebench write` in a process of its own."""
    command = [sys.executable, "-m", "pinebench", "write", *words]
    environment = surroundings(folder, **speaking_to(fake))
    return subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.PIPE, text=True)


def test_an_interrupted_run_keeps_its_best_script_and_is_resumed(tmp_path: Path) -> None:
    hang = HeldReply(text("too late"))
    with FakeAnthropic([script(UNKNOWN), hang, edits(("qwertyuiop", "close"))]) as fake:
        interrupted = started(tmp_path, fake, "plot", "--template", "none", "-o", "a.pine")
        assert hang.asked.wait(250)
        interrupted.send_signal(signal.SIGINT)
        _, words = interrupted.communicate(timeout=300)
        hang.gone.set()
        assert interrupted.returncode == 130, words
        assert "--resume" in words
        assert "Traceback" not in words
        assert (tmp_path / "a.pine").read_text() == UNKNOWN
        outcome = write(tmp_path, fake, "--resume", "-o", "a.pine")
        assert (outcome.code, len(fake.requests)) == (0, 3), outcome.err
        assert "plot(qwertyuiop)" in fake.requests[2].text
    assert (tmp_path / "a.pine").read_text() == CLEAN


def test_of_two_that_go_on_with_a_run_only_the_first_does_and_pays(tmp_path: Path) -> None:
    hang = HeldReply(edits(("qwertyuiop", "close")))
    with FakeAnthropic([script(UNKNOWN), hang]) as fake:
        assert write(tmp_path, fake, "plot", "--template", "none", "-o", "a.pine", "--max-rounds", "1").code == 1
        first = started(tmp_path, fake, "--resume", "-o", "a.pine", "--max-rounds", "2")
        assert hang.asked.wait(250)
        second = write(tmp_path, fake, "--resume", "-o", "a.pine", "--max-rounds", "2")
        hang.gone.set()
        _, words = first.communicate(timeout=300)
        assert first.returncode == 0, words
        assert len(fake.requests) == 2
    assert second.code == 3
    assert f"process {first.pid} is already resuming the run for a.pine" in second.err
    assert (tmp_path / "a.pine").read_text() == CLEAN


def test_an_interruption_before_the_first_script_promises_none(tmp_path: Path) -> None:
    hang = HeldReply(text("too late"))
    (tmp_path / "a.pine").write_text(CLEAN)
    with FakeAnthropic([hang]) as fake:
        interrupted = started(tmp_path, fake, "plot", "--from", "a.pine", "-o", "a.pine")
        assert hang.asked.wait(250)
        interrupted.send_signal(signal.SIGINT)
        _, words = interrupted.communicate(timeout=300)
        hang.gone.set()
    assert interrupted.returncode == 130
    assert "interrupted; there is no script yet (the same command with --resume continues)" in words
    assert (tmp_path / "a.pine").read_text() == CLEAN


def test_write_mends_what_is_sure_without_asking(tmp_path: Path) -> None:
    with FakeAnthropic([script(MISSPELLED)]) as fake:
        outcome = write(tmp_path, fake, "plot the close", "--template", "none")
    assert (outcome.code, outcome.out) == (0, CLEAN), outcome.err
    assert "repaired without a request to the model:\n  - " in outcome.err


WARNED = CLEAN + "f(x) => ta.sma(x, 3)\nif close > open\n    alert(str.tostring(f(close)))\n"


def test_write_tells_findings_words_and_where_the_script_went(tmp_path: Path) -> None:
    said = "I assumed daily bars.\nMargin stays at 100."
    answer = text(f"{said}\n\n```pine\n{WARNED}```\nIt \x1b[2Jrepaints within a bar.")
    with FakeAnthropic([answer, text("The warning is meant.")]) as fake:
        outcome = write(tmp_path, fake, "plot", "--template", "none", "-o", "a.pine", "--max-rounds", "1")
    assert outcome.code == 0, outcome.err
    assert re.search(
        r"passes pinebench's check \(it was not compiled\) with 1 warning\n    \d+:\d+ warning CW\d+ \w", outcome.err
    )
    told = outcome.err.splitlines()
    words = told[told.index("the author's summary:") + 1 :]
    assert words[:2] == ["  I assumed daily bars.", "  Margin stays at 100."]
    assert "  It [2Jrepaints within a bar." in words
    assert words[-1] == "  the script is in a.pine"
    assert "compiles" not in outcome.err
    [journal] = (tmp_path / ".state" / "runs").glob("*.jsonl")
    drafted = next(json.loads(line) for line in journal.read_text().splitlines() if '"Drafted"' in line)
    assert drafted["words"].startswith("I assumed daily bars.")


def test_edits_of_a_script_of_ones_own_are_told_as_a_diff(tmp_path: Path) -> None:
    (tmp_path / "a.pine").write_text(CLEAN)
    with FakeAnthropic([edits(("plot(close)", "plot(open)"))]) as fake:
        outcome = write(tmp_path, fake, "plot the open", "--from", "a.pine", "-o", "a.pine")
    assert "round 1: changed your script" in outcome.err
    assert "  -plot(close)\n  +plot(open)\n" in outcome.err
    assert "a draft of" not in outcome.err


# template


def test_templates_are_listed_searched_shown_and_copied(tmp_path: Path) -> None:
    listed = pinebench("template", "list", folder=tmp_path).out.splitlines()
    assert len(listed) >= 11
    found = pinebench("template", "list", "mean", "reversion", folder=tmp_path).out.splitlines()
    assert found[0].startswith("zscore_mean_reversion")
    assert len(found) < len(listed)
    for arguments in (("list",), ("search", "ribbon")):
        rows = json.loads(pinebench("template", *arguments, "--format", "json", folder=tmp_path).out)
        assert {"name", "title", "kind", "purpose", "inputs", "fails_when"} == set(rows[0])
        assert "ema_ribbon" in {row["name"] for row in rows}
    shown = pinebench("template", "show", "ema_ribbon", folder=tmp_path).out
    assert "When it fails" in shown
    assert "//@version=6" in shown
    made = pinebench("template", "new", "ema_ribbon", "-o", "mine.pine", folder=tmp_path)
    assert (made.code, made.out) == (0, "")
    assert shown.endswith((tmp_path / "mine.pine").read_text())
    again = pinebench("template", "new", "ema_ribbon", "-o", "mine.pine", folder=tmp_path)
    assert (again.code, "exists already" in again.err) == (2, True)
    assert pinebench("template", "show", "nothing", folder=tmp_path).code == 2


def test_fix_guesses_only_when_it_may_and_keeps_the_original(tmp_path: Path) -> None:
    text = '//@version=6\nindicator("x")\nplot(close, linewidth = 1.5)\n'
    script = tmp_path / "my.pine"
    script.write_text(text)
    careful = pinebench("fix", "my.pine", folder=tmp_path)
    assert (careful.code, script.read_text()) == (1, text)
    bold = pinebench("fix", "my.pine", "--unsafe-fixes", folder=tmp_path)
    assert bold.code == 0
    assert "guess in line 3: convert with int()" in bold.err
    kept = Path(bold.err.rpartition("the original is kept as ")[2].strip())
    assert kept.read_text() == text
    assert script.read_text() != text


def test_write_goes_on_until_the_script_is_as_asked_on_the_bars(tmp_path: Path) -> None:
    (tmp_path / "bars.csv").write_text(
        "time,open,high,low,close\n" + "".join(f"2024-01-{day:02}T00:00:00Z,9,9,9,9\n" for day in range(1, 31))
    )
    late = '//@version=6\nindicator("T")\nplot(last_bar_index - bar_index, "Left")\n'
    asked = ("count the bars", "--template", "none", "--data", "bars.csv", "--no-repaint", "--expect", "bars==30")
    with FakeAnthropic([script(late), edits(("last_bar_index - bar_index", "bar_index"))]) as fake:
        outcome = write(tmp_path, fake, *asked, "-o", "t.pine")
    assert outcome.code == 0
    assert "with the goals bars==30, no-repaint" in outcome.err
    assert "on the bars: goals not met" in outcome.err
    assert 'line 3: plot "Left" changed after its bar closed' in outcome.err
    assert "on the bars: all goals are met" in outcome.err
    assert "last_bar_index" not in (tmp_path / "t.pine").read_text()
    with FakeAnthropic([script(late)]) as fake:
        assert write(tmp_path, fake, *asked, "--max-rounds", "1", "-o", "u.pine").code == 1


def test_bars_without_goals_say_only_that_the_script_ran(tmp_path: Path) -> None:
    sound = '//@version=6\nindicator("T")\nplot(close, "Close")\n'
    stops = sound + 'if bar_index == 5\n    runtime.error("no")\n'
    asked = ("plot the close", "--template", "none", "--data", "sample:AAPL")
    with FakeAnthropic([script(stops), script(sound)]) as fake:
        outcome = write(tmp_path, fake, *asked, "-o", "t.pine")
    assert outcome.code == 0
    assert "on the bars: the run failed" in outcome.err
    assert "on the bars: it ran without an error; no goal was given" in outcome.err
    assert "goals are met" not in outcome.err and "goals not met" not in outcome.err


def test_a_terminal_shows_progress_unless_quiet(tmp_path: Path) -> None:
    asked = ("write", "plot", "--template", "none", "--data", "sample:AAPL@60x60", "--expect", "bars==60")
    shown: list[str] = []
    for more in (("-o", "loud.pine"), ("-o", "quiet.pine", "-q")):
        with FakeAnthropic([script('//@version=6\nindicator("T")\nplot(close)\n')]) as fake:
            outcome = in_terminal(*asked, *more, folder=tmp_path, environment=speaking_to(fake))
        assert outcome.code == 0, outcome
        shown.append(outcome.out)
    assert "running the script on bars" in shown[0]
    assert shown[1] == ""


def test_write_takes_bars_of_the_sample_market_and_of_other_symbols(tmp_path: Path) -> None:
    pair = '//@version=6\nindicator("T")\nplot(request.security("X:OTHER", "D", close), "Other")\n'
    bars = ("--data", "sample:AAPL@1Dx40", "--data", "X:OTHER=sample:BTCUSDT@1Dx40")
    with FakeAnthropic([script(pair)]) as fake:
        asked = ("draw the other close", "--template", "none", *bars, "--expect", "na(Other)<50%", "-o", "t.pine")
        outcome = write(tmp_path, fake, *asked)
        assert "X:OTHER (1 day)" in fake.requests[0].text
    assert outcome.code == 0, outcome.err
    empty = '//@version=6\nindicator("T")\nplot(na, "Other")\n'
    with FakeAnthropic([script(empty)]) as fake:
        stopped = write(tmp_path, fake, *asked[:-1], "u.pine", "--max-rounds", "1")
    assert stopped.code == 1
    with FakeAnthropic([script(pair)]) as fake:
        refused = write(tmp_path, fake, "--resume", "-o", "u.pine", "--target", "x")
        assert (refused.code, fake.requests) == (2, [])
        assert "--target has no effect: the run compiles with local" in refused.err
        resumed = write(tmp_path, fake, "--resume", "--max-rounds", "2", "-o", "u.pine")
    assert resumed.code == 0, "a resumed run has the bars of the other symbol too"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--no-repaint"], "give bars with --data BARS"),
        (["--data", "none.csv"], "there is no such file"),
        (["--data", "none.csv", "--expect", "same"], "give the script with --from FILE"),
        (["--data", "none.csv", "--no-repaint"], "there is no such file"),
        (["--data", "none.csv", "--expect", "bars"], "is not a valid expectation"),
        (["--resume", "--no-repaint"], ""),
    ],
)
def test_write_says_what_is_wrong_with_goals_before_anything_is_asked(
    tmp_path: Path, options: list[str], words: str
) -> None:
    request = [] if "--resume" in options else ["a script"]
    with FakeAnthropic([]) as fake:
        outcome = write(tmp_path, fake, *request, *options)
    assert (outcome.code, fake.requests) == (2, [])
    assert words in outcome.err
