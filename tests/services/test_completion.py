"""What is offered at a place, also where the text around it is broken."""

import pytest

from pinebench.reference import keywords
from pinebench.services import OpenScript
from pinebench.services.completion import completions
from pinebench.services.hover import signature_help
from tests.services.support import FILLED, HEAD, labels, offered
from tests.tables import each


@each(
    ("marked", "first"),
    [
        ("level.|", {"price", "touches", "side", "distance", "copy"}),
        ("level.touches.|", {"push", "get", "size"}),
        ("a = array.new<Level>(1)\na.get(0).|", {"price", "touches"}),
        ("if level.side == Side.|\n    x = 1", {"long", "short"}),
        ("x = level.side == Side.lo|", {"long"}),
        ("label.new(bar_index, close).|", {"set_text", "delete"}),
        ("p = chart.point.now(close)\np.|", {"index", "time", "price"}),
        ("Level.|", {"new", "copy"}),
        ("x = ta.cross|", {"cross", "crossover", "crossunder"}),
        ("for [i, each] in level.touches\n    i.|", set[str]()),
    ],
)
def test_members_by_the_type_of_what_stands_before_the_dot(marked: str, first: set[str]) -> None:
    assert first <= set(labels(marked)[:12])


def test_the_members_are_those_of_the_type_and_no_others() -> None:
    assert set(labels("level.|")) == {"price", "touches", "side", "distance", "copy"}
    assert labels("level.pr|") == ["price"]


@each("rest", ["", "\nplot(close", "\nif\n", ')\nx = "', "\n    y = 3 +", " = 3", "\n=> =>"])
@each("before", ["plot(level.|", "x = (1 + level.|", "if level.|", "level.|", "f(a) => level.|"])
def test_members_where_the_text_around_is_broken(before: str, rest: str) -> None:
    assert {"price", "touches", "distance"} <= set(labels(before + rest))


def test_a_parameter_without_a_type_has_the_members_of_what_it_is_called_with() -> None:
    script = FILLED + "far(which) =>\n    which.price\nplot(far(level))\n"
    place = script.index("which.price") + len("which.")
    view = OpenScript(script[:place] + script[place + len("price") :])
    whole = OpenScript(script)
    whole.view.program  # noqa: B018 - what an editor has checked before the name was taken out
    whole.edit(place, place + len("price"), "")
    assert "touches" in {item.label for item in completions(whole.view, place)}
    assert "price" in {item.label for item in completions(view.view, place)}


def test_names_in_scope_come_with_their_types() -> None:
    found = {item.label: item for item in offered("for i = 0 to 3\n    inner = 2.5\n    x = |\nlater = 1")}
    assert found["length"].detail == "int" and found["inner"].detail == "float"
    assert found["i"].kind == found["inner"].kind == found["level"].kind == "variable"
    assert found["twice"].kind == "function" and found["twice"].detail.startswith("twice(x")
    assert found["ta"].kind == found["str"].kind == "namespace"
    assert "later" not in found and "times" not in found and "y" not in found


def test_inside_a_function_its_own_names_are_offered() -> None:
    found = labels("f(first, float second = 1.0) =>\n    third = 3\n    |\n    first")
    assert {"first", "second", "third"} <= set(found)


def test_named_arguments_that_are_not_given_yet() -> None:
    found = [item for item in offered('plot(close, "t", linewidth = 2, |, style = plot.style_line)') if item.snippet]
    names = [item.label for item in found if item.kind == "parameter"]
    assert "color" in names and "offset" in names
    assert not {"series", "title", "linewidth", "style"} & set(names)
    assert found[0].snippet is not None and found[0].snippet.endswith(" = $0")


def test_named_arguments_of_the_scripts_own_functions_methods_and_types() -> None:
    assert "times" in labels("twice(1, |)")[:5]
    assert "price" in labels("level.distance(|)")
    assert {"price", "touches", "side"} <= set(labels("Level.new(|)")[:12])


def test_arguments_leave_the_overload_that_they_fit() -> None:
    by_point = [item.label for item in offered("p = chart.point.now(close)\nline.new(p, |") if item.kind == "parameter"]
    by_number = [item.label for item in offered("line.new(bar_index, |") if item.kind == "parameter"]
    assert "second_point" in by_point and "y1" not in by_point
    assert "y1" in by_number and "second_point" not in by_number


@each(
    ("marked", "wanted"),
    [
        ("plot(close, style = |)", "plot.style_line"),
        ("if level.side == |", "Side.long"),
        ("level.side := |", "Side.short"),
        ("switch level.side\n    |", "Side.long"),
        ("x = array.new<float>(3)\nx.sort(|)", "order.descending"),
        ("plot(close, color = |)", "color.red"),
        ("x = request.security(syminfo.tickerid, '1D', close, |)", "barmerge.gaps_on"),
    ],
)
def test_what_a_parameter_or_a_comparison_wants_comes_first(marked: str, wanted: str) -> None:
    assert wanted in labels(marked)[:16]


@each(
    ("marked", "wanted", "unwanted"),
    [
        ("|", {"if", "for", "var", "import", "export", "type", "float", "once"}, {"and", "to"}),
        ("if true\n    |", {"if", "break", "var"}, {"import", "export"}),
        ("x = |", {"switch", "not", "true"}, {"import", "var", "break"}),
        ("x = close > open |", {"and", "or"}, {"if", "close"}),
        ("for i = 0 |", {"to", "by"}, {"close"}),
        ("for each |", {"in"}, {"close"}),
        ("var |", {"float", "Level", "array"}, {"close", "if"}),
        ("type Other\n    |", {"int", "Level", "varip"}, {"close", "if"}),
        ("f(|) => 1", {"int", "series", "Level"}, {"close"}),
        ("x = array.new<|", {"int", "Level", "Side"}, {"close"}),
        ("m = map.new<string, |", {"int", "Level"}, {"close"}),
    ],
)
def test_keywords_and_types_where_the_grammar_allows_them(marked: str, wanted: set[str], unwanted: set[str]) -> None:
    found = set(labels(marked))
    assert wanted <= found
    assert not unwanted & found


def test_every_keyword_is_offered_somewhere() -> None:
    places = ["|", "if true\n    |", "x = |", "x = a > b |", "for i = 0 |", "for i |", "f(|) => 1", "import a/b/1 |"]
    places += ["type T\n    |", "var |"]
    found = {label for place in places for label in labels(place)}
    assert keywords() <= found


@each("marked", ["// some |", 'x = "te|', "x = 3.|", "x = 12|", "float |", "enum |", "for |"])
def test_nothing_is_offered_in_text_numbers_and_new_names(marked: str) -> None:
    assert labels(marked) == []


def test_annotations_colours_and_libraries() -> None:
    assert "version" in labels("//@ve|")
    assert labels("a = #AB12CD\nb = #a|") == ["AB12CD"]
    for marked in ("import |", "import a/B/1 as b, import |", "import a/B/1, import c/D/2 as d,  import |"):
        assert labels(marked) and all(label.count("/") == 2 for label in labels(marked)), marked
    assert "import" in labels("import a/B/1 as b, |")


@pytest.mark.parametrize(
    ("written", "first"),
    [
        ("TradingView/Zi", "TradingView/ZigZag/7"),
        ("TradingView/ta", "TradingView/ta/12"),
        ("TradingView/Te", "TradingView/TechnicalRating/3"),
        ("PineCoders/Vis", "PineCoders/VisibleChart/5"),
        ("ZigZag", "TradingView/ZigZag/7"),
    ],
)
def test_the_newest_version_of_a_published_library_comes_first(written: str, first: str) -> None:
    found = labels(f"import {written}|")
    assert found[0] == first and len(set(found)) == len(found)


def test_exports_of_a_library_that_can_be_seen() -> None:
    class Sources:
        def read(self, path: str):
            from pinebench.syntax import parse

            text = '//@version=6\nlibrary("Thing")\nexport type Box\n    int size\nexport enum Way\n    up\n'
            text += "export grow(int step) =>\n    step + 1\nhidden(int x) => x\n"
            text += "export method half(float x) =>\n    x / 2\n"
            return parse(text).snapshot if path == "some/Thing/1" else None

    def found(marked: str) -> set[str]:
        text = FILLED + marked
        return {item.label for item in completions(OpenScript(text, Sources()).view, len(text))}

    assert {"Box", "Way", "grow"} <= found("x = thing.")
    assert "hidden" not in found("x = thing.")
    assert found("x = thing.Way.") == {"up"}
    assert "size" in found("b = thing.Box.new(1)\nb.")
    assert "half" in found("f = 1.5\nf.")
    assert "step" in found("x = thing.grow(")


def test_scripts_of_other_versions_and_without_a_version_are_served_too() -> None:
    for head in ("", "//@version=5\nindicator('x')\n"):
        text = head + "first = close\nsecond = fir"
        assert completions(OpenScript(text).view, len(text))[0].label == "first"


def test_snippets_stand_for_declarations_and_structures() -> None:
    found = {item.label: item.snippet for item in offered("|") if item.kind == "snippet"}
    assert {"for in", "function", "type", "switch"} <= found.keys()
    assert "import" not in {item.label for item in offered("if true\n    |") if item.kind == "snippet"}


def test_completion_goes_on_from_the_last_check() -> None:
    """A list must not wait for the whole script to be checked again."""
    script = OpenScript(HEAD + "".join(f"v{number} = close + {number}\n" for number in range(300)))
    script.view.program  # noqa: B018
    script.edit(len(script.view.text), len(script.view.text), "x = v1")
    assert "v17" in {item.label for item in completions(script.view, len(script.view.text))}
    assert not script.view.is_checked


REDECLARED = {
    "us = 1.0\nus = |\n": "us",
    "us = 1.0\nx = |\nus = 'text'\n": "us",
    "us = 1.0\nx = |\n[us, them] = f()\n": "us",
    "type Level\n    float price\nx = Level.new().|\ntype Level\n    int other\n": "price",
    "enum Side\n    long\nx = Side.|\nenum Side\n    short\n": "long",
    "x = los|\nfor\n    lost = 1\n": "",
}
"""Scripts that declare a name again, below or in the line of the place; and an item that is offered there."""


def test_what_is_declared_again_below_keeps_its_meaning_above() -> None:
    for marked, wanted in REDECLARED.items():
        text = HEAD + marked.replace("|", "")
        place = len(HEAD) + marked.index("|")
        typed = OpenScript(text[: place - 1] + text[place:])
        typed.view.program  # noqa: B018
        typed.edit(place - 1, place - 1, text[place - 1 : place])
        for view in (typed.view, OpenScript(text).view):
            found = [item.label for item in completions(view, place)]
            assert wanted in found if wanted else "lost" not in found, marked


@pytest.mark.parametrize(
    "text", ["a" * 300_000, "1" * 300_000, "a1" * 150_000 + "(", "x." * 20_000, "#" + "f" * 300_000]
)
def test_no_word_is_too_long(text: str) -> None:
    """Where each letter cost a look at all that follow it, this would take minutes."""
    view = OpenScript(text).view
    completions(view, len(text))
    signature_help(view, len(text))
