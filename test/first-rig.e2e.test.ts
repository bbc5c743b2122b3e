import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { nextSeq } from '#catalog/changes/changes.ts';
import { IMPORTED, saveListings } from '#catalog/items/items.ts';
import { defined } from '#core/defined.ts';
import { verifyCommand } from '#runtime/receipts/verify-command.ts';
import { startMcpFake, textResult } from './fakes/mcp-server.ts';
import { listing } from './listings.ts';
import { until } from './until.ts';
import { ethereumWallet } from './wallet-keys.ts';
import { openWorld } from './world.ts';

/** The commands of the guide, run by a new user: from a search to a receipt. */

const guide = await readFile(new URL('../docs/guides/first-rig.md', import.meta.url), 'utf8');
const blocks = [...guide.matchAll(/^```([^\n]*)\n(.*?)^```$/gms)].map(([, kind, text]) => ({
  kind,
  text: text as string,
}));
const missing = ['bash', 'jq', 'curl', 'base64'].filter((name) => spawnSync(name, ['--version']).error !== undefined);
const skip = missing.length > 0 ? `${missing.join(', ')} not here` : false;

const world = await openWorld({}, 'serve');
const dir = await mkdtemp(join(tmpdir(), 'capstan-guide-'));
after(async () => {
  await world.close();
  await rm(dir, { recursive: true, force: true });
});

async function post(path: string, body: object) {
  const headers = { 'content-type': 'application/json' };
  const answer = await world.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()) as Record<string, string>;
}

async function signIn(): Promise<string> {
  const { address: wallet_address, wallet_type, sign } = ethereumWallet();
  const { challenge_id, message } = await post('/api/wallets/challenge', { wallet_address, wallet_type });
  const signature = await sign(message as string);
  return (await post('/api/wallets/verify', { challenge_id, signature, wallet_address })).access_token as string;
}

async function list(): Promise<void> {
  const found = [
    listing('clawhub', 'ann/tables', { name: 'pdf-tables', description: 'Tables out of PDF files.', downloads: 5 }),
    listing('glama', 'reader', { name: 'PDF reader', description: 'Reads PDF; no tables.' }),
    listing('glama', 'weather', { name: 'weather', description: 'Forecasts.' }),
  ];
  await world.database.db.transaction().execute(async (trx) => {
    const seq = await nextSeq(trx);
    const save = { run: IMPORTED, now: '2026-01-01T00:00:00.000Z', seq: async () => seq };
    for (const listing of found) await saveListings(trx, listing.provider_id, [listing], save);
  });
  const total = async () => (await world.get<{ total_count: number }>('/api/marketplace/registry')).total_count;
  await until('all listings', async () => (await total()) === found.length);
}

async function bash(script: string, env: Record<string, string>): Promise<string> {
  const child = spawn('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', script], {
    cwd: dir,
    env: { PATH: process.env.PATH ?? '', ...env },
    timeout: 30_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, error] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    error += chunk;
  });
  assert.equal(await new Promise((resolve) => child.once('close', resolve)), 0, `${error}\n${out}`);
  return out.replace(/\s+/g, ' ');
}

test("the guide's commands search, run the explore rig, and verify its receipt", { skip }, async () => {
  await list();
  const { url } = await world.listen();
  const script = blocks.flatMap((block) => (block.kind === 'sh' ? [block.text] : [])).join('\n');
  const out = await bash(script, { CAPSTAN_URL: url, TOKEN: await signIn() });
  assert.match(out, /"name": "explore", "version": "1\.0\.0"/);
  assert.match(out, /"model": \{ "id": "builtin\/planner" \}, "tools": \[ "registry_search"/);
  assert.match(out, /"verified" \{ "status": "completed", "ranked": \[ \{ "name": "pdf-tables"/);
  assert.match(out, /"is_the_lock": true, "planner": "builtin\/planner" \}/);
  const command = blocks.find((block) => block.kind === 'sh capstand')?.text.trim() ?? '';
  assert.equal(command, 'capstand verify receipt.json --issuer "$CAPSTAN_URL"');
  let said = '';
  const write = (text: string) => {
    said += text;
  };
  const io = { stdout: { write }, stderr: { write } } as never;
  const read = async (address: string) => (await world.fetch(address.slice(url.length))).text();
  assert.equal(await verifyCommand([join(dir, 'receipt.json'), '--issuer', url], io, { read }), 0, said);
  assert.match(said, /^valid: signed by a key of http/);
});

test('every code block of the guide is covered by a test', () => {
  assert.deepEqual(
    // A fence without a language shows output.
    blocks.map((block) => block.kind).filter((kind) => kind !== 'sh' && kind !== 'sh capstand' && kind !== ''),
    [],
  );
});

async function ask(method: string, path: string, token: string, body?: object) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await world.fetch(path, {
    method,
    headers,
    ...defined({ body: body !== undefined ? JSON.stringify(body) : undefined }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: what is in it is what the test is about
  return { status: answer.status, body: (await answer.json()) as any };
}

const text = { type: 'object' as const, properties: { text: { type: 'string' as const } } };
const echo = { name: 'echo', inputSchema: text, call: () => textResult('hi') };

const rigWith = (version: string, connection: string) => ({
  yaml: JSON.stringify({
    apiVersion: 'registry/v1',
    kind: 'Rig',
    metadata: { name: 'diff', version },
    spec: {
      skills: [{ ref: 'skill/json-diff', digest: '' }],
      servers: [{ name: 'own', digest: '', connection, tools: { allow: ['echo'] } }],
      parameters: { type: 'object', required: ['before', 'after'] },
      prompt: 'Compare.',
    },
  }),
});

test("a locked rig runs a tool of the owner's connection; 409 before the lock and after the connection is deleted", async () => {
  const [owner, stranger] = [await signIn(), await signIn()];
  const server = await startMcpFake([echo]);
  after(() => server.close());
  const { id: connection } = (await ask('POST', '/api/sessions/connections', owner, { url: server.url })).body;
  await ask('POST', '/api/rigs', owner, rigWith('1.0.0', connection));
  const input = { before: { port: 80 }, after: { port: 8080 } };
  const run = (body: object = { input }, as = owner) => ask('POST', '/api/rigs/diff/run', as, body);
  const unlocked = await run();
  assert.deepEqual([unlocked.status, unlocked.body.code, unlocked.body.reason], [409, 'rigs.conflict', 'not_locked']);
  const locked = await ask('POST', '/api/rigs/diff/resolve', owner, {});
  assert.equal(locked.status, 200, JSON.stringify(locked.body));
  assert.equal((await run({})).body.code, 'runs.input_invalid');
  assert.equal((await run({ input }, stranger)).body.code, 'rigs.not_found');
  const started = await run();
  const { status, capability } = started.body;
  assert.deepEqual([started.status, status, capability.digest], [202, 'working', locked.body.digest]);
  // Another user's rig that names this connection cannot use it.
  await ask('POST', '/api/rigs', stranger, rigWith('1.0.0', connection));
  const theirs = await ask('POST', '/api/rigs/diff/resolve', stranger, {});
  assert.deepEqual(
    [theirs.status, theirs.body.code, theirs.body.reason],
    [422, 'rigs.part_unavailable', 'connection_unknown'],
  );
  const page = async () => {
    const headers = { accept: 'text/html', cookie: `capstan-token=${owner}` };
    return (await world.fetch('/dashboard/rigs/diff', { headers })).text();
  };
  const shown = new RegExp(`href="/dashboard/connections/${connection}"><bdi>Echo, home</bdi>[\\s\\S]*1 tool`);
  await ask('PATCH', `/api/sessions/connections/${connection}`, owner, { name: 'Echo, home' });
  assert.match(await page(), shown, 'its owner knows it by name');
  const other = rigWith('1.0.0', connection)
    .yaml.replace('"name":"diff"', '"name":"elsewhere"')
    .replace('"name":"own"', '"name":"own","ref":"listing/smithery/other"');
  await ask('POST', '/api/rigs', owner, { yaml: other });
  const wrong = await ask('POST', '/api/rigs/elsewhere/resolve', owner, {});
  assert.match(JSON.stringify(wrong.body), /The connection \W*Echo, home\W* is to another server than/);
  await ask('DELETE', `/api/sessions/connections/${connection}`, owner);
  assert.match(await page(), /Connection deleted/);
  const broken = await run();
  const [finding] = broken.body.findings;
  assert.deepEqual(
    [broken.status, broken.body.code, finding.part, finding.code, finding.found],
    [409, 'rigs.conflict', 'tool echo of own', 'connection_unknown', null],
  );
  const call = { name: 'rig_run', arguments: { rig: 'diff', input } };
  const said = await ask('POST', '/mcp/jsonrpc', owner, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call });
  assert.match(JSON.stringify(said.body.result), /"isError":true.*rigs\.conflict|rigs\.conflict.*"isError":true/);
});
