"""What is wrong with arguments is said alike, whatever is called."""

from __future__ import annotations

import pytest

from tests.checker.support import messages

DECLARED = "type P\n    int x\nf(int x) => x\n"


@pytest.mark.parametrize(("callee", "name"), [("f", "f"), ("P.new", "P.new"), ("int", "int")])
def test_one_wording(callee: str, name: str) -> None:
    unknown = messages(f"{DECLARED}v = {callee}(y = 2)")[0]
    assert unknown == f'The "{name}" function does not have an argument with the name "y"'
    assert messages(f"{DECLARED}v = {callee}(x = 1, 2)")[0].startswith('Syntax error after the argument for "x".')
    too_many = messages(f"{DECLARED}v = {callee}(1, 2)")[0]
    assert too_many == (
        f'Too many arguments passed into the "{name}()" function call. Passed 2 arguments but expected 1.'
    )
    wrong = messages(f'{DECLARED}v = {callee}("a")')[0]
    assert wrong.startswith(f'Cannot call "{name}" with argument "x"="a". An argument of "literal string" type')
