"""Long results in pages: a model first gets the first and last entries, and gets the rest with `read_result`."""

from __future__ import annotations

import json
import re
import secrets
import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from pinebench.errors import UsageError

MOST = 24_000
"""The largest number of characters of a result for a model."""

READ = "read_result"
"""The tool that reads entries of a list that were left out."""

_PAGE = 14_000
"""The largest number of characters of the entries of one page, so that the page is not cut again."""
_KEPT_RESULTS = 20
_KEPT_CHARACTERS = 50_000_000
_LONG_LIST, _LONG_TEXT = 10, 2_000
"""The lengths from which lists and texts are cut before shorter ones."""
_LEAST_TEXT = 300
_MOST_NAMED = 8
"""The largest number of lists that are named together because they were cut alike."""
_HOW = f"{READ} with result, key, and from: the number under first"
_MARK = "\n[… {count} characters are left out here …]\n"
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")

Key = tuple[str | int, ...]


class ResultPage(NamedTuple):
    """Consecutive entries of a list or an object, or characters of a string (`value`). `total` is the length of the
    whole list, object or string, and `next` is the index at which to continue, None at the end."""

    total: int
    value: Any
    next: int | None


@dataclass
class LongResult:
    """A long result that the model has seen only in part. `about` holds its short values, and `parts` its complete
    lists, objects and strings by name. `size` is its number of characters."""

    tool: str
    about: dict[str, Any]
    parts: dict[str, Any] = field(default_factory=dict[str, Any])
    size: int = 0

    def page(self, key: str, first: int) -> ResultPage:
        """Return as much of the part `key` as fits into one answer, from the index `first` on. Raises UsageError if
        there is no such part or index."""
        if key not in self.parts:
            raise UsageError(f"key cannot be '{key[:80]}'", f"the result has {', '.join(list(self.parts)[:20])}")
        whole = self.parts[key]
        total = len(whole)
        if first >= total:
            raise UsageError(f"from must be below {total}, got: {first}", f"{key} has {total} entries")
        if isinstance(whole, str):
            piece = whole[first : first + _PAGE]
            return ResultPage(total, piece, _after(first + len(piece), total))
        entries = list(_pairs(whole))[first:]
        size, taken = 0, 0
        for _, each in entries:
            size += _length(each)
            if size > _PAGE and taken:
                break
            taken += 1
        found = entries[:taken]
        value: Any = dict(found) if isinstance(whole, dict) else [each for _, each in found]
        return ResultPage(total, value, _after(first + taken, total))


def _after(place: int, total: int) -> int | None:
    return place if place < total else None


class LongResults:
    """The newest long results, so that models can read more of them; safe to use from any thread. Each result belongs
    to the user of its call; other users cannot read it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str | None, str], LongResult] = OrderedDict()

    def keep(self, owner: str | None, result: LongResult) -> str:
        """Store a result, drop the oldest results if there are too many, and return the name of the new one."""
        with self._lock:
            name = secrets.token_hex(4)
            self._kept[owner, name] = result
            while len(self._kept) > 1 and (
                len(self._kept) > _KEPT_RESULTS or sum(each.size for each in self._kept.values()) > _KEPT_CHARACTERS
            ):
                self._kept.popitem(last=False)
        return name

    def find(self, owner: str | None, name: str) -> LongResult:
        """Return the result called `name`. Raises UsageError if `owner` has no such result, or if it was dropped."""
        with self._lock:
            found = self._kept.get((owner, name.strip()))
        if found is None:
            raise UsageError(
                f"there is no stored result '{name[:40]}'", "call its tool again: only the newest results are stored"
            )
        return found


def shortened(
    result: dict[str, Any],
    tool: str,
    kept: LongResults | None,
    owner: str | None = None,
    *,
    indent: int | None = None,
    how: str = _HOW,
) -> dict[str, Any]:
    """Return `result` in at most `MOST` characters of JSON that is indented by `indent`.

    The longest lists and strings keep their first and last entries. Lists of the same length are cut at the same
    indices, because their entries may belong together. The key `rest` names the lists that were cut, with the sentence
    `how` about reading the missing entries. The complete lists are stored in `kept`, unless it is None; `owner` can
    then read them with the tool `read_result`.
    """
    if _length(result, indent) <= MOST:
        return result
    cutting = _ResultCutter(result, indent, how)
    cutting.cut()
    if not cutting.cuts:
        return result
    if kept is None:
        return cutting.told("")
    about = {key: value for key, value in result.items() if key != "success" and _is_short(value)}
    return cutting.told(kept.keep(owner, LongResult(tool, about, cutting.wholes(), _length(result))))


def _is_short(value: Any) -> bool:
    return isinstance(value, int | float) or (isinstance(value, str) and len(value) <= 200)


class _PageEnds(NamedTuple):
    """How many entries or characters a list, object or text has, and how many stay at its beginning and its end."""

    total: int
    first: int
    last: int


class _ResultPart(NamedTuple):
    """A list, object or text inside the result: its path in the result, its holder, and its size in JSON."""

    key: Key
    holder: Any
    at: str | int
    length: int
    size: int
    kind: type


class _ResultCutter:
    """Shortens one result."""

    def __init__(self, result: dict[str, Any], indent: int | None, how: str) -> None:
        self._whole = result
        self._how = how
        self._indent = indent
        self._result = _copied(result)
        self.cuts: dict[Key, _PageEnds] = {}

    def cut(self) -> None:
        """Shorten the longest parts until the result fits, or until nothing long is left."""
        while (length := _length(self.told("00000000"), self._indent)) > MOST:
            group = self._longest()
            if not group:
                return
            self._cut_alike(group, length - MOST)

    def told(self, name: str) -> dict[str, Any]:
        """Return the shortened result, with `rest` before everything that was shortened."""
        alike: dict[_PageEnds, list[str]] = {}
        for key, cut in self.cuts.items():
            alike.setdefault(cut, []).append(_named(key))
        named = {"result": name} if name else {}
        rest = {**named, "parts": [_said(cut, names) for cut, names in alike.items()], "how": self._how}
        head = {"success": self._result["success"]} if "success" in self._result else {}
        return {**head, "truncated": True, "rest": rest, **self._result}

    def wholes(self) -> dict[str, Any]:
        """Return the complete lists and texts that were cut, by their names."""
        found: dict[str, Any] = {}
        for key in self.cuts:
            node: Any = self._whole
            for step in key:
                node = node[step]
            found[_named(key)] = node
        return found

    def _longest(self) -> list[_ResultPart]:
        """Return the lists of one length that hold the most characters, or one text or object; empty if there is
        none."""
        parts: list[_ResultPart] = []
        _measured(self._result, (), None, "", parts, self.cuts, self._indent)
        groups: dict[tuple[int, Key], list[_ResultPart]] = {}
        for part in parts:
            is_alone = part.kind is not list or part.length < _LONG_LIST
            groups.setdefault((part.length, part.key if is_alone else ()), []).append(part)
        found = list(groups.values())
        long = [group for group in found if group[0].length >= (_LONG_TEXT if group[0].kind is str else _LONG_LIST)]
        return max(long or found, key=lambda group: sum(part.size for part in group), default=list[_ResultPart]())

    def _cut_alike(self, group: list[_ResultPart], excess: int) -> None:
        """Cut each part of `group` so far that about `excess` characters go away."""
        count, size = group[0].length, sum(part.size for part in group)
        least = _LEAST_TEXT // 2 if group[0].kind is str else 1
        stays = max(least, min(count - 1, int(count * (size - 1.05 * excess) / size)))
        last = stays // 3 if stays > 2 else stays // 2
        for part in group:
            earlier = self.cuts.get(part.key)
            cut = self.cuts[part.key] = _PageEnds(earlier.total if earlier else part.length, stays - last, last)
            _cut_one(part, earlier, cut)
            self._forget_inside(part, cut)

    def _forget_inside(self, part: _ResultPart, cut: _PageEnds) -> None:
        """Forget what was cut inside of the entries that are left out now."""
        depth, left = len(part.key), part.holder[part.at]
        for each in [each for each in self.cuts if len(each) > depth and each[:depth] == part.key]:
            place = each[depth]
            gone = place not in left if part.kind is dict else cut.first <= int(place) < cut.total - cut.last
            if gone:
                del self.cuts[each]


def _said(cut: _PageEnds, names: list[str]) -> dict[str, Any]:
    """Return the entry of `rest` about the parts `names`, which were cut at the same indices."""
    shown = names[:_MOST_NAMED]
    named: dict[str, Any] = {"key": shown[0]} if len(names) == 1 else {"keys": shown}
    more = {"more_keys": len(names) - len(shown)} if len(names) > len(shown) else {}
    return {**named, **more, **cut._asdict()}


def _cut_one(part: _ResultPart, earlier: _PageEnds | None, cut: _PageEnds) -> None:
    """Keep the first and last entries of a part; a text gets a mark where it is cut."""
    value = part.holder[part.at]
    if part.kind is str:
        plain = value if earlier is None else value[: earlier.first] + _end(value, earlier.last)
        mark = _MARK.format(count=f"{cut.total - cut.first - cut.last:,}")
        part.holder[part.at] = plain[: cut.first] + mark + _end(plain, cut.last)
        return
    pairs = list(_pairs(value))
    kept = pairs[: cut.first] + _end(pairs, cut.last)
    part.holder[part.at] = dict(kept) if part.kind is dict else [each for _, each in kept]


def _end(value: Any, count: int) -> Any:
    """Return the last `count` entries, which may be none."""
    return value[len(value) - count :]


def _measured(
    value: Any,
    key: Key,
    holder: Any,
    at: str | int,
    parts: list[_ResultPart],
    cut: dict[Key, _PageEnds],
    indent: int | None,
) -> int:
    """Return the approximate size of `value` as JSON, and add its parts that can be cut to `parts`."""
    if isinstance(value, str):
        known = cut.get(key)
        count = known.first + known.last if known is not None else len(value)
        if holder is not None and count > _LEAST_TEXT:
            parts.append(_ResultPart(key, holder, at, count, len(value), str))
        return len(value) + 2
    if not isinstance(value, dict | list):
        return len(repr(value))
    known = cut.get(key)
    layout = 2 if indent is None else 2 + indent * (len(key) + 1)
    size = 2
    pairs = list(_pairs(value))
    for number, (name, each) in enumerate(pairs):
        place = number if known is None or number < known.first else known.total - len(pairs) + number
        step = name if isinstance(value, dict) else place
        size += layout + (len(str(name)) + 4 if isinstance(value, dict) else 0)
        size += _measured(each, (*key, step), value, name, parts, cut, indent)
    several = len(pairs) > (1 if isinstance(value, list) else _LONG_LIST)
    if holder is not None and several:
        parts.append(_ResultPart(key, holder, at, len(pairs), size, dict if isinstance(value, dict) else list))
    return size


def _pairs(value: Any) -> Iterator[tuple[Any, Any]]:
    """Return the keys and values of an object, or the indexes and entries of a list."""
    if isinstance(value, dict):
        return iter(cast("dict[Any, Any]", value).items())
    return iter(enumerate(cast("list[Any]", value)))


def _named(key: Key) -> str:
    """Return the path of a part as models write it: `studies[0].labels`."""
    words = ""
    for step in key:
        if isinstance(step, int):
            words += f"[{step}]"
        elif _NAME.fullmatch(step):
            words += f".{step}" if words else step
        else:
            words += f"[{json.dumps(step, ensure_ascii=False)}]"
    return words


def _copied(value: Any) -> Any:
    """Return a copy whose lists and objects can be cut without touching `value`."""
    if isinstance(value, dict):
        return {key: _copied(each) for key, each in cast("dict[Any, Any]", value).items()}
    return [_copied(each) for each in cast("list[Any]", value)] if isinstance(value, list) else value


def _length(value: Any, indent: int | None = None) -> int:
    return len(json.dumps(value, ensure_ascii=False, indent=indent))
