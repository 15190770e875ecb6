// What the page asks its server for.
import { Watched } from './watched';

export type Bar = [time: number, open: number, high: number, low: number, close: number, volume: number];

export interface SymbolInfo {
  symbol: string;
  full_name: string;
  exchange: string;
  description: string;
  type: string;
  currency: string;
  decimals: number;
  timezone: string;
  /** The hours of trading as a session string of Pine. */
  session: string;
  mintick: number;
  /** The value of one point of the price for one contract. */
  pointvalue: number;
  base_currency: string;
  /** Whether its prices come from a file of the user. */
  own: boolean;
  /** Whether its prices are made up, as in the sample market. */
  made_up: boolean;
  /** Sentences about the user's file: the form in which it was read, and the assumptions. Empty for a symbol without a file. */
  read: string[];
  /** When its first bar opens, in seconds, by TradingView's names (`first_bar_time_1d`); empty if it has no first bar. */
  first_bars: Record<string, number>;
  /** Whether the source of the bars has volumes; without them, each bar has 0. */
  has_volume: boolean;
}

export interface Marker {
  severity: number;
  code: string;
  message: string;
  startLineNumber: number;
  startColumn: number;
  endLineNumber: number;
  endColumn: number;
}

export interface MetaInfo {
  description: string;
  shortDescription: string;
  is_price_study: boolean;
  isTVScript: boolean;
  isTVScriptStrategy: boolean;
  kind: string;
  /** The saved version of the script that runs; missing if its text is not a saved one. */
  pine?: { version: string };
}

/** One input of a script, as the settings dialog shows it. */
export interface InputDefinition {
  id: string;
  name: string;
  /** TradingView's name of its type. */
  type: string;
  /** null if only a run can know it. */
  defval: InputData | null;
  options?: InputData[];
  min?: number;
  max?: number;
  step?: number;
  group?: string;
  inline?: string;
  tooltip?: string;
  /** The places of its value, as the bits of `display`. */
  display: number;
  /** The control of a dialog for it. */
  field: 'number' | 'price' | 'box' | 'color' | 'text' | 'area' | 'time' | 'timeframe' | 'session' | 'symbol';
  form: InputForm;
  /** The values that it accepts, in words. */
  takes: string;
}

/** The form of the values of an input. */
export type InputForm = 'whole' | 'number' | 'bool' | 'color' | 'text';

export type InputData = string | number | boolean;

export interface CheckAnswer {
  ok: boolean;
  markers: Marker[];
  metaInfo: MetaInfo;
  inputs: InputDefinition[];
}

/** An indicator of the studio, with its Pine script. */
export interface Indicator {
  also: string[];
  source: string;
  metaInfo: MetaInfo;
  inputs: InputDefinition[];
}

export type Cell = number | boolean | string | null;

/** One call of the plot family: values for all bars, and values for each bar. Colours are numbers, 0xRRGGBBAA. */
export interface Output {
  function: string;
  line: number;
  settings: Record<string, Cell>;
  columns: Record<string, Cell[]>;
}

export type Drawing = Record<string, unknown>;

export interface RunError {
  code: string;
  message: string;
  bar: number | null;
  line: number | null;
  /** The studio's remarks about it. */
  hint?: string;
  /** The help that the page offers: another interval of the chart. */
  offer?: 'interval';
}

/** The result of a script on the bars of a chart. */
export interface RunResult {
  declared: {
    overlay: boolean | null;
    format: string | null;
    precision: number | null;
    scale: string | null;
    behind_chart: boolean | null;
    explicit_plot_zorder: boolean | null;
  };
  /**
   * All bars that it ran on; the chart may show only the last ones. These are their number, and the opening times of the
   * first and the last in seconds.
   */
  ran: { bars: number; from: number; to: number } | null;
  /** Whether it ran as Python or as machine code, and why. */
  tier: { name: 'python' | 'compiled'; reason: string };
  /** The opening times, in seconds, of the bars that the chart shows. Drawings count bars from the first of them. */
  times: number[];
  outputs: Output[];
  drawings: Record<string, Drawing[]>;
  alerts: { bar: number; time: number; message: string; line: number }[];
  logs: { bar: number; time: number; level: string; message: string; line: number }[];
  notes: string[];
  /** The parts of the script that are not drawn, or may differ from TradingView, one sentence each. */
  differences: string[];
  error: RunError | null;
  /** The results of a strategy; null for other scripts. */
  tested: Tested | null;
}

export type Figures = Record<string, number>;

/** One side of a trade: its bar, time in milliseconds, price, signal, and which side (`le`, `lx`, `se`, `sx`). */
export interface TradeEnd {
  b: number;
  tm: number;
  p: number;
  c: string;
  tp: string;
}

/** An amount of money, and its share. */
export interface Amount {
  v: number;
  p: number;
}

/** A trade as TradingView's page keeps it: entry, exit, quantity, profit, cumulated profit, run-up and drawdown. */
export interface TestedTrade {
  e: TradeEnd;
  x: TradeEnd | null;
  q: number;
  tp: Amount;
  cp: Amount;
  rn: Amount;
  dd: Amount;
}

export interface FilledOrder {
  id: string;
  b: number;
  tm: number;
  side: 'buy' | 'sell';
  q: number;
  p: number;
  c: string;
  position: number;
}

/** A strategy's report in the form of TradingView's page; shares are of 1. */
export interface Tested {
  currency: string;
  /** The properties of the test: the declaration's arguments, TradingView's defaults, and the user's changes. */
  properties: Readonly<Record<string, string | number | boolean>>;
  performance: { all: Figures; long: Figures; short: Figures } & Record<string, number | Figures>;
  trades: TestedTrade[];
  filledOrders: FilledOrder[];
  equity: number[];
  drawDown: number[];
  buyHold: number[];
  /** The account on all bars of the run, as few enough points to draw; times are in seconds. */
  curve: { times: number[]; equity: number[]; drawDown: number[]; buyHold: number[]; /** The largest fall, at closes. */ largestDrawDown: number };
}

/** A script that comes with pinebench, to begin with. */
export interface Template {
  name: string;
  title: string;
  kind: string;
  source: string;
}

/** Bars of the user that can be charted now. */
export interface TakenData {
  symbol: string;
  resolution: string;
  bars: number;
}

/** The part that is not computed, and why. */
export interface RunRefusal {
  refused: string;
  line: number | null;
  hint: string | null;
}

export interface RunRequest {
  source: string;
  symbol: string;
  resolution: string;
  count: number;
  /** The bars end at this time in seconds; null means all of them. */
  until: number | null;
  inputs: Record<string, InputData>;
  /** The name of the run: an older run with the same name is cancelled. */
  study: string;
  /** Values that replace arguments of a strategy's declaration. */
  properties?: Readonly<Record<string, string | number | boolean>>;
  /** The look of the chart, which the script can read: its kind of bars, and whether it is dark. */
  look: { heikinAshi: boolean; dark: boolean };
}

/** Values that an optimization tries for an input: a list, or `from:to:step`. */
export type Range = string | InputData[];

/** Trades as the list of trades takes them, with what it says of the account and of the symbol. */
export interface TradesFile {
  trades: readonly (TestedTrade & { number: number })[];
  currency: string;
  capital: number;
  priceCurrency: string;
  pointValue: number;
  /** The time of the last bar in milliseconds, at which open trades are valued. */
  last: number;
  madeUp: boolean;
}

export interface OptimizeRequest extends RunRequest {
  /** The varied inputs, by their ids. */
  ranges: Record<string, Range>;
  metric: string;
  /** The largest number of combinations. */
  most: number;
  /** The share of the bars at the end that no combination is chosen by. */
  holdout: number;
}

export type SeenFigures = Record<string, number | null>;

/** The results of an optimization, the best first. */
export interface Optimized {
  metric: string;
  about: string;
  /** The ids of the varied inputs, in the order of `axes`. */
  ids: string[];
  axes: { name: string; values: InputData[]; ordered: boolean }[];
  holdout: number;
  /** Runs: the index of the value of each axis, the metric (null: failed, or no figure), and the figures. */
  runs: [place: number[], metric: number | null, ...figures: (number | null)[]][];
  best: { inputs: Record<string, InputData>; seen: SeenFigures; held: { error: string | null; seen: SeenFigures } | null }[];
  judgement: { verdict: string; reasons: string[]; warnings: string[]; deflated_sharpe: number | null; probability_of_overfitting: number | null; neighbours_median: number | null } | null;
  /** Whether it was not stopped. */
  complete: boolean;
}

export interface Optimization {
  number: number;
  going: boolean;
  problem: string | null;
  progress: { share: number; words: string } | null;
  results: Optimized | null;
}

export interface PortfolioRequest {
  members: (Pick<RunRequest, 'source' | 'symbol' | 'resolution' | 'inputs'> & { name: string; properties: Readonly<Record<string, string | number | boolean>> })[];
  count: number;
  until: number | null;
  look: RunRequest['look'];
  /** Values that replace arguments of all declarations. */
  trading: Readonly<Record<string, string | number>>;
  /** Whether the strategies share one account; otherwise each has an equal part of the capital. */
  shared: boolean;
  /** The name by which the run is stopped. */
  study: string;
}

export interface PortfolioTrade {
  number: number;
  strategy: string;
  symbol: string;
  side: 'long' | 'short';
  qty: number;
  /** Times are in milliseconds; the exit of an open trade is null. */
  entry_time: number;
  entry_price: number;
  exit_time: number | null;
  exit_price: number | null;
  profit: number;
}

/** A strategy of a portfolio with its own figures; a figure that cannot be computed is null. */
export type PortfolioPart = { name: string; symbol: string; timeframe: string } & Record<PartFigure, number | null>;

export type PartFigure = 'net_profit' | 'open_profit' | 'max_drawdown' | 'profit_factor' | 'percent_profitable' | 'trades' | 'refused_for_money';

export type WholeFigure =
  | 'initial_capital'
  | 'final_equity'
  | 'net_profit'
  | 'net_profit_percent'
  | 'open_profit'
  | 'open_profit_percent'
  | 'trades'
  | 'percent_profitable'
  | 'profit_factor'
  | 'max_drawdown'
  | 'max_drawdown_percent'
  | 'buy_and_hold'
  | 'buy_and_hold_percent'
  | 'sharpe_ratio';

/** The report of a portfolio. */
export interface PortfolioReport {
  shared: boolean;
  report: { currency: string } & Record<WholeFigure, number | null>;
  strategies: PortfolioPart[];
  correlation: (number | null)[][];
  trade_count: number;
  /** The last trades. */
  trades: PortfolioTrade[];
  notes: string[];
  /** The equity, and the profit of each strategy, as few enough points to draw; times are in seconds. */
  curve: { times: number[]; equity: number[]; strategies: number[][] };
}

/** A name of a script, or a call in it, with its values at the close of the recorded bars. */
export interface RecordedName {
  name: string;
  /** Its line in the script; 0 in a library. */
  line: number;
  /** Its mode and type: `var series float`. */
  kind: string;
  /** The function around it, and the calls that lead there; empty for the global code. */
  function: string;
  site: string;
  call: boolean;
  /** The bars on which the value changes, the first recorded one included, and the value from there on; null if its code did not run. */
  bars: number[];
  texts: (string | null)[];
  /** The bar since which it has had its first recorded value; null if that was long before. */
  since: number | null;
  /** The value on the bar before the first recorded one, if there is such a bar. */
  before?: string | null;
}

/** The recorded values of a run on some bars of the chart, by the index of the bar on the chart. */
export interface RecordedRun {
  /** The `bar_index` of the chart's first bar. */
  offset: number;
  /** The opening times, in seconds, of the first and the last bar of the chart. */
  shows: number[];
  first: number;
  last: number;
  /** The first bar whose values were kept, and the last one on which the script ran. */
  kept: number;
  ended: number;
  names: RecordedName[];
  /** Sentences about values that are missing. */
  dropped: string[];
  error: string | null;
}

/** The line of a breakpoint, and the opening times, in seconds, of the bars on which it is hit; the line is null if no code follows. */
export interface BreakpointHits {
  line: number | null;
  times: number[];
  error: string | null;
}

/** A part of an expression; `value` is null if it was not evaluated on the bar. */
export interface WhyPart {
  text: string;
  line: number;
  value: string | null;
  often: number;
  parts: WhyPart[];
}

export interface WhyAnswer {
  time: number;
  expression: string;
  value: string;
  reasons: string[];
  parts: WhyPart[];
  /** Which run of a line inside a block or a function is told; empty for the global scope. */
  note: string;
  error: string | null;
}

/** The life of the orders with one id: what happened to them, bar by bar. */
export interface OrderAnswer {
  time: number;
  order: string;
  cause: string;
  reasons: string[];
  steps: { time: number; until: number | null; what: string; text: string; line: number; order: number }[];
  parts: WhyPart[];
  error: string | null;
}

interface Inspections {
  values: { about: { first: number; last: number }; answer: RecordedRun };
  hits: { about: { line: number; condition: string }; answer: BreakpointHits };
  /** Times are in milliseconds. */
  why: { about: { expression: string; time: number; line: number; call: string }; answer: WhyAnswer };
  order: { about: { order: string; time: number }; answer: OrderAnswer };
}

export interface SavedScript {
  scriptIdPart: string;
  scriptName: string;
  scriptTitle: string;
  version: string;
  modified: number;
  kind: string;
  /** Whether it is the unchanged script of a new studio. */
  sample: boolean;
}

export interface SavedVersion {
  version: string;
  modified: number;
  lines: number;
}

/** Text that is, or was, unsaved in the editor of a page. */
export interface Draft {
  page: string;
  name: string;
  script: string;
  lines: number;
  modified: number;
}

export interface SavedLayout {
  id: number;
  /** Its name in the address of the page. */
  url: string;
  name: string;
  symbol: string;
  resolution: string;
  modified: number;
  /** Its charts as the page stores them; none if it was never saved with them. */
  content?: { arrangement: string; active: number; charts: unknown[] };
}

export interface Alert {
  alert_id: number;
  symbol: string;
  message: string;
  active: boolean;
  resolution: string;
  create_time: string;
  last_fire_time: string | null;
  /** Whether the alert ends when it has fired; true if it is missing. */
  auto_deactivate?: boolean;
  condition: {
    /** The alertcondition() of a script, as one of its plots. */
    alert_cond_id?: string;
    type: string;
    frequency?: string;
    /** The number of bars of a move. */
    period?: number;
    series: AlertSeries[];
  };
}

/** An operand of a condition: the price, a level, a plot of a study, or a drawn line. */
export interface AlertSeries {
  type: string;
  /** The id of a saved script. */
  pine_id?: string;
  value?: number;
  study?: string;
  plot_id?: string;
  drawing?: string;
  /** The name of the study or the drawing. */
  title?: string;
}

/** The words of the language that the editor treats specially, by kind. */
export interface Words {
  keywords: readonly string[];
  types: readonly string[];
  declarations: readonly string[];
  constants: readonly string[];
  /** A pattern for lines after which the indentation increases. */
  indenting: string;
  annotations: readonly string[];
  /** The types and modifiers of semantic tokens, in the order of their numbers. */
  tokens: readonly string[];
  modifiers: readonly string[];
}

/** An answer that refuses a request; `status` is the HTTP status, the message is the server's reason. */
export class ServerError extends Error {
  constructor(
    readonly status: number,
    reason: string,
  ) {
    super(reason);
  }
}

/** Whether the studio answered the last request. */
export const answers = new Watched(true);

async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: 'include', ...init });
  } catch {
    if (path.startsWith('/studio/') && init?.signal?.aborted !== true) answers.setValue(false);
    throw new ServerError(0, 'The studio does not answer; is it still running?');
  }
  answers.setValue(true);
  const text = await response.text().catch(() => null);
  const answer = text === null ? undefined : readJson(text);
  if (!response.ok) throw new ServerError(response.status, reasonOf(answer) ?? `The studio answered ${response.status}`);
  if (answer === undefined) throw new ServerError(response.status, 'The answer is not from the studio');
  return answer as T;
}

/** Read a text in JSON: an empty text is an empty object, and a text that is not JSON is undefined. */
function readJson(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonOf(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  const { reason, error, errmsg } = answer as { reason?: unknown; error?: unknown; errmsg?: unknown };
  return [reason, error, errmsg].find((text) => typeof text === 'string');
}

const TRIES = 20;

/**
 * Store what a function makes of a document, and return it. The function is called again if somebody else changes the
 * document meanwhile, so that no change is lost. `otherwise` takes the place of a damaged document.
 */
async function changeDocument<T>(name: string, by: (known: T) => T, otherwise: T): Promise<T> {
  const path = `/studio/api/documents/${name}`;
  for (let tries = 1; ; tries++) {
    try {
      const known = await ask<T>(path);
      const value = by(known);
      if (value !== known) await ask(path, { method: 'POST', body: JSON.stringify({ expected: known, value }) });
      return value;
    } catch (error) {
      const status = error instanceof ServerError ? error.status : null;
      if (status === 500) break;
      if (status !== 409 || tries === TRIES) throw error;
    }
  }
  const value = by(otherwise);
  await ask(path, { method: 'PUT', body: JSON.stringify(value) });
  return value;
}

/**
 * The body of a request to the alert service: JSON as plain text, because the service allows no other type from another
 * origin.
 */
const payload = (value: unknown) => ({
  method: 'POST',
  headers: { 'Content-Type': 'text/plain' },
  body: JSON.stringify({ payload: value }),
});

const csv = (kind: 'trades' | 'table', asked: unknown): Promise<string> =>
  ask<{ csv: string }>(`/studio/api/exports/${kind}`, { method: 'POST', body: JSON.stringify(asked) }).then((answer) => answer.csv);

const form = (source: string) => ({ method: 'POST', body: new URLSearchParams({ source }) });
const query = (values: Record<string, string>) => new URLSearchParams(values).toString();
const facade = '/pine-facade';

/** The number of bars that a chart has at first. */
export const BARS = 500;

interface BarsAnswer {
  symbol: SymbolInfo;
  resolution: string;
  bars: Bar[];
  more: boolean;
}

/** Requests for bars in progress, by address: several parts of the page may want the same bars at once. */
const asked = new Map<string, Promise<BarsAnswer>>();

function barsOf(address: string): Promise<BarsAnswer> {
  const known = asked.get(address);
  if (known !== undefined) return known;
  const answer = ask<BarsAnswer>(address).finally(() => asked.delete(address));
  asked.set(address, answer);
  return answer;
}

/** The run of a script that began while the script was still checked, by its request. */
let ahead: { body: string; answer: Promise<RunResult | RunRefusal> } | null = null;

function begin(body: string, signal?: AbortSignal): Promise<RunResult | RunRefusal> {
  return ask<RunResult | RunRefusal>('/studio/api/run', { method: 'POST', body, ...(signal === undefined ? {} : { signal }) });
}

export const server = {
  symbols: (text: string) => ask<{ symbols: SymbolInfo[] }>(`/studio/api/symbols?${query({ text })}`).then((a) => a.symbols),
  bars: (symbol: string, resolution: string, count = BARS, heikinAshi = false) =>
    barsOf(`/studio/api/bars?${query({ symbol, resolution, count: String(count), ...(heikinAshi ? { heikin_ashi: 'true' } : {}) })}`),
  check: (source: string) => ask<CheckAnswer>('/studio/api/check', { method: 'POST', body: JSON.stringify({ source }) }),
  words: () => ask<Words>('/studio/api/words'),
  /** A question of the editor about a version of its text; null if the text has changed in the meantime. */
  editor: (question: string, about: { page: string; version: number; source: string }) =>
    ask<{ answer: unknown }>(`/studio/api/editor/${question}`, { method: 'POST', body: JSON.stringify(about) }).then((a) => a.answer),
  /** Begin a run that `run` will most likely ask for. Only the last one is kept. */
  runAhead: (request: RunRequest): void => {
    const body = JSON.stringify(request);
    ahead = { body, answer: begin(body) };
    ahead.answer.catch(() => undefined); // told by `run`, if it is wanted
  },
  run: (request: RunRequest, signal: AbortSignal) => {
    const body = JSON.stringify(request);
    const known = ahead;
    ahead = null;
    return known?.body === body ? known.answer : begin(body, signal);
  },
  /** A question of the inspector about the run of a script. */
  inspect: <Q extends keyof Inspections>(question: Q, request: RunRequest, about: Inspections[Q]['about']) =>
    ask<Inspections[Q]['answer'] | RunRefusal>(`/studio/api/inspect/${question}`, { method: 'POST', body: JSON.stringify({ ...request, ...about }) }),
  stop: (study: string) => ask('/studio/api/stop', { method: 'POST', body: JSON.stringify({ study }) }),
  /** A list of trades as a CSV file. */
  tradesFile: (asked: TradesFile) => csv('trades', asked),
  /** A table with its head as a CSV file. */
  tableFile: (asked: { rows: readonly (readonly (string | number | null)[])[]; madeUp: boolean }) => csv('table', asked),
  optimize: (asked: OptimizeRequest) => ask<Optimization>('/studio/api/optimize', { method: 'POST', body: JSON.stringify(asked) }),
  optimization: (number: number) => ask<Optimization>(`/studio/api/optimize/${number}`),
  stopOptimization: (number: number) => ask(`/studio/api/optimize/${number}/stop`, { method: 'POST' }),
  portfolio: (asked: PortfolioRequest) => ask<PortfolioReport>('/studio/api/portfolio', { method: 'POST', body: JSON.stringify(asked) }),
  /** Chart a file of bars. */
  putData: (name: string, file: Blob) => ask<TakenData>(`/studio/api/data?${query({ name })}`, { method: 'POST', body: file }),
  fetchData: (name: string) => ask<TakenData>('/studio/api/data/exchange', { method: 'POST', body: JSON.stringify({ name }) }),
  health: () => ask<{ studio: string; scripts?: number; data?: { generation: number; problems: string[] } }>('/studio/api/health'),
  templates: () => ask<Template[]>('/studio/api/templates'),
  /** The address of the small picture of an indicator, a template or a saved script. */
  picture: (kind: 'indicator' | 'template' | 'script', name: string, isDark: boolean) =>
    `/studio/api/pictures/${kind}/${encodeURIComponent(name)}?${query({ dark: String(isDark) })}`,
  indicators: () => ask<Indicator[]>('/studio/api/indicators'),
  document: <T>(name: string) => ask<T>(`/studio/api/documents/${name}`),
  changeDocument,
  drafts: () => ask<Draft[]>('/studio/api/drafts'),
  draft: (page: string) => ask<{ text: string; version?: string }>(`/studio/api/drafts/${page}`),
  putDraft: (page: string, value: { name: string; script: string; version: string; text: string; modified: number } | null) =>
    ask(`/studio/api/drafts/${page}`, { method: 'PUT', body: JSON.stringify(value) }),
  /** Keep the open charts of a page in the studio; null removes them. */
  putDesk: (page: string, desk: unknown) => ask(`/studio/api/desks/${page}`, { method: 'PUT', body: JSON.stringify(desk) }),
  /** The charts that a page of an ended studio left open, of a layout or (with an empty name) of any; null if there are none. */
  takeDesk: (layout: string) => ask<unknown>('/studio/api/desks', { method: 'POST', body: JSON.stringify({ layout }) }),
  ready: () => ask('/studio/api/ready', { method: 'POST' }),

  alerts: () => ask<{ r: Alert[] }>('/pricealerts/list_alerts').then((answer) => answer.r),
  createAlert: (alert: unknown) => ask<{ r: Alert }>('/pricealerts/create_alert', payload(alert)).then((answer) => answer.r),
  deleteAlerts: (ids: readonly number[]) => ask('/pricealerts/delete_alerts', payload({ alert_ids: ids })),
  firedAlerts: (ids: readonly number[], time: number) =>
    ask('/studio/api/alerts/fired', { method: 'POST', body: JSON.stringify({ ids, time }) }),

  scripts: () => ask<SavedScript[]>(`${facade}/list/?filter=saved`),
  script: (id: string, version: string) =>
    ask<SavedScript & { source: string }>(`${facade}/get/${encodeURIComponent(id)}/${version}`),
  versions: (id: string) => ask<SavedVersion[]>(`${facade}/versions/${encodeURIComponent(id)}/last`),
  deleteScript: (id: string) => ask(`${facade}/delete/${encodeURIComponent(id)}`, { method: 'POST' }),
  saveNew: (name: string, source: string) =>
    ask<SaveAnswer>(`${facade}/save/new?${query({ name, allow_overwrite: 'false' })}`, form(source)).then(savedScript),
  /**
   * Save the next version. The server refuses it with status 409 if `base`, the version that the text comes from, is
   * not the newest.
   */
  saveNext: (id: string, source: string, base: string | null) =>
    ask<SaveAnswer>(`${facade}/save/next/${encodeURIComponent(id)}${base === null ? '' : `?${query({ base })}`}`, form(source)).then(savedScript),
  rename: (id: string, name: string) =>
    ask<SavedScript>(`${facade}/rename/${encodeURIComponent(id)}?${query({ name })}`, { method: 'POST' }),
};

interface SaveAnswer {
  result?: { metaInfo?: SavedScript };
}

function savedScript(answer: SaveAnswer | null): SavedScript {
  const saved = answer?.result?.metaInfo;
  if (!saved) throw new ServerError(200, 'The answer is not from the studio');
  return saved;
}
