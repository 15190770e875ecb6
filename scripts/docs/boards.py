"""Make the pages of the parity board and the speed board, and the figures in the README, from `docs/boards/*.json`.

`scripts/data/parity.py` and `benchmarks/speed.py` write these files; `scripts/docs/generate.py` writes the pages. A
figure that is missing in the files is "not measured" on the pages. No figure is ever written by hand.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "boards"
NOT_MEASURED = "not measured"
BEGIN = "<!-- figures of the boards: scripts/docs/generate.py writes them -->\n"
END = "<!-- end of the figures -->"
MOST_SHOWN = 20
"""How many differences of a kind are listed; the number of the others is told."""

Told = Mapping[str, Any]


class Kind(NamedTuple):
    """A kind of comparison: its key in the file, and the page's text about it."""

    key: str
    name: str
    tolerance: str
    source: str


KINDS = (
    Kind(
        "verdicts",
        "verdicts of the compiler",
        "the same codes; lines and warnings where they were recorded",
        "answers that folknor/pine-tools recorded",
    ),
    Kind(
        "editor",
        "answers of the editor",
        "code, message and line, as far as they were recorded",
        "messages that third parties quoted in public",
    ),
    Kind(
        "series",
        "series",
        "every value to the last exported digit, and the same missing values",
        "chart exports in the tests of PyneSys/pynecore",
    ),
    Kind(
        "lists",
        "trade lists",
        "every closed trade: side and times, prices to a cent, quantity to six decimals",
        "exports in pineforge-4pass/pineforge-corpus",
    ),
    Kind(
        "charts",
        "chart exports",
        "all plots and trades, within a billionth",
        "folders of `pinebench verify --save`, of any chart",
    ),
    Kind(
        "probes",
        "probe cases",
        "all plots and trades, within a billionth",
        "folders of `pinebench verify --save`, of a script that tests one rule",
    ),
    Kind(
        "manual",
        "examples of the manual",
        "no error; examples that the page may describe as not compiling are left out",
        "complete v6 scripts of the user manual and the reference, in rajeevmps/pinescriptv6",
    ),
    Kind(
        "migration",
        "migration",
        "the result has no error; its numbers are not compared, because no results of TradingView's converter were "
        "recorded",
        "complete scripts of v3 to v5 in the manual, and scripts that you add",
    ),
)

_PARITY = """\
# Parity board

Generated from `docs/boards/parity.json` by `scripts/docs/generate.py`.

How closely does pinebench reproduce TradingView's answers and exports? {when}

| comparison | agree | tolerance | source |
|---|---|---|---|
{rows}

"Not measured" means that the sources were missing. No folder of `pinebench verify` is public yet: making one needs a
chart on TradingView.

## All differences

{differences}

[Known differences](known-differences.md) lists differences and open questions that these comparisons do not cover.

## Other programs

| program | published claim | agrees, in our comparison | source | command |
|---|---|---|---|---|
{peers}

Our comparison of trade lists is the same as above, but without quantities, because the programs take the smallest
quantity from elsewhere. Lists with requests also need bars of other timeframes: no program got bars of minutes, and
PyneCore got no bars of longer timeframes. The published claims rest on each program's own thresholds, so they cannot be
compared with our figures.

## Reproduce the figures

```sh
make parity SOURCES=DIR                     # writes docs/boards/parity.json and this page
make parity SOURCES=DIR PYNECORE=PYTHON     # PyneCore, too, on every ninth list; PYTHON has it installed
```

DIR is a folder with the data that you fetched. Only counts and the names of public lists are written to the repository.
A part that is missing is "not measured".

| in DIR | content |
|---|---|
| `verdicts/dev.jsonl`, `verdicts/editor.jsonl` | recorded answers, one JSON object per line |
| `mirrors/OWNER+NAME/repo` | clones of the repositories that the tables name (`git clone --bare`) |
| `parity/` | the exports; created from the mirrors if it is missing |
| `recordings/*/`, `probes/*/` | [saved folders](verification.md#share-a-folder) of `pinebench verify` |
| `migration/*.pine` | more scripts of Pine v3 to v5 |

The same sources and the same day (`scripts/data/parity.py --day`) give the same bytes.
"""

_SPEED = """\
# Speed board

Generated from `docs/boards/speed.json` by `scripts/docs/generate.py`.

{when}

{tables}

## Reproduce the figures

```sh
python benchmarks/speed.py --peers PYTHON --anchor COMMAND     # about ten minutes; writes docs/boards/speed.json
python benchmarks/speed.py --only running --peers PYTHON       # one part; the others stay as they are
python scripts/docs/generate.py                                # writes this page and the figures of the README
```

PYTHON is an interpreter with `backtesting`, `vectorbt`, `numba`, `pynesys-pynecore` and `opencode-pine2pyne`; COMMAND
lints the files whose names follow it. Without them, their figures are "not measured". All programs of a part run on one
machine, in turns or one right after the other, so ratios are more reliable than seconds. `make bench` prints the time
and memory of parts of pinebench, such as the linter, next to their limits.
"""


def pages() -> dict[Path, str]:
    """Return the text of the README and of every page that is made from the boards, by path."""
    parity, speed = read("parity"), read("speed")
    readme = ROOT / "README.md"
    return {
        ROOT / "docs" / "parity.md": parity_page(parity, json.loads((FOLDER / "peers.json").read_text("utf-8"))),
        ROOT / "docs" / "speed.md": speed_page(speed),
        readme: with_figures(readme.read_text(encoding="utf-8"), parity, speed),
    }


def read(name: str) -> Told:
    """Return the content of `docs/boards/NAME.json`; empty if there is no such file."""
    path = FOLDER / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def parity_page(told: Told, peers: Sequence[Told]) -> str:
    """Return the page of the parity board."""
    kinds: Told = told.get("kinds", {})
    rows = [f"| {kind.name} | {agreed(kinds.get(kind.key))} | {kind.tolerance} | {kind.source} |" for kind in KINDS]
    measured: Told = told.get("peers", {})
    others = [
        _cells(peer["name"], peer["published"], _peer(measured.get(peer["key"])), peer["source"], peer["command"])
        for peer in peers
    ]
    return _PARITY.format(
        when=when(told), rows="\n".join(rows), differences="\n".join(_differences(kinds)), peers="\n".join(others)
    )


def _cells(*texts: str) -> str:
    return f"| {' | '.join(texts)} |"


def when(told: Told) -> str:
    """Return the version and the day of a measurement."""
    if not told:
        return "It was not measured with this version yet."
    return f"Measured with pinebench {told['pinebench']} on {told['day']}."


def agreed(row: Told | None) -> str:
    """Return in words how many cases agree."""
    if not row:
        return NOT_MEASURED
    left_out = row.get("left_out", 0)
    return f"{row['agree']:,} of {row['of']:,}" + (f" ({left_out:,} more left out)" if left_out else "")


def _peer(row: Told | None) -> str:
    if not row:
        return NOT_MEASURED
    if "every" not in row:
        return agreed(row)
    return f"{agreed(row)} (every {row['every']}th list; {row['not_run']} more did not finish)"


def _differences(kinds: Told) -> Iterator[str]:
    some = False
    for kind in KINDS:
        different: Told = kinds[kind.key]["different"] if kind.key in kinds else {}
        if not different:
            continue
        some = True
        yield f"**{kind.name}**\n"
        yield from (f"- `{name}`: {reason}" for name, reason in list(different.items())[:MOST_SHOWN])
        if len(different) > MOST_SHOWN:
            yield f"- and {len(different) - MOST_SHOWN} more"
        yield ""
    if not some:
        yield "Nothing that was measured differs." if kinds else "Nothing was measured."


def speed_page(told: Told) -> str:
    """Return the page of the speed board."""
    parts: Told = told.get("parts", {})
    tables = ["\n".join(_table(name, figures)) for name, figures in _groups(parts).items()]
    return _SPEED.format(when="\n".join(_conditions(parts)), tables="\n\n".join(tables) or "Nothing was measured.")


def _figures_of(parts: Told) -> Iterator[Told]:
    """Yield the figures of all parts, in the order in which they are measured."""
    order = ("checking", "starting", "running", "growing", "answering")
    for name in sorted(parts, key=lambda name: order.index(name) if name in order else len(order)):
        yield from parts[name]["figures"]


def _groups(parts: Told) -> dict[str, list[Told]]:
    groups: dict[str, list[Told]] = {}
    for figure in _figures_of(parts):
        groups.setdefault(figure["group"], []).append(figure)
    return groups


def _conditions(parts: Told) -> Iterator[str]:
    """Yield the lines of a table of when and where each part was measured."""
    if not parts:
        yield when({})
        return
    yield "Medians; seconds are processor time of one core unless the row says otherwise.\n"
    yield "| tables | measured | machine | load before | versions |"
    yield "|---|---|---|---|---|"
    for part in parts.values():
        machine = part["machine"]
        where = f"{machine['processor']}, {machine['cores']} cores, {machine['memory']}, {machine['system']}"
        versions = ", ".join(f"{name} {version}" for name, version in sorted(part["versions"].items()))
        names = ", ".join(dict.fromkeys(figure["group"] for figure in part["figures"]))
        measured = f"pinebench {part['pinebench']}, {part['day']}"
        yield _cells(names, measured, where, f"{machine['load']:.2f}", versions)


def _table(name: str, figures: Sequence[Told]) -> Iterator[str]:
    yield f"## {name}\n"
    yield "| what | figure |"
    yield "|---|---|"
    yield from (f"| {figure['name']} | {shown(figure)} |" for figure in figures)


def shown(figure: Told) -> str:
    """Return a figure with its unit; for one that was not measured, the reason."""
    if figure["value"] is None:
        return f"{NOT_MEASURED}: {figure['reason']}"
    value, unit = float(figure["value"]), figure["unit"]
    if unit == "s" and value < 0.1:
        value, unit = value * 1_000, "ms"
    digits = 0 if value >= 100 else 1 if value >= 10 else 2 if value >= 0.1 else 4
    return f"{value:,.{digits}f} {unit}"


def with_figures(readme: str, parity: Told, speed: Told) -> str:
    """Return the README with the figures of the boards between their marks."""
    before, _, rest = readme.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + "".join(_figures(parity, speed)) + END + after


def _figures(parity: Told, speed: Told) -> Iterator[str]:
    kinds: Told = parity.get("kinds", {})
    answers = [kinds[key] for key in ("verdicts", "editor") if key in kinds]
    both = {name: sum(row[name] for row in answers) for name in ("agree", "of")} if answers else None
    every = _figures_of(speed.get("parts", {}))
    lint = next((shown(each) for each in every if each["key"] == "lint"), NOT_MEASURED)
    parity_board, speed_board = "[parity board](docs/parity.md)", "[speed board](docs/speed.md)"
    rows = (
        ("answers of TradingView's compiler and editor, reproduced", agreed(both), parity_board),
        ("exported trade lists, reproduced trade by trade", agreed(kinds.get("lists")), parity_board),
        ("time of `pinebench lint` for 1,000 lines", lint, speed_board),
    )
    yield "| What | Figure | Source |\n|---|---|---|\n"
    yield from (_cells(what, f"**{figure}**", board) + "\n" for what, figure, board in rows)
