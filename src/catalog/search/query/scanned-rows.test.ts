import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentFrom } from '#test/capability-documents.ts';
import { viewOf } from '#test/marketplace-view.ts';
import { quantized, type Vectors, vectorStore } from '../index/vectors.ts';
import { type Filters, NO_FILTERS } from './filter.ts';
import { rowOfHit } from './list-view.ts';
import { capabilityOfHit, type MarketplaceView, partOfHit } from './marketplace-view.ts';
import { nearestRows } from './nearest-rows.ts';
import { nearestOfView, scannedRows } from './scanned-rows.ts';

const COUNT = 120;
const [IN_DELTA, REMOVED, MOST] = [15, 10, 8];

/** Servers are nearer to the query than skills, and each has a tool that is as near. */
const documents = Array.from({ length: COUNT }, (_, number) => {
  const listing_type = number % 4 === 0 ? 'skill' : 'server';
  const tools = [{ server: '', name: `tool-${number}`, title: '', description: '', input_schema: null, target: 'one' }];
  const tags = number % 3 === 0 ? ['odd'] : [];
  return documentFrom(number, { name: `name ${number}`, listing_type, tags, downloads: number, tools });
});
const QUERY = quantized(Float32Array.of(1, 0));
/** In steps that signed bytes tell apart. */
function angleOf(name: string): number {
  const number = Number(name.split(' ').at(-1));
  const isSkill = number % 4 === 0;
  const before = isSkill ? COUNT * 0.75 + number / 4 : number - Math.ceil(number / 4);
  return 0.0125 * before;
}

const vectorOf = (angle: number) => quantized(Float32Array.of(Math.cos(angle), Math.sin(angle)));

function vectorsOf(view: MarketplaceView): Vectors {
  const store = vectorStore();
  const slots = view.parts.map(({ segment, at }) => {
    const names = Array.from(
      { length: segment.count },
      (_, row) => capabilityOfHit(view, at === 0 ? row : -1 - row).name,
    );
    const owners = Array.from(segment.tools.owners.subarray(0, segment.tools.count));
    names.forEach((name) => {
      store.add(name, vectorOf(angleOf(name)));
      store.add(`tool of ${name}`, vectorOf(angleOf(name)));
    });
    return {
      own: store.slotsOf(
        segment.count,
        names.map((name, row) => [name, row] as const),
      ),
      tools: store.slotsOf(
        owners.length,
        owners.map((row, tool) => [`tool of ${names[row]}`, tool] as const),
      ),
    };
  });
  const [base, delta] = slots as [(typeof slots)[0], (typeof slots)[0]];
  const tools = { base: base.tools, delta: delta.tools };
  return { dimensions: store.dimensions, blocks: store.blocks, base: base.own, delta: delta.own, tools };
}

const view = viewOf(documents, { in_delta: IN_DELTA, removed: REMOVED });
const vectors = vectorsOf(view);

function nearest(filters: Filters) {
  const found = nearestRows({ ...scannedRows(view, vectors, { filters, today: 40_000 }), query: QUERY, most: MOST });
  const { capabilities, tools } = nearestOfView(found);
  const ownerOf = (hit: number): number => {
    const owner = partOfHit(view, hit).segment.tools.owners[rowOfHit(hit)] as number;
    return hit >= 0 ? owner : -1 - owner;
  };
  return {
    capabilities: Array.from(capabilities.hits, (hit) => capabilityOfHit(view, hit).name),
    tools: Array.from(tools.hits, (hit) => capabilityOfHit(view, ownerOf(hit)).name),
    similarities: [capabilities.similarities, tools.similarities].map((each) => [...each]),
  };
}

/** The nearest of those that pass, from all documents. */
function expected(passes: (document: (typeof documents)[0]) => boolean): string[] {
  const names = documents
    .slice(REMOVED)
    .filter(passes)
    .map(({ wire }) => wire.name);
  return names.sort((a, b) => angleOf(a) - angleOf(b)).slice(0, MOST);
}

test('the nearest that pass the filters are found, however many others are nearer', () => {
  const all = expected(() => true);
  assert.deepEqual(nearest(NO_FILTERS).capabilities, all);
  assert.deepEqual(nearest(NO_FILTERS).tools, all);
  const cases: [Filters, (document: (typeof documents)[0]) => boolean][] = [
    [{ ...NO_FILTERS, listing_type: 'skill' }, ({ wire }) => wire.listing_type === 'skill'],
    [{ ...NO_FILTERS, tag: 'odd' }, ({ wire }) => wire.tags.includes('odd')],
    [
      { ...NO_FILTERS, listing_type: 'skill', tag: 'odd', built_in: false },
      ({ wire }) => wire.listing_type === 'skill' && wire.tags.includes('odd'),
    ],
    [{ ...NO_FILTERS, built_in: true }, () => false],
    [{ ...NO_FILTERS, verified: true }, () => false],
    [{ ...NO_FILTERS, updated: '365d' }, () => false],
  ];
  for (const [filters, passes] of cases) {
    const { capabilities, tools, similarities } = nearest(filters);
    const passing = new Set(documents.filter(passes).map(({ wire }) => wire.name));
    assert.deepEqual(
      capabilities.filter((name) => passing.has(name)),
      expected(passes),
      JSON.stringify(filters),
    );
    assert.deepEqual(
      tools.filter((name) => passing.has(name)),
      expected(passes),
      JSON.stringify(filters),
    );
    assert.ok(
      all.every((name) => capabilities.includes(name)),
      'facets count the nearest of all',
    );
    for (const each of similarities)
      assert.deepEqual(
        each,
        each.toSorted((a, b) => b - a),
      );
    assert.equal(new Set(capabilities).size, capabilities.length);
  }
});
