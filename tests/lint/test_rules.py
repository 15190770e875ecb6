"""Opinions: every rule reports its bad script and is silent about its good one, and nobody hears it unasked."""

from __future__ import annotations

import json
import re
import textwrap
from inspect import getdoc
from pathlib import Path

import pytest

from pinebench import codes
from pinebench.check import open_program
from pinebench.diagnostics import Diagnostic, Edit, Fix, Severity, Span
from pinebench.lint import check_text, rules
from pinebench.lint.findings import EVERYTHING, View, is_opinion
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk
from tests.cli.support import pinebench

RULES = list(rules.rules().values())
ALL = tuple(rules.rules())
CHECKOUT = Path(__file__).resolve().parents[2]
HEAD = '//@version=6\nindicator("x")\n'


def examples(rule: type[rules.Rule]) -> tuple[str, str]:
    """The bad and the good script of a rule's page."""
    found = re.search(r"Bad:\n\n(.*?)\n\nGood:\n\n(.*)", getdoc(rule) or "", re.S)
    assert found is not None, f"{rule.__name__} needs a bad and a good script"
    return textwrap.dedent(found[1]) + "\n", textwrap.dedent(found[2]) + "\n"


def told(text: str) -> list[tuple[str, str]]:
    """Code and marked text of each opinion on `text`, which must have no error."""
    program = open_program(text)
    assert not [finding for finding in program.diagnostics if finding.severity is Severity.ERROR], text
    return [(found.code, text[found.span.start : found.span.end]) for found in rules.opinions_on(program, ALL)]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_scripts_of_its_page(rule: type[rules.Rule]) -> None:
    bad, good = examples(rule)
    assert {code for code, _ in told(bad)} == {rule.code}
    assert told(good) == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_explain_shows_its_page(rule: type[rules.Rule], tmp_path: Path) -> None:
    outcome = pinebench("explain", rule.code, folder=tmp_path)
    assert outcome.code == 0
    for script in examples(rule):
        assert textwrap.indent(script, "    ") in outcome.out


def test_every_code_has_a_rule_and_none_is_an_error() -> None:
    assert set(rules.rules()) == set(codes.opinion_codes())
    assert all(is_opinion(code) for code in rules.rules())
    assert not any(is_opinion(code) for code in codes.all_codes())
    assert all(code.severity is not Severity.ERROR for code in codes.opinion_codes().values())
    assert {rule.__module__.rpartition(".")[2] for rule in RULES} == set(rules.MODULES)


def test_opinions_are_told_where_they_are_selected() -> None:
    bad, _ = examples(rules.rules()["PB1001"])
    everything = check_text(bad, opinions=ALL)
    assert check_text(bad, opinions=["PB1002"]) == check_text(bad) == []
    assert [finding.code for finding in everything] == ["PB1001"]
    assert EVERYTHING.of(everything) == []
    assert EVERYTHING.opinions == ()
    for select in ("ALL", "all", "PB", "PB1", "pb1001"):
        view = View((select,))
        assert "PB1001" in view.opinions
        assert view.of(everything) == everything
    assert View(("ALL",)).opinions == ALL
    assert View(("ALL",), ("PB1001",)).opinions == ALL[1:]
    assert View(("CE",)).opinions == ()
    assert View(("ALL",), ("PB1",)).opinions == ()
    assert View(("ALL",)).wants("CE10272")


def test_the_command_tells_opinions_with_select(tmp_path: Path) -> None:
    bad, _ = examples(rules.rules()["PB1002"])
    for name in ("a", "b"):
        (tmp_path / f"{name}.pine").write_text(bad)
    for _ in range(2):  # the second time the cache has answers
        assert pinebench("lint", folder=tmp_path).out == "2 scripts checked: nothing to report\n"
        outcome = pinebench("lint", "--select", "ALL", "--format", "json", folder=tmp_path)
        assert outcome.code == 0
        (first, second) = json.loads(outcome.out)["diagnostics"]
        assert (first["path"], second["path"]) == ("a.pine", "b.pine")
        assert (first["code"], first["severity"], first["line"]) == ("PB1002", "warning", 5)
    assert pinebench("lint", "--select", "ALL", "--fail-on", "warning", folder=tmp_path).code == 1


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x = close\nplot(open)", [("PB1001", "x")]),
        ("var x = 0\nx := 1\nx += 2\nplot(open)", [("PB1001", "x")]),
        ("x = close\nplot(x)", []),
        ("x = close\nplot(x[1])", []),
        ("_x = close\nplot(open)", []),
        ("x = ta.sma(close, 3)\nplot(open)", []),
        ("f() =>\n    x = close\nplot(f())", []),
        ("f() =>\n    x = close\n    open\nplot(f())", [("PB1001", "x")]),
        ("if close > open\n    x = 1\n    x := 2\nplot(open)", [("PB1001", "x")]),
        ("type P\n    float a\nvar p = P.new(1)\np.a := 2\nplot(p.a)", []),
        ("x = 1\nf() => x\nplot(f())", []),
        ("var x = 1\nx := x\nplot(x)", [("PB1002", "x := x")]),
        ("type P\n    float a\nvar p = P.new(1)\np.a := p.a\nplot(p.a)", [("PB1002", "p.a := p.a")]),
        ("var x = 1\nx += x\nplot(x)", []),
        ("var x = 1.0\nx := x[1]\nplot(x)", []),
        ("plot(true ? 1 : 2)", [("PB1003", "true")]),
        ("if not (1 < 2)\n    log.info('x')\nplot(1)", [("PB1003", "not (1 < 2)")]),
        ("DEBUG = false\nif DEBUG\n    log.info('x')\nplot(1)", []),
        ("while true\n    break\nplot(1)", []),
        ("while false\n    break\nplot(1)", [("PB1003", "false")]),
    ],
)
def test_what_a_rule_says(body: str, expected: list[tuple[str, str]]) -> None:
    assert told(f"{HEAD}{body}\n") == expected


def test_nothing_is_said_of_a_script_with_errors() -> None:
    assert rules.opinions_on(open_program(f"{HEAD}x = 1\nplot(clsoe)\n"), ALL) == []


def test_what_is_reported_keeps_its_values_and_may_carry_a_fix() -> None:
    (found,) = rules.opinions_on(open_program(f"{HEAD}var x = 1\nx := x\nplot(x)\n"), ALL)
    assert found.values == (("name", "x"),)
    fix = Fix("remove it", (Edit(Span(0, 1), ""),), True)
    look = rules.Look(open_program(HEAD))
    assert look.report("PB1002", Span(0, 1), fix, name="x").fix == fix


def test_one_walk_serves_all_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    walks: list[object] = []

    def counted(roots: object) -> object:
        walks.append(roots)
        return walk(roots)  # type: ignore[arg-type]

    class Other(rules.Rule):
        code = "PB1002"
        nodes = (nodes.Name,)

        def visit(self, node: nodes.Node, look: rules.Look) -> list[Diagnostic]:  # type: ignore[override]
            return []

    program = open_program(f"{HEAD}plot(close)\n")
    monkeypatch.setattr(rules, "walk", counted)
    rules.opinions_on(program, ALL)
    before = len(walks)
    others = {str(number): Other for number in range(20)}
    monkeypatch.setattr(rules, "rules", lambda: others)
    rules.opinions_on(program, others)
    assert len(walks) == 2 * before == 2 * len(program.document.chunks)


def test_our_own_scripts_give_no_reason() -> None:
    for path in sorted((CHECKOUT / "templates").glob("*.pine")):
        assert told(path.read_text(encoding="utf-8")) == [], path.name
