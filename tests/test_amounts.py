"""Numbers as people read them: the same texts in Python and on pages, also for values at the edges."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from pinebench import amounts

PAGE = Path(__file__).resolve().parents[1] / "pinebench" / "studio" / "page"
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
    cases = [("", None, "219.87"), ("", 3, "219.871"), ("percent", 1, "219.9%"), ("volume", None, "219.87")]
    for unit, precision, text in cases:
        assert amounts.value_text(219.871, unit, precision, 2) == text


@pytest.fixture(scope="module")
def texts_of_the_page() -> dict[str, list[str]]:
    """What the page's module writes, by node."""
    given = {
        name: [[repr(value).replace("inf", "Infinity"), decimals] for value, decimals, _ in table]
        for name, table in TABLES.items()
    }
    program = f"""
      const text = require('fs').readFileSync('src/model/formats.ts', 'utf8');
      const code = require('esbuild').transformSync(text, {{ loader: 'ts', format: 'cjs' }}).code;
      const made = {{ exports: {{}} }};
      new Function('module', 'exports', code)(made, made.exports);
      const f = made.exports;
      const of = (name, rows) => rows.map(([value, decimals]) => f[name + 'Text'](Number(value), decimals));
      const given = Object.entries({json.dumps(given)});
      const told = Object.fromEntries(given.map(([name, rows]) => [name, of(name, rows)]));
      told.other = [
        f.percentText(0.5), f.percentText(NaN),
        f.changeText(231.4, 228.62, 2), f.changeText(1, 2, 2), f.changeText(1, 0, 2),
        f.priceText(231.4, 2), f.priceText(231.4055, 2), f.priceText(1e-8, 2), f.plainText(f.fixedText(-1234.5, 2)),
      ];
      console.log(JSON.stringify(told));
    """
    if not (PAGE / "node_modules" / "esbuild").is_dir() and os.environ.get("CI") != "true":
        pytest.skip("the packages of the page are not installed")
    ended = subprocess.run(["node", "-e", program], cwd=PAGE, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)
