import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactSecrets } from '#core/text/redact.ts';
import { createLog } from './log.ts';

test('secrets never appear in a log line, at any depth', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  log.info(
    { headers: { authorization: 'Bearer s3cret-one' }, password: 's3cret-two', a: { b: { token: 's3cret-three' } } },
    'x',
  );
  log.error({
    error: new Error('connect postgres://user:s3cret-four@host/db failed', { cause: new Error('Bearer s3cret-five') }),
  });
  assert.equal(lines.length, 2);
  assert.doesNotMatch(lines.join(''), /s3cret/);
  assert.match(lines.join(''), /postgres:\/\/user:\[redacted\]@host/);
});

test('a header quoted in text is redacted to the end of its line', () => {
  assert.equal(redactSecrets('Cookie: a=b; sid=s3cret\nHost: x'), 'Cookie: [redacted]\nHost: x');
  assert.equal(redactSecrets('authorization: Digest username=u, response=s3cret'), 'authorization: [redacted]');
  assert.doesNotMatch(redactSecrets('{"authorization":"Digest s3cret"}'), /s3cret/);
});

test('text without secrets is not redacted', () => {
  assert.equal(redactSecrets('GET https://example.com/a:b basic idea'), 'GET https://example.com/a:b basic idea');
});
