// The inspector in the editor: values at the ends of lines, breakpoints beside the line numbers, and their keys. Values
// are decorations: they are never part of the text.
import { byLine, lineText, type Inspector } from '../model/inspector';
import { inlineValues } from '../model/preferences';
import type { OpenMenu } from '../model/workspace';
import type { Watched } from '../watched';
import { monaco, type MonacoEditor } from './monaco';

type Decoration = monaco.editor.IModelDeltaDecoration;

const SPACE = '\u00a0'.repeat(4);

/** Show the inspector in an editor. Call the result when the editor is closed. */
export function attachInspector(editor: MonacoEditor, inspector: Inspector, menu: Watched<OpenMenu | null>): () => void {
  const ends = [showValues(editor, inspector), showBreakpoints(editor, inspector, menu)];
  addActions(editor, inspector);
  return () => ends.forEach((end) => end());
}

/** Values at the ends of the visible lines. They move with the bar, at most once for each frame of the screen. */
function showValues(editor: MonacoEditor, inspector: Inspector): () => void {
  const shown = editor.createDecorationsCollection();
  let frame = 0;
  let lines: ReturnType<typeof byLine> | null = null;
  let ofRun: unknown = null;
  const draw = () => {
    frame = 0;
    const model = editor.getModel();
    const values = inspector.values.value();
    const isOn = inlineValues.value() && inspector.isText.value() && values.kind === 'known' && model !== null;
    if (!isOn) {
      shown.clear();
      return;
    }
    if (ofRun !== values.run) [ofRun, lines] = [values.run, byLine(values.run)];
    const made: Decoration[] = [];
    for (const { startLineNumber, endLineNumber } of editor.getVisibleRanges()) {
      for (let line = startLineNumber; line <= endLineNumber; line++) {
        const text = lineText(values.run, lines?.get(line) ?? [], inspector.bar.value());
        if (text === '') continue;
        const column = model.getLineMaxColumn(line);
        made.push({
          range: new monaco.Range(line, column, line, column),
          options: {
            showIfCollapsed: true,
            after: { content: SPACE + text, inlineClassName: 'inlineValue', cursorStops: monaco.editor.InjectedTextCursorStops.None },
          },
        });
      }
    }
    shown.set(made);
  };
  const soon = () => {
    if (frame === 0) frame = requestAnimationFrame(draw);
  };
  const forget = [
    inspector.values.subscribe(soon),
    inspector.bar.subscribe(soon),
    inspector.isText.subscribe(soon),
    inlineValues.subscribe(soon),
  ];
  const gone = editor.onDidChangeModelContent(() => shown.clear()); // at once: they were values of another text
  const scrolled = editor.onDidScrollChange(soon);
  soon();
  return () => {
    cancelAnimationFrame(frame);
    for (const stop of forget) stop();
    gone.dispose();
    scrolled.dispose();
  };
}

function showBreakpoints(editor: MonacoEditor, inspector: Inspector, menu: Watched<OpenMenu | null>): () => void {
  const shown = editor.createDecorationsCollection();
  let ids: readonly number[] = [];
  const draw = () => {
    const all = inspector.breakpoints.value();
    ids = all.map(({ id }) => id);
    const made: Decoration[] = all.map(({ line, condition, problem, times }) => ({
      range: new monaco.Range(line, 1, line, 1),
      options: {
        stickiness: monaco.editor.TrackedRangeStickiness.NeverGrowsWhenTypingAtEdges,
        glyphMarginClassName: `breakpoint${condition === '' ? '' : ' breakpoint--condition'}${problem === null ? '' : ' breakpoint--problem'}`,
        glyphMarginHoverMessage: { value: problem ?? `${condition === '' ? 'Breakpoint' : `Breakpoint where \`${condition}\``}${times === null ? '' : `, hit on ${times.length} bars`}` },
      },
    }));
    const hit = inspector.hitLine.value();
    if (hit !== null) made.push({ range: new monaco.Range(hit, 1, hit, 1), options: { isWholeLine: true, className: 'breakpointHit' } });
    shown.set(made);
    if (hit !== null) editor.revealLineInCenterIfOutsideViewport(hit);
  };
  inspector.places = () => {
    const ranges = shown.getRanges();
    return new Map(ids.flatMap((id, i) => (ranges[i] === undefined ? [] : [[id, ranges[i].startLineNumber] as const])));
  };
  const forget = [inspector.breakpoints.subscribe(draw), inspector.hitLine.subscribe(draw)];
  const pressed = editor.onMouseDown(({ target, event }) => {
    if (target.type === monaco.editor.MouseTargetType.GUTTER_GLYPH_MARGIN && event.leftButton) inspector.toggle(target.position.lineNumber);
  });
  const dom = editor.getDomNode();
  const asked = (event: MouseEvent) => {
    const target = editor.getTargetAtClientPoint(event.clientX, event.clientY);
    if (target?.type !== monaco.editor.MouseTargetType.GUTTER_GLYPH_MARGIN) return;
    event.preventDefault();
    event.stopPropagation();
    menu.setValue({ ...breakpointMenu(inspector, target.position.lineNumber), x: event.clientX, y: event.clientY });
  };
  dom?.addEventListener('contextmenu', asked, true);
  draw();
  return () => {
    for (const stop of forget) stop();
    inspector.places = null;
    pressed.dispose();
    dom?.removeEventListener('contextmenu', asked, true);
  };
}

function breakpointMenu(inspector: Inspector, line: number): Pick<OpenMenu, 'title' | 'items'> {
  const known = inspector.breakpointAt(line);
  return {
    title: `Line ${line}`,
    items: [
      { label: known === undefined ? 'Set a breakpoint' : 'Remove the breakpoint', detail: 'F9', choose: () => inspector.toggle(line) },
      { label: 'Condition…', detail: 'Shift+F9', choose: () => inspector.askCondition(line) },
      ...(known === undefined || known.condition === '' ? [] : [{ label: 'Remove the condition', choose: () => inspector.setBreakpoint(line, '') }]),
      'line',
      { label: 'Next hit', detail: 'Alt+.', choose: () => void inspector.goToHit(1) },
      { label: 'Previous hit', detail: 'Alt+,', choose: () => void inspector.goToHit(-1) },
    ],
  };
}

function addActions(editor: MonacoEditor, inspector: Inspector): void {
  const { KeyMod, KeyCode } = monaco;
  const group = '9_inspect';
  const line = () => editor.getPosition()?.lineNumber ?? 1;
  editor.addAction({
    id: 'pinebench.why',
    label: 'Why this value?',
    keybindings: [KeyMod.Alt | KeyCode.KeyW],
    contextMenuGroupId: group,
    contextMenuOrder: 1,
    run: () => {
      const expression = expressionAt(editor);
      if (expression !== '') void inspector.why(expression, line());
    },
  });
  editor.addAction({
    id: 'pinebench.breakpoint',
    label: 'Set or remove a breakpoint',
    keybindings: [KeyCode.F9],
    contextMenuGroupId: group,
    contextMenuOrder: 2,
    run: () => inspector.toggle(line()),
  });
  editor.addAction({
    id: 'pinebench.condition',
    label: 'Condition of the breakpoint…',
    keybindings: [KeyMod.Shift | KeyCode.F9],
    contextMenuGroupId: group,
    contextMenuOrder: 3,
    run: () => inspector.askCondition(line()),
  });
  editor.addAction({ id: 'pinebench.nextHit', label: 'Go to the next hit', keybindings: [KeyMod.Alt | KeyCode.Period], run: () => inspector.goToHit(1) });
  editor.addAction({ id: 'pinebench.previousHit', label: 'Go to the previous hit', keybindings: [KeyMod.Alt | KeyCode.Comma], run: () => inspector.goToHit(-1) });
}

/** The selected expression, or the name or call at the cursor: `ta.rsi(close, 14)` anywhere in `ta.rsi`. */
function expressionAt(editor: MonacoEditor): string {
  const [model, selection, position] = [editor.getModel(), editor.getSelection(), editor.getPosition()];
  if (model === null || selection === null || position === null) return '';
  if (!selection.isEmpty()) return model.getValueInRange(selection).replace(/\s*\n\s*/g, ' ').trim();
  return expressionIn(model.getLineContent(position.lineNumber), position.column - 1);
}

function expressionIn(text: string, at: number): string {
  for (const { 0: path, index } of text.matchAll(/[A-Za-z_][\w.]*/g)) {
    if (index > at || index + path.length < at) continue;
    const end = index + path.length;
    return path + (text[end] === '(' ? parenthesized(text.slice(end)) : '');
  }
  return '';
}

/** The text up to the parenthesis that closes the first one; empty if that one is on another line. */
function parenthesized(text: string): string {
  let depth = 0;
  let quote = '';
  for (const [i, letter] of Array.from(text).entries()) {
    if (quote !== '') {
      if (letter === quote) quote = '';
    } else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === '(') depth += 1;
    else if (letter === ')' && --depth === 0) return text.slice(0, i + 1);
  }
  return '';
}
