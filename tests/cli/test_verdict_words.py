"""Only TradingView's own compilers say that a script compiles, whoever tells it."""

import io
from collections.abc import Callable
from typing import get_args

from pinebench.authoring.author import AuthorBudget, AuthoringTask, Usage
from pinebench.authoring.events import CompiledEvent, FinishedEvent, StartedEvent
from pinebench.cli.compiler_option import in_words
from pinebench.cli.story import follow
from pinebench.compilers import Origin, Verdict
from pinebench.lsp.commands import summary
from pinebench.tui.script_tab import CompilerVerdict
from tests.tables import each


def told_by_the_loop(origin: Origin, unread: tuple[str, ...] = ()) -> str:
    verdict = Verdict(True, (), origin, 0.1)
    ending = FinishedEvent("compiled", True, "done", "x\n", 0, 0, origin, 1, Usage(), not_checked=unread)
    told = io.StringIO()
    follow(
        iter(
            [StartedEvent(AuthoringTask("x"), "fix", "local", AuthorBudget()), CompiledEvent(1, verdict, True), ending]
        ),
        stream=told,
    )
    return told.getvalue().partition("\n")[2].partition("\n")[2]  # what it says before a verdict is about no script


FACES: dict[str, Callable[[Origin], str]] = {
    "commands": lambda origin: in_words(origin, ok=True),
    "loop": told_by_the_loop,
    "editors": lambda origin: summary(
        {"ok": True, "origin": origin, "elapsed": 0.1, "summary": {"errors": 0, "warnings": 0}, "not_checked": []}
    ),
    "terminal": lambda origin: CompilerVerdict.of(Verdict(True, (), origin, 0.1), "x").words,
}


@each("face", FACES)
@each("origin", get_args(Origin))
def test_our_own_check_passes_and_theirs_compile(face: str, origin: Origin) -> None:
    said = FACES[face](origin)
    assert ("compiles" in said) is (origin in ("online", "tradingview"))
    assert ("passes" in said) is (origin in ("local", "studio"))


def test_the_loop_names_libraries_whose_uses_were_not_checked() -> None:
    assert "uses of me/Foo/1 were not checked" in told_by_the_loop("local", ("me/Foo/1",))
    assert "not checked" not in told_by_the_loop("local")
