import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { words } from '#catalog/changes/fold.ts';
import type { Item } from '#catalog/items/item.ts';
import { EXECUTION_CLASSES, LISTING_TYPES, PROVIDERS } from '#catalog/items/kinds.ts';
import { defined } from '#core/defined.ts';
import { oracle } from '#test/catalog-oracle.ts';
import { listingsFile } from '#test/test-data.ts';
import { listBody } from '../answer/list-body.ts';
import { SORTS } from '../index/segment.ts';
import { buildSegment } from '../index/segment-builder.ts';
import { findPage } from './list.ts';
import { type ListParameters, normalQuery } from './list-query.ts';
import { listViewOf } from './list-view.ts';

/** Each is also answered by a scan over all listings, which takes most of the time. For more: REAL_QUERIES=3000. */
const QUERIES = Number(process.env.REAL_QUERIES ?? 40);

test('random queries give the totals and pages of a scan over all listings', () => {
  const lines = readFileSync(listingsFile(), 'utf8').split('\n').filter(Boolean);
  const items = lines.map((line) => JSON.parse(line) as Item);
  const view = listViewOf({ base: buildSegment(items), deleted: null, delta: null, version: 'v' }, null);
  const truth = oracle(items);
  const random = seeded(7);
  for (let i = 0; i < QUERIES; i++) {
    const query = normalQuery(randomParameters(items, random));
    const { items: found, ...rest } = JSON.parse(listBody(view, findPage(view, query), query).bytes.toString());
    const expected = truth(query);
    assert.deepEqual(
      rest,
      { total_count: expected.total_count, limit: query.limit, offset: query.offset },
      JSON.stringify(query),
    );
    assert.deepEqual(found, expected.items, JSON.stringify(query));
  }
});

type Random = (below: number) => number;

/** A xorshift generator: the same numbers every time. */
function seeded(seed: number): Random {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** A filter or two, and half the time words or parts of words of a listing. */
function randomParameters(items: Item[], random: Random): ListParameters {
  const one = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const item = one(items);
  const term = (): string => {
    const word = [...one(words(`${item.name} ${item.description}`))];
    const from = random(word.length);
    return random(2) === 0 ? word.join('') : word.slice(from, from + 1 + random(5)).join('');
  };
  return {
    ...defined({
      provider: random(3) === 0 ? one(PROVIDERS) : undefined,
      listing_type: random(4) === 0 ? one(LISTING_TYPES) : undefined,
      execution_class: random(4) === 0 ? one(EXECUTION_CLASSES) : undefined,
      tag: random(4) === 0 && item.tags.length > 0 ? one(item.tags).toUpperCase() : undefined,
      search: random(2) === 0 ? Array.from({ length: 1 + random(3) }, term).join(' ') : undefined,
    }),
    sort: one(SORTS),
    limit: 1 + random(60),
    offset: random(3) === 0 ? random(400) : 0,
  };
}
