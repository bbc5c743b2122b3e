import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PackageSource } from '#core/mcp/target.ts';
import { packageRefOf } from './package-ref.ts';

const HASH = 'ab'.repeat(32);
const listed = (registry_type: string, identifier: string, version = '', more: Partial<PackageSource> = {}) =>
  packageRefOf(Object.assign({ registry_type, identifier, version, file_sha256: '', registry_base_url: '' }, more));

/** Forms that the official registry uses. */
const TABLE: [ReturnType<typeof listed>, [string, string, string, string]][] = [
  [listed('npm', '@brave/server', '2.0.54'), ['npm', '@brave/server', '2.0.54', 'pkg:npm/%40brave/server@2.0.54']],
  [listed('npm', 'mcp-local-rag', 'latest'), ['npm', 'mcp-local-rag', 'latest', 'pkg:npm/mcp-local-rag@latest']],
  [listed('pypi', 'Ha_MCP', 'v0.2.1'), ['pypi', 'Ha_MCP', 'v0.2.1', 'pkg:pypi/ha-mcp@v0.2.1']],
  [
    listed('mcpb', 'https://example.com/v1/server.mcpb', '', { file_sha256: HASH.toUpperCase() }),
    [
      'mcpb',
      'https://example.com/v1/server.mcpb',
      '',
      `pkg:generic/server?checksum=sha256%3A${HASH}&download_url=https%3A%2F%2Fexample.com%2Fv1%2Fserver.mcpb`,
    ],
  ],
  [
    listed('oci', 'localhost:5000/ana/mcp:0.1.4'),
    ['oci', 'localhost:5000/ana/mcp', '0.1.4', 'pkg:oci/mcp@0.1.4?repository_url=localhost%3A5000%2Fana%2Fmcp'],
  ],
  [
    listed('oci', `mcp/weather@sha256:${HASH}`),
    ['oci', 'mcp/weather', `sha256:${HASH}`, `pkg:oci/weather@sha256%3A${HASH}?repository_url=mcp%2Fweather`],
  ],
  [
    listed('oci', `localhost:5000/mcp/weather:1.2@sha256:${HASH}`),
    [
      'oci',
      'localhost:5000/mcp/weather',
      `sha256:${HASH}`,
      `pkg:oci/weather@sha256%3A${HASH}?repository_url=localhost%3A5000%2Fmcp%2Fweather`,
    ],
  ],
  [
    listed('oci', 'localhost:5000/mcp'),
    ['oci', 'localhost:5000/mcp', '', 'pkg:oci/mcp?repository_url=localhost%3A5000%2Fmcp'],
  ],
];

for (const [ref, expected] of TABLE)
  test(`derives name, version and purl of the ${ref.ecosystem} package ${ref.name.slice(0, 40)}`, () => {
    assert.deepEqual([ref.ecosystem, ref.name, ref.version, ref.purl], expected);
  });

test('lower-cases the file hash, keeps the registry, and sets both to null if absent', () => {
  const ref = listed('npm', 'a', '1.0.0', {
    file_sha256: HASH.toUpperCase(),
    registry_base_url: 'https://npm.example',
  });
  assert.deepEqual([ref.sha256, ref.registry], [HASH, 'https://npm.example']);
  const bare = listed('npm', 'a', '1.0.0');
  assert.deepEqual([bare.sha256, bare.registry], [null, null]);
});

test('refuses NuGet, an empty ecosystem and a malformed hash', () => {
  assert.throws(() => listed('nuget', 'Weather', '1.0.0'), { code: 'packages.unsupported', message: /nuget/ });
  assert.throws(() => listed('', 'a', '1'), { code: 'packages.unsupported', reason: 'ecosystem' });
  assert.throws(() => listed('npm', 'a', '1', { file_sha256: 'abc' }), {
    code: 'packages.unsupported',
    reason: 'hash_required',
  });
});
