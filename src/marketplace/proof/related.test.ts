import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallerFacts } from './caller-weight.ts';
import { DAY_MS } from './caller-weight.ts';
import { groupsOf, MADE_TOGETHER_MS, relatedToOwners, weighAll } from './related.ts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
let made = 0;
const facts = (more: Partial<CallerFacts> = {}): CallerFacts => ({
  created_ms: NOW - 400 * DAY_MS - ++made * 3_600_000,
  tier: 'free',
  networks: [`network ${made}`],
  share: 0.2,
  favourite: 'somebody',
  active_days: 9,
  publishers: 5,
  ...more,
});

test('groups accounts that share a network, a creation time or a single publisher, also transitively', () => {
  const atMs = NOW - 100 * DAY_MS;
  const known = new Map([
    ['a', facts({ networks: ['x', 'y'] })],
    ['b', facts({ networks: ['y', 'z'] })],
    ['c', facts({ networks: ['z'], created_ms: atMs })],
    ['d', facts({ created_ms: atMs + MADE_TOGETHER_MS })],
    ['e', facts({ created_ms: atMs + 2 * MADE_TOGETHER_MS + 1 })],
    ['f', facts({ share: 0.95, favourite: 'p' })],
    ['g', facts({ share: 1, favourite: 'p' })],
  ]);
  assert.deepEqual([...groupsOf(known)], [...['a', 'b', 'c', 'd'].map((id) => [id, 'a']), ['f', 'f'], ['g', 'f']]);
});

test('new accounts do not connect established ones', () => {
  const established = Array.from(
    { length: 4 },
    (_, n) => [`old ${n}`, facts({ created_ms: NOW - 100 * DAY_MS + n * 3_600_000 })] as const,
  );
  const bridge = Array.from(
    { length: 40 },
    (_, n) =>
      [`new ${n}`, facts({ created_ms: NOW - 100 * DAY_MS + n * 300_000, publishers: 1, active_days: 1 })] as const,
  );
  const weighed = weighAll(new Map([...established, ...bridge]), NOW);
  assert.deepEqual(
    established.map(([id]) => weighed.get(id)?.cluster),
    [null, null, null, null],
  );
  assert.equal(new Set(bridge.map(([id]) => weighed.get(id)?.cluster)).size, 1);
});

test('finds callers related to the publisher by a shared network or creation time', () => {
  const owner = facts({ networks: ['office', 'home'] });
  const callers = new Map([
    ['same network', facts({ networks: ['home'] })],
    ['made together', facts({ created_ms: owner.created_ms - MADE_TOGETHER_MS })],
    ['another', facts({ created_ms: owner.created_ms + MADE_TOGETHER_MS + 1 })],
  ]);
  assert.deepEqual([...relatedToOwners(callers, [owner])], ['same network', 'made together']);
  assert.equal(relatedToOwners(callers, []).size, 0);
});
