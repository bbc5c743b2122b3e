import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Input } from '#core/http/operation.ts';
import { openWorld } from '#test/world.ts';
import { getReadiness } from './get-readiness.ts';

test('200: /readyz reports ready once the catalog index is built', async () => {
  await using world = await openWorld();
  await world.catalog.ready;
  const answer = await world.fetch('/readyz');
  assert.equal(answer.status, 200);
  const body = (await answer.json()) as { checks: { name: string; ok: boolean }[] };
  assert.deepEqual(
    body.checks.map(({ name, ok }) => [name, ok]),
    [
      ['database', true],
      ['catalog', true],
    ],
  );
});

test('503: names the failing check but not its error', async () => {
  const handler = getReadiness({
    good: async () => {},
    database: () => Promise.reject(new Error('connect to 10.0.0.7 as admin failed')),
  });
  const reply = await handler({} as Input);
  assert.equal(reply.status, 503);
  assert.deepEqual(JSON.parse(reply.body as string), {
    status: 'not_ready',
    checks: [
      { name: 'good', ok: true, detail: '' },
      { name: 'database', ok: false, detail: 'unavailable' },
    ],
  });
});

test('503: a hanging check does not block the response', async () => {
  const reply = await getReadiness({ database: () => new Promise(() => {}) })({} as Input);
  assert.equal(reply.status, 503);
});
