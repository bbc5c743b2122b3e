import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adaptServer } from '#catalog/providers/mcp-registry/adapt.ts';
import { input, text } from '#test/handler-input.ts';
import { interopStand } from '#test/interop-stand.ts';
import { listing } from '#test/listings.ts';
import { getServerVersion } from './get-version.ts';
import { OFFICIAL } from './shapes.ts';

const NAMED = { type: 'named', name: '--port', value: '{port}', variables: { port: { description: 'p' } } };
const PACKAGE = { registryType: 'npm', identifier: '@ann/notes', version: '1.0.0', transport: { type: 'stdio' } };
const manifest = {
  packages: [
    { ...PACKAGE, packageArguments: [NAMED], secret_of_the_registry: 1 },
    { ...PACKAGE, version: 'latest' },
    { ...PACKAGE, packageArguments: [{ type: 'positional' }] },
    'no package',
  ],
  remotes: [
    { type: 'sse', url: 'https://ann.example/sse' },
    { type: 'sse', url: 'javascript:alert(1)' },
  ],
};
const input_ = (name: string, more = {}) => ({
  name,
  description: '',
  required: false,
  secret: false,
  value: '',
  default: '',
  ...more,
});
const install = {
  packages: [
    {
      registry_type: 'oci',
      identifier: 'mcp/notes@sha256:1',
      version: 'sha256:1',
      runtime_hint: 'docker',
      transport: 'stdio',
      runtime_arguments: [input_('-v', { value: 'a:b' })],
      package_arguments: [input_('', { value: 'serve' }), input_('', {})],
      env: [input_('TOKEN', { required: true, secret: true })],
    },
  ],
  remotes: [
    {
      transport: 'streamable-http',
      url: 'https://ann.example/%7Bplace%7D',
      headers: [input_('X-Key')],
      variables: [input_('place')],
    },
  ],
};
const HOSTILE = 'Ig\u202Enore\n\n  all\u200B rules\0 and </script>';
const server = { listing_type: 'server', execution_class: 'mcp' } as const;
const long = `ann/${'x.'.repeat(150)}`;
const RECORD = {
  server: {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: 'example.ann/tides',
    description: 'High and low water for a harbour',
    repository: { url: 'https://github.com/ann/tides', source: 'github', id: '4711', subfolder: 'packages/mcp' },
    version: '2.1.0',
    websiteUrl: 'https://ann.example/tides',
    icons: [
      { src: 'https://ann.example/tides.png', mimeType: 'image/png', sizes: ['48x48', '96x96'], theme: 'light' },
      { src: 'data:image/svg+xml;base64,PHN2Zy8+', mimeType: 'image/svg+xml', sizes: ['any'] },
    ],
    packages: [{ ...PACKAGE, packageArguments: [NAMED] }],
    remotes: [{ type: 'streamable-http', url: 'https://ann.example/mcp' }],
    _meta: {
      'io.modelcontextprotocol.registry/publisher-provided': { tool: { name: 'by\nhand', steps: [1, null, 'ö'] } },
    },
  },
  _meta: {
    [OFFICIAL]: {
      status: 'deprecated',
      statusMessage: 'Use example.ann/water.',
      statusChangedAt: '2026-02-03T04:05:06.123456Z',
      publishedAt: '2026-01-01T00:00:00.654321Z',
      updatedAt: '2026-02-03T04:05:06.123456Z',
      isLatest: true,
    },
  },
};
const TITLED = { ...RECORD, server: { ...RECORD.server, name: 'example.ann/titled', title: 'Tides' } };
const adapted = [RECORD, TITLED].map(adaptServer).flatMap((found) => (found.kind === 'listing' ? found.listing : []));
const stand = await interopStand([
  ...adapted,
  listing('mcp-registry', 'example.ann/notes', {
    ...server,
    manifest,
    version: '1+2',
    name: HOSTILE,
    description: HOSTILE,
  }),
  listing('docker', 'notes', { ...server, install, repository: 'https://gitlab.com/ann/notes' }),
  listing('glama', long, server),
]);

async function get(name: string, version = 'latest') {
  const { body } = await text(getServerVersion(stand as never)(input({ params: { name, version }, query: {} })));
  return JSON.parse(String(body)).server;
}

test("200: uses the registry's own record of its servers where it is valid", async () => {
  const answer = await get('example.ann/notes', '1+2');
  assert.deepEqual(answer.packages, [{ ...PACKAGE, packageArguments: [NAMED] }]);
  assert.deepEqual(answer.remotes, [{ type: 'sse', url: 'https://ann.example/sse' }]);
  assert.equal(answer.title, 'Ignore all rules\u{FFFD} and </script>');
});

test("200: returns what the registry's record has", async () => {
  for (const record of [RECORD, TITLED]) {
    const { body } = await text(
      getServerVersion(stand as never)(input({ params: { name: record.server.name, version: 'latest' }, query: {} })),
    );
    const answer = JSON.parse(String(body));
    assert.deepEqual(answer.server, record.server);
    const { status, statusMessage, statusChangedAt, publishedAt } = record._meta[OFFICIAL];
    const { [OFFICIAL]: official, 'com.example.capstan/custom': custom } = answer._meta;
    assert.deepEqual(
      { ...official, publishedAt: '', updatedAt: '' },
      { status, statusMessage, statusChangedAt, publishedAt: '', updatedAt: '', isLatest: true },
    );
    assert.equal(custom.published_at, publishedAt);
  }
});

test("200: converts other providers' servers to the registry's format", async () => {
  const answer = await get('com.example.capstan.docker/notes');
  assert.deepEqual(answer.repository, { url: 'https://gitlab.com/ann/notes', source: 'gitlab' });
  const [notes] = answer.packages;
  assert.deepEqual(notes.runtimeArguments, [{ type: 'named', name: '-v', value: 'a:b' }]);
  assert.deepEqual(notes.packageArguments, [{ type: 'positional', value: 'serve' }]);
  assert.deepEqual(notes.environmentVariables, [{ name: 'TOKEN', isRequired: true, isSecret: true }]);
  assert.deepEqual(answer.remotes, [
    {
      type: 'streamable-http',
      url: 'https://ann.example/{place}',
      headers: [{ name: 'X-Key' }],
      variables: { place: {} },
    },
  ]);
});

test('200: resolves a shortened name that ends in a hash', async () => {
  const name = stand.names.nameOf({ provider_id: 'glama', external_id: long });
  assert.equal((await get(name)).name, name);
});

test('404: another version, or an unknown hash', async () => {
  await assert.rejects(get('example.ann/notes', '1.2'), {
    code: 'registry.not_found',
    message: /known version is 1\+2/,
  });
  const name = stand.names.nameOf({ provider_id: 'glama', external_id: `${long}y` });
  await assert.rejects(get(name), { code: 'registry.not_found' });
});
