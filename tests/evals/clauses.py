"""The clauses of the requests, each with answers that disregard it.

`clauses.toml` has them, and says what its parts are.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

from pinebench.evals.tasks import Task

Swap = tuple[str, str]


_FILE = tomllib.loads(Path(__file__).with_name("clauses.toml").read_text(encoding="utf-8"))
CLAUSES: dict[str, dict[str, list[Swap | str]]] = _FILE["families"]
"""For each family its clauses, each with what replaces a match in our solution by something else."""

_PLOT = r'^(plot)\((.+?), (?:title = )?"([^"]+)"(.*)\)$'
_SIGN = r'^(plotshape|bgcolor)\((.+?), (?:title = )?"([^"]+)"(.*)\)$'


def general(task: Task) -> Iterator[tuple[str, str]]:
    """A name and an answer for each general clause of a task: titles, defaults, ids, places, costs, frequencies."""
    source = task.instance.reference
    for name, pattern, change in _GENERAL:
        for match in re.finditer(pattern, source, re.MULTILINE):
            for number, text in enumerate(change(match)):
                yield f"{name} {number}: {match[0][:40]}", source[: match.start()] + text + source[match.end() :]
    for name in task.instance.settings:
        changed = re.sub(rf", {name} = [\w.]+", "", source, count=1)
        if changed != source:
            yield f"setting {name}", changed


def _of_plot(match: re.Match[str]) -> list[str]:
    function, value, title, rest = match.groups()
    named = f'"{title}"' if function == "plotshape" or function == "plot" else f'title = "{title}"'
    kept = re.sub(r", display = [\w.]+", "", rest)
    found = [
        f'{function}({value}, {named[:-1]}s"{rest})',
        f"{function}({value}, {named}{rest}, offset = 1)",
        f"{function}({value}, {named}{rest}, offset = -1)",
        f"{function}({value}, {named}{rest}, show_last = 5)",
    ]
    if "display.none" not in rest:
        found.append(f"{function}({value}, {named}{kept}, display = display.none)")
    return found


def _of_shape(match: re.Match[str]) -> list[str]:
    function, value, title, rest = match.groups()
    hidden = (
        f'plotshape({value}, "{title}"{rest}, color = color.new(color.red, 100))'
        if function == "plotshape"
        else f'bgcolor(na, title = "{title}"{rest})'
    )
    return [*_of_plot(match), hidden]


def _of_input(match: re.Match[str]) -> list[str]:
    kind, default, title, rest = match.groups()
    other = str(int(default) + 1) if kind == "int" else f"{float(default) * 1.5 + 0.37:g}"
    return [
        f"input.{kind}({other}, {title}{rest})",
        f"= {default}" if match[0].startswith("=") else default,
        f'input.{kind}({default}, {title[:-1]}s"{rest})',
    ]


_GENERAL: tuple[tuple[str, str, Callable[[re.Match[str]], list[str]]], ...] = (
    ("plot", _PLOT, _of_plot),
    ("sign", _SIGN, _of_shape),
    ("input", r'input\.(int|float)\((-?[\d.]+), ((?:title = )?"[^"]+")(, min[^()]*|)\)', _of_input),
    ("entry", r'strategy\.entry\("(\w[\w ]*)"', lambda match: [match[0][:-1] + 's"']),
    ("capital", r"initial_capital = 100000", lambda _: ["initial_capital = 50000"]),
    ("quantity", r"default_qty_value = (\d+)", lambda match: [f"default_qty_value = {int(match[1]) + 1}"]),
    ("slippage", r"slippage = (\d+)", lambda match: [f"slippage = {int(match[1]) + 1}"]),
    ("commission", r"commission_value = ([\d.]+)", lambda match: [f"commission_value = {match[1]}1"]),
    (
        "defaults of the declaration",
        r"^strategy\((\"[^\"]+\")",
        lambda match: [
            f"strategy({match[1]}, {name} = true"
            for name in ("calc_on_every_tick", "calc_on_order_fills", "process_orders_on_close", "use_bar_magnifier")
        ],
    ),
    (
        "frequency",
        r"alert\.freq_once_per_bar_close",
        lambda _: ["alert.freq_all", "alert.freq_once_per_bar"],
    ),
)


def sentences(task: Task) -> list[str]:
    """The sentences of a request, also the parts before a colon and after a semicolon."""
    text = re.sub(r"(?<=\d)\. (?=[A-Z])|(?<=^-)\s(?=\d)", lambda match: match[0], task.instance.request)
    parts = re.split(r"(?<=[.;:])\s+|\n+", text)
    return [part.strip() for part in parts if part.strip()]


def said_by(task: Task, part: str) -> bool:
    """Whether a clause, a general clause or a free sentence accounts for a sentence."""
    own = CLAUSES[task.family.name]
    free = (*_FILE["free"]["*"], *_FILE["free"].get(task.family.name, ()))
    return any(re.search(pattern, part) for pattern in (*own, *_FILE["general"], *free))


def disregarding(task: Task) -> Iterator[tuple[str, str]]:
    """A name and a script for each clause of the family that the request has, and for each replacement that fits."""
    source = task.instance.reference
    for said, wrong in CLAUSES[task.family.name].items():
        if any(re.search(said, part) for part in sentences(task)):
            for pattern, template in _swaps(wrong):
                changed, count = re.subn(pattern, template, source, count=1, flags=re.MULTILINE)
                if count:
                    yield f"{said} <- {pattern}", changed


def _swaps(wrong: list[Swap | str]) -> Iterator[Swap]:
    for given in wrong:
        yield from _FILE["shared"][given] if isinstance(given, str) else [given]
