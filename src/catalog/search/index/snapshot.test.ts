import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { exampleItem } from '#test/example-items.ts';
import { segmentArrays } from './segment.ts';
import { buildSegment } from './segment-builder.ts';
import { readSnapshot, writeSnapshot } from './snapshot.ts';

const dir = mkdtempSync(join(tmpdir(), 'capstan-snapshot-'));
const file = join(dir, 'catalog.snapshot');
after(() => rmSync(dir, { recursive: true }));

const base = buildSegment(Array.from({ length: 100 }, (_, i) => exampleItem(i, { name: `Tool ${i} 検索 \ud800` })));
writeSnapshot(dir, { identity: 'db1', seq: 7, base });
const whole = readFileSync(file);

test('a snapshot is read as written, and no temporary file remains', () => {
  const back = readSnapshot(dir, 'db1');
  assert.equal(back?.seq, 7);
  assert.deepEqual(segmentArrays(back.base), segmentArrays(base));
  assert.ok(segmentArrays(back.base).every(([, array]) => array.buffer instanceof SharedArrayBuffer));
  assert.deepEqual(readdirSync(dir), ['catalog.snapshot']);
});

test('a missing snapshot and a snapshot of another database are ignored', () => {
  assert.equal(readSnapshot(dir, 'db2'), null);
  assert.equal(readSnapshot(join(dir, 'elsewhere'), 'db1'), null);
});

test('a snapshot that is truncated, empty, too long, of another format or corrupt is ignored', () => {
  const flipped = Buffer.from(whole);
  flipped.writeUInt8(flipped.readUInt8(whole.length - 1000) ^ 1, whole.length - 1000);
  const otherFormat = Buffer.from(whole.toString('latin1').replace('capstan-catalog 4', 'capstan-catalog 0'), 'latin1');
  const odd = [whole.subarray(0, -1), Buffer.alloc(0), Buffer.concat([whole, Buffer.of(0)]), flipped, otherFormat];
  for (const bytes of [...odd, Buffer.from('not json\n'), Buffer.from('null\n')]) {
    writeFileSync(file, bytes);
    assert.equal(readSnapshot(dir, 'db1'), null);
  }
});
