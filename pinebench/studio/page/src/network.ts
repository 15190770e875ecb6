// Keeps the page on its own server: a call that a client makes to one of TradingView's services is answered by the studio.
import { faults } from './faults';
import { ALERTS_CHANGED } from './model/alerts';
import { tellOthers } from './model/together';
import { CHANGED, stored } from './model/watchlist';

/** TradingView's services that the studio has, by host, with the studio's path before the service's own. */
const SERVICES: Record<string, string> = {
  'pine-facade.tradingview.com': '',
  'pricealerts.tradingview.com': '/pricealerts',
  'symbol-search.tradingview.com': '/symbol-search',
  'scanner.tradingview.com': '/scanner',
};

const WATCHLISTS = '/api/v1/symbols_list/';

const VISITORS_MAY = /^\/pine-facade\/(translate_light|parse_title)/;

/** The last request of a client about the watchlist; it is fulfilled when that request has ended, even if it failed. */
let earlier: Promise<unknown> = Promise.resolve();

/**
 * Ask for the watchlist, or change it, after what the page and its clients did before: a client reads the list that the
 * page shows, its own change is the last one, and no request overtakes an older one on another connection.
 */
function inTurn(ask: () => Promise<Response>): Promise<Response> {
  const asked = Promise.all([earlier, stored()]).then(ask);
  earlier = asked.catch(() => undefined);
  return asked;
}

export function keepRequestsHere(): void {
  const native = window.fetch.bind(window);
  window.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, location.href);
    const signal = init?.signal ?? (input instanceof Request ? input.signal : null);
    const here = addressHere(url);
    const trouble = url.pathname.startsWith('/pine-facade/') ? scriptTrouble(url.pathname, signal) : null;
    if (trouble !== null) return trouble;
    const isWatchlist = (here ?? url.pathname).startsWith(WATCHLISTS);
    if (isWatchlist && faults.loggedOut) return Promise.resolve(Response.json({ detail: 'log in' }, { status: 403 }));
    const ask = () => (here === null ? native(input, init) : native(input instanceof Request ? new Request(here, input) : here, init));
    const isSave = url.pathname.startsWith('/pine-facade/save/');
    const asked = isWatchlist ? inTurn(ask) : isSave ? askedToSave(ask) : ask();
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
    const changed = isWatchlist ? CHANGED : /\/(create_alert|delete_alerts)\/?$/.test(url.pathname) ? ALERTS_CHANGED : null;
    const tell = (event: string) => {
      window.dispatchEvent(new Event(event));
      if (event === CHANGED) tellOthers('watchlist');
    };
    if (changed !== null && method !== 'GET') void asked.then(() => tell(changed), () => undefined);
    return asked;
  };
  const open = Reflect.get(XMLHttpRequest.prototype, 'open') as (...values: unknown[]) => void;
  XMLHttpRequest.prototype.open = function (this: XMLHttpRequest, method: string, address: string | URL, ...rest: unknown[]) {
    const here = addressHere(new URL(address, location.href));
    open.call(this, method, here ?? address, ...(rest.length > 0 ? rest : [true]));
  };
}

/** The address where the studio answers for one of TradingView's services; null for any other address. */
function addressHere(url: URL): string | null {
  if (url.hostname === 'www.tradingview.com' && url.pathname.startsWith(WATCHLISTS) && url.origin !== location.origin) {
    return url.pathname + url.search;
  }
  const prefix = SERVICES[url.hostname];
  return prefix === undefined || url.origin === location.origin ? null : prefix + url.pathname + url.search;
}

/** Ask the script service to save, over a bad connection if a fault asks for one. */
function askedToSave(ask: () => Promise<Response>): Promise<Response> {
  if (faults.scriptService === 'doubled') return ask().then(ask);
  if (faults.scriptService === 'lost') return ask().then(() => Promise.reject(new TypeError('Failed to fetch')));
  return ask();
}

/** The failure of the script service, if a fault asks for one. */
function scriptTrouble(path: string, signal: AbortSignal | null): Promise<Response> | null {
  if (faults.loggedOut && !VISITORS_MAY.test(path)) {
    return Promise.resolve(Response.json({ success: false, reason: 'Login required' }, { status: 403 }));
  }
  const trouble = faults.scriptService;
  if (trouble === null) return null;
  if (typeof trouble === 'number') return Promise.resolve(Response.json({ success: false, reason: 'on purpose' }, { status: trouble }));
  switch (trouble) {
    case 'html':
      return Promise.resolve(new Response('<!doctype html><title>Sorry</title>', { headers: { 'Content-Type': 'text/html' } }));
    case 'shape':
      return Promise.resolve(Response.json({ scripts: 'elsewhere' }));
    case 'null':
      return Promise.resolve(Response.json(null));
    case 'offline':
      return Promise.reject(new TypeError('Failed to fetch'));
    case 'full':
      if (!path.startsWith('/pine-facade/save/new')) return null;
      return Promise.resolve(Response.json({ success: false, reason: 'The limit of saved scripts is reached' }, { status: 400 }));
    case 'lost':
    case 'doubled':
      return null;
    case 'silent':
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(new DOMException('The request was aborted.', 'AbortError')));
      });
  }
}
