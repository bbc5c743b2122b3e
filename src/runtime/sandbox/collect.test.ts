import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import fc from 'fast-check';
import { collect, MAX_OUTPUT_FILES } from './collect.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const line = (frame: unknown) => `${JSON.stringify(frame)}\n`;

function collecting(output_bytes: number) {
  const frames = new PassThrough();
  const seen: string[] = [];
  const collected = collect(frames, {
    output_bytes,
    on_output: (stream, chunk) => seen.push(`${stream}:${Buffer.from(chunk)}`),
    on_exceeded: () => seen.push('exceeded'),
    on_garbage: () => seen.push('garbage'),
  });
  return { frames, seen, collected };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('reads frames correctly however they are split into chunks', async () => {
  const text = [
    line({ type: 'output', stream: 'stdout', data: base64('é1') }),
    line({ type: 'output', stream: 'stderr', data: base64('e') }),
    line({ type: 'file', path: 'a/b', data: base64('f') }),
    line({ type: 'end', exit_code: 4 }),
  ].join('');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 20 }), async (cuts) => {
      const { frames, seen, collected } = collecting(1_000);
      const bytes = Buffer.from(text);
      let at = 0;
      for (const cut of [...cuts, bytes.length]) {
        frames.write(bytes.subarray(at, at + cut));
        at += cut;
      }
      await settled();
      assert.deepEqual(seen, ['stdout:é1', 'stderr:e']);
      assert.equal(collected.exit_code, 4);
      assert.deepEqual([...collected.files.keys()], ['a/b']);
    }),
    { numRuns: 50 },
  );
});

test('cuts output at the limit, and reports it once', async () => {
  const { frames, seen, collected } = collecting(5);
  for (const data of ['abc', 'def', 'ghi'])
    frames.write(line({ type: 'output', stream: 'stdout', data: base64(data) }));
  await settled();
  assert.equal(collected.stdout.toString(), 'abcde');
  assert.deepEqual(seen, ['stdout:abc', 'stdout:de', 'exceeded']);
});

test('stops at a line or files over the limit', async () => {
  const long = collecting(10);
  for (let i = 0; i < 20; i++) long.frames.write('x'.repeat(10_000));
  const many = collecting(10);
  for (let i = 0; i < 20; i++) many.frames.write(line({ type: 'file', path: `f${i}`, data: base64('123') }));
  await settled();
  assert.deepEqual([long.seen, many.seen], [['exceeded'], ['exceeded']]);
  assert.equal(many.collected.files.size, 3);
});

test('an invalid frame ends the run', async () => {
  for (const wrong of [
    'nonsense\n',
    'null\n',
    line({ type: 'end', exit_code: 'x' }),
    line({ type: 'end', exit_code: -1 }),
    line({ type: 'end', exit_code: 256 }),
    line({ type: 'output', stream: '__proto__', data: '' }),
    line({ type: 'file', path: '../../etc/x', data: '' }),
    line({ type: 'file', path: '/etc/x', data: '' }),
    line({ type: 'file', path: '..\\..\\x', data: '' }),
    line({ type: 'file', path: 'C:/x', data: '' }),
    line({ type: 'file', path: 'a\u001b[2Jb', data: '' }),
    line({ type: 'file', path: 'x'.repeat(2_000), data: '' }),
    line({ type: 'file', path: 'a\u202eb', data: '' }),
    line({ type: 'file', path: '\ud800', data: '' }),
    line({ type: 'files_left_out', count: -1 }),
  ]) {
    const { frames, seen } = collecting(100);
    frames.write(wrong);
    await settled();
    assert.deepEqual(seen, ['garbage'], wrong);
  }
});

test('ends a run that sends frames without content endlessly', async () => {
  const nothing = [
    line({ type: 'output', stream: 'stdout', data: '' }),
    line({ type: 'output', stream: 'stderr', data: '!' }),
    line({ type: 'files_left_out', count: 1 }),
  ];
  for (const one of nothing) {
    const { frames, seen } = collecting(100);
    frames.write(one.repeat(1_000));
    await settled();
    assert.equal(seen.length, 1, one);
  }
});

test('limits the number of empty files, and refuses frames after the end', async () => {
  const many = collecting(1_000);
  for (let i = 0; i <= MAX_OUTPUT_FILES; i++) many.frames.write(line({ type: 'file', path: `${i}`, data: '' }));
  const after = collecting(1_000);
  after.frames.write(line({ type: 'end', exit_code: 3 }) + line({ type: 'end', exit_code: 0 }));
  await settled();
  assert.deepEqual([many.seen, many.collected.files.size], [['exceeded'], MAX_OUTPUT_FILES]);
  assert.deepEqual([after.seen, after.collected.exit_code], [['garbage'], 3]);
});

test('joins output that arrives byte by byte', async () => {
  const { frames, collected } = collecting(200_000);
  const one = line({ type: 'output', stream: 'stdout', data: base64('x') });
  for (let i = 0; i < 150; i++) {
    frames.write(one.repeat(1_000));
    await settled();
  }
  assert.equal(collected.stdout.toString(), 'x'.repeat(150_000));
});
