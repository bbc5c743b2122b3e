import assert from 'node:assert/strict';
import { test } from 'node:test';
import { surgeDetector } from './surge.ts';

test('a jump in the number of busy processes is a surge, on an idle machine and on a busy one', () => {
  for (const usual of [1, 60]) {
    const detect = surgeDetector();
    for (let n = 0; n < 10; n++) assert.equal(detect(usual + (n % 3)), false);
    assert.equal(detect(usual + 40), true);
  }
});

test('a machine that stays busy, or gets busy slowly, is no surge', () => {
  const detect = surgeDetector();
  detect(2);
  const surges = Array.from({ length: 200 }, () => detect(80)).filter(Boolean);
  assert.ok(surges.length > 0 && surges.length < 40, `${surges.length}`);
  for (let n = 0; n < 100; n++) assert.equal(detect(80 + n / 2), false);
});

test('a system that does not tell the number has no surge', () => {
  const detect = surgeDetector();
  for (let n = 0; n < 3; n++) assert.equal(detect(Number.NaN), false);
});
