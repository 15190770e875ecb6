// Pine for Monaco: colours, brackets, comments, indentation and folding.
import type { languages } from 'monaco-editor/editor/editor.api';

const KEYWORDS =
  'and as break by continue else enum export for if import in method not once or switch to type var varip while'.split(' ');
const TYPES = 'array bool box color const float input int label line linefill map matrix polyline series simple string table'.split(
  ' ',
);
const DECLARATIONS = ['indicator', 'strategy', 'library'];

export const CONFIGURATION: languages.LanguageConfiguration = {
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
  indentationRules: {
    increaseIndentPattern: /^\s*((if|else|for|while|switch|once|type|enum|method|export)\b.*|.*=>\s*(\/\/.*)?)$/,
    decreaseIndentPattern: /^\s*else\b/,
  },
};

export const TOKENS: languages.IMonarchLanguage = {
  defaultToken: '',
  keywords: KEYWORDS,
  types: TYPES,
  declarations: DECLARATIONS,
  literals: ['true', 'false', 'na'],
  tokenizer: {
    root: [
      [/\/\/\s*@(version|description|function|param|returns|type|field|variable|strategy_alert_message|enum)\b.*/, 'annotation'],
      [/\/\/\s*#(end)?region\b.*/, 'annotation'],
      [/\/\/.*/, 'comment'],
      [/"""/, 'string', '@tripleDouble'],
      [/'''/, 'string', '@tripleSingle'],
      [/"/, 'string', '@double'],
      [/'/, 'string', '@single'],
      [/#[0-9a-fA-F]{6}([0-9a-fA-F]{2})?\b/, 'constant.color'],
      [/(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?/, 'number'],
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
      [/[-+*/%=<>!?:]+/, 'operator'],
      [/[()[\]]/, '@brackets'],
      [/[,.]/, 'delimiter'],
    ],
    double: [[/[^\\"]+/, 'string'], [/\\./, 'string.escape'], [/"/, 'string', '@pop'], [/$/, 'string', '@pop']],
    single: [[/[^\\']+/, 'string'], [/\\./, 'string.escape'], [/'/, 'string', '@pop'], [/$/, 'string', '@pop']],
    tripleDouble: [[/"""/, 'string', '@pop'], [/\\./, 'string.escape'], [/[^\\"]+|"/, 'string']],
    tripleSingle: [[/'''/, 'string', '@pop'], [/\\./, 'string.escape'], [/[^\\']+|'/, 'string']],
  },
};
