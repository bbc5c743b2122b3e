import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { nextSeq } from '../../src/catalog/changes/changes.ts';
import { saveListings } from '../../src/catalog/items/items.ts';
import { systemClock } from '../../src/core/clock/clock.ts';
import { createLog } from '../../src/core/log.ts';
import { zipOf } from '../../test/fakes/archives.ts';
import { startSkillHosts } from '../../test/fakes/skill-hosts.ts';
import { freePort } from '../../test/free-port.ts';
import { listing } from '../../test/listings.ts';
import { noPackagesHere } from '../../test/packages/runtime.ts';
import { openWorld } from '../../test/world.ts';
import { openStand } from './stand.ts';

/** A scripted skill with values, a secret and a host, from the command line. */

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
after(async () => {
  await stand[Symbol.asyncDispose]();
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
  const again = await stand.call(['run', 'clawhub/ana/tides', '--env', 'REGION=us', '--host', 'api.tides.example']);
  assert.deepEqual([again.code, JSON.parse(again.out).output[0]], [0, 'us'], again.err);
});
