// Keys that work wherever the focus is, and what is typed where no field has it: a symbol or an interval, as on TradingView.
import type { Workspace } from './model/workspace';

const TAKES_KEYS = 'input, textarea, [contenteditable], .monaco-editor, .monaco-menu, [role="menu"]';

export function listenToKeys(workspace: Workspace): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return;
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

const WITH_ALT: Record<string, (workspace: Workspace) => void> = {
  KeyA: ({ dialog }) => dialog.setValue({ kind: 'alert' }),
  KeyG: ({ dialog }) => dialog.setValue({ kind: 'goTo' }),
};

/** If Alt types a letter, as on a Mac, the key is used and not the letter. */
function withAlt({ code, ctrlKey, metaKey, target }: KeyboardEvent): ((workspace: Workspace) => void) | undefined {
  return ctrlKey || metaKey || takesKeys(target) ? undefined : WITH_ALT[code];
}

/** Every key of the page, without the editor's keys, for the list of keys. */
export const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['A letter', 'search for a symbol'],
  ['A digit', 'change the interval'],
  ['Ctrl+Enter', 'put the script on the chart'],
  ['Ctrl+S', 'save the script'],
  ['Ctrl+O', 'open a script'],
  ['Shift+Alt+F', 'lay out the script'],
  ['Alt+A', 'make an alert'],
  ['Alt+G', 'go to a date'],
  ['End', 'go to the newest bar'],
  ['Home', 'go to the first bar'],
  ['Ctrl+Z', 'undo what was done to the charts'],
  ['Ctrl+Y', 'redo it'],
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
