import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDatabase } from '#core/db/open.ts';
import { newSecretKeys } from '#test/auth-stand.ts';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { openKeyRing } from './key-ring.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

function clockAt(time: string) {
  const clock = { ms: Date.parse(time), now: () => clock.ms };
  return clock;
}

async function stand(database: TestDatabase) {
  const clock = clockAt('2026-03-01T00:00:00.000Z');
  const deps = { keys: await newSecretKeys(), clock, rotation_ms: 90 * DAY_MS };
  return { clock, open: (db = database.db) => openKeyRing({ db, ...deps }) };
}

const idsOf = async (ring: ReturnType<typeof openKeyRing>) => (await ring.published()).map(({ kid }) => kid);

eachDatabase('keys of tokens', (open) => {
  test('eight concurrent starts over two processes create one key', async () => {
    const database = await open('own');
    const other = await openDatabase(database.config);
    const { open: openRing } = await stand(database);
    try {
      const rings = Array.from({ length: 8 }, (_, index) => openRing(index % 2 === 0 ? database.db : other.db));
      const signing = await Promise.all(rings.map((ring) => ring.signing()));
      assert.equal(new Set(signing.map(({ id }) => id)).size, 1);
      assert.equal((await database.db.selectFrom('signing_keys').select('id').execute()).length, 1);
    } finally {
      await other.close();
    }
  });

  test('the first key signs immediately, however long it took to create', async () => {
    const { clock, open: openRing } = await stand(await open());
    clock.now = () => clock.ms++;
    await openRing().signing();
  });

  test('a process whose clock is behind also signs with the first key', async () => {
    const { clock, open: openRing } = await stand(await open());
    const { id } = await openRing().signing();
    clock.ms -= 1_000;
    assert.equal((await openRing().signing()).id, id);
  });

  test('a key is published an hour before it signs, and its predecessor verifies for another 25 hours', async () => {
    const { clock, open: openRing } = await stand(await open());
    const [ring, other] = [openRing(), openRing()];
    const { id: first } = await ring.signing();
    clock.ms += 90 * DAY_MS - HOUR_MS;
    assert.equal((await idsOf(ring)).length, 2);
    assert.equal((await ring.signing()).id, first);
    const [, second] = await idsOf(ring);
    clock.ms += HOUR_MS - 1;
    assert.equal((await ring.signing()).id, first);
    clock.ms += 1;
    assert.equal((await ring.signing()).id, second);
    assert.equal((await other.signing()).id, second);
    clock.ms += 25 * HOUR_MS - 1;
    assert.notEqual(await ring.verifying(first), undefined);
    clock.ms += 1;
    assert.equal(await ring.verifying(first), undefined);
    assert.deepEqual(await idsOf(ring), [second]);
  });

  test('a key created by another process is found when its first token is verified', async () => {
    const { clock, open: openRing } = await stand(await open());
    const [ring, other] = [openRing(), openRing()];
    const { id: first } = await ring.signing();
    await other.signing();
    clock.ms += 250;
    await ring.rotate('ahead');
    const [, second] = await idsOf(ring);
    assert.notEqual(await other.verifying(`${second}`), undefined);
    assert.notEqual(await other.verifying(first), undefined);
  });

  test('rotating now replaces a leaked key immediately, and its tokens become invalid', async () => {
    const { clock, open: openRing } = await stand(await open());
    const [ring, other] = [openRing(), openRing()];
    const { id: first } = await ring.signing();
    await other.signing();
    const { id: second } = await ring.rotate('now');
    assert.deepEqual([(await ring.signing()).id, await idsOf(ring)], [second, [second]]);
    assert.equal(await ring.verifying(first), undefined);
    clock.ms += 2_000;
    assert.equal(await other.verifying(first), undefined);
    assert.equal((await other.signing()).id, second);
  });

  test('unknown key ids do not each cause a database query', async () => {
    const database = await open();
    const { open: openRing } = await stand(database);
    const ring = openRing();
    await ring.signing();
    await database.close();
    for (let round = 0; round < 100; round++) assert.equal(await ring.verifying(`made-up-${round}`), undefined);
  });

  test('private keys are encrypted, and another secret key does not decrypt them', async () => {
    const database = await open();
    const { clock, open: openRing } = await stand(database);
    await openRing().signing();
    const row = await database.db.selectFrom('signing_keys').selectAll().executeTakeFirstOrThrow();
    assert.doesNotMatch(JSON.stringify(row), /"d"/);
    assert.deepEqual(Object.keys(JSON.parse(row.public_jwk)).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    const stranger = openKeyRing({ db: database.db, keys: await newSecretKeys(), clock, rotation_ms: DAY_MS });
    await assert.rejects(stranger.signing(), { code: 'crypto.key_required' });
    assert.notEqual(await stranger.verifying(row.id), undefined);
  });
});
