"""Texts about a published library: the description that TradingView makes from its annotations, a page in Markdown,
and the changes in a new version that break scripts."""

from __future__ import annotations

from collections.abc import Iterator

from pinebench.projects.exports import Export, ExportedPart, Library
from pinebench.records import NamedTuple


def description(library: Library) -> str:
    """Return the text with which TradingView begins the description of a publication. Enums and constants are left
    out, because their form there is unknown."""
    lines = [f'Library "{library.title}"']
    if library.about:
        lines.append(library.about)
    for export in library.exports:
        if export.kind in ("function", "method", "type"):
            lines += ["", *_described(export)]
    return "\n".join(lines) + "\n"


def _described(export: Export) -> Iterator[str]:
    names = ", ".join(part.name for part in export.parts)
    if export.kind == "type":
        yield export.name
    else:
        yield f"{'method ' if export.kind == 'method' else ''}{export.name}({names})"
    if export.about:
        yield f"  {export.about}"
    if export.kind == "method" and export.parts:
        yield f"  Namespace types: {export.parts[0].type}"
    if export.parts:
        yield "  Fields:" if export.kind == "type" else "  Parameters:"
    for part in export.parts:
        yield f"     {part.name} ({part.type})" + (f" : {part.about}" if part.about else "")
    if export.returns:
        yield f"  Returns: {export.returns}"


_TITLES = {"function": "Functions", "method": "Methods", "type": "Types", "enum": "Enums", "constant": "Constants"}


def page(library: Library, path: str) -> str:
    """Return a page about a library in Markdown. `path` is the import path for scripts."""
    lines = [f"# {_escaped(library.title)}", ""]
    if library.about:
        lines += [_escaped(library.about), ""]
    lines += ["```pine", f"import {path}", "```", ""]
    for kind, title in _TITLES.items():
        found = [each for each in library.exports if each.kind == kind]
        if found:
            lines += [f"## {title}", ""]
        for export in found:
            lines += _section(export)
    return "\n".join(lines).rstrip("\n") + "\n"


def _section(export: Export) -> list[str]:
    lines = [f"### {_escaped(export.name)}", "", "```pine", _signature(export), "```", ""]
    if export.about:
        lines += [_escaped(export.about), ""]
    told = [part for part in export.parts if part.name]
    if told and export.kind != "constant":
        lines += ["| name | type | default | meaning |", "|---|---|---|---|"]
        lines += [f"| {' | '.join(_cell(each) for each in (p.name, p.type, p.default or '', p.about))} |" for p in told]
        lines.append("")
    return [*lines, f"Returns: {_escaped(export.returns)}", ""] if export.returns else lines


def _signature(export: Export) -> str:
    if export.kind == "constant":
        return f"{export.parts[0].type} {export.name} = {export.parts[0].default}".strip()
    if export.kind in ("type", "enum"):
        return f"{export.kind} {export.name}"
    inside = ", ".join(
        f"{part.type} {part.name}" + (f" = {part.default}" if part.default is not None else "") for part in export.parts
    )
    return f"{'method ' if export.kind == 'method' else ''}{export.name}({inside})"


def _escaped(text: str) -> str:
    return "".join(f"\\{each}" if each in r"\`*_{}[]<>#|" else each for each in text)


def _cell(text: str) -> str:
    return _escaped(text)


class LibraryChange(NamedTuple):
    """A difference between two versions of a library. `breaks` is true if scripts may not compile with the new version,
    or may compute different values."""

    breaks: bool
    text: str


def changes(old: Library, new: Library) -> list[LibraryChange]:
    """Return the differences of the exports' names, parameters, fields and values; changes that break scripts come
    first. The code of functions is not compared."""
    found: list[LibraryChange] = []
    before, after = _grouped(old), _grouped(new)
    for key, exports in before.items():
        found += _compared(key[1], exports, after.get(key, []))
    for key, exports in after.items():
        if key not in before:
            found += [LibraryChange(False, f"{_signature(each)} is new") for each in exports]
    return sorted(found, key=lambda each: not each.breaks)


def _grouped(library: Library) -> dict[tuple[str, str], list[Export]]:
    """Group the exports by kind and name, because functions or methods with one name are overloads."""
    found: dict[tuple[str, str], list[Export]] = {}
    for each in library.exports:
        kind = "function" if each.kind in ("function", "method") else each.kind
        found.setdefault((kind, each.name), []).append(each)
    return found


def _compared(name: str, old: list[Export], new: list[Export]) -> Iterator[LibraryChange]:
    if not new:
        yield LibraryChange(True, f"{name} was removed")
        return
    left = [each for each in new if not any(_same(each, one) for one in old)]
    gone = [each for each in old if not any(_same(each, one) for one in new)]
    for one in gone:
        match = next((each for each in left if each.kind == one.kind), None)
        if match is None:
            yield LibraryChange(True, f"{_signature(one)} was removed")
            continue
        left.remove(match)
        yield from _differences(one, match)
    yield from (LibraryChange(False, f"{_signature(each)} is new") for each in left)


def _same(one: Export, other: Export) -> bool:
    def shape(export: Export) -> list[tuple[str, str, str | None]]:
        return [(part.name, part.type, part.default) for part in export.parts]

    return one.kind == other.kind and shape(one) == shape(other)


def _differences(old: Export, new: Export) -> Iterator[LibraryChange]:
    """Yield the differences of one export: its parameters, fields, members or value."""
    what = {"type": "field", "enum": "member", "constant": "value"}.get(old.kind, "parameter")
    ours = {part.name: part for part in new.parts}
    for part in old.parts:
        now = ours.get(part.name)
        label = f"{old.name}: the {what} {part.name}".rstrip()
        if now is None:
            yield LibraryChange(True, f"{label} was removed")
            continue
        if now.type != part.type:
            yield LibraryChange(
                True, f"{label} was {part.type or 'without a type'} and is now {now.type or 'without a type'}"
            )
        if now.default != part.default:
            yield _other_default(label, part, now)
    kept = [part.name for part in old.parts if part.name in ours]
    added = [part for part in new.parts if part.name not in {each.name for each in old.parts}]
    if [part.name for part in new.parts if part.name in kept] != kept:
        yield LibraryChange(True, f"{old.name}: the order of its {what}s has changed")
    last = max((number for number, part in enumerate(new.parts) if part.name in kept), default=-1)
    for part in added:
        number = new.parts.index(part)
        is_optional = old.kind == "enum" or (number > last and (old.kind == "type" or part.default is not None))
        must = "is new and required" if part.default is None else "is new, and precedes existing ones"
        how = "is new" if is_optional else must
        yield LibraryChange(not is_optional, f"{old.name}: the {what} {part.name} {how}")


def _other_default(label: str, old: ExportedPart, new: ExportedPart) -> LibraryChange:
    if old.default is None:
        return LibraryChange(False, f"{label} now has a default: {new.default}")
    if new.default is None:
        return LibraryChange(True, f"{label} no longer has a default; it was {old.default}")
    return LibraryChange(True, f"{label} was {old.default} and is now {new.default}")
