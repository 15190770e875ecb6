// Debugs a script with VS Code's own test client for debug adapters.
// node debug_client.mjs PINEBENCH SCRIPT LINE, in a folder with @vscode/debugadapter-testsupport
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(path.join(process.cwd(), 'package.json'));
const { DebugClient } = require('@vscode/debugadapter-testsupport');
const [, , command, program, text] = process.argv;
const line = Number(text);
const data = 'sample:AAPL@60x200';

const client = new DebugClient(command, 'debug', 'pinebench', {}, false);
client.defaultTimeout = 60000;
await client.start();

const told = await client.initializeRequest();
for (const name of ['supportsConfigurationDoneRequest', 'supportsStepBack', 'supportsConditionalBreakpoints', 'supportsLogPoints']) {
  assert.equal(told.body[name], true, name);
}
await assert.rejects(client.send('pinebench/unknown'), /not supported/);
await client.stop();

// The client's own sequences, each in a session of its own.
await client.start();
await Promise.all([
  client.configurationSequence(),
  client.launch({ program, data, stopOnEntry: true }),
  client.assertStoppedLocation('entry', { path: program, line: 4 }),
]);
await client.stop();

await client.start();
await client.hitBreakpoint({ program, data }, { path: program, line }, { path: program, line });
const stack = await client.stackTraceRequest({ threadId: 1 });
const frameId = stack.body.stackFrames[0].id;
const scopes = await client.scopesRequest({ frameId });
const globals = scopes.body.scopes.find((each) => each.name === 'Globals');
await client.assertVariables?.(globals.variablesReference, {});
const { body } = await client.variablesRequest({ variablesReference: globals.variablesReference });
assert.ok(body.variables.some((each) => each.name === 'mean'));
assert.equal((await client.evaluateRequest({ expression: 'bar_index + 1', frameId, context: 'watch' })).body.result, '1');
const moved = (event) => client.assertStoppedLocation(event, { path: program });
await Promise.all([client.nextRequest({ threadId: 1 }), moved('step')]);
await Promise.all([client.stepInRequest({ threadId: 1 }), moved('step')]);
await Promise.all([client.stepOutRequest({ threadId: 1 }), moved('step')]);
await Promise.all([client.stepBackRequest({ threadId: 1 }), moved('step')]);
await Promise.all([client.continueRequest({ threadId: 1 }), client.assertStoppedLocation('breakpoint', { path: program, line })]);
await Promise.all([client.reverseContinueRequest({ threadId: 1 }), client.assertStoppedLocation('breakpoint', { path: program, line })]);
await client.setBreakpointsRequest({ source: { path: program }, breakpoints: [] });
await Promise.all([client.continueRequest({ threadId: 1 }), client.waitForEvent('terminated')]);
await client.stop();

await client.start();
await Promise.all([
  client.configurationSequence(),
  client.launch({ program, data }),
  client.assertOutput('console', '[info] bar 0', 60000),
  client.waitForEvent('terminated'),
]);
await client.stop();
console.log('all of it passed');
process.exit(0);
