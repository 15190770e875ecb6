"""docs/debugging.md: its configurations describe a run, and its tables name what the adapter knows."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from pinebench.debugger.debug_process import KNOWN, job_of
from pinebench.debugger.server import DebugServer

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "debugging.md").read_text("utf-8")


def block(kind: str) -> str:
    [found] = re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)
    return found


def test_the_configurations_of_the_editors_are_those_of_a_launch(tmp_path: Path) -> None:
    [code] = json.loads(block("json"))["configurations"]
    debugger = tomllib.loads(block("toml"))["language"]["debugger"]
    [template] = debugger["templates"]
    lua = dict(re.findall(r'(\w+) = "([^"]*)"', block("lua").partition("configurations.pine")[2]))
    assert debugger["command"] == "pinebench" and debugger["args"] == ["debug"]
    assert 'command = "pinebench", args = { "debug" }' in block("lua")
    path = tmp_path / "it.pine"
    path.write_text('//@version=6\nindicator("x")\nplot(close)\n', "utf-8")
    for given in (code, template["args"], lua):
        launched = {name: value for name, value in given.items() if name not in ("type", "request", "name")}
        assert set(launched) <= set(KNOWN) and launched["program"] in ("${file}", "{0}")
        job = job_of(launched | {"program": str(path)})
        assert len(job.request.bars) == 1000


def test_the_tables_name_what_the_adapter_knows() -> None:
    assert re.findall(r"^\| `(\w+)` \| ", PAGE.partition("## Stop")[0], re.MULTILINE) == list(KNOWN)
    rows: Any = re.findall(r"^\| (`pinebench/\w+`.*?) \|", PAGE, re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"pinebench/(\w+)", row)}
    handled = {
        re.sub(r"_(\w)", lambda found: found[1].upper(), name.removeprefix("_on_pinebench_"))
        for name in vars(DebugServer)
        if name.startswith("_on_pinebench_")
    }
    assert named == handled and len(handled) >= 4
    source = Path(__file__).resolve().parents[2].joinpath("pinebench/debugger/server.py").read_text("utf-8")
    events = set(re.findall(r"^\| event `pinebench/(\w+)`", PAGE, re.MULTILINE))
    assert events == set(re.findall(r'_say\("pinebench/(\w+)"', source))
