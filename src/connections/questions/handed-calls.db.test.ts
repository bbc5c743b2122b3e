import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { isoTime } from '#core/clock/clock.ts';
import { keyProvider } from '#core/crypto/secret-keys.ts';
import { newId } from '#core/ids.ts';
import { eachDatabase } from '#test/databases.ts';
import { until } from '#test/until.ts';
import { somewhere } from '#test/vault-stand.ts';
import { handedCalls } from './handed-calls.ts';

const keys = keyProvider([createSecretKey(randomBytes(32))]);
const { signal } = new AbortController();

eachDatabase('calls that wait in another process', (open) => {
  test('an answer hears of a process that died meanwhile, and of a question that ended', async () => {
    const database = await open();
    const { user_id } = await somewhere(database.db);
    const clock = { ms: 0, now: () => Date.now() + clock.ms };
    const handed = handedCalls({ database, clock, keys });
    const [of, asked] = [
      { user_id, call: '{}' },
      { id: newId(), number: 1 },
    ];
    await handed.open(of, asked);
    const waiting = handed.resume(of, asked, { action: 'decline' }, signal);
    await until('the answer is there', async () => (await handed.look([asked])).answered.length === 1);
    assert.deepEqual(await handed.keep([asked]), [], 'its process says that the call continues');
    clock.ms = 20_000;
    assert.equal(await waiting, null);
    assert.deepEqual(await handed.keep([asked]), [asked], 'nobody waits any more');
    const late = { ...asked, number: 2 };
    await handed.open(of, late);
    clock.ms += 316_000;
    assert.equal(await handed.resume(of, late, { action: 'decline' }, signal), null);
    await handed.open(of, { ...asked, number: 3 });
    const left = await database.db.selectFrom('suspended_calls').select('id').execute();
    assert.deepEqual(left, [{ id: `${asked.id}_3` }], 'the row of the process that died is removed');
  });

  test('rows hold no answer in plain text, and another user or call cannot use them', async () => {
    const database = await open();
    const [{ user_id }, other] = [await somewhere(database.db), await somewhere(database.db)];
    const clock = { now: () => Date.now() };
    const handed = handedCalls({ database, clock, keys });
    const [of, asked] = [
      { user_id, call: '{"a":1}' },
      { id: newId(), number: 1 },
    ];
    const answer = { action: 'accept', content: { harbour: 'very-secret-harbour' } } as const;
    await handed.open(of, asked);
    for (const wrong of [
      { ...of, user_id: other.user_id },
      { ...of, call: '{"a":2}' },
    ])
      assert.equal(await handed.resume(wrong, asked, answer, signal), null);
    const waiting = handed.resume(of, asked, answer, signal);
    const { answered } = await until('the answer is there', async () => {
      const looked = await handed.look([asked]);
      return looked.answered.length === 1 && looked;
    });
    assert.deepEqual(answered, [{ ...asked, answer }]);
    assert.equal(await handed.claim(asked), false, 'it was answered elsewhere');
    await handed.give(asked, { done: { text: 'very-secret-result' } });
    const stored = JSON.stringify(await database.db.selectFrom('suspended_calls').selectAll().execute());
    assert.ok(!/very-secret|"a":/.test(stored) && stored.length < 4_000, isoTime(clock.now()));
    assert.deepEqual(await waiting, { done: { text: 'very-secret-result' } });
  });
});
