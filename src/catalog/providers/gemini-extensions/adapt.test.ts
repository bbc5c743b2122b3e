import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testRealRows } from '#test/real-rows.ts';
import { adaptGeminiExtension } from './adapt.ts';
import fixture from './fixture.json' with { type: 'json' };

function listingAt(index: number) {
  const adapted = adaptGeminiExtension(fixture[index]);
  assert.equal(adapted.kind, 'listing', JSON.stringify(adapted));
  if (adapted.kind !== 'listing') throw new Error('unreachable');
  return adapted.listing;
}

test('maps all fields of a complete extension', () => {
  const { manifest, ...listing } = listingAt(0);
  assert.deepEqual(manifest, fixture[0]);
  assert.deepEqual(listing, {
    name: 'tide-tables',
    description: 'High and low water for a harbour',
    version: '1.4.0',
    author: 'harbour-example',
    homepage: 'https://github.com/harbour-example/tide-tables',
    downloads: 0,
    stars: 321,
    tags: ['mcp', 'context', 'hooks', 'skills', 'custom-commands', 'apache-2.0'],
    source: 'gemini-extensions',
    listing_type: 'harness',
    external_id: 'harbour-example/tide-tables',
    provider_id: 'gemini-extensions',
    external_updated_at: '2026-05-04T01:02:01.000Z',
    execution_class: 'mcp',
    license: 'apache-2.0',
    repository: 'https://github.com/harbour-example/tide-tables',
    install: { type: 'gemini-extension', source: 'https://github.com/harbour-example/tide-tables' },
    reported: { downloads: false, stars: true, updated_at: true },
    facts: {
      icons: [{ src: 'https://example.com/a.png' }],
      versions: [{ version: '1.4.0', published_at: null, changes: '' }],
    },
    aliases: [],
  });
});

test('missing fields come from the repository, and hooks without MCP are scripted', () => {
  const listing = listingAt(1);
  assert.equal(listing.name, 'Knots.js');
  assert.equal(listing.description, 'Only the repository has a text');
  assert.equal(listing.external_id, 'Harbour-Example/Knots.js', 'ids keep their case');
  assert.equal(listing.execution_class, 'scripted');
  assert.deepEqual(listing.tags, ['hooks']);
  assert.deepEqual(listing.reported, { downloads: false, stars: true, updated_at: true });
});

test('hostile values are sanitized', () => {
  const listing = listingAt(2);
  assert.equal(listing.homepage, 'https://github.com/harbour-example/hostile', 'no script URL');
  assert.equal(listing.execution_class, 'prompt');
  assert.equal(listing.stars, 0);
  assert.equal(listing.external_updated_at, null, 'an invalid time is null');
  assert.ok(listing.name.isWellFormed() && !listing.name.includes('\0'));
});

test('invalid records are rejected with the location of the error and the id, if any', () => {
  const rejected = fixture.slice(3).map((raw) => {
    const adapted = adaptGeminiExtension(raw);
    return adapted.kind === 'rejected' ? [adapted.external_id, adapted.reason.split(':')[0]] : adapted;
  });
  assert.deepEqual(rejected, [
    ['harbour-example/stars-as-text', '/stars'],
    ['no-slash', '/fullName'],
    [null, '/'],
    [null, '/'],
    [null, '/'],
  ]);
});

interface RealManifest {
  repo: string;
  manifest: { name?: string; version?: string; description?: string; mcpServers?: unknown };
  committed_at: string;
  has_hooks: boolean;
  has_skills_dir: boolean;
}

testRealRows('manifest', {
  file: 'gemini-extensions/manifests_2026-08.jsonl',
  // The gallery is not archived; this is what its crawler makes of a repository's manifest.
  adapt: ({ repo, manifest, committed_at, has_hooks, has_skills_dir }: RealManifest) =>
    adaptGeminiExtension({
      fullName: repo,
      url: `https://github.com/${repo}`,
      extensionName: manifest.name,
      extensionVersion: manifest.version,
      extensionDescription: manifest.description,
      lastUpdated: committed_at,
      hasMCP: manifest.mcpServers !== undefined,
      hasHooks: has_hooks,
      hasSkills: has_skills_dir,
    }),
});
