import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '#runtime/boxes/remove-folder.ts';
import type { Holds } from './holds.ts';
import type { CollectOptions } from './package.ts';
import { type Records, treesOf } from './records.ts';
import { treeDir } from './tree-store.ts';
import type { TreeWork } from './tree-work.ts';

/** Keeps the store within its size. What is in use, or was within `grace_ms`, is never removed. */

const GRACE_MS = 10 * 60_000;

interface Collected {
  dir: string;
  /** `<dir>/staging`, `<dir>/locks`. */
  staging: string;
  locks: string;
  trees: TreeWork;
  records: Records;
  holds: Holds;
}

export async function collect(
  store: Collected,
  options: CollectOptions,
): Promise<{ removed: number; freed_bytes: number }> {
  const graceMs = options.grace_ms ?? GRACE_MS;
  await removeAbandoned(store, graceMs);
  const known = (await store.records.list()).sort((a, b) => a.used_ms - b.used_ms);
  const users = new Map<string, string[]>();
  const locks = new Map<string, string>();
  for (const { key } of known) {
    const record = await store.records.read(key);
    if (record === null || !(await store.trees.has(record.tree_sha256))) {
      await store.records.remove(key);
      continue;
    }
    for (const tree of treesOf(record)) users.set(tree, [...(users.get(tree) ?? []), key]);
    locks.set(key, record.lock_sha256);
  }
  let total = await store.trees.bytes();
  let removed = 0;
  let freed_bytes = 0;
  const drop = async (treeSha256: string) => {
    const freed = await store.trees.remove(treeSha256);
    total -= freed;
    freed_bytes += freed;
  };
  for (const tree of await store.trees.list())
    if (!users.has(tree) && (await isOld(treeDir(store.dir, tree), graceMs)) && !(await store.holds.isHeld(tree)))
      await drop(tree);
  for (const { key, used_ms } of known) {
    if (total <= options.max_bytes) break;
    const record = await store.records.read(key);
    if (record === null || used_ms > Date.now() - graceMs || (await store.holds.isHeld(record.tree_sha256))) continue;
    await store.records.remove(key);
    locks.delete(key);
    removed += 1;
    for (const tree of treesOf(record)) {
      const others = (users.get(tree) ?? []).filter((each) => each !== key);
      users.set(tree, others);
      if (others.length === 0) await drop(tree);
    }
  }
  await store.trees.sweepObjects();
  await removeLocks(store.locks, new Set(locks.values()), graceMs);
  return { removed, freed_bytes };
}

/** Folders of preparations whose process died. */
async function removeAbandoned({ staging, holds, trees }: Collected, graceMs: number): Promise<void> {
  for (const name of await readdir(staging).catch(() => []))
    if ((await isOld(join(staging, name), graceMs)) && !(await holds.isHeld(name)))
      await removeStaging(trees, join(staging, name));
}

async function removeLocks(dir: string, wanted: ReadonlySet<string>, graceMs: number): Promise<void> {
  for (const name of await readdir(dir).catch(() => []))
    if (!wanted.has(name) && (await isOld(join(dir, name), graceMs))) await rm(join(dir, name), { force: true });
}

async function isOld(path: string, ageMs: number): Promise<boolean> {
  const stats = await stat(path).catch(() => null);
  return stats !== null && Math.max(stats.ctimeMs, stats.mtimeMs) <= Date.now() - ageMs;
}

/** A box can make folders too deep for Node. Those are never stored, so nothing is shared with them. */
export async function removeStaging(trees: TreeWork, dir: string): Promise<void> {
  await trees.removeTree(dir).catch(() => removeFolder(dir));
}
