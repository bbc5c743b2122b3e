import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Bundle } from '#runtime/receipts/bundle.ts';
import { newReceiptKey, saveReceipt } from '#runtime/receipts/receipts.ts';
import { CACHED_ENV } from './cached-env.ts';
import { bundleAt, issueReceipts } from './receipt-stand.ts';
import { openWorld, type World } from './world.ts';

/** The commands of the guide, run as a reader would run them on real receipts. */

const ROOT = new URL('..', import.meta.url).pathname;
const guide = await readFile(`${ROOT}docs/guides/verify-a-receipt.md`, 'utf8');

/** ```sh, ```sh get, ```sh capstand, ```sh owner: in the order of the guide. */
const blocks = (...kinds: string[]): string =>
  [...guide.matchAll(/^```sh ?(\w*)\n(.*?)^```$/gms)]
    .filter((match) => kinds.includes(match[1] as string))
    .map((match) => match[2])
    .join('');

const missing = ['bash', 'openssl', 'jq', 'curl', 'base64'].filter(
  (name) => spawnSync(name, ['--version']).error !== undefined,
);
const old = missing.length === 0 && !/^OpenSSL [3-9]/.test(execFileSync('openssl', ['version'], { encoding: 'utf8' }));
const skip = missing.length > 0 ? `${missing.join(', ')} not here` : old ? 'openssl is older than 3' : false;

const world = await openWorld();
const { url } = await world.listen();
const INPUT = { text: 'hello', list: [1, 2.5, null] };
const key = newReceiptKey();
const ids = [...(await issueReceipts(world, 4)), await issueOne(world), ...(await issueReceipts(world, 2))];
await world.receipts.log();
after(() => world[Symbol.asyncDispose]());

async function issueOne({ database, receipts }: World): Promise<string> {
  const begun = {
    run_id: 'run-1',
    attempt: 1,
    execution_class: 'scripted' as const,
    user_id: 'ann',
    receipt_key: key,
    input: INPUT,
    input_files: new Map(),
    subject: { name: 'skill/demo@1.0.0', digest: { sha256: 'ab'.repeat(32) } },
  };
  const receipt = await receipts.sign({
    ...begun,
    intent_sha256: await receipts.intend(begun),
    output: 'done',
    output_files: new Map(),
    facts: {
      started_at: '2026-03-01T12:00:00.000Z',
      finished_at: '2026-03-01T12:00:01.000Z',
      status: 'completed',
      exit_code: 0,
      model: null,
      planner: null,
      environment: { isolation: 'wasm+process', engine: 'just-bash', network: 'none' },
      trace: { trace_id: 'ef'.repeat(16), digest: '01'.repeat(32) },
    },
  });
  await saveReceipt(database.db, receipt);
  return receipt.id;
}

/** Runs commands in a directory of their own that holds these files. */
async function run(script: string, files: Record<string, unknown>, env: Record<string, string> = {}) {
  const dir = await mkdtemp(join(tmpdir(), 'capstan-guide-'));
  try {
    for (const [name, content] of Object.entries(files)) await writeFile(join(dir, name), JSON.stringify(content));
    await writeFile(join(dir, 'capstand'), `#!/bin/sh\nexec '${process.execPath}' '${ROOT}src/app/main.ts' "$@"\n`);
    await chmod(join(dir, 'capstand'), 0o755);
    const PATH = `${dir}:${process.env.PATH}`;
    // The service runs in this process: it has to be able to answer.
    const child = spawn('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', script], {
      cwd: dir,
      env: { PATH, ...CACHED_ENV, ...env },
      timeout: 30_000,
      // bash takes a socket for a remote shell, and then reads its start-up files.
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = { out: '', error: '' };
    child.stdout.on('data', (chunk) => (said.out += chunk));
    child.stderr.on('data', (chunk) => (said.error += chunk));
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, ...said };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

test('the commands of the guide download and verify a receipt', { skip }, async () => {
  const task = { receipt_key: key.toString('base64'), input: INPUT, output: 'done' };
  const env = { CAPSTAN_URL: url, RECEIPT_ID: ids[4] as string };
  const { code, out, error } = await run(blocks('get', 'capstand', '', 'owner'), { 'task.json': task }, env);
  assert.equal(code, 0, error);
  assert.match(out, /valid: signed by a key of http/);
  assert.equal(out.match(/Signature Verified Successfully/g)?.length, 2, out);
  assert.match(out, /"name": "skill\/demo@1\.0\.0"/);
});

test("the guide's loop verifies inclusion proofs of both sides and of the right edge of a log", { skip }, async () => {
  for (const index of [0, 3, 5, 6]) {
    const { code, error } = await run(blocks(''), { 'receipt.json': await bundleAt(world, ids[index] as string) });
    assert.equal(code, 0, error);
  }
});

const flip = (base64: string): string => `${base64.startsWith('A') ? 'B' : 'A'}${base64.slice(1)}`;
const CHANGES: Record<string, (bundle: Bundle) => void> = {
  payload: ({ dsse }) => (dsse.payload = flip(dsse.payload)),
  signature: ({ dsse }) =>
    (dsse.signatures = dsse.signatures.map((signature) => ({ ...signature, sig: flip(signature.sig) }))),
  keyid: ({ dsse }) =>
    (dsse.signatures = dsse.signatures.map((signature) => ({ ...signature, keyid: flip(signature.keyid) }))),
  proof: ({ log_entry }) => (log_entry.proof = log_entry.proof.with(0, flip(log_entry.proof[0] as string))),
  'a proof cut short': ({ log_entry }) => log_entry.proof.pop(),
  index: ({ log_entry }) => (log_entry.index -= 1),
  size: ({ log_entry }) => (log_entry.size += 1),
  checkpoint: (bundle) => (bundle.checkpoint = bundle.checkpoint.replace('\n7\n', '\n8\n')),
  'name of the log': (bundle) => (bundle.checkpoint = bundle.checkpoint.replaceAll('receipts', 'receiptz')),
  key: ({ jwk }) => (jwk.x = flip(jwk.x)),
};

for (const [part, change] of Object.entries(CHANGES))
  test(`the commands refuse a receipt with a modified ${part}`, { skip }, async () => {
    const bundle = await bundleAt(world, ids[4] as string);
    assert.equal(bundle.log_entry.size, 7);
    change(bundle);
    assert.notEqual((await run(blocks(''), { 'receipt.json': bundle })).code, 0);
  });

test('the commands report an input or output that differs from the one of the run', { skip }, async () => {
  const bundle = await bundleAt(world, ids[4] as string);
  const task = { receipt_key: key.toString('base64'), input: INPUT, output: 'dome' };
  const { code, out } = await run(blocks('', 'owner'), { 'receipt.json': bundle, 'task.json': task });
  assert.notEqual(code, 0);
  assert.match(out, /differ/);
});

test('the commands compare the response of a tool call with its receipt', { skip }, async () => {
  const result = {
    content: [{ type: 'text', text: 'Köln "3.2"' }],
    structured_content: { z: 3.2, a: null },
    is_error: false,
  };
  const hmac_sha256 = createHmac('sha256', key).update(JSON.stringify(result)).digest('hex');
  const payload = { predicate: { output: { hmac_sha256 } } };
  const answer = { ...result, trace_id: 'x', receipt_key: key.toString('base64') };
  const files = { 'answer.json': answer, 'payload.json': payload };
  assert.equal((await run(blocks('call'), files)).code, 0);
  const other = { ...files, 'answer.json': { ...answer, is_error: true } };
  assert.match((await run(blocks('call'), other)).out, /differ/);
});

test('every code block of the guide is covered by a test', () => {
  const fences = [...guide.matchAll(/^```(.+)$/gm)].map((match) => match[1] as string);
  assert.deepEqual(
    fences.filter((fence) => !['sh', 'sh get', 'sh capstand', 'sh owner', 'sh call'].includes(fence)),
    [],
  );
});
