import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { isProblem } from '#core/problem/problem.ts';
import type { BoxOrder } from './box.ts';
import { checkOrder } from './order.ts';

const dir = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-order-')));
after(() => rmSync(dir, { recursive: true }));
mkdirSync(join(dir, 'disk', 'part'), { recursive: true });
writeFileSync(join(dir, 'file'), '');
symlinkSync('/etc', join(dir, 'link'));

const good: BoxOrder = {
  argv: ['node'],
  env: { A: 'b' },
  cwd: '/package',
  mounts: [
    { from: join(dir, 'file'), to: '/package/file', writable: false },
    { from: join(dir, 'disk', 'part'), to: '/work', writable: true },
  ],
  disk: { dir: join(dir, 'disk'), bytes: 1 },
  limits: {
    memory_bytes: 1,
    processes: 1,
    open_files: 1,
    file_bytes: 1,
    cpu_ms: null,
    tmp_bytes: 1,
    shm_bytes: 1,
    wall_ms: null,
  },
  egress: { mode: 'none', watch: false },
};

const mounted = (mount: Partial<BoxOrder['mounts'][number]>): Partial<BoxOrder> => ({
  mounts: [{ from: join(dir, 'file'), to: '/file', writable: false, ...mount }],
});

test('accepts a valid order', () => checkOrder(good));

for (const [pointer, changed] of [
  ['/argv', { argv: [] }],
  ['/argv/0', { argv: ['--bind'] }],
  ['/argv', { argv: ['a', 'b\0c'] }],
  ['/argv', { argv: ['a', 'x'.repeat(131_072)] }],
  ['/argv', { argv: Array(1_001).fill('a') }],
  ['/env', { env: { 'A=B': 'c' } }],
  ['/env', { env: { '': 'c' } }],
  ['/env', { env: { A: 'secret\0' } }],
  ['/env', { env: Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`A${index}`, ''])) }],
  ['/cwd', { cwd: 'relative' }],
  ['/cwd', { cwd: '/a/../b' }],
  ['/mounts/0/from', mounted({ from: join(dir, 'missing') })],
  ['/mounts/0/from', mounted({ from: join(dir, 'link') })],
  ['/mounts/0/from', mounted({ from: join(dir, 'link', 'ssl') })],
  ['/mounts/0/to', mounted({ to: '/' })],
  ['/mounts/0/to', mounted({ to: '/proc/self' })],
  ['/mounts/0/to', mounted({ to: '/etc/passwd' })],
  ['/mounts/0/to', mounted({ to: '/usr/bin/env' })],
  ['/mounts/0/to', mounted({ to: '/a/../etc/passwd' })],
  ['/mounts/0/writable', mounted({ writable: true })],
  ['/disk/dir', { disk: { dir: join(dir, 'link'), bytes: 1 }, mounts: [] }],
  ['/limits/processes', { limits: { ...good.limits, processes: 0 } }],
  ['/limits/memory_bytes', { limits: { ...good.limits, memory_bytes: Number.NaN } }],
] as [string, Partial<BoxOrder>][])
  test(`http.invalid: ${pointer} with ${JSON.stringify(changed).slice(0, 60)}`, () => {
    assert.throws(
      () => checkOrder({ ...good, ...changed }),
      (error: unknown) => {
        assert.ok(isProblem(error, 'http.invalid', 'input'));
        assert.deepEqual(
          error.errors?.map((found) => found.pointer),
          [pointer],
        );
        assert.ok(!error.message.includes('secret'));
        return true;
      },
    );
  });
