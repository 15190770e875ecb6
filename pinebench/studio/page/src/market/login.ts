// The log-in at a chart server: OAuth 2.1 with PKCE, as a public client. Tokens live in this tab only.
import { NotAllowedError } from './link';

interface Kept {
  client: string;
  access: string;
  refresh: string;
  scope: string;
  /** Names the log-in, so that a copy of the tab does not use the same refresh token. */
  name: string;
}

interface Asked {
  client: string;
  verifier: string;
  state: string;
  /** The part of the page to come back to. */
  part: string;
}

interface Metadata {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  registration_endpoint: string;
  revocation_endpoint: string;
}

const KEPT = 'pinebench-login';
const ASKED = 'pinebench-asked';
const SCOPES = 'charts alerts trading';
const HERE = `${location.origin}/app`;
const LOCK_MS = 1500;

export class Login {
  private refreshing: Promise<void> | null = null;

  private constructor(private kept: Kept) {}

  get scopes(): string[] {
    return this.kept.scope.split(' ');
  }

  /** The log-in of this tab: a new one if the page was just come back to with a code, else the one that it has; null without one. */
  static async resume(): Promise<Login | null> {
    const query = new URLSearchParams(location.search);
    if (query.has('state') || query.has('code') || query.has('error')) {
      const asked = take(ASKED) as Asked | null;
      history.replaceState(null, '', '/app' + (asked?.part ?? '')); // neither a code nor an error stays in the address
      return await Login.comeBack(query, asked);
    }
    const kept = read(KEPT) as Kept | null;
    if (kept === null) return null;
    if (await isAlone(kept.name)) return new Login(kept);
    sessionStorage.removeItem(KEPT);
    throw new Error('another tab has this log-in: log in here, too');
  }

  /** Lead the browser to the consent page of the server. */
  static async begin(): Promise<void> {
    const server = await metadata();
    const told = await post(server.registration_endpoint, 'application/json', JSON.stringify({
      client_name: 'pinebench page',
      redirect_uris: [HERE],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: SCOPES,
    }));
    const [client, verifier, state] = [String(told['client_id']), secret(), secret()];
    const hashed = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
    sessionStorage.setItem(ASKED, JSON.stringify({ client, verifier, state, part: location.hash } satisfies Asked));
    location.assign(`${server.authorization_endpoint}?${new URLSearchParams({
      client_id: client,
      redirect_uri: HERE,
      response_type: 'code',
      code_challenge: base64(new Uint8Array(hashed)),
      code_challenge_method: 'S256',
      state,
      scope: SCOPES,
      resource: `${location.origin}/mcp`,
    }).toString()}`);
  }

  private static async comeBack(query: URLSearchParams, asked: Asked | null): Promise<Login> {
    const server = await metadata();
    if (asked === null || query.get('state') !== asked.state || query.get('iss') !== server.issuer) {
      throw new Error('this answer does not belong to a log-in that began here');
    }
    const code = query.get('code');
    if (code === null) throw new Error(query.get('error_description') ?? query.get('error') ?? 'access was denied');
    const told = await form(server.token_endpoint, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: HERE,
      client_id: asked.client,
      code_verifier: asked.verifier,
      resource: `${location.origin}/mcp`,
    });
    const login = new Login(keep(asked.client, told, secret()));
    await isAlone(login.kept.name);
    return login;
  }

  /** A request with the access token. It is sent again once, with a new token, if the server no longer takes the old one. */
  async fetch(path: string, init: RequestInit): Promise<Response> {
    const send = (token: string) => fetch(path, { ...init, headers: { ...(init.headers as Record<string, string>), Authorization: `Bearer ${token}` } });
    const used = this.kept.access;
    const response = await send(used);
    if (response.status !== 401) return response;
    if (used === this.kept.access) await this.refresh();
    const second = await send(this.kept.access);
    if (second.status === 401) this.forget();
    return second;
  }

  /** End the log-in here and on the server. Rejects if the server does not say that the tokens are worth nothing any more. */
  async leave(): Promise<void> {
    const { client, refresh } = this.kept;
    sessionStorage.removeItem(KEPT);
    const server = await metadata();
    await form(server.revocation_endpoint, { token: refresh, token_type_hint: 'refresh_token', client_id: client });
  }

  /** Only one refresh at a time: a refresh token works once, and a second use ends the log-in. */
  private refresh(): Promise<void> {
    this.refreshing ??= this.renew().finally(() => (this.refreshing = null));
    return this.refreshing;
  }

  private async renew(): Promise<void> {
    const { client, refresh, name } = this.kept;
    const server = await metadata();
    try {
      this.kept = keep(client, await form(server.token_endpoint, { grant_type: 'refresh_token', refresh_token: refresh, client_id: client }), name);
    } catch (error) {
      if (error instanceof RefusedError) this.forget();
      throw error;
    }
  }

  private forget(): never {
    sessionStorage.removeItem(KEPT);
    throw new NotAllowedError('the log-in has ended');
  }
}

class RefusedError extends Error {}

/** The metadata of the server. Addresses of other servers are refused, and so is another issuer. */
async function metadata(): Promise<Metadata> {
  const told = (await (await fetch('/.well-known/oauth-authorization-server')).json()) as Metadata;
  const all = [told.authorization_endpoint, told.token_endpoint, told.registration_endpoint, told.revocation_endpoint];
  if (told.issuer !== location.origin || !all.every((one) => new URL(one).origin === location.origin)) {
    throw new Error(`this page was opened at ${location.origin}, but the server calls itself ${told.issuer}: open it there`);
  }
  return told;
}

function keep(client: string, told: Record<string, unknown>, name: string): Kept {
  const kept = { client, access: String(told['access_token']), refresh: String(told['refresh_token']), scope: String(told['scope']), name };
  sessionStorage.setItem(KEPT, JSON.stringify(kept));
  return kept;
}

const form = (address: string, fields: Record<string, string>): Promise<Record<string, unknown>> =>
  post(address, 'application/x-www-form-urlencoded', new URLSearchParams(fields).toString());

async function post(address: string, type: string, body: string): Promise<Record<string, unknown>> {
  const response = await fetch(address, { method: 'POST', headers: { 'Content-Type': type }, body });
  const text = await response.text();
  const told = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
  if (!response.ok) throw new RefusedError(problemOf(told) ?? `the server answered ${response.status}`);
  return told;
}

const problemOf = (told: Record<string, unknown>): string | undefined =>
  [told['error_description'], told['error']].find((one) => typeof one === 'string');

/** Whether no other tab has this log-in; a copied tab has a copy of the log-in. */
async function isAlone(name: string): Promise<boolean> {
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), LOCK_MS); // a page that is being left still holds it for a moment
  return await new Promise((told) => {
    navigator.locks
      .request(`pinebench-login-${name}`, { signal: waiting.signal }, () => {
        clearTimeout(timer);
        told(true);
        return new Promise(() => undefined); // held as long as the page is open
      })
      .catch(() => told(false));
  });
}

const secret = (): string => base64(crypto.getRandomValues(new Uint8Array(32)));

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

function read(name: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? 'null');
  } catch {
    return null;
  }
}

function take(name: string): unknown {
  const found = read(name);
  sessionStorage.removeItem(name);
  return found;
}
