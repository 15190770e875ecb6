"""The findings of a check for repainting, for people and as JSON."""

from __future__ import annotations

from typing import Any

from pinebench.calendars.dates import minute_text
from pinebench.repaint.repaint import Repaint, RepaintVerdict

_NUMBER = "{:.10g}".format


def repainting(found: RepaintVerdict) -> dict[str, Any]:
    """Return the check as JSON values.

    `repaints` is true, false, or null if it is not proved, and `ok` is true only if it is proved that nothing repaints.
    `not_proved` has the reasons. `bars`, `prefixes`, `live` and `cut` describe the comparisons. `varied` are the
    outputs that had more than one value, `constant` those that had the same value on all bars. `error` is the error
    that stopped the script.
    """
    return {
        "ok": found.ok,
        "repaints": found.verdict,
        "not_proved": found.missing,
        "varied": list(found.varied),
        "constant": list(found.constant),
        "bars": found.bars,
        "prefixes": found.prefixes,
        "live": found.live,
        "cut": found.cut,
        "error": None if found.error is None else found.error.message,
        "findings": [_finding(each) for each in found.findings],
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


def in_words(found: RepaintVerdict) -> list[str]:
    """Return the findings as lines of text, repainting first. If nothing repaints, or if that is not proved, a line
    says so."""
    if found.error is not None:
        return [f"nothing was compared, because the script stopped: {found.error.message}"]
    told: list[str] = []
    for each in sorted(found.findings, key=lambda finding: not finding.repaints):
        told.append(f"line {each.line}: {sentence(each)}")
        told += [f"    {why}" for why in reasons(each)]
    if found.repaints:
        return told
    looked = f"{found.bars} bars, in {len(found.prefixes)} shorter histories and on {found.live} live bars"
    if found.verdict is None:
        told += [f"not proved: {reason}" for reason in found.missing]
        told.append(f"nothing changed on {looked}, but it is not proved that nothing repaints")
    else:
        told.append(f"nothing repaints on {looked}")
    return told


def findings(found: RepaintVerdict) -> list[tuple[int, str]]:
    """The findings that the script repaints: the line of each, and a sentence with the reasons.

    If the script stopped, or if it is not proved that nothing repaints, entries with line 0 say why.
    """
    if found.error is not None:
        return [(0, f"nothing was compared, because the script stopped: {found.error.message}")]
    told = [
        (each.line, "\n".join((sentence(each), *(f"    {why}" for why in reasons(each))))) for each in found.repaints
    ]
    return told + [(0, f"not proved that nothing repaints: {reason}") for reason in found.missing]


def sentence(each: Repaint) -> str:
    """Describe a finding in one sentence."""
    where = f"bar {each.bar} ({minute_text(each.time)} UTC)"
    then, afterwards = _value(each.then), _value(each.afterwards)
    more = f", and so on {each.bars} bars" if each.bars > 1 else ""
    name = each.name if each.part in ("", "series", "condition", "offset") else f"the {each.part} of {each.name}"
    match each.kind:
        case "changed":
            return f"{name} changed after its bar closed: on {where} {_was(then)}, later {afterwards}{more}"
        case "reloaded":
            return f"{name} differs after a reload: live, {where} closed with {then}, history says {afterwards}{more}"
        case "withdrawn":
            return f"{name} fired within {where} ({then}) and did not hold at its close{more}"
        case "moved" | "redrawn":
            done = "was deleted" if each.afterwards is None else f"was moved to {afterwards}"
            state = ", because it shows a state" if each.kind == "redrawn" else ""
            return f"{name} was at {then} and {done} on bar {each.seen}{state}{more}"
        case _:
            return f"{name} is shown {afterwards}: on {where} it was not known before bar {each.seen}{more}"


def reasons(each: Repaint) -> list[str]:
    """Return the causes of a finding, each with the code to write instead. If repainting has no known cause, say so."""
    if not each.causes:
        return ["nothing in the script explains it"] if each.repaints else []
    return [f"{cause.name} on line {cause.line} {cause.what}: {cause.instead}" for cause in each.causes]


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
