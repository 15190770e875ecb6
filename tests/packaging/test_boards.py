"""The boards: the same sources give the same bytes, what was not measured has no number, every figure has a source."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pinebench.verification import folders
from scripts.data import parity, parity_mirrors
from scripts.docs import boards
from tests.cli.support import CHECKOUT
from tests.verification.support import recorded

DOCS = CHECKOUT / "docs"
VERDICT: dict[str, Any] = {
    "id": "a",
    "source": '//@version=6\nindicator("x")\nplot(closs)\n',
    "positions": False,
    "errors": [{"code": "CE10272", "line": None, "ctx": None}],
    "warnings": None,
}


def sources(folder: Path) -> Path:
    """A folder with two verdicts, of which we repeat one, and a recording."""
    (folder / "verdicts").mkdir(parents=True)
    other = {**VERDICT, "id": "b", "errors": []}
    (folder / "verdicts" / "dev.jsonl").write_text(f"{json.dumps(VERDICT)}\n{json.dumps(other)}\n")
    made = folders.prepared(recorded('//@version=6\nindicator("x")\nplot(close)\n', 20))
    folders.save(made, str(folder / "recordings" / "of my neighbour"))
    return folder


def test_the_same_sources_give_the_same_bytes(tmp_path: Path) -> None:
    texts: list[str] = []
    for name in ("one", "other"):
        target = tmp_path / f"{name}.json"
        assert parity.main([str(sources(tmp_path / name)), "--day", "2026-11-29", "--target", str(target)]) == 0
        texts.append(target.read_text())
    assert texts[0] == texts[1] and "neighbour" not in texts[0] and str(tmp_path) not in texts[0]
    told = json.loads(texts[0])
    assert told["kinds"]["verdicts"] == {"of": 2, "agree": 1, "different": {"b": "other codes or lines"}}
    assert told["kinds"]["charts"] == {"of": 1, "agree": 1, "different": {}}
    page = boards.parity_page(told, [])
    assert page == boards.parity_page(json.loads(texts[1]), [])
    assert "| verdicts of the compiler | 1 of 2 |" in page and "- `b`: other codes or lines" in page


def test_what_is_missing_is_not_measured_and_has_no_number(tmp_path: Path) -> None:
    some = parity.measured(sources(tmp_path / "some"), "2026-11-29")
    assert set(some["kinds"]) == {"verdicts", "charts"} and some["peers"] == {}
    for told in (some, {}):
        page = boards.parity_page(told, [{"name": "A", "key": "a", "published": "", "source": "", "command": ""}])
        kinds = [kind for kind in boards.KINDS if kind.key not in told.get("kinds", {})]
        assert len(kinds) >= 6
        assert all(f"| {kind.name} | not measured |" in page for kind in kinds)
        assert "| A |  | not measured |" in page
    assert "not measured" in boards.with_figures(f"{boards.BEGIN}{boards.END}", {}, {})
    bold = re.findall(r"\*\*([^*]*)\*\*", boards.with_figures(f"{boards.BEGIN}{boards.END}", {}, {}))
    assert bold == ["not measured"] * 3
    assert "Nothing was measured." in boards.speed_page({})


def test_a_list_that_another_program_did_not_run_does_not_count_against_it() -> None:
    row = {"of": 26, "agree": 25, "different": {"x": "the trades differ"}, "every": 9, "not_run": 2, "version": "1"}
    told = {"pinebench": "0", "day": "2026-11-29", "kinds": {}, "peers": {"a": row}}
    page = boards.parity_page(told, [{"name": "A", "key": "a", "published": "", "source": "", "command": ""}])
    assert "25 of 26 (every 9th list; 2 more did not finish)" in page


def test_a_personal_folder_ends_the_run_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, target = sources(tmp_path / "some"), tmp_path / "parity.json"
    script = folder / "recordings" / "of my neighbour" / folders.SCRIPT
    script.write_text(script.read_text() + 'x = "jane@example.com"\n')
    assert parity.main([str(folder), "--target", str(target)]) == 1
    assert not target.exists() and "jane" not in capsys.readouterr().err


def test_each_part_of_the_speed_board_says_when_it_was_measured_and_stays_when_another_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(CHECKOUT / "benchmarks"))
    import speed  # type: ignore[import-not-found]  # pyright: ignore[reportMissingImports]

    def fails(_: Any) -> None:
        raise RuntimeError("no server")

    def adds(value: float | None, reason: str = "") -> Any:
        return lambda board: board.add("Checking", "lint", "`lint`", value, "ms", reason)

    target = tmp_path / "speed.json"
    fakes = {"checking": adds(52.71), "running": adds(None, "it did not end within 150 s"), "growing": fails}
    monkeypatch.setattr(speed, "PARTS", fakes)
    assert speed.main(["--target", str(target)]) == 1, "a part failed"
    told = json.loads(target.read_text())
    assert set(told["parts"]) == {"checking", "running"}
    fakes["checking"] = adds(60.0)
    assert speed.main(["--only", "checking", "--target", str(target)]) == 0
    again = json.loads(target.read_text())
    assert again["parts"]["running"] == told["parts"]["running"]
    page = boards.speed_page(again)
    assert "| `lint` | 60.0 ms |" in page and "not measured: it did not end within 150 s" in page
    assert page.count(f"| pinebench {again['parts']['checking']['pinebench']}, ") == 2
    assert "**60.0 ms**" in boards.with_figures(f"{boards.BEGIN}{boards.END}", {}, again)


def test_every_page_of_a_board_is_made_from_its_file() -> None:
    for path, text in boards.pages().items():
        assert path.read_text(encoding="utf-8") == text, f"run scripts/docs/generate.py: {path.name}"


_FIGURE = re.compile(
    r"\b\d[\d,.]*\s?(?:ms|µs|s|MB|GB|seconds?|minutes?|times (?:as|faster|the)|bars/s|bars a second|million bars|%)"
    r"(?!\w)|\b(?:a|one) (?:quarter|third|half) of (?:a|one) core\b"
)
_MEASUREMENT = re.compile(
    r"benchmark|\bmeasur|takes? (?:about|some)|\bCPU\b|processor time|of (?:a|one) core|\bfaster\b|as fast|\bmedian\b",
    re.I,
)
_SOURCE = re.compile(r"(?:benchmarks|tests|scripts)/[\w/]+\.py|\(speed\.md\)|\(parity\.md\)|`pinebench \w+")
SETTINGS = (
    "40 seconds of processor time in all",
    "5 seconds of",
    "stops a loop after 500 ms",
    "two seconds of",
    "at least 5 % faster",
)
"""Limits and thresholds, which nobody measured."""
BOARDS = {"speed.md", "parity.md"}


def blocks(page: Path) -> list[str]:
    """The paragraphs, list items and tables of a page, without code."""
    text = re.sub(r"^ *```.*?^ *```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return [block for block in re.split(r"\n\s*\n|\n(?=- )", text) if block.strip()]


def without_source(page: Path) -> list[str]:
    """The paragraphs with a figure of speed or size that neither they nor the next paragraph say the source of."""
    found: list[str] = []
    every = blocks(page)
    for block, following in zip(every, [*every[1:], ""], strict=True):
        plain = " ".join(block.split())
        for setting in SETTINGS:
            plain = plain.replace(setting, "")
        if _FIGURE.search(plain) and _MEASUREMENT.search(plain) and not _SOURCE.search(block + following):
            found.append(" ".join(block.split())[:120])
    return found


def test_a_figure_shows_digits_that_say_something() -> None:
    texts = [
        boards.shown({"value": value, "unit": unit}) for value, unit in ((4.9e-05, "s"), (14.4, "s"), (1207, "times"))
    ]
    assert texts == ["0.0490 ms", "14.4 s", "1,207 times"]


def test_no_figure_is_without_its_source() -> None:
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    before, _, rest = readme.partition(boards.BEGIN)
    by_hand = re.sub(r"^```.*?^```", "", before + rest.partition(boards.END)[2], flags=re.DOTALL | re.MULTILINE)
    assert _FIGURE.findall(by_hand) == []
    assert not re.search(r"\d+ of \d+|\d [%×]", by_hand)
    pages = [page for page in DOCS.rglob("*.md") if page.name not in BOARDS]
    assert {page.name: left for page in pages if (left := without_source(page))} == {}


def test_the_readme_is_short_with_one_picture_and_three_figures_that_lead_to_their_boards() -> None:
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    assert len(readme.encode()) <= 8192 and readme.count("![") == 1
    rows = readme.partition(boards.BEGIN)[2].partition(boards.END)[0].strip().splitlines()[2:]
    assert len(rows) == 3
    assert all(re.search(r"\*\*[^*]+\*\* \| \[[^]]+\]\(docs/(?:parity|speed)\.md\) \|$", row) for row in rows)


def test_a_figure_without_a_source_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# P\n\nA run takes about 3 s.\n\n- It is 12 times as fast.\n- The limit is 5 s.\n")
    assert len(without_source(page)) == 2
    page.write_text("A run takes about 3 s (`benchmarks/runtime.py`).\n")
    assert without_source(page) == []


def test_complete_examples_of_the_manual_count_and_doubtful_ones_are_told(tmp_path: Path) -> None:
    scripts = {
        version: f"```pine\n//@version={version}\nindicator('a')\n%s\n```\n\nSome words.\n\n" for version in (5, 6)
    }
    page = (
        f"# P\n\nThis compiles:\n\n{scripts[6] % 'plot(close)'}A part:\n\n```pine\nplot(close)\n```\n\n"
        f"This causes an error:\n\n{scripts[6] % 'plot(closs)'}Wrong:\n\n{scripts[6] % 'plot(clase)'}"
        f"Old:\n\n{scripts[5] % 'plot(close)'}"
    )
    bare = parity_mirrors.git_of(tmp_path / "mirrors", parity_mirrors.MANUAL)
    work = tmp_path / "work"
    (work / "language").mkdir(parents=True)
    (work / "language" / "page.md").write_text(page)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in (["init", "-q", "."], ["add", "."], ["commit", "-qm", "x"], ["clone", "-q", "--bare", ".", str(bare)]):
        subprocess.run([*git, *words], cwd=work, check=True)
    told = parity.measured(tmp_path, "2026-11-29", only=["manual", "migration"])["kinds"]
    wrong = {"language/page:4": "refused: CE10272"}
    assert told["manual"] == {"of": 2, "agree": 1, "different": wrong, "left_out": 1}
    assert told["migration"] == {"of": 1, "agree": 1, "different": {}, "left_out": 0}
    shown = boards.parity_page({"pinebench": "0", "day": "2026-11-29", "kinds": told, "peers": {}}, [])
    assert "| examples of the manual | 1 of 2 (1 more left out) |" in shown
