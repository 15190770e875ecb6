"""Rules on repainting and look-ahead: what each reports, and the honest code that looks like it."""

import pytest

from pinebench.checker import open_program
from pinebench.linter.rules import opinions_on
from tests.linter.rules.support import INDICATOR, marked


def test_how_short_a_timeframe_must_be_can_be_set() -> None:
    body = "plot(request.security(syminfo.tickerid, '15', close))"
    assert marked("PB2003", body) == []
    assert marked("PB2003", body, options={"PB2003": {"minutes": 30}}) == ["'15'"]


@pytest.mark.parametrize(
    ("timeframe", "said"), [("5S", "5 seconds"), ("S", "1 second"), ("1", "1 minute"), ("3", "3 minutes")]
)
def test_a_short_timeframe_is_told_in_its_own_unit(timeframe: str, said: str) -> None:
    program = open_program(f"{INDICATOR}plot(request.security(syminfo.tickerid, '{timeframe}', close))")
    [found] = opinions_on(program, ["PB2003"])
    assert found.message.startswith(f"If a bar of the chart is longer than {said}, this")


def test_one_finding_tells_of_all_requests_of_one_signal_and_timeframe() -> None:
    asked = "".join(f'r{n} = request.security("S{n}", "{t}", close)\n' for n, t in enumerate("DDDW"))
    body = f"{asked}alertcondition(r0 > 1 and r1 > 2 and r2 > 3 and r3 > 4)\nplot(close)"
    assert marked("PB2006", body) == ['request.security("S0", "D", close)', 'request.security("S3", "W", close)']
