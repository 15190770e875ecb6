"""The findings of a check for repainting, for people and as JSON."""

from __future__ import annotations

from typing import Any

from pinebench.calendars.dates import minute_text
from pinebench.repaint.repaint import Repaint, RepaintVerdict

_NUMBER = "{:.10g}".format


def repainting(verdict: RepaintVerdict) -> dict[str, Any]:
    """Return the result of a repainting check as JSON values.

    `repaints` is true, false, or null if it is not proved, and `ok` is true only if it is proved that nothing repaints.
    `not_proved` has the reasons. `bars`, `prefixes`, `live` and `cut` describe the comparisons. `varied` has the
    outputs with more than one value, and `constant` has the outputs with the same value on all bars. `error` is the
    error that stopped the script.
    """
    return {
        "ok": verdict.ok,
        "repaints": verdict.verdict,
        "not_proved": verdict.missing,
        "varied": list(verdict.varied),
        "constant": list(verdict.constant),
        "bars": verdict.bars,
        "prefixes": verdict.prefixes,
        "live": verdict.live,
        "cut": verdict.cut,
        "error": None if verdict.error is None else verdict.error.message,
        "findings": [_finding(each) for each in verdict.findings],
    }


def _finding(each: Repaint) -> dict[str, Any]:
    return {
        "kind": each.kind,
        "repaints": each.repaints,
        "output": each.output,
        "title": each.title,
        "part": each.part,
        "line": each.line,
        "bar": each.bar,
        "time": each.time,
        "then": each.then,
        "afterwards": each.afterwards,
        "seen": each.seen,
        "bars": each.bars,
        "causes": [cause._asdict() for cause in each.causes],
        "message": sentence(each),
    }


def in_words(verdict: RepaintVerdict) -> list[str]:
    """Return the findings of a check as lines of text, repainting first. If nothing repaints, or if that is not proved,
    a line says so."""
    if verdict.error is not None:
        return [f"nothing was compared, because the script stopped: {verdict.error.message}"]
    told: list[str] = []
    for each in sorted(verdict.findings, key=lambda finding: not finding.repaints):
        told.append(f"line {each.line}: {sentence(each)}")
        told += [f"    {why}" for why in reasons(each)]
    if verdict.repaints:
        return told
    looked = f"{verdict.bars} bars, in {len(verdict.prefixes)} shorter histories and on {verdict.live} live bars"
    if verdict.verdict is None:
        told += [f"not proved: {reason}" for reason in verdict.missing]
        told.append(f"nothing changed on {looked}, but this does not prove that nothing repaints")
    else:
        told.append(f"nothing repaints on {looked}")
    return told


def findings(verdict: RepaintVerdict) -> list[tuple[int, str]]:
    """Return the line of each finding that repaints, with a sentence and its reasons.

    If the script stopped, or if it is not proved that nothing repaints, entries with line 0 say why.
    """
    if verdict.error is not None:
        return [(0, f"nothing was compared, because the script stopped: {verdict.error.message}")]
    told = [
        (each.line, "\n".join((sentence(each), *(f"    {why}" for why in reasons(each))))) for each in verdict.repaints
    ]
    return told + [(0, f"not proved that nothing repaints: {reason}") for reason in verdict.missing]


def sentence(finding: Repaint) -> str:
    """Describe a finding in one sentence."""
    where = f"bar {finding.bar} ({minute_text(finding.time)} UTC)"
    then, afterwards = _value(finding.then), _value(finding.afterwards)
    more = f", and so on {finding.bars} bars" if finding.bars > 1 else ""
    is_whole = finding.part in ("", "series", "condition", "offset")
    name = finding.name if is_whole else f"the {finding.part} of {finding.name}"
    match finding.kind:
        case "changed":
            return f"{name} changed after its bar closed: on {where} {_was(then)}, later {afterwards}{more}"
        case "reloaded":
            return f"{name} differs after a reload: live, {where} closed with {then}, history says {afterwards}{more}"
        case "withdrawn":
            return f"{name} fired within {where} ({then}) and did not hold at its close{more}"
        case "moved" | "redrawn":
            done = "was deleted" if finding.afterwards is None else f"was moved to {afterwards}"
            state = ", because it shows a state" if finding.kind == "redrawn" else ""
            return f"{name} was at {then} and {done} on bar {finding.seen}{state}{more}"
        case _:
            return f"{name} is shown {afterwards}: on {where} it was not known before bar {finding.seen}{more}"


def reasons(finding: Repaint) -> list[str]:
    """Return the causes of a finding, each with the code to write instead. If repainting has no known cause, say so."""
    if not finding.causes:
        return ["nothing in the script explains it"] if finding.repaints else []
    return [f"{cause.name} on line {cause.line} {cause.what}: {cause.instead}" for cause in finding.causes]


def _was(then: str) -> str:
    return "there was nothing" if then == "nothing" else f"it was {then}"


def _value(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return "na" if value != value else _NUMBER(value)
    if isinstance(value, dict):
        return ", ".join(f"{name} {_value(each)}" for name, each in value.items())
    if isinstance(value, list) and len(value) == 1:
        return _value(value[0])
    if isinstance(value, list):
        return "(" + ", ".join(map(_value, value)) + ")"
    return str(value)


def number(value: float | None) -> str:
    """Return a number as text for people; `na` if there is none."""
    return "na" if value is None or value != value else _NUMBER(value)
