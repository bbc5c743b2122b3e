import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { chmodSync, closeSync, lstatSync, openSync, readdirSync, readlinkSync, readSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '#core/crypto/sha256.ts';
import { tooLarge, tooManyFiles, unsafeFiles } from './errors.ts';

/**
 * The digest of a prepared tree: SHA-256, in lower-case hexadecimal, over one record for each directory, file and link
 * below the root, in ascending order of the path's UTF-8 bytes. A record is
 *
 *     <kind> SP <mode> SP <content> SP <path> NUL
 *
 * - `kind`: `d` directory, `f` file, `l` symbolic link.
 * - `mode`: `555` for directories and for files with any execute bit, `444` for other files, `777` for links.
 * - `content`: the SHA-256 of a file's bytes, of a link's target as UTF-8, or `-` for directories.
 * - `path`: relative to the root with `/`, as UTF-8, without `./`; the root has no record.
 *
 * Links are never followed. Owners, times and hard links do not count. A tree with another kind of file, or a link that
 * leads out of it, has no digest.
 */
export interface TreeEntry {
  kind: 'd' | 'f' | 'l';
  mode: '444' | '555' | '777';
  /** SHA-256 of a file, the target of a link, "" for a directory. */
  content: string;
  size: number;
}

export interface Tree {
  sha256: string;
  /** By path. */
  entries: ReadonlyMap<string, TreeEntry>;
  /** Files and links. */
  files: number;
  size_bytes: number;
}

export interface TreeLimits {
  /** Name of the tree in errors. */
  what: string;
  max_bytes: number;
  max_files: number;
}

const NO_LIMITS: TreeLimits = {
  what: 'The tree',
  max_bytes: Number.POSITIVE_INFINITY,
  max_files: Number.POSITIVE_INFINITY,
};

/** The digest of entries that are already known; pure. Paths are well-formed text. */
export function digestOfEntries(entries: ReadonlyMap<string, TreeEntry>): string {
  const paths = [...entries.keys()].map((path) => ({ path, bytes: Buffer.from(path) }));
  paths.sort((a, b) => Buffer.compare(a.bytes, b.bytes));
  const hash = createHash('sha256');
  for (const { path, bytes } of paths) {
    const { kind, mode, content } = entries.get(path) as TreeEntry;
    const shown = kind === 'd' ? '-' : kind === 'l' ? sha256(content) : content;
    hash.update(`${kind} ${mode} ${shown} `);
    hash.update(bytes);
    hash.update('\0');
  }
  return hash.digest('hex');
}

/**
 * Reads a whole tree without following links. Synchronous, because tens of thousands of small reads cost ten times as much
 * otherwise; the service calls it in a thread (tree-thread.ts).
 *
 * @throws Problem `packages.unsupported` (`unsafe_files`), `packages.unsupported` (`too_large`), `packages.unsupported` (`too_many_files`).
 */
export function readTree(root: string, limits: TreeLimits = NO_LIMITS): Tree {
  const entries = new Map<string, TreeEntry>();
  let files = 0;
  let size_bytes = 0;
  for (const { path, full, stats } of walk(root, limits)) {
    if (stats.isDirectory()) {
      entries.set(path, { kind: 'd', mode: '555', content: '', size: 0 });
      continue;
    }
    files += 1;
    size_bytes += stats.size;
    if (size_bytes > limits.max_bytes) throw tooLarge(limits.what, limits.max_bytes);
    if (stats.isSymbolicLink()) {
      const target = readlinkSync(full, 'buffer');
      if (!isUtf8(target)) throw unsafeFiles(limits.what, `the link "${path}" has an unreadable target`);
      entries.set(path, { kind: 'l', mode: '777', content: target.toString(), size: stats.size });
    } else {
      const mode = (stats.mode & 0o111) === 0 ? '444' : '555';
      entries.set(path, { kind: 'f', mode, content: hashFile(full), size: stats.size });
    }
  }
  checkLinks(entries, limits.what);
  return { sha256: digestOfEntries(entries), entries, files, size_bytes };
}

/** Makes every file 444 or 555 and every directory but the root 555, which also clears setuid and setgid bits. */
export function makeReadOnly(root: string, entries: Tree['entries']): void {
  // Children first: a directory that cannot be searched hides them.
  for (const [path, { kind, mode }] of [...entries].reverse())
    if (kind !== 'l') chmodSync(join(root, path), Number.parseInt(mode, 8));
}

/** Whether every entry has exactly the mode that a stored tree has. */
export function hasStoredModes(root: string, entries: Tree['entries']): boolean {
  for (const [path, { kind, mode }] of entries) {
    if (kind === 'l') continue;
    if ((lstatSync(join(root, path)).mode & 0o7777) !== Number.parseInt(mode, 8)) return false;
  }
  return true;
}

const MOST_DEPTH = 128;

function* walk(root: string, limits: TreeLimits) {
  let count = 0;
  const pending: { path: string; depth: number }[] = [{ path: '', depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const names = readdirSync(join(root, next.path), { encoding: 'buffer' });
    if (next.depth > MOST_DEPTH) throw unsafeFiles(limits.what, `"${next.path}" is nested too deeply`);
    for (const bytes of names) {
      count += 1;
      if (count > limits.max_files) throw tooManyFiles(limits.what, limits.max_files);
      const path = pathIn(next.path, bytes, limits.what);
      const full = join(root, path);
      const stats = checkedStats(full, path, limits.what);
      if (stats.isDirectory()) pending.push({ path, depth: next.depth + 1 });
      yield { path, full, stats };
    }
  }
}

function pathIn(parent: string, name: Buffer, what: string): string {
  if (!isUtf8(name)) throw unsafeFiles(what, `"${parent}" has a file name that is not UTF-8`);
  return parent === '' ? name.toString() : `${parent}/${name.toString()}`;
}

function checkedStats(full: string, path: string, what: string): Stats {
  const stats = lstatSync(full);
  if (stats.isDirectory() || stats.isFile() || stats.isSymbolicLink()) return stats;
  throw unsafeFiles(what, `"${path}" is a device, a socket or a pipe`);
}

const CHUNK = Buffer.alloc(1024 * 1024);

/** SHA-256 of a file's bytes, in hexadecimal. */
export function hashFile(path: string): string {
  const hash = createHash('sha256');
  const file = openSync(path, 'r');
  try {
    for (let size = readSync(file, CHUNK); size > 0; size = readSync(file, CHUNK)) hash.update(CHUNK.subarray(0, size));
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}

const MOST_HOPS = 40;

/** Follows each link on paper, through other links too, and refuses one that leaves the tree or never ends. */
export function checkLinks(entries: ReadonlyMap<string, TreeEntry>, what: string): void {
  for (const [path, { kind }] of entries) {
    if (kind !== 'l') continue;
    const fault = leadsOut(entries, path);
    if (fault !== null) throw unsafeFiles(what, `the link "${path}" ${fault}`);
  }
}

function leadsOut(entries: ReadonlyMap<string, TreeEntry>, link: string): string | null {
  const at: string[] = [];
  // Segments still to walk, the next one last.
  const ahead = link.split('/').reverse();
  let hops = 0;
  for (let segment = ahead.pop(); segment !== undefined; segment = ahead.pop()) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') {
      if (at.pop() === undefined) return 'leads out of the tree';
      continue;
    }
    at.push(segment);
    const entry = entries.get(at.join('/'));
    if (entry?.kind !== 'l') continue;
    hops += 1;
    if (hops > MOST_HOPS) return 'leads to itself';
    if (entry.content.startsWith('/')) return 'leads out of the tree';
    at.pop();
    ahead.push(...entry.content.split('/').reverse());
  }
  return null;
}
