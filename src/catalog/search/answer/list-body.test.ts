import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleItem } from '#test/example-items.ts';
import { liveIndex, stateOf } from '../build/live-index.ts';
import { buildSegment } from '../index/segment-builder.ts';
import { normalQuery } from '../query/list-query.ts';
import { find, viewOf } from '../query/registry-view.ts';
import { bodyOf } from './list-body.ts';

test('an answer stays as it is while others are cut from the same memory, large ones too', () => {
  const all = Array.from({ length: 900 }, (_, i) => exampleItem(i));
  const view = viewOf(stateOf(liveIndex(buildSegment(all)), 'v'), null);
  const queries = Array.from({ length: 60 }, (_, i) => normalQuery({ limit: i % 10 === 0 ? 600 : 1 + i, offset: i }));
  const bodies = queries.map((query) => bodyOf(view, find(view, query), query).bytes);
  const names = all.map(({ name }) => name).reverse();
  for (const [i, { limit, offset }] of queries.entries()) {
    const { items, ...rest } = JSON.parse((bodies[i] as Buffer).toString());
    assert.deepEqual(
      items.map((item: { name: string }) => item.name),
      names.slice(offset, offset + limit),
    );
    assert.deepEqual(rest, { total_count: 900, limit, offset });
  }
  assert.ok(new Set(bodies.map(({ buffer }) => buffer)).size < bodies.length / 2);
});
