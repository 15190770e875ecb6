"""Each rule in ten scripts that it reports and in twenty honest ones, written in many ways.

The scripts are those of the other tests here and of the pages of rules. Each is written again in other ways that change
nothing for a rule: with Windows line ends, comments, tabs, and other code before and after it.
"""

import re
import textwrap
from collections.abc import Callable, Iterator
from inspect import getdoc
from itertools import islice

import pytest

from pinebench.linter.rules import Rule, rules
from tests.linter.rules import test_limits, test_stopping_literal
from tests.linter.rules.support import marked, rule_cases, whole
from tests.tables import each

REPORTED = 10
HONEST = 20
_MORE_HONEST = [
    ("PB4012", "plot(close)"),
    ("PB4012", "a = request.footprint(10)\nb = na(a) ? 0 : a.delta()\nplot(b)\nplot(b + 1)"),
    ("PB2010", 'd = request.security(syminfo.tickerid, "D", close[1])\nplot(d)'),
    ("PB2010", 'd = request.security(syminfo.tickerid, "D", close)\nplot(d)\nplot(close[1])'),
    ("PB2010", 'd = request.security(syminfo.tickerid, "D", ta.sma(close, 3)[2])\nplot(d)'),
]
_MORE_REPORTED = [
    ("PB2010", 'd = request.security(syminfo.tickerid, "D", close)\nplot(d[1])'),
    ("PB2010", 'd = request.security(syminfo.tickerid, "W", high)\nplotshape(close > d[1])'),
]


_LIBRARY = '//@version=6\n// @description Products.\nlibrary("Products")\n'
_NUMBERS = range(2, 8)
_DOCUMENTED = [
    f"// @function Multiplies.\n// @param x A value.\n// @returns The product.\nexport times{n}(float x) => x * {n}\n"
    for n in _NUMBERS
]
_PUBLISHED = {
    "PB8001": [f"{_LIBRARY}export times{n}(float x) => x * {n}\n" for n in _NUMBERS],
    "PB8002": [_LIBRARY + each.replace("@param x", "@param y") for each in _DOCUMENTED],
    "PB8003": ['//@version=6\nlibrary("Products")\n' + each for each in _DOCUMENTED],
    "PB8004": [_LIBRARY.replace('"Products', '"3Products') + each for each in _DOCUMENTED],
}
"""Libraries that rules about publishing report."""


def _pages(rule: type[Rule]) -> tuple[str, str]:
    found = re.search(r"Bad:\n\n(.*?)\n\nGood:\n\n(.*)", getdoc(rule) or "", re.S)
    assert found is not None
    return textwrap.dedent(found[1]) + "\n", textwrap.dedent(found[2]) + "\n"


def _scripts() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The scripts that each rule reports, and the honest ones."""
    bad: dict[str, list[str]] = {code: [_pages(rule)[0]] for code, rule in rules().items()}
    good: dict[str, list[str]] = {code: [_pages(rule)[1]] for code, rule in rules().items()}
    for code, cases in rule_cases().items():
        for case in cases:
            (bad if case.expected else good)[code].append(case.text)
    bad["PB1017"] += [whole("PB1017", body) for body, _ in test_stopping_literal.STOPPED]
    good["PB1017"] += [whole("PB1017", body) for body in test_stopping_literal.RUNS]
    for code, body in [*test_limits.LEFT_ALONE, *_MORE_HONEST]:
        good[code].append(whole(code, body))
    for code, body in [*((code, body) for code, body, _ in test_limits.REPORTED), *_MORE_REPORTED]:
        bad[code].append(whole(code, body))
    for code, texts in _PUBLISHED.items():
        bad[code] += texts
        good[code] += [_LIBRARY + each for each in _DOCUMENTED]
    return bad, good


def _with_comments(text: str) -> str:
    if "\nlibrary(" in text:
        return text  # a comment between an annotation and its export takes the annotation away
    return re.sub(r"(?m)^(?=\w)(?!else)", "// a note\n\n", text)


def _with_tabs(text: str) -> str:
    return re.sub(r"(?m)^(?:    )+", lambda found: "\t" * (len(found[0]) // 4), text)


def _after(code: str) -> Callable[[str], str]:
    return lambda text: f"{text}{code}"


def _before(code: str) -> Callable[[str], str]:
    """Other code after the declaration statement, which these scripts have on their second line."""

    def changed(text: str) -> str:
        lines = text.splitlines(keepends=True)
        return "".join([*lines[:2], code, *lines[2:]]) if lines[1].rstrip().endswith(")") else text

    return changed


_OTHER = 'zzTwice(float zzGiven) =>\n    zzGiven * 2\nzzDouble = zzTwice(close)\nif zzDouble < 0\n    log.info("zz")\n'
_WAYS: tuple[Callable[[str], str], ...] = (
    lambda text: text,
    _with_comments,
    _before(_OTHER),
    lambda text: text.replace("\n", "\r\n"),
    _with_tabs,
    _before('type ZzSpot\n    float zzTop\nzzSpot = ZzSpot.new(close)\nif zzSpot.zzTop < 0\n    log.info("zz")\n'),
    _after("\n\n// the end\n"),
    lambda text: text.replace("\n", "  \n"),
    lambda text: _with_comments(_before(_OTHER)(text)),
    lambda text: _with_tabs(_before(_OTHER)(text)).replace("\n", "\r\n"),
)


def _written(scripts: list[str], most: int) -> Iterator[str]:
    """The scripts, then each in other ways, all of them different, up to `most`."""
    seen: dict[str, None] = {}
    for way in _WAYS:
        for script in scripts:
            seen.setdefault(way(script))
    return islice(iter(seen), most)


BAD, GOOD = _scripts()


@each("code", sorted(rules()))
def test_each_rule_has_its_scripts(code: str) -> None:
    assert len(list(_written(BAD[code], REPORTED))) == REPORTED
    assert len(list(_written(GOOD[code], HONEST))) == HONEST


@pytest.mark.soak
@each("code", sorted(rules()))
def test_each_rule_reports_ten_scripts_and_is_silent_about_twenty(code: str) -> None:
    silent = [script for script in _written(BAD[code], REPORTED) if not marked(code, script)]
    false = [script for script in _written(GOOD[code], HONEST) if marked(code, script)]
    assert not silent and not false, (silent[:2], false[:2])
