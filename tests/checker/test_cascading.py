"""A syntax error is reported without the echoes that it causes further on."""

from pinebench.syntax.faults import NOT_INDENTED
from tests.checker.support import checked
from tests.tables import each


@each(
    ("script", "expected"),
    [
        ("array<string> words = [1, 2]\nx = words.get(0)", {"CE10156"}),
        ("length = = 5\nx = ta.sma(close, length)", {"CE10156"}),
        ("length = = 5\nx = undeclared", {"CE10156", "CE10272"}),
        ("for i = 1 to 9\n     y = i\n    z = y\n    plot(y)\nx = z", {"CE10161"}),
        ("f(x)\n    y = x\n    y + 1\nz = f(1)", {"CE10156"}),
        ("f(x) =>\n    x\n        y = 1\n    y\nz = f(1) + y", {"CE10156"}),
        ("m = 'a'\nx = m\n    'a' => 1\n    => 2\ny = x + 1", {"CE10156"}),
        ("if close > open +\n    y = 1\n    z = y\ny = 2", {"CE10156"}),
        ("type T\n    int a = 1 +\n    int b\nt = T.new(1, 2)\nx = t.a", {"CE10156"}),
        ("enum E\n    a = = 1\n    b\ne = E.a", {"CE10156"}),
        ("f() =>\n    int a = 1 +\n    line.new(1, 2, 3, 4)\nline x = f()", {"CE10156"}),
        ("const x = 1\nx := 2", {"CE10147"}),
        ("x = 0\nif close > 2\n    x := 1\n    x\nelse\n   x := 2\n    x", {"CE10156"}),
        ("x = 0\nif close > 2\n    x := 1\n    x\nelse if close = 3\n    x := 2\n    x", {"CE10156"}),
        ("if close > 2\n    a = 1\nelse if close = 3\n    a = 2\nelse\n    a = 3\na = 4", {"CE10156"}),
        ("if close = 2\n    a = 1\n    a := 2\nelse\n    a = 3\n    a := 4\nplot(a)", {"CE10156"}),
        ("if close > 2\n    a = 1\nelse\n   a = 3\n    b = a\na = 4", {"CE10156"}),
        ("plot(close))\nx = ta.sma(close)", {"CE10016", "CE10165"}),
    ],
)
def test_what_is_left_of_the_findings(script: str, expected: set[str]) -> None:
    found = {finding.code for finding in checked(script).diagnostics}
    assert {"CE10156" if code in NOT_INDENTED else code for code in found} == expected
