// Saved layouts: what charts show, under a name; loading another one asks first where the open one has changed.
import { server, type SavedLayout } from '../server';
import { Watched } from '../watched';
import type { KeptChart } from './chart';
import { isChart } from './kept';
import { normalResolution } from './resolution';
import type { Workspace } from './workspace';

/** The layout of a page if the studio has none. */
export const UNNAMED: SavedLayout = { id: 0, url: '', name: 'Unnamed', symbol: 'NASDAQ:AAPL', resolution: '1D', modified: 0 };

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** The place where a page keeps the address of the layout that it has made last, and of the layout that it showed then. */
const FORMER = 'pinebench-former-layout';

/** The address of the layout that the page showed when it made the layout at `url`; null if it did not make that one. */
export function formerOf(url: string): string | null {
  const [made, former] = JSON.parse(sessionStorage.getItem(FORMER) ?? '[]') as string[];
  return made === url ? (former ?? null) : null;
}

export interface Arranged {
  arrangement: string;
  active: number;
  charts: readonly KeptChart[];
}

/**
 * The charts of a layout; null if what is stored of them is damaged. A layout that was never saved with its charts has one
 * chart, without studies.
 */
export function chartsOf({ symbol, resolution, content }: SavedLayout): Arranged | null {
  if (content !== undefined) return content.charts.every(isChart) ? { ...content, charts: content.charts } : null;
  const chart = { symbol, resolution: normalResolution(resolution) ?? resolution, type: 1, studies: [], shapes: [] };
  return { arrangement: 's', active: 0, charts: [chart] };
}

export class Layouts {
  readonly all: Watched<readonly SavedLayout[]>;
  readonly current: Watched<SavedLayout>;
  private saved = '';

  constructor(
    private readonly workspace: Workspace,
    all: readonly SavedLayout[],
    current: SavedLayout,
  ) {
    this.all = new Watched(all);
    this.current = new Watched(current);
  }

  /** Store what the charts show as the open layout. */
  settle(): void {
    this.saved = this.shown();
  }

  changed(): boolean {
    return this.shown() !== this.saved;
  }

  /** Load a layout. Ask first if changes of the open one would be lost. */
  async open(layout: SavedLayout): Promise<void> {
    const { workspace } = this;
    if (this.changed() && !(await workspace.ask((answer) => ({ kind: 'unsavedLayout', layout: this.current.value(), answer })))) return;
    if (workspace.replay.started.value()) workspace.replay.stop();
    if (!workspace.restoreLayout(layout)) return;
    this.current.setValue(layout);
    this.settle();
    this.showAddress();
  }

  /** Save what the charts show in the open layout. Ask for a name if it has none, and whether to replace what others saved. */
  async save(): Promise<void> {
    const { workspace } = this;
    const current = this.current.value();
    if (current.id === UNNAMED.id) {
      this.askName();
      return;
    }
    const stored = await this.stored(current);
    const isOvertaken = JSON.stringify(stored) !== JSON.stringify(current) && workspace.canShow(stored);
    if (isOvertaken && !(await workspace.ask((answer) => ({ kind: 'overtakenLayout', layout: stored, answer })))) return;
    await this.put(() => ({ ...current, ...this.content() }));
  }

  /** The stored version of a layout; the one that is known here if none is stored. */
  private async stored(layout: SavedLayout): Promise<SavedLayout> {
    const all = await server.document<SavedLayout[]>('layouts').catch(() => this.all.value());
    return all.find(({ id }) => id === layout.id) ?? layout;
  }

  /**
   * Make an empty layout, and put it into the address. As on TradingView's page, the charts of the former layout stay, and
   * the new one has no name yet.
   */
  async create(): Promise<string> {
    const url = newUrl();
    sessionStorage.setItem(FORMER, JSON.stringify([url, this.current.value().url]));
    const withIt = (known: readonly SavedLayout[]): readonly SavedLayout[] => {
      const id = nextId(known);
      return [...known, { ...UNNAMED, id, url, modified: Math.floor(Date.now() / 1000) }];
    };
    this.all.setValue(await server.changeDocument('layouts', withIt, this.all.value()));
    history.replaceState(null, '', `/chart/${url}/${location.search}`);
    return url;
  }

  /** Save what the charts show in the layout that they belong to, whatever the address is, and rename it if a name is given. */
  async saveUnasked(name?: string): Promise<void> {
    const current = this.current.value();
    const renamed = name === undefined ? {} : { name };
    if (current.id !== UNNAMED.id) return this.put(() => ({ ...current, ...this.content(), ...renamed }));
    await this.put((known) => ({ ...current, id: nextId(known), url: newUrl(), ...this.content(), ...renamed }));
    this.showAddress();
  }

  /** Ask for the name of a new layout, and save what the charts show in it. */
  askName(): void {
    const value = this.current.value().name;
    this.workspace.dialog.setValue({ kind: 'name', title: 'Save layout as', label: 'Layout name', value, done: (name) => this.saveAs(name) });
  }

  private async saveAs(name: string): Promise<void> {
    await this.put((known) => {
      if (known.some((layout) => layout.name.toLowerCase() === name.toLowerCase())) throw new Error(`A layout called "${name}" exists already`);
      return { id: nextId(known), url: newUrl(), name, ...this.content() };
    });
    this.showAddress();
  }

  private showAddress(): void {
    history.replaceState(null, '', `/chart/${this.current.value().url}/${location.search}`);
  }

  /**
   * Store the layout that is made beside the known ones, and keep those that other pages have saved meanwhile. Refuse to
   * replace one that this page cannot read: another program, or a newer studio, may read it.
   */
  private async put(made: (known: readonly SavedLayout[]) => SavedLayout): Promise<void> {
    const shown = this.shown();
    let layout = UNNAMED;
    const withIt = (known: readonly SavedLayout[]): readonly SavedLayout[] => {
      layout = made(known);
      const replaced = known.find(({ id }) => id === layout.id);
      if (replaced !== undefined && !this.workspace.canShow(replaced)) {
        throw new Error(`The layout "${replaced.name}" was changed elsewhere and cannot be read: save your charts under another name`);
      }
      return known.some(({ id }) => id === layout.id) ? known.map((one) => (one.id === layout.id ? layout : one)) : [...known, layout];
    };
    this.all.setValue(await server.changeDocument('layouts', withIt, this.all.value()));
    this.current.setValue(layout);
    this.saved = shown;
  }

  private content(): Omit<SavedLayout, 'id' | 'url' | 'name'> {
    const { workspace } = this;
    const charts = workspace.charts.value();
    const active = workspace.active.value();
    return {
      symbol: active.symbol.value(),
      resolution: active.resolution.value(),
      modified: Math.floor(Date.now() / 1000),
      content: { arrangement: workspace.arrangement.value(), active: charts.indexOf(active), charts: charts.map((chart) => chart.shown()) },
    };
  }

  private shown(): string {
    const { workspace } = this;
    return JSON.stringify([workspace.arrangement.value(), workspace.charts.value().map((chart) => chart.shown())]);
  }
}

function nextId(known: readonly SavedLayout[]): number {
  return Math.max(10_000_000, ...known.map(({ id }) => id)) + 1;
}

/** A short name for the address, like TradingView's. */
function newUrl(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => LETTERS[byte % LETTERS.length]).join('');
}
