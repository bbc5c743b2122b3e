import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY_MS, type Weighed } from './caller-weight.ts';
import { bounded, type CountedRun, hotScore, independent, oneADay, rawScore, wilson } from './hot-score.ts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const HOUR_MS = 3_600_000;

const caller = fc.record({
  weight: fc.double({ min: 0, max: 1, noNaN: true }),
  established: fc.boolean(),
  cluster: fc.constantFrom(null, 'a', 'b'),
});
const world = fc
  .record({
    callers: fc.array(caller, { minLength: 1, maxLength: 12 }),
    runs: fc.array(fc.tuple(fc.nat(11), fc.nat(40 * 24), fc.boolean()), { maxLength: 60 }),
  })
  .map(({ callers, runs }) => ({
    callers: new Map(callers.map((caller, at) => [`c${at}`, caller])),
    runs: oneADay(
      runs.map(([by, hours, completed]) => ({
        caller: `c${by % callers.length}`,
        at_ms: NOW - hours * HOUR_MS,
        completed,
      })),
    ),
  }));
const A_LITTLE = 1e-9;

test('a score is finite, never negative, and 0 without runs', () => {
  assert.equal(hotScore([], new Map(), NOW), 0);
  fc.assert(
    fc.property(world, ({ runs, callers }) => {
      const score = hotScore(runs, callers, NOW);
      assert.ok(Number.isFinite(score) && score >= 0 && score <= 2 * callers.size);
    }),
  );
});

test('a successful run never lowers the score', () => {
  fc.assert(
    fc.property(world, caller, fc.boolean(), ({ runs, callers }, who, isNew) => {
      const by = isNew ? 'new' : 'c0';
      const after = new Map(callers).set('new', who);
      const more = [...runs, { caller: by, at_ms: NOW, completed: true }];
      assert.ok(rawScore(oneADay(more), after, NOW) >= rawScore(runs, callers, NOW) - A_LITTLE);
    }),
  );
});

test('a failure of a new caller never raises the score', () => {
  fc.assert(
    fc.property(world, caller, ({ runs, callers }, who) => {
      const after = new Map(callers).set('new', who);
      const more = [...runs, { caller: 'new', at_ms: NOW, completed: false }];
      assert.ok(rawScore(more, after, NOW) <= rawScore(runs, callers, NOW) + A_LITTLE);
    }),
  );
});

test('a score rises by at most one caller of full weight per hour', () => {
  fc.assert(
    fc.property(world, ({ runs, callers }) => {
      assert.ok(hotScore(runs, callers, NOW) <= hotScore(runs, callers, NOW - HOUR_MS) + 1 + A_LITTLE);
    }),
  );
  const many = Array.from({ length: 60 }, (_, at): CountedRun => ({ caller: `${at}`, at_ms: NOW, completed: true }));
  const all = new Map(
    many.map((countedRun): [string, Weighed] => [countedRun.caller, { weight: 1, established: true, cluster: null }]),
  );
  assert.equal(hotScore(many, all, NOW), 1);
  assert.ok(Math.abs(hotScore(many, all, NOW + 5 * HOUR_MS) - 6) < 0.1);
});

test('without new runs, a score halves within three days and is 0 after 31 days', () => {
  const runs = Array.from({ length: 4 }, (_, at): CountedRun => ({ caller: `${at}`, at_ms: NOW, completed: true }));
  const callers = new Map(
    runs.map((run): [string, Weighed] => [run.caller, { weight: 1, established: true, cluster: null }]),
  );
  const at = (days: number) => rawScore(runs, callers, NOW + days * DAY_MS);
  for (let day = 0; day < 31; day++) assert.ok(at(day + 1) < at(day), `day ${day}`);
  assert.ok(at(2.9) < at(0) / 1.9);
  assert.equal(at(31), 0);
});

test('only the last run of each caller and day counts', () => {
  const run = (hours: number, completed: boolean) => ({ caller: 'a', at_ms: NOW - hours * HOUR_MS, completed });
  const kept = oneADay([run(1, true), run(3, false), run(2, false), run(30, false)]);
  assert.deepEqual(kept.map(({ completed }) => completed).sort(), [false, true]);
});

test('a cluster counts as at most one caller, new accounts as one and a half together, established ones by weight', () => {
  const mass = (count: number, who: Partial<Weighed>) =>
    independent(
      Array.from({ length: count }, () => ({
        caller: { weight: 1, established: true, cluster: null, ...who },
        mass: 1,
      })),
    ).reduce((a, b) => a + b, 0);
  assert.equal(mass(50, {}), 50);
  assert.ok(mass(1_000, { cluster: 'x' }) <= 1 + A_LITTLE);
  assert.ok(mass(1_000, { established: false }) <= 1.5 + A_LITTLE);
  assert.ok(mass(2, { established: false }) > mass(1, { established: false }));
  assert.ok(bounded(0.1, 1.5) > 0.095);
});

test('the lower bound of success is 0 without runs and grows with more of the same', () => {
  assert.equal(wilson(0, 0), 0);
  assert.ok(wilson(1, 0) < wilson(10, 0) && wilson(10, 0) < wilson(100, 0) && wilson(1_000, 0) < 1);
  assert.ok(Math.abs(wilson(8, 2) - 0.4902) < 0.0005, 'the textbook value');
});
