import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeNames } from './close-names.ts';

test('suggests names that share a word or differ by a few letters, closest first', () => {
  const names = ['csv-profile', 'json-diff', 'json-schema-infer', 'semver-pick'];
  assert.deepEqual(closeNames('jsn-diff', names), ['json-diff']);
  assert.deepEqual(closeNames('json', names), ['json-diff', 'json-schema-infer']);
  assert.deepEqual(closeNames('cron-nxt', ['cron-cron-x', 'cron-next']), ['cron-next', 'cron-cron-x']);
  assert.deepEqual(closeNames('SEMVERPICK', names), ['semver-pick']);
  assert.deepEqual(closeNames('high_watr', ['set_alarm', 'high_water', 'low_water']), ['high_water']);
  assert.deepEqual(closeNames('water', ['set_alarm', 'high_water', 'Low.Water']), ['high_water', 'Low.Water']);
  assert.deepEqual(closeNames('weather', names), []);
  assert.deepEqual(closeNames('x'.repeat(100_000), names), []);
});
