import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Member } from './capabilities.ts';
import { ENOUGH, judge } from './compare.ts';
import { mergeMembers } from './survivorship.ts';
import { traitsOf } from './traits.ts';

const member = (provider_id: string, external_id: string, more: Partial<Member> = {}): Member => ({
  id: external_id,
  stands_id: 'x',
  provider_id,
  external_id,
  name: 'Tides',
  description: '',
  version: '',
  author: '',
  homepage: '',
  downloads: 0,
  stars: 0,
  tags: '[]',
  listing_type: 'server',
  execution_class: 'mcp',
  external_updated_at: null,
  license: '',
  repository: '',
  install: null,
  reported: '{}',
  published: null,
  verdicts: null,
  probe_reason: null,
  tools: null,
  first_seen_at: '2026-02-01T00:00:00.000Z',
  changed_at: '2026-03-01T00:00:00.000Z',
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

test('each field names its source, counters of one provider are not added, and only differing facts conflict', () => {
  const merged = mergeMembers(three);
  assert.deepEqual([merged.name, merged.description, merged.version], ['Tides', three[0]?.description, '1.2']);
  assert.deepEqual(merged.provenance.description, { provider: 'smithery', external_id: 'moon/tides' });
  assert.deepEqual([merged.downloads, merged.stars, merged.tags], [107, 5, ['Sea']]);
  assert.deepEqual(merged.conflicts, [{ field: 'license', values: ['MIT', 'Apache-2.0'] }]);
  assert.deepEqual(
    merged.sources.map(({ provider }) => provider),
    ['mcp-registry', 'docker', 'docker', 'smithery'],
  );
});

test('a provider that this version does not know supplies a field only if no other provider has it', () => {
  const unknown = member('gone', 'moon/tides', { name: 'Other', license: 'BSD-3-Clause' });
  const merged = mergeMembers([unknown, member('glama', 'moon/tides')]);
  assert.deepEqual([merged.name, merged.license], ['Tides', 'BSD-3-Clause']);
});

test('stars of the repository take precedence over stars of a directory', () => {
  const shown = (...all: Member[]) => mergeMembers(all).stars;
  assert.equal(shown(member('clawhub', 'a/b', { stars: 900 }), member('skills-sh', 'a/r/b', { stars: 12 })), 12);
  assert.equal(shown(member('clawhub', 'a/b', { stars: 900 }), member('skills-sh', 'a/r/b')), 900);
});

test('the order of the members does not change the merged listing', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(three, { minLength: three.length }), (all) => {
      assert.deepEqual(mergeMembers(all), mergeMembers(three));
    }),
  );
});

const FAMOUS = { repository: 'https://github.com/moon/tides', homepage: 'https://github.com/moon/tides' };
const EVIL = {
  name: 'Evil',
  version: '9.9.9',
  author: 'evil',
  homepage: 'https://evil.example',
  description: 'E'.repeat(300),
};

test('a listing that names the repository of another account supplies no field that the owner supplies', () => {
  const honest = [
    member('glama', 'moon/tides', { ...FAMOUS, author: 'moon', description: 'Tides of every coast' }),
    member('smithery', '@moon/tides', {
      homepage: 'https://smithery.ai/server/@moon/tides',
      author: 'moon',
      description: 'Tides anywhere',
    }),
  ];
  for (const own of honest)
    for (const id of ['com.evil/tides', 'io.github.evil/tides', 'com.evil.moon/tides'])
      for (const repository of [FAMOUS.repository, '']) {
        const shown = mergeMembers([own, member('mcp-registry', id, { ...EVIL, repository })]);
        if (repository === '' && own.repository === '') continue;
        assert.deepEqual(
          [shown.name, shown.homepage, shown.author, shown.description, shown.sources[0]?.provider],
          ['Tides', own.homepage, 'moon', own.description, own.provider_id],
          `${id} ${own.provider_id}`,
        );
      }
});

test('a listing with its own address is not linked to the repository of another account', () => {
  const traits = (listed: Member) => traitsOf({ ...listed, manifest: null });
  const install = JSON.stringify({
    packages: [],
    remotes: [{ type: 'streamable-http', url: 'https://evil.example/mcp' }],
  });
  const honest = traits(member('glama', 'moon/tides', FAMOUS));
  const confidence = (provider: string, id: string, more: object = { install }) =>
    judge(traits(member(provider, id, { ...FAMOUS, ...more })), honest, () => 1).confidence;
  for (const id of ['com.evil/tides', 'io.github.evil/tides', 'com.evil.moon/tides'])
    assert.ok(confidence('mcp-registry', id) < ENOUGH, id);
  assert.ok(confidence('smithery', 'evil/tides', { repository: '' }) < ENOUGH);
  for (const id of ['com.moon/tides', 'io.github.moon/tides', 'uk.co.moonlabs.mcp/tides'])
    assert.ok(confidence('mcp-registry', id) >= ENOUGH, id);
  assert.ok(confidence('smithery', '@moon/tides', { repository: '' }) >= ENOUGH);
});
