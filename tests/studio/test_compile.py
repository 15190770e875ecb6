"""The checker's findings as the page and the facade hand them on."""

import pytest

from pinebench.studio.compile import compile_source, markers, translate_light
from tests.tables import each

WRONG = '//@version=6\nindicator("😀", "e")\nplot(zzz)\n'
CLEAN = '//@version=6\nindicator("Mine", shorttitle = "M", overlay = true)\nplot(close)\n'


def test_a_marker_has_monacos_fields_and_ends_with_the_code() -> None:
    assert markers(compile_source(WRONG)) == [
        {
            "severity": 8,
            "code": "CE10272",
            "message": 'Undeclared identifier "zzz" (CE10272)',
            "startLineNumber": 3,
            "startColumn": 6,
            "endLineNumber": 3,
            "endColumn": 9,
        }
    ]


@pytest.mark.parametrize(("version", "key"), [("3", "errors"), ("", "errors2"), ("2", "errors2")])
def test_the_facades_answer_has_the_key_of_the_interfaces_version(version: str, key: str) -> None:
    answer = translate_light(compile_source(WRONG), version)
    assert answer["success"] is True
    result = answer["result"]
    assert isinstance(result, dict)
    assert list(result) == [key]
    (finding,) = result[key]
    assert (finding["code"], finding["start"], finding["end"]) == (
        "CE10272",
        {"line": 3, "column": 6},
        {"line": 3, "column": 8},
    )


def test_a_clean_script_says_what_it_is() -> None:
    compiled = compile_source(CLEAN)
    assert compiled.ok
    result = translate_light(compiled, "3")["result"]
    assert isinstance(result, dict)
    assert "errors" not in result
    assert result["metaInfo"]["description"] == "Mine"
    assert result["metaInfo"]["shortDescription"] == "M"
    assert result["metaInfo"]["is_price_study"] is True


@each(
    ("text", "kind", "title"),
    [
        ('strategy("S")', "strategy", "S"),
        ("library('L')", "library", "L"),
        ('indicator(title = "a \\"b\\"")', "indicator", 'a "b"'),
        ('indicator("a" + "b")', "indicator", ""),
        ("plot(close)", "", ""),
        ("x = 1", "", ""),
    ],
)
def test_the_declaration_of_a_script(text: str, kind: str, title: str) -> None:
    declared = compile_source(f"//@version=6\n{text}\n").declaration
    assert (declared.kind, declared.title) == (kind, title)


@pytest.mark.parametrize("source", ["", "\ud800", "\x00", "//@version=6\n" + "(" * 5000, "a" * 100_000])
def test_no_source_breaks_the_compiler(source: str) -> None:
    compiled = compile_source(source)
    assert isinstance(markers(compiled), list)
    assert translate_light(compiled, "3")["success"] is True


@pytest.mark.parametrize(("wrong", "expected"), [("plot(nowhere)", ["CW10004"]), ("plot(close))", [])])
def test_warnings_stand_beside_errors_but_for_those_of_syntax(wrong: str, expected: list[str]) -> None:
    """Recorded: CE10272 beside CW10003, CE10123 beside CW10002."""
    source = f'//@version=6\nindicator("x")\na = close > open ? ta.sma(close, 9) : 0.0\n{wrong}\n'
    result = translate_light(compile_source(source), "3")["result"]
    assert isinstance(result, dict) and "errors" in result
    assert [warning["code"] for warning in result.get("warnings", [])] == expected
