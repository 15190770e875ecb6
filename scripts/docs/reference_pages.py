"""Make the pages of the reference, and the files `llms.txt` and `llms-full.txt` for models."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from pinebench import reference
from pinebench.reference import texts
from pinebench.reference.texts import BuiltinText, ReferenceScript
from pinebench.services.topics import topics
from scripts.docs import reference_examples
from scripts.docs.site_pages import address_of

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
CONSTANTS = "constants"
GENERAL = "general"
WORDS = ("keywords", "operators", "annotations", "types")


def pages() -> dict[str, str]:
    """Return the text of every page of the reference except its index, by path below `docs`."""
    found = {f"reference/{page}.md": _page(page, names) for page, names in _homes().items()}
    return found | {f"reference/{page}.md": _words_page(page) for page in WORDS}


def for_models(found: dict[str, str]) -> dict[str, str]:
    """Return the files for models, by name; `found` has the generated pages."""
    return {"llms.txt": _short(found), "llms-full.txt": _full()}


def shown_json() -> str:
    """Return the text of `shown.json`: a line for each entry, with the present results of its scripts."""
    shown = reference_examples.all_shown()
    rows = (f"{json.dumps(name)}: {json.dumps(lines, ensure_ascii=False)}" for name, lines in shown.items())
    return "{\n" + ",\n".join(rows) + "\n}\n"


@cache
def _homes() -> dict[str, list[str]]:
    """Return the names on each page, by page. All namespaces that have only constants share one page."""
    values = {*reference.functions(), *reference.variables()}
    spaces = {name.partition(".")[0] for name in values if "." in name}
    found: dict[str, list[str]] = {}
    for name in sorted(values | set(reference.constants())):
        space = name.partition(".")[0]
        known = {space} & (spaces | values) if "." in name else {space} & reference.namespaces()
        page = space if known else CONSTANTS if "." in name else GENERAL
        found.setdefault(page, []).append(name)
    return dict(sorted(found.items()))


def index() -> str:
    """Return the list of the pages, with the content of each."""
    rows = [f"| [{page}]({page}.md) | {_count(names)} |" for page, names in _homes().items()]
    rows += [f"| [{page}]({page}.md) | {len(_words(page))} {page} |" for page in WORDS]
    counts = {kind: len(getattr(reference, kind)()) for kind in ("functions", "variables", "constants")}
    told = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    return f"There are {told}.\n\n| page | has |\n|---|---|\n" + "\n".join(rows) + "\n"


def _count(names: list[str]) -> str:
    parts = (
        (sum(name in kind for name in names), word)
        for kind, word in (
            (set(reference.functions()), "function"),
            (set(reference.variables()), "variable"),
            (set(reference.constants()), "constant"),
        )
    )
    return ", ".join(f"{count} {word}{'s' if count > 1 else ''}" for count, word in parts if count)


def _page(page: str, names: list[str]) -> str:
    """Return a page of built-ins: functions first, then variables and constants."""
    titles = {CONSTANTS: "Constants", GENERAL: "Built-ins without a namespace"}
    parts = [f"# {titles.get(page, f'`{page}`')}\n\n[All pages](README.md)\n"]
    functions = [name for name in names if reference.function(name) is not None]
    if functions:
        parts += ["## Functions\n", *(_function(name) for name in functions)]
    for title, read in (("Variables", reference.variable), ("Constants", reference.constant)):
        found = [(name, read(name)) for name in names if read(name) is not None]
        if found:
            rows = [f"| `{name}` | {each.type} | {_cell(each.description)} |" for name, each in found if each]
            kind = title.lower()[:-1]
            parts.append("\n".join([f"## {title}\n", f"| {kind} | type | meaning |", "|---|---|---|", *rows, ""]))
            told = [_told(name) for name, _ in found if reference.function(name) is None and _told(name)]
            parts += told
    return "\n".join(parts)


def _told(name: str) -> str:
    """Return the section about the traps of a variable; "" if there are none."""
    lines = list(_watch_outs(texts.text(name)))
    return "\n".join([f"### {name}\n", *lines]) if lines else ""


def _function(name: str) -> str:
    function = reference.function(name)
    assert function is not None
    lines = [f"### {name}\n", f"{function.description}\n", "```text"]
    seen: dict[str, str] = {}
    for overload in function.overloads:
        inside = ", ".join(each.name if each.required else f"[{each.name}]" for each in overload.parameters)
        lines.append(f"{name}({inside}) → {overload.returns}")
        for each in overload.parameters:
            default = f"; default `{each.default}`" if each.default is not None else ""
            row = f"- `{each.name}` ({each.type}): {texts.phrase(name, each.name)}{default}"
            seen.setdefault(each.name, row)
    lines += ["```", ""]
    if seen:
        lines += [*seen.values(), ""]
    return "\n".join([*lines, *_texts(name)])


def _texts(name: str) -> Iterator[str]:
    told = texts.text(name)
    if told.example is not None:
        yield from _script(told.example)
    yield from _watch_outs(told)


def _watch_outs(told: BuiltinText) -> Iterator[str]:
    for each in told.watch_outs:
        yield f"**Watch out.** {each.text}\n"
        yield from _script(each.script)


def _script(script: ReferenceScript) -> Iterator[str]:
    yield "```pine"
    yield script.text
    yield "```"
    if script.shown:
        yield f"{_bars(script)}\n```text"
        yield from script.shown
        yield "```"
    yield ""


def _bars(script: ReferenceScript) -> str:
    """Return a line that names the bars of a script; "" for the default bars, or if it needs only one."""
    usual = {"symbol": "AAPL", "timeframe": "30", "bars": "100"}
    asked = usual | {key: value for key, value in script.options if key in usual}
    if asked == usual or asked["bars"] == "1":
        return ""
    unit = " minutes" if asked["timeframe"].isdecimal() else ""
    return f"\nOn the last {asked['bars']} bars of {asked['symbol']}, {asked['timeframe']}{unit}:\n"


def _words(page: str) -> tuple[str, ...]:
    if page == "types":
        return tuple(sorted(reference.types()))
    if page == "keywords":
        return tuple(sorted(reference.keywords()))
    return reference.operators() if page == "operators" else reference.compiler_annotations()


def _words_page(page: str) -> str:
    parts = [f"# {page.capitalize()}\n\n[All pages](README.md)\n"]
    for name in _words(page):
        if page == "types":
            known = reference.types()[name]
            fields = [f"- `{each.name}` ({each.type}): {each.description}" for each in known.fields]
            parts.append("\n".join([f"### {name}\n", f"{known.description}\n", *fields, *([""] if fields else [])]))
            continue
        word = reference.word(name)
        assert word is not None
        lines = [f"### `{name}`\n", f"```text\n{word.form}\n```\n", f"{word.description}\n", *_texts(name)]
        parts.append("\n".join(lines))
    return "\n".join(parts)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


# for models


def _short(found: dict[str, str]) -> str:
    """Return `llms.txt`: an overview of the site, with a line for each page."""
    sources = {path.relative_to(DOCS).as_posix(): path for path in sorted(DOCS.rglob("*.md"))}
    texts_of = {name: path.read_text(encoding="utf-8") for name, path in sources.items()} | found
    answers = {**_answers("", texts_of), **_answers("language/", texts_of)}
    rows = [
        "# pinebench",
        "",
        "> A workbench for TradingView's Pine Script v6: it checks, formats, fixes, migrates, runs and back-tests",
        "> scripts offline, with TradingView's own messages. `pinebench explain NAME` prints the reference.",
        "",
        "## Everything in one file",
        "",
        "- [llms-full.txt](llms-full.txt): the language pages, and each built-in with its parameters and traps",
    ]
    for title, folder in (("The language", "language"), ("Reference", "reference"), ("Guides", "")):
        names = [name for name in texts_of if name.rpartition("/")[0] == folder and name.endswith(".md")]
        rows += ["", f"## {title}", "", *(_entry(name, texts_of[name], answers) for name in names)]
    return "\n".join(rows) + "\n"


def _answers(folder: str, found: dict[str, str]) -> dict[str, str]:
    """Return the questions that the pages of a folder answer, from the table in its README."""
    rows = re.findall(r"^\| \[[^]]*\]\(([\w-]+\.md)\) \| (.+) \|$", found[f"{folder}README.md"], re.MULTILINE)
    return {folder + name: told for name, told in rows}


def _entry(name: str, text: str, answers: dict[str, str]) -> str:
    """Return a line about a page: its title, its address on the site, and what it has or answers."""
    title = text.partition("\n")[0].lstrip("# ").replace("`", "")
    folder, _, stem = name.removesuffix(".md").rpartition("/")
    told = answers.get(name, "")
    if folder == "reference" and stem in _homes():
        told = _count(_homes()[stem])
    elif folder == "reference" and stem in WORDS:
        told = f"{len(_words(stem))} {stem}"
    return f"- [{title}]({address_of(f'docs/{name}')})" + (f": {told}" if told else "")


def _full() -> str:
    """Return `llms-full.txt`: the language pages, then a short form of the reference."""
    parts = [topic.text for topic in topics() if topic.is_page]
    parts.append("# Built-ins of Pine Script v6\n")
    for names in _homes().values():
        parts += [_brief(name) for name in names]
    parts.append("# Words and signs\n")
    for page in WORDS:
        for name in _words(page):
            word = reference.word(name)
            told = f"{word.form}: {word.description}" if word else f"{name}: {reference.types()[name].description}"
            parts.append("\n".join([told, *_brief_texts(name)]))
    return "\n".join(parts) + "\n"


def _brief(name: str) -> str:
    rows: list[str] = []
    function = reference.function(name)
    if function is not None:
        longest = max(function.overloads, key=lambda overload: len(overload.parameters))
        inside = ", ".join(each.name if each.required else f"[{each.name}]" for each in longest.parameters)
        rows.append(f"{name}({inside}) → {longest.returns}: {function.description}")
        rows += [f"  {each.name}: {each.type}; {texts.phrase(name, each.name)}" for each in longest.parameters]
    for known in (reference.variable(name), reference.constant(name)):
        if known is not None:
            rows.append(f"{name}: {known.type}. {known.description}")
    return "\n".join([*rows, *_brief_texts(name)])


def _brief_texts(name: str) -> Iterator[str]:
    told = texts.text(name)
    if told.example is not None:
        yield "  example:"
        yield from (f"    {line}" for line in told.example.text.splitlines())
    yield from (f"  watch out: {each.text}" for each in told.watch_outs)
