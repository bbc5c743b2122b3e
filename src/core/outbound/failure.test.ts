import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from './failure.ts';

const detailOf = (cause: Error): string =>
  failureOf(new TypeError('fetch failed', { cause }), new URL('http://127.0.0.1:9/mcp')).message;

test('the message of a failed connection names its cause, and nothing where there is none', () => {
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  assert.equal(detailOf(refused), '127.0.0.1:9 is unreachable (ECONNREFUSED).');
  assert.equal(detailOf(new Error('other')), '127.0.0.1:9 is unreachable.');
  assert.match(detailOf(new Error('bad port')), /^Port 9 is reserved for another protocol/);
});
