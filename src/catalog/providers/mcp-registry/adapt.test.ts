import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '#test/any-text.ts';
import { testRealRows } from '#test/real-rows.ts';
import { adaptServer } from './adapt.ts';
import fixture from './fixture.json' with { type: 'json' };

function listingAt(index: number) {
  const adapted = adaptServer(fixture[index]);
  if (adapted.kind !== 'listing') throw new assert.AssertionError({ message: JSON.stringify(adapted) });
  return adapted.listing;
}

test('maps all fields of a complete server', () => {
  const { manifest, install, ...listing } = listingAt(0);
  assert.deepEqual(manifest, (fixture[0] as { server: unknown }).server);
  assert.deepEqual(listing, {
    name: 'Tide Tables',
    description: 'High and low water for a harbour',
    version: '2.1.0',
    author: 'com.example.harbour',
    homepage: 'https://harbour.example/tides',
    downloads: 0,
    stars: 0,
    tags: ['npm', 'oci', 'mcpb', 'stdio', 'streamable-http', 'sse'],
    source: 'mcp-registry',
    listing_type: 'server',
    external_id: 'com.example.harbour/tides',
    provider_id: 'mcp-registry',
    external_updated_at: '2026-03-04T05:06:07.123Z',
    execution_class: 'mcp',
    license: '',
    repository: 'https://github.com/harbour-example/tides',
    reported: { downloads: false, stars: false, updated_at: true },
    facts: {
      title: 'Tide Tables',
      schema: 'https://static.modelcontextprotocol.io/schemas/2025-10-17/server.schema.json',
      icons: [{ src: 'https://harbour.example/tides.png', mimeType: 'image/png', sizes: ['48x48'], theme: 'dark' }],
      repository: { source: 'github', id: '4711', subfolder: 'mcp' },
      meta: { 'io.modelcontextprotocol.registry/publisher-provided': { tool: 'by hand' } },
      status: {
        status: 'active',
        message: 'Back after repairs',
        changed_at: '2026-02-01T00:00:00.654321Z',
      },
      published_at: '2026-01-01T00:00:00.5Z',
      versions: [{ version: '2.1.0', published_at: '2026-01-01T00:00:00.5Z', changes: '' }],
    },
    aliases: [],
  });
});

test('install has packages, arguments, environment, remotes, headers and variables', () => {
  const empty = { description: '', required: false, secret: false, value: '', default: '' };
  const required = { ...empty, required: true };
  const bundle = {
    registry_type: 'mcpb',
    version: '',
    runtime_hint: '',
    runtime_arguments: [],
    package_arguments: [],
    env: [],
  };
  assert.deepEqual(listingAt(0).install, {
    packages: [
      {
        registry_type: 'npm',
        identifier: '@harbour-example/tides-mcp',
        version: '2.1.0',
        runtime_hint: 'npx',
        transport: 'stdio',
        registry_base_url: 'https://packages.harbour.example',
        runtime_arguments: [{ ...empty, name: '-y', type: 'named' }],
        package_arguments: [
          { ...required, name: 'harbour_id', description: 'Which harbour', type: 'positional' },
          {
            ...empty,
            name: '--cache',
            value: '{folder}/tides',
            type: 'named',
            format: 'filepath',
            repeated: true,
            variables: [
              { ...empty, name: 'folder', description: 'Where tables are kept', default: '/tmp', hint: '/var' },
            ],
          },
          // Invalid values are dropped without affecting others.
          { ...empty, name: '--odd' },
        ],
        env: [
          { ...required, name: 'TIDES_API_KEY', description: 'Key of the tide service', secret: true },
          { ...empty, name: 'TIDES_UNITS', default: 'metres', choices: ['metres', 'feet'] },
        ],
      },
      {
        registry_type: 'oci',
        identifier: 'docker.io/harbour/tides:2.1.0',
        version: '',
        runtime_hint: '',
        transport: 'stdio',
        runtime_arguments: [],
        package_arguments: [],
        env: [],
      },
      {
        ...bundle,
        identifier: 'https://harbour.example/tides.mcpb',
        file_sha256: 'ab3456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0',
        transport: 'streamable-http',
        endpoint: {
          url: 'http://127.0.0.1:{port}/mcp',
          headers: [{ ...empty, name: 'X-Harbour', value: 'north' }],
        },
      },
      {
        ...bundle,
        identifier: 'https://harbour.example/odd.mcpb',
        transport: 'sse',
        endpoint: { url: 'http://127.0.0.1:1/', headers: [] },
      },
    ],
    remotes: [
      {
        transport: 'streamable-http',
        url: 'https://{region}.harbour.example/mcp',
        headers: [{ ...required, name: 'Authorization', secret: true, value: 'Bearer {token}' }],
        variables: [
          { ...empty, name: 'region', description: 'Where the harbour is', default: 'north' },
          { ...empty, name: 'token', description: 'Personal token', secret: true },
        ],
      },
    ],
  });
});

test('missing values fall back to the name and the first remote, and a deprecated server is tagged', () => {
  const listing = listingAt(1);
  assert.equal(listing.name, 'io.github.Mixed-Case/Pilot.Boat_2');
  assert.equal(listing.external_id, 'io.github.Mixed-Case/Pilot.Boat_2');
  assert.equal(listing.homepage, 'https://pilot.example/sse');
  assert.deepEqual(listing.tags, ['sse', 'deprecated']);
  assert.equal(listing.external_updated_at, null, '30 February is invalid');
  assert.equal(listing.reported.updated_at, false);
});

test('a server with status "deleted" becomes a deletion', () => {
  const { _meta, ...record } = fixture[2] as { _meta: object };
  const reason = { status: 'deleted', statusMessage: 'Leaks.', statusChangedAt: '2026-02-01T00:00:00Z' };
  assert.deepEqual(adaptServer({ ...record, _meta: { 'io.modelcontextprotocol.registry/official': reason } }), {
    kind: 'deleted',
    external_id: 'com.example/sunk',
    status: { status: 'deleted', message: 'Leaks.', changed_at: '2026-02-01T00:00:00Z' },
  });
  const plain = adaptServer(fixture[2]);
  assert.deepEqual([plain.kind, plain.kind === 'deleted' && plain.external_id], ['deleted', 'com.example/sunk']);
});

test('hostile values are sanitized, and the id is kept', () => {
  const listing = listingAt(4);
  assert.equal(listing.external_id, 'com.example/we%3Aird@1.x+y');
  assert.equal(listing.name, 'NUL\ufffd and half \ufffd a pair \u202egnp.exe');
  assert.equal(listing.homepage, '', 'an address that disguises its host is dropped');
  assert.equal(listing.repository, '');
  assert.equal(listing.install, null);
  assert.equal(listing.external_updated_at, null);
});

test('invalid records are rejected with the location of the error and the id, if any', () => {
  const rejected = fixture.slice(5).map((raw) => {
    const adapted = adaptServer(raw);
    return adapted.kind === 'rejected' ? [adapted.external_id, adapted.reason.split(':')[0]] : adapted;
  });
  assert.deepEqual(rejected, [
    [null, '/server/name'],
    ['com.example/odd-package', '/server/packages/0'],
    [null, 'external_id'],
    [null, '/'],
    [null, '/'],
    [null, '/'],
    [null, '/'],
  ]);
});

test('any input is adapted or rejected without an exception', () => {
  const official = fc.record(
    { status: fc.anything(), updatedAt: fc.anything(), isLatest: fc.anything() },
    { requiredKeys: [] },
  );
  const server = fc.record(
    { name: fc.oneof(anyText(), fc.anything()), title: fc.anything(), remotes: fc.anything() },
    { requiredKeys: [] },
  );
  const record = fc.record({
    server,
    _meta: fc.record({ 'io.modelcontextprotocol.registry/official': official }),
  });
  fc.assert(
    fc.property(fc.oneof(record, fc.anything()), (raw) => {
      const adapted = adaptServer(raw);
      if (adapted.kind === 'listing') assert.ok(adapted.listing.external_id.isWellFormed());
    }),
    { numRuns: 300 },
  );
});

testRealRows('record', { file: 'mcp-registry/v0-servers_2025-12-02.jsonl', adapt: adaptServer, may_drop: true });

interface FlatRow {
  entry_name: string;
  description: string;
  version: string;
  repository: unknown;
  status: string;
  updated_at: string;
}

testRealRows('record of a flattened list', {
  file: 'mcp-registry/latest_2026-06-12.jsonl',
  adapt: ({ entry_name, description, version, repository, status, updated_at }: FlatRow) =>
    adaptServer({
      server: { name: entry_name, description, version, repository },
      _meta: { 'io.modelcontextprotocol.registry/official': { status, updatedAt: updated_at } },
    }),
  may_drop: true,
});
