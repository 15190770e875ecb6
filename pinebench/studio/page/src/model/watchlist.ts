// The watchlist: symbols, and sections (`###` and a name) above those that belong to them; kept by the watchlist service.
import { server } from '../server';
import { Watched } from '../watched';
import { tellOthers } from './together';

const MARK = '###';

export const isSection = (entry: string): boolean => entry.startsWith(MARK);
export const sectionName = (entry: string): string => entry.slice(MARK.length);

/** The event on `window` after a request has changed the list without the page. */
export const CHANGED = 'pinebench-watchlist-changed';

/** The changes of the page that are not stored yet. */
let pending: Promise<void> = Promise.resolve();

/** Wait until the page's own changes are stored. */
export const stored = (): Promise<void> => pending;

/** A change of the list. It returns the same list if it changes nothing. */
type Change = (entries: readonly string[]) => readonly string[];

export class Watchlist {
  readonly entries: Watched<readonly string[]>;
  /** The changes that are not stored yet. */
  private readonly waiting: Change[] = [];
  /** How many changes there were, and how often the stored list was asked for. */
  private changes = 0;
  private asked = 0;

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
    const turn = ++this.asked;
    await pending;
    const { changes } = this;
    const kept = await server.document<string[]>('watchlist');
    if (turn !== this.asked) return; // a later answer is newer
    if (changes !== this.changes) return this.refresh(); // the answer may be older than the change
    this.show(kept);
  }

  /** Show a stored list with the changes that are not stored yet. */
  private show(kept: readonly string[]): void {
    const entries = this.waiting.reduce((known, by) => by(known), kept);
    if (JSON.stringify(entries) !== JSON.stringify(this.entries.value())) this.entries.setValue(entries);
  }

  /** Change the visible list at once, and then the stored list, which another page may have changed in the meantime. */
  private change(by: Change): void {
    const next = by(this.entries.value());
    if (next === this.entries.value()) return;
    this.entries.setValue(next);
    this.changes += 1;
    this.waiting.push(by);
    pending = pending.then(() => this.keep(by)).catch(this.complain);
  }

  private async keep(by: Change): Promise<void> {
    const kept = await server.changeDocument('watchlist', by, this.entries.value()).finally(() => this.waiting.shift());
    this.show(kept);
    tellOthers('watchlist');
  }
}
