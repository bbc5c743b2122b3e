import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { OWN_SHARE } from '#core/fair-queue/share.ts';
import { createOutbound } from '#core/outbound/outbound.ts';
import type { Problem } from '#core/problem/problem.ts';
import { tarOf, zipOf } from '#test/fakes/archives.ts';
import { startSkillHosts } from '#test/fakes/skill-hosts.ts';
import { digestOfFiles, openBundleStore } from './bundle-store.ts';
import { createBundles } from './bundles.ts';
import type { BundleSource } from './source-of.ts';

const dir = await mkdtemp(join(tmpdir(), 'capstan-bundles-'));
const hosts = await startSkillHosts();
const outbound = createOutbound({ allow_loopback: true, user_agent: 'test' });
after(async () => {
  await hosts.close();
  await outbound.close();
  await rm(dir, { recursive: true, force: true });
});

let now = Date.UTC(2026, 0, 1);
const clock = { now: () => now };
function open(name: string, max_bytes = 10_000_000) {
  const store = openBundleStore({ dir: join(dir, name), max_bytes, clock });
  const urls = { clawhub: hosts.url, github: `${hosts.url}/gh` };
  return { store, bundles: createBundles({ store, fetch: outbound.fetch, urls }) };
}
const texts = (files: Map<string, Uint8Array>) =>
  Object.fromEntries([...files].map(([path, bytes]) => [path, Buffer.from(bytes).toString()]));
const codeOf = async (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: Problem) => error.code,
  );

const clawhub: BundleSource = { kind: 'clawhub', owner: 'ann', slug: 'rope', version: '1.0.0' };
const CLAWHUB_PATH = '/api/v1/download?slug=rope&version=1.0.0';
const github: BundleSource = { kind: 'github', owner: 'ann', repo: 'kit', ref: 'HEAD', under: '', name: 'rope' };
const GITHUB_PATH = '/gh/ann/kit/tar.gz/HEAD';
const repository = tarOf([
  { name: 'kit-abc/README.md', body: '# kit' },
  { name: 'kit-abc/AGENTS.md', type: '2', link: 'README.md' },
  { name: 'kit-abc/skills/rope/SKILL.md', body: 'rope' },
  { name: 'kit-abc/skills/rope/scripts/run.sh', body: 'echo' },
  { name: 'kit-abc/skills/other/SKILL.md', body: 'other' },
]);

for (const slug of ['rope', 'line'])
  hosts.answers.set(`/api/v1/skills/${slug}`, { json: { skill: { slug }, owner: { handle: '@Ann' } } });

test('fetches a ClawHub skill from its zip, or from GitHub if ClawHub refers to it', async () => {
  const { bundles } = open('clawhub');
  hosts.answers.set(
    CLAWHUB_PATH,
    zipOf([
      { name: 'SKILL.md', body: 'a' },
      { name: '_meta.json', body: '{}' },
    ]),
  );
  assert.deepEqual(texts(await bundles.files(clawhub, OWN_SHARE)), { 'SKILL.md': 'a', '_meta.json': '{}' });
  const commit = 'c'.repeat(40);
  hosts.answers.set('/api/v1/download?slug=line&version=2', {
    json: {
      sourceRef: 'public-github',
      repo: 'ann/kit',
      commit,
      path: 'skills/rope',
      archiveUrl: 'https://evil.example/',
    },
  });
  hosts.answers.set(`/gh/ann/kit/tar.gz/${commit}`, repository);
  const followed = await bundles.files({ ...clawhub, slug: 'line', version: '2' }, OWN_SHARE);
  assert.deepEqual(Object.keys(texts(followed)), ['SKILL.md', 'scripts/run.sh']);
});

test('takes only the files of the skill from a repository', async () => {
  hosts.answers.set(GITHUB_PATH, repository);
  assert.deepEqual(texts(await open('github').bundles.files(github, OWN_SHARE)), {
    'SKILL.md': 'rope',
    'scripts/run.sh': 'echo',
  });
});

test('caches files for ten minutes, and fetches them once for concurrent requests', async () => {
  hosts.answers.set(GITHUB_PATH, repository);
  const { bundles } = open('fresh');
  const asked = () => hosts.requests.filter((path) => path === GITHUB_PATH).length;
  const before = asked();
  const [first] = await Promise.all([
    bundles.files(github, OWN_SHARE),
    bundles.files(github, OWN_SHARE),
    bundles.files(github, OWN_SHARE),
  ]);
  await bundles.files(github, OWN_SHARE);
  assert.equal(asked() - before, 1);
  const digest = digestOfFiles(first);
  now += 11 * 60_000;
  hosts.answers.set(GITHUB_PATH, tarOf([{ name: 'kit-def/skills/rope/SKILL.md', body: 'newer' }]));
  assert.equal(texts(await bundles.files(github, OWN_SHARE, digest))['SKILL.md'], 'rope', 'exactly what was pinned');
  assert.equal(asked() - before, 1);
  assert.equal(texts(await bundles.files(github, OWN_SHARE))['SKILL.md'], 'newer');
  assert.equal(asked() - before, 2);
  assert.deepEqual(
    Object.keys(await texts(await open('fresh').bundles.files(github, OWN_SHARE))),
    ['SKILL.md'],
    'by another process',
  );
});

test('stops serving the cached copy an hour after ClawHub has blocked a skill', async () => {
  const { bundles } = open('moderated');
  hosts.answers.set(CLAWHUB_PATH, zipOf([{ name: 'SKILL.md', body: 'bad' }]));
  const digest = digestOfFiles(await bundles.files(clawhub, OWN_SHARE));
  hosts.answers.set(CLAWHUB_PATH, 403);
  await bundles.files(clawhub, OWN_SHARE, digest);
  now += 61 * 60_000;
  assert.equal(await codeOf(bundles.files(clawhub, OWN_SHARE, digest)), 'runs.unsupported');
});

test('refuses a ClawHub slug that belongs to another owner or is blocked as malware', async () => {
  const { bundles } = open('owners');
  hosts.answers.set('/api/v1/download?slug=knot&version=1', zipOf([{ name: 'SKILL.md', body: 'x' }]));
  const knot = { ...clawhub, slug: 'knot', version: '1' };
  for (const [detail, code] of [
    [{ owner: { handle: 'eve' } }, 'runs.unsupported'],
    [{ owner: null }, 'runs.unsupported'],
    [{ owner: { handle: 'ann' }, moderation: { isMalwareBlocked: true } }, 'runs.unsupported'],
    [{ owner: { handle: 'ann' }, moderation: null }, null],
  ] as const) {
    hosts.answers.set('/api/v1/skills/knot', { json: detail });
    assert.equal(await codeOf(bundles.files(knot, OWN_SHARE)), code, JSON.stringify(detail));
  }
});

test('maps each failed download and unsafe archive to an error code', async () => {
  const { bundles } = open('failures');
  for (const [answer, code] of [
    [404, 'runs.gone'],
    [410, 'runs.gone'],
    [403, 'runs.unsupported'],
    [429, 'outbound.failed'],
    [500, 'outbound.failed'],
    [Buffer.from('hello'), 'runs.unsupported'],
    [{ json: { repo: 'ann/kit/../..', commit: 'c'.repeat(40), path: '../..' } }, 'runs.unsupported'],
    [{ json: null }, 'runs.unsupported'],
    [zipOf([{ name: 'readme.md' }]), 'runs.unsupported'],
    [zipOf([{ name: 'SKILL.md' }, { name: '../evil' }]), 'runs.unsupported'],
    [zipOf([{ name: 'SKILL.md' }, { name: 'link', mode: 0o120777, body: '/etc/passwd' }]), 'runs.unsupported'],
  ] as const) {
    hosts.answers.set(CLAWHUB_PATH, answer as never);
    assert.equal(await codeOf(bundles.files(clawhub, OWN_SHARE)), code);
  }
  const guarded = createOutbound({ allow_loopback: false, user_agent: 'test' });
  const urls = { clawhub: hosts.url, github: hosts.url };
  const { store } = open('guarded');
  assert.equal(
    await codeOf(createBundles({ store, fetch: guarded.fetch, urls }).files(clawhub, OWN_SHARE)),
    'outbound.failed',
  );
});

test('the store verifies digests on reading, and removes old bundles to stay below its size limit', async () => {
  const { store } = open('store', 30_000);
  const files = new Map([['a', Buffer.from('x'.repeat(6_000))]]);
  const digest = await store.put(files);
  assert.deepEqual(await store.get(digest), files);
  const [name] = await readdir(join(dir, 'store'));
  await writeFile(join(dir, 'store', name as string), '{"a":"AAAA"}');
  assert.equal(await store.get(digest), null, 'changed on the disk');
  assert.equal(await store.get('sha256:../../x'), null);
  const digests: string[] = [];
  for (let n = 0; n < 6; n++) digests.push(await store.put(new Map([['a', Buffer.from(`${n}${'x'.repeat(6_000)}`)]])));
  assert.ok((await readdir(join(dir, 'store'))).length <= 4);
  assert.ok((await store.get(digests[5] as string)) !== null, 'the newest stays');
});
