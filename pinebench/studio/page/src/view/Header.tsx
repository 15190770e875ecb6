// The bar across the top: symbol, resolution, chart type, indicators, layout, picture, full screen.
import { CHART_TYPES, refusalOf } from '../model/chart';
import { theme } from '../model/preferences';
import { INTERVALS, intervalText, RESOLUTIONS } from '../model/resolution';
import { ARRANGEMENTS, chartsIn } from '../model/workspace';
import { useWatched } from '../watched';
import { useWorkspace } from './context';
import { Icon, Logo } from './icons';
import { Menu } from './Menu';
import { StudioMarket } from '../market/StudioMarket';

export function Header() {
  const workspace = useWorkspace();
  const chart = useWatched(workspace.active);
  const symbol = useWatched(chart.symbol);
  const type = useWatched(chart.type);
  const layout = useWatched(workspace.layouts.current);
  const layouts = useWatched(workspace.layouts.all);
  const arrangement = useWatched(workspace.arrangement);
  const loggedOut = useWatched(workspace.loggedOut);
  const dark = useWatched(theme) === 'dark';
  const drawing = useWatched(workspace.drawing.barOpen);
  const replaying = useWatched(workspace.replay.toolbar);
  return (
    <header className="header toolbar" aria-label="Chart toolbar">
      <span className="header__brand">
        <Logo />
        <h1 className="header__name">pinebench</h1>
      </span>
      <i className="divider" />
      <button
        className="button button--square"
        id="header-toolbar-symbol-search"
        aria-label="Change symbol"
        title="Change symbol"
        onClick={() => workspace.dialog.setValue({ kind: 'symbol' })}
      >
        <Icon name="search" size={16} />
      </button>
      <label className="header__symbol" htmlFor="header-toolbar-symbol-search">
        {symbol.split(':').pop()}
      </label>
      <i className="divider" />
      <Resolutions />
      <Intervals />
      <i className="divider" />
      <Menu
        name="header-toolbar-chart-styles"
        title="Chart type"
        label={
          <>
            <Icon name="candles" />
            <span className="wide">{CHART_TYPES.find((known) => known.id === type)?.name ?? 'Candles'}</span>
          </>
        }
        items={CHART_TYPES.map(({ id, name, drawn }) => ({
          label: name,
          detail: drawn === false ? 'not here' : undefined,
          selected: id === type,
          choose: () => {
            const refusal = refusalOf(id);
            if (refusal === null) chart.setType(id);
            else workspace.notices.show({ title: name, text: refusal });
          },
        }))}
      />
      <button
        className="button"
        data-name="open-indicators-dialog"
        title="Indicators"
        onClick={() => workspace.dialog.setValue({ kind: 'indicators' })}
      >
        <Icon name="indicators" />
        <span className="wide">Indicators</span>
      </button>
      <button
        className="button button--square"
        id="header-toolbar-compare"
        aria-label="Compare"
        title="Compare with another symbol"
        onClick={() => workspace.dialog.setValue({ kind: 'compare' })}
      >
        <Icon name="compare" />
      </button>
      <button
        className="button button--square"
        id="header-toolbar-alerts"
        aria-label="Create Alert"
        title="Create an alert"
        onClick={() => workspace.dialog.setValue({ kind: 'alert' })}
      >
        <Icon name="bell" />
      </button>
      <button
        className="button button--square"
        id="header-toolbar-replay"
        aria-label="Bar replay"
        title="Replay"
        aria-pressed={replaying}
        onClick={() => (replaying ? workspace.replay.stop() : workspace.replay.toolbar.setValue(true))}
      >
        <Icon name="replay" />
      </button>
      <button
        className="button button--square"
        data-name="header-toolbar-drawings"
        aria-label="Drawing tools"
        title="Show or hide the drawing tools"
        aria-pressed={drawing}
        onClick={() => workspace.drawing.barOpen.setValue(!drawing)}
      >
        <Icon name="pencil" />
      </button>
      <StudioMarket />
      <UndoRedo />
      <span className="grow" />
      <Menu
        name="header-toolbar-arrangement"
        title="Arrange charts"
        label={<Icon name="layout" />}
        items={arrangements.map(([code, { name }]) => ({
          label: name,
          detail: code,
          selected: code === arrangement,
          choose: () => workspace.arrange(code),
        })).concat(
          (['crosshair', 'symbol', 'interval'] as const).map((what) => ({
            label: `Charts share the ${what}`,
            detail: workspace.sync[what].value() ? 'on' : 'off',
            selected: false,
            choose: () => workspace.sync[what].setValue(!workspace.sync[what].value()),
          })),
        )}
      />
      <Menu
        name="save-load-menu"
        title="Layouts"
        label={<span>{layout.name}</span>}
        items={[
          { label: 'Save layout', choose: () => void workspace.layouts.save().catch(workspace.pine.complain) },
          { label: 'Save layout as…', choose: () => workspace.layouts.askName() },
          'line',
          ...layouts.map((known) => ({
            label: known.name,
            detail: `${known.symbol.split(':').pop() ?? ''} · ${known.resolution}`,
            selected: known.id === layout.id,
            choose: () => void workspace.layouts.open(known),
          })),
        ]}
      />
      <i className="divider" />
      <button
        className="button button--square"
        id="header-toolbar-screenshot"
        aria-label="Take a picture of the chart"
        title="Save a picture of the chart"
        onClick={() => savePicture(chart.view?.picture(), symbol)}
      >
        <Icon name="camera" />
      </button>
      <button
        className="button button--square"
        data-name="header-toolbar-theme"
        aria-label={dark ? 'Light theme' : 'Dark theme'}
        title={dark ? 'Light theme' : 'Dark theme'}
        onClick={() => theme.setValue(dark ? 'light' : 'dark')}
      >
        <Icon name={dark ? 'sun' : 'moon'} />
      </button>
      <button
        className="button button--square"
        data-name="header-toolbar-fullscreen"
        aria-label="Fullscreen mode"
        title="Full screen"
        onClick={() => void toggleFullScreen()}
      >
        <Icon name="fullscreen" />
      </button>
      {loggedOut && (
        <button className="button button--accent" onClick={() => workspace.dialog.setValue({ kind: 'signIn' })}>
          Sign in
        </button>
      )}
    </header>
  );
}

function UndoRedo() {
  const { history } = useWorkspace();
  const [undo, redo] = [useWatched(history.canUndo), useWatched(history.canRedo)];
  return (
    <span className="wide">
      <button
        className="button button--square"
        data-name="undo"
        aria-label="Undo"
        title="Undo the last change to the charts (Ctrl+Z)"
        disabled={!undo}
        onClick={() => history.undo()}
      >
        <Icon name="undo" />
      </button>
      <button className="button button--square" data-name="redo" aria-label="Redo" title="Redo (Ctrl+Y)" disabled={!redo} onClick={() => history.redo()}>
        <Icon name="redo" />
      </button>
    </span>
  );
}

/** Numbers as keys would come before all words, so the order is defined here: by the number of charts. */
const arrangements = Object.entries(ARRANGEMENTS).sort(([, a], [, b]) => chartsIn(a.rows) - chartsIn(b.rows));

function Resolutions() {
  const chart = useWatched(useWorkspace().active);
  const resolution = useWatched(chart.resolution);
  const known = RESOLUTIONS.some(({ name }) => name === resolution);
  return (
    <div className="segments" id="header-toolbar-intervals" role="radiogroup" aria-label="Chart interval">
      {!known && (
        <button className="segments__item" role="radio" aria-checked="true">
          {resolution}
        </button>
      )}
      {RESOLUTIONS.map(({ name, label, long }) => (
        <button
          key={name}
          className="segments__item"
          role="radio"
          data-value={name}
          aria-label={long}
          title={long}
          aria-checked={name === resolution}
          onClick={() => void chart.setResolution(name)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

/** All intervals, also those without a button. */
function Intervals() {
  const { active, dialog } = useWorkspace();
  const chart = useWatched(active);
  const resolution = useWatched(chart.resolution);
  const items = INTERVALS.flatMap((names, i) => [
    ...(i === 0 ? [] : (['line'] as const)),
    ...names.map((name) => ({ label: intervalText(name), selected: name === resolution, choose: () => void chart.setResolution(name) })),
  ]);
  return (
    <Menu
      name="header-toolbar-all-intervals"
      title="All intervals"
      label={<span className="unseen">All intervals</span>}
      items={[...items, 'line', { label: 'Another…', detail: 'a digit', choose: () => dialog.setValue({ kind: 'interval', typed: '' }) }]}
    />
  );
}

function savePicture(picture: HTMLCanvasElement | undefined, symbol: string): void {
  if (picture === undefined) return;
  const link = document.createElement('a');
  link.href = picture.toDataURL('image/png');
  link.download = `${symbol.replace(/\W/g, '_')}.png`;
  link.click();
}

async function toggleFullScreen(): Promise<void> {
  if (document.fullscreenElement !== null) await document.exitFullscreen();
  else await document.documentElement.requestFullscreen();
}
