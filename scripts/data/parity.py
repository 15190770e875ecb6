"""Count the agreement with TradingView, by kind, and write the counts for the parity board.

usage: python scripts/data/parity.py SOURCES [--day YYYY-MM-DD] [--pynecore PYTHON] [--every N] [--only KIND...]

SOURCES is a folder with what you fetched; each part of it may be missing, and is "not measured" then:

    verdicts/dev.jsonl, verdicts/editor.jsonl   recorded answers of the compiler and of the editor
    parity/                                     exported series and trade lists (scripts/data/parity_charts.py)
    mirrors/                                    git directories OWNER+NAME/repo; parity/ is made from them, and the
                                                complete examples of TradingView's manual are read from them
    recordings/*/, probes/*/                    folders of `pinebench verify --save`: charts, and probes
    migration/*.pine                            more scripts of Pine v3 to v5

PYTHON is an interpreter with `pynesys-pynecore` and `opencode-pine2pyne`; it runs every N-th trade list. Only numbers
and the names of public lists are written. The run stops if a folder contains personal data.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import pinebench  # noqa: E402
from pinebench.diagnostics import Severity  # noqa: E402
from pinebench.errors import PinebenchError  # noqa: E402
from pinebench.linter import FindingFilter, lint_text  # noqa: E402
from scripts.data import parity_charts, parity_mirrors, parity_peers, parity_verdicts  # noqa: E402
from scripts.data.check_recordings import faults, own_names  # noqa: E402
from scripts.data.parity_peers import exports_of, row_of  # noqa: E402

TARGET = ROOT / "docs" / "boards" / "parity.json"
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
        told["day"] = min(before["day"], told["day"])  # all counts are of this day or later
    given.target.parent.mkdir(parents=True, exist_ok=True)
    given.target.write_text(text_of(told), encoding="utf-8")
    for name, row in told["kinds"].items():
        print(f"{name}: {row['agree']} of {row['of']}")
    return 0


def text_of(told: Row) -> str:
    """Return the text of the file with the counts."""
    return json.dumps(told, indent=1, sort_keys=True) + "\n"


def personal_folders(sources: Path) -> list[str]:
    """Return the personal data in the folders of recordings, which must not be shared."""
    names = own_names()
    folders = [path for kind in ("recordings", "probes") for path in sorted((sources / kind).glob("*"))]
    return [f"parity: {path}: {fault}" for path in folders for fault in faults(path, names)]


def measured(sources: Path, day: str, pynecore: str | None = None, every: int = 9, only: Sequence[str] = ()) -> Row:
    """Return the counts for everything in `sources`, or for the parts that `only` names."""
    wanted = only or (*_KINDS, *_PEERS)
    exports = parity_mirrors.laid_out(sources)
    kinds: dict[str, Row] = {}
    peers: dict[str, Row] = {}
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for name, measure in _KINDS.items():
            row = measure(sources, exports, pool) if name in wanted else None
            if row is not None and row["of"]:
                kinds[name] = row
        published = parity_peers.published(sources / "mirrors") if "pineforge" in wanted else None
        if published is not None and published["of"]:
            peers["pineforge"] = published
        if "pynecore" in wanted and pynecore is not None and exports is not None:
            peers["pynecore"] = parity_peers.pynecore(pynecore, exports, every, pool)
    return {"pinebench": pinebench.__version__, "day": day, "kinds": kinds, "peers": peers}


# kinds


def _verdicts(sources: Path, _exports: Any, pool: ProcessPoolExecutor) -> Row | None:
    path = sources / "verdicts" / "dev.jsonl"
    if not path.is_file():
        return None
    answers = pool.map(parity_verdicts.answer, parity_verdicts.rows(path), chunksize=32)
    return row_of((each.id, None if each.agrees else "other codes or lines") for each in answers)


def _editor(sources: Path, _exports: Any, pool: ProcessPoolExecutor) -> Row | None:
    path = sources / "verdicts" / "editor.jsonl"
    if not path.is_file():
        return None
    rows = parity_verdicts.rows(path)
    agree = pool.map(parity_verdicts.editor_agrees, rows, chunksize=32)
    return row_of((row["id"], None if one else "another answer") for row, one in zip(rows, agree, strict=True))


def _series(_sources: Path, exports: Path | None, pool: ProcessPoolExecutor) -> Row | None:
    if exports is None:
        return None
    names = [name for name in parity_charts.FILES if (exports / "series" / f"{name}.csv").is_file()]
    found = pool.map(partial(_series_of, exports), names)
    return row_of(each for rows in found for each in rows)


def _series_of(folder: Path, name: str) -> list[tuple[str, str | None]]:
    found = parity_charts.series_differences(parity_charts.Exports(folder), name)
    return [(f"{name}: {title}", _apart(wrong)) for title, wrong in found]


def _apart(wrong: list[tuple[int, float, str]]) -> str | None:
    """Describe how many bars differ, and by how much; None if there are none."""
    if not wrong:
        return None
    far = max(abs(value - float(text)) for _, value, text in wrong)
    return f"{len(wrong)} bars differ, by at most {far:.1e}; the reason is not known"


def _lists(_sources: Path, exports: Path | None, pool: ProcessPoolExecutor) -> Row | None:
    if exports is None:
        return None
    names = parity_charts.Exports(exports).lists()
    return row_of(zip(names, pool.map(partial(_list_of, exports), names), strict=True))


def _list_of(folder: Path, name: str) -> str | None:
    """Return why a trade list differs; None if it is equal, including quantities."""
    exports = exports_of(folder)
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
    return row_of((f"folder {number}", reason) for number, reason in enumerate(found, 1))


def _recording_of(folder: Path) -> str | None:
    from pinebench.verification import folders, verdicts

    told = verdicts.verify(folders.load(str(folder)))
    if told["verdict"] == "equal":
        return None
    counts = told["plot_counts"]
    return f"{told['verdict']}: {counts['different']} plots differ, {counts['not_compared']} could not be compared"


def _manual(sources: Path, _exports: Any, pool: ProcessPoolExecutor) -> Row | None:
    every = [each for each in parity_mirrors.examples(sources / "mirrors") if each.version == 6]
    clear = [each for each in every if not each.is_doubtful]
    found = pool.map(_errors_of, [each.text for each in clear], chunksize=32)
    return {**row_of(_with_reasons([each.name for each in clear], found)), "left_out": len(every) - len(clear)}


def _with_reasons(names: Sequence[str], found: Iterable[str | None]) -> Iterator[tuple[str, str | None]]:
    """Yield the results of examples. A refused example also gets the known reason."""
    for name, reason in zip(names, found, strict=True):
        known = parity_mirrors.NO_SCRIPTS.get(name)
        yield name, f"{reason}; {known}" if reason and known else reason


def _errors_of(text: str) -> str | None:
    """Return why a script that compiles on TradingView is refused here; None if it is not refused."""
    found = lint_text(text, view=FindingFilter(tradingview=True))
    codes = sorted({each.code for each in found if each.severity is Severity.ERROR})
    return f"refused: {', '.join(codes)}" if codes else None


def _migration(sources: Path, _exports: Any, pool: ProcessPoolExecutor) -> Row | None:
    old = [each for each in parity_mirrors.examples(sources / "mirrors") if 3 <= each.version <= 5]
    texts = {each.name: each.text for each in old if not each.is_doubtful}
    texts |= {path.stem: path.read_text(encoding="utf-8") for path in sorted((sources / "migration").glob("*.pine"))}
    found = pool.map(_migrated, texts.values())
    return {**row_of(_with_reasons(list(texts), found)), "left_out": sum(each.is_doubtful for each in old)}


def _migrated(text: str) -> str | None:
    from pinebench.migration import migrate

    try:
        return _errors_of(migrate(text).text)
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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
