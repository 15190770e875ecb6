// Drives an MCP server over standard input and output with the protocol's TypeScript SDK; prints what it saw as JSON.
// Arguments: the folder with the SDK, then the server's command line.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, command, ...args] = process.argv.slice(2);
const resolve = createRequire(`${folder}/package.json`).resolve;
const load = (name) => import(pathToFileURL(resolve(`@modelcontextprotocol/sdk/${name}`)).href);
const { Client } = await load("client/index.js");
const { StdioClientTransport } = await load("client/stdio.js");

const client = new Client({ name: "soak", version: "1" });
await client.connect(new StdioClientTransport({ command, args, env: process.env, stderr: "ignore" }));
const seen = {};
const tools = (await client.listTools()).tools;
seen.tools = tools.length;
seen.readOnly = tools.find((tool) => tool.name === "quote_get").annotations.readOnlyHint;
const quote = await client.callTool({ name: "quote_get", arguments: {} });
seen.quote = quote.structuredContent;
const refused = await client.callTool({ name: "chart_scroll_to_date", arguments: { date: "never" } });
seen.refused = [refused.isError, refused.structuredContent.error];
seen.resources = (await client.listResources()).resources.map((each) => each.uri);
seen.explained = JSON.parse((await client.readResource({ uri: "pinebench://codes/CE10272" })).contents[0].text).name;
seen.prompt = (await client.getPrompt({ name: "review_script" })).messages.length;
const picture = await client.callTool({ name: "capture_screenshot", arguments: {} });
seen.picture = picture.content.filter((each) => each.type === "image").map((each) => [each.mimeType, each.data.slice(0, 8)]);

// Progress of a run over several symbols, then one that is called off after its first symbol.
const symbols = ["NASDAQ:AAPL", "OANDA:EURUSD"];
const told = [];
const run = await client.callTool({ name: "batch_run", arguments: { symbols } }, undefined, {
  onprogress: (each) => told.push(each.progress),
});
seen.batch = [run.structuredContent.successful, told.length >= 2, told.every((each, at) => at === 0 || each > told[at - 1])];
const off = new AbortController();
try {
  await client.callTool({ name: "batch_run", arguments: { symbols: [...symbols, ...symbols] } }, undefined, {
    signal: off.signal,
    onprogress: () => off.abort("enough"),
  });
  seen.cancelled = false;
} catch {
  seen.cancelled = true;
}
const after = await client.callTool({ name: "chart_get_state", arguments: {} });
seen.after = [after.structuredContent.success, after.structuredContent.symbol];
await client.close();
console.log(JSON.stringify(seen));
