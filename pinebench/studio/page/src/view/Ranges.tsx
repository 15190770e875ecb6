// Buttons for stretches of time up to the newest bar, and for going to a date.
import { useWatched } from '../watched';
import { useWorkspace } from './context';
import { isIntraday } from '../model/resolution';

const DAY = 86_400;

/**
 * The ranges that the buttons show. `since` turns the opening time of the newest bar into the first time of the range,
 * in seconds; null shows all bars.
 */
const STRETCHES: readonly { name: string; title: string; intraday?: true; since: (newest: number) => number | null }[] = [
  { name: '1D', title: 'One day', intraday: true, since: (newest) => newest - DAY },
  { name: '5D', title: 'Five days', intraday: true, since: (newest) => newest - 7 * DAY },
  { name: '1M', title: 'One month', since: (newest) => newest - 30 * DAY },
  { name: '6M', title: 'Six months', since: (newest) => newest - 182 * DAY },
  { name: 'YTD', title: 'The year to date', since: (newest) => Date.UTC(new Date(newest * 1000).getUTCFullYear(), 0, 1) / 1000 },
  { name: '1Y', title: 'One year', since: (newest) => newest - 365 * DAY },
  { name: 'All', title: 'All bars', since: () => null },
];

export function Ranges() {
  const workspace = useWorkspace();
  const chart = useWatched(workspace.active);
  const resolution = useWatched(chart.resolution);
  const show = (since: (newest: number) => number | null) => {
    const newest = chart.bars.value().at(-1)?.[0];
    if (newest !== undefined) void chart.showSince(since(newest));
  };
  return (
    <div className="ranges" role="group" aria-label="Time range" data-name="date-ranges">
      {STRETCHES.filter(({ intraday }) => intraday !== true || isIntraday(resolution)).map(({ name, title, since }) => (
        <button key={name} className="button button--small" title={title} data-range={name} onClick={() => show(since)}>
          {name}
        </button>
      ))}
      <button className="button button--small" title="Go to a date (Alt+G)" data-name="go-to-date" onClick={() => workspace.dialog.setValue({ kind: 'goTo' })}>
        Go to…
      </button>
    </div>
  );
}
