import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Adapted } from '#catalog/sync/provider.ts';
import { testRealRows } from '#test/real-rows.ts';
import { adaptServer, adaptSkill } from './adapt.ts';
import fixture from './fixture.json' with { type: 'json' };

function listingOf(adapted: Adapted) {
  if (adapted.kind !== 'listing') throw new assert.AssertionError({ message: JSON.stringify(adapted) });
  return adapted.listing;
}
const rejection = (adapted: Adapted) =>
  adapted.kind === 'rejected' ? [adapted.external_id, adapted.reason.split(':')[0]] : adapted;

test('maps all fields of a server', () => {
  const { manifest, ...listing } = listingOf(adaptServer(fixture.servers[0]));
  assert.deepEqual(manifest, fixture.servers[0]);
  assert.deepEqual(listing, {
    name: 'Tide Tables',
    description: 'High and low water for a harbour',
    version: '',
    author: 'harbour-example',
    homepage: 'https://harbour.example/tides',
    downloads: 4321,
    stars: 0,
    tags: [],
    source: 'smithery',
    listing_type: 'server',
    external_id: 'harbour-example/tide-tables',
    provider_id: 'smithery',
    // The creation date is not a change time.
    external_updated_at: null,
    execution_class: 'mcp',
    license: '',
    repository: '',
    install: null,
    reported: { downloads: true, stars: false, updated_at: false },
    facts: { title: 'Tide Tables' },
    verdicts: [{ verdict: 'verified', detail: 'Verified by Smithery.', at: null }],
    aliases: ['@harbour-example/tide-tables'],
  });
});

test('an old-style id is kept as sent, and its author has no @', () => {
  const listing = listingOf(adaptServer(fixture.servers[1]));
  assert.equal(listing.external_id, '@Old-Style/Pilot.Boat');
  assert.equal(listing.author, 'Old-Style');
  assert.deepEqual(listing.aliases, []);
});

test('a server without an owner is named by its id', () => {
  const listing = listingOf(adaptServer(fixture.servers[2]));
  assert.deepEqual([listing.name, listing.author, listing.aliases], ['lighthouse', 'lighthouse', []]);
  assert.deepEqual([listing.downloads, listing.reported.downloads], [0, false], 'a fractional count is invalid');
});

test('hostile values are sanitized', () => {
  const listing = listingOf(adaptServer(fixture.servers[3]));
  assert.equal(listing.external_id, 'harbour-example/100%3A');
  assert.equal(listing.name, '\ufffd\ufffd [click](javascript:alert(1))');
  assert.equal(listing.homepage, '');
  assert.equal(listing.downloads, 0);
});

test('a skill is distinct from a server with the same name', () => {
  const { manifest, ...listing } = listingOf(adaptSkill(fixture.skills[0]));
  assert.deepEqual(manifest, fixture.skills[0]);
  assert.deepEqual(listing, {
    name: 'Read a tide table',
    description: 'How to read one',
    version: '',
    author: 'harbour-example',
    homepage: 'https://github.com/harbour-example/skills',
    downloads: 99,
    stars: 12,
    tags: ['sea', 'travel'],
    source: 'smithery',
    listing_type: 'skill',
    external_id: 'skills/harbour-example/tide-tables',
    provider_id: 'smithery',
    external_updated_at: null,
    execution_class: 'mcp',
    license: '',
    repository: 'https://github.com/harbour-example/skills',
    install: { git_url: 'https://github.com/harbour-example/skills', servers: ['harbour-example/tide-tables'] },
    reported: { downloads: true, stars: true, updated_at: false },
    facts: {
      title: 'Read a tide table',
      readme: { digest: 'd5ff53e48cf195f4f57d92d4d0b3219bcae730f8fdae3c3b60d788fef95492c2' },
    },
    readme: 'Read the table from left to right.',
    verdicts: [{ verdict: 'rated', detail: 'Quality score 0.7.', at: null }],
    aliases: [],
  });
});

test('a skill without servers is a prompt, and an unlisted one is deleted', () => {
  const bare = listingOf(adaptSkill(fixture.skills[1]));
  assert.deepEqual([bare.execution_class, bare.name, bare.install], ['prompt', 'knots', null]);
  assert.deepEqual(adaptSkill(fixture.skills[2]), { kind: 'deleted', external_id: 'skills/harbour-example/withdrawn' });
});

test('invalid records are rejected with the location of the error and the id, if any', () => {
  assert.deepEqual(fixture.servers.slice(4).map(adaptServer).map(rejection), [
    ['harbour-example/count-as-text', '/useCount'],
    [null, 'external_id'],
    [null, '/'],
    [null, '/'],
  ]);
  assert.deepEqual(fixture.skills.slice(3).map(adaptSkill).map(rejection), [
    [null, '/slug'],
    [null, '/'],
    ['skills/harbour-example/odd', '/categories'],
  ]);
});

testRealRows('server', { file: 'smithery/servers_2025-04-26.jsonl', adapt: adaptServer });
