// Editor elements that TradingView's page was seen to leave behind, first in the document and without a React fibre.
import { faults, onFaultsChanged } from './faults';

export function keepStrays(): void {
  const placed = new Map<'staleNode' | 'zeroSizeNode', HTMLElement>();
  const update = () => {
    for (const name of ['staleNode', 'zeroSizeNode'] as const) {
      const wanted = faults[name];
      if (wanted && !placed.has(name)) {
        const stray = document.createElement('div');
        stray.className = 'monaco-editor pine-editor-monaco';
        stray.style.cssText = name === 'staleNode' ? 'display: none' : 'position: absolute; width: 0; height: 0; overflow: hidden';
        document.body.prepend(stray);
        placed.set(name, stray);
      } else if (!wanted) {
        placed.get(name)?.remove();
        placed.delete(name);
      }
    }
  };
  update();
  onFaultsChanged(update);
}
