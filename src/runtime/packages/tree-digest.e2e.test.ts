import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { checkLinks, digestOfEntries, readTree, type TreeEntry } from './tree-digest.ts';

const root = await mkdtemp(join(tmpdir(), 'capstan-tree-'));
after(() => rm(root, { recursive: true, force: true }));
let made = 0;

async function treeOf(make: (dir: string) => Promise<unknown>): Promise<string> {
  made += 1;
  const dir = join(root, `${made}`);
  await mkdir(dir);
  await make(dir);
  return dir;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

test('the tree digest is the SHA-256 of the documented records', async () => {
  const dir = await treeOf(async (at) => {
    await mkdir(join(at, 'bin'));
    await writeFile(join(at, 'bin/run'), 'go', { mode: 0o700 });
    await writeFile(join(at, 'a'), 'text', { mode: 0o600 });
    await symlink('bin/run', join(at, 'link'));
  });
  const records = [
    `f 444 ${sha256('text')} a\0`,
    'd 555 - bin\0',
    `f 555 ${sha256('go')} bin/run\0`,
    `l 777 ${sha256('bin/run')} link\0`,
  ];
  const tree = readTree(dir);
  assert.equal(tree.sha256, sha256(records.join('')));
  assert.deepEqual([tree.files, tree.size_bytes], [3, 'textgobin/run'.length]);
});

const segment = fc.stringMatching(/^[a-zäß€][a-z0-9.]{0,5}$/);
const files = fc.uniqueArray(fc.tuple(fc.array(segment, { minLength: 1, maxLength: 3 }), fc.string(), fc.boolean()), {
  selector: ([path]) => path[0] ?? '',
  minLength: 1,
  maxLength: 6,
});

test('the digest ignores creation order, and changes with any content, mode or new entry', async () => {
  await fc.assert(
    fc.asyncProperty(files, fc.nat(), async (given, pick) => {
      const write = (list: typeof given) =>
        treeOf(async (at) => {
          for (const [path, text, executable] of list) {
            const file = join(at, ...path);
            await mkdir(dirname(file), { recursive: true });
            await writeFile(file, text, { mode: executable ? 0o755 : 0o644 });
          }
        });
      const first = await write(given);
      const { sha256: digest } = readTree(first);
      assert.equal(readTree(await write(given.toReversed())).sha256, digest);
      const [path, text, executable] = given[pick % given.length] as (typeof given)[number];
      const file = join(first, ...path);
      await writeFile(file, `${text}!`);
      assert.notEqual(readTree(first).sha256, digest);
      await writeFile(file, text);
      assert.equal(readTree(first).sha256, digest);
      await chmod(file, executable ? 0o644 : 0o755);
      assert.notEqual(readTree(first).sha256, digest);
      await chmod(file, executable ? 0o755 : 0o644);
      await mkdir(join(first, 'NEW'));
      assert.notEqual(readTree(first).sha256, digest);
    }),
    { numRuns: 30 },
  );
});

test('different trees never have the same digest, whatever characters are in their paths', () => {
  const entry = fc.record({
    kind: fc.constantFrom('d' as const, 'f' as const, 'l' as const),
    mode: fc.constantFrom('444' as const, '555' as const, '777' as const),
    content: fc.constantFrom(sha256('a'), sha256('b'), ''),
    size: fc.constant(0),
  });
  const path = fc.string({ minLength: 1, maxLength: 4, unit: fc.constantFrom('a', ' ', '\n', 'f', '4', '/') });
  const tree = fc.uniqueArray(fc.tuple(path, entry), { selector: ([name]) => name, maxLength: 3 });
  const textOf = (list: readonly (readonly [string, TreeEntry])[]) =>
    JSON.stringify(
      list.map(([name, { kind, mode, content }]) => [name, kind, mode, kind === 'd' ? '' : content]).sort(),
    );
  fc.assert(
    fc.property(tree, tree, (a, b) => {
      assert.equal(digestOfEntries(new Map(a)) === digestOfEntries(new Map(b)), textOf(a) === textOf(b));
    }),
  );
});

const LINKS: [string, Record<string, string>, boolean][] = [
  ['inside the tree', { 'a/link': '../b/file' }, true],
  ['to a missing file', { link: 'missing' }, true],
  ['to an absolute path', { link: '/etc/passwd' }, false],
  ['out of the tree', { link: '../../etc/passwd' }, false],
  ['out of the tree through another link', { 'd/e/up': '../..', trick: 'd/e/up/../outside' }, false],
  ['to itself', { link: 'link' }, false],
  ['in a cycle', { a: 'b', b: 'a' }, false],
  ['to the root', { 'a/link': '..' }, true],
];

for (const [name, links, good] of LINKS)
  test(`a link ${name} is ${good ? 'allowed' : 'refused'}`, () => {
    const entries = new Map<string, TreeEntry>(
      Object.entries(links).map(([path, content]) => [path, { kind: 'l', mode: '777', content, size: 0 }]),
    );
    const check = () => checkLinks(entries, 'a package');
    if (good) check();
    else assert.throws(check, { code: 'packages.unsupported', reason: 'unsafe_files' });
  });

test('refuses a symlink out of the tree without following it', async () => {
  const dir = await treeOf((at) => symlink('/etc', join(at, 'etc')));
  assert.throws(() => readTree(dir), { code: 'packages.unsupported', reason: 'unsafe_files' });
});

test('refuses named pipes and sockets', async () => {
  const pipe = await treeOf(async (at) => execFileSync('mkfifo', [join(at, 'pipe')]));
  assert.throws(() => readTree(pipe), { code: 'packages.unsupported', reason: 'unsafe_files' });
  const server = createServer();
  const dir = await treeOf((at) => new Promise<void>((resolve) => server.listen(join(at, 's'), resolve)));
  assert.throws(() => readTree(dir), { code: 'packages.unsupported', reason: 'unsafe_files' });
  await new Promise((resolve) => server.close(resolve));
});

test('refuses a tree with more files or bytes than the limits', async () => {
  const dir = await treeOf(async (at) => {
    for (const name of ['a', 'b', 'c']) await writeFile(join(at, name), 'xxxx');
  });
  const limits = { what: 'a', max_bytes: 100, max_files: 100 };
  assert.throws(() => readTree(dir, Object.assign({}, limits, { max_files: 2 })), {
    code: 'packages.unsupported',
    reason: 'too_many_files',
  });
  assert.throws(() => readTree(dir, Object.assign({}, limits, { max_bytes: 11 })), {
    code: 'packages.unsupported',
    reason: 'too_large',
  });
  assert.equal(readTree(dir, limits).files, 3);
});
