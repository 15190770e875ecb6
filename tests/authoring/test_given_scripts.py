"""A script to change goes to the model with what is wrong with it, and an old one with what v6 changed, at once."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pinebench.authoring import session
from pinebench.authoring.author import AuthorBudget
from pinebench.compilers.local import LocalCompiler
from pinebench.context import Context
from tests.authoring.fake_anthropic import script
from tests.authoring.support import CLEAN, OUTPUT, REQUEST, claude, ending, isolate, service

HEAD = '//@version=6\nindicator("Given")\n'
STRATEGY = '//@version=6\nstrategy("Given")\n'
CONVERT = "convert it to v6"

# a script with faults, and words of the findings that must go with it
BROKEN = [
    (HEAD + "plot(ta.smaa(close, 9))\n", ["ta.smaa"]),
    (HEAD + "plot(clsoe)\n", ["clsoe"]),
    (HEAD + "plot(close, colour = color.red)\n", ["colour"]),
    (HEAD + "x = 1\nx = 2\nplot(x)\n", ["already defined"]),
    (HEAD + "x := close\nplot(x)\n", ["x"]),
    (HEAD + "plot(ta.sma(close))\n", ["length"]),
    (HEAD + "int n = 1.5\nplot(n)\n", ["1.5"]),
    (HEAD + "bool up = na\nplot(up ? 1 : 0)\n", ["bool"]),
    (HEAD + "if close\n    alert('up')\nplot(close)\n", ["bool"]),
    (HEAD + "if close > open\n    plot(close)\n", ["plot"]),
    (HEAD + "plot(close\n", ["close"]),
    (HEAD + "text = (1 + \nplot(close)\n", ["plot"]),
    (HEAD + "type P\n    float v\np = P.new(close)\nplot(p.v[1])\n", ["in a variable on every bar"]),
    (HEAD + "type P\n    float v\np = P.new(close)\nplot(p.w)\n", ["w"]),
    (HEAD + "a = array.new<int>()\na.add(1)\nplot(close)\n", ["add"]),
    (HEAD + 'plot(close, title = close > 1 ? "a" : "b")\n', ["title"]),
    (HEAD + "f(x) => x\nplot(f(1, 2))\n", ["f"]),
    (HEAD + "[a, b] = ta.macd(close, 12, 26, 9)\nplot(a)\n", ["tuple", "3"]),
    (STRATEGY + 'strategy.entry("L", strategy.long, when = close > open)\n', ["when"]),
    (STRATEGY + 'strategy.exit("X", "L")\nplot(missing)\n', ["missing"]),
]

# an old script, its version, and the rule of conversion that it needs
OLD = [
    (5, 'strategy("Old")\nstrategy.entry("L", strategy.long, when = close > open)\n', "`when` of orders is gone"),
    (5, 'indicator("Old")\nbgcolor(color.red, transp = 90)\nplot(close)\n', "`transp`"),
    (5, 'indicator("Old")\nif volume\n    alert("x")\nplot(close)\n', "A number is no condition"),
    (5, 'indicator("Old")\nbool b = na\nplot(na(b) ? 1 : 2)\n', "A bool is never `na`"),
    (5, 'indicator("Old")\nplot(5 / 2)\n', "Two const ints"),
    (5, 'strategy("Old")\nstrategy.exit("X", limit = 1, profit = 2)\n', "both `limit` and `profit`"),
    (4, 'study("Old")\nplot(security(syminfo.tickerid, "D", close))\n', "`study`, `security`"),
    (4, 'strategy("Old")\nstrategy.entry("L", true)\n', "`margin_long`"),
    (3, 'study("Old")\nn = input(9, type = integer)\nplot(sma(close, n))\n', "`input(type=...)`"),
    (3, 'study("Old")\nplot(iff(period == "D", close, open))\n', "`timeframe.period`"),
]


@pytest.fixture
def first_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """What the model is told first when it is given a script to change."""
    isolate(monkeypatch, tmp_path)

    def told(given: str) -> str:
        (tmp_path / "given.pine").write_text(given)
        with service(monkeypatch, script(CLEAN)) as fake:
            ending(
                session.write(
                    REQUEST,
                    claude(),
                    LocalCompiler(),
                    AuthorBudget(),
                    Context(),
                    base="given.pine",
                    template="none",
                    output=OUTPUT,
                )
            )
        assert len(fake.requests) == 1
        return fake.requests[0].text

    return told


@pytest.mark.parametrize(("given", "words"), BROKEN)
def test_what_is_wrong_goes_with_the_first_request(
    first_request: Callable[[str], str], given: str, words: list[str]
) -> None:
    text = first_request(given)
    assert given.strip() in text
    findings = text.split("```")[-1]
    found = LocalCompiler().compile(given, Context()).errors
    assert found
    for finding in found:
        assert finding.message in findings
    assert any(word in findings for word in words)
    assert CONVERT not in text


def test_what_is_doubtful_goes_with_the_errors(first_request: Callable[[str], str]) -> None:
    given = HEAD + "plot(clsoe)\nx = 1\nif close > open\n    x = 2\nplot(x)\n"
    findings = first_request(given).split("```")[-1]
    assert findings.index("CE10272 at 3:6") < findings.index("CW10013 at")


@pytest.mark.parametrize(("version", "body", "rule"), OLD)
def test_an_old_script_goes_with_the_rules_of_its_conversion(
    first_request: Callable[[str], str], version: int, body: str, rule: str
) -> None:
    text = first_request(f"//@version={version}\n{body}")
    assert body.strip() in text
    assert f"It is Pine v{version}: {CONVERT}" in text
    assert rule in text


def test_a_sound_script_goes_with_neither(first_request: Callable[[str], str]) -> None:
    text = first_request(CLEAN)
    assert CONVERT not in text
    assert "reports" not in text
