import assert from 'node:assert/strict';
import { test } from 'node:test';
import { driftOf } from '../src/drift.ts';

const CASES = [
  ['1.2.3', '1.2.3', 'none', null],
  ['1.2.3', '1.2.4', 'patch', 'service'],
  ['1.2.3', '1.3.0', 'minor', 'service'],
  ['1.3.0', '1.2.9', 'minor', 'client'],
  ['1.2.3', '2.0.0', 'major', 'service'],
  ['2.0.0', '1.9.9', 'major', 'client'],
  ['0.4.0', '0.5.0', 'major', 'service'],
  ['0.4.0', '0.4.1', 'patch', 'service'],
  ['0.9.0', '1.0.0', 'major', 'service'],
  ['1.10.0', '1.9.0', 'minor', 'client'],
  ['1.0.0', 'latest', 'major', null],
] as const;

for (const [client, service, level, newer] of CASES)
  test(`client ${client} and service ${service}: drift is ${level}`, () => {
    const drift = driftOf(client, service);
    assert.deepEqual([drift.level, drift.newer], [level, newer]);
    if (level !== 'none') assert.ok(drift.advice.includes(service));
  });
