import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { archiveOf } from './archive.ts';

const DEEP = `${'d'.repeat(120)}/${'f'.repeat(60)}.txt`;
const contents = new Map(
  Object.entries({ 'SKILL.md': '---\nname: a\n---\n', 'scripts/run.mjs': 'x'.repeat(512), [DEEP]: '' }).map(
    ([path, text]) => [path, Buffer.from(text)] as const,
  ),
);

/** Name, size and contents of each entry, parsed as POSIX tar. */
function read(archive: Uint8Array): [string, string][] {
  const tar = gunzipSync(archive);
  const entries: [string, string][] = [];
  for (let at = 0; tar[at] !== 0; ) {
    const field = (from: number, size: number) =>
      tar.toString('latin1', at + from, at + from + size).replace(/\0.*$/s, '');
    const size = Number.parseInt(field(124, 12), 8);
    const sum = Number.parseInt(field(148, 8), 8);
    const header = Buffer.from(tar.subarray(at, at + 512)).fill(' ', 148, 156);
    assert.equal(
      header.reduce((all, byte) => all + byte, 0),
      sum,
    );
    const name = field(345, 155) === '' ? field(0, 100) : `${field(345, 155)}/${field(0, 100)}`;
    entries.push([name, tar.toString('utf8', at + 512, at + 512 + size)]);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return entries;
}

test('contains each file under its full path', () => {
  assert.deepEqual(
    read(archiveOf({ contents })),
    [...contents].map(([path, bytes]) => [path, bytes.toString()]),
  );
});

test('the same files always give an identical archive', () => {
  const digest = createHash('sha256').update(archiveOf({ contents })).digest('hex');
  assert.equal(digest, '8ffd3d8d180dfa92463085c3fc0f5118f8eb329b7dd93b821763d08fa1807cb2');
});
