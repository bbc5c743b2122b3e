import { chmod, link, mkdir, open, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadEntry } from 'tar';
import type { Problem } from '#core/problem/problem.ts';
import { shown, tooLarge, tooManyFiles, unsafeFiles } from './errors.ts';
import type { Layer } from './oci-manifest.ts';
import { readLayer } from './read-layer.ts';

/**
 * Unpacks the layers of an image into one folder that a box shows as its root.
 *
 * A model of the tree in memory resolves each path: a layer may write below a link of a lower one, and on the host
 * that link would lead anywhere. The disk is only written at places that the model knows to be real folders. Devices, owners and
 * special bits are left out. Absolute links become relative, so that no link of the stored tree leads out of it.
 */
interface ImageTree {
  /** @throws Problem `packages.unsupported` (`unsafe_files`), `packages.unsupported` (`too_large`), `packages.unsupported` (`too_many_files`); the signal's reason. */
  addLayer(file: string, compression: Layer['compression'], signal: AbortSignal): Promise<void>;
  /** Creates the folder and its parents if they do not exist. */
  ensureFolder(path: string): Promise<void>;
  /** Creates an empty file, replacing anything else at the path. */
  ensureFile(path: string): Promise<void>;
  /** Whether a program can be found there, through links. */
  kindOf(path: string): 'folder' | 'file' | null;
}

interface ImageTreeLimits {
  what: string;
  /** Of everything unpacked, including files that a later layer replaces. */
  max_bytes: number;
  max_files: number;
}

interface Folder {
  kind: 'folder';
  layer: number;
  children: Map<string, TreeNode>;
}
interface File {
  kind: 'file';
  layer: number;
}
interface Link {
  kind: 'link';
  layer: number;
  target: string;
}
type TreeNode = Folder | File | Link;

/** A walk along a path. */
interface Way {
  /** The requested path. */
  path: string;
  /** The folders from the root to the current one. */
  passed: { name: string; folder: Folder }[];
  /** Places of folders that did not exist before. */
  made: string[];
  /** The segments still to go, the next one last. A link adds those of its target. */
  ahead: string[];
  /** Links followed so far. */
  hops: number;
}

const MOST_DEPTH = 120;
const MOST_HOPS = 40;
const MOST_NAME_BYTES = 255;
const MOST_PATH_CHARS = 4_096;
const WHITEOUT = '.wh.';
const OPAQUE = '.wh..wh..opq';

export function openImageTree(root: string, limits: ImageTreeLimits): ImageTree {
  const top: Folder = { kind: 'folder', layer: 0, children: new Map() };
  let layer = 0;
  let nodes = 0;
  let bytes = 0;

  const refuse = (path: string, why: string) => unsafeFiles(limits.what, `"${shown(path, 100)}" ${why}`);

  function count(): void {
    nodes += 1;
    if (nodes > limits.max_files) throw tooManyFiles(limits.what, limits.max_files);
  }

  /** The real place of a path: links on the way are followed inside the tree, and missing folders are made if asked for. */
  function walk(path: string, { make, follow_last }: { make: boolean; follow_last: boolean }) {
    const way: Way = { path, passed: [], made: [], ahead: segmentsOf(path).reverse(), hops: 0 };
    for (let name = nextName(way); name !== undefined; name = nextName(way)) {
      const folder = way.passed.at(-1)?.folder ?? top;
      const node = folder.children.get(name) ?? null;
      const isFollowed = node?.kind === 'link' && (way.ahead.length > 0 || follow_last);
      if (isFollowed) followLink(way, node.target);
      else if (way.ahead.length === 0) return { folder, name, node, path: placeOf(way.passed, name), made: way.made };
      else if (node === null && !make) return null;
      else enter(way, folder, name);
    }
    return null;
  }

  function followLink(way: Way, target: string): void {
    way.hops += 1;
    if (way.hops > MOST_HOPS) throw refuse(way.path, 'leads through too many links');
    // An absolute target starts at the root of the image.
    if (target.startsWith('/')) way.passed.length = 0;
    way.ahead.push(...segmentsOf(target).reverse());
    if (way.ahead.length > MOST_DEPTH * MOST_HOPS) throw refuse(way.path, 'is nested too deeply');
  }

  /** Enters the folder of this name, and creates it if necessary. */
  function enter(way: Way, parent: Folder, name: string): void {
    const found = parent.children.get(name);
    if (found !== undefined && found.kind !== 'folder') throw refuse(way.path, 'is below a file');
    if (way.passed.length >= MOST_DEPTH) throw refuse(way.path, 'is nested too deeply');
    if (found === undefined) way.made.push(placeOf(way.passed, name));
    way.passed.push({ name, folder: found ?? addFolder(parent, name) });
  }

  function addFolder(parent: Folder, name: string): Folder {
    count();
    const folder: Folder = { kind: 'folder', layer, children: new Map() };
    parent.children.set(name, folder);
    return folder;
  }

  async function placeFor(path: string) {
    const place = walk(path, { make: true, follow_last: false });
    if (place === null) return null;
    for (const folder of place.made) await mkdir(join(root, folder));
    return place;
  }

  async function remove(folder: Folder, name: string, path: string): Promise<void> {
    folder.children.delete(name);
    await rm(join(root, path), { recursive: true, force: true });
  }

  async function putFolder(path: string): Promise<void> {
    const place = await placeFor(path);
    if (place === null) return;
    const { folder, name, node } = place;
    if (node?.kind === 'folder') {
      node.layer = layer;
      return;
    }
    if (node !== null) await remove(folder, name, place.path);
    addFolder(folder, name);
    await mkdir(join(root, place.path));
  }

  /** The place of a file or link, after removing what was there. */
  async function freshPlace(path: string): Promise<{ folder: Folder; name: string; file: string; depth: number }> {
    const place = await placeFor(path);
    if (place === null) throw refuse(path, 'is not a file name');
    if (place.node !== null) await remove(place.folder, place.name, place.path);
    count();
    return {
      folder: place.folder,
      name: place.name,
      file: join(root, place.path),
      depth: place.path.split('/').length - 1,
    };
  }

  async function putFile(entry: ReadEntry, path: string): Promise<void> {
    const { folder, name, file } = await freshPlace(path);
    const handle = await open(file, 'wx', ((entry.mode ?? 0) & 0o111) === 0 ? 0o644 : 0o755);
    try {
      for await (const chunk of entry as AsyncIterable<Buffer>) await handle.write(chunk);
    } finally {
      await handle.close();
    }
    folder.children.set(name, { kind: 'file', layer });
  }

  async function putLink(path: string, target: string): Promise<void> {
    if (target === '' || target.includes('\0') || target.length > MOST_PATH_CHARS)
      throw refuse(path, 'is a link without a valid target');
    const { folder, name, file, depth } = await freshPlace(path);
    await symlink(relativeTarget(target, depth), file);
    folder.children.set(name, { kind: 'link', layer, target });
  }

  async function putHardLink(path: string, target: string): Promise<void> {
    const source = walk(target, { make: false, follow_last: false });
    if (source?.node?.kind === 'link') return putLink(path, source.node.target);
    if (source?.node?.kind !== 'file') throw refuse(path, 'is a hard link to a missing file');
    const { folder, name, file } = await freshPlace(path);
    await link(join(root, source.path), file);
    folder.children.set(name, { kind: 'file', layer });
  }

  /** `.wh.name` hides `name` of lower layers; the opaque marker hides everything that they have in its folder. */
  async function whiteOut(parent: string, marker: string): Promise<void> {
    if (marker !== OPAQUE) {
      const hidden = walk(`${parent}/${marker.slice(WHITEOUT.length)}`, { make: false, follow_last: false });
      if (hidden !== null && hidden.node !== null) await remove(hidden.folder, hidden.name, hidden.path);
      return;
    }
    const place = parent === '' ? null : walk(parent, { make: false, follow_last: true });
    const folder = parent === '' ? top : place?.node;
    if (folder?.kind !== 'folder') return;
    const base = place === null ? '' : `${place.path}/`;
    for (const [name, node] of [...folder.children])
      if (node.layer < layer) await remove(folder, name, `${base}${name}`);
  }

  async function take(entry: ReadEntry): Promise<void> {
    const path = checkedPath(entry.path, refuse);
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (path !== '' && name.startsWith(WHITEOUT)) {
      entry.resume();
      return whiteOut(path.slice(0, Math.max(0, path.length - name.length - 1)), name);
    }
    switch (entry.type) {
      case 'Directory':
        entry.resume();
        return path === '' ? undefined : putFolder(path);
      case 'File':
      case 'OldFile':
      case 'ContiguousFile':
        return putFile(entry, path);
      case 'SymbolicLink':
        entry.resume();
        return putLink(path, entry.linkpath ?? '');
      case 'Link':
        entry.resume();
        return putHardLink(path, checkedPath(entry.linkpath ?? '', refuse));
      default:
        // Devices and pipes: a box has its own.
        entry.resume();
    }
  }

  return {
    addLayer: async (file, compression, signal) => {
      layer += 1;
      const add = (size: number) => {
        bytes += size;
        if (bytes > limits.max_bytes) throw tooLarge(limits.what, limits.max_bytes);
      };
      await readLayer({ file, compression, signal, take, add, what: limits.what });
    },
    ensureFolder: putFolder,
    ensureFile: async (path) => {
      const { folder, name, file } = await freshPlace(path);
      await (await open(file, 'wx', 0o644)).close();
      await chmod(file, 0o644);
      folder.children.set(name, { kind: 'file', layer });
    },
    kindOf: (path) => {
      if (segmentsOf(path).length === 0) return 'folder';
      const node = walk(path, { make: false, follow_last: true })?.node;
      return node?.kind === 'folder' || node?.kind === 'file' ? node.kind : null;
    },
  };
}

/** The next segment that is a name; each `..` before it leads one folder up. */
function nextName({ passed, ahead }: Way): string | undefined {
  for (;;) {
    const name = ahead.pop();
    if (name !== '..') return name;
    passed.pop();
  }
}

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '' && segment !== '.');

const placeOf = (at: readonly { name: string }[], name: string): string =>
  [...at.map((each) => each.name), name].join('/');

/** Relative to the root, without `.` and empty segments; a path of the archive may start with `./` or `/`. */
function checkedPath(path: string, refuse: (path: string, why: string) => Problem): string {
  if (path.length > MOST_PATH_CHARS) throw refuse(path, 'is too long');
  if (/[\p{Cc}]/u.test(path) || !path.isWellFormed()) throw refuse(path, 'has forbidden characters');
  const segments = segmentsOf(path);
  if (segments.includes('..')) throw refuse(path, 'leaves the image');
  if (segments.length > MOST_DEPTH) throw refuse(path, 'is nested too deeply');
  if (segments.some((segment) => Buffer.byteLength(segment) > MOST_NAME_BYTES))
    throw refuse(path, 'has too long a name');
  return segments.join('/');
}

/** As seen from a folder `depth` levels below the root, above which `..` has no effect. */
function relativeTarget(target: string, depth: number): string {
  if (target.startsWith('/')) return `${'../'.repeat(depth)}${segmentsOf(target).join('/')}` || '.';
  const segments = target.split('/');
  const ups = segments.findIndex((segment) => segment !== '..');
  const leading = ups === -1 ? segments.length : ups;
  return leading <= depth ? target : [...Array(depth).fill('..'), ...segments.slice(leading)].join('/') || '.';
}
