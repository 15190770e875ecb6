"""The built site in a real browser: links, faults of access, phones, both schemes, and the playground."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote, unquote, urljoin, urlsplit

import pytest

from pinebench.tradingview import browser
from tests.docs.browsing import Reader, Site, served, write
from tests.planted import MARKUP, traces
from tests.studio.test_planted_markup import STRATEGY
from tests.tradingview.support import patience, start_browser

pytestmark = pytest.mark.soak
ROOT = Path(__file__).parents[2]
LOOKED_AT = (
    "",
    "documentation/",
    "language/types-and-qualifiers/",
    "reference/table/",
    "cookbook/",
    "cookbook/rsi_divergence/",
    "templates/",
    "codes/",
)
DRAWING = {
    "box": ("box.new", "box.set_text", "box.set_extend"),
    "label": ("label.new", "label.set_style"),
    "line": ("line.new", "line.set_style"),
    "linefill": ("linefill.new",),
    "polyline": ("polyline.new",),
    "table": ("table.new", "table.cell", "table.merge_cells"),
    "general": ("barcolor", "bgcolor", "fill", "plotarrow", "plotbar", "plotcandle", "plotchar", "plotshape"),
    "plot": ("plot",),
    "hline": ("hline",),
    "strategy": ("strategy.entry", "strategy.exit"),
    "ta": ("ta.ema", "ta.rsi", "ta.pivothigh"),
}
"""Functions on pages of the reference whose examples draw something."""
VERDICT = "document.querySelector('[data-id=problems]').textContent"
OUTPUT = "document.querySelector('[data-id=output]').textContent"
WRONG = '//@version=6\nindicator("x")\nplot(clsoe)\n'
RIGHT = '//@version=6\nindicator("x")\nplot(ta.rsi(close, 14), "RSI")\n'
ENDLESS = '//@version=6\nindicator("x")\nint n = 0\nwhile close > 0\n    n += 1\nplot(n)\n'


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site: that of PINEBENCH_SITE, or a fresh one. A warning of the generator is an error."""
    if os.environ.get("PINEBENCH_SITE"):
        return Path(os.environ["PINEBENCH_SITE"])
    target = tmp_path_factory.mktemp("site") / "site"
    command = [sys.executable, str(ROOT / "scripts" / "release" / "build_site.py"), "--target", str(target)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "WARNING" not in done.stdout + done.stderr
    return target


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[Site]:
    with served(folder) as site:
        yield site


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browser.RunningBrowser]:
    with patience():
        launched = start_browser(tmp_path_factory.mktemp("profile"))
        yield launched
        launched.stop()


@pytest.fixture
def reader(chromium: browser.RunningBrowser) -> Iterator[Reader]:
    reader = Reader(chromium)
    yield reader
    reader.close()


class _Links(HTMLParser):
    """The addresses and the anchors of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.addresses.append(value)
            elif name in ("id", "name") and value:
                self.anchors.add(value)


def test_every_internal_link_resolves(folder: Path) -> None:
    pages: dict[Path, _Links] = {}
    for path in folder.rglob("*.html"):
        pages[path] = _Links()
        pages[path].feed(path.read_text(encoding="utf-8"))
    assert len(pages) > 120
    broken: list[str] = []
    for path, page in pages.items():
        base = f"http://site/{path.relative_to(folder).as_posix().removesuffix('index.html')}"
        for address in page.addresses:
            parts = urlsplit(urljoin(base, address))
            if parts.scheme != "http" or parts.netloc != "site":
                continue
            found = folder / unquote(parts.path).lstrip("/")
            found = found / "index.html" if found.is_dir() else found
            missing = parts.fragment and found in pages and unquote(parts.fragment) not in pages[found].anchors
            # An address of the playground names an example, not a place in the page.
            if not found.is_file() or (missing and "playground" not in parts.path):
                broken.append(f"{path.relative_to(folder)}: {address}")
    for address in re.findall(r"\]\(([\w/.-]+)\)", (folder / "llms.txt").read_text(encoding="utf-8")):
        if not (folder / address / "index.html" if address.endswith("/") else folder / address).is_file():
            broken.append(f"llms.txt: {address}")
    assert broken == []


def test_no_page_loads_anything_from_another_host(folder: Path) -> None:
    for path in folder.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert 'src="http' not in text and '<link rel="stylesheet" href="http' not in text, path
        assert "Content-Security-Policy" in text


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768), (390, 844)])
def test_pages_have_no_fault_and_fit(site: Site, reader: Reader, width: int, height: int, scheme: str) -> None:
    reader.resize(width, height)
    reader.prefer(scheme)
    for path in LOOKED_AT:
        reader.open(site.address + path)
        wanted = "slate" if scheme == "dark" else "default"
        reader.until(f"document.body.dataset.mdColorScheme === '{wanted}'")
        assert reader.violations() == [], path
        assert reader.js("document.documentElement.scrollWidth") <= width, path
    assert reader.faults == []


def test_the_search_finds_a_page(site: Site, reader: Reader) -> None:
    reader.open(site.address)
    reader.js("document.querySelector('.md-search__input').focus()")
    reader.tab.request("Input.insertText", {"text": "history operator"}, 60)
    reader.until("!!document.querySelector('.md-search-result__link[href*=\"language/history-operator\"]')")


@pytest.mark.parametrize(("width", "height", "scheme"), [(1440, 900, "dark"), (390, 844, "light")])
def test_the_playground_shows_errors_and_the_chart(
    site: Site, reader: Reader, width: int, height: int, scheme: str
) -> None:
    reader.resize(width, height)
    reader.prefer(scheme)
    reader.open(f"{site.address}playground/#rsi_divergence")
    reader.until("window.pineVerdicts && window.pineVerdicts.runs > 0")
    reader.until("document.querySelector('#pine-playground canvas') !== null")
    assert reader.js(VERDICT) == "No errors, no warnings."
    assert reader.violations() == []
    write(reader, WRONG)
    reader.until(f"{VERDICT}.includes('Undeclared identifier')")
    assert "CE10272" in reader.js(VERDICT) and "Did you mean" in reader.js(VERDICT)
    assert reader.js(OUTPUT) == "The chart shows the last text without errors."
    runs = reader.js("window.pineVerdicts.runs")
    write(reader, RIGHT)
    reader.until(f"window.pineVerdicts.runs > {runs}")
    assert reader.js(VERDICT) == "No errors, no warnings."
    assert "RSI" in reader.js("document.querySelector('.pg-chart').textContent")
    assert reader.js("document.documentElement.scrollWidth") <= width
    assert [address for address in reader.asked if not address.startswith((site.address, "data:", "blob:"))] == []
    assert reader.faults == []


def test_an_endless_script_can_be_stopped_and_the_page_goes_on(site: Site, reader: Reader) -> None:
    reader.open(f"{site.address}playground/")
    reader.until("window.pineVerdicts && window.pineVerdicts.runs > 0")
    write(reader, ENDLESS)
    reader.until("!document.querySelector('[data-id=stop]').hidden")
    assert reader.js("new Promise((done) => requestAnimationFrame(() => done(1 + 1)))") == 2  # the page is not blocked
    reader.js("document.querySelector('[data-id=stop]').click()")
    reader.until(f"{OUTPUT}.includes('Stopped')")
    runs = reader.js("window.pineVerdicts.runs")
    write(reader, RIGHT)
    reader.until(f"window.pineVerdicts.runs > {runs}")


def test_the_playground_works_without_a_network_once_it_is_loaded(
    folder: Path, chromium: browser.RunningBrowser
) -> None:
    """The server ends after the first visit; what the page then shows comes from the browser itself."""
    reader = Reader(chromium)
    with served(folder) as site:
        reader.open(f"{site.address}playground/")
        reader.until("window.pineVerdicts && window.pineVerdicts.runs > 0")
        reader.until("window.pineVerdicts.kept")
        address = site.address
    reader.go_offline()
    write(reader, ENDLESS)  # a run that is stopped needs another Python
    reader.until("!document.querySelector('[data-id=stop]').hidden")
    reader.js("document.querySelector('[data-id=stop]').click()")
    write(reader, WRONG)
    reader.until(f"{VERDICT}.includes('Undeclared identifier')")
    reader.close()
    for example in ("", "#trailing_stop"):
        reader = Reader(chromium)
        reader.go_offline()
        reader.open(f"{address}playground/{example}")
        reader.until("window.pineVerdicts && window.pineVerdicts.first")
        write(reader, WRONG)
        reader.until(f"{VERDICT}.includes('Undeclared identifier')")
        runs = reader.js("window.pineVerdicts.runs")
        write(reader, RIGHT)
        reader.until(f"window.pineVerdicts.runs > {runs}")
        reader.until("document.querySelector('.pg-chart').textContent.includes('RSI')")
        assert reader.js("document.querySelector('#pine-playground canvas') !== null")
        # The theme is there too: it hides the search until somebody asks for it.
        assert reader.js("getComputedStyle(document.querySelector('.md-header')).position") == "sticky"
        assert reader.faults == []
        reader.close()


def test_every_example_is_clean_and_runs_in_the_browser(site: Site, reader: Reader) -> None:
    reader.open(f"{site.address}playground/")
    reader.until("window.pineVerdicts && window.pineVerdicts.runs > 0")
    names = reader.js("[...document.querySelectorAll('[data-id=example] option')].map((one) => one.value)")
    assert len(names) >= 60
    for name in [*names[1:], names[0]]:
        runs = reader.js("window.pineVerdicts.runs")
        reader.js(f"location.hash = '{name}'")
        reader.until(f"window.pineVerdicts.runs > {runs} || {OUTPUT}.includes('Stopped')")
        assert reader.js(VERDICT) == "No errors, no warnings.", name
        assert reader.js(f"{OUTPUT}.includes('Stopped')") is False, name
        assert reader.js("document.querySelector('[data-id=output] .pg-error') === null"), (name, reader.js(OUTPUT))


def test_functions_that_draw_have_a_picture(folder: Path) -> None:
    for page, names in DRAWING.items():
        text = (folder / "reference" / page / "index.html").read_text(encoding="utf-8")
        for name in names:
            # The heading of a page may have the same words.
            (_, *sections) = re.split(rf'<h3 id="{name.replace(".", "")}(?:_1)?"', text)
            assert len(sections) == 1, name
            section = sections[0].partition("<h3 ")[0]
            assert f'alt="What the example of {name} draws"' in section, name


def test_planted_markup_stays_text(site: Site, reader: Reader) -> None:
    """In the address, the search, and the findings, the chart and the figures of the playground."""
    reader.open(f"{site.address}playground/#{quote(MARKUP)}")
    reader.until("window.pineVerdicts && window.pineVerdicts.runs > 0")
    write(reader, f'//@version=6\nlibrary("Title {MARKUP}")\nplot(clos)\n')
    reader.until(f"{VERDICT}.includes('Title </script>')")
    assert traces(reader) == []
    runs = reader.js("window.pineVerdicts.runs")
    write(reader, STRATEGY)
    reader.until(f"window.pineVerdicts.runs > {runs}")
    reader.until("document.querySelector('.pg-chart').textContent.includes('</script>')")
    assert traces(reader) == []
    reader.js("document.querySelector('.md-search__input').focus()")
    reader.tab.request("Input.insertText", {"text": f"script {MARKUP}"}, 60)
    reader.until("document.querySelector('.md-search-result__meta').textContent.match(/match|No/)")
    assert traces(reader) == []
    assert reader.faults == []
