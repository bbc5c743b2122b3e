import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CallerFacts, callerWeight, clusterOf, DAY_MS, isEstablished } from './caller-weight.ts';
import { factsOf } from './callers.ts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
function facts(more: Partial<CallerFacts> & { age_days?: number } = {}): CallerFacts {
  const { age_days = 400, ...rest } = more;
  return {
    created_ms: NOW - age_days * DAY_MS,
    tier: 'free',
    share: 0,
    favourite: 'p',
    active_days: 9,
    publishers: 5,
    networks: ['192.0.2.0/24'],
    ...rest,
  };
}

test('the weight of a caller is min(1, age / 30 d) × tier / (1 + share)', () => {
  assert.equal(callerWeight(facts({ tier: 'pro' }), NOW), 1);
  assert.equal(callerWeight(facts({ tier: 'casual', share: 1 }), NOW), 0.4);
  assert.equal(callerWeight(facts({ age_days: 15 }), NOW), 0.25);
  assert.equal(callerWeight(facts({ age_days: 0 }), NOW), 0);
  assert.equal(callerWeight(facts({ age_days: -3 }), NOW), 0, 'an account from the future');
});

test('established: has an operator-assigned tier, or is 60 days old with enough days, publishers and a network', () => {
  assert.ok(isEstablished(facts(), NOW));
  assert.ok(isEstablished(facts({ tier: 'casual', age_days: 1, publishers: 1, active_days: 1 }), NOW));
  assert.ok(!isEstablished(facts({ age_days: 59 }), NOW));
  assert.ok(!isEstablished(facts({ active_days: 4 }), NOW));
  assert.ok(!isEstablished(facts({ publishers: 2 }), NOW));
  assert.ok(!isEstablished(facts({ networks: [] }), NOW), 'cannot be distinguished from others');
});

test('share, days and publishers count each subject once a day', () => {
  const day = (subject: string, at: string) => ({ user_id: 'u', subject, day: at });
  const runs = [day('a', '2026-05-01'), day('b', '2026-05-01'), day('a', '2026-05-02'), day('c', '2026-05-03')];
  const publishers = new Map([...['a', 'b'].map((name) => [name, 'one'] as const), ['c', 'two'] as const]);
  const known = factsOf(
    [{ id: 'u', tier: 'free', created_at: '2026-01-01T00:00:00.000Z', networks: [] }],
    runs,
    publishers,
  ).get('u');
  assert.deepEqual([known?.share, known?.favourite, known?.active_days, known?.publishers], [0.75, 'one', 3, 2]);
  assert.equal(clusterOf({ share: 0.75, favourite: 'one' }), null);
  assert.equal(clusterOf({ share: 0.95, favourite: 'one' }), 'one');
});
