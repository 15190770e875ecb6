"""Parses the replies of a model: extracts the script and the comment, and applies the requested edits."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pinebench.errors import PinebenchError

LONGEST_WORDS = 4_000
"""The largest number of characters kept from a model's reply besides its script."""

_FENCE = re.compile(r"([ \t]*)(`{3,}|~{3,})[ \t]*([^`]*)")
_FIRST_LINE = re.compile(r"//[ \t]*@version[ \t]*=.*")
"""A script that begins on the line of the fence, in place of the language's name."""
_VERSION = re.compile(r"^[ \t]*//[ \t]*@version[ \t]*=", re.MULTILINE)
_DECLARATION = re.compile(r"^(?:indicator|strategy|library|study)[ \t]*\(", re.MULTILINE)
_NO_CODE = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|//.*")
_ENTITY = re.compile(r"&(?:lt|gt|amp|quot|apos|#0?39|#x27);")
_NAMING = 1_000
"""The largest total length, in characters, of the names of left-out blocks."""
_CANNOT = re.compile(
    r"\b(?:cannot|can't|can\u2019t|can not|could not|couldn't|impossible|not possible|unable|no way to|"
    r"not (?:supported|available|offered)|(?:does not|doesn't|doesn\u2019t) (?:support|offer|provide|allow|expose)|"
    r"has no (?:access|way))\b",
    re.IGNORECASE,
)
_ASKS = re.compile(r"\?[\s)*_\"']*$|\bquestion:|\?\s*\n", re.IGNORECASE)
"""A question at the end of a reply or of one of its lines."""
_WORDS = re.compile(r"[A-Z][\w']*,? [a-z]|[-*\u2022] |#+ |\*\*|\d+\. ")
"""The beginning of a paragraph of prose. The declaration of a typed variable may look the same, but it parses."""


def script_in(text: str, current: str | None = None, *, cut: bool = False) -> str | None:
    """Return the Pine script in a reply, or None if there is none. Among several fenced blocks, a complete script takes
    precedence, then a script that differs from `current`, then the longest. Without a fence, the reply must itself be a
    script from its version line on. In a reply that was `cut`, a block must have its closing fence and be free of
    syntax errors."""
    text = plain(text)
    blocks = list(_blocks(text))
    if blocks:
        scripts = [_tidy(code) for code, closed in blocks if _is_script(code) and (closed or not cut)]
        scripts = [script for script in scripts if not (cut and _has_syntax_errors(script))]
        return max(scripts, key=lambda script: (_is_whole(script), script != current, len(script)), default=None)
    start = _VERSION.search(text)
    if start and not cut and _DECLARATION.search(text, start.start()):
        return _tidy(_without_words(text[start.start() :]))
    return None


def words_in(text: str, script: str | None = None) -> str:
    """Return the comment in a reply besides `script`, including other blocks; empty if the two cannot be separated. A
    block that is too long is replaced by its first line and its length."""
    said: list[str] = []
    blocks: list[tuple[int, str]] = []
    for part, is_code in _parts(plain(text)):
        if not is_code:
            said.append("\n".join(line.rstrip() for line in part.split("\n")))
        elif script is None or _tidy(part) != script:
            blocks.append((len(said), part))
            said.append("")
    words = re.sub(r"\n{3,}", "\n\n", "\n".join(said)).strip()
    if _VERSION.search(words):
        return ""
    said = said if blocks else [words[:LONGEST_WORDS]]
    room = LONGEST_WORDS - len(words)
    for place, code in blocks:
        if not code.strip():
            continue
        shown = f"```\n{code.strip(chr(10))}\n```"
        if len(shown) > room:
            lines = code.strip().splitlines()
            shown = f"(left out: another block of {len(lines)} lines, which begins with '{lines[0][:60].strip()}')"
        room -= len(shown)
        said[place] = shown
    return re.sub(r"\n{3,}", "\n\n", "\n".join(said)).strip()[: LONGEST_WORDS + _NAMING]


def is_answer(comment: str) -> bool:
    """Return whether a comment without a script answers the request: it is a question, or explains why the request
    cannot be fulfilled."""
    prose = re.sub(r"```.*?```", "", comment, flags=re.DOTALL).strip()
    return bool(prose) and bool(_CANNOT.search(prose) or _ASKS.search(prose))


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the pieces of a reply in order, and whether each is fenced code. A fence that is not closed is left out."""
    mark, indent = "", 0
    lines: list[str] = []
    for line in text.split("\n"):
        opening = _FENCE.fullmatch(line) if not mark else None
        if opening:
            yield "\n".join(lines), False
            indent, mark = len(opening[1]), opening[2]
            beside = _FIRST_LINE.search(opening[3])
            lines = [beside[0]] if beside else []
        elif mark and (closing := line.strip()) and not closing.strip(mark[0]) and len(closing) >= len(mark):
            yield "\n".join(lines), True
            mark, lines = "", []
        else:
            lines.append(line[len(line[:indent]) - len(line[:indent].lstrip()) :] if mark else line)
    if not mark:
        yield "\n".join(lines), False


def plain(text: str) -> str:
    """Return `text` with line feeds only, without byte order marks, and without lone surrogates, which no file can
    hold."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "")
    return text.encode("utf-8", "replace").decode("utf-8")


def replace_once(source: str, old: str, new: str) -> str:
    """Return `source` with its only occurrence of `old` replaced by `new`. Raises PinebenchError, with a message for
    the model, if `old` is empty or does not occur exactly once."""
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


def _blocks(text: str) -> Iterator[tuple[str, bool]]:
    """Return the code in each fence of `text`, without the fence's own indentation, and whether the fence is closed."""
    mark, indent = "", 0
    lines: list[str] = []
    for line in text.split("\n"):
        if not mark:
            opening = _FENCE.fullmatch(line)
            if opening:
                indent, mark = len(opening[1]), opening[2]
                beside = _FIRST_LINE.search(opening[3])
                lines = [beside[0]] if beside else []
        elif (closing := line.strip()) and not closing.strip(mark[0]) and len(closing) >= len(mark):
            yield "\n".join(lines), True
            mark = ""
        else:
            lines.append(line[len(line[:indent]) - len(line[:indent].lstrip()) :])
    if mark:
        yield "\n".join(lines), False


def _is_script(block: str) -> bool:
    return bool(_VERSION.search(block) or _DECLARATION.search(block))


def _is_whole(block: str) -> bool:
    return bool(_VERSION.search(block) and _DECLARATION.search(block))


def _has_syntax_errors(code: str) -> bool:
    from pinebench.syntax import parse

    return bool(parse(code).diagnostics)


def _without_words(script: str) -> str:
    """Return an unfenced script without the paragraphs of text after it."""
    paragraphs = re.split(r"\n(?=[ \t]*\n)", script)
    while len(paragraphs) > 1:
        last = paragraphs[-1].strip("\n")
        if last.strip() and not (_WORDS.match(last) and _has_syntax_errors(last)):
            break
        paragraphs.pop()
    return "\n".join(paragraphs)


def _tidy(script: str) -> str:
    return _unescaped(script).strip("\n").rstrip() + "\n"


def _unescaped(script: str) -> str:
    """Return `script` with `<` for `&lt;` and so on, if such entities are outside strings and comments, where they
    cannot be code."""
    from html import unescape

    return unescape(script) if _ENTITY.search(_NO_CODE.sub("", script)) else script
