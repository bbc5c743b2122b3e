import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import type { InstallPackage } from '#catalog/sync/install.ts';
import { testRealRows } from '#test/real-rows.ts';
import { adaptEntry, adaptSource } from './adapt.ts';
import { parseCatalog } from './parse-catalog.ts';

const fixture = new Map(await parseCatalog(readFileSync(new URL('./fixture.yaml', import.meta.url), 'utf8')));

function listingOf(name: string) {
  const adapted = adaptEntry(name, fixture.get(name));
  if (adapted.kind !== 'listing') throw new assert.AssertionError({ message: JSON.stringify(adapted) });
  return adapted.listing;
}
const input = { description: '', required: false, secret: false, value: '', default: '' };
const secret = { ...input, required: true, secret: true };

test('maps all fields of a catalog entry', () => {
  const { manifest, ...listing } = listingOf('tide-tables');
  assert.deepEqual(manifest, fixture.get('tide-tables'));
  const image = 'mcp/tide-tables@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef';
  assert.deepEqual(listing, {
    name: 'Tide Tables',
    description: 'High and low water for a harbour',
    version: 'sha256:0123456789ab',
    author: 'harbour-example',
    homepage: 'https://github.com/harbour-example/tides',
    downloads: 12345,
    stars: 77,
    tags: ['sea', 'Travel', '2026'],
    source: 'docker',
    listing_type: 'server',
    external_id: 'tide-tables',
    provider_id: 'docker',
    // The date when it was added is not a change time.
    external_updated_at: null,
    execution_class: 'mcp',
    license: 'MIT License',
    repository: 'https://github.com/harbour-example/tides',
    install: {
      packages: [
        {
          registry_type: 'oci',
          identifier: image,
          version: 'sha256:0123456789ab',
          runtime_hint: 'docker',
          transport: 'stdio',
          runtime_arguments: [],
          package_arguments: [
            { ...input, name: '', value: '--transport=stdio', type: 'positional' },
            {
              ...input,
              name: '',
              value: '{harbour.id}',
              type: 'positional',
              variables: [
                {
                  ...input,
                  name: 'harbour.id',
                  description: 'Number of the harbour',
                  required: true,
                  format: 'number',
                },
              ],
            },
          ],
          env: [
            { ...secret, name: 'TIDES_API_KEY', hint: '<TIDES_API_KEY>' },
            {
              ...input,
              name: 'TIDES_UNITS',
              value: '{units}',
              variables: [{ ...input, name: 'units', default: 'metres', choices: ['metres', 'feet'] }],
            },
            { ...input, name: 'TIDES_DEPTH', value: '4' },
          ],
          hosts: ['tides.example:443', '*.harbour.example'],
          volumes: ['{folder}:/tides', 'tide-cache:/cache', '7'],
          user: '1000',
        },
      ],
      remotes: [],
    },
    reported: { downloads: true, stars: true, updated_at: false },
    facts: { title: 'Tide Tables', tools: [{ name: 'high_water', title: '', description: '', input_schema: null }] },
    aliases: [],
  });
});

test('a remote entry has an address with headers and secrets', () => {
  const listing = listingOf('Pilot.Boat@2');
  assert.deepEqual([listing.external_id, listing.author, listing.version], ['Pilot.Boat@2', 'docker', '']);
  assert.equal(listing.homepage, 'https://pilot.example/mcp');
  assert.deepEqual(listing.install, {
    packages: [],
    remotes: [
      {
        transport: 'sse',
        url: 'https://pilot.example/mcp',
        headers: [
          { ...secret, name: 'Authorization', value: 'Bearer {PILOT_KEY}' },
          { ...input, required: true, name: 'X-Harbour', value: 'north' },
        ],
        variables: [{ ...secret, name: 'PILOT_KEY' }],
      },
    ],
  });
  assert.deepEqual(listing.reported, { downloads: false, stars: false, updated_at: false });
});

test('entries with container tools have no install information, and the repository comes from the source', () => {
  const listing = listingOf('winch');
  assert.equal(listing.install, null);
  assert.equal(listing.repository, 'https://github.com/harbour-example/winch');
  assert.equal(listing.author, 'harbour-example');
});

test('the form of the source repository gives the same listing', () => {
  const listing = listingOf('from-source');
  assert.deepEqual(
    [listing.name, listing.version, listing.author],
    ['From the repository', '89abcdef0123', 'Harbour-Example'],
  );
  assert.equal(listing.homepage, 'https://github.com/Harbour-Example/from-source');
  assert.deepEqual(listing.tags, ['ai', 'winch']);
  const { packages } = listing.install as { packages: InstallPackage[] };
  assert.deepEqual(
    packages.map((pkg) => [...pkg.env.map(({ name }) => name), ...pkg.package_arguments.map(({ value }) => value)]),
    [['SOURCE_TOKEN', 'SOURCE_LEVEL', 'MODE', 'serve', '8080']],
  );
  assert.equal(packages[0]?.no_network, true);
  assert.equal(listing.external_updated_at, null);
});

test('hostile values are sanitized', () => {
  const listing = listingOf('hostile%2F..');
  assert.equal(listing.name, '\ufffd \u202e[x](javascript:alert(1))');
  assert.deepEqual([listing.homepage, listing.repository, listing.author], ['', '', 'docker']);
  assert.deepEqual([listing.downloads, listing.stars], [0, 0]);
  assert.deepEqual(listing.reported, { downloads: false, stars: false, updated_at: false });
});

test('invalid records are rejected with the location of the error and the name', () => {
  const rejected = ['title-as-map', 'tags-as-text', 'no-entry'].map((name) => {
    const adapted = adaptEntry(name, fixture.get(name));
    return adapted.kind === 'rejected' ? [adapted.external_id, adapted.reason.split(':')[0]] : adapted;
  });
  assert.deepEqual(rejected, [
    ['title-as-map', '/title'],
    ['tags-as-text', '/metadata/tags'],
    ['no-entry', '/'],
  ]);
});

testRealRows('server.yaml', {
  file: 'docker/servers_2026-07-08.jsonl',
  adapt: ({ server_yaml }: { server_yaml: string }) => adaptSource(parse(server_yaml)),
});
