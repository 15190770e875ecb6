// Starts the page: reads what was kept, makes the workspace, shows it, and tells the server when chart and editor answer.
import { createRoot } from 'react-dom/client';
import { installApi } from './api/install';
import { monaco } from './editor/monaco';
import { editorTheme, learnPine, setUpMonaco } from './editor/setup';
import { faults } from './faults';
import { listenToKeys } from './keyboard';
import { indicators } from './model/indicators';
import { watchConnection } from './model/connection';
import { keepChartsAgain, keepDesk, keepDraft, leftCharts, pageName, putBack, readDesk } from './model/kept';
import { formerOf, UNNAMED } from './model/layouts';
import { followFolder, takeDroppedFiles } from './model/myData';
import { theme } from './model/preferences';
import { tellOfScripts } from './model/scriptAlerts';
import { followOthers } from './model/together';
import { Workspace } from './model/workspace';
import { keepRequestsHere } from './network';
import { server, ServerError, type SavedLayout } from './server';
import { keepStrays } from './strays';
import './style/main.css';
import './style/notices.css';
import './style/drawing.css';
import './style/settings.css';
import './style/tester.css';
import './style/optimizer.css';
import './style/portfolio.css';
import './style/assistant.css';
import './style/inspector.css';
import './style/phone.css'; // the last word
import { App } from './view/App';
import { loadFonts } from './view/fonts';

declare global {
  interface Window {
    __PINEBENCH_STUDIO__?: { version: string; accountCorrupted?: boolean };
  }
}

window.__PINEBENCH_STUDIO__ = { version: document.querySelector<HTMLMetaElement>('meta[name="pinebench-studio"]')?.content ?? '' };
keepRequestsHere();

/** Milliseconds for which a page with the fault `newLayout: slow` neither starts nor shows the new layout. */
const SLOW = 700;

async function start(): Promise<void> {
  const former = faults.newLayout === '' ? null : formerOf(urlOfAddress());
  if (former !== null && faults.newLayout === 'slow') await new Promise((done) => setTimeout(done, SLOW));
  if (former !== null && faults.newLayout === 'sign-in') faults.question = 'sign-in';
  const problems: string[] = [];
  const words = server.words();
  words.catch(() => undefined); // told where it is waited for
  const [layouts, watchlist] = await Promise.all([
    kept<SavedLayout>('layouts', problems),
    kept<string>('watchlist', problems),
    loadFonts(),
  ]);
  setUpMonaco();
  followTheme();
  if (faults.globalMonaco) window.monaco = monaco;
  const desk = readDesk();
  const left = desk === null ? await leftCharts(urlOfAddress()) : null;
  const wanted = layoutOfAddress(layouts, left?.layout);
  const opened = layouts.find(({ url }) => url === former) ?? wanted;
  const workspace = new Workspace(layouts, watchlist, opened);
  if (former !== null && faults.newLayout === 'slow') setTimeout(() => void workspace.layouts.open(wanted), 2 * SLOW);
  if (left !== null && left.layout === opened.url) {
    workspace.restore(left);
    workspace.notices.show({ title: 'Your charts are back', text: 'The studio ended before they were saved as a layout.' });
  }
  const restored = desk === null ? null : putBack(workspace, desk, opened.url); // before the page is drawn, so that no chart is drawn twice
  restored?.catch(() => undefined); // told where it is waited for
  await learnPine(words, (text) => workspace.pine.say('info', text)).catch(workspace.pine.complain);
  installApi(workspace);
  workspace.replay.corrupted.subscribe((corrupted) => {
    if (window.__PINEBENCH_STUDIO__ !== undefined) window.__PINEBENCH_STUDIO__.accountCorrupted = corrupted;
  });
  keepStrays();
  listenToKeys(workspace);
  keepTitle(workspace);
  const root = document.getElementById('root');
  if (root !== null) createRoot(root).render(<App workspace={workspace} />);
  for (const problem of problems) workspace.pine.say('error', problem);
  await (restored ?? workspace.pine.openLatest()).catch(workspace.pine.complain);
  keepDesk(workspace);
  followOthers(workspace);
  tellOfScripts(workspace);
  takeDroppedFiles(workspace);
  watchConnection(
    () => {
      workspace.pine.checkSoon();
      void keepDraft(workspace.pine);
      keepChartsAgain(workspace);
    },
    (news) => followFolder(workspace, news),
  );
  if (desk === null) void workspace.pine.lookForDrafts(pageName());
  await comeUp(workspace);
  await server.ready().catch(() => undefined); // `watchConnection` says it; the page stays, with what was typed
  await indicators().catch(() => undefined); // asked for again when one is wanted
}

/** A list from the studio. If the stored list is damaged, an empty list and a message. */
async function kept<T>(name: string, problems: string[]): Promise<T[]> {
  try {
    return await server.document<T[]>(name);
  } catch (error) {
    if (!(error instanceof ServerError) || error.status !== 500) throw error;
    problems.push(`${error.message}. It starts empty. The old content stays in the store as "damaged ${name}" once you change it.`);
    return [];
  }
}

/** The layout that the address names; empty if it names none. */
const urlOfAddress = (): string => /^\/chart\/(\w+)/.exec(location.pathname)?.[1] ?? '';

function layoutOfAddress(layouts: readonly SavedLayout[], otherwise = ''): SavedLayout {
  const url = urlOfAddress() || otherwise;
  return layouts.find((layout) => layout.url === url) ?? layouts[0] ?? UNNAMED;
}

/** Give the whole page the chosen theme. */
function followTheme(): void {
  const show = () => {
    document.documentElement.dataset['theme'] = theme.value();
    monaco.editor.setTheme(editorTheme());
  };
  theme.subscribe(show);
  show();
}

function keepTitle(workspace: Workspace): void {
  const update = () => {
    const chart = workspace.active.value();
    const last = chart.bars.value().at(-1);
    const price = last === undefined ? '' : ` ${last[4].toFixed(chart.info.value()?.decimals ?? 2)}`;
    document.title = `${chart.symbol.value().split(':').pop() ?? ''}${price} · pinebench studio`;
  };
  const follow = () => {
    workspace.active.value().bars.subscribe(update);
    update();
  };
  workspace.active.subscribe(follow);
  follow();
}

/** Wait until chart and editor answer. Nothing is asked again and again: while a page draws itself, timers come late. */
async function comeUp(workspace: Workspace): Promise<void> {
  const { active, pine } = workspace;
  while (active.value().loading.value() || !pine.mounted.value()) {
    await changeOf(active, active.value().loading, pine.mounted);
  }
}

/** Wait until one of some values changes. */
async function changeOf(...all: { subscribe: (listener: () => void) => () => void }[]): Promise<void> {
  const forget: (() => void)[] = [];
  await new Promise<void>((done) => forget.push(...all.map((each) => each.subscribe(() => done()))));
  for (const each of forget) each();
}

/** The message when the page cannot start, usually because its server has ended. */
function giveUp(error: unknown): void {
  const root = document.getElementById('root');
  if (root === null) return;
  root.className = 'notice';
  root.textContent = `The studio could not start: ${error instanceof Error ? error.message : String(error)}`;
}

if (!faults.shellOnly) start().catch(giveUp);
