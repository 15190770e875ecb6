// One chart with its legend on top.
import { useEffect, useRef, useState, type CSSProperties, type MouseEvent } from 'react';
import { faults } from '../faults';
import { levelsOf } from '../model/alerts';
import type { Chart, TimeRange } from '../model/chart';
import { timeZone } from '../model/preferences';
import { isIntraday, resolutionLabel } from '../model/resolution';
import { changeText, fixedText } from '../model/formats';
import { colorAt, isShownAt, opaque, valueText } from '../model/plots';
import type { Study } from '../model/study';
import { dateText } from '../model/zones';
import type { RunError, RunResult } from '../server';
import { useWatched } from '../watched';
import { useWorkspace } from './context';
import { ChartCorner } from './ChartCorner';
import { DrawingProperties } from './DrawingProperties';
import { DrawnChart, type PlotArea } from './drawnChart';
import { Icon, type IconName } from './icons';
import { MADE_UP } from './madeUp';
import { chartMenu, openMenu, shapeMenu, showSource, studyMenu } from './menus';
import { useFaults } from './useFaults';

/** The pixels by which a pointer may move in a click. */
const CLICK = 4;

export function ChartPane({ chart, area }: { chart: Chart; area: string }) {
  const workspace = useWorkspace();
  const active = useWatched(workspace.active) === chart;
  const many = useWatched(workspace.charts).length > 1;
  const canvas = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState<DrawnChart | null>(null);
  const zone = useWatched(timeZone);
  const symbol = useWatched(chart.symbol);
  const before = useRef<{ chart: Chart; shown: TimeRange | null } | null>(null);
  const picking = useWatched(workspace.picking);
  const pressed = useRef({ x: 0, y: 0 });
  /** Give the clicked place to the field that waits for one. A chart that was moved was not clicked. */
  const pick = (event: MouseEvent) => {
    if (picking?.chart !== chart || Math.hypot(event.clientX - pressed.current.x, event.clientY - pressed.current.y) > CLICK) return;
    const point = drawn?.pointAt(event.clientX, event.clientY) ?? null;
    if (point === null) return;
    event.stopPropagation();
    workspace.picking.setValue(null);
    picking.take(point);
  };
  // In another time zone other bars begin the day: the chart is drawn anew, and shows the same bars.
  useEffect(() => {
    if (canvas.current === null) return;
    const made = new DrawnChart(canvas.current, chart, workspace.drawing, before.current?.chart === chart ? before.current.shown : null);
    setDrawn(made);
    return () => {
      before.current = { chart, shown: made.visibleBars() };
      made.dispose();
    };
  }, [chart, zone, workspace]);
  const alerts = useWatched(workspace.alerts.all);
  const resolution = useWatched(chart.resolution);
  useEffect(() => {
    const here = alerts.filter((alert) => alert.active && workspace.alerts.isOn(alert, chart) && alert.condition.series[0]?.type === 'barset');
    drawn?.setLevels(here.flatMap((alert) => levelsOf(alert).map((price) => ({ price, move: (to: number) => workspace.alerts.moveLevel(alert, price, to) }))));
  }, [alerts, chart, drawn, resolution, symbol, workspace]);
  return (
    <section
      className={active && many ? 'chart-container chart-container--active' : 'chart-container'}
      style={{ gridArea: area }}
      data-picking={picking?.chart === chart ? true : undefined}
      onPointerDownCapture={(event) => {
        pressed.current = { x: event.clientX, y: event.clientY };
        workspace.active.setValue(chart);
      }}
      onClickCapture={(event) => {
        workspace.active.setValue(chart);
        pick(event);
      }}
      onContextMenu={(event) => {
        if (drawn === null || drawn.isOnScales(event.target)) return; // the corner has a menu for these
        const hit = drawn.hitAt(event.clientX, event.clientY);
        if (hit !== null) openMenu(workspace, event, hit.title, shapeMenu(workspace, chart, drawn, hit));
        else openMenu(workspace, event, `Chart of ${chart.symbol.value()}`, chartMenu(workspace, chart, drawn, event.clientX, event.clientY));
      }}
    >
      <div className="chart-markup-table" ref={canvas} tabIndex={0} role="application" aria-label={`Chart of ${symbol}`} />
      {drawn !== null && <Legend chart={chart} drawn={drawn} />}
      {drawn !== null && <ChartCorner chart={chart} drawn={drawn} />}
      {drawn !== null && <DrawingTip drawn={drawn} />}
      {drawn !== null && <DrawingProperties chart={chart} drawn={drawn} />}
      <Loading chart={chart} />
      <Problem chart={chart} />
    </section>
  );
}

/** The tooltip of the label or the cell under the pointer. */
function DrawingTip({ drawn }: { drawn: DrawnChart }) {
  const tip = useWatched(drawn.tip);
  if (tip === null) return null;
  const onRight = tip.x > drawn.element.clientWidth / 2;
  const across = onRight ? { right: drawn.element.clientWidth - tip.x + 10 } : { left: tip.x + 10 };
  return (
    <div className="drawing-tip" role="tooltip" style={{ top: tip.y + 12, ...across }}>
      {tip.text}
    </div>
  );
}

function Legend({ chart, drawn }: { chart: Chart; drawn: DrawnChart }) {
  const symbol = useWatched(chart.symbol);
  const resolution = useWatched(chart.resolution);
  const info = useWatched(chart.info);
  const bars = useWatched(chart.bars);
  const pointed = useWatched(drawn.pointed);
  const studies = useWatched(chart.studies);
  const tops = useWatched(drawn.paneTops);
  const height = useWatched(drawn.pricesHeight);
  const area = useWatched(drawn.plotArea);
  const look = useWatched(chart.look);
  const index = pointed ?? bars.length - 1;
  const bar = bars[index];
  const before = bars[index - 1];
  const decimals = info?.decimals ?? 2;
  const rows = (own: boolean) =>
    studies
      .filter((study) => tops.has(study) === own)
      .map((study) => <StudyRow key={study.id} chart={chart} drawn={drawn} study={study} index={index} decimals={decimals} top={tops.get(study)} />);
  return (
    <div className="legend" data-name="legend" style={legendStyle(area)}>
      <div className="legend__prices" style={height > 0 ? { maxHeight: height - 10 } : undefined}>
      <div className="legend__main">
        {!faults.noLegend && (
          <span data-name="legend-source-title" className="legend__title">
            {symbol}
          </span>
        )}
        <span className="legend__detail">{info?.description}</span>
        <span className="legend__dot">·</span>
        <span>{resolutionLabel(resolution)}</span>
        {info !== null && (
          <span
            className="tag"
            title={info.own ? ['Prices from your file', ...info.read].join('\n') : 'Synthetic prices of a sample market, the same on every machine'}
          >
            {info.own ? `your data${info.made_up ? ', made up' : ''}` : MADE_UP}
          </span>
        )}
        {bar !== undefined && (
          <span className={bar[4] >= (before?.[4] ?? bar[1]) ? 'legend__values up' : 'legend__values down'}>
            {look.prices && (['O', 'H', 'L', 'C'] as const).map((letter, i) => (
              <span key={letter}>
                <i>{letter}</i>
                {fixedText(bar[i + 1] ?? 0, decimals)}
              </span>
            ))}
            {look.change && <span>{changeText(bar[4], before?.[4] ?? bar[1], decimals)}</span>}
            <span className="legend__date">{dateText(bar[0], drawn.zone, isIntraday(resolution))}</span>
          </span>
        )}
      </div>
      {rows(false)}
      </div>
      {rows(true)}
    </div>
  );
}

/** The legend lies between the axes, and so does every row of it. */
const legendStyle = ({ left, width }: PlotArea): CSSProperties =>
  width === 0 ? {} : ({ left: left + 12, maxWidth: width - 20, '--legend-room': `${width - 20}px` } as CSSProperties);

/** The actions for the pane of a study. */
const PANE_BUTTONS: readonly { label: string; icon: IconName; act: (of: { chart: Chart; drawn: DrawnChart; study: Study }) => void }[] = [
  { label: 'Move pane up', icon: 'up', act: ({ chart, study }) => chart.moveStudy(study, -1) },
  { label: 'Move pane down', icon: 'down', act: ({ chart, study }) => chart.moveStudy(study, 1) },
  { label: 'Maximise pane', icon: 'fullscreen', act: ({ drawn, study }) => drawn.maximisePane(study) },
  { label: 'Collapse pane', icon: 'collapse', act: ({ drawn, study }) => drawn.collapsePane(study) },
];

interface StudyRowProps {
  chart: Chart;
  drawn: DrawnChart;
  study: Study;
  index: number;
  decimals: number;
  /** The top of its own pane; undefined if it is over the prices. */
  top: number | undefined;
}

function StudyRow({ chart, drawn, study, index, decimals, top }: StudyRowProps) {
  const workspace = useWorkspace();
  const { dialog } = workspace;
  const visible = useWatched(study.visible);
  useWatched(study.label);
  useWatched(study.styles);
  const result = useWatched(study.result);
  const state = useWatched(study.state);
  useWatched(study.inputs);
  const differences = result?.differences ?? [];
  const settings = () => dialog.setValue({ kind: 'study', chart, study });
  return (
    <div
      className={`legend__study${visible ? '' : ' legend__study--hidden'}${top === undefined ? '' : ' legend__study--pane'}`}
      style={top === undefined ? undefined : { top }}
      data-name="legend-source-item"
      onContextMenu={(event) => openMenu(workspace, event, study.title, studyMenu(workspace, chart, study))}
    >
      <span data-name="legend-study-title" onDoubleClick={settings}>
        {study.title}
      </span>
      {visible && result !== null && state.kind !== 'failed' && <PlotValues study={study} result={result} index={index} decimals={decimals} />}
      {visible && state.kind === 'done' && study.isCompared && <ComparedChange drawn={drawn} study={study} index={index} />}
      {state.kind === 'running' && <span className="legend__detail">…</span>}
      {state.kind === 'failed' && <StudyProblem chart={chart} study={study} problem={state.problem} line={state.line} offer={state.offer} />}
      {result !== null && result.notes.length > 0 && (
        <span className="tag" title={result.notes.join('\n')}>
          {result.notes.length === 1 ? 'note' : 'notes'}
        </span>
      )}
      {differences.length > 0 && (
        <button
          className="tag legend__differences"
          data-name="study-differences"
          title="Differences between this script here and on TradingView"
          onClick={() => dialog.setValue({ kind: 'differences', name: study.shortName, told: differences })}
        >
          {differences.length === 1 ? '1 difference' : `${differences.length} differences`}
        </button>
      )}
      <button className="legend__button" aria-label={`Settings of ${study.shortName}`} title="Settings" onClick={settings}>
        <Icon name="settings" size={14} />
      </button>
      <button
        className="legend__button"
        aria-label={visible ? 'Hide' : 'Show'}
        title={visible ? 'Hide' : 'Show'}
        onClick={() => study.visible.setValue(!visible)}
      >
        <Icon name={visible ? 'eye' : 'eyeOff'} size={14} />
      </button>
      <button className="legend__button" aria-label={`Source code of ${study.shortName}`} title="Source code" onClick={() => showSource(workspace, study)}>
        <Icon name="code" size={14} />
      </button>
      {top !== undefined &&
        PANE_BUTTONS.map(({ label, icon, act }) => (
          <button key={label} className="legend__button" aria-label={label} title={label} onClick={() => act({ chart, drawn, study })}>
            <Icon name={icon} size={14} />
          </button>
        ))}
      <button className="legend__button" aria-label="Remove" title="Remove" onClick={() => chart.remove(study.id)}>
        <Icon name="close" size={14} />
      </button>
      <button
        className="legend__button"
        aria-label={`More for ${study.shortName}`}
        title="More"
        aria-haspopup="menu"
        onClick={(event) => openMenu(workspace, event, study.title, studyMenu(workspace, chart, study))}
      >
        <Icon name="more" size={14} />
      </button>
    </div>
  );
}

/** How far a compared symbol is from its first visible value. */
function ComparedChange({ drawn, study, index }: { drawn: DrawnChart; study: Study; index: number }) {
  useWatched(drawn.firstShown);
  const text = drawn.changeOf(study, index);
  if (text === null) return null;
  return (
    <span className={text.startsWith('−') ? 'legend__plots down' : 'legend__plots up'} data-name="compared-change" title="Change from the first visible bar">
      {text}
    </span>
  );
}

function PlotValues({ study, result, index, decimals }: { study: Study; result: RunResult; index: number; decimals: number }) {
  const plots = study.plots().filter(({ output }) => isShownAt(output, 'statusLine'));
  if (plots.length === 0) return null;
  return (
    <span className="legend__plots">
      {plots.map(({ title, output, values }) => (
        <span key={title} title={title} style={{ color: opaque(colorAt(output, index) ?? 0x8a94a6ff) }}>
          {valueText(values[index], result.declared, decimals, output)}
        </span>
      ))}
    </span>
  );
}

interface ProblemProps {
  chart: Chart;
  study: Study;
  problem: string;
  line: number | null;
  offer: RunError['offer'];
}

/** The interval that is offered where a script does not want the chart's. */
const OTHER = { intraday: '15', daily: '1D' };

/** The reason why a study shows nothing, beside its name as on TradingView. A click goes to the line; another button offers help. */
function StudyProblem({ chart, study, problem, line, offer }: ProblemProps) {
  const workspace = useWorkspace();
  const { pine } = workspace;
  const text = line === null ? problem : `Line ${line}: ${problem}`;
  const other = isIntraday(useWatched(chart.resolution)) ? OTHER.daily : OTHER.intraday;
  const go = () => {
    workspace.openEditor();
    if (line !== null && study.scriptKey === pine.key) pine.reveal(line, 1);
  };
  return (
    <>
      <button className="legend__problem" data-name="study-error" title={text} onClick={go}>
        <b aria-hidden="true">!</b> {text}
      </button>
      {offer === 'interval' ? (
        <button className="tag legend__differences" data-name="study-offer" onClick={() => void chart.setResolution(other)}>
          Show {resolutionLabel(other)} bars
        </button>
      ) : (
        line !== null && study.scriptKey === pine.key && (
          <button className="tag legend__differences" data-name="study-offer" onClick={go}>
            Go to line {line}
          </button>
        )
      )}
    </>
  );
}

function Loading({ chart }: { chart: Chart }) {
  const loading = useWatched(chart.loading);
  useFaults();
  if (!loading && !faults.endlessLoading) return null;
  return (
    <div className="loader" data-name="loading" role="progressbar" aria-label="Loading">
      <span />
    </div>
  );
}

function Problem({ chart }: { chart: Chart }) {
  const problem = useWatched(chart.problem);
  const symbol = useWatched(chart.symbol);
  if (problem === null) return null;
  return (
    <div className="notice">
      <b>{problem}</b>
      <span>{symbol}</span>
    </div>
  );
}
