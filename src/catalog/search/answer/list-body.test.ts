import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleItem } from '#test/example-items.ts';
import { liveRegistry, registryStateOf } from '../build/live-index.ts';
import { buildSegment } from '../index/segment-builder.ts';
import { findPage } from '../query/list.ts';
import { normalQuery } from '../query/list-query.ts';
import { listViewOf } from '../query/list-view.ts';
import { listBody } from './list-body.ts';

test('responses keep their contents while other buffers are taken from the same pool', () => {
  const all = Array.from({ length: 900 }, (_, i) => exampleItem(i));
  const view = listViewOf(registryStateOf(liveRegistry(buildSegment(all)), 'v'), null);
  const queries = Array.from({ length: 60 }, (_, i) => normalQuery({ limit: i % 10 === 0 ? 600 : 1 + i, offset: i }));
  const bodies = queries.map((query) => listBody(view, findPage(view, query), query).bytes);
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
