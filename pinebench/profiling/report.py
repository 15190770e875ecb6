"""The report of a profile: JSON values, text, and the format of speedscope."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

from pinebench.amounts import counted
from pinebench.profiling.measurement import BROKER, RUNTIME, Profile, Stack
from pinebench.profiling.speed_advice import Advice
from pinebench.profiling.weights import Weight

_SHOWN = 12
_SCHEMA = "https://www.speedscope.app/file-format-schema.json"


def report(profile: Profile, weighed: list[Weight], advised: list[Advice]) -> dict[str, Any]:
    """Return the profile as JSON values. All times are in milliseconds."""
    return {
        "bars": profile.bars,
        "whole_ms": _ms(profile.whole),
        "added_ms": _ms(profile.added),
        "slowed_ms": _ms(profile.slowed),
        "lines": [
            {"line": one.line, "ms": _ms(one.seconds), "runs": one.runs, "text": _text(profile, one.line)}
            for one in profile.lines
        ],
        "functions": [
            {"name": one.name, "calls": one.calls, "own_ms": _ms(one.own), "total_ms": _ms(one.total)}
            for one in profile.functions
        ],
        "runtime_ms": _ms(profile.runtime),
        "broker_ms": _ms(profile.broker),
        "weights": [asdict(one) for one in weighed],
        "advice": [asdict(one) for one in advised],
        "error": profile.error,
    }


def as_text(profile: Profile, weighed: list[Weight], advised: list[Advice], safe: Callable[[str], str]) -> str:
    """Return the profile for people: the costliest lines and functions, the counts, and the advice. `safe` makes text
    safe to print."""
    return "".join(f"{line}\n" for line in _lines(profile, weighed, advised, safe))


def _lines(profile: Profile, weighed: list[Weight], advised: list[Advice], safe: Callable[[str], str]) -> Iterator[str]:
    whole, added = _ms(profile.whole), _ms(profile.added)
    bars = f"{profile.bars} bars" if profile.error is None else f"{counted(profile.bars, 'bar')}, until an error,"
    yield f"the run of {bars} took {whole:g} ms without measurement; all costs add up to {added:g} ms"
    yield ""
    yield f"{'ms':>10} {'%':>6} {'runs':>9}  line"
    ranked = sorted(profile.lines, key=lambda one: -one.seconds)
    rows = [(one.seconds, one.runs, f"{one.line}: {_text(profile, one.line)}") for one in ranked[:_SHOWN]]
    rest = sum([one.seconds for one in ranked[_SHOWN:]])
    rows += [(rest, 0, f"the other {len(ranked) - _SHOWN} lines")] if len(ranked) > _SHOWN else []
    rows += [(profile.broker, 0, BROKER), (profile.runtime, 0, f"{RUNTIME}: loops over bars, histories")]
    for seconds, runs, words in rows:
        if seconds or runs:
            share = 100 * seconds / profile.whole if profile.whole else 0.0
            yield f"{1000 * seconds:>10.2f} {share:>6.1f} {runs or '':>9}  {safe(words)[:100]}"
    if len(profile.functions) > 1:
        yield ""
        yield f"{'total ms':>10} {'own ms':>10} {'calls':>9}  function"
        for one in sorted(profile.functions, key=lambda one: -one.total)[:_SHOWN]:
            yield f"{1000 * one.total:>10.2f} {1000 * one.own:>10.2f} {one.calls:>9}  {safe(one.name)}"
    yield ""
    yield "On TradingView:"
    for one in weighed:
        most = f" of at most {one.limit:,}" if one.limit is not None else ""
        where = f" (line{'s' if len(one.lines) > 1 else ''} {_some(one.lines)})" if one.lines else ""
        yield f"  {one.name}: {one.count:,}{most}{where}{f'; {one.note}' if one.note else ''}"
    if advised:
        yield ""
        yield "Tried, with equal results:"
        for one in advised:
            yield f"  line {one.line}: {safe(one.words)}: {100 * one.saved:.0f} % less time"


def _some(lines: list[int]) -> str:
    most = 8
    return ", ".join(map(str, lines[:most])) + (f" and {len(lines) - most} more" if len(lines) > most else "")


def speedscope(profile: Profile, name: str, chart: str = "") -> dict[str, Any]:
    """Return the profile in the file format of speedscope, with weights in milliseconds. `name` is the name of the
    script, and `chart` describes the bars that it ran on."""
    title = f"{name} on {chart}" if chart else name
    frames: list[dict[str, Any]] = []
    numbers: dict[tuple[str, int], int] = {}

    def frame(label: str, line: int) -> int:
        known = numbers.get((label, line))
        if known is None:
            known = numbers[label, line] = len(frames)
            frames.append({"name": label} | ({"file": name, "line": line} if line else {}))
        return known

    stacks = ordered(profile)
    samples = [[frame(label, line) for label, line in frames_of(profile, one)] for one in stacks]
    values = [1000 * one.seconds for one in stacks]
    return {
        "$schema": _SCHEMA,
        "name": title,
        "exporter": "pinebench",
        "activeProfileIndex": 0,
        "shared": {"frames": frames},
        "profiles": [
            {
                "type": "sampled",
                "name": title,
                "unit": "milliseconds",
                "startValue": 0,
                "endValue": sum(values),
                "samples": samples,
                "weights": values,
            }
        ],
    }


def ordered(profile: Profile) -> list[Stack]:
    """Return the stacks sorted, so that equal paths of calls are next to each other."""
    return sorted(profile.stacks, key=lambda one: (one.functions, one.line))


def frames_of(profile: Profile, stack: Stack) -> list[tuple[str, int]]:
    """Return the frames of a stack, outermost first: label and line (0 for a function)."""
    found = [(function, 0) for function in stack.functions]
    return [*found, (f"{stack.line}: {_text(profile, stack.line)}"[:120], stack.line)] if stack.line else found


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 3)


def _text(profile: Profile, line: int) -> str:
    return profile.file_lines[line - 1].strip() if 0 < line <= len(profile.file_lines) else ""
