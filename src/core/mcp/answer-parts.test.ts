import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partsCounter } from './answer-parts.ts';

const members = (count: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, ':{["\\'])));

/** Whether it is refused, however it is cut. */
function isRefused(text: string, isEvents = false): boolean {
  const outcomes = [7, 4_096, Number.POSITIVE_INFINITY].map((size) => {
    const count = partsCounter(isEvents);
    const bytes = Buffer.from(text);
    try {
      for (let at = 0; at < bytes.length; at += size) count(bytes.subarray(at, at + size));
      return false;
    } catch {
      return true;
    }
  });
  assert.equal(new Set(outcomes).size, 1);
  return outcomes[0] as boolean;
}

test('a message with very many members, objects or lists is refused, whatever its texts contain', () => {
  assert.deepEqual([isRefused(members(30_000)), isRefused(members(30_001))], [false, true]);
  assert.deepEqual([isRefused('[]'.repeat(50_000)), isRefused('{}'.repeat(50_001))], [false, true]);
  assert.equal(isRefused(JSON.stringify(Array.from({ length: 100_000 }, (_, at) => at))), false);
});

test('messages of an event stream are counted one by one, and their lines together', () => {
  const event = `: it's "\nid: 1\ndata: ${members(20_000)}\n\n`;
  assert.equal(isRefused(event.repeat(3), true), false);
  for (const end of ['\r\n', '\r']) assert.equal(isRefused(event.replaceAll('\n', end).repeat(3), true), false);
  assert.equal(isRefused(`data: ${members(20_000)}\r\ndata: ${members(20_000)}\r\n\r\n`, true), true);
  assert.equal(isRefused(`data: ${members(20_000)}\ndata: ${members(20_000)}\n\n`, true), true);
  // Only events end with an empty line.
  assert.equal(isRefused(`${members(20_000)}\n\n${members(20_000)}`), true);
});
