"""`str.*` as recorded probes of TradingView and Java's formats have it."""

from decimal import ROUND_HALF_UP, Decimal, localcontext
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinebench.errors import UnavailableError
from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.library import CONTEXT_FUNCTIONS, FUNCTIONS, numerals
from pinebench.runtime.library.collections import Array, Matrix
from tests.runtime.library.drive import na, same
from tests.tables import each

CONTEXT = SimpleNamespace(symbol=SimpleNamespace(mintick=0.00001))


def text(value: Any, format: str | None = None) -> str:
    return CONTEXT_FUNCTIONS["str.tostring"](CONTEXT, value, format)


def call(name: str, *arguments: Any) -> Any:
    return FUNCTIONS[f"str.{name}"](*arguments)


@given(st.floats(0, 1e300), st.integers(0, 18))
def test_masks_round_as_decimals_do(size: float, places: int) -> None:
    with localcontext() as exact:
        exact.prec = 400
        expected = Decimal(repr(size)).quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)
    assert numerals.half_up(size, places) == f"{expected:f}"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(1 / 3, "0.3333333333", id="law-13"),
        pytest.param(-1 / 7, "-0.1428571429", id="F-default"),
        pytest.param(1.12345678901, "1.123456789", id="law-13-eleven"),
        pytest.param(78477.5908, "78477.5908", id="law-13-price"),
        (-0.0, "0"),
        (3.5e-10, "0.0000000003"),
        (5e-11, "0"),
        (1e21, "1E21"),
        (9.99e20, "999000000000000000000"),
        (1.23456789012e-25, "1.2345678901E-25"),
        (na, "NaN"),
        pytest.param(float("inf"), "NaN", id="P12"),
        (12, "12"),
        (True, "true"),
        (None, "NaN"),
        ("as it is", "as it is"),
        (Array([1.0, na, 2.5]), "[1, NaN, 2.5]"),
        (Array(["a", "b"]), "[a, b]"),
        (Matrix([[1.0, 2.0], [3.0, 4.5]]), "[1, 2]\n[3, 4.5]"),
    ],
)
def test_tostring(value: Any, expected: str) -> None:
    assert text(value) == expected


@each(
    ("value", "mask", "expected"),
    [
        (2.675, "#.##", "2.68"),
        (0.1, "#.####################", "0.1"),
        (0.5, "#.0", ".5"),
        (0.5, "#.#", "0.5"),
        (1234567.891, "#,##0.00", "1,234,567.89"),
        (-0.001, "#.##", "0"),
        (-3.14159, "0.00", "-3.14"),
        (7, "000.0", "007.0"),
        (1.5, "#.##;(#.##)", "1.5"),
        (-1.5, "#.##;(#.##)", "(1.5)"),
        (12.3, "'#'0.0", "#12.3"),
        (0.5, "percent", "0.50%"),
        (na, "percent", "NaN%"),
        (1234.5678, "volume", "1.235K"),
        (999.5, "volume", "1000"),
        (2.5e12, "volume", "2.5T"),
        (1.1, "mintick", "1.10000"),
        (0, "mintick", "0.00000"),
        (-0.000005, "mintick", "-0.00001"),
        (1e16, "mintick", "92233720368547.77000"),
        (0.1234, "#.##%", "12.34%"),
        (0.5, "0.0%", "50.0%"),
        (-0.0001, "#%", "0%"),
        (12.5, "0'%'", "13%"),
        (0.0015, "#.#‰", "1.5‰"),
    ],
)
def test_tostring_with_a_format(value: float, mask: str, expected: str) -> None:
    assert text(value, mask) == expected


def test_a_format_that_cannot_be_known_is_refused_by_name() -> None:
    with pytest.raises(UnavailableError, match=r"format\.inherit"):
        text(1.5, "inherit")
    with pytest.raises(UnavailableError, match="exponent"):
        text(1.5, "0.##E0")
    with pytest.raises(UnavailableError, match="exponent"):
        call("format", "{0,number,0.##E0}", 1.5)
    with pytest.raises(UnavailableError, match=r"\{0,choice\}"):
        call("format", "{0,choice,0#none|1#one}", 1)


@each(
    ("pattern", "arguments", "expected"),
    [
        ("{0} and {1}", (1234.5678, "x"), "1,234.568 and x"),
        ("{0,number,#.##}", (2.675,), "2.67"),
        ("{0,number,integer}", (1234.5,), "1,234"),
        ("{0,number,percent}", (0.256,), "26%"),
        ("{0,number,percent}", (na,), "NaN"),
        ("{0,number,#.#%}", (0.1255,), "12.6%"),
        ("{0,number,currency}", (-1234.5,), "-$1,234.50"),
        ("{0}", (na,), "NaN"),
        ("{0}", (True,), "true"),
        ("{1}", (1,), "{1}"),
        ("'{0}' is {0}, it''s", (1,), "{0} is 1, it's"),
        ("a } b", (), "a } b"),
        ("{0}", (Array([1.0, 0.0005]),), "[1.0, 5.0E-4]"),
        ("{0,date,yyyy-MM-dd}", (0,), "1970-01-01"),
        ("{0,time,HH:mm}", (3_660_000,), "01:01"),
        (None, (1,), ""),
    ],
)
def test_format(pattern: str | None, arguments: tuple[Any, ...], expected: str) -> None:
    assert call("format", pattern, *arguments) == expected


@pytest.mark.parametrize(
    ("pattern", "argument", "code", "words"),
    [
        pytest.param("{0", 1, "unmatched-braces", "Unmatched braces in the pattern.", id="law-8"),
        pytest.param("{a: 1}", 1, "argument-number", "can't parse argument number: a: 1", id="json"),
        pytest.param(
            "{0,number}", Array([1]), "format-object", "Cannot format given Object as a Number", id="law-8-array"
        ),
    ],
)
def test_format_faults(pattern: str, argument: Any, code: str, words: str) -> None:
    with pytest.raises(RuntimeFault) as caught:
        call("format", pattern, argument)
    assert caught.value.code == code
    assert caught.value.message == words


@each(
    ("pattern", "zone", "expected"),
    [
        (None, "UTC", "2024-02-29T23:05:06+0000"),
        ("yyyy.MM.dd HH:mm:ss.SSS", "UTC", "2024.02.29 23:05:06.007"),
        ("EEE d MMM yy, h:mm a", "America/New_York", "Thu 29 Feb 24, 6:05 PM"),
        ("EEEE MMMM D w W F u", "UTC", "Thursday February 60 9 5 5 4"),
        ("z zzzz XXX X", "America/New_York", "EST Eastern Standard Time -05:00 -05"),
        ("z Z", "GMT+5:30", "GMT+05:30 +0530"),
        ("'o''clock' k K H", "UTC", "o'clock 23 11 23"),
        ("YYYY", "UTC", "2024"),
        ("HH:mm Z", "UTC0", "23:05 +0000"),
    ],
)
def test_format_time(pattern: str | None, zone: str, expected: str) -> None:
    assert call("format_time", 1709247906007, pattern, zone) == expected


def test_format_time_of_a_missing_time_is_the_epoch() -> None:
    assert call("format_time", na, "yyyy", "UTC") == "1970"


def test_format_time_refuses_other_letters_and_zones() -> None:
    with pytest.raises(RuntimeFault) as letter:
        call("format_time", 0, "yyyyTMM", "UTC")
    assert letter.value.code == "time-format"
    with pytest.raises(RuntimeFault) as zone:
        call("format_time", 0, "yyyy", "Mars/Olympus")
    assert zone.value.code == "invalid-timezone"


def test_law_14_splitting_with_nothing() -> None:
    assert call("split", "", "").items == [""]
    assert call("split", "abc", "").items == ["a", "b", "c"]
    assert call("split", "a,,b", ",").items == ["a", "", "b"]


def test_law_15_substring() -> None:
    assert call("substring", "hello", 1, 5) == "ello"
    assert call("substring", "hello", na, 2) == "he"
    assert call("substring", "hello", 3, na) == "lo"
    with pytest.raises(RuntimeFault):
        call("substring", "hello", 3, 2)


def test_replace_counts_overlapping_occurrences() -> None:
    assert call("replace", "aaa", "aa", "-", 1) == "a-"
    assert call("replace", "abc", "", "-", 2) == "ab-c"
    assert call("replace", "abc", "x", "-", 0) == "abc"
    assert call("replace_all", "aXbX", "X", "--") == "a--b--"


def test_p18_repeat() -> None:
    assert call("repeat", "ab", 3, ",") == "ab,ab,ab"
    with pytest.raises(RuntimeFault) as caught:
        call("repeat", "ab", -1, "")
    assert (
        caught.value.message
        == "Invalid value of the 'repeat' parameter '-1' in the 'str.repeat' function. It must be >= 0."
    )


def test_f_a_missing_string_is_the_empty_one() -> None:
    assert call("length", None) == 0
    assert call("contains", "abc", None)
    assert call("upper", None) == ""
    assert call("pos", "abc", None) == 0
    assert same(call("pos", "abc", "x"), na)


def test_positions_count_utf_16_units() -> None:
    assert call("length", "a😀b") == 4
    assert call("pos", "a😀b", "b") == 3
    assert call("substring", "a😀b", 1, 3) == "😀"


@each(
    ("source", "regex", "expected"),
    [
        ("BINANCE:BTCUSDT", r"(?<=:)\w+", "BTCUSDT"),
        ("a1b22", r"\d+\z", "22"),
        ("x=12;", r"(?<key>\w)=(\d+)", "x=12"),
        ("x=x", r"(?<a>\w)=\k<a>", "x=x"),
        ("Ünder", r"\p{Alpha}+", "nder"),
        ("a.b", r"\Q.\E.", ".b"),
        ("ABC", "(?i)b", "B"),
        ("x]y", "[]x]+", "x]"),
        ("abc", "x", ""),
        ("aaa", "a++", "aaa"),
    ],
)
def test_match_reads_javas_expressions(source: str, regex: str, expected: str) -> None:
    assert call("match", source, regex) == expected


@pytest.mark.parametrize("regex", ["(", "[a-z&&[^b]]", r"\p{IsGreek}"])
def test_an_expression_that_cannot_be_read_is_refused(regex: str) -> None:
    with pytest.raises(UnavailableError):
        call("match", "abc", regex)


@given(st.text(), st.text(max_size=3))
def test_splitting_and_joining_gives_the_text_back(source: str, separator: str) -> None:
    if separator:
        assert separator.join(call("split", source, separator).items) == source


@given(
    st.one_of(st.floats(), st.integers(-(10**20), 10**20)),
    st.sampled_from(["#", "0", "#.##", "0.000", "#,##0.0#", None, "volume"]),
)
def test_every_number_has_a_text(value: float, mask: str | None) -> None:
    assert text(value, mask)
    assert call("format", "{0}", value)


def test_a_number_that_is_remembered_has_its_own_text() -> None:
    """Equal numbers of other types or signs are other numbers, and so are the same numbers on another market."""
    other = SimpleNamespace(symbol=SimpleNamespace(mintick=0.25))
    for _ in range(2):
        assert [text(value) for value in (0.0, -0.0, 0, 1, 1.0, na)] == ["0", "0", "0", "1", "1", "NaN"]
        assert [text(value, "mintick") for value in (1.3, -0.0)] == ["1.30000", "0.00000"]
        assert CONTEXT_FUNCTIONS["str.tostring"](other, 1.3, "mintick") == "1.25"
        assert [text(value, "#.0") for value in (1.26, 1.25)] == ["1.3", "1.3"]


def test_what_a_script_writes_on_each_bar_is_read_once() -> None:
    """A date, the number of an argument and the text of a price are the same on each bar of many scripts."""
    texts, times = (import_module(f"pinebench.runtime.library.{name}") for name in ("texts", "times"))
    for known, work in (
        (texts._remembered, lambda: text(1234.5, "mintick")),
        (texts._number_of, lambda: call("format", "{0} {00}", 1, 2)),
        (times.timestamp_of_text, lambda: FUNCTIONS["timestamp#0"]("2024-05-06 07:08")),
    ):
        work()
        before = known.cache_info()
        assert work() == work()
        after = known.cache_info()
        assert after.misses == before.misses, work
        assert after.hits > before.hits, work


def test_a_wrong_date_is_an_error_each_time() -> None:
    for _ in range(2):
        with pytest.raises(RuntimeFault):
            FUNCTIONS["timestamp#0"]("yesterday")


@each(
    ("source", "expected"),
    [
        ("1.5", 1.5),
        (" +12.50\n", 12.5),
        ("\x1f.5", 0.5),
        ("5.", 5.0),
        ("1e3", na),
        ("1.5E+2", na),
        ("1,000", na),
        ("1_000", na),
        ("abc", na),
        ("\xa05", na),
        ("Infinity", na),
        (" ", na),
        (None, na),
    ],
)
def test_a_text_is_a_number_without_an_exponent(source: str | None, expected: float) -> None:
    assert same(call("tonumber", source), expected)
