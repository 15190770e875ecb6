"""The extension for VS Code in Node: its commands, its state in the status bar, and the Test Explorer."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pinebench.lsp.editor_session import make_server
from tests.testing.test_script_tests import BARS, SCRIPT

CHECKOUT = Path(__file__).resolve().parents[2]
FOLDER = CHECKOUT / "pinebench" / "lsp" / "vscode"
HOST = Path(__file__).resolve().parent / "editors" / "vscode.js"
NODE = shutil.which("node") or "node"
PROGRAM = """
const { editor, happened, host, seen, uriOf, turn } = require(HOST);
const given = JSON.parse(process.argv[1]);
Object.assign(host, given.host);
const extension = require('./client');
const shown = (text, file = '/a.pine', languageId = 'pine') => {
  editor.window.activeTextEditor = { document: { uri: uriOf(file), languageId, getText: () => text } };
};
const never = { isCancellationRequested: false, onCancellationRequested: () => undefined };
(async () => {
  await extension.activate({ subscriptions: [] });
  const [explorer] = seen.controllers;
  const [item] = seen.items;
  const listed = () => [...explorer.items].map(([, file]) => [
    file.label, file.error ?? null, [...file.children].map(([, each]) => [each.label, each.range.start.line]),
  ]);
  const answer = await (async () => { STEPS })();
  console.log(JSON.stringify({ answer, results: seen.results, messages: seen.messages, ended: seen.ended }));
  process.exit(0);
})().catch((error) => { console.error(error); process.exit(1); });
"""
RUN = "await explorer.profiles[0].run({ include: undefined }, never);"


def played(steps: str, **host: Any) -> dict[str, Any]:
    """What the extension did in these steps."""
    program = PROGRAM.replace("HOST", json.dumps(str(HOST))).replace("STEPS", steps)
    given = json.dumps({"host": host})
    ended = subprocess.run([NODE, "-e", program, given], capture_output=True, text=True, cwd=FOLDER, timeout=120)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def program_that_says(folder: Path, listed: object, ran: object) -> str:
    """A program that answers as pinebench would: `listed` for a list of tests, and `ran` for their results."""
    made = folder / "pinebench"
    made.write_text('#!/bin/sh\ncase "$*" in *--list*) cat list.said;; *) cat run.said;; esac\n')
    made.chmod(0o755)
    for name, said in (("list", listed), ("run", ran)):
        (folder / f"{name}.said").write_text(said if isinstance(said, str) else json.dumps(said))
    return str(made)


def listed(*names: str) -> dict[str, Any]:
    """A list with tests of one file."""
    tests = [{"file": "a.test.toml", "name": name, "line": 3, "script": "a.pine", "error": None} for name in names]
    return {"tests": tests}


@pytest.fixture
def tested(tmp_path: Path) -> Path:
    """A folder with a script, bars, and a file of two tests, one of which fails; and one file that cannot be read."""
    (tmp_path / "mean.pine").write_text(SCRIPT)
    (tmp_path / "bars.csv").write_text(BARS)
    head = 'script = "mean.pine"\nbars = "bars.csv"\n'
    tests = '\n[[test]]\nname = "six bars"\nexpect = ["bars==6"]\n\n[[test]]\nname = "--seven"\nexpect = ["bars==7"]\n'
    (tmp_path / "mean.test.toml").write_text(head + tests)
    (tmp_path / "broken.test.toml").write_text("script = \n")
    return tmp_path


def test_every_command_of_the_package_has_a_handler() -> None:
    package = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    named = {each["command"] for each in package["contributes"]["commands"]}
    assert set(played("return Object.keys(seen.commands);")["answer"]) == named


def test_no_command_has_the_name_of_one_that_the_client_registers_for_the_server() -> None:
    """VS Code refuses the second command with a name, and then the language server does not start."""
    contributes = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))["contributes"]
    named = {each["command"] for each in contributes["commands"]}
    assert named.isdisjoint(make_server().protocol.fm.commands)


def test_a_client_that_fails_is_told_as_the_reason_and_not_the_end_of_its_server(tmp_path: Path) -> None:
    program = tmp_path / "pinebench"
    program.write_text("#!/bin/sh\nexit 0\n")
    program.chmod(0o755)
    steps = "for (let n = 0; n < 400 && !seen.messages.length; n += 1) await turn(); return seen.messages;"
    told = played(steps, settings={"command": str(program)}, fails="command 'x' already exists")["answer"]
    assert told == ["pinebench could not be started: command 'x' already exists"]


def test_tests_are_listed_and_run_by_the_program(tested: Path) -> None:
    """With the real program: each test is at its line, and what it says is what the command says."""
    program = shutil.which("pinebench", path=str(Path(sys.executable).parent))
    assert program is not None
    told = played(
        f"await explorer.refreshHandler(); {RUN} const list = listed(); seen.results.push(['one']);"
        "const [, mean] = [...explorer.items].find(([, each]) => each.label === 'mean.test.toml');"
        "await explorer.profiles[0].run({ include: [[...mean.children][1][1]] }, never); return list;",
        folders=[str(tested)],
        settings={"command": program},
    )
    problem = next(error for label, error, _ in told["answer"] if label == "broken.test.toml")
    assert "broken.test.toml" in problem
    assert ["mean.test.toml", None, [["six bars", 3], ["--seven", 7]]] in told["answer"]
    seven = ["--seven", "failed", ["expected bars==7, but the value is 6"], 7]
    broken = next(each for each in told["results"] if each[0] == "broken.test.toml (file)")
    assert broken[1] == "errored" and "broken.test.toml" in broken[2][0]
    others = [each for each in told["results"] if each is not broken]
    assert others == [["six bars", "passed"], seven, ["one"], seven]
    assert told["ended"] == 2 and told["messages"] == []


def test_what_is_not_reported_never_passes(tmp_path: Path) -> None:
    """A test without a result, without a word about passing, or with an answer that cannot be read is an error."""
    (tmp_path / "a.test.toml").write_text("")
    untold = "pinebench reported no result of this test"
    answers: list[tuple[Any, list[Any]]] = [
        ({"tests": []}, [["one", "errored", [untold]]]),
        ({"tests": [{"name": "two", "passed": True, "failures": []}]}, [["one", "errored", [untold]]]),
        ({"tests": [{"name": "one", "failures": []}]}, [["one", "errored", [untold]]]),
        ("no json", [["one", "errored", ["pinebench answered something that is not JSON"]]]),
        ({"success": False, "error": "no", "hint": "so"}, [["one", "errored", ["no\nso"]]]),
        ({"tests": [{"name": "a.test.toml", "passed": False, "error": "bad"}]}, [["one", "errored", ["bad"]]]),
        ({"tests": [{"name": "one", "passed": True, "failures": []}]}, [["one", "passed"]]),
    ]
    settings = {"command": program_that_says(tmp_path, listed("one"), {})}
    texts = json.dumps([ran if isinstance(ran, str) else json.dumps(ran) for ran, _ in answers])
    steps = (
        f"await explorer.refreshHandler(); for (const text of {texts}) {{"
        f"require('fs').writeFileSync({json.dumps(str(tmp_path / 'run.said'))}, text); {RUN} }}"
    )
    told = played(steps, folders=[str(tmp_path)], settings=settings)
    assert told["results"] == [result for _, wanted in answers for result in wanted]
    assert told["ended"] == len(answers)


def test_the_tests_of_the_script_that_is_shown_are_run(tmp_path: Path) -> None:
    (tmp_path / "a.test.toml").write_text("")
    results = {"tests": [{"name": "one", "passed": True}, {"name": "two", "passed": True}]}
    both = listed("one", "two")
    both["tests"][1]["script"] = "b.pine"
    settings = {"command": program_that_says(tmp_path, both, results)}
    steps = "".join(
        f"shown('', {json.dumps(str(tmp_path / name))}); await seen.commands['pinebench.testScript']();"
        f"seen.results.push([{json.dumps(name)}]);"
        for name in ("b.pine", "a.test.toml", "other.pine")
    )
    told = played(steps, folders=[str(tmp_path)], settings=settings)
    whole = [["one", "passed"], ["two", "passed"]]
    assert told["results"] == [["two", "passed"], ["b.pine"], *whole, ["a.test.toml"], ["other.pine"]]
    assert told["messages"] == ["No test file of this workspace names other.pine."]


def test_a_run_that_is_called_off_has_no_results(tmp_path: Path) -> None:
    (tmp_path / "a.test.toml").write_text("")
    settings = {"command": program_that_says(tmp_path, listed("one"), {"tests": [{"name": "one", "passed": True}]})}
    steps = (
        "await explorer.refreshHandler(); const off = { isCancellationRequested: true, onCancellationRequested() {} };"
        "await explorer.profiles[0].run({ include: undefined }, off);"
    )
    told = played(steps, folders=[str(tmp_path)], settings=settings)
    assert (told["results"], told["ended"]) == ([["one", "skipped"]], 1)


def test_a_folder_that_nobody_trusts_has_no_tests_until_it_is_trusted(tmp_path: Path) -> None:
    (tmp_path / "a.test.toml").write_text("")
    settings = {"command": program_that_says(tmp_path, listed("one"), {"tests": []})}
    steps = (
        "await explorer.refreshHandler(); const before = listed().length; host.trusted = true;"
        "await happened.trust.fire(); return [before, listed().length];"
    )
    assert played(steps, folders=[str(tmp_path)], settings=settings, trusted=False)["answer"] == [0, 1]


def test_a_first_test_is_written_and_no_file_is_replaced(tmp_path: Path) -> None:
    script = tmp_path / "a.pine"
    steps = f"shown('', {json.dumps(str(script))}); await seen.commands['pinebench.testScript']();"
    steps += "return seen.shown.length;"
    more = {"folders": [str(tmp_path)], "settings": {"command": "none"}}
    assert played(steps, **more)["answer"] == 0 and not list(tmp_path.iterdir())
    assert played(steps, **more, answer="Create a test")["answer"] == 1
    made = tmp_path / "a.test.toml"
    assert 'script = "a.pine"' in made.read_text()
    made.write_text("mine")
    played(steps, **more, answer="Create a test")
    assert made.read_text() == "mine"


def test_the_status_says_whether_the_server_runs_and_what_is_checked(tmp_path: Path) -> None:
    settings = {"command": program_that_says(tmp_path, {}, {})}
    steps = """
        const told = [];
        shown('//@version=6\\nplot(nope)');
        for (let n = 0; n < 400 && item.busy; n += 1) await turn();
        const found = (source, severity) => ({ source, severity });
        host.diagnostics = [found('pinebench', 0), found('other', 0), found('pinebench', 3)];
        await happened.diagnostics.fire();
        told.push(item.text, item.detail, seen.contexts['pinebench.isRunning']);
        shown('//@version=5\\nstudy("x")');
        await happened.editor.fire();
        told.push(item.detail);
        await happened.state.fire({ newState: 1 });
        told.push(item.text, item.detail, item.severity, seen.contexts['pinebench.isRunning']);
        await happened.diagnostics.fire();
        told.push(item.detail);
        return told;
    """
    ended = ["Pinebench does not run", "Nothing is checked: the language server has ended", 2, False]
    assert played(steps, settings=settings)["answer"] == [
        "Pinebench 9.9",
        "Checks the compiler's errors and warnings and the rules, offline: 1 error, 0 other findings",
        True,
        "This script is Pine v5. Only v6 is checked; convert the script first.",
        *ended,
        ended[1],
    ]
    missing = played("await turn(); return [item.text, item.detail, item.severity];", settings={"command": "/none"})
    assert missing["answer"][0] == ended[0] and "/none" in missing["answer"][1] and missing["answer"][2] == 2
