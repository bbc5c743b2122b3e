import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atWork } from './at-work.ts';
import { watchTurn } from './watch-turn.ts';

test('watching a turn does not keep a process alive', () => {
  const timers = () => process.getActiveResourcesInfo().filter((text) => text === 'Timeout').length;
  const before = timers();
  const deps = { config: { timeout_ms: 60_000 }, turns: atWork() } as unknown as Parameters<typeof watchTurn>[0];
  const watched = watchTurn(deps, { id: 'x' } as Parameters<typeof watchTurn>[1], new AbortController().signal);
  assert.equal(timers(), before);
  watched.stop();
});
