// Alerts on the screen: the dialog that creates and edits an alert, and the panel that lists alerts.
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { symbolOf, textOf, type Wanted } from '../model/alerts';
import type { Chart } from '../model/chart';
import { ALERT_CALL, conditionOf, CONDITIONS, conditionText, firesOn, FREQUENCIES, isOnce, missing } from '../model/conditions';
import { alertsOf } from '../model/scriptAlerts';
import { timeZone } from '../model/preferences';
import type { Dialog } from '../model/workspace';
import type { Alert, AlertSeries } from '../server';
import { useWatched } from '../watched';
import { useWorkspace } from './context';
import { Frame, Question, useClose } from './Frame';
import { Icon } from './icons';

const LINES = ['horizontal_line', 'horizontal_ray', 'trend_line', 'ray', 'extended'];

/** An operand of an alert, with the key of its option. */
interface Source {
  key: string;
  label: string;
  series: AlertSeries;
}

/** The price, and all plots and lines on the chart. */
function sourcesOf(chart: Chart): Source[] {
  const plots = chart.studies.value().flatMap((study) =>
    study.plots().map(({ title }, i): Source => {
      const label = `${study.title}: ${title}`;
      return { key: `study ${study.id} ${i}`, label, series: { type: 'study', study: study.id, plot_id: `plot_${i}`, title: label } };
    }),
  );
  const lines = chart
    .drawings()
    .filter(({ name }) => LINES.includes(name))
    .map(({ id, title }): Source => ({ key: `drawing ${id}`, label: title, series: { type: 'drawing', drawing: id, title } }));
  return [{ key: 'price', label: 'Price', series: { type: 'barset' } }, ...plots, ...lines];
}

/** Scripts that call alert() or alertcondition(). */
function scriptsOf(chart: Chart): Source[] {
  return chart.studies
    .value()
    .filter((study) => study.source.includes('alert'))
    .map((study) => ({ key: `calls ${study.id}`, label: `${study.title}: any alert() call`, series: { type: 'study', study: study.id, title: study.title } }));
}

const LEVEL = 'value';

/** The option's key of a series. */
const keyOf = ({ type, study = '', plot_id = '', drawing = '' }: AlertSeries, isCall = false): string =>
  type === 'barset' ? 'price' : type === 'value' ? LEVEL : type === 'drawing' ? `drawing ${drawing}` : isCall ? `calls ${study}` : `study ${study} ${plot_id.replace('plot_', '')}`;

interface Form {
  source: string;
  type: string;
  /** The kind of each level: a value, or the key of a source. */
  levels: readonly [string, string];
  values: readonly [string, string];
  period: string;
  frequency: number;
  message: string;
}

/** The significant digits of a level that the dialog begins with: a price keeps all of them. */
const [PRICE_DIGITS, PLOT_DIGITS] = [12, 8];

/** The first contents of the dialog. */
function formOf(chart: Chart, { value, source, alert }: Extract<Dialog, { kind: 'alert' }>): Form {
  const last = chart.bars.value().at(-1)?.[4] ?? 0;
  if (alert === undefined) {
    const isLine = source?.startsWith('drawing ') === true;
    const plot = source?.startsWith('study ') === true ? source : null;
    const [, id = '', at = '0'] = plot?.split(' ') ?? [];
    const values = chart.studies.value().find((study) => study.id === id)?.plots()[Number(at)]?.values;
    const level = plot === null ? (value ?? last) : (values?.findLast((one) => one !== null) ?? 0);
    const shown = String(Number(level.toPrecision(plot === null ? PRICE_DIGITS : PLOT_DIGITS)));
    return {
      source: plot ?? 'price',
      type: 'cross',
      levels: [isLine ? (source ?? LEVEL) : LEVEL, LEVEL],
      values: [shown, shown],
      period: '1',
      frequency: 0,
      message: '',
    };
  }
  const { condition, message } = alert;
  const [watched, one, other] = condition.series;
  const isCall = condition.type === ALERT_CALL.type;
  const key = (series: AlertSeries | undefined) => (series === undefined ? LEVEL : keyOf(series));
  return {
    source: watched === undefined ? 'price' : keyOf(watched, isCall),
    type: isCall ? 'cross' : condition.type,
    levels: [key(one), key(other)],
    values: [String(one?.value ?? last), String(other?.value ?? last)],
    period: String(condition.period ?? 1),
    frequency: isOnce(alert) ? 0 : condition.frequency === 'on_bar_close' ? 2 : 1,
    message,
  };
}

/** The alert that the form describes, or a sentence with its mistake. */
function wantedOf(form: Form, sources: readonly Source[], scripts: readonly Source[]): Wanted | string {
  const { frequency, once } = FREQUENCIES[form.frequency] ?? FREQUENCIES[0];
  const script = scripts.find(({ key }) => key === form.source);
  if (script !== undefined) {
    return { condition: { type: ALERT_CALL.type, frequency, series: [script.series, { type: 'none' }] }, once, message: form.message };
  }
  const source = sources.find(({ key }) => key === form.source);
  const takes = conditionOf(form.type)?.takes;
  if (source === undefined) return 'The study or drawing of the alert is not on the chart any more.';
  const count = takes === 'channel' ? 2 : 1;
  const levels: AlertSeries[] = [];
  for (let i = 0; i < count; i++) {
    const series = sources.find(({ key }) => key === form.levels[i])?.series;
    const text = form.values[i] ?? '';
    if (series !== undefined && takes !== 'amount' && takes !== 'percent') levels.push(series);
    else if (text.trim() === '' || !Number.isFinite(Number(text))) return 'Value: a number';
    else levels.push({ type: 'value', value: Number(text) });
  }
  const period = Number(form.period);
  const moves = takes === 'amount' || takes === 'percent';
  if (moves && (!Number.isInteger(period) || period < 1 || period > 5000)) return 'Bars: a whole number from 1 to 5000';
  return { condition: { type: form.type, frequency, series: [source.series, ...levels], ...(moves ? { period } : {}) }, once, message: form.message };
}

/** The number of bars of the chart on which the condition is true, in a sentence. */
function historyText(chart: Chart, { condition, once, message }: Wanted): string {
  const draft: Alert = {
    alert_id: 0,
    symbol: chart.symbol.value(),
    resolution: chart.resolution.value(),
    message,
    active: true,
    create_time: '',
    last_fire_time: null,
    auto_deactivate: once,
    condition,
  };
  const found = firesOn(draft, chart);
  const last = chart.bars.value()[found.at(-1) ?? -1];
  if (last === undefined) return `On none of the ${chart.bars.value().length} bars of the chart.`;
  return `On ${found.length} of the ${chart.bars.value().length} bars of the chart, last ${chart.barText(last[0] * 1000)}.`;
}

export function AlertDialog({ asked }: { asked: Extract<Dialog, { kind: 'alert' }> }) {
  const workspace = useWorkspace();
  const close = useClose();
  const chart = useWatched(workspace.active);
  const symbol = useWatched(chart.symbol);
  useWatched(chart.studies);
  const [form, setForm] = useState(() => formOf(chart, asked));
  const [problem, setProblem] = useState('');
  const sending = useRef(false);
  const change = (part: Partial<Form>) => setForm({ ...form, ...part });
  const [sources, scripts] = [sourcesOf(chart), scriptsOf(chart)];
  const isCall = form.source.startsWith('calls ');
  const takes = isCall ? 'none' : (conditionOf(form.type)?.takes ?? 'level');
  const wanted = wantedOf(form, sources, scripts);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (typeof wanted === 'string' || sending.current) return;
    sending.current = true; // a second click would create a second alert
    try {
      await workspace.alerts.create(wanted, asked.alert);
      close();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      sending.current = false;
    }
  };
  const put = <T,>(pair: readonly [T, T], at: number, value: T): readonly [T, T] => (at === 0 ? [value, pair[1]] : [pair[0], value]);
  const names = takes === 'channel' ? ['Upper bound', 'Lower bound'] : takes === 'amount' ? ['Value'] : takes === 'percent' ? ['Percent'] : takes === 'none' ? [] : ['Value'];
  const title = asked.alert === undefined ? `Create alert on ${symbol}` : `Edit alert on ${symbolOf(asked.alert)}`;
  return (
    <Frame title={title} name="alerts-create-edit-dialog" close={close}>
      <form className="alert-form" onSubmit={(event) => void submit(event)}>
        <div className="dialog__fields">
          <label className="field field--row alert-row">
            <span className="alert-label">Alert on</span>
            <select name="source" value={form.source} onChange={(event) => change({ source: event.target.value })}>
              {[...sources, ...scripts].map(({ key, label }) => (
                <option key={key} value={key}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          {!isCall && (
            <label className="field field--row alert-row">
              <span className="alert-label">Condition</span>
              <select name="condition" value={form.type} onChange={(event) => change({ type: event.target.value })}>
                {CONDITIONS.map(({ type, name }) => (
                  <option key={type} value={type}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          )}
          {names.map((name, i) => (
            <div key={name} className="field field--row alert-row">
              <span className="alert-label">{name}</span>
              <span className="alert-value">
                {(takes === 'level' || takes === 'channel') && sources.length > 1 && (
                  <select aria-label={`${name}: kind`} name={`level${i}`} value={form.levels[i]} onChange={(event) => change({ levels: put(form.levels, i, event.target.value) })}>
                    <option value={LEVEL}>Value</option>
                    {sources
                      .filter(({ key }) => key !== form.source)
                      .map(({ key, label }) => (
                        <option key={key} value={key}>
                          {label}
                        </option>
                      ))}
                  </select>
                )}
                {(form.levels[i] === LEVEL || takes === 'amount' || takes === 'percent') && (
                  <input
                    type="text"
                    name={`value${i}`}
                    aria-label={name}
                    data-first={i === 0 ? true : undefined}
                    inputMode="decimal"
                    value={form.values[i]}
                    onChange={(event) => change({ values: put(form.values, i, event.target.value) })}
                  />
                )}
              </span>
            </div>
          ))}
          {(takes === 'amount' || takes === 'percent') && (
            <label className="field field--row alert-row">
              <span className="alert-label">In how many bars</span>
              <input type="text" name="period" inputMode="numeric" value={form.period} onChange={(event) => change({ period: event.target.value })} />
            </label>
          )}
          <label className="field field--row alert-row">
            <span className="alert-label">Trigger</span>
            <select name="frequency" value={form.frequency} onChange={(event) => change({ frequency: Number(event.target.value) })}>
              {FREQUENCIES.map(({ name }, i) => (
                <option key={name} value={i}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label className="field alert-row">
            <span className="alert-label">Message</span>
            <textarea name="message" value={form.message} maxLength={4000} onChange={(event) => change({ message: event.target.value })} />
          </label>
          <p role="status" data-name="alert-history">
            {typeof wanted === 'string' ? wanted : historyText(chart, wanted)}
          </p>
        </div>
        {problem !== '' && (
          <p className="dialog__problem" role="alert">
            {problem}
          </p>
        )}
        <div className="dialog__buttons">
          <button className="button" type="button" onClick={close}>
            Cancel
          </button>
          <button className="button button--accent" type="submit" disabled={typeof wanted === 'string'}>
            {asked.alert === undefined ? 'Create' : 'Save'}
          </button>
        </div>
      </form>
    </Frame>
  );
}

export function AlertsPanel() {
  const workspace = useWorkspace();
  const alerts = useWatched(workspace.alerts.all);
  useEffect(() => void workspace.alerts.refresh().catch(workspace.pine.complain), [workspace]);
  return (
    <div className="watchlist widgetbar-widget" data-name="alerts">
      <div className="watchlist__head">
        <b>Alerts</b>
        <button
          className="button button--square button--small"
          aria-label="Create Alert"
          title="Create an alert"
          onClick={() => workspace.dialog.setValue({ kind: 'alert' })}
        >
          <Icon name="plus" size={15} />
        </button>
      </div>
      {alerts.length === 0 && <p className="alerts__none">No alerts yet.</p>}
      <ul className="alerts__list">
        {alerts.map((alert) => (
          <AlertRow key={alert.alert_id} alert={alert} />
        ))}
      </ul>
      <FiredAlerts />
      <ScriptAlerts />
    </div>
  );
}

/** The number of bars in the list of an alert. */
const MOST_TIMES = 20;

function AlertRow({ alert }: { alert: Alert }) {
  const { alerts, dialog, pine, active } = useWorkspace();
  const chart = useWatched(active);
  useWatched(chart.bars);
  useWatched(chart.studies);
  useWatched(chart.shapes);
  useWatched(chart.changed);
  useWatched(chart.symbol);
  const [open, setOpen] = useState(false);
  const isHere = alerts.isOn(alert, chart);
  const lacks = isHere ? missing(alert, chart) : null;
  const found = open && isHere ? firesOn(alert, chart) : [];
  const name = `${symbolOf(alert)} ${conditionText(alert)}`;
  const frequency = FREQUENCIES.find((one) => one.once === isOnce(alert) && (one.once || one.frequency === (alert.condition.frequency ?? 'on_first_fire')));
  return (
    <li className="alert-item" data-name={`alert-item-${alert.alert_id}`}>
      <div className="alert-item__head">
        <span>
          <b>{symbolOf(alert)}</b> {conditionText(alert)}
          <small>
            {alert.last_fire_time !== null ? 'fired ' : ''}
            {alert.active ? 'active' : 'stopped'} · {alert.resolution} · {frequency?.name.toLowerCase()} {alert.message}
          </small>
          {lacks !== null && <small className="down">Does not fire: {lacks}.</small>}
        </span>
        {isHere && (
          <button className="row__tool" aria-label={`Bars: ${name}`} title="The bars of the chart on which the condition is true" aria-expanded={open} onClick={() => setOpen(!open)}>
            <Icon name="list" size={13} />
          </button>
        )}
        {isHere && (
          <button className="row__tool" aria-label={`Edit ${name}`} title="Edit" onClick={() => dialog.setValue({ kind: 'alert', alert })}>
            <Icon name="settings" size={13} />
          </button>
        )}
        <button
          className="row__tool row__remove"
          aria-label={`Delete the alert on ${symbolOf(alert)}`}
          title="Delete"
          onClick={() => void alerts.remove(alert.alert_id).catch(pine.complain)}
        >
          <Icon name="close" size={13} />
        </button>
      </div>
      {open && isHere && (
        <>
          <small>{found.length === 0 ? 'On no bar of the chart.' : `On ${found.length} bars of the chart; the last of them:`}</small>
          <ul className="alerts__times" data-name="alert-times">
            {found
              .slice(-MOST_TIMES)
              .reverse()
              .map((index) => (
                <li key={index}>
                  <button className="alerts__script" onClick={() => void chart.goTo(chart.bars.value()[index]?.[0] ?? 0)}>
                    {chart.barText((chart.bars.value()[index]?.[0] ?? 0) * 1000)}
                  </button>
                </li>
              ))}
          </ul>
        </>
      )}
    </li>
  );
}

/** The alerts that fired in replays since the page was opened. */
function FiredAlerts() {
  const { alerts, active } = useWorkspace();
  const chart = useWatched(active);
  const fired = useWatched(alerts.fired);
  useWatched(timeZone);
  if (fired.length === 0) return null;
  return (
    <>
      <div className="watchlist__head">
        <b>Fired</b>
        <small>{fired.length}</small>
      </div>
      <ul className="alerts__list" data-name="fired-alerts">
        {fired.map(({ alert, time }, i) => (
          <li key={i}>
            <button className="alerts__script" title="Show its bar on the chart" onClick={() => void chart.goTo(time)}>
              <small>
                {chart.momentText(time * 1000)} · {symbolOf(alert)}
              </small>
              <span>{textOf(alert)}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The number of script alerts in the list; the newest ones are shown. */
const MOST_LISTED = 200;

/** The messages of alert() and alertcondition() of the scripts on the active chart, from all bars that they ran on. */
function ScriptAlerts() {
  const chart = useWatched(useWorkspace().active);
  const studies = useWatched(chart.studies);
  useWatched(timeZone);
  const [, again] = useState(0);
  useEffect(() => {
    const forget = studies.map((study) => study.result.subscribe(() => again((count) => count + 1)));
    return () => forget.forEach((stop) => stop());
  }, [studies]);
  const found = alertsOf(studies);
  const shown = found.slice(0, MOST_LISTED);
  return (
    <>
      <div className="watchlist__head">
        <b>Alerts of scripts</b>
        <small>{found.length > shown.length ? `the last ${shown.length} of ${found.length}` : String(found.length)}</small>
      </div>
      {found.length === 0 && <p className="alerts__none">Messages of alert() and alertcondition() appear here.</p>}
      <ul className="alerts__list" data-name="script-alerts">
        {shown.map(({ study, message, time }, i) => (
          <li key={i}>
            <button className="alerts__script" title="Show its bar on the chart" onClick={() => void chart.goTo(time / 1000)}>
              <small>
                {chart.momentText(time)} · {study.shortName}
              </small>
              <span>{message}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The dialog that the menu of the alerts' button opens. */
export function DeleteAlertsDialog() {
  const { alerts, pine } = useWorkspace();
  const all = useWatched(alerts.all);
  useEffect(() => void alerts.refresh().catch(pine.complain), [alerts, pine]);
  const answer = (yes: boolean) => {
    if (yes && all.length > 0) void alerts.remove(...all.map(({ alert_id }) => alert_id)).catch(pine.complain);
  };
  const text = all.length === 0 ? 'There are no alerts.' : `All alerts are deleted: ${all.length}. This cannot be undone.`;
  return <Question title="Delete all alerts" text={text} yes="Delete all" answer={answer} />;
}
