import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { refusalOf } from '#test/archive-refusal.ts';
import { paxEntry, plainTar, type TarEntry, tarOf, type ZipEntry, zipOf } from '#test/fakes/archives.ts';
import { readTar } from './read-tar.ts';
import { readZip } from './read-zip.ts';

const all = () => true;
const textsOf = (files: Map<string, Uint8Array>) =>
  Object.fromEntries([...files].map(([path, bytes]) => [path, Buffer.from(bytes).toString('utf8')]));

const GOOD = [
  { name: 'SKILL.md', body: '# a' },
  { name: 'scripts/run.sh', body: 'echo é' },
  { name: 'a/b/c.txt', body: '' },
];

for (const [format, read, of] of [
  ['tar', readTar, (entries: TarEntry[] & ZipEntry[]) => tarOf(entries)],
  ['zip', readZip, (entries: TarEntry[] & ZipEntry[]) => zipOf(entries)],
] as const)
  describe(format, () => {
    test('returns the requested files by path', async () => {
      assert.deepEqual(textsOf(await read(of(GOOD), all)), {
        'SKILL.md': '# a',
        'scripts/run.sh': 'echo é',
        'a/b/c.txt': '',
      });
      const some = await read(of(GOOD), ({ path, kind, size }) => kind === 'file' && size > 0 && path.includes('/'));
      assert.deepEqual([...some.keys()], ['scripts/run.sh']);
    });

    test('refuses the whole archive if a path is absolute, contains ".." or has unusual characters', async () => {
      for (const name of [
        '../x',
        'a/../../x',
        '/etc/passwd',
        'C:/x',
        'a\\..\\x',
        'a//b',
        'a/./b',
        '..',
        'a/..',
        'a\nb',
        'a\u007fb',
      ]) {
        const said = await refusalOf(read(of([...GOOD, { name, body: 'x' }]), all));
        assert.match(
          said,
          /^The files were rejected: the archive (has|is damaged)/,
          `${JSON.stringify(name)}: ${said}`,
        );
      }
    });

    test('refuses duplicate names and deeply nested paths', async () => {
      assert.match(await refusalOf(read(of([...GOOD, { name: 'SKILL.md', body: 'other' }]), all)), /"SKILL.md" twice/);
      assert.match(await refusalOf(read(of([{ name: `${'a/'.repeat(60)}x` }]), all)), /nested too deep|damaged/);
    });

    test('damaged archives are refused without a crash', async () => {
      const good = of(GOOD);
      await fc.assert(
        fc.asyncProperty(fc.nat(good.length - 1), fc.nat(255), fc.nat(good.length), async (at, byte, end) => {
          const bytes = Uint8Array.from(good);
          bytes[at] = byte;
          await refusalOf(read(bytes, all));
          await refusalOf(read(bytes.subarray(0, end), all));
        }),
        { numRuns: 60 },
      );
      assert.match(await refusalOf(read(Buffer.from('no archive at all'), all)), /damaged|no gzipped/);
    });
  });

test('tar: reports links, devices and pipes as other entries, and returns no bytes for them', async () => {
  const kinds: string[] = [];
  const taken = await readTar(
    tarOf([
      { name: 'link', type: '2', link: '/etc/passwd' },
      { name: 'hard', type: '1', link: 'SKILL.md' },
      { name: 'device', type: '3' },
      { name: 'pipe', type: '6' },
      { name: 'dir/', type: '5' },
    ]),
    ({ path, kind }) => kinds.push(`${path} ${kind}`) > 0,
  );
  assert.deepEqual(kinds, ['link other', 'hard other', 'device other', 'pipe other', 'dir directory']);
  assert.equal(taken.size, 0);
});

test('tar: refuses an archive that is compressed twice', async () => {
  assert.match(await refusalOf(readTar(gzipSync(gzipSync(plainTar(GOOD))), all)), /not a gzipped tar/);
});

test('tar: applies and checks names from extended headers, and refuses wrong sizes', async () => {
  assert.match(
    await refusalOf(readTar(tarOf([paxEntry({ path: '../../x' }), { name: 'good' }]), all)),
    /leads elsewhere/,
  );
  assert.match(
    await refusalOf(readTar(tarOf([{ name: 'long', type: 'L', body: '/etc/x\0' }, { name: 'good' }]), all)),
    /absolute/,
  );
  const { good } = textsOf(await readTar(tarOf([paxEntry({ path: 'good' }), { name: '../bad', body: 'x' }]), all));
  assert.equal(good, 'x');
  assert.match(
    await refusalOf(readTar(tarOf([{ name: 'x', type: 'x', body: 'x'.repeat(100_000) }, { name: 'a' }]), all)),
    /header over/,
  );
  assert.match(await refusalOf(readTar(tarOf([{ name: 'lie', body: 'x', size: 5_000 }]), all)), /damaged/);
});

test('zip: reports links and devices as other entries, and refuses encryption, wrong sizes and wrong CRCs', async () => {
  const kinds: string[] = [];
  await readZip(
    zipOf([
      { name: 'link', mode: 0o120777, body: '/etc/passwd' },
      { name: 'device', mode: 0o020666 },
      { name: 'dir/', mode: 0o040755 },
      { name: 'old', mode: 0, body: 'x' },
    ]),
    ({ path, kind }) => kinds.push(`${path} ${kind}`) === 0,
  );
  assert.deepEqual(kinds, ['link other', 'device other', 'dir directory', 'old file']);
  for (const [index, bad] of [
    zipOf([{ name: 'a', body: 'secret', encrypted: true }]),
    zipOf([{ name: 'a', body: 'x'.repeat(100), size: 10 }]),
    zipOf([{ name: 'a', body: 'x', size: 1_000 }]),
    zipOf([{ name: 'a', body: 'x', method: 0, size: 7 }]),
    zipOf([{ name: 'a', body: 'x', crc: 1 }]),
    zipOf(GOOD, { directory_at: 0 }),
    zipOf(GOOD, { directory_at: 0xffffffff }),
  ].entries())
    assert.notEqual(await refusalOf(readZip(bad, all)), 'taken', `archive ${index}`);
});
