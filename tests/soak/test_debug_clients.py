"""Debug adapters as editors use them: VS Code's own test client, and nvim-dap in Neovim.

The clients come from npm and GitHub, so these tests need the network. `NVIM_DAP` may name a folder with nvim-dap.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.soak

TESTSUPPORT = "@vscode/debugadapter-testsupport@1.68.0"
SCRIPT = """//@version=6
indicator("Debugged")
scaled(x) => x * 2
mean = ta.sma(close, 3)
twice = scaled(mean)
if close > mean
    twice += 1
plot(twice)
log.info("bar {0}", bar_index)
"""
COMMAND = str(Path(sys.executable).with_name("pinebench"))


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "debugged.pine"
    path.write_text(SCRIPT, "utf-8")
    return path


def test_the_test_client_of_vs_code_passes(tmp_path: Path, program: Path) -> None:
    (tmp_path / "package.json").write_text('{"private": true}')
    install = ["npm", "install", "--silent", "--no-audit", "--no-fund", TESTSUPPORT]
    subprocess.run(install, cwd=tmp_path, check=True, timeout=300)
    script = Path(__file__).with_name("debug_client.mjs")
    ended = subprocess.run(
        ["node", str(script), COMMAND, str(program), "5"], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert ended.returncode == 0 and "all of it passed" in ended.stdout, ended.stdout + ended.stderr


LUA = """
local dap = require("dap")
local told = {}
local function say(text) table.insert(told, text) end
dap.adapters.pinebench = { type = "executable", command = COMMAND, args = { "debug" } }
local config = { type = "pinebench", request = "launch", name = "x", program = PROGRAM, data = "sample:AAPL@60x100" }
vim.cmd("edit " .. PROGRAM)
vim.api.nvim_win_set_cursor(0, { 5, 0 })
dap.set_breakpoint("bar_index == 20")
local stops = 0
local moves = { dap.step_over, dap.step_back, dap.reverse_continue, dap.continue }
dap.listeners.after.event_stopped["test"] = function(session, body)
  session:request("stackTrace", { threadId = body.threadId }, function(err, answer)
    local frame = answer.stackFrames[1]
    local asked = { expression = "bar_index", frameId = frame.id, context = "watch" }
    session:request("evaluate", asked, function(err, found)
      say(body.reason .. " " .. frame.line .. " " .. found.result)
      stops = stops + 1
      if moves[stops] then vim.schedule(moves[stops]) else done = true end
    end)
  end)
end
dap.run(config)
vim.wait(60000, function() return done end, 20)
io.stdout:write(table.concat(told, "\\n") .. "\\n")
vim.cmd("qa!")
"""


@pytest.mark.skipif(shutil.which("nvim") is None, reason="needs Neovim")
def test_nvim_dap_debugs_a_script(tmp_path: Path, program: Path) -> None:
    folder = os.environ.get("NVIM_DAP") or _cloned(tmp_path / "nvim-dap")
    lua = LUA.replace("COMMAND", repr(COMMAND)).replace("PROGRAM", repr(str(program)))
    (tmp_path / "debug.lua").write_text(lua, "utf-8")
    ended = subprocess.run(
        ["nvim", "--headless", "--clean", "--cmd", f"set rtp+={folder}", "-c", f"luafile {tmp_path / 'debug.lua'}"],
        capture_output=True,
        text=True,
        timeout=180,
    )
    said = re.findall(r"\b(breakpoint|step|entry) (\d+) (\d+)", ended.stdout + ended.stderr)
    at = ("breakpoint", "5", "20")
    assert said == [at, ("step", "6", "20"), ("step", "5", "20"), ("entry", "4", "0"), at], ended


def _cloned(folder: Path) -> str:
    """Clone the version of nvim-dap that fits the installed Neovim."""
    told = subprocess.run(["nvim", "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"v0\.(\d+)", told)
    tag = "0.3.0" if found is not None and int(found[1]) < 9 else "0.10.0"
    source = ["git", "clone", "--quiet", "--depth", "1", "--branch", tag, "https://github.com/mfussenegger/nvim-dap"]
    subprocess.run([*source, str(folder)], check=True, timeout=300)
    return str(folder)
