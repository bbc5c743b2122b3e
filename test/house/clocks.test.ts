import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FILES, read } from './tree.ts';

/**
 * A test that passes only where the machine is quick enough fails on a busy one. Tests wait with `test/until.ts`, mock timers, hand a
 * clock in, or measure processor time (`test/cpu-time.ts`, `test/growth.ts`).
 */

const CLOCKS: [RegExp, string][] = [
  // A deadline that is handed on is no measurement.
  [/performance\.now\b(?!\(\) \+)|hrtime/, 'reads a clock to measure time'],
  [
    /(?<!=> )Date\.now\(\)\)? ?(?:- ?[a-z_.]+(?![\w.]| \*)|[<>])|(?:-|(?<!=)[<>]=?) ?Date\.now\(\)(?! \+)/,
    'compares the time of day',
  ],
  [/setTimeout as \w+|\btimers\.setTimeout|(?<![.\w])setTimeout\(/, 'waits a fixed time'],
];

/** Why each of these may. */
const EXCEPT: Record<string, string> = {
  'test/until.ts': 'it is what all others wait with',
  'test/groups.ts': 'it prints how long the tests took',
  'test/conformance/plain-tools.ts': 'the conformance suite describes tools that take 50 ms a step',
  'test/fakes/fault-server.ts': 'a provider that is slow',
  'test/fakes/llm.ts': 'a provider that is slow',
  'test/fakes/providers/fake-server.ts': 'a provider that is slow',
  'test/fakes/slow-way.ts': 'a way to a server that is slow',
  'test/fair-flood.ts': 'it sends so many requests a second',
  'test/fuzz/run.ts': 'it prints how long the requests took',
  'test/fuzz/send.ts': 'it leaves streams that do not end by themselves; the time of an answer is only printed',
  'test/hostile/watch-service.ts': 'it looks at a service from time to time; what it judges is processor time',
  'test/kill-sync.ts': 'it ends a process at a random moment; the time that it took is only printed',
  'test/kill-task.ts': 'it ends a process at a random moment; the time that it took is only printed',
  'test/packages/host-driver.ts': 'it runs programs under the time limit that the order names',
  'test/tasks-stand.ts': 'a run that takes time, so that a process can be ended meanwhile',
};

/** The soaks and what only they use measure for minutes, alone on a machine. */
const MEASURING = /^test\/(?:soak|instances|house)\//;

const isTest = (path: string): boolean =>
  path.endsWith('.ts') && (/\.test\.ts$/.test(path) || /(?:^|\/)test\//.test(path)) && !MEASURING.test(path);

/** `line: what it does` of each line that looks at a clock. */
const faultsOf = (text: string): string[] =>
  text
    .split('\n')
    .flatMap((line, at) => CLOCKS.flatMap(([pattern, what]) => (pattern.test(line) ? [`${at + 1}: ${what}`] : [])));

test('no test measures wall time or waits a fixed time', () => {
  const found = FILES.filter((path) => isTest(path) && !(path in EXCEPT)).flatMap((path) =>
    faultsOf(read(path)).map((fault) => `${path}:${fault}`),
  );
  assert.deepEqual(found, []);
});

test('every file in the list of exceptions still needs its exception', () => {
  const unneeded = Object.keys(EXCEPT).filter((path) => !FILES.includes(path) || faultsOf(read(path)).length === 0);
  assert.deepEqual(unneeded, []);
});

test('wall-clock comparisons and fixed waits are detected, but not deadlines or times of day', () => {
  const seen = [
    'const began = performance.now();',
    'assert.ok(Date.now() - began < 5_000);',
    'while (Date.now() < ends) look();',
    'const took = ended - Date.now();',
    "import { setTimeout as sleep } from 'node:timers/promises';",
    'await new Promise((resolve) => setTimeout(resolve, 50));',
    'setTimeout(() => abort(), 20);',
  ];
  assert.deepEqual(
    seen.map((line) => faultsOf(line).length > 0),
    seen.map(() => true),
  );
  const fine = [
    'ends_at_ms: performance.now() + 2_000',
    'const long_ago = new Date(Date.now() - 60_000);',
    'now: () => Date.now() + moved_ms',
    'now: () => Date.now() - clock.behind_ms',
    'const at = new Date(Date.now() - age_days * DAY_MS);',
    "t.mock.timers.enable({ apis: ['setTimeout'] });",
  ];
  assert.deepEqual(fine.flatMap(faultsOf), []);
});
