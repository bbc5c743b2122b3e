import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyCommand } from '../src/features/receipts/verify-command.ts';
import { nextSeq } from '../src/features/registry/changes.ts';
import { IMPORTED, saveListings } from '../src/features/registry/items.ts';
import { listing } from './listings.ts';
import { ethereumWallet } from './wallet-keys.ts';
import { openWorld } from './world.ts';

/** The commands of the guide, run by somebody who was never here before: from a search to a receipt. */

const guide = await readFile(new URL('../docs/guides/first-rig.md', import.meta.url), 'utf8');
const blocks = [...guide.matchAll(/^```([^\n]*)\n(.*?)^```$/gms)].map(([, kind, text]) => ({
  kind,
  text: text as string,
}));
const missing = ['bash', 'jq', 'curl', 'base64'].filter((it) => spawnSync(it, ['--version']).error !== undefined);
const skip = missing.length > 0 ? `${missing.join(', ')} not here` : false;

const world = await openWorld({}, 'serve');
const dir = await mkdtemp(join(tmpdir(), 'capstan-guide-'));
after(async () => {
  await world.close();
  await rm(dir, { recursive: true, force: true });
});

const post = async (path: string, body: object) => {
  const headers = { 'content-type': 'application/json' };
  const answer = await world.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()) as Record<string, string>;
};

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
    for (const it of found) await saveListings(trx, it.provider_id, [it], save);
  });
  for (let total = 0; total !== found.length; await sleep(20))
    total = (await world.get<{ total_count: number }>('/api/marketplace/registry')).total_count;
}

async function bash(script: string, env: Record<string, string>): Promise<string> {
  const child = spawn('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', script], {
    ...{ cwd: dir, env: { PATH: process.env.PATH ?? '', ...env }, timeout: 30_000 },
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

test('an anonymous search, the explore rig, and a receipt that verifies', { skip }, async () => {
  await list();
  const { url } = await world.listen();
  const script = blocks.flatMap((it) => (it.kind === 'sh' ? [it.text] : [])).join('\n');
  const out = await bash(script, { CAPSTAN_URL: url, TOKEN: await signIn() });
  assert.match(out, /"name": "explore", "version": "1\.0\.0"/);
  assert.match(out, /"model": \{ "id": "builtin\/planner" \}, "tools": \[ "registry_search"/);
  assert.match(out, /"verified" \{ "status": "completed", "ranked": \[ \{ "name": "pdf-tables"/);
  assert.match(out, /"is_the_lock": true, "planner": "builtin\/planner" \}/);
  const command = blocks.find((it) => it.kind === 'sh capstand')?.text.trim() ?? '';
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

test('every block of code in the guide is run', () => {
  assert.deepEqual(
    blocks.map((it) => it.kind).filter((it) => it !== 'sh' && it !== 'sh capstand'),
    [],
  );
});
