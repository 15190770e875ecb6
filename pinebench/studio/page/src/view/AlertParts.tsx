// Alerts on the screen: the dialog that makes one, and the panel that lists them.
import { useEffect, useState, type SubmitEvent } from 'react';
import { symbolOf, valueOf } from '../model/alerts';
import { alertsOf } from '../model/scriptAlerts';
import { timeZone } from '../model/preferences';
import { useWatched } from '../watched';
import { useWorkspace } from './context';
import { Frame, Question, useClose } from './Frame';
import { Icon } from './icons';

const CONDITIONS: readonly (readonly [string, string])[] = [
  ['cross', 'Crossing'],
  ['cross_up', 'Crossing up'],
  ['cross_down', 'Crossing down'],
  ['greater', 'Greater than'],
  ['less', 'Less than'],
];

export function AlertDialog() {
  const workspace = useWorkspace();
  const close = useClose();
  const chart = useWatched(workspace.active);
  const symbol = useWatched(chart.symbol);
  const last = chart.bars.value().at(-1)?.[4] ?? 0;
  const [type, setType] = useState('cross');
  const [value, setValue] = useState(String(last));
  const [message, setMessage] = useState('');
  const [problem, setProblem] = useState('');
  const price = Number(value);
  const sound = value.trim() !== '' && Number.isFinite(price);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    try {
      await workspace.alerts.create(type, price, message);
      close();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <Frame title={`Create alert on ${symbol}`} name="alerts-create-edit-dialog" close={close}>
      <form className="alert-form" onSubmit={(event) => void submit(event)}>
        <label className="field alert-row">
          <span className="alert-label">Condition</span>
          <select value={type} onChange={(event) => setType(event.target.value)}>
            {CONDITIONS.map(([key, name]) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label className="field alert-row">
          <span className="alert-label">Value</span>
          <input type="text" data-first inputMode="decimal" value={value} onChange={(event) => setValue(event.target.value)} />
        </label>
        <label className="field alert-row">
          <span className="alert-label">Message</span>
          <textarea value={message} maxLength={4000} onChange={(event) => setMessage(event.target.value)} />
        </label>
        {problem !== '' && (
          <p className="dialog__problem" role="alert">
            {problem}
          </p>
        )}
        <div className="dialog__buttons">
          <button className="button" type="button" onClick={close}>
            Cancel
          </button>
          <button className="button button--accent" type="submit" disabled={!sound}>
            Create
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
          <li key={alert.alert_id} className="alert-item" data-name={`alert-item-${alert.alert_id}`}>
            <span>
              <b>{symbolOf(alert)}</b> {CONDITIONS.find(([type]) => type === alert.condition.type)?.[1] ?? alert.condition.type} {valueOf(alert)}
              <small>
                {alert.last_fire_time !== null ? 'fired ' : ''}
                {alert.active ? 'active' : 'stopped'} {alert.message}
              </small>
            </span>
            <button
              className="row__remove"
              aria-label={`Delete the alert on ${symbolOf(alert)}`}
              onClick={() => void workspace.alerts.remove(alert.alert_id).catch(workspace.pine.complain)}
            >
              <Icon name="close" size={12} />
            </button>
          </li>
        ))}
      </ul>
      <ScriptAlerts />
    </div>
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
      {found.length === 0 && <p className="alerts__none">What scripts on the chart say with alert() and alertcondition() stands here.</p>}
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
  const text = all.length === 0 ? 'There are no alerts.' : `All alerts are deleted: ${all.length}. This cannot be taken back.`;
  return <Question title="Delete all alerts" text={text} yes="Delete all" answer={answer} />;
}
