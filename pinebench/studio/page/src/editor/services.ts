// Completion, hover, signatures, navigation, rename, actions, layout and colours by meaning: the server answers, for a
// version of the text, and an answer about a text that is gone applies nowhere.
import { server, type Words } from '../server';
import { monaco } from './monaco';

type Model = monaco.editor.ITextModel;
type Token = monaco.CancellationToken;

interface Edit {
  range: monaco.IRange;
  text: string;
}

/** The features that the server does not have, with the reason. */
interface Refused {
  refused: string;
}

/** The name under which the server knows this page, whose text it keeps checked. */
const PAGE = crypto.randomUUID();
/**
 * Texts with more characters than this are edited without completions and findings, because the server would need
 * seconds for each answer.
 */
const LONGEST = 500_000;
/** The largest number of requests for one list of completions: a request is repeated if the text has changed. */
const MOST_ROUNDS = 20;

/**
 * The answer to a question about the current text. It is null if the text has changed in the meantime, or if nobody waits for
 * it.
 */
async function ask<T>(model: Model, question: string, about: object = {}, token?: Token): Promise<T | null> {
  if (model.isDisposed() || isCancelled(token) || model.getValueLength() > LONGEST) return null;
  const version = model.getVersionId();
  const asked = { ...about, page: `${PAGE} ${model.id}`, version, source: model.getValue() };
  const answer = await server.editor(question, asked).catch(() => null);
  const isOld = model.isDisposed() || model.getVersionId() !== version || isCancelled(token);
  return isOld ? null : (answer as T | null);
}

const isCancelled = (token?: Token): boolean => token?.isCancellationRequested ?? false;

const at = ({ lineNumber, column }: monaco.IPosition) => ({ at: { lineNumber, column } });
const plainRange = ({ startLineNumber, startColumn, endLineNumber, endColumn }: monaco.IRange) => ({
  range: { startLineNumber, startColumn, endLineNumber, endColumn },
});

/** Text with Markdown, in which neither HTML nor commands have an effect. */
const markdown = (value: string): monaco.IMarkdownString => ({ value, isTrusted: false, supportHtml: false });

// while typing

const KINDS: Record<string, keyof typeof monaco.languages.CompletionItemKind> = {
  variable: 'Variable',
  constant: 'Constant',
  function: 'Function',
  method: 'Method',
  field: 'Field',
  parameter: 'Property',
  type: 'Struct',
  enum: 'Enum',
  member: 'EnumMember',
  namespace: 'Module',
  library: 'Module',
  keyword: 'Keyword',
  snippet: 'Snippet',
  annotation: 'Keyword',
  color: 'Color',
};

interface Item {
  label: string;
  kind: string;
  detail: string;
  text: string;
  snippet: boolean;
  range: monaco.IRange;
}

interface Offered extends monaco.languages.CompletionItem {
  place: { model: Model; list: number; number: number };
}

const completion: monaco.languages.CompletionItemProvider = {
  triggerCharacters: ['.', '@', '#'],
  async provideCompletionItems(model, position, _context, token) {
    for (let round = 0; round < MOST_ROUNDS && !token.isCancellationRequested && !model.isDisposed(); round++) {
      const list = model.getVersionId();
      const found = await ask<{ items: Item[]; incomplete: boolean }>(model, 'completion', at(position), token);
      if (found !== null) {
        const suggestions = found.items.map((item, number) => offered(item, { model, list, number }));
        return { suggestions, incomplete: found.incomplete };
      }
      if (model.getVersionId() === list) break; // the server has no answer, and the text is still the same
    }
    return { suggestions: [] };
  },
  async resolveCompletionItem(item, token) {
    const { model, list, number } = (item as Offered).place;
    const text = await ask<string>(model, 'about', { list, number }, token);
    return text === null ? item : { ...item, documentation: markdown(text) };
  },
};

function offered(item: Item, place: Offered['place']): Offered {
  return {
    label: item.label,
    kind: monaco.languages.CompletionItemKind[KINDS[item.kind] ?? 'Text'],
    detail: item.detail,
    insertText: item.text,
    ...(item.snippet ? { insertTextRules: monaco.languages.CompletionItemInsertTextRule.InsertAsSnippet } : {}),
    sortText: String(place.number).padStart(4, '0'),
    range: item.range,
    place,
  };
}

const signatures: monaco.languages.SignatureHelpProvider = {
  signatureHelpTriggerCharacters: ['(', ','],
  signatureHelpRetriggerCharacters: [')'],
  async provideSignatureHelp(model, position, token) {
    interface Help {
      signatures: { label: string; parameters: string[]; about: string[] }[];
      active: number;
      parameter: number;
    }
    const found = await ask<Help>(model, 'signature', at(position), token);
    if (found === null) return null;
    const made = found.signatures.map(({ label, parameters, about }) => ({
      label,
      parameters: parameters.map((each, number) => ({ label: each, documentation: about[number] })),
    }));
    return {
      value: { signatures: made, activeSignature: found.active, activeParameter: found.parameter },
      dispose: () => undefined,
    };
  },
};

const hover: monaco.languages.HoverProvider = {
  async provideHover(model, position, token) {
    const found = await ask<{ text: string; range: monaco.IRange }>(model, 'hover', at(position), token);
    return found === null ? null : { contents: [markdown(found.text)], range: found.range };
  },
};

// names

type Ask = (model: Model, position: monaco.Position, token: Token) => Promise<monaco.languages.Definition | null>;

const going =
  (question: string): Ask =>
  async (model, position, token) => {
    const range = await ask<monaco.IRange>(model, question, at(position), token);
    return range === null ? null : { uri: model.uri, range };
  };

interface Use {
  range: monaco.IRange;
  writes: boolean;
}

const uses = async (model: Model, position: monaco.Position, token: Token) =>
  (await ask<Use[]>(model, 'references', at(position), token)) ?? [];

const references: monaco.languages.ReferenceProvider = {
  async provideReferences(model, position, _context, token) {
    return (await uses(model, position, token)).map(({ range }) => ({ uri: model.uri, range }));
  },
};

const highlights: monaco.languages.DocumentHighlightProvider = {
  async provideDocumentHighlights(model, position, token) {
    const { Read, Write } = monaco.languages.DocumentHighlightKind;
    return (await uses(model, position, token)).map(({ range, writes }) => ({ range, kind: writes ? Write : Read }));
  },
};

const CHANGED = 'The text has changed meanwhile.';

const rename: monaco.languages.RenameProvider = {
  async resolveRenameLocation(model, position, token) {
    const found = await ask<{ range: monaco.IRange } | Refused>(model, 'renamable', at(position), token);
    if (found !== null && 'range' in found) return { range: found.range, text: model.getValueInRange(found.range) };
    return { range: new monaco.Range(1, 1, 1, 1), text: '', rejectReason: found?.refused ?? CHANGED };
  },
  async provideRenameEdits(model, position, name, token) {
    const version = model.getVersionId();
    const found = await ask<{ edits: Edit[] } | Refused>(model, 'rename', { ...at(position), name }, token);
    if (found === null || 'refused' in found) return { edits: [], rejectReason: found?.refused ?? CHANGED };
    return changes(model, version, found.edits);
  },
};

/** Edits that apply only to `version`: Monaco refuses them for another version. */
function changes(model: Model, versionId: number, edits: readonly Edit[]): monaco.languages.WorkspaceEdit {
  return { edits: edits.map((textEdit) => ({ resource: model.uri, versionId, textEdit })) };
}

// what can be done

interface Action {
  title: string;
  kind: string;
  code: string;
  edits: Edit[];
  preferred: boolean;
  finding: (monaco.IRange & { code: string; message: string; severity: number }) | null;
}

const ACTIONS: Record<string, string> = {
  fix: 'quickfix',
  suppress: 'quickfix',
  explain: 'quickfix',
  extract: 'refactor.extract',
  rewrite: 'refactor.rewrite',
  convert: 'refactor.rewrite',
};

const actions: monaco.languages.CodeActionProvider = {
  async provideCodeActions(model, range, context, token) {
    const version = model.getVersionId();
    const found = (await ask<Action[]>(model, 'actions', plainRange(range), token)) ?? [];
    const made = found
      .map((action) => codeAction(model, version, action))
      .filter(({ kind = '' }) => context.only === undefined || kind === context.only || kind.startsWith(`${context.only}.`));
    return { actions: made, dispose: () => undefined };
  },
};

function codeAction(model: Model, version: number, { title, kind, code, edits, preferred, finding }: Action): monaco.languages.CodeAction {
  const known = { title, kind: ACTIONS[kind] ?? 'quickfix', isPreferred: preferred, diagnostics: finding === null ? [] : [finding] };
  if (kind === 'explain') return { ...known, command: { id: EXPLAIN, title, arguments: [model.uri, code] } };
  if (kind === 'convert') return { ...known, command: { id: CONVERT, title, arguments: [model.uri] } };
  return { ...known, edit: changes(model, version, edits) };
}

const EXPLAIN = 'pinebench.explain';
const CONVERT = 'pinebench.convert';

/** Show a message to the person. */
export type Tell = (text: string) => void;

function registerCommands(tell: Tell): void {
  monaco.editor.registerCommand(EXPLAIN, (_accessor, uri: monaco.Uri, code: string) => void explain(uri, code, tell));
  monaco.editor.registerCommand(CONVERT, (_accessor, uri: monaco.Uri) => void convert(uri, tell));
}

async function explain(uri: monaco.Uri, code: string, tell: Tell): Promise<void> {
  const model = monaco.editor.getModel(uri);
  const found = model === null ? null : await ask<{ text: string } | Refused>(model, 'explain', { code });
  if (found !== null) tell('text' in found ? found.text : found.refused);
}

async function convert(uri: monaco.Uri, tell: Tell): Promise<void> {
  const model = monaco.editor.getModel(uri);
  if (model === null) return;
  const found = await ask<{ edits: Edit[]; summary: string } | Refused>(model, 'convert');
  if (found === null || 'refused' in found) {
    tell(found?.refused ?? CHANGED);
    return;
  }
  model.pushStackElement();
  model.pushEditOperations(null, found.edits, () => null);
  model.pushStackElement();
  tell(found.summary);
}

const layout: monaco.languages.DocumentFormattingEditProvider & monaco.languages.DocumentRangeFormattingEditProvider = {
  provideDocumentFormattingEdits: (model, _options, token) => ask<Edit[]>(model, 'layout', {}, token),
  provideDocumentRangeFormattingEdits: (model, range, _options, token) => ask<Edit[]>(model, 'layout', plainRange(range), token),
};

// how it looks

const colors: monaco.languages.DocumentColorProvider = {
  async provideDocumentColors(model, token) {
    return (await ask<monaco.languages.IColorInformation[]>(model, 'colors', {}, token)) ?? [];
  },
  async provideColorPresentations(model, { color, range }, token) {
    const text = await ask<string>(model, 'written', { ...plainRange(range), color }, token);
    return text === null ? [] : [{ label: text, textEdit: { range, text } }];
  },
};

const folding: monaco.languages.FoldingRangeProvider = {
  async provideFoldingRanges(model, _context, token) {
    const found = await ask<{ start: number; end: number; kind: string }[]>(model, 'folds', {}, token);
    const { Comment, Imports, Region } = monaco.languages.FoldingRangeKind;
    const kinds: Record<string, monaco.languages.FoldingRangeKind> = { comment: Comment, imports: Imports, region: Region };
    return found?.map(({ start, end, kind }) => ({ start, end, ...(kinds[kind] === undefined ? {} : { kind: kinds[kind] }) }));
  },
};

const tokens = (words: Words): monaco.languages.DocumentSemanticTokensProvider => ({
  getLegend: () => ({ tokenTypes: [...words.tokens], tokenModifiers: [...words.modifiers] }),
  async provideDocumentSemanticTokens(model, _last, token) {
    const found = await ask<number[]>(model, 'tokens', {}, token);
    if (found === null) throw new Error('busy'); // Monaco's word for: keep the colours and ask again
    return { data: Uint32Array.from(found) };
  },
  releaseDocumentSemanticTokens: () => undefined,
});

interface Entry {
  name: string;
  detail: string;
  kind: string;
  range: monaco.IRange;
  selectionRange: monaco.IRange;
  children: Entry[];
}

const SYMBOLS: Record<string, keyof typeof monaco.languages.SymbolKind> = {
  function: 'Function',
  method: 'Method',
  type: 'Struct',
  field: 'Field',
  enum: 'Enum',
  member: 'EnumMember',
  constant: 'Constant',
  variable: 'Variable',
  input: 'Property',
  library: 'Module',
};

const symbol = ({ kind, children, ...rest }: Entry): monaco.languages.DocumentSymbol => ({
  ...rest,
  kind: monaco.languages.SymbolKind[SYMBOLS[kind] ?? 'Variable'],
  tags: [],
  children: children.map(symbol),
});

const outline: monaco.languages.DocumentSymbolProvider = {
  async provideDocumentSymbols(model, token) {
    return (await ask<Entry[]>(model, 'symbols', {}, token))?.map(symbol);
  },
};

/** Let the server answer for every Pine text. `tell` gets messages that cannot be shown in the text. */
export function registerServices(words: Words, tell: Tell): void {
  const { languages } = monaco;
  languages.registerCompletionItemProvider('pine', completion);
  languages.registerSignatureHelpProvider('pine', signatures);
  languages.registerHoverProvider('pine', hover);
  languages.registerDefinitionProvider('pine', { provideDefinition: going('definition') });
  languages.registerTypeDefinitionProvider('pine', { provideTypeDefinition: going('type') });
  languages.registerReferenceProvider('pine', references);
  languages.registerDocumentHighlightProvider('pine', highlights);
  languages.registerRenameProvider('pine', rename);
  languages.registerCodeActionProvider('pine', actions, { providedCodeActionKinds: [...new Set(Object.values(ACTIONS))] });
  languages.registerDocumentFormattingEditProvider('pine', layout);
  languages.registerDocumentRangeFormattingEditProvider('pine', layout);
  languages.registerColorProvider('pine', colors);
  languages.registerFoldingRangeProvider('pine', folding);
  languages.registerDocumentSemanticTokensProvider('pine', tokens(words));
  languages.registerDocumentSymbolProvider('pine', outline);
  registerCommands(tell);
}
