"""Expressions at a stop mean what they mean at that place of the script."""

from pathlib import Path

from tests.debugger.client import Client

DATA = "sample:AAPL@60x20"


def test_a_name_has_the_value_of_the_scope_in_which_the_script_stopped(client: Client, tmp_path: Path) -> None:
    script = tmp_path / "a.pine"
    script.write_text("""//@version=6
indicator("Shadow")
x = 1
if close > 0
    x = 5
    log.info("{0}", x)
y = x + 1
for i = 0 to 1
    x = 7
    log.info("{0}", x)
for i = 20 to 21
    y += i
plot(y)
""")
    client.launch(script, [6, 7, 10, 12, 13], data=DATA)
    seen: list[tuple[int, str, str]] = []
    for _ in range(2 * 7):
        line = client.stopped()["line"]
        seen.append((line, client.evaluate("x"), client.evaluate("i") if line in (10, 12) else ""))
        client.ask("continue", threadId=1)
    turns = [(10, "7", "0"), (10, "7", "1"), (12, "1", "20"), (12, "1", "21")]
    assert seen == 2 * [(6, "5", ""), (7, "1", ""), *turns, (13, "1", "")]


def test_a_character_that_only_python_takes_for_a_line_end_moves_no_expression(client: Client, tmp_path: Path) -> None:
    script = tmp_path / "a.pine"
    script.write_text("""//@version=6
indicator("Lines")
// a form feed \x0c, a next line \x85 and a line separator \u2028 in a comment
lift(float source) =>
    moved = source + 1
    moved
plot(lift(2.0))
""")
    client.launch(script, [6], data=DATA)
    client.stopped()
    assert client.evaluate("moved * 2") == "6"
