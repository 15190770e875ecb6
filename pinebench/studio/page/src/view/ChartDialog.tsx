// The settings of a chart: its bars, its legend, its scales and its lines. Changes are seen at once; Cancel takes them back.
import { useEffect, useState, type ReactNode } from 'react';
import type { Chart, Scale, ScaleMode } from '../model/chart';
import { MOST_MARGIN, PLAIN_LOOK, type ChartLook } from '../model/chartLook';
import { theme } from '../model/preferences';
import { useWatched } from '../watched';
import { MODES } from './ChartCorner';
import { useWorkspace } from './context';
import { Frame, useClose } from './Frame';
import { PALETTES } from './palette';

/** The boxes of the dialog that are on or off. */
const SWITCHES = {
  grid: 'Grid lines',
  sessionBreaks: 'Session breaks, on intervals below a day',
  prices: 'Open, high, low and close',
  change: 'Change from the bar before',
} as const;

export function ChartDialog({ chart }: { chart: Chart }) {
  const { history } = useWorkspace();
  const close = useClose();
  const [before] = useState({ look: chart.look.value(), scale: chart.scale.value() });
  const look = useWatched(chart.look);
  const scale = useWatched(chart.scale);
  const isThere = useWatched(useWorkspace().charts).includes(chart);
  const palette = PALETTES[useWatched(theme)];
  // All changes are one step of undo.
  useEffect(() => history.hold(), [history]);
  useEffect(() => {
    if (!isThere) close();
  }, [isThere, close]);
  const put = (part: Partial<ChartLook>) => chart.look.setValue({ ...look, ...part });
  const putScale = (part: Partial<Scale>) => chart.scale.setValue({ ...scale, ...part });
  const cancel = () => {
    chart.look.setValue(before.look);
    chart.scale.setValue(before.scale);
    close();
  };
  const box = (name: keyof typeof SWITCHES) => <Box name={name} words={SWITCHES[name]} on={look[name]} change={(on) => put({ [name]: on })} />;
  return (
    <Frame title={`Settings of the chart of ${chart.symbol.value()}`} name="chart-properties-dialog" close={cancel} floating>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          close();
        }}
      >
        <div className="dialog__fields">
          <Group title="Bars">
            {(['up', 'down'] as const).map((name) => (
              <label key={name} className="field field--row">
                <span>{name === 'up' ? 'Colour of rising bars' : 'Colour of falling bars'}</span>
                <input type="color" name={name} value={look[name] ?? palette[name]} onChange={(event) => put({ [name]: event.target.value })} />
              </label>
            ))}
            <Box name="volume" words="Volume" on={look.volume === 'shown'} change={(on) => put({ volume: on ? 'shown' : 'hidden' })} />
          </Group>
          <Group title="Status line">
            {box('prices')}
            {box('change')}
          </Group>
          <Group title="Scales">
            <label className="field field--row">
              <span>Scale of the prices</span>
              <select name="mode" value={scale.mode} onChange={(event) => putScale({ mode: event.target.value as ScaleMode })}>
                {MODES.map(([mode, words]) => (
                  <option key={mode} value={mode}>
                    {words}
                  </option>
                ))}
              </select>
            </label>
            <Box name="inverted" words="Inverted" on={scale.inverted} change={(on) => putScale({ inverted: on })} />
            <Box name="locked" words="Lock price to bar ratio" on={scale.locked} change={(on) => putScale({ locked: on })} />
            <label className="field field--row">
              <span>Right margin, bars</span>
              <input
                name="margin"
                type="number"
                min={0}
                max={MOST_MARGIN}
                value={look.margin}
                onChange={({ target: { valueAsNumber: bars } }) => {
                  if (Number.isInteger(bars) && bars >= 0 && bars <= MOST_MARGIN) put({ margin: bars });
                }}
              />
            </label>
          </Group>
          <Group title="Lines">
            {box('grid')}
            {box('sessionBreaks')}
          </Group>
        </div>
        <div className="dialog__buttons">
          <button className="button" type="button" onClick={() => chart.look.setValue(PLAIN_LOOK)}>
            Defaults
          </button>
          <span className="grow" />
          <button className="button" type="button" onClick={cancel}>
            Cancel
          </button>
          <button className="button button--accent" type="submit">
            Ok
          </button>
        </div>
      </form>
    </Frame>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={title}>
      <p className="dialog__group">{title}</p>
      {children}
    </div>
  );
}

function Box({ name, words, on, change }: { name: string; words: string; on: boolean; change: (on: boolean) => void }) {
  return (
    <label className="field field--row">
      <input type="checkbox" name={name} checked={on} onChange={(event) => change(event.target.checked)} />
      <span>{words}</span>
    </label>
  );
}
