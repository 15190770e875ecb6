// Keys that work wherever the focus is, and what is typed where no field has it: a symbol or an interval, as on TradingView.
import { DRAWING_TOOLS } from './model/drawingTools';
import type { Workspace } from './model/workspace';

const TAKES_KEYS = 'input, textarea, [contenteditable], .monaco-editor, .monaco-menu, [role="menu"]';

export function listenToKeys(workspace: Workspace): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    if (forDrawings(workspace, event)) {
      event.preventDefault();
      return;
    }
    const action = event.altKey ? withAlt(event) : event.ctrlKey || event.metaKey ? withCtrl(event) : typed(event);
    if (action === undefined) return;
    event.preventDefault();
    if (workspace.dialog.value() === null) action(workspace);
  });
}

const ACTIONS: Record<string, (workspace: Workspace) => void> = {
  s: ({ pine }) => void pine.save(),
  o: ({ dialog }) => dialog.setValue({ kind: 'open' }),
  enter: ({ pine }) => void pine.compile(true),
};

/** Undo and redo act on the text if the focus is in a text, and otherwise on the charts. */
function withCtrl({ key, shiftKey, target }: KeyboardEvent): ((workspace: Workspace) => void) | undefined {
  const letter = key.toLowerCase();
  if (letter !== 'z' && letter !== 'y') return ACTIONS[letter];
  if (takesKeys(target)) return undefined;
  return letter === 'y' || shiftKey ? ({ history }) => history.redo() : ({ history }) => history.undo();
}

/** Handle the keys of the drawing tools while no field or button has the focus. Escape works on buttons, too. */
function forDrawings(workspace: Workspace, event: KeyboardEvent): boolean {
  const { target, key, altKey, ctrlKey, metaKey } = event;
  if (altKey || ctrlKey || metaKey || workspace.dialog.value() !== null || takesKeys(target)) return false;
  if (key !== 'Escape' && target instanceof Element && target.closest('button, a, select, [role="separator"], [role="tabpanel"]') !== null) return false;
  return workspace.active.value().view?.pencil.key(event) === true;
}

const WITH_ALT: Record<string, (workspace: Workspace) => void> = {
  KeyA: ({ dialog }) => dialog.setValue({ kind: 'alert' }),
  KeyG: ({ dialog }) => dialog.setValue({ kind: 'goTo' }),
};

/** If Alt types a letter, as on a Mac, the key is used and not the letter. */
function withAlt({ code, ctrlKey, metaKey, shiftKey, target }: KeyboardEvent): ((workspace: Workspace) => void) | undefined {
  if (ctrlKey || metaKey || takesKeys(target)) return undefined;
  const tool = DRAWING_TOOLS.find((one) => one.code === code && (one.shift ?? false) === shiftKey);
  if (tool !== undefined) return (workspace) => takeTool(workspace, tool.name);
  return WITH_ALT[code];
}

/** Activate a drawing tool by a key; the chart gets the focus. */
export function takeTool(workspace: Workspace, name: string | null): void {
  workspace.drawing.choose(name);
  workspace.active.value().view?.element.focus({ preventScroll: true });
}

/** Every key of the page, without the editor's keys, for the list of keys. */
export const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['A letter', 'search for a symbol'],
  ['A digit', 'change the interval'],
  ['Ctrl+Enter', 'put the script on the chart'],
  ['Ctrl+S', 'save the script'],
  ['Ctrl+O', 'open a script'],
  ['Shift+Alt+F', 'format the script'],
  ['Ctrl+M', 'let Tab leave the editor, or let it indent again (on a Mac: Ctrl+Shift+M)'],
  ['Alt+A', 'make an alert'],
  ['Alt+G', 'go to a date'],
  ['End', 'go to the newest bar'],
  ['Home', 'go to the first bar'],
  ['Ctrl+Z', 'undo the last change to the charts'],
  ['Ctrl+Y', 'redo it'],
  ...DRAWING_TOOLS.flatMap(({ keys, label }) => (keys === undefined ? [] : [[keys, `draw: ${label.toLowerCase()}`] as const])),
  ['Arrows', 'move the selected drawing, or the place to draw at (with Shift: ten times as far)'],
  ['Enter', 'set a point, while a drawing tool is active'],
  ['Escape', 'cancel the point, then the drawing tool'],
  ['Delete', 'remove the selected drawing'],
  ['?', 'show these keys'],
];

const takesKeys = (target: EventTarget | null): boolean =>
  !(target instanceof Element) || target.closest(`${TAKES_KEYS}, [role="dialog"], [role="alertdialog"]`) !== null;

/** The dialog that opens when a letter or a digit is typed outside of every field. */
function typed({ key, target }: KeyboardEvent): ((workspace: Workspace) => void) | undefined {
  if (takesKeys(target)) return undefined;
  if (key === 'End') return ({ active }) => active.value().goToEnd();
  if (key === 'Home') return ({ active }) => void active.value().goTo(0);
  if (key === '?') return ({ dialog }) => dialog.setValue({ kind: 'keys' });
  if (/^\p{L}$/u.test(key)) return ({ dialog }) => dialog.setValue({ kind: 'symbol', typed: key.toUpperCase() });
  if (/^[\d,]$/.test(key)) return ({ dialog }) => dialog.setValue({ kind: 'interval', typed: key === ',' ? '' : key });
  return undefined;
}
