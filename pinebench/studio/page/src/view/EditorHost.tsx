// Where Monaco is mounted: reachable only through React's fibres, as deep as on TradingView's page.
import { createContext, useContext, useEffect, useRef, type ReactNode } from 'react';
import { attachInspector } from '../editor/inspection';
import { editorTheme } from '../editor/setup';
import { monaco, type MonacoEditor } from '../editor/monaco';
import { faults, instrument } from '../faults';
import type { Pine } from '../model/pine';
import { useWorkspace } from './context';

interface MonacoContextValue {
  monacoEnv?: typeof monaco;
}

interface EditorContextValue {
  _editorRef: { current: MonacoEditor | null };
  setScript: (source: string) => void;
}

const MonacoContext = createContext<MonacoContextValue>({});
const EditorContext = createContext<EditorContextValue | null>(null);

/** Steps from the fibre of the host element to the provider that has Monaco: `Host`, one `Between`, the provider. */
const SHORTEST_WAY = 3;

export function EditorHost() {
  const { pine } = useWorkspace();
  const editorRef = useRef<MonacoEditor | null>(null);
  const context = useRef<EditorContextValue>({ _editorRef: editorRef, setScript: (source) => pine.model.setValue(source) });
  const value = useRef<MonacoContextValue>(faults.context === 'value' ? { monacoEnv: monaco } : {});
  const host = <Between levels={Math.max(0, faults.depth - SHORTEST_WAY)} editorRef={editorRef} pine={pine} />;
  return (
    <EditorContext.Provider value={context.current}>
      <MonacoContext.Provider value={value.current}>
        {faults.context === 'property' ? <Holder monacoEnv={monaco}>{host}</Holder> : host}
      </MonacoContext.Provider>
    </EditorContext.Provider>
  );
}

function Holder({ children }: { monacoEnv: typeof monaco; children: ReactNode }) {
  return children;
}

interface HostProps {
  editorRef: { current: MonacoEditor | null };
  pine: Pine;
}

/** As many components between the context and the host as requested. */
function Between({ levels, ...rest }: HostProps & { levels: number }): ReactNode {
  return levels > 0 ? <Between levels={levels - 1} {...rest} /> : <Host {...rest} />;
}

function Host({ editorRef, pine }: HostProps) {
  useContext(MonacoContext);
  const { inspector, menu } = useWorkspace();
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = root.current;
    if (element === null) return;
    const extras = faults.severalEditors ? decoys(element) : [];
    let editor: MonacoEditor | null = null;
    const forget: (() => void)[] = [];
    const timer = window.setTimeout(() => {
      const place = innermost(element, faults.parents);
      editor = mount(place, pine);
      editorRef.current = editor;
      pine.editor = editor;
      pine.mounted.setValue(true);
      forget.push(mendMenus(place), attachInspector(editor, inspector, menu));
      if (faults.oldFiberKey) renameFiberKeys(editor.getDomNode());
    }, faults.lateMount);
    return () => {
      clearTimeout(timer);
      for (const stop of forget) stop();
      for (const extra of extras) extra.dispose();
      editor?.dispose();
      editorRef.current = null;
      pine.editor = null;
      pine.mounted.setValue(false);
      element.replaceChildren();
    };
  }, [editorRef, pine, inspector, menu]);
  return <div className="editorHost" ref={root} />;
}

function mount(parent: HTMLElement, pine: Pine): MonacoEditor {
  const editor = monaco.editor.create(parent, {
    ariaLabel: 'Pine script. Tab indents; after Ctrl+M it leaves the editor.',
    model: pine.model,
    theme: editorTheme(),
    ...(faults.plainMonaco ? {} : { extraEditorClassName: 'pine-editor-monaco' }),
    automaticLayout: true,
    useShadowDOM: false, // the colours of the theme do not reach into it, and its menu would have no background
    minimap: { enabled: false },
    glyphMargin: true, // for breakpoints
    fontFamily: "'JetBrains Mono Variable', ui-monospace, 'DejaVu Sans Mono', monospace",
    fontSize: 13,
    lineHeight: 20,
    fontLigatures: false,
    padding: { top: 10, bottom: 10 },
    renderFinalNewline: 'on', // dimmed, its number could hardly be read
    scrollBeyondLastLine: false,
    renderLineHighlight: 'all',
    renderLineHighlightOnlyWhenFocus: true,
    bracketPairColorization: { enabled: true },
    guides: { indentation: true },
    tabSize: 4,
    insertSpaces: true,
    detectIndentation: false,
    fixedOverflowWidgets: true,
    smoothScrolling: true,
    lineNumbersMinChars: 4,
    overviewRulerLanes: 2,
    wordBasedSuggestions: 'off',
    'semanticHighlighting.enabled': true,
    unicodeHighlight: { ambiguousCharacters: false },
  });
  const follow = () => {
    editor.updateOptions({ readOnly: pine.builtIn.value() !== null, readOnlyMessage: { value: 'A built-in script: make a copy to change it.' } });
  };
  editor.onDidDispose(pine.builtIn.subscribe(follow));
  follow();
  if (faults.parents === 0) shareFiber(parent, editor.getDomNode());
  editor.onDidChangeCursorPosition(({ position }) => pine.cursor.setValue({ line: position.lineNumber, column: position.column }));
  editor.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.Enter, () => void pine.compile(true));
  editor.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyS, () => void pine.save());
  // As on other systems, and as TradingView has it: Monaco's own key on Linux is another.
  editor.addCommand(monaco.KeyMod.Shift | monaco.KeyMod.Alt | monaco.KeyCode.KeyF, () => void editor.getAction('editor.action.formatDocument')?.run());
  suffering(editor);
  return editor;
}

/** Monaco's menu marks its rows as having no role and yet gives them the focus, which confuses screen readers. */
function mendMenus(place: HTMLElement): () => void {
  const observer = new MutationObserver(() => {
    for (const row of place.querySelectorAll('.monaco-menu [role="presentation"]')) {
      for (const name of ['tabindex', 'aria-disabled', 'aria-label']) row.removeAttribute(name);
    }
    for (const item of place.querySelectorAll('.monaco-menu [aria-checked=""]')) item.removeAttribute('aria-checked');
  });
  observer.observe(place, { childList: true });
  return () => observer.disconnect();
}

/** The editor's own methods can be made to fail, like the page's API. */
function suffering(editor: MonacoEditor): void {
  const getValue = editor.getValue.bind(editor);
  const setValue = editor.setValue.bind(editor);
  Object.assign(editor, instrument('editor', { getValue, setValue }));
}

/**
 * `levels - 1` plain elements inside `element`. The first fibre is `levels` parents above the content of the innermost
 * one.
 */
function innermost(element: HTMLElement, levels: number): HTMLElement {
  let inner = element;
  for (let i = 1; i < levels; i++) {
    const next = document.createElement('div');
    next.className = 'editorHost__level';
    inner.append(next);
    inner = next;
  }
  return inner;
}

/** A hidden editor and a console buffer, both older than the real editor. */
function decoys(element: HTMLElement): MonacoEditor[] {
  return ['// left over from a closed tab\n', 'console buffer\n'].map((value) => {
    const place = document.createElement('div');
    place.style.display = 'none';
    element.append(place);
    return monaco.editor.create(place, { value, language: 'pine' });
  });
}

const FIBER = '__reactFiber$';

function fiberKey(element: Element): string | undefined {
  return Object.keys(element).find((key) => key.startsWith(FIBER));
}

function shareFiber(from: Element, to: Element | null): void {
  const key = fiberKey(from);
  if (key === undefined || to === null) return;
  (to as unknown as Record<string, unknown>)[key] = (from as unknown as Record<string, unknown>)[key];
}

/** Give the fibre key React 16's name on everything around the editor. */
function renameFiberKeys(start: Element | null): void {
  for (let element = start; element !== null; element = element.parentElement) {
    const key = fiberKey(element);
    if (key === undefined) continue;
    const bag = element as unknown as Record<string, unknown>;
    bag[key.replace(FIBER, '__reactInternalInstance$')] = bag[key];
    // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- React's own key is made at random
    delete bag[key];
  }
}
