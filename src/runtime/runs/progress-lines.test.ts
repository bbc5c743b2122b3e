import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineOf, progressLines } from './progress-lines.ts';

test('a line has the message and how far the call is', () => {
  assert.equal(lineOf({ progress: 2, total: 5, message: ' Reading\n files ' }), 'Reading files (2 of 5)');
  assert.equal(lineOf({ progress: 2 }), '2');
  assert.equal(lineOf({ progress: 1, message: 'x'.repeat(900) }).length, 504);
});

test('a server that reports without pause gets one line a second', () => {
  const lines: string[] = [];
  const tell = progressLines({ on_output: (stream, chunk) => lines.push(`${stream} ${Buffer.from(chunk)}`) });
  for (let progress = 0; progress < 1_000; progress++) tell?.({ progress, total: 1_000 });
  assert.deepEqual(lines.slice(0, 1), ['stderr 0 of 1000\n']);
  assert.ok(lines.length < 100, `${lines.length} lines`);
  assert.equal(progressLines({}), undefined);
});
