import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '#core/problem/problem.ts';
import { eachDatabase } from '#test/databases.ts';
import { FLOW_LIFE_MS, newSecrets, randomToken, saveFlow, takeFlow } from './flows.ts';

const NOW = Date.parse('2026-01-02T03:04:05.000Z');
const code = (error: unknown): string => (error instanceof Problem ? error.code : `${error}`);

eachDatabase('Google flows', (open) => {
  const begin = async (now = NOW) => {
    const database = await open();
    const { db } = database;
    const flow = { ...newSecrets(), browser: randomToken(), user_id: null, return_to: '/account' };
    await saveFlow(database, flow, now);
    return {
      database,
      db,
      flow,
      take: (state: string, browser: string | null, at = now) => takeFlow(db, state, browser, at),
    };
  };

  test('a flow can be used once, by the browser that started it', async () => {
    const { flow, take } = await begin();
    const { nonce, code_verifier, return_to, used_at } = await take(flow.state, flow.browser);
    assert.deepEqual([nonce, code_verifier, return_to], [flow.nonce, flow.code_verifier, '/account']);
    assert.equal(used_at, '2026-01-02T03:04:05.000Z');
    await assert.rejects(take(flow.state, flow.browser), (error) => code(error) === 'auth.google_sign_in_invalid');
  });

  test('of 50 concurrent callbacks, one gets the flow', async () => {
    const { flow, take } = await begin();
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => take(flow.state, flow.browser)));
    assert.equal(outcomes.filter((outcome) => outcome.status === 'fulfilled').length, 1);
  });

  test('another browser neither gets nor consumes the flow', async () => {
    const { flow, take } = await begin();
    for (const browser of [randomToken(), null, ''])
      await assert.rejects(take(flow.state, browser), (error) => code(error) === 'auth.google_sign_in_invalid');
    await take(flow.state, flow.browser);
  });

  test('a flow expires after ten minutes and is deleted an hour later', async () => {
    const { database, flow, take } = await begin();
    await assert.rejects(
      take(flow.state, flow.browser, NOW + FLOW_LIFE_MS),
      (error) => code(error) === 'auth.google_sign_in_invalid',
    );
    const later = NOW + FLOW_LIFE_MS + 3_600_001;
    await saveFlow(database, { ...flow, ...newSecrets() }, later);
    await assert.rejects(
      take(flow.state, flow.browser, later),
      (error) => code(error) === 'auth.google_sign_in_invalid',
    );
  });

  test('neither the state nor the cookie is stored', async () => {
    const { db, flow } = await begin();
    const rows = JSON.stringify(await db.selectFrom('google_flows').selectAll().execute());
    assert.ok(!rows.includes(flow.state) && !rows.includes(flow.browser));
  });
});
