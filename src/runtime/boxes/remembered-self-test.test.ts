import assert from 'node:assert/strict';
import { chmod, link, mkdtemp, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { BoxIsolation } from './box.ts';
import { readSelfTestFacts, rememberedSelfTest, type SelfTestMemory } from './remembered-self-test.ts';

const dir = await mkdtemp(join(tmpdir(), 'capstan-remembered-'));
after(() => rm(dir, { recursive: true }));

const HOUR_MS = 3_600_000;
const FACTS = { boot: 'a', machine: 'b', code: 'c' };
let files = 0;

/** Boxes that count how often they are tried, and a file of their own. */
function fixture(isolation: BoxIsolation = 'bwrap+seccomp') {
  const file = join(dir, `${++files}`, 'self-test.json');
  const tried = { times: 0, ok: true };
  const driverOf = (level: BoxIsolation) => ({
    isolation: level,
    selfTest: async () => {
      tried.times++;
      return { ok: tried.ok, isolation: level, text: 'tried now', fix: null, attacks: [], took_ms: 1 };
    },
  });
  /** True if the attacks were tried for it. */
  async function tries(more: Partial<typeof FACTS> = {}, { at = 0, level = isolation, fresh = false } = {}) {
    const before = tried.times;
    const memory: SelfTestMemory = { file, fresh };
    const around = { facts: { ...FACTS, ...more }, now_ms: 1_000 * HOUR_MS + at };
    const { ok } = await rememberedSelfTest(driverOf(level), memory, around);
    assert.equal(ok, tried.ok);
    return tried.times > before;
  }
  return { file, tried, tries };
}

test('a result counts for a day in later processes, and is read by its user alone', async () => {
  const { file, tries } = fixture();
  assert.equal(await tries(), true);
  assert.equal(await tries(), false);
  assert.equal(await tries({}, { at: 24 * HOUR_MS - 1 }), false);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal(await tries({}, { at: 24 * HOUR_MS }), true, 'too old');
  assert.equal(await tries({}, { at: -1 }), true, 'from the future: the clock was changed');
});

test('another boot, machine, code or isolation is tried again', async () => {
  const { tries } = fixture();
  assert.equal(await tries(), true);
  for (const other of [{ boot: 'x' }, { machine: 'x' }, { code: 'x' }]) {
    assert.equal(await tries(other), true, JSON.stringify(other));
    assert.equal(await tries(), true, 'the other one took its place');
  }
  assert.equal(await tries({}, { level: 'bwrap' }), true);
});

test('a check that was asked for tries the attacks, and its result is remembered', async () => {
  const { tries } = fixture();
  assert.equal(await tries(), true);
  assert.equal(await tries({}, { fresh: true, at: HOUR_MS }), true);
  assert.equal(await tries({}, { at: 24 * HOUR_MS }), false);
});

test('a failure is not remembered, and ends what was remembered', async () => {
  const { tried, tries } = fixture();
  tried.ok = false;
  assert.equal(await tries(), true);
  tried.ok = true;
  assert.equal(await tries(), true);
  tried.ok = false;
  assert.equal(await tries({}, { fresh: true }), true);
  tried.ok = true;
  assert.equal(await tries(), true);
});

test('a file that others could have written, or that is not a record, is ignored', async () => {
  const { file, tries } = fixture();
  await tries();
  const folder = join(file, '..');
  const good = await readFile(file, 'utf8');
  const spoilt: [string, () => Promise<void>][] = [
    ['writable by the group', () => chmod(file, 0o620)],
    ['writable by others', () => chmod(file, 0o602)],
    ['not JSON', () => writeFile(file, good.slice(0, 20))],
    ['null', () => writeFile(file, 'null')],
    ['without a time', () => writeFile(file, good.replace('tested_at', 'tested'))],
    ['a time that is text', () => writeFile(file, good.replace(/:(\d+)/, ':"$1"'))],
    ['too long', () => writeFile(file, good + ' '.repeat(2_000))],
    ['with a second name', () => link(file, `${file}.other`)],
    [
      'a link',
      async () => {
        await rename(file, `${file}.moved`);
        await symlink(`${file}.moved`, file);
      },
    ],
  ];
  for (const [what, spoil] of spoilt) {
    await spoil();
    assert.equal(await tries(), true, what);
    assert.equal(await tries(), false, `${what}: replaced by a new record`);
  }
  await chmod(folder, 0o777);
  assert.equal(await tries(), true, 'a folder that others can write to');
  assert.equal(await tries(), true, 'nothing is remembered there');
});

test('the facts name boot, kernel, user and programs, and are the same for the next process', async () => {
  const facts = await readSelfTestFacts('bwrap+seccomp');
  assert.ok(facts !== null);
  assert.deepEqual(await readSelfTestFacts('bwrap+seccomp'), facts);
  assert.equal(await readSelfTestFacts('container'), null, 'an engine may change unnoticed');
  assert.match(String(facts.boot), /^[0-9a-f-]{36}$/);
  assert.match(String(facts.code), /^[0-9a-f]{64}$/);
  for (const name of ['machine', 'kernel', 'kernel_settings', 'user', 'privileges', 'namespaces', 'host', 'programs'])
    assert.ok(name in facts, name);
});
