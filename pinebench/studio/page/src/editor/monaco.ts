// The real Monaco editor with the features a script needs; `window.monaco` stays unset, as on TradingView's page.
import * as monaco from 'monaco-editor/editor/editor.api';
import 'monaco-editor/features/bracketMatching/register';
import 'monaco-editor/features/caretOperations/register';
import 'monaco-editor/features/clipboard/register';
import 'monaco-editor/features/codeEditor/register';
import 'monaco-editor/features/codeAction/register';
import 'monaco-editor/features/colorPicker/register';
import 'monaco-editor/features/comment/register';
import 'monaco-editor/features/contextmenu/register';
import 'monaco-editor/features/find/register';
import 'monaco-editor/features/folding/register';
import 'monaco-editor/features/format/register';
import 'monaco-editor/features/gotoError/register';
import 'monaco-editor/features/gotoLine/register';
import 'monaco-editor/features/gotoSymbol/register';
import 'monaco-editor/editor/contrib/gotoSymbol/browser/goToCommands'; // features/gotoSymbol has the links alone
import 'monaco-editor/features/hover/register';
import 'monaco-editor/features/indentation/register';
import 'monaco-editor/features/linesOperations/register';
import 'monaco-editor/features/multicursor/register';
import 'monaco-editor/features/parameterHints/register';
import 'monaco-editor/features/quickOutline/register';
import 'monaco-editor/features/referenceSearch/register';
import 'monaco-editor/features/rename/register';
import 'monaco-editor/features/semanticTokens/register';
import 'monaco-editor/editor/contrib/semanticTokens/browser/documentSemanticTokens'; // features/semanticTokens colours what is in sight alone
import 'monaco-editor/features/snippet/register';
import 'monaco-editor/editor/contrib/suggest/browser/suggestController'; // features/suggest leaves the suggestions out
import 'monaco-editor/features/suggest/register';
import 'monaco-editor/features/toggleTabFocusMode/register';
import 'monaco-editor/features/wordHighlighter/register';
import 'monaco-editor/features/wordOperations/register';

export { monaco };
export type MonacoEditor = monaco.editor.IStandaloneCodeEditor;

declare global {
  interface Window {
    MonacoEnvironment?: monaco.Environment;
    monaco?: typeof monaco;
  }
}

window.MonacoEnvironment = { getWorker: () => new Worker('/studio/assets/editor.worker.js') };
