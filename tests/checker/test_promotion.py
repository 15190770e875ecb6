"""The strongest qualifier of what a variable will ever be assigned, found before the assignments are typed."""

from pinebench.checker import check
from pinebench.syntax import parse
from tests.checker.support import type_of


def test_long_chains_of_variables_and_functions_stay_cheap() -> None:
    chain = "".join(f"var v{n} = 0\nv{n} := v{max(n - 1, 0)} + v{max(n - 2, 0)}\n" for n in range(60))
    assert type_of(chain, "v59") == "const int"


def test_a_changed_script_with_such_a_length_has_the_findings_of_a_fresh_check() -> None:
    head = '//@version=6\nindicator("x")\n'
    below, above = (
        "k = 5\nplot(ta.rma(close, k))\nk := bar_index\n",
        "k = 5\nk := bar_index\nplot(ta.rma(close, k))\n",
    )
    document, length = parse(head), 0
    for body in (below, above, below, above):
        document.edit(len(head), len(head) + length, body)
        length = len(body)
        assert check(document).diagnostics == check(parse(head + body)).diagnostics
