// The data of charts as the tools give them (`format: series`), and the indicators that were chosen.
export interface Listed {
  name: string;
  description: string;
  type: 'overlay' | 'panel' | 'external';
  overlay: boolean;
  aliases?: string[];
  configurable_params?: Param[];
  signals?: string[];
}

export interface Param {
  name: string;
  type: 'int' | 'float' | 'bool' | 'string';
  default: string | number | boolean | null;
  description?: string;
}

export type Settings = Record<string, string | number | boolean>;

/** A chosen indicator; `id` is its key in answers. */
export interface Chip {
  id: string;
  name: string;
  settings: Settings;
}

export type Values = (number | null)[];

export interface Indicator {
  label: string;
  is_overlay: boolean;
  error?: string;
  y_range?: [number, number];
  lines?: { label: string | null; values: Values; ahead?: Values }[];
  histogram?: { values: Values }[];
  fills?: { y1: Values; y2: Values }[];
  signals?: { x: number; t: number | null; y: number; label: string }[];
  hlines?: { y: number }[];
  hbars?: { y: number; height: number; width: number; offset: number; left: boolean }[];
  divlines?: { x1: number; y1: number; x2: number; y2: number; dashed: boolean }[];
}

export interface Payload {
  symbol: string | null;
  interval: string;
  source: 'fetched' | 'sample';
  last_bar: number | null;
  bars: { t: number | null; o: number; h: number; l: number; c: number; v: number }[];
  indicators: Record<string, Indicator>;
  remarks: string[];
}

const KEPT = 'pinebench-market-chips';
const FIRST: Chip[] = [
  { id: 'a', name: 'ema_stack', settings: {} },
  { id: 'b', name: 'rsi', settings: { length: 14 } },
];

/** The chips of the last visit. No chips at all are a choice, too; what cannot be read gives the first ones. */
export function keptChips(): Chip[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT) ?? 'null');
    if (Array.isArray(kept) && kept.every(isChip)) return kept;
  } catch {
    return FIRST;
  }
  return FIRST;
}

export function keepChips(chips: readonly Chip[]): void {
  try {
    localStorage.setItem(KEPT, JSON.stringify(chips));
  } catch {
    return; // the choice still works until the page is closed
  }
}

function isChip(value: unknown): value is Chip {
  const one = value as Partial<Chip> | null;
  return typeof one?.id === 'string' && typeof one.name === 'string' && typeof one.settings === 'object';
}

export const newId = (): string => crypto.randomUUID().slice(0, 8);

/** The values that a string setting may have, as its description lists them; null if it is free. */
export function choicesOf({ type, description = '' }: Param): string[] | null {
  const listed = type === 'string' ? /One of ([^.]+)\./.exec(description)?.[1] : undefined;
  return listed === undefined ? null : listed.split(', ');
}
