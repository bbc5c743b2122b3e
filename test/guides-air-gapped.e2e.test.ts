import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { nextSeq } from '#catalog/changes/changes.ts';
import { IMPORTED, saveListings } from '#catalog/items/items.ts';
import { listing } from './listings.ts';
import { openWorld } from './world.ts';

/** The commands of the guide for machines without a way out, from one instance to another. */

const ROOT = new URL('..', import.meta.url).pathname;
const guide = await readFile(`${ROOT}docs/guides/air-gapped.md`, 'utf8');
const block = (kind: string): string => new RegExp(`^\`\`\`sh ${kind}\\n(.*?)^\`\`\`$`, 'ms').exec(guide)?.[1] ?? '';
const missing = ['bash', 'curl', 'sha256sum'].filter((name) => spawnSync(name, ['--version']).error !== undefined);
const skip = missing.length > 0 && `${missing.join(', ')} not here`;

const cwd = await mkdtemp(join(tmpdir(), 'capstan-carried-'));
after(() => rm(cwd, { recursive: true }));

/** `capstand` as one on the instance in this directory. */
async function run(dataDir: string, script: string, env: Record<string, string> = {}): Promise<void> {
  const capstand = `capstand() { "${process.execPath}" "${ROOT}src/app/main.ts" "$@"; }`;
  const base = { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' };
  const own = { ...base, DATA_DIR: dataDir, CAPSTAN_PROVIDERS: 'off', ...env };
  await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', `${capstand}\n${script}`], { cwd, env: own });
}

test('the commands of the guide import an exported file and follow a mirror', { skip }, async () => {
  await using outside = await openWorld();
  await using inside = await openWorld();
  const names = async () => {
    await inside.catalog.refresh();
    const { items } = await inside.get<{ items: { name: string }[] }>('/api/marketplace/registry?sort=name');
    return items.map(({ name }) => name);
  };
  await inside.catalog.ready;
  const { db } = outside.database;
  const list = async (...ids: string[]) => {
    const save = { run: IMPORTED, now: '2026-01-01T00:00:00.000Z', seq: () => nextSeq(db) };
    await saveListings(
      db,
      'docker',
      ids.map((id) => listing('docker', id)),
      save,
    );
    await outside.catalog.refresh();
  };
  await list('tool-1', 'tool-2');
  await run(outside.data_dir, block('outside'));
  await run(inside.data_dir, block('inside'));
  assert.deepEqual(await names(), ['tool-1', 'tool-2']);
  await list('tool-3');
  await run(inside.data_dir, block('mirror'), { UPSTREAM: (await outside.listen()).url });
  assert.deepEqual(await names(), ['tool-1', 'tool-2', 'tool-3']);
});
