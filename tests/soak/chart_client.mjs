// Logs in to a chart server with the protocol's TypeScript SDK, calls, refreshes and hears an alert; prints what it saw.
// Arguments: the folder with the SDK, the server's address, and its passphrase.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, address, passphrase] = process.argv.slice(2);
const resolve = createRequire(`${folder}/package.json`).resolve;
const load = (name) => import(pathToFileURL(resolve(`@modelcontextprotocol/sdk/${name}`)).href);
const { Client } = await load("client/index.js");
const { StreamableHTTPClientTransport } = await load("client/streamableHttp.js");
const { UnauthorizedError } = await load("client/auth.js");

const redirect = "http://127.0.0.1:5555/callback";
const seen = { pages: 0 };

// What the person does in the browser: read the page, type the passphrase, press Allow.
async function approve(url) {
  seen.pages += 1;
  const page = await fetch(url);
  const html = await page.text();
  const form = new URLSearchParams({ passphrase, decision: "allow" });
  for (const [, name, value] of html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)) form.append(name, value);
  for (const [, value] of html.matchAll(/name="scope" value="([^"]*)" checked/g)) form.append("scope", value);
  const headers = { cookie: page.headers.get("set-cookie").split(";")[0], origin: new URL(address).origin };
  const answer = await fetch(new URL("/consent", address), { method: "POST", body: form, headers, redirect: "manual" });
  return new URL(answer.headers.get("location")).searchParams;
}

const kept = {};
let approved;
const provider = {
  redirectUrl: redirect,
  clientMetadata: { redirect_uris: [redirect], client_name: "the TypeScript SDK" },
  state: () => "a state",
  clientInformation: () => kept.client,
  saveClientInformation: (client) => void (kept.client = client),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => void (kept.tokens = tokens),
  redirectToAuthorization: async (url) => void (approved = await approve(url)),
  saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
  codeVerifier: () => kept.verifier,
};

const heard = [];
let arrived;
const arrival = new Promise((done) => (arrived = done));

async function connect() {
  const client = new Client({ name: "soak", version: "1" });
  client.fallbackNotificationHandler = async (told) => {
    heard.push(told.params.alert_id);
    arrived();
  };
  const transport = new StreamableHTTPClientTransport(new URL(address), { authProvider: provider });
  await client.connect(transport);
  return [client, transport];
}

try {
  await connect();
  seen.open = true;
} catch (error) {
  seen.open = false;
  seen.asked = error instanceof UnauthorizedError;
}
seen.state = approved.get("state");
const first = new StreamableHTTPClientTransport(new URL(address), { authProvider: provider });
await first.finishAuth(approved.get("code"));
let [client, transport] = await connect();
seen.tools = (await client.listTools()).tools.length;
seen.total = (await client.callTool({ name: "list_indicators", arguments: {} })).structuredContent.total;
await arrival;
seen.heard = heard;
seen.session = typeof transport.sessionId === "string";
await transport.terminateSession();
await client.close();

// A token that is worth nothing any more: the client gets a new one by itself.
const before = kept.tokens;
kept.tokens = { ...before, access_token: "worth nothing" };
[client, transport] = await connect();
await client.callTool({ name: "list_indicators", arguments: {} });
seen.refreshed = kept.tokens.access_token !== before.access_token && kept.tokens.refresh_token !== before.refresh_token;
await client.close();
console.log(JSON.stringify(seen));
