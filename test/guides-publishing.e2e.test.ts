import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { accountsOf } from './accounts.ts';
import { openWorld } from './world.ts';

/** The commands of the guide to publishing, run as a reader would run them, from the files to a receipt and back. */

const guide = await readFile(new URL('../docs/guides/publishing.md', import.meta.url), 'utf8');
const blocks = new Map(
  [...guide.matchAll(/^```sh (\w+)\n(.*?)^```$/gms)].map(([, name, text]) => [name as string, text as string]),
);

const missing = ['bash', 'jq', 'curl', 'sha256sum'].filter(
  (name) => spawnSync(name, ['--version']).error !== undefined,
);
const skip = missing.length > 0 ? `${missing.join(', ')} not here` : false;

const world = await openWorld({}, 'serve');
const { url } = await world.listen();
await world.catalog.ready;
const dir = await mkdtemp(join(tmpdir(), 'capstan-guide-'));
after(async () => {
  await world.close();
  await rm(dir, { recursive: true, force: true });
});

/** Answers what it printed; the listing's id is there for the blocks that follow. */
async function run(name: string, env: Record<string, string>): Promise<string> {
  const script = `[ ! -f vars ] || . ./vars\n${blocks.get(name)}\n[ -z "\${LISTING:-}" ] || echo "LISTING=$LISTING" > vars`;
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
  return name === 'claim' ? out.replace(/\n$/, '') : out.replace(/\s+/g, ' ').trim();
}

test('the commands of the guide publish, claim, find, fetch, run, yank, restore and unpublish a skill', {
  skip,
}, async () => {
  const account = await (await accountsOf(world)).signUp();
  const env = { TOKEN: account.token, PUBLISHER: 'ana-lang' };
  await run('order', env);
  const { digest } = JSON.parse(await run('dry', env));
  assert.equal(await run('digest', env), `${digest.slice('sha256:'.length)} -`);
  const SIGNATURE = await account.wallet.sign(await run('claim', env));
  assert.equal(
    await run('publish', { ...env, WALLET: account.wallet.address, SIGNATURE }),
    '{ "name": "ana-lang/count-words", "latest": "1.0.0", "claimed": true, "findings": 0 }',
  );
  assert.match(
    await run('find', env),
    /^\{ "name": "ana-lang\/count-words", "version": "1\.0\.0", "source": "capstan" \} \{ "name": "ana-lang\/count-words", "why": "exact name" \}$/,
  );
  const [got, , told] = (await run('fetch', env)).split(' ');
  assert.equal(got, told);
  const proof = JSON.parse(await run('run', env));
  assert.deepEqual([proof.output, `sha256:${proof.sha256}`], [3, digest]);
  assert.match(proof.ran, /^capability\/[0-9a-f-]{36}@1\.0\.0$/);
  assert.equal(await run('deprecate', env), '{ "latest": "1.0.0", "changed": [ "1.0.0" ] }');
  assert.equal(await run('yank', env), '{ "latest": null, "changed": [ "1.0.0" ] }');
  assert.equal(await run('restore', env), '{ "latest": "1.0.0", "changed": [ "1.0.0" ] }');
  assert.match(
    await run('unpublish', env),
    /"status": "unpublished", "changed": \[ "1\.0\.0" \] \} \{ "status": 410, "tombstone": \[ \{ "version": "1\.0\.0"/,
  );
});

test('every code block of the guide is covered by a test', () => {
  const known = 'order dry digest claim publish find fetch run deprecate yank restore unpublish';
  assert.equal([...blocks.keys()].join(' '), known);
  assert.equal(guide.match(/^```\S/gm)?.length, blocks.size);
});
