"""Advice beside the message: what was probably meant."""

from pinebench.checker import open_program
from tests.checker.support import findings
from tests.tables import each


def hint(script: str) -> str | None:
    return findings(script)[0].hint


def test_a_name_is_looked_for_once_and_a_bounded_number_of_names() -> None:
    found = findings("\n".join(f"x{n} = clsoe{n % 60}" for n in range(120)))
    assert len({finding.message for finding in found if finding.hint is not None}) <= 50
    assert all(finding.code == "CE10272" for finding in found)


@each(
    ("body", "words"),
    [
        ("a = array.from(1)\na.extend(a)", "concat"),
        ("a = array.from(1)\nplot(a.is_empty() ? 1 : 0)", "size() == 0"),
        ("a = array.from(1)\na.frobnicate()", "methods of "),
        ("m = map.new<string, int>()\nm.items()", "for [key, value] in map"),
        ("m = map.new<string, int>()\nfor k in m\n    log.info(k)", "for [key, value] in map"),
        ('l = label.new(0, 0, "a")\nl.text := "b"', "set_text()"),
        ('x = str.concat("a", "b")\nlog.info(x)', "joined by `+`"),
        ("x = time.hour\nplot(x)", "An int has no fields"),
    ],
)
def test_the_hint_names_what_the_type_has(body: str, words: str) -> None:
    program = open_program(f'//@version=6\nindicator("t")\n{body}\n')
    assert any(words in (found.hint or "") for found in program.diagnostics)
