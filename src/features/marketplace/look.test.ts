import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNear, lookOf } from './look.ts';

test('case, accents, separators, other scripts and digits for letters look alike', () => {
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
    assert.equal(lookOf(name), lookOf('paypal'), name);
  assert.equal(lookOf('modern-vvord'), lookOf('modem-word'));
  assert.notEqual(lookOf('天気'), lookOf('天文'));
});

test('one letter makes long names alike, not short ones', () => {
  assert.ok(isNear('playwright', 'playwrlght') && isNear('playwright', 'playwrigh'));
  assert.ok(!isNear('cat', 'car') && !isNear('playwright', 'plaiwrlght'));
});
