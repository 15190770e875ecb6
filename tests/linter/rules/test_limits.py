"""Rules on limits and speed: what each reports, and the honest code that looks like it."""

from tests.linter.rules.support import INDICATOR, marked
from tests.tables import each


def plots(count: int, color: str = "color.red") -> str:
    return "\n".join(f"plot(close, color = {color})" for _ in range(count))


def requests(count: int, symbol: str = "S{}") -> str:
    return "s = 0.0\n" + "\n".join(f"s += request.security('{symbol.format(n)}', 'D', close)" for n in range(count))


REPORTED = [
    ("PB4001", plots(61), ["indicator"]),
    ("PB4001", plots(31, "close > open ? color.red : color.blue"), ["indicator"]),
    ("PB4001", plots(64), ["indicator"]),
    ("PB4002", requests(41) + "\nplot(s)", ["request.security('S40', 'D', close)"]),
    ("PB4002", requests(45) + "\nplot(s)", ["request.security('S40', 'D', close)"]),
    ("PB4002", requests(40) + "\nplot(s + request.dividends('S'))", ["request.dividends('S')"]),
    (
        "PB4002",
        "f(s) => request.security(s, 'D', close)\ns = 0.0\n"
        + "\n".join(f"s += f('S{n}')" for n in range(41))
        + "\nplot(s)",
        ["f('S40')"],
    ),
    (
        "PB4002",
        "f(s) => request.security(s, 'D', close)\ng(s, n) => f(s) + n\ns = 0.0\n"
        + "\n".join(f"s += g('S{n}', {n})" for n in range(41))
        + "\nplot(s)",
        ["g('S40', 40)"],
    ),
]

LEFT_ALONE = [
    ("PB4001", plots(60)),
    ("PB4001", plots(30, "close > open ? color.red : color.blue")),
    ("PB4002", requests(40) + "\nplot(s)"),
    ("PB4002", requests(60, "SAME") + "\nplot(s)"),
    (
        "PB4002",
        "f(s, n) => request.security(s, 'D', close) * n\ns = 0.0\n"
        + "\n".join(f"s += f('S', {n})" for n in range(60))
        + "\nplot(s)",
    ),
    (
        "PB4002",
        "f(s) => request.security(s, 'D', close)\ns = 0.0\n"
        + "\n".join(f"s += f('S{n % 9}')" for n in range(60))
        + "\nplot(s)",
    ),
    (
        "PB4003",
        "\n".join(f"[a{n}, b{n}, c{n}] = request.security('S', 'D', [open, high, low])" for n in range(50))
        + "\nplot(1)",
    ),
    (
        "PB4003",
        "f(s) =>\n    [a, b, c] = request.security(s, 'D', [open, high, low])\n    a + b + c\ns = 0.0\n"
        + "\n".join(f"s += f('S{n}')" for n in range(45))
        + "\nplot(s)",
    ),
]


@each(("code", "body", "expected"), REPORTED)
def test_it_is_reported(code: str, body: str, expected: list[str]) -> None:
    assert marked(code, body, INDICATOR) == expected


@each(("code", "body"), LEFT_ALONE)
def test_it_is_left_alone(code: str, body: str) -> None:
    assert marked(code, body, INDICATOR) == []


def test_how_many_plots_are_many_can_be_set() -> None:
    assert marked("PB4001", plots(9), options={"PB4001": {"most": 8}}) == ["indicator"]
