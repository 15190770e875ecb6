"""What a model's reply holds: the script in it, whatever prose stands around, and edits to a script that it asks
for."""

from __future__ import annotations

import re

from pinebench.errors import PinebenchError

_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[ \t]*([\w+.-]*)[^\n]*\n(.*?)^[ \t]*\1[ \t]*$", re.MULTILINE | re.DOTALL)
_OPEN_FENCE = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[^\n]*\n(.*)\Z", re.MULTILINE | re.DOTALL)
_VERSION = re.compile(r"^[ \t]*//[ \t]*@version[ \t]*=", re.MULTILINE)
_DECLARATION = re.compile(r"^(?:indicator|strategy|library)[ \t]*\(", re.MULTILINE)


def script_in(text: str) -> str | None:
    """The Pine script in a reply, or None when there is none.

    Of several fenced blocks the longest that looks like a whole script counts, else nothing is sure enough to
    compile. Without a fence the reply must itself be a script from its version line on.
    """
    text = text.replace("\r\n", "\n")
    blocks = [match[3] for match in _FENCE.finditer(text)]
    if not blocks and (cut := _OPEN_FENCE.search(text)):
        blocks = [cut[1]]
    if blocks:
        whole = [block for block in blocks if _is_script(block)]
        return _tidy(max(whole, key=len)) if whole else None
    start = _VERSION.search(text)
    if start and _DECLARATION.search(text, start.start()):
        return _tidy(text[start.start() :])
    return None


def replace_once(source: str, old: str, new: str) -> str:
    """`source` with its one occurrence of `old` replaced by `new`.

    Raises PinebenchError, in words a model can act on, when there is none or more than one.
    """
    if not old:
        raise PinebenchError("old_text is empty. Give the exact text to replace.")
    count = source.count(old)
    if count == 1:
        return source.replace(old, new)
    if count > 1:
        raise PinebenchError(
            f"old_text occurs {count} times. Include more of the lines around it, so that it is unique."
        )
    raise PinebenchError(
        f"old_text does not occur in the script.{_nearest(source, old)} Copy it exactly, blanks included."
    )


def _nearest(source: str, old: str) -> str:
    from difflib import get_close_matches

    first = next((line for line in old.splitlines() if line.strip()), "")
    close = get_close_matches(first.strip(), [line.strip() for line in source.splitlines()], 1, 0.6)
    if not close:
        return ""
    number = next(n for n, line in enumerate(source.splitlines(), 1) if line.strip() == close[0])
    return f" The nearest line is line {number}: {source.splitlines()[number - 1]!r}."


def _is_script(block: str) -> bool:
    return bool(_VERSION.search(block) or _DECLARATION.search(block))


def _tidy(script: str) -> str:
    return script.strip("\n").rstrip() + "\n"
