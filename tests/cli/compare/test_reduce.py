"""A script that is judged differently shrinks to a few lines that are judged so, and nothing else is sent."""

import re

import pytest

from pinebench.cli.compare import LIMIT, ReducedScript, VerdictComparison, compare, ours, reduce, theirs
from pinebench.compilers import CompilerUnavailable, Verdict
from pinebench.context import Context
from pinebench.syntax import nodes
from tests.cli.compare.fakes import Fake, Finds, calls, is_a, scripts

FEW = 15
"""A report has fewer lines than this."""
SCRIPTS = scripts()

CONSTRUCTS: list[tuple[str, Finds]] = [
    ("breakout_strategy", is_a(nodes.ForTo, nodes.ForIn)),
    ("candle_gallery", is_a(nodes.History)),
    ("collection_workshop", is_a(nodes.TypeDeclaration)),
    ("language_tour", calls("alertcondition")),
    ("order_flow", calls("request.footprint")),
    ("pair_statistics", is_a(nodes.TupleDeclaration)),
    ("request_atlas", calls("request.security")),
    ("session_clock", is_a(nodes.Reassignment)),
    ("text_workshop", calls("str.tostring")),
    ("trend_structure", calls("line.new")),
    ("volume_shelves", is_a(nodes.Ternary)),
    ("ema_cross_strategy", calls("strategy.entry")),
    ("ema_ribbon", calls("ta.ema")),
    ("funding_rate_overlay", is_a(nodes.If)),
    ("institutional_order_flow", is_a(nodes.Switch)),
    ("liquidity_heatmap", calls("box.new")),
    ("macro_regime_dashboard", is_a(nodes.FunctionDeclaration)),
    ("momentum_factor", is_a(nodes.Unary)),
    ("multi_asset_correlation", calls("math.abs")),
    ("opening_range_breakout", lambda node: isinstance(node, nodes.Binary) and node.operator == "and"),
    ("session_levels", lambda node: isinstance(node, nodes.VariableDeclaration) and bool(node.mode)),
    ("zscore_mean_reversion", lambda node: isinstance(node, nodes.Binary) and node.operator == "/"),
]


def compared(text: str, fake: Fake) -> VerdictComparison:
    return compare(ours(text), theirs(fake.compile(text, Context()), text))


def reduced(text: str, fake: Fake, limit: int = LIMIT) -> tuple[VerdictComparison, ReducedScript]:
    found = compared(text, fake)
    assert found.kind
    fake.asked.clear()
    result = reduce(text, found, fake, Context(), limit=limit)
    assert result.compilations == len(fake.asked)
    return found, result


def same(before: VerdictComparison, after: VerdictComparison) -> bool:
    """Whether two comparisons show the same difference."""
    return (
        (before.ours.ok, before.theirs.ok) == (after.ours.ok, after.theirs.ok)
        and before.differences[0].name in {each.name for each in after.differences}
        and after.ours.errors <= before.ours.errors
        and after.theirs.errors <= before.theirs.errors
    )


@pytest.mark.parametrize(("name", "has"), CONSTRUCTS, ids=[name for name, _ in CONSTRUCTS])
def test_a_script_with_one_construct_that_only_they_refuse_becomes_a_few_lines(name: str, has: Finds) -> None:
    fake = Fake(has)
    found, result = reduced(SCRIPTS[name], fake)
    assert result.lines < FEW, result.text
    assert result.ended == ""
    assert same(found, compared(result.text, fake))
    # Whether they would answer or not was looked at here first.
    assert all(ours(text).ok for text in fake.asked)
    assert result.compilations < LIMIT


@pytest.mark.parametrize("name", ["breakout_strategy", "opening_range_breakout", "language_tour"])
@pytest.mark.parametrize(
    ("fake", "more"),
    [
        (Fake(is_a(nodes.If), blind=True), ""),
        (Fake(is_a(nodes.Ternary), warns=True), ""),
        (Fake(), "plot(nothing)\n"),
        (Fake(), "plot(close\n"),
        (Fake(is_a(nodes.If)), "plot(nothing)\n"),
    ],
    ids=["without a place", "a warning", "only we refuse", "only we refuse the form", "both, for other reasons"],
)
def test_whatever_the_difference_is_it_stays(name: str, fake: Fake, more: str) -> None:
    found, result = reduced(SCRIPTS[name] + more, fake)
    assert result.lines < FEW, result.text
    assert same(found, compared(result.text, fake))


def test_what_takes_several_statements_that_need_all_others_is_found_within_the_limit() -> None:
    chain = [f'value{n} = value{n - 1} + input.float(1, "Step {n}", tooltip = "More")' for n in range(1, 80)]
    shown = [f'plot(value{n}, "Value {n}", color = color.red)' for n in (77, 78, 79)]
    text = "\n".join(["//@version=6", 'indicator("Long")', "value0 = close", *chain, *shown, ""])
    fake = Fake(calls("plot"), times=3)
    found, result = reduced(text, fake)
    assert (result.lines, result.ended) == (5, ""), result.text
    assert result.compilations < LIMIT / 2
    assert same(found, compared(result.text, fake))


def test_only_the_script_is_sent_and_a_few_words_of_pine() -> None:
    text = SCRIPTS["opening_range_breakout"]
    fake = Fake(is_a(nodes.ForTo, nodes.If))
    reduced(text, fake)
    own = {*re.findall(r"\w+", text), "1", "na", "a", "true", "close", "color", "red"}
    for sent in fake.asked:
        # Names that the script declares become short ones.
        assert {word for word in re.findall(r"\w+", sent) if len(word) > 2} <= own


def test_no_text_is_sent_twice_and_the_limit_is_kept() -> None:
    text = SCRIPTS["breakout_strategy"]
    fake = Fake(is_a(nodes.If))
    found, result = reduced(text, fake)
    assert len(set(fake.asked)) == len(fake.asked)
    assert result.compilations > 10
    for limit in (1, 5):
        few = reduced(text, fake, limit=limit)[1]
        assert (few.compilations, few.ended) == (limit, f"the limit of {limit} compilations was reached")
        assert same(found, compared(few.text, fake))


class Ending(Fake):
    """Ends the work at its fifth script."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(is_a(nodes.If))
        self.error = error

    def compile(self, source: str, context: Context) -> Verdict:
        if len(self.asked) == 4:
            raise self.error
        return super().compile(source, context)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), CompilerUnavailable("it is busy")])
def test_what_ends_it_early_loses_nothing_of_what_was_reached(error: BaseException) -> None:
    text = SCRIPTS["breakout_strategy"]
    fake = Ending(error)
    found = compared(text, fake)
    fake.asked.clear()
    result = reduce(text, found, fake, Context())
    assert result.ended in ("interrupted", "it is busy")
    assert len(result.text) < 0.7 * len(text)
    assert same(found, compared(result.text, Fake(is_a(nodes.If))))


def test_cancelling_ends_it() -> None:
    text = SCRIPTS["breakout_strategy"]
    fake = Fake(is_a(nodes.If))
    found = compared(text, fake)
    fake.asked.clear()
    result = reduce(text, found, fake, Context(cancelled=lambda: len(fake.asked) >= 3))
    assert (len(fake.asked), result.ended) == (3, "the work was cancelled")


def test_progress_is_told() -> None:
    told: list[tuple[str, float | None]] = []
    text = SCRIPTS["candle_gallery"]
    fake = Fake(is_a(nodes.History))
    reduce(text, compared(text, fake), fake, Context(progress=lambda words, part: told.append((words, part))))
    assert re.fullmatch(r"\d+ lines left, 0 of 200 compilations", told[0][0])
    assert told[-1][1]
    assert [part for _, part in told] == sorted(part for _, part in told if part is not None)
