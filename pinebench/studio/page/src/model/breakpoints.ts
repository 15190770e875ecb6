// Breakpoints are kept in the browser over a reload: by the script, with the text of their lines. They are never part of
// the script. Those of a script that was never saved belong to the tab, as its text does.

/** A breakpoint on a line (from 1), with the text of the line without the blanks around it. */
export interface KeptBreakpoint {
  line: number;
  text: string;
  condition: string;
}

const NAME = 'pinebench-studio-breakpoints';
const MOST_SCRIPTS = 200;
const DRAFT = /^draft \d+$/;

/** The kept breakpoints of a script, by its key. */
export function keptBreakpoints(key: string): KeptBreakpoint[] {
  return read(key)[key] ?? [];
}

export function keepBreakpoints(key: string, breakpoints: readonly KeptBreakpoint[]): void {
  const { [key]: known = [], ...others } = read(key);
  if (JSON.stringify(known) === JSON.stringify(breakpoints)) return;
  const all = [...Object.entries(others), ...(breakpoints.length === 0 ? [] : [[key, breakpoints] as const])];
  try {
    storage(key).setItem(NAME, JSON.stringify(Object.fromEntries(all.slice(-MOST_SCRIPTS))));
  } catch {
    return; // they still work until the page is closed
  }
}

/** Kept breakpoints in a text that may have changed meanwhile: each on the nearest line with its text, if there is one. */
export function placed(kept: readonly KeptBreakpoint[], lines: readonly string[]): { line: number; condition: string }[] {
  const taken = new Set<number>();
  const found: { line: number; condition: string }[] = [];
  for (const { line, text, condition } of kept) {
    const same = lines.flatMap((each, i) => (each.trim() === text && !taken.has(i + 1) ? [i + 1] : []));
    const [nearest] = same.sort((one, other) => Math.abs(one - line) - Math.abs(other - line));
    if (nearest === undefined) continue;
    taken.add(nearest);
    found.push({ line: nearest, condition });
  }
  return found.sort((one, other) => one.line - other.line);
}

const storage = (key: string): Storage => (DRAFT.test(key) ? sessionStorage : localStorage);

function read(key: string): Record<string, KeptBreakpoint[]> {
  try {
    const value: unknown = JSON.parse(storage(key).getItem(NAME) ?? '{}');
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(Object.entries(value).map(([each, kept]) => [each, Array.isArray(kept) ? kept.filter(isKept) : []]));
  } catch {
    return {};
  }
}

function isKept(value: unknown): value is KeptBreakpoint {
  if (typeof value !== 'object' || value === null) return false;
  const { line, text, condition } = value as Record<string, unknown>;
  return typeof line === 'number' && typeof text === 'string' && typeof condition === 'string';
}
