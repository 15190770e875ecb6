// Completion, hover and signature help from the language reference that the server hands out.
import { server, type Word } from '../server';
import { monaco } from './monaco';

const KINDS: Record<Word['kind'], monaco.languages.CompletionItemKind> = {
  keyword: monaco.languages.CompletionItemKind.Keyword,
  type: monaco.languages.CompletionItemKind.Struct,
  function: monaco.languages.CompletionItemKind.Function,
  variable: monaco.languages.CompletionItemKind.Variable,
  constant: monaco.languages.CompletionItemKind.Constant,
};

let loaded: Promise<Map<string, Word>> | null = null;

function words(): Promise<Map<string, Word>> {
  loaded ??= server.words().then(
    (list) => new Map(list.map((word) => [word.name, word])),
    () => {
      loaded = null;
      return new Map<string, Word>();
    },
  );
  return loaded;
}

/** Characters before the cursor among which a name is looked for: what these patterns cost grows with the square of it. */
const FAR = 500;

/** The dotted name around a place, up to the end of the word there: `ta.sma` wherever the mouse is on `sma`. */
function nameAt(model: monaco.editor.ITextModel, position: monaco.Position): { name: string; start: number; end: number } | null {
  const word = model.getWordAtPosition(position);
  if (word === null) return null;
  const before = model.getLineContent(position.lineNumber).slice(0, word.startColumn - 1).slice(-FAR);
  const prefix = /(?:[A-Za-z_]\w*\s*\.\s*)+$/.exec(before)?.[0] ?? '';
  return { name: prefix.replace(/\s/g, '') + word.word, start: word.startColumn - prefix.length, end: word.endColumn };
}

function explanation(word: Word): monaco.IMarkdownString[] {
  const signatures = word.signatures.map((signature) => signature.label).join('\n');
  const code = signatures === '' ? [] : [{ value: '```pine\n' + signatures + '\n```' }];
  return word.description === '' ? code : [...code, { value: word.description }];
}

const completion: monaco.languages.CompletionItemProvider = {
  triggerCharacters: ['.'],
  async provideCompletionItems(model, position) {
    const before = model.getLineContent(position.lineNumber).slice(0, position.column - 1);
    if (/(^|[^:])\/\//.test(before)) return { suggestions: [] };
    const prefix = /((?:[A-Za-z_]\w*\.)*)(\w*)$/.exec(before.slice(-FAR));
    const namespace = prefix?.[1] ?? '';
    const typed = prefix?.[2] ?? '';
    const range = {
      startLineNumber: position.lineNumber,
      endLineNumber: position.lineNumber,
      startColumn: position.column - typed.length,
      endColumn: position.column,
    };
    const known = [...(await words()).values()].filter((word) => word.name.startsWith(namespace));
    const spaces = namespace === '' ? namespacesOf(known) : [];
    return {
      suggestions: [
        ...spaces.map((name) => ({ label: name, kind: monaco.languages.CompletionItemKind.Module, insertText: name, range })),
        ...known
          .filter((word) => namespace === '' || word.name.length > namespace.length)
          .map((word) => ({
            label: { label: word.name.slice(namespace.length), description: word.kind },
            kind: KINDS[word.kind],
            insertText: word.name.slice(namespace.length),
            detail: word.signatures[0]?.label ?? word.kind,
            documentation: { value: word.description },
            range,
          })),
      ],
    };
  },
};

function namespacesOf(known: readonly Word[]): string[] {
  return [...new Set(known.filter((word) => word.name.includes('.')).map((word) => word.name.split('.')[0] ?? ''))];
}

const hover: monaco.languages.HoverProvider = {
  async provideHover(model, position) {
    const found = nameAt(model, position);
    const word = found === null ? undefined : (await words()).get(found.name);
    if (found === null || word === undefined) return null;
    const contents = explanation(word);
    if (contents.length === 0) return null;
    const line = position.lineNumber;
    return { contents, range: new monaco.Range(line, found.start, line, found.end) };
  },
};

const signatureHelp: monaco.languages.SignatureHelpProvider = {
  signatureHelpTriggerCharacters: ['(', ','],
  async provideSignatureHelp(model, position) {
    const text = model.getValueInRange(new monaco.Range(Math.max(1, position.lineNumber - 20), 1, position.lineNumber, position.column));
    const call = openCall(text);
    const word = call === null ? undefined : (await words()).get(call.name);
    if (call === null || word?.kind !== 'function') return null;
    return {
      dispose: () => undefined,
      value: {
        activeSignature: 0,
        activeParameter: call.argument,
        signatures: word.signatures.map((signature) => ({
          label: signature.label,
          documentation: word.description,
          parameters: signature.parameters.map((parameter) => ({ label: parameter.label, documentation: parameter.note })),
        })),
      },
    };
  },
};

/** The innermost call that is still open at the end of `text`, and which of its arguments is being written. */
function openCall(text: string): { name: string; argument: number } | null {
  let depth = 0;
  let argument = 0;
  for (let i = text.length - 1; i >= 0; i--) {
    const sign = text[i];
    if (sign === ')' || sign === ']') depth++;
    else if (sign === '[' && depth > 0) depth--;
    else if (sign === ',' && depth === 0) argument++;
    else if (sign === '(' && depth-- === 0) {
      const name = /([A-Za-z_][\w.]*)\s*(?:<[^<>]*>)?\s*$/.exec(text.slice(Math.max(0, i - FAR), i))?.[1];
      return name === undefined ? null : { name, argument };
    }
  }
  return null;
}

export function registerWords(): void {
  monaco.languages.registerCompletionItemProvider('pine', completion);
  monaco.languages.registerHoverProvider('pine', hover);
  monaco.languages.registerSignatureHelpProvider('pine', signatureHelp);
}
