import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalOf } from '#test/archive-refusal.ts';
import { type TarEntry, tarOf, zipOf } from '#test/fakes/archives.ts';
import { unpackListing } from './listing-archive.ts';

const ANY = { folder: '', has_outer_folder: false };
const OUTER = { folder: '', has_outer_folder: true };
const entries = (...paths: string[]): TarEntry[] => paths.map((name) => ({ name, body: name }));

test('takes the only skill, harness or rig of an archive, without hidden files and leftovers', async () => {
  const skill = entries('a/SKILL.md', 'a/scripts/x.sh', 'a/.git/config', 'a/node_modules/m/SKILL.md', 'README.md');
  for (const bytes of [tarOf(skill), zipOf(skill as never)]) {
    const { folder, files } = await unpackListing(bytes, ANY);
    assert.deepEqual([folder, [...files.keys()].sort()], ['a', ['SKILL.md', 'scripts/x.sh']]);
  }
  const harness = await unpackListing(tarOf(entries('HARNESS.md', 'skills/b/SKILL.md', 'skills/c/SKILL.md')), ANY);
  assert.deepEqual([harness.folder, harness.files.size], ['', 3]);
  const rig = await unpackListing(tarOf(entries('words-1a2b/rig.yaml', 'words-1a2b/rig.lock')), OUTER);
  assert.deepEqual([rig.folder, [...rig.files.keys()]], ['', ['rig.yaml', 'rig.lock']]);
});

test('several: names their folders, and takes the one that is asked for', async () => {
  const repository = tarOf(entries('r-1/skills/a/SKILL.md', 'r-1/skills/ab/SKILL.md', 'r-1/x.md'));
  assert.match(await refusalOf(unpackListing(repository, OUTER)), /"skills\/a", "skills\/ab"/);
  const one = await unpackListing(repository, { folder: '/skills/a/', has_outer_folder: true });
  assert.deepEqual([one.folder, one.files.size], ['skills/a', 1]);
  assert.match(await refusalOf(unpackListing(repository, { ...OUTER, folder: 'nope' })), /"nope" has no SKILL\.md/);
});

test('refuses what is not an archive, links, paths out of it and bombs', async () => {
  const cases: [Uint8Array, RegExp][] = [
    [Buffer.from('plain'), /not a zip or tar\.gz/],
    [tarOf(entries('README.md')), /no SKILL\.md/],
    [tarOf([...entries('SKILL.md'), { name: 'x', type: '2', link: '/etc/passwd' }]), /link/],
    [tarOf([...entries('SKILL.md'), { name: '../x' }]), /leads elsewhere/],
    [zipOf([{ name: 'SKILL.md' }, { name: 'big', body: Buffer.alloc(2 ** 21) }]), /over 1048576 bytes/],
    [tarOf([...entries('SKILL.md'), ...Array.from({ length: 201 }, (_, at) => ({ name: `f${at}` }))]), /more than 200/],
  ];
  for (const [bytes, expected] of cases) assert.match(await refusalOf(unpackListing(bytes, ANY)), expected);
});
