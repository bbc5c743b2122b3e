import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '#runtime/boxes/remove-folder.ts';
import type { Holds } from './holds.ts';
import type { CollectOptions } from './package.ts';
import { type Records, treesOf } from './records.ts';
import { treeDir } from './tree-store.ts';
import type { TreeWork } from './tree-work.ts';

/** Keeps the store within its size limit. Packages in use, or used within `grace_ms`, are never removed. */

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
  const uses = await usesOf(store, known);
  const space = { bytes: await store.trees.bytes(), freed: 0 };
  await dropUnused(store, uses, space, graceMs);
  const removed = await dropOldest(store, known, { uses, space, graceMs, maxBytes: options.max_bytes });
  await store.trees.sweepObjects();
  await removeLocks(store.locks, new Set(uses.locks.values()), graceMs);
  return { removed, freed_bytes: space.freed };
}

type Known = Awaited<ReturnType<Records['list']>>;

interface Uses {
  /** Keys of the records that need a tree, by tree. */
  keys: Map<string, string[]>;
  /** By key. */
  locks: Map<string, string>;
}

interface Space {
  bytes: number;
  freed: number;
}

/** Also removes records whose tree is missing. */
async function usesOf({ records, trees }: Collected, known: Known): Promise<Uses> {
  const uses: Uses = { keys: new Map(), locks: new Map() };
  for (const { key } of known) {
    const record = await records.read(key);
    if (record === null || !(await trees.has(record.tree_sha256))) {
      await records.remove(key);
      continue;
    }
    for (const tree of treesOf(record)) uses.keys.set(tree, [...(uses.keys.get(tree) ?? []), key]);
    uses.locks.set(key, record.lock_sha256);
  }
  return uses;
}

async function dropTree({ trees }: Collected, tree: string, space: Space): Promise<void> {
  const freed = await trees.remove(tree);
  space.bytes -= freed;
  space.freed += freed;
}

async function dropUnused(store: Collected, uses: Uses, space: Space, graceMs: number): Promise<void> {
  for (const tree of await store.trees.list()) {
    if (uses.keys.has(tree)) continue;
    if ((await isOld(treeDir(store.dir, tree), graceMs)) && !(await store.holds.isHeld(tree)))
      await dropTree(store, tree, space);
  }
}

/** Removes the records that were not used for longest, with the trees that only they need, and returns their number. */
async function dropOldest(
  store: Collected,
  known: Known,
  { uses, space, graceMs, maxBytes }: { uses: Uses; space: Space; graceMs: number; maxBytes: number },
): Promise<number> {
  let removed = 0;
  for (const { key, used_ms } of known) {
    if (space.bytes <= maxBytes) break;
    const record = await store.records.read(key);
    if (record === null || used_ms > Date.now() - graceMs || (await store.holds.isHeld(record.tree_sha256))) continue;
    await store.records.remove(key);
    removed += 1;
    for (const tree of forgetUse(uses, key, treesOf(record))) await dropTree(store, tree, space);
  }
  return removed;
}

/** Returns the trees that nothing else needs. */
function forgetUse(uses: Uses, key: string, trees: readonly string[]): string[] {
  uses.locks.delete(key);
  for (const tree of trees)
    uses.keys.set(
      tree,
      (uses.keys.get(tree) ?? []).filter((each) => each !== key),
    );
  return trees.filter((tree) => uses.keys.get(tree)?.length === 0);
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
