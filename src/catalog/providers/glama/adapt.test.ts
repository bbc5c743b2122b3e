import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Adapted } from '#catalog/sync/provider.ts';
import { testRealRows } from '#test/real-rows.ts';
import { adaptConnector, adaptServer } from './adapt.ts';
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
  const input = { description: '', required: false, secret: false, value: '', default: '' };
  assert.deepEqual(listing, {
    name: 'Tide Tables',
    description: 'High and low water for a harbour',
    version: '',
    author: 'harbour-example',
    homepage: 'https://github.com/harbour-example/tide-tables',
    downloads: 0,
    stars: 0,
    tags: ['hosting:local-only', 'author:official'],
    source: 'glama',
    listing_type: 'server',
    external_id: 'harbour-example/tide-tables',
    provider_id: 'glama',
    external_updated_at: null,
    execution_class: 'mcp',
    license: 'MIT License',
    repository: 'https://github.com/harbour-example/tide-tables',
    install: {
      packages: [],
      remotes: [],
      env: [
        { ...input, name: 'TIDES_API_KEY', description: 'Key of the tide service', required: true },
        { ...input, name: 'TIDES_UNITS', default: 'metres' },
      ],
    },
    reported: { downloads: false, stars: false, updated_at: false },
    facts: {
      title: 'Tide Tables',
      tools: [{ name: 'tides', title: '', description: '', input_schema: { type: 'object' } }],
    },
    verdicts: [{ verdict: 'official', detail: 'Marked by Glama as published by its author.', at: null }],
    aliases: ['t1detabl3s'],
  });
});

test('without a repository, the homepage is the page at Glama', () => {
  const listing = listingOf(adaptServer(fixture.servers[1]));
  assert.equal(listing.external_id, 'Pilot.Example/boat@2');
  assert.equal(listing.homepage, 'https://glama.ai/mcp/servers/Pilot.Example/boat@2');
  assert.deepEqual([listing.repository, listing.license, listing.install], ['', '', null]);
});

test('a server without a namespace has its short id', () => {
  const listing = listingOf(adaptServer(fixture.servers[2]));
  assert.deepEqual([listing.external_id, listing.author, listing.aliases], ['0ld5ty1e00', '', []]);
});

test('hostile values are sanitized', () => {
  const listing = listingOf(adaptServer(fixture.servers[3]));
  assert.equal(listing.external_id, 'evil/a/../b%2F');
  assert.equal(listing.name, '\u202e\ufffd\ufffd');
  assert.deepEqual([listing.homepage, listing.repository], ['', '']);
  assert.deepEqual(listing.tags, ['A'], 'without duplicates that differ in case or accents');
});

test('a connector is a remote server, distinct from a server with the same name', () => {
  const listing = listingOf(adaptConnector(fixture.connectors[0]));
  assert.equal(listing.external_id, 'connectors/harbour-example/tide-tables');
  assert.deepEqual([listing.name, listing.author], ['Tides', 'harbour-example']);
  assert.deepEqual([listing.listing_type, listing.execution_class], ['server', 'mcp']);
  assert.equal(listing.homepage, 'https://glama.ai/mcp/connectors/harbour-example/tide-tables');
  assert.deepEqual(listing.tags, ['connector', 'auth:oauth2']);
  assert.deepEqual(listing.install, {
    packages: [],
    remotes: [{ transport: 'streamable-http', url: 'https://mcp.harbour.example/mcp', headers: [], variables: [] }],
    auth_type: 'oauth2',
  });
});

test('a deprecated connector is tagged, and an address with a user name is dropped', () => {
  const listing = listingOf(adaptConnector(fixture.connectors[1]));
  assert.deepEqual(listing.tags, ['connector', 'auth:none', 'deprecated']);
  assert.equal(listing.install, null);
});

test('invalid records are rejected with the location of the error and the id, if any', () => {
  assert.deepEqual(fixture.servers.slice(4).map(adaptServer).map(rejection), [
    [null, '/id'],
    ['attr1but3s', '/attributes/0'],
    [null, 'external_id'],
    [null, '/'],
  ]);
  assert.deepEqual(fixture.connectors.slice(2).map(adaptConnector).map(rejection), [
    [null, '/'],
    ['connectors/harbour-example/odd', '/connection'],
  ]);
});

testRealRows('server', { file: 'glama/ids-names_2025-04.jsonl', adapt: adaptServer });
