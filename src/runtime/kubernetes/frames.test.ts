import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeFrame, frameReader, OPCODE } from './frames.ts';

/** A frame as a server sends it: not masked. */
function serverFrame(payload: Buffer, first = 0x82): Buffer {
  const { length } = payload;
  if (length < 126) return Buffer.concat([Buffer.of(first, length), payload]);
  const head = Buffer.alloc(length < 65_536 ? 4 : 10);
  head[0] = first;
  head[1] = length < 65_536 ? 126 : 127;
  if (length < 65_536) head.writeUInt16BE(length, 2);
  else head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

test('reads WebSocket frames of every length, however they are split into chunks', () => {
  const payloads = [0, 1, 125, 126, 65_535, 65_536, 70_000].map((length) => Buffer.alloc(length, length % 251));
  const all = Buffer.concat(payloads.map((payload) => serverFrame(payload)));
  for (const size of [7, 1_000, all.length]) {
    const read = frameReader(100_000);
    const frames = [];
    for (let at = 0; at < all.length; at += size) frames.push(...read(all.subarray(at, at + size)));
    assert.deepEqual(
      frames.map(({ payload }) => payload.length),
      payloads.map(({ length }) => length),
    );
    assert.ok(frames.every(({ payload }, index) => payload.equals(payloads[index] as Buffer)));
  }
});

test('refuses masked frames, frames with extension bits, and frames over the size limit', () => {
  assert.throws(() => frameReader(10)(serverFrame(Buffer.alloc(11))), /too large/);
  assert.throws(() => frameReader(10)(Buffer.of(0x82, 0x81, 1, 2, 3, 4, 5)), /must not send/, 'a masked one');
  assert.throws(() => frameReader(10)(Buffer.of(0xc2, 1, 0)), /must not send/, 'one with an extension');
});

test('masks the frames that a client sends', () => {
  for (const length of [0, 5, 126, 65_536]) {
    const payload = Buffer.alloc(length, 7);
    const frame = encodeFrame(OPCODE.binary, payload);
    const start = length < 126 ? 2 : length < 65_536 ? 4 : 10;
    assert.equal(frame[0], 0x82);
    assert.equal((frame[1] as number) & 0x80, 0x80);
    const mask = frame.subarray(start, start + 4);
    const unmasked = frame.subarray(start + 4).map((byte, at) => byte ^ (mask[at & 3] as number));
    assert.ok(Buffer.from(unmasked).equals(payload));
  }
});
