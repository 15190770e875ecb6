"""A syntax error is reported without the echoes that it causes further on."""

from __future__ import annotations

import pytest

from tests.check.support import checked


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("array<string> words = [1, 2]\nx = words.get(0)", {"CE10156"}),
        ("length = = 5\nx = ta.sma(close, length)", {"CE10156"}),
        ("length = = 5\nx = undeclared", {"CE10156", "CE10272"}),
        ("plot(close))\nx = ta.sma(close)", {"CE10156", "CE10165"}),
    ],
)
def test_what_is_left_of_the_findings(script: str, expected: set[str]) -> None:
    found = {finding.code for finding in checked(script).diagnostics}
    assert {"CE10156" if code == "CE10013" else code for code in found} == expected
