// What is on the screen as a whole: charts and their arrangement, open panels, the dialog, who is logged in.
import { faults, onFaultsChanged } from '../faults';
import type { Alert, SavedLayout, SavedScript } from '../server';
import { Watched } from '../watched';
import { Alerts } from './alerts';
import { Assistant } from './assistant';
import { Chart, lossesOf } from './chart';
import { ChartHistory } from './chartHistory';
import { DrawingTools } from './drawingTools';
import { Inspector } from './inspector';
import { chartsOf, Layouts, UNNAMED, type Arranged } from './layouts';
import { Notices } from './notices';
import { Pine } from './pine';
import { Replay } from './replay';
import { normalResolution } from './resolution';
import type { ShapePoint } from './shapes';
import type { Study } from './study';
import { Sync } from './sync';
import { Watchlist } from './watchlist';

/** TradingView's codes for layouts of charts: rows of a grid, in which each letter is a chart. */
export const ARRANGEMENTS: Record<string, { rows: readonly string[]; name: string }> = {
  s: { rows: ['a'], name: 'One chart' },
  '2h': { rows: ['ab'], name: 'Two, side by side' },
  '2v': { rows: ['a', 'b'], name: 'Two, one above the other' },
  '2-1': { rows: ['ab', 'cc'], name: 'Two above one' },
  '1-2': { rows: ['aa', 'bc'], name: 'One above two' },
  '3h': { rows: ['abc'], name: 'Three, side by side' },
  '3v': { rows: ['a', 'b', 'c'], name: 'Three, one above the other' },
  '3s': { rows: ['ab', 'ac'], name: 'One beside two' },
  '4': { rows: ['ab', 'cd'], name: 'Four' },
  '4h': { rows: ['abcd'], name: 'Four, side by side' },
  '4v': { rows: ['a', 'b', 'c', 'd'], name: 'Four, one above the other' },
  '4s': { rows: ['aab', 'aac', 'aad'], name: 'One beside three' },
  '6': { rows: ['abc', 'def'], name: 'Six' },
  '8': { rows: ['abcd', 'efgh'], name: 'Eight' },
  '10': { rows: ['abcde', 'fghij'], name: 'Ten' },
  '12': { rows: ['abcd', 'efgh', 'ijkl'], name: 'Twelve' },
  '14': { rows: ['abcdefg', 'hijklmn'], name: 'Fourteen' },
  '16': { rows: ['abcd', 'efgh', 'ijkl', 'mnop'], name: 'Sixteen' },
};

/** Whether there are as many charts as their arrangement has places. */
function fits({ arrangement, charts }: Pick<Arranged, 'arrangement' | 'charts'>): boolean {
  const grid = ARRANGEMENTS[arrangement];
  return grid !== undefined && charts.length === chartsIn(grid.rows);
}

export const chartsIn = (rows: readonly string[]): number => new Set(rows.join('')).size;

export type BottomTab = 'pine' | 'tester' | 'logs' | 'data';

export type SidePanel = 'watchlist' | 'alerts' | 'objects' | 'trading' | 'assistant' | 'inspector' | null;

export type Dialog =
  | { kind: 'symbol'; typed?: string }
  | { kind: 'addSymbol' }
  | { kind: 'alert'; value?: number; source?: string; alert?: Alert }
  | { kind: 'compare' }
  | { kind: 'deleteAlerts' }
  | { kind: 'indicators' }
  | { kind: 'open' }
  | { kind: 'name'; title: string; value: string; label?: string; done: (name: string) => Promise<void> }
  | { kind: 'versions'; script: SavedScript }
  | { kind: 'deleteScript' }
  | { kind: 'delete'; script: SavedScript; answer: (yes: boolean) => void }
  | { kind: 'drafts' }
  | { kind: 'interval'; typed: string }
  | { kind: 'study'; chart: Chart; study: Study }
  | { kind: 'chart'; chart: Chart }
  | { kind: 'differences'; name: string; told: readonly string[] }
  | { kind: 'unsaved'; answer: (yes: boolean) => void }
  | { kind: 'unsavedLayout'; layout: SavedLayout; answer: (yes: boolean) => void }
  | { kind: 'overtakenLayout'; layout: SavedLayout; answer: (yes: boolean) => void }
  | { kind: 'goTo' }
  | { kind: 'keys' }
  | { kind: 'overtaken'; name: string; reason: string }
  | { kind: 'externalData'; answer: (yes: boolean) => void }
  | { kind: 'studyLimit'; text: string }
  | { kind: 'signIn' };

/** An entry of a menu. */
export interface MenuItem {
  label: string;
  detail?: string;
  selected?: boolean;
  choose: () => void;
}

export interface Picking {
  chart: Chart;
  take: (point: ShapePoint) => void;
}

export interface OpenMenu {
  title: string;
  x: number;
  y: number;
  items: readonly (MenuItem | 'line')[];
}

export class Workspace {
  readonly charts: Watched<readonly Chart[]>;
  readonly active: Watched<Chart>;
  readonly arrangement = new Watched('s');
  readonly bottomOpen = new Watched(true);
  readonly bottomTab = new Watched<BottomTab>('pine');
  readonly bottomHeight = new Watched(Math.round(Math.min(430, window.innerHeight * 0.46)));
  readonly side: Watched<SidePanel>;
  readonly dialog = new Watched<Dialog | null>(null);
  /** The field of a dialog that takes the next place that is clicked on a chart; null if none does. */
  readonly picking = new Watched<Picking | null>(null);
  /** The menu at a place of the page that a person asked for. */
  readonly menu = new Watched<OpenMenu | null>(null);
  readonly watchlist: Watchlist;
  readonly disconnected = new Watched(faults.sessionDisconnected);
  readonly cookieQuestion = new Watched(faults.cookieBanner);
  readonly loggedOut = new Watched(faults.loggedOut);
  readonly pine: Pine;
  readonly replay: Replay;
  readonly inspector: Inspector;
  readonly alerts: Alerts;
  readonly assistant = new Assistant();
  readonly notices = new Notices();
  readonly drawing = new DrawingTools(this);
  readonly history: ChartHistory;
  readonly sync: Sync;
  readonly layouts: Layouts;

  constructor(
    layouts: readonly SavedLayout[],
    watchlist: readonly string[],
    layout: SavedLayout,
  ) {
    const chart = new Chart(layout.symbol, normalResolution(layout.resolution) ?? layout.resolution);
    this.charts = new Watched<readonly Chart[]>([chart]);
    this.active = new Watched(chart);
    this.layouts = new Layouts(this, layouts, layout);
    this.side = new Watched<SidePanel>(window.innerWidth >= 1000 ? 'watchlist' : null);
    // In a narrow window the panel lies over the chart and the editor, where only whoever asks for it wants it.
    window.matchMedia('(max-width: 760px)').addEventListener('change', ({ matches }) => {
      if (matches) this.side.setValue(null);
    });
    this.pine = new Pine(this);
    this.replay = new Replay(this);
    this.inspector = new Inspector(this);
    this.alerts = new Alerts(this);
    this.watchlist = new Watchlist(watchlist, this.pine.complain);
    if (layout.content !== undefined && !this.restoreLayout(layout)) this.layouts.current.setValue(UNNAMED);
    this.layouts.settle();
    this.history = new ChartHistory(this);
    this.sync = new Sync(this);
    onFaultsChanged(() => {
      this.disconnected.setValue(faults.sessionDisconnected);
      this.cookieQuestion.setValue(faults.cookieBanner);
      this.loggedOut.setValue(faults.loggedOut);
    });
  }

  /** Lay out charts by TradingView's code. New panes show what the active one shows. */
  arrange(code: string): void {
    const grid = ARRANGEMENTS[code];
    if (grid === undefined) throw new Error(`unknown arrangement "${code}"`);
    const count = chartsIn(grid.rows);
    const charts = this.charts.value().slice(0, count);
    while (charts.length < count) {
      charts.push(new Chart(this.active.value().symbol.value(), this.active.value().resolution.value()));
    }
    this.arrangement.setValue(code);
    this.charts.setValue(charts);
    if (!charts.includes(this.active.value()) && charts[0] !== undefined) this.active.setValue(charts[0]);
  }

  /** Whether the stored charts of a layout can be read. */
  canShow(layout: SavedLayout): boolean {
    const charts = chartsOf(layout);
    return charts !== null && fits(charts);
  }

  /** Show the charts of a layout. Return false, and say it, if what is stored of them is damaged: the page stays as it is. */
  restoreLayout(layout: SavedLayout): boolean {
    const charts = chartsOf(layout);
    if (charts !== null && this.restore(charts)) return true;
    const text = 'What is stored of its charts is damaged. It stays as it is: nothing is saved in its place.';
    this.notices.show({ title: `The layout "${layout.name}" cannot be shown`, text }, Infinity);
    return false;
  }

  /** Restore stored charts with their layout, and say what of them cannot be shown. Return false if nothing can be. */
  restore({ arrangement, charts: kept, active }: Arranged): boolean {
    if (!fits({ arrangement, charts: kept })) return false;
    const charts = kept.map((chart) => Chart.ofKept(chart));
    const chosen = charts[active] ?? charts[0];
    if (chosen === undefined) return false;
    this.arrangement.setValue(arrangement);
    this.charts.setValue(charts);
    this.active.setValue(chosen);
    const losses = kept.flatMap(lossesOf);
    if (losses.length > 0) this.notices.show({ title: 'Not shown as it was saved', text: losses.join('\n') }, Infinity);
    return true;
  }

  /** Ask in a dialog. It counts as refused if another dialog replaces it before it is answered. */
  ask(question: (answer: (yes: boolean) => void) => Dialog): Promise<boolean> {
    return new Promise((resolve) => {
      const asked = question(resolve);
      const forget = this.dialog.subscribe((shown) => {
        if (shown === asked) return;
        forget();
        resolve(false);
      });
      this.dialog.setValue(asked);
    });
  }

  openTester(): void {
    this.bottomTab.setValue('tester');
    this.bottomOpen.setValue(true);
  }

  openLogs(): void {
    this.bottomTab.setValue('logs');
    this.bottomOpen.setValue(true);
  }

  openData(): void {
    this.bottomTab.setValue('data');
    this.bottomOpen.setValue(true);
  }

  openEditor(): void {
    this.bottomTab.setValue('pine');
    this.bottomOpen.setValue(true);
    if (faults.selfClosingPanel > 0) {
      faults.selfClosingPanel -= 1;
      setTimeout(() => this.bottomOpen.setValue(false), 300);
    }
  }
}
