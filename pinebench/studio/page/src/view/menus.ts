// The context menus of the chart, a study, a drawing and a trade.
import type { Chart } from '../model/chart';
import { told } from '../model/drawingTools';
import type { Shape } from '../model/shapes';
import type { Study } from '../model/study';
import type { MenuItem, Workspace } from '../model/workspace';
import type { Tested, TestedTrade } from '../server';
import type { DrawnChart } from './drawnChart';

type Items = (MenuItem | 'line')[];

interface Asked {
  clientX: number;
  clientY: number;
  currentTarget: EventTarget;
  preventDefault: () => void;
  stopPropagation: () => void;
}

/** Open a menu at the pointer, or at the focused element if a key opened it. */
export function openMenu({ menu }: Workspace, event: Asked, title: string, items: Items): void {
  event.preventDefault();
  event.stopPropagation();
  const { left, bottom } = (event.currentTarget as Element).getBoundingClientRect();
  const byKey = event.clientX === 0 && event.clientY === 0;
  menu.setValue({ title, items, x: byKey ? left : event.clientX, y: byKey ? bottom : event.clientY });
}

async function copy({ notices }: Workspace, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    notices.show({ title: 'Not copied', text: `The browser does not let the page write to the clipboard: ${text}` });
  }
}

/** Open the source of a study in the editor; the source of a built-in study is read-only. */
export function showSource(workspace: Workspace, study: Study): void {
  const { pine } = workspace;
  const { scriptKey: key, source, name } = study;
  workspace.openEditor();
  if (key === pine.key) pine.reveal(1, 1);
  else if (key === null || key.startsWith('template ')) void pine.readBuiltIn(name, source);
  else if (key.startsWith('draft ')) void pine.openText(source);
  else void pine.open(key).catch(pine.complain);
}

export function chartMenu(workspace: Workspace, chart: Chart, drawn: DrawnChart, x: number, y: number): Items {
  const { dialog, drawing } = workspace;
  const point = drawn.pointAt(x, y);
  const symbol = chart.symbol.value();
  const price = point?.price.toFixed(chart.info.value()?.decimals ?? 2);
  const [shapes, studies] = [chart.drawings().filter((shape) => !shape.locked.value()).length, chart.studies.value().length];
  return [
    { label: 'Reset chart view', choose: () => drawn.reset() },
    ...(point === null || price === undefined
      ? []
      : [
          { label: 'Copy price', detail: price, choose: () => void copy(workspace, price) },
          { label: `Add alert on ${symbol} at ${price}…`, choose: () => dialog.setValue({ kind: 'alert', value: point.price }) },
          { label: 'Draw a horizontal line here', choose: () => drawing.finish(chart, 'horizontal_line', [point]) },
        ]),
    'line',
    { label: 'Indicators…', choose: () => dialog.setValue({ kind: 'indicators' }) },
    { label: 'Compare with a symbol…', choose: () => dialog.setValue({ kind: 'compare' }) },
    { label: 'Go to a date…', detail: 'Alt+G', choose: () => dialog.setValue({ kind: 'goTo' }) },
    'line',
    { label: 'Table of all values', choose: () => workspace.openData() },
    { label: 'Object tree', choose: () => workspace.side.setValue('objects') },
    {
      label: drawing.hidden.value() ? 'Show all drawings' : 'Hide all drawings',
      choose: () => drawing.hidden.setValue(!drawing.hidden.value()),
    },
    'line',
    { label: 'Remove drawings', detail: String(shapes), choose: () => chart.removeDrawings() },
    { label: 'Remove indicators', detail: String(studies), choose: () => chart.removeStudies() },
    'line',
    { label: 'Settings of the chart…', choose: () => dialog.setValue({ kind: 'chart', chart }) },
  ];
}

export function studyMenu(workspace: Workspace, chart: Chart, study: Study): Items {
  const { dialog } = workspace;
  const visible = study.visible.value();
  const rename = () =>
    dialog.setValue({
      kind: 'name',
      title: 'Rename on the chart',
      label: 'Name',
      value: study.title,
      done: told((name) => study.label.setValue(name)),
    });
  const places: Items = study.ownPane
    ? [{ label: 'Move to the prices', choose: () => study.place.setValue('left') }]
    : [{ label: 'Move to a new pane', choose: () => study.place.setValue('pane') }];
  return [
    { label: 'Settings…', choose: () => dialog.setValue({ kind: 'study', chart, study }) },
    { label: 'Source code', choose: () => showSource(workspace, study) },
    { label: `Add alert on ${study.title}…`, choose: () => dialog.setValue({ kind: 'alert', source: `study ${study.id} 0` }) },
    'line',
    { label: visible ? 'Hide' : 'Show', choose: () => study.visible.setValue(!visible) },
    { label: 'Rename…', choose: rename },
    ...places,
    ...(study.place.value() === 'script' || chart.compared().includes(study) ? [] : [{ label: 'Move back to the pane that its script names', choose: () => study.place.setValue('script') }]),
    { label: 'Move up', choose: () => chart.moveStudy(study, -1) },
    { label: 'Move down', choose: () => chart.moveStudy(study, 1) },
    'line',
    { label: 'Remove', choose: () => void chart.remove(study.id) },
  ];
}

/** The menu of a chart's volume. */
export function volumeMenu({ dialog }: Workspace, chart: Chart): Items {
  const { volume } = chart.look.value();
  return [
    { label: 'Settings of the chart…', choose: () => dialog.setValue({ kind: 'chart', chart }) },
    { label: volume === 'shown' ? 'Hide' : 'Show', choose: () => chart.showVolume(volume !== 'shown') },
    { label: 'Remove', choose: () => chart.removeVolume() },
  ];
}

export function shapeMenu(workspace: Workspace, chart: Chart, drawn: DrawnChart | null, shape: Shape): Items {
  const { drawing, dialog } = workspace;
  const [visible, locked] = [shape.visible.value(), shape.locked.value()];
  const selected = { chart, shape };
  const isLine = ['trend_line', 'ray', 'extended', 'horizontal_line', 'horizontal_ray'].includes(shape.name);
  const beside = () => chart.view?.pencil.moved(shape, 5, 0) ?? shape.points.value();
  return [
    ...(isLine ? [{ label: `Add alert on ${shape.title}…`, choose: () => dialog.setValue({ kind: 'alert', source: `drawing ${shape.id}` }) }, 'line' as const] : []),
    { label: 'Text…', choose: () => drawing.askText(shape.text, (text) => shape.set({ text })) },
    { label: 'Rename…', choose: () => drawing.askTitle(selected) },
    { label: 'Clone', choose: () => drawing.clone(selected, beside()) },
    'line',
    { label: 'Bring to front', choose: () => chart.moveShape(shape, 1) },
    { label: 'Bring forward', choose: () => chart.moveShape(shape, 1, true) },
    { label: 'Send backward', choose: () => chart.moveShape(shape, -1, true) },
    { label: 'Send to back', choose: () => chart.moveShape(shape, -1) },
    'line',
    { label: locked ? 'Unlock' : 'Lock', choose: () => shape.locked.setValue(!locked) },
    { label: visible ? 'Hide' : 'Show', choose: () => shape.visible.setValue(!visible) },
    ...(locked
      ? []
      : [
          {
            label: 'Remove',
            detail: drawn === null ? undefined : 'Delete',
            choose: () => void chart.remove(shape.id),
          },
        ]),
  ];
}

export function tradeMenu(workspace: Workspace, chart: Chart, { study, tested }: { study: Study; tested: Tested }, trade: TestedTrade): Items {
  const { e, x, q, tp } = trade;
  const text = [e.c, new Date(e.tm).toISOString(), e.p, x?.c ?? 'open', x === null ? '' : new Date(x.tm).toISOString(), x?.p ?? '', q, tp.v].join('\t');
  return [
    { label: 'Show the entry', choose: () => void chart.showTrade(trade) },
    ...(x === null
      ? []
      : [
          {
            label: 'Show the exit',
            choose: () => {
              chart.marked.setValue(trade);
              void chart.goTo(Math.floor(x.tm / 1000));
            },
          },
        ]),
    { label: 'Remove the mark', choose: () => chart.marked.setValue(null) },
    'line',
    { label: 'Why the entry?', choose: () => void workspace.inspector.whyTrade(study, tested, trade, e) },
    ...(x === null ? [] : [{ label: 'Why the exit?', choose: () => void workspace.inspector.whyTrade(study, tested, trade, x) }]),
    'line',
    { label: 'Copy this trade', choose: () => void copy(workspace, text) },
  ];
}
