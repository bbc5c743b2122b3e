import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { nextSeq } from '../../src/catalog/changes/changes.ts';
import { saveListings } from '../../src/catalog/items/items.ts';
import { systemClock } from '../../src/core/clock/clock.ts';
import { createLog } from '../../src/core/log.ts';
import { verifyBundle } from '../../src/runtime/receipts/bundle.ts';
import { zipOf } from '../../test/fakes/archives.ts';
import { startSkillHosts } from '../../test/fakes/skill-hosts.ts';
import { freePort } from '../../test/free-port.ts';
import { listing } from '../../test/listings.ts';
import { openNpmRegistry } from '../../test/packages/npm-registry.ts';
import { noPackagesHere, onHost, rememberSelfTest } from '../../test/packages/runtime.ts';
import { npmCliHere } from '../../test/packages/store.ts';
import { openWorld } from '../../test/world.ts';
import { openStand } from './stand.ts';

/** A scripted skill with values, a secret and a host, from the command line: on the service, and on this machine. */

const skip = await noPackagesHere();
const hosts = await startSkillHosts();
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const service = await openWorld(
  { PORT: `${port}`, PUBLIC_URL: url, CAPSTAN_PROVIDER_CLAWHUB_URL: hosts.url },
  'serve',
  systemClock,
  createLog('silent'),
);
await service.listen();
const stand = await openStand(url);
/** Not signed in. */
const own = await openStand(url);
await rememberSelfTest(own.home);
const registry = await openNpmRegistry();
after(async () => {
  await stand[Symbol.asyncDispose]();
  await own[Symbol.asyncDispose]();
  await registry.close();
  await service.close();
  await hosts.close();
});

const env = { requires: { env: ['TIDES_TOKEN', 'REGION'] } };
hosts.answers.set('/api/v1/skills/tides', { json: { skill: { slug: 'tides' }, owner: { handle: 'ana' } } });
hosts.answers.set(
  '/api/v1/download?slug=tides&version=1.0.0',
  zipOf([
    {
      name: 'SKILL.md',
      body: `---\nname: tides\ndescription: Tides.\nmetadata: ${JSON.stringify({ openclaw: env })}\n---\nRun it.\n`,
    },
    {
      name: 'scripts/run.js',
      body: 'console.log(JSON.stringify([process.env.REGION, process.env.TIDES_TOKEN, process.env.TIDES_TOKEN.length]))',
    },
  ]),
);
const record = listing('clawhub', 'ana/tides', {
  listing_type: 'skill',
  execution_class: 'scripted',
  install: { type: 'clawhub-skill', owner: 'ana', slug: 'tides' },
});
await service.database.db
  .transaction()
  .execute((trx) =>
    saveListings(trx, 'clawhub', [record], { run: 'r', now: '2026-01-01T00:00:00.000Z', seq: () => nextSeq(trx) }),
  );

const SECRET = 'very-secret-value-7';
await stand.write('key.txt', `${SECRET}\n`);
const wallet = await stand.write('wallet', '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362319');
await stand.json('login', '--wallet', '--wallet-key', wallet);
const told = (err: string) => JSON.parse(err.trim().split('\n').at(-1) as string).error;

test('names what is missing, takes values from the environment, and stores the secret for later runs', {
  skip,
}, async () => {
  const missing = await stand.call(['run', 'clawhub/ana/tides']);
  assert.equal(missing.code, 1);
  assert.match(told(missing.err).detail, /TIDES_TOKEN, REGION.*--env NAME=value.*--secret NAME/s);
  const unset = await stand.call(['run', 'clawhub/ana/tides', '--env', 'REGION']);
  assert.deepEqual([unset.code, told(unset.err).fix], [2, 'Use --env REGION=value.']);
  const shown = await stand.call(['run', 'clawhub/ana/tides', '--secret', `TIDES_TOKEN=${SECRET}`]);
  assert.equal(shown.code, 2);
  const args = ['run', 'clawhub/ana/tides', '--wallet-key', wallet, '--secret', 'TIDES_TOKEN=@key.txt', '--env'];
  const ran = await stand.call([...args, 'REGION'], { env: { REGION: 'eu' } });
  assert.equal(ran.code, 0, ran.err);
  assert.deepEqual(JSON.parse(ran.out).output, ['eu', '[redacted]', SECRET.length]);
  assert.ok(![missing, ran].some(({ out, err }) => `${out}${err}`.includes(SECRET)));
  const reaching = ['run', 'clawhub/ana/tides', '--env', 'REGION=us', '--host', 'api.tides.example'];
  const unsigned = await stand.call(reaching);
  assert.deepEqual(
    [unsigned.code === 0, unsigned.out],
    [false, ''],
    'a host can receive the secret: it needs a signature',
  );
  const again = await stand.call([...reaching, '--wallet-key', wallet]);
  assert.deepEqual([again.code, JSON.parse(again.out).output[0]], [0, 'us'], again.err);
});

const settings = {
  CAPSTAN_PROVIDER_CLAWHUB_URL: hosts.url,
  CAPSTAN_NPM_REGISTRY: registry.url,
  CAPSTAN_NPM_CLI: npmCliHere() ?? '',
};
const here = (args: readonly string[], more: Record<string, string> = {}) =>
  own.call(['run', '--local', ...args], {
    env: Object.assign({}, settings, more),
    local: { install: onHost, allow_loopback: true },
  });

/** A folder in the home folder. */
async function folder(name: string, files: Record<string, string>): Promise<string> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(own.home, name, path, '..'), { recursive: true });
    await writeFile(join(own.home, name, path), text);
  }
  return `./${name}`;
}

test('run --local runs a listed skill in a box of this machine, with a receipt of the local key', {
  skip,
}, async () => {
  const missing = await here(['clawhub/ana/tides']);
  assert.equal(missing.code, 1, missing.err);
  assert.match(told(missing.err).detail, /tides needs TIDES_TOKEN, REGION in its environment/);
  assert.equal(
    told(missing.err).fix,
    'capstan run --local clawhub/ana/tides --secret TIDES_TOKEN=@file --env REGION=value',
  );
  const shown = await here(['clawhub/ana/tides', '--env', `TIDES_TOKEN=${SECRET}`]);
  assert.deepEqual([shown.code, shown.err.includes(SECRET)], [2, false]);
  const values = ['--env', 'TIDES_TOKEN', '--env', 'REGION=eu', '--host', 'api.tides.example'];
  const ran = await here(['clawhub/ana/tides', ...values, '--receipt', 'r.json'], { TIDES_TOKEN: SECRET });
  assert.equal(ran.code, 0, ran.err);
  const { output, isolation, version } = JSON.parse(ran.out);
  assert.deepEqual([output, version], [['eu', '[redacted]', SECRET.length], '1.0.0']);
  assert.match(isolation, /^native\+bwrap/);
  const verified = verifyBundle(JSON.parse(await readFile(join(own.home, 'r.json'), 'utf8')));
  assert.ok(verified.consistent);
  const { predicate, subject } = verified.statement;
  assert.ok('signer' in predicate && predicate.signer === 'local_key');
  assert.deepEqual([predicate.execution_class, predicate.environment.network], ['scripted', 'allow_list']);
  assert.equal(subject[0]?.name, 'listing/clawhub/ana/tides@1.0.0');
  const state = join(own.home, '.local/state/capstan/local');
  for (const name of await readdir(state, { recursive: true }))
    assert.ok(!(await readFile(join(state, name), 'utf8').catch(() => '')).includes(SECRET), name);
});

test('run --local of a folder asks once for its packages, and refuses other files for the lock', { skip }, async () => {
  const tone = (text: string) =>
    registry.publish('tone', {
      version: '1.0.0',
      files: [{ path: 'index.js', text: `module.exports = '${text}'` }],
    });
  tone('first');
  const path = await folder('chime', {
    'SKILL.md': '---\nname: chime\ndescription: Chimes.\n---\nRun it.\n',
    'package.json': '{"dependencies":{"tone":"^1.0.0"}}',
    'scripts/run.js':
      'const fs = require("fs");fs.writeFileSync("/workspace/output/tone.txt", require("tone"));console.log(fs.readFileSync("/workspace/input/a.txt", "utf8"))',
    'node_modules/tone/index.js': 'module.exports = "of the folder"',
  });
  await own.write('a.txt', 'given');
  const planned = await here([path, '--dry-run']);
  assert.equal(planned.code, 0, planned.err);
  assert.deepEqual(JSON.parse(planned.out).missing.question.packages, [
    { ecosystem: 'npm', name: 'tone', wanted: '^1.0.0', from: 'package.json' },
  ]);
  const asked = await here([path]);
  assert.deepEqual([asked.code, told(asked.err).code], [1, 'run.needs_install']);
  assert.equal(told(asked.err).fix, 'capstan run --local ./chime --install');
  const files = ['--file', 'a.txt', '--out', 'out'];
  const first = await here([path, '--install', ...files]);
  assert.equal(first.code, 0, first.err);
  assert.equal(JSON.parse(first.out).output, 'given\n');
  assert.equal(await readFile(join(own.home, 'out/tone.txt'), 'utf8'), 'first');
  const again = await here([path, ...files]);
  assert.equal(again.code, 0, again.err);
  assert.deepEqual(JSON.parse(again.out).packages, JSON.parse(first.out).packages);

  // The store is gone, and the registry has other bytes for the locked version.
  await rm(join(own.home, '.cache/capstan/local/packages'), { recursive: true, force: true });
  tone('second');
  const changed = await here([path, ...files]);
  assert.deepEqual([changed.code, changed.out], [2, ''], changed.err);
  const { code, reason, detail, fix } = told(changed.err);
  assert.deepEqual([code, reason], ['packages.unsupported', 'hash_mismatch']);
  assert.match(detail, /^A file of the npm packages tone has hash sha512-\S+, expected sha512-/);
  assert.match(fix, /Compare the hash/);
  assert.equal(await readFile(join(own.home, 'out/tone.txt'), 'utf8'), 'first');
});

async function runsOf() {
  const dir = join(own.home, '.local/state/capstan/local/runs');
  const names = (await readdir(dir).catch(() => [])).filter((name) => name.endsWith('.json'));
  const runs = await Promise.all(names.map(async (name) => JSON.parse(await readFile(join(dir, name), 'utf8'))));
  return runs.filter(({ status }) => status !== undefined);
}

test('run --local checks the input against the schema of the skill before it starts', { skip }, async () => {
  const path = await folder('counts', {
    'SKILL.md': '---\nname: counts\ndescription: Counts.\n---\nRun it.\n',
    'assets/input.schema.json': '{"type":"object","required":["text"],"properties":{"text":{"type":"string"}}}',
    'scripts/run.py': 'import json, sys\nprint(json.dumps({"words": len(json.load(sys.stdin)["text"].split())}))\n',
  });
  const before = (await runsOf()).length;
  const wrong = await here([path, '--input', '{"text":3}']);
  assert.equal(wrong.code, 2, wrong.err);
  assert.match(told(wrong.err).detail, /does not match the schema of counts: \/text must be string/);
  assert.equal((await runsOf()).length, before);
  const ran = await here([path, '--input', '{"text":"one two"}']);
  assert.equal(ran.code, 0, ran.err);
  assert.deepEqual(JSON.parse(ran.out).output, { words: 2 });
});

test('a run whose packages cannot be fetched, or that is cancelled while they are, has a receipt that says so', {
  skip,
}, async () => {
  const asked = Promise.withResolvers<void>();
  const silent = createServer(() => asked.resolve()).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const path = await folder('stalled', {
    'SKILL.md': '---\nname: stalled\ndescription: Waits.\n---\nRun it.\n',
    'package.json': '{"dependencies":{"no-such-package":"1.0.0"}}',
    'scripts/run.js': 'require("no-such-package")',
  });
  const failed = await here([path, '--install']);
  assert.notEqual(failed.code, 0);
  const stop = new AbortController();
  const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const running = own.call(['run', '--local', path, '--install'], {
    env: Object.assign({}, settings, { CAPSTAN_NPM_REGISTRY: address }),
    local: { install: onHost, allow_loopback: true },
    signal: stop.signal,
  });
  await asked.promise;
  stop.abort();
  const { code } = await running;
  silent.closeAllConnections();
  silent.close();
  assert.equal(code, 130);
  const ended = (await runsOf()).filter(({ ref }) => ref.endsWith('/stalled'));
  assert.deepEqual(ended.map(({ status }) => status).toSorted(), ['cancelled', 'failed']);
  for (const { id, status } of ended) {
    const { receipt } = JSON.parse((await own.call(['local', 'show', id])).out);
    const verified = verifyBundle(JSON.parse(await readFile(receipt, 'utf8')));
    assert.ok(verified.consistent);
    const { predicate } = verified.statement;
    assert.ok('environment' in predicate);
    const { environment } = predicate;
    assert.deepEqual([predicate.status, environment.isolation, 'resources' in environment], [status, null, false]);
  }
});

test('a run of a listing whose files are still fetched when its user ends it has a receipt that says so', async () => {
  const asked = Promise.withResolvers<void>();
  const silent = createServer(() => asked.resolve()).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const stop = new AbortController();
  const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const running = own.call(['run', '--local', 'clawhub/ana/tides', '--input', '{"for":"later"}'], {
    env: Object.assign({}, settings, { CAPSTAN_PROVIDER_CLAWHUB_URL: address }),
    local: { install: onHost, allow_loopback: true },
    signal: stop.signal,
  });
  await asked.promise;
  stop.abort();
  const { code } = await running;
  silent.closeAllConnections();
  silent.close();
  assert.equal(code, 130);
  const run = (await runsOf()).find(({ ref, status }) => ref === 'clawhub/ana/tides' && status === 'cancelled');
  const { receipt, input } = JSON.parse((await own.call(['local', 'show', run?.id ?? ''])).out);
  assert.deepEqual(input.arguments, { for: 'later' });
  const verified = verifyBundle(JSON.parse(await readFile(receipt, 'utf8')));
  assert.ok(verified.consistent);
  assert.equal(verified.statement.subject[0]?.name, 'listing/clawhub/ana/tides@1.0.0 (not fetched)');
});

test('run --local of an archive, and what it cannot run, with the next step', { skip }, async () => {
  const main = { name: 'bell/SKILL.md', body: '---\nname: bell\ndescription: A bell.\n---\nRun it.\n' };
  const script = { name: 'bell/scripts/run.js', body: 'console.log("rang " + require("fs").readFileSync(0, "utf8"))' };
  await writeFile(join(own.home, 'bell.zip'), zipOf([main, script]));
  const ran = await here(['bell.zip', '--input', '3', '--text']);
  assert.deepEqual([ran.code, ran.out], [0, 'rang 3\n\n'], ran.err);
  const prompt = await folder('advice', { 'SKILL.md': '---\nname: advice\ndescription: Advice.\n---\nBe kind.\n' });
  const cases: [string[], number, RegExp, RegExp][] = [
    [[prompt], 1, /advice has no script/, /skills of your agent/],
    [['json-diff'], 2, /skill of the service/, /capstan install json-diff/],
    [['./nowhere'], 2, /Cannot read/, /folder of a skill/],
    [[own.home], 2, /no SKILL\.md/, /SKILL\.md/],
    [['bell.zip', '--tool', 'x'], 2, /--tool is for servers/, /--env/],
    [['pkg:npm/tone@1.0.0', '--env', 'A=b'], 2, /--env is for skills/, /Remove/],
    [['./chime', '--env', 'PATH=x'], 2, /PATH is set by the box/, /declares/],
  ];
  for (const [args, code, detail, fix] of cases) {
    const refused = await here(args);
    assert.equal(refused.code, code, refused.err);
    assert.match(told(refused.err).detail, detail);
    assert.match(told(refused.err).fix, fix);
  }
});
