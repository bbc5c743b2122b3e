import {
  chmodSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { newId } from '#core/ids.ts';
import { hashFile, hasStoredModes, makeReadOnly, readTree, type Tree, type TreeLimits } from './tree-digest.ts';

/**
 * Trees by their digest, and their files by content and mode: a file of several trees is stored once, by hard links.
 *
 *     trees/<tree_sha256>/…   objects/<first two digits>/<sha256>-<mode>
 *
 * Synchronous: it runs in a thread (tree-thread.ts).
 */
export interface TreeStore {
  /** Reads a folder on the store's own disk that `adopt` may take over next. */
  measure(dir: string, limits: TreeLimits): TreeSummary;
  /** Moves a measured folder to its digest. The folder is gone afterwards. */
  adopt(dir: string): void;
  /** Whether the stored tree is there with exactly the bytes and modes of its digest. */
  isIntact(treeSha256: string): boolean;
  has(treeSha256: string): boolean;
  list(): string[];
  /** Answers the bytes that the next sweep frees. */
  remove(treeSha256: string): number;
  /** Removes files that no tree has. */
  sweepObjects(): void;
  /** Bytes on disk, each shared file once. */
  bytes(): number;
  /** Removes any folder, read-only ones too. Links in it are removed, not followed. */
  removeTree(dir: string): void;
}

interface TreeSummary {
  tree_sha256: string;
  files: number;
  size_bytes: number;
}

const DIGEST = /^[0-9a-f]{64}$/;

export function treeDir(dir: string, tree_sha256: string): string {
  if (!DIGEST.test(tree_sha256)) throw new Error('not a tree digest');
  return join(dir, 'trees', tree_sha256);
}

export function openTreeStore(dir: string): TreeStore {
  const trees = join(dir, 'trees');
  const objects = join(dir, 'objects');
  const measured = new Map<string, Tree>();
  const isIntact = (treeSha256: string): boolean => {
    const target = treeDir(dir, treeSha256);
    try {
      const tree = readTree(target);
      return tree.sha256 === treeSha256 && hasStoredModes(target, tree.entries);
    } catch {
      return false;
    }
  };
  return {
    measure: (from, limits) => {
      const tree = readTree(from, limits);
      measured.set(from, tree);
      return { tree_sha256: tree.sha256, files: tree.files, size_bytes: tree.size_bytes };
    },
    adopt: (from) => {
      const tree = measured.get(from);
      if (tree === undefined) throw new Error('not measured');
      measured.delete(from);
      const target = treeDir(dir, tree.sha256);
      mkdirSync(trees, { recursive: true, mode: 0o755 });
      if (isThere(target)) {
        if (isIntact(tree.sha256)) return removeTree(from);
        away(trees, tree.sha256);
      }
      takeOwnership(from, tree);
      share(from, objects, tree);
      makeReadOnly(from, tree.entries);
      try {
        renameSync(from, target);
      } catch (error) {
        // Another process was quicker with the same tree.
        if (!isThere(target)) throw error;
        removeTree(from);
      }
      chmodSync(target, 0o555);
    },
    isIntact,
    has: (treeSha256) => isThere(treeDir(dir, treeSha256)),
    list: () => namesIn(trees).filter((name) => DIGEST.test(name)),
    remove: (treeSha256) => {
      const freed = bytesOfItsOwn(treeDir(dir, treeSha256));
      away(trees, treeSha256);
      return freed;
    },
    sweepObjects: () => {
      for (const { path, links } of eachObject(objects)) if (links === 1) rmSync(path, { force: true });
    },
    bytes: () => eachObject(objects).reduce((total, { size }) => total + size, 0),
    removeTree,
  };
}

/** Out of sight in one step: a crash leaves no half of a tree under its digest. */
function away(trees: string, treeSha256: string): void {
  if (isThere(join(trees, treeSha256))) renameSync(join(trees, treeSha256), join(trees, `${newId()}.gone`));
  for (const name of namesIn(trees)) if (name.endsWith('.gone')) removeTree(join(trees, name));
}

/** Metadata that only this tree and the objects have. */
function bytesOfItsOwn(dir: string): number {
  if (!isThere(dir)) return 0;
  let bytes = 0;
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const { nlink, size } = lstatSync(join(entry.parentPath, entry.name));
    if (nlink <= 2) bytes += size;
  }
  return bytes;
}

/** Boxes of a root service write as another user; stored files belong to the service. */
function takeOwnership(root: string, { entries }: Tree): void {
  if (process.getuid?.() !== 0) return;
  const group = process.getgid?.() ?? 0;
  for (const path of ['', ...entries.keys()]) {
    const file = join(root, path);
    if (lstatSync(file).uid !== 0) lchownSync(file, 0, group);
  }
}

/** Replaces each file by a hard link to its stored twin, or makes it the first one. */
function share(root: string, objects: string, { entries }: Tree): void {
  const made = new Set<string>();
  for (const [path, { kind, content, mode }] of entries) {
    if (kind !== 'f') continue;
    const folder = join(objects, content.slice(0, 2));
    if (!made.has(folder)) mkdirSync(folder, { recursive: true, mode: 0o755 });
    made.add(folder);
    const file = join(root, path);
    chmodSync(file, Number.parseInt(mode, 8));
    shareOne(file, join(folder, `${content}-${mode}`));
  }
}

function shareOne(file: string, object: string): void {
  try {
    linkSync(file, object);
    return;
  } catch (error) {
    // Too many links: the object keeps those it has, and this file is stored beside it.
    if (codeOf(error) === 'EMLINK') return;
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  if (lstatSync(file).ino === lstatSync(object).ino) return;
  // A twin that was changed on disk is replaced, not shared further.
  const good = hashFile(object) === basename(object).split('-')[0];
  const [from, to] = good ? [object, file] : [file, object];
  const draft = join(dirname(file), `.${newId()}`);
  try {
    linkSync(from, draft);
    renameSync(draft, to);
  } catch (error) {
    rmSync(draft, { force: true });
    if (!['EMLINK', 'ENOENT'].includes(codeOf(error))) throw error;
  }
}

interface StoredObject {
  path: string;
  links: number;
  size: number;
}

function eachObject(objects: string): StoredObject[] {
  const found: StoredObject[] = [];
  for (const folder of namesIn(objects))
    for (const name of namesIn(join(objects, folder))) {
      const path = join(objects, folder, name);
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats !== undefined) found.push({ path, links: stats.nlink, size: stats.size });
    }
  return found;
}

/** Makes directories writable first: a user without special rights cannot empty a 555 directory. */
export function removeTree(dir: string): void {
  const pending = [dir];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) continue;
    chmodSync(path, 0o700);
    for (const entry of readdirSync(path, { withFileTypes: true }))
      if (entry.isDirectory()) pending.push(join(path, entry.name));
  }
  rmSync(dir, { recursive: true, force: true });
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException)?.code ?? '';
