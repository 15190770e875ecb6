"""What the server answers the page's editor: places as Monaco counts them, versions, questions that make no sense."""

import json
import random
from typing import Any

from pinebench.studio.app import Studio
from pinebench.studio.editor_answers import MOST_TEXTS
from pinebench.studio.web import StudioRequest
from tests.tables import each

SCRIPT = """//@version=6
indicator("Levels 📈", overlay = true)
type Level
    float price
    int bar
// Twice a number.
twice(float x) =>
    x * 2
level = Level.new(close, bar_index) // 📈
plot(twice(level.price), color = #FF0000)
"""


class Page:
    """A page that asks, with the text in its editor."""

    def __init__(self, text: str = SCRIPT, name: str = "a", studio: Studio | None = None) -> None:
        self.studio = studio or Studio()
        self.text, self.name, self.version = text, name, 1

    def post(self, question: str, body: Any) -> tuple[int, Any]:
        answer = self.studio.handle(
            StudioRequest("POST", f"/studio/api/editor/{question}", body=json.dumps(body).encode())
        )
        return answer.status, json.loads(answer.body)

    def ask(self, question: str, **about: Any) -> Any:
        body = {"page": self.name, "version": self.version, "source": self.text, **about}
        status, found = self.post(question, body)
        assert status == 200, found
        assert found["version"] == self.version
        return found["answer"]

    def at(self, words: str, behind: int = 0) -> dict[str, int]:
        """The place where `words` begin in the text, moved by `behind` characters, in UTF-16 units."""
        before = self.text[: self.text.index(words) + behind]
        line = before.rpartition("\n")[2]
        return {"lineNumber": before.count("\n") + 1, "column": len(line.encode("utf-16-le")) // 2 + 1}

    def range(self, words: str) -> dict[str, int]:
        start, end = self.at(words), self.at(words, len(words))
        return {
            "startLineNumber": start["lineNumber"],
            "startColumn": start["column"],
            "endLineNumber": end["lineNumber"],
            "endColumn": end["column"],
        }

    def applied(self, edits: list[dict[str, Any]]) -> str:
        """The text after `edits`, as Monaco makes it."""
        lines = self.text.split("\n")
        starts = [sum(len(line) + 1 for line in lines[:number]) for number in range(len(lines))]

        def offset(line: int, column: int) -> int:
            units = lines[line - 1].encode("utf-16-le")[: 2 * (column - 1)]
            return starts[line - 1] + len(units.decode("utf-16-le"))

        text = self.text
        for edit in sorted(edits, key=lambda each: -offset(*list(each["range"].values())[:2])):
            first, column, last, end = edit["range"].values()
            text = text[: offset(first, column)] + edit["text"] + text[offset(last, end) :]
        return text


def labels(found: dict[str, Any]) -> list[str]:
    return [item["label"] for item in found["items"]]


def test_fields_named_arguments_and_members_are_completed() -> None:
    page = Page()
    assert labels(page.ask("completion", at=page.at("level.price", 6)))[:2] == ["price", "bar"]
    page = Page(SCRIPT + "plot(ta.sma(close, leng))\n")
    first = page.ask("completion", at=page.at("leng)", 4))["items"][0]
    assert (first["label"], first["kind"], first["text"], first["snippet"]) == (
        "length",
        "parameter",
        "length = $0",
        True,
    )
    assert first["range"] == page.range("leng")
    page = Page(SCRIPT + "x = ta.\n")
    assert "ema" in labels(page.ask("completion", at=page.at("= ta.", 5)))


def test_what_is_said_about_a_completion_belongs_to_its_list() -> None:
    page = Page(SCRIPT + "x = twi\n")
    found = page.ask("completion", at=page.at("= twi", 5))
    number = labels(found).index("twice")
    page.version, page.text = 2, page.text + "y = 1\n"
    assert "Twice a number." in page.ask("about", list=1, number=number)
    assert page.ask("about", list=2, number=number) is None
    assert page.ask("about", list=1, number=9999) is None
    assert page.ask("about", list=1, number=-1) is None


def test_places_are_counted_as_monaco_counts() -> None:
    page = Page("//@version=6\nindicator('📈')\na = '📈', beta = 1\nplot(beta)\n")
    assert page.ask("definition", at=page.at("beta)")) == page.range("beta")
    assert page.range("beta")["startColumn"] == 11
    assert page.ask("hover", at=page.at("beta", 2))["range"] == page.range("beta")


def test_names_lead_somewhere() -> None:
    page = Page()
    assert page.ask("definition", at=page.at("twice(level"))["startLineNumber"] == 7
    assert page.ask("type", at=page.at("level.price"))["startLineNumber"] == 3
    uses = page.ask("references", at=page.at("level ="))
    assert [(use["range"]["startLineNumber"], use["writes"]) for use in uses] == [(9, True), (10, False)]
    assert page.ask("definition", at=page.at("plot(")) is None


def test_a_name_is_renamed_or_the_reason_is_told_why_not() -> None:
    page = Page()
    assert page.ask("renamable", at=page.at("twice(level")) == {"range": page.range("twice(level") | {"endColumn": 11}}
    edits = page.ask("rename", at=page.at("twice(level"), name="doubled")["edits"]
    assert page.applied(edits) == SCRIPT.replace("twice", "doubled")
    assert "built in" in page.ask("renamable", at=page.at("plot("))["refused"]
    assert "bar" in page.ask("rename", at=page.at("price, "[:5]), name="bar")["refused"]
    assert "refused" in page.ask("rename", at=page.at("twice(level"), name="if")


def test_a_finding_is_mended_and_explained() -> None:
    page = Page(SCRIPT.replace("twice(level.price)", "twicee(level.price)"))
    found = page.ask("actions", range=page.range("twicee"))
    fix = next(action for action in found if action["kind"] == "fix")
    assert page.applied(fix["edits"]) == SCRIPT
    assert fix["finding"]["code"] and fix["finding"]["startLineNumber"] == 10
    code = next(action for action in found if action["kind"] == "explain")["code"]
    assert code in page.ask("explain", code=code)["text"]
    assert "unknown name or code" in page.ask("explain", code="CE0")["refused"]


def test_older_scripts_are_brought_to_v6() -> None:
    page = Page('//@version=4\nstudy("x")\nplot(sma(close, 9))\n')
    assert "convert" in [action["kind"] for action in page.ask("actions", range=page.range("study"))]
    assert page.applied(page.ask("convert")["edits"]).startswith('//@version=6\nindicator("x")\nplot(ta.sma(close, 9))')
    page = Page("//@version=2\nstudy('x')\n")
    assert "v2" in page.ask("convert")["refused"]
    assert "convert" not in [action["kind"] for action in Page().ask("actions", range=page.range("study"))]


def test_the_script_is_laid_out_in_whole_or_in_part() -> None:
    page = Page("//@version=6\nindicator('x')\na=1\nb=2\nplot(a+b)\n")
    assert page.applied(page.ask("layout")) == "//@version=6\nindicator('x')\na = 1\nb = 2\nplot(a + b)\n"
    part = page.applied(page.ask("layout", range=page.range("b=2")))
    assert part == page.text.replace("b=2", "b = 2")


def test_colours_folds_tokens_and_symbols() -> None:
    page = Page()
    (color,) = page.ask("colors")
    assert color["color"] == {"red": 1.0, "green": 0.0, "blue": 0.0, "alpha": 1.0}
    assert color["range"] == page.range("#FF0000")
    picked = {"red": 0.0, "green": 1.0, "blue": 0.0, "alpha": 0.5}
    assert page.ask("written", range=page.range("#FF0000"), color=picked) == "#00FF0080"
    assert {"start": 3, "end": 5, "kind": "code"} in page.ask("folds")
    data = page.ask("tokens")
    assert len(data) % 5 == 0 and data[:2] == [1, 0]
    assert [symbol["name"] for symbol in page.ask("symbols")] == ["Level", "twice", "level"]


def test_a_question_about_an_older_text_has_no_answer_and_leaves_the_newer_text() -> None:
    page = Page()
    page.version, page.text = 5, SCRIPT.replace("twice", "doubled")
    assert page.ask("hover", at=page.at("doubled(level")) is not None
    status, found = page.post("hover", {"page": "a", "version": 4, "source": SCRIPT, "at": page.at("doubled(level")})
    assert (status, found) == (200, {"version": 5, "answer": None})
    assert "doubled" in page.ask("hover", at=page.at("doubled(level"))["text"]


def test_pages_have_texts_of_their_own_and_few_are_kept() -> None:
    studio = Studio()
    one, other = Page(studio=studio, name="one"), Page("//@version=6\nindicator('x')\n", "other", studio)
    for page in (one, other, one):
        assert len(page.ask("symbols")) == (3 if page is one else 0)
    for number in range(2 * MOST_TEXTS):
        Page(studio=studio, name=str(number)).ask("folds")
    assert len(one.ask("symbols")) == 3


@each(
    ("question", "body", "status"),
    [
        ("hover", [], 400),
        ("hover", {"page": "a", "version": 1, "source": 3, "at": {"lineNumber": 1, "column": 1}}, 400),
        ("hover", {"page": "a", "version": 1, "source": ""}, 400),
        ("hover", {"page": "a", "version": 1, "source": "", "at": {"lineNumber": "1", "column": 1}}, 400),
        ("hover", {"page": "a", "version": True, "source": "", "at": {"lineNumber": 1, "column": 1}}, 400),
        ("folds", {"page": "a", "version": 1, "source": "x" * 2_000_001}, 400),
        ("nothing", {"page": "a", "version": 1, "source": ""}, 404),
    ],
)
def test_questions_that_make_no_sense_are_refused(question: str, body: Any, status: int) -> None:
    found = Page().post(question, body)
    assert found[0] == status and found[1]["error"]


def test_any_place_of_any_text_has_an_answer() -> None:
    """What stands in an editor while somebody types is seldom a script."""
    seed = random.Random(13)
    page = Page()
    for _ in range(40):
        start = seed.randrange(len(page.text))
        page.text = (
            page.text[:start]
            + seed.choice(["(", '"', "\n    ", "level.", "📈", "\ud800", "\x00"])
            + page.text[start + seed.randrange(3) :]
        )
        page.version += 1
        at = {"lineNumber": seed.randrange(-1, 14), "column": seed.randrange(-1, 60)}
        range_ = {"startLineNumber": 3, "startColumn": 9, "endLineNumber": seed.randrange(1, 14), "endColumn": 5}
        for question in ("completion", "signature", "hover", "definition", "references", "renamable"):
            page.ask(question, at=at)
        for question in ("actions", "layout"):
            page.ask(question, range=range_)
        for question in ("colors", "folds", "tokens", "symbols"):
            page.ask(question)
