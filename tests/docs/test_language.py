"""The language pages: each example compiles and runs, or is reported as the page says, and sentences stay short."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pinebench.calendars.timeframes import timeframe
from pinebench.checker import open_program
from pinebench.diagnostics import Severity
from pinebench.market import sample_bars, samples
from pinebench.workers.jobs import perform
from pinebench.workers.request import Request
from tests.tables import each

FOLDER = Path(__file__).parents[2] / "docs" / "language"
PAGES = sorted(FOLDER.glob("*.md"))
_BLOCK = re.compile(r"^```pine *(?:(fails|warns)=([\w-]+))?\n(.*?)^```", re.DOTALL | re.MULTILINE)
LONGEST = 160


class Example(NamedTuple):
    """A block of code in a page, and the code with which it fails or is warned about."""

    page: str
    kind: str
    code: str
    source: str


def examples() -> Iterator[Example]:
    for page in PAGES:
        for kind, code, source in _BLOCK.findall(page.read_text(encoding="utf-8")):
            yield Example(page.stem, kind, code, source)


EXAMPLES = list(examples())


@each("example", EXAMPLES)
def test_an_example_is_reported_as_the_page_says_and_runs(example: Example) -> None:
    found = open_program(example.source).diagnostics
    codes = {one.code for one in found}
    if example.kind == "fails" and not example.code.startswith("RE"):
        assert codes == {example.code}
        return
    assert codes == ({example.code} if example.kind == "warns" else set())
    assert all(one.severity is Severity.WARNING for one in found)
    symbol, days = samples.SAMPLES[0], timeframe("1D")
    result = perform(Request(example.source, sample_bars(symbol, days, 120), symbol.info("1D"), samples=True)).result
    if example.kind == "fails":
        assert result.error is not None and result.error.code == example.code
    else:
        assert result.error is None
        assert len(result.times) == 120
        for plot in result.plots:  # a title that is a number is the value
            if re.fullmatch(r"-?\d+(\.\d+)?", plot.title):
                assert set(plot.exported) == {float(plot.title)}


def test_every_block_is_read() -> None:
    blocks = sum(page.read_text(encoding="utf-8").count("```pine") for page in PAGES)
    assert blocks == len(EXAMPLES) >= 50


@each("page", PAGES)
def test_no_sentence_is_long(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    parts = [part for part in text.split("\n\n") if not part.startswith(("|", "#"))]
    for part in parts:
        for item in re.split(r"\n(?=- )", part):
            for sentence in re.split(r"(?<=[.:!?]) ", " ".join(item.split())):
                assert len(sentence) <= LONGEST, sentence


def test_the_list_of_pages_is_complete() -> None:
    listed = re.findall(r"\]\(([\w-]+\.md)\)", (FOLDER / "README.md").read_text(encoding="utf-8"))
    assert sorted([*listed, "README.md"]) == [page.name for page in PAGES]


def test_the_pages_are_short() -> None:
    assert max(len(page.read_text(encoding="utf-8").split()) for page in PAGES) <= 900
