import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authStand } from '#test/auth-stand.ts';
import { eachDatabase } from '#test/databases.ts';

eachDatabase('POST /api/auth/proof-of-work', (open) => {
  test('200: returns a different challenge each time, valid for ten minutes', async () => {
    const stand = await authStand(await open());
    const { token } = await stand.signUp();
    const ask = async () => (await stand.ask('POST', '/api/auth/proof-of-work', { token })).body;
    const [first, second] = [await ask(), await ask()] as unknown as Record<string, unknown>[];
    assert.deepEqual([first?.algorithm, first?.difficulty_bits], ['sha-256', 20]);
    assert.equal(first?.expires_at, '2026-03-01T00:10:00.000Z');
    assert.notEqual(first?.challenge, second?.challenge);
  });
});
