"""Every answer of every question can be read and chosen, in windows of all sizes."""

import ast
from pathlib import Path

import pytest
from textual.widgets import Button

from pinebench.tui import dialogs
from pinebench.tui.dialogs import Ask, DialogChoice
from tests.tui.support import bench

ROOM = Path(dialogs.__file__).parent


def _asked() -> dict[str, list[str]]:
    """The answers of each question in the room, by its place."""
    found: dict[str, list[str]] = {}
    for path in sorted(ROOM.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.List | ast.Tuple) and node.elts and all(map(_is_choice, node.elts)):
                texts = [ast.unparse(each.args[1]).strip("'\"") for each in node.elts if isinstance(each, ast.Call)]
                found[f"{path.name}:{node.lineno}"] = texts
    return found


def _is_choice(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "DialogChoice"


@pytest.mark.parametrize("size", [(60, 20), (140, 40)])
async def test_no_answer_is_cut_off(size: tuple[int, int]) -> None:
    questions = _asked()
    assert len(questions) > 8
    assert max(map(len, questions.values())) >= 4
    async with bench(size=size) as it:
        for place, texts in questions.items():
            choices = [DialogChoice(str(number), text) for number, text in enumerate(texts)]
            question = Ask(place, "A text that says what this is about.", choices)
            it.app.push_screen(question)
            await it.until(lambda asked=question: it.app.screen is asked and bool(asked.query(Button)), place)
            await it.pilot.pause()
            inside = question.query_one(".box").content_region
            for button, text in zip(question.query(Button), texts, strict=True):
                assert inside.contains_region(button.region), (place, text, button.region, inside)
                assert button.region.width >= len(text) + 2, (place, text)
            question.dismiss()
            await it.until(lambda asked=question: it.app.screen is not asked, place)
