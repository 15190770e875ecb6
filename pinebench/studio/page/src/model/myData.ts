// Bars that a person brings: files that are dropped or chosen, exchanges, and a folder that the studio watches.
import { server, type TakenData } from '../server';
import { Watched } from '../watched';
import type { Workspace } from './workspace';

export const ENDINGS = ['.csv', '.parquet', '.pq'];

/** Whether a person drags files over the page. */
export const dropping = new Watched(false);

const isData = (file: File): boolean => ENDINGS.some((ending) => file.name.toLowerCase().endsWith(ending));

/** Chart files. For each file that cannot be charted, say why. */
export async function chartFiles(workspace: Workspace, files: readonly File[]): Promise<void> {
  for (const file of files) {
    if (isData(file)) await chart(workspace, file.name, () => server.putData(file.name, file));
    else workspace.notices.show({ title: `${file.name} is not charted`, text: 'Drop a CSV or Parquet file with the columns time, open, high, low, close.' });
  }
}

/** Chart the last bars of an exchange: `ccxt:binance:BTC/USDT:15m`. */
export const chartExchange = (workspace: Workspace, name: string): Promise<void> => chart(workspace, name, () => server.fetchData(name));

async function chart(workspace: Workspace, name: string, take: () => Promise<TakenData>): Promise<void> {
  try {
    const { symbol, resolution, bars } = await take();
    const active = workspace.active.value();
    void active.setSymbol(symbol);
    await active.setResolution(resolution);
    workspace.notices.show({ title: `${name} is on the chart`, text: `${symbol}, ${bars.toLocaleString('en')} bars. Search for the symbol to find it again.` });
  } catch (error) {
    workspace.notices.show({ title: `${name} is not charted`, text: error instanceof Error ? error.message : String(error) });
  }
}

/** From now on accept files that are dropped anywhere on the page. */
export function takeDroppedFiles(workspace: Workspace): void {
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
  const over = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.stopPropagation();
    dropping.setValue(true);
  };
  window.addEventListener('dragenter', over, true);
  window.addEventListener('dragover', over, true);
  window.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) dropping.setValue(false);
  });
  window.addEventListener(
    'drop',
    (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.stopPropagation();
      dropping.setValue(false);
      void chartFiles(workspace, [...(event.dataTransfer?.files ?? [])]);
    },
    true,
  );
}

let generation: number | null = null;
let told = '';

/** Read the server's news about its folder: show files that changed, and say which cannot be charted. */
export function followFolder(workspace: Workspace, data: { generation: number; problems: readonly string[] }): void {
  if (generation !== null && data.generation !== generation) {
    for (const chart of workspace.charts.value()) {
      if (chart.info.value()?.own === true || chart.problem.value() !== null) void chart.reload();
    }
  }
  generation = data.generation;
  const problems = data.problems.join('\n');
  if (problems !== told && problems !== '') workspace.notices.show({ title: 'A file cannot be charted', text: problems });
  told = problems;
}
