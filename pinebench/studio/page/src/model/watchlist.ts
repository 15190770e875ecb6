// The watchlist: symbols, and sections (`###` and a name) above those that belong to them; kept by the watchlist service.
import { server } from '../server';
import { Watched } from '../watched';

const MARK = '###';

export const isSection = (entry: string): boolean => entry.startsWith(MARK);
export const sectionName = (entry: string): string => entry.slice(MARK.length);

/** Told on `window` when a request has changed the list behind the page's back. */
export const CHANGED = 'pinebench-watchlist-changed';

export class Watchlist {
  readonly entries: Watched<readonly string[]>;

  constructor(
    entries: readonly string[],
    private readonly complain: (error: unknown) => void,
  ) {
    this.entries = new Watched<readonly string[]>([...new Set(entries)]);
    window.addEventListener(CHANGED, () => void this.refresh().catch(complain));
  }

  add(symbol: string): void {
    if (!this.entries.value().includes(symbol)) this.change([...this.entries.value(), symbol]);
  }

  /** Take a symbol or a section off the list; the symbols of a section stay. */
  remove(entry: string): void {
    this.change(this.entries.value().filter((known) => known !== entry));
  }

  addSection(name: string): void {
    const entry = MARK + name;
    if (this.entries.value().includes(entry)) throw new Error(`There is a section "${name}" already.`);
    this.change([...this.entries.value(), entry]);
  }

  /** Move an entry by one place up (-1) or down (1). */
  move(entry: string, by: -1 | 1): void {
    const entries = [...this.entries.value()];
    const from = entries.indexOf(entry);
    const to = from + by;
    if (from < 0 || to < 0 || to >= entries.length) return;
    entries.splice(from, 1);
    entries.splice(to, 0, entry);
    this.change(entries);
  }

  /** Show what is kept, which somebody else may have changed. */
  private async refresh(): Promise<void> {
    const kept = await server.document<string[]>('watchlist');
    if (JSON.stringify(kept) !== JSON.stringify(this.entries.value())) this.entries.setValue(kept);
  }

  private change(entries: readonly string[]): void {
    this.entries.setValue(entries);
    void server.putDocument('watchlist', entries).catch(this.complain);
  }
}
