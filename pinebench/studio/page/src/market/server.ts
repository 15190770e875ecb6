// The way to a chart server: MCP over HTTP, with the token of the log-in.
import { follow, LostError, NotAllowedError, reach, ToolError, type Link } from './link';
import type { Login } from './login';

const VERSION = '2025-06-18';

interface Answer {
  result?: { isError?: boolean; content?: { type: string; text?: string }[] };
  error?: { code: number; message: string };
}

/** Speak with the server of this page; `login` is null where the server lets everybody in. */
export function serverLink(login: Login | null): Link {
  let number = 0;
  let session: Promise<string> | null = null;
  const send = (path: string, init: RequestInit) => (login === null ? fetch(path, init) : login.fetch(path, init));

  async function post(message: object, more: Record<string, string> = {}): Promise<Response> {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json', 'MCP-Protocol-Version': VERSION, ...more };
    return await reach(() => send('/mcp', { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) }));
  }

  async function greet(): Promise<string> {
    const clientInfo = { name: 'pinebench page', version: '1' };
    const response = await post({ id: ++number, method: 'initialize', params: { protocolVersion: VERSION, capabilities: {}, clientInfo } });
    if (!response.ok) throw new LostError(`the server answered ${response.status}`);
    const id = response.headers.get('mcp-session-id') ?? '';
    await post({ method: 'notifications/initialized' }, id === '' ? {} : { 'Mcp-Session-Id': id });
    return id;
  }

  return {
    place: 'server',
    call: async <T>(tool: string, given: object = {}) => {
      session ??= greet().catch((error: unknown) => {
        session = null;
        throw error;
      });
      const id = await session;
      const response = await post({ id: ++number, method: 'tools/call', params: { name: tool, arguments: given } }, id === '' ? {} : { 'Mcp-Session-Id': id });
      const told = (await reach(() => response.json())) as Answer;
      if (response.status === 401) throw new NotAllowedError('the log-in has ended');
      if (response.status >= 500) throw new LostError(`the server answered ${response.status}`);
      if (response.status === 403) throw new NotAllowedError('you did not allow this when you logged in');
      const text = told.result?.content?.find((part) => part.type === 'text')?.text;
      if (told.result === undefined || text === undefined) throw new ToolError(told.error?.message ?? `the server answered ${response.status}`);
      if (told.result.isError === true) throw new ToolError(text);
      return JSON.parse(text) as T;
    },
    listen: (fired, state) => follow((headers, signal) => send('/mcp', { headers, signal }), fired, state),
    leave: login === null ? null : () => login.leave(),
  };
}
