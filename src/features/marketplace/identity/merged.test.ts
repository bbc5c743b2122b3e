import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Member } from './member.ts';
import { mergeMembers } from './merged.ts';

const member = (provider_id: string, external_id: string, more: Partial<Member> = {}): Member => ({
  ...{ id: external_id, stands_id: 'x', provider_id, external_id, name: 'Tides', description: '', version: '' },
  ...{ author: '', homepage: '', downloads: 0, stars: 0, tags: '[]', listing_type: 'server', execution_class: 'mcp' },
  ...{ external_updated_at: null, license: '', repository: '', install: null, reported: '{}', published: null },
  ...{ first_seen_at: '2026-02-01T00:00:00.000Z', changed_at: '2026-03-01T00:00:00.000Z' },
  ...more,
});
const three = [
  member('smithery', 'moon/tides', {
    description: 'Tides of every coast, hour by hour',
    downloads: 7,
    version: 'v1.2.0',
    license: 'MIT License',
  }),
  member('mcp-registry', 'org.moon/tides', {
    name: 'org.moon/tides',
    version: '1.2',
    license: 'MIT',
    repository: 'https://github.com/moon/tides.git',
  }),
  member('docker', 'tides', {
    description: 'Configure the connection to Tides',
    downloads: 100,
    stars: 5,
    license: 'Apache-2.0',
    repository: 'https://github.com/Moon/Tides',
    tags: '["Sea","sea"]',
  }),
  member('docker', 'tides-old', { downloads: 40, stars: 3 }),
];

test('each field has its winner with its place; counters of one provider are not added; only what differs is a conflict', () => {
  const it = mergeMembers(three);
  assert.deepEqual([it.name, it.description, it.version], ['Tides', three[0]?.description, '1.2']);
  assert.deepEqual(it.provenance.description, { provider: 'smithery', external_id: 'moon/tides' });
  assert.deepEqual([it.downloads, it.stars, it.tags], [107, 5, ['Sea']]);
  assert.deepEqual(it.conflicts, [{ field: 'license', values: ['MIT', 'Apache-2.0'] }]);
  assert.deepEqual(
    it.sources.map(({ provider }) => provider),
    ['mcp-registry', 'docker', 'docker', 'smithery'],
  );
});

test('stars of the repository are shown before those of a directory of its own', () => {
  const shown = (...all: Member[]) => mergeMembers(all).stars;
  assert.equal(shown(member('clawhub', 'a/b', { stars: 900 }), member('skills-sh', 'a/r/b', { stars: 12 })), 12);
  assert.equal(shown(member('clawhub', 'a/b', { stars: 900 }), member('skills-sh', 'a/r/b')), 900);
});

test('the order in which listings are given does not matter', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(three, { minLength: three.length }), (all) => {
      assert.deepEqual(mergeMembers(all), mergeMembers(three));
    }),
  );
});
