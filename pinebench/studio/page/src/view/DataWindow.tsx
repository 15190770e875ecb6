// The data window: what every plot of every script says on the bar under the pointer, and bar by bar.
import { useEffect, useState } from 'react';
import type { Chart } from '../model/chart';
import { shownText, valueAt } from '../model/inspector';
import { countText, fixedText, NO_VALUE, shortText } from '../model/formats';
import { isShownAt, valueText, type Plot } from '../model/plots';
import { timeZone } from '../model/preferences';
import type { Study } from '../model/study';
import { momentText } from '../model/testerText';
import { server, type Bar } from '../server';
import { useWatched } from '../watched';
import { useWorkspace } from './context';
import { saveText } from './download';
import { Icon } from './icons';
import { useValues } from './Inspector';

/** The number of bars that the table shows before the user asks for all. */
const MOST_ROWS = 100;

interface Column {
  study: Study;
  plot: Plot;
}

export function DataWindow() {
  const chart = useWatched(useWorkspace().active);
  return <Data key={chart.symbol.value()} chart={chart} />;
}

function Data({ chart }: { chart: Chart }) {
  const { pine } = useWorkspace();
  const studies = useWatched(chart.studies);
  const bars = useWatched(chart.bars);
  const pointed = useWatched(chart.pointed);
  useWatched(timeZone);
  const [, again] = useState(0);
  const [all, setAll] = useState(false);
  useEffect(() => {
    const tell = () => again((count) => count + 1);
    const forget = studies.flatMap((study) => [study.result.subscribe(tell), study.state.subscribe(tell), study.visible.subscribe(tell), study.inputs.subscribe(tell)]);
    return () => forget.forEach((stop) => stop());
  }, [studies]);
  const columns: Column[] = studies
    .filter((study) => study.visible.value())
    .flatMap((study) => study.plots().filter(({ output }) => isShownAt(output, 'dataWindow')).map((plot) => ({ study, plot })));
  const at = pointed ?? bars.length - 1;
  const first = all ? 0 : Math.max(0, bars.length - MOST_ROWS);
  const rows = bars.slice(first).map((bar, i) => ({ bar, index: first + i })).reverse();
  const decimals = chart.info.value()?.decimals ?? 2;
  const text = ({ study, plot }: Column, index: number): string => {
    const result = study.result.value();
    return result === null ? NO_VALUE : valueText(plot.values[index], result.declared, decimals, plot.output);
  };
  return (
    <div className="dataWindow" data-name="data-window">
      <div className="console__head">
        <b>Data window</b>
        <span className="grow" />
        <button className="button" data-name="export-data" title="All bars of the chart as a CSV file, with times in UTC" onClick={() => void save(chart, bars, columns).catch(pine.complain)}>
          <Icon name="download" size={14} /> Export
        </button>
      </div>
      <div className="dataWindow__body">
        <dl data-name="data-window-bar" tabIndex={0} aria-label="Values of the bar">
          {bars[at] !== undefined && (
            <BarRows chart={chart} bar={bars[at]} volume={hasVolume(chart) ? bars[at][5] : null} decimals={decimals} />
          )}
          {columns.map((column, i) => (
            <div key={i}>
              <dt>
                {column.plot.title} <small>{column.study.shortName}</small>
              </dt>
              <dd>{text(column, at)}</dd>
            </div>
          ))}
          <Inputs studies={studies} />
          <Variables bar={at} />
        </dl>
        <div className="dataWindow__table" tabIndex={0} role="region" aria-label="Values bar by bar">
          <table className="strategyReport__table">
            <thead>
              <tr>
                <th scope="col">Bar</th>
                <th scope="col">Close</th>
                {columns.map(({ plot, study }, i) => (
                  <th key={i} scope="col" title={study.shortName}>
                    {plot.title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ bar, index }) => (
                <tr key={bar[0]} aria-current={index === at ? true : undefined}>
                  <th scope="row">{chart.barText(bar[0] * 1000)}</th>
                  <td>{fixedText(bar[4], decimals)}</td>
                  {columns.map((column, i) => (
                    <td key={i}>{text(column, index)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          {!all && bars.length > MOST_ROWS && (
            <button className="button" onClick={() => setAll(true)}>
              Show all {countText(bars.length)} bars
            </button>
          )}
        </div>
      </div>
    </div>
  );
}

/** The inputs of the studies that `display` does not keep from the data window. */
function Inputs({ studies }: { studies: readonly Study[] }) {
  return studies
    .filter((study) => study.visible.value())
    .flatMap((study) => study.inputsAt('dataWindow').map(({ name, text }, i) => ({ key: `${study.id} ${i}`, study, name, text })))
    .map(({ key, study, name, text }) => (
      <div key={key} data-name="data-window-input">
        <dt>
          {name} <small>{study.shortName}</small>
        </dt>
        <dd>{text}</dd>
      </div>
    ));
}

/** The variables of the script that the inspector looks into. */
function Variables({ bar }: { bar: number }) {
  const { inspector } = useWorkspace();
  const values = useValues();
  const study = useWatched(inspector.study);
  if (values.kind !== 'known' || study === null) return null;
  return values.run.names
    .filter(({ call }) => !call)
    .map((name, i) => (
      <div key={i} data-name="data-window-variable" title={name.kind}>
        <dt>
          {name.name} <small>{name.function === '' ? study.shortName : name.site}</small>
        </dt>
        <dd>{shownText(valueAt(values.run, name, bar))}</dd>
      </div>
    ));
}

function BarRows({ chart, bar, volume, decimals }: { chart: Chart; bar: Bar; volume: number | null; decimals: number }) {
  const [time, ...prices] = bar;
  return (
    <>
      <div>
        <dt>Date</dt>
        <dd>{chart.barText(time * 1000)}</dd>
      </div>
      {['Open', 'High', 'Low', 'Close'].map((name, i) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{fixedText(prices[i] ?? 0, decimals)}</dd>
        </div>
      ))}
      <div>
        <dt>Volume</dt>
        <dd>{volume === null ? NO_VALUE : shortText(volume, 8)}</dd>
      </div>
    </>
  );
}

/** Whether the source of the chart's bars has volumes. */
const hasVolume = (chart: Chart): boolean => chart.info.value()?.has_volume ?? false;

async function save(chart: Chart, bars: readonly Bar[], columns: readonly Column[]): Promise<void> {
  const head = ['time', 'open', 'high', 'low', 'close', 'volume', ...columns.map(({ plot, study }) => `${study.shortName}: ${plot.title}`)];
  const isKnown = hasVolume(chart);
  const rows = bars.map((bar, index) => [
    momentText(bar[0] * 1000),
    ...bar.slice(1, 5),
    isKnown ? bar[5] : null,
    ...columns.map(({ plot }) => plot.values[index] ?? null),
  ]);
  const text = await server.tableFile({ rows: [head, ...rows], madeUp: chart.info.value()?.made_up ?? true });
  saveText(`${chart.symbol.value().replace(/\W/g, '_')}_${chart.resolution.value()}_data.csv`, text);
}
