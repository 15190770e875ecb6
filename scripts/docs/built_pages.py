"""Make the lists at the end of documentation pages, such as every code, rule or tool, and the pages of the reference.

A page of `docs/` has a text by hand, then the line MARK and words for readers of the repository. In `build/docs` and on
the site, the list that is made from the code replaces these words.
"""

import json
import re
from inspect import getdoc
from pathlib import Path
from textwrap import dedent
from typing import Any

from pinebench.charts import as_svg
from pinebench.codes import TRADINGVIEW, Code, all_codes, opinion_codes
from pinebench.codes.opinions import GROUPS
from pinebench.indicators import ALL, Indicator, asked, compute, draw, load
from pinebench.indicators.indicator_requests import parameters
from pinebench.linter.rules import Rule, rules
from pinebench.skills.catalogue import Skill, ours
from pinebench.tools import registry as tool_registry
from scripts.docs import reference_pages, terminal_keys

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
MARK = "<!-- list -->\n"


def pages() -> dict[str, str]:
    """Return every page with a part made from the code, and the files for models, by path below `docs`."""
    lists = {
        "codes.md": codes_list(),
        "rules.md": rules_list(),
        "tools.md": tools_list(),
        "indicators.md": indicators_list(),
        "skills.md": "## Our skills\n\n" + "\n".join(map(_skill, ours())),
        "page-behaviours.md": behaviours_list(),
        "terminal-keys.md": terminal_keys.table(),
        "reference/README.md": reference_pages.index(),
    }
    found = {name: with_list(DOCS / name, made) for name, made in lists.items()}
    found |= reference_pages.pages()
    return found | reference_pages.for_models(found)


def with_list(page: Path, made: str) -> str:
    """Return the text of a page with its list. Raises ValueError if the page has no MARK."""
    text, mark, _ = page.read_text(encoding="utf-8").partition(MARK)
    if not mark:
        raise ValueError(f"{page.name} has no line {MARK}")
    return text + made


# codes and rules


def codes_list() -> str:
    """Return a table of all codes, and a section for each."""
    codes = list(all_codes().values())
    rows = [
        f"| [{code.name}](#{code.name.lower()}) | {code.severity.label} | {cell(code.template)} |" for code in codes
    ]
    table = ["| code | severity | message |", "|---|---|---|", *rows, ""]
    return "\n".join(table) + "\n" + "\n".join(section(code) for code in codes)


def section(code: Code) -> str:
    origin = "" if code.text == TRADINGVIEW else " · text by pinebench"
    return f"""\
## {code.name}

{code.severity.label}{origin}

> {plain(code.template)}

{code.why}

Reported:

```pine
{shortened(code.bad)}```

Better:

```pine
{shortened(code.good)}```
"""


def rules_list() -> str:
    """Return the number of rules in each group, and each rule with its page."""
    known = rules()
    rows = ["| group | codes | rules | on by default |", "|---|---|---|---|"]
    parts: list[str] = []
    for group, prefix in GROUPS.items():
        members = [rule for code, rule in known.items() if code.startswith(prefix)]
        on = sum(opinion_codes()[rule.code].default for rule in members)
        rows.append(f"| [{group}](#{group}) | {prefix} | {len(members)} | {on} |")
        parts += [f"## {group.capitalize()}\n", *map(rule_section, members)]
    on = sum(code.default for code in opinion_codes().values())
    rows.append(f"| all | PB | {len(known)} | {on} |")
    return "\n".join([*rows, "", *parts])


def rule_section(rule: type[Rule]) -> str:
    code = opinion_codes()[rule.code]
    told = "on by default" if code.default else "off by default"
    lines = [
        f"### {code.name} {code.alias}",
        "",
        f"{code.severity.label} · {told}",
        "",
        f"> {plain(code.template)}",
        "",
    ]
    for part in (getdoc(rule) or "").split("\n\n"):
        lines += ["```pine", *dedent(part).splitlines(), "```", ""] if part.startswith("    ") else [part, ""]
    for name, option in rule.options.items():
        lines += [f"Option `{name}`, `{option.shown}` unless set: {option.about}", ""]
    return "\n".join(lines)


def plain(template: str) -> str:
    """Replace the doubled braces of a template by single ones."""
    return template.replace("{{", "{").replace("}}", "}")


def cell(template: str) -> str:
    return plain(template).replace("|", "\\|")


def shortened(script: str) -> str:
    """Return a script; of a very long one, only its beginning and its end."""
    lines = [line if len(line) <= 120 else line[:80] + " ... " + line[-30:] for line in script.splitlines()]
    if len(lines) > 20:
        lines = [*lines[:5], "// ...", *lines[-2:]]
    return "\n".join(lines) + "\n"


# tools and skills


def tools_list() -> str:
    """Return a section for each group of tools, with a table row for each tool."""
    parts: list[str] = []
    for group in tool_registry.GROUPS:
        rows = [_tool_row(each) for each in tool_registry.in_groups(group.name)]
        table = ["| tool | what it does | arguments | result |", "|---|---|---|---|", *rows, ""]
        parts.append("\n".join([f"## {group.name}{'' if group.default else ' *'}", "", f"{group.about}.", "", *table]))
    return "\n".join(parts)


def _tool_row(tool: tool_registry.Tool) -> str:
    arguments = [
        name if name in tool.required else f"[{name}]"
        for name in tool.arguments
        if not (tool.needs.page and name == "target")
    ]
    known = (("changes", tool.changes), ("cannot be undone", tool.destroys), ("prices", tool.prices))
    marks = [mark for mark, holds in known if holds]
    told = tool.summary + (f" ({', '.join(marks)})" if marks else "")
    return f"| `{tool.name}` | {cell(told)} | {', '.join(arguments) or '-'} | {', '.join(tool.result_keys)} |"


def _skill(skill: Skill) -> str:
    """Describe a skill: its subject, and the tools that it uses."""
    table = skill.body.partition("## Tools\n")[2].partition("\n## ")[0]
    tools = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    return f"### {skill.name}\n\n{skill.description}\n\nTools: {', '.join(f'`{tool}`' for tool in tools)}\n"


# indicators


BARS, WIDTH, HEIGHT = 90, 720, 400
FEEDS = {one.name for one in ALL if one.kind == "external" and one.name != "cvd"}
"""Indicators without a picture, because the sample market has no such bars."""
KINDS = {
    "overlay": "on the prices",
    "panel": "in a pane of its own",
    "external": "in a pane of its own, with other bars",
}


def indicators_list() -> str:
    """Return a table of all indicators, and a section for each."""
    rows = [f"| [{one.name}](#{one.name}) | {KINDS[one.kind]} | {one.description} |" for one in ALL]
    table = "\n".join(["| name | where | what it shows |", "|---|---|---|", *rows])
    return "The pictures are of the sample market.\n\n" + f"{table}\n\n" + "\n".join(map(_indicator, ALL))


def pictures() -> dict[str, str]:
    """Return the pictures of the indicators as SVG, by path below `docs`."""
    bars = load("sample:BTCUSDT", "4h", BARS)
    found: dict[str, str] = {}
    for one in ALL:
        if one.name not in FEEDS:
            runs = [compute(each, bars.bars, bars.symbol, bars.shown) for each in asked([one.name])]
            found[f"pictures/indicators/{one.name}.svg"] = as_svg(draw(bars, runs, WIDTH, HEIGHT))
    return found


def _indicator(one: Indicator) -> str:
    parts = [f"## {one.name}", one.description]
    if one.aliases:
        parts.append(f"Other names: {', '.join(f'`{each}`' for each in one.aliases)}.")
    if one.signals:
        parts.append(f"Signals: {', '.join(f'`{each}`' for each in one.signals)}.")
    settings = parameters(one)
    if settings:
        rows = [
            f"| `{each['name']}` | {each['type']} | {each['default']} | {each['description']} |" for each in settings
        ]
        parts.append("\n".join(["| setting | type | default | name on the chart |", "|---|---|---|---|", *rows]))
    if one.name not in FEEDS:
        parts.append(f"![{one.name} on bars of the sample market](pictures/indicators/{one.name}.svg)")
    return "\n\n".join(parts) + "\n"


# the page

BEHAVIOURS = ROOT / "pinebench" / "studio" / "page" / "src" / "behaviours.json"
KNOWN = ROOT / "tests" / "tools" / "page_behaviours.json"
_BEHAVIOURS = """\
## The behaviours

| number | name | switch | what the page does |
|---|---|---|---|
"""
MATRIX = """
## Tools under each behaviour

`+` is the right answer, `r` a refusal that says why, and an empty cell means that the tool was not run under this
behaviour. Behaviour 0 is a page without a switch. In a replay, an answer counts as right if it says that it is of the
replay.

"""


def behaviours_list() -> str:
    """Return the behaviours of the page, with the effect of each on the tools."""
    behaviours: list[dict[str, Any]] = json.loads(BEHAVIOURS.read_text(encoding="utf-8"))
    rows = [
        f"| {number} | {each['name']} | {_switch(each)} | {each['about']} |"
        for number, each in enumerate(behaviours, 1)
    ]
    if not KNOWN.exists():
        return _BEHAVIOURS + "\n".join(rows) + "\n"
    known: dict[str, dict[str, dict[str, str]]] = json.loads(KNOWN.read_text(encoding="utf-8"))
    names = ["none", *(each["name"] for each in behaviours)]
    return _BEHAVIOURS + "\n".join(rows) + "\n" + MATRIX + _matrix(names, known)


def _switch(behaviour: dict[str, Any]) -> str:
    if behaviour.get("replay"):
        return "a replay is started"
    return f"`{json.dumps(behaviour['faults'], separators=(',', ':'))}`"


def _matrix(names: list[str], known: dict[str, dict[str, dict[str, str]]]) -> str:
    tools = list(dict.fromkeys(tool for part in known.values() for row in part.values() for tool in row))
    lines = [f"| tool | {' | '.join(map(str, range(len(names))))} |", f"|---|{'---|' * len(names)}"]
    marks = {"right": "+", "refused": "r"}
    for tool in tools:
        said = (
            next((marks[part[name][tool]] for part in known.values() if tool in part.get(name, {})), "")
            for name in names
        )
        lines.append(f"| `{tool}` | {' | '.join(said)} |")
    return "\n".join(lines) + "\n"
