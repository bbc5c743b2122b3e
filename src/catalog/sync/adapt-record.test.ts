import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from '#core/json-schema/type.ts';
import { manifest } from './adapt-fields.ts';
import { adaptRecord, rejected } from './adapt-record.ts';

test('a rejected record is truncated, and a manifest is kept whole or not at all', () => {
  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
  const big = { text: 'x'.repeat(300_000) };
  assert.deepEqual([manifest(big), manifest({ deep }), manifest([1]), manifest(null)], [null, null, null, null]);
  assert.deepEqual(manifest({ a: 1 }), { a: 1 });
  for (const raw of [deep, big, { loop: big }]) {
    const adapted = rejected(raw, 'id', 'because');
    assert.ok(adapted.kind === 'rejected' && JSON.stringify(adapted.raw).length < 10_000);
  }
  assert.deepEqual(rejected(7, 'bad\nid', 'because'), {
    kind: 'rejected',
    external_id: null,
    reason: 'because',
    raw: 7,
  });
});

test('an invalid record is rejected with the location of the error', () => {
  const Wire = Type.Object({ id: Type.String(), deep: Type.Object({ n: Type.Number() }) });
  const adapt = (raw: unknown) =>
    adaptRecord(
      Wire,
      raw,
      ({ id }) => ({ kind: 'deleted', external_id: id }),
      (value) => (value as { id?: unknown } | null)?.id,
    );
  assert.deepEqual(adapt({ id: 'a', deep: { n: 1 }, more: true }), { kind: 'deleted', external_id: 'a' });
  const wrong = { id: 'a', deep: { n: 'one' } };
  assert.deepEqual(adapt(wrong), { kind: 'rejected', external_id: 'a', reason: '/deep/n: must be number', raw: wrong });
  assert.equal(adapt(null).kind, 'rejected');
});
