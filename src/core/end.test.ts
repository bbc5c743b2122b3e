import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { endOf } from './end.ts';

test('endOf() aborts on timeout, on another signal or when called, with the first reason', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const late = endOf({ timeout_ms: 5, with: [null, undefined] });
  t.mock.timers.tick(5);
  assert.deepEqual([late.isLate(), late.signal.reason.name], [true, 'TimeoutError']);
  const caller = new AbortController();
  const calledOff = endOf({ timeout_ms: 5, with: [caller.signal] });
  caller.abort('enough');
  t.mock.timers.tick(5);
  assert.deepEqual([calledOff.isLate(), calledOff.signal.reason], [false, 'enough']);
  assert.equal(endOf({ with: [caller.signal] }).signal.reason, 'enough', 'of one that had ended before');
  const own = endOf({ with: [] });
  own.now('over');
  assert.equal(own.signal.reason, 'over');
});

test('after release(), neither the timeout nor a signal aborts, and no listener remains', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const caller = new AbortController();
  const end = endOf({ timeout_ms: 5, with: [caller.signal] });
  end.release();
  assert.equal(getEventListeners(caller.signal, 'abort').length, 0);
  caller.abort();
  t.mock.timers.tick(5);
  assert.deepEqual([end.signal.aborted, end.isLate()], [false, false]);
});

test('a paused timeout waits until every pause has ended, and then continues with the rest', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const end = endOf({ timeout_ms: 60_000, with: [] });
  const [first, second] = [end.pause(), end.pause()];
  t.mock.timers.tick(120_000);
  first();
  t.mock.timers.tick(120_000);
  assert.equal(end.signal.aborted, false);
  second();
  t.mock.timers.tick(60_000);
  assert.equal(end.isLate(), true);
  const released = endOf({ timeout_ms: 5, with: [] });
  const goOn = released.pause();
  released.release();
  goOn();
  t.mock.timers.tick(5);
  assert.equal(released.signal.aborted, false);
});
