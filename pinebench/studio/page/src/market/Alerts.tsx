// Alerts: the form for a new one, those that wait, and those that fired.
import { useCallback, useState, type SubmitEvent } from 'react';
import { Closed, Freshness, Symbols } from './parts';
import { Modal } from './Picker';
import { everyOne, useAnswer, type Alert, type Balance, type History } from './live';
import { LostError, type Link } from './link';
import { conditionText, moment, textOf, words, type Condition } from './words';

const KINDS = {
  price_above: 'price at or above',
  price_below: 'price at or below',
  crossing: 'price crosses',
  indicator_signal: 'signal of an indicator',
  pine: 'Pine expression',
} as const;
type Kind = keyof typeof KINDS;

/** The number of fired alerts that are shown. */
const MOST_SHOWN = 50;

const FREQUENCIES = { once: 'only once', once_per_bar: 'once per bar', all: 'every message of a script' } as const;

interface Props {
  link: Link;
  balance: Balance | null;
  history: History[] | null;
  historyAgain: () => Promise<void>;
  say: (text: string, kind?: 'problem') => void;
}

export function Alerts({ link, balance, history, historyAgain, say }: Props) {
  const [alerts, again] = useAnswer(useCallback(() => everyOne<Alert>(link, 'list_alerts'), [link]));
  const [deleting, setDeleting] = useState<Alert | null>(null);
  const [busy, setBusy] = useState(false);

  /** Set an alert, and read back what the engine has. Another one is not set while this goes on. */
  const set = async (given: Record<string, unknown>) => {
    if (busy) return;
    setBusy(true);
    try {
      const { alert_id } = await link.call<{ alert_id: string }>('set_alert', given);
      const one = (await link.call<Alert[]>('list_alerts')).find(({ id }) => id === alert_id);
      say(one === undefined ? 'The alert was set and has already ended: see the history.' : `Alert set: ${one.symbol} ${one.interval}, ${conditionText(one.condition)}.`);
    } catch (error) {
      const unknown = error instanceof LostError ? ' It is not known whether the alert was set: look at the list before you set it again.' : '';
      say(`${words(error)}.${unknown}`, 'problem');
    } finally {
      setBusy(false);
      await again();
    }
  };
  const remove = async (one: Alert) => {
    setDeleting(null);
    try {
      await link.call('cancel_alert', { alert_id: one.id });
      say(`Alert deleted: ${one.symbol}, ${conditionText(one.condition)}.`);
    } catch (error) {
      say(words(error), 'problem');
    }
    await again();
  };
  if (alerts.closed !== null) return <Closed why={alerts.closed} place={link.place} problem={alerts.problem} />;
  return (
    <div className="market__columns">
      <NewAlert balance={balance} busy={busy} set={set} />
      <div>
        <h2>Alerts that wait <Freshness answered={alerts} /></h2>
        <ul className="market__list" data-name="alerts" data-stale={alerts.problem !== null}>
          {(alerts.value ?? []).map((one) => (
            <li key={one.id}>
              <div>
                <b>{one.symbol} · {one.interval}</b> {conditionText(one.condition)}
                <small>
                  {one.frequency === 'once' && one.rearm === true ? 'fires again after it was false' : FREQUENCIES[one.frequency as keyof typeof FREQUENCIES] ?? one.frequency}
                  {one.armed === false && ' · has fired, waits until its condition is false'}
                  {one.expires_at !== undefined && ` · until ${moment(one.expires_at)}`}
                  {one.message !== undefined && ` · “${one.message}”`}
                </small>
              </div>
              <button className="button" aria-label={`Delete the alert ${one.symbol}, ${conditionText(one.condition)}`} onClick={() => setDeleting(one)}>Delete</button>
            </li>
          ))}
          {alerts.value?.length === 0 && <li>No alert waits.</li>}
        </ul>
        <h2>History</h2>
        <ul className="market__list" data-name="history">
          {(history ?? []).slice(0, MOST_SHOWN).map((one, i) => (
            <li key={`${one.alert_id} ${one.triggered_at} ${i}`}>
              <div>
                <b>{one.symbol}{one.interval === undefined ? '' : ` · ${one.interval}`}</b> {conditionText(one.condition)}
                <small>fired {moment(one.triggered_at)}{one.value === null ? '' : ` at ${one.value}`}{one.message === undefined ? '' : ` · “${one.message}”`}</small>
              </div>
              {one.condition.script === undefined && (
                <button className="button" disabled={busy} aria-label={`Set again: ${one.symbol}, ${conditionText(one.condition)}`} onClick={() => void set({ symbol: one.symbol, condition: one.condition, ...(one.interval === undefined ? {} : { interval: one.interval }) })}>
                  Set again
                </button>
              )}
            </li>
          ))}
          {history?.length === 0 && <li>No alert has fired in the last three months.</li>}
          {(history?.length ?? 0) > MOST_SHOWN && <li>The newest {MOST_SHOWN} are shown.</li>}
        </ul>
        <button className="button" onClick={() => void Promise.all([again(), historyAgain()])}>Refresh</button>
      </div>
      {deleting !== null && (
        <Modal title="Delete this alert?" name="delete-alert" close={() => setDeleting(null)}>
          <p><b>{deleting.symbol} · {deleting.interval}</b> {conditionText(deleting.condition)}</p>
          <div className="market__buttons">
            <button className="button" data-first onClick={() => setDeleting(null)}>Keep it</button>
            <button className="button button--accent" onClick={() => void remove(deleting)}>Delete</button>
          </div>
        </Modal>
      )}
    </div>
  );
}

function NewAlert({ balance, busy, set }: { balance: Balance | null; busy: boolean; set: (given: Record<string, unknown>) => Promise<void> }) {
  const [kind, setKind] = useState<Kind>('price_above');
  const [symbol, setSymbol] = useState('');
  const followed = balance?.followed ?? [];
  const chosen = symbol === '' ? (followed[0]?.symbol ?? '') : symbol;
  const intervals = followed.find((one) => one.symbol === chosen)?.intervals ?? [];
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const text = (name: string) => textOf(given, name);
    const interval = text('interval');
    const expires = text('expires');
    const message = text('message');
    void set({
      symbol: chosen,
      condition: conditionOf(kind, text),
      frequency: text('frequency'),
      rearm: given.get('rearm') !== null,
      ...(interval === '' ? {} : { interval }),
      ...(expires === '' ? {} : { expires_at: new Date(expires).toISOString() }),
      ...(message === '' ? {} : { message }),
    });
  };
  return (
    <form className="market__form market__card" data-name="new-alert" onSubmit={submit}>
      <h2>New alert</h2>
      <Symbols followed={followed} value={chosen} change={setSymbol} />
      <label>
        Bars
        <select className="market__input" name="interval">{intervals.map((one) => <option key={one}>{one}</option>)}</select>
      </label>
      <label>
        Condition
        <select className="market__input" name="kind" value={kind} onChange={(event) => setKind(event.target.value as Kind)}>
          {Object.entries(KINDS).map(([name, title]) => <option key={name} value={name}>{title}</option>)}
        </select>
      </label>
      {(kind === 'price_above' || kind === 'price_below' || kind === 'crossing') && (
        <label>Price<input className="market__input" name="level" type="number" step="any" min="0" required /></label>
      )}
      {kind === 'crossing' && (
        <label>
          Direction
          <select className="market__input" name="direction">
            <option value="any">up or down</option>
            <option value="up">up</option>
            <option value="down">down</option>
          </select>
        </label>
      )}
      {kind === 'indicator_signal' && (
        <>
          <label>Indicator<input className="market__input" name="indicator" placeholder="supertrend" required /></label>
          <label>Signal<input className="market__input" name="signal" placeholder="flip_up" required /></label>
        </>
      )}
      {kind === 'pine' && <label>Expression<textarea className="market__input" name="pine" placeholder="ta.rsi(close, 14) > 70" rows={2} required /></label>}
      <label>
        Fires
        <select className="market__input" name="frequency">
          <option value="once">{FREQUENCIES.once}</option>
          <option value="once_per_bar">{FREQUENCIES.once_per_bar}</option>
        </select>
      </label>
      <label className="market__check"><input type="checkbox" name="rearm" /> fire again after the condition was false</label>
      <label>Ends (your time zone)<input className="market__input" name="expires" type="datetime-local" /></label>
      <label>Message<input className="market__input" name="message" maxLength={4000} placeholder="{{ticker}} at {{close}}" /></label>
      <p className="market__remark">It is tested on bars that close from now on.</p>
      <button className="button button--accent" disabled={busy || chosen === ''}>{busy ? 'Setting…' : 'Set alert'}</button>
    </form>
  );
}

function conditionOf(kind: Kind, text: (name: string) => string): Condition {
  switch (kind) {
    case 'crossing':
      return { crossing: { level: Number(text('level')), direction: text('direction') } };
    case 'indicator_signal':
      return { indicator_signal: { indicator: text('indicator'), signal: text('signal') } };
    case 'pine':
      return { pine: text('pine') };
    default:
      return { [kind]: Number(text('level')) };
  }
}
