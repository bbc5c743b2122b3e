import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SERVICE } from '#core/service.ts';
import { openWorld } from '#test/world.ts';

test('200: /healthz returns the version and an instance id, never cached', async () => {
  await using world = await openWorld();
  const answer = await world.fetch('/healthz');
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  const { instance, ...rest } = (await answer.json()) as { instance: string };
  assert.deepEqual(rest, { status: 'ok', version: SERVICE.version });
  assert.match(instance, /^\w{8}$/);
});
