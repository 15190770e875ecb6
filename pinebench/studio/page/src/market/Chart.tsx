// The chart: symbol and timeframe, chosen indicators as chips, the picker, and what was drawn when.
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { MarketChart } from './draw';
import { InputsDialog, Picker } from './Picker';
import { keepChips, keptChips, newId, type Chip, type Listed, type Payload } from './payload';
import type { Link } from './link';
import { clock, figure, moment, words } from './words';

const TIMEFRAMES = ['1m', '5m', '15m', '1h', '4h', '1d', '1wk'];
const KEPT = 'pinebench-market-symbol';
/** The chart of a first visit: bars of the sample market, which look like a market and need no network. */
const FIRST = { symbol: 'sample:AAPL', timeframe: '1d' };

declare global {
  interface Window {
    /** The chart that is shown, for programs that drive the page. */
    __PINEBENCH_MARKET__?: MarketChart;
  }
}

export function Chart({ link, dark }: { link: Link; dark: boolean }) {
  const [first] = useState(kept);
  const [symbol, setSymbol] = useState(first.symbol);
  const [timeframe, setTimeframe] = useState(first.timeframe);
  const [asked, setAsked] = useState(first);
  const [chips, setChips] = useState(keptChips);
  const [listed, setListed] = useState<Listed[]>([]);
  const [payload, setPayload] = useState<Payload | null>(null);
  const [status, setStatus] = useState<{ kind: 'loading' | 'ready' | 'error'; text: string }>({ kind: 'loading', text: 'Loading…' });
  const [picking, setPicking] = useState(false);
  const [editing, setEditing] = useState<string | null>(null);
  const [turn, setTurn] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<MarketChart | null>(null);

  useEffect(() => {
    let isShown = true;
    const read = async () => {
      const every: Listed[] = [];
      for (let page = 1, pages = 1; page <= pages; page++) {
        const told = await link.call<{ indicators: Listed[]; pages: number }>('list_indicators', { page });
        every.push(...told.indicators);
        pages = told.pages;
      }
      if (isShown) setListed(every);
    };
    read().catch(() => undefined);
    return () => { isShown = false; };
  }, [link]);

  useEffect(() => {
    if (box.current === null) return;
    const made = new MarketChart(box.current);
    view.current = made;
    window.__PINEBENCH_MARKET__ = made;
    return () => {
      made.clear();
      delete window.__PINEBENCH_MARKET__;
    };
  }, []);

  useEffect(() => {
    let newest = true; // an answer that comes after a later question is dropped
    setStatus({ kind: 'loading', text: 'Loading…' });
    const indicators = chips.map(({ id, name, settings }) => ({ name, id, ...settings }));
    const wanted = { format: 'series', timeframe: asked.timeframe, bars: 300, indicators: indicators.length === 0 ? [{ name: 'ema_stack', id: 'unused' }] : indicators };
    link.call<Payload>('generate_chart', asked.symbol === '' ? wanted : { ...wanted, symbol: asked.symbol }).then(
      (told) => {
        if (!newest) return;
        setPayload(told);
        view.current?.show(told, chips.map(({ id }) => id));
        setStatus({ kind: 'ready', text: `Loaded at ${clock(Date.now())}` });
      },
      (error: unknown) => {
        if (newest) setStatus({ kind: 'error', text: words(error) });
      },
    );
    return () => {
      newest = false;
    };
  }, [link, asked, chips, turn]);

  useEffect(() => view.current?.paint(), [dark]);

  const change = (next: Chip[]) => {
    keepChips(next);
    setChips(next);
  };
  const move = (at: number, by: number) => {
    const next = [...chips];
    const [one] = next.splice(at, 1);
    if (one !== undefined) next.splice(at + by, 0, one);
    change(next);
  };
  const load = (event: SubmitEvent) => {
    event.preventDefault();
    const next = { symbol: symbol.trim(), timeframe };
    keep(next);
    setAsked(next);
    setTurn(turn + 1);
  };
  const edited = chips.find(({ id }) => id === editing);
  const signals = payload === null ? [] : recent(payload, chips);
  return (
    <div className="market__chart">
      <form className="market__bar" onSubmit={load}>
        <label>
          Symbol
          <input className="market__input" value={symbol} placeholder="empty: made-up sample" onChange={(event) => setSymbol(event.target.value)} spellCheck={false} />
        </label>
        <label>
          Timeframe
          <select className="market__input" value={timeframe} onChange={(event) => setTimeframe(event.target.value)}>
            {TIMEFRAMES.map((one) => <option key={one}>{one}</option>)}
          </select>
        </label>
        <button className="button button--accent">Load</button>
        <button type="button" className="button" onClick={() => setPicking(true)}>
          Indicators <span className="tag">{chips.length}</span>
        </button>
        <span className="market__status" role="status" data-kind={status.kind}>
          {status.text}
          {payload !== null && status.kind !== 'loading' && payload.last_bar !== null && `, last bar ${moment(payload.last_bar * 1000)}`}
        </span>
      </form>
      <ul className="market__chips" aria-label="Indicators on the chart">
        {chips.map((chip, i) => {
          const shown = payload?.indicators[chip.id];
          const name = shown?.label ?? chip.name;
          return (
            <li key={chip.id} className="chip" data-failed={shown?.error !== undefined}>
              <button className="button button--small" aria-label={`Move ${name} back`} disabled={i === 0} onClick={() => move(i, -1)}>‹</button>
              <button className="chip__name" title="Change its inputs" onClick={() => setEditing(chip.id)}>{name}</button>
              <button className="button button--small" aria-label={`Move ${name} forward`} disabled={i === chips.length - 1} onClick={() => move(i, 1)}>›</button>
              <button className="button button--small" aria-label={`Remove ${name}`} onClick={() => change(chips.filter(({ id }) => id !== chip.id))}>×</button>
              {shown?.error !== undefined && <em>{shown.error}</em>}
            </li>
          );
        })}
      </ul>
      {payload?.source === 'sample' && <p className="market__warning">SAMPLE DATA: these bars are made up. They are not prices of any market.</p>}
      {payload?.remarks.map((remark) => <p key={remark} className="market__remark">{remark}</p>)}
      {status.kind === 'error' && payload !== null && <p className="market__warning">Not loaded. The chart below is the earlier one.</p>}
      <div className="market__canvas" ref={box} role="img" aria-label={payload === null ? 'No chart yet' : `Chart of ${payload.symbol ?? 'sample data'}, ${payload.interval}`} />
      <details className="market__signals">
        <summary>Newest signals ({signals.length})</summary>
        <ul>{signals.map(({ key, text }) => <li key={key}>{text}</li>)}</ul>
      </details>
      {picking && (
        <Picker
          listed={listed}
          chips={chips}
          add={(name) => change([...chips, { id: newId(), name, settings: {} }])}
          close={() => setPicking(false)}
        />
      )}
      {edited !== undefined && (
        <InputsDialog
          chip={edited}
          listed={listed.find(({ name, aliases = [] }) => name === edited.name || aliases.includes(edited.name))}
          save={(settings) => {
            change(chips.map((one) => (one.id === edited.id ? { ...one, settings } : one)));
            setEditing(null);
          }}
          close={() => setEditing(null)}
        />
      )}
    </div>
  );
}

function recent(payload: Payload, chips: readonly Chip[]): { key: string; text: string }[] {
  const all = chips.flatMap(({ id }) => {
    const one = payload.indicators[id];
    return (one?.signals ?? []).map((signal, i) => ({ ...signal, name: one?.label ?? id, key: `${id} ${i}` }));
  });
  const newest = all.sort((a, b) => b.x - a.x).slice(0, 30);
  return newest.map(({ key, t, x, label, name, y }) => ({ key, text: `${t === null ? `D${x}` : moment(t * 1000)} · ${name} · ${label} at ${figure(y)}` }));
}

function kept(): { symbol: string; timeframe: string } {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT) ?? '{}') as { symbol?: unknown; timeframe?: unknown };
    const timeframe = TIMEFRAMES.find((one) => one === found.timeframe) ?? FIRST.timeframe;
    return { symbol: typeof found.symbol === 'string' ? found.symbol : FIRST.symbol, timeframe };
  } catch {
    return FIRST;
  }
}

function keep(asked: { symbol: string; timeframe: string }): void {
  try {
    localStorage.setItem(KEPT, JSON.stringify(asked));
  } catch {
    return;
  }
}
