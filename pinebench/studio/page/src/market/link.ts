// The way to the tools: to those of the studio that serves this page. `server.ts` is the way to a chart server.
export interface Fired {
  alert_id: string;
  symbol: string;
  interval?: string;
  condition: Record<string, unknown>;
  value: number | null;
  triggered_at: string;
  message?: string;
}

/** Whether the stream of fired alerts is open. */
export type Stream = 'opening' | 'open' | 'lost';

export interface Link {
  readonly place: 'studio' | 'server';
  /** Call a tool. Rejects with ToolError if the tool refuses, and with LostError if it is unknown whether the tool was called. */
  call: <T>(tool: string, given?: object) => Promise<T>;
  /** Hear of alerts as they fire; the result ends that. */
  listen: (fired: (one: Fired) => void, state: (now: Stream) => void) => () => void;
  /** End the log-in; null where nobody logs in. */
  leave: (() => Promise<void>) | null;
}

/** The tool refused; nothing was changed. */
export class ToolError extends Error {}

/** The log-in has ended, or never allowed this. */
export class NotAllowedError extends Error {}

/** The server did not answer: it may have called the tool, or not. */
export class LostError extends Error {}

const LISTS: Record<string, string> = { get_orders: 'orders', get_positions: 'positions', list_alerts: 'alerts', get_notifications: 'notifications' };
const TOOLS = '/studio/api/tools/';
const FIRED = '/studio/api/alerts/fired';
const LONGEST_PAUSE = 30_000;

export function studioLink(): Link {
  return {
    place: 'studio',
    call: async <T>(tool: string, given: object = {}) => {
      const response = await reach(() =>
        fetch(TOOLS + tool, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(given) }),
      );
      if (response.status === 401) throw new NotAllowedError('this page has no access any more: open the studio’s newest address');
      const told = (await reach(() => response.json())) as { success?: boolean; error?: string; hint?: string } & Record<string, unknown>;
      if (told.success !== true) throw new ToolError(withHint(told.error ?? 'the studio failed to answer', told.hint));
      const list = LISTS[tool];
      return (list === undefined ? told : told[list]) as T;
    },
    listen: (fired, state) => follow((headers, signal) => fetch(FIRED, { headers, signal }), fired, state),
    leave: null,
  };
}

export const withHint = (error: string, hint: string | undefined): string => (hint === undefined ? error : `${error} (${hint})`);

/** The result of a step over the network. */
export async function reach<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof NotAllowedError) throw error;
    throw new LostError(`no answer: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Read a stream of server-sent events until it is given up; connect again when it breaks, after the last event. */
export function follow(
  open: (headers: Record<string, string>, signal: AbortSignal) => Promise<Response>,
  fired: (one: Fired) => void,
  state: (now: Stream) => void,
): () => void {
  const end = new AbortController();
  void (async () => {
    let [last, pause] = ['', 1000];
    while (!end.signal.aborted) {
      state('opening');
      try {
        const response = await open({ Accept: 'text/event-stream', ...(last === '' ? {} : { 'Last-Event-ID': last }) }, end.signal);
        if (response.status === 401 || response.status === 403) break;
        if (!response.ok || response.body === null) throw new Error(String(response.status));
        state('open');
        pause = 1000;
        for await (const { id, data } of events(response.body)) {
          if (id !== '') last = id;
          const told = JSON.parse(data) as { method?: string; params?: Fired };
          if (told.method === 'notifications/alert_triggered' && told.params !== undefined) fired(told.params);
        }
      } catch {
        if (end.signal.aborted) return;
      }
      state('lost');
      await new Promise((done) => setTimeout(done, pause));
      pause = Math.min(pause * 2, LONGEST_PAUSE);
    }
    state('lost');
  })();
  return () => end.abort();
}

async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<{ id: string; data: string }> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = block.split('\n').filter((line) => !line.startsWith(':')).map((line) => line.split(/: ?(.*)/s));
      const data = fields.filter(([name]) => name === 'data').map(([, part]) => part).join('\n');
      if (data !== '') yield { id: fields.find(([name]) => name === 'id')?.[1] ?? '', data };
    }
  }
}
