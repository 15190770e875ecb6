"""Scripts that TradingView accepts give no error, and scripts with marked faults give those faults and nothing else.

In `invalid/`, a comment `// expect: CODE, CODE` tells what must be reported on the next line that is not such a
comment; for an error that has no place (CE10250) the line does not matter.
"""

import re
from pathlib import Path

from pinebench.checker import check
from pinebench.codes import all_codes
from pinebench.diagnostics import Severity
from pinebench.syntax import parse
from tests.tables import each

HERE = Path(__file__).resolve().parent
VALID = sorted((HERE / "valid").glob("*.pine"))
INVALID = sorted((HERE / "invalid").glob("*.pine"))
_EXPECTED = re.compile(r"\s*// expect: ([\w-]+(?:, [\w-]+)*)\s*$")

_WITHOUT_PLACE = ("CE10250",)

Place = tuple[str, int]


def findings(text: str, worst: Severity) -> set[Place]:
    """Code and line of every finding as bad as `worst` or worse."""
    document = parse(text)
    return {
        _placed(finding.code, document.lines.position(finding.span.start).line)
        for finding in check(document).diagnostics
        if finding.severity <= worst
    }


def _placed(code: str, line: int) -> Place:
    return code, 0 if code in _WITHOUT_PLACE else line


def expected(text: str) -> set[Place]:
    """Code and line of everything that a script's comments expect."""
    found: set[Place] = set()
    codes: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        match = _EXPECTED.match(line)
        if match:
            codes += match.group(1).split(", ")
            continue
        found |= {_placed(code, number) for code in codes}
        codes = []
    return found


@each("path", VALID)
def test_valid_script_has_no_error(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not findings(text, Severity.ERROR)


@each("path", INVALID)
def test_invalid_script_has_the_marked_faults(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    wanted = expected(text)
    assert wanted, "no fault is marked"
    worst = max(all_codes()[code].severity for code, _ in wanted)
    assert findings(text, worst) == wanted
