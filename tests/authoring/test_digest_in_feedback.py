"""A model whose draft has errors also reads about the built-ins of its script that people get wrong."""

from pinebench.authoring.feedback import BYTES_PER_TOKEN, LIMIT_TOKENS, feedback
from pinebench.compilers.local import check_locally

HEAD = '//@version=6\nindicator("x")\n'


def test_the_entries_that_matter_come_after_the_findings() -> None:
    text = (
        HEAD + 'd = request.security(syminfo.tickerid, "D", close)\nplot(ta.crossover(close, d) ? 1 : 0)\nplot(clsoe)\n'
    )
    told = feedback(text, check_locally(text))
    findings, title, about = told.partition("\n\nAlso in this script:\n")
    assert title and "CE10272" in findings
    rows = about.splitlines()
    assert {row.partition("(")[0] for row in rows} == {"- request.security", "- ta.crossover"}
    assert all("Watch out: " in row for row in rows)


def test_what_is_involved_is_not_repeated() -> None:
    text = HEAD + "length = bar_index\nplot(ta.ema(close, length))\n"
    told = feedback(text, check_locally(text))
    assert "Built-ins involved:\n  ta.ema(" in told
    assert "- ta.ema(" not in told


def test_it_takes_no_room_from_the_findings() -> None:
    lines = "".join(f"plot(ta.ema(clsoe{number}, {number + 2}))\n" for number in range(40))
    text = HEAD + 'd = request.security(syminfo.tickerid, "D", close)\n' + lines
    told = feedback(text, check_locally(text))
    assert len(told.encode()) <= LIMIT_TOKENS * BYTES_PER_TOKEN
    assert "clsoe0" in told


def test_a_clean_script_is_told_nothing() -> None:
    text = HEAD + 'plot(request.security(syminfo.tickerid, "D", close[1], lookahead = barmerge.lookahead_on))\n'
    verdict = check_locally(text)
    assert not verdict.errors
    assert "Also in this script" not in feedback(text, verdict)
