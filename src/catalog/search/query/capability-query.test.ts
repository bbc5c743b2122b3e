import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentFrom } from '#test/capability-documents.ts';
import { capabilityBuilder } from '../index/capability-builder.ts';
import { readCapability } from '../index/capability-segment.ts';
import type { Aid } from './aid.ts';
import { capabilityPage, capabilityQuery } from './capability-query.ts';
import { marketplaceViewOf } from './marketplace-view.ts';

const builder = capabilityBuilder();
const KINDS = [['docker'], ['docker', 'glama'], ['glama']];
for (let at = 0; at < 9; at++)
  builder.add(documentFrom(at, { name: `weather ${at}`, downloads: at, providers: KINDS[at % 3] as string[] }));
const base = builder.finish().segment;
const view = marketplaceViewOf({ base, deleted: null, delta: null, version: '', is_whole: true }, null);

function names(given: Parameters<typeof capabilityQuery>[0], aid: Aid | null = null): string[] {
  const { total_count, hits } = capabilityPage(view, capabilityQuery(given), aid);
  assert.ok(total_count >= hits.length);
  return Array.from(hits, (row) => readCapability(base.list, row).name.slice('weather '.length));
}

test('a search of a list has the filters of the list, also two sources at once', () => {
  for (const search of [undefined, 'wether']) {
    const asked = { search, sort: 'downloads', limit: 20 } as const;
    assert.deepEqual(names(asked), ['8', '7', '6', '5', '4', '3', '2', '1', '0']);
    assert.deepEqual(names({ ...asked, source: 'glama' }), ['8', '7', '5', '4', '2', '1']);
    assert.deepEqual(names({ ...asked, source: 'glama', provider: 'docker' }), ['7', '4', '1']);
    assert.deepEqual(names({ ...asked, limit: 2, offset: 3 }), ['5', '4']);
  }
  assert.deepEqual(names({ search: 'weather 3', limit: 1 }), ['3'], 'by relevance unless another order is asked for');
});

test('a search of a list is asked of the models, too', () => {
  const row = Array.from({ length: 9 }, (_, at) => at).find((at) => readCapability(base.list, at).name === 'weather 5');
  const nearest = { hits: new Int32Array(0), similarities: new Float32Array(0) };
  const aid: Aid = { nearest, weight: 1, first: [row as number], meaning: 'off', reranking: 'used', key: 'k' };
  assert.equal(names({ search: 'weather' }, aid)[0], '5');
  assert.equal(names({ search: 'weather' })[0], '8');
});
