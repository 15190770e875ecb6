"""Converts the answers of the services to the Language Server Protocol."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lsprotocol import types

from pinebench.diagnostics import Edit
from pinebench.lsp.positions import Positions
from pinebench.services.completion import Completion
from pinebench.services.hover import Help
from pinebench.services.outline import OutlineEntry
from pinebench.services.tokens import KINDS, MODIFIERS, Token

MOST_ITEMS = 200
"""The largest number of completions that are sent at once. The list says that it is incomplete, so the editor asks
again after more letters."""

_ITEMS = {
    "variable": types.CompletionItemKind.Variable,
    "constant": types.CompletionItemKind.Constant,
    "function": types.CompletionItemKind.Function,
    "method": types.CompletionItemKind.Method,
    "field": types.CompletionItemKind.Field,
    "parameter": types.CompletionItemKind.Property,
    "type": types.CompletionItemKind.Class,
    "enum": types.CompletionItemKind.Enum,
    "member": types.CompletionItemKind.EnumMember,
    "namespace": types.CompletionItemKind.Module,
    "library": types.CompletionItemKind.Module,
    "keyword": types.CompletionItemKind.Keyword,
    "snippet": types.CompletionItemKind.Snippet,
    "annotation": types.CompletionItemKind.Keyword,
    "color": types.CompletionItemKind.Color,
}
SYMBOLS = {
    "function": types.SymbolKind.Function,
    "method": types.SymbolKind.Method,
    "type": types.SymbolKind.Class,
    "field": types.SymbolKind.Field,
    "enum": types.SymbolKind.Enum,
    "member": types.SymbolKind.EnumMember,
    "constant": types.SymbolKind.Constant,
    "variable": types.SymbolKind.Variable,
    "input": types.SymbolKind.Property,
    "library": types.SymbolKind.Module,
}
LEGEND = types.SemanticTokensLegend(list(KINDS), list(MODIFIERS))


def completion_list(items: list[Completion], positions: Positions, *, snippets: bool, uri: str) -> types.CompletionList:
    """Convert the likeliest of `items` to a completion list. `snippets` says whether the editor supports snippets."""
    kept = [item for item in items if snippets or item.kind != "snippet"][:MOST_ITEMS]
    made = [_item(item, number, positions, snippets=snippets, uri=uri) for number, item in enumerate(kept)]
    return types.CompletionList(is_incomplete=len(items) > len(kept), items=made)


def _item(item: Completion, number: int, positions: Positions, *, snippets: bool, uri: str) -> types.CompletionItem:
    text = item.snippet if item.snippet and snippets else item.label
    if item.kind == "parameter" and item.snippet and not snippets:
        text = item.snippet.replace("$0", "")
    is_snippet = bool(item.snippet and snippets)
    return types.CompletionItem(
        label=item.label,
        kind=_ITEMS[item.kind],
        detail=item.detail or None,
        sort_text=f"{number:04}",
        text_edit=types.TextEdit(positions.range(item.span), text),
        insert_text_format=types.InsertTextFormat.Snippet if is_snippet else None,
        insert_text_mode=types.InsertTextMode.AdjustIndentation if is_snippet else None,
        data={"uri": uri, "number": number},
    )


def signature_help(call_help: Help) -> types.SignatureHelp:
    """Convert the signatures of a call."""
    text = types.MarkupContent(types.MarkupKind.Markdown, call_help.text) if call_help.text else None
    signatures = [
        types.SignatureInformation(
            label=each.label,
            documentation=text,
            parameters=[
                types.ParameterInformation(label=parameter.label, documentation=note or None)
                for parameter, note in zip(each.shown, notes, strict=True)
            ],
        )
        for each, notes in zip(call_help.signatures, call_help.notes, strict=True)
    ]
    parameter = call_help.parameter if call_help.parameter >= 0 else len(call_help.signatures[call_help.active].shown)
    return types.SignatureHelp(signatures, active_signature=call_help.active, active_parameter=parameter)


def document_symbol(entry: OutlineEntry, positions: Positions) -> types.DocumentSymbol:
    """Convert an outline entry and its children."""
    return types.DocumentSymbol(
        name=entry.name,
        kind=SYMBOLS[entry.kind],
        detail=entry.detail or None,
        range=positions.range(entry.whole),
        selection_range=positions.range(entry.span),
        children=[document_symbol(each, positions) for each in entry.children] or None,
    )


def semantic_tokens(tokens: Iterable[Token], positions: Positions) -> types.SemanticTokens:
    """Convert semantic tokens to the protocol's encoding: each token by its distance from the token before."""
    data: list[int] = []
    line = character = 0
    for token in tokens:
        start = positions.position(token.start)
        end = positions.position(token.start + token.length)
        apart = start.line - line
        flags = sum(1 << MODIFIERS.index(modifier) for modifier in token.modifiers)
        data += (
            apart,
            start.character if apart else start.character - character,
            end.character - start.character,
            KINDS.index(token.kind),
            flags,
        )
        line, character = start.line, start.character
    return types.SemanticTokens(data)


def token_edits(before: Sequence[int], after: Sequence[int]) -> list[types.SemanticTokensEdit]:
    """Return the one edit that turns the encoded tokens `before` into `after`, or an empty list if they are equal."""
    shorter = min(len(before), len(after))
    start = next((n for n in range(shorter) if before[n] != after[n]), shorter)
    if start == len(before) == len(after):
        return []
    rest = shorter - start
    same = next((n for n in range(rest) if before[len(before) - 1 - n] != after[len(after) - 1 - n]), rest)
    new = list(after[start : len(after) - same])
    return [types.SemanticTokensEdit(start, len(before) - same - start, new or None)]


def text_edits(edits: Iterable[Edit], positions: Positions) -> list[types.TextEdit]:
    """Convert the edits of one text to protocol edits."""
    return [types.TextEdit(positions.range(edit.span), edit.text) for edit in edits]
