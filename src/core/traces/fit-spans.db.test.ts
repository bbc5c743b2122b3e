import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createUser } from '#accounts/users/users.ts';
import { isoTime } from '#core/clock/clock.ts';
import { readStorage } from '#core/storage/usage.ts';
import { eachDatabase } from '#test/databases.ts';
import { storageOf } from '#test/storage.ts';
import { accountRoom } from './account-room.ts';
import { type Bound, fitSpans } from './fit-spans.ts';
import type { StoredSpan } from './span.ts';
import { insertSpans, listSpans } from './spans.ts';
import { digestOfSpans } from './trace-answer.ts';

const NOW = Date.parse('2027-06-01T12:00:00.000Z');

function toolCall(trace_id: string, user_id: string, characters: number, atMs = NOW): StoredSpan {
  const text = 'x'.repeat(characters);
  return {
    trace_id,
    span_id: randomBytes(8).toString('hex'),
    parent_span_id: null,
    name: 'tools/call echo',
    kind: 'client',
    started_at: isoTime(atMs),
    duration_ms: 5,
    status: 'ok',
    events: [],
    user_id,
    attributes: { 'gen_ai.tool.call.arguments': text, 'gen_ai.tool.call.result': text, 'gen_ai.tool.name': 'echo' },
  };
}

const markOf = ({ attributes }: StoredSpan) => attributes['capstan.truncated'];
const endless = { take: async () => true, takeShort: async () => true };

test('the texts of a span or trace that is too large are truncated, and the span is marked', async () => {
  const cuts: Bound[] = [];
  const fit = fitSpans({ ...endless, onCut: (bound) => void cuts.push(bound) });
  const [whole, large] = await fit([toolCall('a', 'u', 8_192), toolCall('a', 'u', 20_000)]);
  assert.equal(whole && markOf(whole), undefined);
  assert.equal(large && markOf(large), 'span');
  assert.ok(JSON.stringify(large).length < 8_000);
  assert.deepEqual(
    [large?.name, large?.duration_ms, large?.attributes['gen_ai.tool.name']],
    ['tools/call echo', 5, 'echo'],
  );
  const many = await fit(Array.from({ length: 200 }, () => toolCall('b', 'u', 8_000)));
  const kept = many.filter((span) => markOf(span) === undefined).length;
  assert.ok(kept >= 60 && kept <= 66, `${kept} of 16 KB make a megabyte`);
  assert.ok(many.slice(kept).every((span) => markOf(span) === 'trace' && JSON.stringify(span).length < 1_000));
  const [short] = await fit([toolCall('b', 'u', 20)]);
  assert.equal(short && markOf(short), undefined, 'what lost nothing is not marked');
  assert.deepEqual(new Set(cuts), new Set(['span', 'trace']));
});

eachDatabase('spans of an account', (open) => {
  test("an account's spans above its hourly limit are truncated, then dropped, until the next hour", async () => {
    const { db } = await open();
    const clock = { ms: NOW, now: () => clock.ms };
    const { id } = await createUser(db, 'Ada', isoTime(NOW));
    const dropped: number[] = [];
    const fit = fitSpans({
      ...accountRoom({ db, clock, storage: storageOf(1e9), kb_per_hour: 256 }),
      onDropped: (spans) => void dropped.push(spans),
    });
    const call = async (traceId: string) => insertSpans(db, await fit([toolCall(traceId, id, 8_000, clock.ms)]));
    for (let n = 0; n < 240; n++) await call(`t${n}`);
    const { traces } = await readStorage(db, id);
    assert.ok(traces <= (256 + 64) * 1_024, `${traces} bytes of 3.8 MB`);
    const [first] = await listSpans(db, 't0');
    const [cut] = await listSpans(db, 't40');
    assert.deepEqual([first && markOf(first), cut && markOf(cut)], [undefined, 'account']);
    assert.match(digestOfSpans(cut === undefined ? [] : [cut]), /^[0-9a-f]{64}$/);
    assert.ok(dropped.length > 0);
    clock.ms += 2 * 3_600_000;
    await call('later');
    assert.equal((await listSpans(db, 'later')).length, 1);
  });

  test("an account's spans above its storage share replace its oldest ones", async () => {
    const { db } = await open();
    const clock = { ms: NOW, now: () => clock.ms };
    const { id } = await createUser(db, 'Ada', isoTime(NOW));
    const other = await createUser(db, 'Ben', isoTime(NOW));
    await insertSpans(db, [toolCall('ben', other.id, 100, NOW - 1e9)]);
    // A quarter of 400,000 bytes is six spans.
    const fit = fitSpans(accountRoom({ db, clock, storage: storageOf(400_000), kb_per_hour: 100_000 }));
    for (let n = 0; n < 30; n++) {
      clock.ms += 600_000;
      await insertSpans(db, await fit([toolCall(`t${n}`, id, 8_000, clock.ms)]));
    }
    const { traces } = await readStorage(db, id);
    assert.ok(traces < 150_000, `${traces}`);
    assert.deepEqual(await listSpans(db, 't0'), []);
    assert.equal((await listSpans(db, 't29')).length, 1);
    assert.equal((await listSpans(db, 'ben')).length, 1);
  });
});
