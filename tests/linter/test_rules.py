"""Opinions: every rule reports its bad script and is silent about its good one, and groups and names select them."""

from __future__ import annotations

import gc
import json
import re
import textwrap
from argparse import Namespace
from inspect import getdoc
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, ClassVar

import pytest

from pinebench import codes
from pinebench.checker import open_program
from pinebench.cli.commands import explain
from pinebench.codes.opinions import GROUPS
from pinebench.diagnostics import Edit, Fix, Severity, Span
from pinebench.errors import UsageError
from pinebench.linter import check_text, rules
from pinebench.linter.findings import EVERYTHING, FindingFilter, check_patterns, is_opinion
from pinebench.linter.rules import context
from pinebench.linter.rules._triggers import TRIGGERS
from pinebench.syntax.walk import index
from tests.cli.support import pinebench
from tests.tables import each

if TYPE_CHECKING:
    from collections.abc import Collection

RULES = list(rules.rules().values())
ALL = tuple(rules.rules())
SHARED = {
    *(
        "accumulations",
        "alike",
        "annotations",
        "arrays",
        "bars",
        "code_blocks",
        "distinct_requests",
        "guards",
        "json_texts",
        "context",
        "messages",
        "objects",
        "orders",
    ),
    *("ranges", "requests", "settings", "signals", "ticks", "uses"),
}
CHECKOUT = Path(__file__).resolve().parents[2]
HEAD = '//@version=6\nindicator("x")\n'


def test_no_rule_advises_a_confirmed_bar_within_a_request() -> None:
    """TradingView's reference does not recommend it."""
    for rule in RULES:
        for sentence in re.split(r"(?<=\.)\s", getdoc(rule) or ""):
            if "barstate.isconfirmed" in sentence and re.search(r"(?:within|in|inside) (?:a|the) request\b", sentence):
                assert "does not recommend" in sentence, (rule.__name__, sentence)


def examples(rule: type[rules.Rule]) -> tuple[str, str]:
    """The bad and the good script of a rule's page."""
    found = re.search(r"Bad:\n\n(.*?)\n\nGood:\n\n(.*)", getdoc(rule) or "", re.S)
    assert found is not None, f"{rule.__name__} needs a bad and a good script"
    return textwrap.dedent(found[1]) + "\n", textwrap.dedent(found[2]) + "\n"


class Example(rules.Rule):
    code = "PB1002"
    options: ClassVar = {"most": rules.Option(3, "How many are left alone.", least=0)}


def told(text: str, select: Collection[str] | None = None) -> set[str]:
    """The codes of the opinions on `text`, which must have no error; those on by default where none are selected."""
    program = open_program(text)
    assert not [finding for finding in program.diagnostics if finding.severity is Severity.ERROR], text
    return {found.code for found in rules.opinions_on(program, select)}


@each("rule", RULES)
def test_the_scripts_of_its_page(rule: type[rules.Rule]) -> None:
    bad, good = examples(rule)
    told_unasked = {*rules.on_by_default(), rule.code}
    assert told(bad, told_unasked) == {rule.code}
    assert told(good, told_unasked) == set()


@each("rule", RULES)
def test_explain_shows_its_page(rule: type[rules.Rule], capsys: pytest.CaptureFixture[str]) -> None:
    assert explain.run(Namespace(name=[rule.name()], search=False)) == 0
    shown = capsys.readouterr().out
    for script in examples(rule):
        assert textwrap.indent(script, "    ").replace("    \n", "\n") in shown


def test_a_rule_is_explained_by_its_code_and_by_its_name(tmp_path: Path) -> None:
    outcome = pinebench("explain", "PB1002", folder=tmp_path)
    assert outcome.out.startswith("PB1002 self-assignment: warning")
    assert outcome == pinebench("explain", "self-assignment", folder=tmp_path)


def test_every_code_has_a_rule_and_none_is_an_error() -> None:
    assert set(rules.rules()) == set(codes.opinion_codes())
    assert all(is_opinion(code) for code in rules.rules())
    assert not any(is_opinion(code) for code in codes.all_codes())
    assert all(code.severity is not Severity.ERROR for code in codes.opinion_codes().values())
    modules = {rule.__module__.rpartition(".")[2] for rule in RULES}
    files = {path.stem for path in Path(rules.__file__).parent.glob("*.py")}
    assert files - modules == {"__init__", "_triggers", "options", "rule", *SHARED}
    assert {rule.name().replace("-", "_") for rule in RULES} == modules
    assert not {rule.name() for rule in RULES} & {*GROUPS, *codes.all_codes()}


@each("rule", RULES)
def test_it_belongs_to_a_group(rule: type[rules.Rule]) -> None:
    assert rule.code.startswith(GROUPS[rule.group()])


def test_the_triggers_are_those_of_the_classes() -> None:
    assert {code: rules.trigger_of(rule) for code, rule in rules.rules().items()} == TRIGGERS, (
        "run python scripts/docs/generate.py"
    )


def test_opinions_are_told_where_they_are_selected() -> None:
    bad, _ = examples(rules.rules()["PB1002"])
    everything = check_text(bad, opinions=["PB1002"])
    assert [finding.code for finding in everything] == ["PB1002"]
    assert check_text(bad) == []
    for select in ("ALL", "all", "PB", "PB1", "pb1002"):
        view = FindingFilter((select,))
        assert "PB1002" in view.opinions
        assert view.of(everything) == everything
    assert FindingFilter(("ALL",)).opinions == ALL
    assert FindingFilter(("CE",)).opinions == ()
    assert FindingFilter(("PB1",), ("PB1",)).opinions == ()
    assert FindingFilter(("ALL",)).wants("CE10272")


def test_the_command_tells_opinions_with_select(tmp_path: Path) -> None:
    bad, _ = examples(rules.rules()["PB1002"])
    for name in ("a", "b"):
        (tmp_path / f"{name}.pine").write_text(bad)
    for _ in range(2):  # the second time the cache has answers
        assert pinebench("lint", "--select", "CE", folder=tmp_path).out == "2 scripts checked: nothing to report\n"
        outcome = pinebench("lint", "--select", "PB1002", "--format", "json", folder=tmp_path)
        assert outcome.code == 0
        (first, second) = json.loads(outcome.out)["diagnostics"]
        assert (first["path"], second["path"]) == ("a.pine", "b.pine")
        assert (first["code"], first["severity"], first["line"]) == ("PB1002", "warning", 5)
    assert pinebench("lint", "--select", "ALL", "--fail-on", "warning", folder=tmp_path).code == 1


def test_nothing_is_said_of_a_script_with_errors() -> None:
    assert rules.opinions_on(open_program(f"{HEAD}x = 1\nplot(clsoe)\n"), ALL) == []


def test_nothing_is_said_of_a_script_of_an_earlier_version() -> None:
    for version in (4, 5):
        text = f'//@version={version}\nstudy("x")\nf(x) => x == true ? 1 : x\nunused = close / close\nplot(f(true))\n'
        assert rules.opinions_on(open_program(text), ALL) == []
    newer = open_program('//@version=7\nindicator("x")\nx = 1\nx := x\nplot(x)\n')
    assert [found.code for found in rules.opinions_on(newer, ["PB1002"])] == ["PB1002"]


def test_what_is_reported_keeps_its_values_and_may_carry_a_fix() -> None:
    program = open_program(f"{HEAD}var x = 1\nx := x\nplot(x)\n")
    (found,) = rules.opinions_on(program, ["PB1002"])
    assert found.values == (("name", "x"),)
    fix = Fix("remove it", (Edit(Span(0, 1), ""),), True)
    assert rules.RuleContext(program).report("PB1002", Span(0, 1), fix, name="x").fix == fix


def test_one_walk_serves_all_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    walks: list[object] = []

    def counted(roots: object, *rest: object) -> None:
        walks.append(roots)
        index(roots, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(context, "index", counted)
    program = open_program(f"{HEAD}plot(close)\n")
    rules.opinions_on(program, ["PB1002"])
    once = len(walks)
    rules.opinions_on(program, ALL)
    assert len(walks) == 2 * once == 2


def test_garbage_is_not_collected_while_rules_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    collecting: list[bool] = []
    look_at = rules.RuleContext.__init__

    def noted(self: rules.RuleContext, *given: object) -> None:
        collecting.append(gc.isenabled())
        look_at(self, *given)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(rules.RuleContext, "__init__", noted)
    rules.opinions_on(open_program('//@version=6\nindicator("X")\nplot(close)\n'))
    assert collecting == [False] and gc.isenabled()


def test_a_rule_sees_its_options() -> None:
    asked = Example()
    assert rules.RuleContext(open_program(HEAD)).option(asked, "most") == 3
    assert rules.RuleContext(open_program(HEAD), {"PB1002": {"most": 5}}).option(asked, "most") == 5


@each("rule", RULES)
def test_options_say_what_they_are(rule: type[rules.Rule]) -> None:
    for name, option in rule.options.items():
        assert re.fullmatch("[a-z]+(-[a-z]+)*", name)
        assert option.type in (bool, int, float, str, tuple)
        assert option.about.endswith(".")


def test_groups_and_names_select_rules() -> None:
    assert FindingFilter(("correctness",)).opinions == FindingFilter(("PB1",)).opinions != ()
    assert FindingFilter(("Unused-Variable",)).opinions == ("PB1001",)
    assert "PB1001" not in FindingFilter(("ALL",), ("unused-variable",)).opinions
    assert FindingFilter(("correctness",)).wants("CE10272") is False
    with pytest.raises(UsageError, match="there is no code 'unused-varable'"):
        check_patterns(["unused-varable"])
    check_patterns(["unused-variable", "correctness", "PB1"])


def test_the_traps_that_the_loop_asks_for_are_rules() -> None:
    assert set(rules.traps()) <= set(ALL)
    assert {code[:3] for code in rules.traps()} >= {"PB3", "PB5"}


def test_what_is_on_by_default_is_told_unasked() -> None:
    assert FindingFilter().opinions == EVERYTHING.opinions == rules.on_by_default()
    assert FindingFilter(tradingview=True).opinions == ()
    assert rules.opinions_on(open_program(HEAD)) == []


def test_our_own_scripts_give_no_reason() -> None:
    for path in sorted((CHECKOUT / "pine" / "templates").glob("*.pine")):
        assert told(path.read_text(encoding="utf-8")) == set(), path.name


def test_a_module_without_the_class_of_its_rule_is_no_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "import_module", ModuleType)
    with pytest.raises(KeyError, match="PB1001"):
        rules.rule.__wrapped__("PB1001")
