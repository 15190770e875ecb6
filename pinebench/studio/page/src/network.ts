// Keeps the page on its own server: a call that a client makes to one of TradingView's services is answered by the studio.
import { faults } from './faults';

/** TradingView's services the studio has, by host, with the studio's path in front of the service's own. */
const SERVICES: Record<string, string> = {
  'pine-facade.tradingview.com': '',
  'pricealerts.tradingview.com': '/pricealerts',
  'symbol-search.tradingview.com': '/symbol-search',
};

const VISITORS_MAY = /^\/pine-facade\/(translate_light|parse_title)/;

export function keepRequestsHere(): void {
  const native = window.fetch.bind(window);
  window.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, location.href);
    const prefix = SERVICES[url.hostname];
    if (faults.loggedOut && url.pathname.startsWith('/pine-facade/') && !VISITORS_MAY.test(url.pathname)) {
      return Promise.resolve(Response.json({ success: false, reason: 'Login required' }, { status: 403 }));
    }
    if (prefix === undefined || url.origin === location.origin) return native(input, init);
    const here = prefix + url.pathname + url.search;
    return native(input instanceof Request ? new Request(here, input) : here, init);
  };
}
