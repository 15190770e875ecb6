// The market page: chart, alerts and paper account, in the studio and at a chart server.
import { useCallback, useState } from 'react';
import { byTabKeys } from '../tabKeys';
import { Alerts } from './Alerts';
import { Chart } from './Chart';
import { useAnswer, useFired, type Balance, type History } from './live';
import type { Link, Stream } from './link';
import { Paper } from './Paper';
import { conditionText, moment, words } from './words';

const TABS = { chart: 'Chart', alerts: 'Alerts', paper: 'Paper account' } as const;
type Tab = keyof typeof TABS;

const STREAMS: Record<Stream, string> = { opening: 'alerts: connecting', open: 'alerts: live', lost: 'alerts: not live' };
const MOST_TOASTS = 5;
/** How long a success is shown, in milliseconds; alerts and problems stay until a person dismisses them. */
const SAID_MS = 6000;

interface Toast {
  key: number;
  title: string;
  text: string;
  kind: 'fired' | 'problem' | 'said';
}

interface Props {
  link: Link;
  dark: boolean;
  /** Changes the theme where the page has no other switch for it. */
  turn?: () => void;
  /** Called after the log-in has ended. */
  left?: (problem: string | null) => void;
}

export function Market({ link, dark, turn, left }: Props) {
  const [tab, setTab] = useState<Tab>(() => Object.keys(TABS).find((one): one is Tab => `#${one}` === location.hash) ?? 'chart');
  const [toasts, setToasts] = useState<Toast[]>([]);
  const [balance, balanceAgain] = useAnswer(useCallback(() => link.call<Balance>('get_balance'), [link]));
  const [history, historyAgain] = useAnswer(useCallback(() => link.call<History[]>('get_notifications', { history: true }), [link]));
  const add = useCallback((toast: Omit<Toast, 'key'>) => {
    const key = Math.random();
    setToasts((before) => [...before, { ...toast, key }].slice(-MOST_TOASTS));
    if (toast.kind === 'said') setTimeout(() => setToasts((before) => before.filter((one) => one.key !== key)), SAID_MS);
  }, []);
  const show = useCallback(
    (one: History) => {
      add({ kind: 'fired', title: `Alert: ${one.symbol}`, text: `${one.message ?? conditionText(one.condition)} · ${moment(one.triggered_at)}` });
      void historyAgain();
    },
    [add, historyAgain],
  );
  const say = useCallback((text: string, kind?: 'problem') => add({ kind: kind ?? 'said', title: kind === undefined ? 'Done' : 'Not done', text }), [add]);
  const stream = useFired(link, history, show);
  const leave = async () => {
    try {
      await link.leave?.();
      left?.(null);
    } catch (error) {
      left?.(`This tab has forgotten the log-in, but the server did not confirm its end: ${words(error)}`);
    }
  };
  return (
    <div className="market">
      <div className="market__head">
        <div role="tablist" aria-label="Parts of the page" className="market__tabs" onKeyDown={byTabKeys}>
          {(Object.entries(TABS) as [Tab, string][]).map(([name, title]) => (
            <button key={name} id={`market-tab-${name}`} role="tab" aria-selected={tab === name} aria-controls="market-panel" tabIndex={tab === name ? 0 : -1} onClick={() => setTab(name)}>
              {title}
            </button>
          ))}
        </div>
        <span className="paper" title="Orders of this page are paper orders: no real money is used">PAPER</span>
        {history.closed === null && <span className={stream === 'open' ? 'tag' : 'tag tag--stale'} data-name="stream" role="status">{STREAMS[stream]}</span>}
        <span className="grow" />
        {turn !== undefined && <button className="button" onClick={turn}>{dark ? 'Light theme' : 'Dark theme'}</button>}
        {link.leave !== null && <button className="button" data-name="log-out" onClick={() => void leave()}>Log out</button>}
      </div>
      <div className="market__panel" id="market-panel" role="tabpanel" aria-labelledby={`market-tab-${tab}`} tabIndex={0}>
        {tab === 'chart' && <Chart link={link} dark={dark} />}
        {tab === 'alerts' && <Alerts link={link} balance={balance.value} history={history.value} historyAgain={historyAgain} say={say} />}
        {tab === 'paper' && <Paper link={link} balance={balance} balanceAgain={balanceAgain} say={say} />}
      </div>
      <div className="market__toasts" role="status" aria-label="Fired alerts and changed orders">
        {toasts.map(({ key, title, text, kind }) => (
          <div key={key} className="market__toast" data-kind={kind}>
            <div><b>{title}</b><p>{text}</p></div>
            <button className="button button--small" aria-label="Dismiss" onClick={() => setToasts(toasts.filter((one) => one.key !== key))}>×</button>
          </div>
        ))}
      </div>
    </div>
  );
}
