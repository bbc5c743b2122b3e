import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { Problem } from '#core/problem/problem.ts';
import { paxEntry, plainTar, type TarEntry, tarOf, type ZipEntry, zipOf } from '#test/fakes/archives.ts';
import { readTar } from './read-tar.ts';
import { readZip } from './read-zip.ts';

const all = () => true;
const textsOf = (files: Map<string, Uint8Array>) =>
  Object.fromEntries([...files].map(([path, bytes]) => [path, Buffer.from(bytes).toString('utf8')]));

const refusalOf = async (reading: Promise<unknown>): Promise<string> => {
  try {
    await reading;
    return 'taken';
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    assert.equal(error.code, 'execution.bundle_refused');
    return error.message;
  }
};

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
    test('gives the wanted files by path', async () => {
      assert.deepEqual(textsOf(await read(of(GOOD), all)), {
        'SKILL.md': '# a',
        'scripts/run.sh': 'echo é',
        'a/b/c.txt': '',
      });
      const some = await read(of(GOOD), ({ path, kind, size }) => kind === 'file' && size > 0 && path.includes('/'));
      assert.deepEqual([...some.keys()], ['scripts/run.sh']);
    });

    test('any step but downwards, and any odd name, refuses the archive whole', async () => {
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
          /^The files were not taken: the archive (holds|is damaged)/,
          `${JSON.stringify(name)}: ${said}`,
        );
      }
    });

    test('a name twice, too many entries, a nest without end', async () => {
      assert.match(await refusalOf(read(of([...GOOD, { name: 'SKILL.md', body: 'other' }]), all)), /"SKILL.md" twice/);
      assert.match(await refusalOf(read(of([{ name: `${'a/'.repeat(60)}x` }]), all)), /nested too deep|damaged/);
      const many = Array.from({ length: 50_001 }, (_, n) => ({ name: `f${n}`, method: 0 as const }));
      assert.match(await refusalOf(read(of(many), all)), /more than 50000 entries/);
    });

    test('whatever the bytes are, there is an answer', async () => {
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

test('tar: links, devices and pipes are told apart from files and give no bytes', async () => {
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

test('tar: what overrides a name or a size is believed first and then checked', async () => {
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

test('tar: bombs end early, packed twice too', async () => {
  const head = gzipSync(plainTar([{ name: 'zeros', size: 600 * 1024 * 1024 }]).subarray(0, 512));
  const zeros = gzipSync(Buffer.alloc(16 * 1024 * 1024));
  const bomb = Buffer.concat([head, zeros]);
  const padding = Buffer.concat([gzipSync(plainTar(GOOD)), ...Array.from({ length: 38 }, () => zeros)]);
  const started = performance.now();
  assert.match(await refusalOf(readTar(bomb, () => false)), /over \d+ bytes unpacked/);
  assert.equal((await readTar(padding, all)).size, 3, 'what comes after the end is not read');
  assert.ok(performance.now() - started < 5_000);
  assert.match(await refusalOf(readTar(gzipSync(gzipSync(plainTar(GOOD))), all)), /no gzipped tar/);
});

test('zip: links, devices, encryption, wrong sizes and wrong sums are refused or told apart', async () => {
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

test('zip: a bomb is refused by what it says, and by what it does', async () => {
  const said = zipOf(Array.from({ length: 30 }, (_, n) => ({ name: `f${n}`, size: 20 * 1024 * 1024 })));
  assert.match(await refusalOf(readZip(said, () => false)), /over \d+ bytes unpacked/);
  assert.notEqual(
    await refusalOf(readZip(zipOf([{ name: 'f', body: Buffer.alloc(20 * 1024 * 1024), size: 100 }]), all)),
    'taken',
  );
});
