// A value that tells when it changes: TradingView's "watched value", and what React components here listen to.
import { useSyncExternalStore } from 'react';

export class Watched<T> {
  private readonly listeners = new Set<(value: T) => void>();

  constructor(private current: T) {}

  value(): T {
    return this.current;
  }

  setValue(next: T): void {
    if (Object.is(next, this.current)) return;
    this.current = next;
    for (const listener of [...this.listeners]) listener(next);
  }

  subscribe(listener: (value: T) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  unsubscribe(listener: (value: T) => void): void {
    this.listeners.delete(listener);
  }
}

/** The current value of `watched`; the component renders again when it changes. */
export function useWatched<T>(watched: Watched<T>): T {
  return useSyncExternalStore(
    (notify) => watched.subscribe(notify),
    () => watched.value(),
  );
}

/** The part that API functions return: read-only, with enumerable methods as on TradingView's page. */
export function readOnly<T>(watched: Watched<T>) {
  return {
    value: () => watched.value(),
    subscribe: (listener: (value: T) => void) => void watched.subscribe(listener),
    unsubscribe: (listener: (value: T) => void) => watched.unsubscribe(listener),
  };
}
