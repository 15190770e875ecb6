// The faults a test can switch on: everything TradingView's page was seen to do to the programs that drive it.
//
// `?faults=staleNode,slowSymbol:800` in the address, or `window.__studioFaults = {staleNode: true}` before the page loads; most
// can also be changed while it runs: `window.__studioFaults.pendingDialog = true`.

export type Mishap = 'busy' | 'never' | 'throw' | 'alert' | 'reload' | 'undefined';

/**
 * The script service answers with a page, with JSON of another shape or with null, or not at all, or it cannot be reached. Of saves: it
 * saves and the answer is lost, a request arrives twice, or the account has no room for new scripts.
 */
export type ServiceTrouble = 'html' | 'shape' | 'null' | 'silent' | 'offline' | 'lost' | 'doubled' | 'full';

export interface Faults {
  /** A leftover editor element without a React fibre is the first one in the document. */
  staleNode: boolean;
  /** An editor element without a size is the first one in the document. */
  zeroSizeNode: boolean;
  /** A hidden editor and a console buffer come before the real editor in `getEditors()`. */
  severalEditors: boolean;
  /** Milliseconds from the opening of the editor's panel until the editor exists. */
  lateMount: number;
  /** How many times the panel closes itself, 300 ms after opening. */
  selfClosingPanel: number;
  /** The open script cannot be edited: every change is undone. */
  readOnlyScript: boolean;
  /**
   * The bottom bar in its newer form: it knows `scripteditor`, does nothing before `setWidgetAvailability`, and has no
   * `hideWidget`.
   */
  renamedWidget: boolean;
  /** The page speaks another language: de, es, fr, ja, ko, pt, ru, zh. */
  locale: string;
  /** Buttons of the editor show an icon without text. */
  iconOnly: boolean;
  /** Labels contain their text twice: "FooFoo". */
  doubledLabels: boolean;
  /** A hidden and a disabled copy of the compile button come before the real one. */
  buttonCopies: boolean;
  /** Milliseconds between a compile and its markers. */
  lateMarkers: number;
  /** Markers to show in place of the checker's: `[{line, column, severity, message}]`. */
  markers: { line: number; column: number; severity: number; message: string }[] | null;
  /** Adding to the chart asks first, and the study appears only after "Continue". */
  pendingDialog: boolean;
  /** Milliseconds that a change of symbol or resolution takes. */
  slowSymbol: number;
  /** After a change of resolution, the bars of the previous resolution stay. */
  wrongSpacing: boolean;
  /** Changes of symbol and resolution have no effect. */
  stuckSymbol: boolean;
  /** Bars keep arriving: their number is different at every look. */
  restlessBars: boolean;
  /** A visible loading mark never goes away. */
  endlessLoading: boolean;
  /** The result of calling a function of the page's API: `{"chart.symbol": "busy"}`. */
  at: Record<string, Mishap>;
  /** The number of elements between the editor's element and the first one with a React fibre. */
  parents: number;
  /** The number of steps along `return` from that fibre to the editor's context. */
  depth: number;
  /** The keys of fibres have React 16's name. */
  oldFiberKey: boolean;
  /** The place where Monaco can be found: in the context's value, as a property, or only through `_editorRef`. */
  context: 'value' | 'property' | 'editorRef';
  /** `window.monaco` exists. */
  globalMonaco: boolean;
  /** `pineEditorTestApi` is missing, as on most builds. */
  noTestApi: boolean;
  /** The user is not logged in. */
  loggedOut: boolean;
  /** TradingView's script service fails in this way: an HTTP status, or one of `ServiceTrouble`. */
  scriptService: number | ServiceTrouble | null;
  /** The question about cookies covers the bottom of the page. */
  cookieBanner: boolean;
  /** Another device took over the session: the page is covered until the person clicks "Connect". */
  sessionDisconnected: boolean;
  /** The number of indicators that the plan allows on a chart; 0 means any number. */
  studyLimit: number;
  /** Chart and editor never appear: the page has only the frame of the application. */
  shellOnly: boolean;
  /**
   * Milliseconds from the moment when the chart has the name of another symbol or resolution until it has its bars;
   * -1 means that they never come. Meanwhile no loading mark is shown.
   */
  nameFirst: number;
  /** While `nameFirst` holds back the bars, the chart's description of its symbol is the new one already. */
  infoFirst: boolean;
  /** The data window has no values for studies outside the price pane, as on the page without a crosshair in their pane. */
  crosshairValues: boolean;
  /** Studies list their own settings among their inputs, and a write of such a setting destroys the study. */
  fragileInputs: boolean;
  /** Milliseconds for which a strategy keeps the report of the symbol before; -1 means that it stays. */
  oldReport: number;
  /** The chart adds no study by its name. */
  refusedStudies: boolean;
  /** The dialog adds a saved script as it was when the page listed it first, whatever was saved since then. */
  oldCatalogue: boolean;
  /** The chart exports no data, and rejects with a bare text. */
  noExport: boolean;
  /** `setVisibleRange` is not implemented. */
  noVisibleRange: boolean;
  /** The page's own editor API drives an editor that nobody sees: its calls succeed and do nothing, or never end. */
  strayTestApi: boolean;
  /** The editor has Monaco's plain classes, and none of Pine. */
  plainMonaco: boolean;
  /** Trades have their long form: `{entry: {id, price, time}, exit, profit: {value, percentValue}, …}`. */
  verboseTrades: boolean;
  /** The place of a strategy's report: its data source, the page's API for back-tests, or the chart's active strategy. */
  reportPlace: 'source' | 'api' | 'active';
  /** Numbers on the page have a decimal comma, and dots between thousands. */
  decimalComma: boolean;
  /** A question lies over the page: a log-in, or whether the last replay goes on, which blocks changes of the symbol. */
  question: '' | 'sign-in' | 'replay';
  /** The legend does not name the symbol. */
  noLegend: boolean;
  /** The number of the watchlist's rows that are in the document, as in a list that draws only the rows in sight; 0 means all. */
  shortWatchlist: number;
  /** Strategies have no report, as if they were hidden or the tester had never been open. */
  noReport: boolean;
  /** The page's API for back-tests keeps the report of a strategy that was removed. */
  keptReport: boolean;
  /** A drawing is made, and then the call rejects. */
  rejectedShapes: boolean;
  /** A text that a program puts into the editor whole does not count as a change, so that Save has nothing to save. */
  quietSetValue: boolean;
  /**
   * A page that loads with the address of a new layout: it starts late and shows the former layout for a while, always shows
   * the former layout, or asks for a log-in and shows the former layout.
   */
  newLayout: '' | 'slow' | 'never' | 'sign-in';
}

const DEFAULTS: Faults = {
  staleNode: false,
  zeroSizeNode: false,
  severalEditors: false,
  lateMount: 0,
  selfClosingPanel: 0,
  readOnlyScript: false,
  renamedWidget: false,
  locale: 'en',
  iconOnly: false,
  doubledLabels: false,
  buttonCopies: false,
  lateMarkers: 0,
  markers: null,
  pendingDialog: false,
  slowSymbol: 0,
  wrongSpacing: false,
  stuckSymbol: false,
  restlessBars: false,
  endlessLoading: false,
  at: {},
  parents: 11,
  depth: 11,
  oldFiberKey: false,
  context: 'value',
  globalMonaco: false,
  noTestApi: false,
  loggedOut: false,
  scriptService: null,
  cookieBanner: false,
  sessionDisconnected: false,
  studyLimit: 0,
  shellOnly: false,
  nameFirst: 0,
  infoFirst: false,
  crosshairValues: false,
  fragileInputs: false,
  oldReport: 0,
  refusedStudies: false,
  oldCatalogue: false,
  noExport: false,
  noVisibleRange: false,
  strayTestApi: false,
  plainMonaco: false,
  verboseTrades: false,
  reportPlace: 'source',
  decimalComma: false,
  question: '',
  noLegend: false,
  shortWatchlist: 0,
  noReport: false,
  keptReport: false,
  rejectedShapes: false,
  quietSetValue: false,
  newLayout: '',
};

declare global {
  interface Window {
    __studioFaults?: Partial<Faults>;
  }
}

const listeners = new Set<() => void>();

/**
 * The faults in force. After an assignment to a field, every function that was registered with `onFaultsChanged` is
 * called.
 */
export const faults: Faults = new Proxy(initialFaults(), {
  set(target, name, value: unknown) {
    const done = Reflect.set(target, name, value);
    for (const listener of [...listeners]) listener();
    return done;
  },
});
window.__studioFaults = faults;

export function onFaultsChanged(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function initialFaults(): Faults {
  return { ...DEFAULTS, at: {}, ...fromQuery(new URLSearchParams(location.search).get('faults')), ...window.__studioFaults };
}

function fromQuery(text: string | null): Partial<Faults> {
  if (text === null || text === '') return {};
  if (text.startsWith('{')) return JSON.parse(text) as Partial<Faults>;
  const chosen: Record<string, unknown> = {};
  for (const part of text.split(',')) {
    const [name = '', value] = part.split(':');
    if (!(name in DEFAULTS)) throw new Error(`unknown fault "${name}"`);
    chosen[name] = value === undefined ? true : /^\d+$/.test(value) ? Number(value) : value;
  }
  return chosen;
}

/** Make the functions of `object` fail as `faults.at` says for `name.function`, and return the same object. */
export function instrument<T extends object>(name: string, object: T): T {
  for (const [key, member] of Object.entries(object)) {
    if (typeof member !== 'function') continue;
    const original = member as (...values: unknown[]) => unknown;
    (object as Record<string, unknown>)[key] = (...values: unknown[]) => {
      const mishap = faults.at[`${name}.${key}`];
      return mishap === undefined ? original(...values) : suffer(mishap, `${name}.${key}`);
    };
  }
  return object;
}

function suffer(mishap: Mishap, name: string): unknown {
  switch (mishap) {
    case 'busy':
      for (;;);
    case 'never':
      return new Promise(() => undefined);
    case 'throw':
      throw new Error(`${name} failed on purpose`);
    case 'alert':
      window.alert(`${name} wants your attention`);
      return undefined;
    case 'reload':
      location.reload();
      return new Promise(() => undefined);
    case 'undefined':
      return undefined;
  }
}
