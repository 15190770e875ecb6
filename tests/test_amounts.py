"""Numbers as people read them: the same texts in Python and on pages, also for values at the edges."""

import random

import pytest

from pinebench import amounts
from tests.page_modules import answer_of

NAN, INFINITE = float("nan"), float("inf")
FIXED = [
    (0.0, 2, "0.00"),
    (-0.0, 2, "0.00"),
    (1e-8, 2, "0.00"),
    (-1e-8, 2, "0.00"),
    (1e-8, 8, "0.00000001"),
    (-0.36, 2, "-0.36"),
    (68420, 2, "68,420.00"),
    (-1234.6, 0, "-1,235"),
    (1e12, 2, "1,000,000,000,000.00"),
    (999999.999, 2, "1,000,000.00"),
    (1e21, 0, "1,000,000,000,000,000,000,000"),
    (NAN, 2, "∅"),
    (INFINITE, 2, "∅"),
    (-INFINITE, 2, "∅"),
    (1.5, -3, "2"),
]
VOLUMES = [
    (0.0, 2, "0.00"),
    (-0.0, 2, "0.00"),
    (999.0, 2, "999.00"),
    (999.999, 2, "1,000.00"),
    (999_999.99, 2, "1.00M"),
    (-2_500_000.0, 2, "-2.50M"),
    (1e12, 2, "1.00T"),
    (1e16, 2, "10,000.00T"),
    (50_690_000, 2, "50.69M"),
    (NAN, 2, "∅"),
]
SIGNED = [
    (1.22, 2, "+1.22"),
    (-1.22, 2, "-1.22"),
    (0.0, 2, "0.00"),
    (1e-8, 2, "0.00"),
    (-0.0, 2, "0.00"),
    (NAN, 1, "∅"),
]
TABLES = {"fixed": FIXED, "volume": VOLUMES, "signed": SIGNED}


def test_python_and_the_page_write_the_same_numbers(texts_of_the_page: dict[str, list[str]]) -> None:
    for name, table in TABLES.items():
        for (value, decimals, text), on_page in zip(table, texts_of_the_page[name], strict=True):
            assert on_page == text.replace("-", "−"), (name, value)
            assert getattr(amounts, f"{name}_text")(value, decimals) == text, (name, value)


def test_the_other_forms_of_the_page(texts_of_the_page: dict[str, list[str]]) -> None:
    assert texts_of_the_page["other"] == [
        "50.00%",
        "∅",
        "+2.78 (+1.22%)",
        "−1.00 (−50.00%)",
        "+1.00",
        "231.40",
        "231.4055",
        "0.00000001",
        "-1234.50",
    ]


def test_money_percent_and_values_of_plots() -> None:
    assert amounts.money_text(-4866.05) == "-4,866.05" and amounts.percent_text(-0.001) == "0.00%"
    assert amounts.percent_text(NAN) == "∅" and amounts.with_minus("-1.50") == "−1.50"
    words = "net profit -212.28, from -1 to -3 on 2024-01-05, 5-10 walk-forward tests (x[-1] and a -0.5)"
    told = amounts.with_minus_signs(words)
    assert told == "net profit −212.28, from −1 to −3 on 2024-01-05, 5-10 walk-forward tests (x[−1] and a −0.5)"
    cases = [("", None, "219.87"), ("", 3, "219.871"), ("percent", 1, "219.9%"), ("volume", None, "219.87")]
    for unit, precision, text in cases:
        assert amounts.value_text(219.871, unit, precision, 2) == text
    prices = [(127, 0.01, "127.00"), (127.125, 0.01, "127.125"), (28243.6, 0.1, "28,243.6"), (4801.5, 0.25, "4,801.50")]
    prices += [
        (127.00000000000001, 0.01, "127.00"),
        (1.1 * 3, 0.01, "3.30"),
        (0.1 + 0.2, 1, "0.3"),
        (2.5e8 / 3, 0.01, "83,333,333.3333333"),
    ]
    for price, tick, text in prices:
        assert amounts.price_text(price, amounts.tick_decimals(tick)) == text
    assert [amounts.tick_decimals(tick) for tick in (1, 0.03125, 1e-8)] == [0, 5, 8]


def test_ten_thousand_numbers_have_the_same_text_in_python_and_on_the_page() -> None:
    chance = random.Random(58)
    values = [0.0, -0.0, 1e-8, -1e-8, 1e12, -1e12, 0.125, 0.375, 1.005, 2.5, 1e21, 1e23, 5e-324, 1.7e308]
    while len(values) < 5_000:
        values.append(chance.uniform(-1, 1) * 10 ** chance.uniform(-9, 13))
    while len(values) < 7_500:
        values.append(chance.randint(-200_000, 200_000) / 1_000)  # as prices and amounts end: many near a half
    while len(values) < 10_000:
        values.append(chance.randint(-4_000, 4_000) / 32)  # many are exactly halfway between two texts
    for decimals in (0, 2, 3, 8):
        forms = {
            "fixedText": amounts.fixed_text,
            "shortText": amounts.short_text,
            "signedText": amounts.signed_text,
            "volumeText": amounts.volume_text,
        }
        body = "const [names, values, n] = given; return names.map((name) => values.map((one) => f[name](one, n)));"
        written = answer_of("formats", body, [list(forms), values, decimals])
        for (name, form), texts in zip(forms.items(), written, strict=True):
            pairs = [
                (value, form(value, decimals).replace("-", "−"), text)
                for value, text in zip(values, texts, strict=True)
            ]
            assert [one for one in pairs if one[1] != one[2]] == [], (name, decimals)


@pytest.fixture(scope="module")
def texts_of_the_page() -> dict[str, list[str]]:
    """The texts that the page's module writes, by node."""
    given = {
        name: [[repr(value).replace("inf", "Infinity"), decimals] for value, decimals, _ in table]
        for name, table in TABLES.items()
    }
    body = """
      const of = (name, rows) => rows.map(([value, decimals]) => f[name + 'Text'](Number(value), decimals));
      const told = Object.fromEntries(Object.entries(given).map(([name, rows]) => [name, of(name, rows)]));
      told.other = [
        f.percentText(0.5), f.percentText(NaN),
        f.changeText(231.4, 228.62, 2), f.changeText(1, 2, 2), f.changeText(1, 0, 2),
        f.priceText(231.4, 2), f.priceText(231.4055, 2), f.priceText(1e-8, 2), f.plainText(f.fixedText(-1234.5, 2)),
      ];
      return told;
    """
    return answer_of("formats", body, given)


def test_a_number_has_its_noun_in_the_plural_unless_it_is_one() -> None:
    assert [amounts.counted(number, "line") for number in (0, 1, 2, 2000)] == [
        "0 lines",
        "1 line",
        "2 lines",
        "2,000 lines",
    ]
