import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Item } from '#catalog/items/item.ts';
import { anyText } from '#test/any-text.ts';
import { type Picked, toListing } from './adapt-listing.ts';
import { mismatch } from './adapt-record.ts';

const picked = (changes: Partial<Picked>): Picked => ({
  external_id: 'a/b',
  listing_type: 'server',
  execution_class: 'mcp',
  name: 'A',
  record: { a: 1 },
  ...changes,
});
function listingOf(changes: Partial<Picked>) {
  const adapted = toListing('docker', picked(changes));
  if (adapted.kind !== 'listing') throw new assert.AssertionError({ message: JSON.stringify(adapted) });
  return adapted.listing;
}

test('fields that were not reported are empty, 0 or null, and marked as not reported', () => {
  const { downloads, stars, external_updated_at, homepage, reported } = listingOf({ downloads: '7', stars: 0 });
  assert.deepEqual([downloads, stars, external_updated_at, homepage], [0, 0, null, '']);
  assert.deepEqual(reported, { downloads: false, stars: true, updated_at: false });
});

test('the homepage is the first valid address, and a listing without a name is named by its id', () => {
  const listing = listingOf({
    name: ' ',
    homepage: [undefined, 'javascript:x', 'https://b.example', 'https://c.example'],
  });
  assert.deepEqual([listing.homepage, listing.name], ['https://b.example', 'a/b']);
});

test('aliases are valid, distinct and differ from the id', () => {
  assert.deepEqual(listingOf({ aliases: ['old', 'old', 'a/b', '', 7, 'x\ny'] }).aliases, ['old']);
});

test('a record without a valid id is rejected', () => {
  const adapted = toListing('docker', picked({ external_id: '\n' }));
  assert.deepEqual([adapted.kind, adapted.kind === 'rejected' && adapted.raw], ['rejected', { a: 1 }]);
});

test('any picked values give an item that matches the contract', () => {
  const anything = fc.oneof(anyText(), fc.anything());
  const fields = fc.record({
    external_id: fc.string({ minLength: 1 }),
    name: anything,
    description: anything,
    version: anything,
    author: anything,
    homepage: fc.array(anything, { maxLength: 3 }),
    downloads: anything,
    stars: anything,
    tags: anything,
    updated_at: anything,
  });
  fc.assert(
    fc.property(fields, (changes) => {
      const adapted = toListing('docker', picked(changes));
      if (adapted.kind !== 'listing') return;
      const { license, repository, install, manifest, reported, aliases, ...item } = adapted.listing;
      assert.equal(mismatch(Item, item), null);
    }),
    { numRuns: 100 },
  );
});
