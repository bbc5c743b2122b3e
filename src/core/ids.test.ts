import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { newId } from './ids.ts';

const timeOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

test('ids are UUIDv7, unique and sorted by creation, however many are created at once', () => {
  const ids = Array.from({ length: 20_000 }, newId);
  assert.deepEqual(ids, ids.toSorted());
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const beforeMs = Date.now();
  const madeMs = timeOf(newId());
  // It may be a little ahead, because ids of one moment count on.
  assert.ok(madeMs >= beforeMs && madeMs <= Date.now() + 1_000, `${madeMs}`);
});

test('ids stay sorted when the clock jumps back half a second, and follow it when it is set back a minute', () => {
  const nowMs = Date.now() + 60_000;
  mock.timers.enable({ apis: ['Date'], now: nowMs });
  try {
    const before = newId();
    mock.timers.setTime(nowMs - 500);
    const trembling = newId();
    assert.ok(trembling > before);
    mock.timers.setTime(nowMs - 60_000);
    assert.equal(timeOf(newId()), nowMs - 60_000);
  } finally {
    mock.timers.reset();
  }
});
