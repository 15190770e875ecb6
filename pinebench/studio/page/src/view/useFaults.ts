// Draws a component again when a test switches a fault.
import { useEffect, useReducer } from 'react';
import { onFaultsChanged } from '../faults';

export function useFaults(): void {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => onFaultsChanged(redraw), []);
}
