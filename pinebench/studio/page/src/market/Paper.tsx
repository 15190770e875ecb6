// The paper account: money, positions, orders, the form for a new order, and the kill switch. Nothing here is a real order.
import { useCallback, useEffect, useRef, useState, type SubmitEvent } from 'react';
import { Closed, Freshness, PriceAge, STALE, Symbols } from './parts';
import { Modal } from './Picker';
import { everyOne, useAnswer, type Answered, type Balance, type Order, type Position } from './live';
import { LostError, type Link } from './link';
import { money, price, textOf, words } from './words';

/** An order as it is sent. `client_order_id` is made when the confirmation opens, so that it is taken once however often it is sent. */
interface Draft {
  symbol: string;
  side: 'buy' | 'sell';
  type: 'market' | 'limit' | 'stop';
  quantity: number;
  price?: number;
  take_profit?: number;
  stop_loss?: number;
  reduce_only?: boolean;
  client_order_id: string;
}

/** The number of orders in the list that has also filled and cancelled ones. */
const MOST_ENDED = 100;

const isOpen = (state: string): boolean => state === 'Open' || state === 'Pending';

interface Props {
  link: Link;
  balance: Answered<Balance>;
  balanceAgain: () => Promise<void>;
  say: (text: string, kind?: 'problem') => void;
}

export function Paper({ link, balance, balanceAgain, say }: Props) {
  const [positions, positionsAgain] = useAnswer(useCallback(() => link.call<Position[]>('get_positions'), [link]));
  const [draft, setDraft] = useState<Draft | null>(null);
  const [stopping, setStopping] = useState(false);
  const [all, setAll] = useState(false);
  const [orders, ordersAgain] = useAnswer(
    useCallback(() => (all ? link.call<Order[]>('get_orders', { limit: MOST_ENDED }) : everyOne<Order>(link, 'get_orders', { filter: 'open' })), [link, all]),
  );
  const again = () => Promise.all([balanceAgain(), positionsAgain(), ordersAgain()]);

  const cancel = async ({ id, side, quantity, symbol }: Order) => {
    try {
      await link.call('cancel_order', { order_id: id });
      say(`Paper order cancelled: ${side} ${price(quantity)} ${symbol}.`);
    } catch (error) {
      say(words(error), 'problem');
    }
    await again();
  };
  const halt = async (on: boolean) => {
    setStopping(false);
    try {
      const { ended } = await link.call<{ ended: number }>('halt_trading', { on });
      say(on ? `Paper trading is stopped. ${ended} orders were cancelled.` : 'Paper trading continues.');
    } catch (error) {
      say(words(error), 'problem');
    }
    await again();
  };
  if (balance.closed !== null || orders.closed !== null) return <Closed why={balance.closed ?? orders.closed ?? 'off'} place={link.place} problem={orders.problem ?? balance.problem} />;
  const halted = balance.value?.halted;
  const shown = (orders.value ?? []).filter(({ state }) => all || isOpen(state)).reverse();
  return (
    <div className="market__columns">
      <NewOrder balance={balance.value} ask={setDraft} />
      <div>
        {halted !== undefined && (
          <p className="market__warning" role="status">
            Paper trading is stopped: {halted}. No orders are accepted. <button className="button" onClick={() => void halt(false)}>Trade again</button>
          </p>
        )}
        <h2>Paper account <Freshness answered={balance} /></h2>
        {balance.value !== null && <Money balance={balance.value} stale={balance.problem !== null} />}
        <h2>Paper positions <Freshness answered={positions} /></h2>
        <ul className="market__list" data-name="positions" data-stale={positions.problem !== null}>
          {(positions.value ?? []).map((one) => (
            <li key={one.symbol} data-stale={(one.price_age ?? Infinity) > STALE}>
              <div>
                <b>{one.side === 'buy' ? 'Long' : 'Short'} {price(one.quantity)} {one.symbol}</b> from {price(one.entry_price)}, now {price(one.current_price)}
                <small>
                  {one.unrealized_pnl === null ? 'open profit unknown' : `open profit ${money(one.unrealized_pnl)}`} <PriceAge seconds={one.price_age} />
                </small>
              </div>
              <button
                className="button"
                aria-label={`Close the paper position in ${one.symbol}`}
                onClick={() => setDraft({ symbol: one.symbol, side: one.side === 'buy' ? 'sell' : 'buy', type: 'market', quantity: one.quantity, reduce_only: true, client_order_id: crypto.randomUUID() })}
              >
                Close
              </button>
            </li>
          ))}
          {positions.value?.length === 0 && <li>No open position.</li>}
        </ul>
        <h2>Paper orders <Freshness answered={orders} /></h2>
        <label className="market__check"><input type="checkbox" checked={all} onChange={(event) => setAll(event.target.checked)} /> also filled and cancelled orders</label>
        <ul className="market__list" data-name="orders" data-stale={orders.problem !== null}>
          {shown.map((one) => (
            <li key={one.id}>
              <div>
                <b>{one.side === 'buy' ? 'Buy' : 'Sell'} {price(one.quantity)} {one.symbol}</b> {one.type.replace('@', ' at ')}
                <small>{detailsOf(one)}</small>
              </div>
              {isOpen(one.state) && (
                <button className="button" aria-label={`Cancel the paper order ${one.side} ${price(one.quantity)} ${one.symbol}`} onClick={() => void cancel(one)}>Cancel</button>
              )}
            </li>
          ))}
          {orders.value !== null && shown.length === 0 && <li>No {all ? '' : 'open '}order.</li>}
        </ul>
        {all && shown.length > 0 && <p className="market__remark">The newest {MOST_ENDED} orders at most. An older open order is only in the list of open orders.</p>}
        <button className="button button--stop" data-name="kill-switch" disabled={halted !== undefined} onClick={() => setStopping(true)}>Kill switch: stop paper trading</button>
      </div>
      {draft !== null && <Confirmation link={link} draft={draft} again={again} say={say} close={() => setDraft(null)} />}
      {stopping && (
        <Modal title="Stop paper trading?" name="stop-trading" close={() => setStopping(false)}>
          <p>Every open paper order of every user is cancelled, and no new one is accepted until you trade again. Positions stay.</p>
          <div className="market__buttons">
            <button className="button" onClick={() => setStopping(false)}>Back</button>
            <button className="button button--stop" data-first onClick={() => void halt(true)}>Stop paper trading</button>
          </div>
        </Modal>
      )}
    </div>
  );
}

function Money({ balance, stale }: { balance: Balance; stale: boolean }) {
  const rows: [string, number][] = [
    ['Equity', balance.equity],
    ['Balance', balance.balance],
    ['Available', balance.available],
    ['Open profit', balance.unrealized_pnl],
    ['Realized profit', balance.realized_pnl],
    ['Fees', balance.fees],
  ];
  return (
    <dl className="market__money" data-name="money" data-stale={stale}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{money(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function NewOrder({ balance, ask }: { balance: Balance | null; ask: (draft: Draft) => void }) {
  const [symbol, setSymbol] = useState('');
  const [type, setType] = useState<Draft['type']>('market');
  const followed = balance?.followed ?? [];
  const chosen = followed.find((one) => one.symbol === symbol) ?? followed[0];
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const number = (name: string) => {
      const text = textOf(given, name);
      return text === '' ? undefined : Number(text);
    };
    const side = given.get('side');
    const quantity = number('quantity');
    if (chosen === undefined || quantity === undefined || (side !== 'buy' && side !== 'sell')) return;
    const more = { price: type === 'market' ? undefined : number('price'), take_profit: number('take_profit'), stop_loss: number('stop_loss') };
    const known = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined));
    ask({ symbol: chosen.symbol, side, type, quantity, ...known, client_order_id: crypto.randomUUID() });
  };
  return (
    <form className="market__form market__card" data-name="new-order" onSubmit={submit}>
      <h2>New paper order</h2>
      <Symbols followed={followed} value={chosen?.symbol ?? ''} change={setSymbol} />
      {chosen !== undefined && <p className="market__remark">Newest price {price(chosen.price)} <PriceAge seconds={chosen.price_age} /></p>}
      <fieldset>
        <legend>Side</legend>
        <label className="market__check"><input type="radio" name="side" value="buy" required /> Buy</label>
        <label className="market__check"><input type="radio" name="side" value="sell" /> Sell</label>
      </fieldset>
      <label>
        Type
        <select className="market__input" name="type" value={type} onChange={(event) => setType(event.target.value as Draft['type'])}>
          <option value="market">market</option>
          <option value="limit">limit</option>
          <option value="stop">stop</option>
        </select>
      </label>
      {type !== 'market' && <label>Price<input className="market__input" name="price" type="number" step="any" min="0" required /></label>}
      <label>Quantity<input className="market__input" name="quantity" type="number" step="any" min="0" required /></label>
      <label>Take profit<input className="market__input" name="take_profit" type="number" step="any" min="0" /></label>
      <label>Stop loss<input className="market__input" name="stop_loss" type="number" step="any" min="0" /></label>
      <button className="button button--accent" disabled={chosen === undefined}>Check the paper order…</button>
    </form>
  );
}

/** Shows exactly what will be sent, sends it once, and says what the engine has. */
function Confirmation({ link, draft, again, say, close }: { link: Link; draft: Draft; again: () => Promise<unknown>; say: Props['say']; close: () => void }) {
  const [state, setState] = useState<'asked' | 'sending' | 'lost'>('asked');
  const [problem, setProblem] = useState('');
  const sending = useRef(false);
  const shown = useRef(true);
  useEffect(() => () => void (shown.current = false), []);
  const send = async () => {
    if (sending.current) return; // a second click, before the button is drawn as disabled
    sending.current = true;
    setState('sending');
    try {
      const { order_id } = await link.call<{ order_id: string }>('place_order', draft);
      const one = (await link.call<Order[]>('get_orders')).find(({ id }) => id === order_id);
      const wrong = one === undefined ? 'the engine does not list it' : differenceOf(draft, one);
      if (wrong !== null) say(`The paper order ${order_id} is not what was sent: ${wrong}.`, 'problem');
      else if (one !== undefined) say(`Paper order: ${one.side} ${price(one.quantity)} ${one.symbol} ${one.type.replace('@', ' at ')} · ${detailsOf(one)}`, one.state === 'Rejected' ? 'problem' : undefined);
      close();
    } catch (error) {
      const isLost = error instanceof LostError;
      if (!shown.current) say(`${words(error)}. ${isLost ? 'It is not known whether the paper order was accepted: look at the list of orders.' : 'The paper order was not accepted.'}`, 'problem');
      setProblem(words(error));
      setState(isLost ? 'lost' : 'asked');
    } finally {
      sending.current = false;
      await again();
    }
  };
  return (
    <Modal title="Send this paper order?" name="confirm-order" close={close}>
      <p><span className="paper">PAPER</span> No real money is used.</p>
      <dl className="market__money market__sent">
        {rowsOf(draft).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {problem !== '' && (
        <p className="market__warning" role="alert">
          {problem}. {state === 'lost' ? 'It is not known whether the order was accepted. Sending it again is safe: it has the same id and is accepted once.' : 'The order was not accepted.'}
        </p>
      )}
      <div className="market__buttons">
        <button className="button" data-first disabled={state === 'sending'} onClick={close}>Back</button>
        <button className="button button--accent" data-name="send-order" disabled={state === 'sending'} onClick={() => void send()}>
          {state === 'sending' ? 'Sending…' : state === 'lost' ? 'Send again' : `${draft.side === 'buy' ? 'Buy' : 'Sell'} on paper`}
        </button>
      </div>
    </Modal>
  );
}

function rowsOf({ symbol, side, type, quantity, price: at, take_profit, stop_loss, reduce_only }: Draft): [string, string][] {
  const rows: [string, string | undefined][] = [
    ['Side', side === 'buy' ? 'BUY' : 'SELL'],
    ['Quantity', String(quantity)],
    ['Symbol', symbol],
    ['Type', type],
    ['Price', at === undefined ? undefined : String(at)],
    ['Take profit', take_profit === undefined ? undefined : String(take_profit)],
    ['Stop loss', stop_loss === undefined ? undefined : String(stop_loss)],
    ['Only closes', reduce_only === true ? 'yes: at most the open position' : undefined],
  ];
  return rows.filter((row): row is [string, string] => row[1] !== undefined);
}

/** How an order of the engine differs from what was sent; null if it does not. Prices may be rounded to the symbol's tick. */
function differenceOf(draft: Draft, one: Order): string | null {
  const [type, at] = one.type.split('@');
  const found: string[] = [];
  const same = (name: string, sent: unknown, has: unknown) => {
    if (sent !== has) found.push(`${name} is ${String(has)}, sent was ${String(sent)}`);
  };
  const near = (name: string, sent: number | undefined, has: number | undefined) => {
    if (sent === has) return;
    const isRounded = sent !== undefined && has !== undefined && Math.abs(sent - has) <= Math.abs(sent) * 0.001;
    if (!isRounded) found.push(`${name} is ${String(has)}, sent was ${String(sent)}`);
  };
  same('the symbol', draft.symbol, one.symbol);
  same('the side', draft.side, one.side);
  same('the type', draft.type, type);
  if (draft.reduce_only !== true) same('the quantity', draft.quantity, one.quantity);
  near('the price', draft.price, at === undefined ? undefined : Number(at));
  near('take profit', draft.take_profit, one.take_profit);
  near('stop loss', draft.stop_loss, one.stop_loss);
  return found.length === 0 ? null : found.join('; ');
}

function detailsOf({ state, fill_price, fee, take_profit, stop_loss, reduce_only, reason }: Order): string {
  return [
    state,
    ...(fill_price === undefined ? [] : [`filled at ${price(fill_price)}`]),
    ...(fee === undefined ? [] : [`fee ${money(fee)}`]),
    ...(take_profit === undefined ? [] : [`take profit ${price(take_profit)}`]),
    ...(stop_loss === undefined ? [] : [`stop loss ${price(stop_loss)}`]),
    ...(reduce_only === true ? ['only closes'] : []),
    ...(reason === undefined ? [] : [reason]),
  ].join(' · ');
}
