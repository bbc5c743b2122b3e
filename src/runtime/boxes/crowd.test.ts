import assert from 'node:assert/strict';
import { test } from 'node:test';
import { containerCrowd, watchCrowd } from './crowd.ts';

const LIMIT = 128;

/** A box that is looked at every 20 ms. */
function box(limit = LIMIT, cores = 2) {
  let nowMs = 0;
  const judge = watchCrowd(limit, { cores, now: () => nowMs });
  return (processes: number, wanting = 0, threads = processes, runnable = wanting) => {
    nowMs += 20;
    return judge({ processes, threads, wanting, runnable, resident_bytes: 0, cpu_ms: 0 });
  };
}

/** How many looks it takes until the box must end, at most 200. */
function looksUntilEnd(look: () => { excess: string | null }): number {
  for (let count = 1; count <= 200; count++) if (look().excess !== null) return count;
  return Number.POSITIVE_INFINITY;
}

test('a box whose processes keep all processors busy ends within 100 ms, also below its limit', () => {
  const look = box();
  assert.ok(looksUntilEnd(() => look(120, 110)) <= 5);
  const small = box(30);
  assert.ok(looksUntilEnd(() => small(30, 28)) <= 5);
});

test('a box that stays at its limit without work ends after 2 s', () => {
  const look = box();
  const looks = looksUntilEnd(() => look(128, 1));
  assert.ok(looks > 100 && looks < 105, `${looks}`);
});

test('a busy moment, many busy threads and a limit that was left do not end a box', () => {
  const look = box();
  assert.equal(
    looksUntilEnd(() => look(10, 1, 128, 100)),
    Number.POSITIVE_INFINITY,
  );
  for (let n = 0; n < 50; n++) {
    assert.equal(look(128, 100).excess, null);
    assert.equal(look(20, 2).excess, null);
  }
  const tiny = box(16);
  assert.equal(
    looksUntilEnd(() => tiny(12, 12)),
    Number.POSITIVE_INFINITY,
  );
});

test('on a machine of many processors, as many busy processes starve nobody', () => {
  const look = box(LIMIT, 64);
  assert.equal(
    looksUntilEnd(() => look(70, 65)),
    Number.POSITIVE_INFINITY,
  );
  assert.equal(look(70, 65).is_hog, false);
});

test('a box that keeps a quarter of its limit busy for two looks is a hog, whether processes or threads', () => {
  const look = box();
  assert.deepEqual([look(40, 40).is_hog, look(40, 40).is_hog, look(40, 10).is_hog], [false, true, false]);
  assert.deepEqual([look(2, 1, 50, 40).is_hog, look(2, 1, 50, 40).is_hog], [false, true]);
});

test('a box with many processes is looked at often, and its memory is not counted exactly while it may be a bomb', () => {
  const look = box();
  const seen = [look(3, 1), look(70, 1), look(70, 64)];
  assert.deepEqual(
    seen.map(({ is_crowded, is_suspect }) => [is_crowded, is_suspect]),
    [
      [false, false],
      [true, false],
      [true, true],
    ],
  );
});

test('a container ends above its limit', () => {
  const judge = containerCrowd(10);
  const of = (processes: number) =>
    judge({ processes, threads: processes, wanting: 0, runnable: 0, resident_bytes: 0, cpu_ms: 0 }).excess;
  assert.deepEqual([of(10), of(11)], [null, 'The box started more than 10 processes.']);
});
