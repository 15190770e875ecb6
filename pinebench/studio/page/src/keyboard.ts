// Keys that work wherever the focus is, and what is typed where no field has it: a symbol or an interval, as on TradingView.
import type { Workspace } from './model/workspace';

const TAKES_KEYS = 'input, textarea, [contenteditable], .monaco-editor, .monaco-menu, [role="menu"]';

export function listenToKeys(workspace: Workspace): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const action = event.altKey ? withAlt(event) : event.ctrlKey || event.metaKey ? ACTIONS[event.key.toLowerCase()] : typed(event);
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

/** Alt+A makes an alert; where it writes a letter instead, as on a Mac, the key counts and not the letter. */
function withAlt({ code, ctrlKey, metaKey, target }: KeyboardEvent): ((workspace: Workspace) => void) | undefined {
  if (code !== 'KeyA' || ctrlKey || metaKey || takesKeys(target)) return undefined;
  return ({ dialog }) => dialog.setValue({ kind: 'alert' });
}

const takesKeys = (target: EventTarget | null): boolean =>
  !(target instanceof Element) || target.closest(`${TAKES_KEYS}, [role="dialog"], [role="alertdialog"]`) !== null;

/** What typing a letter or a digit outside of every field opens. */
function typed({ key, target }: KeyboardEvent): ((workspace: Workspace) => void) | undefined {
  if (takesKeys(target)) return undefined;
  if (/^\p{L}$/u.test(key)) return ({ dialog }) => dialog.setValue({ kind: 'symbol', typed: key.toUpperCase() });
  if (/^[\d,]$/.test(key)) return ({ dialog }) => dialog.setValue({ kind: 'interval', typed: key === ',' ? '' : key });
  return undefined;
}
