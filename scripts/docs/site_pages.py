"""Prepare the pages of the site: the documentation with links and lists in the generator's form, and the navigation."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]

RENAMED = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "CODE_OF_CONDUCT.md": "code-of-conduct.md",
    "docs/README.md": "documentation.md",
    "docs/cookbook.md": "cookbook/index.md",
}
"""The pages whose place in the site is not the one that they have below `docs/`."""

FOLDERS = ("language", "reference", "decisions")
"""The folders of `docs/` that are sections of the navigation, each with a page that lists the others."""

NAVIGATION: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Start", ("index.md", "questions.md", "installing.md", "documentation.md", "playground/index.md")),
    ("Language", ("language/",)),
    ("Reference", ("reference/", "codes.md", "rules.md")),
    ("Cookbook", ("cookbook/", "templates.md", "indicators.md")),
    (
        "Guides",
        (
            "commands.md",
            "checking.md",
            "terminal.md",
            "terminal-keys.md",
            "studio.md",
            "editors.md",
            "assistant.md",
            "clients.md",
            "tools.md",
            "page-behaviours.md",
            "skills.md",
            "python.md",
            "runtime.md",
            "debugging.md",
            "profiling.md",
            "strategy-tester.md",
            "optimizing.md",
            "your-own-data.md",
            "portfolio.md",
            "clusters.md",
            "testing-scripts.md",
            "projects.md",
            "verification.md",
            "sync.md",
            "ci.md",
            "interoperability.md",
            "feeds.md",
        ),
    ),
    ("Operation", ("chart-server.md", "operation.md", "alerts-and-paper-trading.md", "privacy.md")),
    (
        "Project",
        (
            "changelog.md",
            "parity.md",
            "speed.md",
            "models.md",
            "known-differences.md",
            "benchmark.md",
            "contributing.md",
            "glossary.md",
            "architecture.md",
            "extending.md",
            "releasing.md",
            "gallery.md",
            "security.md",
            "code-of-conduct.md",
            "decisions/",
        ),
    ),
)
"""The sections of the navigation. A name that ends with `/` stands for all pages of that folder."""


class Page(NamedTuple):
    """A page: its path in the checkout, its path on the site, and its text."""

    source: str
    target: str
    text: str


def pages(made: Mapping[str, str], root: Path = ROOT) -> list[Page]:
    """Return every page, ready for the generator.

    `made` has the pages with a generated part, by path below `docs`.
    """
    texts = {name: (root / name).read_text(encoding="utf-8") for name in (*_at_the_top(), *_below_docs(root))}
    texts |= {f"docs/{name}": text for name, text in made.items() if name.endswith(".md")}
    targets = {source: target_of(source) for source in sorted(texts)}
    folders = {f"docs/{name}": f"{name}/index.md" for name in FOLDERS if (root / "docs" / name).is_dir()}
    found = [
        Page(source, target, rewritten(texts[source], source, targets | folders, root))
        for source, target in targets.items()
    ]
    return found + [_list_of(name, found) for name in FOLDERS if _needs_list(name, found)]


def _at_the_top() -> list[str]:
    return [name for name in RENAMED if "/" not in name]


def _below_docs(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in (root / "docs").rglob("*.md"))


def target_of(source: str) -> str:
    """Return the path on the site of the page `source` of the checkout."""
    if source in RENAMED:
        return RENAMED[source]
    path = PurePosixPath(source).relative_to("docs")
    return (path.with_name("index.md") if path.name == "README.md" else path).as_posix()


def address_of(source: str) -> str:
    """Return the address of the page `source` of the checkout, relative to the first page of the site."""
    target = target_of(source)
    return target.removesuffix("index.md") if target.endswith("index.md") else target.removesuffix(".md") + "/"


def _needs_list(folder: str, found: Iterable[Page]) -> bool:
    names = {page.target for page in found}
    return f"{folder}/index.md" not in names and any(name.startswith(f"{folder}/") for name in names)


def _list_of(folder: str, found: Iterable[Page]) -> Page:
    inside = [page for page in found if page.target.startswith(f"{folder}/")]
    rows = [f"- [{title_of(page.text)}]({page.target.removeprefix(folder + '/')})" for page in inside]
    return Page("", f"{folder}/index.md", "\n".join([f"# {folder.capitalize()}", "", *rows, ""]))


def title_of(text: str) -> str:
    """Return the first heading of a page, without markup. Raises ValueError if there is none."""
    for line in text.splitlines():
        if line.startswith("# "):
            return line[2:].replace("`", "").strip()
    raise ValueError("a page has no heading")


_LINK = re.compile(r"(?<!\\)\]\(([^()\s]+)\)")
_FENCE = re.compile(r"^ *(```|~~~)")


def rewritten(text: str, source: str, targets: dict[str, str], root: Path = ROOT) -> str:
    """Return the text of the page `source` with links for the site, and with lists for Python-Markdown."""
    lines = _indented(text.splitlines())
    inside = False
    made: list[str] = []
    for line in lines:
        if _FENCE.match(line):
            inside = not inside
            line = re.sub(r"```pine .*", "```pine", line)  # what the tests read of an example
        made.append(line if inside else _linked(line, source, targets, root))
    return "\n".join(made) + "\n"


def _linked(line: str, source: str, targets: dict[str, str], root: Path) -> str:
    """Return the line with links to pages of the site. Links to other files of the checkout become plain text."""

    def target(match: re.Match[str]) -> str:
        address, mark, anchor = match[1].partition("#")
        if not address or ":" in address:
            return match[0]
        path = normpath((PurePosixPath(source).parent / address).as_posix())
        here = PurePosixPath(target_of(source)).parent.as_posix()
        if path in targets:
            return f"]({relpath(targets[path], here)}{mark}{anchor})"
        if path.startswith("docs/") and ((root / path).is_file() or path.startswith("docs/pictures/")):
            return f"]({relpath(path.removeprefix('docs/'), here)})"
        return "]{}"

    return re.sub(r"!?\[([^\[\]]*)\]\{\}", r"\1", _LINK.sub(target, line))


_ITEM = re.compile(r"^( *)(\d+\.|[-*]) ")


def _indented(lines: list[str]) -> Iterator[str]:
    """Yield the lines with an empty line before each list, and continued items indented by four spaces."""
    inside = is_item = False
    before = ""
    depths: list[int] = []
    for line in lines:
        was_inside = inside
        if _FENCE.match(line):
            inside = not inside
        item = None if inside else _ITEM.match(line)
        indent = len(line) - len(line.lstrip())
        if not line.strip():
            pass
        elif item is not None:
            while depths and indent < depths[-1]:
                depths.pop()
            if not depths and before.strip() and not is_item:
                yield ""
            level = len(depths)
            depths.append(indent + len(item[2]) + 1)
            line, is_item = " " * 4 * level + line.lstrip(), True
        elif not indent and not was_inside:
            depths, is_item = [], False
        else:
            while depths and indent < depths[-1] and not was_inside:
                depths.pop()
            if depths:
                line = " " * 4 * len(depths) + line[min(depths[-1], indent) :]
        before = line
        yield line


def navigation(found: Iterable[Page]) -> list[dict[str, list[str]]]:
    """Return the navigation of these pages by section, in MkDocs' form. Raises ValueError if it leaves out a page."""
    known = {page.target: page for page in found}
    left = set(known)
    made: list[dict[str, list[str]]] = []
    for section, names in NAVIGATION:
        entries: list[str] = []
        for name in names:
            entries += _of_folder(name, known) if name.endswith("/") else [name] if name in known else []
        if entries:
            made.append({section: entries})
        left -= set(entries)
    if left:
        raise ValueError(f"no section of the navigation has {', '.join(sorted(left))}")
    return made


def _of_folder(folder: str, known: dict[str, Page]) -> list[str]:
    """Return the pages of a folder: first the list of the others, then those in the order of the list."""
    inside = {name for name in known if name.startswith(folder)}
    first = f"{folder}index.md"
    if first not in known:
        return sorted(inside)
    listed = [normpath(folder + name) for name in re.findall(r"\]\(([\w./-]+\.md)\)", known[first].text)]
    ordered = [first, *(name for name in dict.fromkeys(listed) if name in inside)]
    return [*ordered, *sorted(inside - set(ordered))]
