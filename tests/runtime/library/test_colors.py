"""`color.*` as recorded probes of TradingView have it."""

import pytest

from pinebench.runtime.library import FUNCTIONS
from tests.runtime.library.drive import na
from tests.tables import each

BLUE = 0x2962FFFF
new, rgb, t = FUNCTIONS["color.new"], FUNCTIONS["color.rgb"], FUNCTIONS["color.t"]


@each("transparency", range(101))
def test_p15_whole_transparencies_read_back_as_they_were(transparency: int) -> None:
    assert t(new(BLUE, transparency)) == transparency
    assert t(rgb(1, 2, 3, transparency)) == transparency


@pytest.mark.parametrize(("given", "read"), [(10.5, 11), (20.5, 20), (-1, 0), (101, 100), (25, 25)])
def test_p15_a_transparency_goes_through_a_byte(given: float, read: int) -> None:
    assert t(new(BLUE, given)) == read


@pytest.mark.parametrize(("given", "read"), [(10.4, 10), (10.6, 10), (50.5, 50), (99.5, 99)])
def test_p16_constants_are_cut_first(given: float, read: int) -> None:
    assert t(FUNCTIONS["color.new#0"](BLUE, given)) == read


def test_law_17_channels() -> None:
    assert [FUNCTIONS[f"color.{name}"](BLUE) for name in "rgbt"] == [41, 98, 255, 0]
    assert rgb(300, -20, 127.9) == 0xFF007FFF
    assert rgb(na, 1, 1, na) == 0x00010100


def test_a_missing_colour() -> None:
    assert [FUNCTIONS[f"color.{name}"](None) for name in "rgbt"] == [0, 0, 0, 100]
    assert new(None, 30) == 0x000000B3  # recorded: black with a transparency of 30
    assert new(BLUE, na) == BLUE & 0xFFFFFF00


def test_b6_a_gradient_over_nothing_is_transparent_black() -> None:
    assert FUNCTIONS["color.from_gradient"](2, 1, 1, 0x112B5BCC, 0xD3954333) == 0


def test_a_gradient_mixes_by_opacity_and_stays_within_its_ends() -> None:
    mix = FUNCTIONS["color.from_gradient"]
    assert mix(0, 0, 10, 0x000000FF, 0xC86432FF) == 0x000000FF
    assert mix(5, 0, 10, 0x000000FF, 0xC86432FF) == 0x643219FF
    assert mix(99, 0, 10, 0x000000FF, 0xC86432FF) == 0xC86432FF
    assert mix(5, 0, 10, 0x00000000, 0xC86432FF) >> 8 == 0xC86432
    assert mix(na, 0, 10, BLUE, BLUE) == 0
