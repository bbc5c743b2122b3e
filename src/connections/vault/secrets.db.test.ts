import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Kysely } from 'kysely';
import { seal, unseal } from '#core/crypto/seal.ts';
import { keyProvider } from '#core/crypto/secret-keys.ts';
import type { Schema } from '#core/db/schema.ts';
import { newId } from '#core/ids.ts';
import { eachDatabase } from '#test/databases.ts';
import { somewhere } from '#test/vault-stand.ts';
import { putSecrets, readSecrets, replaceSecrets, type SecretsPlace, secretContext } from './secrets.ts';

const keys = keyProvider([createSecretKey(randomBytes(32))]);
const NOW = '2026-03-01T00:00:00.000Z';
const NOT_INTACT = { code: 'crypto.corrupt' };

const rowsOf = (db: Kysely<Schema>, { connection_id }: SecretsPlace) =>
  db.selectFrom('connection_secrets').selectAll().where('connection_id', '=', connection_id).orderBy('field').execute();

const sealedOf = async (db: Kysely<Schema>, at: SecretsPlace) =>
  (await rowsOf(db, at)).map(({ sealed }) => sealed) as [string, ...string[]];

const overwrite = (db: Kysely<Schema>, { connection_id }: SecretsPlace, field: string, set: object) =>
  db
    .updateTable('connection_secrets')
    .set(set)
    .where((eb) => eb.and({ connection_id, field }))
    .execute();

eachDatabase('secrets of connections', (open) => {
  test('stores secrets encrypted; each write increases the version, and null deletes a field', async () => {
    const { db } = await open();
    const at = await somewhere(db);
    const put = (fields: Record<string, string | null>) => putSecrets(db, keys, at, fields, NOW);
    const read = () => readSecrets(db, keys, at);
    assert.deepEqual({ ...(await read()).values }, {});
    await put({ b: 'two', a: 'one', ['__proto__']: 'three' });
    const first = await read();
    assert.deepEqual(Object.entries(first.values).sort(), [
      ['__proto__', 'three'],
      ['a', 'one'],
      ['b', 'two'],
    ]);
    assert.doesNotMatch(JSON.stringify(await rowsOf(db, at)), /one|two|three/);
    await put({ a: 'one', ['__proto__']: null });
    const second = await read();
    assert.deepEqual({ ...second.values }, { a: 'one', b: 'two' });
    assert.notEqual(second.version, first.version);
    assert.deepEqual(
      (await rowsOf(db, at)).map(({ field, version }) => [field, version]),
      [
        ['a', 2],
        ['b', 1],
      ],
    );
    await replaceSecrets(db, keys, at, { c: 'new' }, NOW);
    assert.deepEqual({ ...(await read()).values }, { c: 'new' });
    assert.deepEqual(
      (await rowsOf(db, at)).map(({ version }) => version),
      [3],
    );
    assert.deepEqual({ ...(await readSecrets(db, keys, await somewhere(db))).values }, {});
  });

  test('concurrent writers each increase the version, and the values of one of them are stored', async () => {
    const { db } = await open();
    const at = await somewhere(db);
    const writes = Array.from({ length: 12 }, (_, n) => putSecrets(db, keys, at, { a: `${n}`, b: `${n}` }, NOW));
    await Promise.all(writes);
    assert.deepEqual(
      (await rowsOf(db, at)).map(({ version }) => version),
      [12, 12],
    );
    const { a, b } = (await readSecrets(db, keys, at)).values;
    assert.equal(a, b, 'both of one writer');
  });

  test('a row copied from another connection, field, version or owner does not decrypt', async () => {
    const { db } = await open();
    const [one, two] = [await somewhere(db), await somewhere(db)];
    for (const at of [one, two]) await putSecrets(db, keys, at, { a: 'first', b: 'other' }, NOW);
    const [a, b] = await rowsOf(db, one);
    await putSecrets(db, keys, one, { a: 'second' }, NOW);
    const [second] = await sealedOf(db, one);
    const read = (at = one) => readSecrets(db, keys, at);
    await read();
    await assert.rejects(read({ ...one, user_id: two.user_id }), NOT_INTACT);
    assert.ok(a !== undefined && b !== undefined);
    for (const sealed of [a.sealed, b.sealed, ...(await sealedOf(db, two))]) {
      await overwrite(db, one, 'a', { sealed });
      await assert.rejects(read(), NOT_INTACT);
    }
    await overwrite(db, one, 'a', { sealed: second, version: 1 });
    await assert.rejects(read(), NOT_INTACT, 'an old version of a new text');
    await overwrite(db, one, 'a', { sealed: second, version: 2 });
    assert.equal((await read()).values.a, 'second');
  });

  test('a row with a flipped bit or a missing end does not decrypt', async () => {
    const { db } = await open();
    const at = await somewhere(db);
    await putSecrets(db, keys, at, { a: 'a secret' }, NOW);
    const [sealed] = await sealedOf(db, at);
    for (const changed of [...changesOf(sealed)].filter((_, n) => n % 97 === 0)) {
      await overwrite(db, at, 'a', { sealed: changed });
      await assert.rejects(readSecrets(db, keys, at), /crypto|secret/i);
    }
  });
});

/** Every variant of the text with one flipped bit, and every truncation. */
function* changesOf(sealed: string): Generator<string> {
  for (let at = 0; at < sealed.length; at++) {
    for (let bit = 0; bit < 8; bit++)
      yield `${sealed.slice(0, at)}${String.fromCharCode(sealed.charCodeAt(at) ^ (1 << bit))}${sealed.slice(at + 1)}`;
    yield sealed.slice(0, at);
  }
}

const SPOT = { user_id: newId(), connection_id: newId(), field: 'header.x', version: 3 };

test('rejects every flipped bit and every truncation of an encrypted value', () => {
  const sealed = seal(keys, 'a secret', secretContext(SPOT));
  let refused = 0;
  for (const changed of changesOf(sealed)) {
    // Another id names a key that is not available, and nothing is decrypted with it.
    const id = /^v1\.([0-9a-f]{12})\.[\w-]+\.[\w-]+$/.exec(changed)?.[1] ?? keys.current_id;
    const code = id === keys.current_id ? 'crypto.corrupt' : 'crypto.key_required';
    assert.throws(() => unseal(keys, changed, secretContext(SPOT)), { code }, changed);
    refused++;
  }
  assert.equal(refused, sealed.length * 9);
});

test('a value encrypted for one row decrypts in no other row, whatever its field name', () => {
  const id = fc.constantFrom(SPOT.user_id, SPOT.connection_id);
  const spot = fc.record({
    user_id: id,
    connection_id: id,
    version: fc.integer({ min: 1, max: 12 }),
    field: fc.oneof(fc.constantFrom('a', 'a|1', '|', '1', 'header.x', '1|1'), fc.string({ unit: 'grapheme-ascii' })),
  });
  fc.assert(
    fc.property(spot, spot, (one, two) => {
      const sealed = seal(keys, 'x', secretContext(one));
      if (JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(two).sort()))
        return unseal(keys, sealed, secretContext(two)).toString() === 'x';
      assert.throws(() => unseal(keys, sealed, secretContext(two)), NOT_INTACT);
      return true;
    }),
    { numRuns: 500 },
  );
});
