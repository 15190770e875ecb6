"""The families of codes. Each is read from a text file beside this module.

The first line of a file describes the family. `== NAME WORDS` begins a code. Its words are:

- the name of its rule, if it is an opinion
- its severity
- `ours`, if its template is not TradingView's own text
- `unseen`, if TradingView's manual has the rule, but its compiler was never recorded to report it
- `optional`, if it is reported only when selected

The next two lines are its template and its reason. The script after `-- bad` is reported with the code, and the script
after `-- good` is the corrected version.
"""

from __future__ import annotations

import os
from functools import cache

from pinebench.codes.code_entry import OURS, TRADINGVIEW, UNSEEN, Code
from pinebench.diagnostics import Severity

FAMILIES = ("syntax", "names", "declarations", "types", "calls", "consistency", "ours")
"""The families in the order of the catalogue; the opinions of the linter's rules are one more, `opinions`."""

_FOLDER = os.path.dirname(os.path.abspath(__file__))
_SEVERITIES = {severity.label: severity for severity in Severity}


@cache
def family(name: str) -> tuple[Code, ...]:
    """Return the codes of a family, in the order of its file."""
    with open(os.path.join(_FOLDER, f"{name}.txt"), encoding="utf-8") as file:
        parts = file.read().removesuffix("\n").split("\n== ")[1:]
    return tuple([_code(part) for part in parts])


def _code(part: str) -> Code:
    texts, _, scripts = part.partition("\n-- bad\n")
    head, template, why = texts.split("\n")
    name, *words = head.split(" ")
    alias = "" if words[0] in _SEVERITIES else words.pop(0)
    bad, _, good = scripts.partition("-- good\n")
    return Code(
        name,
        _SEVERITIES[words[0]],
        template,
        why + UNSEEN if "unseen" in words else why,
        bad,
        good and f"{good}\n",
        OURS if alias or "ours" in words else TRADINGVIEW,
        alias,
        "optional" not in words,
    )
