import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flaggedOf } from '#catalog/items/flagged.ts';
import { input } from '#test/handler-input.ts';
import { interopStand } from '#test/interop-stand.ts';
import { listing } from '#test/listings.ts';
import { getPluginMarketplace } from './get-plugin-marketplace.ts';

const place = (source: object) => ({
  kind: 'git',
  repository: '',
  owner: '',
  path: '',
  ref: '',
  sha: '',
  package: '',
  ...source,
});
const plugin = (id: string, source: object, manifest: Record<string, unknown> | null = null) =>
  listing('claude-plugins', id, {
    listing_type: 'harness',
    version: '',
    author: '',
    manifest,
    install: { type: 'claude-plugin', marketplace: 'ann/market', plugin: id, source: place(source) },
  });
const SHA = 'a'.repeat(40);

const stand = await interopStand([
  plugin('repo@one', { repository: 'https://github.com/ann/repo', sha: SHA, ref: 'main' }),
  plugin('repo@two', { repository: 'https://gitlab.com/ann/repo' }),
  plugin('inside@one', { kind: 'relative', path: 'plugins/inside' }, { strict: false, skills: ['./s'], homepage: 'x' }),
  plugin('packed@one', { kind: 'npm', package: '@ann/packed' }),
  plugin('up@one', { kind: 'relative', path: 'plugins/../../x' }),
  plugin('option@one', { repository: 'https://github.com/ann/x', ref: '--upload-pack=x' }),
  plugin('plain@one', { repository: 'http://a.example/x' }),
  plugin('unknown@one', { kind: 'unknown' }),
  plugin('<b>@one', { repository: 'https://github.com/ann/x' }),
  listing('glama', 'a@b'),
]);

test('200: every plugin that can be fetched, with a self-contained source', async () => {
  const { body } = await getPluginMarketplace(stand)(input({}));
  const { name, plugins } = JSON.parse(String(body));
  assert.equal(name, 'capstan');
  const sources = Object.fromEntries(
    plugins.map((plugin: { name: string; source: object }) => [plugin.name, plugin.source]),
  );
  assert.deepEqual(sources, {
    repo: { source: 'github', repo: 'ann/repo', ref: 'main', sha: SHA },
    'repo-two': { source: 'url', url: 'https://gitlab.com/ann/repo.git' },
    inside: { source: 'git-subdir', url: 'https://github.com/ann/market.git', path: 'plugins/inside' },
    packed: { source: 'npm', package: '@ann/packed' },
  });
  const inside = plugins.find((plugin: { name: string }) => plugin.name === 'inside');
  assert.deepEqual([inside.strict, inside.skills, inside.homepage], [false, ['./s'], undefined]);
});

test('200: omits flagged plugins as soon as they are flagged', async () => {
  let known = flaggedOf([], true, '');
  const flagged = { known: () => known, read: async () => known };
  const ask = getPluginMarketplace({ ...stand, flagged });
  const names = async (): Promise<string[]> =>
    JSON.parse(String((await ask(input({}))).body)).plugins.map((plugin: { name: string }) => plugin.name);
  assert.ok((await names()).includes('packed'));
  known = flaggedOf([['claude-plugins', 'packed@one']], true, 'v1');
  assert.deepEqual((await names()).toSorted(), ['inside', 'repo', 'repo-two']);
});
