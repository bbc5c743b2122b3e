import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { dataFile } from '#test/test-data.ts';
import { adaptPlugin, contextOf } from './adapt.ts';
import fixture from './fixture.json' with { type: 'json' };
import type { Marketplace } from './wire.ts';

const FILES = Object.entries(fixture) as [string, Marketplace][];

function adaptFile(path: string, marketplace: Marketplace) {
  const context = contextOf(marketplace, path.split('/').slice(0, 2).join('/'));
  return marketplace.plugins.map((raw) => adaptPlugin(raw, context));
}

const all = FILES.flatMap(([path, marketplace]) => adaptFile(path, marketplace));

function listing(id: string) {
  const found = all.find((adapted) => adapted.kind === 'listing' && adapted.listing.external_id === id);
  assert.ok(found?.kind === 'listing', `${id} adapts`);
  return found.listing;
}

test('maps all fields of a complete plugin', () => {
  const { manifest, install, ...rest } = listing('full@claude-plugins-official');
  assert.deepEqual(manifest, FILES[0]?.[1].plugins[0]);
  assert.deepEqual(rest, {
    name: 'full',
    description: 'Everything a plugin can say',
    version: '2.1.0',
    author: 'Mia Example',
    homepage: 'https://full.example.com/start',
    downloads: 0,
    stars: 0,
    tags: ['development', 'sails', 'Knots', 'community-managed'],
    source: 'claude-plugins',
    listing_type: 'harness',
    external_id: 'full@claude-plugins-official',
    provider_id: 'claude-plugins',
    external_updated_at: null,
    execution_class: 'mcp',
    license: 'MIT',
    repository: 'https://github.com/mia-example/full',
    reported: { downloads: false, stars: false, updated_at: false },
    facts: { versions: [{ version: '2.1.0', published_at: null, changes: '' }] },
    aliases: ['first-name@claude-plugins-official', 'second-name@claude-plugins-official'],
  });
  assert.deepEqual(install, {
    type: 'claude-plugin',
    marketplace: 'anthropics/claude-plugins-official',
    plugin: 'full@claude-plugins-official',
    source: {
      kind: 'git',
      repository: 'https://github.com/mia-example/full',
      owner: 'mia-example',
      path: '',
      ref: '',
      sha: '0123456789abcdef0123456789abcdef01234567',
      package: '',
    },
  });
});

test('every form of plugin source is read', () => {
  const told = (id: string) => {
    const adapted = listing(id);
    return [adapted.version, adapted.author, adapted.homepage, adapted.repository, adapted.execution_class];
  };
  const official = 'https://github.com/anthropics/claude-plugins-official';
  const monorepo = 'https://github.com/knot-example/monorepo';
  const ssh = 'https://github.com/rope-example/over-ssh';
  const other = 'https://github.com/other-example/full';
  assert.deepEqual(
    ['hooked', 'by.path', 'packaged', 'over-ssh', 'new-form'].map((name) => told(`${name}@claude-plugins-official`)),
    [
      ['fedcba987654', 'knot-example', monorepo, monorepo, 'scripted'],
      ['', 'Example Owner', '', official, 'prompt'],
      ['3.2.1', 'Plain Text', '', '', 'prompt'],
      ['', 'rope-example', ssh, ssh, 'prompt'],
      ['', 'Example Owner', '', '', 'prompt'],
    ],
  );
  assert.deepEqual(told('full@claude-plugins-community'), ['', 'other-example', other, other, 'prompt']);
  assert.equal(listing('bare-path@awesome-copilot').author, 'Collection Example');
});

test('plugins without an author have the marketplace owner as author', () => {
  const adapted = listing('names-only@openai-curated');
  assert.deepEqual([adapted.author, adapted.description, adapted.tags], ['openai', '', ['Productivity']]);
});

test('an alias never equals a current id, and circular renames end', () => {
  assert.deepEqual(listing('hooked@claude-plugins-official').aliases, []);
  assert.ok(!listing('full@claude-plugins-official').aliases.includes('hooked@claude-plugins-official'));
});

test('invalid records are rejected with the location of the error and the id, if any', () => {
  const rejected = all.flatMap((adapted) =>
    adapted.kind === 'rejected' ? [[adapted.external_id, adapted.reason.split(':')[0]]] : [],
  );
  assert.deepEqual(rejected, [
    ['no-source@claude-plugins-official', '/'],
    ['two@signs@claude-plugins-official', '/name'],
    [null, '/name'],
    ['listed-tags@claude-plugins-official', '/tags'],
    [null, '/'],
  ]);
});

const REAL = {
  'anthropics/claude-plugins-official': 'anthropics_claude-plugins-official_marketplace_2026-08-21.json',
  'github/awesome-copilot': 'github_awesome-copilot_marketplace_2026-08-07.json',
  'openai/plugins': 'openai_plugins_marketplace_2026-06-25.json',
  'ComposioHQ/awesome-claude-skills': 'composio_marketplace_2026-05-07.json',
};

const REAL_FILES = Object.entries(REAL).flatMap(([catalog, name]) => {
  const file = dataFile(`claude-plugins/${name}`);
  return file === null ? [] : [[catalog, file] as const];
});

function testReal(): void {
  test('adapts every plugin of the real files', (t) => {
    const adapted = REAL_FILES.flatMap(([catalog, file]) => adaptFile(catalog, JSON.parse(readFileSync(file, 'utf8'))));
    assert.deepEqual(
      adapted.filter(({ kind }) => kind !== 'listing'),
      [],
    );
    const ids = new Set(adapted.map((one) => (one.kind === 'listing' ? one.listing.external_id : '')));
    assert.equal(ids.size, adapted.length, 'ids are unique across marketplaces');
    t.diagnostic(`claude-plugins: ${adapted.length} real plugins adapt`);
  });
}

if (REAL_FILES.length > 0) testReal();
