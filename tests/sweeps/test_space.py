"""The ranges of inputs: as they are given, and as the script has them."""

import pytest

from pinebench.checker import open_program
from pinebench.errors import UsageError
from pinebench.sweeps.space import InputAxis, range_text, space_of, space_of_values
from tests.sweeps.support import CROSS

SCRIPT = """//@version=6
strategy("S")
length = input.int(10, "Length", minval = 5, maxval = 20, step = 5)
factor = input.float(1.5, "Factor", minval = 1, maxval = 2, step = 0.1)
mode = input.string("EMA", "Mode", options = ["EMA", "SMA", "a,b"])
wide = input.bool(true, "Wide")
source = input.source(close, "Source")
free = input.int(3, "Free")
twin1 = input.int(1, "Twin")
twin2 = input.int(2, "Twin")
plot(length + factor + free + twin1 + twin2 + (wide ? 1 : 0) + source + str.length(mode))
"""


def axes(*given: str) -> dict[str, InputAxis]:
    return {axis.name: axis for axis in space_of(open_program(SCRIPT), given).axes}


def test_ranges_as_they_are_given() -> None:
    found = axes("Length=5:15:5", "Factor=1:1.5:0.1", "Mode=EMA,SMA", "Wide", "Free=1,5,9", "Source=open,close")
    assert found["Length"].values == (5, 10, 15)
    assert found["Factor"].values == (1.0, 1.1, 1.2, 1.3, 1.4, 1.5)
    assert found["Mode"] == InputAxis("Mode", ("EMA", "SMA"), False)
    assert found["Wide"].values == (False, True)
    assert found["Free"] == InputAxis("Free", (1, 5, 9), True)
    assert found["Source"].values == ("open", "close")


def test_ranges_of_the_script() -> None:
    found = axes()
    assert {name: axis.values for name, axis in found.items()} == {
        "Length": (5, 10, 15, 20),
        "Factor": (1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2.0),
        "Mode": ("EMA", "SMA", "a,b"),
    }
    assert axes("Length")["Length"].values == (5, 10, 15, 20)
    assert axes("length=5:16")["Length"].values == (5, 10, 15)
    assert axes("in_0=5:6:1")["Length"].values == (5, 6)


def test_an_input_with_one_value_is_fixed() -> None:
    space = space_of(open_program(SCRIPT), ["Length=5", "Mode=a,b"])
    assert space.fixed == {"Length": 5, "Mode": "a,b"}
    assert [axis.name for axis in space.axes] == ["Factor"]


def test_inputs_with_the_same_title_go_by_their_variables() -> None:
    assert axes("twin1=1,2", "twin2=3:5:1").keys() == {"twin1", "twin2"}


def test_a_variable_that_is_the_title_of_another_input_names_that_input_only() -> None:
    program = open_program("""//@version=6
strategy("S")
first = input.int(1, "Twin", minval = 1, maxval = 2)
twin2 = input.int(1, "Twin", minval = 3, maxval = 5)
other = input.int(1, "first", minval = 6, maxval = 9)
plot(first + twin2 + other)
""")
    assert {axis.name: axis.values for axis in space_of(program, []).axes} == {
        "in_0": (1, 2),
        "twin2": (3, 4, 5),
        "first": (6, 7, 8, 9),
    }
    for asked in ("other=7,8", "first=7,8", "in_2=7,8"):
        assert [axis.name for axis in space_of(program, [asked]).axes] == ["first"]
    assert [axis.name for axis in space_of_values(program, {"other": (7, 8), "in_0": range(1, 3)}).axes] == [
        "first",
        "in_0",
    ]


def test_options_that_the_script_repeats_are_one_value_and_numbers_rise() -> None:
    program = open_program("""//@version=6
strategy("S")
length = input.int(5, "Length", options = [20, 5, 10, 5])
mode = input.string("b", "Mode", options = ["b", "a", "b"])
free = input.int(3, "Free")
plot(length + free + str.length(mode))
""")
    assert {axis.name: axis.values for axis in space_of(program, []).axes} == {
        "Length": (5, 10, 20),
        "Mode": ("b", "a"),
    }
    given = {"Free": (9, 1, 5)}
    for space in (space_of(program, ["Free=9,1,5"]), space_of_values(program, given)):
        assert space.axes[0].values == (1, 5, 9)
        assert space.neighbours((0,)) == [(1,)]
        assert not space.at_the_edge((1,))


@pytest.mark.parametrize(
    "given", ["Kind=a,First one", "Kind=Kind.a,b,a", "Color=#ff0000,#FF0000FF", "Time=0,1970-01-01"]
)
def test_two_texts_of_one_value_are_one_value(given: str) -> None:
    program = open_program("""//@version=6
strategy("S")
enum Kind
    a = "First one"
    b
kind = input.enum(Kind.a, "Kind")
shade = input.color(color.red, "Color")
moment = input.time(0, "Time")
plot(kind == Kind.a ? moment : na, color = shade)
""")
    with pytest.raises(UsageError, match="is given twice"):
        space_of(program, [given])
    title, _, values = given.partition("=")
    with pytest.raises(UsageError, match="is given twice"):
        space_of_values(program, {title: values.split(",")})


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["Lenght=5:10:1"], 'there is no input called "Lenght"'),
        (["Length=10:5:1"], "is not a range from a smaller number to a larger one"),
        (["Length=5:10:0"], "is not a range from a smaller number to a larger one"),
        (["Length=a:b:c"], "is not a range from a smaller number to a larger one"),
        (["Length=nan:5:1"], "is not a range from a smaller number to a larger one"),
        (["Length=5:inf:1"], "is not a range from a smaller number to a larger one"),
        (["Length=5:9:0.5"], "takes whole numbers"),
        (["Length=1:30:1"], "takes at least 5"),
        (["Length=5,5"], "is given twice"),
        (["Length=5,6", "length=7,8"], "is given twice"),
        (["Length="], "has no value"),
        (["Factor=1:2:0.0000001"], "values, and at most 10000 are allowed"),
        (["Mode=EMA,WMA"], "takes one of EMA, SMA, a,b"),
        (["Free"], "neither minval and maxval nor options"),
        (["Twin=1,2"], 'several inputs are called "Twin"'),
    ],
)
def test_a_wrong_range_is_refused(given: list[str], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        space_of(open_program(SCRIPT), given)


def test_an_indicator_is_refused_before_its_ranges_are_asked_for() -> None:
    with pytest.raises(UsageError, match="the script is not a strategy"):
        space_of(open_program('//@version=6\nindicator("")\nplot(input.int(1, "N"))'), [])


def test_a_script_without_inputs_has_nothing_to_vary() -> None:
    with pytest.raises(UsageError, match="nothing to vary: the script has no inputs"):
        space_of(open_program('//@version=6\nstrategy("")\nplot(close)'), [])


def test_combinations_neighbours_and_edges() -> None:
    space = space_of(open_program(SCRIPT), ["Length=5:20:5", "Mode=EMA,SMA"])
    places = list(space.places())
    assert len(places) == space.size == len(set(places)) == 8
    assert space.inputs((1, 0)) == {"Length": 10, "Mode": "EMA"}
    assert space.neighbours((1, 0)) == [(0, 0), (2, 0)]
    assert space.neighbours((0, 1)) == [(1, 1)]
    assert [axis.name for axis in space.at_the_edge((3, 0))] == ["Length"]
    assert space.at_the_edge((2, 0)) == []
    drawn = space.drawn(5, seed=7)
    assert len(set(drawn)) == 5 and drawn == space.drawn(5, seed=7) != space.drawn(5, seed=8)
    assert set(space.drawn(99, seed=1)) == set(places)


def test_random_combinations_of_a_space_that_no_list_could_have() -> None:
    given = "".join(f'a{n} = input.int(1, "A{n}", minval = 1, maxval = 1000)\n' for n in range(8))
    space = space_of(open_program(f'//@version=6\nstrategy("")\n{given}plot(close)'), [])
    assert space.size == 10**24
    drawn = space.drawn(50, seed=7)
    assert len(set(drawn)) == 50 and drawn == space.drawn(50, seed=7) != space.drawn(50, seed=8)
    assert all(0 <= k < 1000 for place in drawn for k in place)
    assert len({place[0] for place in drawn}) > 25


def test_an_example_has_few_values_of_few_inputs_and_can_be_read() -> None:
    script = """//@version=6
strategy("Many")
a = input.float(1.0, "A, %", minval = 0.1, maxval = 4.0, step = 0.1)
b = input.int(1, "B = C", minval = 1, maxval = 400)
c = input.bool(true, "On")
d = input.string("x, y", "Text", options = ["x, y", "z"])
plot(a + b + (c ? 1 : 0) + str.length(d))
"""
    program = open_program(script)
    space = space_of(program, ["A, %", "b", "On", "Text"])
    assert space.example(1000) == {"A, %": (0.1, 0.9, 1.7, 2.5, 3.3), "On": (False, True)}
    assert space.example(9) == {"A, %": (0.1, 0.9, 1.7, 2.5, 3.3)}
    assert space.example(3) == {"On": (False, True)}
    assert space.example(1) == {}
    texts = [range_text(name, values) for name, values in space.example(10).items()]
    assert texts == ["A, %=0.1,0.9,1.7,2.5,3.3", "On=false,true"]
    assert {axis.name: axis.values for axis in space_of(program, texts).axes} == space.example(10)


def test_a_text_and_a_list_are_of_one_space() -> None:
    """A text with one value does not bring back the script's own ranges of the others."""
    space = space_of_values(open_program(CROSS), {"Fast": [4, 8], "Mode": "EMA"})
    assert [(axis.name, axis.values) for axis in space.axes] == [("Fast", (4, 8))]
    assert space.fixed == {"Mode": "EMA"}
