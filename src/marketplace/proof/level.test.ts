import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, type Weighed } from './caller-weight.ts';
import { levelsOf } from './level.ts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const ago = (days: number) => NOW - days * DAY_MS;
const run = (days: number, caller: string | null = null, completed = true) => ({ at_ms: ago(days), completed, caller });
const check = (input_mac: string, output_mac: string, days = 1, completed = true) => ({
  at_ms: ago(days),
  completed,
  input_mac,
  output_mac,
});
const people = (count: number, more: Partial<Weighed> = {}) =>
  new Map(
    Array.from({ length: count }, (_, at) => [`p${at}`, { weight: 0.7, established: true, cluster: null, ...more }]),
  );
const names = (...args: Parameters<typeof levelsOf>) => levelsOf(...args).map(({ level }) => level);

test('ran: a run of the service or its operator, for 90 days after the last one', () => {
  assert.deepEqual(names([], [], new Map(), NOW), []);
  const own = (days: number, completed = true) => ({ ...run(days, null, completed), is_operators: true });
  assert.deepEqual(names([own(3, false)], [], new Map(), NOW), []);
  assert.deepEqual(levelsOf([own(80), own(40), own(1, false)], [], new Map(), NOW), [
    { level: 'ran', since_ms: ago(80), expires_ms: ago(40 - 90) },
  ]);
  assert.deepEqual(names([own(90)], [], new Map(), NOW), []);
  assert.deepEqual(names([], [check('i', 'o')], new Map(), NOW), ['ran']);
});

test('ran: three independent established callers, but not fewer or new ones', () => {
  const runs = (count: number) =>
    people(count)
      .keys()
      .map((caller, at) => run(at + 1, caller))
      .toArray();
  assert.deepEqual(names(runs(3), [], people(3), NOW), ['ran']);
  assert.deepEqual(names(runs(2), [], people(2), NOW), []);
  assert.deepEqual(names([run(1), run(2), run(3)], [], new Map(), NOW), [], 'their accounts are unknown');
  assert.deepEqual(names(runs(50), [], people(50, { established: false }), NOW), []);
  assert.deepEqual(names(runs(50), [], people(50, { cluster: 'one network' }), NOW), []);
});

test('reproduced: one input gave the same output twice and another input worked, for 30 days', () => {
  const round = [check('i', 'o'), check('i', 'o'), check('j', 'p')];
  assert.deepEqual(names([], round, new Map(), NOW), ['ran', 'reproduced']);
  const differs = [check('i', 'o'), check('i', 'other'), check('j', 'p')];
  assert.deepEqual(names([], differs, new Map(), NOW), ['ran']);
  assert.deepEqual(names([], round.slice(0, 2), new Map(), NOW), ['ran']);
  assert.deepEqual(names([], [...round.slice(0, 2), check('j', 'p', 1, false)], new Map(), NOW), ['ran']);
  assert.deepEqual(
    names([], [...round.slice(0, 2), check('j', 'p', 5)], new Map(), NOW),
    ['ran'],
    'from another round',
  );
  assert.deepEqual(names([], [check('i', 'o', 31), check('i', 'o', 31), check('j', 'p', 31)], new Map(), NOW), ['ran']);
});

test('used: five established callers with weight three, lost when too few remain in the last 30 days', () => {
  const runs = [9, 7, 5, 3, 1].map((days, at) => run(days, `p${at}`));
  const last = levelsOf(runs, [], people(5), NOW).at(-1);
  assert.deepEqual(last, { level: 'used', since_ms: ago(1), expires_ms: ago(9 - 30) });
  assert.deepEqual(names(runs.slice(1), [], people(5), NOW), ['ran'], 'four are too few');
  assert.deepEqual(names(runs, [], people(5, { weight: 0.5 }), NOW), ['ran'], 'their weight is too low');
  assert.deepEqual(names(runs, [], people(5, { established: false }), NOW), []);
  assert.deepEqual(names(runs, [], people(5, { cluster: 'x', weight: 1 }), NOW), [], 'a cluster counts once');
  assert.deepEqual(names([...runs, ...runs, ...runs.slice(0, 1)], [], people(5), NOW), ['ran', 'used']);
  assert.deepEqual(
    names(
      runs.map((run) => ({ ...run, at_ms: run.at_ms - 25 * DAY_MS })),
      [],
      people(5),
      NOW,
    ),
    ['ran'],
  );
});
