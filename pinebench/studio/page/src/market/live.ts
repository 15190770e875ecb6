// What the engine says now: asked again every few seconds, with the moment of the last answer.
import { useCallback, useEffect, useRef, useState } from 'react';
import { NotAllowedError, ToolError, type Fired, type Link, type Stream } from './link';
import { words, type Condition } from './words';

const EACH_MS = 3000;
const OFF = 'Trading engine not running';

export interface Followed {
  symbol: string;
  intervals: string[];
  price: number | null;
  price_at?: string;
  price_age?: number;
}

export interface Balance {
  initial_capital: number;
  balance: number;
  equity: number;
  available: number;
  realized_pnl: number;
  unrealized_pnl: number;
  fees: number;
  halted?: string;
  followed: Followed[];
}

export interface Position {
  symbol: string;
  side: 'buy' | 'sell';
  quantity: number;
  entry_price: number;
  current_price: number | null;
  unrealized_pnl: number | null;
  price_age?: number;
}

export interface Order {
  id: string;
  symbol: string;
  side: 'buy' | 'sell';
  type: string;
  quantity: number;
  state: string;
  fill_price?: number;
  fee?: number;
  take_profit?: number;
  stop_loss?: number;
  reduce_only?: boolean;
  reason?: string;
}

export interface Alert {
  id: string;
  symbol: string;
  condition: Condition;
  created_at: string;
  interval: string;
  frequency: string;
  rearm?: boolean;
  armed?: boolean;
  expires_at?: string;
  message?: string;
}

export interface History extends Omit<Fired, 'condition'> {
  condition: Condition;
}

/** Something that was asked, and when it was answered last. `problem` is why the newest question has no answer. */
export interface Answered<T> {
  value: T | null;
  at: number | null;
  problem: string | null;
  /** Why it will not be answered: no engine runs, or it is not allowed. */
  closed: 'off' | 'refused' | null;
}

/** All open orders or waiting alerts of the user, oldest first. An answer holds only the newest ones, so older ones are asked for, too. */
export async function everyOne<T extends { id: string }>(link: Link, tool: 'get_orders' | 'list_alerts', given: object = {}): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const [first] = all;
    const page = await link.call<T[]>(tool, first === undefined ? given : { ...given, before: first.id });
    if (page.length === 0) return all;
    all.unshift(...page);
  }
}

/** Ask again and again while the page is seen. `again` asks at once; it resolves when the answer is shown. */
export function useAnswer<T>(ask: () => Promise<T>): [Answered<T>, () => Promise<void>] {
  const [answered, setAnswered] = useState<Answered<T>>({ value: null, at: null, problem: null, closed: null });
  const turn = useRef(0);
  const again = useCallback(async () => {
    const own = ++turn.current;
    try {
      const value = await ask();
      if (own === turn.current) setAnswered({ value, at: Date.now(), problem: null, closed: null });
    } catch (error) {
      if (own !== turn.current) return;
      const closed = error instanceof ToolError && error.message.startsWith(OFF) ? 'off' : error instanceof NotAllowedError ? 'refused' : null;
      setAnswered((before) => ({ ...before, problem: words(error), closed }));
    }
  }, [ask]);
  useEffect(() => {
    void again();
    const timer = setInterval(() => {
      if (!document.hidden) void again();
    }, EACH_MS);
    const seen = () => {
      if (!document.hidden) void again();
    };
    document.addEventListener('visibilitychange', seen);
    const turns = turn;
    return () => {
      turns.current++;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [again]);
  return [answered, again];
}

/** Hear of alerts that fire, by the stream, and by the history where the stream does not bring them. */
export function useFired(link: Link, history: Answered<History[]>, show: (one: History) => void): Stream {
  const [stream, setStream] = useState<Stream>('opening');
  const told = useRef(new Set<string>());
  const isSeeded = useRef(false);
  const isAnswered = history.at !== null && history.closed === null;
  const tell = useCallback(
    (one: History) => {
      if (told.current.has(keyOf(one))) return;
      told.current.add(keyOf(one));
      show(one);
    },
    [show],
  );
  useEffect(() => {
    if (!isAnswered) return;
    let stop: () => void = () => setStream('lost');
    let isOver = false;
    void subscribed(link).then(() => {
      if (!isOver) stop = link.listen((one) => tell({ ...one, condition: unfold(one.condition) }), setStream);
    });
    return () => {
      isOver = true;
      stop();
    };
  }, [link, tell, isAnswered]);
  useEffect(() => {
    if (history.value === null) return;
    if (isSeeded.current) [...history.value].reverse().forEach(tell);
    else for (const one of history.value) told.current.add(keyOf(one));
    isSeeded.current = true;
  }, [history.value, tell]);
  return stream;
}

const keyOf = (one: History): string => `${one.alert_id} ${one.triggered_at} ${one.message ?? ''}`;

/** Have alerts pushed. The filters of a subscription that another client made stay; the history brings what they keep back. */
async function subscribed(link: Link): Promise<void> {
  try {
    const { subscribed: already } = await link.call<{ subscribed: boolean }>('list_subscriptions');
    if (!already) await link.call('subscribe_notifications');
  } catch {
    return;
  }
}

/** A condition with its type beside its details. */
interface Flat {
  type?: string;
  threshold?: number;
  expression?: string;
}

/** A condition of the stream, which is flat, in the form of the other tools. */
function unfold(flat: Flat): Condition {
  const { type, threshold, ...rest } = flat;
  if (type === undefined) return {};
  if (threshold !== undefined) return { [type]: threshold };
  return { [type]: type === 'pine' ? rest.expression : rest };
}

/** The seconds since a moment, counted as they pass. */
export function useAge(at: number | null): number | null {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return at === null ? null : Math.max((now - at) / 1000, 0);
}
