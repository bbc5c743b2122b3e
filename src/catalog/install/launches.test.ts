import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { adaptEntry } from '#catalog/providers/docker/adapt.ts';
import { parseCatalog } from '#catalog/providers/docker/parse-catalog.ts';
import { adaptServer } from '#catalog/providers/mcp-registry/adapt.ts';
import registry from '#catalog/providers/mcp-registry/fixture.json' with { type: 'json' };
import { launchesOf } from './launches.ts';

function installOf(adapted: ReturnType<typeof adaptServer>) {
  assert.equal(adapted.kind, 'listing');
  // As stored and read back.
  return JSON.parse(JSON.stringify(adapted.kind === 'listing' ? adapted.listing.install : null));
}

test('a package of the MCP Registry is read with its coordinates, arguments, variables and endpoint', () => {
  const [npm, image, bundle] = launchesOf(installOf(adaptServer(registry[0])));
  assert.deepEqual(npm?.package, {
    registry_type: 'npm',
    identifier: '@harbour-example/tides-mcp',
    version: '2.1.0',
    file_sha256: '',
    registry_base_url: 'https://packages.harbour.example',
  });
  assert.deepEqual(
    npm?.package_arguments.map(({ name, type, required, repeated, format }) => [
      name,
      type,
      required,
      repeated,
      format,
    ]),
    [
      ['harbour_id', 'positional', true, false, 'text'],
      ['--cache', 'named', false, true, 'filepath'],
      // The record's type is invalid; the dash shows that it is an option.
      ['--odd', 'named', false, false, 'text'],
    ],
  );
  assert.deepEqual(
    npm?.package_arguments[1]?.variables.map(({ name, hint }) => [name, hint]),
    [['folder', '/var']],
  );
  assert.deepEqual(
    npm?.env.map(({ name, secret, choices }) => [name, secret, choices]),
    [
      ['TIDES_API_KEY', true, []],
      ['TIDES_UNITS', false, ['metres', 'feet']],
    ],
  );
  assert.deepEqual([npm?.transport, npm?.endpoint, image?.transport], ['stdio', null, 'stdio']);
  assert.match(bundle?.package.file_sha256 ?? '', /^ab345/);
  assert.deepEqual([bundle?.transport, bundle?.endpoint?.url], ['streamable-http', 'http://127.0.0.1:{port}/mcp']);
});

test("an image of Docker's catalog is read with its volumes, hosts, user and templates", async () => {
  const yaml = readFileSync(new URL('../providers/docker/fixture.yaml', import.meta.url), 'utf8');
  const entries = new Map(await parseCatalog(yaml));
  const [image] = launchesOf(installOf(adaptEntry('tide-tables', entries.get('tide-tables'))));
  assert.deepEqual(image?.volumes, ['{folder}:/tides', 'tide-cache:/cache', '7']);
  assert.deepEqual(
    [image?.hosts, image?.no_network, image?.user],
    [['tides.example:443', '*.harbour.example'], false, '1000'],
  );
  const units = image?.env.find(({ name }) => name === 'TIDES_UNITS');
  assert.deepEqual([units?.value, units?.variables[0]?.choices], ['{units}', ['metres', 'feet']]);
});

test('any stored install value gives complete launches or none', () => {
  const [old] = launchesOf({
    packages: [{ registry_type: 'PyPI', identifier: 'tides', env: [{ name: 'KEY', required: true }, { name: 'a=b' }] }],
  });
  assert.equal(old?.package.registry_type, 'pypi');
  assert.deepEqual(
    old?.env.map(({ name }) => name),
    ['KEY'],
    'an environment has no such name as a=b',
  );
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      for (const launch of launchesOf({ packages: value } as never)) {
        assert.equal(typeof launch.package.identifier, 'string');
        for (const input of [...launch.env, ...launch.package_arguments]) assert.equal(typeof input.name, 'string');
      }
    }),
  );
});
