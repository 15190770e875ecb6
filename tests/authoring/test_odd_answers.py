"""Answers that a model or its service may well give and that no protocol promises: none stops a run without a word,
loses a script, or miscounts what it cost."""

import json
from html import escape
from pathlib import Path
from typing import Any

import pytest

from pinebench.authoring import session
from pinebench.authoring.author import AuthorBudget, AuthorUnavailable
from pinebench.authoring.claude import Claude
from pinebench.authoring.events import UnansweredEvent
from pinebench.authoring.service import cost, price
from pinebench.compilers.local import LocalCompiler
from pinebench.context import Context
from tests.authoring.fake_anthropic import Reply, busy, edits, script, text
from tests.authoring.support import CLEAN, MISSPELLED, NO_WAIT, TWO_ERRORS, UNDECLARED, ending, isolate, service

MENDING = ("ta.smaa", "ta.sma")


def call(name: str, arguments: dict[str, Any] | str, *words: str, **options: Any) -> Reply:
    """Words, then one tool call; arguments given as text are sent as they are."""
    blocks = [{"type": "text", "text": part} for part in words]
    tool = {"type": "tool_use", "id": "toolu_x", "name": name, "input": arguments}
    return Reply((*blocks, tool), **{"stop_reason": "tool_use", **options})


# where the script stands


@pytest.mark.parametrize(
    "answer",
    [
        text(f"The old one:\n```pine\n{MISSPELLED}```\nmended:\n```pine\n{CLEAN}```"),
        text("Try\n```pine\nplot(ta.sma(close, 14))\n```\n", f"```pinescript\n{CLEAN}```"),
        text(f"1. Here:\n   ```pine\n   {CLEAN.rstrip().replace(chr(10), chr(10) + '   ')}\n   ```\n2. Done."),
        text(f"```pine\nplot(close)\n```\nAll of it:\n```pine\n{CLEAN}"),
        text(f"```pine {CLEAN}```"),
        text(f"\ufeff```pine\n\ufeff{CLEAN}```"),
        text(f"```pine\n{CLEAN}```".replace("\n", "\r\n")),
        text(f"```pine\n{escape(CLEAN)}```"),
        text(f"{CLEAN}\nThis draws the average, as plot(ta.sma(close, length)) does.\n\n- Change the length at will."),
        script(CLEAN, stop_reason="max_tokens"),
        script(CLEAN, stop_reason="stop_sequence"),
        call("replace_text", {"old_text": "", "new_text": CLEAN}),
        call("replace_text", {"old_text": MISSPELLED + "//", "new_text": f"```pine\n{CLEAN}```"}),
        call("replace_text", {"code": CLEAN}),
        call("replace_text", {"old_text": MISSPELLED, "new_text": CLEAN}),
        call("replace_text", {"old_text": "ta.smaa(close,", "new_text": "ta.sma(close,"}, "I shall mend the name."),
        call("replace_text", {"old_text": 'Length")\r\nplot(ta.smaa', "new_text": 'Length")\r\nplot(ta.sma'}),
        call("replace_text", {"old_text": "nowhere", "new_text": ""}, f"```pine\n{CLEAN}```"),
    ],
)
def test_the_script_is_found_and_compiles(write, answer: Reply) -> None:
    told = write(script(MISSPELLED), answer)
    assert (told.finished.success, told.finished.attempts, told.disk) == (True, 2, CLEAN)
    assert len(told.fake.requests) == 2


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (edits(("nowhere", ""), ("n", "")), "occurs"),
        (edits(("l", "ll")), "occurs"),
        (edits(("", "x")), "is empty"),
        (call("rewrite_script", {"old_text": "ta.smaa", "new_text": "ta.sma"}), "no tool 'rewrite_script'"),
        (call("replace_text", '{"old_text": "ta.smaa", "new_te'), "must be a JSON object"),
        (call("replace_text", "[1, 2]"), "must be a JSON object"),
        (call("replace_text", {}), "must be a JSON object"),
        (call("replace_text", {"old_text": 1, "new_text": None}), "must be a JSON object"),
    ],
)
def test_an_edit_that_cannot_be_made_is_sent_back_with_the_reason(write, answer: Reply, words: str) -> None:
    told = write(script(MISSPELLED), answer, edits(MENDING))
    assert (told.finished.success, told.finished.attempts) == (True, 2)
    sent, results = told.fake.requests[2].body["messages"][-2:]
    assert [block["type"] for block in sent["content"]] == ["tool_use"] * len(results["content"])
    assert all(isinstance(block["input"], dict) for block in sent["content"])
    assert any(words in result["content"] and result["is_error"] for result in results["content"])


def test_edits_may_begin_with_the_template(write) -> None:
    told = write(edits(('indicator("EMA ribbon"', 'indicator("My ribbon"')), template="ema_ribbon")
    assert told.finished.success
    assert "My ribbon" in told.disk


def test_an_edit_that_changes_nothing_is_no_revision(write) -> None:
    told = write(script(MISSPELLED), edits(("ta.smaa", "ta.smaa")), edits(MENDING))
    assert told.names[3] == "Unanswered"
    assert "change nothing" in told.fake.requests[2].text
    assert told.finished.success


def test_several_edits_of_one_answer_all_count_and_words_that_are_empty_are_not_sent_back(write) -> None:
    half = Reply((*text("").blocks, *edits(MENDING, ("nowhere", "x")).blocks), stop_reason="tool_use")
    told = write(script(TWO_ERRORS), half, edits(("clsoe", "close")))
    assert (told.finished.success, told.finished.attempts, told.disk) == (True, 2, CLEAN)
    sent, results = told.fake.requests[2].body["messages"][-2:]
    assert [block["type"] for block in sent["content"]] == ["tool_use", "tool_use"]
    assert [result["is_error"] for result in results["content"]] == [False, True]


def test_an_answer_that_pauses_goes_on_where_it_was(write) -> None:
    begun = f"```pine\n{CLEAN}```"
    told = write(text(begun[:40], stop_reason="pause_turn"), text(begun[40:]))
    assert (told.finished.success, told.finished.attempts, told.disk) == (True, 1, CLEAN)
    assert told.fake.requests[1].body["messages"][-1]["role"] == "assistant"


def test_half_a_script_is_never_compiled(write) -> None:
    told = write(*[text(f"```pine\n{CLEAN[:70]}", stop_reason="max_tokens")] * 9)
    assert (told.finished.outcome, told.finished.source, told.disk) == ("no-script", None, None)
    assert "was cut after 200 tokens" in told.finished.message


def test_an_older_version_again_and_again_is_kept_for_want_of_better(write) -> None:
    old = CLEAN.replace("=6", "=5")
    told = write(script(old), script(old), script(old))
    assert (told.finished.outcome, told.finished.success, told.finished.origin) == ("no-script", False, None)
    assert told.disk == told.finished.source == old


def test_a_script_of_five_thousand_lines_is_as_good_as_any(write) -> None:
    long = CLEAN + "".join(f"plot(close + {n})\n" for n in range(20)) + "// filling\n" * 5000
    told = write(script(long.replace("close + 7)", "clsoe + 7)")), edits(("clsoe", "close")))
    assert (told.finished.success, told.disk) == (True, long)


def test_a_library_is_a_script_too(write) -> None:
    library = '//@version=6\nlibrary("Half")\nexport half(float x) =>\n\tx / 2\n'
    assert write(script(library)).disk == library


def test_half_a_character_does_not_stop_the_run(write) -> None:
    raw = script(CLEAN.replace("Average", "Average \ud83d")).blocks[0]["text"]
    told = write(text(raw))
    assert told.finished.success
    assert "Average ?" in told.disk


# streams that break


@pytest.mark.parametrize("step", [210, pytest.param(53, marks=pytest.mark.soak)])
def test_a_stream_may_break_anywhere(write, step: int) -> None:
    whole = script(
        CLEAN.replace("Average", "Durchschnitt \u00f8 \u20ac"), usage={"input_tokens": 10, "output_tokens": 5}
    )
    for place in range(0, 2400, step):
        told = write(Reply(**{**_fields(whole), "cut_bytes": place}), whole)
        assert (told.finished.success, told.finished.attempts) == (True, 1), place
        assert "\u20ac" in told.disk


def _fields(reply: Reply) -> dict[str, Any]:
    return {name: getattr(reply, name) for name in reply.__dataclass_fields__}


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"<html>busy</html>",
        b"event: message_stop\ndata: {}\n\n",
        b"event: content_block_delta\ndata: {\n\n",
        b"event: content_block_delta\ndata: 5\n\n",
        b'event: content_block_delta\ndata: {"type": "content_block_delta"}\n\n',
        b'event: message_start\ndata: {"type": "message_start"}\n\n',
        b'event: message_delta\ndata: {"type": "message_delta", "delta": [], "usage": {"output_tokens": null}}\n\n',
        b"event: message_start\ndata: \xff\xfe\n\n",
        b'event: error\ndata: {"type": "error", "error": {"type": "api_error", "message": ""}}\n\n',
    ],
)
def test_a_stream_of_something_else_counts_as_cut(write, raw: bytes) -> None:
    told = write(Reply(raw=raw), script(CLEAN))
    assert (told.finished.success, told.finished.attempts) == (True, 1)
    never = write(script(UNDECLARED), *[Reply(raw=raw)] * 6)
    assert (never.finished.outcome, never.disk) == ("unavailable", UNDECLARED)


def test_a_stream_without_its_last_event_is_whole(write) -> None:
    answer = script(CLEAN)
    told = write(script(CLEAN, cut_after=len(answer.events) - 1))
    assert (told.finished.success, len(told.fake.requests)) == (True, 1)


def test_a_service_that_does_not_count_costs_nothing(write) -> None:
    told = write(script(CLEAN, usage={}))
    assert told.finished.success
    assert told.finished.usage.tokens == 0


# what it costs


def test_every_request_is_paid_for_with_its_own_price(write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINEBENCH_MODEL", "claude-opus-5")
    counts = {
        "input_tokens": 100,
        "output_tokens": 50,
        "cache_read_input_tokens": 2000,
        "cache_creation_input_tokens": 300,
    }
    told = write(script(MISSPELLED, usage=counts), edits(("nowhere", "x"), usage=counts), edits(MENDING, usage=counts))
    usage = told.finished.usage
    assert (usage.input_tokens, usage.output_tokens) == (300, 150)
    assert (usage.cache_read_tokens, usage.cache_write_tokens) == (6000, 900)
    expected = (300 * 5 + 150 * 25 + 6000 * 0.5 + 900 * 6.25) / 1_000_000
    assert usage.dollars == pytest.approx(expected)
    assert cost("claude-opus-5", usage) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("model", "prices"),
    [
        ("claude-3-opus-20240229", (15, 75)),
        ("claude-opus-4-20250514", (15, 75)),
        ("claude-opus-4-0", (15, 75)),
        ("claude-opus-4", (15, 75)),
        ("anthropic/claude-opus-4.1", (15, 75)),
        ("claude-opus-4-latest", (15, 75)),
        ("claude-4-opus-20250514", (15, 75)),
        ("claude-4.1-opus", (15, 75)),
        ("anthropic.claude-opus-4-1-20250805-v1:0", (15, 75)),
        ("claude-opus-4@20250514", (15, 75)),
        ("claude-opus-4-1-20250805", (15, 75)),
        ("claude-opus-4-5-20251101", (5, 25)),
        ("claude-opus-4-6", (5, 25)),
        ("anthropic/claude-opus-4.5", (5, 25)),
        ("claude-4.5-opus", (5, 25)),
        ("claude-opus-5", (5, 25)),
        ("claude-opus-5-5", (5, 25)),
        ("claude-sonnet-4-20250514", (3, 15)),
        ("claude-haiku-5-5", (1, 5)),
        ("another-model", (25, 125)),
    ],
)
def test_older_models_of_a_family_have_their_own_prices(model: str, prices: tuple[int, int]) -> None:
    assert price(model) == prices


def test_what_a_cut_answer_had_written_is_paid_for_although_the_service_did_not_count_it(write) -> None:
    long = script(CLEAN + "// " + "words " * 2_000)
    told = write(Reply(**{**_fields(long), "cut_after": len(long.events) - 2}), script(CLEAN))
    assert told.finished.success
    assert 3_000 < told.finished.usage.output_tokens < 4_500


def test_cut_streams_do_not_spend_beyond_the_budget(write) -> None:
    dear = {"input_tokens": 200_000, "output_tokens": 10}
    told = write(*[script(CLEAN, cut_after=3, usage=dear)] * 6, budget=AuthorBudget(dollars=1.0))
    assert len(told.fake.requests) == 1, "the next try is known to cost as much as the first one"
    assert told.finished.usage.dollars == pytest.approx(0.6, abs=0.01)


def test_what_a_failing_request_cost_is_in_the_account(write) -> None:
    told = write(script(UNDECLARED), script(CLEAN, cut_after=3), busy(400))
    assert told.finished.outcome == "unavailable"
    assert told.finished.usage.input_tokens == 2000


def test_no_room_for_another_answer_is_an_exhausted_budget(write) -> None:
    told = write(script(UNDECLARED), budget=AuthorBudget(dollars=0.03))
    assert (told.finished.outcome, told.disk, len(told.fake.requests)) == ("budget", UNDECLARED, 1)
    assert "--resume" in told.finished.hint


def test_a_small_budget_buys_one_draft(write) -> None:
    told = write(script(UNDECLARED), budget=AuthorBudget(dollars=0.02))
    assert (told.finished.outcome, told.disk) == ("budget", UNDECLARED)
    assert 0 < told.fake.requests[0].body["max_tokens"] < 1_000


def test_a_budget_without_room_for_the_request_asks_nothing(write) -> None:
    told = write(script(UNDECLARED), budget=AuthorBudget(dollars=0.005))
    assert (told.finished.outcome, told.disk, len(told.fake.requests)) == ("budget", None, 0)
    assert "the request alone may have" in told.finished.message and "($0.0" in told.finished.message


@pytest.mark.parametrize("limit", [0.02, 0.05, 0.2, 0.3])
def test_a_limit_of_dollars_is_never_passed(write, limit: float) -> None:
    """The service counts 3 bytes as a token, writes all of them into its cache, and each answer uses all its room."""

    def step(body: dict[str, Any]) -> Reply:
        asked = len(json.dumps([body["system"], body.get("tools", []), body["messages"]])) // 3
        usage = {"input_tokens": 0, "cache_creation_input_tokens": asked, "output_tokens": body["max_tokens"]}
        return script(UNDECLARED, usage=usage)

    told = write(*[step] * 8, budget=AuthorBudget(dollars=limit))
    assert told.finished.outcome == "budget" and 0 < told.finished.usage.dollars <= limit


# a service that refuses


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "refused the request"),
        (401, "refused the key"),
        (403, "refused the key"),
        (404, "no model"),
        (413, "refused the request"),
        (422, "refused the request"),
        (307, "refused the request"),
    ],
)
def test_a_request_that_is_refused_is_not_repeated(write, status: int, words: str) -> None:
    told = write(
        script(UNDECLARED), Reply(status=status, error="some_error", headers={"location": "http://127.0.0.1:9/"})
    )
    assert (told.finished.outcome, told.disk, told.fake.unused) == ("unavailable", UNDECLARED, 0)
    assert len(told.fake.requests) == 2
    assert words in told.finished.message
    with pytest.raises(AuthorUnavailable, match=words):
        write(busy(status))


@pytest.mark.parametrize("wait", ["0", "-3", "nan", "soon", "Wed, 21 Oct 2026 07:28:00 GMT", "0.01"])
def test_a_wait_that_the_service_asks_for_is_waited_if_it_is_one(write, wait: str) -> None:
    assert write(
        Reply(status=429, error="rate_limit_error", headers={"retry-after": wait}), script(CLEAN)
    ).finished.success


@pytest.mark.parametrize("wait", ["3600", "inf"])
def test_a_wait_beyond_patience_ends_the_run_and_says_how_long_it_is(write, wait: str) -> None:
    with pytest.raises(AuthorUnavailable, match=f"{wait} s"):
        write(Reply(status=429, error="rate_limit_error", headers={"retry-after": wait}))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ANTHROPIC_BASE_URL", "http://[::1"),
        ("ANTHROPIC_BASE_URL", "nonsense"),
        ("ANTHROPIC_BASE_URL", "http://127.0.0.1:1"),
        ("ANTHROPIC_BASE_URL", "http://127.0.0.1:port"),
        ("ANTHROPIC_API_KEY", "k\u00e9y"),
        ("ANTHROPIC_API_KEY", "key\nof: two lines"),
        ("HTTPS_PROXY", "http://[::1"),
        ("ALL_PROXY", "gopher://127.0.0.1:1"),
    ],
)
def test_a_broken_environment_is_told_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, value: str
) -> None:
    isolate(monkeypatch, tmp_path)
    with service(monkeypatch):
        monkeypatch.setenv("NO_PROXY", "")
        monkeypatch.setenv(name, value)
        with pytest.raises(AuthorUnavailable):
            ending(
                session.write(
                    "plot", Claude(back_off=NO_WAIT), LocalCompiler(), AuthorBudget(), Context(), template="none"
                )
            )


# going on


def test_what_went_silent_or_ran_out_of_money_can_be_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    isolate(monkeypatch, tmp_path)
    silent = [text("")] * 3
    with service(monkeypatch, script(UNDECLARED), *silent, edits(("lenght", "length"))):
        author = Claude(back_off=NO_WAIT)
        events = session.write(
            "x", author, LocalCompiler(), AuthorBudget(), Context(), template="none", output="a.pine"
        )
        every, finished = ending(events)
        assert finished.outcome == "no-script"
        assert sum(isinstance(event, UnansweredEvent) for event in every) == 3
        (tmp_path / "a.pine").unlink()
        going_on = session.resume("a.pine", lambda started: (started, author, LocalCompiler()), Context())
        next(going_on)
        assert (tmp_path / "a.pine").read_text() == UNDECLARED
        _, finished = ending(going_on)
    assert (finished.success, (tmp_path / "a.pine").read_text()) == (True, CLEAN)
