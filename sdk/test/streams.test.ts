import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readEvents, readLines } from '../src/streams.ts';

/** Streams, cut anywhere. */

function bodyOf(text: string, cuts: number[]): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const at = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort(
    (one, other) => one - other,
  );
  return ReadableStream.from(at.slice(1).map((end, place) => bytes.slice(at[place], end)));
}

const all = <T>(items: AsyncIterable<T>): Promise<T[]> => Array.fromAsync(items);
const cuts = fc.array(fc.nat(), { maxLength: 20 });

const EVENTS = `\uFEFF: hello\nretry: 7\n\nid: 1\r\nevent: status\r\ndata: {"a":"é€😀"}\r\n\r\ndata: one\rdata:two\r\rdata\n\nevent: lost\n\nid: 2\ndata: {"b":1}\n\ndata: unfinished`;

test('server-sent events are parsed the same wherever the stream is split into chunks', async () => {
  await fc.assert(
    fc.asyncProperty(cuts, async (at) => {
      const waits: number[] = [];
      const events = await all(readEvents(bodyOf(EVENTS, at), { onRetry: (ms) => waits.push(ms) }));
      assert.deepEqual(events, [
        { event: 'status', data: { a: 'é€😀' }, id: '1' },
        { event: 'message', data: 'one\ntwo', id: '1' },
        { event: 'message', data: '', id: '1' },
        { event: 'message', data: { b: 1 }, id: '2' },
      ]);
      assert.deepEqual(waits, [7]);
    }),
    { numRuns: 150 },
  );
});

test('JSON Lines are parsed the same wherever the stream is split, with or without a final line end', async () => {
  const text = '{"a":"é\\n"}\n\n{"b":2}\r\n[3]';
  await fc.assert(
    fc.asyncProperty(cuts, async (at) => {
      assert.deepEqual(await all(readLines(bodyOf(text, at))), [{ a: 'é\n' }, { b: 2 }, [3]]);
    }),
    { numRuns: 100 },
  );
});

test('rejects a stream without line or event ends before it fills the memory', async () => {
  const piece = new TextEncoder().encode('x'.repeat(4 * 1024 * 1024));
  let told = 0;
  const endless = (between: string) =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        told++;
        controller.enqueue(new TextEncoder().encode(between));
        controller.enqueue(piece);
      },
    });
  const refused = { code: 'sdk.unexpected_answer' };
  await assert.rejects(all(readEvents(endless(''))), refused);
  await assert.rejects(all(readEvents(endless('\ndata:'))), refused);
  await assert.rejects(all(readLines(endless(''))), refused);
  assert.ok(told < 30, `${told} pieces were taken`);
});
