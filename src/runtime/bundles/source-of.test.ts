import assert from 'node:assert/strict';
import { test } from 'node:test';
import { githubSource, isPinned, sourceOf } from './source-of.ts';

const row = (provider_id: string, install: object | null, more = {}) => ({
  provider_id,
  external_id: 'own/repo/skill',
  version: '1',
  repository: '',
  install: install === null ? null : JSON.stringify(install),
  ...more,
});

test('finds the source of a skill’s files in the listing of each provider', () => {
  assert.deepEqual(sourceOf(row('clawhub', { type: 'clawhub-skill', owner: 'o', slug: 's', version: '1' })), {
    kind: 'clawhub',
    owner: 'o',
    slug: 's',
    version: '1',
  });
  const github = { kind: 'github', owner: 'own', repo: 'repo', ref: 'HEAD' };
  const source = 'https://github.com/own/repo';
  assert.deepEqual(sourceOf(row('skills-sh', { source, skill: 'a/b' })), { ...github, under: '', name: 'a/b' });
  assert.deepEqual(sourceOf(row('gemini-extensions', { source })), { ...github, under: '', name: '' });
  assert.deepEqual(sourceOf(row('smithery', { git_url: `${source}/tree/main/skills/x` })), {
    ...github,
    ref: 'main',
    under: 'skills/x',
    name: 'skill',
  });
  const sha = 'a'.repeat(40);
  const place = { kind: 'git', repository: source, path: './plugins/x', ref: 'v1', sha };
  const plugin = sourceOf(row('claude-plugins', { source: place }));
  assert.deepEqual(plugin, { ...github, ref: sha, under: 'plugins/x', name: '' });
  assert.ok('kind' in plugin && isPinned(plugin));
});

test('returns a reason when a listing has no source, or one that is not supported', () => {
  for (const [provider, install] of [
    ['clawhub', { type: 'clawhub-claw', name: 'x' }],
    ['skills-sh', { source: '', skill: 'x' }],
    ['smithery', null],
    ['claude-plugins', { source: { kind: 'npm', package: 'x' } }],
    ['gemini-extensions', { source: 'https://gitlab.com/a/b' }],
    ['docker', {}],
  ] as const)
    assert.ok('unsupported' in sourceOf(row(provider, install)), provider);
});

test('refuses source URLs and paths that lead outside the repository or to another host', () => {
  const wish = { under: '', name: '' };
  for (const address of [
    'https://github.com/a/..',
    'https://github.com/a/b/tree/../../x',
    'https://github.com.evil.example/a/b',
    'https://evil.example/github.com/a/b',
    'https://user@github.com/a/b',
    'https://github.com/a/b%2f..%2fc/x',
    'file:///github.com/a/b',
  ])
    assert.ok('unsupported' in githubSource(address, wish), address);
  for (const [under, ref] of [
    ['../x', ''],
    ['a/../../b', ''],
    ['', '../main'],
    ['', '-x'],
    ['', 'a b'],
  ] as const)
    assert.ok('unsupported' in githubSource('https://github.com/a/b', { under, name: '' }, ref), `${under} ${ref}`);
});
