"""The keywords and names of Pine for the page's editor, which needs them for colours and indentation."""

from __future__ import annotations

import json
from functools import cache

from pinebench import reference
from pinebench.services.completion import ANNOTATIONS
from pinebench.services.highlighting import CONSTANTS, INDENTING, types
from pinebench.services.tokens import KINDS as TOKENS
from pinebench.services.tokens import MODIFIERS
from pinebench.studio.compile import KINDS


@cache
def words_json() -> bytes:
    """Return the keywords and names that the editor colours or indents in a special way, as JSON by kind."""
    words = {
        "keywords": sorted(reference.keywords() - {*CONSTANTS, *types()}),
        "types": types(),
        "declarations": KINDS,
        "constants": CONSTANTS,
        "indenting": INDENTING,
        "annotations": tuple(ANNOTATIONS),
        "tokens": TOKENS,
        "modifiers": MODIFIERS,
    }
    return json.dumps(words, separators=(",", ":")).encode()
