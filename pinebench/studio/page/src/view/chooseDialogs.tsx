// The dialogs in which one of many is chosen: a symbol, an indicator, a script, a version, a text left behind.
import { useRef } from 'react';
import { faults } from '../faults';
import { StudyLimitReached } from '../model/chart';
import { findIndicator, indicators } from '../model/indicators';
import { pageName } from '../model/kept';
import { chartExchange, chartFiles, ENDINGS } from '../model/myData';
import { theme } from '../model/preferences';
import { Study } from '../model/study';
import { server, type Draft, type SavedScript, type Template } from '../server';
import { useWatched } from '../watched';
import { ChoiceDialog, type Choice } from './ChoiceDialog';
import { useWorkspace } from './context';
import { useClose } from './Frame';
import { IndicatorPicture } from './IndicatorPicture';

// Sweden writes dates as everybody can read them: 2026-11-22 12:08, by the clock of this computer.
const minute = (seconds: number): string => new Date(seconds * 1000).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
const day = (seconds: number): string => minute(seconds).slice(0, 10);

function matching(choices: readonly Choice[], text: string): readonly Choice[] {
  const wanted = text.trim().toLowerCase();
  return choices.filter((choice) => `${choice.name} ${choice.detail}`.toLowerCase().includes(wanted));
}

/** Choices that are fetched once and searched here. */
function useOnce(load: () => Promise<readonly Choice[]>): (text: string) => Promise<readonly Choice[]> {
  const find = useRef<((text: string) => Promise<readonly Choice[]>) | null>(null);
  if (find.current === null) {
    let all: Promise<readonly Choice[]> | null = null;
    find.current = async (text) => matching(await (all ??= load()), text);
  }
  return find.current;
}

export async function findSymbols(text: string): Promise<readonly Choice[]> {
  const symbols = await server.symbols(text);
  return symbols.map((s) => ({ key: s.full_name, name: s.symbol, detail: s.description, side: [s.exchange, s.type].filter(Boolean).join(' · ') }));
}

interface SymbolProps {
  title: string;
  typed?: string;
  choose: (symbol: string) => void;
  /** Whether a symbol that is not in the list may be requested anyway. */
  lenient?: boolean;
}

/** How the user's own bars get on the chart. */
function HowToChartMyData() {
  return (
    <div className="my-data" data-name="my-data">
      <p>No symbol matches. To chart your own data:</p>
      <ul>
        <li>drop a CSV or Parquet file onto this page (time, open, high, low, close, volume), or choose one below;</li>
        <li>
          start with <code>pinebench studio --data FOLDER</code>: files named like NASDAQ_AAPL_60.csv are charted, and followed as they change;
        </li>
        <li>
          type a name such as <code>binance:BTCUSDT:1h</code>, <code>yahoo:AAPL:1d</code> or <code>ccxt:kraken:BTC/USD:1h</code> and press Enter.
        </li>
      </ul>
    </div>
  );
}

/** A way to choose files without dropping them: on a phone, or with the keyboard alone. */
function OpenFile() {
  const workspace = useWorkspace();
  const close = useClose();
  return (
    <div className="my-data">
      <label className="button my-data__file">
        Open a file of bars…
        <input
          type="file"
          accept={ENDINGS.join(',')}
          multiple
          onChange={(event) => {
            const files = [...(event.target.files ?? [])];
            close();
            void chartFiles(workspace, files);
          }}
        />
      </label>
    </div>
  );
}

export function SymbolDialog({ title, typed, choose, lenient = false }: SymbolProps) {
  const workspace = useWorkspace();
  const ask = (text: string) => {
    if (/^(?:ccxt:|(?:binance|yahoo|feargreed):.+:)/.test(text)) void chartExchange(workspace, text);
    else choose(text.toUpperCase());
  };
  return (
    <ChoiceDialog
      title={title}
      name="symbol-search-items-dialog"
      hint="Symbol or name"
      typed={typed}
      nothing={lenient ? <HowToChartMyData /> : <p>No symbol matches.</p>}
      foot={lenient ? <OpenFile /> : undefined}
      find={findSymbols}
      fallback={lenient ? ask : undefined}
      choose={choose}
    />
  );
}

/** The version of each saved script when the page listed it first. */
const catalogue = new Map<string, string>();

const TEMPLATE = 'template ';
const OWN = 'script ';

/** Indicators of the studio, the user's own scripts, and the templates. */
export function IndicatorsDialog() {
  const workspace = useWorkspace();
  const { pine } = workspace;
  const templates = useRef<readonly Template[]>([]);
  const find = useOnce(async () => {
    const [offered, own, known] = await Promise.all([indicators(), pine.listScripts(), server.templates().catch(() => [])]);
    templates.current = known;
    for (const { scriptIdPart, version } of own) catalogue.set(scriptIdPart, catalogue.get(scriptIdPart) ?? version);
    const isDark = theme.value() === 'dark';
    return [
      ...offered.map(({ metaInfo: { description, shortDescription } }) => ({ key: description, name: description, detail: '', side: shortDescription, picture: server.picture('indicator', description, isDark) })),
      ...own
        .filter(({ kind }) => kind !== 'library')
        .map(({ scriptIdPart, scriptName, kind }) => ({ key: OWN + scriptIdPart, name: scriptName, detail: kind, side: 'your script', picture: server.picture('script', scriptIdPart, isDark) })),
      ...known.map(({ name, title, kind }) => ({ key: TEMPLATE + name, name: title, detail: kind, side: 'template', picture: server.picture('template', name, isDark) })),
    ];
  });
  const chart = useWatched(workspace.active);
  const pictured = useRef(new Map<string, Promise<Study>>());
  const isScript = (key: string) => key.startsWith(OWN) || key.startsWith(TEMPLATE);
  /** A script as it is checked now, with what it stands for on a chart. */
  const script = async (key: string) => {
    const template = templates.current.find(({ name }) => TEMPLATE + name === key);
    const id = key.slice(OWN.length);
    const { source, version } = template === undefined ? await server.script(id, (faults.oldCatalogue && catalogue.get(id)) || 'last') : { source: template.source, version: '' };
    const checked = await server.check(source);
    if (!checked.ok) throw new Error('The script has errors; open it in the editor to see them.');
    if (template !== undefined) return { checked, source, id: key };
    return { checked: { ...checked, metaInfo: { ...checked.metaInfo, pine: { version } } }, source, id };
  };
  const add = async (key: string): Promise<unknown> => {
    if (!isScript(key)) return chart.addIndicator(key, {});
    const { checked, source, id } = await script(key);
    return chart.addScript(checked, source, id);
  };
  const sketch = async (key: string): Promise<Study> => {
    if (isScript(key)) {
      const { checked, source, id } = await script(key);
      return Study.ofScript(checked.metaInfo, source, checked.inputs, id);
    }
    const indicator = await findIndicator(key);
    if (indicator === undefined) throw new Error('There is no such indicator.');
    return Study.ofIndicator(indicator, {});
  };
  const study = (key: string): Promise<Study> => {
    const known = pictured.current.get(key) ?? sketch(key);
    pictured.current.set(key, known);
    return known;
  };
  return (
    <ChoiceDialog
      title="Indicators"
      name="indicators-dialog"
      hint="Search"
      nothing={<p>No indicator matches.</p>}
      preview={({ key, name }) => <IndicatorPicture chart={chart} name={name} study={() => study(key)} />}
      find={find}
      choose={(key) => {
        add(key).catch((error: unknown) => {
          if (error instanceof StudyLimitReached) workspace.dialog.setValue({ kind: 'studyLimit', text: error.message });
          else pine.complain(error);
        });
      }}
    />
  );
}

interface ScriptsProps {
  title: string;
  name: string;
  choose: (script: SavedScript) => void;
}

export function ScriptsDialog({ title, name, choose }: ScriptsProps) {
  const { pine } = useWorkspace();
  const scripts = useRef<readonly SavedScript[]>([]);
  const find = useOnce(async () => {
    scripts.current = await pine.listScripts();
    return scripts.current.map((script) => ({
      key: script.scriptIdPart,
      name: script.scriptName,
      detail: script.kind,
      side: `version ${script.version} · ${day(script.modified)}`,
    }));
  });
  return (
    <ChoiceDialog
      title={title}
      name={name}
      hint="Search"
      nothing={<p>No saved script matches.</p>}
      find={find}
      choose={(id) => {
        const script = scripts.current.find((known) => known.scriptIdPart === id);
        if (script !== undefined) choose(script);
      }}
    />
  );
}

export function VersionsDialog({ script }: { script: SavedScript }) {
  const { pine } = useWorkspace();
  const find = useOnce(async () =>
    (await server.versions(script.scriptIdPart)).map(({ version, modified, lines }, i) => ({
      key: version,
      name: `Version ${version}`,
      detail: i === 0 ? 'the newest' : '',
      side: `${lines} lines · ${minute(modified)}`,
    })),
  );
  return (
    <ChoiceDialog
      title={`Versions of ${script.scriptName}`}
      name="version-history-dialog"
      hint="Search"
      nothing={<p>No version matches.</p>}
      find={find}
      choose={(version) => void pine.openVersion(version).catch(pine.complain)}
    />
  );
}

export function DraftsDialog() {
  const { pine } = useWorkspace();
  const drafts = useRef<readonly Draft[]>([]);
  const find = useOnce(async () => {
    drafts.current = (await server.drafts()).filter((draft) => draft.page !== pageName());
    return drafts.current.map(({ page, name, lines, modified }) => ({
      key: page,
      name,
      detail: `${lines} lines`,
      side: minute(modified),
    }));
  });
  return (
    <ChoiceDialog
      title="Recover text that was not saved"
      name="recover-dialog"
      hint="Search"
      nothing={<p>There is none.</p>}
      find={find}
      choose={(page) => {
        const draft = drafts.current.find((known) => known.page === page);
        if (draft !== undefined) void pine.recover(draft).catch(pine.complain);
      }}
    />
  );
}
