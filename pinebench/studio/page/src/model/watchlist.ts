// The watchlist: symbols, and sections (`###` and a name) above those that belong to them; kept by the watchlist service.
import { server } from '../server';
import { Watched } from '../watched';
import { tellOthers } from './together';

const MARK = '###';

export const isSection = (entry: string): boolean => entry.startsWith(MARK);
export const sectionName = (entry: string): string => entry.slice(MARK.length);

/** The event on `window` after a request has changed the list without the page. */
export const CHANGED = 'pinebench-watchlist-changed';

export class Watchlist {
  readonly entries: Watched<readonly string[]>;
  private pending: Promise<void> = Promise.resolve();

  constructor(
    entries: readonly string[],
    private readonly complain: (error: unknown) => void,
  ) {
    this.entries = new Watched<readonly string[]>([...new Set(entries)]);
    window.addEventListener(CHANGED, () => void this.refresh().catch(complain));
  }

  add(symbol: string): void {
    this.change((entries) => (entries.includes(symbol) ? entries : [...entries, symbol]));
  }

  /** Remove a symbol or a section from the list; the symbols of a section stay. */
  remove(entry: string): void {
    this.change((entries) => entries.filter((known) => known !== entry));
  }

  addSection(name: string): void {
    const entry = MARK + name;
    if (this.entries.value().includes(entry)) throw new Error(`There is a section "${name}" already.`);
    this.change((entries) => (entries.includes(entry) ? entries : [...entries, entry]));
  }

  /** Move an entry by one place up (-1) or down (1). */
  move(entry: string, by: -1 | 1): void {
    this.change((known) => {
      const entries = [...known];
      const from = entries.indexOf(entry);
      const to = from + by;
      if (from < 0 || to < 0 || to >= entries.length) return known;
      entries.splice(from, 1);
      entries.splice(to, 0, entry);
      return entries;
    });
  }

  /** Show the stored list, which somebody else may have changed. */
  async refresh(): Promise<void> {
    await this.pending;
    this.show(await server.document<string[]>('watchlist'));
  }

  private show(kept: readonly string[]): void {
    if (JSON.stringify(kept) !== JSON.stringify(this.entries.value())) this.entries.setValue(kept);
  }

  /** Change the visible list at once, and then the stored list, which another page may have changed meanwhile. */
  private change(by: (entries: readonly string[]) => readonly string[]): void {
    const next = by(this.entries.value());
    if (next === this.entries.value()) return;
    this.entries.setValue(next);
    this.pending = this.pending.then(() => this.keep(by)).catch(this.complain);
  }

  private async keep(by: (entries: readonly string[]) => readonly string[]): Promise<void> {
    const kept = await server.document<string[]>('watchlist').catch(() => this.entries.value());
    const next = by(kept);
    if (next !== kept) await server.putDocument('watchlist', next);
    this.show(next);
    tellOthers('watchlist');
  }
}
