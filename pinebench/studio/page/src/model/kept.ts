// What a reload must not lose: the charts with their studies, and the text in the editor. The tab itself keeps it, so that
// tabs side by side keep theirs apart. The studio gets unsaved text, from where any tab can take it back, and charts that
// are not as their layout was saved: after the studio has ended, whatever its port was, the next tab shows them again.
import { server, type SavedScript } from '../server';
import type { Chart, KeptChart } from './chart';
import type { KeptText, Pine } from './pine';
import type { KeptShape } from './shapes';
import type { Workspace } from './workspace';

interface KeptDesk {
  layout: string;
  arrangement: string;
  active: number;
  charts: KeptChart[];
  editor: KeptText;
}

const DESK = 'pinebench-studio-desk';
const PAGE = 'pinebench-studio-page';
const KEEP_AFTER_MS = 250;

/** The state that this tab stored before its reload; null in a new tab, or if it cannot be read. */
export function readDesk(): KeptDesk | null {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(DESK) ?? 'null');
    return isDesk(value) ? value : null;
  } catch {
    return null;
  }
}

/**
 * Restore the stored state. The charts are restored at once, and only if they are of the layout at `url`, which the page
 * opens, or of the one that it shows in the place of a damaged layout; the result is for the text, because a newer version
 * may have been saved meanwhile.
 */
export function putBack(workspace: Workspace, desk: KeptDesk, url: string): Promise<void> {
  if ([url, workspace.layouts.current.value().url].includes(desk.layout)) workspace.restore(desk);
  return workspace.pine.restore(desk.editor);
}

/** From now on store each change soon after it is made, and at the latest when the page is closed. */
export function keepDesk(workspace: Workspace): void {
  let timer = 0;
  let followed: (() => void)[] = [];
  const now = () => {
    clearTimeout(timer);
    keep(workspace);
  };
  const soon = () => {
    clearTimeout(timer);
    timer = window.setTimeout(now, KEEP_AFTER_MS);
  };
  const follow = () => {
    for (const forget of followed) forget();
    followed = workspace.charts.value().flatMap((chart) => [
      chart.symbol.subscribe(soon),
      chart.resolution.subscribe(soon),
      chart.type.subscribe(soon),
      chart.studies.subscribe(soon),
      chart.shapes.subscribe(soon),
      chart.changed.subscribe(soon),
    ]);
    soon();
  };
  workspace.charts.subscribe(follow);
  follow();
  for (const watched of [workspace.active, workspace.arrangement, workspace.layouts.current, workspace.pine.script, workspace.pine.changed]) {
    (watched as { subscribe: (listener: () => void) => unknown }).subscribe(soon);
  }
  workspace.pine.model.onDidChangeContent(soon);
  window.addEventListener('pagehide', now);
  window.addEventListener('beforeunload', (event) => {
    now();
    if (workspace.pine.changed.value()) event.preventDefault();
  });
}

function keep(workspace: Workspace): void {
  const charts = workspace.charts.value();
  const desk: KeptDesk = {
    layout: workspace.layouts.current.value().url,
    arrangement: workspace.arrangement.value(),
    active: charts.indexOf(workspace.active.value()),
    charts: charts.map((chart: Chart) => chart.kept()),
    editor: workspace.pine.kept(),
  };
  try {
    sessionStorage.setItem(DESK, JSON.stringify(desk));
  } catch (error) {
    workspace.pine.complain(error);
  }
  void keepDraft(workspace.pine);
  void keepCharts(workspace, desk);
}

let lastCharts = 'null';

/** Give the studio the charts while they differ from their saved layout. */
async function keepCharts(workspace: Workspace, { layout, arrangement, active, charts }: Omit<KeptDesk, 'editor'>): Promise<void> {
  const desk = workspace.layouts.changed() ? { layout, arrangement, active, charts } : null;
  const text = JSON.stringify(desk);
  if (text === lastCharts) return;
  lastCharts = text;
  try {
    await server.putDesk(pageName(), desk);
  } catch {
    lastCharts = ''; // asked again with the next change; the tab has them in any case
  }
}

/** The studio has come back, perhaps as a new one: give it the charts of this tab again. */
export function keepChartsAgain(workspace: Workspace): void {
  lastCharts = '';
  keep(workspace);
}

/** The charts that an ended studio left open, of a layout or of any; null if there are none. */
export async function leftCharts(layout: string): Promise<Omit<KeptDesk, 'editor'> | null> {
  const found = await server.takeDesk(layout).catch(() => null);
  return isCharts(found) ? found : null;
}

/** The name by which the studio knows this tab's unsaved text. */
export function pageName(): string {
  const known = sessionStorage.getItem(PAGE);
  if (known !== null && /^[a-z0-9]{1,40}$/.test(known)) return known;
  const made = crypto.randomUUID().replaceAll('-', '');
  sessionStorage.setItem(PAGE, made);
  return made;
}

let lastDraft: string | null | undefined;

/** Send the editor's text to the studio while it is not saved, and remove it there once it is saved. */
export async function keepDraft(pine: Pine): Promise<void> {
  const draft = pine.changed.value() ? pine.source() : null;
  if (draft === lastDraft) return;
  lastDraft = draft;
  const script = pine.script.value();
  const value = draft === null ? null : { name: pine.name, script: script?.scriptIdPart ?? '', version: script?.version ?? '', text: draft };
  try {
    await server.putDraft(pageName(), value === null ? null : { ...value, modified: Math.floor(Date.now() / 1000) });
  } catch {
    lastDraft = undefined; // asked again with the next change; the tab has it in any case
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isText = (value: unknown): value is string => typeof value === 'string';

function isDesk(value: unknown): value is KeptDesk {
  return isCharts(value) && isEditor((value as { editor?: unknown }).editor);
}

function isCharts(value: unknown): value is Omit<KeptDesk, 'editor'> {
  return (
    isRecord(value) &&
    isText(value['layout']) &&
    isText(value['arrangement']) &&
    typeof value['active'] === 'number' &&
    Array.isArray(value['charts']) &&
    value['charts'].every(isChart)
  );
}

/** Whether this is a stored chart. */
export function isChart(value: unknown): value is KeptChart {
  return (
    isRecord(value) &&
    isText(value['symbol']) &&
    isText(value['resolution']) &&
    typeof value['type'] === 'number' &&
    Array.isArray(value['studies']) &&
    value['studies'].every((study) => isRecord(study) && isText(study['id']) && isRecord(study['meta']) && Array.isArray(study['inputs'])) &&
    (value['shapes'] === undefined || (Array.isArray(value['shapes']) && value['shapes'].every(isShape)))
  );
}

function isShape(value: unknown): value is KeptShape {
  return isRecord(value) && isText(value['id']) && isText(value['name']) && Array.isArray(value['points']) && isRecord(value['properties']);
}

function isEditor(value: unknown): value is KeptText {
  const script = isRecord(value) ? value['script'] : undefined;
  return (
    isRecord(value) &&
    isText(value['text']) &&
    (value['savedText'] === null || isText(value['savedText'])) &&
    typeof value['draft'] === 'number' &&
    (script === null || isScript(script))
  );
}

function isScript(value: unknown): value is SavedScript {
  return isRecord(value) && isText(value['scriptIdPart']) && isText(value['scriptName']) && isText(value['version']);
}
