// Keys that work wherever the focus is.
import type { Workspace } from './model/workspace';

export function listenToKeys(workspace: Workspace): void {
  document.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented) return;
    const action = ACTIONS[event.key.toLowerCase()];
    if (action === undefined) return;
    event.preventDefault();
    action(workspace);
  });
}

const ACTIONS: Record<string, (workspace: Workspace) => void> = {
  s: ({ pine }) => void pine.save(),
  o: ({ dialog }) => dialog.setValue({ kind: 'open' }),
  enter: ({ pine }) => void pine.compile(true),
};
