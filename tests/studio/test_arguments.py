"""Every argument of every function that plots or draws is seen in the picture, beside a value, or in the settings."""

import pytest

from pinebench.charts import as_svg, picture, view_of
from pinebench.checker import open_program
from pinebench.runtime.runtime import Runtime
from tests.sample import chart
from tests.studio.gallery import drawing
from tests.studio.gallery.arguments import FREE, IN_SETTINGS, IN_WORDS, SAMPLES, names, pairs
from tests.studio.support import Driver

PAIRS = pairs()


def page(source: str) -> str:
    bars, info = chart("NASDAQ:AAPL", "1D", 120)
    program = open_program(source)
    assert not [each for each in program.diagnostics if each.severity.name == "ERROR"], source
    result = Runtime(program, bars, info).run()
    assert result.error is None, (source, result.error)
    return as_svg(picture(result, bars, info, view_of(program)))


@pytest.mark.parametrize(("function", "argument"), PAIRS)
def test_an_argument_is_seen(function: str, argument: str) -> None:
    one, other = map(page, PAIRS[function, argument])
    assert one != other


@pytest.mark.soak
@pytest.mark.parametrize(("function", "argument"), [pair for pair in PAIRS if pair[1] not in ("tooltip", "title")])
def test_an_argument_is_seen_in_the_studio(shared: Driver, function: str, argument: str) -> None:
    """A tooltip is seen under the pointer, and a title in the data window."""
    drawing.prepare(shared)
    one, other = (drawing.draw(shared, source).tobytes() for source in PAIRS[function, argument])
    assert one != other


def test_every_argument_is_seen() -> None:
    functions = dict.fromkeys(sample.function for sample in SAMPLES)
    every = [(function, argument) for function in functions for argument in names(function)]
    told = {*IN_SETTINGS, *IN_WORDS}
    assert not [pair for pair in every if pair not in {*PAIRS, *FREE} and pair[1] not in told]
