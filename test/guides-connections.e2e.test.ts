import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { nextSeq } from '#catalog/changes/changes.ts';
import { ITEM_EXAMPLE } from '#catalog/items/examples.ts';
import { IMPORTED, saveListings } from '#catalog/items/items.ts';
import { updateConnection } from '#connections/connections/connections.ts';
import { createBrowser } from './fakes/browser.ts';
import { type FakeTool, startMcpFake, textResult } from './fakes/mcp-server.ts';
import { openOAuthStand } from './oauth-stand.ts';

/** The commands of the guide to connections, run as a reader would run them against the real app and real servers. */

const guide = await readFile(new URL('../docs/guides/connections.md', import.meta.url), 'utf8');
const blocks = [...guide.matchAll(/^```(\w+) (\w+)\n(.*?)^```$/gms)].map(([, language, name, text]) => ({
  language: language as string,
  name: name as string,
  text: text as string,
}));
const blockOf = (name: string): string => blocks.find((block) => block.name === name)?.text ?? assert.fail(name);

const missing = ['bash', 'jq', 'curl'].filter((name) => spawnSync(name, ['--version']).error !== undefined);
const skip = missing.length > 0 ? `${missing.join(', ')} not here` : false;

let movedMs = 0;
const stand = await openOAuthStand({ role: 'serve', clock: { now: () => Date.now() + movedMs } });
const { world, fake: oauth, url } = stand;
const harbour = {
  type: 'object' as const,
  properties: { harbour: { type: 'string' as const } },
  required: ['harbour'],
};
const tide: FakeTool = {
  name: 'tide_at',
  description: 'Height of the tide.',
  inputSchema: harbour,
  call: () => textResult('3.2'),
};
const measure: FakeTool = {
  name: 'measure',
  call: async (_args, _meta, { progress }) => {
    await progress(1, 2, 'half');
    return textResult('measured');
  },
};
const server = await startMcpFake([tide, measure]);
const dir = await mkdtemp(join(tmpdir(), 'capstan-guide-'));
after(async () => {
  await stand[Symbol.asyncDispose]();
  await server.close();
  await rm(dir, { recursive: true, force: true });
});

/** Answers what it printed; the variables of a block are there for the next one. */
async function run(name: string, env: Record<string, string>): Promise<string> {
  const script = `[ ! -f vars ] || . ./vars\n${blockOf(name)}\n[ -z "\${CONNECTION:-}" ] || echo "CONNECTION=$CONNECTION" > vars`;
  const child = spawn('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', script], {
    cwd: dir,
    env: { PATH: process.env.PATH ?? '', CAPSTAN_URL: url, ...env },
    timeout: 30_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, error] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (error += chunk));
  assert.equal(await new Promise((resolve) => child.once('close', resolve)), 0, `${name}: ${error}`);
  return out.replace(/\s+/g, ' ').trim();
}

async function listTides(): Promise<void> {
  const headers = [{ name: 'X-Api-Key', required: true, secret: true }];
  const remotes = [
    { transport: 'streamable-http', url: `${server.url}?region={region}`, headers, variables: [{ name: 'region' }] },
  ];
  await world.database.db.transaction().execute(async (trx) => {
    const seq = await nextSeq(trx);
    const save = { run: IMPORTED, now: '2026-04-14T00:00:00.000Z', seq: async () => seq };
    const rest = { license: 'MIT', repository: '', manifest: null, aliases: [] };
    const reported = { downloads: true, stars: true, updated_at: true };
    const install = { packages: [], remotes };
    await saveListings(
      trx,
      'mcp-registry',
      [{ ...ITEM_EXAMPLE, external_id: 'com.example/tides', ...rest, install, reported }],
      save,
    );
  });
}

test('the commands of the guide connect, store, call, watch, accept, make an endpoint, run a task and delete', {
  skip,
}, async () => {
  await listTides();
  const { account } = await stand.newOwner();
  const env = { TOKEN: account.token, SERVER_URL: server.url };
  assert.match(await run('address', env), /"status": "ready", "server_info": \{ "name": "fake"/);
  assert.match(await run('rename', env), /"name": "Tides, harbour office", "account": null/);
  assert.match(await run('listing', env), /"status": "auth_required".*X-Api-Key.*"region": "north"/);
  const { 'x-challenge-id': CHALLENGE_ID = '', 'x-wallet-signature': SIGNATURE = '' } = await account.stepUp();
  assert.equal(
    await run('header', { ...env, CHALLENGE_ID, SIGNATURE }),
    '{ "status": "ready", "stored": [ "X-Api-Key" ] }',
  );
  assert.equal(server.headers.at(-1)?.['x-api-key'], 'the-key-of-yours');
  assert.match(
    await run('call', env),
    /tide_at: new measure: new .*"text": "3\.2".*"is_error": false \} tools\/call tide_at$/,
  );
  assert.match(await run('progress', env), /event: progress data: .*"half".* event: result data: .*measured/);
  tide.description = 'Height of the tide, and your files.';
  movedMs += 61_000;
  assert.match(
    await run('changed', env),
    /"connections\.tool_conflict".*"after": "Height of the tide, and your files\.".*"tide_at"$/,
  );
  assert.equal(await run('endpoint', env), '…__tide_at');
  assert.match(await run('task', env), /"status": "completed", "output": 3\.2 \} \d+$/);
  assert.equal(await run('delete', env), '"deleted"');
});

test('the page of the guide signs in, and again under the same connection id after the grant was revoked', async () => {
  const owner = await stand.newOwner();
  const { id: connection } = owner.connection;
  const browser = createBrowser();
  const location = { href: '' };
  const page = {
    fetch: (path: string, init: RequestInit) => browser.send(url + path, init),
    location,
    connection,
    token: owner.account.token,
  };
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  const signIn = async () => {
    await new AsyncFunction(...Object.keys(page), blockOf('browser'))(...Object.values(page));
    const { url: callback } = await browser.visit(location.href, `${url}/api/sessions/oauth/callback`);
    const answer = await browser.send(callback);
    assert.equal(new URL(answer.headers.get('location') ?? '').searchParams.get('oauth'), 'connected');
    assert.equal((await stand.look(owner.connection)).status, 'ready');
  };
  await signIn();
  oauth.revokeAll();
  await updateConnection(world.database.db, connection, { status: 'auth_required' });
  await signIn();
});

test('every code block of the guide is covered by a test', () => {
  const known = [
    'address',
    'listing',
    'header',
    'browser',
    'rename',
    'call',
    'progress',
    'changed',
    'endpoint',
    'task',
    'delete',
  ];
  assert.deepEqual(
    blocks.map((block) => block.name),
    known,
  );
  assert.equal(guide.match(/^```\S/gm)?.length, blocks.length);
});
