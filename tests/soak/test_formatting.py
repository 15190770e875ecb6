"""Laying out every real script there is: the same script, the same findings, settled at once."""

import pytest

from pinebench.checker import check
from pinebench.formatting import FormatStyle, format_text
from pinebench.syntax import parse
from pinebench.syntax.document import form
from tests.soak.test_parser import real_scripts

pytestmark = pytest.mark.soak


def _findings(text: str) -> list[tuple[str, str]]:
    return [(found.code, found.message) for found in check(parse(text)).diagnostics]


@pytest.mark.parametrize("style", [FormatStyle(), FormatStyle(60, align=False)], ids=["usual", "narrow"])
def test_every_script_says_the_same_and_settles_at_once(style: FormatStyle) -> None:
    laid_out = 0
    for name, text in real_scripts().items():
        result = format_text(text, style)
        if result.reason is not None:
            assert result.text == text, name
            assert result.broken or "only Pine v6" in result.reason, name
            continue
        laid_out += 1
        assert form(parse(text)) == form(parse(result.text)), name
        assert _findings(text) == _findings(result.text), name
        assert format_text(result.text, style).text == result.text, name
    assert laid_out > 0
