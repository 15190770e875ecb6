"""Count how much agrees with TradingView, by kind, and write the counts that the parity board is made of.

usage: python scripts/parity.py SOURCES [--day YYYY-MM-DD] [--pynecore PYTHON] [--every N] [--only KIND...]

SOURCES is a folder with what you fetched; each part of it may be missing, and is "not measured" then:

    verdicts/dev.jsonl, verdicts/editor.jsonl   recorded answers of the compiler and of the editor
    parity/                                     exported series and trade lists (scripts/parity_charts.py)
    mirrors/                                    git directories OWNER+NAME/repo; parity/ is made from them
    recordings/*/, probes/*/                    folders of `pinebench verify --save`: charts, and probes
    manual/*.pine                               complete examples of TradingView's manual, which compile there
    migration/*.pine                            scripts of Pine v3 to v5 that TradingView's converter turned into v6

PYTHON is an interpreter with `pynesys-pynecore` and `opencode-pine2pyne`; it runs every N-th trade list.
Only numbers and the names of public lists are written. A folder with something personal ends the run.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import pinebench  # noqa: E402
from pinebench.diagnostics import Severity  # noqa: E402
from pinebench.errors import PinebenchError  # noqa: E402
from pinebench.linter import View, lint_text  # noqa: E402
from scripts import parity_charts, parity_verdicts  # noqa: E402
from scripts.check_recordings import faults, own_names  # noqa: E402

TARGET = ROOT / "docs" / "boards" / "parity.json"
LISTS = "pineforge-4pass/pineforge-corpus"
SERIES = "PyneSys/pynecore"
_OFFSET = timedelta(hours=8)
"""The clock of TradingView's exported lists is eight hours ahead of UTC; PineForge's lists are in UTC."""
_PRICES = {*parity_charts.PRICES, "Volume"}
_RUNNER = ROOT / "benchmarks" / "pynecore_runner.py"
_SECONDS = 120
_NOT_COMPARED = ("does not run", "is not translated")

_PEERS = ("pineforge", "pynecore")

Row = dict[str, Any]


def main(arguments: list[str]) -> int:
    """Measure every part of the sources, and write the counts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("sources", type=Path)
    parser.add_argument("--day", default=f"{datetime.now(UTC):%Y-%m-%d}", help="the day that the board names")
    parser.add_argument("--target", type=Path, default=TARGET)
    parser.add_argument("--pynecore", help="an interpreter that has PyneCore")
    parser.add_argument("--every", type=int, default=9, help="PyneCore runs every N-th trade list (default: 9)")
    parser.add_argument(
        "--only",
        nargs="+",
        default=[],
        choices=(*_KINDS, *_PEERS),
        help="measure these, and keep the other counts of the file",
    )
    given = parser.parse_args(arguments)
    if not given.sources.is_dir():
        print(f"parity: {given.sources} is not a folder", file=sys.stderr)
        return 2
    if found := personal_folders(given.sources):
        print("\n".join(found), file=sys.stderr)
        print("parity: nothing was measured: take out what is personal, or the folder", file=sys.stderr)
        return 1
    told = measured(given.sources, given.day, given.pynecore, given.every, given.only)
    if given.only and given.target.is_file():
        before = json.loads(given.target.read_text(encoding="utf-8"))
        told = {**told, **{name: before[name] | told[name] for name in ("kinds", "peers")}}
    given.target.parent.mkdir(parents=True, exist_ok=True)
    given.target.write_text(text_of(told), encoding="utf-8")
    for name, row in told["kinds"].items():
        print(f"{name}: {row['agree']} of {row['of']}")
    return 0


def text_of(told: Row) -> str:
    """The counts as the file has them."""
    return json.dumps(told, indent=1, sort_keys=True) + "\n"


def personal_folders(sources: Path) -> list[str]:
    """The personal things in the folders of recordings, which must not be passed on."""
    names = own_names()
    folders = [path for kind in ("recordings", "probes") for path in sorted((sources / kind).glob("*"))]
    return [f"parity: {path}: {fault}" for path in folders for fault in faults(path, names)]


def measured(sources: Path, day: str, pynecore: str | None = None, every: int = 9, only: Sequence[str] = ()) -> Row:
    """The counts of everything that is in `sources`, or of the parts that `only` names."""
    wanted = only or (*_KINDS, *_PEERS)
    exports = laid_out(sources)
    kinds: dict[str, Row] = {}
    peers: dict[str, Row] = {}
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for name, measure in _KINDS.items():
            row = measure(sources, exports, pool) if name in wanted else None
            if row is not None and row["of"]:
                kinds[name] = row
        published = _published(sources / "mirrors") if "pineforge" in wanted else None
        if published is not None and published["of"]:
            peers["pineforge"] = published
        if "pynecore" in wanted and pynecore is not None and exports is not None:
            peers["pynecore"] = _pynecore(pynecore, exports, every, pool)
    return {"pinebench": pinebench.__version__, "day": day, "kinds": kinds, "peers": peers}


def _row(results: Iterable[tuple[str, str | None]]) -> Row:
    """The counts of results: the name of each case, and why it differs or None."""
    every = list(results)
    different = {name: reason for name, reason in every if reason is not None}
    return {"of": len(every), "agree": len(every) - len(different), "different": dict(sorted(different.items()))}


# kinds


def _verdicts(sources: Path, _exports: Any, pool: ProcessPoolExecutor) -> Row | None:
    path = sources / "verdicts" / "dev.jsonl"
    if not path.is_file():
        return None
    answers = pool.map(parity_verdicts.answer, parity_verdicts.rows(path), chunksize=32)
    return _row((each.id, None if each.agrees else "other codes or lines") for each in answers)


def _editor(sources: Path, _exports: Any, pool: ProcessPoolExecutor) -> Row | None:
    path = sources / "verdicts" / "editor.jsonl"
    if not path.is_file():
        return None
    rows = parity_verdicts.rows(path)
    agree = pool.map(parity_verdicts.editor_agrees, rows, chunksize=32)
    return _row((row["id"], None if one else "another answer") for row, one in zip(rows, agree, strict=True))


def _series(_sources: Path, exports: Path | None, pool: ProcessPoolExecutor) -> Row | None:
    if exports is None:
        return None
    names = [name for name in parity_charts.FILES if (exports / "series" / f"{name}.csv").is_file()]
    found = pool.map(partial(_series_of, exports), names)
    return _row(each for rows in found for each in rows)


def _series_of(folder: Path, name: str) -> list[tuple[str, str | None]]:
    found = parity_charts.series_differences(parity_charts.Exports(folder), name)
    return [(f"{name}: {title}", _apart(wrong)) for title, wrong in found]


def _apart(wrong: list[tuple[int, float, str]]) -> str | None:
    """How many bars differ, and by how much; None if there are none."""
    if not wrong:
        return None
    far = max(abs(value - float(text)) for _, value, text in wrong)
    return f"{len(wrong)} bars differ, by at most {far:.1e}; the reason is not known"


def _lists(_sources: Path, exports: Path | None, pool: ProcessPoolExecutor) -> Row | None:
    if exports is None:
        return None
    names = parity_charts.Exports(exports).lists()
    return _row(zip(names, pool.map(partial(_list_of, exports), names), strict=True))


@cache
def _exports_of(folder: Path) -> parity_charts.Exports:
    """The exports of a folder, which each process reads once."""
    return parity_charts.Exports(folder)


def _list_of(folder: Path, name: str) -> str | None:
    """Why a list differs; None if it is equal, quantities included."""
    exports = _exports_of(folder)
    is_same, is_whole = exports.compared(name, exports.rates_for(name))
    if is_whole:
        return None
    known = parity_charts.OTHER_QUANTITIES if is_same else parity_charts.NEED_MINUTES | parity_charts.OTHER_BARS
    return known.get(name, "the quantities differ" if is_same else "the trades differ") + (
        "; sides, times and prices agree" if is_same else ""
    )


def _recordings(kind: str, sources: Path, _exports: Any, pool: ProcessPoolExecutor) -> Row | None:
    folders = sorted(path for path in (sources / kind).glob("*") if path.is_dir())
    found = pool.map(_recording_of, folders)
    # The name of a folder is its owner's choice, so it is not passed on.
    return _row((f"folder {number}", reason) for number, reason in enumerate(found, 1))


def _recording_of(folder: Path) -> str | None:
    from pinebench.verification import folders, verdicts

    told = verdicts.verify(folders.load(str(folder)))
    if told["verdict"] == "equal":
        return None
    counts = told["plot_counts"]
    return f"{told['verdict']}: {counts['different']} plots differ, {counts['not_compared']} could not be compared"


def _manual(sources: Path, _exports: Any, pool: ProcessPoolExecutor) -> Row | None:
    paths = sorted((sources / "manual").glob("*.pine"))
    return _row(zip((path.stem for path in paths), pool.map(_refused, paths), strict=True))


def _refused(path: Path) -> str | None:
    """Why a script that compiles on TradingView is refused here."""
    return _errors_of(path.read_text(encoding="utf-8"))


def _errors_of(text: str) -> str | None:
    found = lint_text(text, view=View(tradingview=True))
    codes = sorted({each.code for each in found if each.severity is Severity.ERROR})
    return f"refused: {', '.join(codes)}" if codes else None


def _migration(sources: Path, _exports: Any, pool: ProcessPoolExecutor) -> Row | None:
    paths = sorted((sources / "migration").glob("*.pine"))
    return _row(zip((path.stem for path in paths), pool.map(_migrated, paths), strict=True))


def _migrated(path: Path) -> str | None:
    from pinebench.migration import migrate

    try:
        return _errors_of(migrate(path.read_text(encoding="utf-8")).text)
    except PinebenchError as error:
        return error.message


_KINDS: dict[str, Callable[[Path, Path | None, ProcessPoolExecutor], Row | None]] = {
    "verdicts": _verdicts,
    "editor": _editor,
    "series": _series,
    "lists": _lists,
    "charts": partial(_recordings, "recordings"),
    "probes": partial(_recordings, "probes"),
    "manual": _manual,
    "migration": _migration,
}


# exports from mirrors


def laid_out(sources: Path) -> Path | None:
    """The folder of exports, which is made from the mirrors if it is missing; None without both."""
    folder = sources / "parity"
    mirrors = sources / "mirrors"
    if (folder / "series").is_dir():
        return folder
    if not _git_of(mirrors, LISTS).is_dir() or not _git_of(mirrors, SERIES).is_dir():
        return None
    for name in ("series", "trades"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    bars = _show(mirrors, LISTS, "data/ohlcv_ETH-USDT-USDT_15m_warmup6m.csv")
    assert bars is not None
    (folder / "bars.csv").write_text(bars, encoding="utf-8")
    for name in _names(mirrors, LISTS, "validation/"):
        script = _show(mirrors, LISTS, f"validation/{name}/strategy.pine")
        exported = _show(mirrors, LISTS, f"validation/{name}/tv_trades.csv")
        if script and exported:
            (folder / "trades" / f"{name}.pine").write_text(script, encoding="utf-8")
            (folder / "trades" / f"{name}.json").write_text(json.dumps({"trades": trades_of(exported)}))
    for name in parity_charts.FILES:
        if (text := _show(mirrors, SERIES, f"tests/t01_lib/t20_ta/data/{name}.csv")) is not None:
            (folder / "series" / f"{name}.csv").write_text(_expressions(name, text), encoding="utf-8")
    return folder


def _expressions(export: str, text: str) -> str:
    """The export without the columns whose titles do not say what was plotted."""
    rows = list(csv.reader(io.StringIO(text)))
    chosen = [k for k, title in enumerate(rows[0]) if title in _PRICES or parity_charts.is_expression(export, title)]
    made = io.StringIO(newline="")
    csv.writer(made).writerows([row[k] for k in chosen] for row in rows)
    return made.getvalue()


def trades_of(text: str, ahead: timedelta = _OFFSET) -> list[Row]:
    """The closed trades of a list whose clock is `ahead` of UTC, times in milliseconds."""
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


def _git_of(mirrors: Path, repository: str) -> Path:
    return mirrors / repository.replace("/", "+") / "repo"


def _git(mirrors: Path, repository: str, *arguments: str) -> str | None:
    command = ["git", "-C", str(_git_of(mirrors, repository)), *arguments]
    done = subprocess.run(command, capture_output=True, check=False)
    return done.stdout.decode("utf-8-sig") if done.returncode == 0 else None


def _show(mirrors: Path, repository: str, path: str) -> str | None:
    return _git(mirrors, repository, "show", f"HEAD:{path}")


def _names(mirrors: Path, repository: str, folder: str) -> list[str]:
    listed = _git(mirrors, repository, "ls-tree", "--name-only", "HEAD", folder) or ""
    return [Path(line).name for line in listed.splitlines()]


# others on the same lists


def _published(mirrors: Path) -> Row:
    """The lists that PineForge published beside TradingView's, by the same comparison."""
    if not _git_of(mirrors, LISTS).is_dir():
        return _row([])
    results: list[tuple[str, str | None]] = []
    for name in _names(mirrors, LISTS, "validation/"):
        theirs = _show(mirrors, LISTS, f"validation/{name}/engine_trades.csv")
        exported = _show(mirrors, LISTS, f"validation/{name}/tv_trades.csv")
        if theirs and exported:
            wanted = trades_of(exported)
            own = _within([_cells(trade) for trade in trades_of(theirs, timedelta())], wanted)
            is_same, _ = parity_charts.same_trades(own, wanted)
            results.append((name, None if is_same else "the trades differ"))
    return _row(results)


def _within(own: list[tuple[Any, ...]], wanted: list[Row]) -> list[tuple[Any, ...]]:
    """The trades from the first entry to the last exit that TradingView exported."""
    first, last = min(each["entry_time"] for each in wanted), max(each["exit_time"] for each in wanted)
    return [row for row in own if row[1] >= first and row[2] <= last]


def _cells(trade: Row) -> tuple[Any, ...]:
    return tuple(trade[name] for name in ("side", "entry_time", "exit_time", "entry_price", "exit_price", "qty"))


def _pynecore(python: str, folder: Path, every: int, pool: ProcessPoolExecutor) -> Row:
    names = parity_charts.Exports(folder).lists()[::every]
    every_result = list(zip(names, pool.map(partial(_pynecore_of, python, folder), names), strict=True))
    # A run that did not end, or wanted bars that the runner does not give, says nothing about the trades.
    compared = [(name, reason) for name, reason in every_result if reason not in _NOT_COMPARED]
    found = {**_row(compared), "not_run": len(every_result) - len(compared)}
    versions = subprocess.run(
        [python, "-c", "from importlib.metadata import version as v; print(v('pynesys-pynecore'))"],
        capture_output=True,
        text=True,
        check=True,
    )
    return {**found, "version": versions.stdout.strip(), "every": every}


def _pynecore_of(python: str, folder: Path, name: str) -> str | None:
    """Why PyneCore's trades differ in sides, times or prices; None if they agree."""
    exports = _exports_of(folder)
    _, wanted = exports.trade_list(name)
    reasons = [_pynecore_run(python, exports, name, start, wanted) for start in parity_charts.STARTS]
    return None if None in reasons else reasons[0]


def _pynecore_run(python: str, exports: parity_charts.Exports, name: str, start: int, wanted: list[Row]) -> str | None:
    with tempfile.TemporaryDirectory() as work:
        table = Path(work) / "bars.csv"
        rows = zip(*exports.bars_from(start).columns(), strict=True)
        lines = (",".join(map(repr, row)) for row in rows)
        table.write_text("time,open,high,low,close,volume\n" + "\n".join(lines), encoding="utf8")
        script = exports.folder / "trades" / f"{name}.pine"
        command = [python, str(_RUNNER), str(script), str(table), "15"]
        try:
            done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)
            told = json.loads(done.stdout.splitlines()[-1])
        except (subprocess.TimeoutExpired, IndexError, ValueError):
            return "does not run"
    if "trades" not in told:
        return "is not translated"
    own = _within([_pynecore_cells(row) for row in told["trades"]], wanted)
    return None if parity_charts.same_trades(own, wanted)[0] else "the trades differ"


def _pynecore_cells(row: list[Any]) -> tuple[Any, ...]:
    side, entered, entry, left, price, quantity = row
    return side, int(entered), int(left), entry, price, quantity


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
