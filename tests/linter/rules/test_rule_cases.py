"""What each rule reports, and the honest code that looks like it: the scripts of the files in `cases/`."""

import pytest

from pinebench.linter.rules import rules
from tests.linter.rules.support import marked, rule_cases


@pytest.mark.parametrize("code", rule_cases())
def test_a_rule_marks_what_its_cases_say(code: str) -> None:
    found = [(case, marked(code, case.text)) for case in rule_cases()[code]]
    assert [(case.text, texts, case.expected) for case, texts in found if texts != case.expected] == []


def test_each_file_of_cases_belongs_to_a_rule() -> None:
    assert set(rule_cases()) <= set(rules())
