import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Input } from '#core/http/operation.ts';
import { until } from '#test/until.ts';
import { openWorld } from '#test/world.ts';
import { getReadiness } from './get-readiness.ts';

test('200: /readyz reports ready once both indexes can be read', async () => {
  await using world = await openWorld();
  await world.catalog.ready;
  const early = await world.fetch('/readyz');
  const { checks } = (await early.json()) as { checks: { name: string; detail: string }[] };
  assert.deepEqual([early.status, checks[2]?.name], [503, 'search']);
  assert.match(checks[2]?.detail ?? '', /index is being built/);
  await until('both indexes', async () => (await world.fetch('/readyz')).status === 200);
  const answer = await world.fetch('/readyz');
  const found = await world.fetch('/api/marketplace/search', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'json' }),
  });
  assert.equal(found.status, 200, 'a ready service serves a search');
  const body = (await answer.json()) as { checks: { name: string; ok: boolean }[] };
  assert.deepEqual(
    body.checks.map(({ name, ok }) => [name, ok]),
    [
      ['database', true],
      ['catalog', true],
      ['search', true],
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
