// The corner between the axes of a chart: how the scale of the prices runs, and the time zone of the time axis.
import { useEffect, useRef } from 'react';
import type { Chart, Scale, ScaleMode } from '../model/chart';
import { timeZone, ZONES } from '../model/preferences';
import type { MenuItem } from '../model/workspace';
import { offsetText } from '../model/zones';
import { useWatched } from '../watched';
import { useWorkspace } from './context';
import type { DrawnChart } from './drawnChart';
import { Icon } from './icons';
import { Menu } from './Menu';

export const MODES: readonly [ScaleMode, string][] = [
  ['regular', 'Regular'],
  ['percent', 'Percent'],
  ['indexed', 'Indexed to 100'],
  ['log', 'Logarithmic'],
];

export function ChartCorner({ chart, drawn }: { chart: Chart; drawn: DrawnChart }) {
  const { dialog } = useWorkspace();
  const scale = useWatched(chart.scale);
  const zone = useWatched(timeZone);
  const info = useWatched(chart.info);
  const corner = useRef<HTMLDivElement>(null);
  const change = (part: Partial<Scale>) => chart.scale.setValue({ ...scale, auto: drawn.scalesItself, ...part });
  // A click with the right button on an axis opens the menu, too.
  useEffect(() => {
    const open = (event: MouseEvent) => {
      if (!drawn.isOnScales(event.target)) return;
      event.preventDefault();
      corner.current?.querySelector('button')?.click();
    };
    drawn.element.addEventListener('contextmenu', open);
    return () => drawn.element.removeEventListener('contextmenu', open);
  }, [drawn]);
  const last = chart.bars.value().at(-1)?.[0] ?? 0;
  const items: (MenuItem | 'line')[] = [
    { label: 'Auto', detail: 'fits the visible bars', selected: scale.auto && !scale.locked, choose: () => change({ auto: scale.locked || !drawn.scalesItself, locked: false }) },
    { label: 'Lock price to bar ratio', selected: scale.locked, choose: () => change({ locked: !scale.locked }) },
    { label: 'Inverted', selected: scale.inverted, choose: () => change({ inverted: !scale.inverted }) },
    'line',
    ...MODES.map(([mode, label]) => ({ label, selected: scale.mode === mode, choose: () => change({ mode }) })),
    'line',
    {
      label: 'Exchange time',
      detail: offsetText(last, info?.timezone ?? ''),
      selected: zone === '',
      choose: () => timeZone.setValue(''),
    },
    ...ZONES.map(({ name, label }) => ({
      label,
      detail: offsetText(last, name),
      selected: zone === name,
      choose: () => timeZone.setValue(name),
    })),
    'line',
    { label: 'Settings of the chart…', choose: () => dialog.setValue({ kind: 'chart', chart }) },
  ];
  return (
    <div className="chart-corner" ref={corner}>
      <Menu
        name="chart-scale-menu"
        title="Scale and time zone"
        className="chart-corner__button"
        label={<Icon name="settings" size={14} />}
        items={items}
      />
    </div>
  );
}
