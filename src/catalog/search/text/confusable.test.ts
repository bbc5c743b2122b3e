import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endsKept, isNear, isSlip, skeletonOf } from './confusable.ts';

test('ignores case, accents, separators, scripts and digits that look like letters', () => {
  for (const name of [
    'PayPal',
    'pаypаl',
    'pay-pal',
    'pay_pal',
    'p4ypa1',
    'páypal',
    'ｐaypal',
    'paypa|',
    'pay.pal',
    'раураl',
  ])
    assert.equal(skeletonOf(name), skeletonOf('paypal'), name);
  assert.equal(skeletonOf('modern-vvord'), skeletonOf('modem-word'));
  assert.notEqual(skeletonOf('天気'), skeletonOf('天文'));
});

test('one different letter makes long names confusable, but not short ones', () => {
  assert.ok(isNear('playwright', 'playwrlght') && isNear('playwright', 'playwrigh'));
  assert.ok(isNear('playwright', 'palywright') && isNear('aabbcc', 'aabcbc'));
  assert.ok(!isNear('playwright', 'lpaywrigth'));
  assert.ok(!isNear('cat', 'car') && !isNear('playwright', 'plaiwrlght'));
});

test('recognizes a one-letter typo, except for digits and short names', () => {
  for (const [name, other] of [
    ['code-review', 'code-reviews'],
    ['code-review', 'cod-review'],
    ['code-review', 'ocde-review'],
    ['code-review', 'code-reveiw'],
    ['code-review', 'code-review2'],
  ] as const)
    assert.ok(isSlip(name, other) && isSlip(other, name), other);
  for (const [name, other] of [
    ['code-review', 'code-reviewer'],
    ['sum-2025', 'sum-2026'],
    ['lint-1', 'lint-2'],
    ['words', 'wordy'],
  ] as const)
    assert.ok(!isSlip(name, other), other);
});

test('a one-letter typo leaves one end of the name unchanged', () => {
  const look = 'abcdefgh';
  const { head, tail } = endsKept(look);
  for (let at = 0; at < look.length; at++)
    for (const slip of [
      look.slice(0, at) + look.slice(at + 1),
      `${look.slice(0, at)}x${look.slice(at)}`,
      `${look.slice(0, at)}x${look.slice(at + 1)}`,
      `${look.slice(0, at)}${look[at + 1] ?? ''}${look[at]}${look.slice(at + 2)}`,
    ])
      assert.ok(slip.startsWith(head) || slip.endsWith(tail), slip);
});
