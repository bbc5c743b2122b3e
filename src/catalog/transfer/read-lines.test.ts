import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { readLines } from './read-lines.ts';

async function read(bytes: Buffer, chunk: number, max = 50): Promise<string[]> {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk);
  }
  const lines: string[] = [];
  for await (const line of readLines(chunks(), max)) {
    assert.equal(line.number, lines.length + 1);
    lines.push('too_long' in line ? '(too long)' : line.bytes.toString());
  }
  return lines;
}

test('lines do not depend on the boundaries of chunks or on compression', async () => {
  const lines = fc.array(fc.stringMatching(/^[a-zé日]{0,60}$/), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(
      lines,
      fc.integer({ min: 1, max: 40 }),
      fc.boolean(),
      fc.boolean(),
      async (all, chunk, packed, crlf) => {
        const bytes = Buffer.from(all.map((text) => `${text}${crlf ? '\r\n' : '\n'}`).join(''));
        const limit = 50 + (crlf ? 1 : 0);
        const expected = all.map((text) => (Buffer.byteLength(text) > 50 ? '(too long)' : text));
        assert.deepEqual(await read(packed ? gzipSync(bytes) : bytes, chunk, limit), expected);
      },
    ),
    { numRuns: 200 },
  );
});

test('the last line needs no line end, and empty input has no lines', async () => {
  assert.deepEqual(await read(Buffer.from('a\nb'), 1), ['a', 'b']);
  assert.deepEqual(await read(Buffer.from(''), 1), []);
  assert.deepEqual(await read(Buffer.from('\n\n'), 1), ['', '']);
  assert.deepEqual(await read(Buffer.from([0x1f]), 1), ['\x1f']);
});
