import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWorld } from '../../../test/world.ts';

test('200: requests are counted by route of the contract, never by what a stranger typed', async () => {
  await using world = await openWorld();
  await world.fetch('/healthz');
  await world.fetch('/healthz');
  await world.fetch('/made/up/by/a/stranger');
  const answer = await world.fetch('/metrics');
  const text = await answer.text();
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/);
  assert.match(text, /capstan_http_requests_total\{route="\/healthz",status="200"\} 2/);
  assert.match(text, /capstan_http_requests_total\{route="unknown",status="404"\} 1/);
  assert.match(text, /capstan_process_resident_memory_bytes/);
  assert.doesNotMatch(text, /stranger/);
});
