import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentFrom } from '#test/capability-documents.ts';
import { hasCostlySignal, isMuchUsed } from './costly-signal.ts';
import type { ShownCapability } from './document.ts';
import { quantilesOf } from './prior.ts';

type Place = [provider: string, external_id: string];

function shown(name: string, [provider, external_id]: Place, changes: Partial<ShownCapability> = {}): ShownCapability {
  const { wire } = documentFrom(1, { name });
  return {
    ...wire,
    sources: [{ provider: provider as 'smithery', external_id, version: '', homepage: '', updated_at: null }],
    ...changes,
  };
}

const CASES: [why: string, expected: boolean, ...Parameters<typeof shown>][] = [
  ['the account of the same name', true, 'github-mcp-server', ['mcp-registry', 'io.github.github/github-mcp-server']],
  ['another account', false, 'github-mcp-server', ['mcp-registry', 'io.github.eve/github-mcp-server']],
  ['the domain of the same name', true, 'stripe', ['mcp-registry', 'com.stripe/stripe']],
  ['below a domain with an ending of two labels', true, 'stripe', ['mcp-registry', 'uk.co.stripe/stripe']],
  ['a free subdomain of another domain', false, 'stripe', ['mcp-registry', 'com.eve.stripe/stripe']],
  ['words that make up the account', true, 'Home Assistant tools', ['skills-sh', 'home-assistant/skills/tools']],
  ['a part of a word', false, 'postgresql', ['mcp-registry', 'io.github.post/postgresql']],
  ['a directory that does not verify accounts', false, 'stripe', ['smithery', '@stripe/stripe']],
  ['a reviewed list', true, 'stripe', ['docker', 'stripe']],
  ['the official marketplace', true, 'stripe', ['claude-plugins', 'stripe@claude-plugins-official']],
  ['any other marketplace', false, 'stripe', ['claude-plugins', 'stripe@eve-plugins']],
  ['a built-in skill', true, 'json-diff', ['smithery', 'x/y'], { id: 'skill/json-diff' }],
  ['a proven publisher of its name', true, 'stripe', ['smithery', '@stripe/mcp'], { publisher: { by: 'wallet' } }],
  ['a proven publisher of another name', false, 'stripe', ['smithery', '@eve/mcp'], { publisher: { by: 'wallet' } }],
  ['published here by anyone', false, 'stripe/stripe', ['capstan', 'x'], { publisher: { by: 'published' } }],
];

test('signals that are costly to fake', () => {
  for (const [why, expected, ...given] of CASES) assert.equal(hasCostlySignal(shown(...given)), expected, why);
});

test('use by independent accounts counts, and test runs of the service do not', () => {
  const at = (level: 'ran' | 'reproduced' | 'used') => hasCostlySignal(documentFrom(1, { level }).wire);
  assert.deepEqual([at('ran'), at('reproduced'), at('used')], [false, false, true]);
});

test('much used is the highest tenth of a provider, by downloads', () => {
  const documents = Array.from({ length: 100 }, (_, i) => documentFrom(i, { downloads: i + 1 }));
  const quantiles = quantilesOf(documents);
  const used = (downloads: number, stars = 0) => [{ provider: 'smithery', downloads, stars }];
  assert.deepEqual(
    [isMuchUsed(used(91), quantiles), isMuchUsed(used(80), quantiles), isMuchUsed(used(0, 1e6), quantiles)],
    [true, false, false],
  );
});
