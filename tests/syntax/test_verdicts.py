"""TradingView's recorded answers: its syntax errors are reproduced in code and line, no other script gets one."""

from typing import Any

from pinebench.diagnostics import Severity
from pinebench.syntax import parse
from tests.recorded import records
from tests.tables import each

SYNTAX_CODES = {"CE10004", "CE10005", "CE10013", "CE10015", "CE10017", "CE10156", "CE10161", "CE10250"}

LINES = {
    "INV108-nested-function-definition#0": 4,
    "INV042-trailing-wrap-multiple-of-4/probes/p01": 3,
    "INV042-trailing-wrap-multiple-of-4/probes/p03": 5,
    "INV042-trailing-wrap-multiple-of-4/probes/p04": 3,
    "INV042-trailing-wrap-multiple-of-4/probes/p05": 4,
    "INV042-trailing-wrap-multiple-of-4/probes/p06": 4,
    "INV043-block-comments/probes/p01": 3,
    "INV043-block-comments/probes/p02": 3,
    "INV043-block-comments/probes/p03": 3,
    "INV046-unclosed-groups-array-literals/probes/p01": 3,
    "INV046-unclosed-groups-array-literals/probes/p02": 4,
    "INV046-unclosed-groups-array-literals/probes/p03": 4,
    "INV046-unclosed-groups-array-literals/probes/p04": 3,
    "INV049-tuple-destructure-init-types/probes/p02": 3,
}
"""Lines of answers that were recorded by code alone, taken from the notes that describe the same probes."""


def _first_error(source: str) -> tuple[str, int] | None:
    document = parse(source)
    for found in document.diagnostics:
        if found.severity is Severity.ERROR:
            place = found.tv_position or document.lines.position(found.span.start)
            return found.code, place.line
    return None


def _expected(record: dict[str, Any]) -> tuple[str, int | None] | None:
    for error in record["errors"] or []:
        if error["code"] in SYNTAX_CODES:
            noted = next((line for name, line in LINES.items() if name in record["id"]), None)
            return error["code"], error.get("line") or noted
    return None


@each("record", records())
def test_syntax_error_is_the_recorded_one(record: dict[str, Any]) -> None:
    expected = _expected(record)
    found = _first_error(record["source"])
    if expected is None:
        assert found is None
    else:
        assert found is not None
        assert found[0] == expected[0]
        assert expected[1] in (None, found[1])
