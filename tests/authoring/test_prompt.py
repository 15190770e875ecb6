"""What the model is told about Pine is what the checker says."""

import re
from importlib import resources

from pinebench import reference
from pinebench.authoring.prompt import LIMITS, prompt, system
from pinebench.compilers.local import check_locally
from tests.tables import each

HEAD = '//@version=6\nindicator("x")\nplot(1)\n'


def codes(source: str) -> set[str]:
    return {finding.code for finding in check_locally(source).diagnostics}


def named(after: str) -> list[str]:
    """The names between backquotes in the sentence that begins with `after`."""
    sentence = system().split(after)[1].split("\n")[0].split(": ", 1)[-1]
    return re.findall(r"`(\w+)`", sentence.split(".")[0])


def test_no_placeholder_is_left() -> None:
    assert not re.search(r"\{\w+\}", system().replace("{key}", ""))
    # What is meant by "above" moves with every line that is added.
    assert "above" not in "".join(text for name, text in _prompts().items() if name != "system.md")


def test_names_that_are_refused_are_refused() -> None:
    reserved = named("No names of your own")
    assert {"range", "text", "in", "class"} <= set(reserved)
    for name in reserved:
        assert not check_locally(f"{HEAD}{name} = 1\n").ok, name
    variables = named("Built-in variables are no names")
    assert {"second", "minute", "time"} <= set(variables)
    for name in variables:
        assert "CW10011" in codes(f"{HEAD}{name} = 1\n"), name


def test_what_is_said_not_to_exist_does_not_and_what_is_named_instead_does() -> None:
    line = next(line for line in system().splitlines() if "There is no `study`" in line)
    gone, *instead = re.findall(r"`(ta\.\w+)`", line)[0], *re.findall(r"\(`(ta\.\w+)`\)", line)
    assert not reference.function(gone)
    assert instead and all(reference.function(name) for name in instead)
    for space in re.findall(r"`(\w+)\.`", line):
        assert reference.members(space)


def test_limits_are_those_of_the_checker() -> None:
    def titled(length: int) -> str:
        return f'//@version=6\nindicator("x", "{"y" * length}")\nplot(close)\n'

    assert codes(titled(LIMITS["short_title"])) == set()
    assert codes(titled(LIMITS["short_title"] + 1)) != set()


def test_the_forms_that_are_shown_are_sound() -> None:
    library = """//@version=6
library("Name")
export type Level
    float price
    int bar = 0
export enum Side
    long = "Long"
    short
export half(float x) => x / 2
export method grow(Level this, float step) =>
    this.price += step
"""
    assert check_locally(library).ok
    shown = """//@version=6
indicator("Name")
type Level
    float price
    int bar = 0
enum Side
    long = "Long"
    short
method grow(Level this, float step) =>
    this.price += step
side = input.enum(Side.long, "Side")
level = Level.new(close, bar_index)
level.price := 1.0
level.grow(1.0)
array<float> a = array.new<float>()
m = map.new<string, float>()
x = matrix.new<float>(2, 2)
for [index, value] in a
    m.put(str.tostring(index), value)
plot(side == Side.long ? level.price : 1)
"""
    assert codes(shown) == set()
    for part in ("export half(float x) =>", "float price", "input.enum(Side.long", "level.grow(1.0)"):
        assert part in system()


def test_braces_in_a_value_mean_nothing() -> None:
    assert "{base}" in prompt("change", request="plot {base} {request}")


@each(
    "rule",
    [
        *("when", "transp", "margin_long", "strategy.exit", "timeframe.period", "(object[1])"),
        *("initial_capital = {capital}", "default_qty_type = {size_type}", "default_qty_value = {size}", "bgcolor()"),
    ],
)
def test_the_rules_of_conversion_name_what_changed(rule: str) -> None:
    assert rule in _prompts()["convert.md"]


def _prompts() -> dict[str, str]:
    folder = resources.files("pinebench.authoring") / "prompts"
    return {path.name: path.read_text("utf-8") for path in folder.iterdir()}
