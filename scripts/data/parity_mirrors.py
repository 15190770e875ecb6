"""Read a folder of mirrors (git directories OWNER+NAME/repo): TradingView's exports, and its manual's examples."""

import csv
import io
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from scripts.data import parity_charts  # noqa: E402

LISTS = "pineforge-4pass/pineforge-corpus"
SERIES = "PyneSys/pynecore"
MANUAL = "rajeevmps/pinescriptv6"
"""TradingView's manual and reference as Markdown."""
_OFFSET = timedelta(hours=8)
"""The clock of TradingView's exported lists is eight hours ahead of UTC; PineForge's lists are in UTC."""
_PRICES = {*parity_charts.PRICES, "Volume"}
_BLOCK = re.compile(r"^```+pine\n(.*?)^```+\s*$", re.MULTILINE | re.DOTALL)
_VERSION = re.compile(r"^//@version=(\d)", re.MULTILINE)
_DECLARATION = re.compile(r"^(?:indicator|strategy|library|study)\(", re.MULTILINE)
_WRONG = re.compile(
    r"\berrors?\b|invalid|not allowed|cannot|can't|\bfails?\b|incorrect|illegal|do(?:es)? not (?:work|compile)", re.I
)
"""Words near an example that may say that it does not compile."""

NO_SCRIPTS = {
    "concepts/libraries:1": "a form with places to fill in",
    "concepts/strategies:40": "a comment of the page lost its slashes",
    "errors/legacy-error-messages:6": "it shows this very message",
    "faq/strategies:5": "it has three dots instead of arguments",
    "migration-guides/to-pine-version-6:30": "it shows what v6 refuses and no conversion can keep",
    "release-notes:21": "the indentation of the page is broken",
    "release-notes:31": "the block goes on with text of the page",
    "release-notes:33": "the block goes on with text of the page",
    "writing/profiling-and-optimization:25": "it is made-up code of a profiler, which is not Pine",
}
"""Examples that cannot compile on TradingView either, as reading them shows, each with the reason."""

Row = dict[str, Any]


class Example(NamedTuple):
    """A complete script of the manual: its page and number, its version, its text, and whether nearby text may say
    that it fails."""

    name: str
    version: int
    text: str
    is_doubtful: bool


def examples(mirrors: Path) -> Iterator[Example]:
    """Yield the complete scripts of the manual and of the reference, each once."""
    seen: set[str] = set()
    for page in names(mirrors, MANUAL, recursive=True):
        if not page.endswith(".md"):
            continue
        for number, (text, around) in enumerate(_blocks(show(mirrors, MANUAL, page) or ""), 1):
            version = _VERSION.search(text)
            if version is None or not _DECLARATION.search(text) or text in seen:
                continue
            seen.add(text)
            yield Example(f"{page.removesuffix('.md')}:{number}", int(version[1]), text, bool(_WRONG.search(around)))


def _blocks(page: str) -> Iterator[tuple[str, str]]:
    """Yield the blocks of code on a page, each with the words around it: its comments and the adjacent paragraphs."""
    for block in _BLOCK.finditer(page):
        before = page[: block.start()].rstrip().rpartition("\n\n")[2]
        after = page[block.end() :].lstrip().partition("\n\n")[0]
        yield block[1], "\n".join([before, *re.findall(r"//.*", block[1]), after])


def laid_out(sources: Path) -> Path | None:
    """Return the folder of exports. If it is missing, make it from the mirrors; None without both."""
    folder = sources / "parity"
    mirrors = sources / "mirrors"
    if (folder / "series").is_dir():
        return folder
    if not git_of(mirrors, LISTS).is_dir() or not git_of(mirrors, SERIES).is_dir():
        return None
    for name in ("series", "trades"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    bars = show(mirrors, LISTS, "data/ohlcv_ETH-USDT-USDT_15m_warmup6m.csv")
    assert bars is not None
    (folder / "bars.csv").write_text(bars, encoding="utf-8")
    for name in names(mirrors, LISTS, "validation/"):
        script = show(mirrors, LISTS, f"validation/{name}/strategy.pine")
        exported = show(mirrors, LISTS, f"validation/{name}/tv_trades.csv")
        if script and exported:
            (folder / "trades" / f"{name}.pine").write_text(script, encoding="utf-8")
            (folder / "trades" / f"{name}.json").write_text(json.dumps({"trades": trades_of(exported)}))
    for name in parity_charts.FILES:
        if (text := show(mirrors, SERIES, f"tests/t01_lib/t20_ta/data/{name}.csv")) is not None:
            (folder / "series" / f"{name}.csv").write_text(_expressions(name, text), encoding="utf-8")
    return folder


def _expressions(export: str, text: str) -> str:
    """Return the export without the columns whose titles are not Pine expressions."""
    rows = list(csv.reader(io.StringIO(text)))
    chosen = [k for k, title in enumerate(rows[0]) if title in _PRICES or parity_charts.is_expression(export, title)]
    made = io.StringIO(newline="")
    csv.writer(made).writerows([row[k] for k in chosen] for row in rows)
    return made.getvalue()


def trades_of(text: str, ahead: timedelta = _OFFSET) -> list[Row]:
    """Return the closed trades of a list whose clock is `ahead` of UTC, with times in milliseconds UTC."""
    found: dict[int, Row] = {}
    for row in csv.DictReader(io.StringIO(text)):
        number = row.get("Trade #") or row.get("Trade number")
        if not number:
            continue
        trade = found.setdefault(int(number), {})
        price = next(value for title, value in row.items() if title.startswith("Price"))
        local = datetime.strptime(row.get("Date and time") or row["Date/Time"], "%Y-%m-%d %H:%M")
        time = int((local.replace(tzinfo=UTC) - ahead).timestamp() * 1000)
        if row["Type"].startswith("Entry"):
            quantity = ("Size (qty)", "Position size (qty)", "Qty", "Quantity")
            size = next((value for title, value in row.items() if title.startswith(quantity)), "")
            side = "long" if "long" in row["Type"] else "short"
            trade |= {"side": side, "entry_time": time, "entry_price": float(price), "qty": float(size or "nan")}
        elif row.get("Signal") != "Open" and price:
            trade |= {"exit_time": time, "exit_price": float(price)}
    return [trade for _, trade in sorted(found.items()) if "entry_time" in trade and "exit_time" in trade]


def git_of(mirrors: Path, repository: str) -> Path:
    """Return the git directory of a repository."""
    return mirrors / repository.replace("/", "+") / "repo"


def _git(mirrors: Path, repository: str, *arguments: str) -> str | None:
    command = ["git", "-C", str(git_of(mirrors, repository)), *arguments]
    done = subprocess.run(command, capture_output=True, check=False)
    return done.stdout.decode("utf-8-sig") if done.returncode == 0 else None


def show(mirrors: Path, repository: str, path: str) -> str | None:
    """Return the text of a file; None if there is no such file."""
    return _git(mirrors, repository, "show", f"HEAD:{path}")


def names(mirrors: Path, repository: str, folder: str = "", *, recursive: bool = False) -> list[str]:
    """Return the names of the files in a folder; with `recursive`, the paths of all files below it."""
    options = ("-r",) if recursive else ()
    listed = _git(mirrors, repository, "ls-tree", *options, "--name-only", "HEAD", *filter(None, (folder,))) or ""
    return [line if recursive else Path(line).name for line in listed.splitlines()]
