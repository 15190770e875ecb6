// Pine for Monaco: colours, brackets, comments and indentation, with the words of the language as the server has them.
import type { languages } from 'monaco-editor/editor/editor.api';
import type { Words } from '../server';

/** Monaco's `IndentAction.Indent`: this file imports types alone. */
const INDENT: languages.IndentAction.Indent = 1;

export const configuration = ({ indenting }: Words): languages.LanguageConfiguration => ({
  comments: { lineComment: '//' },
  brackets: [
    ['(', ')'],
    ['[', ']'],
  ],
  autoClosingPairs: [
    { open: '(', close: ')' },
    { open: '[', close: ']' },
    { open: '"', close: '"', notIn: ['string', 'comment'] },
    { open: "'", close: "'", notIn: ['string', 'comment'] },
  ],
  surroundingPairs: [
    { open: '(', close: ')' },
    { open: '[', close: ']' },
    { open: '"', close: '"' },
    { open: "'", close: "'" },
  ],
  folding: { offSide: true, markers: { start: /^\s*\/\/\s*#region\b/, end: /^\s*\/\/\s*#endregion\b/ } },
  onEnterRules: [{ beforeText: new RegExp(indenting), action: { indentAction: INDENT } }],
  indentationRules: {
    increaseIndentPattern: new RegExp(indenting),
    decreaseIndentPattern: /^\s*else\b/,
  },
});

export const colouring = (words: Words): languages.IMonarchLanguage => ({
  defaultToken: '',
  keywords: [...words.keywords],
  types: [...words.types],
  declarations: [...words.declarations],
  literals: [...words.constants],
  tokenizer: {
    // What is most of a script comes first: each rule above the one that fits is tried in vain.
    root: [
      [/\s+/, ''],
      [/([a-zA-Z_]\w*)(\s*)(=>)/, ['function', 'white', 'operator']],
      [/[a-zA-Z_]\w*(?=\s*\.\s*[a-zA-Z_])/, { cases: { '@types': 'type', '@default': 'namespace' } }],
      [
        /[a-zA-Z_]\w*(?=\s*(<[\w\s.,<>]*>)?\s*\()/,
        { cases: { '@keywords': 'keyword', '@declarations': 'declaration', '@types': 'type', '@literals': 'function', '@default': 'function' } },
      ],
      [
        /[a-zA-Z_]\w*/,
        { cases: { '@keywords': 'keyword', '@types': 'type', '@literals': 'literal', '@default': 'identifier' } },
      ],
      [/(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?/, 'number'],
      [/[,.]/, 'delimiter'],
      [/[()[\]]/, '@brackets'],
      [/((?!\/\/)[-+*/%=<>!?:])+/, 'operator'],
      [new RegExp(`//\\s*@(${words.annotations.join('|')})\\b.*`), 'annotation'],
      [/\/\/\s*#(end)?region\b.*/, 'annotation'],
      [/\/\/.*/, 'comment'],
      [/"""/, 'string', '@tripleDouble'],
      [/'''/, 'string', '@tripleSingle'],
      [/"/, 'string', '@double'],
      [/'/, 'string', '@single'],
      [/#[0-9a-fA-F]{6}([0-9a-fA-F]{2})?\b/, 'constant.color'],
    ],
    double: [[/[^\\"]+/, 'string'], [/\\./, 'string.escape'], [/"/, 'string', '@pop'], [/$/, 'string', '@pop']],
    single: [[/[^\\']+/, 'string'], [/\\./, 'string.escape'], [/'/, 'string', '@pop'], [/$/, 'string', '@pop']],
    tripleDouble: [[/"""/, 'string', '@pop'], [/\\./, 'string.escape'], [/[^\\"]+|"/, 'string']],
    tripleSingle: [[/'''/, 'string', '@pop'], [/\\./, 'string.escape'], [/[^\\']+|'/, 'string']],
  },
});
