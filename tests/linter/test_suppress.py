"""Comments hide what they name, where they say, and nothing else; what is hidden is never lost."""

import pytest

from pinebench.diagnostics import Severity
from pinebench.linter import FindingFilter, check_text
from pinebench.linter.suppress import FilteredFindings, split_hidden, without_unused
from pinebench.syntax import parse
from pinebench.syntax.walk import walk
from tests.linter.test_cost import Calls
from tests.tables import each

HEAD = '//@version=6\nindicator("Example")\n'
TYPO = "plot(clsoe)"
"""Reported as CE10272."""


def tell(body: str, view: FindingFilter = FindingFilter()) -> FilteredFindings:  # noqa: B008  (it never changes)
    return split_hidden(HEAD + body, "a.pine", check_text(HEAD + body, "a.pine", opinions=view.opinions), view)


def shown(body: str, view: FindingFilter = FindingFilter()) -> list[tuple[int, str]]:  # noqa: B008
    """What is reported of `body`: lines of it, and codes."""
    return [(finding.line - 2, finding.code) for finding in tell(body, view).findings]


def hidden(body: str, view: FindingFilter = FindingFilter()) -> list[tuple[int, str]]:  # noqa: B008
    return [(each.finding.line - 2, each.finding.code) for each in tell(body, view).hidden]


@each(
    "body",
    [
        f"{TYPO} // pinebench: ignore[CE10272]\n",
        f"{TYPO} //pinebench:ignore[ce10272]",
        f"{TYPO} // pinebench: ignore[CW10003, CE10272] the feed is called so\n".replace("CW10003, ", ""),
        f"{TYPO} // for now // pinebench: ignore[CE10272]\n",
        f"{TYPO} // pinebench: ignore[CE10] a group\n",
        f"{TYPO} // pinebench: ignore[CE]\n",
    ],
)
def test_behind_code_a_comment_hides_what_it_names_on_its_line(body: str) -> None:
    assert (shown(body), hidden(body)) == ([], [(1, "CE10272")])


def test_alone_on_a_line_a_comment_speaks_of_the_next_one() -> None:
    assert hidden(f"// pinebench: ignore[CE10272]\n{TYPO}\n") == [(2, "CE10272")]
    assert hidden(f"if close > open\n    // pinebench: ignore[CE10272]\n    x = nothing\n{TYPO}\n") == [(3, "CE10272")]
    assert shown(f"if close > open\n    // pinebench: ignore[CE10272]\n    x = nothing\n{TYPO}\n") == [(4, "CE10272")]


def test_comments_one_below_the_other_speak_of_the_same_line() -> None:
    body = f"// pinebench: ignore[CE10272]\n// pinebench: ignore[CE10120]\n{TYPO[:-1]}, colour = color.red)\n"
    assert (shown(body), hidden(body)) == ([], [(3, "CE10272"), (3, "CE10120")])


def test_a_comment_for_the_script_hides_on_every_line() -> None:
    body = f"// pinebench: ignore-file[CE10272] generated\n{TYPO}\n\n{TYPO}\n"
    assert (shown(body), hidden(body)) == ([], [(2, "CE10272"), (4, "CE10272")])
    assert {each.reason for each in tell(body).hidden} == {"generated"}


@each(
    "body",
    [
        f"// pinebench: ignore[CE10272]\nplot(close)\n{TYPO}\n",  # another line
        f"// pinebench: ignore[CE10272]\n\n{TYPO}\n",  # the next line is empty
        f"{TYPO}\n// pinebench: ignore[CE10272]\n",  # below it
        f"plot(close) // pinebench: ignore[CE10272]\n{TYPO}\n",
        f"{TYPO} // pinebench: ignore[CW10003]\n",  # another code
        f"{TYPO} // pinebench: ignore[CE102720]\n",
        f"{TYPO[:-1]}, title = '// pinebench: ignore[CE10272]')\n",  # a string
        f"{TYPO} // pinebench: ignore\n",  # no code
        f"{TYPO} // pinebench: ignore[]\n",
        f"{TYPO} // pinebench: ignore[CE10272\n",  # not closed
        f"{TYPO} // pinebench: ignore CE10272\n",
        f"{TYPO} // pinebench: ignore[ALL]\n",
        f"{TYPO} // pinebench: ignore[*]\n",
        f"{TYPO} // pinebench: ignore[C]\n",
        f"{TYPO} // pinebench: ignore[E10272]\n",
        f"{TYPO} // pinebench: ignore-file[CE10272]\n",  # not alone
        f"// pinebench: ignore-file\n{TYPO}\n",
        f"// pinebench: ignore-file[ALL]\n{TYPO}\n",
        f"{TYPO} // pinebench: disable[CE10272]\n",
        f"{TYPO} // noqa: CE10272\n",
    ],
)
def test_nothing_else_is_hidden(body: str) -> None:
    assert hidden(body) == []
    assert "CE10272" in {code for _, code in shown(body)}


@each(
    ("comment", "why", "instead"),
    [
        ("ignore", "it has no code in brackets", "ignore[CE10272]"),
        ("ignore[ ]", "it has no code in brackets", "ignore[CE10272]"),
        ("ignore[ALL]", "ALL would hide", "ignore[CE10272]"),
        ("ignore[all, CE10272]", "ALL would hide", "ignore[CE10272]"),
        ("ignore[CE99999]", "there is no code 'CE99999'", "ignore[CE10272]"),
        ("ignore-file[CE10272]", "must be alone on its line", "ignore-file[CE10272]"),
        ("disable[CE10272]", "there is no 'disable'", "ignore[CE10272]"),
        ("noqa", "there is no 'noqa'", "ignore[CE10272]"),
        ("ignore-next-line[CE10272]", "there is no 'ignore-next-line'", "ignore[CE10272]"),
        ("ignore(CE10272)", "it has no code in brackets", "ignore[CE10272]"),
    ],
)
def test_a_comment_that_is_not_understood_is_reported_with_what_to_write(comment: str, why: str, instead: str) -> None:
    (remark,) = [each for each in tell(f"{TYPO} // pinebench: {comment}\n").findings if each.code == "PB0005"]
    assert why in remark.message
    assert remark.hint == f"write `// pinebench: {instead}`"
    assert remark.severity is Severity.WARNING


def test_prose_that_names_pinebench_is_left_alone() -> None:
    assert shown("plot(close) // pinebench: checks this\n// pinebench: see docs\n") == []
    assert shown("plot(close) // pinebench ignores this\n// pinebench ignore it [1]\n") == []


@pytest.mark.parametrize("comment", ["pinebench ignore[CE10272]", "Pinebench  ignore-file [CE]", "pinebench noqa[CE]"])
def test_a_missing_colon_is_said(comment: str) -> None:
    (remark, _) = sorted(tell(f"{TYPO} // {comment}\n").findings, key=lambda finding: -finding.severity)
    assert remark.message == "This comment hides nothing: a colon is missing after 'pinebench'"
    assert "`// pinebench: ignore" in (remark.hint or "")


def test_an_unknown_code_does_not_undo_the_others() -> None:
    assert hidden(f"{TYPO} // pinebench: ignore[CE10272, CE99999]\n") == [(1, "CE10272")]
    (remark,) = tell(f"{TYPO} // pinebench: ignore[CE10272, CE99999, ce]\n").findings
    assert remark.message == (
        "This comment hides less than it says: there is no code 'CE99999', and none begins with it"
    )
    assert remark.hint == "write `// pinebench: ignore[CE10272, ce]`"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("plot(close) // pinebench: ignore[CE10272]\n", "no CE10272 is reported on this line"),
        ("// pinebench: ignore[CE10272]\nplot(close)\n", "no CE10272 is reported on line 4"),
        ("// pinebench: ignore-file[CE10272, CW]\nplot(close)\n", "no CE10272, CW is reported in this script"),
        (f"{TYPO} // pinebench: ignore[CE10272, CE10120]\n", "no CE10120 is reported on this line"),
    ],
)
def test_a_comment_that_hides_nothing_is_reported(body: str, words: str) -> None:
    (remark,) = [each for each in tell(body).findings if each.code == "PB0004"]
    assert remark.message == f"Unused comment: {words}"
    assert remark.fix is not None and remark.fix.safe


def test_a_comment_on_the_wrong_line_says_which_is_the_right_one() -> None:
    (remark, *_) = tell(f"{TYPO}\n\n// pinebench: ignore[CE10272, CW10003]\n\n{TYPO}\n{TYPO}\n").findings[1:]
    assert remark.message == "Unused comment: no CE10272, CW10003 is reported on line 6"
    assert remark.hint == (
        "CE10272 is reported on line 7: a comment applies to its own line or, "
        "if it is alone on a line, to the next line; `// pinebench: ignore-file[CE10272]` applies to the whole script"
    )


def test_in_a_statement_of_several_lines_the_line_of_the_finding_is_named() -> None:
    findings = tell("plot(close, // pinebench: ignore[CE]\n     color.red,\n     title = nothing)\n").findings
    (remark,) = [finding for finding in findings if finding.code == "PB0004"]
    assert (remark.hint or "").startswith("CE is reported on line 5: ")


def test_every_name_of_codes_is_understood_and_hides_them() -> None:
    for name in ("CE10272", "ce10272", "CE", "CE102", "unused-variable", "correctness", "PB1", "PB1001"):
        assert "PB0005" not in {code for _, code in shown(f"{TYPO} // pinebench: ignore[{name}]\n")}, name
    view = FindingFilter(select=("PB1001",))
    for name in ("unused-variable", "correctness", "PB1", "pb1001"):
        assert hidden(f"slow = close[20] // pinebench: ignore[{name}]\nplot(close)\n", view) == [(1, "PB1001")], name


@pytest.mark.parametrize(
    "body",
    [
        "plot(close) // pinebench: ignore[PB1012]\n",  # no opinion was asked for
        "plot(close) // pinebench: ignore[PB1]\n",
        "plot(close) // pinebench: ignore[CW10003]\nplot(close\n",  # what an error of form hides is not known
    ],
)
def test_what_was_not_looked_for_is_not_called_unused(body: str) -> None:
    assert "PB0004" not in {code for _, code in shown(body)}


def test_an_opinion_that_was_looked_for_is_hidden_or_called_unused() -> None:
    view = FindingFilter(select=("PB1001", "PB0"))
    body = "slow = close[20] // pinebench: ignore[PB1001]\nplot(close) // pinebench: ignore[PB1001]\n"
    assert (shown(body, view), hidden(body, view)) == ([(2, "PB0004")], [(1, "PB1001")])
    # Where there is an error the rules are not asked.
    assert "PB0004" not in {code for _, code in shown(body + TYPO, view)}


def test_an_older_script_is_not_checked_so_nothing_in_it_is_called_unused() -> None:
    text = '//@version=5\nindicator("Old")\nplot(close) // pinebench: ignore[CW10003]\n'
    found = split_hidden(text, "a.pine", check_text(text, "a.pine"), FindingFilter())
    assert [finding.code for finding in found.findings] == ["PB0001"]


def test_what_tradingview_says_is_hidden_by_nothing() -> None:
    assert shown(f"{TYPO} // pinebench: ignore[CE10272]\n", FindingFilter(tradingview=True)) == [(1, "CE10272")]


def test_settings_for_a_file_hide_and_lose_nothing() -> None:
    found = tell(TYPO, FindingFilter(hide=("CE",)))
    assert found.findings == []
    assert [(each.finding.code, each.by_comment) for each in found.hidden] == [("CE10272", False)]


@each(
    ("body", "left"),
    [
        ("plot(close) // pinebench: ignore[CW10003]\n", "plot(close)\n"),
        ("plot(close) // pinebench: ignore[CW10003] why\n", "plot(close)\n"),
        ("plot(close) // note // pinebench: ignore[CW10003]", "plot(close) // note"),
        ("plot(close) // pinebench: ignore[CW10003] // note\n", "plot(close) // note\n"),
        ("    // pinebench: ignore[CW10003]\nplot(close)\n", "plot(close)\n"),
        ("// pinebench: ignore-file[CW10003]\r\nplot(close)\r\n", "plot(close)\r\n"),
        (f"{TYPO} // pinebench: ignore[CW10003, CE10272]\n", f"{TYPO} // pinebench: ignore[CE10272]\n"),
        (f"{TYPO} // pinebench: ignore[CE10272]\n", f"{TYPO} // pinebench: ignore[CE10272]\n"),
        ("plot(close) // pinebench: ignore[PB1012]\n", "plot(close) // pinebench: ignore[PB1012]\n"),
        ("plot(close) // pinebench: ignore\n", "plot(close) // pinebench: ignore\n"),
        (
            "x = close +\n     open // pinebench: ignore[CW10003]\n     // pinebench: ignore[CW10003]\nplot(x)\n",
            "x = close +\n     open\nplot(x)\n",
        ),
        ("plot(close) // pinebench: ignore[CW10003] // pinebench: ignore[CW10002]\n", "plot(close)\n"),
    ],
)
def test_unused_comments_are_taken_out_and_nothing_else(body: str, left: str) -> None:
    text, changes = without_unused(HEAD + body, check_text(HEAD + body), FindingFilter())
    assert text == HEAD + left
    assert (changes > 0) == (body != left)
    before, after = ([type(node) for node in walk(parse(each).chunks[-1].body)] for each in (HEAD + body, text))
    assert after == before
    assert without_unused(text, check_text(text), FindingFilter())[1] == 0


@each(
    "line",
    [
        f"{TYPO} // pinebench: ignore[CE10272]\n",
        "// pinebench: ignore[CW10003]\n",
        f"// pinebench: ignore-file[CW10003]\n{TYPO}\n",
        "x = 1 // pinebench: ignore[" + "CW10003, CE10272, " * 20 + "]\n",
        "plot(close) " + "// pinebench: ignore[CE10272] " * 20 + "\n",
        "// pinebench: ignore-file[" + ", ".join(f"CE1{number:04}, x{number}" for number in range(50)) + "]\n",
    ],
)
def test_twice_the_comments_cost_twice(line: str) -> None:
    def cost(count: int) -> int:
        text = HEAD + line * count
        findings = check_text(text)
        with Calls() as calls:
            split_hidden(text, "a.pine", findings, FindingFilter())
        return calls.count

    cost(10)
    assert cost(200) <= 2.5 * cost(100)
