"""Regular expressions that are compiled on first use. Compiling all of them at the start would take longer than
checking a short script."""

from __future__ import annotations

import re
from typing import Any, cast

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn")


def lazy_pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """Return the regular expression `text`, compiled on first use. An invalid pattern raises `re.error` only then."""
    return cast("re.Pattern[str]", _LazyPattern(text, flags))


class _LazyPattern:
    def __init__(self, text: str, flags: int) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._text, self._flags)
        for method in _METHODS:  # later uses do not come here
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)
