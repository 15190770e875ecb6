"""The configurations that the documentation gives for editors: each can be read, and those of editors at hand work."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
DOCUMENT = (HERE.parents[1] / "docs" / "editors.md").read_text(encoding="utf-8")
SCRIPT = '//@version=6\nindicator("x")\nlength=9\nfast=ta.sma(close,length)\nplot(fast+nope,color=#ff0000)\n'


INDENTED = {
    "if close > open": 4, "f(x) =>": 4, "x = switch a": 4, "x := if b": 4, "for i = 0 to 3  // why": 4, "type P": 4,
    "    while true": 8, "export f(x) =>": 4, "else": 4, "    a =>": 8, 'if s == "//"': 4, "enum E": 4,
    "if(a)": 4, "f(x) => x + 1": 0, "// f(x) =>": 0, "// x = if foo": 0, 's = "x = if"': 0, "type = 1": 0,
    "    y := close": 4, "x == if1": 0, "iff(a, b, c)": 0, "x = close >= open": 0, "x = a  // if so": 0, "if1 = 3": 0,
    "switch.x := 1": 0,
}  # fmt: skip
"""The columns at which the line after each line begins when Enter was pressed at its end."""


def examples(language: str) -> list[str]:
    """The blocks of code in a language."""
    return re.findall(rf"```{language}\n(.*?)```", DOCUMENT, re.DOTALL)


def test_helix_is_told_the_language_and_its_server() -> None:
    (text,) = examples("toml")
    known = tomllib.loads(text)
    server = known["language-server"]["pinebench"]
    assert (server["command"], server["args"]) == ("pinebench", ["lsp"])
    (language,) = known["language"]
    assert language["language-servers"] == ["pinebench"] and set(language["file-types"]) == {"pine", "pinescript"}
    assert language["comment-token"] == "//" and language["indent"] == {"tab-width": 4, "unit": "    "}


def test_settings_in_json_can_be_read() -> None:
    found = [json.loads(text) for text in examples("json")]
    zed = next(each for each in found if "lsp" in each)
    assert zed["lsp"]["pinebench"]["binary"] == {"path": "pinebench", "arguments": ["lsp"]}
    assert zed["languages"]["Pine Script"] == {"tab_size": 4, "hard_tabs": False, "use_on_type_format": True}


def emacs(start: str, folder: Path) -> list[str]:
    (folder / "init.el").write_text(start, encoding="utf-8")
    return ["emacs", "--batch", "-f", "package-initialize", "-l", str(HERE / "editors" / "emacs.el")]


def neovim(start: str, folder: Path) -> list[str]:
    init = folder / "init.lua"
    init.write_text(start, encoding="utf-8")
    return ["nvim", "--headless", "-u", str(init), "-i", "NONE", "-c", f"luafile {HERE / 'editors' / 'neovim.lua'}"]


def version_of(program: str) -> tuple[int, ...]:
    """The version of an editor that is installed; none of one that is not."""
    if shutil.which(program) is None:
        return ()
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True, timeout=60).stdout
    found = re.search(r"(\d+)\.(\d+)", said)
    return tuple(map(int, found.groups())) if found else ()


_ALL, _NEW, _OLD = examples("lua")
PRESENT = [
    *([("emacs", emacs, examples("elisp")[0])] if version_of("emacs") else []),
    *([("nvim", neovim, _ALL + (_NEW if version_of("nvim") >= (0, 11) else _OLD))] if version_of("nvim") else []),
]
"""The editors that are installed, how each is started, and the configuration for it."""


@pytest.mark.soak
@pytest.mark.parametrize(("name", "command", "start"), PRESENT, ids=[each[0] for each in PRESENT])
def test_the_editor_shows_findings_hover_completions_renames_and_lays_out(
    tmp_path: Path, name: str, command: Any, start: str
) -> None:
    script = tmp_path / "a.pine"
    script.write_text(SCRIPT, encoding="utf-8")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    places = {
        "PINE_FILE": str(script),
        "PINE_INIT": str(tmp_path / "init.el"),
        "PINE_LINES": json.dumps(list(INDENTED)),
        "HOME": str(tmp_path),
    }
    environment = {**os.environ, **places, "PATH": path}
    ended = subprocess.run(
        command(start, tmp_path), env=environment, capture_output=True, encoding="utf-8", timeout=300, cwd=tmp_path
    )
    told = dict(json.loads(line) for line in ended.stdout.splitlines() if line.startswith("["))
    assert told.get("filetype") == "pine", ended.stderr
    assert 'Undeclared identifier "nope"' in told["finding"]
    if name == "nvim":
        assert told["settings"] == ["// %s", True, 4, 4, 120]
        assert "Run" in told["lenses"]
        assert told["colours"] == [1]
        assert any("9" in value for value in told["values"])
    assert "ta.sma(source" in told["hover"]
    assert "sma" in told["completion"]
    assert told["indented"] == INDENTED
    assert told["unmoved"] is True, "indentation is meaning: a whole script that is indented again stays as it is"
    if name == "nvim":
        assert told["else"] == "if a\n    x := 1\nelse\n    x := 2\n    x"
    text = '//@version=6\nindicator("x")\nlength = 9\nquick = ta.sma(close, length)\n'
    assert told["text"] == text + "plot(quick + nope, color = #ff0000)\n"
