"""The message that tells an author about a verdict: findings with lines and carets, hints, and the built-ins involved.
It is short on purpose. The first error is described in full, and the other errors take precedence over the signatures
of built-ins."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pinebench import codes, reference
from pinebench.amounts import counted
from pinebench.authoring.goals import ACCOUNT, GOAL, NOWHERE
from pinebench.authoring.shortfalls import REQUEST
from pinebench.checker import spelling
from pinebench.codes.families import family
from pinebench.diagnostics import Severity
from pinebench.linter import usage
from pinebench.reference.successors import successor
from pinebench.services.digest import BYTES_PER_TOKEN, MOST_TOKENS, digest
from pinebench.syntax.lines import LineIndex

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pinebench.compilers import Verdict
    from pinebench.diagnostics import Diagnostic

LIMIT_TOKENS = 1_200

_LINE_WIDTH = 140
_MESSAGE_WIDTH = 480
_SIGNATURE_WIDTH = 600
_BUILTINS_PER_FINDING = 2
_OTHER_LINES = 8
_MOST_TOLD = 20
"""The number of first errors whose messages are always included."""
_LOOK_BACK = 4_000
"""The number of characters before a finding that are searched for the call around it."""
_UNKNOWN_NAME = ("CE10271", "CE10272")
"""The findings about a name that does not exist, for which the likely meaning is shown."""
_CALLEES = ("funId", "funName", "functionName", "signature")
"""The keys in a finding's values that can hold the function or operator at fault."""
_NAMES = {GOAL: "goal", ACCOUNT: "what the run did", REQUEST: "remark"}
"""The labels of findings that come from a run or from the request; these are never shortened."""
_WHOLE = frozenset(_NAMES)
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")


def feedback(source: str, verdict: Verdict, limit: int = LIMIT_TOKENS, *, everything: bool = False) -> str:
    """Describe the findings of `verdict` about `source` in at most `limit` tokens.

    The first finding comes in full, then as many others as fit, then the built-ins involved. Warnings and remarks are
    included if there are no errors, and with `everything` after the errors. Findings about a run or about the request
    are never shortened: goals come first, then remarks, and the description of the run last.
    """
    lines = LineIndex(source)
    others = [finding for finding in verdict.diagnostics if finding.severity <= Severity.INFO]
    seen = [finding for finding in others if finding.code in _WHOLE]
    others = [finding for finding in others if finding.code not in _WHOLE]
    whole = [part for code in (GOAL, REQUEST) for part in _told(source, lines, _of_code(seen, code))]
    account = _told(source, lines, _of_code(seen, ACCOUNT))
    findings = _in_order(verdict.errors or others)
    if everything and verdict.errors:
        findings += _in_order(finding for finding in others if finding.severity is not Severity.ERROR)
    parts = _told(source, lines, findings)
    room = limit * BYTES_PER_TOKEN - 200 - sum(map(_size, whole)) - sum(map(_size, account))
    told = 0
    shown: set[str] = set()
    explained: list[str] = []
    brief = [part.split("\n", 1)[0] for part in parts]
    for number, part in enumerate(parts):
        # Each of the first errors is told at least by its message: one that is not told costs a whole round.
        others_need = sum(map(_size, brief[number + 1 : _MOST_TOLD]))
        if (told or whole) and _size(part) > room - others_need:
            parts[number] = part = brief[number]
            if _size(part) > room or number >= _MOST_TOLD:
                break
        room -= _size(part)
        told += 1
        if told == 1:
            explained, rest_of_room = _explained(source, findings[:1], shown, room - others_need)
            room = rest_of_room + others_need
    for finding in findings[1:told]:
        more, room = _explained(source, [finding], shown, room)
        explained += more
    left = len(findings) - told
    rest = [f"... and {left} more, which are reported once these are repaired."] if left else []
    about = ["\n".join(("Built-ins involved:", *explained))] if explained else []
    about += _reference(source, shown, room) if findings else []
    summary = _summary(verdict, everything)
    return "\n\n".join((*([summary] if findings or not seen else []), *whole, *parts[:told], *rest, *about, *account))


def _reference(source: str, shown: set[str], room: int) -> list[str]:
    """Return the entries of the reference that matter most for the script, except the names in `shown`, in `room`
    bytes."""
    title = "Also in this script:"
    told = digest(source, tokens=min(MOST_TOKENS, (room - len(title)) // BYTES_PER_TOKEN), skip=shown)
    return ["\n".join((title, *(f"- {line}" for line in told.splitlines())))] if told else []


def _of_code(findings: Iterable[Diagnostic], code: str) -> list[Diagnostic]:
    return [finding for finding in findings if finding.code == code]


def _in_order(findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    return sorted(findings, key=lambda finding: finding.span.start)


def involved(source: str, finding: Diagnostic) -> list[str]:
    """Return the built-ins that `finding` concerns, most likely first: those that its message names, the likely meaning
    of an unknown name, and the surrounding call if the finding is about a call and the message does not name it."""
    said = [str(value) for _, value in finding.values]
    quoted = [name for value in said for name in _NAME.findall(value) if "." in name or value.strip("'\"()") == name]
    found = [name for name in quoted if usage.is_builtin(name)]
    hinted = [name for name in _NAME.findall(finding.hint or "") if "." in name and usage.is_builtin(name)]
    if finding.code in _UNKNOWN_NAME and hinted:
        found += hinted
    elif finding.code in _UNKNOWN_NAME:
        is_method = finding.value("kind").startswith("method")
        unknown = [name for name in quoted if not usage.is_builtin(name)]
        found += [meant for name in unknown for meant in (_meant_method(name) if is_method else _meant(name))]
    if _blames_a_call(finding):
        called = next(iter(_calls_around(source, finding.span.start)), "")
        found += [called] if reference.function(called) else []
    return list(dict.fromkeys(found))


def _blames_a_call(finding: Diagnostic) -> bool:
    """Return whether a call is at fault that `finding` does not name. For an unknown code this is assumed."""
    if any(finding.value(key) for key in _CALLEES):
        return False
    return codes.find(finding.code) is None or any(code.name == finding.code for code in family("calls"))


def _meant(name: str) -> list[str]:
    """Return the built-in that an unknown name probably means."""
    moved = [f"{space}.{name}" for space in ("ta", "math", "str", "request") if name in reference.members(space)]
    renamed = successor(name)
    return moved or ([renamed] if renamed else usage.nearest(name, count=1))


def _meant_method(name: str) -> list[str]:
    """Return the method that an unknown method probably means; `name` is `type.method`."""
    owner, _, short = name.rpartition(".")
    renamed = successor(name)
    # The type may name its elements: array<float>.
    space = owner.partition("<")[0]
    known = [f"{space}.{method}" for method in reference.methods(space)]
    return [renamed] if renamed else spelling.nearest(f"{space}.{short}", known, count=1)


def _calls_around(source: str, offset: int) -> Iterable[str]:
    """Yield the names before the parentheses that are open at `offset`, innermost first. This works in broken scripts
    too."""
    depth = 0
    start = max(0, offset - _LOOK_BACK)
    for place in range(offset - 1, start - 1, -1):
        character = source[place]
        if character in ")]":
            depth += 1
        elif character in "([":
            depth -= 1
            if depth < 0:
                depth = 0
                before = re.search(r"([A-Za-z_][\w.]*)\s*(?:<[^<>]*>)?$", source[max(start, place - 120) : place])
                if before and character == "(":
                    yield before[1]


def _summary(verdict: Verdict, everything: bool) -> str:
    found = [finding for finding in verdict.diagnostics if finding.code not in _WHOLE]
    errors, warnings = len(verdict.errors), sum(finding.severity is Severity.WARNING for finding in found)
    remarks = len(found) - errors - warnings
    kinds = [
        counted(count, word)
        for count, word in (
            (errors, "error"),
            (warnings, "warning"),
            (0 if errors and not everything else remarks, "remark"),
        )
        if count
    ]
    return f"The compiler ({verdict.origin}) reports {' and '.join(kinds) or 'nothing'}."


def _told(source: str, lines: LineIndex, findings: Iterable[Diagnostic]) -> list[str]:
    """Describe each of `findings`. Lines and hints that an earlier finding has shown already are not repeated."""
    parts: list[str] = []
    before: Diagnostic | None = None
    given: set[str] = set()
    for finding in findings:
        line, column = lines.position(finding.span.start)
        is_whole = finding.code in _WHOLE
        message = finding.message if is_whole else _cut(finding.message, _MESSAGE_WIDTH)
        if is_whole and finding.span == NOWHERE:
            parts.append(f"{_NAMES[finding.code]}: {message}")
            continue
        label = _NAMES[finding.code] if is_whole else f"{finding.severity.label} {finding.code}"
        rows = [f"{label} at {line}:{column}: {message}"]
        if before is None or before.span != finding.span:
            rows += [*_excerpt(source, lines, finding), *_elsewhere(source, lines, finding)]
        reason = advice(finding)
        if reason and reason not in given:
            rows.append(f"hint: {_cut(reason, _MESSAGE_WIDTH)}")
        given.add(reason)
        before = finding
        parts.append("\n".join(rows))
    return parts


def advice(finding: Diagnostic) -> str:
    """Return a hint about `finding`, or an explanation of its code; empty if neither exists."""
    code = codes.find(finding.code)
    return finding.hint or (code.why if code is not None else "")


def _elsewhere(source: str, lines: LineIndex, finding: Diagnostic) -> list[str]:
    """Return the other lines where a misspelt name occurs, which must be changed too."""
    name = source[finding.span.start : finding.span.end]
    if finding.code not in _UNKNOWN_NAME or not _NAME.fullmatch(name):
        return []
    here = lines.position(finding.span.start).line
    places = re.finditer(rf"(?<![\w.]){re.escape(name)}\b", source)
    found = dict.fromkeys(lines.position(place.start()).line for place in places)
    others = [str(line) for line in found if line != here]
    more = f" and {len(others) - _OTHER_LINES} more" if len(others) > _OTHER_LINES else ""
    return [f"{name} is also in line {', '.join(others[:_OTHER_LINES])}{more}"] if others else []


def _excerpt(text: str, lines: LineIndex, finding: Diagnostic) -> list[str]:
    """Return the line of a finding with carets under its span, and the lines before and after it."""
    start = min(finding.span.start, len(text))
    line_start = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    line_end = _end_of_line(text, start)
    line = lines.position(start).line
    width = len(str(line))
    rows: list[str] = []
    previous = text[:line_start].splitlines()[-1:] if line_start else []
    if previous and previous[0].strip():
        rows.append(f"{line - 1:>{width}} | {_cut(previous[0], _LINE_WIDTH)}")
    # Only the part of a long line around the caret is shown.
    first = line_start if start - line_start < _LINE_WIDTH - 20 else start - 60
    shown = text[first : min(line_end, first + _LINE_WIDTH)]
    lead = "..." if first > line_start else ""
    rows.append(f"{line:>{width}} | {lead}{shown}")
    carets = max(1, min(finding.span.end, first + len(shown)) - start)
    indent = re.sub(r"[^\t]", " ", lead + text[first:start])
    rows.append(f"{'':>{width}} | {indent}{'^' * carets}")
    following = text[line_end:].lstrip("\r").removeprefix("\n").split("\n", 1)[0].rstrip()
    if following.strip():
        rows.append(f"{line + 1:>{width}} | {_cut(following, _LINE_WIDTH)}")
    return rows


def _end_of_line(text: str, start: int) -> int:
    ends = [end for end in (text.find("\n", start), text.find("\r", start)) if end >= 0]
    return min(ends, default=len(text))


def _explained(source: str, findings: Iterable[Diagnostic], shown: set[str], room: int) -> tuple[list[str], int]:
    """Return lines about the built-ins of `findings` that are not yet in `shown`, within `room` bytes, and the bytes
    left."""
    rows: list[str] = []
    for finding in findings:
        for name in [name for name in involved(source, finding) if name not in shown][:_BUILTINS_PER_FINDING]:
            about = _about(name)
            size = _size("\n".join(about))
            if size > room:
                continue
            room -= size
            rows += about
            shown.add(name)
    return rows, room


def _about(name: str) -> list[str]:
    """Return the signatures of the built-in `name`, its description, and an example."""
    rows = [f"  {_cut(line, _SIGNATURE_WIDTH)}" for line in usage.signatures(name)]
    rows.append(f"  {_cut(_description(name), _LINE_WIDTH)}")
    example = usage.example(name)
    return [*rows, *([f"  for example: {_cut(example, _LINE_WIDTH)}"] if example else [])]


def _size(text: str) -> int:
    """Return the number of bytes of `text` and of the empty line after it."""
    return len(text.encode()) + 2


def _description(name: str) -> str:
    found = reference.function(name) or reference.variable(name) or reference.constant(name)
    return found.description if found is not None else ""


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 4] + " ..."
