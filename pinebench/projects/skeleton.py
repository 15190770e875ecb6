"""The files of a new project: a script, a library, a test, and the checks in editors, commits and CI."""

from __future__ import annotations

import json
import os
import re
from importlib import metadata
from typing import Any

from pinebench import __version__, files
from pinebench.errors import UsageError
from pinebench.records import NamedTuple

KINDS = ("indicator", "strategy", "library")
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9]+")
_USER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


class NewProject(NamedTuple):
    """A new project: its title and kind, the TradingView user of its libraries, and pip's requirement for CI."""

    title: str
    kind: str
    user: str
    requirement: str


def new_project(folder: str, kind: str, user: str, requirement: str | None) -> NewProject:
    """Return the project for `folder`, whose last part is its title. Raises UsageError for names invalid in Pine."""
    if not folder.strip():
        raise UsageError("the name of the project is empty", "give the folder to create; . is this folder")
    title = os.path.basename(os.path.abspath(folder))
    if not re.search("[A-Za-z]", title) or any(each in title for each in '"\\\n\r'):
        raise UsageError(
            f"{title} is not a valid project name", "use at least one letter from A to Z, and no quotes or backslashes"
        )
    if not _USER.match(user):
        raise UsageError(f"--user {user} is not a user name of TradingView", "use letters, digits and _")
    return NewProject(title, kind, user, requirement or installed_from())


def installed_from() -> str:
    """Return the requirement with which pip installs this pinebench: its repository, or its version."""
    try:
        text = metadata.distribution("pinebench").read_text("direct_url.json") or "{}"
    except metadata.PackageNotFoundError:
        text = "{}"
    origin: Any = json.loads(text)
    vcs = origin.get("vcs_info") or {}
    if vcs.get("vcs") == "git" and str(origin.get("url", "")).startswith("https://"):
        return f"git+{origin['url']}@{vcs['commit_id']}"
    return f"pinebench=={__version__}"


def with_extra(requirement: str, extra: str) -> str:
    """Return pip's requirement for the same pinebench with the optional dependencies `extra`."""
    if requirement.startswith("pinebench"):
        return requirement.replace("pinebench", f"pinebench[{extra}]", 1)
    if "://" in requirement:
        return f"pinebench[{extra}] @ {requirement}"
    return f"{requirement}[{extra}]"  # a wheel or a checkout on this computer


def write(folder: str, project: NewProject) -> list[str]:
    """Write a new project's files into `folder`, and return their paths. Raises UsageError if the folder has files."""
    if os.path.lexists(folder) and (not os.path.isdir(folder) or os.listdir(folder)):
        raise UsageError(f"{folder} exists and is not an empty folder", "choose another name")
    texts = texts_of(project)
    for name, text in texts.items():
        place = os.path.join(folder, name)
        os.makedirs(os.path.dirname(place) or ".", exist_ok=True)
        files.create(place, text.encode("utf-8"))
    return [os.path.join(folder, name) for name in texts]


def texts_of(project: NewProject) -> dict[str, str]:
    """Return the text of each file of a new project, by path."""
    word = _NOT_IN_A_NAME.sub(" ", project.title).title().replace(" ", "")
    word = word if word[:1].isalpha() else f"Project{word}"
    names = {
        "title": project.title,
        "user": project.user,
        "library": word if project.kind == "library" else f"{word}Tools",
        "script": "example" if project.kind == "library" else "main",
        "requirement": json.dumps(project.requirement),
        "with_chart": json.dumps(with_extra(project.requirement, "chart")),
        "kind": project.kind,
    }
    runs = "strategy" if project.kind == "strategy" else "indicator"
    names |= {"expected": _EXPECTED[runs], "commands": _commands(names)}
    parts = {
        "pinebench.toml": _CONFIGURATION,
        f"{names['script']}.pine": _STRATEGY if runs == "strategy" else _INDICATOR,
        f"{names['script']}.test.toml": _TEST,
        f"libs/{project.user}/{names['library']}.pine": _LIBRARY,
        "README.md": _README,
        ".gitignore": _IGNORED,
        "out/.gitkeep": "",
        ".editorconfig": _EDITORCONFIG,
        ".vscode/settings.json": _VSCODE,
        ".vscode/extensions.json": _EXTENSIONS,
        ".pre-commit-config.yaml": _PRE_COMMIT,
        ".github/workflows/pine.yml": _WORKFLOW,
    }
    return {name: _filled(text, names) for name, text in parts.items()}


def _commands(names: dict[str, str]) -> str:
    """Return the commands of the README, with their comments aligned."""
    commands = [_filled(command, names) for command, _ in _COMMANDS]
    width = max(map(len, commands)) + 3
    return "\n".join(f"{each:<{width}}# {words}" for each, (_, words) in zip(commands, _COMMANDS, strict=True))


def _filled(text: str, names: dict[str, str]) -> str:
    return re.sub(r"<<(\w+)>>", lambda found: names[found[1]], text)


_CONFIGURATION = """\
[check]
library-paths = ["libs"]        # libs/USER/NAME.pine is what `import USER/NAME/1` imports

[lint]
fail-on = "warning,unchecked"
"""
_LIBRARY = """\
//@version=6

// @description Parts of <<title>> that other scripts can use.
library("<<library>>")

// @function An average that follows the price quickly: twice the average, less the average of the average.
// @param source The values.
// @param length The number of bars.
// @returns The average.
export quickAverage(float source, simple int length) =>
    float once = ta.ema(source, length)
    2 * once - ta.ema(once, length)

// @function Whether one series has just crossed above another, on a bar that is closed.
// @param fast The series that crosses.
// @param slow The series that is crossed.
// @returns Whether it crossed.
export crossedUp(float fast, float slow) =>
    ta.crossover(fast, slow) and barstate.isconfirmed
"""
_INPUTS = """\
import <<user>>/<<library>>/1 as tools

int fastLength = input.int(9, "Fast length", minval = 1, tooltip = "Bars of the fast average.")
int slowLength = input.int(21, "Slow length", minval = 1, tooltip = "Bars of the slow average.")
"""
_AVERAGES = """
float fast = tools.quickAverage(close, fastLength)
float slow = tools.quickAverage(close, slowLength)
bool crossed = tools.crossedUp(fast, slow)

"""
_PLOTS = """\
plot(fast, "Fast", color.teal)
plot(slow, "Slow", color.orange)
"""
_INDICATOR = f"""\
//@version=6
indicator("<<title>>", overlay = true)
{_INPUTS}{_AVERAGES}{_PLOTS}\
plotshape(crossed, "Crossed", shape.triangleup, location.belowbar, color.teal)
if crossed
    alert("The fast average crossed the slow one", alert.freq_once_per_bar_close)
"""
_STRATEGY = f"""\
//@version=6
strategy("<<title>>", overlay = true, initial_capital = 10000,
     default_qty_type = strategy.percent_of_equity, default_qty_value = 10,
     commission_type = strategy.commission.percent, commission_value = 0.05)
{_INPUTS}\
float stopPercent = input.float(3, "Stop %", minval = 0.1, tooltip = "The distance of the stop below the entry.")
{_AVERAGES}\
if crossed and strategy.position_size == 0
    strategy.entry("long", strategy.long)
if strategy.position_size > 0
    strategy.exit("stop", "long", stop = strategy.position_avg_price * (1 - stopPercent / 100))
if ta.crossunder(fast, slow)
    strategy.close("long")

{_PLOTS}"""
_TEST = """\
script = "<<script>>.pine"
bars = "AAPL"                   # the sample market, which is the same on every machine; or a CSV file
timeframe = "60"
count = 300
no-repaint = true
expect = <<expected>>

[[test]]
name = "as it is"

[[test]]
name = "fast inputs"
[test.inputs]
"Fast length" = 3
"Slow length" = 8
"""
_EXPECTED = {"indicator": '["na(Fast)<20%", "alerts>=1"]', "strategy": '["trades>=1", "max_drawdown<50%"]'}
_COMMANDS = (
    ("pinebench test", "run the script on bars, and compare it with what is expected"),
    ("pinebench lint", "errors and warnings, as TradingView's compiler reports them"),
    ("pinebench bundle <<script>>.pine -o out/<<script>>.pine", "one script for TradingView's editor"),
)
_README = """\
# <<title>>

A project of Pine Script v6: `<<script>>.pine` uses the library `libs/<<user>>/<<library>>.pine`.

```bash
<<commands>>
```

`pinebench studio`, started in this folder, opens a chart and an editor that know the library. `pinebench push
<<script>>.pine` puts the script into the editor of an open chart. That needs the packages for charts:

```bash
pip install <<with_chart>>
```
"""
_IGNORED = "out/*\n!out/.gitkeep\n"
_EDITORCONFIG = """\
root = true

[*]
charset = utf-8
end_of_line = lf
insert_final_newline = true
trim_trailing_whitespace = true

[*.pine]
indent_style = space
indent_size = 4
"""
_VSCODE = """\
{
  "[pine]": {
    "editor.formatOnSave": true,
    "editor.tabSize": 4,
    "editor.insertSpaces": true
  }
}
"""
_EXTENSIONS = '{\n  "recommendations": ["pinebench.pinebench", "editorconfig.editorconfig"]\n}\n'
_PRE_COMMIT = """\
repos:
  - repo: local
    hooks:
      - id: pinebench-format
        name: pinebench format
        entry: pinebench format --force-exclude
        language: python
        additional_dependencies: [<<requirement>>]
        files: \\.(pine|pinescript)$
        require_serial: true
      - id: pinebench-lint
        name: pinebench lint
        entry: pinebench lint --force-exclude
        language: python
        additional_dependencies: [<<requirement>>]
        files: \\.(pine|pinescript)$
        require_serial: true
"""
_WORKFLOW = """\
name: Pine
on: [push, pull_request]
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    env:
      PINEBENCH_WITHOUT_PAGE: "1"
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-python@v6
        with: {python-version: "3.13"}
      - run: pip install <<requirement>>
      - run: pinebench lint --format github
      - run: pinebench format --check
      - run: pinebench test
      - run: pinebench bundle <<script>>.pine -o out/<<script>>.pine --check
      - uses: actions/upload-artifact@v4
        with: {name: bundle, path: out}
"""
