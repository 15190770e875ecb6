"""Plants typical mistakes in our solutions: what a model gets wrong, one mistake at a time.

A kind of mistake is a function from a solution to the solutions with one such mistake. Ten mistakes are chosen for a
task, of as many kinds as its solution allows, and the subtle kinds come first.
"""

import json
import re
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from pinebench.evals.task_judge import Judge
from pinebench.evals.tasks import Task

COUNT = 10
_TEXT = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|//.*")


class Mistake(NamedTuple):
    """An answer with one mistake of a kind."""

    kind: str
    answer: str


Plant = Callable[[str], Iterator[str]]


def mistakes(judge: Judge, count: int = COUNT) -> list[Mistake]:
    """`count` wrong answers to the judge's task, always the same ones."""
    task = judge.task
    if task.instance.fault is not None:
        return _wrong_faults(task)[:count]
    random = Random(f"mistakes {task.seed} {task.id}")
    good = task.instance.reference
    found: dict[str, list[str]] = {}
    for kind, plant in {**_SUBTLE, **_PLAIN}.items():
        made = [*dict.fromkeys(plant(good))]
        random.shuffle(made)
        found[kind] = made
    found["warm-up"] = list(_filled(judge))
    found["declaration"] = list(_undeclared(task))
    found["given"] = [task.instance.given] if task.instance.given else []
    subtle = [*_SUBTLE, "warm-up", "given", "declaration"]
    random.shuffle(subtle)
    plain = [*_PLAIN]
    random.shuffle(plain)
    found = {kind: [text for text in texts if text != good] for kind, texts in found.items()}
    chosen: list[Mistake] = []
    for turn in range(4):
        for kind in (*subtle, *plain):
            if turn < len(found[kind]) and len(chosen) < count:
                chosen.append(Mistake(kind, f"```pine\n{found[kind][turn]}```"))
    return chosen


# places outside of texts and comments


def _masked(source: str) -> str:
    """`source` with texts and comments blanked, at the same places."""
    return _TEXT.sub(lambda match: "\x00" * len(match[0]), source)


def _swapping(*pairs: tuple[str, str], where: str = "") -> Plant:
    """Replace one match of a pattern by a template; only on lines that contain `where`."""

    def plant(source: str) -> Iterator[str]:
        masked = _masked(source)
        for pattern, template in pairs:
            for match in re.finditer(pattern, masked, re.MULTILINE):
                line = source[source.rfind("\n", 0, match.start()) + 1 : (source + "\n").find("\n", match.start())]
                if where in line and not line.startswith(("indicator(", "strategy(", "library(")):
                    yield source[: match.start()] + match.expand(template) + source[match.end() :]

    return plant


def _counting(pattern: str, step: int) -> Plant:
    """Add `step` to the whole number that is the last group of a pattern."""

    def plant(source: str) -> Iterator[str]:
        for match in re.finditer(pattern, _masked(source)):
            start, end = match.span(match.lastindex or 0)
            yield f"{source[:start]}{int(source[start:end]) + step}{source[end:]}"

    return plant


def _together(*plants: Plant) -> Plant:
    def plant(source: str) -> Iterator[str]:
        for each in plants:
            yield from each(source)

    return plant


def _in_lines(pattern: str, template: str) -> Plant:
    """Replace one match of a pattern, also within texts."""

    def plant(source: str) -> Iterator[str]:
        for match in re.finditer(pattern, source, re.MULTILINE):
            yield source[: match.start()] + match.expand(template) + source[match.end() :]

    return plant


def _started(source: str) -> Iterator[str]:
    """Begin a sum or a count with another number, unless the first bar resets it."""
    for match in re.finditer(r"^(?:var )?(?:int|float) (\w+) = (\d+)(?=\.0\n|\n)", source, re.MULTILINE):
        is_reset = re.search(rf"if bar_index % \d+ == 0\n +{match[1]} := {match[2]}", source)
        if f"{match[1]} += " in source and not is_reset:
            yield f"{source[: match.start(2)]}{int(match[2]) + 1}{source[match.end(2) :]}"


_SUBTLE: dict[str, Plant] = {
    "length": _together(
        _counting(r"input\.int\((\d+)", 1),
        _counting(r"\bta\.\w+\([^()\n]*, (\d+)\)", 1),
        _counting(r"\b(?:loss|profit|trail_points|trail_offset) = (\d+)", 3),
        _counting(r"% (\d+)", 1),
    ),
    "source": _swapping(
        (r"\bclose\b(?!_)", "open"),
        (r"\bhigh\b(?!Length|Level)", "low"),
        (r"\blow\b(?!Level)", "high"),
        (r"\bvolume\b", "close"),
        (r"\b(?:hl2|hlc3|ohlc4)\b", "close"),
    ),
    "comparison": _swapping((r" >=? ", " < "), (r" <=? ", " > "), (r" == ", " != ")),
    "crossing": _swapping((r"ta\.crossover", "ta.crossunder"), (r"ta\.crossunder", "ta.crossover")),
    "function": _swapping(
        (r"ta\.sma\(", "ta.ema("),
        (r"ta\.(?:ema|wma|rma)\(", "ta.sma("),
        (r"ta\.highest\(", "ta.lowest("),
        (r"ta\.lowest\(", "ta.highest("),
        (r"math\.max\(", "math.min("),
        (r"math\.min\(", "math.max("),
        (r"math\.abs\(", "("),
        (r"ta\.stdev\(", "ta.dev("),
        (r"ta\.pivothigh\(", "ta.pivotlow("),
        (r"\.first\(\)", ".last()"),
        (r"\.shift\(\)", ".pop()"),
        (r"\.median\(\)", ".avg()"),
        (r"ta\.cum\(", "("),
    ),
    "logic": _swapping((r" and ", " or "), (r"\bnot ", "")),
    "arithmetic": _swapping((r" \+ ", " - "), (r" - ", " + "), (r" \* ", " / "), (r" / ", " * ")),
    "history": _together(_swapping((r"\[1\]", "")), _counting(r"[\w)]\[(\d+)\]", 1)),
    "memory": _swapping((r"^var (int|float|bool|array|map)", r"\1")),
    "direction": _swapping((r"strategy\.long\b", "strategy.short"), (r"strategy\.short\b", "strategy.long")),
    "quantity": _together(_counting(r"default_qty_value = (\d+)", 1), _swapping((r"qty = \w+", "qty = 1"))),
    "condition": _swapping((r"^( *)if (.+)$", r"\1if not (\2)")),
    "factor": _together(
        _in_lines(r"input\.float\((\d+)(\.?\d*)", r"input.float(1\1\2"),
        _swapping((r"(?<![\w.])100 \*", "10 *"), (r"(?<![\w.])2 \*", "3 *"), (r"(?<![\w.])3 \*", "2 *")),
    ),
    "update": _swapping((r" \+= ", " -= ")),
    "look-ahead": _swapping((r", lookahead = barmerge\.lookahead_on", "")),
    "missing": _together(
        _in_lines(r"^(?:plot|plotshape|bgcolor|strategy\.exit|alertcondition)\(.*\n", ""),
        _in_lines(
            r"^( +)(?:strategy\.(?:entry|cancel|close_all)|alert|label\.new|\w+\.cell|\w+\.push)\(.*$",
            r"\1float nothing = na",
        ),
    ),
    "start": _started,
    "bracket": _swapping((r"\bloss = ", "profit = "), (r"\bstop = (\w+), limit = (\w+)", r"stop = \2, limit = \1")),
}

_PLAIN: dict[str, Plant] = {
    "shift": _in_lines(r'^plot\((.+?), "', r'plot((\1)[1], "'),
    "name": _in_lines(r'^((?:plot|plotshape|bgcolor)\(.+?), "(\w[^"]*)"', r'\1, "\2s"'),
    "input": _in_lines(r'(= input\.\w+\([^"\n]*)"([^"]+)"', r'\1"\2s"'),
    "order id": _in_lines(r'strategy\.entry\("([^"]+)"', r'strategy.entry("\1s"'),
    "last bar": _in_lines(r'^plot\((.+?), "', r'plot(barstate.islast ? na : \1, "'),
    "rounding": _in_lines(r'^plot\((.+?), "', r'plot(1.001 * (\1), "'),
    "misspelled": _swapping((r"\b(ta|math|strategy|str)\.(\w+)\(", r"\1.\2s(")),
    "version": _in_lines(r"^//@version=6", "//@version=5"),
    "text": _in_lines(r'((?:alert|label\.new|\w+\.cell)\(.*)"([^"]+)"', r'\1"\2!"'),
    "export": _in_lines(r"^export (?:method )?(\w+)\(", r"export \1s("),
    "kind of script": _in_lines(r"^(?:indicator|strategy|library)\(", "indicator(1, "),
    "field": _in_lines(r"^( {4}int \w+ = )0$", r"\g<1>1"),
    "parameter": _in_lines(r"^(export .*), [\w<> ]+?(\w+)\) =>", r"\1, float \2) =>"),
    "title": _in_lines(r'^library\("(\w+)"', r'library("\1s"'),
    "result": _in_lines(r"^( {4})(?!if |for |float |this|array)(\S.*)(?=\n(?://|$))", r"\1 1.001 * (\2)"),
}


def _filled(judge: Judge) -> Iterator[str]:
    """Solutions that plot 0 where there is no value yet, for plots that begin with na."""
    expected = judge.expected(judge.cases[0])
    for title, values in expected.plots.items():
        if values and values[0] != values[0]:
            pattern = rf'^plot\((.+?), (title = )?"{re.escape(title)}"'
            yield from _in_lines(pattern, rf'plot(nz(\1), "{title}"')(judge.task.instance.reference)


def _undeclared(task: Task) -> Iterator[str]:
    """Solutions without an argument that the declaration must have."""
    for name in task.instance.settings:
        yield re.sub(rf", {name} = \w+", "", task.instance.reference, count=1)


def _wrong_faults(task: Task) -> list[Mistake]:
    fault = task.instance.fault
    assert fault is not None
    line, code = fault.line, fault.code
    others = re.findall(r"^- ([\w-]+):", task.instance.request, re.MULTILINE)
    other = next(each for each in others if each != code)
    right = {"line": line, "code": code}
    return [
        Mistake("next line", json.dumps({**right, "line": line + 1})),
        Mistake("line before", json.dumps({**right, "line": line - 1})),
        Mistake("another code", json.dumps({**right, "code": other})),
        Mistake("both wrong", json.dumps({"line": line + 2, "code": other})),
        Mistake("line as a text", json.dumps({**right, "line": str(line)})),
        Mistake("no code", json.dumps({"line": line})),
        Mistake("no line", json.dumps({"code": code})),
        Mistake("no JSON", f"The fault is on line {line}: {code}."),
        Mistake("two answers", f"{json.dumps(right)}\n{json.dumps({**right, 'line': line + 1})}"),
        Mistake("changed code", json.dumps({**right, "code": f"{code}x"})),
    ]
